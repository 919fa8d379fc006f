"""CPU of `parse_llm_response` ÷ CPU of a bare `json.JSONDecoder().raw_decode` of the same reply, by size.

The yardstick is that expression as it stands: a decoder made for each reply. Run by itself, the module also prints the
ratio to a decoder made beforehand.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from benchmarks.measuring import cpu_ratio
from core.application.parser import parse_llm_response

# Figures alone: a reply is a kilobyte and its model takes seconds, so plain beats fast here (docs/adr/0006).
LIMITS: dict[str, float] = {}

_QUESTION = "Perfeito, anotado! Para preparar o orçamento, qual é a data prevista para a visita dos técnicos?"
_SHORT = {
    "s": 1,
    "qualification_data": {"aparelho": "split de 12k", "numero_aparelhos": 12, "cidade": "Cidade Fictícia"},
}
_FIELDS = ("modelo", "finalidade", "voltagem", "município", "observação", "referência", "responsável", "unidade")
_VALUES = (12, "informado pelo cliente", 7.2, True, "chave na portaria", "parede de alvenaria fina", None)


def replies() -> dict[str, str]:
    """One reply a size: the object an agent answers with, and a text for the customer."""
    return {
        "parser_0.2kb": _reply(_SHORT, _QUESTION[:90]),
        "parser_1kb": _reply({"s": 2, "collection_data": _data(24)}, f"{_QUESTION} {_QUESTION}"),
        "parser_8kb": _reply({"s": 2, "collection_data": _data(210)}, f"{_QUESTION} {_QUESTION}"),
    }


def _reply(found: dict[str, object], message: str) -> str:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) + message


def _data(fields: int) -> dict[str, object]:
    return {f"{_FIELDS[number % len(_FIELDS)]}_{number}": _VALUES[number % len(_VALUES)] for number in range(fields)}


def measure(*, rounds: int = 61) -> dict[str, float]:
    """A ratio for each size."""
    return {
        name: _ratio(raw, lambda raw=raw: json.JSONDecoder().raw_decode(raw), rounds) for name, raw in replies().items()
    }


def _ratio(raw: str, bare: Callable[[], object], rounds: int) -> float:
    return cpu_ratio(lambda: parse_llm_response(raw), bare, rounds=rounds, calls=200_000 // len(raw))


def main() -> None:
    """Print the ratios to both decoders."""
    beforehand = json.JSONDecoder().raw_decode
    for name, ratio in measure().items():
        raw = replies()[name]
        print(
            f"{name:14} {ratio:5.2f}   to one made beforehand: {_ratio(raw, lambda raw=raw: beforehand(raw), 61):5.2f}"
        )


if __name__ == "__main__":
    main()
