"""The committed description of the attendants' API is of what is served."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from handlers.attending.description import describe
from tests.attendance import Door
from tests.desk import Desk

COMMITTED = Path(__file__).parents[3] / "docs" / "attendants-openapi.json"


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(COMMITTED.read_text("utf-8"))
    return found


def test_the_committed_file_is_what_the_routes_say() -> None:
    assert document() == describe()


def test_every_reference_leads_somewhere() -> None:
    text = COMMITTED.read_text("utf-8")
    schemas = document()["components"]["schemas"]

    named = {each.partition('"')[0] for each in text.split("#/components/schemas/")[1:]}

    assert named <= set(schemas)
    assert "HTTPValidationError" not in text


def test_every_body_refuses_what_it_does_not_name() -> None:
    schemas = document()["components"]["schemas"]
    bodies = [
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for methods in document()["paths"].values()
        for operation in methods.values()
        if "requestBody" in operation
    ]

    assert bodies
    assert all(schemas[name]["additionalProperties"] is False for name in bodies)


def test_what_is_refused_is_as_described(monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door(Desk(), monkeypatch)
    shape = TypeAdapter(dict[str, Any])

    for answer in (door.get("/queue", who=None), door.post("/search", {}), door.get("/conversations/aa")):
        body = shape.validate_json(answer.text)
        assert {"error", "message"} <= set(body)
        assert body["message"]
