"""`ModelEndpoint` without a network: for a first look, and for tests of what stands on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace

from core.domain.errors import ModelAttemptError
from core.domain.llm import CallPurpose, LLMCallResult, LLMFailure, ModelRequest
from core.integrations.model_calls.provider_key import ProviderKey

# What it says: a raw reply, or how the request fails.
Said = str | ModelAttemptError
Answer = Callable[[ModelRequest], Said]

_CHARACTERS_PER_TOKEN = 4
_TEXT = "Recebi a sua mensagem. Aqui responde um modelo de ensaio: ligue um provedor de verdade para conversar."
_SUMMARY = {"resumo_texto": "Conversa com o modelo de ensaio.", "proxima_acao": "Ler a conversa.", "pontos_chave": []}


class StubEndpoint:
    """Answers at once with what `answer` says, and fails as an endpoint fails. Tokens are estimates."""

    title = "Stub"

    def __init__(self, answer: Answer | None = None) -> None:
        self._answer = answer or answer_plainly
        self.key = ProviderKey(SimpleNamespace(api_key="stub"))

    def attempt(self, request: ModelRequest, seconds: float) -> LLMCallResult:
        """See `ModelEndpoint.attempt`."""
        del seconds
        said = self._answer(request)
        if isinstance(said, ModelAttemptError):
            raise said
        if not said.strip():
            raise ModelAttemptError("empty output", failure=LLMFailure.EMPTY, status=200)
        return LLMCallResult(
            raw_response=said,
            model=request.model,
            tokens_input=_tokens("".join(str(message["content"]) for message in request.messages)),
            tokens_output=_tokens(said),
            latency_ms=0,
            request_id="stub",
        )


def answer_plainly(request: ModelRequest) -> str:
    """One sentence that says what it is, in whatever form was asked for."""
    if request.purpose is CallPurpose.SUMMARY:
        return json.dumps(_SUMMARY, ensure_ascii=False)
    if request.output_schema is None:
        return json.dumps({"s": 1}) + _TEXT
    keys = request.output_schema["schema"]["properties"]
    said = {key: [] if kind["type"] == "array" else "" for key, kind in keys.items()}
    return json.dumps({**said, "s": 1, "mensagem": _TEXT}, ensure_ascii=False)


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)
