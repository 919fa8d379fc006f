"""Every company of `prompts/companies`, found and not listed: one that is added is checked from its first day."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from core.config.catalog_file import CATALOG_FILE, load_catalog
from core.config.prompt_files import COMPANIES, load_prompts
from core.domain.catalogue.catalog import Catalog
from core.domain.prompts import PromptSet
from tests.template_file import ROOT

PROMPTS_DIR = ROOT / "prompts"
NAMES = tuple(sorted(path.name for path in (PROMPTS_DIR / COMPANIES).iterdir() if path.is_dir()))


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyFiles:
    """A company as a deployment reads it."""

    name: str
    prompts_dir: Path
    folder: Path
    catalog: Catalog = field(repr=False)
    prompts: PromptSet = field(repr=False)

    def file(self, name: str) -> str:
        """A file as a failed test names it: a path that can be opened."""
        path = self.folder / name
        return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else f"{self.name}/{name}"


def read_company(prompts_dir: Path, name: str) -> CompanyFiles:
    """Raises what the start of a function would raise, with every mistake."""
    folder = prompts_dir / COMPANIES / name
    catalog = load_catalog(folder / CATALOG_FILE)
    prompts = load_prompts(prompts_dir, folder, catalog)
    return CompanyFiles(name=name, prompts_dir=prompts_dir, folder=folder, catalog=catalog, prompts=prompts)
