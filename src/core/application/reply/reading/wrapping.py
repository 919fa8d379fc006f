"""Takes a wrapping away from both sides of an object: fences, quotes, tags, brackets. Nothing else is ever taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

INVISIBLE = "\x00\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
"""For a character class: what takes no room on a screen."""

_TAG_NAME = r"[A-Za-z][\w.:-]*"
_FENCE_OR_TAG = re.compile(rf"`{{3,}}|~{{3,}}|<(?P<close>/)?(?P<tag>{_TAG_NAME})[^<>]*>|<!--|-->")
# What stands right before the object. A fence's info string may be anything up to the end of its line.
_FENCE_BEFORE = re.compile(r"(?P<run>`{3,}|~{3,})[^\n`~]*\n?\s*$")
_TAG_BEFORE = re.compile(rf"<(?P<tag>{_TAG_NAME})[^<>]*(?<!/)>\s*$")
_PAIR_BEFORE = re.compile(r"(?P<open><!--|[(“‘„«‹])\s*$")
_RUN_BEFORE = re.compile(r"(?P<run>([\"'´`*_|~])\2*)(?:json\s*)?$", re.IGNORECASE)
_STATEMENT_BEFORE = re.compile(r"(?:=|\breturn)\s*$")
_LINE_BREAK = r"(?:\r?\n[ \t]*)?"
_PAIRS = {"(": ")", "“": "”", "‘": "’", "„": "“", "«": "»", "‹": "›", "<!--": "-->"}

Closer = Callable[[str], str | None]
"""Takes the closing half off what follows the object; None when it closes in the midst of the message."""


def unwrap(before: str, after: str) -> str | None:
    """`after`, without what closes the wrappings that `before` opens, innermost first. None when that is not clear."""
    if _is_element(before, after.lstrip()):
        return None
    for closer in _closers(before):
        unwrapped = closer(after)
        if unwrapped is None:
            return None
        after = unwrapped
    return after


def _is_element(before: str, after: str) -> bool:
    """Whether the object stands in an array or among arguments: one of several things said."""
    if before.rstrip().endswith("["):
        return True
    in_array = before.count("[") > before.count("]")
    in_call = before.count("(") > before.count(")")
    return (in_array and after[:1] in ("]", ",")) or (in_call and after.startswith(","))


def bare_words(before: str) -> str:
    """What is left of a prefix without tags, fences and their info strings: the words that were said."""
    rest = re.sub(r"(?:`{3,}|~{3,})[^\n`~]*", " ", before)
    return re.sub(rf"<[^<>]*>|[{INVISIBLE}]", " ", rest)


def _closers(before: str) -> Iterator[Closer]:
    before = _visible_text(before)
    while True:
        found = _innermost(before)
        if found is None:
            break
        opening, closer = found
        before = _visible_text(before[: opening.start()])
        yield closer
    yield from _left_open(before)


def _visible_text(text: str) -> str:
    """The text without what is invisible at its end."""
    return re.sub(rf"[{INVISIBLE}]+$", "", text)


def _innermost(before: str) -> tuple[re.Match[str], Closer] | None:
    """The wrapping that opens right before the object. A mark seen an even number of times has closed already."""
    if (fence := _FENCE_BEFORE.search(before)) and before.count(fence["run"][:3]) % 2:
        return fence, _fence(fence["run"], _end(fence))
    if tag := _TAG_BEFORE.search(before):
        return tag, _tag(tag["tag"], _end(tag))
    if pair := _PAIR_BEFORE.search(before):
        return pair, _pair(re.escape(pair["open"]), re.escape(_PAIRS[pair["open"]]), _end(pair))
    if (run := _RUN_BEFORE.search(before)) and len(_marks(run["run"], before)) % 2:
        return run, _run(run["run"], _end(run))
    if statement := _STATEMENT_BEFORE.search(before):
        return statement, lambda after: re.sub(r"^\s*;", "", after)
    return None


def _left_open(before: str) -> Iterator[Closer]:
    """Fences and tags that open earlier, with words between them and the object; the last opened first."""
    stack: list[tuple[str, Closer]] = []
    for token in _FENCE_OR_TAG.finditer(before):
        name = token["tag"] or token[0][:3]
        still_open = [opened for opened, _ in stack]
        if token["close"] or token[0] == "-->" or (token["tag"] is None and name in still_open):
            name = "<!-" if token[0] == "-->" else name
            if name in still_open:
                del stack[len(still_open) - 1 - still_open[::-1].index(name) :]
        elif token["tag"]:
            stack.append((name, _tag(name, _LINE_BREAK)))
        else:
            stack.append((name, _pair("<!--", "-->", _LINE_BREAK) if name == "<!-" else _fence(token[0], _LINE_BREAK)))
    for _, closer in reversed(stack):
        yield closer


def _end(opening: re.Match[str]) -> str:
    """The pattern of what a closing half takes along: a line break, where the opening half had one too."""
    return _LINE_BREAK if "\n" in opening[0] else ""


def _fence(opened: str, end: str) -> Closer:
    """A fence may lack its end, and may hold the object alone or the whole reply."""
    mark = re.escape(opened[0]) + f"{{{len(opened)},}}"

    def close(after: str) -> str | None:
        if at_start := re.match(rf"\s*{mark}[ \t]*(?:\r?\n)?", after):
            return after[at_start.end() :]
        fences = len(re.findall(mark, after))
        at_end = re.search(rf"{end}{mark}\s*$", after)
        if bool(at_end) != bool(fences % 2):
            return None  # one of the message's own fences has lost its pair, or ours closes inside the message
        return after[: at_end.start()] if at_end else after

    return close


def _tag(name: str, end: str) -> Closer:
    return _pair(rf"<{re.escape(name)}\b[^<>]*>", rf"</{re.escape(name)}\s*>", end)


def _pair(opening: str, closing: str, end: str) -> Closer:
    """A wrapping whose two halves differ. Never closed, its opening was only something written before the object."""

    def close(after: str) -> str | None:
        at_end = re.search(rf"{end}{closing}\s*$", after)
        unpaired = len(re.findall(closing, after)) - len(re.findall(opening, after))
        if unpaired <= 0:
            return None if at_end else after
        if at_start := re.match(rf"\s*{closing}", after):
            return after[at_start.end() :]
        return after[: at_end.start()] if at_end else None

    return close


def _run(mark: str, end: str) -> Closer:
    """A wrapping that closes with the mark that opened it: an odd number of them follows, one of them ours."""
    ours = re.escape(mark)

    def close(after: str) -> str | None:
        marks = len(_marks(mark, after))
        if marks % 2 == 0:
            return None if marks else after
        at_start = re.match(rf"\s*{ours}", after)
        at_end = re.search(rf"{end}{ours}\s*$", after)
        if at_start and at_end and marks > 1 and not after[at_start.end() :][:1].isspace():
            return None  # around the object or around the reply, whose message starts and ends with such marks
        if at_start:
            return after[at_start.end() :]
        return after[: at_end.start()] if at_end else None

    return close


def _marks(mark: str, text: str) -> list[str]:
    """Occurrences of a mark; an apostrophe inside a word (`d'oeste`) is a letter."""
    pattern = re.escape(mark)
    return re.findall(rf"(?<!\w){pattern}|{pattern}(?!\w)" if mark in "'´_" else pattern, text)
