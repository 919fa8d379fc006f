"""The process dies before and after every call to the outside: nothing is lost, nothing said twice, people are told."""

from __future__ import annotations

import pytest

from tests.faults.killing import MOMENTS, Moment
from tests.faults.scenes import SCENES, Scene
from tests.faults.trial import kill, undisturbed
from tests.faults.world import REPORTS

EVERY_STEP = [
    pytest.param(scene, at, moment, id=f"{scene.name}-{moment}-{step}")
    for scene in SCENES
    for at, step in enumerate(scene.steps, start=1)
    for moment in MOMENTS
]


@pytest.mark.parametrize(("scene", "at", "moment"), EVERY_STEP)
def test_nothing_is_lost_and_nothing_said_twice(scene: Scene, at: int, moment: Moment) -> None:
    for statuses in REPORTS:
        assert kill(scene, at, moment, statuses).found == (), f"statuses {statuses}"


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_undisturbed_every_text_comes_once_even_where_no_status_comes(scene: Scene) -> None:
    for statuses in REPORTS:
        assert undisturbed(scene, statuses).found == (), f"statuses {statuses}"


def test_a_turn_makes_only_the_calls_that_it_needs() -> None:
    steps = {scene.name: scene.steps for scene in SCENES}
    assert steps["normal"] == ("read", "mark_read", "model", "commit", "send", "record_outcome")
    assert steps["raw-body"] == ("record", *steps["normal"])
    assert steps["door"] == ("record", "enqueue")
