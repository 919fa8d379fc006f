"""Where a model's reasoning stands in its reply, and the control tokens of chat templates."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAMES = (
    r"think|thinking|thoughts?|reasoning|analysis|reflection|scratchpad|monologue|cot|chain_of_thought"
    r"|pensamento|pensando|racioc[ií]nio|an[aá]lise|reflex[aã]o|rascunho"
)
# <think>, </think>, <ns:think a="1">; [THINK] and ◁think▷ of other houses; <|begin_of_thought|>
_TAG = re.compile(
    rf"<(?P<close>/)?(?:[\w-]+:)?(?P<name>{_NAMES})\b[^<>]*(?<!/)>"
    r"|\[(?P<close2>/)?THINK\]|◁(?P<close3>/)?think▷|<\|(?:begin|(?P<close4>end))_of_thought\|>",
    re.IGNORECASE,
)
# OpenAI's channels: what is not `final` is for nobody to read.
_CHANNEL = re.compile(r"<\|channel\|>\s*(?:analysis|commentary)\b")
_CHANNEL_END = re.compile(r"<\|(?:end|start|channel|call)\|>")

CONTROL_TOKEN = re.compile(
    r"<[|｜][^|｜<>\s]{1,40}[|｜]>|</s>|<(?:end|start)_of_turn>|<(?:eos|bos|pad|unk)>|\[/?INST\]|<</?SYS>>"
)
"""Tokens that open and close turns in chat templates; never words of a message."""

REASONING_CLOSE = re.compile(rf"</(?:[\w-]+:)?(?:{_NAMES})\s*>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>", re.IGNORECASE)
"""The closing half alone: what is left when a template kept the opening for itself."""


def closed_blocks(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Spans of reasoning that opens and closes, outermost, in order. A block that never closes ends the search."""
    while True:
        opening = next_opening(text, start)
        end = close_of(text, opening) if opening else -1
        if opening is None or end < 0:
            return
        yield opening.start(), end
        start = end


def next_opening(text: str, start: int = 0) -> re.Match[str] | None:
    """The next place where reasoning opens, closed or not."""
    tag = next((found for found in _TAG.finditer(text, start) if not _closes(found)), None)
    channel = _CHANNEL.search(text, start)
    return min((found for found in (tag, channel) if found), key=lambda found: found.start(), default=None)


def close_of(text: str, opening: re.Match[str]) -> int:
    """Offset after the block that `opening` opens; -1 when it never closes."""
    if opening.re is _CHANNEL:
        end = _CHANNEL_END.search(text, opening.end())
        return -1 if end is None else end.start() if end[0] != "<|end|>" else end.end()
    depth = 0
    for tag in _TAG.finditer(text, opening.start()):
        if _name(tag) != _name(opening):
            continue
        depth += -1 if _closes(tag) else 1
        if depth == 0:
            return tag.end()
    return -1


def lone_close(text: str) -> int:
    """Offset after a closing tag that no opening precedes (templates put the opening into the prompt); 0 for none.

    Only when an object may still follow: a closing tag at the end of a reply closes nothing.
    """
    depth, offset = 0, 0
    for tag in _TAG.finditer(text, 0, text.rfind("{") + 1):
        depth += -1 if _closes(tag) else 1
        if depth < 0:
            depth, offset = 0, tag.end()
    return offset


def without_reasoning(text: str) -> str:
    """The text without its closed blocks of reasoning."""
    kept, start = [], 0
    for begins, ends in closed_blocks(text):
        kept.append(text[start:begins])
        start = ends
    return "".join([*kept, text[start:]])


def _closes(tag: re.Match[str]) -> bool:
    return any(tag[group] for group in ("close", "close2", "close3", "close4"))


def _name(tag: re.Match[str]) -> str:
    return (tag["name"] or tag[0].strip("[]<>◁▷|/")[-5:]).lower()
