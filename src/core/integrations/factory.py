"""The only place that knows every adapter. Clients are made once, at init; what few turns need, on first use."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from core.agents.invoker import AgentInvokerImpl
from core.application.intake.take_batch import BatchIntake
from core.application.ports import (
    AgentInvoker,
    AttendedStore,
    Clock,
    Erp,
    HandoffNotifier,
    LLMClient,
    MessageSender,
    RecordRetries,
)
from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.spend_meter import SpendMeter
from core.config.catalog_file import CATALOG_FILE, load_catalog
from core.config.loader import load_settings
from core.config.prompt_files import company_folder, load_prompts
from core.config.secrets import SecretSource
from core.config.settings import Settings
from core.config.spend_caps import unpriced_models
from core.domain.catalogue.catalog import Catalog
from core.domain.prompts import PromptSet
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.dynamodb.spend_counter import DynamoSpendCounter
from core.integrations.sqs.record_retries import SqsRecordRetries
from core.integrations.system.clock import SystemClock
from core.integrations.wiring.aws_clients import dynamodb_client, secret_source, sns_client, sqs_client
from core.integrations.wiring.channel import build_voice_notes, open_sender
from core.integrations.wiring.erp import build_erp
from core.integrations.wiring.intake import build_batch_intake
from core.integrations.wiring.models import build_llm, key_reader
from core.integrations.wiring.people import PeopleWhoKnow
from core.integrations.wiring.turn import wire_use_case

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from core.application.sweep_use_case import SweepUseCase

_log = logging.getLogger(__name__)

# A raw body on the queue is one conversation's, seldom more.
RAW_BODY_THREADS = 4
# As many turns as a sweep does at once: each shows its customer that it is at work.
SIDE_THREADS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """Made once per environment; a use case is made per invocation, because its sender's connections live that long.

    `beside` runs what a turn does not wait for; without it the turn does that itself.
    """

    settings: Settings
    store: AttendedStore
    retries: RecordRetries
    batches: BatchIntake
    llm: LLMClient
    invoker: AgentInvoker
    notifier: HandoffNotifier | None
    clock: Clock
    meter: SpendMeter
    catalog: Catalog
    prompts: PromptSet
    secrets: SecretSource
    fingerprints: Mapping[str, str]
    beside: Executor | None = None
    people: PeopleWhoKnow | None = None
    erp: Erp | None = None

    def sender(self) -> AbstractContextManager[MessageSender]:
        """For one invocation: see `open_sender`."""
        return open_sender(self.settings.whatsapp, self._access_token)

    def use_case(self, sender: MessageSender) -> ProcessMessageUseCase:
        """The turn, wired."""
        return wire_use_case(
            settings=self.people.settings() if self.people else self.settings,
            store=self.store,
            llm=self.llm,
            invoker=self.invoker,
            sender=sender,
            notifier=self.notifier,
            clock=self.clock,
            meter=self.meter,
            catalog=self.catalog,
            prompts=self.prompts,
            fingerprints=self.fingerprints,
            voice_notes=build_voice_notes(self.settings, self._access_token, reread_key=key_reader(self.secrets)),
            beside=self.beside,
            erp=self.erp,
        )

    def sweep(self, sender: MessageSender, executor: Executor) -> SweepUseCase:
        """The schedule's work, over the same turn. Only the sweep function has the parts of it imported."""
        from core.integrations.wiring.sweep import wire_sweep

        return wire_sweep(
            self.use_case(sender),
            store=self.store,
            clock=self.clock,
            policy=self.settings.conversation,
            texts=self.prompts.texts,
            executor=executor,
        )

    def _access_token(self, refetch: bool) -> str:
        read = self.secrets.refresh if refetch else self.secrets.get
        return read("WHATSAPP_ACCESS_TOKEN")


def build_dependencies(
    environ: Mapping[str, str] | None = None, *, table_client: DynamoDBClient | None = None
) -> Dependencies:
    """`table_client` stands in for the one that AWS's own variables would give.

    Raises `RuntimeError` listing every wrong setting, else `CatalogFileError` or `PromptFilesError` likewise, else
    `RuntimeError` for a cap on money over models without a price.
    """
    environ = os.environ if environ is None else environ
    secrets = secret_source(environ)
    settings = load_settings(environ, secrets=secrets)
    company_dir = company_folder(settings.prompts_dir, settings.company)
    catalog = load_catalog(company_dir / CATALOG_FILE)
    prompts = load_prompts(settings.prompts_dir, company_dir, catalog)
    _check_prices(settings, prompts)
    clock = SystemClock()
    policy = settings.conversation
    table = table_client or dynamodb_client()
    store = DynamoConversationStore(
        table,
        table_name=settings.table_name,
        retention_days=policy.retention_days,
        clock=clock,
    )
    _log.info("systems_beside", extra={"egestor": "on" if settings.egestor else "off"})
    llm = build_llm(settings.models, secrets)
    return Dependencies(
        settings=settings,
        store=store,
        retries=SqsRecordRetries(sqs_client, settings.queue_url),
        batches=build_batch_intake(settings, store=store, clock=clock, threads=RAW_BODY_THREADS),
        llm=llm,
        invoker=AgentInvokerImpl(llm=llm, prompts=prompts, catalog=catalog, models=settings.models),
        notifier=_notifier(settings),
        clock=clock,
        meter=SpendMeter(
            counter=DynamoSpendCounter(table, table_name=settings.table_name),
            clock=clock,
            cap_micro_usd=policy.spend_per_hour_micro_usd,
        ),
        catalog=catalog,
        prompts=prompts,
        secrets=secrets,
        people=PeopleWhoKnow(settings, secrets),
        fingerprints=fingerprints_of(settings, prompts, environ),
        # its threads are started by the first turn
        beside=ThreadPoolExecutor(max_workers=SIDE_THREADS, thread_name_prefix="beside"),
        erp=build_erp(settings.egestor, secrets),
    )


def record_retries(environ: Mapping[str, str] | None = None) -> RecordRetries:
    """What a start-up that failed still has: it asks for no secret and no file."""
    environ = os.environ if environ is None else environ
    return SqsRecordRetries(sqs_client, environ.get("QUEUE_URL", ""))


def _check_prices(settings: Settings, prompts: PromptSet) -> None:
    if faults := list(unpriced_models(settings.models, settings.conversation, prompts.prices)):
        raise RuntimeError("settings that do not work:\n" + "\n".join(f"  - {fault}" for fault in faults))


def _notifier(settings: Settings) -> HandoffNotifier | None:
    if not settings.handoff_topic_arn:
        return None
    from core.integrations.sns.handoff_notifier import SnsHandoffNotifier

    return SnsHandoffNotifier(sns_client, settings.handoff_topic_arn, console_url=settings.console_url)


def fingerprints_of(settings: Settings, prompts: PromptSet, environ: Mapping[str, str]) -> Mapping[str, str]:
    """What a turn ran with: hashes of prompts, catalogue and settings (no secrets), and the code's version."""
    plain: dict[str, Any] = {"conversation": asdict(settings.conversation), "models": asdict(settings.models)}
    for each in (plain["models"], *plain["models"]["others"]):
        each.pop("api_key")
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:12]
    return {
        **prompts.fingerprints,
        "company": settings.company,
        "settings": digest,
        "code": environ.get("CODE_VERSION", "unversioned"),
    }
