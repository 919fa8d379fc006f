"""The same cases with several models: what each keeps, how long it takes and what it costs (docs/evaluation.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from core.domain.handoff import HandoffReason
from core.domain.ledger import ModelCall, TurnRecord
from evaluation.evaluate import CaseResult, Evaluation
from replay.comparing.statistics import PairedTest, smallest_effect

_LOST = frozenset({HandoffReason.LLM_INVALID_JSON.value, HandoffReason.LLM_INVALID_CONTRACT.value})
_MANY = 0.95
_COLUMNS = (
    "model",
    "cases",
    "musts",
    "fields and codes",
    "mended",
    "lost",
    "incomplete",
    "s a call, half / 95 %",
    "tokens in / cached / out",
    "US$ a case",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One model's run of the cases, under the name that it was asked by."""

    name: str
    evaluation: Evaluation

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """Every request of every case."""
        return tuple(call for turn in self._turns() for call in turn.calls)

    @property
    def mended(self) -> int:
        """Turns whose reply was of no use as it came, and was mended: here, by a model or by the agent asked again."""
        return sum(turn.repair_method is not None for turn in self._turns())

    @property
    def lost(self) -> int:
        """Turns that went to a person for what an agent wrote."""
        return sum(turn.handoff_reason in _LOST for turn in self._turns())

    def _turns(self) -> Iterator[TurnRecord]:
        return (turn.record for each in self.evaluation.results for turn in each.played.turns)


def matrix_lines(lanes: Sequence[Lane]) -> Iterator[str]:
    """A line a model, then each against the first, in pairs of the same case, with what so many pairs could show."""
    yield f"# {lanes[0].evaluation.company}: {len(lanes[0].evaluation.results)} cases with {len(lanes)} models"
    yield ""
    yield f"| {' | '.join(_COLUMNS)} |"
    yield "|" + "---|" * len(_COLUMNS)
    yield from (_line(lane) for lane in lanes)
    yield ""
    yield from (_against(lanes[0], lane) for lane in lanes[1:])
    yield _visible(len(lanes[0].evaluation.results))


def _line(lane: Lane) -> str:
    results, calls = lane.evaluation.results, lane.calls
    scores = [one for each in results for one in each.scores]
    musts, others = [one for one in scores if one.is_must], [one for one in scores if not one.is_must]
    seconds = sorted(call.latency_ms / 1000 for call in calls if call.failure is None)
    return (
        f"| {lane.name} | {len(results)} | {_share(sum(one.passed for one in musts), len(musts))} "
        f"| {_share(sum(one.passed for one in others), len(others))} | {lane.mended} | {lane.lost} "
        f"| {sum(bool(each.played.incomplete) for each in results)} | {_times(seconds)} | {_tokens(calls)} "
        f"| {_cost(calls, len(results))} |"
    )


def _against(first: Lane, lane: Lane) -> str:
    """Cases are paired in their order: both lanes played the same ones."""
    pairs = [
        (_holds(before), _holds(after))
        for before, after in zip(first.evaluation.results, lane.evaluation.results, strict=True)
        if not (before.played.incomplete or after.played.incomplete)
    ]
    test = PairedTest(
        sessions=len(pairs),
        worse=sum(before and not after for before, after in pairs),
        better=sum(after and not before for before, after in pairs),
    )
    verdict = "worse" if test.is_worse else "no difference that chance does not explain"
    return (
        f"{lane.name} against {first.name}, {test.sessions} pairs: {test.worse} cases fail a must only with it, "
        f"{test.better} only with {first.name} (p {test.p:.3f}): {verdict}."
    )


def _visible(pairs: int) -> str:
    effect = smallest_effect(pairs)
    if effect is None:
        return f"{pairs} pairs are too few to show any difference four times in five."
    return f"The smallest difference that {pairs} pairs show four times in five is {effect:.1%} of the cases."


def _holds(result: CaseResult) -> bool:
    return not result.failed_musts


def _share(passed: int, of: int) -> str:
    return f"{passed}/{of}"


def _times(seconds: Sequence[float]) -> str:
    if not seconds:
        return "–"
    many = seconds[ceil(len(seconds) * _MANY) - 1]
    return f"{seconds[(len(seconds) - 1) // 2]:.1f} / {many:.1f}"


def _tokens(calls: Sequence[ModelCall]) -> str:
    """Of a call, on average; of those that told them."""
    told = [call for call in calls if not call.usage_missing]
    if not told:
        return "–"
    sums = (
        sum(call.tokens_input for call in told),
        sum(call.tokens_cached for call in told),
        sum(call.tokens_output for call in told),
    )
    return " / ".join(str(round(each / len(told))) for each in sums)


def _cost(calls: Sequence[ModelCall], cases: int) -> str:
    """Unknown where the price of a single call is: a sum without it would be too low."""
    if not calls or any(call.cost_usd is None and call.failure is None for call in calls):
        return "unknown"
    known = sum((call.cost_usd for call in calls if call.cost_usd is not None), Decimal(0))
    return f"{known / cases:.5f}"
