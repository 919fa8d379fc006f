"""What a run came to: counts, groups of equal changes, the test, and the exit code. One model feeds every report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import IntEnum
from statistics import median
from typing import Any

from replay.comparing.accepted import AcceptedChange
from replay.comparing.differences import Verdict
from replay.comparing.statistics import PairedTest, smallest_effect
from replay.playing.prompt_texts import PromptChange

Result = Mapping[str, Any]
SHOWN_SESSIONS = 400
"""Changed sessions that are kept to be shown whole; of the others the groups tell."""


class Exit(IntEnum):
    """The exit code of a run."""

    CLEAN = 0
    REGRESSION = 1
    USAGE = 2
    INCONCLUSIVE = 3
    INCOMPLETE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Sessions whose first divergence is the same change."""

    aspect: str
    words: str
    sessions: tuple[str, ...]
    accepted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Medians of whole sessions, before and after; None where a cost is not known."""

    cost_usd: tuple[float | None, float | None]
    latency_ms: tuple[float, float]
    costs: tuple[tuple[float, float], ...] = ()
    latencies: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """`test` is None where there is one lane; `effect` the share of worse sessions that the run was to see."""

    counts: Mapping[str, int]
    turns: int
    groups: tuple[Group, ...]
    changed: tuple[Result, ...]
    left_out: int
    broken: Mapping[str, tuple[str, ...]]
    incomplete: Mapping[str, tuple[str, ...]]
    drifted: int
    figures: Figures
    exit: Exit
    verdict: str
    prompt_changes: tuple[PromptChange, ...] = ()
    expired: tuple[AcceptedChange, ...] = ()
    test: PairedTest | None = None
    smallest: float | None = None
    noise: int = 0
    model_drift: int | None = None

    @property
    def sessions(self) -> int:
        """How many were played."""
        return sum(self.counts.values())


@dataclass(slots=True)
class Gathering:
    """Takes results one by one, so that no run is held in memory."""

    is_live: bool
    has_baseline: bool
    effect: float
    counts: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    drifted: int = 0
    noise: int = 0
    model_drift: int = 0
    worse: int = 0
    better: int = 0
    pairs: int = 0
    left_out: int = 0
    changed: list[Result] = field(default_factory=list)
    groups: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    accepted: set[tuple[str, str]] = field(default_factory=set)
    broken: dict[str, list[str]] = field(default_factory=dict)
    incomplete: dict[str, list[str]] = field(default_factory=dict)
    costs: list[tuple[float, float]] = field(default_factory=list)
    latencies: list[tuple[int, int]] = field(default_factory=list)

    def take(self, results: Iterable[Result]) -> Gathering:
        """All of them."""
        for result in results:
            self.add(result)
        return self

    def add(self, result: Result) -> None:
        """One session more."""
        self.counts[result["verdict"]] += 1
        self.turns += len(result["turns"])
        self.drifted += any(turn["drift"] for turn in result["turns"])
        for name in result["broken"]:
            self.broken.setdefault(name, []).append(result["id"])
        for reason in [*result["incomplete"], *_errors(result)]:
            self.incomplete.setdefault(reason, []).append(result["id"])
        self._add_group(result)
        self._add_pair(result)
        self._add_figures(result)
        if result["verdict"] != Verdict.SAME.value or result["broken"]:
            if len(self.changed) < SHOWN_SESSIONS:
                self.changed.append(result)
            else:
                self.left_out += 1

    def summary(
        self, *, prompt_changes: Sequence[PromptChange] = (), expired: Sequence[AcceptedChange] = ()
    ) -> Summary:
        """What it came to."""
        test = PairedTest(sessions=self.pairs, worse=self.worse, better=self.better) if self.has_baseline else None
        paired = test if self.is_live else None
        code, verdict = self._judged(paired)
        return Summary(
            counts=dict(self.counts),
            turns=self.turns,
            groups=self._groups(),
            changed=tuple(sorted(self.changed, key=lambda result: int(result["index"]))),
            left_out=self.left_out,
            broken={name: tuple(ids) for name, ids in self.broken.items()},
            incomplete={reason: tuple(ids) for reason, ids in self.incomplete.items()},
            drifted=self.drifted,
            figures=self._figures(),
            exit=code,
            verdict=verdict,
            prompt_changes=tuple(prompt_changes),
            expired=tuple(expired),
            test=paired,
            smallest=smallest_effect(self.pairs) if paired else None,
            noise=self.noise,
            model_drift=self.model_drift if self.is_live and self.has_baseline else None,
        )

    def _judged(self, test: PairedTest | None) -> tuple[Exit, str]:
        """The first that holds: a regression is one whatever else could not be judged."""
        changed = self.counts[Verdict.CHANGED.value]
        unfit = self.counts[Verdict.ERROR.value] + self.counts[Verdict.INCOMPLETE.value]
        broken = len({name for ids in self.broken.values() for name in ids})
        cases = (
            (broken, Exit.REGRESSION, f"a rule is broken in {_sessions(broken)}"),
            (test and test.is_worse, Exit.REGRESSION, _worse(test)),
            (not self.is_live and changed, Exit.REGRESSION, f"{_sessions(changed)} changed"),
            (unfit, Exit.INCOMPLETE, f"{_sessions(unfit)} could not be judged"),
            (not self.counts, Exit.INCOMPLETE, "no session was played"),
            (
                self.is_live and test is None and changed,
                Exit.INCONCLUSIVE,
                f"{_sessions(changed)} changed; without --baseline the model's own drift is not known",
            ),
            (
                test and not test.could_see(self.effect),
                Exit.INCONCLUSIVE,
                "no worse, and too few sessions to have seen it",
            ),
            (self.counts[Verdict.TEXT.value], Exit.CLEAN, "nothing changed but texts"),
            (True, Exit.CLEAN, "nothing changed"),
        )
        return next((code, said) for holds, code, said in cases if holds)

    def _add_group(self, result: Result) -> None:
        first = next((turn for turn in result["turns"] if turn["number"] == result["first"]), None)
        if first is None:
            return
        key = (first["differences"][0]["aspect"], first["differences"][0]["words"])
        self.groups.setdefault(key, []).append(result["id"])
        if result["verdict"] == Verdict.ACCEPTED.value:
            self.accepted.add(key)

    def _add_pair(self, result: Result) -> None:
        baseline = result.get("baseline")
        if baseline is None or result["verdict"] in (Verdict.ERROR.value, Verdict.INCOMPLETE.value):
            return
        self.model_drift += baseline["verdict"] == Verdict.CHANGED.value
        if result.get("noise"):
            self.noise += 1
            return
        self.pairs += 1
        self.worse += baseline["passes"] and not result["passes"]
        self.better += result["passes"] and not baseline["passes"]

    def _add_figures(self, result: Result) -> None:
        turns = result["turns"]
        self.latencies.append((sum(t["latency_ms"][0] for t in turns), sum(t["latency_ms"][1] for t in turns)))
        if all(cost is not None for turn in turns for cost in turn["cost_usd"]):
            before, after = (sum((Decimal(t["cost_usd"][side]) for t in turns), Decimal(0)) for side in (0, 1))
            self.costs.append((float(before), float(after)))

    def _figures(self) -> Figures:
        return Figures(
            cost_usd=(_median([c for c, _ in self.costs]), _median([c for _, c in self.costs])),
            latency_ms=(_median([b for b, _ in self.latencies]) or 0, _median([a for _, a in self.latencies]) or 0),
            costs=tuple(self.costs),
            latencies=tuple(self.latencies),
        )

    def _groups(self) -> tuple[Group, ...]:
        found = (
            Group(aspect=aspect, words=words, sessions=tuple(ids), accepted=(aspect, words) in self.accepted)
            for (aspect, words), ids in self.groups.items()
        )
        return tuple(sorted(found, key=lambda group: (-len(group.sessions), group.aspect, group.words)))


def _worse(test: PairedTest | None) -> str:
    if test is None:
        return ""
    return f"worse: {_sessions(test.worse)} fail only now, {test.better} failed only before (p {test.p:.3f})"


def _errors(result: Result) -> list[str]:
    return list(dict.fromkeys(turn["error"] for turn in result["turns"] if turn.get("error")))


def _median(values: Sequence[float]) -> float | None:
    return float(median(values)) if values else None


def _sessions(number: int) -> str:
    return f"{number} session{'s' if number != 1 else ''}"
