"""A pytest plugin for one faulty tree: a test that a fault sends round in circles is a test that failed."""

from __future__ import annotations

import signal
from collections.abc import Generator
from types import FrameType
from typing import Any, NoReturn

import pytest

SECONDS = 20.0
_AGAIN_SECONDS = 1.0  # for what catches everything


class EndlessError(BaseException):
    """Not an Exception: the code under test must not handle it."""


def _give_up(_number: int, _frame: FrameType | None) -> NoReturn:
    raise EndlessError


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:  # noqa: ARG001 -- pytest's name
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, _AGAIN_SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
