"""`OpenAIEndpoint` behind `LLMClient` (document 002): the real SDK over a transport in memory, so that requests are what the API would see."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import httpx2
import openai
import pytest

from core.domain.errors import LLMError, LLMProviderError, LLMTimeoutError
from core.domain.llm import CallPurpose, LLMFailure
from core.integrations.model_calls.cascade import Cascade
from core.integrations.openai_provider.endpoint import takes_breakpoints
from core.integrations.openai_sdk.failures import fault_of
from tests.model_clients import openai_client

MESSAGES = [
    {"role": "system", "content": "prompt secreto"},
    {"role": "user", "content": "Quero falar sobre um serviço."},
]
Answer = Callable[[httpx2.Request], httpx2.Response]


def message(text: str, *, phase: str | None = None, kind: str = "output_text") -> dict[str, Any]:
    part = (
        {"type": "refusal", "refusal": text} if kind == "refusal" else {"type": kind, "text": text, "annotations": []}
    )
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part], "phase": phase}


def body(*output: dict[str, Any], **changes: Any) -> dict[str, Any]:
    usage = {
        "input_tokens": 420,
        "input_tokens_details": {"cached_tokens": 400, "cache_write_tokens": 0},
        "output_tokens": 27,
        "output_tokens_details": {"reasoning_tokens": 5},
        "total_tokens": 447,
    }
    whole = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "modelo-retornado-pelo-provider",
        "output": list(output),
        "usage": usage,
    }
    return {**whole, **changes}


def ok(*output: dict[str, Any], **changes: Any) -> Answer:
    return lambda _request: httpx2.Response(200, json=body(*output, **changes), headers={"x-request-id": "req_1"})


def failing(status: int, code: str | None = None) -> Answer:
    error = {"message": "Incorrect key sk-secreta for prompt secreto", "type": "x_error", "code": code}
    return lambda _request: httpx2.Response(status, json={"error": error}, headers={"x-request-id": "req_bad"})


class Provider:
    """Answers in order; the last one repeats."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(json.loads(request.content))
        self.keys.append(request.headers["authorization"].removeprefix("Bearer "))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer(request)

    def client(self, **settings: Any) -> Cascade:
        sdk = openai.OpenAI(
            api_key="sk-secreta", max_retries=0, http_client=httpx2.Client(transport=httpx2.MockTransport(self))
        )
        return openai_client(sdk, **settings)


def raised(provider: Provider, **settings: Any) -> LLMError:
    with pytest.raises(LLMError) as caught:
        provider.client(**settings).chat(model="gpt-x", messages=MESSAGES)
    return caught.value


def test_the_request_is_stateless_bounded_and_has_no_empty_reasoning() -> None:
    provider = Provider(ok(message('{"s":1}Olá!')))
    provider.client(max_output_tokens=1200).chat(model="gpt-x", messages=MESSAGES)
    assert provider.requests == [{"model": "gpt-x", "input": MESSAGES, "store": False, "max_output_tokens": 1200}]


def test_reasoning_cache_key_safety_identifier_and_schema_are_sent_when_given() -> None:
    provider = Provider(ok(message('{"s":1}Olá!')))
    provider.client(reasoning_effort="low").chat(
        model="gpt-x",
        messages=MESSAGES,
        cache_key="balcao:triagem",
        safety_identifier="ab12",
        output_schema={"name": "reply", "schema": {"type": "object"}, "strict": True},
    )
    sent = provider.requests[0]
    assert sent["reasoning"] == {"effort": "low"}
    assert (sent["prompt_cache_key"], sent["safety_identifier"]) == ("balcao:triagem", "ab12")
    assert sent["text"]["format"]["type"] == "json_schema"


def test_a_marked_prefix_is_the_only_thing_written_to_the_cache() -> None:
    provider = Provider(ok(message('{"s":1}Olá!')))
    provider.client().chat(model="gpt-5.6-luna", messages=MESSAGES, cache_key="balcao:triagem")
    sent = provider.requests[0]
    assert sent["prompt_cache_options"] == {"mode": "explicit"}
    part = {"type": "input_text", "text": "prompt secreto", "prompt_cache_breakpoint": {"mode": "explicit"}}
    assert sent["input"] == [{"role": "system", "content": [part]}, *MESSAGES[1:]]


