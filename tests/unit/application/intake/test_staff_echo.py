"""The business speaks from its own phone: the bot is silent, and comes back when nobody has spoken for a while."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.intake.staff_echo import is_our_own
from core.domain.conversation import ConversationState, Head, InboundRecord, Mode, Snapshot
from core.domain.delivery import OutboundPart, PartState, Recipient
from core.domain.errors import IntegrationError
from core.domain.messages import InboundMessage, InboundPointer, MessageKind, Sender
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import inbound_sk, part_sk
from tests.desk import CUSTOMER, Desk
from tests.fakes.message_sender import Arrival

HELLO = '{"s":1}Olá! Como posso ajudar?'


@pytest.fixture
def desk() -> Desk:
    return Desk(*[HELLO] * 8, policy=ConversationPolicy(session_ttl_hours=72))


def echo(desk: Desk, text: str = "aqui é a Rebeca, do comercial", **changes: Any) -> InboundPointer:
    """What the business wrote on its phone reaches the door."""
    desk.clock.advance(seconds=1)
    details = changes.pop("details", {"type": "text"})
    pointer = desk.record(desk.message(text, kind=MessageKind.ECHO, details=details, **changes))
    desk.last_pointer = pointer
    return pointer


def test_the_bot_is_silent_once_the_business_has_spoken(desk: Desk) -> None:
    desk.says("oi")
    echo(desk)

    assert desk.says("pode falar").outcome == "forwarded"
    assert len(desk.replies) == 1


def test_the_customer_is_told_nothing_and_nobody_is_alerted(desk: Desk) -> None:
    desk.says("oi")
    echo(desk)
    desk.clock.advance(minutes=20)
    desk.sweep()

    assert len(desk.replies) == 1
    assert (desk.head.mode, desk.head.handoff_acknowledged, desk.head.handoff_reason) == (Mode.HUMAN, True, None)


def test_the_bot_comes_back_when_nobody_has_spoken_for_the_idle_time(desk: Desk) -> None:
    desk.says("oi")
    echo(desk)
    desk.clock.advance(hours=desk.policy.handoff_idle_hours)
    desk.sweep()

    assert desk.says("ainda estão aí?").outcome == "answered"
    history = [(line.role, line.text) for line in desk.agent.requests[-1].history]
    assert ("human", "aqui é a Rebeca, do comercial") in history
    assert [role for role, _ in history].count("note") == 2


def test_each_word_of_the_business_puts_the_bots_return_off(desk: Desk) -> None:
    desk.says("oi")
    echo(desk)
    desk.clock.advance(hours=desk.policy.handoff_idle_hours - 1)
    echo(desk, "já te mando")
    desk.clock.advance(hours=2)
    desk.sweep()

    assert desk.head.mode is Mode.HUMAN


def test_a_person_who_speaks_has_taken_the_handoff_and_its_reason_stays(desk: Desk) -> None:
    desk.says("quero falar com um atendente")
    echo(desk)

    assert (desk.head.handoff_reason, desk.head.handoff_acknowledged) == ("human_requested", True)


def test_the_business_may_speak_first(desk: Desk) -> None:
    echo(desk)

    assert desk.says("oi, Rebeca").outcome == "forwarded"
    assert desk.agent.calls == 0


@pytest.mark.parametrize(
    "told",
    [Sender(phone=CUSTOMER.phone), Sender(bsuid=CUSTOMER.bsuid), CUSTOMER],
    ids=["phone", "bsuid", "both"],
)
def test_an_echo_finds_its_customer_by_either_id(desk: Desk, told: Sender) -> None:
    desk.says("oi")
    conversation = desk.conversation

    assert echo(desk, sender=told).conversation == conversation
    assert desk.says("pode falar").outcome == "forwarded"


def test_the_business_wins_against_a_turn_that_is_being_decided(desk: Desk) -> None:
    pointer = desk.record(desk.message("oi"))
    desk.agent.before_answer(lambda: echo(desk))

    assert desk.process(pointer).outcome == "forwarded"
    assert desk.replies == []


def test_a_message_that_waited_when_the_business_spoke_is_forwarded(desk: Desk) -> None:
    pointer = desk.record(desk.message("oi"))
    echo(desk)

    assert desk.process(pointer).outcome == "forwarded"
    assert desk.head.pending == frozenset()


def test_an_echo_delivered_again_does_not_silence_the_bot_that_came_back(desk: Desk) -> None:
    desk.says("oi")
    message = desk.message("aqui é a Rebeca", kind=MessageKind.ECHO, details={"type": "text"})
    desk.record(message)
    desk.clock.advance(hours=desk.policy.handoff_idle_hours)
    desk.sweep()

    desk.record(message)

    assert desk.head.mode is Mode.BOT


def test_an_echo_that_comes_days_late_is_on_the_log_and_pauses_nothing(desk: Desk) -> None:
    desk.says("oi")
    echo(desk, sent_at_ms=desk.clock.now_ms() - 6 * 86_400_000)

    assert desk.head.mode is Mode.BOT
    assert any(entry.message.kind is MessageKind.ECHO for entry in desk.store.inbounds(desk.conversation))


def test_an_echo_whose_head_keeps_moving_is_an_error_that_brings_it_again(desk: Desk) -> None:
    desk.says("oi")
    for _ in range(6):
        desk.store.on_next("interject", lambda: desk.record(desk.message("mais uma")))

    with pytest.raises(IntegrationError):
        echo(desk)


def test_a_group_message_of_the_business_pauses_nothing(desk: Desk) -> None:
    desk.says("oi")
    echo(desk, group_id="120363000000000001")

    assert desk.store.read(desk.conversation).head.mode is Mode.BOT


# Echoes of our own messages


def test_an_echo_of_our_own_send_by_its_id_is_no_person(desk: Desk) -> None:
    desk.says("oi")
    before = desk.store.inbounds(desk.conversation)

    echo(desk, "qualquer texto", provider_id=desk.sender.arrived[0].provider_id)

    assert desk.head.mode is Mode.BOT
    assert desk.store.inbounds(desk.conversation) == before


def test_an_echo_that_overtakes_the_sends_own_answer_is_known_by_its_words(desk: Desk) -> None:
    pointer = desk.record(desk.message("oi"))
    desk.store.on_next("record_outcome", lambda: echo(desk, "Olá!  Como posso ajudar?\n"))

    desk.process(pointer)

    assert desk.head.mode is Mode.BOT
    assert desk.says("vocês fazem instalação?").outcome == "answered"


def test_an_echo_of_a_send_whose_fate_is_unknown_is_known_by_its_words(desk: Desk) -> None:
    desk.sender.lose(Arrival.AFTER)
    desk.says("oi")

    echo(desk, "Olá! Como posso ajudar?")

    assert desk.head.mode is Mode.BOT


def test_a_person_who_says_the_same_as_a_delivered_answer_is_a_person(desk: Desk) -> None:
    desk.says("oi")
    echo(desk, "Olá! Como posso ajudar?")

    assert desk.head.mode is Mode.HUMAN


def test_a_person_who_says_something_else_while_an_answer_is_on_its_way_is_a_person(desk: Desk) -> None:
    desk.sender.lose(Arrival.AFTER)
    desk.says("oi")
    echo(desk, "deixa comigo")

    assert desk.head.mode is Mode.HUMAN


@pytest.mark.parametrize(
    ("part", "late_ms", "ours"),
    [
        pytest.param({}, 3_600_000, True, id="an hour after the answer was written"),
        pytest.param({}, 3_600_001, False, id="more than an hour after"),
        pytest.param({}, -3_600_000, True, id="by a clock that is an hour behind"),
        pytest.param({}, -3_600_001, False, id="by a clock that is further behind"),
        pytest.param({"attempt": 0}, 0, False, id="an answer that nobody began to send"),
        pytest.param({"provider_id": "wamid.outro"}, 0, False, id="an answer whose id is known"),
        pytest.param({"provider_id": "wamid.outro", "attempt": 2}, 0, True, id="an answer that was sent twice"),
        pytest.param({"text": "outra coisa"}, 0, False, id="other words"),
        pytest.param({"text": "outra coisa", "provider_id": "wamid.eco"}, 9_000_000, True, id="its very id"),
    ],
)
def test_an_echo_is_ours_by_its_id_or_by_its_words_within_an_hour(
    part: dict[str, Any], late_ms: int, *, ours: bool
) -> None:
    at_ms = 1_700_000_000_000
    sent = OutboundPart(
        **{
            "sk": part_sk(at_ms, "f", 1),
            "turn": "f",
            "number": 1,
            "text": "Bom  dia!",
            "recipient": Recipient(phone_number_id="1"),
            "state": PartState.SENDING,
            "created_at_ms": at_ms,
            "attempt": 1,
            **part,
        }
    )
    message = InboundMessage(
        provider_id="wamid.eco",
        kind=MessageKind.ECHO,
        sender=Sender(),
        phone_number_id="1",
        sent_at_ms=at_ms + late_ms,
        text="Bom dia!",
    )
    heard = InboundRecord(conversation="c", sk=inbound_sk(at_ms, "a"), message=message, received_at_ms=at_ms)
    shot = Snapshot(conversation="c", head=Head(), state=ConversationState(), log=(sent,))

    assert is_our_own(shot, heard) is ours
    wordless = replace(heard, message=replace(message, text=" "))
    assert is_our_own(shot, wordless) is (sent.provider_id == "wamid.eco")


# What agents see of it


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"text": "segue a proposta", "details": {"type": "document"}},
            "[a equipe enviou um documento]\nsegue a proposta",
        ),
        ({"text": "", "details": {"type": "image"}}, "[a equipe enviou uma imagem]"),
        ({"text": "oi", "details": {"type": "text"}}, "oi"),
        ({"text": "", "details": {"type": "reaction"}}, None),
        ({"text": "", "details": {}}, None),
    ],
    ids=["document", "image", "text", "reaction", "nothing"],
)
def test_agents_see_what_the_business_sent(desk: Desk, changes: dict[str, Any], line: str | None) -> None:
    desk.says("oi")
    echo(desk, changes.pop("text"), **changes)
    desk.clock.advance(hours=desk.policy.handoff_idle_hours)
    desk.sweep()
    desk.says("voltei")

    people = [each.text for each in desk.agent.requests[-1].history if each.role == "human"]
    assert people == ([line] if line else [])


def test_what_the_business_took_back_is_not_shown(desk: Desk) -> None:
    desk.says("oi")
    said = desk.message("valor errado", kind=MessageKind.ECHO, details={"type": "text"})
    desk.record(said)
    echo(desk, "", details={"type": "revoke"}, target_id=said.provider_id)
    desk.clock.advance(hours=desk.policy.handoff_idle_hours)
    desk.sweep()
    desk.says("voltei")

    assert [each.text for each in desk.agent.requests[-1].history if each.role == "human"] == []


def test_nobody_edits_what_the_other_side_wrote(desk: Desk) -> None:
    desk.says("oi")
    said = desk.message("valor certo", kind=MessageKind.ECHO, details={"type": "text"})
    desk.record(said)
    desk.record(replace(desk.message("valor falso", kind=MessageKind.EDIT), target_id=said.provider_id))
    desk.clock.advance(hours=desk.policy.handoff_idle_hours)
    desk.sweep()
    desk.says("voltei")

    assert [each.text for each in desk.agent.requests[-1].history if each.role == "human"] == ["valor certo"]


def test_whom_the_business_writes_to_first_is_found_by_the_one_id_that_is_known(desk: Desk) -> None:
    stranger = Sender(phone="5511980000444")

    pointer = echo(desk, sender=stranger)

    assert [each.message.text for each in desk.store.inbounds(pointer.conversation)] == [
        "aqui é a Rebeca, do comercial"
    ]
    assert desk.store.head(pointer.conversation).mode is Mode.HUMAN


def test_what_is_said_to_both_ids_goes_where_the_customer_already_is(desk: Desk) -> None:
    known = desk.record(desk.message("oi", sender=Sender(phone="5511980000444")))

    pointer = echo(desk, sender=Sender(phone="5511980000444", bsuid="BR.7100000000000444"))

    assert pointer.conversation == known.conversation
