"""`make check`: every mistake of every kind at once, in the user's own file and line, with its mend."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from company_check.report import report, run_checks
from company_check.settings import check_settings
from tests.neutral_company import COMPANY, copy_prompts

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What the check reads of a checkout, with the tests' own company, in a place that a test may spoil."""
    copy_prompts(tmp_path / "prompts")
    for name in (".env.example", "template.yaml"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def mistakes(checkout: Path, company: str = COMPANY) -> list[str]:
    found = run_checks(checkout / "prompts", [company], checkout)
    return [f"{each.path}: {each.what}" for each in found if not each.is_warning]


def company_file(checkout: Path, name: str) -> Path:
    return checkout / "prompts" / "companies" / COMPANY / name


def test_a_sound_checkout_has_nothing_to_mend(checkout: Path) -> None:
    assert run_checks(checkout / "prompts", [COMPANY], checkout) == []


def test_a_secret_that_a_parameter_holds_is_given(checkout: Path) -> None:
    named = ("OPENAI_API_KEY", "WHATSAPP_ACCESS_TOKEN", "WHATSAPP_APP_SECRET", "IDENTITY_KEY")
    (checkout / ".env").write_text("".join(f"{name}_SSM_PARAM=/balcao/{name}\n" for name in named), "utf-8")
    assert mistakes(checkout) == []


def test_a_company_that_is_not_there_is_named_with_its_line(checkout: Path) -> None:
    (checkout / ".env").write_text("LLM_RETRY_MAX=1\nCOMPANY=nix\n", "utf-8")
    (found,) = run_checks(checkout / "prompts", [COMPANY], checkout)
    assert (found.line, found.what) == (2, "COMPANY=nix: there is no such company")
    assert COMPANY in found.mend


def test_mistakes_of_every_kind_are_told_at_once(checkout: Path) -> None:
    spoil(company_file(checkout, "catalog.toml"), 'question = "', 'quetion = "')
    spoil(company_file(checkout, "textos.toml"), "[handoff.stale]", "[handoff.stele]")
    spoil(company_file(checkout, "exemplos.md"), "# coleta", "# coletas")
    company_file(checkout, "packages/SERVICES.md").unlink()
    (checkout / ".env").write_text("COMPANY=neutra\nTURNS_PERHOUR=3\nLLM_RETRY_MAX=99\n", "utf-8")

    found = "\n".join(mistakes(checkout))

    for part in (
        "catalog.toml: fields[1]",
        "did you mean 'question'?",
        "textos.toml: handoff.stale: closed is missing",
        "exemplos.md: `# coletas` is no agent",
        "packages/SERVICES.md: is missing",
        ".env: TURNS_PERHOUR is no setting",
        ".env: LLM_RETRY_MAX must be a number",
    ):
        assert part in found


def test_a_model_that_a_cap_on_money_could_not_count_is_found(checkout: Path) -> None:
    (checkout / ".env").write_text("OPENAI_MODEL_TRIAGE=gpt-77\n", "utf-8")

    (finding,) = run_checks(checkout / "prompts", [COMPANY], checkout)

    assert (finding.path, finding.line) == (".env", 1)
    assert finding.what.startswith("OPENAI_MODEL_TRIAGE=gpt-77 has no price")


def test_a_finding_names_the_line_in_the_users_own_file(checkout: Path) -> None:
    path = company_file(checkout, "catalog.toml")
    line = next(n for n, text in enumerate(path.read_text("utf-8").splitlines(), 1) if text.startswith("scope = "))
    spoil(path, 'scope = "service"', 'scope = "servico"')

    (finding,) = run_checks(checkout / "prompts", [COMPANY], checkout)

    assert (finding.path, finding.line) == ("prompts/companies/neutra/catalog.toml", line)
    assert "not one of" in finding.what


def test_a_broken_file_is_one_mistake_and_no_traceback(checkout: Path) -> None:
    spoil(company_file(checkout, "catalog.toml"), "[company]", "[company")
    assert any("catalog.toml: cannot be read" in each for each in mistakes(checkout))


def test_an_unknown_company_names_those_that_are_there(checkout: Path) -> None:
    (told,) = run_checks(checkout / "prompts", ["padaria"], checkout)
    assert "there is no such company" in told.what
    assert COMPANY in told.mend


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("catalog.toml", 'package = "PRICES_POLICY"', 'package = "PRECOS"', "names 'PRECOS', which is no package"),
        ("packages/PRICES_POLICY.md", "O orçamento é gratuito", "Custa R$ 90,00", "states an amount, and [prices]"),
        (
            "textos.toml",
            "equipe@casaemordem.example",
            "vendas@outra.example",
            "vendas@outra.example stands in no package",
        ),
        ("textos.toml", 'disabled = "', 'disabled = "Já chamei uma pessoa. ', "promises a person, and there is none"),
        ("textos.toml", "volta {quando}", "volta logo", "does not say when"),
        ("exemplos.md", '{"s":99,', '{"s":77,', "unknown_code"),
        (
            "exemplos.md",
            "Prazer, Marina.",
            "Prazer, Marina. Sai por R$ 50,00.",
            "states R$ 50,00, and [prices] amounts is false",
        ),
        (
            "exemplos.md",
            '"service":"instalacao_ar"',
            '"service":"instalacao_gas"',
            "names the service 'instalacao_gas'",
        ),
    ],
    ids=lambda value: value[:30],
)
def test_what_contradicts_itself_is_told(checkout: Path, file: str, old: str, new: str, told: str) -> None:
    spoil(company_file(checkout, file), old, new)
    assert any(told in each for each in mistakes(checkout))


