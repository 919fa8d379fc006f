"""One company's folder, with the engine's prompts beside it: every mistake of every file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from conversation.scenes import SCENES_FILE, read_scenes
from core.config.catalog_file import CATALOG_FILE, read_catalog
from core.config.prompt_files import COMPANIES, EXAMPLES_FILE, read_prompts
from core.domain.catalogue.catalog import Catalog
from core.domain.prompts import PromptSet

from .examples import check_examples
from .findings import Finding, findings_of, shown_path
from .fixtures import check_fixtures
from .prompt_sizes import CACHED_SHARE_LEAST, prompt_sizes
from .refused_texts import check_refused_texts
from .texts import check_texts
from .words import check_words

_COMPANY_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def companies_in(prompts_dir: Path) -> list[str]:
    """The folders that are there, by name."""
    return sorted(path.name for path in (prompts_dir / COMPANIES).glob("*") if path.is_dir())


def no_such_company(company: str, prompts_dir: Path, *, path: str, line: int) -> Finding:
    """Where a company was named that has no folder."""
    return Finding(
        path=path,
        line=line,
        what=f"COMPANY={company}: there is no such company",
        mend=f"one of {', '.join(companies_in(prompts_dir)) or 'none'}, or make it: scripts/new_company.py",
    )


def check_company(prompts_dir: Path, company: str, root: Path) -> Iterator[Finding]:
    """Everything that is wrong with a company, and what is worth a look."""
    folder = prompts_dir / COMPANIES / company
    if not folder.is_dir() or not _COMPANY_ID.fullmatch(company):
        yield no_such_company(company, prompts_dir, path=shown_path(folder, root), line=1)
        return
    catalog, mistakes = read_catalog(folder / CATALOG_FILE)
    prompts, more = read_prompts(prompts_dir, folder, catalog)
    yield from findings_of([*mistakes, *more], (folder, prompts_dir), root)
    if catalog is None:
        return
    if (folder / SCENES_FILE).is_file():
        yield from findings_of(read_scenes(folder, catalog)[1], (folder,), root)
    yield from check_fixtures(company, root, catalog)
    shown = shown_path(folder / CATALOG_FILE, root)
    yield from check_words(shown, (folder / CATALOG_FILE).read_text("utf-8"), catalog)
    packages = "\n".join(path.read_text("utf-8") for path in sorted((folder / "packages").glob("*.md")))
    if (examples := folder / EXAMPLES_FILE).is_file():
        yield from check_examples(examples, shown_path(examples, root), catalog, packages)
    if prompts is not None:
        yield from check_texts(folder, root, catalog, prompts)
        yield from check_refused_texts(folder, root, catalog, prompts)
        yield from _sizes(shown, catalog, prompts)


def _sizes(shown: str, catalog: Catalog, prompts: PromptSet) -> Iterator[Finding]:
    for each in prompt_sizes(prompts, catalog):
        if each.cached_share < CACHED_SHARE_LEAST:
            what = f"{each.agent}: only {each.cached_share:.0%} of what precedes the history can be cached"
            mend = "shorten max_length of text fields: what is known of a customer is read anew with every call"
            yield Finding(path=shown, line=1, what=what, mend=mend, is_warning=True)
