"""The doors take their dependencies from the run they are in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.doors import injected


@pytest.fixture(autouse=True)
def _doors() -> Iterator[None]:
    with injected():
        yield
