"""The company that the environment names: whose conversations are played and shown."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.config.catalog_file import CatalogFileError, load_catalog
from core.config.prompt_files import CATALOG_FILE, PromptFilesError, company_folder
from core.config.settings import DEFAULT_COMPANY
from core.domain.catalogue.catalog import Catalog
from local_stack.errors import StackError
from local_stack.places import ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenCompany:
    """Its name, its folder, and what it offers and asks."""

    id: str
    folder: Path
    catalog: Catalog


def chosen_company(prompts: Path = ROOT / "prompts") -> ChosenCompany:
    """The one of COMPANY, or the default. Raises `StackError` for one that is not there or cannot be read."""
    company = os.environ.get("COMPANY") or DEFAULT_COMPANY
    try:
        folder = company_folder(prompts, company)
        return ChosenCompany(id=company, folder=folder, catalog=load_catalog(folder / CATALOG_FILE))
    except (PromptFilesError, CatalogFileError) as error:
        raise StackError(str(error), next_step="name a company that is there, or correct its file") from error
