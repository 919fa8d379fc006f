"""The one tolerant reading of a reply that breaks `{JSON}Mensagem`: what objects and messages it can be read as.

The objects are found, each is read leniently, and the wrapping around its message is taken away. What can be read in
two ways gives two candidates; what would have to be guessed gives none.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from core.application.parser import LLMResponseParseError, parse_llm_response
from core.domain.actions import SILENT_CODES, ActionCode
from core.domain.text import clean_text

_MAX_OBJECTS = 12
_MAX_DEPTH = 32
_MESSAGE_KEYS = frozenset({"message", "mensagem", "texto", "text", "resposta"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to read the reply. `content` has an int `s`; `message` may be empty."""

    content: dict[str, Any] = field(repr=False)
    message: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TolerantReading:
    """`objects` counts the different objects with `s`; `dropped_prefix` stood before the first and is no message."""

    candidates: tuple[Candidate, ...] = ()
    dropped_prefix: str = field(default="", repr=False)
    objects: int = 0


class _UnreadableError(Exception):
    """There is an object here that cannot be read without a guess."""


@dataclass(frozen=True, slots=True)
class _Found:
    """An object with `s`, from `start`: its content and end, in each way it can be read."""

    start: int
    readings: list[tuple[dict[str, Any], int]]


def read_tolerantly(raw: str) -> TolerantReading:
    """Linear in the length of `raw`. Never raises."""
    text = clean_text(raw).replace("\0", "")
    start = _end_of_thoughts(text)
    found: list[_Found] = []
    with suppress(_UnreadableError):
        found = _find_objects(text, start)
    if not found:
        return TolerantReading()
    prefix = text[: found[0].start]
    candidates = _without_repetitions(_candidates(text, start, found))
    if len(candidates) == 1 and (spoken := _message_before(candidates[0], prefix[start:])):
        candidates, prefix = [Candidate(candidates[0].content, spoken)], ""
    objects = len({identity(each.readings[0][0]) for each in found})
    return TolerantReading(candidates=tuple(candidates), dropped_prefix=prefix, objects=objects)


def identity(content: Any) -> str:
    """A text that two contents share when they are equal, types included: `true` is not `1`."""
    return json.dumps(content, sort_keys=True)


def _candidates(text: str, start: int, found: list[_Found]) -> list[Candidate]:
    """Each object with the text up to the next one."""
    candidates = []
    for number, each in enumerate(found):
        before = text[start : each.start]
        until = found[number + 1].start if number + 1 < len(found) else len(text)
        for content, end in each.readings:
            after = text[end:until] if until == len(text) else _without_opener(text[end:until])
            candidates.append(_with_message(content, _unwrapped(before, after)))
        start = each.readings[0][1]
    return candidates


def _with_message(content: dict[str, Any], message: str) -> Candidate:
    """The message out of the object where nothing follows it: `{"s":1,"mensagem":"Olá"}`."""
    keys = [key for key in content if key in _MESSAGE_KEYS and isinstance(content[key], str)]
    if message.strip() or len(keys) != 1:
        return Candidate(content, message)
    return Candidate({key: value for key, value in content.items() if key != keys[0]}, content[keys[0]].strip())


def _without_repetitions(candidates: list[Candidate]) -> list[Candidate]:
    """The same object again is dropped: `{"s":1}Olá{"s":1}`. Two messages for one object stay two candidates."""
    by_content: dict[str, dict[str, Candidate]] = {}
    for each in candidates:
        by_content.setdefault(identity(each.content), {}).setdefault(each.message.strip(), each)
    for same in by_content.values():
        if len(same) > 1:
            same.pop("", None)
    return [each for same in by_content.values() for each in same.values()]


