"""The table of replies: `raw`, what the strict parser says of it, what local repair must achieve, what may leak."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).parent / "parser.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in _TABLE.read_text("utf-8").splitlines()]


def row_id(row: dict[str, Any]) -> str:
    """`fence-07 CRLF`: readable in a test's name."""
    return f"{row['id']} {row['note'][:40]}".strip()
