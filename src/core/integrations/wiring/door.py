"""What the webhook door needs, and no more: it never imports the provider (docs/turn.md, "Path of a message")."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from core.application.ports import Clock
from core.application.receive_webhook_use_case import ReceiveWebhookUseCase
from core.config.loader import app_secrets, load_door_settings
from core.config.secrets import SecretSource
from core.config.settings import DoorSettings
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.sqs.inbound_queue import SqsInboundQueue
from core.integrations.system.clock import SystemClock
from core.integrations.wiring.aws_clients import dynamodb_client, secret_source, sqs_client
from core.integrations.wiring.intake import build_batch_intake

# As many as the clients' connection pools hold.
DOOR_THREADS = 16
# A signature that does not fit has the secret read again at most so often: anybody can send one.
_SECRET_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorDependencies:
    """The door's use case, and the secrets it checks with: fresh ones, so that a rotation needs no deploy."""

    use_case: ReceiveWebhookUseCase
    settings: DoorSettings
    clock: Clock
    secrets: SecretSource

    def app_secrets(self, *, refresh: bool = False) -> tuple[str, ...]:
        """The secrets that may have signed a body. Forged signatures neither lose one nor read SSM each time."""
        name = "WHATSAPP_APP_SECRET"
        if refresh:
            return app_secrets(self.secrets.refresh(name, older_than_seconds=_SECRET_SECONDS))
        return app_secrets(self.secrets.get(name))


def build_door_dependencies(environ: Mapping[str, str] | None = None) -> DoorDependencies:
    """Raises `RuntimeError` listing every setting that is wrong or missing."""
    environ = os.environ if environ is None else environ
    secrets = secret_source(environ)
    settings = load_door_settings(environ, secrets=secrets)
    clock = SystemClock()
    store = DynamoConversationStore(
        dynamodb_client(),
        table_name=settings.table_name,
        retention_days=settings.conversation.retention_days,
        clock=clock,
    )
    queue = SqsInboundQueue(sqs_client(), settings.queue_url)
    batches = build_batch_intake(settings, store=store, clock=clock, threads=DOOR_THREADS)
    use_case = ReceiveWebhookUseCase(batches=batches, queue=queue)
    return DoorDependencies(use_case=use_case, settings=settings, clock=clock, secrets=secrets)
