"""The built bundle under AWS's own runtime client and its runtime interface emulator, as Lambda starts it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from local_stack.build import architecture
from local_stack.environment import closed_environment, emulated_account
from local_stack.http_calls import call
from local_stack.places import BUILDS, Places
from local_stack.processes import free_ports, wait_until
from local_stack.stack import Stack
from local_stack.template_settings import read_template
from local_stack.tools import tool

READY_SECONDS, INVOCATION_SECONDS = 10.0, 90.0
RESOURCES = {"webhook": "WebhookFunction", "process": "ProcessFunction", "sweep": "SweepFunction"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningFunction:
    """One environment of a function: it takes an event at a time, and says what it logs."""

    process: subprocess.Popen[bytes]
    address: str
    log: Path

    def invoke(self, event: Mapping[str, Any]) -> Any:
        """What the handler returns, or the error as Lambda tells it. Raises OSError when the environment is gone."""
        url = f"http://{self.address}/2015-03-31/functions/function/invocations"
        reply = call("POST", url, body=json.dumps(event).encode(), timeout_seconds=INVOCATION_SECONDS)
        return json.loads(reply.body or b"null")

    def said(self) -> str:
        """All of its log, the emulator's own lines included."""
        return self.log.read_text("utf-8", "replace")

    def events(self, level: str = "") -> list[dict[str, Any]]:
        """The function's own log lines, metrics left out."""
        lines = [json.loads(line) for line in self.said().splitlines() if line.startswith("{")]
        return [line for line in lines if "_aws" not in line and level in ("", line.get("level"))]

    def ends(self, *, within_seconds: float) -> bool:
        """Told to end as Lambda tells it; whether it did in time, and everything it had started."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(within_seconds)
        return self.process.returncode is not None and not _is_group_alive(self.process.pid)


def runtime_emulator() -> Path:
    """The binary that aws-sam-cli ships. Fails the test, with what to do, when it is not there."""
    names = {"x86_64": "aws-lambda-rie-x86_64", "arm64": "aws-lambda-rie-arm64"}
    home = tool("sam").parent
    found = sorted(home.glob(f"lib/python*/site-packages/samcli/local/rapid/{names[architecture()]}"))
    if not found or not os.access(found[0], os.X_OK):
        pytest.fail(
            f"{names[architecture()]} is not in {home}: remove that directory and run this again. If it is still not there,"
            " the aws-sam-cli of requirements/sam.txt ships it elsewhere: tests/e2e/lambda_runtime.py says where to look",
            pytrace=False,
        )
    return found[0]


def unpack_bundle(stack: Stack, function: str, target: Path) -> Path:
    """The archive that was deployed, as Lambda unpacks it."""
    home = BUILDS / stack.state.build
    template = read_template(home / "template.yaml")
    archive = home / str(template["Resources"][RESOURCES[function]]["Properties"]["CodeUri"])
    with zipfile.ZipFile(archive) as bundle:
        bundle.extractall(target)
    return target


@contextmanager
def running_function(
    stack: Stack,
    function: str,
    bundle: Path,
    log: Path,
    *,
    variables: Mapping[str, str] | None = None,
    timeout_seconds: int | None = None,
) -> Iterator[RunningFunction]:
    """An environment of the function that is deployed, with its variables (or others), handler and timeout."""
    deployed = stack.client("lambda").get_function_configuration(
        FunctionName=stack.function_names()[function], Qualifier="live"
    )
    python = tool("awslambdaric") / "python"
    address, runtime_api = (f"127.0.0.1:{port}" for port in free_ports(2))
    environment = closed_environment(first_on_path=python.parent, scratch=Places(stack.state.name).scratch)
    environment |= emulated_account(stack.state.endpoint)
    environment |= deployed["Environment"]["Variables"] | dict(variables or {})
    environment |= {
        "LAMBDA_TASK_ROOT": str(bundle),
        "AWS_LAMBDA_FUNCTION_NAME": deployed["FunctionName"],
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(timeout_seconds or deployed["Timeout"]),
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(deployed["MemorySize"]),
        "AWS_LAMBDA_LOG_FORMAT": deployed.get("LoggingConfig", {}).get("LogFormat", "JSON"),
    }
    command = [str(runtime_emulator()), "--runtime-interface-emulator-address", address]
    command += ["--runtime-api-address", runtime_api, str(python), "-m", "awslambdaric", deployed["Handler"]]
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 -- two programs of ours
            command,
            cwd=bundle,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    running = RunningFunction(process=process, address=address, log=log)
    try:
        assert wait_until(lambda: _listens(address), seconds=READY_SECONDS), running.said()
        yield running
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _listens(address: str) -> bool:
    try:
        return call("GET", f"http://{address}/", timeout_seconds=2).status > 0
    except OSError:
        return False


def _is_group_alive(group: int) -> bool:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] not in "ZX":
                return True
    return False
