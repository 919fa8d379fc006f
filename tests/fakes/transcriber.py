"""Faithful to `Transcriber`: words with one attempt told, or the errors of `LLMClient`."""

from __future__ import annotations

from collections import deque

from core.domain.errors import LLMError
from core.domain.llm import LLMCallResult
from core.domain.media import MediaFile
from tests.fakes.llm_client import result_of, unreachable


class FakeTranscriber:
    """Says what was scripted, in order; with nothing left it is a provider that cannot be reached."""

    model = "gpt-transcribe"

    def __init__(self, *words: str | LLMError) -> None:
        self.heard: list[MediaFile] = []
        self.timeouts: list[float] = []
        self._script: deque[str | LLMError] = deque(words)

    def transcribe(self, file: MediaFile, *, timeout_seconds: float) -> LLMCallResult:
        self.heard.append(file)
        self.timeouts.append(timeout_seconds)
        words = self._script.popleft() if self._script else unreachable()
        if isinstance(words, LLMError):
            raise words
        return result_of(words, model=self.model)
