"""One session in every lane: recorded, baseline, candidate (docs/replay.md, "Lanes")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.application.ports import LLMClient
from core.config.settings import Settings
from replay.comparing.differences import (
    Difference,
    SessionComparison,
    Verdict,
    compare,
    comparison_to_plain,
    played_seen,
)
from replay.playing.company import Company, settings_of
from replay.playing.played import PlayedSession
from replay.playing.player import HowToPlay, Player
from replay.running.budget import BudgetedModel
from replay.running.plan import RunPlan
from replay.session_file.records import Header, RecordedSession

_MAJORITY = 0.5


@dataclass(slots=True)
class Lanes:
    """The players of one file. Raises `CompanyFilesError` when a lane's files cannot be read."""

    plan: RunPlan
    header: Header
    _candidate: Player = field(init=False)
    _baseline: Player | None = field(init=False)
    _models: list[BudgetedModel] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        company = self.plan.candidate(self.header.company)
        settings = settings_of(self.header.settings, company=company.name)
        self._candidate = self._player(company, settings)
        older = self.plan.baseline_company(self.header.company)
        self._baseline = self._player(older, settings) if older else None

    def play(self, session: RecordedSession, index: int) -> Mapping[str, Any]:
        """What became of a session, in plain values."""
        baseline, candidate = self._both(session, index)
        against = compare(session, baseline) if baseline else None
        compared = self._judged(compare(session, candidate, against=baseline))
        result: dict[str, Any] = {
            "index": index,
            **comparison_to_plain(compared),
            "accepted": self._is_accepted(compared),
            "broken": self._broken(candidate),
        }
        if against is not None and baseline is not None:
            result["passes"] = self._passes(session, candidate)
            result["baseline"] = {"verdict": against.verdict.value, "passes": self._passes(session, baseline)}
            if self.plan.repeat and compared.verdict is Verdict.CHANGED:
                result |= self._again(session, index)
        if result["accepted"] and compared.verdict is Verdict.CHANGED and not result["broken"]:
            result["verdict"] = Verdict.ACCEPTED.value
        return result

    @property
    def calls(self) -> int:
        """Requests to a model so far."""
        return sum(model.made for model in self._models)

    def _both(self, session: RecordedSession, index: int) -> tuple[PlayedSession | None, PlayedSession]:
        """Interleaved, now one first and now the other: a provider that changes over the hour meets both alike."""
        if self._baseline is None:
            return None, self._candidate.play(session)
        if index % 2:
            candidate = self._candidate.play(session)
            return self._baseline.play(session), candidate
        baseline = self._baseline.play(session)
        return baseline, self._candidate.play(session)

    def _again(self, session: RecordedSession, index: int) -> Mapping[str, Any]:
        """Fresh runs of both lanes; the run that showed the difference is left out, since it was chosen for it."""
        runs = [self._both(session, index + number) for number in range(1, self.plan.repeat + 1)]
        before = [self._passes(session, baseline) for baseline, _ in runs if baseline is not None]
        after = [self._passes(session, candidate) for _, candidate in runs]
        return {
            "repeats": {"baseline": before, "candidate": after},
            "noise": len(set(before)) > 1,
            "passes": _mostly(after),
            "baseline": {"verdict": "repeated", "passes": _mostly(before)},
        }

    def _judged(self, comparison: SessionComparison) -> SessionComparison:
        """Without the differences that are only to be told."""
        told = self.plan.rules.told
        if not told:
            return comparison
        turns = tuple(
            replace(turn, differences=tuple(each for each in turn.differences if each.aspect not in told))
            for turn in comparison.turns
        )
        return replace(comparison, turns=turns)

    def _passes(self, session: RecordedSession, played: PlayedSession) -> bool:
        """Whether a lane does what was recorded, but for accepted changes, and keeps the rules."""
        compared = self._judged(compare(session, played))
        fine = compared.verdict in (Verdict.SAME, Verdict.TEXT) or (
            compared.verdict is Verdict.CHANGED and self._is_accepted(compared)
        )
        return fine and not self._broken(played)

    def _broken(self, played: PlayedSession) -> list[str]:
        facts = (played_seen(turn).facts for turn in played.turns)
        return list(dict.fromkeys(name for each in facts for name in self.plan.rules.broken(each)))

    def _is_accepted(self, compared: SessionComparison) -> bool:
        """Whether the first divergence is a change that somebody wants; what follows from it is not judged apart."""
        first = compared.first
        return first is not None and all(self._wanted(each) for each in first.differences)

    def _wanted(self, difference: Difference) -> bool:
        return any(each.aspect == difference.aspect and each.words == difference.words for each in self.plan.accepted)

    def _player(self, company: Company, settings: Settings) -> Player:
        llm: LLMClient | None = None
        if self.plan.make_model is not None:
            budgeted = BudgetedModel(
                self.plan.make_model(company.prompts),
                price_of=company.prompts.price,
                usd=self.plan.budget_usd,
                calls=self.plan.budget_calls,
            )
            self._models.append(budgeted)
            llm = budgeted
        if self.plan.models is not None:
            settings = replace(settings, models=self.plan.models)
        how = HowToPlay(carry=self.plan.carry, llm=llm, live_from=self.plan.live_from)
        return Player(company=company, settings=settings, how=how)


def _mostly(passes: list[bool]) -> bool:
    return sum(passes) > len(passes) * _MAJORITY
