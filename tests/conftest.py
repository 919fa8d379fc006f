"""What tests of every room share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.neutral_company import copy_prompts


@pytest.fixture(scope="session")
def neutral_prompts_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A `PROMPTS_DIR` whose one company is `tests.neutral_company.COMPANY`, for what is built from an environment."""
    return copy_prompts(tmp_path_factory.mktemp("deployment") / "prompts")