def test_a_prompt_without_a_cache_key_is_sent_as_it_is() -> None:
    provider = Provider(ok(message('{"s":1}Olá!')))
    provider.client().chat(model="gpt-5.6-luna", messages=MESSAGES)
    assert (provider.requests[0]["input"], "prompt_cache_options" in provider.requests[0]) == (MESSAGES, False)


@pytest.mark.parametrize(
    ("model", "marked"),
    [
        ("gpt-5.6-luna", True),
        ("gpt-5.6", True),
        ("gpt-6-sol", True),
        ("gpt-10.1", True),
        ("gpt-5.5", False),
        ("gpt-5.60x", False),
        ("gpt-5", False),
        ("gpt-4o-mini", False),
        ("o4-mini", False),
    ],
)
def test_only_families_that_know_breakpoints_are_sent_them(model: str, marked: bool) -> None:
    assert takes_breakpoints(model) is marked


def test_the_result_carries_text_telemetry_and_the_request_id() -> None:
    result = Provider(ok(message('{"s":1}Olá!'))).client().chat(model="gpt-x", messages=MESSAGES)
    assert (result.raw_response, result.model) == ('{"s":1}Olá!', "modelo-retornado-pelo-provider")
    assert (result.tokens_input, result.tokens_cached, result.tokens_output, result.tokens_reasoning) == (
        420,
        400,
        27,
        5,
    )
    assert (result.request_id, result.usage_missing, len(result.attempts)) == ("req_1", False, 1)


def test_missing_usage_is_zero_and_marked() -> None:
    result = Provider(ok(message("oi"), usage=None)).client().chat(model="gpt-x", messages=MESSAGES)
    assert (result.tokens_input, result.tokens_output, result.usage_missing) == (0, 0, True)


def test_commentary_is_not_part_of_the_answer() -> None:
    answer = ok(message('{"s":2}pensando', phase="commentary"), message('{"s":1}Olá!', phase="final_answer"))
    assert Provider(answer).client().chat(model="gpt-x", messages=MESSAGES).raw_response == '{"s":1}Olá!'


def test_an_answer_that_is_given_twice_is_one() -> None:
    answer = ok(message('{"s":1}Olá!'), message('{"s":1}Olá!'))
    assert Provider(answer).client().chat(model="gpt-x", messages=MESSAGES).raw_response == '{"s":1}Olá!'


def test_reasoning_items_beside_the_message_are_ignored() -> None:
    answer = ok({"type": "reasoning", "id": "r", "summary": []}, message("oi"))
    assert Provider(answer).client().chat(model="gpt-x", messages=MESSAGES).raw_response == "oi"


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        pytest.param(ok(), LLMFailure.EMPTY, id="no output at all"),
        pytest.param(ok(message("  \n")), LLMFailure.EMPTY, id="white space only"),
        pytest.param(ok(message("só comentário", phase="commentary")), LLMFailure.EMPTY, id="commentary only"),
        pytest.param(ok(message("não posso", kind="refusal")), LLMFailure.REFUSED, id="refusal part"),
        pytest.param(
            ok(message("{"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
            LLMFailure.INCOMPLETE,
            id="cut at the token limit",
        ),
        pytest.param(
            ok(status="incomplete", incomplete_details={"reason": "content_filter"}), LLMFailure.REFUSED, id="filtered"
        ),
        pytest.param(ok(message("x"), status="cancelled"), LLMFailure.INCOMPLETE, id="cancelled"),
        pytest.param(ok(message("x"), status="queued"), LLMFailure.INCOMPLETE, id="still queued"),
    ],
)
def test_a_200_that_answers_nothing_is_a_provider_failure_and_is_not_repeated(
    answer: Answer, failure: LLMFailure
) -> None:
    provider = Provider(answer)
    error = raised(provider)
    assert isinstance(error, LLMProviderError)
    assert error.failure is failure
    assert len(provider.requests) == 1
    assert error.attempts[0].tokens_input == 420


