"""What outlives a process: the table, the queue, WhatsApp, the model, the people, the provider, and the time."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar

from core.application.intake.inbound_batch import WebhookBatch
from core.application.ports import SentMessage
from core.domain.conversation import InboundRecord, Mode
from core.domain.delivery import DeliveryStatus
from core.domain.messages import InboundMessage, MessageKind, Sender
from core.domain.part_callback import read_callback
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import conversation_of, pk_of
from tests.desk import PHONE_NUMBER_ID
from tests.fakes.clock import FakeClock
from tests.fakes.conversation_store import FakeConversationStore
from tests.fakes.erp import FakeErp
from tests.fakes.message_sender import FakeMessageSender
from tests.faults.doors import run_process, run_sweep, run_webhook
from tests.faults.model import Agent, PlayedModel, plainly, question
from tests.faults.outside import Call, Line
from tests.faults.queue import Queue

SEND_MS = 60
TICK_SECONDS = 20

T = TypeVar("T")
# How a piece of work is run: plainly, killed, failing. None: it did not come to its end.
Run = Callable[["World", Callable[[Line, FakeClock], T]], "T | None"]
# What stands between a process and the outside for a while.
Disturbance = Callable[[Call, Line], Any]


class Statuses(StrEnum):
    """When WhatsApp reports what arrived."""

    AFTER = "after"  # soon after the send
    BEFORE = "before"  # before the send's own answer
    LATE = "late"  # when it pleases
    WITHHELD = "withheld"  # never


# One after another, for what does not depend on their moment.
REPORTS = (Statuses.AFTER, Statuses.BEFORE, Statuses.WITHHELD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A message on the customer's phone."""

    at_ms: int
    conversation: str
    sk: str
    attempt: int
    text: str


