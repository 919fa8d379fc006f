"""What an outage leaves behind is gone within minutes, customers first, and nothing keeps the rest from its turn."""

from __future__ import annotations

import json
import logging
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from core.application.ports import SentMessage
from core.application.sweep_use_case import SweepResult
from core.domain.conversation import EffectKind, EffectState, Mode
from core.domain.deadline import Deadline
from core.domain.delivery import PartState, SendFailure
from core.domain.errors import IntegrationError, SendRefusedError
from core.domain.handoff import HandoffReason
from core.domain.messages import Sender
from core.integrations.wiring.sweep import wire_sweep
from handlers.sweep import MAX_THREADS
from tests.desk import FUNCTION_MS, Desk
from tests.fakes.conversation_store import FakeConversationStore
from tests.fakes.llm_client import FakeLLMClient
from tests.fakes.message_sender import FakeMessageSender
from tests.fakes.simulated_pool import SharedClock, SimulatedPool

EVERY_MS = 60_000  # the schedule, template.yaml
REQUEST_MS, SEND_MS, MODEL_MS = 10, 300, 3_000
SUMMARY = json.dumps({"resumo_texto": "Quer instalar um split."})
LONG = '{"s":1}' + "\n\n".join(f"Passo {n}. " + "Os cuidados são estes, com calma. " * 6 for n in range(24))


class SlowStore(FakeConversationStore):
    """Each request takes its time."""

    def _note_request(self, method: str) -> None:
        super()._note_request(method)
        self._spend()

    def _spend(self) -> None:
        if isinstance(self._clock, SharedClock):
            self._clock.advance(REQUEST_MS)


class SlowSender(FakeMessageSender):
    """Each send takes its time; while `refused`, none is taken."""

    def __init__(self, clock: SharedClock) -> None:
        super().__init__()
        self.clock = clock
        self.refused: SendFailure | None = None
        self.sent_at_ms: list[int] = []

    def send_text(self, **message: Any) -> SentMessage:
        self.clock.advance(SEND_MS)
        if self.refused is not None:
            self.calls += 1
            raise SendRefusedError("refused", failure=self.refused, code=190)
        taken = super().send_text(**message)
        self.sent_at_ms.append(self.clock.now_ms())
        return taken


class SlowModel(FakeLLMClient):
    """Each summary takes its time."""

    def __init__(self, clock: SharedClock) -> None:
        super().__init__()
        self.clock = clock
        self.asked_at_ms: list[int] = []

    def chat(self, **call: Any) -> Any:
        self.asked_at_ms.append(self.clock.now_ms())
        self.clock.advance(MODEL_MS)
        self.script(SUMMARY)
        return super().chat(**call)


@dataclass
class Hall:
    """Many customers of one desk, and the schedule."""

    desk: Desk = field(default_factory=Desk)
    customers: int = 0
    runs: list[SweepResult] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = SharedClock()
        self.store = SlowStore(self.clock)
        self.sender = SlowSender(self.clock)
        self.model = SlowModel(self.clock)
        desk = self.desk
        desk.clock, desk.store, desk.sender, desk.llm = self.clock, self.store, self.sender, self.model
        desk.intake = replace(desk.intake, store=self.store, clock=self.clock)

    def somebody_writes(self) -> str:
        """A new customer; the conversation."""
        self.customers += 1
        sender = Sender(phone=f"551198{self.customers:07d}")
        pointer = self.desk.record(self.desk.message("oi", sender=sender))
        self.desk.last_pointer = pointer
        return pointer.conversation

    def is_answered(self, reply: str) -> str:
        """A new customer, whose turn is run."""
        self.desk.agent.script(reply)
        conversation = self.somebody_writes()
        self.desk.process(self.desk.last_pointer)
        return conversation

    def are_answered(self, customers: int, reply: str) -> list[str]:
        """Many customers whose turns ended alike."""
        first = self.is_answered(reply)
        stands = self.store.read(first)
        others = [f"{number:032x}" for number in range(1, customers)]
        for conversation in others:
            self.store.lay(replace(stands, conversation=conversation))
        return [first, *others]

    def sweeps(self, *, minutes: int) -> None:
        """The schedule, a run a minute; each lasts as long as it lasts, and none longer than its function."""
        for _ in range(minutes):
            began_ms = self.clock.now_ms()
            self.runs.append(self.run(SimulatedPool(self.clock, MAX_THREADS)))
            assert self.clock.now_ms() - began_ms <= FUNCTION_MS
            self.clock.put_to(began_ms + EVERY_MS)

    def run(self, executor: Executor) -> SweepResult:
        """One run of the sweep function."""
        deadline = Deadline(now_ms=self.clock.now_ms, ends_at_ms=self.clock.now_ms() + FUNCTION_MS)
        return wire_sweep(
            self.desk.use_case(),
            store=self.store,
            clock=self.clock,
            policy=self.desk.policy,
            texts=self.desk.prompts.texts,
            executor=executor,
        ).execute(deadline=deadline)


