"""The live half of scripts/evaluate.py: the real model, within a budget that somebody has agreed to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from company_check.prompt_sizes import approximate_tokens
from core.agents.invoker import AgentInvokerImpl
from core.agents.prompt_assembly import PromptAssembler
from core.application.ports import LLMClient
from core.config.settings import ModelSettings
from core.domain.actions import Agent
from evaluation.answers import CommittedAnswer, write_answers
from evaluation.cases import Case
from evaluation.evaluate import CaseResult, Evaluation, evaluate_live
from evaluation.models import Budget, BudgetedModel
from model_choice import ModelChoice, ModelChoiceError, models_of
from replay.playing.company import Company

LIVE = "BALCAO_LIVE"
_CALLS_PER_LINE_MAX = 4
# What is expected of a line: some ask for a package first, few are asked again.
_CALLS_PER_LINE = Decimal("1.5")
_OUTPUT_TOKENS = 150
_OTHER_INPUT_TOKENS = 1_500  # facts, packages, history

NewModel = Callable[[ModelSettings], LLMClient]


class LiveSetupError(Exception):
    """Nothing live can be begun; the sentence says what is missing."""


def as_configured(models: ModelSettings) -> LLMClient:
    """The providers that the functions use, with their settings."""
    from core.integrations.wiring.models import build_llm

    return build_llm(models)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveEvaluation:
    """Of one company. `choice` is asked in the place of the settings' models; a `budget_usd` needs no question. `ask`
    puts a question to whoever started it; `new_model` makes the client.
    """

    options: argparse.Namespace
    environ: Mapping[str, str]
    company: Company
    choice: ModelChoice | None = None
    budget_usd: Decimal | None = None
    ask: Callable[[str], str] = input
    new_model: NewModel = as_configured

    def run(self, cases: Sequence[Case]) -> Evaluation:
        """Raises `LiveSetupError` before anything was spent."""
        played = tuple(case for case in cases if self.options.everything or case.expected.has_musts)
        models = self._models()
        lines = sum(len(case.customer) for case in played) * self.options.repeat
        call_usd = self._call_usd(models)
        budget = Budget(
            usd=self._agreed_usd(len(played), lines, call_usd),
            calls=self.options.max_calls or lines * _CALLS_PER_LINE_MAX,
            first_call_usd=call_usd,
        )
        prompts, catalog = self.company.prompts, self.company.catalog
        llm = BudgetedModel(self.new_model(models), budget, prompts.price, unknown_usd=call_usd)
        evaluation = evaluate_live(
            played,
            self.company,
            invoker=AgentInvokerImpl(llm=llm, prompts=prompts, catalog=catalog, models=models),
            llm=llm,
            models=models,
            jobs=self.options.jobs,
            repeat=self.options.repeat,
            done=_Progress(len(played) * self.options.repeat).tell,
        )
        if self.options.record:
            self._record(evaluation)
        if budget.refused:
            print(f"the budget refused {budget.refused} call(s)", file=sys.stderr)
        return evaluation

    def _models(self) -> ModelSettings:
        asks_openai = self.choice is None and "LLM_PROVIDERS" not in self.environ
        if asks_openai and not self.environ.get("OPENAI_API_KEY"):
            raise LiveSetupError(f"{LIVE}=1 asks a model, and OPENAI_API_KEY is not set")
        try:
            return self.choice.models(self.environ) if self.choice else models_of(self.environ)
        except ModelChoiceError as error:
            raise LiveSetupError(str(error)) from error

    def _call_usd(self, models: ModelSettings) -> Decimal:
        """What a call costs with nothing cached, of the dearest agent; nothing where a model has no price."""
        assembler = PromptAssembler(self.company.prompts, self.company.catalog)
        costs = [
            price.cost(
                tokens_input=approximate_tokens(assembler.prefix(agent).text) + _OTHER_INPUT_TOKENS,
                tokens_cached=0,
                tokens_output=_OUTPUT_TOKENS,
            )
            for agent in Agent
            if (price := self.company.prompts.price(models.route_for_agent(agent)[0])) is not None
        ]
        return max(costs, default=Decimal(0))

    def _agreed_usd(self, cases: int, lines: int, call_usd: Decimal) -> Decimal:
        agreed = self.options.budget_usd if self.budget_usd is None else self.budget_usd
        if agreed is not None:
            return Decimal(agreed)
        expected = call_usd * _CALLS_PER_LINE * lines
        question = (
            f"{self.company.name}: {cases} cases, {lines} lines to answer, "
            f"about US$ {expected:.2f} if nothing is cached. Spend at most how many US$? "
        )
        try:
            return Decimal(self.ask(question).strip().replace(",", "."))
        except (EOFError, InvalidOperation):
            raise LiveSetupError("no budget: say it with --budget-usd N") from None

    def _record(self, evaluation: Evaluation) -> None:
        folder = self.options.record / self.company.name
        folder.mkdir(parents=True, exist_ok=True)
        first: dict[str, CommittedAnswer] = {}
        for each in evaluation.results:
            if not each.played.incomplete:
                case = each.played.case
                answer = CommittedAnswer(case=case.id, of=case.fingerprint, replies=each.played.raw_replies)
                first.setdefault(case.id, answer)
        write_answers(folder / "answers.jsonl", first.values())
        print(f"recorded: {folder / 'answers.jsonl'}")


class _Progress:
    """A line on the terminal for each tenth of the way."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._failed = 0

    def tell(self, result: CaseResult) -> None:
        self._done += 1
        self._failed += bool(result.failed_musts)
        if self._done == self._total or self._done % max(self._total // 10, 1) == 0:
            print(
                f"  {self._done}/{self._total} played, {self._failed} with a failed must",
                file=sys.stderr,
            )
