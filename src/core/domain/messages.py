"""What a customer, the business or the provider says: one normalised shape, whatever the channel."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class MessageKind(StrEnum):
    """WhatsApp's message types (docs/whatsapp.md), with `echo` for the business speaking from its own phone."""

    TEXT = "text"
    IMAGE = "image"
    VIDEO = "video"
    AUDIO = "audio"
    DOCUMENT = "document"
    STICKER = "sticker"
    LOCATION = "location"
    CONTACTS = "contacts"
    REACTION = "reaction"
    INTERACTIVE = "interactive"
    BUTTON = "button"
    ORDER = "order"
    SYSTEM = "system"
    UNSUPPORTED = "unsupported"
    EDIT = "edit"
    REVOKE = "revoke"
    REQUEST_WELCOME = "request_welcome"
    ECHO = "echo"
    UNKNOWN = "unknown"


# Kinds that are put on the log and nothing more: a thumbs-up must never overtake a question.
SILENT_KINDS = frozenset(
    {
        MessageKind.REACTION,
        MessageKind.SYSTEM,
        MessageKind.UNSUPPORTED,
        MessageKind.EDIT,
        MessageKind.REVOKE,
        MessageKind.REQUEST_WELCOME,
        MessageKind.ECHO,
        MessageKind.UNKNOWN,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who wrote. "" never appears: what the provider leaves empty is None.

    `bsuid` is Meta's business-scoped user id (`CC.alnum`), the only identity of a username user.
    """

    phone: str | None = None
    bsuid: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """A file of a message, a customer's or an attendant's: fetched by `media_id` only when needed, never logged."""

    media_id: str
    mime_type: str = ""
    filename: str | None = None

    @property
    def kind(self) -> MessageKind:
        """As which message it is sent."""
        return MessageKind.IMAGE if self.mime_type.startswith("image/") else MessageKind.DOCUMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundMessage:
    """One item of a webhook body, normalised.

    `provider_id` is the wamid (it contains the phone: never logged). Times are milliseconds since the epoch.
    `undated`: the provider told no time that could be believed, and `sent_at_ms` is when it came, this time.
    `quoted_id` is the message replied to; `target_id` the one a reaction, edit or revoke speaks of.
    """

    provider_id: str
    kind: MessageKind
    sender: Sender
    phone_number_id: str
    sent_at_ms: int
    text: str = ""
    media: Media | None = None
    quoted_id: str | None = None
    target_id: str | None = None
    referral: str | None = None
    interactive_id: str | None = None
    group_id: str | None = None
    undated: bool = False
    details: dict[str, str] = field(default_factory=dict)

    @property
    def opens_turn(self) -> bool:
        """Whether this message asks for an answer; group messages are recorded and not answered."""
        return self.kind not in SILENT_KINDS and self.group_id is None


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundPointer:
    """What the queue carries: `conversation` is the keyed hash, `sk` the inbound's key. No text, no phone."""

    conversation: str
    sk: str
