"""The company that COMPANY names, in the environment or in .env: whose conversations are played and shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.config.catalog_file import CATALOG_FILE, load_catalog
from core.config.mistakes import CompanyFilesError
from core.config.prompt_files import company_folder
from core.domain.catalogue.catalog import Catalog
from local_stack import local_settings
from local_stack.errors import StackError
from local_stack.places import ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenCompany:
    """Its name, its folder, and what it offers and asks."""

    id: str
    folder: Path
    catalog: Catalog


def chosen_company(prompts: Path = ROOT / "prompts", *, company: str = "") -> ChosenCompany:
    """The one that is named, else the one that this checkout is set to. Raises `StackError` when it cannot be read."""
    company = company or local_settings.chosen_company()
    try:
        folder = company_folder(prompts, company)
        return ChosenCompany(id=company, folder=folder, catalog=load_catalog(folder / CATALOG_FILE))
    except CompanyFilesError as error:
        raise StackError(str(error), next_step="name a company that is there, or correct its file") from error
