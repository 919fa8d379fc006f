"""The queue's body (docs/turn.md, "Path of a message"): `{"v":1,"conv":…,"sk":…}`, no text, no phone."""

from __future__ import annotations

import json
import re

from core.domain.errors import BadInputError
from core.domain.messages import InboundPointer
from core.domain.record_keys import MESSAGE_PATTERN

POINTER_VERSION = 1
_CONVERSATION = re.compile(r"[0-9A-Za-z_-]{1,128}")
_SK = re.compile(MESSAGE_PATTERN)


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
    if not _is(_CONVERSATION, conversation) or not _is(_SK, sk):
        raise BadInputError("pointer_key")
    return InboundPointer(conversation=conversation, sk=sk)


def _is(form: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None
