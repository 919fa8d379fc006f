"""`find`: from a phone or an id to where the conversation stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.domain.messages import Sender
from operator_tools.deployment import Deployment
from operator_tools.errors import NoConversationError, OperatorError
from operator_tools.history import read_history
from operator_tools.lookup import Found, by_id, by_phone
from operator_tools.standing import standing
from operator_tools.waiting import told as told_waiting
from operator_tools.waiting import waiting_for
from tests.desk import CUSTOMER, Desk

PHONE = "5511980000101"


def told(deployment: Deployment, found: Found, desk: Desk) -> Sequence[str]:
    return list(standing(found, read_history(deployment, found.conversation), now_ms=desk.clock.now_ms()))


def value(lines: Sequence[str], label: str) -> str:
    return next(line[15:].strip() for line in lines if line.startswith(label))


@pytest.mark.parametrize("written", [PHONE, f"+{PHONE}", "+55 (11) 98000-0101", "551180000101", "+55 11 8000-0101"])
def test_a_brazilian_phone_leads_to_one_conversation_however_it_is_written(
    desk: Desk, deployment: Deployment, written: str
) -> None:
    desk.says("bom dia", sender=Sender(phone=PHONE))
    assert by_phone(deployment, written).conversation == desk.conversation


def test_a_phone_whose_conversation_moved_to_the_user_id_is_followed(desk: Desk, deployment: Deployment) -> None:
    desk.says("bom dia", sender=Sender(phone=PHONE))
    first = desk.conversation
    desk.says("sou eu", sender=CUSTOMER)
    assert by_phone(deployment, PHONE).conversation == by_id(deployment, str(CUSTOMER.bsuid)).conversation
    assert by_id(deployment, first).conversation == desk.conversation


@pytest.mark.parametrize(
    "asked",
    [lambda desk: desk.conversation, lambda desk: desk.sender.arrived[-1].provider_id, lambda _: "wamid.0001"],
    ids=["its hash", "a message of ours", "a message of the customer's"],
)
def test_an_id_of_any_kind_leads_there(desk: Desk, deployment: Deployment, asked: Callable[[Desk], str]) -> None:
    desk.says("bom dia")
    assert by_id(deployment, asked(desk)).conversation == desk.conversation


@pytest.mark.parametrize(
    ("asked", "next_step"),
    [
        (lambda where: by_phone(where, "5511980009999"), "with its country's code"),
        (lambda where: by_phone(where, "+5511980009999"), "check the number"),
        (lambda where: by_id(where, "0" * 32), "hash, a BSUID"),
        (lambda where: by_id(where, "wamid.nobody"), "hash, a BSUID"),
    ],
)
def test_nobody_there_is_said_and_what_to_try(desk: Desk, deployment: Deployment, asked: Any, next_step: str) -> None:
    desk.says("bom dia")
    with pytest.raises(NoConversationError, match="there is no conversation") as error:
        asked(deployment)
    assert next_step in error.value.next_step
    assert error.value.status == 1


@pytest.mark.parametrize("written", ["", "11", "oito nove", "5511980000101x"])
def test_what_is_no_phone_is_not_looked_for(deployment: Deployment, written: str) -> None:
    with pytest.raises(OperatorError, match="no phone number"):
        by_phone(deployment, written)


def test_who_waits_for_people_is_told_with_reason_and_time(desk: Desk, deployment: Deployment) -> None:
    desk.says("quero um atendente")
    lines = told(deployment, by_id(deployment, desk.conversation), desk)
    assert value(lines, "mode") == "human"
    assert value(lines, "reason") == "human_requested (o cliente pediu uma pessoa)"
    assert value(lines, "since").endswith("5 s ago; nobody has taken it yet")
    assert value(lines, "customer wrote").endswith("5 s ago")
    assert value(lines, "pending") == "nothing"
    assert value(lines, "parts waiting") == "none"


def test_what_waits_is_counted(desk: Desk, deployment: Deployment) -> None:
    desk.says("bom dia")
    desk.record(desk.message("ainda está aí?"))
    lines = told(deployment, by_id(deployment, desk.conversation), desk)
    assert value(lines, "pending").startswith("1 message waits for an answer, since 20")
    assert value(lines, "turns") == "1"


def test_no_word_and_no_phone_of_the_customer_is_shown(desk: Desk, deployment: Deployment) -> None:
    desk.says("meu nome é Lara Quintela")
    text = "\n".join(told(deployment, by_id(deployment, desk.conversation), desk))
    assert not any(word in text for word in ("Lara", "Quintela", PHONE, str(CUSTOMER.bsuid)))


def test_an_unreadable_head_is_named_and_the_rest_is_told(
    desk: Desk, deployment: Deployment, dynamodb: Any, table_name: str
) -> None:
    desk.says("bom dia")
    key = {"pk": {"S": f"C#{desk.conversation}"}, "sk": {"S": "S#HEAD"}}
    dynamodb.update_item(
        TableName=table_name,
        Key=key,
        UpdateExpression="SET #v = :v",
        ExpressionAttributeNames={"#v": "v"},
        ExpressionAttributeValues={":v": {"N": "9"}},
    )
    lines = told(deployment, by_id(deployment, desk.conversation), desk)
    assert value(lines, "can't be read") == "S#HEAD (head: other_version)"
    assert value(lines, "turns") == "1"


def test_a_key_that_may_not_be_read_says_what_to_ask_for(deployment: Deployment, ssm: Any) -> None:
    closed = replace(
        deployment,
        given_key="",
        parameters={**deployment.parameters, "IdentityKeySsmParam": "/nowhere"},
        client=lambda _: ssm,
    )
    with pytest.raises(OperatorError, match=r"/nowhere\): ParameterNotFound") as error:
        by_phone(closed, PHONE)
    assert "IDENTITY_KEY" in error.value.next_step


def test_what_people_have_is_found_by_its_reason(desk: Desk, deployment: Deployment) -> None:
    desk.says("quero falar com uma pessoa")
    wanted = desk.conversation
    desk.agent.script('{"s":1}Qual é o seu nome?')
    desk.says("bom dia", sender=desk.another_customer())

    lines = [told_waiting(each, now_ms=desk.clock.now_ms()) for each in waiting_for(deployment, "human_requested")]

    assert [line.split()[0] for line in lines] == [wanted]
    assert "nobody has taken it yet" in lines[0]
    assert [each.conversation for each in waiting_for(deployment, "any")] == [wanted]


@pytest.mark.parametrize("reason", ["llm_timeout", "tired"])
def test_a_reason_of_nobody_or_of_no_kind_is_told(deployment: Deployment, reason: str) -> None:
    with pytest.raises(OperatorError, match=r"no conversation for llm_timeout|no reason 'tired'"):
        list(waiting_for(deployment, reason))
