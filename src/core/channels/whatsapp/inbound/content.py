"""What a message of each type says (docs/whatsapp.md, "Message types"): a table from type to reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.channels.whatsapp.inbound import choices, shared_things
from core.channels.whatsapp.inbound.tolerant_json import as_code, as_list, as_object, as_text
from core.domain.messages import Media, MessageKind

# A DynamoDB item holds 400 KB; a text above this could never be recorded, and the body would come back for a week.
_TEXT_BYTES = 250_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The part of a message that depends on its type. `problem` names what was missing or cut."""

    kind: MessageKind
    text: str = ""
    media: Media | None = None
    target_id: str | None = None
    interactive_id: str | None = None
    details: dict[str, str] = field(default_factory=dict)
    problem: str | None = None


def read_content(item: Mapping[str, Any]) -> Content:
    """Never raises. A type nobody knows, or a known one that says nothing, is `unknown`: it opens no turn."""
    kind = type_of(item)
    if kind not in _READERS:
        return _read_unknown(kind)
    content = _READERS[kind](_body_of(item, kind), item)
    if content.kind in _SPEAKING_KINDS and not content.text:
        details = {**content.details, "type": kind}
        return replace(content, kind=MessageKind.UNKNOWN, details=details, problem="content_missing")
    return _within_limit(content)


def type_of(item: Mapping[str, Any]) -> str:
    """The type as named when we know it, else as the item's keys show it; an unknown name or "" when neither tells."""
    named = as_text(item.get("type"), 64) or ""
    if named in _READERS:
        return named
    if as_list(item.get("errors")):
        return "unsupported"
    return next((kind for kind in _READERS if as_list(item.get(kind))), named)


def _read_unknown(kind: str) -> Content:
    if not kind:
        return Content(kind=MessageKind.UNKNOWN, problem="type_missing")
    return Content(kind=MessageKind.UNKNOWN, details={"type": kind}, problem="type_unknown")


def _body_of(item: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    found = item.get(kind)
    if kind == "contacts":
        return {"contacts": found}
    return {"body": found} if kind == "text" and isinstance(found, str) else as_object(found)


def _within_limit(content: Content) -> Content:
    if len(content.text) * 4 <= _TEXT_BYTES:
        return content
    encoded = content.text.encode()
    if len(encoded) <= _TEXT_BYTES:
        return content
    return replace(content, text=encoded[:_TEXT_BYTES].decode("utf-8", "ignore"), problem="text_cut")


def _text(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    return Content(kind=MessageKind.TEXT, text=as_text(body.get("body"), None) or "")


def _media(kind: MessageKind) -> Callable[[Mapping[str, Any], Mapping[str, Any]], Content]:
    def read(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
        media_id = as_text(body.get("id"))
        media = Media(
            media_id=media_id or "",
            mime_type=as_text(body.get("mime_type"), 128) or "",
            filename=as_text(body.get("filename"), 256),
        )
        return Content(
            kind=kind,
            text=as_text(body.get("caption"), None) or "",
            media=media if media_id else None,
            problem=None if media_id else "media_id_missing",
        )

    return read


def _location(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    text, details = shared_things.read_location(body)
    return Content(kind=MessageKind.LOCATION, text=text, details=details)


def _contacts(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    return Content(kind=MessageKind.CONTACTS, text=shared_things.read_contact_cards(as_list(body.get("contacts"))))


def _order(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    text, details = shared_things.read_order(body)
    return Content(kind=MessageKind.ORDER, text=text, details=details)


def _button(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    payload = as_text(body.get("payload"))
    return Content(kind=MessageKind.BUTTON, text=as_text(body.get("text")) or payload or "", interactive_id=payload)


def _interactive(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    choice = choices.read_choice(body)
    return Content(
        kind=MessageKind.INTERACTIVE, text=choice.text, interactive_id=choice.choice_id, details=choice.details
    )


def _reaction(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    emoji = as_text(body.get("emoji"), 64)
    return Content(
        kind=MessageKind.REACTION,
        text=emoji or "",
        target_id=as_text(body.get("message_id")),
        details={"emoji": emoji} if emoji else {"removed": "true"},
    )


def _edit(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    new = as_object(body.get("message"))
    inner = Content(kind=MessageKind.EDIT) if type_of(new) in _SILENT_INSIDE else read_content(new)
    return Content(
        kind=MessageKind.EDIT,
        text=inner.text,
        media=inner.media,
        target_id=as_text(body.get("original_message_id")),
        details={"type": inner.kind.value},
    )


def _revoke(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    return Content(kind=MessageKind.REVOKE, target_id=as_text(body.get("original_message_id")))


def _system(body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    change = as_text(body.get("type"), 64)
    return Content(
        kind=MessageKind.SYSTEM, text=as_text(body.get("body")) or "", details={"type": change} if change else {}
    )


def _read_unsupported(body: Mapping[str, Any], item: Mapping[str, Any]) -> Content:
    error = as_object(next(iter(as_list(item.get("errors"))), None))
    code = as_code(error.get("code"))
    found = {
        "error_code": str(code) if code is not None else None,
        "error_title": as_text(error.get("title"), 200),
        "type": as_text(body.get("type"), 64),
    }
    return Content(kind=MessageKind.UNSUPPORTED, details={key: value for key, value in found.items() if value})


def _request_welcome(_body: Mapping[str, Any], _item: Mapping[str, Any]) -> Content:
    return Content(kind=MessageKind.REQUEST_WELCOME)


# Kinds that ask for an answer to their words: without words there is nothing to answer.
_SPEAKING_KINDS = frozenset(
    {
        MessageKind.TEXT,
        MessageKind.LOCATION,
        MessageKind.CONTACTS,
        MessageKind.ORDER,
        MessageKind.BUTTON,
        MessageKind.INTERACTIVE,
    }
)
_SILENT_INSIDE = frozenset({"", "edit", "revoke", "system"})
_READERS: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Content]] = {
    "text": _text,
    "image": _media(MessageKind.IMAGE),
    "video": _media(MessageKind.VIDEO),
    "audio": _media(MessageKind.AUDIO),
    "voice": _media(MessageKind.AUDIO),  # what audio was called before
    "document": _media(MessageKind.DOCUMENT),
    "sticker": _media(MessageKind.STICKER),
    "location": _location,
    "contacts": _contacts,
    "interactive": _interactive,
    "button": _button,
    "order": _order,
    "reaction": _reaction,
    "edit": _edit,
    "revoke": _revoke,
    "system": _system,
    "unsupported": _read_unsupported,
    "request_welcome": _request_welcome,
}
