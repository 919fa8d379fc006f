"""What an agent is told of an answer that may not have arrived: it must not build on words that nobody read."""

from __future__ import annotations

import pytest

from core.domain.delivery import PartState, SendFailure
from tests.desk import Desk
from tests.fakes.message_sender import Arrival

ANSWER = "Fazemos a instalação também aos sábados, com hora marcada."


def lines(desk: Desk) -> list[tuple[str, str]]:
    return [(line.role, line.text) for line in desk.agent.requests[-1].history]


def asked_again(desk: Desk) -> list[tuple[str, str]]:
    desk.agent.script('{"s":1}Certo.')
    desk.says("e o valor?")
    return lines(desk)


def test_an_answer_that_arrived_is_the_agents_own_line() -> None:
    desk = Desk('{"s":1}' + ANSWER)
    desk.says("quanto tempo leva?")
    assert ("assistant", ANSWER) in asked_again(desk)


@pytest.mark.parametrize("arrival", list(Arrival))
def test_an_answer_that_nobody_can_vouch_for_is_shown_as_doubtful(arrival: Arrival) -> None:
    desk = Desk('{"s":1}' + ANSWER)
    desk.sender.lose(arrival)
    desk.says("quanto tempo leva?")
    roles = dict(asked_again(desk))
    assert "assistant" not in roles
    assert "não se sabe se o cliente recebeu" in roles["note"]
    assert ANSWER in roles["note"]


def test_an_answer_that_waits_is_dropped_by_the_next_turn_and_so_was_never_said() -> None:
    desk = Desk('{"s":1}' + ANSWER)
    desk.sender.refuse(SendFailure.AUTH, code=190)
    desk.says("quanto tempo leva?")
    assert ANSWER not in " ".join(text for _, text in asked_again(desk))
    assert desk.parts[0].state is PartState.CANCELLED
    assert ANSWER not in desk.replies


def test_a_status_settles_the_doubt() -> None:
    desk = Desk('{"s":1}' + ANSWER)
    desk.sender.lose(Arrival.AFTER)
    desk.says("quanto tempo leva?")
    desk.status_arrives("delivered")
    assert ("assistant", ANSWER) in asked_again(desk)
