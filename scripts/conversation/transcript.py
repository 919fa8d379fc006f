"""A conversation as a person reads it in a terminal: chat on both sides, what each turn did in between."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from core.domain.catalogue.catalog import Catalog
from core.domain.ledger import ModelCall, TurnRecord

from .columns import columns, padded, terminal_width, wrapped
from .names import Names
from .turn_details import turn_details
from .turn_seen import TurnSeen

_CODES = {
    1: "CONTINUE",
    2: "ADVANCE",
    3: "REFUSE",
    4: "RETURN",
    5: "CLOSE",
    6: "HANDOFF",
    98: "REROUTE",
    99: "CONTEXT",
}


class Transcript:
    """Writes to a stream, as wide as its terminal; colours only where somebody sees them."""

    def __init__(self, catalog: Catalog, *, stream: TextIO | None = None, width: int | None = None) -> None:
        self._stream = stream or sys.stdout
        self._names = Names(catalog)
        self._width = width or terminal_width()
        self._bubble = self._width * 2 // 3
        self._colours = self._stream.isatty() and "NO_COLOR" not in os.environ

    def title(self, text: str) -> None:
        """A scene begins."""
        first, *others = wrapped(text, self._width - 4)
        self._line()
        self._line(self._painted(f"── {first} ".ljust(self._width, "─"), "1"))
        for line in others:
            self._line(self._painted(f"   {line}", "1"))
        self._line()

    def note(self, text: str) -> None:
        """A sentence of ours between the bubbles."""
        for line in wrapped(text, self._width):
            self._line(line)

    def said(self, text: str, *, name: str = "cliente") -> None:
        """The customer, on the left."""
        for index, line in enumerate(wrapped(text, self._bubble)):
            label = f"{name} ▸ " if index == 0 else " " * (len(name) + 3)
            self._line(self._painted(label, "36") + line)

    def answered(self, texts: Sequence[str], *, name: str = "balcão") -> None:
        """The desk, or somebody of the team, on the right."""
        desk = f" ◂ {name}"
        if not texts:
            self._line(self._painted("(silêncio: ninguém recebeu nada)".rjust(self._width), "2"))
        for text in texts:
            lines = wrapped(text, self._bubble)
            margin = " " * (self._width - len(desk) - max(map(columns, lines)))
            for index, line in enumerate(lines):
                padding = " " * (self._width - len(desk) - len(margin) - columns(line))
                mark = self._painted(desk, "32") if index == 0 else ""
                self._line(f"{margin}{line}{padding}{mark}")

    def turn(self, seen: TurnSeen) -> None:
        """One exchange with the line that says what the turn did."""
        self.said(seen.said)
        self.answered(seen.answers)
        for line in wrapped(_describe(seen, self._names), self._width - 3):
            self._line(self._painted(f"   {line}", "2"))
        self._line()

    def brought(self, seen: TurnSeen) -> None:
        """What a message brought, where the customer's own words are on the screen already."""
        self.answered(seen.answers)
        for line in wrapped(_describe(seen, self._names), self._width - 3):
            self._line(self._painted(f"   {line}", "2"))
        if seen.effect is not None and (summary := seen.effect.payload.get("summary")):
            self.card(summary)

    def in_full(self, seen: TurnSeen) -> None:
        """The same for whoever looks for a fault: every call, every part and what became of it, the handoff's card."""
        self.said(seen.said)
        self.brought(seen)
        for detail in turn_details(seen):
            first, *others = wrapped(detail, self._width - 5)
            for line in (first, *(f"  {each}" for each in others)):
                self._line(self._painted(f"   {line}", "2"))
        self._line()

    def card(self, summary: Mapping[str, Any]) -> None:
        """The operational summary, as the attendant finds it."""
        rows = [(label, value) for label, value in self._rows(summary) if value]
        label_width = min(max(columns(f"{label}:") for label, _ in rows), self._width // 3)
        self._line("┌" + " para quem atende ".center(self._width - 2, "─") + "┐")
        for label, value in rows:
            self._row(label, value, label_width)
        self._line("└" + "─" * (self._width - 2) + "┘")

    def side_by_side(self, left: tuple[str, str], right: tuple[str, str]) -> None:
        """Two texts in columns: what the model wrote, what the customer read."""
        half = (self._width - 3) // 2
        pairs = [wrapped(text, half) for _, text in (left, right)]
        self._line(f"{padded(left[0].upper(), half)} │ {right[0].upper()}")
        self._line("─" * half + "─┼─" + "─" * half)
        for index in range(max(map(len, pairs))):
            cells = [lines[index] if index < len(lines) else "" for lines in pairs]
            self._line(f"{padded(cells[0], half)} │ {cells[1]}")
        self._line()

    def _rows(self, summary: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
        """In the company's words already."""
        text = {key: str(value or "") for key, value in summary.items()}
        yield "motivo", text.get("motivo_encerramento", "")
        yield "serviço", text.get("servico_identificado", "")
        yield "segmento", text.get("segmento", "")
        for name, value in (summary.get("dados_coletados") or {}).items():
            yield f"· {name}", str(value)
        for point in summary.get("pontos_chave") or ():
            yield "ponto-chave", str(point)
        yield "próxima ação", text.get("proxima_acao", "")
        yield "resumo", text.get("resumo_texto", "")

    def _row(self, label: str, value: str, label_width: int) -> None:
        value_width = self._width - label_width - 5
        labels, values = wrapped(f"{label}:", label_width), wrapped(value, value_width)
        for index in range(max(len(labels), len(values))):
            left = labels[index] if index < len(labels) else ""
            right = values[index] if index < len(values) else ""
            self._line(f"│ {padded(left, label_width)} {padded(right, value_width)} │")

    def _line(self, text: str = "") -> None:
        self._stream.write(text.rstrip() + "\n")
        self._stream.flush()

    def _painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colours else text


def _describe(seen: TurnSeen, names: Names) -> str:
    """`s=1 CONTINUE · Qualificação · +número de itens · 1 call, 4100/62 tokens, US$ 0.0045 · 312 ms`."""
    turn, facts = seen.turn, list[str]()
    facts.append(
        "s=" + ", ".join(f"{code} {_CODES.get(code, '?')}" for code in turn.codes) if turn.codes else turn.outcome
    )
    before, after = names.stage(turn.stage_before), names.stage(turn.stage_after)
    facts.append(after if before == after else f"{before} → {after}")
    facts += _learned(turn, names)
    if turn.guard.get("kind"):
        facts.append(f"guard: {turn.guard['kind']} ({turn.guard['rule']})")
    if turn.repair_method:
        facts.append(f"repair: {turn.repair_method}")
    if turn.packages:
        facts.append("pacotes: " + ", ".join(map(names.package, turn.packages)))
    if turn.handoff_reason:
        facts.append(f"handoff: {names.reason(turn.handoff_reason, turn.handoff_detail)}")
    facts.append(_spent(turn.calls))
    if seen.summary_calls:
        facts.append(f"summary: {_spent(seen.summary_calls)}")
    facts.append(f"{turn.wall_ms} ms")
    return " · ".join(fact for fact in facts if fact)


def _spent(calls: Sequence[ModelCall]) -> str:
    if not calls:
        return "no model call"
    tokens_in = sum(call.tokens_input for call in calls)
    tokens_out = sum(call.tokens_output for call in calls)
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    money = f"US$ {sum(costs):.4f}" if costs else "cost unknown"
    plural = "s" if len(calls) > 1 else ""
    return f"{len(calls)} call{plural}, {tokens_in}/{tokens_out} tokens, {money}"


def _learned(turn: TurnRecord, names: Names) -> Iterable[str]:
    """The service and the segment, when they became known, and the new fields."""
    before, after = (state or {} for state in (turn.state_before, turn.state_after))
    for key, name in (("service", names.service), ("segment", names.segment)):
        if after.get(key) and after[key] != before.get(key):
            yield f"+{name(after[key])}"
    known = before.get("fields") or {}
    yield from (
        f"+{names.field(field)}" for field, value in (after.get("fields") or {}).items() if known.get(field) != value
    )
