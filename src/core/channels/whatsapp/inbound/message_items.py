"""One item of `messages[]` or `message_echoes[]` into an `InboundMessage`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.channels.whatsapp.inbound.batch_builder import BatchBuilder, Surroundings
from core.channels.whatsapp.inbound.content import Content, read_content
from core.channels.whatsapp.inbound.identity_changes import read_system_change
from core.channels.whatsapp.inbound.provider_time import provider_time_ms
from core.channels.whatsapp.inbound.senders import complete_sender, identity, is_known
from core.channels.whatsapp.inbound.tolerant_json import MAX_DEPTH, as_flag, as_number, as_object, as_text
from core.domain.messages import InboundMessage, MessageKind, Sender

_ID_CHARACTERS = 512


def add_message(raw: Any, around: Surroundings, builder: BatchBuilder, *, echo: bool = False) -> None:
    """Adds the message and, for a system message, the identity change. What cannot be recorded is a problem."""
    item = as_object(raw)
    if not item:
        builder.problem("item_not_object", around.path)
        return
    content = read_content(item)
    told_at_ms = _time(item, around, builder)
    sent_at_ms = builder.received_at_ms if told_at_ms is None else told_at_ms
    sender = _sender(item, around, echo=echo)
    if content.kind is MessageKind.SYSTEM:
        sender = read_system_change(item, sender, sent_at_ms, around, builder)
    if not is_known(sender):
        builder.problem("sender_missing", around.path)
        return
    if content.problem:
        builder.problem(content.problem, around.path, content.details.get("type", ""))
    provider_id = _provider_id(item, around, builder)
    message = _message(item, content, around, provider_id=provider_id, sender=sender, sent_at_ms=sent_at_ms)
    message = replace(message, undated=told_at_ms is None)
    builder.messages.append(_as_echo(message) if echo else message)


def _as_echo(message: InboundMessage) -> InboundMessage:
    return replace(message, kind=MessageKind.ECHO, details=message.details | {"type": message.kind.value})


def _message(
    item: Mapping[str, Any],
    content: Content,
    around: Surroundings,
    *,
    provider_id: str,
    sender: Sender,
    sent_at_ms: int,
) -> InboundMessage:
    context = as_object(item.get("context"))
    referral, origin = _referral(as_object(item.get("referral")), as_object(context.get("referred_product")))
    return InboundMessage(
        provider_id=provider_id,
        kind=content.kind,
        sender=sender,
        phone_number_id=around.phone_number_id,
        sent_at_ms=sent_at_ms,
        text=content.text,
        media=content.media,
        quoted_id=as_text(context.get("id")),
        target_id=content.target_id,
        referral=referral,
        interactive_id=content.interactive_id,
        group_id=as_text(item.get("group_id")),
        details=_forwarding(context) | origin | content.details,
    )


def _sender(item: Mapping[str, Any], around: Surroundings, *, echo: bool) -> Sender:
    # An echo is the business speaking: the conversation is the one of the customer it speaks to.
    phone, user_id = ("to", "to_user_id") if echo else ("from", "from_user_id")
    return complete_sender(identity(phone=item.get(phone), user_id=item.get(user_id)), around.contacts)


def _time(item: Mapping[str, Any], around: Surroundings, builder: BatchBuilder) -> int | None:
    ms = provider_time_ms(item.get("timestamp"), received_at_ms=builder.received_at_ms)
    if ms is None:
        builder.problem("timestamp_unusable", around.path)
    return ms


def _provider_id(item: Mapping[str, Any], around: Surroundings, builder: BatchBuilder) -> str:
    provider_id = as_text(item.get("id"), None)
    if provider_id and len(provider_id) <= _ID_CHARACTERS:
        return provider_id
    builder.problem("id_missing", around.path)
    # Derived from the item, so that the same item delivered again is seen as the same.
    canonical = json.dumps(_prune([around.phone_number_id, item], MAX_DEPTH), sort_keys=True, default=str)
    return f"derived.{hashlib.sha256(canonical.encode()).hexdigest()}"


def _prune(value: Any, depth: int) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _prune(inner, depth - 1) for key, inner in value.items()} if depth else None
    if isinstance(value, (list, tuple)):
        return [_prune(inner, depth - 1) for inner in value] if depth else None
    return as_number(value) if isinstance(value, int) else value  # an endless integer cannot be written


def _forwarding(context: Mapping[str, Any]) -> dict[str, str]:
    return {key: "true" for key in ("forwarded", "frequently_forwarded") if as_flag(context.get(key))}


def _referral(ad: Mapping[str, Any], product: Mapping[str, Any]) -> tuple[str | None, dict[str, str]]:
    """What brought the customer here, as text for the agent and as details: an ad, or a product of the catalogue."""
    details = {
        name: text
        for name, value in (
            ("ad_source_type", ad.get("source_type")),
            ("ad_source_id", ad.get("source_id")),
            ("ad_source_url", ad.get("source_url")),
            ("ad_click_id", ad.get("ctwa_clid")),
            ("product_id", product.get("product_retailer_id")),
            ("product_catalog_id", product.get("catalog_id")),
        )
        if (text := as_text(value))
    }
    words = [text for key in ("headline", "body") if (text := as_text(ad.get(key)))]
    if not words and details.get("ad_source_url"):
        words = [details["ad_source_url"]]
    if words:
        return f"Anúncio: {' | '.join(words)}", details
    return (f"Produto do catálogo: {details['product_id']}" if "product_id" in details else None), details
