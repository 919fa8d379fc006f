"""A provider key that is rotated in SSM: the process that runs already calls with the new one."""

from __future__ import annotations

from typing import Any

import httpx2
import openai
import pytest

from core.domain.errors import LLMProviderError
from core.integrations.ssm.secret_source import SsmSecretSource
from core.integrations.wiring.models import key_reader
from tests.model_clients import openai_client

REPLY = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "status": "completed",
    "model": "gpt-x",
    "output": [
        {
            "type": "message",
            "id": "m",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": '{"s":1}Olá!', "annotations": []}],
        }
    ],
}


class Ssm:
    value = "sk-velha"

    def get_parameters(self, *, Names: list[str], WithDecryption: bool) -> dict[str, Any]:  # noqa: N803
        assert WithDecryption
        return {"Parameters": [{"Name": name, "Value": self.value} for name in Names], "InvalidParameters": []}


def answered(ssm: Ssm, good: str) -> str:
    """What a warm process gets from a provider that takes one key alone."""
    secrets = SsmSecretSource({"OPENAI_API_KEY_SSM_PARAM": "/k"}, ssm_client=lambda: ssm)  # type: ignore[arg-type, return-value]
    key = secrets.get("OPENAI_API_KEY")
    ssm.value = good

    def provider(request: httpx2.Request) -> httpx2.Response:
        if request.headers["authorization"] != "Bearer sk-nova":
            return httpx2.Response(401, json={"error": {"message": "no", "code": "invalid_api_key"}})
        return httpx2.Response(200, json=REPLY)

    http = httpx2.Client(transport=httpx2.MockTransport(provider))
    sdk = openai.OpenAI(api_key=key, max_retries=0, http_client=http)
    client = openai_client(sdk, reread_key=key_reader(secrets))
    return client.chat(model="gpt-x", messages=[{"role": "user", "content": "oi"}]).raw_response


def test_a_rotated_key_is_read_once_more_on_refusal() -> None:
    assert answered(Ssm(), "sk-nova") == '{"s":1}Olá!'


def test_a_key_that_no_request_can_carry_changes_nothing() -> None:
    with pytest.raises(LLMProviderError):
        answered(Ssm(), "sk nova\ncolada")