def _message_before(candidate: Candidate, before: str) -> str:
    """The message that stands before the object: `Para que dia? {"s":1}`; not `Segue o JSON: {"s":1}`."""
    if candidate.message.strip() or candidate.content["s"] in SILENT_CODES:
        return ""
    spoken = _own_wrapping_off(_without_opener(before).strip())
    return "" if spoken.endswith((":", "=")) or len(spoken.split()) < 2 else spoken


# --- Where the objects are --------------------------------------------------------------------------------------------

_GAP = r"(?:[\s\ufeff\u200b-\u200f\u2060]++|/\*(?s:.{0,200}?)\*/|(?://|\#)[^\n]{0,200}){0,9}+"
_QUOTED_KEY = r"""["'“‘][^"'“”‘’{}\[\]:,\n]{1,60}["'”’]\s*:"""
_BARE_KEY = r"""[^\W\d][\w-]{0,60}\s*:(?=\s*(?:["'“‘{\[0-9-]|[tfnTFN](?:rue|alse|ull|one)\b))"""
_KEY = re.compile(rf"{_QUOTED_KEY}|{_BARE_KEY}")
_OBJECT = re.compile(rf"\{{(?:{_GAP},?){{1,2}}(?:[\"'“‘][^\"'“”‘’\n]{{0,60}}[\"'”’]|[^\W\d][\w-]{{0,60}})\s*:")
# {"s":1,"q":{"a":1}},"declined":["b"]}Olá: one brace too many in the middle
_OBJECT_GOES_ON = re.compile(rf"\s*[,}}\]][\s,}}\]]*{_QUOTED_KEY}")
_THOUGHTS = r"(?:think|thinking|thoughts?|reasoning|analysis|reflection|scratchpad|pensamento|racioc[ií]nio)"
_THOUGHT_MARK = re.compile(
    rf"(?P<opens><{_THOUGHTS}\b[^<>]{{0,80}}>)|</{_THOUGHTS}\s?>|<\|channel\|>final\b", re.IGNORECASE
)


def _end_of_thoughts(text: str) -> int:
    """Offset after the last reasoning that ends before an object: `<think>{"s":5}?</think>{"s":1}Olá`; 0 for none.

    Its opening may be missing: some templates keep it in the prompt.
    """
    marks = _THOUGHT_MARK.finditer(text, 0, text.rfind("{") + 1)
    return max((mark.end() for mark in marks if not mark["opens"]), default=0)


def _find_objects(text: str, start: int) -> list[_Found]:
    """Objects with `s`. Raises `_UnreadableError` for one that cannot be read, and for data that would be lost."""
    found: list[_Found] = []
    seen = 0
    position = text.find("{", start)
    while position >= 0:
        if _OBJECT.match(text, position):
            readings = _read_object(text, position)
            content, end = readings[0]
            seen += 1
            if "s" in content:
                found.append(_Found(position, readings))
            elif not found:  # {"triage_data":{"a":1}}{"s":1}Olá
                raise _UnreadableError
            if seen > _MAX_OBJECTS or _OBJECT_GOES_ON.match(text, end):
                raise _UnreadableError
        else:  # `Modelo {titulo}`: a brace of the words
            end = position + 1
        position = text.find("{", end)
    if found and _THOUGHT_MARK.search(text, start, found[0].start):  # a thought that never ends
        raise _UnreadableError
    return found


def _read_object(text: str, start: int) -> list[tuple[dict[str, Any], int]]:
    """The object at `start` and its end: strictly where that goes, else leniently, in one or two ways."""
    with suppress(LLMResponseParseError):
        parsed = parse_llm_response(text[start:])
        return [(parsed.json_part, start + parsed.end)]
    reader = _Reader(text, start)
    readings = [(_with_code(reader.read_object(0)), reader.position)]
    if reader.is_doubtful:
        longer = _Reader(text, start, takes_longer_string=True)
        with suppress(_UnreadableError):
            readings.append((_with_code(longer.read_object(0)), longer.position))
    return readings


