"""CommonMark with tables and strikethrough, read as it is written in a chat.

The rules are markdown-it's own, held back or helped where a reply to a customer means something else: `>10 mg/L` is a
comparison, an address is copied as it was typed, a cell too many is still said, and nothing is too deep to be kept.
"""

import re
import unicodedata
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.rules_block import StateBlock, blockquote, lheading, list_block, table
from markdown_it.rules_block.table import escapedSplit, getLine
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

BARE_URL, KEYCAP = "bare_url", "keycap"  # the types of the tokens that our rules add
PROSE = "prose"  # in the `meta` of a table's row: no cells, only text that follows the table too closely

# markdown-it drops what is nested deeper than its `maxNesting` (20); from here on, deeper text is plain text instead.
_DEEPEST_LEVEL = 14
_COMPARISON = re.compile(r">[ \t]?=?[ \t]*[-+]?\d+(?:[.,]\d+)*(?!\d|[.,]\d|[.)](?:[ \t]|$))")  # `> 1. x` is a list
_SETEXT_LEAST = 3  # a lone `-` or `=` below a line is something missing or a sum, not a heading
_LINE_BREAK_TAG = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_KEYCAP = "*\ufe0f\u20e3"
_SCHEME = re.compile(r"(?<![^\W_])https?\Z", re.IGNORECASE)
_SCHEME_LONGEST = len("https") + 1
_URL_TAIL = re.compile(r"://(?:(?!\*\*|~~)[^\s<>\[\]`\"])+")
_NEVER_LAST_IN_URL = "?!.,:;*_~'\\”’»"


class _LinksAsTyped(MarkdownIt):
    """Addresses stay as they were typed: percent-encoding is for HTML attributes."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - markdown-it's name
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802 - markdown-it's name
        return link


@cache
def markdown_parser() -> MarkdownIt:
    """The parser, built once, when first needed. Parsing keeps no state in it."""
    md = _LinksAsTyped("commonmark", {"html": False, "inline_definitions": True, "store_labels": True})
    md.enable(["table", "strikethrough"])
    block, inline = md.block.ruler, md.inline.ruler
    container_alt = ["paragraph", "reference", "blockquote"]
    block.at("blockquote", _quote, {"alt": [*container_alt, "list"]})
    block.at("list", _list, {"alt": container_alt})
    block.at("lheading", _setext_heading)
    block.at("table", _table, {"alt": ["paragraph", "reference"]})
    inline.before("newline", BARE_URL, _bare_url)
    inline.before("newline", KEYCAP, _keycap)
    inline.before("autolink", "line_break_tag", _line_break_tag)
    inline.at("emphasis", _emphasis)
    return md


def _quote(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A quote, unless it is a comparison (`>10 mg/L`) or too deep."""
    if state.level >= _DEEPEST_LEVEL or _COMPARISON.match(getLine(state, start_line)):
        return False
    return blockquote(state, start_line, end_line, silent)


def _list(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    return state.level < _DEEPEST_LEVEL and list_block(state, start_line, end_line, silent)


def _setext_heading(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A heading underlined by three marks or more; `---` under several lines is the rule that models mean by it."""
    line, known, parent = state.line, len(state.tokens), state.parentType
    if not lheading(state, start_line, end_line, silent):
        state.parentType = parent  # markdown-it leaves it changed when there is no underline
        return False
    underline = getLine(state, state.line - 1).strip()
    if len(underline) >= _SETEXT_LEAST and (underline[0] == "=" or state.line - start_line == 2):
        return True
    del state.tokens[known:]
    state.line = line
    return False


def _table(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A table that keeps the cells which a row has beyond the header's, and knows which of its rows is one."""
    known = len(state.tokens)
    if not table(state, start_line, end_line, silent):
        return False
    if not silent:
        rows = state.tokens[known:]
        del state.tokens[known:]
        columns = sum(token.type == "th_open" for token in rows)
        for token in rows:
            if token.type == "tr_open" and token.map:
                line = token.map[0]
                token.meta[PROSE] = "|" not in getLine(state, line)
            elif token.type == "tr_close":
                state.tokens += _extra_cells(state, line, columns, token.level + 1)
            state.tokens.append(token)
    return True


def _extra_cells(state: StateBlock, line: int, columns: int, level: int) -> list[Token]:
    cells = escapedSplit(getLine(state, line).strip())
    cells = cells[1:] if cells and not cells[0] else cells
    cells = cells[:-1] if cells and not cells[-1] else cells
    where = [line, line + 1]
    return [
        Token("inline", "", 0, content=cell.strip(), map=where, level=level, children=[]) for cell in cells[columns:]
    ]


def _bare_url(state: StateInline, silent: bool) -> bool:
    """An address in the text, whole: no mark inside it is read. What may end a sentence does not end an address."""
    scheme = _SCHEME.search(state.src[max(0, state.pos - _SCHEME_LONGEST) : state.pos])
    tail = _URL_TAIL.match(state.src, state.pos, state.posMax) if scheme else None
    if scheme is None or tail is None:
        return False
    url = tail[0].rstrip(_NEVER_LAST_IN_URL)
    unopened = url.count(")") - url.count("(")
    while url.endswith(")") and unopened > 0:
        url = url[:-1].rstrip(_NEVER_LAST_IN_URL)
        unopened -= 1
    if len(url) <= len("://") or not (silent or state.pending.endswith(scheme[0])):
        return False
    if not silent:
        state.pending = state.pending[: -len(scheme[0])]
        state.push(BARE_URL, "", 0).content = scheme[0] + unescapeAll(url)
    state.pos += len(url)
    return True


def _keycap(state: StateInline, silent: bool) -> bool:
    """The emoji *️⃣, which begins with an asterisk."""
    if not state.src.startswith(_KEYCAP, state.pos, state.posMax):
        return False
    if not silent:
        state.push(KEYCAP, "", 0).content = _KEYCAP
    state.pos += len(_KEYCAP)
    return True


def _line_break_tag(state: StateInline, silent: bool) -> bool:
    """`<br>`, the one piece of HTML that models write in messages, mostly in tables."""
    tag = _LINE_BREAK_TAG.match(state.src, state.pos, state.posMax)
    if tag is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = tag.end()
    return True


def _emphasis(state: StateInline, silent: bool) -> bool:
    """markdown-it's rule, but `**` also closes in `**Prazo:**5 dias` and opens in `valor**(mínimo)**`.

    CommonMark refuses both, for it cannot tell which way such marks look; models write them, and mean it.
    """
    marker = state.src[state.pos]
    if silent or marker not in "_*":
        return False
    scanned = state.scanDelims(state.pos, marker == "*")
    before = state.src[state.pos - 1 : state.pos] if state.pos else " "
    state.pos += scanned.length
    after = state.src[state.pos] if state.pos < state.posMax else " "
    doubled = marker == "*" and scanned.length in (2, 3)
    can_open = scanned.can_open or (doubled and before.isalnum() and _begins(after))
    can_close = scanned.can_close or (doubled and _ends(before) and after.isalnum())
    for _ in range(scanned.length):
        state.push("text", "", 0).content = marker
        state.delimiters.append(
            Delimiter(
                marker=ord(marker),
                length=scanned.length,
                token=len(state.tokens) - 1,
                end=-1,
                open=can_open,
                close=can_close,
            )
        )
    return True


def _begins(char: str) -> bool:
    return unicodedata.category(char) in ("Ps", "Pi")


def _ends(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS" and not _begins(char)
