"""What Meta accepts at POST /{version}/{phone_number_id}/messages, and the errors it answers with.

Limits from the Cloud API reference (messages, interactive and media objects) and its error-codes page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

TEXT_MAX = 4096
CAPTION_MAX = 1024
FILENAME_MAX = 240
CALLBACK_DATA_MAX = 512
BUTTON_TITLE_MAX = 20
BUTTONS_MAX = 3
ROWS_MAX = 10
ROW_TITLE_MAX = 24
ROW_DESCRIPTION_MAX = 72
FOOTER_MAX = 60

MEDIA = ("image", "video", "audio", "document", "sticker")
CAPTIONED = ("image", "video", "document")

_PHONE = re.compile(r"\+?[0-9]{7,15}")
_BSUID = re.compile(r"[A-Z]{2}\.[A-Za-z0-9]{1,128}")

_TITLES = {
    0: "AuthException",
    3: "API Method",
    4: "API Too Many Calls",
    10: "Permission Denied",
    33: "Parameter value is not valid",
    100: "Invalid parameter",
    190: "Access token has expired",
    368: "Temporarily blocked for policies violations",
    80007: "Rate limit issues",
    130429: "Rate limit hit",
    130497: "Business account is restricted from messaging users in this country",
    131000: "Something went wrong",
    131008: "Required parameter is missing",
    131009: "Parameter value is not valid",
    131016: "Service unavailable",
    131021: "Recipient cannot be sender",
    131026: "Message undeliverable",
    131030: "Recipient phone number not in allowed list",
    131031: "Account has been locked",
    131042: "Business eligibility payment issue",
    131047: "Re-engagement message",
    131048: "Spam rate limit hit",
    131049: "Meta chose not to deliver",
    131050: "User has stopped marketing messages",
    131053: "Media upload error",
    131056: "(Business Account, Consumer Account) pair rate limit hit",
    131057: "Account in maintenance mode",
    133016: "Account register deregister rate limit exceeded",
}
_HTTP = {0: 401, 3: 500, 10: 403, 190: 401, 368: 403, 130497: 403, 131000: 500, 131016: 500, 131031: 403, 131057: 500}


def http_status_of(code: int) -> int:
    """The HTTP status that Meta sends with an error code."""
    return 403 if 200 <= code <= 299 else _HTTP.get(code, 400)


def title_of(code: int) -> str:
    """Meta's name of an error code."""
    return "API Permission" if 200 <= code <= 299 else _TITLES.get(code, "Unknown error")


class RefusedError(Exception):
    """A body that Meta would not take; carries the error code and the sentence for `error_data.details`."""

    def __init__(self, code: int, details: str) -> None:
        super().__init__(details)
        self.code = code
        self.details = details


def check_message(body: object) -> Mapping[str, Any]:
    """The body, when Meta would take it. Raises `RefusedError`."""
    if not isinstance(body, dict):
        raise RefusedError(100, "The body is not a JSON object")
    if body.get("messaging_product") != "whatsapp":
        raise RefusedError(100, "Param messaging_product must be one of {WHATSAPP}")
    if "status" in body:
        _check_read_mark(body)
        return body
    _check_recipient(body)
    _check_text_param(body, "biz_opaque_callback_data", CALLBACK_DATA_MAX, required=False)
    context = body.get("context")
    if context is not None and not _text(_object(body, "context").get("message_id")):
        raise RefusedError(131009, "Param context['message_id'] is not a valid message id")
    kind = body.get("type", "text")
    check = _CHECKS.get(kind) if isinstance(kind, str) else None
    if check is None:
        raise RefusedError(100, "Param type is not a supported message type")
    check(body, kind)
    return body


def _check_read_mark(body: Mapping[str, Any]) -> None:
    if body["status"] != "read":
        raise RefusedError(100, "Param status must be one of {READ}")
    if not _text(body.get("message_id")).startswith("wamid."):
        raise RefusedError(131009, "Param message_id is not a valid message id")
    if "typing_indicator" in body and _object(body, "typing_indicator").get("type") != "text":
        raise RefusedError(100, "Param typing_indicator['type'] must be one of {TEXT}")


def _check_recipient(body: Mapping[str, Any]) -> None:
    if body.get("recipient_type", "individual") != "individual":
        raise RefusedError(100, "Param recipient_type must be one of {INDIVIDUAL}")
    to, recipient = body.get("to"), body.get("recipient")
    if not to and not recipient:
        raise RefusedError(131008, "The parameter to is required")
    if to and not _PHONE.fullmatch(_text(to)):
        raise RefusedError(131009, "Param to is not a valid WhatsApp number")
    if recipient and not _BSUID.fullmatch(_text(recipient)):
        raise RefusedError(131009, "Param recipient is not a valid user id")


