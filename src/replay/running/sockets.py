"""Recorded replays reach nobody: no name is looked up and no address connected to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.domain.errors import BalcaoError

_EVENTS = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"})


class ReachedOutError(BalcaoError):
    """A replay of recorded replies tried to reach the network."""


class _Door:
    """An audit hook can never be taken away: it is there once, and open or closed."""

    installed = False
    closed = False


@contextmanager
def closed_sockets() -> Iterator[None]:
    """Raises `ReachedOutError` where anything inside tries to connect."""
    if not _Door.installed:
        sys.addaudithook(_refuse)
        _Door.installed = True
    before, _Door.closed = _Door.closed, True
    try:
        yield
    finally:
        _Door.closed = before


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    if _Door.closed and event in _EVENTS:
        raise ReachedOutError(f"{event} in a replay of recorded replies")
