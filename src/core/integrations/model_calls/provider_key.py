"""A provider's key, read anew once it is refused: a rotated key needs no new process (docs/turn.md, "Deadline")."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

_log = logging.getLogger(__name__)


class _Client(Protocol):
    """Whatever signs requests with `api_key` as it stands."""

    api_key: str


class ProviderKey:
    """The key that a client calls with, and how it is read again; `reread` gives "" where there is none."""

    def __init__(self, client: _Client, reread: Callable[[], str] | None = None) -> None:
        self._client = client
        self._reread = reread

    @property
    def current(self) -> str:
        """What the next request is signed with."""
        return self._client.api_key

    def replaced(self, refused: str) -> bool:
        """Whether the client calls with another key now than the one that the provider refused."""
        if self.current == refused and self._reread is not None and (fresh := self._reread()):
            self._client.api_key = fresh
        if self.current == refused:
            return False
        _log.warning("provider_key_replaced")
        return True
