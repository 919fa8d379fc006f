"""Bodies of the model stand-in are the API's, and its token counts behave as bills do."""

from __future__ import annotations

import pytest
from openai.types.responses import Response

from local_stack.responses_api import cached_tokens_of, error_body, prompt_of, response_body, text_content

REQUEST = {"model": "m", "input": [{"role": "developer", "content": "x" * 400}], "store": False}


def test_a_response_is_one_that_the_sdk_accepts_when_it_is_strict() -> None:
    response = Response.model_validate(response_body(REQUEST, text_content("Oi!"), cached_tokens=128))

    assert response.output_text == "Oi!"
    assert response.output[0].phase == "final_answer"
    assert response.usage.input_tokens_details.cached_tokens == 128
    assert response.usage.total_tokens == response.usage.input_tokens + response.usage.output_tokens


def test_a_failed_response_has_an_error_and_no_output() -> None:
    response = Response.model_validate(response_body(REQUEST, text_content(""), failed_code="server_error"))

    assert (response.status, response.error.code, response.output) == ("failed", "server_error", [])


@pytest.mark.parametrize(
    ("shared", "cached"),
    [(4000, 0), (4096, 1024), (5000, 1152), (0, 0)],
    ids=["under the least", "the least", "in steps", "nothing"],
)
def test_only_a_long_common_beginning_is_cached(shared: int, cached: int) -> None:
    prompt = "a" * shared + "b" * 2000

    assert cached_tokens_of(prompt, ["a" * shared + "c" * 2000, "other"]) == cached


def test_the_prompt_is_read_in_order_with_the_instructions_first() -> None:
    assert prompt_of({"instructions": "primeiro", "input": "depois"}) == "primeiro\ndepois"


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, "invalid_api_key"), (429, "rate_limit_exceeded"), (500, "server_error"), (503, "server_error")],
)
def test_an_http_error_has_the_code_that_the_api_uses(status: int, code: str) -> None:
    assert error_body(status)["error"]["code"] == code
