"""eGestor over real sockets, wired as a function wires it: answers that hang, drip, or never come."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from core.application.ports import Erp
from core.config.secrets import EnvironmentSecrets
from core.config.settings import EgestorSettings
from core.domain.errors import ErpError
from core.domain.quote import Quote
from core.integrations.wiring.erp import build_erp
from local_stack.egestor_standin import PERSONAL_TOKEN, EgestorStandIn

QUOTE = Quote(tag="balcao-c0ffee", name="Lara", day="2026-11-30", note="", phone="5511980000101")


@pytest.fixture
def standin() -> Iterator[EgestorStandIn]:
    with EgestorStandIn() as it:
        yield it


def wired(base_url: str) -> Erp:
    secrets = EnvironmentSecrets({"EGESTOR_PERSONAL_TOKEN": PERSONAL_TOKEN})
    erp = build_erp(EgestorSettings(personal_token=PERSONAL_TOKEN, base_url=f"{base_url}/api"), secrets)
    assert erp is not None
    return erp


def test_contact_and_quote_are_made_over_http(standin: EgestorStandIn) -> None:
    erp = wired(standin.base_url)
    contact = erp.contact(QUOTE, timeout_seconds=5)
    assert erp.quote(QUOTE, contact, timeout_seconds=5) == 1001
    assert (len(standin.account.contacts), len(standin.account.sales)) == (1, 1)


def test_an_answer_that_is_lost_on_the_way_makes_nothing_twice(standin: EgestorStandIn) -> None:
    erp = wired(standin.base_url)
    contact = erp.contact(QUOTE, timeout_seconds=5)
    standin.account.control({"fail": {"on": "POST vendas", "lost": True}})
    with pytest.raises(ErpError):
        erp.quote(QUOTE, contact, timeout_seconds=5)
    assert erp.quote(QUOTE, contact, timeout_seconds=5) == 1001
    assert len(standin.account.sales) == 1


def test_an_answer_that_hangs_ends_with_the_time_there_is(standin: EgestorStandIn) -> None:
    erp = wired(standin.base_url)
    standin.account.control({"fail": {"on": "GET contatos", "delay_seconds": 30}})
    begun = time.monotonic()
    with pytest.raises(ErpError) as caught:
        erp.contact(QUOTE, timeout_seconds=1.5)
    assert time.monotonic() - begun < 5
    assert not caught.value.lasting


def test_nobody_there_is_a_failure_that_may_pass() -> None:
    with pytest.raises(ErpError) as caught:
        wired("http://127.0.0.1:1").contact(QUOTE, timeout_seconds=2)
    assert not caught.value.lasting


def test_a_deployment_without_it_has_none() -> None:
    assert build_erp(None, EnvironmentSecrets({})) is None
