"""What is typed while an answer is awaited goes out together, as on WhatsApp."""

from __future__ import annotations

import io

import pytest

from conversation.typed_lines import TypedLines


@pytest.mark.parametrize(
    ("typed", "bursts"),
    [
        ("oi\n", [["oi"], None]),
        ("oi\nquanto custa?\n", [["oi", "quanto custa?"], None]),
        ("oi\n\n  \nbom dia", [["oi", "bom dia"], None]),
        ("oi\n/novo\nbom dia\n", [["oi"], ["/novo"], ["bom dia"], None]),
        ("/atender Oi, sou a Bia\noi\n", [["/atender Oi, sou a Bia"], ["oi"], None]),
        ("", [None]),
    ],
    ids=["one line", "two at once", "blank lines", "a command between", "a command first", "nothing"],
)
def test_lines_that_are_there_go_together_and_a_command_alone(typed: str, bursts: list[list[str] | None]) -> None:
    lines = TypedLines(io.StringIO(typed))
    assert [lines.next_burst() for _ in bursts] == bursts
