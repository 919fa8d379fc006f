"""`pause` and `resume`: what is switched off, in which order, and when the sweep may run again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from operator_tools.deployment import Deployment
from operator_tools.errors import OperatorError
from operator_tools.pausing import STANDSTILL_SECONDS, SWITCH_SECONDS, Switches
from operator_tools.queues import Queue


class FakeAws:
    """Lambda's mapping, EventBridge's rule, the queue and the clock. `depths` are what the queue counts, the last one
    for ever; the mapping takes `slow_seconds` to become what it was told.
    """

    def __init__(self, depths: Sequence[int] = (0,), *, enabled: bool = True, slow_seconds: float = 5.0) -> None:
        self.state, self.wanted = "Enabled" if enabled else "Disabled", enabled
        self.rule = enabled
        self.done: list[str] = []
        self.said: list[str] = []
        self.clock = 0.0
        self._slow_seconds, self._ready = slow_seconds, 0.0
        self._depths: Iterator[int] = iter(depths)
        self._depth = 0

    def update_event_source_mapping(self, *, UUID: str, Enabled: bool) -> None:  # noqa: N803 -- AWS's names
        assert UUID == "uuid"
        self.wanted, self._ready = Enabled, self.clock + self._slow_seconds
        self.done.append("mapping on" if Enabled else "mapping off")

    def get_event_source_mapping(self, *, UUID: str) -> dict[str, Any]:  # noqa: N803 -- AWS's names
        if self.clock >= self._ready:
            self.state = "Enabled" if self.wanted else "Disabled"
        return {"State": self.state if self.clock >= self._ready else "Disabling"}

    def disable_rule(self, *, Name: str) -> None:  # noqa: N803 -- AWS's names
        assert Name == "rule"
        self.done.append("sweep off")

    def enable_rule(self, *, Name: str) -> None:  # noqa: N803 -- AWS's names
        self.done.append("sweep on")

    def get_queue_attributes(self, **_asked: Any) -> dict[str, Any]:
        self._depth = next(self._depths, self._depth)
        return {"Attributes": {"ApproximateNumberOfMessages": str(self._depth)}}

    def get_paginator(self, _operation: str) -> FakeAws:
        return self

    def paginate(self, *, StackName: str) -> list[dict[str, Any]]:  # noqa: N803 -- AWS's names
        rows = [
            ("AWS::Lambda::EventSourceMapping", "SocialMapping", "other"),
            ("AWS::Lambda::EventSourceMapping", "ProcessMapping", "uuid"),
            ("AWS::Events::Rule", "SweepSchedule", "rule"),
        ]
        names = ("ResourceType", "LogicalResourceId", "PhysicalResourceId")
        return [{"StackResourceSummaries": [dict(zip(names, row, strict=True)) for row in rows]}]

    def sleep(self, seconds: float) -> None:
        self.clock += seconds

    def switches(self) -> Switches:
        where = Deployment(client=lambda _: self, stack="balcao", outputs={}, parameters={})
        return Switches(deployment=where, say=self.said.append, now=lambda: self.clock, sleep=self.sleep)

    @property
    def queue(self) -> Queue:
        return Queue(self, "queue")


def test_a_pause_ends_when_aws_has_come_to_it_and_the_sweep_is_first() -> None:
    aws = FakeAws()
    aws.switches().pause()
    assert aws.done == ["sweep off", "mapping off"]
    assert aws.state == "Disabled"


def test_a_second_pause_changes_nothing() -> None:
    aws = FakeAws(enabled=False)
    aws.switches().pause()
    assert aws.done == ["sweep off"]


def test_a_mapping_that_does_not_come_to_rest_says_what_to_do() -> None:
    aws = FakeAws(slow_seconds=SWITCH_SECONDS * 2)
    with pytest.raises(OperatorError, match="still Disabling") as error:
        aws.switches().pause()
    assert "again" in error.value.next_step


def test_the_sweep_runs_again_only_when_the_queue_is_worked_off() -> None:
    """Before, it would give people every conversation that waited through the pause."""
    aws = FakeAws([9, 6, 3, 0], enabled=False)
    aws.switches().resume(aws.queue)
    assert aws.done == ["mapping on", "sweep on"]
    assert aws.said[1:-1] == ["6 messages wait", "3 messages wait"]


def test_a_queue_that_stands_still_does_not_keep_the_sweep_off() -> None:
    aws = FakeAws([2], enabled=False)
    aws.switches().resume(aws.queue)
    assert aws.done[-1] == "sweep on"
    assert STANDSTILL_SECONDS <= aws.clock < STANDSTILL_SECONDS * 2
    assert "become no fewer" in aws.said[-2]


def test_a_queue_that_becomes_shorter_slowly_is_waited_for() -> None:
    aws = FakeAws([number for depth in range(5, 0, -1) for number in [depth] * 40] + [0], enabled=False)
    aws.switches().resume(aws.queue)
    assert aws.clock > STANDSTILL_SECONDS
    assert "no fewer" not in " ".join(aws.said)


def test_whoever_stops_waiting_has_the_sweep_back(monkeypatch: pytest.MonkeyPatch) -> None:
    aws = FakeAws([2], enabled=False, slow_seconds=0)

    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(aws, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        aws.switches().resume(aws.queue)
    assert aws.done == ["mapping on", "sweep on"]
