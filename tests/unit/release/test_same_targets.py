"""CI and pre-commit run what people run: targets of the Makefile, programs of the same environment."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_workflow_calls_make_and_nothing_else() -> None:
    (job,) = read(".github/workflows/checks.yml")["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make ${{ matrix.target }}"]
    called = {
        each for found in re.findall(r"\[.*?\]", job["strategy"]["matrix"]["target"]) for each in json.loads(found)
    }
    assert called == {"test", "test-all", "validate", "demo", "e2e", "audit"}
    assert called <= TARGETS


def test_the_workflow_may_only_read() -> None:
    workflow = read(".github/workflows/checks.yml")
    assert workflow["permissions"] == {"contents": "read"}
    assert all(re.search(r"@v\d+$", step["uses"]) for step in workflow["jobs"]["make"]["steps"] if "uses" in step)


def test_hooks_run_programs_of_the_projects_own_environment() -> None:
    (repo,) = read(".pre-commit-config.yaml")["repos"]
    assert repo["repo"] == "local"
    for hook in repo["hooks"]:
        words = hook["entry"].removeprefix("env PYTHONPATH=src ").split()
        assert words[0].startswith(".venv/bin/")
        assert all((ROOT / word).is_file() for word in words if word.startswith("scripts/"))


def test_every_tool_that_make_lint_runs_is_a_hook() -> None:
    lint = MAKEFILE.partition("\nlint:")[2].partition("\n\n")[0]
    tools = set(re.findall(r"\$\(VENV\)/bin/(\S+(?: check| format)?)", lint))
    entries = " ".join(hook["entry"] for hook in read(".pre-commit-config.yaml")["repos"][0]["hooks"])
    assert {tool for tool in tools if tool not in entries} == set()


def test_every_lock_is_made_by_make_lock() -> None:
    tools = {path.stem for path in (ROOT / "requirements").glob("*.in")}
    assert tools == set(re.findall(r"for tool in ([a-z ]+);", MAKEFILE)[0].split())
