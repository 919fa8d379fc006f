"""Two efforts: what every change runs, and with `-m thorough` what CI runs besides.

Tables marked `thorough` are whole there and sampled in the other; every property meets many examples there, few here.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.effort import FEW, MANY

THOROUGH = "thorough"


def pytest_configure(config: pytest.Config) -> None:
    settings.register_profile("few", max_examples=FEW)
    settings.register_profile("many", max_examples=MANY)
    settings.load_profile("many" if config.option.markexpr == THOROUGH else "few")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A property is part of both."""
    if config.option.markexpr != THOROUGH:
        return
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(THOROUGH)
