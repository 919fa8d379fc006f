"""The account and region that everything happens in: the user's own, or the emulator's at AWS_ENDPOINT_URL."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from local_stack.environment import downloading_environment

from .errors import DeployError

_CONFIG = Config(connect_timeout=5, read_timeout=70, retries={"total_max_attempts": 5, "mode": "standard"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Who is logged in, and where. `endpoint` is the emulator's, "" at AWS."""

    number: str
    caller: str
    region: str
    profile: str = ""
    endpoint: str = ""
    session: Any = field(repr=False)

    def client(self, service: str) -> Any:
        """A boto3 client of the region; at the emulator where there is one."""
        return self.session.client(service, config=_CONFIG, endpoint_url=self.endpoint or None)

    def described(self) -> str:
        """For the person who is asked."""
        where = f", emulated at {self.endpoint}" if self.endpoint else ""
        return f"account {self.number} ({self.caller}), region {self.region}{where}"

    def environment(self, *, first_on_path: Path) -> dict[str, str]:
        """What the SAM CLI sees: the user's own environment, this account's variables, no other Python."""
        own = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
        environment = downloading_environment() | own | {"AWS_REGION": self.region, "AWS_DEFAULT_REGION": self.region}
        environment |= {"AWS_PROFILE": self.profile} if self.profile else {}
        environment |= {"SAM_CLI_TELEMETRY": "0"}
        return environment | {"PATH": f"{first_on_path}{os.pathsep}{environment.get('PATH', os.defpath)}"}


def open_account(*, region: str = "", profile: str = "") -> Account:
    """Raises `DeployError` where the credentials do not open one, or no region is named."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
    region = region or os.environ.get("AWS_REGION", "")  # boto3 itself knows AWS_DEFAULT_REGION alone
    try:
        session = boto3.Session(profile_name=profile or None, region_name=region or None)
        if not session.region_name:
            message = "no AWS region is named"
            raise DeployError(message, next_step="--region sa-east-1, or export AWS_REGION=sa-east-1")
        sts = session.client("sts", config=_CONFIG, endpoint_url=endpoint or None)
        who: Mapping[str, str] = sts.get_caller_identity()
    except (BotoCoreError, ClientError) as error:
        message = f"AWS does not know who you are: {error}"
        next_step = "aws configure sso (or export AWS_PROFILE), and see that `aws sts get-caller-identity` answers"
        raise DeployError(message, next_step=next_step) from None
    return Account(
        number=who["Account"],
        caller=who["Arn"],
        region=session.region_name,
        profile=profile,
        endpoint=endpoint,
        session=session,
    )
