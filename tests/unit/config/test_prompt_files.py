"""The engine's prompts and a company's files: what is read, what is refused, and that no fixed text is missing."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from core.config.catalog_file import CatalogFileError
from core.config.prompt_files import PromptFilesError, company_folder, load_prompts
from core.config.providers import ModelProvider
from core.domain.actions import Agent
from core.domain.handoff import AGENT_WORDED_REASONS, HandoffReason
from core.domain.ledger import ModelPrice
from core.domain.llm import ModelRef
from core.domain.prompts import PromptSet
from core.domain.texts import FixedTexts
from tests.neutral_company import COMPANY, PROMPTS_DIR, catalog, copy_prompts, prompts


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A copy of the engine's prompts, with a company in it, that a test may spoil."""
    return copy_prompts(tmp_path / "prompts")


@pytest.fixture
def company(engine: Path) -> Path:
    """That company's folder."""
    return company_folder(engine, COMPANY)


def complaints(engine: Path) -> list[str]:
    with pytest.raises(PromptFilesError) as caught:
        load(engine)
    return str(caught.value).splitlines()[1:]


def load(engine: Path) -> PromptSet:
    return load_prompts(engine, company_folder(engine, COMPANY))


# Reading


def test_all_that_the_model_and_the_customer_are_told_is_read() -> None:
    assert set(prompts().agents) == set(Agent)
    assert set(prompts().packages) == {p.id for p in catalog().packages if not p.built_by_code}
    assert all(text.startswith("<exemplo") for text in prompts().examples.values())
    assert "INVALID_FORMAT" in prompts().repair


def test_every_file_has_a_hash_that_follows_its_content(engine: Path, company: Path) -> None:
    before = load(engine).fingerprints
    (engine / "triagem.md").write_text("# Agente: triagem\n\noutra coisa", encoding="utf-8")
    with (company / "exemplos.md").open("a", encoding="utf-8") as examples:
        examples.write("\n")
    after = load(engine).fingerprints
    assert {name for name in after if after[name] != before[name]} == {"triagem.md", "exemplos.md"}
    assert {"contract.md", "catalog.toml", "textos.toml", "prices.toml", "packages/VISITS.md"} <= set(before)


def test_windows_line_ends_change_neither_prompt_nor_hash(engine: Path) -> None:
    contract = engine / "contract.md"
    contract.write_bytes(contract.read_bytes().replace(b"\n", b"\r\n"))
    assert load(engine).contract == prompts().contract
    assert load(engine).fingerprints == prompts().fingerprints


# Mistakes


def test_all_mistakes_are_told_at_once(engine: Path, company: Path) -> None:
    (engine / "coleta.md").unlink()
    (engine / "reparo.md").write_text("  \n", encoding="utf-8")
    (company / "packages" / "VISITS.md").unlink()
    (company / "packages" / "VISTS.md").write_text("x", encoding="utf-8")
    (engine / "prices.toml").write_text("models = 3", encoding="utf-8")
    assert sorted(complaints(engine)) == [
        "- coleta.md: is missing",
        "- packages/VISITS.md: is missing",
        "- packages/VISTS.md: belongs to no package of catalog.toml",
        "- prices.toml: models must be a table",
        "- reparo.md: is empty",
    ]


@pytest.mark.parametrize("reason", list(HandoffReason))
def test_a_reason_without_its_text_stops_the_start(engine: Path, company: Path, reason: HandoffReason) -> None:
    texts = company / "textos.toml"
    spoilt = re.sub(
        rf"(\[handoff\.{reason.value}\]\nopen = .*\n)closed = .*\n", r"\1", texts.read_text(encoding="utf-8")
    )
    texts.write_text(spoilt, encoding="utf-8")
    assert complaints(engine) == [f"- textos.toml: handoff.{reason.value}: closed is missing"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("courtesy = ", "curtesy = ", "- textos.toml: curtesy is not a known key"),
        ("courtesy = ", "curtesy = ", "- textos.toml: courtesy is missing"),
        ("[handoff.stale]", "[handoff.velha]", "- textos.toml: handoff: velha is not a known key"),
        ("quando voltarmos, {quando}", "quando {nome}", "- textos.toml: handoff.human_requested: closed holds braces"),
    ],
    ids=["unknown_key", "missing_key", "unknown_reason", "unknown_placeholder"],
)
def test_a_mistake_in_the_fixed_texts_is_named(engine: Path, company: Path, old: str, new: str, complaint: str) -> None:
    texts = company / "textos.toml"
    texts.write_text(texts.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    assert any(line.startswith(complaint) for line in complaints(engine))


@pytest.mark.parametrize("amount", ["-1", "abc", "NaN", "Infinity"])
def test_a_price_that_is_no_amount_is_named(engine: Path, amount: str) -> None:
    (engine / "prices.toml").write_text(
        f'[models.m]\ninput = "{amount}"\ncached = "0"\noutput = "1"\n', encoding="utf-8"
    )
    assert complaints(engine) == ['- prices.toml: models.m: input must be an amount in quotes, like "0.15"']


def test_a_broken_toml_file_is_named(engine: Path, company: Path) -> None:
    (company / "textos.toml").write_text("offer_person = ", encoding="utf-8")
    assert any(line.startswith("- textos.toml: is no TOML") for line in complaints(engine))


def test_a_folder_without_a_catalogue_says_so(tmp_path: Path) -> None:
    with pytest.raises(CatalogFileError, match=r"catalog\.toml"):
        load_prompts(PROMPTS_DIR, tmp_path)


# Prices


def of_openai(model: str) -> ModelRef:
    return ModelRef(provider="openai", model=model)


def test_the_default_model_has_a_price() -> None:
    price = prompts().price(of_openai("gpt-5.6-luna"))
    assert price is not None
    assert price.cost(tokens_input=1_000_000, tokens_cached=0, tokens_output=0) == Decimal("0.20")


def test_a_dated_snapshot_costs_what_its_family_costs() -> None:
    assert prompts().price(of_openai("gpt-4o-mini-2024-07-18")) == prompts().price(of_openai("gpt-4o-mini"))


def test_a_model_without_a_price_is_never_guessed() -> None:
    assert prompts().price(of_openai("gpt-4o-micro")) is None
    assert prompts().price(of_openai("modelo-da-casa")) is None


def test_a_provider_s_price_is_no_other_provider_s() -> None:
    def price_by(provider: str) -> ModelPrice | None:
        return prompts().price(ModelRef(provider=provider, model="claude-haiku-4-5-20251001"))

    assert price_by("anthropic") == prompts().price(ModelRef(provider="anthropic", model="claude-haiku-4-5"))
    assert (price_by("openai"), price_by("chat_completions")) == (None, None)


def test_writing_the_cache_costs_at_least_what_reading_it_anew_would() -> None:
    written = [price for price in prompts().prices.values() if price.cache_write is not None]
    assert written
    assert all(price.cache_write >= price.input for price in written)


def test_every_provider_of_the_list_is_one_that_can_be_asked() -> None:
    assert {ref.provider for ref in prompts().prices} <= set(ModelProvider)


def test_a_cached_token_never_costs_more_than_a_fresh_one() -> None:
    assert all(price.cached <= price.input <= price.output for price in prompts().prices.values())


# Fixed texts


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
            guard=whole.guard,
            offer_person="x",
            opt_out="x",
            please_type="x",
            courtesy="x",
            nobody_took_it="x",
        )
