"""What a turn did, line by line, for whoever looks for a fault: beyond the one line that the demo shows."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.conversation import Effect
from core.domain.delivery import DeliveryRank, OutboundPart, PartState
from core.domain.ledger import CallOutcome, ModelCall

from .turn_seen import TurnSeen

_WRITTEN = 300


def turn_details(seen: TurnSeen) -> Iterator[str]:
    """Only what there is to tell."""
    turn = seen.turn
    yield f"turn {turn.turn}: {turn.outcome}" + (f", begun again {turn.reruns} times" if turn.reruns else "")
    for call in (*turn.calls, *seen.summary_calls):
        yield f"call: {_call(call)}"
        if call.raw_reply:
            yield f"wrote: {_cut(call.raw_reply)}"
    if turn.repair_method:
        yield f"mended: {turn.repair_method}"
    if turn.dropped_prefix:
        yield f"left out before the format: {len(turn.dropped_prefix)} characters"
    for name, found in (("refused texts", turn.egress_findings), ("refused actions", turn.action_errors)):
        if found:
            yield f"{name}: {', '.join(found)}"
    if turn.reply is not None:
        sources = f", from {', '.join(turn.reply.citations)}" if turn.reply.citations else ""
        yield f"reply: {turn.reply.kind.value}{sources}"
    for part in seen.parts:
        yield f"part {part.number}: {part_state(part)}"
    for effect in seen.effects:
        yield f"effect {effect.kind.value}: {_effect(effect)}"


def part_state(part: OutboundPart) -> str:
    """Where a part of an answer stands, and what the channel last said of it."""
    words = [part.state.value]
    if part.state is PartState.SENT and part.rank > DeliveryRank.SENT:
        words.append(part.rank.name.lower())
    if part.attempt > 1:
        words.append(f"{part.attempt} attempts")
    if part.failure:
        code = f" {part.error_code}" if part.error_code else ""
        words.append(f"last refusal {part.failure.value}{code}")
    if part.template:
        words.append(f"as the template {part.template}")
    return ", ".join(words)


def _call(call: ModelCall) -> str:
    """`agent gpt-5.6-luna, used, 4100/62 tokens (4000 cached), US$ 0.0045, 312 ms`."""
    facts = [f"{call.purpose.value} {call.returned_model or call.requested_model}", call.outcome.value]
    if call.outcome is CallOutcome.FAILED:
        facts[-1] += (
            f" ({call.failure.value if call.failure else 'unknown'}{f', {call.status}' if call.status else ''})"
        )
    if call.rerun:
        facts.append(f"run {call.rerun + 1}")
    cached = f" ({call.tokens_cached} cached)" if call.tokens_cached else ""
    facts.append(f"{call.tokens_input}/{call.tokens_output} tokens{cached}")
    facts.append("cost unknown" if call.cost_usd is None else f"US$ {call.cost_usd:.4f}")
    return ", ".join([*facts, f"{call.latency_ms} ms"])


def _cut(text: str) -> str:
    """On one line, as long as tells the code and the action before the message."""
    line = " ".join(text.split())
    return line if len(line) <= _WRITTEN else line[: _WRITTEN - 1] + "…"


def _effect(effect: Effect) -> str:
    tries = f", {effect.attempt} attempts" if effect.attempt > 1 else ""
    return f"{effect.state.value}{tries}"
