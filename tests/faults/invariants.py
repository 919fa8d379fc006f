"""What must hold whatever died or failed, once the world had time to mend it. Each fault found is a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.application.turn.decision import TurnOutcome
from core.domain.conversation import Effect, EffectKind, EffectState, Head, InboundRecord, Mode
from core.domain.delivery import OutboundPart, PartState
from core.domain.handoff import HandoffReason
from core.domain.ledger import TurnRecord
from tests.faults.world import Arrival, Statuses, World

_NUMBER = re.compile(r"\d+")
# A TURN that stands for nothing but what it cost.
WASTED = "overtaken"
_SAID_NOTHING = frozenset({WASTED, TurnOutcome.POSTPONED.value})
# Turns while people have the conversation; after a technical handoff that nobody took, the bot may answer again.
NOBODY_CAME = "nobody_came"
_PEOPLES = frozenset({TurnOutcome.FORWARDED.value, NOBODY_CAME})
_IN_TIME = frozenset({Statuses.AFTER, Statuses.BEFORE})
_OVER = frozenset({PartState.SENT, PartState.FAILED, PartState.CANCELLED, PartState.UNKNOWN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A conversation's items, read once. `turns` are those that stand, in the order of their commits."""

    world: World
    name: str
    head: Head
    inbounds: Sequence[InboundRecord]
    turns: Sequence[TurnRecord]
    parts: Sequence[OutboundPart]
    effects: Sequence[Effect]

    def arrivals(self, part: OutboundPart) -> list[Arrival]:
        """How often a part came, and when."""
        return [each for each in self.world.arrivals if each.sk == part.sk]

    def asked_in(self, turn: TurnRecord) -> set[str]:
        """The numbers of the questions that a turn answers."""
        texts = (record.message.text for record in self.inbounds if record.sk in turn.inbound)
        return {number for text in texts for number in _NUMBER.findall(text)}


def faults(world: World, *, may_double: bool = True) -> list[str]:
    """Empty when nothing was lost, nothing said twice, and whoever had to be told knows.

    `may_double`: a send was disturbed and WhatsApp may say nothing, so that its text may come again after the wait.
    """
    found = [
        f"{fault} ({conversation[:6]})"
        for conversation in world.conversations
        for seen in [_seen(world, conversation)]
        for check in (_inbounds, _replies, _parts, _handoffs, _at_rest)
        for fault in check(seen)
    ]
    if not may_double and len(world.arrivals) != len({arrival.sk for arrival in world.arrivals}):
        found.append("a text came twice though its send went undisturbed")
    return found


def unaccounted_calls(world: World) -> int:
    """Calls of agents that no TURN speaks of: none, unless a process died or the table failed with them."""
    turns = [turn for conversation in world.conversations for turn in world.store.turns(conversation)]
    return world.model.agent_calls - sum(len(turn.calls) for turn in turns)


def standing(world: World, conversation: str) -> list[TurnRecord]:
    """The turns that answered something, in the order of their commits."""
    return [turn for turn in world.store.turns(conversation) if turn.outcome not in _SAID_NOTHING]


def _seen(world: World, conversation: str) -> Seen:
    store = world.store
    return Seen(
        world=world,
        name=conversation,
        head=store.head(conversation),
        inbounds=store.inbounds(conversation),
        turns=standing(world, conversation),
        parts=store.parts(conversation),
        effects=store.effects(conversation),
    )


def _inbounds(seen: Seen) -> Iterator[str]:
    """Every message that asks for an answer has been taken care of by exactly one turn."""
    if seen.head.pending:
        yield "a message is pending for good"
    answered = [sk for turn in seen.turns for sk in turn.inbound]
    for record in seen.inbounds:
        times = answered.count(record.sk)
        if record.message.opens_turn and times != 1:
            yield f"a message was answered by {times} turns"


def _replies(seen: Seen) -> Iterator[str]:
    """A reply answers what its turn says that it answers."""
    for turn in seen.turns:
        said = set(_NUMBER.findall(turn.reply.text)) if turn.reply else set()
        if seen.world.numbered and turn.outcome == TurnOutcome.ANSWERED and seen.asked_in(turn) - said:
            yield "a reply left a question out"
        if turn.reply and not (turn.inbound or turn.handoff_reason or turn.outcome == NOBODY_CAME):
            yield "a reply to nothing"


