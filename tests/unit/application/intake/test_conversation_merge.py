"""Two conversations of one customer as one: whose session goes on, who has the word, what is kept of the other."""

from __future__ import annotations

from typing import Any

import pytest

from core.application.intake.conversation_merge import merged_head, merged_state
from core.domain.actions import Agent
from core.domain.conversation import ConversationState, Head, Mode, Snapshot
from tests.cases.small_catalog import known

TTL_MS, TRUST_MS = 1_000, 90_000
T0 = 1_000_000


def one(*, start: int = T0, last: int = T0, mode: Mode = Mode.BOT, head: Any = None, **state: Any) -> Snapshot:
    return Snapshot(
        conversation="c",
        head=Head(ver=1, mode=mode, session_start_ms=start, **(head or {})),
        state=ConversationState(last_inbound_ms=last, **state),
    )


def state_of(kept: Snapshot, other: Snapshot) -> ConversationState:
    return merged_state(kept, other, session_ttl_ms=TTL_MS, trust_ms=TRUST_MS)


def head_of(kept: Snapshot, other: Snapshot) -> Head:
    return merged_head(kept, other, aliases={"o": 1}, bsuid="b", session_ttl_ms=TTL_MS)


KEPT, OTHER = {"service": "alfa"}, {"service": "beta"}


@pytest.mark.parametrize(
    ("kept", "other", "goes_on"),
    [
        (one(**KEPT), one(**OTHER), "alfa"),
        (one(**KEPT), one(last=0, **OTHER), "alfa"),
        (one(last=0, **KEPT), one(**OTHER), "beta"),
        (one(mode=Mode.CLOSED, **KEPT), one(**OTHER), "beta"),
        (one(**KEPT), one(mode=Mode.CLOSED, **OTHER), "alfa"),
        (one(mode=Mode.CLOSED, **KEPT), one(mode=Mode.CLOSED, **OTHER), "alfa"),
        (one(last=T0, **KEPT), one(start=T0 + TTL_MS, **OTHER), "alfa"),
        (one(last=T0, **KEPT), one(start=T0 + TTL_MS + 1, **OTHER), "beta"),
        (one(start=T0 + TTL_MS + 1, **KEPT), one(last=T0, **OTHER), "alfa"),
        (one(last=T0, **KEPT), one(start=T0 + TTL_MS + 1, mode=Mode.CLOSED, **OTHER), "beta"),
        (one(start=T0 + TTL_MS + 1, mode=Mode.CLOSED, **KEPT), one(last=T0, **OTHER), "alfa"),
    ],
)
def test_the_older_conversations_session_goes_on_unless_it_was_over(
    kept: Snapshot, other: Snapshot, goes_on: str
) -> None:
    assert state_of(kept, other).service == goes_on


def test_two_sessions_at_once_complete_each_other() -> None:
    kept = one(
        start=T0 + 5,
        stage=Agent.COLETA,
        fields=known(nome="Lia"),
        extra_requests=("solo", "ar"),
        packages_served=("A",),
        recent_turns_ms=(1, 3),
        transcripts={"x": "nosso"},
    )
    other = one(
        start=T0 + 2,
        last=T0 + 9,
        service="beta",
        segment="casa",
        fields=known(nome="Bia", modelo="m"),
        extra_requests=("ar", "gás"),
        packages_served=("B", "A"),
        recent_turns_ms=(2, 3),
        transcripts={"x": "deles", "y": "z"},
        previous_session="antes",
    )

    state = state_of(kept, other)

    assert (state.stage, state.service, state.segment) == (Agent.COLETA, "beta", "casa")
    assert {name: entry.value for name, entry in state.fields.items()} == {"nome": "Lia", "modelo": "m"}
    assert (state.extra_requests, state.packages_served) == (("solo", "ar", "gás"), ("A", "B"))
    assert (state.recent_turns_ms, state.last_inbound_ms) == ((1, 2, 3), T0 + 9)
    assert (state.transcripts, state.previous_session) == ({"x": "nosso", "y": "z"}, "antes")
    assert head_of(kept, other).session_start_ms == T0 + 2


def test_of_a_session_long_over_only_its_description_is_kept() -> None:
    kept = one(service="alfa", fields=known(tipo="fonte"))
    other = one(start=T0 + TTL_MS + 1, last=T0 + TTL_MS + 1, service="beta")

    state = state_of(kept, other)

    assert (state.service, dict(state.fields)) == ("beta", {})
    assert "alfa" in (state.previous_session or "")
    assert head_of(kept, other).session_start_ms == T0 + TTL_MS + 1


def test_a_closed_session_is_not_one_with_an_open_one() -> None:
    state = state_of(one(mode=Mode.CLOSED, service="alfa"), one(segment="casa"))

    assert (state.service, state.segment) == (None, "casa")


@pytest.mark.parametrize(("last", "opted_out"), [(T0 - 1, True), (T0, True), (T0 + 1, False)])
def test_what_the_customer_said_last_of_being_written_to_counts(last: int, opted_out: bool) -> None:
    assert state_of(one(opted_out=True), one(last=last)).opted_out is opted_out


@pytest.mark.parametrize("people_have_the_kept_one", [True, False])
def test_people_who_have_either_conversation_have_both(people_have_the_kept_one: bool) -> None:
    people = one(
        mode=Mode.HUMAN,
        head={"handoff_reason": "loop", "due_ms": 5},
        human_since_ms=7,
        human_until_ms=8,
    )
    pair = (people, one()) if people_have_the_kept_one else (one(), people)

    head, state = head_of(*pair), state_of(*pair)

    assert (head.mode, head.handoff_reason, head.due_ms) == (Mode.HUMAN, "loop", 5)
    assert (state.human_since_ms, state.human_until_ms) == (7, 8)


def test_without_people_the_session_that_goes_on_says_who_has_the_word() -> None:
    assert head_of(one(mode=Mode.CLOSED), one(last=0)).mode is Mode.CLOSED
    assert head_of(one(mode=Mode.CLOSED), one()).mode is Mode.BOT
    assert head_of(one(start=0, last=0), one(start=0, last=0)).session_start_ms == 0


@pytest.mark.parametrize(("apart_ms", "told"), [(TRUST_MS, True), (TRUST_MS + 1, False)])
def test_a_session_from_before_the_number_may_have_changed_hands_is_not_told(apart_ms: int, told: bool) -> None:
    former = one(last=T0, fields=known(nome="Lia"), **KEPT)

    state = state_of(former, one(start=T0 + apart_ms, last=T0 + apart_ms, **OTHER))

    assert bool(state.previous_session) is told
    assert "nome" not in state.fields
