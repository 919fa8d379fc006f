"""A complete conversation becomes one quote in the company's ERP, whatever fails, and nobody waits for it."""

from __future__ import annotations

import json

import pytest

from core.application.people.attendance.reading import AttendantReading
from core.application.people.quotes import NAMELESS, quote_of
from core.domain.actions import Agent
from core.domain.attendant import Attendant, Role
from core.domain.conversation import ConversationState, Effect, EffectKind, EffectState, Mode
from core.domain.delivery import Recipient
from core.domain.errors import ErpError, IntegrationError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.quote import Quote
from tests.cases.small_catalog import at, declined, known, small_catalog
from tests.desk import Desk
from tests.fakes.clock import MONDAY_MS
from tests.fakes.erp import FakeErp

ASKED = (
    "Oi, sou Lara Quintela, da Vila Serena, CNPJ 11.222.333/0001-81, lara@vilaserena.example. Quero arrumar 2 "
    "ventiladores de teto em Betim, em uma semana."
)
COMPLETES = json.dumps(
    {
        "s": 2,
        "service": "manutencao_ventilador",
        "triage_data": {
            "aparelho": "ventiladores de teto",
            "numero_aparelhos": 2,
            "cidade_do_servico": "Betim",
            "prazo": "em uma semana",
            "nome": "Lara Quintela",
            "empresa": "Vila Serena",
            "cnpj": "11.222.333/0001-81",
            "email": "lara@vilaserena.example",
        },
    }
)
COMPLETE = HandoffRequest(reason=HandoffReason.COMPLETED)
RECIPIENT = Recipient(phone_number_id="330", phone="5511980000101")
DOWN = ErpError("POST vendas: 503")
BUSY = ErpError("60 a minute", busy=True)
REFUSED = ErpError("POST vendas: 422 produtos", lasting=True)


class QuotingDesk(Desk):
    """A company with an ERP, and a customer who has just said all that it asks."""

    def __init__(self) -> None:
        super().__init__(COMPLETES + "Ficou tudo anotado. A equipe continua daqui.")
        self.erp = self.its_erp = FakeErp()
        self.says(ASKED)

    @property
    def quote(self) -> Effect:
        return next(each for each in self.store.effects(self.conversation) if each.kind is EffectKind.QUOTE)

    def sweeps(self, *, minutes: int = 1) -> None:
        for _ in range(minutes):
            self.sweep()
            self.clock.advance(minutes=1)


@pytest.fixture
def desk() -> QuotingDesk:
    return QuotingDesk()


def quote_for(state: ConversationState, name: str | None = "Lara") -> Quote:
    return quote_of("t1", state, RECIPIENT, small_catalog(), profile_name=name, now_ms=MONDAY_MS)


# What the ERP is told


def test_the_quote_has_what_the_customer_said_of_themselves_and_of_the_work() -> None:
    state = at(
        Agent.COLETA,
        service="alfa",
        **known(nome="Lara Quintela", cpf="52998224725", email="lara@example.com", tipo="split"),
        **declined("dia"),
    )
    quote = quote_for(state)
    assert (quote.name, quote.tax_id, quote.email) == ("Lara Quintela", "52998224725", "lara@example.com")
    assert (quote.phone, quote.tag, quote.day) == ("5511980000101", "balcao-t1", "2026-11-30")
    assert "TIPO: split" in quote.note
    assert "CPF: 529.982.247-25" in quote.note


def test_a_company_is_known_by_its_cnpj_and_a_phone_that_was_given_goes_before_the_one_that_writes() -> None:
    given = known(cnpj="11222333000181", cpf="52998224725", telefone="+5511977776666")
    quote = quote_for(at(Agent.COLETA, **given))
    assert (quote.tax_id, quote.phone) == ("11222333000181", "5511977776666")


def test_who_gave_no_name_has_the_one_of_whatsapp_or_none() -> None:
    assert quote_for(at(Agent.COLETA)).name == "Lara"
    assert quote_for(at(Agent.COLETA), name=None).name == NAMELESS
    assert quote_for(at(Agent.COLETA, **declined("nome"))).name == "Lara"


@pytest.mark.parametrize("reason", [each for each in HandoffReason if each is not HandoffReason.COMPLETED])
def test_only_a_completion_makes_a_quote(reason: HandoffReason) -> None:
    desk = QuotingDesk()
    quotes = desk.use_case().committer.quotes
    request = HandoffRequest(reason=reason)
    assert quotes.effects("t1", request, at(Agent.COLETA), RECIPIENT, profile_name=None, now_ms=MONDAY_MS) == ()


def test_without_an_erp_there_is_no_quote() -> None:
    desk = Desk()
    quotes = desk.use_case().committer.quotes
    assert quotes.effects("t1", COMPLETE, at(Agent.COLETA), RECIPIENT, profile_name=None, now_ms=MONDAY_MS) == ()


# The sweep makes it


def test_the_turn_asks_nothing_of_the_erp_and_the_next_sweep_makes_the_quote(desk: QuotingDesk) -> None:
    assert desk.its_erp.calls == []
    desk.sweeps()
    assert desk.its_erp.calls == ["contact", "quote"]
    assert (desk.quote.state, desk.quote.payload["number"]) == (EffectState.DONE, 1001)
    desk.sweeps(minutes=30)
    assert desk.its_erp.calls == ["contact", "quote"]


