"""Plays and scores many cases, with committed answers or a live model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum

from core.application.ports import AgentInvoker, LLMClient
from core.config.settings import ModelSettings
from core.domain.actions import Agent
from evaluation.answers import CommittedAnswer
from evaluation.cases import Case
from evaluation.models import NoModel
from evaluation.playing import PlayedCase, play_committed, play_live
from evaluation.scoring import Score, score
from replay.playing.company import Company


class Exit(IntEnum):
    """What a run says to whoever started it. An incomplete case is never a pass."""

    CLEAN = 0
    FAILED = 1
    USAGE = 2
    INCOMPLETE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A case, played and scored."""

    played: PlayedCase
    scores: tuple[Score, ...]

    @property
    def failed_musts(self) -> tuple[Score, ...]:
        return tuple(each for each in self.scores if each.is_must and not each.passed)

    @property
    def failed(self) -> tuple[Score, ...]:
        return tuple(each for each in self.scores if not each.passed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Of one company's cases. `model` is `committed` or the live model's name; `spare_answers` answer no case."""

    company: str
    model: str
    results: tuple[CaseResult, ...]
    spare_answers: tuple[str, ...] = ()
    calls: int = 0
    cost_usd: Decimal | None = None

    def exit(self, *, strict: bool = False) -> Exit:
        """A failed must comes before what is incomplete; `strict` fails for any other expectation, too."""
        if any(each.failed_musts or (strict and each.failed) for each in self.results):
            return Exit.FAILED
        if self.spare_answers or any(each.played.incomplete for each in self.results):
            return Exit.INCOMPLETE
        return Exit.CLEAN


def evaluate_committed(cases: Iterable[Case], answers: Mapping[str, CommittedAnswer], company: Company) -> Evaluation:
    """Each case with its committed answer; one that is missing, or was written for another case, is named."""
    cases = tuple(cases)
    results = tuple(_result(_play_committed(case, answers.get(case.id), company), company) for case in cases)
    spare = tuple(sorted(set(answers) - {case.id for case in cases}))
    return Evaluation(company=company.name, model="committed", results=results, spare_answers=spare)


def evaluate_live(
    cases: Sequence[Case],
    company: Company,
    *,
    invoker: AgentInvoker,
    llm: LLMClient,
    models: ModelSettings,
    jobs: int,
    repeat: int = 1,
    done: Callable[[CaseResult], object] = lambda _: None,
) -> Evaluation:
    """Each case `repeat` times, fresh; results stand in the cases' order. `done` is told of each, one at a time."""

    told = threading.Lock()

    def play(case: Case) -> CaseResult:
        result = _result(play_live(case, company, invoker=invoker, llm=llm, models=models), company)
        with told:
            done(result)
        return result

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        results = tuple(pool.map(play, [case for case in cases for _ in range(repeat)]))
    calls = [call for each in results for turn in each.played.turns for call in turn.record.calls]
    known = [call.cost_usd for call in calls if call.cost_usd is not None]
    return Evaluation(
        company=company.name,
        model=models.for_agent(Agent.TRIAGEM),
        results=results,
        calls=len(calls),
        cost_usd=sum(known, Decimal(0)),
    )


def _play_committed(case: Case, answer: CommittedAnswer | None, company: Company) -> PlayedCase:
    if answer is None:
        return PlayedCase(case=case, incomplete="no answer is committed")
    if not answer.fits(case):
        why = f"stale: the answer was written for {answer.of}, and the case is {case.fingerprint} now"
        return PlayedCase(case=case, incomplete=why)
    return play_committed(case, company, answer.replies, NoModel())


def _result(played: PlayedCase, company: Company) -> CaseResult:
    return CaseResult(played=played, scores=score(played, company))
