"""A Markdown table as lines that can be read on a phone, a row a line."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from markdown_it.token import Token

from core.channels.whatsapp.formatting.inline_text import read_runs
from core.channels.whatsapp.formatting.markdown_parser import PROSE
from core.channels.whatsapp.formatting.markup import Style
from core.channels.whatsapp.formatting.styled_text import Kind, Run, Span, plain, write_lines

_Cell = list[Run]
_BULLET, _APART, _SAYS, _BELOW, _NOTHING = "- ", " · ", ": ", " / ", "–"
_LABELS_AT_MOST = 6_000  # characters; repeating longer headers would push the reply over its three messages


def write_table(tokens: Sequence[Token]) -> list[str]:
    """Two columns: `- Peso: 9 kg`, below the headers. More: `- Peça: motor · Prazo: 5 dias`, a header by each value."""
    (_, header), *body = _rows(tokens)
    rows = [cells for is_prose, cells in body if not is_prose]
    stacked = max(map(len, [header, *rows])) > 2 and _may_stack(header, rows)
    join = _list if len(header) > 2 else _say
    lines = [_bold(join(header))] if any(header) and not stacked else []
    for is_prose, cells in body:
        if is_prose:
            lines.append(cells[0])
        elif any(cells):
            lines.append([_text(_BULLET), *(_join(_label_cells(header, cells), _APART) if stacked else join(cells))])
    return [_write(line) for line in lines]


def _may_stack(header: Sequence[_Cell], rows: Sequence[Sequence[_Cell]]) -> bool:
    """Whether each header would be said, and all of them not too often."""
    said = all(any(cells[at] for cells in rows) for at, label in enumerate(header) if label)
    return said and sum(len(plain(label)) for label in header) * len(rows) <= _LABELS_AT_MOST


def _rows(tokens: Sequence[Token]) -> list[tuple[bool, list[_Cell]]]:
    """Each row's cells, and whether it is prose instead."""
    rows: list[tuple[bool, list[_Cell]]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append((bool(token.meta[PROSE]), []))
        elif token.type == "inline":
            rows[-1][1].append(read_runs(token.children or ()))
    return rows


def _label_cells(header: Sequence[_Cell], cells: Sequence[_Cell]) -> list[_Cell]:
    """The cells that hold something, each behind its header; a cell beyond the headers stands alone."""
    nothing: _Cell = []
    labels = [[_text(plain(label))] if label else nothing for label in header]
    return [_say([label, cell]) for label, cell in zip_longest(labels, cells, fillvalue=nothing) if cell]


def _say(cells: Sequence[_Cell]) -> list[Run]:
    """`first: second`, whichever of them there are."""
    first, *others = [cell for cell in cells if cell] or [[]]
    apart = " " if plain(first).endswith((":", "?")) else _SAYS
    return _join([first, *others], apart)


def _list(cells: Sequence[_Cell]) -> list[Run]:
    """Every cell in its place, the empty ones too: without headers beside them, only the place says what they are."""
    return _join([cell or [_text(_NOTHING)] for cell in cells], _APART)


def _join(cells: Iterable[_Cell], apart: str) -> list[Run]:
    joined: list[Run] = []
    for cell in cells:
        joined += [*([_text(apart)] if joined else []), *cell]
    return joined


def _bold(runs: Iterable[Run]) -> list[Run]:
    whole = Span(Style.BOLD)
    return [replace(run, spans=(whole, *(span for span in run.spans if span.style != Style.BOLD))) for run in runs]


def _write(runs: Iterable[Run]) -> str:
    return write_lines(_text(_BELOW) if run.kind is Kind.BREAK else run for run in runs)[0]


def _text(text: str) -> Run:
    return Run(kind=Kind.TEXT, text=text)
