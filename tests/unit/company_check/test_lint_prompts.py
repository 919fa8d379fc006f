"""scripts/lint_prompts.py: what prompts, code, packages, texts and cases say of each other, each in its own line."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from company_check.report import print_sizes, run_checks
from lint_prompts import main
from tests.neutral_company import COMPANY, copy_prompts
from tests.template_file import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Prompts with the tests' own company, and the contract's page, in a place that a test may spoil."""
    copy_prompts(tmp_path / "prompts")
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "contract.md", tmp_path / "docs" / "contract.md")
    return tmp_path


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def told(checkout: Path, company: str = COMPANY) -> list[str]:
    found = run_checks(checkout / "prompts", [company], checkout, settings=False)
    return [f"{each.path}:{each.line}: {each.what}" for each in found]


def company_file(checkout: Path, name: str) -> Path:
    return checkout / "prompts" / "companies" / COMPANY / name


def example(agent: str, code: int, situation: str, customer: str, raw: str) -> tuple[str, str]:
    """A replacement in exemplos.md: one more example at the beginning of an agent's section."""
    shown = (
        f'<exemplo codigo="{code}">\n<situacao>{situation}</situacao>\n<cliente>{customer}</cliente>\n'
        f"<resposta>{raw}</resposta>\n</exemplo>\n\n"
    )
    return f"# {agent}\n\n", f"# {agent}\n\n{shown}"


def test_sound_prompts_have_nothing_to_mend(checkout: Path) -> None:
    assert told(checkout) == []


# Codes


