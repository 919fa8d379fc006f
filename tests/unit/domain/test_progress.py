"""What counts as getting somewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.actions import Agent
from core.domain.conversation import ConversationState
from core.domain.progress import progressed
from core.domain.values.field_value import FieldStatus, FieldValue

BEFORE = ConversationState(
    stage=Agent.QUALIFICACAO,
    service="agua",
    segment="casa",
    fields={"pontos": FieldValue(status=FieldStatus.KNOWN, value=3, source="M#1")},
    packages_served=("SERVICES",),
)


@pytest.mark.parametrize(
    ("changes", "moved"),
    [
        ({}, False),
        ({"stage": Agent.COLETA}, True),
        ({"service": "solo"}, True),
        ({"service": None}, False),
        ({"segment": "fabrica"}, True),
        ({"segment": None}, False),
        ({"packages_served": ()}, False),
        ({"packages_served": ("SERVICES", "SAMPLING")}, True),
        ({"fields": {}}, False),
        ({"fields": {"pontos": FieldValue(status=FieldStatus.KNOWN, value=3, source="M#2")}}, False),
        ({"fields": {"pontos": FieldValue(status=FieldStatus.KNOWN, value=4, source="M#1")}}, True),
        ({"fields": {"pontos": FieldValue(status=FieldStatus.DECLINED, source="M#1")}}, True),
        ({"fields": {**BEFORE.fields, "prazo": FieldValue(status=FieldStatus.DECLINED)}}, True),
    ],
)
def test_a_conversation_got_somewhere_by_what_is_new_in_it(changes: dict[str, object], moved: bool) -> None:
    assert progressed(BEFORE, replace(BEFORE, **changes)) is moved  # type: ignore[arg-type]
