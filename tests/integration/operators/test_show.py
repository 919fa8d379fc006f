"""`show`: what happened in each turn, on a terminal and as JSON."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from conversation.transcript import Transcript
from core.domain.delivery import PartState
from core.domain.record_keys import reply_sk
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import marshalled
from operator_tools.deployment import Deployment
from operator_tools.history import read_history
from operator_tools.telling import tell, told_as_json
from tests.desk import Desk
from tests.integration.conversation_builders import part


def shown(desk: Desk, deployment: Deployment, *, last: int | None = None) -> str:
    stream = io.StringIO()
    tell(read_history(deployment, desk.conversation), Transcript(desk.catalog, stream=stream, width=100), last=last)
    return stream.getvalue()


def test_a_turn_shows_what_was_said_asked_of_models_and_sent(desk: Desk, deployment: Deployment) -> None:
    desk.says("bom dia")
    text = shown(desk, deployment)
    assert "cliente ▸ bom dia" in text
    assert "Qual é o seu nome? ◂ balcão" in text
    assert "s=1 CONTINUE" in text
    assert f"turn {desk.head.last_turn}: answered" in text
    assert "call: agent" in text
    assert 'wrote: {"s":1}Qual é o seu nome?' in text
    assert "part 1: sent" in text


def test_a_handoff_shows_its_card_and_its_effects(desk: Desk, deployment: Deployment) -> None:
    desk.says("quero um atendente")
    text = shown(desk, deployment)
    assert "para quem atende" in text
    assert "handoff: o cliente pediu uma pessoa" in text
    assert "effect handoff: done" in text


def test_what_no_turn_answered_stands_between_them(desk: Desk, deployment: Deployment) -> None:
    desk.says("bom dia")
    desk.record(desk.message("ainda está aí?"))
    text = shown(desk, deployment)
    assert text.index("Qual é o seu nome?") < text.index("waits for an answer") < text.index("ainda está aí?")


def test_what_an_attendant_wrote_stands_where_it_was_written_and_its_mark_is_no_damage(
    desk: Desk, deployment: Deployment, dynamodb: Any
) -> None:
    desk.says("quero um atendente")
    desk.clock.advance(minutes=1)
    written = part(at_ms=desk.clock.now_ms(), author="Bia", turn="bia", state=PartState.SENT)
    for item in (
        codec.part_to_item(desk.conversation, written),
        codec.reply_item(desk.conversation, reply_sk("reply-01"), "bia", at_ms=desk.clock.now_ms()),
    ):
        dynamodb.put_item(TableName=deployment.outputs["TableName"], Item=marshalled(item))

    text = shown(desk, deployment)

    assert "can't be read" not in text
    assert text.index("quero um atendente") < text.index("an attendant, sent") < text.index("Parte 1 ◂ Bia")


def test_only_the_last_turns_where_that_is_asked(desk: Desk, deployment: Deployment) -> None:
    for words in ("primeira coisa", "segunda coisa", "terceira coisa"):
        desk.says(words)
    text = shown(desk, deployment, last=1)
    assert "terceira" in text
    assert "primeira" not in text
    assert "segunda" not in text


def test_what_cannot_be_read_is_named_and_the_rest_is_shown(
    desk: Desk, deployment: Deployment, dynamodb: Any, table_name: str
) -> None:
    desk.says("bom dia")
    sk = "T#9999999999999#quebrado"
    dynamodb.put_item(TableName=table_name, Item={"pk": {"S": f"C#{desk.conversation}"}, "sk": {"S": sk}})
    assert f"left out: {sk} can't be read by this version (turn: " in shown(desk, deployment)
    assert "cliente ▸ bom dia" in shown(desk, deployment)
    found = told_as_json(read_history(deployment, desk.conversation))
    assert [each["sk"] for each in found["unreadable"]] == [sk]


def test_json_holds_every_turn_with_its_messages_parts_and_money_as_digits(desk: Desk, deployment: Deployment) -> None:
    desk.says("bom dia")
    desk.says("quero um atendente")
    found = json.loads(json.dumps(told_as_json(read_history(deployment, desk.conversation), last=1)))
    (turn,) = found["turns"]
    assert turn["turn"]["handoff_reason"] == "human_requested"
    assert turn["messages"][0]["message"]["text"] == "quero um atendente"
    assert turn["parts"][0]["state"] == "sent"
    assert found["head"]["mode"] == "human"
    assert "$decimal" not in json.dumps(found)


def test_a_conversation_without_turns_says_so(desk: Desk, deployment: Deployment) -> None:
    desk.last_pointer = desk.record(desk.message("oi"))
    assert "no turn has been logged" in shown(desk, deployment)


@pytest.mark.parametrize("text", ["[audio]", "[imagem]"])
def test_a_text_is_no_markup_of_the_screen(desk: Desk, deployment: Deployment, text: str) -> None:
    desk.says(text)
    assert text in shown(desk, deployment)
