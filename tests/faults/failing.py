"""A call that fails instead of killing: before anything happened, or after it did and the answer was lost."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from core.domain.delivery import SendFailure
from core.domain.errors import (
    ErpError,
    IntegrationError,
    LLMProviderError,
    LLMTimeoutError,
    SendRefusedError,
    SendUncertainError,
)
from core.domain.llm import LLMAttempt, LLMFailure
from tests.fakes.clock import FakeClock
from tests.faults.outside import Call, Line
from tests.faults.world import Disturbance, Run, World

T = TypeVar("T")


class Fault(StrEnum):
    """What happens to one call."""

    BEFORE = "before"  # it failed, and nothing happened
    LOST = "lost"  # nothing happened, and nobody can tell
    AFTER = "after"  # it happened, and the answer was lost
    BUG = "bug"  # something that no contract speaks of
    REFUSED = "refused"  # the other side turned it away: too many requests, a token that is no good


# Whoever can turn a call away; of the others that is a failure like any.
REFUSING = frozenset({"model", "repair", "summary", "send", "mark_read", "contact", "quote"})
PLAIN_FAULTS = tuple(fault for fault in Fault if fault is not Fault.REFUSED)


def failing(at: int, fault: Fault) -> Run[Any]:
    """Runs work in place; its `at`-th call to the outside meets the fault."""

    def run(world: World, work: Callable[[Line, FakeClock], T]) -> T | None:
        try:
            return work(_Failing(world.answer, at, fault), world.clock)
        except (IntegrationError, UnforeseenError):
            return None  # as Lambda sees it: the function failed

    return run


def outage(port: str, fault: Fault, *, clock: FakeClock, seconds: float) -> Disturbance:
    """Every call to the port meets the fault from now on, for so long."""
    until_ms = clock.now_ms() + round(seconds * 1000)

    def disturb(call: Call, line: Line) -> Any:
        return failed(call, fault, line) if call.port == port and clock.now_ms() < until_ms else line(call)

    return disturb


class UnforeseenError(Exception):
    """Somebody's mistake."""


class _Failing:
    def __init__(self, line: Line, at: int, fault: Fault) -> None:
        self._line, self._left, self._fault = line, at, fault

    def __call__(self, call: Call) -> Any:
        self._left -= 1
        if self._left != 0:
            return self._line(call)
        return failed(call, self._fault, self._line)


def failed(call: Call, fault: Fault, line: Line) -> Any:
    """What the caller of a faulty call gets, by the contract of its port."""
    if call.method == "enqueue":
        return _refused(call, fault, line)
    if call.method == "retry_in":
        return None  # it logs and returns
    if fault is Fault.AFTER:
        line(call)
    raise _error(call, fault)


def _refused(call: Call, fault: Fault, line: Line) -> Any:
    """A queue raises nothing: it gives back what it did not take, or what it may have taken."""
    if fault is Fault.AFTER:
        line(call)
    if fault is Fault.BUG:
        raise UnforeseenError("enqueue")
    return tuple(call.args[0])


def _error(call: Call, fault: Fault) -> Exception:
    if fault is Fault.BUG:
        return UnforeseenError(call.method)
    if call.port == "model":
        return _no_reply(_MODEL_FAILURES[fault])
    if call.port == "sender":
        return _NOT_SENT.get(fault) or SendUncertainError("no answer")
    if call.port == "erp":
        return ErpError(call.method, busy=fault is Fault.REFUSED)
    return IntegrationError(call.method)


_MODEL_FAILURES = {
    Fault.BEFORE: LLMFailure.SERVER_ERROR,
    Fault.LOST: LLMFailure.TIMEOUT,
    Fault.AFTER: LLMFailure.TIMEOUT,
    Fault.REFUSED: LLMFailure.RATE_LIMITED,
}
_NOT_SENT = {
    Fault.BEFORE: SendRefusedError("refused", failure=SendFailure.TRANSIENT, code=131000),
    Fault.REFUSED: SendRefusedError("refused", failure=SendFailure.AUTH, code=190),
}


def _no_reply(failure: LLMFailure) -> LLMProviderError | LLMTimeoutError:
    after = failure is LLMFailure.TIMEOUT
    attempts = (LLMAttempt(number=1, latency_ms=30_000 if after else 90, failure=failure),)
    kind = LLMTimeoutError if after else LLMProviderError
    return kind("OpenAI", failure=failure, attempts=attempts)
