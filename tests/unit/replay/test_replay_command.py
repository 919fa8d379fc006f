"""`scripts/replay.py` as people type it: exit codes, accepted changes, rules, lanes, and a run that goes on."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.domain.llm import LLMCallResult
from core.domain.prompts import PromptSet
from replay.running import pool
from session_tools import models, replay_command
from tests.fakes.llm_client import result_of
from tests.fakes.stand_in_model import StandInModel
from tests.shipped_companies import PROMPTS_DIR

ROOT = PROMPTS_DIR.parent
Command = Callable[..., int]


@pytest.fixture
def command(recording: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs it on the recording."""
    monkeypatch.setattr(replay_command.logging, "disable", lambda _level: None)
    return lambda *more: replay_command.main([str(recording), *map(str, more)])


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    """Prompts in which a synonym is lost that one session needs."""
    copy = Path(shutil.copytree(PROMPTS_DIR, tmp_path / "prompts"))
    catalog = copy / "companies/laboratorio/catalog.toml"
    catalog.write_text(catalog.read_text("utf-8").replace('"sítio", ', ""), "utf-8")
    return copy


def cut_after_first_session(path: Path, into: Path) -> None:
    """A whole file of one session."""
    *lines, end = path.read_text("utf-8").splitlines(keepends=True)
    types = [json.loads(line)["type"] for line in lines]
    kept = types.index("session", types.index("session") + 1)
    text = "".join(lines[:kept])
    proof = {"counts": Counter(types[:kept]), "sha256": hashlib.sha256(text.encode()).hexdigest()}
    into.write_text(text + json.dumps({**json.loads(end), **proof}, separators=(",", ":")) + "\n", "utf-8")


def groups_of(out: Path) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = json.loads((out / "replay.json").read_text("utf-8"))["groups"]
    return found


def test_help_has_examples_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        replay_command.main(["--help"])

    told = capsys.readouterr().out
    assert "examples:" in told
    assert "0 clean · 1 regression · 2 usage, or a file that can't be read · 3 inconclusive · 4 incomplete" in told


