"""The process dies before and after every call to the outside: nothing is lost, nothing said twice, people are told."""

from __future__ import annotations

import pytest

from tests.effort import first_of_each
from tests.faults.killing import MOMENTS, Moment
from tests.faults.scenes import SCENES, Scene
from tests.faults.trial import kill, undisturbed
from tests.faults.world import REPORTS, Statuses

# Scene, call, its name, and on which side of it the process dies.
EVERY_STEP = [
    (scene, at, step, moment) for scene in SCENES for at, step in enumerate(scene.steps, start=1) for moment in MOMENTS
]
# Every call before and after, in one of the scenes that make it, with statuses of each kind in turn.
A_KIND_OF_STEP = first_of_each(EVERY_STEP, lambda case: case[2:])
IDS = {"ids": lambda value: value.name if isinstance(value, Scene) else None}


@pytest.mark.parametrize(
    ("scene", "at", "step", "moment", "statuses"),
    [(*case, REPORTS[n // 2 % len(REPORTS)]) for n, case in enumerate(A_KIND_OF_STEP)],
    **IDS,
)
def test_a_death_at_any_kind_of_call_loses_nothing(
    scene: Scene, at: int, step: str, moment: Moment, statuses: Statuses
) -> None:
    assert kill(scene, at, moment, statuses).found == ()


@pytest.mark.thorough
@pytest.mark.parametrize(("scene", "at", "step", "moment"), EVERY_STEP, **IDS)
def test_nothing_is_lost_and_nothing_said_twice(scene: Scene, at: int, step: str, moment: Moment) -> None:
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
