"""A deployment that cannot work is refused, and the version before serves all the while; a new setting takes effect."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from conversation.customer import Customer
from core.domain.conversation import Mode
from local_stack.build import DEPLOYED
from local_stack.deploy import STACK_NAME, deploy
from local_stack.errors import StackError
from local_stack.places import BUILDS, Places
from local_stack.stack import SERVING, Stack
from local_stack.tools import tool

pytestmark = pytest.mark.e2e


def redeploy(stack: Stack, changes: Mapping[str, str]) -> None:
    """What serves, with other parameters; whatever was edited since. Raises `StackError`."""
    built, parameters = BUILDS / stack.state.build / DEPLOYED, stack.state.parameters | changes
    deploy(Places("e2e"), stack.state.endpoint, built, parameters, tool("sam"))


def serving(stack: Stack) -> dict[str, str]:
    """The version of each function that everything calls."""
    functions = stack.client("lambda")
    return {
        ours: functions.get_alias(FunctionName=name, Name=SERVING)["FunctionVersion"]
        for ours, name in stack.function_names().items()
    }


def reasons(stack: Stack) -> list[str]:
    """Why checks failed."""
    events = stack.client("cloudformation").describe_stack_events(StackName=STACK_NAME)["StackEvents"]
    return [
        str(each.get("ResourceStatusReason"))
        for each in events
        if each["ResourceType"] == "Custom::DeployCheck" and "FAILED" in each["ResourceStatus"]
    ]


def test_a_deployment_with_a_secret_that_is_not_there_is_refused(stack: Stack, customer: Customer) -> None:
    before = serving(stack)

    with pytest.raises(StackError):
        redeploy(stack, {"CodeVersion": "without-key", "OpenAiApiKeySsmParam": "/nowhere/key"})

    assert any("/nowhere/key" in reason for reason in reasons(stack))
    assert serving(stack) == before
    assert stack.invoke("process", {"deploy_check": True})["code"] == stack.state.build
    assert len(customer.says("Oi! Vocês fazem análise de água de poço?").answers) == 1


def test_settings_that_no_version_would_have_are_refused_by_name(stack: Stack) -> None:
    with pytest.raises(StackError):
        redeploy(stack, {"TurnsPerHour": "41"})

    assert any("TURNS_PER_HOUR changed and CodeVersion did not" in reason for reason in reasons(stack))


def test_a_deployment_without_its_company_is_refused_while_a_conversation_goes_on(
    stack: Stack, customer: Customer
) -> None:
    before = customer.says("Oi! Vocês fazem análise de água de poço?")

    with pytest.raises(StackError):
        redeploy(stack, {"CodeVersion": "without-company", "Company": "nobody"})

    assert any("nobody" in reason for reason in reasons(stack))
    assert stack.handshake(challenge="42").body == b"42"
    after = customer.says("É para um condomínio")
    assert after.head.mode is Mode.BOT
    assert len(after.answers) == 1
    assert after.turn.fingerprints == before.turn.fingerprints


def test_a_limit_takes_effect_with_a_version_of_its_own_in_a_conversation_that_goes_on(
    stack: Stack, customer: Customer
) -> None:
    before = serving(stack)
    for line in ("Oi! Vocês fazem análise de água de poço?", "É para um condomínio", "São 3 amostras"):
        assert customer.says(line).head.mode is Mode.BOT
    redeploy(stack, {"CodeVersion": "fewer-turns", "TurnsPerHour": "3"})
    try:
        after = serving(stack)
        assert all(after[name] != version for name, version in before.items())
        assert stack.invoke("process", {"deploy_check": True})["code"] == "fewer-turns"
        seen = customer.says("queria saber se a água é potável")
        assert (seen.head.mode, seen.turn.handoff_reason) == (Mode.HUMAN, "turn_limit")
        assert seen.turn.fingerprints["code"] == "fewer-turns"
        assert len(seen.answers) == 1
    finally:
        redeploy(stack, {})
