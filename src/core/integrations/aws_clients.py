"""boto3 clients with our limits (20-turn.md, "Deadline"): connect 1 s, read 2 s, three attempts, pools for threads."""

from __future__ import annotations

from typing import Any

import boto3
from botocore.config import Config

_CONFIG = Config(
    connect_timeout=1,
    read_timeout=2,
    retries={"total_max_attempts": 3, "mode": "standard"},
    max_pool_connections=16,
)


def aws_client(service: str) -> Any:
    """A client made once per environment; endpoint, region and credentials are boto3's own variables."""
    return boto3.client(service, config=_CONFIG)