@dataclass
class World:
    """Holds all state, so that a process can die at any moment and take nothing with it.

    `numbered`: its model names the questions that it answers.
    """

    agent: Agent = plainly
    statuses: Statuses = Statuses.AFTER
    fifo: bool = True
    policy: ConversationPolicy = field(default_factory=ConversationPolicy)
    numbered: bool = True

    def __post_init__(self) -> None:
        self.clock = FakeClock()
        self.store = FakeConversationStore(self.clock)
        self.queue = Queue(self.clock, fifo=self.fifo)
        self.sender = FakeMessageSender()
        self.erp = FakeErp()
        self.model = PlayedModel(self.clock, self.agent)
        self.arrivals: list[Arrival] = []
        self.taken_over: set[str] = set()
        self.handed_back: set[str] = set()
        self.bsuid: str | None = None
        self.notices: list[tuple[str, dict[str, Any]]] = []
        self.told_at_ms: list[int] = []
        self.asked: dict[int, InboundMessage] = {}
        self.disturbance: Disturbance | None = None
        self.starts_from_ms = 0
        self._reported = 0
        self._provider_ids = itertools.count(1)
        self._lock = threading.RLock()
        self.ports: dict[str, Any] = {
            "store": self.store,
            "queue": self.queue,
            "model": self.model,
            "sender": self,
            "notifier": self,
            "erp": self.erp,
        }

    def answer(self, call: Call) -> Any:
        """The line's other end."""
        with self._lock:
            return self._answer(call) if self.disturbance is None else self.disturbance(call, self._answer)

    def _answer(self, call: Call) -> Any:
        return getattr(self.ports[call.port], call.method)(*call.args, **call.kwargs)

    # The outside that is the world's own

    def send_text(self, *, callback: str, text: str, **rest: Any) -> SentMessage:
        self.clock.advance(SEND_MS)
        taken = self.sender.send_text(callback=callback, text=text, **rest)
        address = read_callback(callback)
        assert address is not None, callback
        conversation, sk, attempt = address
        self.arrivals.append(
            Arrival(at_ms=self.clock.now_ms(), conversation=conversation, sk=sk, attempt=attempt, text=text)
        )
        if self.statuses is Statuses.BEFORE:
            self.report()
        return taken

    def mark_read(self, **about: Any) -> None:
        self.sender.mark_read(**about)

    def notify(self, *, conversation: str, reason: str, payload: dict[str, Any]) -> None:
        self.notices.append((conversation, {"reason": reason, **payload}))
        self.told_at_ms.append(self.clock.now_ms())

    # What happens in it

    def asks(self, number: int, *, customer: int = 1, **changes: Any) -> InboundMessage:
        """A customer's question, on its way to the webhook."""
        message = InboundMessage(
            provider_id=f"wamid.{next(self._provider_ids):04d}",
            kind=MessageKind.TEXT,
            sender=Sender(phone=f"55119800010{customer:02d}", bsuid=self.bsuid),
            phone_number_id=PHONE_NUMBER_ID,
            sent_at_ms=self.clock.now_ms() // 1000 * 1000,
            text=question(number),
        )
        message = self.asked[number] = replace(message, **changes)
        return message

    def arrives(self, *messages: InboundMessage) -> None:
        """At the webhook, which does its work."""
        receipt = self.webhook(*messages)
        assert receipt is not None
        assert receipt.failed == 0

    def webhook(self, *messages: InboundMessage, run: Run[Any] | None = None) -> Any:
        """A body at the webhook function; None when it died."""
        batch = WebhookBatch(messages=messages)
        return self._run(run, lambda line, clock: run_webhook(batch, line, clock, policy=self.policy))

    def deliver(self, *, run: Run[set[str]] | None = None, most: int = 1) -> bool:
        """One invocation of the process function with what the queue has; False when it has nothing."""
        batch = self.queue.receive(most)
        if not batch:
            return False
        event = {"Records": [held.record(fifo=self.fifo) for held in batch]}
        starts = self.clock.now_ms() >= self.starts_from_ms
        failed = self._run(run, lambda line, clock: run_process(event, line, clock, policy=self.policy, starts=starts))
        if failed is not None:
            self.queue.done({held.id for held in batch} - failed)
        return True

    def sweep(self, *, run: Run[Any] | None = None) -> None:
        """One invocation of the sweep function."""
        self._run(run, lambda line, clock: run_sweep(line, clock, policy=self.policy))

    def report(self) -> None:
        """WhatsApp's statuses for what arrived since the last report."""
        if self.statuses is Statuses.WITHHELD:
            return
        fresh, self._reported = self.sender.arrived[self._reported :], len(self.sender.arrived)
        statuses = tuple(
            DeliveryStatus(
                provider_id=message.provider_id,
                status="delivered",
                at_ms=self.clock.now_ms(),
                phone_number_id=PHONE_NUMBER_ID,
                callback=message.callback,
            )
            for message in fresh
        )
        if statuses:
            batch = WebhookBatch(statuses=statuses)
            run_webhook(batch, self.answer, self.clock, policy=self.policy)

    def goes_on(self, *, minutes: float = 20, most: int = 1, tick_seconds: int = TICK_SECONDS) -> None:
        """Time passes: the queue is polled, statuses come, the schedule runs once a minute. Nothing new fails."""
        for tick in range(round(minutes * 60 / tick_seconds)):
            self.report()
            while self.queue.waiting:
                self.deliver(most=most)
            if tick % (60 // tick_seconds) == 0 and self.store.due(now_ms=self.clock.now_ms()):
                self.sweep()
            self.clock.advance(seconds=tick_seconds)
        self.report()

    def people_take_over(self, conversation: str) -> None:
        """A person answers from now on."""
        head, now_ms = self.store.head(conversation), self.clock.now_ms()
        human = replace(head, mode=Mode.HUMAN, handoff_since_ms=now_ms, handoff_acknowledged=True, due_ms=None)
        if self.store.update_head(conversation, seen=head, head=human):
            self.taken_over.add(conversation)

    def people_hand_back(self, conversation: str) -> None:
        """The bot answers the next message."""
        head = self.store.head(conversation)
        bot = replace(
            head, mode=Mode.BOT, handoff_reason=None, handoff_since_ms=None, handoff_acknowledged=False, due_ms=None
        )
        if self.store.update_head(conversation, seen=head, head=bot):
            self.handed_back.add(conversation)

    # What can be seen

    @property
    def conversations(self) -> tuple[str, ...]:
        keys = {pk for pk, _ in self.store._items}
        return tuple(sorted(conversation_of(pk) for pk in keys if pk == pk_of(conversation_of(pk))))

    def inbound_of(self, number: int) -> InboundRecord:
        """The record of a question."""
        provider_id = self.asked[number].provider_id
        records = (record for conversation in self.conversations for record in self.store.inbounds(conversation))
        return next(record for record in records if record.message.provider_id == provider_id)

    def _run(self, run: Run[T] | None, work: Callable[[Line, FakeClock], T]) -> T | None:
        return work(self.answer, self.clock) if run is None else run(self, work)
