"""Every key of the table, and what can be read from one."""

from __future__ import annotations

import pytest

from core.domain import record_keys as keys
from core.domain.errors import BadInputError

T0 = 1_796_040_000_000


def test_a_messages_key_says_whose_it_is_and_when() -> None:
    inbound, part = keys.inbound_sk(T0, "abc"), keys.part_sk(T0, "t1", 2)

    assert (inbound, part) == (f"M#{T0}#iabc", f"M#{T0}#ot1.2")
    assert [keys.is_inbound(sk) for sk in (inbound, part)] == [True, False]
    assert [keys.is_part(sk) for sk in (inbound, part, keys.effect_sk("t1", "notify"), keys.HEAD)] == [
        False,
        True,
        False,
        False,
    ]
    assert keys.ms_of(inbound) == keys.ms_of(part) == T0


def test_turns_and_effects_have_keys_of_their_own() -> None:
    turn, effect = keys.turn_sk(T0, "t1"), keys.effect_sk("t1", "notify")

    assert (turn, effect, keys.effects_of("t1")) == (f"T#{T0}#t1", "E#t1#notify", "E#t1#")
    assert (keys.is_turn(turn), keys.is_turn(effect), keys.is_effect(turn), keys.is_effect(effect)) == (
        True,
        False,
        False,
        True,
    )


def test_a_time_before_all_times_sorts_first() -> None:
    assert keys.inbound_sk(-5, "a") == f"M#{'0' * 13}#ia"


@pytest.mark.parametrize("sk", [f"M#{T0}", f"M#{T0 // 10}#iabc", f"T#{T0}#t1", "M#123456789012x#i"])
def test_only_a_messages_key_holds_its_time(sk: str) -> None:
    if sk == f"M#{T0}":
        assert keys.ms_of(sk) == T0
    else:
        with pytest.raises(BadInputError):
            keys.ms_of(sk)


def test_a_key_has_at_most_a_kilobyte() -> None:
    assert keys.checked_sk("ç" * 512)
    for sk in ("", "ç" * 512 + "x"):
        with pytest.raises(BadInputError):
            keys.checked_sk(sk)


def test_a_conversation_without_a_name_is_no_key() -> None:
    assert keys.conversation_of(keys.pk_of("abc")) == "abc"
    with pytest.raises(BadInputError):
        keys.pk_of("")