def _with_code(content: dict[str, Any]) -> dict[str, Any]:
    """`s` as an integer, also from `"1"`, `1.0` and `"REFUSE"`."""
    s = content.get("s", 0)
    if isinstance(s, str):
        s = int(s) if re.fullmatch("[0-9]{1,4}", s) else ActionCode.__members__.get(s.strip().upper())
    elif isinstance(s, float) and s.is_integer():
        s = int(s)
    if not isinstance(s, int) or isinstance(s, bool):
        raise _UnreadableError
    return {key: int(s) if key == "s" else value for key, value in content.items()}


# --- The object, read leniently ---------------------------------------------------------------------------------------

_SPACE = re.compile(_GAP)
_COMMAS = re.compile(rf"(?:{_GAP}[,;]){{0,3}}{_GAP}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,60})(?:\.[0-9]{1,20})?(?=[\s,;}\]/#])")
_LITERAL = re.compile(r"(true|false|null|none|undefined)(?=[\s,;}\]/#])", re.IGNORECASE)
_LITERALS = {"true": True, "false": False}
_QUOTES = {
    opening: re.compile(rf"\\.|[{closing}]", re.DOTALL)
    for opening, closing in {'"': '"', "“": '”"', "”": '”"', "'": "'", "‘": "’'"}.items()
}
_APOSTROPHE = re.compile(r"(?<=[^\W\d])['’](?=[^\W\d])")
# What must follow a string's last quote; a quote before anything else belongs to the text: "Mercado "O Barateiro""
_MEMBER_FOLLOWS = re.compile(rf"{_GAP}(?:,{_GAP}(?:{_KEY.pattern})|{_QUOTED_KEY})")
_OBJECT_ENDS = re.compile(rf"{_GAP}(?:,{_GAP})?(?:\}}|\Z)")
_ITEM_FOLLOWS = re.compile(rf"{_GAP},?{_GAP}\]|{_GAP},{_GAP}[\"'“‘{{\[0-9tfnTFN-]|\s+[\"'“‘]")
_SWALLOWED = re.compile(rf"(?<=[\s,{{]){_QUOTED_KEY}")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"} | {mark: mark for mark in "\"'\\/"}


