"""What the model provider says: each configured model is there, and answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.config.prompt_files import read_prices
from core.config.secrets import clean_secret
from core.config.settings import OPENAI_URL
from core.domain.prompts import price_in
from deployment.web import request

from .deployed import Deployed
from .results import Area, Check, Result

_PROVIDER = Area("provider")
_AGENTS = ("OPENAI_MODEL_TRIAGE", "OPENAI_MODEL_QUALIFICATION", "OPENAI_MODEL_COLLECTION", "OPENAI_MODEL_SUMMARY")
# A question of a word, and an answer cut off at the least that the API takes.
_QUESTION, _TOKENS_IN, _TOKENS_OUT = "ok?", 10, 16
_MENDS = {
    401: "OPENAI_API_KEY: make a key, and put it with scripts/deploy.py --put-secrets",
    403: "the key's project may not use this model: allow it, or name another",
    404: "correct the name of the model, or ask for access to it",
    429: "raise the limit or pay at the provider; then ask again",
}


class ProviderChecks:
    """`free`: only whether the models are there, which costs nothing."""

    def __init__(self, deployed: Deployed, prompts: Path, *, free: bool = False) -> None:
        self._deployed = deployed
        self._base = (deployed.variables.get("OPENAI_BASE_URL") or OPENAI_URL).rstrip("/")
        self._headers = {"authorization": f"Bearer {clean_secret(deployed.secret('OPENAI_API_KEY'))}"}
        self._prompts = prompts
        self._free = free

    def checks(self) -> list[tuple[Area, str, Check]]:
        """The models, then whether they answer."""
        return [(_PROVIDER, "models", self.models), (_PROVIDER, "answers", self.answers)]

    def models(self) -> Iterator[Result]:
        """The key may use each of them."""
        names = [*self._agent_models()]
        if self._deployed.is_on("TRANSCRIPTION_ENABLED"):
            names.append(self._deployed.variables.get("OPENAI_MODEL_TRANSCRIPTION", ""))
        for model in names:
            status = request("GET", f"{self._base}/models/{model}", headers=self._headers).status
            yield _PROVIDER.judged(f"model {model}", "" if status == 200 else f"HTTP {status}", _mend(status))

    def answers(self) -> Iterator[Result]:
        """Each agent's model answers a question of a word, with the configured effort."""
        if self._free:
            yield _PROVIDER.skipped("answers", "--free")
            return
        effort = self._deployed.variables.get("OPENAI_REASONING_EFFORT", "")
        for model in self._agent_models():
            asked = {"model": model, "input": _QUESTION, "max_output_tokens": _TOKENS_OUT, "store": False}
            asked |= {"reasoning": {"effort": effort}} if effort else {}
            answer = request("POST", f"{self._base}/responses", headers=self._headers, data=asked)
            error = answer.json().get("error") if isinstance(answer.json(), dict) else None
            code = error.get("code") or error.get("type") if isinstance(error, dict) else ""
            fault = "" if answer.status == 200 else f"HTTP {answer.status} {code or ''}".strip()
            yield _PROVIDER.judged(f"answer of {model}", fault, _mend(answer.status), found=self._cost(model))

    def _agent_models(self) -> list[str]:
        return list(dict.fromkeys(self._deployed.variables.get(setting, "") for setting in _AGENTS))

    def _cost(self, model: str) -> str:
        price = price_in(read_prices(self._prompts), model)
        if price is None:
            return "at no known price"
        cost = price.cost(tokens_input=_TOKENS_IN, tokens_cached=0, tokens_output=_TOKENS_OUT)
        return f"for about US$ {cost:.6f}"


def _mend(status: int) -> str:
    return _MENDS.get(status, "docs/operations.md, ProviderAuthAlarm and ProviderQuotaAlarm; then ask again")
