"""Two conversations of one customer as one (docs/adr/0005): what HEAD and STATE say afterwards. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.application.history.previous_session import describe_session
from core.domain.conversation import ConversationState, Head, Mode, Snapshot
from core.domain.head_transitions import merged


def merged_head(
    kept: Snapshot, other: Snapshot, *, aliases: Mapping[str, int], bsuid: str | None, session_ttl_ms: int
) -> Head:
    """`kept`'s head with what `other` has pending. People who have either conversation have both."""
    goes_on = _going_on(kept, other, session_ttl_ms)
    people = next((each.head for each in (kept, other) if each.head.mode is Mode.HUMAN), None)
    of_session = (kept, other) if _at_once(kept, other, session_ttl_ms) else (goes_on,)
    starts = (each.head.session_start_ms for each in of_session)
    return merged(
        kept.head,
        other.head,
        mode=Mode.HUMAN if people else goes_on.head.mode,
        people=people,
        session_start_ms=min((ms for ms in starts if ms), default=0),
        aliases=aliases,
        bsuid=bsuid,
    )


def merged_state(kept: Snapshot, other: Snapshot, *, session_ttl_ms: int, trust_ms: int) -> ConversationState:
    """The state of the session that goes on, completed by the other's; of a session long over, only its description,
    and nothing of one before `trust_ms`: the number may have been another person's.
    """
    goes_on = _going_on(kept, other, session_ttl_ms)
    over = other if goes_on is kept else kept
    state, rest = (kept.state, other.state) if goes_on is kept else (other.state, kept.state)
    people = next((each.state for each in (kept, other) if each.head.mode is Mode.HUMAN), state)
    shared: dict[str, Any] = {
        "recent_turns_ms": tuple(sorted({*state.recent_turns_ms, *rest.recent_turns_ms})),
        "last_inbound_ms": max(state.last_inbound_ms, rest.last_inbound_ms),
        "transcripts": {**rest.transcripts, **state.transcripts},
        "human_since_ms": people.human_since_ms,
        "human_until_ms": people.human_until_ms,
        "agreed": people.agreed,
        "opted_out": state.opted_out if state.last_inbound_ms >= rest.last_inbound_ms else rest.opted_out,
    }
    if not _at_once(kept, other, session_ttl_ms):
        if state.previous_session or _over_before(over, goes_on, trust_ms):
            return replace(state, **shared)
        return replace(
            state, **shared, previous_session=describe_session(rest), previous_session_ms=rest.last_inbound_ms
        )
    return replace(
        state,
        **shared,
        service=state.service or rest.service,
        segment=state.segment or rest.segment,
        fields={**rest.fields, **state.fields},
        set_aside={**rest.set_aside, **state.set_aside},
        extra_requests=tuple(dict.fromkeys((*state.extra_requests, *rest.extra_requests))),
        packages_served=tuple(dict.fromkeys((*state.packages_served, *rest.packages_served))),
        previous_session=state.previous_session or rest.previous_session,
        previous_session_ms=(state if state.previous_session else rest).previous_session_ms,
    )


def _going_on(kept: Snapshot, other: Snapshot, session_ttl_ms: int) -> Snapshot:
    """Whose session the customer is in: the older conversation's, unless it was over when the other one began. That
    comes before what is closed: an open session of long ago may be the one of the number's former owner.
    """
    if not _was_answered(other) or _over_before(other, kept, session_ttl_ms):
        return kept
    if not _was_answered(kept) or _over_before(kept, other, session_ttl_ms):
        return other
    return other if kept.head.mode is Mode.CLOSED and other.head.mode is not Mode.CLOSED else kept


def _at_once(kept: Snapshot, other: Snapshot, session_ttl_ms: int) -> bool:
    apart = _over_before(kept, other, session_ttl_ms) or _over_before(other, kept, session_ttl_ms)
    return not apart and (kept.head.mode is Mode.CLOSED) is (other.head.mode is Mode.CLOSED)


def _over_before(one: Snapshot, another: Snapshot, session_ttl_ms: int) -> bool:
    return bool(_was_answered(one)) and another.head.session_start_ms - one.state.last_inbound_ms > session_ttl_ms


def _was_answered(snapshot: Snapshot) -> bool:
    return snapshot.state.last_inbound_ms > 0
