"""Whoever breaks a table of the guard is told the file, the line and what is wrong, and not by a KeyError."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from company_check.report import run_checks
from core.domain.guard import detectors, lexicon, tables
from core.domain.guard.detectors import FRUSTRATION, fired
from core.domain.guard.phrases import Text
from core.domain.guard.tables import GuardTableError
from tests.shipped_companies import PROMPTS_DIR

ROOT = PROMPTS_DIR.parent
SHIPPED = Path(tables.__file__).parent
Change = Callable[[str, str, str], None]


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Change]:
    """Changes a copy of a table, from which the guard reads from then on."""
    for path in SHIPPED.glob("*.toml"):
        shutil.copy(path, tmp_path)
    words = (tables.read_table, lexicon.classes, lexicon.chances, lexicon.senses)
    cached = (*words, detectors.rules, detectors.rule_index)

    def forget() -> None:
        for each in cached:
            each.cache_clear()

    def change(name: str, old: str, new: str) -> None:
        path = tmp_path / f"{name}.toml"
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    forget()
    yield change
    forget()


def line_of(path: Path, written: str) -> int:
    return next(number for number, line in enumerate(path.read_text("utf-8").splitlines(), 1) if written in line)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("rules", '"<goods>"', '"<gods>"', "<gods> is no class of words.toml"),
        ("rules", 'unless = ["', 'unless = ["of_nobody", "', "of_nobody is none of [excuses]"),
        ("rules", "example = ", "exemple = ", "lacks its example"),
        ("rules", "anywhere = true", "anyhow = true", "has no key anyhow"),
        ("words", '"<attendant> ', '"<atendant> ', "<atendant> is no class of words.toml"),
    ],
)
def test_what_a_table_names_and_is_nowhere_is_told_with_file_and_line(
    changed: Change, name: str, old: str, new: str, told: str
) -> None:
    changed(name, old, new)
    with pytest.raises(GuardTableError) as error:
        list(fired(FRUSTRATION, Text("oi ")))
    said = str(error.value)
    assert said.startswith(f"{name}.toml, line ")
    assert said.endswith(told)


def test_the_line_is_the_one_where_the_word_at_fault_stands(changed: Change, tmp_path: Path) -> None:
    changed("rules", '"<goods>"', '"<gods>"')
    with pytest.raises(GuardTableError, match=rf"line {line_of(tmp_path / 'rules.toml', '<gods>')}:"):
        detectors.rules(FRUSTRATION)


def test_a_class_that_names_itself_is_told_and_not_followed_for_ever(changed: Change) -> None:
    changed("words", 'person = "', 'person = "<person> ')
    with pytest.raises(GuardTableError, match="<person> names itself"):
        lexicon.classes()


def test_a_file_that_is_no_toml_is_named(changed: Change) -> None:
    changed("rules", "[excuses.of_others]", "[excuses.of_others")
    with pytest.raises(GuardTableError, match=r"rules\.toml, line \d+: no TOML"):
        detectors.rules(FRUSTRATION)


def test_make_check_shows_it_like_any_other_mistake(changed: Change) -> None:
    changed("rules", '"<goods>"', '"<gods>"')
    (found,) = (each for each in run_checks(PROMPTS_DIR, ["petshop"], ROOT, settings=False) if "guard" in each.path)
    assert str(found).startswith("src/core/domain/guard/rules.toml:")
    assert "<gods> is no class of words.toml" in str(found)
