"""AWS clients with our limits (20-turn.md, "Deadline"): connect 1 s, read 2 s, three attempts, pools for threads."""

from __future__ import annotations

from typing import Any

from botocore.config import Config

from core.config.aws_session import aws_session

_CONFIG = Config(
    connect_timeout=1,
    read_timeout=2,
    retries={"total_max_attempts": 3, "mode": "standard"},
    max_pool_connections=16,
)


def aws_client(service: str) -> Any:
    """A client made once per environment."""
    return aws_session().create_client(service, config=_CONFIG)
