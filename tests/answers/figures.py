"""What became of the labelled answers, counted: what the tests hold to limits and the report prints."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from core.domain.messages import InboundMessage  # noqa: F401
from tests.answers.playing import Played, play, rows

FINAL, GOING_ON = '{"s":6}', '{"s":1}'


@dataclass(slots=True)
class Share:
    """`right` of `all`, and the rows that were not."""

    right: int = 0
    all: int = 0
    others: list[str] = field(default_factory=list)

    def count(self, right: bool, row: str) -> None:
        self.all += 1
        self.right += right
        if not right:
            self.others.append(row)

    @property
    def rate(self) -> float:
        return self.right / self.all if self.all else 1.0

    def __str__(self) -> str:
        return f"{self.right}/{self.all} ({self.rate:.0%}) {' '.join(self.others)}".rstrip()
