"""A conversation as a person reads it in a terminal: chat on both sides, what each turn did in between."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from core.config.catalog_file import load_catalog
from core.domain.ledger import ModelCall, TurnRecord
from local_stack.places import ROOT

from .customer import TurnSeen

WIDTH = 84
_BUBBLE = 56
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
    """Writes to a stream; colours only where somebody sees them."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._catalog = load_catalog(ROOT / "prompts" / "catalog.toml")
        self._colours = self._stream.isatty() and "NO_COLOR" not in os.environ

    def title(self, text: str) -> None:
        """A scene begins."""
        self._line()
        self._line(self._painted(f"── {text} ".ljust(WIDTH, "─"), "1"))
        self._line()

    def note(self, text: str) -> None:
        """A sentence of ours between the bubbles."""
        for line in textwrap.wrap(text, WIDTH):
            self._line(line)

    def said(self, text: str, *, name: str = "cliente") -> None:
        """The customer, on the left."""
        for index, line in enumerate(_wrapped(text)):
            label = f"{name} ▸ " if index == 0 else " " * (len(name) + 3)
            self._line(self._painted(label, "36") + line)

    def answered(self, texts: Sequence[str]) -> None:
        """The desk, on the right."""
        if not texts:
            self._line(self._painted("(silêncio: ninguém recebeu nada)".rjust(WIDTH), "2"))
        for text in texts:
            lines = _wrapped(text)
            width = max(len(line) for line in lines)
            for index, line in enumerate(lines):
                mark = " ◂ balcão" if index == 0 else " " * 9
                self._line(line.ljust(width).rjust(WIDTH - 9) + self._painted(mark, "32"))

    def turn(self, seen: TurnSeen) -> None:
        """One exchange with the line that says what the turn did."""
        self.said(seen.said)
        self.answered(seen.answers)
        for line in textwrap.wrap(describe(seen), WIDTH - 3):
            self._line(self._painted(f"   {line}", "2"))
        self._line()

    def card(self, summary: Mapping[str, Any]) -> None:
        """The operational summary, as the attendant finds it."""
        rows = [
            ("motivo", summary.get("motivo_encerramento")),
            ("serviço", summary.get("servico_identificado")),
            ("segmento", summary.get("segmento")),
            *((f"· {self._label(name)}", value) for name, value in (summary.get("dados_coletados") or {}).items()),
            *(("ponto-chave", point) for point in summary.get("pontos_chave") or ()),
            ("próxima ação", summary.get("proxima_acao")),
            ("resumo", summary.get("resumo_texto")),
        ]
        self._line("┌" + " para quem atende ".center(WIDTH - 2, "─") + "┐")
        for label, value in rows:
            if value not in (None, ""):
                self._row(label, {True: "sim", False: "não"}.get(value, str(value)))
        self._line("└" + "─" * (WIDTH - 2) + "┘")

    def side_by_side(self, left: tuple[str, str], right: tuple[str, str]) -> None:
        """Two texts in columns: what the model wrote, what the customer read."""
        half = (WIDTH - 3) // 2
        columns = [_wrapped(text, half) for _, text in (left, right)]
        self._line(f"{left[0].upper():<{half}} │ {right[0].upper()}")
        self._line("─" * half + "─┼─" + "─" * half)
        for index in range(max(map(len, columns))):
            cells = [column[index] if index < len(column) else "" for column in columns]
            self._line(f"{cells[0]:<{half}} │ {cells[1]}")
        self._line()

    def _label(self, name: str) -> str:
        spec = self._catalog.field(name)
        return spec.name if spec else name

    def _row(self, label: str, value: str) -> None:
        inner = WIDTH - 4
        lines = textwrap.wrap(value, inner - 28) or [""]
        for index, line in enumerate(lines):
            head = f"{label}:" if index == 0 else ""
            self._line(f"│ {head:<27} {line}".ljust(WIDTH - 2) + " │")

    def _line(self, text: str = "") -> None:
        self._stream.write(text.rstrip() + "\n")
        self._stream.flush()

    def _painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colours else text


def describe(seen: TurnSeen) -> str:
    """`s=1 CONTINUE · triagem → qualificacao · +numero_amostras · 1 call, 4100/62 tokens, US$ 0.0045 · 312 ms`."""
    turn, facts = seen.turn, list[str]()
    facts.append(
        "s=" + ", ".join(f"{code} {_CODES.get(code, '?')}" for code in turn.codes) if turn.codes else turn.outcome
    )
    moved = turn.stage_before != turn.stage_after
    facts.append(f"{turn.stage_before} → {turn.stage_after}" if moved else turn.stage_after)
    facts += [f"+{name}" for name in _new_fields(turn)]
    if turn.guard.get("kind"):
        facts.append(f"guard: {turn.guard['kind']} ({turn.guard['rule']})")
    if turn.repair_method:
        facts.append(f"repair: {turn.repair_method}")
    if turn.packages:
        facts.append("pacotes: " + ", ".join(turn.packages))
    if turn.handoff_reason:
        detail = f" ({turn.handoff_detail})" if turn.handoff_detail else ""
        facts.append(f"handoff: {turn.handoff_reason}{detail}")
    facts.append(_spent(turn.calls))
    if seen.summary_calls:
        facts.append(f"summary: {_spent(seen.summary_calls)}")
    facts.append(f"{turn.wall_ms} ms")
    return " · ".join(facts)


def _spent(calls: Sequence[ModelCall]) -> str:
    if not calls:
        return "no model call"
    tokens_in = sum(call.tokens_input for call in calls)
    tokens_out = sum(call.tokens_output for call in calls)
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    money = f"US$ {sum(costs):.4f}" if costs else "cost unknown"
    plural = "s" if len(calls) > 1 else ""
    return f"{len(calls)} call{plural}, {tokens_in}/{tokens_out} tokens, {money}"


def _new_fields(turn: TurnRecord) -> Iterable[str]:
    before, after = ((state or {}).get("fields") or {} for state in (turn.state_before, turn.state_after))
    return [name for name, value in after.items() if before.get(name) != value]


def _wrapped(text: str, width: int = _BUBBLE) -> list[str]:
    return [line for raw in text.split("\n") for line in (textwrap.wrap(raw, width) or [""])]
