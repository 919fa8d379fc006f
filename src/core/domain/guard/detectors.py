"""What a customer means, by the rules of rules.toml: anger with this service, a person wanted, no more messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from core.domain.guard.lexicon import senses
from core.domain.guard.phrases import Rule, Text, read_rules

FRUSTRATION = "frustration"
HUMAN_REQUEST = "human_request"
OPT_OUT = "opt_out"
_CLAUSE_END = re.compile(r"(?<=[?!.,] )")
_AIM = frozenset({"<us>", "<your>"})


@cache
def rules(detector: str) -> tuple[Rule, ...]:
    """The rules of a detector, in the order in which they are asked. Raises `GuardTableError`."""
    return read_rules(detector)


def fired(detector: str, text: Text) -> Iterator[str]:
    """The names of the rules of a detector that fire, in order."""
    return (rule.name for rule in rules(detector) if rule.fires(text))


def frustration(spelled: str, neutral: frozenset[str] = frozenset()) -> str | None:
    """The name of the rule by which a spelled-out text is angry with this service, or None.

    What is neutral (the business's own "lixo", spelled out) counts only in a clause that names us.
    """
    return next(fired(FRUSTRATION, Text(_without_neutral(spelled, neutral))), None)


def human_request(spelled: str, neutral: frozenset[str] = frozenset()) -> str | None:
    """The rule by which a spelled-out text asks for a person, or None. A neutral word alone asks nothing."""
    text = Text(spelled)
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
