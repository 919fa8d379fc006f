"""The project's own catalogue and prompts, read once: what production reads, so no test describes another company."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.config.catalog_file import load_catalog
from core.config.prompt_files import load_prompts
from core.domain.catalogue.catalog import Catalog
from core.domain.prompts import PromptSet

PROMPTS_DIR = Path(__file__).resolve().parents[1] / "prompts"
COMPANY_DIR = PROMPTS_DIR / "companies" / "laboratorio"


@cache
def catalog() -> Catalog:
    return load_catalog(COMPANY_DIR / "catalog.toml")


@cache
def prompts() -> PromptSet:
    return load_prompts(PROMPTS_DIR, COMPANY_DIR, catalog())
