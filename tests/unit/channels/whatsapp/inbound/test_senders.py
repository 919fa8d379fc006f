"""Whose contact is whose, in a body of many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from core.channels.whatsapp.inbound.senders import complete_sender, read_contacts
from core.domain.messages import Sender

ANA = {"wa_id": "5511980000111", "user_id": "BR.7100000000000111", "profile": {"name": "Ana"}}
BIA = {"wa_id": "5511980000222", "user_id": "BR.7100000000000222", "profile": {"name": "Bia"}}


class Counted(list[Any]):
    """A list that counts how often it is gone through."""

    times = 0

    def __iter__(self) -> Iterator[Any]:
        self.times += 1
        return super().__iter__()


@pytest.mark.parametrize(
    ("sender", "name"),
    [
        (Sender(bsuid="BR.7100000000000222"), "Bia"),
        (Sender(phone="5511980000222"), "Bia"),
        (Sender(phone="5511980000111", bsuid="BR.7100000000000222"), "Bia"),
        (Sender(phone="5511980000333"), None),
    ],
)
def test_a_sender_has_their_own_contact_by_bsuid_before_phone(sender: Sender, name: str | None) -> None:
    assert complete_sender(sender, read_contacts([ANA, BIA])).name == name


def test_of_two_contacts_with_one_phone_the_first_counts() -> None:
    again = {**ANA, "user_id": "BR.7100000000000999", "profile": {"name": "Outra"}}

    assert complete_sender(Sender(phone="5511980000111"), read_contacts([ANA, again])).name == "Ana"


def test_contacts_are_gone_through_once_however_many_messages_there_are() -> None:
    contacts = Counted([{**ANA, "wa_id": f"55119{n:08d}"} for n in range(1000)])
    read = read_contacts(contacts)

    for n in range(1000):
        complete_sender(Sender(phone=f"55119{n:08d}"), read)

    assert contacts.times == 1
