"""Prompts, companies, codes, packages, texts and cases against each other, and how long prompts are (see --help)."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import checkout_path  # noqa: F401
from company_check.company import companies_in
from company_check.prompt_sizes import BYTES_PER_TOKEN
from company_check.report import print_sizes, report, run_checks

ROOT = Path(__file__).resolve().parents[1]
_EPILOG = f"""\
examples:
  .venv/bin/python scripts/lint_prompts.py
  .venv/bin/python scripts/lint_prompts.py --company petshop

Checked: each agent's prompt, contract.md and docs/contract.md name exactly the codes of the code; every example parses,
validates and does what its code says where its situation stands; examples, packages, fixed texts and questions say
nothing that the desk's checks refuse; cases and committed answers fit the catalogue. `make check` also checks settings.

Sizes: tokens are bytes of UTF-8 by {BYTES_PER_TOKEN}, of what precedes the conversation and never changes; the share is
what the provider's cache can keep of all that precedes the history, in the worst case.

exit codes: 0 nothing wrong, 1 a mistake
"""


def main(arguments: list[str] | None = None) -> int:
    """0 when nothing is wrong, 1 with every mistake, its line and its mend."""
    parser = argparse.ArgumentParser(
        prog="scripts/lint_prompts.py",
        description="Finds where prompts, companies, code table, packages, texts and cases do not agree.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--company", action="append", metavar="ID", help="only this folder of prompts/companies")
    parser.add_argument("--prompts", type=Path, default=ROOT / "prompts", help="another folder of prompts")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    prompts_dir = options.prompts.resolve()
    companies = options.company or companies_in(prompts_dir)
    found = run_checks(prompts_dir, companies, ROOT, settings=False)
    print_sizes(prompts_dir, companies)
    return report(found, companies, seconds=time.monotonic() - began, name="prompts")


if __name__ == "__main__":
    sys.exit(main())
