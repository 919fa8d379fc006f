"""Cities as people write them, with or without their state."""

from __future__ import annotations

import re

_UF = "AC|AL|AP|AM|BA|CE|DF|ES|GO|MA|MT|MS|MG|PA|PB|PR|PE|PI|RJ|RN|RS|RO|RR|SC|SP|SE|TO"
_CITY_THEN_STATE = re.compile(
    rf"(?P<city>.*[^\W\d_][^\W\d_].*?)\s*(?:[-–—/,|(]\s*(?i:(?P<any>{_UF}))|\s(?P<uf>{_UF}))\s*\)?\.?"
)
_STATE_THEN_CITY = re.compile(rf"(?:(?i:(?P<any>{_UF}))\s*[-–—/,|:]|(?P<uf>{_UF})\s)\s*(?P<city>[^\W\d_]{{2}}.*)")
_LEADING = re.compile(
    r"(?:(?:aqui\s)?em|(?:na\s)?cidade\sde|(?:no\s)?munic[ií]pio\sde|moro\sem|sou\sde)\s+", re.IGNORECASE
)


def plain_city(text: str) -> str:
    """`SP - Campinas` and `em Campinas (sp)` are both `Campinas/SP`; a city alone stays alone."""
    bare = _LEADING.sub("", text, count=1) if _LEADING.match(text) else text
    match = _CITY_THEN_STATE.fullmatch(bare) or _STATE_THEN_CITY.fullmatch(bare)
    return f"{match['city'].strip()}/{(match['any'] or match['uf']).upper()}" if match else bare
