"""The queue's body (20-turn.md, "Path of a message"): `{"v":1,"conv":…,"sk":…}`, no text, no phone."""

from __future__ import annotations

import json

from core.domain.errors import BadInputError
from core.domain.messages import InboundPointer

POINTER_VERSION = 1


def pointer_body(pointer: InboundPointer) -> str:
    """Compact JSON, the same for the same pointer."""
    fields = {"v": POINTER_VERSION, "conv": pointer.conversation, "sk": pointer.sk}
    return json.dumps(fields, separators=(",", ":"))


def parse_pointer(body: str) -> InboundPointer:
    """Raises `BadInputError` for whatever is no pointer of this version; the reason never quotes the body."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise BadInputError("pointer_not_json") from None
    if not isinstance(fields, dict) or not {"v", "conv", "sk"} <= fields.keys():
        raise BadInputError("not_a_pointer")
    if type(fields["v"]) is not int or fields["v"] != POINTER_VERSION:
        raise BadInputError("pointer_version")
    conversation, sk = fields["conv"], fields["sk"]
    if not _key(conversation) or not _key(sk):
        raise BadInputError("pointer_key")
    return InboundPointer(conversation=conversation, sk=sk)


def _key(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 1024