def test_a_thousand_parts_and_a_thousand_overdue_customers_are_done_within_five_minutes() -> None:
    hall = Hall()
    hall.sender.refused = SendFailure.AUTH
    waiting = hall.are_answered(1000, '{"s":1}Olá!')
    neglected = [hall.somebody_writes() for _ in range(1000)]
    hall.sender.refused = None
    hall.clock.advance(minutes=15)
    began_ms = hall.clock.now_ms()

    hall.sweeps(minutes=5)

    done_ms = max(*hall.sender.sent_at_ms, hall.model.asked_at_ms[-1] + MODEL_MS) - began_ms
    assert done_ms <= 300_000
    assert all(part.state is PartState.SENT for each in waiting for part in hall.store.parts(each))
    assert all(hall.store.head(each).mode is Mode.HUMAN for each in neglected)
    cards = [effect for each in neglected for effect in hall.store.effects(each) if effect.kind is EffectKind.HANDOFF]
    assert len(cards) == 1000
    assert {(card.state, card.payload["summary"]["resumo_texto"]) for card in cards} == {
        (EffectState.DONE, "Quer instalar um split.")
    }
    assert len(hall.sender.arrived) == len({message.callback for message in hall.sender.arrived}) == 2000
    assert hall.store.due(now_ms=hall.clock.now_ms()) == ()


def test_no_summary_is_written_while_a_customer_waits_for_a_text() -> None:
    hall = Hall()
    for _ in range(200):
        hall.somebody_writes()
    hall.clock.advance(minutes=11)

    hall.sweeps(minutes=1)

    assert max(hall.sender.sent_at_ms) <= min(hall.model.asked_at_ms)


def test_two_part_answers_that_a_refused_token_held_back_are_sent_within_minutes_once_it_works() -> None:
    hall = Hall()
    hall.sender.refused = SendFailure.AUTH
    waiting = hall.are_answered(100, LONG)
    assert {len(hall.store.parts(each)) for each in waiting} == {2}
    hall.sweeps(minutes=5)
    assert [run.done for run in hall.runs] == [0] * 5
    hall.sender.refused = None

    hall.sweeps(minutes=6)

    assert [message.text for message in hall.sender.arrived].count(hall.store.parts(waiting[0])[1].text) == 100
    assert {part.state for each in waiting for part in hall.store.parts(each)} == {PartState.SENT}
    assert len(hall.sender.arrived) == 200


def test_a_part_behind_another_is_due_to_nobody_before_it_is_settled() -> None:
    hall = Hall()
    hall.sender.refused = SendFailure.AUTH
    conversation = hall.is_answered(LONG)

    first, second = hall.store.parts(conversation)

    assert (first.due_ms is not None, second.due_ms) == (True, None)


def test_items_that_fail_every_time_keep_no_other_from_its_turn(caplog: pytest.LogCaptureFixture) -> None:
    hall = Hall()
    broken = {hall.somebody_writes() for _ in range(3000)}
    hall.clock.advance(minutes=2)
    fine = hall.somebody_writes()
    hall.clock.advance(minutes=11)
    read = hall.store.read

    def fails(conversation: str, **options: Any) -> Any:
        if conversation in broken:
            hall.clock.advance(seconds=2)
            raise IntegrationError("DynamoDB Query: ThrottlingException")
        return read(conversation, **options)

    hall.store.read = fails  # type: ignore[method-assign]

    with caplog.at_level(logging.CRITICAL):
        hall.sweeps(minutes=8)

    assert hall.store.head(fine).mode is Mode.HUMAN
    assert all(run.left for run in hall.runs[:2])


def test_a_run_says_what_it_left_and_what_it_could_do_nothing_about() -> None:
    hall = Hall()
    hall.sender.refused = SendFailure.AUTH
    hall.somebody_writes()
    hall.clock.advance(minutes=6)
    hall.is_answered('{"s":1}Olá!')
    hall.clock.advance(minutes=6)

    refused = hall.run(SimulatedPool(hall.clock, 1))

    assert (refused.seen, refused.postponed, refused.left) == (3, 1, 0)
    assert refused.done == 2  # handed over, though the text waits; and its card


def test_conversations_are_worked_on_at_once_and_the_items_of_one_in_turn() -> None:
    hall = Hall()
    meeting = threading.Barrier(2, timeout=30)
    for _ in range(2):
        hall.somebody_writes()
    hall.clock.advance(minutes=11)
    commit = hall.store.commit

    def waits_for_the_other(what: Any) -> None:
        meeting.wait()
        commit(what)

    hall.store.commit = waits_for_the_other  # type: ignore[method-assign]

    with ThreadPoolExecutor(max_workers=2) as pool:
        result = hall.run(pool)

    assert (result.failed, result.left, len(hall.sender.arrived)) == (0, 0, 2)
    assert hall.sender.texts == [hall.desk.fixed_text(HandoffReason.INTERNAL_ERROR)] * 2
