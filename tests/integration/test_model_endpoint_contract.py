"""What every provider's adapter owes to whoever calls a model, over its real client and a stand-in's socket."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from core.agents.envelope import render, reply_schema
from core.application.parser import parse_llm_response
from core.domain.actions import Agent
from core.domain.errors import LLMError, LLMProviderError, LLMTimeoutError, ModelAttemptError
from core.domain.llm import CallPurpose, LLMCallResult, LLMFailure, ModelRequest
from core.integrations.stub_provider.endpoint import StubEndpoint
from local_stack.model_standin import ModelStandIn
from tests.integration.model_subjects import (
    HTTP_PROVIDERS,
    MODELS,
    Subject,
    brain,
    endpoint_of,
    open_subject,
    stub_subject,
)
from tests.integration.wire_server import WireServer, drip, never_answer

pytestmark = pytest.mark.enable_socket

RULES = "regras da casa. " * 400
MESSAGES = [
    {"role": "system", "content": RULES},
    {"role": "system", "content": "<fatos>nome: Ana</fatos>"},
    {"role": "user", "content": "oi"},
    {"role": "assistant", "content": '{"s":1}Olá!'},
    {"role": "system", "content": "lembre do formato"},
    {"role": "user", "content": "quero uma visita"},
]
SCHEMA = {"name": "agent_reply", "schema": {"type": "object", "properties": {"s": {"type": "integer"}}}}


@pytest.fixture
def standin() -> Iterator[ModelStandIn]:
    with ModelStandIn(brain) as started:
        yield started


@pytest.fixture(params=HTTP_PROVIDERS)
def subject(request: pytest.FixtureRequest, standin: ModelStandIn) -> Iterator[Subject]:
    subject = open_subject(request.param, standin, max_output_tokens=1200)
    yield subject
    subject.close()


@pytest.fixture(params=[*HTTP_PROVIDERS, "stub"])
def any_subject(request: pytest.FixtureRequest, standin: ModelStandIn) -> Iterator[Subject]:
    subject = stub_subject() if request.param == "stub" else open_subject(request.param, standin)
    yield subject
    subject.close()


def ask(subject: Subject, text: str = "quero uma visita", *, seconds: float = 5.0, **options: Any) -> LLMCallResult:
    messages = [*MESSAGES[:-1], {"role": "user", "content": text}]
    client = subject.client(**options.pop("policy", {}))
    return client.chat(model=subject.model, messages=messages, timeout_seconds=seconds, **options)


def failed(subject: Subject, **options: Any) -> LLMError:
    with pytest.raises(LLMError) as raised:
        ask(subject, **options)
    return raised.value


# The answer


def test_the_answer_its_model_and_its_attempt_are_told(any_subject: Subject) -> None:
    result = ask(any_subject)
    assert "quero uma visita" in result.raw_response
    assert result.model == any_subject.model
    assert result.request_id
    [attempt] = result.attempts
    assert (attempt.provider, attempt.model, attempt.failure) == (any_subject.provider, any_subject.model, None)
    assert (attempt.rung, attempt.fallback_reason, attempt.skipped) == (0, "", ())


def test_tokens_are_told_alike_whatever_a_provider_includes(subject: Subject) -> None:
    first = ask(subject, "um", cache_key="balcao:triagem:1")
    second = ask(subject, "outro", cache_key="balcao:triagem:1")

    assert first.tokens_input == pytest.approx(len(RULES) / 4, rel=0.1)
    assert second.tokens_input == pytest.approx(first.tokens_input, rel=0.01)
    assert (first.tokens_cached, first.usage_missing) == (0, False)
    assert 1024 <= second.tokens_cached < second.tokens_input
    assert first.tokens_cached + first.tokens_cache_written <= first.tokens_input
    assert 0 < first.tokens_output < 40


def test_what_was_thought_is_counted_and_never_said(subject: Subject) -> None:
    subject.order(text='{"s":1}Olá!', thinking="ele quer uma visita " * 20)
    result = ask(subject)
    assert result.raw_response == '{"s":1}Olá!'
    assert 0 < result.tokens_reasoning <= result.tokens_output


@pytest.mark.parametrize("usage", ["missing", "negative", "text"])
def test_a_usage_that_nobody_can_believe_is_missing_and_not_free(subject: Subject, usage: str) -> None:
    subject.order(text="oi", usage=usage)
    result = ask(subject)
    assert (result.tokens_input, result.tokens_output, result.tokens_cached) == (0, 0, 0)
    assert result.usage_missing


def test_another_model_than_asked_is_told(subject: Subject, caplog: pytest.LogCaptureFixture) -> None:
    subject.order(text="oi", returned_model="outro-modelo")
    result = ask(subject)
    assert (result.model, result.attempts[0].model) == ("outro-modelo", subject.model)
    assert [record.message for record in caplog.records if record.message == "llm_other_model"] == ["llm_other_model"]


# The request


def test_every_message_arrives_in_its_order(subject: Subject) -> None:
    ask(subject)
    sent = json.dumps(subject.requests[0], ensure_ascii=False)
    places = [sent.index(text) for text in ("regras da casa.", "nome: Ana", '"oi"', "Olá!", "lembre do", "uma visita")]
    assert places == sorted(places) or subject.provider == "anthropic"
    assert sent.count("nome: Ana") == sent.count("lembre do formato") == 1


def test_the_limit_of_an_answer_is_asked_for(subject: Subject) -> None:
    ask(subject)
    name = {"openai": "max_output_tokens", "chat_completions": "max_completion_tokens", "anthropic": "max_tokens"}
    assert subject.requests[0][name[subject.provider]] == 1200


def test_nothing_is_sent_that_only_some_models_take(subject: Subject) -> None:
    ask(subject)
    assert {"temperature", "top_p", "tools"} & set(subject.requests[0]) == set()


def test_a_schema_is_asked_for_in_the_provider_s_own_words(subject: Subject) -> None:
    ask(subject, output_schema=SCHEMA)
    sent = subject.requests[0]
    said = {
        "openai": lambda: sent["text"]["format"],
        "chat_completions": lambda: {**sent["response_format"]["json_schema"], "type": sent["response_format"]["type"]},
        "anthropic": lambda: sent["output_config"]["format"],
    }[subject.provider]()
    assert (said["type"], said["schema"]) == ("json_schema", SCHEMA["schema"])
    assert said.get("strict", True) is True


def test_claude_before_schemas_is_told_the_schema_as_the_last_instruction(standin: ModelStandIn) -> None:
    subject = open_subject("anthropic", standin)
    subject.client().chat(model="claude-3-5-haiku-20241022", messages=MESSAGES, output_schema=SCHEMA)
    sent = subject.requests[0]
    assert "output_config" not in sent
    assert json.dumps(SCHEMA["schema"]) in sent["system"][-1]["text"]
    subject.close()


@pytest.mark.parametrize(
    ("model", "thinking"),
    [
        ("claude-haiku-4-5", {}),
        ("claude-3-5-haiku-20241022", {}),
        ("claude-sonnet-5", {"thinking": {"type": "disabled"}}),
        ("claude-haiku-5-5", {"thinking": {"type": "disabled"}}),
        ("claude-opus-5-20260301", {"thinking": {"type": "disabled"}}),
        ("claude-sonnet-5-5", {"thinking": {"type": "between_tools"}}),
        ("claude-opus-5-5", {"output_config": {"effort": "low"}}),
        ("claude-fable-5-1", {"output_config": {"effort": "low"}}),
        ("modelo-da-casa", {}),
    ],
)
def test_claude_is_told_to_think_as_little_as_it_can(
    standin: ModelStandIn, model: str, thinking: dict[str, Any]
) -> None:
    subject = open_subject("anthropic", standin)
    subject.client().chat(model=model, messages=MESSAGES)
    sent = subject.requests[0]
    assert {name: sent[name] for name in ("thinking", "output_config") if name in sent} == thinking
    subject.close()


def test_claude_reads_later_instructions_as_a_tagged_text_of_the_user(standin: ModelStandIn) -> None:
    subject = open_subject("anthropic", standin)
    ask(subject, cache_key="balcao:triagem:1")
    sent = subject.requests[0]
    assert [message["role"] for message in sent["messages"]] == ["user", "assistant", "user"]
    assert sent["messages"][-1]["content"][0]["text"] == "<sistema>\nlembre do formato\n</sistema>"
    assert [("cache_control" in block) for block in sent["system"]] == [True, False]
    subject.close()


def test_a_stub_keeps_to_a_schema_that_it_is_given() -> None:
    schema = reply_schema(Agent.COLETA)
    request = ModelRequest(model="stub", messages=MESSAGES, output_schema=schema)
    said = StubEndpoint().attempt(request, 1.0).raw_response
    jsonschema.validate(json.loads(said), schema["schema"])
    assert parse_llm_response(render(said, Agent.COLETA)).message


def test_without_a_schema_none_is_asked_for(subject: Subject) -> None:
    ask(subject)
    assert {"text", "response_format", "output_config"} & set(subject.requests[0]) == set()


# Failures by kind


@pytest.mark.parametrize(
    ("order", "failure", "kind"),
    [
        ({"http_status": 400}, LLMFailure.BAD_REQUEST, LLMProviderError),
        ({"http_status": 401}, LLMFailure.AUTH, LLMProviderError),
        ({"http_status": 403}, LLMFailure.AUTH, LLMProviderError),
        ({"http_status": 404}, LLMFailure.BAD_REQUEST, LLMProviderError),
        ({"http_status": 408}, LLMFailure.TIMEOUT, LLMProviderError),
        ({"http_status": 429}, LLMFailure.RATE_LIMITED, LLMProviderError),
        ({"http_status": 429, "code": "insufficient_quota"}, LLMFailure.QUOTA, LLMProviderError),
        ({"http_status": 498}, LLMFailure.RATE_LIMITED, LLMProviderError),
        ({"http_status": 500}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"http_status": 503}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"http_status": 529}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"refusal": "não posso"}, LLMFailure.REFUSED, LLMProviderError),
        ({"incomplete": "max_output_tokens", "text": "pela met"}, LLMFailure.INCOMPLETE, LLMProviderError),
        ({"incomplete": "content_filter"}, LLMFailure.REFUSED, LLMProviderError),
        ({"text": " \n"}, LLMFailure.EMPTY, LLMProviderError),
        ({"malformed": True}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"body": "<html>proxy</html>"}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"body": ""}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"body": "null"}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"body": "[1, 2]"}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"body": '"oi"'}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"body": "{}"}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"error_inside": 500}, LLMFailure.SERVER_ERROR, LLMProviderError),
        ({"close": "before"}, LLMFailure.CONNECTION, LLMProviderError),
        ({"close": "half"}, LLMFailure.CONNECTION, LLMProviderError),
        ({"delay_seconds": 30}, LLMFailure.TIMEOUT, LLMTimeoutError),
        ({"drip_seconds": 0.2}, LLMFailure.TIMEOUT, LLMTimeoutError),
    ],
    ids=str,
)
def test_a_failure_is_seen_as_what_it_is_and_the_next_call_is_answered(
    subject: Subject, order: dict[str, Any], failure: LLMFailure, kind: type[LLMError]
) -> None:
    subject.order(**order)
    slow = "delay_seconds" in order or "drip_seconds" in order

    error = failed(subject, seconds=0.4 if slow else 5.0)

    assert (error.failure, type(error)) == (failure, kind)
    assert [attempt.failure for attempt in error.attempts] == [failure]
    assert "pensado" in ask(subject).raw_response


@pytest.mark.parametrize(
    "body",
    [
        {
            "model": 5,
            "output": "oi",
            "choices": "oi",
            "content": "oi",
            "status": "completed",
            "stop_reason": "end_turn",
        },
        {
            "output": [None, 3],
            "choices": [None],
            "content": [None, 3],
            "status": "completed",
            "stop_reason": "end_turn",
        },
        {
            "output": [{"type": "message", "content": [{"type": "output_text", "text": 5}]}],
            "choices": [{"message": {"content": 5}, "finish_reason": "stop"}],
            "content": [{"type": "text", "text": 5}],
            "status": "completed",
            "stop_reason": "end_turn",
        },
        {"usage": "caro", "choices": [], "output": [], "content": [], "status": "completed", "stop_reason": "end_turn"},
    ],
    ids=["texts for lists", "items of nothing", "numbers for texts", "nothing said"],
)
def test_wrong_types_are_a_failure_with_a_kind(subject: Subject, body: dict[str, Any]) -> None:
    subject.order(body=json.dumps(body))
    assert failed(subject).failure in (LLMFailure.SERVER_ERROR, LLMFailure.EMPTY, LLMFailure.INCOMPLETE)


def test_the_stub_fails_as_a_provider_fails() -> None:
    error = failed(stub_subject(), text="cai")
    assert (error.failure, error.attempts[0].status) == (LLMFailure.SERVER_ERROR, 503)


@pytest.mark.parametrize("told", ["20", "nunca", ""])
def test_how_long_to_wait_is_read_where_it_is_told(subject: Subject, told: str) -> None:
    subject.order(http_status=429, retry_after=told)
    request = _request(subject)
    with pytest.raises(ModelAttemptError) as raised:
        subject.endpoint.attempt(request, 5.0)
    assert raised.value.retry_after_seconds == (20.0 if told == "20" else None)
    assert raised.value.request_id


def test_what_an_unusable_answer_cost_is_told(subject: Subject) -> None:
    subject.order(incomplete="max_output_tokens", text="pela met")
    [attempt] = failed(subject).attempts
    assert attempt.tokens_input > 1000
    assert attempt.tokens_output > 0


def test_an_endpoint_makes_exactly_one_request(subject: Subject) -> None:
    subject.order(http_status=503, retry_after="1", times=5)
    with pytest.raises(ModelAttemptError):
        subject.endpoint.attempt(_request(subject), 5.0)
    assert len(subject.requests) == 1


def test_neither_key_nor_words_reach_errors_or_logs(subject: Subject, caplog: pytest.LogCaptureFixture) -> None:
    for order in ({"http_status": 401}, {"http_status": 400}, {"body": "sk-x quero uma visita"}):
        subject.order(**order)
        error = failed(subject)
        told = " ".join([str(error), *(str(vars(record)) for record in caplog.records)])
        assert "sk-x" not in told
        assert "visita" not in told


def test_a_replaced_key_signs_the_next_request(standin: ModelStandIn) -> None:
    for provider in HTTP_PROVIDERS:
        subject = open_subject(provider, standin, reread_key=lambda: "sk-nova")
        subject.order(http_status=401)
        result = ask(subject)
        assert [attempt.failure for attempt in result.attempts] == [LLMFailure.AUTH, None]
        assert subject.endpoint.key.current == "sk-nova"
        subject.close()


# Time


@pytest.mark.parametrize("provider", HTTP_PROVIDERS)
@pytest.mark.parametrize("behave", [drip, never_answer], ids=["drips", "hangs"])
def test_the_budget_holds_whatever_the_server_does(provider: str, behave: Any) -> None:
    server = WireServer(behave)
    endpoint, close = endpoint_of(provider, server.url.removesuffix("/v1"), seconds=30)
    try:
        subject = Subject(provider, endpoint, close=close)
        started = time.monotonic()
        error = failed(subject, seconds=0.4)
        assert isinstance(error, LLMTimeoutError)
        assert time.monotonic() - started < 5
    finally:
        close()
        server.close()


def test_claude_s_request_ends_by_itself_where_the_server_drips() -> None:
    server = WireServer(drip)
    endpoint, close = endpoint_of("anthropic", server.url.removesuffix("/v1"))
    try:
        with pytest.raises(ModelAttemptError) as raised:
            endpoint.attempt(ModelRequest(model="claude-haiku-4-5", messages=MESSAGES), 0.4)
        assert (raised.value.failure, raised.value.status) == (LLMFailure.TIMEOUT, None)
    finally:
        close()
        server.close()


def test_an_abandoned_call_leaves_nothing_behind_for_the_next(subject: Subject) -> None:
    subject.order(text="tarde demais", delay_seconds=0.6)
    failed(subject, seconds=0.2)
    answers = [ask(subject, text).raw_response for text in ("um", "dois")]
    assert [("um" in answers[0]), ("dois" in answers[1])] == [True, True]


def _request(subject: Subject) -> Any:
    return ModelRequest(model=MODELS[subject.provider], messages=MESSAGES, purpose=CallPurpose.AGENT)