def _check_text(body: Mapping[str, Any], _kind: str) -> None:
    _check_text_param(_object(body, "text"), "body", TEXT_MAX, of="text")


def _check_media(body: Mapping[str, Any], kind: str) -> None:
    media = _object(body, kind)
    if bool(media.get("id")) == bool(media.get("link")):
        raise RefusedError(131009, f"Param {kind} needs one of id and link")
    if "caption" in media and kind not in CAPTIONED:
        raise RefusedError(131009, f"Param {kind}['caption'] is not supported")
    _check_text_param(media, "caption", CAPTION_MAX, of=kind, required=False)
    if "filename" in media and kind != "document":
        raise RefusedError(100, f"Unexpected key 'filename' on param '{kind}'")
    _check_text_param(media, "filename", FILENAME_MAX, of=kind, required=False)


def _check_interactive(body: Mapping[str, Any], _kind: str) -> None:
    interactive = _object(body, "interactive")
    _check_text_param(_object(interactive, "body"), "text", CAPTION_MAX, of="interactive['body']")
    if "footer" in interactive:
        _check_text_param(_object(interactive, "footer"), "text", FOOTER_MAX, of="interactive['footer']")
    action = _object(interactive, "action")
    if interactive.get("type") == "button":
        _check_buttons(_list(action, "buttons", BUTTONS_MAX))
    elif interactive.get("type") == "list":
        _check_text_param(action, "button", BUTTON_TITLE_MAX, of="action")
        _check_rows([row for part in _list(action, "sections", ROWS_MAX) for row in _list(part, "rows", ROWS_MAX)])
    elif interactive.get("type") not in ("cta_url", "flow", "product", "product_list", "location_request_message"):
        raise RefusedError(100, "Param interactive['type'] is not supported")


def _check_buttons(buttons: list[Mapping[str, Any]]) -> None:
    for button in buttons:
        reply = _object(button, "reply")
        _check_text_param(reply, "title", BUTTON_TITLE_MAX, of="button")
        _check_text_param(reply, "id", 256, of="button")
    if len({button["reply"]["id"] for button in buttons}) < len(buttons):
        raise RefusedError(131009, "Button ids must be unique")


def _check_rows(rows: list[Mapping[str, Any]]) -> None:
    if len(rows) > ROWS_MAX:
        raise RefusedError(131009, f"Total row count must be at most {ROWS_MAX}")
    for row in rows:
        _check_text_param(row, "title", ROW_TITLE_MAX, of="row")
        _check_text_param(row, "id", 200, of="row")
        _check_text_param(row, "description", ROW_DESCRIPTION_MAX, of="row", required=False)


def _check_template(body: Mapping[str, Any], _kind: str) -> None:
    template = _object(body, "template")
    _check_text_param(template, "name", 512, of="template")
    _check_text_param(_object(template, "language"), "code", 16, of="template['language']")


def _check_reaction(body: Mapping[str, Any], _kind: str) -> None:
    _check_text_param(_object(body, "reaction"), "message_id", 512, of="reaction")


def _check_present(body: Mapping[str, Any], kind: str) -> None:
    if not body.get(kind):
        raise RefusedError(131008, f"Parameter '{kind}' is mandatory for type '{kind}'")


_CHECKS = {
    "text": _check_text,
    **dict.fromkeys(MEDIA, _check_media),
    "interactive": _check_interactive,
    "template": _check_template,
    "reaction": _check_reaction,
    "location": _check_present,
    "contacts": _check_present,
}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(parent: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = parent.get(name)
    if not isinstance(value, dict):
        raise RefusedError(131008, f"Parameter '{name}' is mandatory")
    return value


def _list(parent: Mapping[str, Any], name: str, most: int) -> list[Mapping[str, Any]]:
    value = parent.get(name)
    if not isinstance(value, list) or not 1 <= len(value) <= most or not all(isinstance(item, dict) for item in value):
        raise RefusedError(131009, f"Parameter '{name}' needs 1 to {most} items")
    return value


def _check_text_param(parent: Mapping[str, Any], name: str, most: int, *, of: str = "", required: bool = True) -> None:
    value = parent.get(name)
    shown = f"{of}['{name}']" if of else name
    if value is None and not required:
        return
    if not isinstance(value, str) or not value.strip():
        raise RefusedError(131008 if value is None else 131009, f"Param {shown} must be a non-empty string")
    if len(value) > most:
        raise RefusedError(100, f"Param {shown} must be at most {most} characters long.")