class _Reader:
    """Reads one object from `position` on, by the rules that ordinary slips need; each is an example below.

    With `takes_longer_string` the first string whose end is in doubt goes on to its next possible end.
    """

    def __init__(self, text: str, position: int, *, takes_longer_string: bool = False) -> None:
        self.position = position
        self.is_doubtful = False
        self._text = text
        self._skips_an_end = takes_longer_string

    def read_object(self, depth: int) -> dict[str, Any]:
        """`{'s': 1, x: True /* ok */,}`: any quotes or none around keys, surplus or missing commas, comments."""
        found: dict[str, Any] = {}
        self.position = value_end = self.position + 1
        while not self._take(_COMMAS, "}"):
            key = _KEY.match(self._text, self.position)
            if key is None:
                self._end_without_brace(value_end, depth)
                break
            self.position = key.end()
            name = _unescape(key[0][:-1].strip().strip("\"'“”‘’"))
            value = self._read_value(depth)
            if name in found and identity(found[name]) != identity(value):
                raise _UnreadableError
            found[name] = value
            value_end = self.position
        return found

    def _end_without_brace(self, value_end: int, depth: int) -> None:
        """`{"s":1,"q":{"a":2}Olá` and `{"s":99,"context_needed":"X"`: the last brace alone is missing, nothing else."""
        is_cut = self.position == len(self._text) and "," not in self._text[value_end:]
        if depth or not (is_cut or self._text[value_end - 1] in "}]"):
            raise _UnreadableError
        self.position = value_end

    def _read_array(self, depth: int) -> list[Any]:
        """`["a", "b",]`"""
        found = []
        self.position += 1
        while not self._take(_COMMAS, "]"):
            found.append(self._read_value(depth, in_array=True))
        return found

    def _read_value(self, depth: int, *, in_array: bool = False) -> Any:
        self._take(_SPACE, "")
        opening = self._text[self.position : self.position + 1]
        if depth >= _MAX_DEPTH:
            raise _UnreadableError
        if opening == "{":
            return self.read_object(depth + 1)
        if opening == "[":
            return self._read_array(depth + 1)
        if opening in _QUOTES:
            return self._read_string(_QUOTES[opening], in_array=in_array)
        return self._read_scalar()

    def _read_scalar(self) -> Any:
        """`1`, `2.5`, `true`, `True`, `None`, `undefined`. One that stands last may be cut: `{"s":1,"n":12`."""
        if literal := _LITERAL.match(self._text, self.position):
            self.position = literal.end()
            return _LITERALS.get(literal[1].lower())
        number = _NUMBER.match(self._text, self.position)
        if number is None:
            raise _UnreadableError
        self.position = number.end()
        return json.loads(number[0])

    def _read_string(self, quotes: re.Pattern[str], *, in_array: bool) -> str:
        r"""`"Mercado "O Barateiro""`, `'Olho d'oeste'`, `“a”`, a raw line break, `C:\Lia`.

        Quotes inside come in pairs. Where they don't, `"tubo de 5" roscado"}`, it may also end at the next such place.
        """
        start = self.position + 1
        inside = 0
        ends = _ITEM_FOLLOWS if in_array else _OBJECT_ENDS
        for mark in quotes.finditer(self._text, start):
            if mark[0][0] == "\\" or _APOSTROPHE.match(self._text, mark.start()):
                continue
            is_certain = not in_array and bool(_MEMBER_FOLLOWS.match(self._text, mark.end()))
            is_end = is_certain or bool(ends.match(self._text, mark.end()))
            if _SWALLOWED.match(self._text, mark.start()) or (is_end and in_array and inside % 2):
                raise _UnreadableError  # {"a":"um,"b":"dois"} and ["um, "dois"]: a quote is missing before it
            if is_end and inside % 2 and not is_certain:
                self.is_doubtful = True
                is_end, self._skips_an_end = not self._skips_an_end, False
            if is_end:
                self.position = mark.end()
                return _unescape(self._text[start : mark.start()])
            inside += 1
        raise _UnreadableError

    def _take(self, gap: re.Pattern[str], wanted: str) -> bool:
        """Skip a gap; whether `wanted` follows it, which is then taken."""
        skipped = gap.match(self._text, self.position)
        self.position = skipped.end() if skipped else self.position
        follows = self._text.startswith(wanted, self.position)
        self.position += len(wanted) if follows else 0
        return follows


def _unescape(text: str) -> str:
    r"""What JSON escapes, decoded; `\L` of `C:\Lia` stays as it is."""
    decoded = _ESCAPE.sub(lambda each: chr(int(each[1], 16)) if each[1] else _ESCAPED.get(each[2], each[0]), text)
    return clean_text(decoded)


# --- The wrapping around a message ------------------------------------------------------------------------------------

