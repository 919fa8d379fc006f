"""Items and the domain's words. An item is a plain mapping; `attributes.py` gives its values the table's types.

What is absent is a missing attribute; times are milliseconds; `ttl` alone is in seconds. An item waits in the sparse
index while it carries `due_shard` and `due_at`, which stand for the domain's `due_ms`; HEAD keeps its own `due_ms` too,
since the index also brings it back for messages that nobody answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from core.domain.conversation import AuditEntry, ConversationState, Effect, Head, InboundRecord, LogEntry, Mode
from core.domain.delivery import OutboundPart, PartState, Recipient
from core.domain.errors import BadInputError, UnreadableItemError
from core.domain.head_transitions import due_ms_of
from core.domain.ledger import TurnRecord
from core.domain.record_keys import (
    HEAD,
    PEOPLE,
    STATE,
    checked_sk,
    conversation_of,
    due_shard,
    is_inbound,
    ms_of,
    pk_of,
)
from core.domain.salvage import LastHeard
from core.integrations.dynamodb.attributes import Item
from core.integrations.dynamodb.plain_values import from_plain, plain_to_state, state_to_plain, to_plain
from core.integrations.dynamodb.raw_replies import with_raw_replies_cut

T = TypeVar("T")

_SECONDS_A_DAY = 86_400
# An item that older code must not read says so in an attribute `v`; none does yet.
_VERSION = 1
_ALIAS, _SPENT = "alias_", "spent_"


def ttl_of(*, now_ms: int, retention_days: int) -> int:
    """When the table may drop an item written now, in seconds."""
    return now_ms // 1000 + retention_days * _SECONDS_A_DAY


def expired(item: Mapping[str, Any], *, now_ms: int) -> bool:
    """The table drops items late: what is past its `ttl` is treated as gone."""
    return "ttl" in item and int(item["ttl"]) <= now_ms // 1000


def inbound_to_item(inbound: InboundRecord) -> Item:
    """`M#<ms>#i<hash>`."""
    return _item(inbound.conversation, inbound.sk, _without(to_plain(inbound), "conversation"))


def known_item(inbound: InboundRecord) -> Item:
    """`I#<hash>`: where a message without a time was put when it first came."""
    return _item(inbound.conversation, inbound.known_as or "", {"message": inbound.sk})


def item_to_inbound(item: Mapping[str, Any]) -> InboundRecord:
    """Raises `UnreadableItemError`, as every reader here does for an item that it cannot understand."""
    with _read("message", item):
        return from_plain(InboundRecord, {**item, "conversation": conversation_of(item["pk"])})


def item_to_last_heard(item: Mapping[str, Any]) -> LastHeard | None:
    """Of a message only what a text back to its sender needs, whatever else it holds; None where that is not there."""
    message = item.get("message")
    sender = message.get("sender") if isinstance(message, Mapping) else None
    if not isinstance(message, Mapping) or not isinstance(sender, Mapping) or message.get("group_id"):
        return None
    phone, bsuid, number = sender.get("phone"), sender.get("bsuid"), message.get("phone_number_id")
    reached = phone or bsuid
    if not (isinstance(reached, str) and isinstance(number, str) and number):
        return None
    recipient = Recipient(phone_number_id=number, phone=phone or None, bsuid=None if phone else reached)
    answers = message.get("provider_id")
    return LastHeard(
        recipient=recipient,
        provider_id=answers if isinstance(answers, str) else None,
        sent_at_ms=ms_of(item["sk"]),
    )


def part_to_item(conversation: str, part: OutboundPart) -> Item:
    """`M#<ms>#o<turn>.<part>`. A part being sent is due at its lease's end unless told otherwise."""
    if part.state is PartState.SENDING and part.due_ms is None:
        part = replace(part, due_ms=part.lease_until_ms)
    return _item(conversation, part.sk, to_plain(part))


def item_to_part(item: Mapping[str, Any]) -> OutboundPart:
    """An outbound part."""
    with _read("message", item):
        return _domain(OutboundPart, item)


def item_to_entry(item: Mapping[str, Any]) -> LogEntry:
    """A message of either side."""
    return item_to_inbound(item) if is_inbound(item["sk"]) else item_to_part(item)


def effect_to_item(conversation: str, effect: Effect) -> Item:
    """`E#<turn>#<kind>`."""
    return _item(conversation, effect.sk, to_plain(effect))


def item_to_effect(item: Mapping[str, Any]) -> Effect:
    """A side effect."""
    with _read("effect", item):
        return _domain(Effect, item)


def turn_to_item(conversation: str, turn: TurnRecord) -> Item:
    """`T#<ms>#<turn>`, raw replies cut. Of STATE afterwards only what the turn changed is kept."""
    plain = to_plain(replace(turn, calls=with_raw_replies_cut(turn.calls)))
    after = plain.pop("state_after", None)
    if after is not None:
        before = plain.get("state_before") or {}
        plain["state_changes"] = {
            name: each for name, each in after.items() if name not in before or before[name] != each
        }
        plain["state_dropped"] = [name for name in before if name not in after]
    return _item(conversation, turn.sk, plain)


