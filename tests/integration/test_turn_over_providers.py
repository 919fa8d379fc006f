"""The whole turn over two providers, each behind its own API: the customer is answered by whoever can."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from core.agents.invoker import AgentInvokerImpl
from core.config.settings import ModelSettings, OutputForm
from core.domain.conversation import Mode
from core.domain.deadline import Deadline
from core.domain.errors import LLMError
from core.domain.handoff import HandoffReason
from core.domain.ledger import CallOutcome, ModelCall
from core.domain.llm import CallPurpose, ModelRef, ModelRoute
from core.integrations.model_calls.cascade import Cascade, CascadePolicy
from core.integrations.system.clock import SystemClock
from local_stack.model_standin import ModelStandIn
from replay.playing.recorded_model import RecordedModel
from tests.desk import Desk
from tests.integration.model_subjects import MODELS, endpoint_of
from tests.neutral_company import catalog, prompts

pytestmark = pytest.mark.enable_socket

ROUTE: ModelRoute = tuple(ModelRef(provider=name, model=MODELS[name]) for name in ("openai", "anthropic"))
SECONDS = 6.0
OWN_FIELDS = (
    "provider",
    "requested_model",
    "returned_model",
    "outcome",
    "failure",
    "rung",
    "fallback_reason",
    "skipped",
)


class TwoProviders:
    """A desk whose agents are asked of the first and then of the second."""

    def __init__(self) -> None:
        self.first, self.second = (ModelStandIn(lambda _request: '{"s":1}Claro, como posso ajudar?') for _ in ROUTE)
        self.first.start(), self.second.start()
        made = [
            endpoint_of(ref.provider, each.base_url) for ref, each in zip(ROUTE, (self.first, self.second), strict=True)
        ]
        self._closes = [close for _, close in made]
        endpoints = {ref.provider: endpoint for ref, (endpoint, _) in zip(ROUTE, made, strict=True)}
        self.desk = Desk()
        self.desk.clock.advance(SystemClock().now_ms() - self.desk.clock.now_ms())
        policy = CascadePolicy(timeout_seconds=2.0, fallback_seconds=1.0)
        self.desk.llm = Cascade(endpoints, policy)  # type: ignore[assignment]
        self.desk.invoker = AgentInvokerImpl(self.desk.llm, prompts(), catalog(), routes())

    def asks(self, models: Any) -> None:
        """Agents are asked so from now on."""
        self.desk.invoker = AgentInvokerImpl(self.desk.llm, prompts(), catalog(), models)

    def write(self, text: str = "oi, quero instalar um split na loja") -> Any:
        pointer = self.desk.last_pointer = self.desk.record(self.desk.message(text))
        clock = SystemClock()
        ends_at_ms = clock.now_ms() + round((SECONDS + 1.5) * 1000)
        deadline = Deadline(now_ms=clock.now_ms, ends_at_ms=ends_at_ms, reserve_ms=1500)
        return self.desk.use_case().execute(pointer, deadline=deadline)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        return self.desk.last_turn.calls

    def close(self) -> None:
        for close in self._closes:
            close()
        self.first.stop(), self.second.stop()


def routes(rungs: int = 2, **changes: Any) -> Any:
    """The settings' models, asked along the first rungs of the route."""
    settings = ModelSettings(api_key="sk-x", **changes)
    return SimpleNamespace(in_schema=settings.in_schema, route_for_agent=lambda _agent: ROUTE[:rungs])


@pytest.fixture
def two() -> Iterator[TwoProviders]:
    providers = TwoProviders()
    yield providers
    providers.close()


BAD: dict[str, dict[str, Any]] = {
    "html": {"body": "<html>proxy</html>"},
    "an empty body": {"body": ""},
    "wrong types": {"body": '{"output": 5, "status": 7, "usage": "x", "model": []}'},
    "an error with status 200": {"error_inside": 500},
    "throttled": {"http_status": 429, "retry_after": "20"},
    "money used up": {"http_status": 429, "code": "insufficient_quota"},
    "down": {"http_status": 503},
    "overloaded": {"http_status": 529},
    "hangs up": {"close": "before"},
    "hangs": {"delay_seconds": 60},
    "drips": {"drip_seconds": 0.2},
}


@pytest.mark.parametrize("order", BAD.values(), ids=BAD.keys())
def test_whatever_the_first_does_the_second_answers_within_the_deadline(
    two: TwoProviders, order: dict[str, Any]
) -> None:
    two.first.control({"fail": order})
    began = time.monotonic()

    two.write()

    assert time.monotonic() - began < SECONDS
    assert list(two.desk.replies) == ["Claro, como posso ajudar?"]
    assert two.desk.head.mode is Mode.BOT
    failed, answered = two.calls
    assert (failed.provider, failed.rung, failed.outcome) == ("openai", 0, CallOutcome.FAILED)
    assert (answered.provider, answered.rung, answered.outcome) == ("anthropic", 1, CallOutcome.USED)
    assert answered.requested_model == MODELS["anthropic"]
    assert answered.fallback_reason == failed.failure.value  # type: ignore[union-attr]


