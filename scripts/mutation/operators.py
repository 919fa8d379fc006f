"""Which small faults a piece of source can have: each is one edit of its text, so that every other line stays put."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

# What a comparison becomes. First the fault by one, then the turned one.
_TURNED: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
}
# Negating the whole would be the same fault again.
_TURNED_WHOLE = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
_LOGGERS = frozenset({"_log", "log", "logger", "logging"})
# Arguments that only say how something is built or checked, never what comes out of it.
_KEYWORDS = frozenset({"strict", "extra", "slots", "frozen", "kw_only", "maxsize", "stacklevel"})
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_MESSAGES = frozenset({"assert_never", "cast", "TypeVar", "NewType"})

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """`start` and `end` count the bytes of the source; `line` is where a reader looks."""

    line: int
    start: int
    end: int
    text: str
    kind: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


def faults_of(source: bytes) -> list[tuple[Edit, ...]]:
    """The places where a fault can be, each with the faults that fit there; what cannot change anything is left out."""
    found = _Finder(source)
    found.visit(ast.parse(source))
    compiling = (tuple(edit for edit in place if _compiles(edit.applied(source))) for place in found.places)
    return [place for place in compiling if place]


class _Finder(ast.NodeVisitor):
    """Visits what runs: no annotations, docstrings, decorators, log lines, `if TYPE_CHECKING`."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self.places: list[tuple[Edit, ...]] = []

    # What has nothing to be wrong

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._body(node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases):
            self._body(node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        if _is_log(node) or _name(node.func) in _MESSAGES:
            return
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in _KEYWORDS:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """An error's words and numbers are for people who read logs."""

    # What can be wrong

    def visit_Compare(self, node: ast.Compare) -> None:
        left: ast.expr = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            token, instead = _TURNED[type(op)]
            self._between(left, right, token, instead, "comparison turned")
            left = right
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        token, instead = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, token, (instead,), f"{token} for {instead}")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace(node, self._text(node.operand), "not dropped")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace(node, str(not node.value), "truth flipped")
        elif isinstance(node.value, int):
            start, end = self._span(node)
            # the first of something is never meant as the last
            edits = (str(node.value + 1), *([str(node.value - 1)] if node.value else []))
            self.places.append(tuple(Edit(node.lineno, start, end, text, "off by one") for text in edits))

    def visit_If(self, node: ast.If) -> None:
        if _name(node.test) == "TYPE_CHECKING":
            return
        self._negated(node.test)
        if len(node.body) == 1 and not node.orelse and isinstance(node.body[0], (ast.Return, ast.Continue, ast.Break)):
            self._replace(node.body[0], "pass", "early way out dropped")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negated(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._negated(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negated(test)
        self.generic_visit(node)

    # How it is written down

    def _body(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def _negated(self, test: ast.expr) -> None:
        whole = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _TURNED_WHOLE)
        if not (whole or isinstance(test, (ast.Constant, ast.NamedExpr)) or _is_not(test)):
            self._replace(test, f"(not ({self._text(test)}))", "condition negated")

    def _between(self, left: ast.expr, right: ast.expr, token: str, instead: tuple[str, ...], kind: str) -> None:
        begin, end = self._span(left)[1], self._span(right)[0]
        pattern = rf"(?<![\w<>=!]){token}(?![\w<>=])"
        found = re.search(pattern.encode(), self._source[begin:end])
        if found is not None:
            start, stop = begin + found.start(), begin + found.end()
            line = left.end_lineno or left.lineno
            self.places.append(tuple(Edit(line, start, stop, text, kind) for text in instead))

    def _replace(self, node: ast.expr | ast.stmt, text: str, kind: str) -> None:
        start, end = self._span(node)
        self.places.append((Edit(node.lineno, start, end, text, kind),))

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self._source[start:end].decode()

    def _span(self, node: ast.expr | ast.stmt) -> Span:
        last, column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[last - 1] + column


def _is_log(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and _name(node.func.value) in _LOGGERS


def _is_not(test: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def names_given_at(source: bytes, line: int) -> Iterator[str]:
    """The constants, fields and parameters whose value a line of this source sets: what runs is where they are read."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arguments):
            plain, named = [*node.posonlyargs, *node.args], node.kwonlyargs
            given = [*zip(plain[len(plain) - len(node.defaults) :], node.defaults, strict=True)]
            given += [(arg, value) for arg, value in zip(named, node.kw_defaults, strict=True) if value is not None]
            yield from (arg.arg for arg, value in given if value.lineno <= line <= (value.end_lineno or 0))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.lineno <= line <= (
            node.end_lineno or 0
        ):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name for target in targets if (name := _name(target)))
