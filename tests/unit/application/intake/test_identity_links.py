"""A customer's ids meet, change and race turns: one conversation, nothing lost, no request too many (ADR 5)."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from core.application.intake.customer_ids import conversation_id
from core.application.intake.identity_links import read_home
from core.application.intake.inbound_batch import IdentityChange
from core.domain.conversation import Head, InboundRecord, Mode, Snapshot
from core.domain.errors import IntegrationError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.messages import InboundMessage, InboundPointer, MessageKind, Sender
from core.domain.values.field_value import FieldStatus, FieldValue
from tests.desk import PHONE_NUMBER_ID, Desk

HELLO = '{"s":1}Olá! Como posso ajudar?'
PHONE, NEW_PHONE = "5511980000101", "5511980000199"
BSUID, NEW_BSUID = "BR.7100000000000101", "BR.7100000000000199"
BOTH, BY_PHONE, BY_BSUID = Sender(phone=PHONE, bsuid=BSUID), Sender(phone=PHONE), Sender(bsuid=BSUID)


class Customer:
    """Someone who writes to a desk under several ids."""

    def __init__(self, *replies: str) -> None:
        self.desk = Desk(*(replies or [HELLO] * 12))

    def writes(self, text: str, sender: Sender, **changes: Any) -> InboundPointer:
        self.desk.clock.advance(seconds=1)
        return self.desk.record(self.desk.message(text, sender=sender, **changes))

    def says(self, text: str, sender: Sender) -> str:
        return str(self.desk.process(self.writes(text, sender)).outcome.value)

    def changes(self, previous: Sender, current: Sender) -> None:
        at_ms = self.desk.clock.now_ms()
        self.desk.intake.change_identity(
            IdentityChange(previous=previous, current=current, phone_number_id=PHONE_NUMBER_ID, at_ms=at_ms)
        )

    def home(self, sender: Sender) -> Snapshot:
        return read_home(self.desk.store, self.id_of(sender))

    def id_of(self, sender: Sender) -> str:
        return conversation_id(sender, PHONE_NUMBER_ID, self.desk.settings.identity_key)

    def said(self, sender: Sender) -> list[str]:
        log = self.home(sender).log
        return [entry.message.text for entry in log if isinstance(entry, InboundRecord)]


@pytest.fixture
def customer() -> Customer:
    return Customer()


# Ids that meet

ORDERS = {
    "by phone, then by both": [BY_PHONE, BOTH],
    "by both, then by phone": [BOTH, BY_PHONE],
    "by both, then by BSUID": [BOTH, BY_BSUID],
    "by phone, by both, by BSUID": [BY_PHONE, BOTH, BY_BSUID],
    "by BSUID, by both, by phone": [BY_BSUID, BOTH, BY_PHONE],
    "by phone and by BSUID, then by both": [BY_PHONE, BY_BSUID, BOTH],
    "by BSUID and by phone, then by both": [BY_BSUID, BY_PHONE, BOTH],
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_whatever_ids_come_in_whatever_order_it_is_one_conversation(customer: Customer, order: list[Sender]) -> None:
    for number, sender in enumerate(order):
        assert customer.says(f"mensagem {number}", sender) == "answered"

    expected = [f"mensagem {number}" for number in range(len(order))]
    assert {customer.home(sender).conversation for sender in order} == {customer.home(order[0]).conversation}
    assert customer.said(order[-1]) == expected
    history = [line.text for line in customer.desk.agent.requests[-1].history if line.role == "user"]
    assert history == expected[:-1]


def test_the_ninth_digit_makes_no_second_customer_and_the_address_is_never_rewritten(customer: Customer) -> None:
    customer.says("com o nono dígito", Sender(phone="5531980000303"))
    customer.says("sem o nono dígito", Sender(phone="553180000303"))

    assert customer.said(Sender(phone="553180000303")) == ["com o nono dígito", "sem o nono dígito"]
    assert [each.recipient.phone for each in customer.desk.sender.arrived] == ["5531980000303", "553180000303"]


def test_a_message_costs_one_request_the_first_with_both_ids_too(customer: Customer) -> None:
    costs = []
    for number, sender in enumerate([BOTH, BOTH, BY_BSUID, BOTH]):
        customer.desk.store.requests.clear()
        customer.writes(f"{number}", sender)
        costs.append(len(customer.desk.store.requests))

    assert costs == [1, 1, 1, 1]


def test_state_and_session_survive_the_meeting_of_ids(customer: Customer) -> None:
    customer.says("oi", BY_PHONE)
    before = customer.home(BY_PHONE)

    customer.says("voltei", BOTH)

    after = customer.home(BOTH)
    assert after.head.session_start_ms == before.head.session_start_ms
    assert after.state.recent_turns_ms[: len(before.state.recent_turns_ms)] == before.state.recent_turns_ms


def test_a_person_who_has_the_conversation_keeps_it_when_ids_meet(customer: Customer) -> None:
    customer.says("quero falar com um atendente", BY_PHONE)

    assert customer.says("oi?", BOTH) == "forwarded"
    assert customer.home(BOTH).head.mode is Mode.HUMAN


def test_another_bsuid_on_the_same_number_is_another_person(customer: Customer) -> None:
    """A number that was given to somebody else must not show them what its last owner wrote."""
    customer.says("meu CPF é segredo", BOTH)

    customer.says("quem é você?", Sender(phone=PHONE, bsuid=NEW_BSUID))

    assert customer.said(Sender(bsuid=NEW_BSUID)) == ["quem é você?"]
    assert customer.said(BY_BSUID) == ["meu CPF é segredo"]
    assert customer.home(BY_PHONE).conversation == customer.home(Sender(bsuid=NEW_BSUID)).conversation
    assert customer.desk.agent.requests[-1].history == ()


def test_another_person_on_the_number_of_a_conversation_that_began_there_has_their_own(customer: Customer) -> None:
    customer.says("comecei pelo telefone", BY_PHONE)
    customer.says("e sigo", BOTH)

    customer.says("sou outra pessoa", Sender(phone=PHONE, bsuid=NEW_BSUID))
    customer.desk.store.requests.clear()
    customer.writes("de novo", Sender(phone=PHONE, bsuid=NEW_BSUID))

    assert customer.desk.store.requests == ["record"]
    assert customer.said(Sender(bsuid=NEW_BSUID)) == ["sou outra pessoa", "de novo"]


# Ids that change

CHANGES = {
    "a number": (BY_PHONE, Sender(phone=NEW_PHONE)),
    "a number, with the new BSUID": (BY_PHONE, Sender(phone=NEW_PHONE, bsuid=NEW_BSUID)),
    "a BSUID": (BY_BSUID, Sender(bsuid=NEW_BSUID)),
    "both": (BOTH, Sender(phone=NEW_PHONE, bsuid=NEW_BSUID)),
    "a BSUID, with the number": (BY_BSUID, Sender(phone=PHONE, bsuid=NEW_BSUID)),
}


@pytest.mark.parametrize(("previous", "current"), CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("first", [BOTH, BY_PHONE, BY_BSUID], ids=["both", "phone", "bsuid"])
def test_after_a_change_the_conversation_is_found_under_the_new_ids(
    customer: Customer, first: Sender, previous: Sender, current: Sender
) -> None:
    if not ((first.phone and previous.phone) or (first.bsuid and previous.bsuid)):
        first = BOTH
    customer.says("antes", first)

    customer.changes(previous, current)
    customer.says("depois", current)

    assert customer.said(current) == ["antes", "depois"]
    assert [line.text for line in customer.desk.agent.requests[-1].history if line.role == "user"] == ["antes"]


@pytest.mark.parametrize(("previous", "current"), CHANGES.values(), ids=CHANGES)
def test_a_change_that_is_told_after_the_first_message_under_the_new_ids_joins_both(
    customer: Customer, previous: Sender, current: Sender
) -> None:
    customer.says("antes", BOTH)
    customer.says("depois", current)

    customer.changes(previous, current)

    assert customer.said(current) == ["antes", "depois"]
    assert customer.said(previous) == ["antes", "depois"]
    assert customer.says("e agora", current) == "answered"


@pytest.mark.parametrize(("previous", "current"), CHANGES.values(), ids=CHANGES)
def test_a_change_told_again_changes_nothing(customer: Customer, previous: Sender, current: Sender) -> None:
    customer.says("antes", BOTH)
    customer.says("depois", current)
    customer.changes(previous, current)
    before = customer.home(current)

    customer.changes(previous, current)

    assert customer.home(current) == before


def test_a_change_of_somebody_unknown_still_joins_what_comes_late(customer: Customer) -> None:
    customer.changes(BY_PHONE, Sender(phone=NEW_PHONE))
    customer.says("depois", Sender(phone=NEW_PHONE))
    customer.says("antes, e atrasada", BY_PHONE)

    assert customer.said(BY_PHONE) == ["depois", "antes, e atrasada"]


def test_a_number_that_was_somebody_elses_does_not_bring_their_conversation(customer: Customer) -> None:
    other = Sender(phone=NEW_PHONE, bsuid="BR.7100000000000555")
    customer.says("segredo de outra pessoa", other)
    customer.says("antes", BOTH)

    customer.changes(BOTH, Sender(phone=NEW_PHONE, bsuid=NEW_BSUID))
    customer.says("depois", Sender(phone=NEW_PHONE, bsuid=NEW_BSUID))

    assert customer.said(Sender(bsuid=NEW_BSUID)) == ["antes", "depois"]
    assert customer.said(Sender(bsuid="BR.7100000000000555")) == ["segredo de outra pessoa"]


def test_a_change_at_another_number_of_the_account_is_not_ours(customer: Customer) -> None:
    customer.desk.intake.change_identity(
        IdentityChange(previous=BY_PHONE, current=BY_BSUID, phone_number_id="330000000000999", at_ms=0)
    )

    assert customer.desk.store.requests == []


# Two conversations become one


def joined(customer: Customer) -> Snapshot:
    customer.changes(BY_PHONE, Sender(phone=NEW_PHONE))
    return customer.home(BY_PHONE)


def test_what_waits_in_both_is_answered_in_one_turn(customer: Customer) -> None:
    one = customer.writes("no número antigo", BY_PHONE)
    two = customer.writes("no número novo", Sender(phone=NEW_PHONE))
    joined(customer)

    assert customer.desk.process(two).outcome == "answered"
    assert customer.desk.process(one).outcome == "already_answered"
    assert customer.desk.agent.requests[0].pending_text == "no número antigo\nno número novo"
    assert len(customer.desk.replies) == 1


def test_what_people_have_stays_theirs_whichever_side_it_was_on(customer: Customer) -> None:
    customer.says("oi", BY_PHONE)
    customer.says("quero falar com um atendente", Sender(phone=NEW_PHONE))

    home = joined(customer)

    assert home.head.mode is Mode.HUMAN
    assert (home.head.handoff_reason, home.head.due_ms is not None) == ("human_requested", True)
    assert home.state.human_since_ms is not None


def test_data_of_both_is_kept_and_the_older_conversations_work_goes_on(customer: Customer) -> None:
    customer.says("oi", BY_PHONE)
    given(customer, BY_PHONE, service="agua", nome="Ana", cidade="Itu")
    customer.says("oi de novo", Sender(phone=NEW_PHONE))
    given(customer, Sender(phone=NEW_PHONE), email="ana@example.com", cidade="Natal")

    state = joined(customer).state

    assert state.service == "agua"
    assert {name: value.value for name, value in state.fields.items()} == {
        "nome": "Ana",
        "cidade": "Itu",
        "email": "ana@example.com",
    }


def test_of_a_session_long_over_only_its_description_is_kept(customer: Customer) -> None:
    customer.says("oi", BY_PHONE)
    given(customer, BY_PHONE, service="agua", nome="Ana")
    customer.desk.clock.advance(days=20)
    customer.says("bom dia", Sender(phone=NEW_PHONE))
    given(customer, Sender(phone=NEW_PHONE), service="solo")

    home = joined(customer)

    assert (home.state.service, dict(home.state.fields)) == ("solo", {})
    assert "agua" in (home.state.previous_session or "")
    assert home.head.session_start_ms > customer.desk.clock.now_ms() - 3_600_000


def given(customer: Customer, sender: Sender, *, service: str | None = None, **fields: str) -> None:
    """What the agents would have collected by now."""
    home = customer.home(sender)
    values = {name: FieldValue(status=FieldStatus.KNOWN, value=value, source="M#1") for name, value in fields.items()}
    state = replace(home.state, service=service, fields=values)
    customer.desk.store._put(_state_item(home.conversation, state))


def _state_item(conversation: str, state: Any) -> Any:
    from core.integrations.dynamodb import codec

    return codec.state_to_item(conversation, state)


# Races


def test_a_message_that_comes_while_conversations_are_joined_is_answered_too(customer: Customer) -> None:
    customer.writes("antigo", BY_PHONE)
    customer.writes("novo", Sender(phone=NEW_PHONE))
    customer.desk.store.on_next("link", lambda: customer.writes("bem na hora", Sender(phone=NEW_PHONE)))

    home = joined(customer)

    assert len(home.head.pending) == 3
    assert customer.said(BY_PHONE) == ["antigo", "novo", "bem na hora"]


def test_a_silent_message_that_comes_while_conversations_are_joined_goes_along(customer: Customer) -> None:
    customer.writes("antigo", BY_PHONE)
    customer.writes("novo", Sender(phone=NEW_PHONE))
    customer.desk.store.on_next(
        "link", lambda: customer.writes("👍", Sender(phone=NEW_PHONE), kind=MessageKind.REACTION)
    )

    joined(customer)

    assert customer.said(BY_PHONE) == ["antigo", "novo", "👍"]


def test_a_turn_that_runs_while_its_conversation_moves_is_answered_where_it_went(customer: Customer) -> None:
    customer.says("antigo", BY_PHONE)
    pointer = customer.writes("novo", Sender(phone=NEW_PHONE))
    customer.desk.agent.before_answer(lambda: joined(customer))

    result = customer.desk.process(pointer)

    assert result.outcome == "answered"
    assert len(customer.desk.replies) == 2
    assert customer.home(BY_PHONE).head.pending == frozenset()
    assert len(customer.desk.store.turns(customer.id_of(BY_PHONE))) == 2


def test_a_turn_that_commits_while_conversations_are_joined_is_not_undone(customer: Customer) -> None:
    one = customer.writes("antigo", BY_PHONE)
    customer.writes("novo", Sender(phone=NEW_PHONE))
    customer.desk.store.on_next("link", lambda: customer.desk.process(one))

    home = joined(customer)

    assert list(home.head.pending) == [entry.sk for entry in home.log if entry.sk in home.head.pending]
    assert len(home.head.pending) == 1
    assert customer.desk.replies == ["Olá! Como posso ajudar?"]


def test_an_answer_that_is_being_sent_while_its_conversation_moves_is_sent_once(customer: Customer) -> None:
    customer.says("antigo", BY_PHONE)
    pointer = customer.writes("novo", Sender(phone=NEW_PHONE))
    customer.desk.store.on_next("record_outcome", lambda: joined(customer))

    customer.desk.process(pointer)
    customer.desk.clock.advance(minutes=10)

    assert len(customer.desk.replies) == 2
    assert customer.desk.store.due(now_ms=customer.desk.clock.now_ms()) == ()


def test_a_joining_that_failed_halfway_is_finished_by_the_next_try(customer: Customer) -> None:
    customer.writes("antigo", BY_PHONE)
    customer.writes("novo", Sender(phone=NEW_PHONE))
    customer.desk.store.fail_next("link", IntegrationError("lost"), when="after")
    with pytest.raises(IntegrationError):
        joined(customer)

    home = joined(customer)

    assert (len(home.head.pending), len(home.log)) == (2, 2)


def test_a_conversation_without_end_of_movement_is_an_error_and_not_a_loop(customer: Customer) -> None:
    store = customer.desk.store
    store.update_head("a", seen=Head(), head=Head(moved_to="b"))
    store.update_head("b", seen=Head(), head=Head(moved_to="a"))

    with pytest.raises(IntegrationError):
        read_home(store, "a")


@pytest.mark.parametrize("seed", range(12))
def test_ids_that_meet_everywhere_at_once_are_one_conversation_and_nothing_is_lost(seed: int) -> None:
    customer, choose = Customer(), random.Random(seed)
    senders = [choose.choice([BOTH, BY_PHONE, BY_BSUID]) for _ in range(23)] + [BOTH]
    messages = [customer.desk.message(f"{n}", sender=sender) for n, sender in enumerate(senders)]

    with ThreadPoolExecutor(max_workers=8) as pool:
        futures = [pool.submit(_until_taken, customer, message) for message in messages]
        changed = pool.submit(customer.changes, BY_PHONE, Sender(phone=NEW_PHONE))
        pointers = [future.result() for future in futures]
        changed.result()

    customer.writes("e agora", BOTH)
    home = customer.home(BOTH)
    assert {customer.home(sender).conversation for sender in (BOTH, BY_PHONE, BY_BSUID)} == {home.conversation}
    assert len(home.head.pending) == len(senders) + 1
    assert customer.desk.process(pointers[0]).outcome == "answered"
    assert sorted(customer.desk.agent.requests[0].pending_text.splitlines()) == sorted(
        [*(f"{n}" for n in range(len(senders))), "e agora"]
    )


def _until_taken(customer: Customer, message: InboundMessage) -> InboundPointer:
    """As the provider does: what was not taken comes again."""
    for _ in range(20):
        with suppress(IntegrationError):
            return customer.desk.record(message)
    raise AssertionError("never taken")


# Whoever holds the old id


def test_a_handoff_of_a_conversation_that_moved_reaches_people_where_it_went(customer: Customer) -> None:
    customer.says("antigo", BY_PHONE)
    customer.says("novo", Sender(phone=NEW_PHONE))
    joined(customer)

    request = HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail="overdue")
    deadline = _deadline(customer.desk)
    customer.desk.use_case().hand_over(customer.id_of(Sender(phone=NEW_PHONE)), request, deadline=deadline)

    assert customer.home(BY_PHONE).head.mode is Mode.HUMAN


def _deadline(desk: Desk) -> Any:
    from core.domain.deadline import Deadline

    return Deadline(now_ms=desk.clock.now_ms, ends_at_ms=desk.clock.now_ms() + 60_000)
