"""What an agent writes, in the markup that WhatsApp reads: CommonMark (with strikethrough and tables) in, WhatsApp out.

Models write Markdown even when told not to, so Markdown is what is read: `*x*` is italic, as CommonMark has it, though
WhatsApp would show it bold. Nothing but white space and markup is lost; text without markup comes back as it was.
Entities are decoded (`&amp;` is `&`): nothing else on the way will do it, and no customer wants to read one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from core.channels.whatsapp.formatting.inline_text import read_runs
from core.channels.whatsapp.formatting.markdown_parser import markdown_parser
from core.channels.whatsapp.formatting.markup import FENCE, Style, marked_texts
from core.channels.whatsapp.formatting.styled_text import write_lines
from core.channels.whatsapp.formatting.table_text import write_table
from core.domain.text import displayable_text

_LINE_ENDS = re.compile(r"\r\n?")
_LANGUAGE = re.compile(r"(?:[a-z][a-z0-9+#._-]*|JSON|XML|HTML|CSV|SQL|YAML|Python)?\s*(?:\{.*\})?", re.ASCII)
_QUOTE_MARKS = re.compile(r"^(?:[ \t]*> ?)+")
_RULE = "———"
# What any Markdown begins with. Most answers have none of it, and need no parser to come back as they were.
_MARKUP = re.compile(r"[*_`~#>|\[\]<\\&=@]|://|www\.|^[ \t]*(?:[-+]|\d+[.)])|^(?: {4}| *\t)", re.MULTILINE)
_PLAIN_BLOCKS = frozenset({"paragraph_open", "inline", "paragraph_close", "code_block", "definition"})


def format_ai_message_for_whatsapp(text: str) -> str:
    """`text` as WhatsApp shows it best. Never raises; a lone surrogate becomes U+FFFD, and what acts
    on a screen instead of being read is dropped (`displayable_text`).
    """
    source = _sendable(text)
    return source.rstrip() if _MARKUP.search(source) is None else _format(source)


def _format(source: str) -> str:
    tokens = markdown_parser().parse(source)
    plain = all(token.type in _PLAIN_BLOCKS for token in tokens)
    # again, since entities are decoded by now
    written = displayable_text("\n".join(_Writer(source.split("\n")).write(tokens))).rstrip()
    if not written.strip() or (plain and _words_by_line(written) == _words_by_line(source)):
        return source.rstrip()
    return written


def _sendable(text: str) -> str:
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return displayable_text(_LINE_ENDS.sub("\n", whole))


def _words_by_line(text: str) -> list[str]:
    return [words for line in text.split("\n") if (words := line.strip())]


@dataclass(slots=True, kw_only=True)
class _Container:
    """A quote or a list item around what is being written: what begins its first line, and its other lines."""

    first: str
    rest: str
    line: int
    is_quote: bool = False
    begun: bool = False


@dataclass(slots=True)
class _Writer:
    """Writes block after block, with the blank lines that were typed between them."""

    source: list[str]
    out: list[str] = field(default_factory=list)
    inside: list[_Container] = field(default_factory=list)
    reached: int | None = None  # the line of the source after the last block
    least_gap: int = 0

    def write(self, tokens: Sequence[Token]) -> list[str]:
        _number(tokens)
        cited = {link.meta.get("label") for token in tokens for link in _inner(token)}
        for at, token in enumerate(tokens):
            match token.type:
                case "definition":
                    self._definition(token, cited)
                case "table_open":
                    end = next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close")
                    self._emit(token.map, write_table(tokens[at:end]))
                case "heading_open":
                    lines = write_lines(read_runs(tokens[at + 1].children or (), Style.BOLD))
                    self._emit(token.map, lines if any(lines) else [token.markup])
                case "inline" if tokens[at - 1].type == "paragraph_open":
                    self._paragraph(token)
                case _:
                    self._other(token)
        return self.out

    def _other(self, token: Token) -> None:
        match token.type:
            case "fence" | "code_block":
                self._code(token)
            case "hr":
                self._emit(token.map, [_RULE])
            case "blockquote_open":  # WhatsApp has no quotes in quotes: it would show the inner mark
                mark = "" if any(around.is_quote for around in self.inside) else "> "
                self._enter(token, mark, mark, is_quote=True)
            case "list_item_open":
                mark = f"{token.info}{token.markup} "
                self._enter(token, mark, " " * len(mark))
            case "list_item_close" | "blockquote_close":
                if not self.inside[-1].begun:
                    line = self.inside[-1].line
                    self._emit([line, line + 1], [""])
                self.inside.pop()

    def _enter(self, token: Token, first: str, rest: str, *, is_quote: bool = False) -> None:
        line = token.map[0] if token.map else 0
        self.inside.append(_Container(first=first, rest=rest, line=line, is_quote=is_quote))

    def _paragraph(self, token: Token) -> None:
        """A line that was typed without the indent of its list item stays without it."""
        lines = write_lines(read_runs(token.children or ()))
        first, end = token.map or (0, 0)
        typed = self.source[first:end]
        indented = [_is_indented(line) for line in typed] if len(typed) == len(lines) else [True] * len(lines)
        self._emit(token.map, lines, indented)

    def _code(self, token: Token) -> None:
        """Indented text is mostly prose that a model pushed to the right: it is code if a mark in it would be read.

        The language of a fence is not shown; any other words beside its marks are a line of it.
        """
        content = token.content.rstrip("\n")
        beside = token.info.strip()
        lines = [beside] if beside and not (content and _LANGUAGE.fullmatch(beside)) else []
        lines += content.split("\n") if content else []
        marked = token.type == "fence" or bool(marked_texts(content))
        if any(FENCE in line for line in lines) or not marked:
            self._emit(token.map, lines)
        elif any(lines):
            self._emit_fence(token.map, [FENCE, *lines, FENCE])

    def _definition(self, token: Token, cited: set[object]) -> None:
        """The address of a link is written at the link, once; a definition that no link cites is text."""
        first, end = token.map or (0, 0)
        if token.meta["id"] in cited:
            cited.discard(token.meta["id"])
            self._pass(first, end)
        else:
            self._emit(token.map, [_unquote(line) for line in self.source[first:end]])

    def _emit(self, where: list[int] | None, lines: Iterable[str], indented: Sequence[bool] = ()) -> None:
        """Put a block: its lines behind what they are inside of, after the blank lines that were typed before it."""
        self._leave_gap(where)
        before = "".join(around.rest if around.begun else around.first for around in self.inside)
        for at, line in enumerate(lines):
            if at:
                level = at >= len(indented) or indented[at]
                before = "".join(around.rest for around in self.inside if level or around.is_quote)
            self.out.append((before + line).rstrip())
        self._begin()

    def _emit_fence(self, where: list[int] | None, lines: Iterable[str]) -> None:
        """Put code as it is: WhatsApp would show a quote's mark or an item's indent as a part of the code."""
        self._leave_gap(where)
        if any(not (around.begun or around.is_quote) for around in self.inside):
            self.out.append("".join(around.rest if around.begun else around.first for around in self.inside).rstrip())
        self.out += lines
        self._begin()

    def _begin(self) -> None:
        for around in self.inside:
            around.begun = True

    def _leave_gap(self, where: list[int] | None) -> None:
        first, end = where or (0, 0)
        if self.reached is not None:
            self.out += [""] * max(first - self.reached, self.least_gap)
        self.reached, self.least_gap = end, 0

    def _pass(self, first: int, end: int) -> None:
        if self.reached is not None:
            self.least_gap = max(self.least_gap, first - self.reached)
            self.reached = end


def _number(tokens: Iterable[Token]) -> None:
    """Keep the numbers that were typed, but count where a list repeats one (`1. 1. 1.`, as Markdown allows)."""
    lists: list[list[Token]] = []
    for token in tokens:
        if token.type == "ordered_list_open":
            lists.append([])
        elif token.type == "list_item_open" and token.info:
            lists[-1].append(token)
        elif token.type == "ordered_list_close":
            items = lists.pop()
            if len({int(item.info) for item in items}) == 1:
                for number, item in enumerate(items[1:], int(items[0].info) + 1):
                    item.info = str(number)


def _inner(token: Token) -> Iterator[Token]:
    """The tokens inside a token; an image's text holds tokens of its own."""
    for child in token.children or ():
        yield child
        yield from _inner(child)


def _unquote(line: str) -> str:
    return _QUOTE_MARKS.sub("", line, count=1)


def _is_indented(line: str) -> bool:
    return line[:1].isspace() or _unquote(line)[:1].isspace()