_NEAR = 300  # characters before an object in which its wrapping opens
_FENCE = re.compile(r"(?:`{3,}|~{3,})(?:json|text|txt|markdown)?[ \t]*\n?", re.IGNORECASE)
_TAG = re.compile(r"<(?!(?:b|i|u|s|em|strong|del|code|a|br|p)\b)([A-Za-z][\w-]{0,40})[^<>/]{0,80}>")
_HALVES = {"(": ")", "“": "”", "‘": "’", "«": "»"}
_OPENING_MARKS = re.compile(r"(?:[*_\"'“‘«(]|(?<!`)`(?!`)){1,6}\s{0,9}\Z")
_OPENER_AT_END = re.compile(rf"(?:(?:`{{3,}}|~{{3,}})\w{{0,20}}|{_TAG.pattern}|{_OPENING_MARKS.pattern})\s*\Z")
# {"s":1}}],Olá and {"s":1};
_JUNK = re.compile(r"\s*(?:[}]|\](?!\())[\s\]},;]*|\s*[,;]+(?=\s|\Z)")
_CLIENT_LABEL = r"(?:mensagem|message)(?: (?:ao|para o|do) cliente)?|(?:resposta|texto) (?:ao|para o) cliente"
_OWN_WRAPPINGS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"{_TAG.pattern}(?P<inside>.*)</\1>",  # <mensagem>Olá</mensagem>
        r"(?:```|~~~)(?:text|txt|markdown)?\s(?P<inside>[^`~]+)(?:```|~~~)",
        rf"[*_]{{0,2}}(?:{_CLIENT_LABEL})[*_]{{0,2}}:[*_]{{0,2}}(?P<inside>.*)",  # **Mensagem ao cliente:** Olá
        r"[\"“](?P<inside>[^\"“”]+)[\"”]",  # "Olá, tudo bem?"
    )
)
_CHAT_TOKENS = re.compile(r"(?:\s*(?:<\|[^|<>\s]{1,40}\|>|</s>|<end_of_turn>))+\s*\Z")


def _unwrapped(before: str, after: str) -> str:
    """The message after an object, without the closing halves of what opened before it and without its own wrapping."""
    before = before[-_NEAR:]
    after = _without_thoughts(after)
    if junk := _JUNK.match(after):
        after = after[junk.end() :]
    if marks := _OPENING_MARKS.search(before):  # **{"s":1}**Olá and '{"s":1}Olá'
        closing = "".join(_HALVES.get(mark, mark) for mark in reversed(marks[0].strip()))
        if closing != '"' or after.count(closing) % 2:
            after = _without_closer(re.escape(closing), after, at_end=True)
    if len(_FENCE.findall(before)) % 2:  # the fence's end is the odd one; in the midst of the message it stays
        after = _without_closer(_FENCE.pattern, after, at_end=len(_FENCE.findall(after)) % 2 == 1)
    for tag in list(_TAG.finditer(before))[::-1][:4]:  # <resposta>{"s":1}Olá</resposta> and <json>{"s":1}</json>Olá
        if f"</{tag[1]}>" not in before:
            after = _without_closer(f"</{re.escape(tag[1])}>", after, at_end=True)
    return _own_wrapping_off(after.lstrip())


def _without_opener(text: str) -> str:
    """Words without the fence, tag or quote that opens at their end, around the object that follows."""
    near = _OPENER_AT_END.search(text[-_NEAR:])
    return text[: max(0, len(text) - _NEAR) + near.start()].rstrip() if near else text


def _without_closer(closer: str, after: str, *, at_end: bool) -> str:
    if first := re.match(rf"\s*(?:{closer})", after, re.IGNORECASE):
        return after[first.end() :]
    last = re.search(rf"(?:{closer})\s{{0,99}}\Z", after[-_NEAR:], re.IGNORECASE) if at_end else None
    return after[: len(after) - len(last[0])].rstrip() if last else after


def _own_wrapping_off(message: str) -> str:
    """The message without chat tokens at its end and what stands around all of it."""
    if tokens := _CHAT_TOKENS.search(message[-_NEAR:]):
        message = message[: len(message) - len(tokens[0])]
    for wrapping in _OWN_WRAPPINGS:
        if found := wrapping.fullmatch(message.strip()):
            message = found["inside"].strip()
    return message


def _without_thoughts(text: str) -> str:
    """`{"s":1}<think>pronto</think>Olá`; a thought that never ends stays."""
    kept, position, opening = [], 0, -1
    for mark in _THOUGHT_MARK.finditer(text):
        if mark["opens"] and opening < 0:
            opening = mark.start()
        elif opening >= 0 and not mark["opens"]:
            kept.append(text[position:opening])
            position, opening = mark.end(), -1
    return "".join([*kept, text[position:]])
