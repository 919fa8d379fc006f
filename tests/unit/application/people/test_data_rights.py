"""What is held of one person: found under every id, handed out whole, and gone when asked, whatever fails."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from core.application.people.data_rights import DataRights
from core.domain.attendant import Attendant, Refusal, Role
from core.domain.conversation import EffectKind, Mode
from core.domain.errors import AttendanceRefusedError, IntegrationError
from core.domain.messages import Media, MessageKind, Sender
from core.domain.record_keys import HEAD, STATE, pk_of
from core.integrations.dynamodb import codec
from tests.desk import CUSTOMER, Desk

RUI = Attendant(id="rui", name="Rui Prado", role=Role.RESPONSAVEL)
GIVES_UP = '{"s":6,"reason":"boleto"}Vou chamar quem cuida do CNPJ 11.222.333/0001-81.'
SUMMARY = '{"resumo_texto": "Lara pediu o boleto do CNPJ 11.222.333/0001-81."}'
# What a customer would not want to find again: words, phone, name, numbers, WhatsApp's ids.
TRACES = ("boleto", "5511980000101", "98000-0101", "Lara", "Quintela", "11.222.333", "11222333", "wamid.", "nota.pdf")


@pytest.fixture
def desk() -> Desk:
    """A conversation with every kind of item."""
    desk = Desk(GIVES_UP, '{"s":1}Oi!')
    desk.llm.script(SUMMARY)
    desk.says("quero o boleto do CNPJ 11.222.333/0001-81")
    media = Media(media_id="88", mime_type="application/pdf", filename="nota.pdf")
    desk.record(desk.message(kind=MessageKind.DOCUMENT, media=media))
    desk.record(desk.message("editei: boleto", kind=MessageKind.EDIT, target_id="wamid.0001"))
    desk.record(replace(desk.message("sem hora: boleto"), undated=True))
    return desk


@pytest.fixture
def rights(desk: Desk) -> DataRights:
    return DataRights(store=desk.store, clock=desk.clock)


def everything(desk: Desk) -> str:
    """The whole table, as text."""
    return json.dumps([{**item} for item in desk.store._items.values()], default=str, ensure_ascii=False)


def erase(desk: Desk, rights: DataRights) -> None:
    desk.clock.advance(seconds=2)
    revision = rights.found(desk.conversation).revision
    assert rights.erase(desk.conversation, RUI, revision=revision).done


def test_before_an_erasure_the_table_holds_what_is_looked_for(desk: Desk) -> None:
    held = everything(desk)

    assert [trace for trace in TRACES if trace not in held] == ["98000-0101", "11222333"]


def test_after_an_erasure_nothing_of_a_person_is_left_in_the_table(desk: Desk, rights: DataRights) -> None:
    erase(desk, rights)

    assert [trace for trace in TRACES if trace in everything(desk)] == []


def test_the_receipt_names_places_and_nobody(desk: Desk, rights: DataRights) -> None:
    desk.clock.advance(seconds=2)
    found = rights.found(desk.conversation)

    receipt = rights.erase(desk.conversation, RUI, revision=found.revision)

    assert receipt.done
    assert {each.kind for each in receipt.erased} >= {
        "mensagens recebidas",
        "mensagens enviadas",
        "turnos do assistente",
    }
    assert not [trace for trace in TRACES if trace in repr(receipt)]
    assert receipt.elsewhere
    (proof,) = desk.store.audit_page(desk.conversation, limit=5)
    assert (proof.actor, proof.action) == ("rui", "erase")


def test_what_meta_brings_again_stays_away(desk: Desk, rights: DataRights) -> None:
    old = desk.message("quero o boleto do CNPJ 11.222.333/0001-81")
    desk.clock.advance(seconds=2)
    erase(desk, rights)

    desk.record(old)
    desk.record(replace(old, kind=MessageKind.EDIT, target_id="wamid.0001"))
    desk.intake.record_burst([old, replace(old, provider_id="wamid.again")])

    assert [trace for trace in TRACES if trace in everything(desk)] == []
    assert desk.head.pending == frozenset()


def test_who_writes_again_begins_anew(desk: Desk, rights: DataRights) -> None:
    erase(desk, rights)
    desk.clock.advance(seconds=60)

    desk.says("bom dia")

    assert desk.head.mode is Mode.BOT
    assert desk.sender.texts[-1] == "Oi!"
    assert "boleto" not in repr(desk.agent.requests[-1])
    assert desk.head.erased_at_ms is not None


def test_a_job_that_comes_late_leaves_what_was_written_since(desk: Desk, rights: DataRights) -> None:
    desk.clock.advance(seconds=2)
    revision = rights.found(desk.conversation).revision
    desk.store.fail_next("erase", IntegrationError("gone"))
    assert not rights.erase(desk.conversation, RUI, revision=revision).done
    desk.clock.advance(seconds=61)
    desk.says("bom dia")

    desk.sweep()

    assert [each.message.text for each in desk.store.inbounds(desk.conversation)] == ["bom dia"]
    assert [trace for trace in ("boleto", "11.222.333") if trace in everything(desk)] == []


@pytest.mark.parametrize("method", ["holdings", "erase", "bury", "update_effect"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_whatever_fails_the_sweep_goes_on_until_nothing_is_left(
    desk: Desk, rights: DataRights, method: str, when: str
) -> None:
    desk.clock.advance(seconds=2)
    revision = rights.found(desk.conversation).revision
    fails = partial(desk.store.fail_next, method, IntegrationError("gone"), when)  # type: ignore[arg-type]
    desk.store.on_next("entomb", fails, "after")
    rights.erase(desk.conversation, RUI, revision=revision)

    for _ in range(3):
        desk.clock.advance(seconds=61)
        desk.sweep()
    assert [trace for trace in TRACES if trace in everything(desk)] == []
    desk.clock.advance(seconds=901)
    desk.sweep()

    assert [trace for trace in TRACES if trace in everything(desk)] == []
    job = desk.store.read_effect(desk.conversation, "E#erase#job")
    assert job is not None
    assert (job.state.value, job.due_ms) == ("done", None)


def test_what_came_since_it_was_looked_at_stops_an_erasure(desk: Desk, rights: DataRights) -> None:
    revision = rights.found(desk.conversation).revision
    desk.record(desk.message("mais uma coisa"))

    with pytest.raises(AttendanceRefusedError) as caught:
        rights.erase(desk.conversation, RUI, revision=revision)

    assert caught.value.reason is Refusal.MOVED
    assert "boleto" in everything(desk)


def test_copies_under_a_persons_other_ids_go_too(rights: DataRights) -> None:
    desk = Desk('{"s":1}Oi!', '{"s":1}Oi!', '{"s":1}Oi!')
    rights = DataRights(store=desk.store, clock=desk.clock)
    phone_only = Sender(phone=CUSTOMER.phone, name=CUSTOMER.name)
    first = desk.record(desk.message("quero o boleto", sender=phone_only))
    desk.process(first)
    both = desk.record(desk.message("é a Lara, do boleto", sender=CUSTOMER))
    desk.process(both)
    desk.clock.advance(seconds=2)
    for name in (first.conversation, both.conversation):
        found = rights.found(name)
    assert len(found.ids) > 1

    receipt = rights.erase(first.conversation, RUI, revision=found.revision)

    assert receipt.done
    assert [trace for trace in ("boleto", "5511980000101", "Lara", "wamid.") if trace in everything(desk)] == []
    assert rights.found(first.conversation).id == found.id


def test_a_run_that_was_overtaken_writes_nothing_down_after_an_erasure(desk: Desk, rights: DataRights) -> None:
    record = desk.last_turn
    erase(desk, rights)

    desk.store.append_turn(desk.conversation, replace(record, sk=record.sk + "x"))

    assert desk.store.turns(desk.conversation) == ()


def test_an_export_is_everything_as_json_and_is_written_down(desk: Desk, rights: DataRights) -> None:
    document = "".join(rights.document(desk.conversation, RUI))

    assert json.loads(document)["id"] == desk.conversation

    assert all(trace in document for trace in ("quero o boleto", "5511980000101", "Lara Quintela", "nota.pdf"))
    assert [each.action for each in desk.store.audit_page(desk.conversation, limit=5)] == ["export"]


def test_nobody_is_found_where_nobody_wrote(rights: DataRights) -> None:
    with pytest.raises(AttendanceRefusedError):
        rights.found("00ff")


def test_a_message_without_a_time_is_known_after_an_erasure_too(desk: Desk, rights: DataRights) -> None:
    timeless = replace(desk.message("sem hora: boleto de novo"), undated=True)
    desk.record(timeless)
    erase(desk, rights)
    desk.clock.advance(seconds=30)

    desk.record(replace(timeless, sent_at_ms=desk.clock.now_ms()))

    assert "boleto" not in everything(desk)
    assert desk.head.pending == frozenset()


@pytest.mark.parametrize("ahead_ms", [0, 999, 20_000])
def test_an_erasure_in_the_second_of_the_last_message_takes_it_all(
    desk: Desk, rights: DataRights, ahead_ms: int
) -> None:
    last = desk.message("o boleto, agora", sent_at_ms=desk.clock.now_ms() + ahead_ms)
    desk.record(last)
    revision = rights.found(desk.conversation).revision

    assert rights.erase(desk.conversation, RUI, revision=revision).done
    desk.record(last)

    assert [trace for trace in TRACES if trace in everything(desk)] == []


STRANGER = Sender(phone=CUSTOMER.phone, bsuid="BR.9900000000000009", name="Davi Rocha")


def test_a_number_that_is_another_persons_now_is_left_to_them() -> None:
    desk = Desk('{"s":1}Oi!', '{"s":1}Oi!', '{"s":1}Oi!')
    rights = DataRights(store=desk.store, clock=desk.clock)
    first = desk.record(desk.message("quero o boleto", sender=CUSTOMER))
    desk.process(first)
    theirs = desk.record(desk.message("sou outra pessoa", sender=STRANGER))
    desk.process(theirs)
    assert theirs.conversation != first.conversation
    desk.clock.advance(seconds=2)

    export = "".join(rights.document(theirs.conversation, RUI))
    assert "boleto" not in export
    rights.erase(first.conversation, RUI, revision=rights.found(first.conversation).revision)

    assert "boleto" not in everything(desk)
    assert [each.message.text for each in desk.store.inbounds(theirs.conversation)] == ["sou outra pessoa"]
    by_phone = desk.record(desk.message("e agora?", sender=replace(STRANGER, bsuid=None)))
    assert by_phone.conversation == theirs.conversation


def test_whose_number_has_a_new_owner_is_erased_without_the_new_owner() -> None:
    """The number had its own conversation, of somebody who never told a BSUID, and became a stranger's."""
    desk = Desk('{"s":1}Oi!', '{"s":1}Oi!', '{"s":1}Oi!')
    rights = DataRights(store=desk.store, clock=desk.clock)
    first = desk.record(desk.message("quero o boleto", sender=replace(CUSTOMER, bsuid=None)))
    desk.record(desk.message("é a Lara", sender=CUSTOMER))
    theirs = desk.record(desk.message("sou outra pessoa", sender=STRANGER))
    assert theirs.conversation != first.conversation
    desk.clock.advance(seconds=2)

    rights.erase(theirs.conversation, RUI, revision=rights.found(theirs.conversation).revision)

    assert "outra pessoa" not in everything(desk)
    assert "quero o boleto" in everything(desk)


