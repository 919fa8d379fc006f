"""Whatever the model does, the customer has the handoff's text and people the conversation before Lambda's limit."""

from __future__ import annotations

import pytest

from core.domain.conversation import EffectKind, EffectState, Mode
from core.domain.delivery import PartState
from core.domain.errors import SendUncertainError
from core.domain.llm import CallPurpose, LLMFailure
from tests.faults.doors import FUNCTION_MS
from tests.faults.invariants import faults
from tests.faults.model import SUMMARY
from tests.faults.scenes import at_length
from tests.faults.slow_model import Behaviour, SlowModel
from tests.faults.world import Statuses, World

FOR_EVER = 10_000.0
PACKAGES = ("COMPANY_INFO", "SERVICES", "VISITS", "PRICES_POLICY", "COMPANY_INFO")


def hangs(_purpose: CallPurpose, _call: int) -> tuple[float, str]:
    return FOR_EVER, ""


def fails_slowly(_purpose: CallPurpose, _call: int) -> tuple[float, LLMFailure]:
    return 28.0, LLMFailure.SERVER_ERROR


def fails_at_the_last_moment(_purpose: CallPurpose, _call: int) -> tuple[float, LLMFailure]:
    return 44.9, LLMFailure.SERVER_ERROR


def asks_for_packages_slowly(purpose: CallPurpose, call: int) -> tuple[float, str]:
    if purpose is CallPurpose.SUMMARY:
        return 3.0, SUMMARY
    return 12.0, f'{{"s":99,"context_needed":"{PACKAGES[(call - 1) % len(PACKAGES)]}"}}'


def breaks_the_contract_late_and_hangs_in_the_repair(purpose: CallPurpose, _call: int) -> tuple[float, str]:
    return (
        (40.0, '{"s":1,"rationale":"tubo de 5" roscado"}Diga "sim"}.')
        if purpose is CallPurpose.AGENT
        else (FOR_EVER, "")
    )


def says_nothing_late_and_hangs_when_asked_again(purpose: CallPurpose, _call: int) -> tuple[float, str]:
    return (40.0, '{"s":1}') if purpose is CallPurpose.AGENT else (FOR_EVER, "")


def hands_over_late_and_hangs_in_the_summary(purpose: CallPurpose, _call: int) -> tuple[float, str]:
    return (44.5, '{"s":6}Vou chamar alguém.') if purpose is CallPurpose.AGENT else (FOR_EVER, "")


def writes_the_summary_slowly(purpose: CallPurpose, _call: int) -> tuple[float, str]:
    return (20.0, '{"s":6}Vou chamar alguém.') if purpose is CallPurpose.AGENT else (19.0, SUMMARY)


EVERY = [
    hangs,
    fails_slowly,
    fails_at_the_last_moment,
    asks_for_packages_slowly,
    breaks_the_contract_late_and_hangs_in_the_repair,
    says_nothing_late_and_hangs_when_asked_again,
    hands_over_late_and_hangs_in_the_summary,
    writes_the_summary_slowly,
]


@pytest.mark.parametrize("messages", [1, 3], ids=["one message", "a burst in one batch"])
@pytest.mark.parametrize("behaves", EVERY, ids=lambda behaves: behaves.__name__)
def test_the_customer_is_told_and_people_have_it_before_the_limit(behaves: Behaviour, messages: int) -> None:
    world = World(statuses=Statuses.BEFORE)
    world.ports["model"] = world.model = SlowModel(world.clock, behaves)  # type: ignore[assignment]
    for number in range(1, messages + 1):
        world.arrives(world.asks(number))
    begun_ms = world.clock.now_ms()
    world.deliver(most=10)
    assert world.clock.now_ms() - begun_ms < FUNCTION_MS, "Lambda would have ended the function"
    assert len(world.arrivals) == 1
    (conversation,) = world.conversations
    assert world.store.head(conversation).mode is Mode.HUMAN
    effects = {effect.kind: effect for effect in world.store.effects(conversation)}
    assert effects[EffectKind.HANDOFF].state is EffectState.DONE
    assert effects[EffectKind.HANDOFF].payload["summary"]["motivo_encerramento"]
    assert effects[EffectKind.NOTIFY].state is EffectState.DONE
    assert world.queue.held == [], "the record was not done"
    world.goes_on(minutes=5)
    assert faults(world, may_double=False) == []


