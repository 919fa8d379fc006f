"""What no customer may see, though the reply parsed (docs/contract.md, "Egress check"). Deterministic, no model.

What is surely debris is stripped; where that would be a guess, the agent is asked again (`egress.toml`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.application.reply.placeholders import shows_blank, shows_id
from core.application.reply.rule_tables import read_table
from core.domain.text import BLANKS

_PASSES_MAX = 12
_OBJECTS_MAX = 100
_SMILEY = re.compile(r"[:;=]['-]? ?[)(]")
_OBJECT = re.compile(r'\{\s*"')
_FENCE = re.compile(r"(?:```|^[ \t]*~~~)\w*[ \t]*\n?", re.MULTILINE)
_TAG = re.compile(
    r"""<(/?)([A-Za-z][\w-]{0,20})(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))*\s*/?>([ \t]*)"""
)
_DECODER = json.JSONDecoder()
# Default-ignorable code points without a character.
_RESERVED = (range(0x2065, 0x2066), range(0xFFF0, 0xFFF9), range(0xE0000, 0xE1000))


@dataclass(frozen=True, slots=True)
class EgressResult:
    """`text` without debris, "" where nothing is visible; `findings` name what was found, for the log.

    `ask_again`, where there is any, is the reason in Portuguese why the text may not be sent.
    """

    text: str = field(repr=False)
    findings: tuple[str, ...] = ()
    ask_again: str = ""


def check_egress(
    message: str,
    *,
    ids: Container[str] = (),
    parsed_object: Mapping[str, Any] | None = None,
    customer_text: str = "",
) -> EgressResult:
    """Strip what is surely debris, and say whether the rest may be sent.

    `ids` are the catalogue's; `parsed_object` is the reply's own, which models repeat; a blank (`XX dias`) that
    `customer_text` holds is the customer's.
    """
    if not _shows_anything(message):
        return EgressResult("", ("invisible",) if message else ())
    text, found = _without_debris(message.strip(), parsed_object)
    reasons: Mapping[str, str] = read_table("egress").words["reasons"]
    doubts = dict(_doubts(text, ids, customer_text, reasons))
    if not _shows_anything(text):
        text, doubts = "", {"nothing_left": reasons["nothing_left"]}
    elif "endless_debris" in found:
        doubts["endless_debris"] = reasons["endless_debris"]
    findings = tuple(dict.fromkeys([*found, *doubts]))
    return EgressResult(text if found else message, findings, next(iter(doubts.values()), ""))


def _shows_anything(text: str) -> bool:
    """Whether a text says anything: a letter, a digit or a sign such as an emoji, and no blank that passes for one."""
    return _SMILEY.search(text) is not None or any(
        (char.isalnum() or unicodedata.category(char) in ("So", "Sk"))
        and char not in BLANKS
        and not any(ord(char) in reserved for reserved in _RESERVED)
        for char in text
    )


def _without_debris(text: str, parsed_object: Mapping[str, Any] | None) -> tuple[str, list[str]]:
    """The text, and the names of what was taken away; `endless_debris` where that never ended."""
    found: list[str] = []
    if parsed_object:
        kept, start = [], 0
        for begins, ends, said in _objects(text):
            if said == parsed_object:
                kept.append(text[start:begins])
                start = ends
        if start:
            found.append("repeated_object")
            text = "".join([*kept, text[start:]]).strip()
    for _ in range(_PASSES_MAX):
        before = text
        for row in read_table("egress").rows["strip"]:
            text = _noted(row.name, row.pattern.sub(row.to, text).strip(), text, found)
        text = _noted("html", _without_html(text), text, found)
        text = _noted("unpaired_fence", _without_unpaired_fence(text), text, found)
        if text == before:
            return text, found
    return text, [*found, "endless_debris"]


def _noted(name: str, stripped: str, text: str, found: list[str]) -> str:
    if stripped != text:
        found.append(name)
    return stripped


def _objects(text: str) -> Iterator[tuple[int, int, Any]]:
    """Where JSON objects begin and end, outermost, as far as anyone would read."""
    start = 0
    for _ in range(_OBJECTS_MAX):
        brace = _OBJECT.search(text, start)
        if brace is None:
            return
        try:
            said, start = _DECODER.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            start = brace.start() + 1
        else:
            yield brace.start(), start, said


def _without_html(text: str) -> str:
    """HTML as the Markdown that our formatter reads; marks only where every one of their tags is closed."""
    marks, lines, empty = (read_table("egress").words["tags"][kind] for kind in ("marks", "line", "empty"))
    tags = Counter((tag[1], tag[2].lower()) for tag in _TAG.finditer(text))

    def as_markdown(tag: re.Match[str]) -> str:
        closes, name, space = tag[1], tag[2].lower(), tag[3]
        if name not in marks and name not in lines and name not in empty:
            return tag[0]
        mark = marks.get(name, "") if tags["", name] == tags["/", name] else ""
        begins = "\n- " if name == "li" and not closes else "\n" if name in lines else ""
        if closes:
            return mark + ("" if name == "li" else begins) + space
        return begins + ("" if begins else space) + mark

    if not tags:
        return text
    written = _TAG.sub(as_markdown, text)
    return text if written == text else re.sub(r"\n{3,}", "\n\n", written).strip()


def _without_unpaired_fence(text: str) -> str:
    fences = list(_FENCE.finditer(text))
    if len(fences) % 2 == 0:
        return text
    is_first = fences[0].start() == 0 and fences[-1].end() < len(text)
    odd = fences[0] if is_first else fences[-1]
    return (text[: odd.start()] + text[odd.end() :]).strip()


def _doubts(
    text: str, ids: Container[str], customer_text: str, reasons: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """What may not be sent and cannot be stripped without a guess, with the reason for the agent."""
    if any(said for _, _, said in _objects(text)):
        yield "second_object", reasons["second_object"]
    for row in read_table("egress").rows["ask"]:
        if row.pattern.search(text):
            yield row.name, row.reason or reasons[row.name]
    if shows_id(text, ids):
        yield "internal_id", reasons["internal_id"]
    if shows_blank(text, customer_text):
        yield "placeholder", reasons["placeholder"]