def test_nothing_changed_is_0_and_something_is_1_with_what_to_do(
    command: Command, prompts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command() == 0
    assert command("--prompts", prompts) == 1
    assert "Next: the same with --out" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--model", "live"], "--budget-usd 2"),
        (["--model", "live", "--budget-usd", "1"], "OPENAI_API_KEY"),
        (["--provider", "stub"], "add --model live"),
        (["--model", "live", "--budget-usd", "1", "--provider", "gemini"], "is none of: openai"),
        (["--model", "live", "--budget-usd", "1", "--provider", "anthropic"], "ANTHROPIC_MODEL_TRIAGE is not set"),
        (["--from", "3"], "--model live or --model local"),
        (["--repeat", "2"], "add --baseline DIR"),
        (["--baseline", "/nowhere"], "git worktree add"),
        (["--company", "nenhuma"], "name the company with --company"),
        (["--accept", "/nowhere.toml"], "/nowhere.toml"),
        (["--prompts", "/nowhere"], "correct the file"),
    ],
)
def test_wrong_usage_is_2_and_says_what_to_do(
    command: Command,
    asked: Sequence[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    assert command(*asked) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.jsonl").write_text("oi")

    assert replay_command.main([str(tmp_path / "x.jsonl")]) == 2
    assert "scripts/export_sessions.py makes one" in capsys.readouterr().err


def test_a_change_that_somebody_accepted_fails_nothing_until_its_last_day(
    command: Command, prompts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, accepted = tmp_path / "out", tmp_path / "accepted.toml"
    assert command("--prompts", prompts, "--out", out) == 1
    turn = json.loads((out / "replay.json").read_text("utf-8"))["changed"][0]["turns"][0]
    rows = "".join(
        f'[[accept]]\naspect = "{each["aspect"]}"\nwords = "{each["words"]}"\nuntil = {{day}}\nreason = "r"\n'
        for each in turn["differences"]
    )

    accepted.write_text(rows.format(day="2100-01-01"), "utf-8")
    assert command("--prompts", prompts, "--accept", accepted) == 0

    accepted.write_text(rows.format(day="2001-01-01"), "utf-8")
    assert command("--prompts", prompts, "--accept", accepted) == 1
    assert "expired on 2001-01-01" in capsys.readouterr().out


def test_rules_say_what_counts_and_what_no_turn_may_do(command: Command, prompts: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    aspects = ["code", "stage", "fields", "guard", "handoff", "packages", "checks", "effects", "calls"]
    rules.write_text("[counts]\n" + "".join(f'{each} = "tell"\n' for each in aspects), "utf-8")
    assert command("--prompts", prompts, "--rules", rules) == 0

    rules.write_text('[[must]]\nname = "ninguém cai"\naspect = "handoff"\nnever = "^llm_timeout"\n', "utf-8")
    assert command("--rules", rules) == 1

    rules.write_text('[counts]\nnothing = "tell"\n', "utf-8")
    assert command("--rules", rules) == 2


def test_a_run_that_was_stopped_goes_on_where_it_was(
    command: Command, recording: Path, prompts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []
    play = pool._play

    def counted(index: int, lines: list[str]) -> Any:
        played.append(index)
        if len(played) == 4:
            raise KeyboardInterrupt
        return play(index, lines)

    monkeypatch.setattr(pool, "_play", counted)
    out = tmp_path / "out"
    assert command("--out", out) == 130
    assert command("--out", out) == 0
    assert sorted(played) == sorted([*range(9), 3])

    assert command("--out", out) == 0
    assert len(played) == 10

    assert command("--out", out, "--prompts", prompts) == 1  # something else was asked: all of it again
    assert len(played) == 19


def test_sessions_of_two_files_and_what_became_of_them_are_told_apart(
    command: Command, recording: Path, prompts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / recording.name  # another day's export, under the same name
    other.parent.mkdir()
    cut_after_first_session(recording, other)
    out = tmp_path / "out"

    assert command(other, "--prompts", prompts, "--out", out) == 1

    plain = json.loads((out / "replay.json").read_text("utf-8"))
    ids = [each for group in plain["groups"] for each in group["sessions"]]
    assert {each.partition(":")[0] for each in ids} <= {"demo", "demo-2"}
    assert len(ids) == len(set(ids))
    monkeypatch.setattr(pool, "_play", lambda *_: pytest.fail("played again"))
    assert command(other, "--prompts", prompts, "--out", out) == 1
    assert len(list(out.glob("demo-*.progress.jsonl"))) == 2


def test_a_reader_who_leaves_early_changes_no_verdict(recording: Path) -> None:
    script = ROOT / "scripts/replay.py"
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(  # noqa: S603 -- our own command
        [sys.executable, script, recording], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_other_code_gave_is_no_result_of_this_one(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert command("--out", out) == 0
    monkeypatch.setattr(replay_command, "code_mark", lambda: "of other code")
    monkeypatch.setattr(pool, "_play", lambda *_: pytest.fail("played"))
    with pytest.raises(pytest.fail.Exception):
        command("--out", out)


def test_a_rule_or_a_line_of_code_that_changes_is_other_code(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    marks = set()
    for name, text in (("a.py", "x = 1"), ("a.py", "x = 2"), ("rules.toml", "x = 1"), ("notes.md", "x")):
        (tmp_path / "core" / name).write_text(text)
        marks.add(replay_command.code_mark(tmp_path))
    assert len(marks) == 3


def test_several_processes_come_to_the_same(command: Command, prompts: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"

    assert command("--prompts", prompts, "--out", one) == command("--prompts", prompts, "--out", two, "--jobs", 2) == 1
    assert (one / "replay.json").read_text("utf-8") == (two / "replay.json").read_text("utf-8")


def test_a_model_without_a_baseline_is_inconclusive_where_something_changed(command: Command) -> None:
    assert command("--model", "local") == 3


def test_the_recording_is_played_up_to_the_turn_from_which_a_model_is_asked(command: Command, tmp_path: Path) -> None:
    assert command("--model", "local", "--from", 2, "--out", tmp_path) in (0, 3)
    assert all(
        turn["number"] > 1
        for result in json.loads((tmp_path / "replay.json").read_text("utf-8"))["changed"]
        for turn in result["turns"]
        if turn.get("differences")
    )


def test_too_few_pairs_are_inconclusive_and_say_what_they_could_have_seen(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--model", "local", "--baseline", PROMPTS_DIR) == 3

    told = capsys.readouterr().out
    assert "the smallest effect that so many sessions show four times in five" in told
    assert "too few sessions" in told


def test_another_provider_is_asked_in_the_place_of_the_file_s(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--model", "live", "--provider", "stub", "--budget-usd", 1) == 3
    assert "modelo de ensaio" in " ".join(capsys.readouterr().out.split())


class Refusing(StandInModel):
    """Answers nothing that can be read where its prompts are the candidate's."""

    def chat(self, *, model: str, messages: Sequence[dict[str, Any]], **rest: Any) -> LLMCallResult:
        return result_of("isto não é nada", model=model)


def test_a_candidate_that_is_worse_in_pairs_is_a_regression(
    command: Command,
    recording: Path,
    prompts: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (prompts / "lembrete.md").write_text("outro lembrete", "utf-8")

    def by_prompts(read: PromptSet) -> Any:
        return Refusing() if read.reminder == "outro lembrete" else StandInModel()

    monkeypatch.setitem(models.MODELS, "local", by_prompts)
    lanes = ("--model", "local", "--baseline", PROMPTS_DIR, "--prompts", prompts, "--repeat", 2)

    assert command(*lanes) == 3  # four sessions alone say nothing
    assert command(recording, *lanes) == 3  # nor do the same four given twice
    assert command(shutil.copy(recording, prompts / "more.jsonl"), *lanes) == 1
    assert "worse: 8 sessions fail only now, 0 failed only before (p 0.004)" in capsys.readouterr().out


def test_a_budget_that_is_spent_leaves_the_run_incomplete(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--model", "local", "--budget-calls", 3) == 4
    assert "raise --budget-calls" in capsys.readouterr().out
