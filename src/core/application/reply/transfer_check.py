"""Whether a text tells the customer that a person takes over, which only a handoff makes true (`transfer.toml`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from core.application.reply.rule_tables import as_spoken, asks, read_table, sentences

_SENTENCE_MAX = 600  # characters of a sentence that are read


def announces_transfer(text: str) -> bool:
    """Whether a transfer is announced that hangs on nothing: no condition, no question, no request that comes first."""
    spoken = [as_spoken(sentence)[:_SENTENCE_MAX] for sentence in sentences(text)]
    return any(
        not asks(sentence) and not _hangs(sentence, following) and any(_announced(sentence))
        for sentence, following in pairwise([*spoken, ""])
    )


def _hangs(sentence: str, following: str) -> bool:
    """Whether what a sentence says is not simply so."""
    condition, condition_if, first = read_table("transfer").rows["hangs"]
    return bool(
        condition.pattern.search(sentence)
        or condition_if.pattern.search(sentence)
        or first.pattern.search(sentence)
        or first.pattern.search(following)
    )


def _announced(sentence: str) -> Iterator[str]:
    """The names of the rows that find a transfer, neither denied nor after a request."""
    rows = read_table("transfer").rows
    is_now = rows["now"][0].pattern.search(sentence)
    for row in (*rows["transfer"], *(rows["transfer_now"] if is_now else ())):
        for found in row.pattern.finditer(sentence):
            before = sentence[: found.start()]
            if not any(other.pattern.search(before) for other in rows["denied"]):
                yield row.name
