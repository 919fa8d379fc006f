"""The capacity tables: what the page shows is what the arithmetic says, and inputs that cannot be are named."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import capacity
from capacity_model.bill import bill
from capacity_model.model import Inputs, carried, demands, drain_seconds
from core.domain.record_keys import DUE_SHARDS
from tests.template_file import template

PAGE = Path(__file__).resolve().parents[3] / "docs" / "capacity.md"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert capacity.main(list(arguments)) == 0
    return capsys.readouterr().out


def test_the_page_shows_what_the_script_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert PAGE.read_text("utf-8").endswith(said(capsys))


def test_what_the_deployment_says_of_itself_is_what_the_arithmetic_takes() -> None:
    limits, parameters = Inputs()["limits"], template()["Parameters"]
    assert limits["mapping_concurrency"] == parameters["MaximumConcurrency"]["Default"]
    assert limits["due_shards"] == len(DUE_SHARDS)


def test_the_limit_that_comes_first_is_passed_by_its_setting() -> None:
    tight, wide = Inputs(), Inputs({"mapping_concurrency": 1000.0})
    assert demands(tight, 10)[0].resource.startswith("conversations at once")
    assert demands(wide, 10)[0].resource == "provider"
    assert carried(wide) > carried(tight)


@pytest.mark.parametrize(("rate", "seconds"), [(0.5, 200.0), (1.0, 600.0), (2.0, None), (3.0, None)])
def test_an_outage_drains_with_what_is_to_spare_or_never(rate: float, seconds: float | None) -> None:
    drained = drain_seconds(Inputs(), rate)
    assert drained is None if seconds is None else drained is not None and math.isclose(drained, seconds)


def test_a_hundred_times_the_conversations_cost_a_hundred_times_as_much_but_for_what_is_free_once() -> None:
    few, many = (bill(Inputs(), conversations, "gpt-5.6-luna") for conversations in (1_000, 100_000))
    assert {name: round(usd, 6) for name, usd in many.lines.items() if name != "WhatsApp"} == {
        name: round(usd * 100, 6) for name, usd in few.lines.items() if name != "WhatsApp"
    }
    free = Inputs()["limits"]["whatsapp_free_messages"] * Inputs()["usd"]["whatsapp_message"]
    assert math.isclose(many.lines["WhatsApp"], (few.lines["WhatsApp"] + free) * 100 - free)


def test_answers_that_a_number_has_free_cost_nothing() -> None:
    assert bill(Inputs(), 100, "gpt-5.6-luna").lines["WhatsApp"] == 0.0


@pytest.mark.parametrize(("page", "arguments"), [("go-live.md", ()), ("no-ar.md", ("--pt",))])
def test_the_pages_show_the_bill_of_a_thousand_conversations(
    page: str, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "--bill", "1000", *arguments) in (PAGE.parent / page).read_text("utf-8")


def test_the_same_figures_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "--json", "--rate", "10"))
    (rate,) = told["rates"]
    assert (rate["turns_per_second"], rate["drain_seconds"]) == (10.0, None)
    assert rate["demands"][0]["used"] == 5.0
    assert [each["conversations"] for each in told["bills"]] == [1_000, 10_000, 100_000]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--set", "nada=1"], "there is no input nada"),
        (["--set", "mapping_concurrency=zero"], "a name, =, and a number above zero"),
        (["--set", "mapping_concurrency=-1"], "a name, =, and a number above zero"),
        (["--model", "gpt-nenhum"], "gpt-nenhum has no price"),
    ],
)
def test_an_input_that_cannot_be_is_named(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert capacity.main(arguments) == 2
    assert says in capsys.readouterr().err
