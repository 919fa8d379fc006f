"""Edits and revokes: marks on the log, never answers of their own."""

from __future__ import annotations

from typing import Any

import pytest

from core.domain.messages import Media, MessageKind
from tests.desk import Desk

HELLO = '{"s":1}Olá! Como posso ajudar?'


@pytest.fixture
def desk() -> Desk:
    return Desk(*[HELLO] * 4)


def customer_lines(desk: Desk) -> list[str]:
    return [line.text for line in desk.agent.requests[-1].history if line.role == "user"]


def marks(desk: Desk, target: str, *, edit: str | None = None, **changes: Any) -> None:
    """The customer edits a message, or takes it back."""
    desk.clock.advance(seconds=1)
    kind = MessageKind.REVOKE if edit is None else MessageKind.EDIT
    desk.record(desk.message(edit or "", kind=kind, target_id=target, **changes))


def test_agents_read_an_answered_message_as_it_was_edited(desk: Desk) -> None:
    desk.says("instalação de split na loja", provider_id="wamid.a")
    marks(desk, "wamid.a", edit="instalação de split e de cortina")
    desk.says("quanto custa?")

    assert customer_lines(desk) == ["instalação de split e de cortina"]
    assert len(desk.replies) == 2


def test_the_newest_edit_counts_in_whatever_order_they_came(desk: Desk) -> None:
    desk.says("um", provider_id="wamid.a")
    now = desk.clock.now_ms()
    marks(desk, "wamid.a", edit="três", sent_at_ms=now + 3000)
    marks(desk, "wamid.a", edit="dois", sent_at_ms=now + 2000)
    desk.clock.advance(seconds=10)
    desk.says("e então?")

    assert customer_lines(desk) == ["três"]


def test_agents_do_not_see_what_was_taken_back(desk: Desk) -> None:
    desk.says("meu CPF é 000", provider_id="wamid.a")
    marks(desk, "wamid.a")
    desk.says("esquece")

    assert customer_lines(desk) == []
    assert "000" not in desk.agent.requests[-1].pending_text


def test_what_was_taken_back_proves_nothing_any_more(desk: Desk) -> None:
    desk.says("meu CPF é 52998224725", provider_id="wamid.a")
    marks(desk, "wamid.a")
    pointer = desk.record(desk.message("ok"))

    from core.application.turn.opening import open_turn
    from tests.neutral_company import catalog

    turn = open_turn(
        desk.store.read(pointer.conversation), catalog=catalog(), policy=desk.policy, now_ms=desk.clock.now_ms()
    )
    assert turn is not None
    assert "52998224725" not in turn.written


def test_a_message_edited_before_it_was_answered_is_answered_as_edited(desk: Desk) -> None:
    pointer = desk.record(desk.message("quero anlise", provider_id="wamid.a"))
    marks(desk, "wamid.a", edit="quero instalação")

    assert desk.process(pointer).outcome == "answered"
    assert desk.agent.requests[0].pending_text == "quero instalação"


def test_a_message_taken_back_before_it_was_answered_is_not_answered(desk: Desk) -> None:
    pointer = desk.record(desk.message("mandei errado", provider_id="wamid.a"))
    marks(desk, "wamid.a")

    assert desk.process(pointer).outcome == "withdrawn"
    assert (desk.replies, desk.agent.calls, desk.head.pending) == ([], 0, frozenset())


def test_of_a_burst_only_what_was_not_taken_back_is_answered(desk: Desk) -> None:
    pointer = desk.record(desk.message("mandei errado", provider_id="wamid.a"))
    desk.record(desk.message("quero montar cortina"))
    marks(desk, "wamid.a")

    desk.process(pointer)

    assert desk.agent.requests[0].pending_text == "quero montar cortina"


def test_a_caption_is_edited_and_the_picture_stays(desk: Desk) -> None:
    pointer = desk.record(
        desk.message("página 1", kind=MessageKind.IMAGE, media=Media(media_id="1"), provider_id="wamid.a")
    )
    marks(desk, "wamid.a", edit="página 2", details={"type": "image"})
    desk.process(pointer)

    assert desk.agent.requests[0].pending_text == "[o cliente enviou uma imagem]\npágina 2"


@pytest.mark.parametrize("target", ["wamid.nunca", None], ids=["unknown", "none"])
def test_a_mark_on_nothing_marks_nothing(desk: Desk, target: str | None) -> None:
    desk.says("oi", provider_id="wamid.a")
    desk.record(desk.message("outro", kind=MessageKind.EDIT, target_id=target))
    desk.record(desk.message("", kind=MessageKind.REVOKE, target_id=target))
    desk.says("e aí?")

    assert customer_lines(desk) == ["oi"]


@pytest.mark.parametrize(
    "kind", [MessageKind.REACTION, MessageKind.EDIT, MessageKind.REVOKE, MessageKind.SYSTEM, MessageKind.UNSUPPORTED]
)
def test_a_silent_kind_does_not_disturb_a_turn_that_is_being_decided(desk: Desk, kind: MessageKind) -> None:
    pointer = desk.record(desk.message("oi", provider_id="wamid.a"))
    desk.agent.before_answer(lambda: desk.record(desk.message("x", kind=kind, target_id="wamid.outra")))

    assert desk.process(pointer).outcome == "answered"
    assert desk.agent.calls == 1
