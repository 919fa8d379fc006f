"""Runs of styled characters, and the lines of WhatsApp's markup that show them.

A style that WhatsApp would not read where it stands, or would read otherwise than meant, is dropped with its marks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from core.channels.whatsapp.formatting.markup import Style, cover, pairs


class Kind(Enum):
    """What a run of characters is."""

    TEXT = auto()
    ADDRESS = auto()  # a mark that touched it would become a part of the link
    CODE = auto()  # nothing inside it is read as a mark
    BREAK = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """A stretch in one style, and the marks that it was typed with. Each is itself alone."""

    style: Style
    typed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Characters that share a kind and their styles, outermost first."""

    kind: Kind
    text: str
    spans: tuple[Span, ...] = ()


BREAK = Run(kind=Kind.BREAK, text="\n")


def plain(runs: Iterable[Run]) -> str:
    """The text of the runs without any style."""
    return "".join(run.text for run in runs)


def write_lines(runs: Iterable[Run]) -> list[str]:
    """The runs in WhatsApp's markup, one item a line; styles that cross a line are closed and opened again."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        if run.kind is Kind.BREAK:
            lines.append([])
        else:
            lines[-1].append(run)
    return [_write_line(line) for line in lines]


def _write_line(runs: list[Run]) -> str:
    """One line in markup that WhatsApp reads as it is meant."""
    line = list(_trim(list(_trim(runs, 1)), -1))
    for style in Style:
        _, covered, ours = _mark(line)
        if not ours[style] <= set(pairs(covered, style)) & set(pairs(covered, style, nearest=True)):
            line = [replace(run, spans=tuple(span for span in run.spans if span.style != style)) for run in line]
    return _mark(line)[0]


def _trim(runs: Sequence[Run], step: int) -> Sequence[Run]:
    """The runs, every style beginning (1) or ending (-1) at something it can be shown on: no space, no address."""
    begun: set[Span] = set()
    out: list[Run] = []
    for run in runs[::step]:
        spans = tuple(span for span in run.spans if span in begun)
        shown = run.text.lstrip() if step > 0 else run.text.rstrip()
        if len(spans) == len(run.spans):
            out.append(run)
        elif run.kind is Kind.ADDRESS or not shown:
            out.append(replace(run, spans=spans))
        else:
            begun.update(run.spans)
            space = run.text[: -len(shown)] if step > 0 else run.text[len(shown) :]
            out += [replace(run, text=space, spans=spans)] * bool(space) + [replace(run, text=shown)]
    return out[::step]


def _mark(runs: Sequence[Run]) -> tuple[str, str, dict[Style, set[tuple[int, int]]]]:
    """The line with its marks, the same with its code covered, and where the marks of each style stand."""
    line: list[str] = []
    covered: list[str] = []
    ours: dict[Style, set[tuple[int, int]]] = {style: set() for style in Style}
    opened: list[tuple[Span, int]] = []
    at = 0

    def write(text: str, seen: str) -> None:
        nonlocal at
        line.append(text)
        covered.append(seen)
        at += len(text)

    for run in [*runs, Run(kind=Kind.TEXT, text="")]:
        kept = 0
        while kept < min(len(opened), len(run.spans)) and opened[kept][0] is run.spans[kept]:
            kept += 1
        while len(opened) > kept:
            span, start = opened.pop()
            ours[span.style].add((start, at))
            write(span.style, span.style)
        for span in run.spans[kept:]:
            opened.append((span, at))
            write(span.style, span.style)
        write(run.text, cover(run.text) if run.kind is Kind.CODE else run.text)
    return "".join(line), "".join(covered), ours
