"""Where a conversation stands, a fact a line: what `find` says. No line has a customer's words or phone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from core.domain.conversation import Head, Mode
from core.domain.handoff import REASON_NAMES, HandoffReason
from core.domain.record_keys import ms_of

from .history import WAITING, History, is_team
from .lookup import Found
from .times import messages, moment, moment_ago

_LABEL = 15


def standing(found: Found, history: History, *, now_ms: int) -> Iterator[str]:
    """All that an operator asks first."""
    yield _line("conversation", found.conversation)
    if found.moved_from:
        yield _line("", f"the id asked for, {found.moved_from}, leads here")
    if history.head is not None:
        yield from _head(history.head, now_ms)
    if history.state is not None:
        yield _line("stage", history.state.stage.value)
    yield from _last_words(history, now_ms)
    yield from _waiting(history)
    for each in history.unreadable:
        yield _line("can't be read", f"{each.sk} ({each.what}: {each.reason})")


def _head(head: Head, now_ms: int) -> Iterator[str]:
    yield _line("mode", head.mode.value)
    if head.mode is Mode.HUMAN:
        reason = head.handoff_reason or "unknown"
        name = REASON_NAMES[HandoffReason(reason)] if reason in set(HandoffReason) else "?"
        yield _line("reason", f"{reason} ({name})")
        if head.handoff_since_ms is not None:
            taken = "somebody has taken it" if head.handoff_acknowledged else "nobody has taken it yet"
            yield _line("since", f"{moment_ago(head.handoff_since_ms, now_ms=now_ms)}; {taken}")
    elif head.session_start_ms:
        yield _line("since", f"{moment_ago(head.session_start_ms, now_ms=now_ms)} (this session)")
    if head.failures:
        yield _line(
            "failures", f"{head.failures} since the last answer, the last one: {head.failure_kind or 'unknown'}"
        )
    if head.due_ms is not None:
        yield _line("looked at again", moment(head.due_ms))


def _last_words(history: History, now_ms: int) -> Iterator[str]:
    customers = [each for each in history.inbounds if not is_team(each)]
    teams = [each for each in history.inbounds if is_team(each)]
    for label, entries in (("customer wrote", customers), ("team wrote", teams), ("desk wrote", history.parts)):
        if entries:
            yield _line(label, moment_ago(ms_of(entries[-1].sk), now_ms=now_ms))


def _waiting(history: History) -> Iterator[str]:
    head = history.head
    if head is not None:
        since = f", since {moment(head.pending_since_ms)}" if head.pending and head.pending_since_ms else ""
        yield _line("pending", f"{messages(len(head.pending))} for an answer{since}" if head.pending else "nothing")
    parts = Counter(part.state.value for part in history.parts if part.state in WAITING)
    told = ", ".join(f"{number} {state}" for state, number in sorted(parts.items()))
    yield _line("parts waiting", told or "none")
    yield _line("turns", str(len(history.items.turns)))


def _line(label: str, value: str) -> str:
    return f"{label:<{_LABEL}} {value}"
