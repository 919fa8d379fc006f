"""What attendants ask of the table, counted on its adapter: a long queue and a long conversation cost one page each."""

from __future__ import annotations

from typing import Any

import pytest

from core.domain import head_transitions as transitions
from core.domain.conversation import Head
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import marshalled
from core.integrations.wiring.attendants import DeskDependencies
from tests.attendance import BIA
from tests.desk import Desk
from tests.fakes.clock import MONDAY_MS
from tests.integration.conversation_builders import CONVERSATION, inbound
from tests.integration.store_subjects import DynamoSubject

pytestmark = pytest.mark.thorough

WAITING, MESSAGES = 10_000, 5_000


@pytest.fixture
def reading(on_table: DynamoSubject) -> Any:
    desk = Desk()
    deps = DeskDependencies(
        settings=desk.settings,  # type: ignore[arg-type]
        store=on_table.store,
        clock=on_table.clock,
        catalog=desk.catalog,
        secrets=None,  # type: ignore[arg-type]
    )
    return deps.reading()


def laid(subject: Any, items: list[dict[str, Any]]) -> None:
    """Straight into the table, as no code of ours does."""
    for start in range(0, len(items), 25):
        puts = [{"PutRequest": {"Item": marshalled(item)}} for item in items[start : start + 25]]
        subject._unrecorded.batch_write_item(RequestItems={subject._table_name: puts})


def waits(n: int) -> dict[str, Any]:
    head = transitions.handed_over(
        Head(ver=1, name=f"Cliente {n}", last_turn="t"), reason="loop", now_ms=MONDAY_MS + n, due_ms=MONDAY_MS + n
    )
    return codec.head_to_item(f"c{n:05d}", head)


def test_the_first_page_of_ten_thousand_is_one_request(on_table: Any, reading: Any) -> None:
    laid(on_table, [waits(n) for n in range(WAITING)])
    before = on_table.requests()

    page = reading.queue()

    assert on_table.requests() - before == 1
    assert [item.name for item in page.items[:2]] == ["Cliente 0", "Cliente 1"]
    assert len(page.items) == 50
    assert reading.queue(cursor=page.next_cursor).items[0].name == "Cliente 50"


def test_opening_a_long_conversation_reads_one_page_of_it(on_table: Any, reading: Any) -> None:
    laid(on_table, [codec.inbound_to_item(inbound(f"n{n}", at_ms=MONDAY_MS + n)) for n in range(MESSAGES)])
    laid(on_table, [codec.head_to_item(CONVERSATION, Head(ver=1, session_start_ms=MONDAY_MS))])
    before = on_table.requests()

    view = reading.opened(reading.snapshot(CONVERSATION), BIA)

    # the page; what attendants did; that it was opened
    assert on_table.requests() - before == 3
    assert len(view.entries) == 31
    assert view.older_cursor