def item_to_turn(item: Mapping[str, Any]) -> TurnRecord:
    """A turn, from which replay works."""
    with _read("turn", item):
        if "state_changes" not in item:
            return _domain(TurnRecord, item)
        before = item.get("state_before") or {}
        kept = {name: each for name, each in before.items() if name not in item["state_dropped"]}
        return _domain(TurnRecord, {**item, "state_after": {**kept, **item["state_changes"]}})


def state_to_item(conversation: str, state: ConversationState) -> Item:
    """`S#STATE`."""
    return _item(conversation, STATE, state_to_plain(state))


def item_to_state(item: Mapping[str, Any]) -> ConversationState:
    """The state; an empty item is a new conversation's."""
    with _read("state", item):
        return plain_to_state(item)


def head_to_item(conversation: str, head: Head) -> Item:
    """`S#HEAD`; `pending` is a set of strings, absent when empty, as is the start of a session that has none yet."""
    item = _item(conversation, HEAD, {**to_plain(head), "due_ms": due_ms_of(head)})
    if head.due_ms is not None:
        item["due_ms"] = head.due_ms
    item |= {alias_attribute(alias): until_ms for alias, until_ms in item.pop("aliases").items()}
    item |= {spent_attribute(day): micro_usd for day, micro_usd in item.pop("spent").items()}
    for name in ("pending", "session_start_ms", "failures", "undelivered"):
        if not item[name]:
            del item[name]
    item |= people_index(head)
    return {**item, "pending": head.pending} if head.pending else item


def people_index(head: Head) -> Item:
    """Where the sparse index of those who attend lists a conversation that people have; nothing for any other."""
    since_ms = head.people_since_ms or head.handoff_since_ms
    if head.mode is not Mode.HUMAN or head.moved_to is not None or since_ms is None:
        return {}
    return {"people": PEOPLE, "people_at": since_ms}


def audit_to_item(conversation: str, entry: AuditEntry) -> Item:
    """`A#<ms>#<hash>`."""
    return _item(conversation, entry.sk, to_plain(entry))


def item_to_audit(item: Mapping[str, Any]) -> AuditEntry:
    """What an attendant did."""
    with _read("audit", item):
        return from_plain(AuditEntry, item)


def reply_item(conversation: str, sk: str, turn: str, *, at_ms: int) -> Item:
    """`E#reply#<id>`: that it is written, when, and which parts."""
    return _item(conversation, sk, {"reply": turn, "created_at_ms": at_ms})


def item_to_head(item: Mapping[str, Any]) -> Head:
    """The head; an empty item is an unknown conversation's."""
    with _read("head", item):
        return _head(item)


def _head(item: Mapping[str, Any]) -> Head:
    aliases = aliases_of(item)
    spent = {name.removeprefix(_SPENT): sum_ for name, sum_ in item.items() if name.startswith(_SPENT)}
    return from_plain(Head, {**item, "aliases": aliases, "spent": spent})


def aliases_of(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """A customer's other ids, with the time until which each surely leads here."""
    return {name.removeprefix(_ALIAS): until for name, until in item.items() if name.startswith(_ALIAS)}


def alias_attribute(alias: str) -> str:
    """An attribute of its own for each alias: one condition asks for it, and no write of HEAD touches it."""
    return f"{_ALIAS}{alias}"


def spent_attribute(day: str) -> str:
    """An attribute of its own for each day, so that sums are added to and never written over."""
    return f"{_SPENT}{day}"


@contextmanager
def _read(what: str, item: Mapping[str, Any]) -> Iterator[None]:
    """Whatever is wrong with an item is one error, which quotes none of it."""
    if item.get("v", _VERSION) != _VERSION:
        raise UnreadableItemError(what, "other_version")
    try:
        yield
    except BadInputError as error:
        raise UnreadableItemError(what, error.reason) from None
    except (TypeError, ValueError, KeyError, AttributeError, ArithmeticError) as error:
        raise UnreadableItemError(what, type(error).__name__) from None


def _item(conversation: str, sk: str, plain: Mapping[str, Any]) -> Item:
    pk = pk_of(conversation)
    item = {**plain, "pk": pk, "sk": checked_sk(sk)}
    due_ms = item.pop("due_ms", None)
    return item if due_ms is None else {**item, "due_shard": due_shard(pk), "due_at": due_ms}


def _domain(cls: type[T], item: Mapping[str, Any]) -> T:
    return from_plain(cls, {**item, "due_ms": item["due_at"]} if "due_at" in item else item)


def _without(plain: Mapping[str, Any], name: str) -> Item:
    return {key: value for key, value in plain.items() if key != name}
