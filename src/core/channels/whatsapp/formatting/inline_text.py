"""The text inside a block, from markdown-it's tokens to runs of styled characters.

WhatsApp reads no mark that touches a letter or a digit on its outer side. Such a style is dropped with its marks, but
what was arithmetic (`2*3*4`) gets back the marks that were typed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from markdown_it.token import Token

from core.channels.whatsapp.formatting.markdown_parser import BARE_URL, KEYCAP
from core.channels.whatsapp.formatting.markup import FENCE, Style, is_word
from core.channels.whatsapp.formatting.styled_text import BREAK, Kind, Run, Span, plain

_STYLES = {"strong": Style.BOLD, "em": Style.ITALIC, "s": Style.STRUCK}
_CLICKABLE = re.compile(r"(?:https?|ftp)://|mailto:|tel:", re.IGNORECASE)
_CONTACT = re.compile(r"(?:mailto|tel):", re.IGNORECASE)  # WhatsApp links an address and a number by themselves
_OPERAND = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_OWN_NAMES = frozenset(
    """add aenter aexit aiter all and anext annotations author await bases bool builtins call class class_getitem cmp
    code contains copy debug deepcopy del delattr delete delitem dict dir dirname div doc enter eq exit file filename
    float floordiv format func ge get getattr getattribute getitem getnewargs getstate globals gt hash iadd import
    index init int invert isub iter le len line loader lshift lt main match_args matmul metaclass missing mod module
    mro mul name ne neg new next or package path pos post_init pow prepare proto qualname radd reduce repr reversed
    round rshift self set setattr setitem setstate sizeof slots spec str sub subclasses truediv typename version wrapped
    xor""".split()  # noqa: SIM905 - a list of ninety names would be ninety quotes
)


def read_runs(tokens: Sequence[Token], style: Style | None = None) -> list[Run]:
    """The runs of a block's inline tokens, all of them inside `style` when there is one."""
    reader = _Reader(around=[(Span(style),) if style else ()])
    reader.read(tokens)
    return _settle(reader.runs)


def write_code(content: str, typed: str) -> str:
    """Code within a line. Backticks inside need the triple marks, and triple ones cannot be marked at all."""
    if FENCE in content:
        return content
    if "`" in content:
        return f"{FENCE} {content} {FENCE}" if "`" in (content[0], content[-1]) else f"{FENCE}{content}{FENCE}"
    mark = FENCE if len(typed) >= len(FENCE) else "`"
    return f"{mark}{content}{mark}"


@dataclass(slots=True)
class _Reader:
    around: list[tuple[Span, ...]]  # the styles of what is being read, and below them those of what is around it
    runs: list[Run] = field(default_factory=list)
    links: list[tuple[Token, int]] = field(default_factory=list)

    def read(self, tokens: Sequence[Token]) -> None:
        names = _own_names(tokens)
        for at, token in enumerate(tokens):
            if at in names:
                self._add(Kind.TEXT, token.markup)
            elif token.tag in _STYLES:
                self._turn(token)
            else:
                self._take(token)

    def _take(self, token: Token) -> None:
        match token.type:
            case "softbreak" | "hardbreak":
                self.runs.append(BREAK)
            case "code_inline":
                self._add(Kind.CODE, write_code(token.content, token.markup))
            case "link_open":
                self.links.append((token, len(self.runs)))
            case "link_close":
                opening, start = self.links.pop()
                self._link(opening, start)
            case "image":
                start = len(self.runs)
                self.read(token.children or ())
                self._link(token, start)
            case _:
                kinds = {BARE_URL: Kind.ADDRESS, KEYCAP: Kind.CODE}
                first, *others = token.content.split("\n")  # an entity may be the end of a line
                self._add(kinds.get(token.type, Kind.TEXT), first)
                for line in others:
                    self.runs.append(BREAK)
                    self._add(Kind.TEXT, line)

    def _add(self, kind: Kind, text: str) -> None:
        if text:
            self.runs.append(Run(kind=kind, text=text, spans=self.around[-1]))

    def _turn(self, token: Token) -> None:
        if token.nesting < 0:
            self.around.pop()
            return
        spans, style = self.around[-1], _STYLES[token.tag]
        inside = any(span.style == style for span in spans)  # bold in bold is bold once
        self.around.append(spans if inside else (*spans, Span(style, token.markup)))

    def _link(self, token: Token, start: int) -> None:
        """`text (address)`; the address alone when the text is missing or says the same."""
        address = str(token.attrs.get("href") or token.attrs.get("src") or "")
        label = plain(self.runs[start:])
        if token.markup == "autolink" and not _CLICKABLE.match(address):
            del self.runs[start:]
            self._add(Kind.TEXT, f"<{address}>")  # `<pH:7>` only looks like an address
            return
        shown = _CONTACT.sub("", address, count=1)
        if not label.strip() or label in (address, shown):
            del self.runs[start:]
            self._add(Kind.ADDRESS, shown or ("![]()" if token.type == "image" else "[]()"))
        elif shown and not ("://" in shown and shown in label):
            self._add(Kind.TEXT, " (")
            self._add(Kind.ADDRESS, shown)
            self._add(Kind.TEXT, ")")


