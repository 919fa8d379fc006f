"""The only place that knows every adapter. Clients are made once, at init; what few turns need, on first use."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.agents.invoker import AgentInvokerImpl
from core.application.batch_intake import BatchIntake
from core.application.gates import GateKeeper
from core.application.handoff import HandoffService
from core.application.handoff_watch import HandoffWatch
from core.application.outbound import OutboundService
from core.application.outbox_sweep import OutboxSweep
from core.application.ports import AgentInvoker, Clock, ConversationStore, HandoffNotifier, LLMClient, MessageSender
from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.sweep_use_case import SweepUseCase
from core.application.turn_commit import TurnCommitter
from core.config.catalog_file import load_catalog
from core.config.loader import load_settings, secret_source
from core.config.prompt_files import load_prompts
from core.config.secrets import SecretSource
from core.config.settings import Settings
from core.domain.catalog import Catalog
from core.domain.conversation_guard import GuardPolicy
from core.domain.policy import ConversationPolicy
from core.domain.prompts import PromptSet
from core.domain.texts import FixedTexts
from core.integrations.aws_clients import aws_client
from core.integrations.door_factory import build_batch_intake
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.local.clock import SystemClock
from core.integrations.openai_provider.client import OpenAIClient, build_sdk_client
from core.integrations.sqs.record_retries import SqsRecordRetries
from core.integrations.whatsapp.formatter import WhatsAppFormatter

# A raw body on the queue is one conversation's, seldom more.
RAW_BODY_THREADS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """Made once per environment; a use case is made per invocation, because its sender's connections live that long."""

    settings: Settings
    store: ConversationStore
    retries: SqsRecordRetries
    batches: BatchIntake
    llm: LLMClient
    invoker: AgentInvoker
    notifier: HandoffNotifier | None
    clock: Clock
    catalog: Catalog
    prompts: PromptSet
    secrets: SecretSource
    fingerprints: Mapping[str, str]

    @contextmanager
    def sender(self) -> Iterator[MessageSender]:
        """Fresh connections: a keep-alive socket that died while frozen looks like a send that may have arrived."""
        whatsapp = self.settings.whatsapp
        if not whatsapp.enabled:
            from core.integrations.local.console_sender import ConsoleSender

            yield ConsoleSender()
            return
        from core.integrations.whatsapp.cloud_api_sender import CloudApiSender

        sender = CloudApiSender(
            base_url=whatsapp.api_base_url,
            api_version=whatsapp.api_version,
            token=self._access_token,
            new_client=_http_clients(),
        )
        try:
            yield sender
        finally:
            sender.close()

    def use_case(self, sender: MessageSender) -> ProcessMessageUseCase:
        """The turn, wired."""
        return wire_use_case(
            settings=self.settings,
            store=self.store,
            llm=self.llm,
            invoker=self.invoker,
            sender=sender,
            notifier=self.notifier,
            clock=self.clock,
            catalog=self.catalog,
            prompts=self.prompts,
            fingerprints=self.fingerprints,
        )

    def sweep(self, sender: MessageSender) -> SweepUseCase:
        """The schedule's work, over the same turn."""
        return wire_sweep(
            self.use_case(sender),
            store=self.store,
            clock=self.clock,
            policy=self.settings.conversation,
            texts=self.prompts.texts,
        )

    def _access_token(self, refetch: bool) -> str:
        read = self.secrets.refresh if refetch else self.secrets.get
        return read("WHATSAPP_ACCESS_TOKEN")


@cache
def _http_clients() -> Callable[[], Any]:
    """The TLS context is slow to build and safe to keep; connections are neither."""
    from core.integrations.whatsapp.deadline_client import DeadlineClients

    return DeadlineClients()


