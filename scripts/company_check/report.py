"""Runs the checks and prints what they found, the worst first."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.config.catalog_file import CATALOG_FILE, read_catalog
from core.config.prompt_files import COMPANIES, read_prompts
from core.domain.guard.tables import GuardTableError

from .company import check_company
from .engine_prompts import check_engine_prompts
from .findings import Finding
from .prompt_sizes import prompt_sizes
from .settings import check_settings

_GUARD = "src/core/domain/guard"


def run_checks(
    prompts_dir: Path, companies: Iterable[str], root: Path, *, settings: bool = True, env_path: Path | None = None
) -> list[Finding]:
    """All findings, mistakes before warnings, each kind in the order of files and lines."""
    found = list(check_settings(root, env_path)) if settings else []
    found += check_engine_prompts(prompts_dir, root)
    try:
        for company in companies:
            found += check_company(prompts_dir, company, root)
    except GuardTableError as error:
        mend = "correct it: no company can be checked before"
        found.append(Finding(path=f"{_GUARD}/{error.file}", line=error.line, what=error.what, mend=mend))
    unique = {(each.path, each.line, each.what): each for each in found}
    return sorted(unique.values(), key=lambda each: (each.is_warning, each.path, each.line, each.what))


def report(found: Sequence[Finding], companies: Sequence[str], *, seconds: float, name: str = "check") -> int:
    """Prints them; 1 when there is a mistake, 0 when there are warnings at most."""
    mistakes = [each for each in found if not each.is_warning]
    for each in found:
        print(each, file=sys.stderr)
    warnings = len(found) - len(mistakes)
    checked = (
        f"{len(companies)} compan{'y' if len(companies) == 1 else 'ies'} ({', '.join(companies)}), {seconds:.1f} s"
    )
    if not mistakes:
        print(f"{name}: fine, {warnings} warning{'' if warnings == 1 else 's'}; {checked}")
        return 0
    print(f"{name}: {len(mistakes)} mistake(s), {warnings} warning(s); {checked}", file=sys.stderr)
    return 1


def print_sizes(prompts_dir: Path, companies: Iterable[str]) -> None:
    """How long each agent's prompt is, a line a company; nothing of one that cannot be read."""
    for company in companies:
        folder = prompts_dir / COMPANIES / company
        catalog, mistakes = read_catalog(folder / CATALOG_FILE)
        prompts, more = read_prompts(prompts_dir, folder, catalog)
        if catalog is None or prompts is None or mistakes or more:
            continue
        sizes = (
            f"{each.agent} ~{each.tokens} tokens, {each.cached_share:.0%} cacheable"
            for each in prompt_sizes(prompts, catalog)
        )
        print(f"{company}: {'; '.join(sizes)}")
