"""eGestor as its documentation describes it: nothing is made twice, a token is renewed once, 60 a minute hold."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import httpx2
import pytest

from core.domain.errors import ErpError, IntegrationError
from core.domain.quote import Quote
from core.integrations.egestor.api import EgestorApi
from core.integrations.egestor.erp import EgestorErp
from local_stack.egestor_standin import PERSONAL_TOKEN, EgestorAccount
from local_stack.http_standin import Request

QUOTE = Quote(
    tag="balcao-c0ffee",
    name="Lara Quintela",
    day="2026-11-30",
    note="TIPO: split",
    service="Instalação",
    product=101,
    phone="5511980000101",
    tax_id="52998224725",
    email="lara@example.com",
    city="Betim",
    uf="MG",
)


class Egestor:
    """An account, its clock, and the adapter that asks it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.account = EgestorAccount(clock=lambda: self.now)
        self.secret = PERSONAL_TOKEN
        self.refetched = 0
        self.erp = self.another_process()

    def another_process(self) -> EgestorErp:
        transport = httpx2.MockTransport(self._respond)
        return EgestorErp(
            EgestorApi(
                base_url="https://egestor.test/api",
                personal_token=self._personal_token,
                new_client=lambda: httpx2.Client(transport=transport),
                clock=lambda: self.now,
            )
        )

    def contact(self, quote: Quote = QUOTE, *, anew: bool = False) -> int:
        return self.erp.contact(quote, timeout_seconds=10, anew=anew)

    def quote(self, quote: Quote = QUOTE, contact: int = 1) -> int:
        return self.erp.quote(quote, contact, timeout_seconds=10)

    def fails(self, **plan: object) -> None:
        self.account.control({"fail": plan})

    def _personal_token(self, refetch: bool) -> str:
        self.refetched += refetch
        return self.secret

    def _respond(self, request: httpx2.Request) -> httpx2.Response:
        query: dict[str, list[str]] = {}
        for name, value in request.url.params.multi_items():
            query.setdefault(name, []).append(value)
        answer = self.account.respond(
            Request(
                method=request.method,
                path=request.url.path,
                query=query,
                headers={name.lower(): value for name, value in request.headers.items()},
                body=request.content,
            )
        )
        if answer.close:
            raise httpx2.ReadError("the connection was closed")
        return httpx2.Response(answer.status, headers=answer.headers, content=answer.body)


@pytest.fixture
def egestor() -> Egestor:
    return Egestor()


def refusal(work: Callable[[], int]) -> ErpError:
    with pytest.raises(ErpError) as caught:
        work()
    return caught.value


# Contacts


def test_a_customer_whom_it_does_not_know_is_made(egestor: Egestor) -> None:
    assert egestor.contact() == 1
    made = egestor.account.contacts[0]
    assert (made["nome"], made["tipo"], made["fones"], made["cpfcnpj"]) == (
        "Lara Quintela",
        ["cliente"],
        ["11980000101"],
        "52998224725",
    )


@pytest.mark.parametrize("written", ["11980000101", "1180000101"], ids=["nine", "eight"])
def test_a_customer_whom_it_knows_by_either_form_of_the_number_is_found(egestor: Egestor, written: str) -> None:
    egestor.account.contacts += [
        {"codigo": 7, "nome": "Outra", "fones": ["91198000010199"]},
        {"codigo": 8, "nome": "Lara", "fones": [written]},
    ]
    assert egestor.contact() == 8
    assert len(egestor.account.contacts) == 2


def test_a_number_that_merely_holds_this_one_is_somebody_elses(egestor: Egestor) -> None:
    egestor.account.contacts.append({"codigo": 7, "nome": "Outra", "fones": ["9911980000101"]})
    egestor.contact()
    assert len(egestor.account.contacts) == 2


def test_a_contact_whose_answer_was_lost_is_found_again(egestor: Egestor) -> None:
    egestor.fails(on="POST contatos", lost=True)
    assert not refusal(egestor.contact).lasting
    assert egestor.contact() == 1
    assert len(egestor.account.contacts) == 1


def test_a_customer_without_a_phone_is_found_by_our_tag(egestor: Egestor) -> None:
    nobody = replace(QUOTE, phone=None)
    egestor.fails(on="POST contatos", lost=True)
    refusal(lambda: egestor.contact(nobody))
    assert egestor.contact(nobody) == 1
    assert len(egestor.account.contacts) == 1


def test_a_contact_that_is_made_anew_is_made_once(egestor: Egestor) -> None:
    egestor.contact()
    egestor.fails(on="POST contatos", lost=True)
    refusal(lambda: egestor.contact(anew=True))
    assert egestor.contact(anew=True) == 2
    assert len(egestor.account.contacts) == 2


def test_a_long_name_is_cut_and_a_value_that_it_refuses_costs_no_quote(egestor: Egestor) -> None:
    egestor.contact(replace(QUOTE, name="L" * 90, tax_id="123"))
    made = egestor.account.contacts[0]
    assert (made["nome"], "cpfcnpj" in made, made["fones"]) == ("L" * 60, False, ["11980000101"])


# Quotes


