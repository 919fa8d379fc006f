"""Opens a turn on a snapshot: what is pending, which session it belongs to, where the answer goes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from core.application.history.effective_log import as_it_stands
from core.application.history.previous_session import describe_session
from core.application.history.session_history import (
    joined_text,
    pending_inbounds,
    session_history,
    typed_text,
    written_text,
)
from core.application.turn.kept_fields import (
    is_of_customer,
    with_customer_set_aside,
    with_set_aside_back,
    without_aged,
)
from core.domain.agent_call import HistoryLine
from core.domain.catalogue.catalog import Catalog
from core.domain.conversation import ConversationState, GuardCounters, InboundRecord, Mode, Snapshot
from core.domain.policy import COURTESY_AFTER_CLOSE_MINUTES, ConversationPolicy
from core.domain.record_keys import ms_of
from core.domain.service_window import window_closes_ms
from core.domain.short_replies import is_courtesy, is_opt_out
from core.domain.spending import spending_day

# What STATE keeps of voice notes: many minutes of talk.
TRANSCRIPT_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """One run of a turn. `text` is what the agent reads, `typed` what was written, `written` in all the session;
    `written_on` is the newest message's day and `day` the one that this run's money counts for, by the company's clock.
    """

    snapshot: Snapshot
    inbounds: tuple[InboundRecord, ...]
    newest: InboundRecord
    state: ConversationState
    session_start_ms: int
    turn_id: str
    opened_at_ms: int
    text: str
    typed: str
    written: str
    written_on: date
    day: str
    history: tuple[HistoryLine, ...]
    courtesy: bool = False

    @property
    def conversation(self) -> str:
        """The keyed hash that names the conversation everywhere."""
        return self.snapshot.conversation

    @property
    def window_closes_ms(self) -> int:
        """Until when WhatsApp takes a text of ours."""
        return window_closes_ms(self.snapshot)


def open_turn(snapshot: Snapshot, *, catalog: Catalog, policy: ConversationPolicy, now_ms: int) -> OpenTurn | None:
    """A turn on whatever is pending, which may be nothing; None in a conversation where nobody has written."""
    snapshot = as_it_stands(snapshot)
    inbounds = pending_inbounds(snapshot)
    newest = inbounds[-1] if inbounds else snapshot.newest_inbound
    if newest is None:
        return None
    typed = typed_text(inbounds)
    courtesy = _is_courtesy_after_close(snapshot, typed, now_ms)
    may_differ = _owner_may_differ(snapshot, inbounds, policy)
    fresh = not courtesy and (may_differ or _starts_session(snapshot, inbounds, policy))
    state = without_aged(snapshot.state, now_ms=now_ms, retention_days=policy.retention_days)
    if fresh:
        state = _new_session(state, catalog)
    if may_differ:
        state = with_customer_set_aside(state, catalog)
    state = _after_people(snapshot, state, now_ms)
    if state.opted_out and not is_opt_out(typed):
        state = replace(state, opted_out=False)
    start_ms = _session_start(inbounds) if fresh else snapshot.head.session_start_ms
    return OpenTurn(
        snapshot=snapshot,
        inbounds=inbounds,
        newest=newest,
        state=state,
        session_start_ms=start_ms,
        turn_id=turn_id(snapshot, (entry.sk for entry in inbounds)),
        opened_at_ms=now_ms,
        text=joined_text(snapshot, inbounds),
        typed=typed,
        written=written_text(snapshot, session_start_ms=start_ms),
        written_on=catalog.hours.local_date(newest.message.sent_at_ms),
        day=spending_day(catalog.hours.local_date(now_ms)),
        history=session_history(snapshot, state, session_start_ms=start_ms, limit=policy.history_max_messages),
        courtesy=courtesy,
    )


def is_due(snapshot: Snapshot, sk: str | None) -> bool:
    """A message while it is pending; a handoff of its own while nobody has taken over, or messages wait."""
    if sk is not None:
        return sk in snapshot.head.pending
    return snapshot.head.mode is not Mode.HUMAN or bool(snapshot.head.pending)


def turn_id(snapshot: Snapshot, answered: Iterable[str]) -> str:
    """Derived, never random: the same read answers the same messages under the same name."""
    seed = "|".join((snapshot.conversation, str(snapshot.head.ver), *sorted(answered)))
    return hashlib.sha256(seed.encode()).hexdigest()[:12]


def _is_courtesy_after_close(snapshot: Snapshot, typed: str, now_ms: int) -> bool:
    closed_at = snapshot.state.closed_at_ms
    return (
        snapshot.head.mode is Mode.CLOSED
        and closed_at is not None
        and now_ms - closed_at <= COURTESY_AFTER_CLOSE_MINUTES * 60_000
        and is_courtesy(typed)
    )


def _starts_session(snapshot: Snapshot, inbounds: tuple[InboundRecord, ...], policy: ConversationPolicy) -> bool:
    head, state = snapshot.head, snapshot.state
    if not inbounds:
        return False
    if head.mode is Mode.CLOSED or head.ver == 0:
        return True
    if head.mode is Mode.HUMAN or not state.last_inbound_ms:
        return False
    if state.human_since_ms is not None and state.human_until_ms is None:
        return False  # people gave it back: what they agreed is part of the session
    return inbounds[0].received_at_ms - state.last_inbound_ms > policy.session_ttl_hours * 3_600_000


def _owner_may_differ(snapshot: Snapshot, inbounds: tuple[InboundRecord, ...], policy: ConversationPolicy) -> bool:
    """Numbers are recycled: after so long a silence, whoever writes may be another person."""
    last_ms = snapshot.state.last_inbound_ms
    if not inbounds or not last_ms:
        return False
    return inbounds[0].received_at_ms - last_ms > policy.identity_trust_days * 86_400_000


def _session_start(inbounds: tuple[InboundRecord, ...]) -> int:
    return min(ms_of(entry.sk) for entry in inbounds)


def _new_session(before: ConversationState, catalog: Catalog) -> ConversationState:
    """Triagem again; what belongs to the customer is carried, what belonged to the service becomes a package."""
    carried = {name: value for name, value in before.fields.items() if is_of_customer(name, catalog)}
    return ConversationState(
        fields=carried,
        set_aside=before.set_aside,
        previous_session=describe_session(before),
        previous_session_ms=before.last_inbound_ms if before.service else before.previous_session_ms,
        recent_turns_ms=before.recent_turns_ms,
        opted_out=before.opted_out,
        last_inbound_ms=before.last_inbound_ms,
        transcripts=before.transcripts,
    )


def _after_people(snapshot: Snapshot, state: ConversationState, now_ms: int) -> ConversationState:
    """The first turn after a hand-back: the human stretch ends here, and with it what the guard had counted."""
    if snapshot.head.mode is Mode.HUMAN or state.human_since_ms is None or state.human_until_ms is not None:
        return state
    return replace(state, human_until_ms=now_ms, guard=GuardCounters(), refusals_running=0)


def leave_in_state(state: ConversationState, turn: OpenTurn, catalog: Catalog) -> ConversationState:
    """What every turn leaves in STATE: the last inbound's time, this hour's turns, whose fields are known again."""
    hour_ago = turn.opened_at_ms - 3_600_000
    recent = tuple(ms for ms in state.recent_turns_ms if ms > hour_ago)
    last = max((entry.received_at_ms for entry in turn.inbounds), default=state.last_inbound_ms)
    return replace(
        with_set_aside_back(state, catalog),
        last_inbound_ms=last,
        recent_turns_ms=(*recent, turn.opened_at_ms),
        transcripts=_still_read(state.transcripts, turn.snapshot),
    )


def _still_read(transcripts: Mapping[str, str], snapshot: Snapshot) -> Mapping[str, str]:
    """The newest that agents may still read: STATE is written whole by every turn."""
    kept: dict[str, str] = {}
    left = TRANSCRIPT_CHARACTERS
    for sk in sorted(transcripts.keys() & {entry.sk for entry in snapshot.log}, reverse=True):
        left -= len(transcripts[sk])
        if left < 0:
            break
        kept[sk] = transcripts[sk]
    return kept