@pytest.mark.parametrize("order", BAD.values(), ids=BAD.keys())
def test_with_one_provider_alone_a_person_answers_for_it_and_the_ledger_says_why(
    two: TwoProviders, order: dict[str, Any]
) -> None:
    two.asks(routes(1))
    two.first.control({"fail": {**order, "times": 3}})
    if order.get("http_status") == 429 and "code" not in order:
        with pytest.raises(LLMError):  # too fast is waited out: the queue brings the message again
            two.write()
        return

    result = two.write()

    assert result.reason == HandoffReason.LLM_TIMEOUT
    assert (two.desk.head.mode, len(two.desk.replies)) == (Mode.HUMAN, 1)
    failed = [call for call in two.calls if call.purpose is CallPurpose.AGENT]
    assert {(call.provider, call.outcome) for call in failed} == {("openai", CallOutcome.FAILED)}
    assert all(call.failure is not None for call in failed)
    assert two.second.calls() == []


def test_a_schema_survives_the_way_to_the_second_rung_and_its_reply_is_served(two: TwoProviders) -> None:
    two.asks(routes(output=OutputForm.SCHEMA))
    two.first.control({"fail": {"http_status": 503}})
    said = {"s": 1, "dados": [], "mensagem": "Claro, me conta."}
    two.second.control({"script": [json.dumps(said)]})

    two.write()

    [first], [second] = ([call["request"] for call in each.calls()] for each in (two.first, two.second))
    assert first["text"]["format"]["schema"] == second["output_config"]["format"]["schema"]
    assert two.desk.replies == ["Claro, me conta."]
    assert two.calls[-1].raw_reply == '{"s":1}Claro, me conta.'


@pytest.mark.parametrize("usage", ["missing", "negative", "text"])
def test_a_usage_that_nobody_can_believe_costs_an_unknown_sum_and_the_customer_is_answered(
    two: TwoProviders, usage: str
) -> None:
    two.first.control({"fail": {"text": '{"s":1}Olá!', "usage": usage}})
    two.write()
    [call] = two.calls
    assert (call.usage_missing, call.cost_usd, call.tokens_input) == (True, None, 0)
    assert two.desk.replies == ["Olá!"]


def test_another_model_than_asked_is_in_the_ledger_and_the_customer_is_answered(two: TwoProviders) -> None:
    two.first.control({"fail": {"text": '{"s":1}Olá!', "returned_model": "gpt-5.5"}})
    two.write()
    [call] = two.calls
    assert (call.requested_model, call.returned_model) == (MODELS["openai"], "gpt-5.5")
    assert two.desk.replies == ["Olá!"]


def test_where_both_are_down_a_person_is_called_and_at_most_three_requests_are_made(two: TwoProviders) -> None:
    two.first.control({"fail": {"http_status": 503, "times": 9}})
    two.second.control({"fail": {"http_status": 529, "times": 9}})
    result = two.write()
    assert result.reason == HandoffReason.LLM_TIMEOUT
    assert two.desk.head.mode is Mode.HUMAN
    assert len(two.desk.replies) == 1
    assert len([call for call in two.calls if call.purpose is CallPurpose.AGENT]) <= 3


@pytest.mark.parametrize("order", [{"refusal": "não posso"}, {"http_status": 400}, {"text": ""}], ids=str)
def test_what_the_next_would_say_too_goes_to_a_person_at_once(two: TwoProviders, order: dict[str, Any]) -> None:
    two.first.control({"fail": order})
    assert two.write().reason == HandoffReason.LLM_TIMEOUT
    assert two.second.calls() == []


def test_a_recorded_turn_is_played_again_with_everything_that_it_says_of_its_providers(two: TwoProviders) -> None:
    two.first.control({"fail": {"http_status": 503}})
    two.write()
    recorded = two.calls

    model = RecordedModel()
    model.holds(recorded)
    replayed = Desk()
    replayed.llm = model  # type: ignore[assignment]
    replayed.invoker = AgentInvokerImpl(model, prompts(), catalog(), routes())
    replayed.says("oi, quero instalar um split na loja")

    assert not model.missing
    told = [[getattr(call, name) for name in OWN_FIELDS] for call in replayed.last_turn.calls]
    assert told == [[getattr(call, name) for name in OWN_FIELDS] for call in recorded]
