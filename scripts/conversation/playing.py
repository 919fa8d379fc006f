"""Plays scenes through the local stack: a scene that ends otherwise than it must is an error, not a transcript."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.domain.conversation import Mode
from local_stack.errors import StackError
from local_stack.stack import Stack

from .customer import Customer
from .scenes import Expected, Scene
from .transcript import Transcript
from .turn_seen import TurnSeen
from .webhook_body import invented_person


def play(stack: Stack, scenes: Iterable[Scene], show: Transcript) -> None:
    """All of them. Raises `StackError` when one does not end as it must."""
    for scene in scenes:
        if stack.state.model_control is None and scene.model.as_control():
            continue  # the real model cannot be told what to answer
        _play_one(stack, scene, show)


def _play_one(stack: Stack, scene: Scene, show: Transcript) -> None:
    show.title(scene.title)
    orders = scene.model.as_control()
    if orders:
        stack.control_model(orders)
    try:
        turns = _talk(stack, scene, show)
    finally:
        if orders:
            stack.control_model({"reset": True})
    if scene.model.replies:
        show.side_by_side(
            ("o modelo escreveu", scene.model.replies[0]), ("o cliente leu", "\n".join(turns[-1].answers))
        )
    if (problem := shortfall(scene.expected, turns)) is not None:
        last = turns[-1].turn
        message = (
            f"scene {scene.title!r}: {problem}; the last turn: outcome {last.outcome}, handoff {last.handoff_reason}"
        )
        raise StackError(message, next_step="make stack, then make chat to try it and scripts/stack.py logs")
    if scene.summary and (effect := turns[-1].effect) is not None:
        show.card(effect.payload["summary"])


def _talk(stack: Stack, scene: Scene, show: Transcript) -> Sequence[TurnSeen]:
    customer, turns = Customer(stack=stack, person=invented_person(scene.customer)), list[TurnSeen]()
    for line in scene.says:
        turns.append(customer.says(line))
        show.turn(turns[-1])
        if turns[-1].head.mode is Mode.HUMAN:
            break
    return turns


def shortfall(expected: Expected, turns: Sequence[TurnSeen]) -> str | None:
    """What a scene did not come to, in words; None when it went as it must."""
    last, answers = turns[-1].turn, "\n".join(text for turn in turns for text in turn.answers)
    served = {name for turn in turns for name in turn.turn.packages}
    claims = (
        (expected.handoff in ("", last.handoff_reason), f"it did not end in the handoff {expected.handoff}"),
        (not expected.handoff or turns[-1].effect is not None, "no summary was written"),
        (expected.repair in ("", last.repair_method), f"the reply was not mended by {expected.repair} repair"),
        (not (expected.without_model and last.calls), "a model was asked, and nobody needed one"),
        (served.issuperset(expected.packages), f"the packages asked for were {', '.join(sorted(served)) or 'none'}"),
        (all(text in answers for text in expected.shown), f"no answer holds {' and '.join(expected.shown)}"),
        (not any(mark in answers for mark in ("{", "```")), "the customer saw the format"),
    )
    return next((problem for holds, problem in claims if not holds), None)
