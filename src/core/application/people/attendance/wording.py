"""Records as attendants read them: pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from core.application.history.effective_log import spoken_kind
from core.application.people.attendance.views import (
    AuditLine,
    CallView,
    Card,
    CardLine,
    Entry,
    MediaRef,
    Owner,
    QueueItem,
    TurnView,
)
from core.application.people.card import card_entry
from core.domain.catalogue.catalog import Catalog
from core.domain.conversation import AuditEntry, Effect, EffectState, Head, InboundRecord, LogEntry, Mode, Snapshot
from core.domain.delivery import DeliveryRank, OutboundPart, PartState, SendFailure
from core.domain.handoff import REASON_NAMES, HandoffReason
from core.domain.head_transitions import BUSINESS_APP, BUSINESS_APP_NAME
from core.domain.ledger import ModelCall, TurnRecord
from core.domain.messages import Media, MessageKind
from core.domain.record_keys import ms_of, public_key
from core.domain.service_window import window_closes_after
from core.domain.values.field_value import FieldStatus

WAITING, OWNED, BOT = "waiting", "owned", "bot"
OPENED = "open"

_FAILURES = {
    SendFailure.RECIPIENT: "este número não recebe mensagens do WhatsApp",
    SendFailure.WINDOW_OVER: "passou a janela de 24 horas do WhatsApp",
    SendFailure.BAD_REQUEST: "o WhatsApp não aceitou a mensagem",
    SendFailure.THROTTLED: "o WhatsApp pediu para esperar",
    SendFailure.TRANSIENT: "o WhatsApp estava fora do ar",
    SendFailure.AUTH: "o WhatsApp não aceita as nossas mensagens agora",
    SendFailure.ACCOUNT: "o WhatsApp não aceita as nossas mensagens agora",
}
_ACTIONS = {
    "take": "assumiu a conversa",
    "reply": "respondeu",
    "hand_back": "devolveu ao assistente",
    "close": "encerrou a conversa",
    "export": "exportou os dados",
    "erase": "apagou os dados",
    OPENED: "abriu a conversa",
}
_RANKS = {DeliveryRank.DELIVERED: "delivered", DeliveryRank.READ: "read", DeliveryRank.PLAYED: "read"}


def item_of(conversation: str, head: Head) -> QueueItem:
    """A conversation in a list."""
    last_ms = head.last_inbound_ms
    owner = _owner(head)
    peoples = head.mode is Mode.HUMAN
    return QueueItem(
        id=conversation,
        name=head.name,
        reason=head.handoff_reason if peoples else None,
        reason_text=reason_text(head.handoff_reason) if peoples else "",
        since_ms=(head.people_since_ms or head.handoff_since_ms) if peoples else None,
        state=(OWNED if owner else WAITING) if peoples else BOT,
        owner=owner,
        last_inbound_ms=last_ms,
        window_closes_ms=None if last_ms is None else window_closes_after(last_ms),
        unread=peoples and (owner is None or (last_ms or 0) > (head.owner_spoke_ms or 0)),
    )


def reason_text(reason: str | None) -> str:
    """Why people have it; "" where they took it themselves."""
    try:
        return REASON_NAMES[HandoffReason(reason)] if reason else ""
    except ValueError:
        return ""


def entries_of(conversation: str, log: Sequence[LogEntry]) -> tuple[Entry, ...]:
    """Messages, as they stand."""
    by_id = {_provider_id(each): public_key(each.sk) for each in log if _provider_id(each)}
    return tuple(
        _received(conversation, each, by_id) if isinstance(each, InboundRecord) else sent_entry(conversation, each)
        for each in log
    )


def sent_entry(conversation: str, part: OutboundPart) -> Entry:
    """One of ours."""
    sender = "template" if part.template else "bot" if part.author is None else "attendant"
    state = _RANKS.get(part.rank, part.state.value) if part.state is PartState.SENT else part.state.value
    failed = part.state is PartState.FAILED
    return Entry(
        key=public_key(part.sk),
        at_ms=part.created_at_ms,
        sender=sender,
        author=part.author,
        kind=(part.media.kind if part.media else MessageKind.TEXT).value,
        text=part.text,
        media=_media(conversation, part.sk, part.media),
        state=state,
        failure=_FAILURES.get(part.failure or SendFailure.BAD_REQUEST) if failed else None,
        turn=part.turn if part.author is None else None,
        quoted=None,
    )


def card_of_conversation(
    snapshot: Snapshot, effect: Effect | None, catalog: Catalog, *, quote: Effect | None = None
) -> Card | None:
    """The summary that was written when people were asked for, and what is known by now; None where nothing is."""
    state, head = snapshot.state, snapshot.head
    service, segment = catalog.service(state.service), catalog.segment(state.segment)
    payload = effect.payload if effect else {}
    raw = payload.get("summary")
    summary: Mapping[str, object] = raw if isinstance(raw, Mapping) else {}
    if head.mode is not Mode.HUMAN and not state.fields and service is None:
        return None
    return Card(
        reason_text=str(summary.get("motivo_encerramento") or reason_text(head.handoff_reason)),
        since_ms=head.people_since_ms or head.handoff_since_ms,
        service=service.name if service else "",
        segment=segment.name if segment else "",
        summary=str(summary.get("resumo_texto") or ""),
        next_action=str(summary.get("proxima_acao") or ""),
        points=_texts(summary.get("pontos_chave")),
        lines=(*_card_lines(snapshot, catalog), *quote_lines(quote)),
        unread_texts=_texts(payload.get("unread")),
    )


def audit_lines(entries: Sequence[AuditEntry]) -> tuple[AuditLine, ...]:
    """What was done, openings left out."""
    return tuple(
        AuditLine(at_ms=each.at_ms, author=each.actor_name, text=_ACTIONS.get(each.action, each.action))
        for each in entries
        if each.action != OPENED
    )


def turn_view(record: TurnRecord) -> TurnView:
    """A turn, opened up."""
    mended = [record.repair_method, "início retirado" if record.dropped_prefix else None, *record.egress_findings]
    cost = sum((call.cost_usd for call in record.calls if call.cost_usd is not None), Decimal(0))
    return TurnView(
        key=public_key(record.sk),
        id=record.turn,
        at_ms=record.started_at_ms,
        agent=record.stage_before,
        outcome=record.outcome,
        codes=tuple(record.codes),
        calls=tuple(_call(call) for call in record.calls),
        usd=f"{cost:f}",
        latency_ms=record.wall_ms,
        mended=tuple(each for each in mended if each),
        handoff=reason_text(record.handoff_reason) or None,
    )


def _received(conversation: str, entry: InboundRecord, by_id: Mapping[str, str]) -> Entry:
    message = entry.message
    return Entry(
        key=public_key(entry.sk),
        at_ms=ms_of(entry.sk),
        sender="app" if message.kind is MessageKind.ECHO else "customer",
        author=None,
        kind=spoken_kind(message).value,
        text=message.text,
        media=_media(conversation, entry.sk, message.media),
        state=None,
        failure=None,
        turn=None,
        quoted=by_id.get(message.quoted_id or message.target_id or ""),
    )


def _media(conversation: str, sk: str, media: Media | None) -> MediaRef | None:
    if media is None:
        return None
    key = public_key(sk)
    url = f"/conversations/{conversation}/media/{key}"
    return MediaRef(n=key, mime_type=media.mime_type, filename=media.filename, url=url)


def _card_lines(snapshot: Snapshot, catalog: Catalog) -> tuple[CardLine, ...]:
    lines = []
    for name, value in snapshot.state.fields.items():
        label, text = card_entry(catalog, name, value)
        state = "declined" if value.status is FieldStatus.DECLINED else "given"
        entry = public_key(value.source) if value.source else None
        lines.append(CardLine(label=label, value=text, entry=entry, state=state))
    return tuple(lines)


def quote_lines(quote: Effect | None) -> tuple[CardLine, ...]:
    """The quote in the company's ERP, as far as it is."""
    if quote is None:
        return ()
    if quote.state is EffectState.DONE:
        value = f"nº {quote.payload.get('number', '')}"
    elif quote.due_ms is None:
        value = "recusado pelo sistema: crie-o à mão"
    elif quote.attempt:
        value = "ainda não foi criado: o sistema não respondeu e será tentado de novo"
    else:
        value = "está sendo criado"
    return (CardLine(label="Orçamento", value=value, entry=None, state="given"),)


def _call(call: ModelCall) -> CallView:
    return CallView(
        model=call.returned_model or call.requested_model,
        purpose=call.purpose.value,
        outcome=call.outcome.value,
        tokens_input=call.tokens_input,
        tokens_cached=call.tokens_cached,
        tokens_output=call.tokens_output,
        usd=None if call.cost_usd is None else f"{call.cost_usd:f}",
        latency_ms=call.latency_ms,
    )


def _owner(head: Head) -> Owner | None:
    """Who had it before owners had names is somebody in the business's app."""
    if head.mode is not Mode.HUMAN:
        return None
    if head.owner is not None:
        return Owner(id=head.owner, name=head.owner_name or head.owner)
    return Owner(id=BUSINESS_APP, name=BUSINESS_APP_NAME) if head.handoff_acknowledged else None


def _provider_id(entry: LogEntry) -> str:
    return (entry.provider_id or "") if isinstance(entry, OutboundPart) else entry.message.provider_id


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list | tuple) else ()
