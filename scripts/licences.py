"""`make licences`: which licences the functions' bundles hold, as docs/licences.md (see --help)."""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
from pathlib import Path

import checkout_path  # noqa: F401
from release_tools.errors import ReleaseError
from release_tools.licences import licensed, read_rules, table_of
from release_tools.locks import locked_for_lambda

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "licences.md"


def main(arguments: list[str] | None = None) -> int:
    """0 when all is allowed; 1 with every package that is not, or with --check when the page is another's."""
    parser = argparse.ArgumentParser(
        prog="scripts/licences.py",
        description="Writes docs/licences.md from the metadata of the locked packages; refuses what is not allowed.",
        epilog="Examples: make licences · .venv/bin/python scripts/licences.py --check",
    )
    parser.add_argument("--check", action="store_true", help="write nothing: say whether the page is the lock's")
    options = parser.parse_args(arguments)
    try:
        page = current_page()
    except ReleaseError as error:
        print(f"licences: {error}", file=sys.stderr)
        return 1
    if options.check and (not PAGE.is_file() or PAGE.read_text("utf-8") != page):
        print(
            "licences: docs/licences.md is not what requirements/runtime.txt holds\nnext: make licences",
            file=sys.stderr,
        )
        return 1
    if not options.check:
        PAGE.write_text(page, "utf-8")
    print("licences: all are allowed; docs/licences.md says which")
    return 0


def current_page() -> str:
    """What docs/licences.md must say. Raises `ReleaseError`."""
    rules = read_rules(ROOT / "requirements" / "licences.toml")
    locked = locked_for_lambda(ROOT / "requirements" / "runtime.txt")
    return table_of(licensed(locked, rules, importlib.metadata.metadata), rules)


if __name__ == "__main__":
    sys.exit(main())
