"""What is answered before any model is asked (document 001; docs/guard.md, "ConversationGuard").

Pure: a verdict from the messages alone. Frustration comes before a request for a person, and both before a loop.
The stored text is never altered: detectors read a spelled-out copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from core.domain.guard.detectors import frustration, human_request
from core.domain.guard.loop import WINDOW, is_loop
from core.domain.guard.spelling import spell_out

GUARD_RESPONSE_FRUSTRATED = (
    "Vi que tu tá frustrado e eu entendo. Bora tentar de outro jeito — me conta o que tu precisa em 1 frase curta?"
)
GUARD_RESPONSE_LOOP = (
    "Acho que travei. Não consegui te ajudar com isso. "
    "Quer reformular ou esperar um humano entrar pra te ajudar mais tarde?"
)
GUARD_RESPONSE_HUMAN_REQUEST = (
    "Por enquanto só eu (mel) por aqui — sem humano. Anoto o pedido pra avisar quando suporte entrar. "
    "Enquanto isso, posso te ajudar com orçamento, metas ou fatura?"
)

LOOP_FROM_TURNS = 2
"""Turns without progress below which nothing counts as a loop."""


class GuardKind(StrEnum):
    """The detectors, in order of priority."""

    FRUSTRATED = "frustrated"
    HUMAN_REQUEST = "human-request"
    LOOP = "loop"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of the conversation as the guard sees it; the customer's role is `user`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class GuardInput:
    """`messages` oldest first; how many turns went without progress is the caller's to know."""

    messages: Sequence[ChatMessage]
    past_turns_without_progress: int = 0


@dataclass(frozen=True, slots=True)
class GuardPolicy:
    """`neutral_words`: words and phrases of the business's own trade, which count only where aimed at us."""

    neutral_words: frozenset[str] = frozenset()
    handoff_available: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardVerdict:
    """What to do with the turn.

    `response` is "" when nothing is preempted, and for a request for a person while a handoff is available: the
    handoff's own text is what the customer reads then. `also_human`: beside the insult stands a request for a person.
    `rule` names what fired, for the ledger.
    """

    preempt: bool
    kind: GuardKind | None = None
    response: str = ""
    also_human: bool = False
    rule: str = ""


class ConversationGuard:
    """The guard has no state: every turn is judged anew, and the ladder of answers is the caller's."""

    @staticmethod
    def evaluate(given: GuardInput, policy: GuardPolicy = GuardPolicy()) -> GuardVerdict:
        """Judge the customer's last message, and the last three of them for a loop."""
        said = [message.content for message in given.messages if message.role == "user"]
        if not said:
            return GuardVerdict(preempt=False)
        text = spell_out(said[-1])
        neutral = _spell_words(policy.neutral_words)
        wants_person = human_request(text, neutral)
        if anger := frustration(text, neutral):
            return _preempt(GuardKind.FRUSTRATED, GUARD_RESPONSE_FRUSTRATED, anger, also_human=wants_person is not None)
        if wants_person:
            response = "" if policy.handoff_available else GUARD_RESPONSE_HUMAN_REQUEST
            return _preempt(GuardKind.HUMAN_REQUEST, response, wants_person)
        if given.past_turns_without_progress >= LOOP_FROM_TURNS and is_loop(said[-WINDOW:]):
            return _preempt(GuardKind.LOOP, GUARD_RESPONSE_LOOP, "repeated_question")
        return GuardVerdict(preempt=False)


@lru_cache(maxsize=8)
def _spell_words(neutral_words: frozenset[str]) -> frozenset[str]:
    spelled = (spell_out(entry).strip() for entry in neutral_words)
    return frozenset(entry for entry in spelled if entry)


def _preempt(kind: GuardKind, response: str, rule: str, *, also_human: bool = False) -> GuardVerdict:
    return GuardVerdict(preempt=True, kind=kind, response=response, also_human=also_human, rule=rule)
