"""Tables of rules over Portuguese text, kept as TOML beside this module and read on first use.

A table has `[words]`, lists of phrases that a pattern names as `<list>`, and `[[group]]` rows: name, pattern, examples.
`folded = true`: only folded text is read, so the patterns need not look past capitals, which costs half the time.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from core.domain.text import fold

_LIST = re.compile(r"<(\w+)>")
_NOT_AFTER = "".join(rf"(?<!\b{word}\.)" for word in ("Sr", "Sra", "Dr", "Dra", "Av", "tel", "Tel", "aprox"))
_SENTENCE = re.compile(rf"(?<=[.!?…]){_NOT_AFTER}[ \t]+|\n+")
_TAG_QUESTION = re.compile(r", (?:ok|ta|ta bom|tudo bem|certo|combinado|beleza|viu|pode ser|fechado)[?!. ]*\Z")
_IS = re.compile(r"\b[éÉ]\b")


@dataclass(frozen=True, slots=True)
class Row:
    """`examples` are texts that it finds. `to` is what the find becomes; `reason` what an agent is told of it."""

    name: str
    pattern: re.Pattern[str]
    examples: tuple[str, ...]
    to: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One TOML file."""

    words: Mapping[str, Any]
    rows: Mapping[str, tuple[Row, ...]]


@cache
def read_table(name: str) -> Table:
    """The table of `<name>.toml`."""
    raw = tomllib.loads(resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8"))
    words: dict[str, Any] = raw.pop("words", {})
    flags = re.DOTALL | re.MULTILINE | (re.NOFLAG if raw.pop("folded", False) else re.IGNORECASE)

    def listed(found: re.Match[str]) -> str:
        return f"(?:{expand('|'.join(words[found[1]]))})" if found[1] in words else found[0]

    def expand(pattern: str) -> str:
        return _LIST.sub(listed, pattern)

    def row(given: dict[str, Any]) -> Row:
        pattern = re.compile(expand(given["pattern"]), flags)
        return Row(given["name"], pattern, tuple(given["examples"]), given.get("to", ""), given.get("reason", ""))

    return Table(words, {group: tuple(map(row, rows)) for group, rows in raw.items()})


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, each followed by the white space that ends it: `"".join` gives the text."""
    ends = [found.end() for found in _SENTENCE.finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if start < end]


def as_spoken(sentence: str) -> str:
    """Folded, in single blanks, without emphasis; `é` is `eh`, for `e` joins."""
    return " ".join(fold(_IS.sub("eh", sentence)).replace("*", "").split())


def asks(spoken: str) -> bool:
    """Whether a folded sentence is a question, and no statement that ends in "tudo bem?"."""
    return "?" in spoken[-4:] and not _TAG_QUESTION.search(spoken)
