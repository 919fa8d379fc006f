"""Every call to the outside fails, before it happened and after: the same holds as when the process dies there."""

from __future__ import annotations

import pytest

from tests.faults.failing import Fault
from tests.faults.scenes import SCENES, Scene
from tests.faults.trial import fail
from tests.faults.world import Statuses

EVERY_STEP = [
    pytest.param(scene, at, fault, id=f"{scene.name}-{fault}-{step}")
    for scene in SCENES
    for at, step in enumerate(scene.steps, start=1)
    for fault in Fault
]


@pytest.mark.parametrize(("scene", "at", "fault"), EVERY_STEP)
def test_nothing_is_lost_and_nothing_said_twice(scene: Scene, at: int, fault: Fault) -> None:
    for statuses in (Statuses.AFTER, Statuses.WITHHELD):
        assert fail(scene, at, fault, statuses).found == (), f"statuses {statuses}"
