"""What a conversation's table says to those who talk to the local stack."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.integrations.dynamodb.attributes import marshalled
from scripts.local_stack.stack import Stack


def test_items_are_what_the_codec_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    item = {"sk": "T#1", "ver": 3, "state": {"asked": [1, {"at_ms": 1796040000000}], "open": True, "name": None}}
    pages = SimpleNamespace(paginate=lambda **_asked: [{"Items": [marshalled(item)]}])
    dynamodb = SimpleNamespace(get_paginator=lambda _name: pages)
    stack: Any = Stack.__new__(Stack)
    stack.state = SimpleNamespace(table="table")
    monkeypatch.setattr(stack, "client", lambda _service: dynamodb, raising=False)

    (read,) = stack.table_items()
    assert read == item
    assert type(read["ver"]) is type(read["state"]["asked"][0]) is type(read["state"]["asked"][1]["at_ms"]) is int
