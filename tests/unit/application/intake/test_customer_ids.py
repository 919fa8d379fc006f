"""Which conversation a person has, and under which key a message is put."""

from __future__ import annotations

import re

import pytest

from core.application.intake.customer_ids import (
    conversation_id,
    conversation_ids,
    conversation_ids_of,
    message_key,
)
from core.domain.errors import BadInputError
from core.domain.messages import InboundMessage, MessageKind, Sender

KEY, OTHER_KEY = "chave-de-teste", "outra-chave"
NUMBER = "330000000000982"
PHONE, BSUID = "5511980000101", "BR.7100000000000101"


def message(**changes: object) -> InboundMessage:
    fields = {
        "provider_id": "wamid.1",
        "kind": MessageKind.TEXT,
        "sender": Sender(phone=PHONE),
        "phone_number_id": NUMBER,
        "sent_at_ms": 1_795_953_600_000,
    }
    return InboundMessage(**(fields | changes))  # type: ignore[arg-type]


def test_the_bsuid_names_the_conversation_whatever_the_phone() -> None:
    known = conversation_id(Sender(phone=PHONE, bsuid=BSUID), NUMBER, KEY)

    assert known == conversation_id(Sender(bsuid=BSUID), NUMBER, KEY)
    assert known == conversation_id(Sender(phone="5584980000202", bsuid=BSUID, name="Lara"), NUMBER, KEY)
    assert known != conversation_id(Sender(phone=PHONE), NUMBER, KEY)


def test_the_phone_names_it_when_there_is_no_bsuid_however_it_is_written() -> None:
    written = {conversation_id(Sender(phone=p), NUMBER, KEY) for p in (PHONE, f"+{PHONE}", "+55 (11) 98000-0101")}

    assert len(written) == 1


@pytest.mark.parametrize("sender", [Sender(), Sender(name="Lara"), Sender(phone="", bsuid="")], ids=str)
def test_nobody_has_no_conversation(sender: Sender) -> None:
    with pytest.raises(BadInputError):
        conversation_id(sender, NUMBER, KEY)


def test_conversations_are_apart_by_person_by_our_number_and_by_key() -> None:
    ids = {
        conversation_id(Sender(phone=PHONE), NUMBER, KEY),
        conversation_id(Sender(phone="5511980000102"), NUMBER, KEY),
        conversation_id(Sender(phone=PHONE), "330000000000999", KEY),
        conversation_id(Sender(phone=PHONE), NUMBER, OTHER_KEY),
        conversation_id(Sender(bsuid=PHONE), NUMBER, KEY),
    }

    assert len(ids) == 5


def test_an_id_is_128_bits_of_hex_that_show_nothing_of_the_phone() -> None:
    found = conversation_id(Sender(phone=PHONE), NUMBER, KEY)

    assert re.fullmatch(r"[0-9a-f]{32}", found)


@pytest.mark.parametrize(
    ("sender", "found"),
    [
        (Sender(phone=PHONE), "054eec63284c6e51e2e261e1990bc9db"),
        (Sender(phone=PHONE, bsuid=BSUID), "d795749f083086256a3f5d23cfc7c83f"),
    ],
    ids=["phone", "bsuid"],
)
def test_an_id_never_changes_from_one_version_to_the_next(sender: Sender, found: str) -> None:
    assert conversation_id(sender, NUMBER, KEY) == found


def test_without_a_key_nothing_is_hashed() -> None:
    with pytest.raises(ValueError, match="key"):
        conversation_id(Sender(phone=PHONE), NUMBER, "")


def test_a_groups_messages_are_kept_apart_from_what_its_members_say_alone() -> None:
    alone, in_group = message(), message(group_id="120363")
    somebody_else = message(group_id="120363", sender=Sender(phone="5584980000202"))

    assert conversation_ids_of(alone, KEY)[0] == conversation_id(alone.sender, NUMBER, KEY)
    assert conversation_ids_of(in_group, KEY)[0] != conversation_ids_of(alone, KEY)[0]
    assert conversation_ids_of(in_group, KEY)[0] == conversation_ids_of(somebody_else, KEY)[0]


@pytest.mark.parametrize(
    ("phone", "variants"),
    [
        ("5531980000303", ("5531980000303", "553180000303")),
        ("553180000303", ("553180000303", "5531980000303")),
        ("551160000000", ("551160000000", "5511960000000")),
        ("+55 31 98000-0303", ("+55 31 98000-0303", "553180000303")),
        ("553132000303", ("553132000303",)),
        ("5531932000303", ("5531932000303",)),
        ("5531880000303", ("5531880000303",)),
        ("5501980000303", ("5501980000303",)),
        ("55319800003033", ("55319800003033",)),
        ("351912345678", ("351912345678",)),
        ("BR.71", ("BR.71",)),
    ],
    ids=[
        "13 digits",
        "12 digits",
        "local part from 6",
        "written with marks",
        "landline",
        "a mobile that never had eight digits",
        "13 digits without a nine",
        "no such area",
        "too long",
        "Portugal",
        "no phone",
    ],
)
def test_only_brazilian_mobiles_of_before_the_ninth_digit_have_another_form(phone: str, variants) -> None:
    ids = {conversation_id(Sender(phone=variant), NUMBER, KEY) for variant in variants}
    assert len(ids) == 1
    if len(variants) == 1 and phone.isdigit():
        other = f"{phone[:4]}9{phone[4:]}" if len(phone) == 12 else f"{phone[:4]}{phone[5:]}"
        assert conversation_id(Sender(phone=other), NUMBER, KEY) not in ids


def test_a_key_sorts_by_provider_time_and_is_the_same_for_the_same_message() -> None:
    first = message_key(message(), KEY)

    assert re.fullmatch(r"M#1795953600000#i[0-9a-f]{32}", first)
    assert first == message_key(message(text="lido de outro jeito"), KEY)
    assert message_key(message(sent_at_ms=999), KEY) < first < message_key(message(sent_at_ms=1_795_953_601_000), KEY)


def test_keys_differ_by_message_and_by_key() -> None:
    assert (
        len(
            {
                message_key(message(), KEY),
                message_key(message(provider_id="wamid.2"), KEY),
                message_key(message(), OTHER_KEY),
            }
        )
        == 3
    )


def test_a_person_with_two_ids_is_looked_for_by_the_bsuid_first() -> None:
    both = Sender(phone=PHONE, bsuid=BSUID)

    assert conversation_ids(both, NUMBER, KEY) == (
        conversation_id(Sender(bsuid=BSUID), NUMBER, KEY),
        conversation_id(Sender(phone=PHONE), NUMBER, KEY),
    )
    assert len(conversation_ids(Sender(phone=PHONE), NUMBER, KEY)) == 1
    assert len(conversation_ids(Sender(bsuid=BSUID), NUMBER, KEY)) == 1
    with pytest.raises(BadInputError):
        conversation_ids(Sender(), NUMBER, KEY)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("553180000303", "5531980000303", True),
        ("553180000303", "+55 (31) 98000-0303", True),
        ("553132000303", "5531932000303", False),
        ("351912345678", "3519912345678", False),
    ],
    ids=["mobile", "written with marks", "landline", "Portugal"],
)
def test_both_forms_of_a_brazilian_mobile_give_one_id(one: str, other: str, same: bool) -> None:
    ids = {conversation_id(Sender(phone=phone), NUMBER, KEY) for phone in (one, other)}

    assert (len(ids) == 1) is same
