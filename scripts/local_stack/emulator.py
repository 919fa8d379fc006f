"""MiniStack: SQS, Lambda, DynamoDB, SSM and CloudFormation on loopback, in memory."""

from __future__ import annotations

import http.client
from pathlib import Path

from .environment import ACCESS_KEY, REGION, SECRET_KEY, closed_environment
from .errors import StackError
from .http_calls import call
from .places import ROOT, Places
from .processes import Process, start, wait_until

READY_SECONDS = 30.0
SERVICES = "apigateway,cloudformation,cloudwatch,dynamodb,events,iam,kms,lambda,logs,s3,scheduler,sqs,ssm,sts"


def endpoint_of(port: int) -> str:
    """Where the emulator answers."""
    return f"http://127.0.0.1:{port}"


def start_emulator(places: Places, port: int, tool: Path, *, reach_internet: bool, ends_with_us: bool) -> Process:
    """Start it and wait until it answers. Functions inherit its environment: nothing of the user's may be in it."""
    log = places.log("emulator")
    scratch = places.scratch
    environment = closed_environment(first_on_path=tool, scratch=scratch, reach_internet=reach_internet) | {
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "MINISTACK_HOST": "127.0.0.1",
        "MINISTACK_REGION": REGION,
        "MINISTACK_ACCOUNT_ID": ACCESS_KEY,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        "AWS_EC2_METADATA_DISABLED": "true",
        "SERVICES": SERVICES,
        "LAMBDA_EXECUTOR": "local",
        "LAMBDA_WARM_TTL_SECONDS": "86400",
        "AUTH": "true",  # roles and policies of the template count
        "PERSIST_STATE": "0",
        "S3_PERSIST": "0",
        "S3_DATA_DIR": str(scratch / "s3"),
        "STATE_DIR": str(scratch / "state"),
        # listeners and a container clean-up that we have no use for
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "DOCKER_HOST": f"unix://{scratch / 'no-docker.sock'}",
    }
    process = start(
        "emulator",
        [str(tool / "python"), "-m", "ministack"],
        environment=environment,
        log=log,
        directory=ROOT,
        ends_with_us=ends_with_us,
    )
    wait_until(lambda: not process.is_alive() or _answers(port), seconds=READY_SECONDS)
    if not _answers(port):
        process.stop()
        message = "the AWS emulator did not start"
        raise StackError(message, log=log, next_step="run the command again; another program may have taken its port")
    return process


def _answers(port: int) -> bool:
    try:
        return call("GET", f"{endpoint_of(port)}/_ministack/health", timeout_seconds=2).status == 200
    except (OSError, http.client.HTTPException):
        return False
