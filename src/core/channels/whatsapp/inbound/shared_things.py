"""Places, contact cards and orders, as text that an agent can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.channels.whatsapp.inbound.tolerant_json import as_list, as_number, as_object, as_text

_MOST_CARDS = 20
_MOST_ITEMS = 100


def read_location(body: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """The text and the coordinates; ("", {}) when it says nothing."""
    latitude, longitude = as_number(body.get("latitude")), as_number(body.get("longitude"))
    named = [text for key in ("name", "address") if (text := as_text(body.get(key)))]
    details: dict[str, str] = {}
    if latitude is not None and longitude is not None:
        details = {"latitude": str(latitude), "longitude": str(longitude)}
        named.append(f"{latitude}, {longitude}")
    return (f"Localização: {' | '.join(named)}" if named else "", details)


def read_contact_cards(cards: Sequence[Any]) -> str:
    """One line for each card that names anybody."""
    lines = [line for card in cards[:_MOST_CARDS] if (line := _card(as_object(card)))]
    return "\n".join(f"Contato: {line}" for line in lines)


def _card(card: Mapping[str, Any]) -> str:
    name = as_object(card.get("name"))
    parts = [
        as_text(name.get("formatted_name")) or as_text(name.get("first_name")),
        as_text(as_object(card.get("org")).get("company")),
        *(as_text(phone.get("phone")) or as_text(phone.get("wa_id")) for phone in _few(card, "phones")),
        *(as_text(email.get("email")) for email in _few(card, "emails")),
    ]
    return ", ".join(part for part in parts if part)


def _few(card: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    return [as_object(item) for item in as_list(card.get(key))[:5]]


def read_order(body: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """What was put in the cart, and the catalogue it came from."""
    lines = [line for item in as_list(body.get("product_items"))[:_MOST_ITEMS] if (line := _item(as_object(item)))]
    note = as_text(body.get("text"))
    catalog = as_text(body.get("catalog_id"))
    text = "\n".join(["Pedido pelo catálogo:", *(f"- {line}" for line in lines), *([note] if note else [])])
    return (text if lines or note else "", {"catalog_id": catalog} if catalog else {})


def _item(item: Mapping[str, Any]) -> str:
    product = as_text(item.get("product_retailer_id"))
    if product is None:
        return ""
    quantity, price = as_number(item.get("quantity")), as_number(item.get("item_price"))
    line = f"{quantity if quantity is not None else 1} x {product}"
    if price is None:
        return line
    return f"{line} ({as_text(item.get('currency'), 8) or ''} {price:.2f} cada)".replace("( ", "(")
