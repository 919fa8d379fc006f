"""`make new-company`: whatever the trade, the answers make a company that the check has nothing against."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

import new_company
from company_check.report import run_checks
from company_template.answers import QUESTIONS, AnswerError, answers_from, identifier
from core.config.catalog_file import load_catalog
from core.config.prompt_files import load_prompts

ROOT = Path(__file__).resolve().parents[3]
PLAIN = {question.key: question.default or question.example for question in QUESTIONS}
WITHOUT_PRICES = PLAIN | {"id": "oficina", "prices": "", "to_person": ""}
EVERY_KIND = PLAIN | {
    "id": "buffet",
    "services": "Festa infantil: aniversário de criança; Casamento: bodas",
    "details": "convidados (número); data da festa (data); cidade (cidade); tem cozinha (sim ou não); "
    "estilo (opções: clássico, moderno); observações",
    "contact": "nome, cpf, cidade",
    "hours": "ter-sab 10:00-19:30",
}


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    """The engine's prompts, without any company."""
    return Path(shutil.copytree(ROOT / "prompts", tmp_path / "prompts", ignore=shutil.ignore_patterns("companies")))


def answers_file(tmp_path: Path, answers: dict[str, str]) -> Path:
    path = tmp_path / "answers.toml"
    path.write_text("\n".join(f'{key} = "{value}"' for key, value in answers.items()), "utf-8")
    return path


@pytest.mark.parametrize("answers", [PLAIN, WITHOUT_PRICES, EVERY_KIND], ids=lambda each: each["id"])
def test_the_answers_make_a_company_that_passes_the_check(
    prompts: Path, tmp_path: Path, answers: dict[str, str]
) -> None:
    status = new_company.main(["--from", str(answers_file(tmp_path, answers)), "--prompts", str(prompts)])

    assert status == 0
    folder = prompts / "companies" / answers["id"]
    assert [each for each in run_checks(prompts, [answers["id"]], ROOT, settings=False) if not each.is_warning] == []
    catalog = load_catalog(folder / "catalog.toml")
    assert catalog.company.name == answers["name"]
    assert load_prompts(prompts, folder, catalog).packages


def test_questions_that_are_answered_one_by_one_make_the_same_company(
    prompts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = []
    for question in QUESTIONS:
        lines += ["NÃO SERVE!", PLAIN[question.key]] if question.key == "id" else [PLAIN[question.key]]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))

    assert new_company.main(["--prompts", str(prompts)]) == 0

    assert (prompts / "companies" / PLAIN["id"] / "catalog.toml").is_file()
    told = capsys.readouterr().out
    assert "só letras minúsculas" in told
    assert f"make stack COMPANY={PLAIN['id']}" in told


def test_a_folder_that_is_there_is_never_touched(prompts: Path, tmp_path: Path) -> None:
    folder = prompts / "companies" / PLAIN["id"]
    folder.mkdir(parents=True)
    (folder / "catalog.toml").write_text("meu", "utf-8")

    assert new_company.main(["--from", str(answers_file(tmp_path, PLAIN)), "--prompts", str(prompts)]) == 1

    assert (folder / "catalog.toml").read_text("utf-8") == "meu"


def test_one_who_leaves_midway_leaves_nothing_behind(prompts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("padaria\nPadaria Central\n"))
    assert new_company.main(["--prompts", str(prompts)]) == 130
    assert not (prompts / "companies" / "padaria").exists()


@pytest.mark.parametrize(
    ("key", "answer", "told"),
    [
        ("id", "Minha Empresa", "só letras minúsculas"),
        ("services", " ; ", "precisa de pelo menos um"),
        ("services", "Corte; corte", "dois com o mesmo nome"),
        ("details", "período (opções)", "escreva as opções assim"),
        ("details", "peso (quilo)", "o tipo 'quilo' não existe"),
        ("contact", "telefone", "com nome entre eles"),
        ("contact", "nome, signo", "escolha entre"),
        ("hours", "08:00-18:00", "comece pelos dias"),
        ("hours", "seg-sex de 8 a 18", "escreva as horas como"),
        ("name", "  ", "precisa de um texto"),
    ],
)
def test_an_answer_that_cannot_be_used_is_told_in_plain_words(key: str, answer: str, told: str) -> None:
    with pytest.raises(AnswerError, match=told):
        answers_from(PLAIN | {key: answer})


def test_every_missing_and_every_unknown_answer_is_told_at_once() -> None:
    with pytest.raises(AnswerError) as caught:
        answers_from({"name": "Empresa", "nome": "Empresa"})
    for part in ("nome: não é uma pergunta", "services: falta", "address: falta"):
        assert part in str(caught.value)


def test_names_become_identifiers() -> None:
    assert identifier("Limpeza de pele (à vácuo)") == "limpeza_de_pele_a_vacuo"
