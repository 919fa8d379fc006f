"""Whether sessions got worse or only differ: pairs, an exact test, and what it could have seen (docs/replay.md)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, exp, lgamma, log, sqrt

ALPHA = 0.05
_ONE_IN = 20
POWER = 0.8
BETTER_RATE = 0.02
"""How many sessions are taken to get better by chance where an effect's visibility is computed."""
_STEP = 0.005


def mcnemar(worse: int, better: int) -> float:
    """One-sided exact McNemar: how likely so many of the changed pairs got worse if worse and better were as likely."""
    changed = worse + better
    return float(sum(comb(changed, k) for k in range(worse, changed + 1)) / 2**changed)


def power(sessions: int, worse_rate: float, better_rate: float = BETTER_RATE) -> float:
    """How likely that many pairs show an effect of that size."""
    rate = worse_rate + better_rate
    spread = 9 * sqrt(sessions * rate * (1 - rate)) + 9  # what lies further off adds nothing that could be printed
    likely = range(max(0, int(sessions * rate - spread)), min(sessions, int(sessions * rate + spread)) + 1)
    total = 0.0
    for changed in likely:
        least = _least_worse(changed)
        if least is not None:
            shows = sum(_binomial(changed, worse, worse_rate / rate) for worse in range(least, changed + 1))
            total += _binomial(sessions, changed, rate) * shows
    return min(total, 1.0)


def smallest_effect(sessions: int) -> float | None:
    """The smallest share of sessions made worse that so many pairs show four times in five; None: not even all."""
    low, high = 0, round((1 - BETTER_RATE) / _STEP)
    if power(sessions, high * _STEP) < POWER:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power(sessions, middle * _STEP) >= POWER else (middle + 1, high)
    return round(low * _STEP, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """Of `sessions` pairs, how many only the candidate failed and how many only the baseline."""

    sessions: int
    worse: int
    better: int

    @property
    def p(self) -> float:
        """One-sided."""
        return mcnemar(self.worse, self.better)

    @property
    def is_worse(self) -> bool:
        """Whether chance does not explain it."""
        return self.p <= ALPHA

    def could_see(self, effect: float) -> bool:
        """Whether an effect of that size would have shown."""
        return self.sessions > 0 and power(self.sessions, effect) >= POWER


@cache
def _least_worse(changed: int) -> int | None:
    """How many of the changed pairs must be worse for the test to say so; None where no number would do."""
    # in whole numbers: from 1,024 changed pairs on, what is counted outgrows a float
    limit = int(2**changed // _ONE_IN)
    if limit < 1:
        return None
    tail = 0
    for worse in range(changed, -1, -1):
        tail += comb(changed, worse)
        if tail > limit:
            return worse + 1
    return 0


def _binomial(n: int, k: int, rate: float) -> float:
    """How likely k of n are; by logarithms, since the coefficients outgrow a float."""
    if not 0 < rate < 1:
        return float(k == (n if rate >= 1 else 0))
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(rate) + (n - k) * log(1 - rate))
