"""The counter of the hour's money: fake and table alike."""

from __future__ import annotations

from typing import Any

import pytest

from core.application.ports import SpendCounter
from core.integrations.dynamodb.spend_counter import DynamoSpendCounter
from tests.fakes.spend_counter import FakeSpendCounter

HOUR = 498_900


@pytest.fixture(params=["memory", "dynamodb"])
def counter(request: pytest.FixtureRequest) -> SpendCounter:
    if request.param == "memory":
        return FakeSpendCounter()
    client: Any = request.getfixturevalue("dynamodb")
    return DynamoSpendCounter(client, table_name=request.getfixturevalue("table_name"))


def test_an_hour_that_nobody_wrote_cost_nothing(counter: SpendCounter) -> None:
    assert counter.total(HOUR) == 0


def test_sums_add_up_by_hour(counter: SpendCounter) -> None:
    counter.add(HOUR, 5)
    counter.add(HOUR, 7)
    counter.add(HOUR + 1, 1)

    assert (counter.total(HOUR), counter.total(HOUR + 1)) == (12, 1)
