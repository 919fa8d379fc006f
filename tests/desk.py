"""A whole desk in memory: the real use case, wired as in production, over the fakes. Tests speak as its customer."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from core.application.intake.record_message import Intake
from core.application.ports import Erp
from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.spend_meter import SpendMeter
from core.application.sweep_use_case import Attempt, SweepResult
from core.application.turn.decision import TurnResult
from core.config.settings import ModelSettings, Settings, WhatsAppSettings
from core.domain.conversation import ConversationState, Head
from core.domain.deadline import Deadline
from core.domain.delivery import DeliveryStatus, OutboundPart
from core.domain.handoff import HandoffReason
from core.domain.ledger import TurnRecord
from core.domain.messages import InboundMessage, InboundPointer, MessageKind, Sender
from core.domain.part_callback import read_callback
from core.domain.policy import ConversationPolicy
from core.integrations.wiring.sweep import wire_sweep
from core.integrations.wiring.turn import wire_use_case
from tests.fakes.agent_invoker import FakeAgentInvoker
from tests.fakes.at_once import AtOnce
from tests.fakes.clock import FakeClock
from tests.fakes.conversation_store import FakeConversationStore
from tests.fakes.llm_client import FakeLLMClient
from tests.fakes.message_sender import ArrivedMessage, FakeMessageSender
from tests.fakes.spend_counter import FakeSpendCounter
from tests.neutral_company import COMPANY, PROMPTS_DIR, catalog, prompts
from tests.shipped_companies import CompanyFiles

PHONE_NUMBER_ID = "330000000000982"
CUSTOMER = Sender(phone="5511980000101", bsuid="BR.7100000000000101", name="Lara Quintela")
FUNCTION_MS = 60_000


class Desk:
    """`agent` says what the agent answers, `llm` what repairs and summaries answer; `sender` holds what arrived.

    The company is the tests' own one unless another is given.
    """

    def __init__(
        self,
        *replies: str | Exception,
        policy: ConversationPolicy | None = None,
        company: CompanyFiles | None = None,
    ) -> None:
        self.catalog = company.catalog if company else catalog()
        self.prompts = company.prompts if company else prompts()
        self.clock = FakeClock()
        self.store = FakeConversationStore(self.clock)
        self.sender = FakeMessageSender()
        self.agent = FakeAgentInvoker(*replies)
        self.llm = FakeLLMClient()
        self.policy = policy or ConversationPolicy()
        self.settings = Settings(
            table_name="balcao",
            queue_url="",
            identity_key="chave-de-teste",
            prompts_dir=str(PROMPTS_DIR),
            company=COMPANY,
            models=ModelSettings(api_key="sk-test"),
            whatsapp=WhatsAppSettings(phone_number_id=PHONE_NUMBER_ID),
            conversation=self.policy,
        )
        self.intake = Intake(
            store=self.store,
            clock=self.clock,
            identity_key=self.settings.identity_key,
            phone_number_id=PHONE_NUMBER_ID,
            stale_after_seconds=self.policy.stale_after_seconds,
        )
        self.invoker: Any = self.agent
        self.fingerprints: Mapping[str, str] = {"code": "test"}
        self.counter = FakeSpendCounter()
        self.meter = SpendMeter(
            counter=self.counter, clock=self.clock, cap_micro_usd=self.policy.spend_per_hour_micro_usd
        )
        self.beside: Executor | None = None
        self.erp: Erp | None = None
        self._ids = itertools.count(1)

    # What the customer does

    def message(self, text: str = "", *, kind: MessageKind = MessageKind.TEXT, **changes: Any) -> InboundMessage:
        """A message as the webhook would normalise it, sent now."""
        message = InboundMessage(
            provider_id=f"wamid.{next(self._ids):04d}",
            kind=kind,
            sender=CUSTOMER,
            phone_number_id=PHONE_NUMBER_ID,
            sent_at_ms=self.clock.now_ms() // 1000 * 1000,
            text=text,
        )
        return replace(message, **changes)

    def record(self, message: InboundMessage) -> InboundPointer:
        """What the webhook door does."""
        pointer = self.intake.record(message)
        assert pointer is not None
        return pointer

    def says(self, text: str, **changes: Any) -> TurnResult:
        """The customer writes, and the turn runs."""
        pointer = self.record(self.message(text, **changes))
        return self.process(pointer)

    def keeps_failing(self, pointer: InboundPointer, kind: str) -> None:
        """Two turns of what is pending failed, and two minutes have passed."""
        for _ in range(2):
            self.store.note_failure(pointer.conversation, kind=kind)
        self.clock.advance(seconds=121)

    def process(self, pointer: InboundPointer, *, function_ms: int = FUNCTION_MS) -> TurnResult:
        """What the process door does with one record; afterwards some time has passed."""
        deadline = Deadline(now_ms=self.clock.now_ms, ends_at_ms=self.clock.now_ms() + function_ms)
        result = self.use_case().execute(pointer, deadline=deadline)
        self.last_pointer = pointer
        self.clock.advance(seconds=5)
        return result

    def sweep(self, *, deadline: Deadline | None = None, attempt: Attempt | None = None) -> SweepResult:
        """What the schedule does once."""
        deadline = deadline or Deadline(now_ms=self.clock.now_ms, ends_at_ms=self.clock.now_ms() + FUNCTION_MS)
        turns = self.use_case()
        return wire_sweep(
            turns,
            store=self.store,
            clock=self.clock,
            policy=self.policy,
            texts=self.prompts.texts,
            executor=AtOnce(),
        ).execute(deadline=deadline, attempt=attempt)

    def status_arrives(self, name: str) -> None:
        """WhatsApp reports what became of the last message that it took, as the webhook door writes it down."""
        self.status_of(self.sender.arrived[-1], name)

    def status_of(self, message: ArrivedMessage, name: str) -> None:
        """The same of any message."""
        address = read_callback(message.callback)
        assert address is not None
        conversation, sk, attempt = address
        status = DeliveryStatus(
            provider_id=message.provider_id,
            status=name,
            at_ms=self.clock.now_ms(),
            phone_number_id=PHONE_NUMBER_ID,
            callback=message.callback,
        )
        self.store.apply_status(status, conversation=conversation, sk=sk, attempt=attempt)

    def another_customer(self) -> Sender:
        """Somebody else."""
        return Sender(phone=f"551198001{next(self._ids):04d}")

    def use_case(self) -> ProcessMessageUseCase:
        """The real one."""
        return wire_use_case(
            settings=self.settings,
            store=self.store,
            llm=self.llm,
            invoker=self.invoker,
            sender=self.sender,
            notifier=None,
            clock=self.clock,
            catalog=self.catalog,
            prompts=self.prompts,
            fingerprints=self.fingerprints,
            meter=self.meter,
            beside=self.beside,
            erp=self.erp,
        )

    # What can be seen afterwards

    @property
    def conversation(self) -> str:
        return self.last_pointer.conversation

    @property
    def replies(self) -> list[str]:
        """What the customer has read, in order."""
        return self.sender.texts

    @property
    def head(self) -> Head:
        return self.store.read(self.conversation).head

    @property
    def state(self) -> ConversationState:
        return self.store.read(self.conversation).state

    @property
    def parts(self) -> Sequence[OutboundPart]:
        return self.store.parts(self.conversation)

    @property
    def turns(self) -> Sequence[TurnRecord]:
        return self.store.turns(self.conversation)

    @property
    def last_turn(self) -> TurnRecord:
        return self.turns[-1]

    def fixed_text(self, reason: HandoffReason, *, open_now: bool = True) -> str:
        """The company's text for a handoff."""
        return self.prompts.texts.for_handoff(reason, open_now=open_now, enabled=self.policy.handoff_enabled)
