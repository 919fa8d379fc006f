"""What the attendants' door needs, and no more: neither the model's provider nor the queue."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from core.application.intake.customer_ids import conversation_ids
from core.application.people.attendance.desk import AttendantDesk
from core.application.people.attendance.reading import AttendantReading
from core.application.people.data_rights import DataRights
from core.application.ports import AttendedStore, Clock, MediaFetcher, MessageSender
from core.config.attendants import attendant_of, read_attendants
from core.config.catalog_file import CATALOG_FILE, load_catalog
from core.config.loader import ATTENDANTS, load_desk_settings
from core.config.prompt_files import company_folder
from core.config.secrets import SecretSource
from core.config.settings import DeskSettings
from core.domain.attendant import Attendant
from core.domain.catalogue.catalog import Catalog
from core.domain.errors import BadInputError
from core.domain.messages import Sender
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.system.clock import SystemClock
from core.integrations.wiring.attendance import wire_desk
from core.integrations.wiring.aws_clients import dynamodb_client, secret_source
from core.integrations.wiring.channel import build_media_fetcher, open_sender

_log = logging.getLogger(__name__)

# A token that was removed is refused within a minute, at most so old is what is known.
_KNOWN_SECONDS = 45.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskDependencies:
    """Made once per environment; a sender is made for each call that sends, since its connections live that long."""

    settings: DeskSettings
    store: AttendedStore
    clock: Clock
    catalog: Catalog
    secrets: SecretSource

    def attendant(self, token: str) -> Attendant | None:
        """Whose token it is, if anybody's. Raises `IntegrationError` where who attends was never read."""
        text = self.secrets.refresh(ATTENDANTS, older_than_seconds=_KNOWN_SECONDS)
        try:
            return attendant_of(token, read_attendants(text))
        except BadInputError as error:
            _log.error("attendants_unreadable", extra={"reason": error.reason})
            return None

    def reading(self) -> AttendantReading:
        """What is read."""
        return AttendantReading(
            store=self.store, clock=self.clock, catalog=self.catalog, ids_of_phone=self._ids_of_phone
        )

    def rights(self) -> DataRights:
        """What is held of a person: found, handed out, erased."""
        return DataRights(store=self.store, clock=self.clock)

    def desk(self, sender: MessageSender) -> AttendantDesk:
        """What is done."""
        return wire_desk(store=self.store, sender=sender, clock=self.clock, policy=self.settings.conversation)

    def sender(self) -> AbstractContextManager[MessageSender]:
        """For one call: see `open_sender`."""
        return open_sender(self.settings.whatsapp, self._access_token)

    def fetcher(self) -> MediaFetcher | None:
        """Of customers' files; None where the channel brings none."""
        return build_media_fetcher(self.settings.whatsapp, self._access_token)

    def _access_token(self, refetch: bool) -> str:
        read = self.secrets.refresh if refetch else self.secrets.get
        return read("WHATSAPP_ACCESS_TOKEN")

    def _ids_of_phone(self, phone: str) -> Sequence[str]:
        """Of both forms of a Brazilian mobile number, which are one id; of what is no phone, nothing."""
        digits = "".join(character for character in phone if character.isascii() and character.isdigit())
        if not 8 <= len(digits) <= 15:
            return ()
        national = len(digits) in (10, 11) and not phone.strip().startswith("+")
        number = f"55{digits}" if national else digits
        return conversation_ids(
            Sender(phone=number), self.settings.whatsapp.phone_number_id, self.settings.identity_key
        )


def build_desk_dependencies(environ: Mapping[str, str] | None = None) -> DeskDependencies:
    """Raises `RuntimeError` listing every setting that is wrong or missing, or `CatalogFileError`."""
    environ = os.environ if environ is None else environ
    secrets = secret_source(environ)
    settings = load_desk_settings(environ, secrets=secrets)
    clock = SystemClock()
    store = DynamoConversationStore(
        dynamodb_client(),
        table_name=settings.table_name,
        retention_days=settings.conversation.retention_days,
        clock=clock,
    )
    catalog = load_catalog(company_folder(settings.prompts_dir, settings.company) / CATALOG_FILE)
    return DeskDependencies(settings=settings, store=store, clock=clock, catalog=catalog, secrets=secrets)
