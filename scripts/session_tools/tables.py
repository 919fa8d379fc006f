"""The table that a command reads: one of the user's account where it is named, else the running stack's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from replay.exporting.table_pages import TablePages

from .errors import CommandError


def pages_of(name: str | None) -> TablePages:
    """Its conversations. Raises `CommandError` where no stack runs."""
    client, table = _table(name)
    return TablePages(client, table, now_ms=round(datetime.now(UTC).timestamp() * 1000))


def _table(name: str | None) -> tuple[Any, str]:
    if name:
        import boto3

        return boto3.client("dynamodb"), name
    from local_stack import aws, environment, places, state

    running = state.read_state(places.Places())
    if running is None or not running.is_running():
        message = "no stack is running here: start it with make stack, or name a --table"
        raise CommandError(message)
    environment.forget_user_accounts()
    return aws.client("dynamodb", running.endpoint), running.table
