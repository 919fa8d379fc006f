"""What somebody edits is named by the replay of sessions that it touches, and a text alone is not."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.application import process_message_use_case
from core.application.actions import code_effects
from core.application.parser import ParsedLLMResponse, parse_llm_response
from core.domain.actions import ActionCode
from core.domain.guard import detectors
from core.domain.guard.phrases import RuleIndex
from replay.reporting.summary import Exit
from tests.shipped_companies import PROMPTS_DIR
from tests.unit.replay.conftest import Replay, words

CATALOG, TEXTS = "companies/laboratorio/catalog.toml", "companies/laboratorio/textos.toml"


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    """A copy of the prompts that a test may edit."""
    return Path(shutil.copytree(PROMPTS_DIR, tmp_path / "prompts"))


def edit(file: Path, before: str, after: str) -> None:
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")


@pytest.mark.parametrize("carry", [False, True], ids=["pinned", "carry"])
def test_what_nobody_edited_changes_nothing(replay: Replay, carry: bool) -> None:
    summary = replay(carry=carry)

    assert (summary.exit, summary.groups, summary.drifted) == (Exit.CLEAN, (), 0)
    assert summary.counts == {"same": summary.sessions}
    assert summary.sessions >= 8


def test_a_field_that_is_taken_out_of_the_catalogue_is_named(replay: Replay, prompts: Path) -> None:
    catalog = prompts / CATALOG
    text = catalog.read_text("utf-8")
    start = text.index('[[fields]]\nid = "parametros"')
    text = text[:start] + text[text.index("[[fields]]", start + 10) :]
    catalog.write_text(text.replace('"parametros", ', ""), "utf-8")

    summary = replay(prompts_dir=prompts)

    assert summary.exit is Exit.REGRESSION
    assert any("−parametros" in each for each in words(summary))


def test_a_synonym_that_is_lost_is_named(replay: Replay, prompts: Path) -> None:
    edit(prompts / CATALOG, '"sítio", ', "")

    summary = replay(prompts_dir=prompts)

    assert summary.exit is Exit.REGRESSION
    (group,) = summary.groups
    assert len(group.sessions) == 1
    differences = summary.changed[0]["turns"][0]["differences"]
    assert "segment agronegocio → nothing" in [each["words"] for each in differences]


def test_a_rule_of_the_guard_that_is_removed_is_named(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    index, nothing = detectors.rule_index, RuleIndex(())
    monkeypatch.setattr(
        detectors, "rule_index", lambda detector: nothing if detector == detectors.HUMAN_REQUEST else index(detector)
    )

    summary = replay()

    assert summary.exit is Exit.REGRESSION
    (found,) = [each for each in _differences(summary.changed[0]) if each["aspect"] == "guard"]
    assert found["words"] == f"{found['before']['kind']} by {found['before']['rule']} → nothing"


def test_a_parser_that_becomes_lenient_is_named(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    def lenient(raw: str) -> ParsedLLMResponse:
        return parse_llm_response(raw[raw.index("{") :].replace("\n```\n", "", 1))

    monkeypatch.setattr(process_message_use_case, "parse_llm_response", lenient)

    assert words(replay()) == ["checks: repair local → nothing"]


def test_a_code_that_does_something_else_is_named(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = {**code_effects._EFFECTS, ActionCode.ADVANCE: code_effects._EFFECTS[ActionCode.CONTINUE]}
    monkeypatch.setattr(code_effects, "_EFFECTS", changed)

    summary = replay()

    assert summary.exit is Exit.REGRESSION
    assert any(group.aspect in ("stage", "handoff", "code") for group in summary.groups)


def test_a_text_that_is_worded_otherwise_passes(replay: Replay, prompts: Path) -> None:
    edit(prompts / TEXTS, "uma pessoa", "alguém")

    summary = replay(prompts_dir=prompts)

    assert summary.exit is Exit.CLEAN
    assert summary.counts["text"] >= 1
    assert summary.verdict == "nothing changed but texts"


def test_a_prompt_that_is_worded_otherwise_is_drift_and_no_regression(replay: Replay, prompts: Path) -> None:
    edit(prompts / "contract.md", "JSON", "Json")

    summary = replay(prompts_dir=prompts)

    assert summary.exit is Exit.CLEAN
    assert summary.drifted >= 1


def test_a_recorded_call_that_nobody_makes_any_more_is_named(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    effects = code_effects._EFFECTS
    monkeypatch.setattr(code_effects, "_EFFECTS", {**effects, ActionCode.CONTEXT: effects[ActionCode.CONTINUE]})

    found = [each["words"] for result in replay().changed for each in _differences(result)]

    assert any("unused: context_round 1" in each for each in found)


def _differences(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for turn in result["turns"] for each in turn.get("differences", ())]
