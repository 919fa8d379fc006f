"""A table that was scanned can be looked at as the memory's own."""

from __future__ import annotations

import pytest

from tests.desk import Desk
from tests.fakes.clock import FakeClock
from tests.fakes.conversation_store import FakeConversationStore


@pytest.fixture
def desk_with_a_turn() -> Desk:
    desk = Desk('{"s":1}Oi, tudo bem?')
    desk.says("oi")
    return desk


def test_the_items_of_a_table_hold_what_was_in_it(desk_with_a_turn: Desk) -> None:
    given, conversation = desk_with_a_turn.store, desk_with_a_turn.conversation
    store = FakeConversationStore(FakeClock())

    store.lay_items(item for each in given.conversations() for item in given.items(each))

    assert store.conversations() == given.conversations()
    assert store.head(conversation) == given.head(conversation)
    assert store.log(conversation) == given.log(conversation)
    assert store.turns(conversation) == given.turns(conversation)


def test_nobody_else_is_left_of_those_that_are_kept(desk_with_a_turn: Desk) -> None:
    store = desk_with_a_turn.store

    store.keep_only([])

    assert store.conversations() == ()
    assert store.items(desk_with_a_turn.conversation) == ()
