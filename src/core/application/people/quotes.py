"""A quote in the company's ERP for each conversation that is complete (docs/egestor.md). The sweep makes it, alone."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.application.people.card import card_entry
from core.application.ports import Clock, ConversationStore, Erp
from core.domain.catalogue.catalog import Catalog, FieldScope, FieldType
from core.domain.conversation import ConversationState, Effect, EffectKind, EffectState
from core.domain.deadline import Deadline
from core.domain.delivery import Recipient
from core.domain.errors import ErpError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.messages import InboundPointer
from core.domain.quote import Quote
from core.domain.record_keys import effect_sk
from core.domain.values.field_value import FieldStatus, FieldValue

_log = logging.getLogger(__name__)

# Whoever makes a quote has it alone for so long; what then is still to be made is somebody else's.
CLAIM_MS = 120_000
_CLAIMS_APART_MS = 30_000
RETRY_MS, RETRY_MAX_MS = 60_000, 900_000
SECONDS_MAX = 25.0
# What is left of the run for writing down what was made.
_SECONDS_TO_WRITE = 3.0
NAMELESS = "Cliente do WhatsApp"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteDesk:
    """`erp` None: this deployment has none, and what was left to be made waits for one."""

    store: ConversationStore
    erp: Erp | None
    clock: Clock
    catalog: Catalog

    def effects(
        self,
        turn_id: str,
        request: HandoffRequest,
        state: ConversationState,
        recipient: Recipient,
        *,
        profile_name: str | None,
        now_ms: int,
    ) -> tuple[Effect, ...]:
        """The quote of a turn that completes a conversation, with what is known then; nothing for any other."""
        if self.erp is None or request.reason is not HandoffReason.COMPLETED:
            return ()
        quote = quote_of(turn_id, state, recipient, self.catalog, profile_name=profile_name, now_ms=now_ms)
        return (
            Effect(
                sk=effect_sk(turn_id, EffectKind.QUOTE.value),
                turn=turn_id,
                kind=EffectKind.QUOTE,
                state=EffectState.PENDING,
                created_at_ms=now_ms,
                payload={"reason": request.reason.value, "quote": asdict(quote)},
                due_ms=now_ms,
            ),
        )

    def finish(self, conversation: str, effect: Effect, deadline: Deadline) -> bool:
        """Makes what is due, once: whether nothing is left to be done now. Nothing is raised for the ERP's."""
        claimed = self._claim(conversation, effect)
        if claimed is None:
            return True
        try:
            made = self._make(conversation, claimed, deadline)
        except ErpError as error:
            self._put_off(conversation, claimed, error)
            return False
        self.store.update_effect(conversation, replace(made, state=EffectState.DONE, due_ms=None))
        _log.info("quote_made", extra={"conversation": conversation, "attempt": effect.attempt + 1})
        return True

    def _claim(self, conversation: str, effect: Effect) -> Effect | None:
        """The effect as this run's own; None where it is not due, or another run was faster. A claim is a time of its
        own: whoever reads the one that it wrote has it.
        """
        now_ms = self.clock.now_ms()
        if effect.due_ms is None or effect.due_ms > now_ms:
            return None
        until_ms = now_ms + CLAIM_MS + secrets.randbelow(_CLAIMS_APART_MS)
        pointer = InboundPointer(conversation=conversation, sk=effect.sk)
        self.store.postpone(pointer, now_ms=now_ms, due_ms=until_ms)
        read = self.store.read_effect(conversation, effect.sk)
        return read if read is not None and read.due_ms == until_ms else None

    def _make(self, conversation: str, effect: Effect, deadline: Deadline) -> Effect:
        if self.erp is None:
            raise ErpError("switched off", busy=True)
        quote = Quote(**effect.payload["quote"])
        contact = effect.payload.get("contact")
        if contact is None:
            contact = self.erp.contact(quote, timeout_seconds=_seconds(deadline))
            effect = self._noted(conversation, effect, {"contact": contact})
        try:
            number = self.erp.quote(quote, int(contact), timeout_seconds=_seconds(deadline))
        except ErpError as error:
            if not error.gone or effect.payload.get("anew"):
                raise
            contact = self.erp.contact(quote, timeout_seconds=_seconds(deadline), anew=True)
            effect = self._noted(conversation, effect, {"contact": contact, "anew": True})
            number = self.erp.quote(quote, contact, timeout_seconds=_seconds(deadline))
        return replace(effect, payload={**effect.payload, "number": number, "error": ""})

    def _noted(self, conversation: str, effect: Effect, known: Mapping[str, Any]) -> Effect:
        effect = replace(effect, payload={**effect.payload, **known})
        self.store.update_effect(conversation, effect)
        return effect

    def _put_off(self, conversation: str, effect: Effect, error: ErpError) -> None:
        """Later and later; never again where the ERP would say the same for ever, which a person reads on the card."""
        # what was noted meanwhile stays
        effect = self.store.read_effect(conversation, effect.sk) or effect
        attempt = effect.attempt if error.busy else effect.attempt + 1
        wait_ms = RETRY_MS if error.busy else min(RETRY_MS * 2 ** min(effect.attempt, 8), RETRY_MAX_MS)
        due_ms = None if error.lasting else self.clock.now_ms() + wait_ms
        payload = {**effect.payload, "error": error.label}
        failed = replace(effect, state=EffectState.FAILED, attempt=attempt, due_ms=due_ms, payload=payload)
        self.store.update_effect(conversation, failed)
        if error.busy:
            _log.info("quote_waits", extra={"conversation": conversation, "error": error.label})
            return
        event = "quote_refused" if error.lasting else "quote_failed"
        _log.error(event, extra={"conversation": conversation, "error": error.label, "attempt": attempt})


