"""The SDK as every adapter that uses it wants it."""

from __future__ import annotations

import openai


def build_sdk_client(*, api_key: str, base_url: str, timeout_seconds: float) -> openai.OpenAI:
    """The SDK with its own retries off: it would wait up to 120 s on `retry-after`, inside our deadline."""
    return openai.OpenAI(api_key=api_key, base_url=base_url, timeout=timeout_seconds, max_retries=0)
