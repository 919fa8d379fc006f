"""`make check`: settings, template and every company's files, in seconds, without a stack (see --help)."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import checkout_path  # noqa: F401
from company_check.company import companies_in
from company_check.report import print_sizes, report, run_checks

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str] | None = None) -> int:
    """0 when nothing is wrong, 1 with every mistake, its line and its mend."""
    parser = argparse.ArgumentParser(
        prog="scripts/check.py",
        description="Finds every mistake in settings, template and companies at once, with file, line and mend.",
        epilog="Examples: make check · .venv/bin/python scripts/check.py --company petshop",
    )
    parser.add_argument("--company", action="append", metavar="ID", help="only this folder of prompts/companies")
    parser.add_argument("--prompts", type=Path, default=ROOT / "prompts", help="another folder of prompts")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    prompts_dir = options.prompts.resolve()
    companies = options.company or companies_in(prompts_dir)
    found = run_checks(prompts_dir, companies, ROOT)
    print_sizes(prompts_dir, companies)
    return report(found, companies, seconds=time.monotonic() - began)


if __name__ == "__main__":
    sys.exit(main())
