"""What an agent is told of an answer that may not have arrived: it must not build on words that nobody read."""

from __future__ import annotations

import pytest

from core.application.history.session_history import AGENT_TEXT_MAX_CHARS, PENDING_TEXT_MAX_CHARS
from core.domain.conversation import Mode
from core.domain.delivery import PartState, SendFailure
from core.domain.messages import MessageKind
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


# What a message refers to


def told(desk: Desk) -> str:
    return desk.agent.requests[-1].pending_text


def test_a_quoted_reply_shows_what_it_quotes_cut_to_a_line() -> None:
    long = "Quer a instalação de ar ou a montagem de cortina?\n" + "Conte com a gente. " * 20
    desk = Desk('{"s":1}' + long, '{"s":1}Certo.')
    desk.says("oi")
    desk.says("a primeira opção", quoted_id=desk.sender.arrived[0].provider_id)

    quote, words = told(desk).splitlines()
    assert quote.startswith("[em resposta a: Quer a instalação de ar ou a montagem de cortina? Conte")
    assert len(quote) < 200
    assert words == "a primeira opção"


def test_a_quote_stands_before_the_picture_that_answers_it() -> None:
    desk = Desk('{"s":1}Qual das cortinas?', '{"s":1}Certo.')
    desk.says("oi")
    desk.says("esta", kind=MessageKind.IMAGE, quoted_id=desk.sender.arrived[0].provider_id)

    assert told(desk).splitlines() == ["[em resposta a: Qual das cortinas?]", "[o cliente enviou uma imagem]", "esta"]


def test_a_reply_to_what_nobody_holds_any_more_is_its_words() -> None:
    desk = Desk('{"s":1}Certo.')
    desk.says("a primeira opção", quoted_id="wamid.de-outro-ano")

    assert told(desk) == "a primeira opção"


@pytest.mark.parametrize("kind", [MessageKind.TEXT, MessageKind.REQUEST_WELCOME])
def test_an_ad_clicked_without_a_word_is_silent_and_known_to_the_next_turn(kind: MessageKind) -> None:
    desk = Desk('{"s":1}Olá! Sou a assistente virtual.')
    desk.says("", kind=kind, referral="Cortinas na semana do cliente")
    assert (desk.replies, desk.agent.calls, desk.head.mode) == ([], 0, Mode.BOT)

    desk.says("oi, vi o anúncio")
    shown = "\n".join([*(text for _, text in lines(desk)), told(desk)])
    assert shown == "[veio de um anúncio: Cortinas na semana do cliente]\noi, vi o anúncio"


# The human stretch


def after_people() -> list[tuple[str, str]]:
    """What the agent is told of a time with people in which none of them wrote."""
    desk = Desk('{"s":6,"reason":"boleto"}Vou chamar alguém.', '{"s":1}Certo.')
    desk.llm.script("{}")
    desk.says("meu boleto veio errado")
    desk.clock.advance(hours=25)
    desk.sweep()
    desk.says("oi, voltei")
    return lines(desk)


def test_a_stretch_in_which_nobody_wrote_names_no_person() -> None:
    notes = [text for role, text in after_people() if role == "note"]

    assert notes == [
        "a conversa ficou esperando uma pessoa da equipe, e ninguém respondeu",
        "continue você o atendimento, sem anunciar a troca",
    ]


def test_the_session_goes_on_after_people_gave_it_back() -> None:
    assert ("user", "meu boleto veio errado") in after_people()


# How much of it


def pending_text(*texts: str) -> str:
    desk = Desk('{"s":1}Certo.')
    for text in texts[:-1]:
        desk.record(desk.message(text))
        desk.clock.advance(seconds=1)
    desk.says(texts[-1])
    return desk.agent.requests[-1].pending_text


def test_texts_that_fit_are_all_told() -> None:
    assert (
        pending_text("a " * 3_999, "b " * 3_999) == "\n".join(("a " * 3_999, "b " * 3_999)).replace(" \n", "\n").strip()
    )


def test_of_more_than_fits_the_newest_are_told_and_how_many_are_not() -> None:
    text = pending_text(*(f"{number} {'x' * 6_000}" for number in range(9)), "quanto custa?")

    assert text.startswith("[antes destas, o cliente enviou mais mensagens, que não couberam aqui: 7]\n7 x")
    assert text.endswith("\nquanto custa?")
    assert len(text) < PENDING_TEXT_MAX_CHARS + 200


def test_one_text_that_is_far_too_long_is_cut_and_never_left_out() -> None:
    text = pending_text("palavra " * 30_000)

    assert len(text) <= AGENT_TEXT_MAX_CHARS + 50
    assert text.endswith("[mensagem longa, cortada aqui]")