@pytest.mark.parametrize(
    ("file", "old", "new", "what"),
    [
        (
            "prompts/triagem.md",
            "códigos: 1, 2, 3, 5",
            "códigos: 1, 2, 3, 4, 5",
            "says that triagem has the codes 1, 2, 3, 4",
        ),
        ("prompts/coleta.md", "1, 2, 3, 4, 5, 6, 98, 99", "1, 2, 3, 4, 5, 6, 98", "says that coleta has the codes"),
        ("prompts/qualificacao.md", "## Seus códigos:", "## Códigos:", "does not say which codes the agent has"),
        ("prompts/triagem.md", "avance com 2,", "volte com 4,", "teaches s=4, which triagem does not have"),
        ("prompts/contract.md", "| 5 | CLOSE |", "| 5 | END |", "s=5 is END in the table, and CLOSE in the code"),
        ("prompts/contract.md", "| 98 | REROUTE |", "| 97 | REROUTE |", "s=98 is no row in the table"),
        (
            "prompts/contract.md",
            "só qualificacao e coleta:",
            "só coleta:",
            "gives s=4 to coleta, and the code to coleta, qual",
        ),
        (
            "prompts/contract.md",
            "| `out_of_scope_pii` |",
            "| `privacy` |",
            "the reasons of s=3 are not those of the code",
        ),
        ("docs/contract.md", "| 4 | RETURN | not Triagem |", "| 4 | RETURN | all |", "gives s=4 to 'all'"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_code_that_prompt_and_code_do_not_share_is_named(
    checkout: Path, file: str, old: str, new: str, what: str
) -> None:
    spoil(checkout / file, old, new)
    found = told(checkout)
    assert any(each.startswith(f"{file}:") and what in each for each in found), found


# Examples


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            example("triagem", 2, "primeira mensagem", "oi", '{"s":2}Fazemos sim. Qual é o aparelho?'),
            "would be refused: missing_field: service",
        ),
        (
            example("triagem", 4, "em dúvida", "não sei", '{"s":4,"agent":"triagem"}O que você quer resolver?'),
            "breaks the contract: forbidden_code",
        ),
        (
            example("triagem", 98, "primeira mensagem", "oi", '{"s":98,"agent":"qualificacao"}'),
            "would be refused: reroute_too_early",
        ),
        (
            example(
                "qualificacao",
                2,
                "faltam prazo e numero_aparelhos",
                "sem pressa",
                '{"s":2,"qualification_data":{"prazo":"sem pressa"}}Certo. Qual é o seu nome?',
            ),
            "would be refused: missing_field: numero_aparelhos",
        ),
        (
            example(
                "qualificacao",
                1,
                "falta prazo",
                "sem pressa",
                '{"s":1,"qualification_data":{"prazo":"sem pressa"}}Certo, sem pressa. Mais alguma coisa?',
            ),
            "answers s=1, and with it nothing of what the situation lacks is left to ask",
        ),
        (
            example("coleta", 4, "quer rever", "muda tudo", '{"s":4,"agent":"coleta"}Claro. O que muda?'),
            "would be refused: return_forward",
        ),
        (
            example("coleta", 1, "não quer dar o nome", "sem nome", '{"s":1,"declined":["nome"]}Tudo bem. E o e-mail?'),
            "answers s=1, and the desk would hand over (declined_nome)",
        ),
        (
            example(
                "coleta", 99, "SERVICES está no contexto", "o que inclui?", '{"s":99,"context_needed":["SERVICES"]}'
            ),
            "asks for a package that the situation has in the context",
        ),
        (
            example("coleta", 99, "dúvida", "vai chover?", '{"s":99,"context_needed":["WEATHER"]}'),
            "names the package 'WEATHER', which the catalogue does not have",
        ),
        (
            example("coleta", 1, "pergunta", "quando fica pronto?", '{"s":1}Fica pronto em 3 dias.'),
            "states what no package does: o prazo",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_example_that_teaches_the_wrong_code_is_named(checkout: Path, change: tuple[str, str], what: str) -> None:
    spoil(company_file(checkout, "exemplos.md"), *change)
    found = told(checkout)
    assert any("/exemplos.md:" in each and what in each for each in found), found


def test_an_example_that_refuses_what_the_catalogue_offers_is_worth_a_look(checkout: Path) -> None:
    offered = "instalação de ar-condicionado"
    change = example(
        "triagem", 3, "não faz", f"fazem {offered}?", '{"s":3,"reason":"out_of_scope"}Isso a gente não faz.'
    )
    spoil(company_file(checkout, "exemplos.md"), *change)
    assert any("refuses as out of scope what the catalogue offers (instalacao_ar)" in each for each in told(checkout))


def test_a_package_that_is_not_there_is_named(checkout: Path) -> None:
    company_file(checkout, "packages/SERVICES.md").unlink()
    assert any("packages/SERVICES.md:1: " in each and "is missing" in each for each in told(checkout))


# Texts


@pytest.mark.parametrize(
    ("file", "old", "new", "what"),
    [
        ("textos.toml", 'courtesy = "', 'courtesy = "O campo é numero_aparelhos. ', "courtesy is not fit to send"),
        ("textos.toml", 'courtesy = "', 'courtesy = "Vou te transferir agora. ', "courtesy announces a person"),
        (
            "textos.toml",
            'opt_out = "',
            'opt_out = "Você ganha 10% de desconto. ',
            "opt_out states what no package does",
        ),
        (
            "textos.toml",
            'loop = "',
            'loop = "Fica pronto em 3 dias. ',
            "guard: loop states what no package does: o prazo",
        ),
        (
            "packages/SERVICES.md",
            "\n",
            "\nVou te transferir agora para uma pessoa da equipe.\n",
            "announces a transfer",
        ),
        ("packages/SERVICES.md", "\n", "\nPergunte numero_aparelhos primeiro.\n", "shows an id or a blank"),
        ("catalog.toml", 'question = "', 'question = "[Nome], ', "is not fit to send"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_no_text_says_what_the_checks_refuse(checkout: Path, file: str, old: str, new: str, what: str) -> None:
    spoil(company_file(checkout, file), old, new)
    found = told(checkout)
    assert any(f"/{file}:" in each and what in each for each in found), found


# Cases


@pytest.mark.parametrize(
    ("file", "old", "new", "what"),
    [
        ("cases.jsonl", '"banho_tosa"', '"banho"', "the catalogue has no service 'banho'"),
        ("cases.jsonl", '"oii"', '"olá"', "pet-open-01: its committed answer is stale"),
        ("answers.jsonl", '"pet-open-01"', '"pet-open-09"', "pet-open-09 answers no case"),
    ],
)
def test_cases_fit_the_catalogue_and_their_answers(checkout: Path, file: str, old: str, new: str, what: str) -> None:
    shutil.copytree(ROOT / "prompts" / "companies" / "petshop", checkout / "prompts" / "companies" / "petshop")
    shutil.copytree(ROOT / "evaluations" / "petshop", checkout / "evaluations" / "petshop")
    spoil(checkout / "evaluations" / "petshop" / file, old, new)
    found = told(checkout, "petshop")
    assert any(each.startswith(f"evaluations/petshop/{file}:") and what in each for each in found), found


# The command


def test_sizes_and_the_cacheable_share_are_told(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_sizes(checkout / "prompts", [COMPANY])
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{COMPANY}: triagem ~")
    assert line.count("% cacheable") == 3


def test_a_prompt_of_which_little_can_be_cached_is_worth_a_look(checkout: Path) -> None:
    catalog = company_file(checkout, "catalog.toml")
    catalog.write_text(re.sub(r"max_length = \d+", "max_length = 2000", catalog.read_text("utf-8")), "utf-8")
    assert any("of what precedes the history can be cached" in each for each in told(checkout))


def test_the_status_is_that_of_the_findings(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--prompts", str(checkout / "prompts"), "--company", COMPANY]
    assert main(arguments) == 0
    spoil(checkout / "prompts" / "triagem.md", "códigos: 1, 2, 3, 5", "códigos: 1, 2, 3")
    assert main(arguments) == 1
    assert "prompts: 1 mistake(s)" in capsys.readouterr().err