def test_the_line_about_hours_says_when_in_every_language(checkout: Path) -> None:
    spoil(company_file(checkout, "textos.toml"), "will be back on {quando}", "will be back")
    assert any("hours_line_en: closed does not say when" in each for each in mistakes(checkout))


def test_a_name_that_the_guard_would_answer_must_be_a_neutral_word(checkout: Path) -> None:
    spoil(
        company_file(checkout, "catalog.toml"),
        'synonyms = ["outros"]',
        'synonyms = ["falar com um atendente"]',
    )
    assert any("would be answered by the guard as human-request" in each for each in mistakes(checkout))


def test_hours_that_contradict_the_package_are_worth_a_look(checkout: Path) -> None:
    spoil(company_file(checkout, "packages/COMPANY_INFO.md"), "segunda a quinta das 8h", "segunda a quinta das 7h")
    (warning,) = [each for each in run_checks(checkout / "prompts", [COMPANY], checkout) if each.is_warning]
    assert "says 7h" in warning.what


def test_a_default_that_the_template_does_not_share_is_told(checkout: Path) -> None:
    spoil(checkout / "template.yaml", "Default: laboratorio", "Default: outra")
    assert [each.path for each in check_settings(checkout)] == ["template.yaml"]


def test_a_company_without_answers_of_the_guard_is_warned(checkout: Path) -> None:
    texts = company_file(checkout, "textos.toml")
    before, after = texts.read_text("utf-8").split("[guard]\n")
    texts.write_text(before + after[after.index("\n[") + 1 :], encoding="utf-8")

    (warning,) = [each for each in run_checks(checkout / "prompts", [COMPANY], checkout) if each.is_warning]
    assert "angry customers" in warning.what


def test_the_status_follows_mistakes_and_not_warnings(capsys: pytest.CaptureFixture[str], checkout: Path) -> None:
    assert report(run_checks(checkout / "prompts", [COMPANY], checkout), [COMPANY], seconds=0.1) == 0
    company_file(checkout, "textos.toml").unlink()
    assert report(run_checks(checkout / "prompts", [COMPANY], checkout), [COMPANY], seconds=0.1) == 1
    assert "textos.toml:1: is missing" in capsys.readouterr().err
