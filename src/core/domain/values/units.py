"""Units of measure: whether a value names another than its field asks for (`2 alqueires` where hectares are asked)."""

from __future__ import annotations

import re

from core.domain.text import fold

_DIMENSIONS: tuple[tuple[frozenset[str], ...], ...] = (
    (
        frozenset({"ha", "hectare", "hectares"}),
        frozenset({"alqueire", "alqueires"}),
        frozenset({"acre", "acres"}),
        frozenset({"m2", "metro", "metros"}),
        frozenset({"km2", "km", "quilometro", "quilometros"}),
    ),
    (
        frozenset({"kg", "kgs", "quilo", "quilos", "quilograma", "quilogramas"}),
        frozenset({"g", "grama", "gramas"}),
        frozenset({"mg", "miligrama", "miligramas"}),
        frozenset({"t", "ton", "tonelada", "toneladas"}),
        frozenset({"arroba", "arrobas"}),
        frozenset({"saca", "sacas"}),
    ),
    (
        frozenset({"l", "lt", "litro", "litros"}),
        frozenset({"ml", "mililitro", "mililitros"}),
        frozenset({"m3", "cubicos", "cubico"}),
    ),
    (
        frozenset({"dia", "dias"}),
        frozenset({"semana", "semanas"}),
        frozenset({"mes", "meses"}),
        frozenset({"ano", "anos"}),
        frozenset({"hora", "horas"}),
    ),
)
_WORD = re.compile(r"[a-z]+[23]?")


def names_other_unit(text: str, *, asked_in: str) -> bool:
    """Whether a value's text names a unit of the same kind as the field's words do, and not the same one."""
    given, asked = set(_WORD.findall(fold(text))), set(_WORD.findall(fold(asked_in)))
    return any(
        any(asked & unit for unit in units) and any(given & unit and not asked & unit for unit in units)
        for units in _DIMENSIONS
    )