def _parts(seen: Seen) -> Iterator[str]:
    """What was to be said was said once, in order."""
    for place, turn in enumerate(seen.turns):
        parts = [part for part in seen.parts if part.turn == turn.turn]
        if turn.reply is not None and not parts:
            yield "a reply has no parts"
        # what nobody began to send is not said any more once a later turn, or a person, has the word
        taken = seen.name in seen.world.taken_over
        later = place + 1 < len(seen.turns) or taken
        arrivals = [seen.arrivals(part) for part in parts]
        for part, times in zip(parts, arrivals, strict=True):
            peoples = taken and part.unless_taken
            yield from _part(part, times, world=seen.world, overtaken=peoples or (later and not part.exempt))
        firsts = [times[0].at_ms for times in arrivals if times]
        if firsts != sorted(firsts):
            yield "parts arrived out of order"


def _part(part: OutboundPart, times: list[Arrival], *, world: World, overtaken: bool) -> Iterator[str]:
    if part.state not in _OVER or (part.state is PartState.UNKNOWN and part.due_ms is not None):
        yield f"a part is still {part.state}"
    if not times:
        refused = part.state is PartState.FAILED and part.failure is not None
        # of a handoff's text nobody may ever know: people have the conversation by then
        given_up = part.exempt and part.error == "unknown_twice"
        if not (refused or given_up) and not overtaken:
            yield f"a part never arrived and is {part.state}"
        return
    if any(arrival.text != part.text for arrival in times):
        yield "a part arrived with another text"
    if world.statuses in _IN_TIME and len(times) > 1:
        yield f"a part arrived {len(times)} times though its statuses came"
    wait_ms = world.policy.outbox_unknown_seconds * 1000
    if len(times) > 2 or any(b.at_ms - a.at_ms < wait_ms for a, b in pairwise(times)):
        yield f"a part arrived {len(times)} times, or again before the wait was over"


def _handoffs(seen: Seen) -> Iterator[str]:
    """Who hands over reaches people: mode, queue item with a summary, notification."""
    handed = [turn for turn in seen.turns if turn.handoff_reason]
    spoken = [turn for turn in seen.turns if turn.handoff_reason or turn.outcome not in _PEOPLES]
    had_people = handed and spoken[-1] is handed[-1] and seen.name not in seen.world.handed_back
    if had_people and seen.head.mode is not Mode.HUMAN:
        yield "a handoff left the bot in charge"
    for turn in handed:
        quotes = [each for each in seen.effects if each.turn == turn.turn and each.kind is EffectKind.QUOTE]
        if len(quotes) != (turn.handoff_reason == HandoffReason.COMPLETED):
            yield f"{len(quotes)} quotes of a handoff with the reason {turn.handoff_reason}"
        yield from _effects(seen, {effect.kind: effect for effect in seen.effects if effect.turn == turn.turn})
    if seen.head.mode is Mode.HUMAN and not handed and seen.name not in seen.world.taken_over:
        yield "a person has a conversation that nobody handed over"


def _effects(seen: Seen, effects: dict[EffectKind, Effect]) -> Iterator[str]:
    quote = effects.pop(EffectKind.QUOTE, None)
    if quote is not None:
        yield from _quote(seen, quote)
    if EffectKind.HANDOFF not in effects:
        yield "a handoff has no queue item"
    for kind, effect in effects.items():
        if effect.state is not EffectState.DONE:
            yield f"effect {kind} is {effect.state}"
        elif not effect.payload.get("summary"):
            yield f"effect {kind} carries no summary"
    told = any(said["summary"] for where, said in seen.world.notices if where == seen.name)
    if EffectKind.NOTIFY in effects and not told:
        yield "nobody was notified of a handoff"


def _quote(seen: Seen, effect: Effect) -> Iterator[str]:
    """The ERP has one, and its number is on the effect."""
    if effect.state is not EffectState.DONE:
        yield f"a quote is {effect.state}"
    if effect.payload.get("number") != seen.world.erp.numbers.get(f"balcao-{effect.turn}"):
        yield "a quote has another number than the ERP gave it"
    if len(seen.world.erp.contacts) > len(seen.world.conversations):
        yield "the ERP has a customer twice"


def _at_rest(seen: Seen) -> Iterator[str]:
    """Nothing is due that the schedule looks at again and again."""
    due = seen.world.store.due(now_ms=seen.world.clock.now_ms())
    if any(pointer.conversation == seen.name for pointer in due):
        yield "something is due for ever"