def _own_names(tokens: Sequence[Token]) -> set[int]:
    """Where the marks of bold are part of a name that programs give: `__init__`, `__my_field__`, `obj.__x__`."""
    found: set[int] = set()
    for at in range(len(tokens) - 2):
        opening, inner, closing = tokens[at : at + 3]
        if opening.type == "strong_open" and opening.markup == "__" and closing.type == "strong_close":
            name, before = inner.content, tokens[at - 1].content if at else ""
            programmed = name in _OWN_NAMES or ("_" in name and name.isascii()) or before.endswith(".")
            if inner.type == "text" and name.isidentifier() and programmed:
                found |= {at, at + 2}
    return found


def _settle(runs: list[Run]) -> list[Run]:
    """The runs without the styles that WhatsApp cannot show where they stand."""
    first: dict[Span, int] = {}
    last: dict[Span, int] = {}
    for at, run in enumerate(runs):
        for span in run.spans:
            first.setdefault(span, at)
            last[span] = at
    dropped: set[Span] = set()
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for span, start in first.items():
        stop = last[span]
        outer = (_neighbour(runs, start - 1)[-1], _neighbour(runs, stop + 1)[0])
        inner = runs[start].text if start == stop else ""
        if span.typed and _is_arithmetic(span, outer, inner):
            dropped.add(span)
            before[start] = before.get(start, "") + span.typed
            after[stop] = span.typed + after.get(stop, "")
        elif span.typed and any(map(is_word, outer)):
            dropped.add(span)
    return list(_rebuild(runs, dropped, before, after))


def _neighbour(runs: Sequence[Run], at: int) -> str:
    return runs[at].text if 0 <= at < len(runs) else "\n"


def _is_arithmetic(span: Span, outer: tuple[str, str], inner: str) -> bool:
    """Whether the marks are signs: `2*3*4`, `f(x)*y*(z)`, `10 *20*30`, `x**2**3`. Emphasis seldom touches so much."""
    before, after = outer
    tied = is_word(before) or before in ")]}"
    if span.typed == "*":
        return tied or after in "([{" or (is_word(after) and bool(_NUMBER.fullmatch(inner)) and after.isdigit())
    return span.typed in ("**", "~~") and tied and is_word(after) and bool(_OPERAND.fullmatch(inner))


def _rebuild(runs: list[Run], dropped: set[Span], before: dict[int, str], after: dict[int, str]) -> Iterator[Run]:
    for at, run in enumerate(runs):
        spans = tuple(span for span in run.spans if span not in dropped)
        if at in before:
            yield Run(kind=Kind.TEXT, text=before[at], spans=spans)
        yield replace(run, spans=spans)
        if at in after:
            yield Run(kind=Kind.TEXT, text=after[at], spans=spans)