def test_a_quote_is_one_of_situation_ten_with_the_price_of_its_catalogue(egestor: Egestor) -> None:
    egestor.account.products[101] = 250.0
    assert egestor.quote(contact=egestor.contact()) == 1001
    sale = egestor.account.sales[0]
    assert (sale["situacao"], sale["codContato"], sale["dtVenda"], sale["tags"]) == (10, 1, "2026-11-30", [QUOTE.tag])
    assert sale["produtos"] == [{"codProduto": 101, "quant": 1, "preco": 250.0, "obs": "Instalação"}]
    assert "TIPO: split" in sale["customizado"]["xCampo1"]


def test_a_service_without_a_price_is_still_to_be_priced(egestor: Egestor) -> None:
    egestor.quote(contact=egestor.contact())
    (line,) = egestor.account.sales[0]["produtos"]
    assert (line["preco"], line["obs"]) == (0, "Instalação\na orçar")


def test_a_quote_whose_answer_was_lost_is_found_again_by_our_tag(egestor: Egestor) -> None:
    contact = egestor.contact()
    egestor.fails(on="POST vendas", lost=True)
    refusal(lambda: egestor.quote(contact=contact))
    assert egestor.another_process().quote(QUOTE, contact, timeout_seconds=10) == 1001
    assert len(egestor.account.sales) == 1


def test_a_deleted_contact_is_said_to_be_gone(egestor: Egestor) -> None:
    contact = egestor.contact()
    egestor.account.control({"delete_contact": contact})
    assert refusal(lambda: egestor.quote(contact=contact)).gone


# Token, limit, faults


def test_a_token_is_kept_and_renewed_before_it_ends(egestor: Egestor) -> None:
    egestor.quote(contact=egestor.contact())
    assert egestor.account.asked.count("POST access_token") == 1
    egestor.now += 850
    egestor.contact()
    assert egestor.account.asked.count("POST access_token") == 2


def test_a_token_that_is_refused_is_replaced_once(egestor: Egestor) -> None:
    egestor.contact()
    egestor.account.control({"forget_tokens": True})
    assert egestor.contact() == 1
    assert egestor.refetched == 1


def test_a_personal_token_that_was_revoked_is_read_again_and_then_given_up(egestor: Egestor) -> None:
    egestor.account.personal_token = "new"
    error = refusal(egestor.contact)
    assert "401" in error.label
    assert not error.lasting
    egestor.secret = "new"
    assert egestor.contact() == 1


@pytest.mark.parametrize("status", [400, 405, 422])
def test_what_it_refuses_is_refused_for_good(egestor: Egestor, status: int) -> None:
    contact = egestor.contact()
    egestor.fails(on="POST vendas", status=status)
    assert refusal(lambda: egestor.quote(contact=contact)).lasting


@pytest.mark.parametrize("status", [500, 502, 503])
def test_what_it_fails_with_may_pass(egestor: Egestor, status: int) -> None:
    egestor.fails(on="GET contatos", status=status)
    error = refusal(egestor.contact)
    assert (error.lasting, error.gone, error.busy) == (False, False, False)


def test_after_a_429_nothing_is_asked_for_a_minute(egestor: Egestor) -> None:
    egestor.fails(on="GET contatos", status=429)
    assert refusal(egestor.contact).busy
    asked = len(egestor.account.asked)
    assert refusal(egestor.contact).busy
    assert len(egestor.account.asked) == asked
    egestor.now += 61
    assert egestor.contact() == 1


def test_two_processes_together_stay_below_sixty_a_minute(egestor: Egestor) -> None:
    both = (egestor.erp, egestor.another_process())
    for number in range(60):
        for erp in both:
            with suppress(ErpError):
                erp.contact(replace(QUOTE, phone=f"55119800{number:05d}"), timeout_seconds=10)
    assert 40 <= len(egestor.account.asked) <= 60


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b"null", b"{}", b'{"access_token": 5}'], ids=["page", "list", "null", "empty", "number"]
)
def test_an_answer_that_is_none_is_a_failure_that_may_pass(body: bytes) -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, content=body))
    api = EgestorApi(
        base_url="https://egestor.test/api",
        personal_token=lambda _: "x",
        new_client=lambda: httpx2.Client(transport=transport),
    )
    error = refusal(lambda: EgestorErp(api).contact(QUOTE, timeout_seconds=10))
    assert not error.lasting


def test_a_secret_that_cannot_be_read_is_a_failure_that_may_pass() -> None:
    def unreadable(_: bool) -> str:
        raise IntegrationError("SSM")

    api = EgestorApi(base_url="https://egestor.test", personal_token=unreadable, new_client=httpx2.Client)
    assert not refusal(lambda: EgestorErp(api).contact(QUOTE, timeout_seconds=10)).lasting


def test_nothing_of_the_customer_stands_in_an_error(egestor: Egestor, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="core")
    labels = []
    for status in (400, 422, 500):
        egestor.fails(on="POST contatos", status=status, times=2)
        labels.append(refusal(lambda: egestor.contact(replace(QUOTE, name="Nome Secreto"))).label)
    told = json.dumps(labels) + caplog.text
    assert "Secreto" not in told
    assert "980000101" not in told
    assert PERSONAL_TOKEN not in told
