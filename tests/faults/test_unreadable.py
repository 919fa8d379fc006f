"""Something of a conversation cannot be read: its customer is told, people get it, and nobody else waits for it."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from core.domain.conversation import EffectKind, EffectState, Mode
from core.domain.delivery import SendFailure
from core.domain.errors import UnreadableItemError
from core.domain.handoff import HandoffReason
from core.domain.messages import InboundPointer
from core.domain.record_keys import HEAD, STATE, pk_of
from tests.desk import Desk

HELLO = '{"s":1}Olá!'
SUMMARY = json.dumps({"resumo_texto": "Quer instalar um split."})
# What another version, or damage, may leave of each item.
DAMAGE: dict[str, tuple[str, dict[str, Any]]] = {
    "a mode of a newer version": (HEAD, {"mode": "vip"}),
    "a damaged version of the head": (HEAD, {"ver": "dois"}),
    "a newer head": (HEAD, {"v": 2}),
    "a stage of a newer version": (STATE, {"stage": "pos_venda"}),
    "damaged fields": (STATE, {"fields": "perdidos"}),
    "a newer state": (STATE, {"v": 2}),
    "a kind of message of a newer version": ("newest", {"message": "damaged"}),
    "a newer message": ("newest", {"v": 2}),
}


class Clerk:
    """A desk with one customer who has been answered, and has written again."""

    def __init__(self, *replies: str) -> None:
        self.desk = Desk(HELLO, *replies)
        self.desk.says("oi")
        self.pointer = self.desk.record(self.desk.message("e aí?"))
        self.desk.last_pointer = self.pointer

    def damage(self, sk: str, changes: dict[str, Any]) -> None:
        sk = self.pointer.sk if sk == "newest" else sk
        key = (pk_of(self.pointer.conversation), sk)
        item = self.desk.store._items[key]
        self.desk.store._items[key] = {**item, **changes}

    def tries(self, pointer: InboundPointer | None = None) -> bool:
        """The process function with the record; whether it is done."""
        pointer = pointer or self.pointer
        try:
            self.desk.process(pointer)
        except UnreadableItemError as error:
            self.desk.use_case().note_failure(pointer, error)
            return False
        return True

    def raw(self, sk: str) -> dict[str, Any]:
        return self.desk.store._items[pk_of(self.pointer.conversation), sk]

    @property
    def cards(self) -> list[Any]:
        return [each for each in self.desk.store.effects(self.pointer.conversation) if each.kind is EffectKind.HANDOFF]


@pytest.mark.parametrize("damage", list(DAMAGE))
def test_from_the_second_failure_on_the_customer_is_told_and_people_have_the_conversation(
    damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    clerk = Clerk()
    clerk.damage(*DAMAGE[damage])
    before = dict(clerk.raw(STATE))

    assert not clerk.tries()
    assert clerk.desk.replies == ["Olá!"]
    with caplog.at_level(logging.ERROR):
        assert clerk.tries()

    assert clerk.desk.replies[1:] == [clerk.desk.fixed_text(HandoffReason.INTERNAL_ERROR)]
    assert clerk.raw(HEAD)["mode"] == Mode.HUMAN.value
    assert [(card.state, bool(card.payload["summary"])) for card in clerk.cards] == [(EffectState.DONE, True)]
    assert clerk.raw(STATE) == before
    assert [record.message for record in caplog.records].count("conversation_unreadable") == 1
    assert clerk.desk.llm.calls == []


@pytest.mark.parametrize("damage", list(DAMAGE))
def test_whoever_writes_on_is_not_told_again_and_people_have_every_message(damage: str) -> None:
    clerk = Clerk()
    clerk.damage(*DAMAGE[damage])
    clerk.tries()
    clerk.tries()

    for _ in range(3):
        if clerk.desk.store.salvage(clerk.pointer.conversation).head is not None:
            pointer = clerk.desk.record(clerk.desk.message("alô?"))
            assert clerk.tries(pointer) or clerk.tries(pointer)
        clerk.desk.sweep()
        clerk.desk.clock.advance(minutes=1)

    assert len(clerk.desk.replies) == 2
    assert len(clerk.cards) == 1


@pytest.mark.parametrize("damage", list(DAMAGE))
def test_the_sweep_hands_over_what_nobody_could_read_and_goes_on_with_the_others(damage: str) -> None:
    clerk = Clerk()
    desk = clerk.desk
    other = desk.record(desk.message("oi", sender=desk.another_customer()))
    clerk.damage(*DAMAGE[damage])
    desk.clock.advance(minutes=11)
    desk.llm.script(SUMMARY)

    desk.sweep()

    assert clerk.raw(HEAD)["mode"] == desk.store.head(other.conversation).mode.value == Mode.HUMAN.value
    assert desk.replies[1:] == [desk.fixed_text(HandoffReason.INTERNAL_ERROR)] * 2
    assert desk.sweep().seen == 0


def test_one_old_message_that_nobody_can_read_costs_its_line_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    clerk = Clerk('{"s":1}Sim?')
    old = next(each.sk for each in clerk.desk.store.inbounds(clerk.pointer.conversation) if each.message.text == "oi")
    clerk.damage(old, {"received_at_ms": "cedo"})

    with caplog.at_level(logging.ERROR):
        assert clerk.tries()

    assert clerk.desk.replies == ["Olá!", "Sim?"]
    assert "item_unreadable" in [record.message for record in caplog.records]


def test_a_part_that_nobody_can_read_is_peoples_once_it_is_due() -> None:
    desk = Desk()
    desk.agent.script(HELLO)
    desk.sender.refuse(SendFailure.THROTTLED)
    desk.says("oi")
    key = (pk_of(desk.conversation), desk.parts[0].sk)
    desk.store._items[key] = {**desk.store._items[key], "state": "half_sent"}
    desk.clock.advance(minutes=2)

    desk.sweep()

    assert desk.replies == [desk.fixed_text(HandoffReason.INTERNAL_ERROR)]
    assert desk.head.mode is Mode.HUMAN
    assert desk.sweep().seen == 0


def test_an_effect_that_nobody_can_read_rings_and_keeps_no_other_waiting(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk('{"s":6}Vou chamar alguém.')
    desk.llm.script(SUMMARY)
    desk.says("boleto")
    (effect,) = desk.store.effects(desk.conversation)
    key = (pk_of(desk.conversation), effect.sk)
    item = desk.store._items[key]
    desk.store._items[key] = {**item, "state": "half_done", "due_at": desk.clock.now_ms(), "due_shard": "D#0"}

    with caplog.at_level(logging.ERROR):
        result = desk.sweep()

    assert (result.done, result.postponed) == (0, 1)
    assert "effect_unreadable" in [record.message for record in caplog.records]
    assert desk.sweep().seen == 0
    desk.clock.advance(minutes=15)
    assert desk.sweep().seen == 2  # it, and the head that says that nobody came
