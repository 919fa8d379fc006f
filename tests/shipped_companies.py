"""Every company of `prompts/companies`, found and not listed: one that is added is checked from its first day."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.config.catalog_file import load_catalog
from core.config.prompt_files import CATALOG_FILE, COMPANIES, load_prompts
from core.domain.catalogue.catalog import Catalog
from core.domain.prompts import PromptSet

PROMPTS_DIR = Path(__file__).resolve().parents[1] / "prompts"
COMPANY_DIRS = tuple(sorted(path for path in (PROMPTS_DIR / COMPANIES).iterdir() if path.is_dir()))


@cache
def catalog_of(company_dir: Path) -> Catalog:
    return load_catalog(company_dir / CATALOG_FILE)


@cache
def prompts_of(company_dir: Path) -> PromptSet:
    return load_prompts(PROMPTS_DIR, company_dir, catalog_of(company_dir))
