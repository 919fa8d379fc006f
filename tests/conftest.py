"""Two efforts: what every change runs, and with `-m thorough` what CI runs besides.

Tables marked `thorough` are whole there and sampled in the other; every property meets many examples there, few here.
Both meet the same examples every time, so that a change is judged by what it changed; `make fuzz` looks for new ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from tests.effort import FEW, MANY
from tests.neutral_company import copy_prompts

THOROUGH, FUZZ = "thorough", "fuzz"


def pytest_configure(config: pytest.Config) -> None:
    # no deadline: how long an example takes says more of the machine's load than of the code
    settings.register_profile("few", max_examples=FEW, deadline=None, derandomize=True)
    settings.register_profile("many", max_examples=MANY, deadline=None, derandomize=True)
    settings.register_profile(FUZZ, max_examples=10 * MANY, deadline=None, print_blob=True)
    chosen = config.getoption("--hypothesis-profile")
    settings.load_profile(chosen or ("many" if config.option.markexpr == THOROUGH else "few"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A property is part of both."""
    if config.option.markexpr not in (THOROUGH, FUZZ):
        return
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(config.option.markexpr)


@pytest.fixture(scope="session")
def neutral_prompts_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A `PROMPTS_DIR` whose one company is `tests.neutral_company.COMPANY`, for what is built from an environment."""
    return copy_prompts(tmp_path_factory.mktemp("deployment") / "prompts")
