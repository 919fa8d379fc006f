"""`sam deploy` of the real template to the emulator."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .aws import client
from .environment import closed_environment, emulated_account
from .places import ROOT, Places
from .processes import run

STACK_NAME = "balcao"
BUCKET = "artifacts"
DEPLOY_SECONDS = 180.0


def put_secrets(endpoint: str, secrets: Mapping[str, str]) -> None:
    """Each as a SecureString parameter, by name."""
    ssm = client("ssm", endpoint)
    for name, value in secrets.items():
        ssm.put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)


def deploy(places: Places, endpoint: str, template: Path, parameters: Mapping[str, str], tool: Path) -> dict[str, str]:
    """Create the stack or bring it up to date; the template's outputs. Raises `StackError`."""
    client("s3", endpoint).create_bucket(Bucket=BUCKET)
    environment = closed_environment(first_on_path=tool, scratch=places.scratch) | emulated_account(endpoint)
    # each look reads every event of the stack again
    environment |= {"SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "0.5"}
    command = [str(tool / "sam"), "deploy", "--template-file", str(template), "--stack-name", STACK_NAME]
    command += ["--s3-bucket", BUCKET, "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset"]
    command += ["--no-progressbar", "--no-fail-on-empty-changeset", "--use-json", "--parameter-overrides"]
    command += [f"{name}={value}" for name, value in sorted(parameters.items())]
    run(
        command,
        environment=environment,
        log=places.log("deploy"),
        directory=ROOT,
        seconds=DEPLOY_SECONDS,
        what="sam deploy",
        next_step="fix what the log names in template.yaml and run the same command again",
    )
    stacks = client("cloudformation", endpoint).describe_stacks(StackName=STACK_NAME)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stacks[0]["Outputs"]}
