"""Processes that live for many events: each keeps the secrets that it read, and may die in the midst of its work."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final, TypeVar

from botocore.exceptions import ClientError

from core.domain.delivery import SendFailure
from core.domain.errors import (
    IntegrationError,
    LLMProviderError,
    LLMTimeoutError,
    SendRefusedError,
    SendUncertainError,
)
from core.domain.llm import LLMAttempt, LLMFailure
from core.integrations.model_calls.provider_key import ProviderKey
from core.integrations.ssm.secret_source import SsmSecretSource
from core.integrations.wiring.models import key_reader
from tests.fakes.clock import FakeClock
from tests.faults.actor import KilledError
from tests.faults.outside import Call, Line
from tests.faults.world import Run, World

KEY: Final = "OPENAI_API_KEY"
TOKEN: Final = "WHATSAPP_ACCESS_TOKEN"
_FAILED_MS, _TIMED_OUT_MS = 400, 20_000

T = TypeVar("T")


@dataclass(slots=True)
class Vault:
    """The parameter store, and what the other sides hold to be good: a rotation is a new value of both, a token that
    was revoked is good nowhere until somebody has put a new one. Throttled, it answers nobody. `refused` counts the
    calls that met an old one.
    """

    good: dict[str, str] = field(default_factory=lambda: {KEY: "key-1", TOKEN: "token-1"})
    stored: dict[str, str] = field(default_factory=lambda: {KEY: "key-1", TOKEN: "token-1"})
    throttled: bool = False
    refused: Counter[str] = field(default_factory=Counter)

    def get_parameters(self, *, Names: list[str], WithDecryption: bool) -> dict[str, Any]:  # noqa: N803
        """SSM's own."""
        assert WithDecryption
        if self.throttled:
            raise ClientError({"Error": {"Code": "ThrottlingException"}}, "GetParameters")
        return {"Parameters": [{"Name": name, "Value": self.stored[name]} for name in Names], "InvalidParameters": []}

    def rotate(self, name: str, value: str) -> None:
        """The old one is refused from now on."""
        self.good[name] = self.stored[name] = value

    def revoke(self, name: str) -> None:
        """What is stored is refused from now on."""
        self.good[name] = "nobody has it"


@dataclass(slots=True, kw_only=True)
class Weather:
    """What is wrong with the outside at the moment: shares of the calls that fail, and of the events that a process
    does not outlive.
    """

    provider_down: bool = False
    table_fails: float = 0.0
    send_lost: float = 0.0
    dies: float = 0.0


class Host:
    """A process. It starts with both secrets, as the real ones do, and reads one again when it is refused."""

    def __init__(self, world: World, vault: Vault, weather: Weather, draw: random.Random) -> None:
        self._world, self._vault, self._weather, self._draw = world, vault, weather, draw
        self._secrets = SsmSecretSource(
            {f"{name}_SSM_PARAM": name for name in (KEY, TOKEN)},
            ssm_client=lambda: vault,  # type: ignore[arg-type, return-value]
            monotonic=lambda: world.clock.now_ms() / 1000,
        )
        self._sdk = SimpleNamespace(api_key="")
        self._key = ProviderKey(self._sdk, key_reader(self._secrets))
        self.died = False

    def starts(self) -> bool:
        """Whether it has, or can have, what it needs."""
        try:
            if not self._sdk.api_key:
                self._secrets.prefetch((KEY, TOKEN))
                self._sdk.api_key = self._secrets.get(KEY)
        except IntegrationError:
            return False
        return True

    def run(self) -> Run[Any]:
        """Work in this process."""

        def run(world: World, work: Callable[[Line, FakeClock], T]) -> T | None:
            left = self._draw.randint(1, 9) if self._draw.random() < self._weather.dies else None

            def line(call: Call) -> Any:
                nonlocal left
                if self.died:
                    raise KilledError
                left = None if left is None else left - 1
                before = left == 0 and self._draw.random() < 0.5
                value = None if before else self._answer(call)
                if left == 0:
                    self.died = True
                    raise KilledError
                return value

            try:
                return work(line, world.clock)
            except (KilledError, IntegrationError):
                return None

        return run

    def _answer(self, call: Call) -> Any:
        match call.port:
            case "model":
                self._refuse_key()
                self._be_down(call)
            case "sender":
                self._refuse_token()
                return self._sent(call)
            case "store" if self._draw.random() < self._weather.table_fails:
                if self._draw.random() < 0.5:
                    self._world.answer(call)
                raise IntegrationError(call.method)
        return self._world.answer(call)

    def _refuse_key(self) -> None:
        used = self._sdk.api_key
        if used == self._vault.good[KEY]:
            return
        self._vault.refused[KEY] += 1
        if self._key.replaced(used) and self._sdk.api_key == self._vault.good[KEY]:
            return
        raise LLMProviderError("OpenAI 401", failure=LLMFailure.AUTH, attempts=_attempt(LLMFailure.AUTH, _FAILED_MS))

    def _be_down(self, call: Call) -> None:
        if not self._weather.provider_down:
            return
        if self._draw.random() < 0.8:
            self._world.clock.advance(_FAILED_MS)
            failure, kind = LLMFailure.SERVER_ERROR, LLMProviderError
            raise kind("OpenAI 503", failure=failure, attempts=_attempt(failure, _FAILED_MS))
        waits_ms = min(_TIMED_OUT_MS, round(1000 * call.kwargs["timeout_seconds"]))
        self._world.clock.advance(waits_ms)
        failure = LLMFailure.TIMEOUT
        raise LLMTimeoutError("OpenAI timeout", failure=failure, attempts=_attempt(failure, waits_ms))

    def _refuse_token(self) -> None:
        good = self._vault.good[TOKEN]
        if self._secrets.get(TOKEN) == good:
            return
        self._vault.refused[TOKEN] += 1
        if self._secrets.refresh(TOKEN) != good:
            raise SendRefusedError("refused", failure=SendFailure.AUTH, code=190)

    def _sent(self, call: Call) -> Any:
        lost = call.method == "send_text" and self._draw.random() < self._weather.send_lost
        if lost and self._draw.random() < 0.5:
            raise SendUncertainError("lost on the way there")
        taken = self._world.answer(call)
        if lost:
            raise SendUncertainError("lost on the way back")
        return taken


def _attempt(failure: LLMFailure, latency_ms: int) -> tuple[LLMAttempt, ...]:
    return (LLMAttempt(number=1, latency_ms=latency_ms, failure=failure),)
