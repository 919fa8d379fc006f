"""Clients of the emulator. They know its address and account, and no other."""

from __future__ import annotations

from typing import Any

import boto3
from botocore.config import Config

from .environment import ACCESS_KEY, REGION, SECRET_KEY

_CONFIG = Config(
    region_name=REGION,
    proxies={},
    connect_timeout=2,
    read_timeout=70,
    retries={"total_max_attempts": 2, "mode": "standard"},
)


def client(service: str, endpoint: str) -> Any:
    """A boto3 client. Call `forget_user_accounts` first: a profile named in the environment would be looked for."""
    session = boto3.Session(aws_access_key_id=ACCESS_KEY, aws_secret_access_key=SECRET_KEY, region_name=REGION)
    return session.client(service, endpoint_url=endpoint, config=_CONFIG)