@pytest.mark.parametrize(
    ("status", "code", "failure", "requests"),
    [
        pytest.param(400, "unsupported_value", LLMFailure.BAD_REQUEST, 1, id="400"),
        pytest.param(401, "invalid_api_key", LLMFailure.AUTH, 1, id="401"),
        pytest.param(403, None, LLMFailure.AUTH, 1, id="403"),
        pytest.param(404, "model_not_found", LLMFailure.BAD_REQUEST, 1, id="404"),
        pytest.param(408, None, LLMFailure.TIMEOUT, 1, id="408"),
        pytest.param(409, None, LLMFailure.BAD_REQUEST, 1, id="409"),
        pytest.param(422, None, LLMFailure.BAD_REQUEST, 1, id="422"),
        pytest.param(429, "rate_limit_exceeded", LLMFailure.RATE_LIMITED, 1, id="429 speed"),
        pytest.param(429, None, LLMFailure.RATE_LIMITED, 1, id="429 without code"),
        pytest.param(429, "insufficient_quota", LLMFailure.QUOTA, 1, id="429 money"),
        pytest.param(500, None, LLMFailure.SERVER_ERROR, 2, id="500"),
        pytest.param(503, None, LLMFailure.SERVER_ERROR, 2, id="503"),
        pytest.param(529, None, LLMFailure.SERVER_ERROR, 2, id="529"),
    ],
)
def test_statuses_by_kind_and_only_5xx_is_repeated(
    status: int, code: str | None, failure: LLMFailure, requests: int
) -> None:
    provider = Provider(failing(status, code))
    error = raised(provider)
    assert isinstance(error, LLMProviderError)
    assert str(error).startswith(f"OpenAI {status}: ")
    assert error.failure is failure
    assert len(provider.requests) == requests == len(error.attempts)
    assert error.attempts[-1].request_id == "req_bad"


def test_neither_key_nor_prompt_reaches_the_error_or_the_log(caplog: pytest.LogCaptureFixture) -> None:
    error = raised(Provider(failing(401, "invalid_api_key")))
    logged = " ".join(str(vars(record)) for record in caplog.records)
    for secret in ("sk-secreta", "prompt secreto", "Quero falar"):
        assert secret not in str(error)
        assert secret not in logged
    assert [record.message for record in caplog.records] == ["llm_4xx", "provider_refused"]


def raising(make: Callable[[httpx2.Request], Exception]) -> Answer:
    def answer(request: httpx2.Request) -> httpx2.Response:
        raise make(request)

    return answer


def test_timeouts_repeat_and_end_as_llm_timeout(caplog: pytest.LogCaptureFixture) -> None:
    provider = Provider(raising(lambda request: httpx2.ReadTimeout("slow", request=request)))
    error = raised(provider, retry_max=2)
    assert isinstance(error, LLMTimeoutError)
    assert len(provider.requests) == 3
    assert [record.message for record in caplog.records] == ["llm_timeout"] * 3


def test_connection_errors_repeat_and_the_second_answer_counts() -> None:
    lost = raising(lambda request: httpx2.ConnectError("refused", request=request))
    result = Provider(lost, ok(message("oi"))).client().chat(model="gpt-x", messages=MESSAGES)
    assert result.raw_response == "oi"
    assert [attempt.failure for attempt in result.attempts] == [LLMFailure.CONNECTION, None]


def test_no_retry_when_retries_are_off() -> None:
    provider = Provider(failing(500))
    raised(provider, retry_max=0)
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda _r: httpx2.Response(200, text="<html>proxy</html>"), id="html"),
        pytest.param(
            lambda _r: httpx2.Response(200, text="{not json", headers={"content-type": "application/json"}),
            id="not json",
        ),
        pytest.param(lambda _r: httpx2.Response(200, json=[1, 2]), id="a list"),
        pytest.param(lambda _r: httpx2.Response(200, json={"status": "failed", "output": []}), id="failed"),
    ],
)
def test_a_body_that_is_not_the_apis_is_a_server_error_and_repeats(answer: Answer) -> None:
    provider = Provider(answer)
    error = raised(provider)
    assert error.failure is LLMFailure.SERVER_ERROR
    assert len(provider.requests) == 2


