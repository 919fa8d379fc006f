"""Logs of functions as a person reads them."""

from __future__ import annotations

import json
import re

import pytest

from local_stack.function_logs import LogLine


def shown(message: str) -> str:
    line = LogLine(at_ms=1_795_953_600_123, function="process", message=message).readable()
    return re.sub(r"^\d\d:\d\d:\d\d\.123 ", "", line)


@pytest.mark.parametrize(
    ("message", "readable"),
    [
        (
            json.dumps(
                {"level": "INFO", "message": "turn_done", "service": "balcao", "outcome": "answered", "calls": 1}
            ),
            "process  INFO    turn_done outcome=answered calls=1",
        ),
        ("plain words\n", "process  plain words"),
        ("[1, 2]", "process  [1, 2]"),
        ("REPORT RequestId: 1\tDuration: 12 ms\tBilled Duration: 12 ms", "process  --- 12 ms"),
    ],
    ids=["structured", "plain", "json that is no object", "the runtime's report"],
)
def test_a_line_says_what_happened_and_leaves_out_what_every_line_says(message: str, readable: str) -> None:
    assert shown(message) == readable


def test_a_traceback_stands_below_its_line() -> None:
    message = json.dumps({"level": "ERROR", "message": "failed", "exception": "Traceback\n  ValueError"})

    assert shown(message) == "process  ERROR   failed\n    Traceback\n      ValueError"


def test_lines_without_an_id_are_told_apart_by_what_they_say() -> None:
    one = LogLine(at_ms=1, function="process", message="a")
    other = LogLine(at_ms=1, function="process", message="b")

    assert one.key() != other.key()
