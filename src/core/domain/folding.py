"""Comparing names whatever their accents, case and separators."""

from __future__ import annotations

import re
import unicodedata

_SEPARATORS = re.compile(r"[\W_]+")


def fold_key(text: str) -> str:
    """`Análise de Água` and `analise-de-agua` both become `analise_de_agua`. "" when no letter or digit is left."""
    if text.isascii():
        plain = text.lower()
    else:
        spread = unicodedata.normalize("NFKD", text)
        plain = "".join(ch for ch in spread if not unicodedata.combining(ch)).casefold()
    return _SEPARATORS.sub("_", plain).strip("_")