def quote_of(
    turn_id: str,
    state: ConversationState,
    recipient: Recipient,
    catalog: Catalog,
    *,
    profile_name: str | None,
    now_ms: int,
) -> Quote:
    """From typed state. The customer's name is the first text that the catalogue asks of them, else WhatsApp's."""
    service = catalog.service(state.service)
    place = _first(state, catalog, FieldType.CITY) or ""
    city, _, uf = place.partition("/")
    # what the customer gave for being called; else where they write from
    phone = _first(state, catalog, FieldType.PHONE) or recipient.phone or ""
    return Quote(
        tag=f"balcao-{turn_id}",
        name=_first(state, catalog, FieldType.TEXT) or profile_name or NAMELESS,
        day=catalog.hours.local_date(now_ms).isoformat(),
        note=_note(state, catalog),
        service=service.name if service else "",
        product=service.erp_product_code if service else None,
        phone="".join(filter(str.isdigit, phone)) or None,
        tax_id=_first(state, catalog, FieldType.CNPJ) or _first(state, catalog, FieldType.CPF),
        email=_first(state, catalog, FieldType.EMAIL),
        city=city or None,
        uf=uf or None,
    )


def _first(state: ConversationState, catalog: Catalog, kind: FieldType) -> str | None:
    """The customer's own value of a type, in the order in which the catalogue asks."""
    for spec in catalog.fields:
        value = state.fields.get(spec.id)
        if spec.type is kind and spec.scope is FieldScope.CUSTOMER and _is_known(value):
            return str(value.value) if value else None
    return None


def _note(state: ConversationState, catalog: Catalog) -> str:
    entries = [card_entry(catalog, name, value) for name, value in state.fields.items()]
    segment = catalog.segment(state.segment)
    if segment is not None:
        entries.insert(0, ("segmento", segment.name))
    extras = [f"também pediu: {each}" for each in state.extra_requests]
    return "\n".join([*(f"{label}: {text}" for label, text in entries), *extras])


def _is_known(value: FieldValue | None) -> bool:
    return value is not None and value.status is FieldStatus.KNOWN


def _seconds(deadline: Deadline) -> float:
    left = deadline.seconds_left() - _SECONDS_TO_WRITE
    if left <= 1.0:
        raise ErpError("no time left", busy=True)
    return min(left, SECONDS_MAX)
