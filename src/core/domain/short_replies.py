"""Messages that are one short reply and nothing more: yes to an offer, stop writing to me, thank you."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from core.domain.guard.detectors import OPT_OUT, fired
from core.domain.guard.lexicon import words
from core.domain.guard.phrases import text_of
from core.domain.guard.spelling import bare_words, spell_out
from core.domain.guard.tables import read_table

_MARKUP = str.maketrans("*_~", "   ")
# What somebody quotes inside a sentence of their own. The whole message in quotes is the customer's word.
_QUOTED = re.compile(r"(?<=[^\s\"“”«»])\s*(?:\"[^\"]*\"|“[^”]*”|«[^»]*»)")


def is_acceptance(text: str) -> bool:
    """Whether `text` says yes, and only yes, to a pending offer of a person: "sim, mas antes…" does not."""
    return _is_only(text, *_reply("yes"))


def is_courtesy(text: str) -> bool:
    """Whether `text` is thanks or an acknowledgement that asks for no answer."""
    return _is_only(text, *_reply("thanks"))


def is_opt_out(text: str) -> bool:
    """Whether `text` asks for no more messages: PARE, PARAR, SAIR or STOP alone, or a sentence that means it.

    "cancelar" and "não me mande mais boletos" are what customers say of quotes and bills.
    """
    read = text_of(spell_out(_QUOTED.sub(" , ", text.translate(_MARKUP))))
    return any(fired(OPT_OUT, read))


@cache
def _reply(kind: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    row = read_table("short_replies")[kind]
    return words(row["meant"]), words(row["beside"]), frozenset(row["signs"])


def _is_only(text: str, meant: frozenset[str], beside: frozenset[str], signs: frozenset[str]) -> bool:
    spelled = spell_out(text)
    said = bare_words(spelled)
    if "?" in spelled.split():
        return False
    symbols = {character for character in text if unicodedata.category(character) == "So"}
    if not said:
        return bool(symbols) and symbols <= signs
    return not meant.isdisjoint(said) and all(word in meant or word in beside for word in said)
