"""The company of `tests/company`, read once: engine tests speak of it, so that a shipped company may change freely."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from core.config.catalog_file import load_catalog
from core.config.prompt_files import CATALOG_FILE, COMPANIES, load_prompts
from core.domain.catalogue.catalog import Catalog
from core.domain.prompts import PromptSet

PROMPTS_DIR = Path(__file__).resolve().parents[1] / "prompts"
COMPANY_DIR = Path(__file__).resolve().parent / "company"
COMPANY = "neutra"
"""The name by which a `PROMPTS_DIR` made by `copy_prompts` knows it."""


@cache
def catalog() -> Catalog:
    return load_catalog(COMPANY_DIR / CATALOG_FILE)


@cache
def prompts() -> PromptSet:
    return load_prompts(PROMPTS_DIR, COMPANY_DIR, catalog())


def copy_prompts(to: Path) -> Path:
    """A `PROMPTS_DIR` as a deployment has it: the engine's files, and no company but this one, as `COMPANY`."""
    shutil.copytree(PROMPTS_DIR, to, ignore=shutil.ignore_patterns(COMPANIES))
    shutil.copytree(COMPANY_DIR, to / COMPANIES / COMPANY)
    return to