def build_dependencies(environ: Mapping[str, str] | None = None) -> Dependencies:
    """Raises `RuntimeError` listing every setting, catalogue entry or prompt that is wrong or missing."""
    environ = os.environ if environ is None else environ
    secrets = secret_source(environ)
    settings = load_settings(environ, secrets=secrets)
    catalog, prompts = load_catalog(Path(settings.prompts_dir) / "catalog.toml"), load_prompts(settings.prompts_dir)
    clock = SystemClock()
    policy = settings.conversation
    store = DynamoConversationStore(
        aws_client("dynamodb"), table_name=settings.table_name, retention_days=policy.retention_days, clock=clock
    )
    models = settings.models
    llm = OpenAIClient(
        build_sdk_client(api_key=models.api_key, base_url=models.base_url, timeout_seconds=models.timeout_seconds),
        timeout_seconds=models.timeout_seconds,
        retry_max=models.retry_max,
        reasoning_effort=models.reasoning_effort,
        max_output_tokens=models.max_output_tokens,
    )
    return Dependencies(
        settings=settings,
        store=store,
        retries=SqsRecordRetries(lambda: aws_client("sqs"), settings.queue_url),
        batches=build_batch_intake(settings, store=store, clock=clock, threads=RAW_BODY_THREADS),
        llm=llm,
        invoker=AgentInvokerImpl(llm=llm, prompts=prompts, catalog=catalog, models=models),
        notifier=None,
        clock=clock,
        catalog=catalog,
        prompts=prompts,
        secrets=secrets,
        fingerprints=fingerprints_of(settings, prompts, environ),
    )


def wire_use_case(
    *,
    settings: Settings,
    store: ConversationStore,
    llm: LLMClient,
    invoker: AgentInvoker,
    sender: MessageSender,
    notifier: HandoffNotifier | None,
    clock: Clock,
    catalog: Catalog,
    prompts: PromptSet,
    fingerprints: Mapping[str, str],
) -> ProcessMessageUseCase:
    """The turn over any set of ports: the real ones in Lambda, fakes in tests and benchmarks."""
    policy = settings.conversation
    handoffs = HandoffService(
        store=store,
        llm=llm,
        notifier=notifier,
        clock=clock,
        catalog=catalog,
        texts=prompts.texts,
        enabled=policy.handoff_enabled,
        summary_model=settings.models.model_summary,
        summary_instructions=prompts.summary,
        price_of=prompts.price,
    )
    return ProcessMessageUseCase(
        store=store,
        invoker=invoker,
        llm=llm,
        outbound=OutboundService(
            store=store, sender=sender, clock=clock, unknown_seconds=policy.outbox_unknown_seconds
        ),
        handoffs=handoffs,
        gates=GateKeeper(
            policy=policy,
            guard_policy=GuardPolicy(
                neutral_words=frozenset(catalog.neutral_words), handoff_available=policy.handoff_enabled
            ),
            texts=prompts.texts,
        ),
        committer=TurnCommitter(
            store=store,
            formatter=WhatsAppFormatter(),
            handoffs=handoffs,
            clock=clock,
            policy=policy,
            fingerprints=fingerprints,
        ),
        clock=clock,
        catalog=catalog,
        policy=policy,
        price_of=prompts.price,
        repair_model=settings.models.model_summary,
        repair_instructions=prompts.repair,
    )


def wire_sweep(
    turns: ProcessMessageUseCase,
    *,
    store: ConversationStore,
    clock: Clock,
    policy: ConversationPolicy,
    texts: FixedTexts,
) -> SweepUseCase:
    """The schedule's work around a wired turn."""
    outbox = OutboxSweep(
        store=store, outbound=turns.outbound, clock=clock, unknown_seconds=policy.outbox_unknown_seconds
    )
    watch = HandoffWatch(
        store=store,
        outbound=turns.outbound,
        handoffs=turns.handoffs,
        formatter=turns.committer.formatter,
        clock=clock,
        policy=policy,
        texts=texts,
    )
    return SweepUseCase(store=store, turns=turns, outbox=outbox, handoffs=watch, clock=clock)


def fingerprints_of(settings: Settings, prompts: PromptSet, environ: Mapping[str, str]) -> Mapping[str, str]:
    """What a turn ran with: hashes of prompts, catalogue and settings (no secrets), and the code's version."""
    plain: dict[str, Any] = {"conversation": asdict(settings.conversation), "models": asdict(settings.models)}
    plain["models"].pop("api_key")
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:12]
    return {**prompts.fingerprints, "settings": digest, "code": environ.get("CODE_VERSION", "unversioned")}
