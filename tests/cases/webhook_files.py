"""The webhook bodies beside this file, by name. `MANIFEST.md` says what each shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "webhooks"
RECEIVED_AT_MS = 1_795_954_000_000  # 2026-11-29T12:06:40Z, minutes after the bodies


def webhook_bytes(name: str) -> bytes:
    """The exact bytes, as Meta would send them."""
    return (_FOLDER / f"{name}.json").read_bytes()


def webhook_json(name: str) -> Any:
    return json.loads(webhook_bytes(name))


def meta_webhook_names() -> list[str]:
    """Every body of Meta's: other providers' and the signatures left out."""
    names = sorted(path.stem for path in _FOLDER.glob("*.json"))
    return [name for name in names if not name.startswith("provider_") and name != "signature_vectors"]


def items_of(name: str, key: str) -> list[dict[str, Any]]:
    """`messages`, `message_echoes` or `statuses` of a body, in its order."""
    return [
        item
        for entry in webhook_json(name)["entry"]
        for change in entry["changes"]
        for item in change["value"].get(key, [])
    ]