@pytest.mark.parametrize("method", ["contact", "quote"])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("error", [DOWN, BUSY], ids=["down", "busy"])
def test_a_failure_is_tried_again_and_makes_neither_contact_nor_quote_twice(
    desk: QuotingDesk, method: str, when: str, error: ErpError
) -> None:
    desk.its_erp.fail_next(method, error, times=3, when=when)  # type: ignore[arg-type]
    desk.sweeps(minutes=40)
    assert desk.quote.state is EffectState.DONE
    assert (len(desk.its_erp.contacts), len(desk.its_erp.quotes)) == (1, 1)
    assert desk.quote.payload["error"] == ""


def test_tries_of_an_erp_that_is_down_lie_further_and_further_apart(desk: QuotingDesk) -> None:
    desk.its_erp.fail_next("contact", DOWN, times=1000)
    desk.sweeps(minutes=120)
    assert len(desk.its_erp.calls) < 14
    assert desk.quote.state is EffectState.FAILED


def test_what_the_erp_refuses_for_good_is_not_asked_again(desk: QuotingDesk) -> None:
    desk.its_erp.fail_next("quote", REFUSED, times=1000)
    desk.sweeps(minutes=60)
    assert desk.its_erp.calls == ["contact", "quote"]
    assert (desk.quote.state, desk.quote.due_ms) == (EffectState.FAILED, None)


def test_a_contact_that_was_deleted_is_made_anew_once(desk: QuotingDesk) -> None:
    desk.its_erp.deleted.add(1)
    desk.sweeps()
    assert desk.its_erp.calls == ["contact", "quote", "contact", "quote"]
    assert desk.its_erp.quotes["balcao-" + desk.quote.turn][1] == 2
    assert desk.quote.state is EffectState.DONE


def test_a_contact_that_is_deleted_again_is_not_made_for_ever(desk: QuotingDesk) -> None:
    desk.its_erp.deleted |= {1, 2, 3}
    desk.sweeps(minutes=60)
    assert len(desk.its_erp.contacts) == 2
    assert desk.quote.state is EffectState.FAILED


@pytest.mark.parametrize("step", ["postpone", "read_effect", "update_effect"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_table_that_fails_beside_it_makes_no_second_quote(desk: QuotingDesk, step: str, when: str) -> None:
    desk.store.fail_next(step, IntegrationError(step), when=when)  # type: ignore[arg-type]
    desk.sweeps(minutes=20)
    assert desk.quote.state is EffectState.DONE
    assert len(desk.its_erp.quotes) == 1


def test_two_sweeps_at_the_same_time_make_one_quote(desk: QuotingDesk) -> None:
    one, two = (desk.use_case().committer.quotes for _ in range(2))
    effect = desk.quote
    assert one._claim(desk.conversation, effect) is not None
    assert two._claim(desk.conversation, effect) is None


def test_an_erp_that_is_switched_off_meanwhile_keeps_the_quote_for_later(desk: QuotingDesk) -> None:
    desk.erp = None
    desk.sweeps(minutes=30)
    assert desk.quote.state is EffectState.FAILED
    desk.erp = desk.its_erp
    desk.sweeps(minutes=3)
    assert desk.quote.state is EffectState.DONE


def test_an_erp_that_fails_keeps_neither_people_nor_the_customer_waiting(desk: QuotingDesk) -> None:
    desk.its_erp.fail_next("contact", DOWN, times=1000)
    desk.sweeps(minutes=3)
    queued = next(each for each in desk.store.effects(desk.conversation) if each.kind is EffectKind.HANDOFF)
    assert queued.state is EffectState.DONE
    assert desk.head.mode is Mode.HUMAN
    assert len(desk.replies) == 1


# What people read of it


def card_line(desk: QuotingDesk) -> str:
    reading = AttendantReading(store=desk.store, clock=desk.clock, catalog=desk.catalog, ids_of_phone=lambda _: ())
    bia = Attendant(id="bia", name="Bia", role=Role.ATENDENTE)
    view = reading.opened(reading.snapshot(desk.conversation), bia)
    assert view.card is not None
    return next(line.value for line in view.card.lines if line.label == "Orçamento")


def test_the_card_says_the_quotes_number(desk: QuotingDesk) -> None:
    desk.sweeps()
    assert card_line(desk) == "nº 1001"


def test_the_card_says_that_the_quote_is_still_to_come(desk: QuotingDesk) -> None:
    assert card_line(desk) == "está sendo criado"


def test_the_card_says_that_the_erp_does_not_answer(desk: QuotingDesk) -> None:
    desk.its_erp.fail_next("contact", DOWN)
    desk.sweeps()
    assert "será tentado de novo" in card_line(desk)


def test_the_card_says_what_the_erp_refused(desk: QuotingDesk) -> None:
    desk.its_erp.fail_next("contact", REFUSED)
    desk.sweeps()
    assert "crie-o à mão" in card_line(desk)
