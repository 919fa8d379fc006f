"""Which conversation a log line concerns: said where work on one begins, and written beside every event by the doors'
logs, so that one key finds a message from the webhook to the sweep.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_conversation: ContextVar[str] = ContextVar("conversation", default="")


@contextmanager
def about(conversation: str) -> Iterator[None]:
    """What this thread logs within is about the conversation: the keyed hash that names it everywhere."""
    token = _conversation.set(conversation)
    try:
        yield
    finally:
        _conversation.reset(token)


def current_conversation() -> str:
    """The hash; "" outside of any."""
    return _conversation.get()
