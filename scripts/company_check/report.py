"""Runs the checks and prints what they found, the worst first."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from .company import check_company
from .findings import Finding
from .settings import check_settings


def run_checks(prompts_dir: Path, companies: Iterable[str], root: Path, *, settings: bool = True) -> list[Finding]:
    """All findings, mistakes before warnings, each kind in the order of files and lines."""
    found = list(check_settings(root)) if settings else []
    for company in companies:
        found += check_company(prompts_dir, company, root)
    unique = {(each.path, each.line, each.what): each for each in found}
    return sorted(unique.values(), key=lambda each: (each.is_warning, each.path, each.line, each.what))


def report(found: Sequence[Finding], companies: Sequence[str], *, seconds: float) -> int:
    """Prints them; 1 when there is a mistake, 0 when there are warnings at most."""
    mistakes = [each for each in found if not each.is_warning]
    for each in found:
        print(each, file=sys.stderr)
    warnings = len(found) - len(mistakes)
    checked = (
        f"{len(companies)} compan{'y' if len(companies) == 1 else 'ies'} ({', '.join(companies)}), {seconds:.1f} s"
    )
    if not mistakes:
        print(f"check: fine, {warnings} warning{'' if warnings == 1 else 's'}; {checked}")
        return 0
    print(f"check: {len(mistakes)} mistake(s), {warnings} warning(s); {checked}", file=sys.stderr)
    return 1
