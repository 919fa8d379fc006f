"""Is the customer angry with this service? Insults aimed at it, anger of one's own, and complaints that add up."""

from __future__ import annotations

import re
from functools import lru_cache

from core.domain.guard.complaints import complaints_together
from core.domain.guard.frustration_rules import RULES
from core.domain.guard.lexicon_anger import AMBIGUOUS, BARE, BARE_FILLER, TARGETS
from core.domain.guard.phrases import bare_words, words

_BARE_LENGTH = 8
_AIMED = TARGETS | words("seu sua seus suas que")
_CLAUSE_END = re.compile(r"(?<=[?!.,] )")


def frustration(text: str, neutral: frozenset[str] = frozenset()) -> str | None:
    """The name of the rule by which a spelled-out text is angry with this service, or None.

    What is neutral (the business's own "lixo", spelled out) counts only where it is aimed at us.
    """
    if _bare(text, neutral):
        return "bare_insult"
    muted = _mute(text, neutral)
    return next(RULES.fired(muted), None) or complaints_together(muted)


def _bare(text: str, neutral: frozenset[str]) -> bool:
    """Nothing but insults and what leads up to them."""
    spoken = bare_words(text)
    if len(spoken) > _BARE_LENGTH or not all(word in BARE_FILLER or word in BARE for word in spoken):
        return False
    insults = [word for word in spoken if word in BARE]
    plain = neutral | _in_phrases(text, neutral) if {"um", "uma"}.isdisjoint(spoken) else frozenset()
    return bool(insults) and (not _AIMED.isdisjoint(spoken) or not (plain | AMBIGUOUS).issuperset(insults))


def _in_phrases(text: str, neutral: frozenset[str]) -> frozenset[str]:
    """The words of the neutral phrases that a text holds."""
    return frozenset(word for phrase in _any_of(neutral).findall(text) for word in phrase.split())


@lru_cache(maxsize=8)  # there is one catalogue
def _any_of(entries: frozenset[str]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(entries)))
    return re.compile(rf"(?<![^ ])(?:{listed or '(?!)'}) ")


def _mute(text: str, neutral: frozenset[str]) -> str:
    """`text` without the neutral words and phrases of clauses in which nothing of ours is named."""
    spoken = _any_of(neutral)
    if not spoken.search(text):
        return text
    clauses = _CLAUSE_END.split(text)
    return "".join(clause if not _AIMED.isdisjoint(clause.split()) else spoken.sub("", clause) for clause in clauses)
