"""Every call to the outside fails, before it happened and after: the same holds as when the process dies there."""

from __future__ import annotations

import pytest

from tests.effort import first_of_each
from tests.faults.failing import REFUSING, Fault
from tests.faults.scenes import SCENES, Scene
from tests.faults.trial import fail
from tests.faults.world import Statuses

# Scene, call, its name, and what happens to it.
EVERY_STEP = [
    (scene, at, step, fault)
    for scene in SCENES
    for at, step in enumerate(scene.steps, start=1)
    for fault in Fault
    if fault is not Fault.REFUSED or step.split("-")[0] in REFUSING
]
# Every call with every fault, in one of the scenes that make it.
A_KIND_OF_STEP = first_of_each(EVERY_STEP, lambda case: case[2:])
IDS = {"ids": lambda value: value.name if isinstance(value, Scene) else None}
REPORTED = (Statuses.AFTER, Statuses.WITHHELD)


@pytest.mark.parametrize(
    ("scene", "at", "step", "fault", "statuses"),
    [(*case, REPORTED[n // len(Fault) % len(REPORTED)]) for n, case in enumerate(A_KIND_OF_STEP)],
    **IDS,
)
def test_a_failure_of_any_kind_of_call_loses_nothing(
    scene: Scene, at: int, step: str, fault: Fault, statuses: Statuses
) -> None:
    assert fail(scene, at, fault, statuses).found == ()


@pytest.mark.thorough
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
@pytest.mark.parametrize("fault", Fault)
def test_nothing_is_lost_and_nothing_said_twice(scene: Scene, fault: Fault) -> None:
    for at, step in enumerate(scene.steps, start=1):
        for statuses in REPORTED:
            assert fail(scene, at, fault, statuses).found == (), f"{step}, statuses {statuses}"
