"""Comparing names whatever their accents, case and separators."""

from __future__ import annotations

import re

from core.domain.text_normalisation import fold

_SEPARATORS = re.compile(r"[\W_]+")


def fold_key(text: str) -> str:
    """`Análise de Água` and `analise-de-agua` both become `analise_de_agua`. "" when no letter or digit is left."""
    return _SEPARATORS.sub("_", fold(text)).strip("_")