@pytest.mark.parametrize("behaves", EVERY, ids=lambda behaves: behaves.__name__)
def test_the_customer_is_told_before_the_summary_is_begun(behaves: Behaviour) -> None:
    world = World(statuses=Statuses.BEFORE)
    told: list[int] = []

    def noting(purpose: CallPurpose, call: int) -> tuple[float, object]:
        if purpose is CallPurpose.SUMMARY:
            told.append(len(world.arrivals))
        return behaves(purpose, call)

    world.ports["model"] = SlowModel(world.clock, noting)  # type: ignore[arg-type]
    world.arrives(world.asks(1))
    world.deliver()
    assert told in ([], [1])


def test_customers_who_wait_in_one_batch_are_all_told_in_time() -> None:
    """Conversations side by side: one that hangs costs the others nothing."""
    world = World(statuses=Statuses.BEFORE)
    world.ports["model"] = SlowModel(world.clock, lambda _purpose, _call: (4.0, LLMFailure.SERVER_ERROR))
    for customer in range(1, 5):
        world.arrives(world.asks(customer, customer=customer))
    begun_ms = world.clock.now_ms()
    world.deliver(most=10)
    assert world.clock.now_ms() - begun_ms < FUNCTION_MS
    assert len(world.arrivals) == 4
    assert faults(world, may_double=False) == []


class HangingWhatsApp:
    """Takes as long as it may, and says nothing in the end."""

    def __init__(self, world: World) -> None:
        self.world = world

    def mark_read(self, **_about: object) -> None:
        """The courtesy is quick."""

    def send_text(self, *, timeout_seconds: float | None, **_about: object) -> None:
        assert timeout_seconds is not None, "a send without a limit"
        self.world.clock.advance(seconds=timeout_seconds)
        raise SendUncertainError("no answer")


@pytest.mark.parametrize("seconds", [0.7, 20, 44], ids=lambda seconds: f"after {seconds} s of the model")
@pytest.mark.parametrize(
    "says", ['{"s":1}Pode ser.', '{"s":6}Vou chamar alguém.', at_length([1])], ids=["short", "handoff", "two parts"]
)
def test_a_whatsapp_that_hangs_leaves_time_to_write_it_down_and_to_tell_people(says: str, seconds: float) -> None:
    world = World()
    world.ports["sender"] = HangingWhatsApp(world)
    said = {CallPurpose.SUMMARY: (2.0, SUMMARY)}
    world.ports["model"] = SlowModel(world.clock, lambda purpose, _call: said.get(purpose, (seconds, says)))
    world.arrives(world.asks(1))
    begun_ms = world.clock.now_ms()
    world.deliver()
    assert world.clock.now_ms() - begun_ms < FUNCTION_MS
    (conversation,) = world.conversations
    assert world.store.parts(conversation)[0].state is PartState.UNKNOWN
    assert all(effect.state is EffectState.DONE for effect in world.store.effects(conversation))
    world.ports["sender"] = world
    world.numbered = False
    world.goes_on(minutes=10)
    assert faults(world, may_double=False) == []


def test_what_there_is_no_time_to_send_is_left_to_the_sweep_and_not_begun() -> None:
    world = World(statuses=Statuses.BEFORE)
    world.ports["model"] = SlowModel(world.clock, lambda _purpose, _call: (0.5, '{"s":1}Pode ser.'))
    world.store.on_next("commit", lambda: world.clock.advance(seconds=59), when="after")
    world.arrives(world.asks(1))
    world.deliver()
    (conversation,) = world.conversations
    assert (world.arrivals, world.store.parts(conversation)[0].state) == ([], PartState.PENDING)
    world.numbered = False
    world.goes_on(minutes=3)
    assert len(world.arrivals) == 1
    assert faults(world, may_double=False) == []
