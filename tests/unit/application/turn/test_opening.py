"""Which session a message belongs to, and what is carried into a new one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.turn.opening import TRANSCRIPT_CHARACTERS, OpenTurn, is_due, leave_in_state, open_turn, turn_id
from core.domain.actions import Agent
from core.domain.conversation import ConversationState, GuardCounters, Head, InboundRecord, Mode, Snapshot
from core.domain.messages import InboundMessage, MessageKind, Sender
from core.domain.policy import ConversationPolicy
from tests.cases.small_catalog import declined, known, small_catalog

T0 = 1_796_040_000_000
HOUR_MS = 3_600_000


def inbound(
    at_ms: int = T0, text: str = "oi", *, name: str = "a", kind: MessageKind = MessageKind.TEXT
) -> InboundRecord:
    message = InboundMessage(
        provider_id=name,
        kind=kind,
        sender=Sender(phone="5511980000101"),
        phone_number_id="1",
        sent_at_ms=at_ms,
        text=text,
    )
    return InboundRecord(conversation="c", sk=f"M#{at_ms}#i{name}", message=message, received_at_ms=at_ms)


def snapshot(*log: InboundRecord, pending: bool = True, state: dict[str, Any] | None = None, **head: Any) -> Snapshot:
    waiting = frozenset(entry.sk for entry in log) if pending else frozenset()
    return Snapshot(
        conversation="c",
        head=Head(**{"ver": 3, "pending": waiting, "session_start_ms": 7, **head}),
        state=ConversationState(**(state or {})),
        log=log,
    )


def opened(given: Snapshot, *, now_ms: int = T0, **policy: Any) -> OpenTurn:
    turn = open_turn(given, catalog=small_catalog(), policy=ConversationPolicy(**policy), now_ms=now_ms)
    assert turn is not None
    return turn


OLD: dict[str, Any] = {
    "stage": Agent.COLETA,
    "service": "alfa",
    "segment": "casa",
    "fields": {**known(nome="Lia", tipo="fonte"), **declined("email")},
    "extra_requests": ("solo",),
    "guard": GuardCounters(frustrated=1),
    "pending_offer": True,
    "refusals_running": 2,
    "recent_turns_ms": (1, 2),
    "last_inbound_ms": T0 - 24 * HOUR_MS,
    "transcripts": {"x": "y"},
}


@pytest.mark.parametrize(("ago_ms", "new"), [(24 * HOUR_MS, False), (24 * HOUR_MS + 1, True)])
def test_a_session_ends_when_the_customer_was_silent_for_its_hours(ago_ms: int, new: bool) -> None:
    turn = opened(snapshot(inbound(), state=OLD | {"last_inbound_ms": T0 - ago_ms}))

    assert (turn.state.stage is Agent.TRIAGEM, turn.session_start_ms) == (new, T0 if new else 7)


def test_a_new_session_keeps_what_is_the_customers_and_describes_what_was_the_services() -> None:
    state = opened(snapshot(inbound(), state=OLD, mode=Mode.CLOSED)).state

    assert set(state.fields) == {"nome", "email"}
    assert (state.stage, state.service, state.segment, state.extra_requests) == (Agent.TRIAGEM, None, None, ())
    assert (state.guard, state.pending_offer, state.refusals_running) == (GuardCounters(), False, 0)
    assert (state.recent_turns_ms, state.last_inbound_ms, state.transcripts) == (
        (1, 2),
        T0 - 24 * HOUR_MS,
        {"x": "y"},
    )
    assert state.previous_session
    assert "alfa" in state.previous_session


@pytest.mark.parametrize(
    ("head", "state", "new"),
    [
        ({"mode": Mode.CLOSED}, {"last_inbound_ms": T0}, True),
        ({"ver": 0}, {"last_inbound_ms": T0}, True),
        ({"ver": 1}, {"last_inbound_ms": 0}, False),
        ({"mode": Mode.HUMAN}, {"last_inbound_ms": T0 - 48 * 3_600_000}, False),
        ({"mode": Mode.BOT}, {"last_inbound_ms": T0}, False),
    ],
    ids=["closed", "the first", "nothing answered yet", "people have it", "it goes on"],
)
def test_which_message_opens_a_session(head: dict[str, Any], state: dict[str, Any], new: bool) -> None:
    turn = opened(snapshot(inbound(), state=state, **head))

    assert (turn.session_start_ms == T0) is new


def test_a_turn_on_nothing_pending_opens_no_session() -> None:
    turn = opened(snapshot(inbound(), pending=False, state=OLD, mode=Mode.CLOSED))

    assert (turn.inbounds, turn.state.stage, turn.newest.sk) == ((), Agent.COLETA, f"M#{T0}#ia")


def test_where_nobody_has_written_there_is_no_turn() -> None:
    assert open_turn(snapshot(), catalog=small_catalog(), policy=ConversationPolicy(), now_ms=T0) is None


def test_a_burst_is_read_in_its_order_and_answered_at_its_newest() -> None:
    turn = opened(snapshot(inbound(T0, "um"), inbound(T0 + 1, "dois", name="b"), mode=Mode.CLOSED))

    assert (turn.text, turn.newest.message.text, turn.session_start_ms) == ("um\ndois", "dois", T0)


@pytest.mark.parametrize(("minutes", "courtesy"), [(60, True), (60.001, False)])
def test_thanks_are_a_courtesy_within_an_hour_of_a_close(minutes: float, courtesy: bool) -> None:
    closed = snapshot(inbound(text="obrigado"), state=OLD | {"closed_at_ms": T0}, mode=Mode.CLOSED)

    turn = opened(closed, now_ms=round(T0 + minutes * 60_000))

    assert (turn.courtesy, turn.state.stage is Agent.TRIAGEM) == (courtesy, not courtesy)


@pytest.mark.parametrize(
    ("text", "mode", "closed_at"),
    [("obrigado", Mode.BOT, T0), ("obrigado", Mode.CLOSED, None), ("oi", Mode.CLOSED, T0)],
)
def test_nothing_else_is(text: str, mode: Mode, closed_at: int | None) -> None:
    assert not opened(snapshot(inbound(text=text), state={"closed_at_ms": closed_at}, mode=mode)).courtesy


def test_who_writes_again_is_opted_in_again_but_not_by_opting_out() -> None:
    assert not opened(snapshot(inbound(), state={"opted_out": True})).state.opted_out
    assert opened(snapshot(inbound(text="sair"), state={"opted_out": True})).state.opted_out


# After people


def test_the_first_turn_after_people_ends_their_stretch_and_what_the_guard_counted() -> None:
    after = opened(snapshot(inbound(), state=OLD | {"last_inbound_ms": T0, "human_since_ms": T0 - 9})).state

    assert (after.human_since_ms, after.human_until_ms) == (T0 - 9, T0)
    assert (after.guard, after.refusals_running) == (GuardCounters(), 0)


@pytest.mark.parametrize(
    ("mode", "state"),
    [
        (Mode.HUMAN, {"human_since_ms": T0 - 9}),
        (Mode.BOT, {"human_since_ms": None}),
        (Mode.BOT, {"human_since_ms": T0 - 9, "human_until_ms": T0 - 5}),
    ],
    ids=["they still have it", "they never had it", "it ended before"],
)
def test_otherwise_nothing_of_that_is_touched(mode: Mode, state: dict[str, Any]) -> None:
    before = OLD | {"last_inbound_ms": T0} | state

    assert opened(snapshot(inbound(), state=before, mode=mode)).state == ConversationState(**before)


# What is due


def test_a_message_is_due_while_it_is_pending() -> None:
    sk = inbound().sk

    assert is_due(snapshot(inbound()), sk)
    assert not is_due(snapshot(inbound(), pending=False), sk)


@pytest.mark.parametrize(
    ("mode", "pending", "due"),
    [(Mode.BOT, False, True), (Mode.HUMAN, False, False), (Mode.HUMAN, True, True), (Mode.CLOSED, False, True)],
)
def test_a_handoff_of_its_own_is_due_unless_people_have_it_and_nobody_waits(
    mode: Mode, pending: bool, due: bool
) -> None:
    assert is_due(snapshot(inbound(), pending=pending, mode=mode), None) is due


def test_a_turns_name_says_what_it_answers_and_in_which_version() -> None:
    seen = snapshot(inbound())

    assert turn_id(seen, ["a", "b"]) == turn_id(seen, ["b", "a"])
    names = {
        turn_id(seen, ["a"]),
        turn_id(seen, ["a", "b"]),
        turn_id(replace(seen, head=replace(seen.head, ver=4)), ["a"]),
        turn_id(replace(seen, conversation="d"), ["a"]),
    }
    assert (len(names), {len(name) for name in names}) == (4, {12})


# What a turn leaves


def test_every_turn_leaves_the_last_inbound_and_this_hours_turns() -> None:
    turn = opened(snapshot(inbound(T0 - 5), inbound(T0 - 3, name="b")))
    before = replace(turn.state, recent_turns_ms=(T0 - HOUR_MS, T0 - HOUR_MS + 1), last_inbound_ms=1)

    after = leave_in_state(before, turn, small_catalog())

    assert (after.last_inbound_ms, after.recent_turns_ms) == (T0 - 3, (T0 - HOUR_MS + 1, T0))


def test_a_turn_on_nothing_keeps_when_the_customer_last_wrote() -> None:
    turn = opened(snapshot(inbound(), pending=False))

    assert leave_in_state(replace(turn.state, last_inbound_ms=5), turn, small_catalog()).last_inbound_ms == 5


def test_the_newest_transcripts_are_kept_as_far_as_they_fit() -> None:
    log = [inbound(T0 + n, name=f"n{n}") for n in range(3)]
    turn = opened(snapshot(*log))
    oldest, middle, newest = (entry.sk for entry in log)
    half = TRANSCRIPT_CHARACTERS // 2

    def kept(**transcripts: str) -> set[str]:
        heard = {oldest: transcripts["oldest"], middle: transcripts["middle"], newest: transcripts["newest"], "x": "y"}
        return set(leave_in_state(replace(turn.state, transcripts=heard), turn, small_catalog()).transcripts)

    assert kept(oldest="a", middle="a" * (half - 1), newest="a" * half) == {oldest, middle, newest}
    assert kept(oldest="a", middle="a" * half, newest="a" * half) == {middle, newest}
    assert TRANSCRIPT_CHARACTERS == 20_000
