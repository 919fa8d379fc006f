"""What each code does to a conversation (docs/contract.md, "Codes", the column "effect")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NoReturn

from core.application.actions.collected_facts import key_for_log
from core.domain.actions import ActionCode, Agent, AgentAction
from core.domain.catalogue.catalog import (
    PREVIOUS_SESSION,
    SEGMENT,
    SERVICE,
    Catalog,
    earliest_open_stage,
    entry_requirements,
    is_earlier,
    next_stage,
    unmet_requirements,
)
from core.domain.conversation import ConversationState
from core.domain.errors import ActionError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.progress import progressed
from core.domain.reply import ReplyKind
from core.domain.text import fold_key

# A reason is a word for queues and counts; a sentence could hold what the customer said.
_REASON_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_\-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """An action's effect. `next_stage` is set when the stage changed; `packages` are those to add to the context.

    `closed` and `completed` end the session; `dropped_fields` are names only, for the log; `citations` those kept.
    """

    state: ConversationState
    kind: ReplyKind = ReplyKind.ANSWER
    next_stage: Agent | None = None
    silent: bool = False
    packages: tuple[str, ...] = ()
    completed: bool = False
    closed: bool = False
    refused: bool = False
    handoff: HandoffRequest | None = None
    progress: bool = False
    dropped_fields: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An action and where it is taken: `before` the reply, and `state` with the reply's facts in it."""

    action: AgentAction
    before: ConversationState
    state: ConversationState
    catalog: Catalog
    supplied: tuple[str, ...] = ()

    def transition(self, state: ConversationState | None = None) -> Transition:
        """To that state, and nothing more."""
        after = state or self.state
        return Transition(
            state=after,
            next_stage=after.stage if after.stage is not self.before.stage else None,
            progress=progressed(self.before, after),
            citations=tuple(_keep_supplied(self.action.citations, self.supplied)),
        )

    def to_stage(self, stage: Agent) -> Transition:
        """To another stage, everything else as it is."""
        return self.transition(self.state if stage is self.state.stage else replace(self.state, stage=stage))

    @property
    def service_changed(self) -> bool:
        """Whether the customer turned from one service to another."""
        return self.before.service is not None and self.state.service != self.before.service

    def fail(self, kind: str, field: str, reason: str) -> NoReturn:
        """Tell the agent; what was good in the reply is kept."""
        raise ActionError(kind, field=field, reason=reason, kept=self.state)


def apply_effect(moment: Moment) -> Transition:
    """The code's effect. Raises `ActionError` when the moment is wrong for it."""
    return _EFFECTS[moment.action.code](moment)


def hand_over_refusal(moment: Moment, field: str) -> Transition:
    """A refusal that only a person can settle: the agent's text is said, and the conversation handed over."""
    request = HandoffRequest(reason=HandoffReason.AGENT_REQUESTED, detail=f"declined_{field}")
    return replace(moment.transition(), kind=ReplyKind.ESCALATION, handoff=request)


def _continue(moment: Moment) -> Transition:
    return moment.to_stage(_stage_to_stay(moment))


def _refuse(moment: Moment) -> Transition:
    return replace(_continue(moment), kind=ReplyKind.REFUSAL, refused=True)


def _advance(moment: Moment) -> Transition:
    missing = unmet_requirements(moment.catalog, moment.state, moment.state.stage)
    if missing:
        moment.fail("missing_field", missing[0], f"antes de avançar falta: {_in_words(moment.catalog, missing)}")
    find = earliest_open_stage if moment.service_changed else next_stage
    target = find(moment.catalog, moment.state)
    if target is not None:
        return moment.to_stage(target)
    request = HandoffRequest(reason=HandoffReason.COMPLETED)
    return replace(moment.transition(), completed=True, handoff=request)


def _return(moment: Moment) -> Transition:
    target = _target(moment)
    if not is_earlier(target, moment.state.stage):
        moment.fail("return_forward", "agent", "o código 4 só volta a uma etapa anterior")
    return moment.to_stage(target)


def _close(moment: Moment) -> Transition:
    return replace(moment.transition(), closed=True)


def _hand_off(moment: Moment) -> Transition:
    reason = moment.action.reason
    detail = reason.lower().replace("-", "_") if _REASON_WORD.fullmatch(reason) else "unspecified"
    request = HandoffRequest(reason=HandoffReason.AGENT_REQUESTED, detail=detail)
    return replace(moment.transition(), kind=ReplyKind.ESCALATION, handoff=request)


def _reroute(moment: Moment) -> Transition:
    target = _target(moment)
    if target is moment.state.stage:
        moment.fail("reroute_same_agent", "agent", "você já é esse agente; responda ao cliente")
    if is_earlier(moment.state.stage, target):
        missing = entry_requirements(moment.catalog, moment.state, target)
        if missing:
            reason = f"antes de passar a {target} falta: {_in_words(moment.catalog, missing)}"
            moment.fail("reroute_too_early", missing[0], reason)
    return replace(moment.to_stage(target), silent=True)


def _context(moment: Moment) -> Transition:
    wanted = tuple(dict.fromkeys(_package(moment, name) for name in moment.action.packages))
    served = tuple(dict.fromkeys((*moment.state.packages_served, *wanted)))
    transition = moment.transition(replace(moment.state, packages_served=served))
    return replace(transition, silent=True, packages=tuple(name for name in wanted if name not in moment.supplied))


def _package(moment: Moment, name: str) -> str:
    package = moment.catalog.package(name)
    if package is None:
        known = ", ".join(package.id for package in moment.catalog.packages)
        moment.fail("unknown_package", key_for_log(name), f"use um destes: {known}")
    if package.id == PREVIOUS_SESSION and moment.state.previous_session is None:
        moment.fail("unknown_package", package.id, "não há conversa anterior com este cliente")
    return package.id


def _target(moment: Moment) -> Agent:
    if moment.action.target is None:
        moment.fail("missing_target", "agent", "diga a qual agente")
    return moment.action.target


def _stage_to_stay(moment: Moment) -> Agent:
    """This one, unless a change of service left an earlier one with something to ask."""
    stage = moment.state.stage
    reopened = earliest_open_stage(moment.catalog, moment.state) if moment.service_changed else None
    return reopened if reopened and is_earlier(reopened, stage) else stage


def _keep_supplied(citations: Iterable[str], supplied: Iterable[str]) -> Iterable[str]:
    """Citations of packages that the agent was really given, each once."""
    given = {fold_key(name): name for name in supplied}
    return dict.fromkeys(given[key] for key in map(fold_key, citations) if key in given)


def _in_words(catalog: Catalog, requirements: Iterable[str]) -> str:
    """`número de pessoas; CPF ou CNPJ`."""
    words = {SERVICE: "serviço (service)", SEGMENT: "segmento (segment)"}
    groups: dict[str, list[str]] = {}
    for name in requirements:
        spec = catalog.field(name)
        group = spec.one_of or name if spec else name
        groups.setdefault(group, []).append(f"{spec.name} ({name})" if spec else words.get(name, name))
    return "; ".join(" ou ".join(names) for names in groups.values())


_EFFECTS: Mapping[ActionCode, Callable[[Moment], Transition]] = {
    ActionCode.CONTINUE: _continue,
    ActionCode.ADVANCE: _advance,
    ActionCode.REFUSE: _refuse,
    ActionCode.RETURN: _return,
    ActionCode.CLOSE: _close,
    ActionCode.HANDOFF: _hand_off,
    ActionCode.REROUTE: _reroute,
    ActionCode.CONTEXT: _context,
}