def test_a_failed_response_that_names_the_quota_is_quota() -> None:
    answer = ok(status="failed", error={"code": "insufficient_quota", "message": "x"})
    assert raised(Provider(answer)).failure is LLMFailure.QUOTA


def _all_sdk_exceptions() -> list[type[Exception]]:
    found: set[type[Exception]] = set()
    todo: list[type[Exception]] = [openai.OpenAIError]
    while todo:
        kind = todo.pop()
        found.add(kind)
        todo.extend(kind.__subclasses__())
    return sorted(found, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", _all_sdk_exceptions(), ids=lambda kind: kind.__name__)
def test_every_exception_of_the_sdk_has_a_kind(kind: type[Exception]) -> None:
    error = kind.__new__(kind)
    request = httpx2.Request("POST", "https://api.example/v1/responses")
    status = getattr(kind, "status_code", 500)
    attributes = {
        "status_code": status if isinstance(status, int) else 500,
        "code": None,
        "type": None,
        "request": request,
        "request_id": None,
        "message": "",
    }
    for name, value in attributes.items():
        setattr(error, name, value)
    assert isinstance(fault_of(error).failure, LLMFailure)


def test_the_callers_budget_bounds_all_attempts_together() -> None:
    now = [0.0]

    def slow(request: httpx2.Request) -> httpx2.Response:
        now[0] += 6.0
        raise httpx2.ReadTimeout("slow", request=request)

    provider = Provider(slow)
    client = provider.client(retry_max=5, monotonic=lambda: now[0])
    with pytest.raises(LLMTimeoutError) as caught:
        client.chat(model="gpt-x", messages=MESSAGES, timeout_seconds=10, purpose=CallPurpose.SUMMARY)
    assert len(caught.value.attempts) == 2


# A key that is refused


def by_key(good: str) -> Answer:
    """The provider after a rotation."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        fits = request.headers["authorization"] == f"Bearer {good}"
        return (ok(message('{"s":1}Olá!')) if fits else failing(401, "invalid_api_key"))(request)

    return answer


@pytest.mark.parametrize("retry_max", [0, 1])
def test_a_rotated_key_works_without_a_new_process(retry_max: int) -> None:
    provider = Provider(by_key("sk-nova"))
    client = provider.client(retry_max=retry_max, reread_key=lambda: "sk-nova")

    first = client.chat(model="gpt-x", messages=MESSAGES)
    client.chat(model="gpt-x", messages=MESSAGES)

    assert provider.keys == ["sk-secreta", "sk-nova", "sk-nova"]
    assert [attempt.failure for attempt in first.attempts] == [LLMFailure.AUTH, None]


@pytest.mark.parametrize("read", ["sk-secreta", ""], ids=["the same", "none"])
def test_a_refused_key_that_is_the_only_one_is_tried_once(read: str, caplog: pytest.LogCaptureFixture) -> None:
    provider, reads = Provider(failing(401, "invalid_api_key")), []
    with caplog.at_level(logging.ERROR):
        error = raised(provider, reread_key=lambda: reads.append(1) or read)

    assert (error.failure, len(provider.keys), len(reads)) == (LLMFailure.AUTH, 1, 1)
    assert [record.message for record in caplog.records] == ["provider_refused"]


def test_a_key_that_is_refused_after_rotation_too_is_not_read_for_ever() -> None:
    provider, keys = Provider(failing(401, "invalid_api_key")), iter(f"sk-{n}" for n in range(9))
    assert raised(provider, reread_key=lambda: next(keys)).failure is LLMFailure.AUTH
    assert provider.keys == ["sk-secreta", "sk-0"]


def test_money_that_is_spent_rings_at_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert raised(Provider(failing(429, "insufficient_quota"))).failure is LLMFailure.QUOTA
    assert [(record.message, record.failure) for record in caplog.records] == [("provider_refused", "quota")]  # type: ignore[attr-defined]


def test_too_many_requests_ring_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert raised(Provider(failing(429, "rate_limit_exceeded"))).failure is LLMFailure.RATE_LIMITED
    assert caplog.records == []
