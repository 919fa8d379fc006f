"""What became of the labelled rows, counted: the tests hold it to limits, `python -m tests.answers` prints it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from core.domain.conversation_guard import GuardKind
from tests.answers.playing import Played, play, rows

PLAIN = "Claro! O que você precisa?"


@dataclass(slots=True)
class Share:
    """`hits` of `all`; `others` are the rows that were no hit."""

    hits: int = 0
    all: int = 0
    others: list[str] = field(default_factory=list)

    def count(self, hit: bool, row: str) -> None:
        self.all += 1
        self.hits += hit
        if not hit:
            self.others.append(row)

    @property
    def rate(self) -> float:
        return self.hits / self.all if self.all else 1.0

    def __str__(self) -> str:
        return f"{self.hits}/{self.all} ({self.rate:.0%})" + (f": not {', '.join(self.others)}" if self.others else "")


Figures = Mapping[str, Share]


@cache
def count_slips() -> Figures:
    """Each reply with a slip, asked again for as `again` where the turn asks."""
    figures: dict[str, Share] = defaultdict(Share)
    for row in rows("slips"):
        played = play(row["setup"], row["customer"], row["reply"], row.get("again") or row["reply"])
        name = f"{row['id']} {row['kind']}"
        figures["at most one call more"].count(played.extra_calls <= 1, name)
        figures["nothing forbidden was sent"].count(not _sent(played, row.get("must_not_send", ())), name)
        if row["best"] != "person":
            figures["served"].count(_served(played, row), name)
        if row["best"] == "free":
            figures["marked free and free"].count(not played.extra_calls, name)
        for hit in _fields(played, row):
            figures["fields right"].count(hit, name)
    return figures


@cache
def count_texts() -> Figures:
    """Each text as an agent's whole message; a text that is not true is stopped where it is asked for again."""
    figures: dict[str, Share] = defaultdict(Share)
    for row in rows("texts"):
        code = '{"s":6}' if row["final"] else '{"s":1}'
        played = play([], "Olá, preciso de uma informação", code + row["text"], code + PLAIN)
        person = played.handed_over and not row["final"]
        if row["label"] == "ok":
            figures["good and sent without a call"].count(not played.extra_calls, row["id"])
            figures["good and no person"].count(not person, row["id"])
        else:
            figures["stopped: " + row.get("what", row["label"])].count(bool(played.extra_calls) or person, row["id"])
    return figures


@cache
def count_customers() -> Figures:
    """Each line as a conversation's first message: which detector of the guard fired."""
    figures: dict[str, Share] = defaultdict(Share)
    for row in rows("customers"):
        played = play([], row["text"], '{"s":1}' + PLAIN)
        fired = played.guard.get("kind")
        wanted = {"human": GuardKind.HUMAN_REQUEST, "frustrated": GuardKind.FRUSTRATED}.get(row["label"])
        figures[f"labelled {row['label']}"].count(fired == wanted, row["id"])
    return figures


def _sent(played: Played, texts: Sequence[str]) -> bool:
    return any(text in played.sent for text in texts)


def _served(played: Played, row: Mapping[str, Any]) -> bool:
    """By the bot: a person only where the right answer calls one, too."""
    wanted = not played.handed_over or '"s":6' in (row.get("mended") or row.get("again") or "")
    return wanted and all(text in played.sent for text in row.get("must_send", ()))


def _fields(played: Played, row: Mapping[str, Any]) -> list[bool]:
    known = [played.value(name) == value for name, value in row.get("want_fields", {}).items()]
    absent = [played.value(name) is None for name in row.get("want_absent", ())]
    return [*known, *absent, *(played.is_declined(name) for name in row.get("want_declined", ()))]
