"""The demo's conversations, recorded once for all tests of replays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from replay.reporting.summary import Gathering, Summary
from replay.running.plan import RunPlan
from replay.running.pool import run
from replay.session_file.reader import SessionFile
from tests.replay.scene_recording import laboratory, recorded_desk, write_recording
from tests.shipped_companies import PROMPTS_DIR

Replay = Callable[..., Summary]


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session file of the laboratory's scenes."""
    return write_recording(tmp_path_factory.mktemp("sessions") / "demo.jsonl", recorded_desk(laboratory()))


@pytest.fixture
def replay(recording: Path) -> Replay:
    """Plays the recording, or the file given, in this process."""

    def play(path: Path | None = None, *, effect: float = 0.08, **plan: Any) -> Summary:
        file = SessionFile(path or recording)
        asked = RunPlan(prompts_dir=plan.pop("prompts_dir", PROMPTS_DIR), **plan)
        gathering = Gathering(is_live=asked.is_live, has_baseline=asked.baseline is not None, effect=effect)
        return gathering.take(run(file, asked, jobs=1)).summary()

    return play


def words(summary: Summary) -> Sequence[str]:
    """Every group, as `aspect: change`."""
    return [f"{group.aspect}: {group.words}" for group in summary.groups]
