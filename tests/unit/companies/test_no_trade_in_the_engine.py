"""The engine serves any company: nothing in its code or its prompts is of a shipped company's trade.

The words are the companies' own: what they call their services, and titles of packages, and a short list of what a customer would
say. Words that the tests' own company needs too, or that mean something outside of any trade, are no trade's.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from core.config.catalog_file import CATALOG_FILE
from core.config.prompt_files import COMPANIES
from tests.neutral_company import COMPANY_DIR as NEUTRAL_DIR
from tests.shipped_companies import NAMES, PROMPTS_DIR
from tests.template_file import ROOT

ENGINE = ("prompts/*.md", "src/**/*.py", "scripts/local_stack/**/*.py")
# Two trades share no more than language: what is meant here is said of money, time, post and meals, of boxes and teams.
EVERYDAY = frozenset(
    [
        "agendamento",
        "caixa",
        "care",
        "carne",
        "cliente",
        "consulta",
        "dia",
        "enviar",
        "entrega",
        "estacao",
        "exame",
        "industrial",
        "lancamento",
        "life",
        "mineral",
        "prazo",
        "prazos",
        "produto",
        "resultado",
        "shelf",
        "tabela",
        "terra",
        "times",
        "tratado",
        "tratamento",
        "vida",
    ]
)
SAID_IN_A_TRADE = {
    "laboratorio": "laboratorio laudo amostra amostras potabilidade efluente calibracao coliformes vereda clara",
    "petshop": "petshop racao banho tosa tosar cachorro gato vacina filhote veterinario veterinaria",
}
# Rules of the language itself, labelled and measured on many trades' words, and what the documents have literally.
LANGUAGE_RULES = ("src/core/domain/guard/",)
LITERALS: Mapping[tuple[str, str], str] = {
    (
        "prompts/contract.md",
        "laudo",
    ): "document 000's reason `out_of_scope_interpretation` speaks of results and reports",
    ("src/core/config/settings.py", "laboratorio"): "the id of the company that COMPANY names by default",
    ("scripts/local_stack/local_settings.py", "laboratorio"): "the same default",
    ("src/core/application/actions/shapes.py", "coletar"): "the verb of `coleta`, as models call the agent",
    ("src/core/domain/values/dates.py", "amostra"): "a thing that is counted: `segunda amostra` is no Monday",
    ("src/core/domain/values/deferral.py", "trazer"): "the verb, of what a customer brings later",
    ("src/core/domain/values/deferral.py", "completa"): "the adjective, of an answer",
    ("src/core/domain/values/numbers.py", "diaria"): "the adjective, of what is no number",
}


def words(text: str) -> set[str]:
    """Folded, of four letters and more; `numero_amostras` is two."""
    folded = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return set(re.findall(r"[a-z]{4,}", folded))


@cache
def neutral_words() -> frozenset[str]:
    files = (path for path in NEUTRAL_DIR.rglob("*") if path.is_file())
    return frozenset(word for path in files for word in words(path.read_text("utf-8")))


@cache
def trade_words(company: str) -> frozenset[str]:
    """Read as plain TOML: this test is about words, whatever else may be wrong with the file."""
    content = tomllib.loads((PROMPTS_DIR / COMPANIES / company / CATALOG_FILE).read_text("utf-8"))
    named = [name for each in content["services"] for name in (each["id"], each["name"], *each.get("synonyms", ()))]
    named += [each["title"] for each in content["packages"]]
    own = {word for name in named for word in words(name)} - EVERYDAY - neutral_words()
    return frozenset(own | words(SAID_IN_A_TRADE.get(company, "")))


def found(company: str, files: Iterator[Path]) -> Iterator[str]:
    """`path:line: words`."""
    trade = trade_words(company)
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(LANGUAGE_RULES):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if said := {word for word in words(line) & trade if (name, word) not in LITERALS}:
                yield f"{name}:{number}: {', '.join(sorted(said))}"


@pytest.mark.parametrize("engine", ENGINE)
@pytest.mark.parametrize("company", NAMES)
def test_the_engine_speaks_of_no_trade(company: str, engine: str) -> None:
    files = sorted(ROOT.glob(engine))
    assert files
    assert list(found(company, iter(files))) == []


@pytest.mark.parametrize("company", NAMES)
def test_a_trade_has_words(company: str) -> None:
    """Or the test above looks for nothing."""
    assert len(trade_words(company)) >= 5


def test_every_exception_is_still_needed() -> None:
    for (name, word), reason in LITERALS.items():
        assert word in words((ROOT / name).read_text("utf-8")), f"{name} no longer says {word!r}: {reason}"
