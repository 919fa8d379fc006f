"""`OpenAITranscriber`: the real SDK over a transport in memory, so that requests are what the API would see."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import httpx2
import openai
import pytest

from core.domain.errors import LLMError, LLMProviderError, LLMTimeoutError
from core.domain.llm import LLMFailure
from core.domain.media import MediaFile
from core.integrations.openai_provider.transcriber import OpenAITranscriber

FILE = MediaFile(content=b"OggS-segredo", mime_type="audio/ogg; codecs=opus")
TOKENS = {"type": "tokens", "input_tokens": 120, "output_tokens": 30, "total_tokens": 150}
Answer = Callable[[httpx2.Request], httpx2.Response]


class Api:
    def __init__(self, answer: Answer | Exception) -> None:
        self.answer = answer
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        self.requests.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(request)

    @property
    def form(self) -> str:
        return self.requests[0].content.decode("utf-8", "replace")


def says(text: str | None, usage: Any = TOKENS) -> Answer:
    return lambda _request: httpx2.Response(200, json={"text": text, "usage": usage}, headers={"x-request-id": "req_1"})


def fails(status: int, code: str | None = None) -> Answer:
    return lambda _request: httpx2.Response(status, json={"error": {"message": "segredo", "code": code}})


def transcriber(api: Api, model: str = "gpt-transcribe") -> OpenAITranscriber:
    http = httpx2.Client(transport=httpx2.MockTransport(api))
    sdk = openai.OpenAI(api_key="sk-test", base_url="https://api.example/v1", http_client=http, max_retries=0)
    return OpenAITranscriber(sdk, model=model)


def failure(answer: Answer | Exception, seconds: float = 5.0) -> LLMError:
    with pytest.raises(LLMError) as caught:
        transcriber(Api(answer)).transcribe(FILE, timeout_seconds=seconds)
    return caught.value


def test_the_file_goes_to_the_transcription_endpoint_under_a_name_that_tells_its_format() -> None:
    api = Api(says("quero análise de água"))

    result = transcriber(api).transcribe(FILE, timeout_seconds=5.0)

    assert result.raw_response == "quero análise de água"
    assert api.requests[0].url.path == "/v1/audio/transcriptions"
    assert 'filename="audio.ogg"' in api.form
    assert "gpt-transcribe" in api.form
    assert "OggS-segredo" in api.form


@pytest.mark.parametrize(
    ("model", "hint"),
    [
        ("gpt-transcribe", 'name="languages'),
        ("gpt-4o-mini-transcribe", 'name="language"'),
        ("whisper-1", 'name="language"'),
    ],
)
def test_portuguese_is_hinted_in_the_models_own_way(model: str, hint: str) -> None:
    api = Api(says("oi"))
    transcriber(api, model).transcribe(FILE, timeout_seconds=5.0)

    assert hint in api.form
    assert api.form.count('name="language') == 1


@pytest.mark.parametrize(
    ("mime_type", "name"),
    [
        ("audio/mpeg", "audio.mp3"),
        ("audio/mp4", "audio.m4a"),
        ("AUDIO/OGG", "audio.ogg"),
        ("audio/x-unknown", "audio.ogg"),
    ],
)
def test_each_format_has_its_name(mime_type: str, name: str) -> None:
    api = Api(says("oi"))
    transcriber(api).transcribe(MediaFile(content=b"x", mime_type=mime_type), timeout_seconds=5.0)

    assert f'filename="{name}"' in api.form


def test_tokens_are_counted_and_the_attempt_is_told() -> None:
    result = transcriber(Api(says("oi"))).transcribe(FILE, timeout_seconds=5.0)

    assert (result.tokens_input, result.tokens_output, result.usage_missing) == (120, 30, False)
    assert [(attempt.number, attempt.status, attempt.failure) for attempt in result.attempts] == [(1, 200, None)]


def test_what_is_billed_by_the_second_tells_begun_seconds() -> None:
    usage = {"type": "duration", "seconds": 12.5}
    result = transcriber(Api(says("oi", usage))).transcribe(FILE, timeout_seconds=5.0)

    assert (result.tokens_input, result.audio_seconds, result.usage_missing) == (0, 13, False)


@pytest.mark.parametrize(
    "usage", [None, {"type": "duration", "seconds": -1}, {"type": "duration"}], ids=["none", "negative", "empty"]
)
def test_what_tells_neither_tokens_nor_seconds_has_no_guessed_cost(usage: Any) -> None:
    result = transcriber(Api(says("oi", usage))).transcribe(FILE, timeout_seconds=5.0)

    assert (result.audio_seconds, result.usage_missing) == (0, True)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (fails(400), LLMFailure.BAD_REQUEST),
        (fails(401), LLMFailure.AUTH),
        (fails(429, "insufficient_quota"), LLMFailure.QUOTA),
        (fails(429), LLMFailure.RATE_LIMITED),
        (fails(503), LLMFailure.SERVER_ERROR),
        (httpx2.ConnectError("x"), LLMFailure.CONNECTION),
        (says(""), LLMFailure.EMPTY),
        (says(None), LLMFailure.EMPTY),
        (lambda _request: httpx2.Response(200, text="<html>"), LLMFailure.EMPTY),
    ],
    ids=["400", "401", "quota", "429", "503", "connection", "empty", "null", "html"],
)
def test_every_failure_has_its_kind_and_its_one_attempt(answer: Answer | Exception, kind: LLMFailure) -> None:
    error = failure(answer)

    assert isinstance(error, LLMProviderError)
    assert (error.failure, len(error.attempts)) == (kind, 1)


def test_a_server_that_does_not_answer_in_time_is_left() -> None:
    answered = threading.Event()

    def hangs(_request: httpx2.Request) -> httpx2.Response:
        answered.wait(5)
        return httpx2.Response(200, json={"text": "tarde"})

    error = failure(hangs, seconds=0.05)
    answered.set()

    assert isinstance(error, LLMTimeoutError)
    assert error.failure is LLMFailure.TIMEOUT


def test_a_call_is_never_repeated() -> None:
    api = Api(fails(503))
    with pytest.raises(LLMError):
        transcriber(api).transcribe(FILE, timeout_seconds=5.0)

    assert len(api.requests) == 1


def test_neither_bytes_nor_words_nor_the_providers_sentences_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="core")
    transcriber(Api(says("segredo falado"))).transcribe(FILE, timeout_seconds=5.0)
    error = failure(fails(400))

    assert "segredo" not in " ".join(str(vars(record)) for record in caplog.records)
    assert "segredo" not in str(error)


@pytest.mark.parametrize(
    ("answer", "refused"),
    [(fails(401), ["auth"]), (fails(429, "insufficient_quota"), ["quota"]), (fails(429), []), (fails(503), [])],
    ids=["401", "quota", "429", "503"],
)
def test_a_provider_that_refuses_rings_for_voice_notes_too(
    answer: Answer, refused: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    failure(answer)

    told = [record for record in caplog.records if record.message == "provider_refused"]
    assert [vars(record)["failure"] for record in told] == refused


def test_a_rotated_key_is_read_once_and_works() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        fits = request.headers["authorization"] == "Bearer sk-nova"
        return (says("quero análise de água") if fits else fails(401))(request)

    api = Api(answer)
    sdk = openai.OpenAI(
        api_key="sk-velha", http_client=httpx2.Client(transport=httpx2.MockTransport(api)), max_retries=0
    )
    heard = OpenAITranscriber(sdk, model="gpt-transcribe", reread_key=lambda: "sk-nova")

    assert heard.transcribe(FILE, timeout_seconds=5.0).raw_response == "quero análise de água"
    assert len(api.requests) == 2
