"""What holds of a conversation, a message, a part, a call of which nothing else was said; and where an answer goes."""

from __future__ import annotations

from typing import Any

import pytest

from core.domain.actions import Agent
from core.domain.catalogue.catalog import FieldScope, FieldSpec, FieldType, IfDeclined, Package, Service
from core.domain.conversation import (
    ConversationState,
    Effect,
    EffectKind,
    EffectState,
    GuardCounters,
    Head,
    InboundRecord,
    Mode,
    Snapshot,
    TurnCommit,
)
from core.domain.delivery import DeliveryRank, OutboundPart, PartState, Recipient
from core.domain.ledger import TurnRecord
from core.domain.llm import LLMAttempt, LLMCallResult
from core.domain.messages import SILENT_KINDS, InboundMessage, MessageKind, Sender


def message(kind: MessageKind = MessageKind.TEXT, **changes: Any) -> InboundMessage:
    given: dict[str, Any] = {"sender": Sender(phone="55119", bsuid="BR.1"), "phone_number_id": "9", "sent_at_ms": 1}
    return InboundMessage(provider_id="wamid.1", kind=kind, **given | changes)


def inbound(sk: str = "M#1#ia", **changes: Any) -> InboundRecord:
    return InboundRecord(conversation="c", sk=sk, message=message(**changes), received_at_ms=1)


def part(sk: str = "M#1#ot1.1") -> OutboundPart:
    return OutboundPart(
        sk=sk,
        turn="t1",
        number=1,
        text="Olá",
        recipient=Recipient(phone_number_id="9", phone="55119"),
        state=PartState.PENDING,
        created_at_ms=1,
    )


def told(thing: Any, *names: str) -> tuple[Any, ...]:
    return tuple(getattr(thing, name) for name in names)


def test_a_conversation_begins_with_the_bot_at_triage_and_nothing_counted() -> None:
    head, state = Head(), ConversationState()

    assert (head.mode, state.stage, state.guard) == (Mode.BOT, Agent.TRIAGEM, GuardCounters())
    assert told(head, "ver", "in_rev", "session_start_ms", "handoff_acknowledged") == (0, 0, 0, False)
    assert told(GuardCounters(), "frustrated", "loop_answers", "turns_without_progress") == (0, 0, 0)
    assert told(
        state, "pending_offer", "refusals_running", "last_inbound_ms", "courtesy_answered", "asked_to_type", "opted_out"
    ) == (False, 0, 0, False, False, False)


def test_a_head_exists_once_anything_is_said_of_it() -> None:
    assert [head.exists for head in (Head(), Head(in_rev=1), Head(moved_to="c"))] == [False, True, True]


def test_a_message_is_fresh_a_part_unsent_an_effect_untried_and_a_write_guarded_unless_said() -> None:
    effect = Effect(sk="E", turn="t1", kind=EffectKind.HANDOFF, state=EffectState.PENDING, created_at_ms=1)
    commit = TurnCommit(
        conversation="c",
        seen=Head(),
        head=Head(),
        state=ConversationState(),
        turn=TurnRecord(
            sk="T", turn="t1", inbound=(), decided_at_ms=1, started_at_ms=1, wall_ms=1, outcome="x", reply=None
        ),
        answered=frozenset(),
    )

    assert (inbound().stale, effect.attempt, commit.guard_in_rev, commit.turn.reruns) == (False, 0, True, 0)
    assert told(part(), "attempt", "rank", "exempt") == (0, DeliveryRank.NONE, False)


def test_a_call_of_which_nothing_is_known_used_nothing() -> None:
    result = LLMCallResult(raw_response="", model="m", tokens_input=1, tokens_output=1, latency_ms=1)

    assert told(result, "tokens_cached", "tokens_reasoning", "usage_missing") == (0, 0, False)
    assert told(LLMAttempt(number=1, latency_ms=1), "tokens_input", "tokens_output") == (0, 0)


def test_what_the_catalogue_does_not_say_asks_for_little() -> None:
    spec = FieldSpec(id="a", name="A", type=FieldType.TEXT, scope=FieldScope.SERVICE, question="?")

    assert told(spec, "order", "if_declined", "max_length") == (0, IfDeclined.ACCEPT, 200)
    assert not Service(id="a", name="A", description="").asks_segment
    assert not Package(id="A", title="", ask_when="").built_by_code


@pytest.mark.parametrize("kind", MessageKind)
def test_a_message_asks_for_an_answer_unless_its_kind_is_silent_or_a_group_hears_it(kind: MessageKind) -> None:
    assert message(kind).opens_turn is (kind not in SILENT_KINDS)
    assert not message(kind, group_id="g").opens_turn


@pytest.mark.parametrize(
    ("sender", "to"),
    [
        (Sender(phone="55119", bsuid="BR.1"), Recipient(phone_number_id="9", phone="55119")),
        (Sender(bsuid="BR.1"), Recipient(phone_number_id="9", bsuid="BR.1")),
    ],
)
def test_an_answer_goes_where_the_message_came_from_by_phone_first(sender: Sender, to: Recipient) -> None:
    assert inbound(sender=sender).recipient == to


def test_a_read_tells_what_came_in_from_what_was_said() -> None:
    first, silent = inbound("M#1#ia"), inbound("M#2#ib", kind=MessageKind.REACTION)
    read = Snapshot(conversation="c", head=Head(), state=ConversationState(), log=(first, part(), silent))

    assert (read.inbounds, read.parts) == ((first, silent), (part(),))
    assert (read.inbound(first.sk), read.part(part().sk)) == (first, part())
    assert (read.inbound(part().sk), read.part(first.sk)) == (None, None)
    assert read.newest_inbound == first
