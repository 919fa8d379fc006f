"""The model stand-in, spoken to by the project's own client over the real SDK."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from core.domain.errors import LLMError
from core.domain.llm import LLMFailure
from core.integrations.openai_sdk.sdk_client import build_sdk_client
from local_stack.http_calls import call, call_json
from local_stack.model_standin import ModelStandIn
from tests.model_clients import openai_client

pytestmark = pytest.mark.enable_socket

LONG = "regras da casa. " * 400


def brain(request: Mapping[str, Any]) -> str:
    return f"pensado: {request['input'][-1]['content']}"


@pytest.fixture
def model() -> Iterator[ModelStandIn]:
    with ModelStandIn(brain) as standin:
        yield standin


def ask(model: ModelStandIn, text: str = "oi", *, name: str = "m", seconds: float = 5.0, cache_key: str = "k") -> Any:
    messages = [{"role": "developer", "content": LONG}, {"role": "user", "content": text}]
    with build_sdk_client(api_key="sk-x", base_url=f"{model.base_url}/v1", timeout_seconds=seconds) as sdk:
        client = openai_client(sdk, timeout_seconds=seconds, retry_max=0)
        return client.chat(model=name, messages=messages, cache_key=cache_key)


def failure_of(model: ModelStandIn, **kwargs: Any) -> LLMFailure:
    with pytest.raises(LLMError) as raised:
        ask(model, **kwargs)
    return raised.value.failure


def test_the_brain_answers_what_nobody_ordered(model: ModelStandIn) -> None:
    result = ask(model, "quero uma análise")

    assert result.raw_response == "pensado: quero uma análise"
    assert result.request_id.startswith("req_")


def test_tokens_are_counted_and_a_repeated_beginning_is_cached(model: ModelStandIn) -> None:
    first, second = ask(model, "um"), ask(model, "outro")

    assert first.tokens_input == pytest.approx(len(LONG) / 4, rel=0.05)
    assert first.tokens_cached == 0
    assert 1024 <= second.tokens_cached < second.tokens_input


def test_scripted_replies_come_in_order_and_then_the_brain_again(model: ModelStandIn) -> None:
    model.control({"script": ["um", "dois"]})

    assert [ask(model).raw_response for _ in range(3)] == ["um", "dois", "pensado: oi"]


@pytest.mark.parametrize(
    ("condition", "asked"),
    [
        ({"model": "grande"}, {"name": "grande"}),
        ({"agent": "coleta"}, {"cache_key": "balcao-COLETA-3f2a"}),
        ({"contains": "poço"}, {"text": "água de poço"}),
    ],
    ids=["model", "agent", "prompt"],
)
def test_a_reply_with_a_condition_waits_for_the_call_that_meets_it(
    model: ModelStandIn, condition: dict[str, str], asked: dict[str, str]
) -> None:
    model.control({"script": [{"text": "combinado", **condition}]})

    assert ask(model, "outra coisa", cache_key="triagem").raw_response == "pensado: outra coisa"
    assert ask(model, **asked).raw_response == "combinado"


@pytest.mark.parametrize(
    ("order", "failure"),
    [
        ({"http_status": 401}, LLMFailure.AUTH),
        ({"http_status": 429}, LLMFailure.RATE_LIMITED),
        ({"http_status": 429, "code": "insufficient_quota"}, LLMFailure.QUOTA),
        ({"http_status": 503}, LLMFailure.SERVER_ERROR),
        ({"malformed": True}, LLMFailure.SERVER_ERROR),
        ({"refusal": "não posso"}, LLMFailure.REFUSED),
        ({"incomplete": "max_output_tokens", "text": "pela met"}, LLMFailure.INCOMPLETE),
        ({"failed": "server_error"}, LLMFailure.SERVER_ERROR),
        ({"close": "before"}, LLMFailure.CONNECTION),
        ({"close": "half"}, LLMFailure.CONNECTION),
    ],
    ids=["auth", "rate", "quota", "server", "malformed", "refusal", "incomplete", "failed", "closed", "half"],
)
def test_an_ordered_failure_is_seen_as_what_it_is_and_passes(
    model: ModelStandIn, order: dict[str, Any], failure: LLMFailure
) -> None:
    model.control({"fail": order})

    assert failure_of(model) is failure
    assert ask(model).raw_response == "pensado: oi"


@pytest.mark.parametrize("order", [{"delay_seconds": 30}, {"drip_seconds": 0.2}], ids=["late", "dripping"])
def test_a_slow_answer_costs_the_caller_its_budget_and_no_more(model: ModelStandIn, order: dict[str, Any]) -> None:
    model.control({"fail": order})

    assert failure_of(model, seconds=0.5) is LLMFailure.TIMEOUT


def test_calls_are_remembered_without_the_key(model: ModelStandIn) -> None:
    model.control({"fail": {"http_status": 500}})
    failure_of(model)
    ask(model)
    failed, answered = call_json("GET", f"{model.base_url}/calls")["calls"]

    assert (failed["answered_by"], failed["status"]) == ("failure", 500)
    assert (answered["answered_by"], answered["text"]) == ("brain", "pensado: oi")
    assert answered["request"]["store"] is False
    assert "sk-x" not in json.dumps([failed, answered])


def test_a_brain_that_fails_is_a_provider_that_fails() -> None:
    def stumped(_request: Mapping[str, Any]) -> str:
        raise ValueError("no such prompt")

    with ModelStandIn(stumped) as model:
        assert failure_of(model) is LLMFailure.SERVER_ERROR
        assert "no such prompt" in model.calls()[0]["answered_by"]


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"model": "m"}'], ids=["json", "list", "no input"])
def test_a_request_that_the_api_would_refuse_is_refused(model: ModelStandIn, body: bytes) -> None:
    reply = call("POST", f"{model.base_url}/v1/responses", body=body, headers={"authorization": "Bearer k"})

    assert reply.status == 400


@pytest.mark.parametrize("orders", [{"scrpt": []}, {"fail": {"status": 1}}, {"script": [1]}], ids=str)
def test_an_order_that_is_not_understood_is_refused(model: ModelStandIn, orders: dict[str, Any]) -> None:
    assert call("POST", f"{model.base_url}/control", body=json.dumps(orders).encode()).status == 400


def test_a_reset_forgets_orders_and_calls(model: ModelStandIn) -> None:
    model.control({"script": ["um"], "fail": {"http_status": 500}})
    model.control({"reset": True})

    assert ask(model).raw_response == "pensado: oi"
    assert len(model.calls()) == 1
