"""What must hold whatever died or failed, once the world had time to mend it. Each fault found is a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from core.application.decision import TurnOutcome
from core.domain.conversation import EffectKind, EffectState, Mode
from core.domain.delivery import OutboundPart, PartState
from core.domain.ledger import TurnRecord
from tests.faults.world import Arrival, Statuses, World

_NUMBER = re.compile(r"\d+")
# A TURN that stands for nothing but what it cost.
WASTED = "overtaken"
# Turns while people have the conversation; after a technical handoff that nobody took, the bot may answer again.
NOBODY_CAME = "nobody_came"
_PEOPLES = frozenset({TurnOutcome.FORWARDED.value, NOBODY_CAME})
_IN_TIME = frozenset({Statuses.AFTER, Statuses.BEFORE})
_OVER = frozenset({PartState.SENT, PartState.FAILED, PartState.CANCELLED, PartState.UNKNOWN})


def faults(world: World, *, may_double: bool = True) -> list[str]:
    """Empty when nothing was lost, nothing said twice, and whoever had to be told knows.

    `may_double`: a send was disturbed and WhatsApp may say nothing, so that its text may come again after the wait.
    """
    found = [
        f"{fault} ({conversation[:6]})"
        for conversation in world.conversations
        for check in (_inbounds, _parts, _handoffs, _at_rest)
        for fault in check(world, conversation)
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
    return [turn for turn in world.store.turns(conversation) if turn.outcome != WASTED]


def _inbounds(world: World, conversation: str) -> Iterator[str]:
    """Every message that asks for an answer has been taken care of by exactly one turn."""
    if world.store.head(conversation).pending:
        yield "a message is pending for good"
    answered = [sk for turn in standing(world, conversation) for sk in turn.inbound]
    for record in world.store.inbounds(conversation):
        times = answered.count(record.sk)
        if record.message.opens_turn and times != 1:
            yield f"a message was answered by {times} turns"
    for turn in standing(world, conversation):
        said = set(_NUMBER.findall(turn.reply.text)) if turn.reply else set()
        asked = {n for sk in turn.inbound for n in _NUMBER.findall(_text_of(world, conversation, sk))}
        if world.numbered and turn.outcome == TurnOutcome.ANSWERED and asked - said:
            yield "a reply left a question out"
        if turn.reply and not (turn.inbound or turn.handoff_reason or turn.outcome == NOBODY_CAME):
            yield "a reply to nothing"


def _text_of(world: World, conversation: str, sk: str) -> str:
    return next(record.message.text for record in world.store.inbounds(conversation) if record.sk == sk)


def _parts(world: World, conversation: str) -> Iterator[str]:
    """What was to be said was said once, in order."""
    turns = standing(world, conversation)
    for place, turn in enumerate(turns):
        parts = [part for part in world.store.parts(conversation) if part.turn == turn.turn]
        if turn.reply is not None and not parts:
            yield "a reply has no parts"
        # what nobody began to send is not said any more once a later turn, or a person, has the word
        later = place + 1 < len(turns) or conversation in world.taken_over
        arrivals = [_arrivals(world, part) for part in parts]
        for part, times in zip(parts, arrivals, strict=True):
            yield from _part(world, part, times, overtaken=later)
        firsts = [times[0].at_ms for times in arrivals if times]
        if firsts != sorted(firsts):
            yield "parts arrived out of order"


def _part(world: World, part: OutboundPart, times: list[Arrival], *, overtaken: bool) -> Iterator[str]:
    if part.state not in _OVER or (part.state is PartState.UNKNOWN and part.due_ms is not None):
        yield f"a part is still {part.state}"
    if not times:
        refused = part.state is PartState.FAILED and part.error_code is not None
        # of a handoff's text nobody may ever know: people have the conversation by then
        given_up = part.exempt and part.error == "unknown_twice"
        if not (refused or given_up) and not (overtaken and not part.exempt):
            yield f"a part never arrived and is {part.state}"
        return
    if any(arrival.text != part.text for arrival in times):
        yield "a part arrived with another text"
    if world.statuses in _IN_TIME and len(times) > 1:
        yield f"a part arrived {len(times)} times though its statuses came"
    wait_ms = world.policy.outbox_unknown_seconds * 1000
    if len(times) > 2 or any(b.at_ms - a.at_ms < wait_ms for a, b in pairwise(times)):
        yield f"a part arrived {len(times)} times, or again before the wait was over"


def _arrivals(world: World, part: OutboundPart) -> list[Arrival]:
    return [each for each in world.arrivals if each.sk == part.sk]


def _handoffs(world: World, conversation: str) -> Iterator[str]:
    """Who hands over reaches people: mode, queue item with a summary, notification."""
    turns = standing(world, conversation)
    handed = [turn for turn in turns if turn.handoff_reason]
    spoken = [turn for turn in turns if turn.handoff_reason or turn.outcome not in _PEOPLES]
    had_people = handed and spoken[-1] is handed[-1] and conversation not in world.handed_back
    if had_people and world.store.head(conversation).mode is not Mode.HUMAN:
        yield "a handoff left the bot in charge"
    for turn in handed:
        effects = {effect.kind: effect for effect in world.store.effects(conversation) if effect.turn == turn.turn}
        if not effects:
            yield "a handoff has no effects"
        for kind, effect in effects.items():
            if effect.state is not EffectState.DONE:
                yield f"effect {kind} is {effect.state}"
            elif not effect.payload.get("summary"):
                yield f"effect {kind} carries no summary"
        if EffectKind.NOTIFY in effects and not any(said["summary"] for where, said in world.notices if where == conversation):
            yield "nobody was notified of a handoff"
    if world.store.head(conversation).mode is Mode.HUMAN and not handed and conversation not in world.taken_over:
        yield "a person has a conversation that nobody handed over"


def _at_rest(world: World, conversation: str) -> Iterator[str]:
    """Nothing is due that the schedule looks at again and again."""
    if any(pointer.conversation == conversation for pointer in world.store.due(now_ms=world.clock.now_ms())):
        yield "something is due for ever"
