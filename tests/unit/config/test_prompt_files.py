"""The folder of prompts: what is read, what is refused, and that every fixed text is there and true."""

from __future__ import annotations

import re
import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from core.config.catalog_file import CatalogFileError
from core.config.prompt_files import PromptFilesError, load_prompts
from core.domain.actions import Agent
from core.domain.handoff import AGENT_WORDED_REASONS, HandoffReason
from core.domain.texts import FixedTexts
from tests.project_files import PROMPTS_DIR, catalog, prompts

CONTACT = re.compile(r"\S+@\S+\.example|\(\d\d\) \d{4}-\d{4}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the project's prompts that a test may spoil."""
    return Path(shutil.copytree(PROMPTS_DIR, tmp_path / "prompts"))


def complaints(folder: Path) -> list[str]:
    with pytest.raises(PromptFilesError) as caught:
        load_prompts(folder)
    return str(caught.value).splitlines()[1:]


# Reading


def test_the_projects_own_folder_can_be_used() -> None:
    assert set(prompts().agents) == set(Agent)
    assert set(prompts().packages) == {p.id for p in catalog().packages if not p.built_by_code}
    assert "INVALID_FORMAT" in prompts().repair


def test_every_file_has_a_hash_that_follows_its_content(folder: Path) -> None:
    before = load_prompts(folder).fingerprints
    (folder / "triagem.md").write_text("# Agente: triagem\n\noutra coisa", encoding="utf-8")
    after = load_prompts(folder).fingerprints
    assert {name for name in after if after[name] != before[name]} == {"triagem.md"}
    assert {"contract.md", "catalog.toml", "textos.toml", "prices.toml", "packages/SAMPLING.md"} <= set(before)


def test_windows_line_ends_change_neither_prompt_nor_hash(folder: Path) -> None:
    contract = folder / "contract.md"
    contract.write_bytes(contract.read_bytes().replace(b"\n", b"\r\n"))
    assert load_prompts(folder).contract == prompts().contract
    assert load_prompts(folder).fingerprints == prompts().fingerprints


# Mistakes


def test_all_mistakes_are_told_at_once(folder: Path) -> None:
    (folder / "coleta.md").unlink()
    (folder / "reparo.md").write_text("  \n", encoding="utf-8")
    (folder / "packages" / "SAMPLING.md").unlink()
    (folder / "packages" / "SAMPLNG.md").write_text("x", encoding="utf-8")
    (folder / "prices.toml").write_text("models = 3", encoding="utf-8")
    assert sorted(complaints(folder)) == [
        "- coleta.md: is missing",
        "- packages/SAMPLING.md: is missing",
        "- packages/SAMPLNG.md: no package of catalog.toml has this name",
        "- prices.toml: models must be a table",
        "- reparo.md: is empty",
    ]


@pytest.mark.parametrize("reason", list(HandoffReason))
def test_a_reason_without_its_text_stops_the_start(folder: Path, reason: HandoffReason) -> None:
    texts = folder / "textos.toml"
    spoilt = re.sub(
        rf"(\[handoff\.{reason.value}\]\nopen = .*\n)closed = .*\n", r"\1", texts.read_text(encoding="utf-8")
    )
    texts.write_text(spoilt, encoding="utf-8")
    assert complaints(folder) == [f"- textos.toml.handoff.{reason.value}: closed is missing"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("courtesy = ", "curtesy = ", "- textos.toml: curtesy is not a known key"),
        ("courtesy = ", "curtesy = ", "- textos.toml: courtesy is missing"),
        ("[handoff.stale]", "[handoff.velha]", "- textos.toml.handoff: velha is not a known key"),
        ("quando voltarmos, {quando}", "quando {nome}", "- textos.toml.handoff.human_requested: closed holds braces"),
    ],
    ids=["unknown_key", "missing_key", "unknown_reason", "unknown_placeholder"],
)
def test_a_mistake_in_the_fixed_texts_is_named(folder: Path, old: str, new: str, complaint: str) -> None:
    texts = folder / "textos.toml"
    texts.write_text(texts.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    assert any(line.startswith(complaint) for line in complaints(folder))


@pytest.mark.parametrize("amount", ["-1", "abc", "NaN", "Infinity"])
def test_a_price_that_is_no_amount_is_named(folder: Path, amount: str) -> None:
    (folder / "prices.toml").write_text(
        f'[models.m]\ninput = "{amount}"\ncached = "0"\noutput = "1"\n', encoding="utf-8"
    )
    assert complaints(folder) == ['- prices.toml.models.m: input must be an amount in quotes, like "0.15"']


def test_a_broken_toml_file_is_named(folder: Path) -> None:
    (folder / "textos.toml").write_text("offer_person = ", encoding="utf-8")
    assert any(line.startswith("- textos.toml: is no TOML") for line in complaints(folder))


def test_a_folder_without_a_catalogue_says_so(tmp_path: Path) -> None:
    with pytest.raises(CatalogFileError, match=r"catalog\.toml"):
        load_prompts(tmp_path)


# Prices


def test_the_default_model_has_a_price() -> None:
    price = prompts().price("gpt-5.6-luna")
    assert price is not None
    assert price.cost(tokens_input=1_000_000, tokens_cached=0, tokens_output=0) == Decimal("0.20")


def test_a_dated_snapshot_costs_what_its_family_costs() -> None:
    assert prompts().price("gpt-4o-mini-2024-07-18") == prompts().price("gpt-4o-mini")


def test_a_model_without_a_price_is_never_guessed() -> None:
    assert prompts().price("gpt-4o-micro") is None
    assert prompts().price("modelo-da-casa") is None


def test_a_cached_token_never_costs_more_than_a_fresh_one() -> None:
    assert all(price.cached <= price.input <= price.output for price in prompts().prices.values())


# Fixed texts


@pytest.mark.parametrize("reason", list(HandoffReason))
def test_every_reason_has_a_text_at_every_moment(reason: HandoffReason) -> None:
    texts = prompts().texts
    said = {
        texts.for_handoff(reason, open_now=open_now, enabled=enabled)
        for open_now in (True, False)
        for enabled in (True, False)
    }
    assert len(said) == 3
    assert all(text.strip() and "{" not in text for text in said)


@pytest.mark.parametrize("reason", list(HandoffReason))
def test_where_nobody_is_there_no_text_promises_a_person(reason: HandoffReason) -> None:
    text = prompts().texts.for_handoff(reason, open_now=True, enabled=False)
    assert not re.search(r"\bj[áa] chamei\b|na fila|continua com voc[êe] por aqui", text)


@pytest.mark.parametrize("reason", list(HandoffReason))
def test_out_of_hours_the_text_says_when_people_are_back(reason: HandoffReason) -> None:
    texts = prompts().texts
    told = texts.for_handoff(reason, open_now=False, enabled=True, next_opening="segunda-feira às 8h")
    assert "segunda-feira às 8h" in told
    unknown = texts.for_handoff(reason, open_now=False, enabled=True)
    assert "no próximo horário de atendimento" in unknown


def test_an_agents_words_are_followed_by_the_line_about_hours() -> None:
    texts = prompts().texts
    said = texts.with_hours("Prontinho, Marina!\n", open_now=False, enabled=True, next_opening="amanhã às 8h")
    assert said.startswith("Prontinho, Marina!\n\n")
    assert "amanhã às 8h" in said
    assert texts.with_hours("  ", open_now=True, enabled=True) == texts.hours_line.open


def test_reasons_that_agents_word_have_a_text_too_for_one_that_said_nothing() -> None:
    assert all(reason in prompts().texts.handoff for reason in AGENT_WORDED_REASONS)


def test_fixed_texts_that_forget_a_reason_cannot_be_made() -> None:
    whole = prompts().texts
    some = {reason: text for reason, text in whole.handoff.items() if reason is not HandoffReason.STALE}
    with pytest.raises(ValueError, match="stale"):
        FixedTexts(
            handoff=some,
            hours_line=whole.hours_line,
            offer_person="x",
            opt_out="x",
            please_type="x",
            courtesy="x",
            nobody_took_it="x",
        )


def test_contacts_in_fixed_texts_are_those_of_the_company_package() -> None:
    written = (PROMPTS_DIR / "textos.toml").read_text(encoding="utf-8")
    contacts = {found.rstrip(".,") for found in CONTACT.findall(written)}
    assert contacts
    assert all(contact in prompts().packages["COMPANY_INFO"] for contact in contacts)
