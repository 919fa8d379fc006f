"""What a customer means, by rules.toml and signs.toml: anger with this service, a person wanted, no more messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from core.domain.guard.lexicon import senses
from core.domain.guard.phrases import Rule, RuleIndex, Text, read_rules, text_of

FRUSTRATION = "frustration"
HUMAN_REQUEST = "human_request"
OPT_OUT = "opt_out"
SIGN = "sign"
SIGNS_ADD_UP = "signs_add_up"
_ENOUGH = 12
"""Points of signs that are anger where no rule of frustration fires."""
_RULE_POINTS = 14
"""What a rule of frustration is worth: signs against it can take it back."""
_CLAUSE_END = re.compile(r"(?<=[?!.,] )")
_AIM = frozenset({"<us>", "<your>"})


@cache
def rules(detector: str) -> tuple[Rule, ...]:
    """The rules of a detector, in the order in which they are asked. Raises `GuardTableError`."""
    return read_rules(detector)


@cache
def rule_index(detector: str) -> RuleIndex:
    """The rules of a detector by their words. Raises `GuardTableError`."""
    return RuleIndex(rules(detector))


def fired(detector: str, text: Text) -> Iterator[str]:
    """The names of the rules of a detector that fire, in order."""
    return (rule.name for rule in rule_index(detector).fired(text))


def frustration(spelled: str, neutral: frozenset[str] = frozenset()) -> str | None:
    """The name of the rule by which a spelled-out text is angry with this service, or None.

    Signs are counted with a rule and without one: they say what no phrase says alone, and at whom the anger is. What
    is neutral (the business's own "lixo", spelled out) counts only in a clause that names us.
    """
    text = text_of(_without_neutral(spelled, neutral))
    rule = next(fired(FRUSTRATION, text), None)
    points = sum(sign.points for sign in rule_index(SIGN).fired(text)) + (_RULE_POINTS if rule else 0)
    return (rule or SIGNS_ADD_UP) if points >= _ENOUGH else None


def human_request(spelled: str, neutral: frozenset[str] = frozenset()) -> str | None:
    """The rule by which a spelled-out text asks for a person, or None. A neutral word alone asks nothing."""
    text = text_of(spelled)
    return None if neutral.issuperset(text.words) else next(fired(HUMAN_REQUEST, text), None)


@lru_cache(maxsize=8)  # there is one catalogue
def _any_of(entries: frozenset[str]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(entries)))
    return re.compile(rf"(?<![^ ])(?:{listed or '(?!)'}) ")


def _without_neutral(spelled: str, neutral: frozenset[str]) -> str:
    spoken = _any_of(neutral)
    if not spoken.search(spelled):
        return spelled
    return "".join(clause if _names_us(clause) else spoken.sub("", clause) for clause in _CLAUSE_END.split(spelled))


def _names_us(clause: str) -> bool:
    return any(not _AIM.isdisjoint(senses(word)) for word in clause.split())