def test_a_conversation_whose_head_and_state_nobody_can_read_is_erased_too(rights: DataRights, desk: Desk) -> None:
    for sk in (HEAD, STATE):
        desk.store._items[pk_of(desk.conversation), sk] |= {"mode": "pos_venda", "stage": "pos_venda"}
    desk.clock.advance(seconds=2)

    rights.erase(desk.conversation, RUI, revision=rights.found(desk.conversation).revision)

    assert [trace for trace in TRACES if trace in everything(desk)] == []
    assert desk.head.erased_at_ms is not None


def test_what_is_written_as_an_erasure_ends_goes_by_the_last_look(desk: Desk, rights: DataRights) -> None:
    copied = [dict(item) for item in desk.store.items(desk.conversation) if item["sk"].startswith("M#")]
    erase(desk, rights)
    desk.store.lay_items(copied)  # a merge was copying
    desk.clock.advance(seconds=901)

    desk.sweep()

    assert [trace for trace in TRACES if trace in everything(desk)] == []
    assert desk.store.due(now_ms=desk.clock.now_ms() + 86_400_000) == ()


def test_the_receipt_says_what_is_to_be_erased_in_the_erp_and_the_proof_forgets_it(
    desk: Desk, rights: DataRights
) -> None:
    (card, *_) = desk.store.effects(desk.conversation)
    payload = {"number": 771, "contact": 4512, "quote": {"name": "Lara Quintela"}}
    quote = replace(card, sk=card.sk.replace("handoff", "quote"), kind=EffectKind.QUOTE, payload=payload, due_ms=None)
    desk.store.lay_items([codec.effect_to_item(desk.conversation, quote)])
    desk.clock.advance(seconds=2)

    receipt = rights.erase(desk.conversation, RUI, revision=rights.found(desk.conversation).revision)

    assert receipt.elsewhere[0] == "eGestor: orçamento 771 e contato 4512: apagar lá"
    desk.clock.advance(seconds=901)
    desk.sweep()
    assert [trace for trace in (*TRACES, "771", "4512") if trace in everything(desk)] == []
