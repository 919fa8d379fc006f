"""Hours of a desk on which everything fails in turn: whoever wrote is answered or with people, nothing is said twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.effort import thorough
from tests.faults.hosts import KEY, TOKEN
from tests.faults.soak import LONG, SHORT, Soak
from tests.faults.world import Statuses

REPORTS = (Statuses.AFTER, Statuses.BEFORE, Statuses.WITHHELD)
# Beyond the outage itself: the last try before it ended was put off by so long, and a few seconds are work.
AFTER_AN_OUTAGE_MS = 6 * 60_000
# By what nobody but the outage of the provider, the customer's wish or the agent may send a conversation to people.
OF_THE_DAY = {"llm_timeout", "human_requested", "agent_requested", "channel_refused"}


def handoffs_of(soak: Soak) -> Counter[tuple[str, str]]:
    """Why conversations went to people."""
    turns = [turn for each in soak.world.conversations for turn in soak.world.store.turns(each)]
    return Counter((turn.handoff_reason, turn.handoff_detail) for turn in turns if turn.handoff_reason)


def test_a_day_of_outages_ends_with_everybody_answered_or_with_people() -> None:
    soak = Soak(seed=3, conversations=20, outages=SHORT, deaths=0.0)

    assert soak.run() == []
    assert soak.starts_failed > 0
    assert soak.vault.refused[TOKEN] > 0
    assert soak.vault.refused[KEY] > 0
    handoffs = handoffs_of(soak)
    assert {reason for reason, _ in handoffs} <= OF_THE_DAY
    # a rotated key is nobody's business, and a store that is throttled sends nobody to people
    assert {detail for reason, detail in handoffs if reason == "llm_timeout"} <= {"server_error", "timeout"}


@pytest.mark.parametrize("channel_lasts", [10, 18])
@pytest.mark.parametrize("seed", thorough(range(3)))
def test_a_hundred_conversations_outlive_hours_of_outages_and_dying_processes(seed: int, channel_lasts: float) -> None:
    outages = replace(LONG, channel_lasts=channel_lasts)
    soak = Soak(seed=seed, conversations=100, outages=outages, statuses=REPORTS[seed])

    assert soak.run() == []
    assert soak.died > 0
    assert max(soak.waited_ms) <= channel_lasts * 60_000 + AFTER_AN_OUTAGE_MS


@pytest.mark.parametrize("seed", thorough(range(100, 109)))
def test_outages_at_once_with_everything_else_going_wrong_leave_nothing_behind(seed: int) -> None:
    outages = replace(SHORT, channel=seed % 40, channel_lasts=10 + seed * 7 % 25, provider=seed * 11 % 45)
    soak = Soak(seed=seed, conversations=40, outages=outages, statuses=REPORTS[seed % 3], deaths=0.15)
    soak.weather.table_fails, soak.weather.send_lost = 0.02, 0.1

    assert soak.run() == []
