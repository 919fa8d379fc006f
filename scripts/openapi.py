"""Writes what the attendants' API is, from the routes that serve it, to docs/attendants-openapi.json (see --help)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import checkout_path  # noqa: F401
from handlers.attending.description import describe

TARGET = Path(__file__).resolve().parent.parent / "docs" / "attendants-openapi.json"


def main(arguments: list[str] | None = None) -> int:
    """0; with `--check`, 1 when the file is not what is served."""
    parser = argparse.ArgumentParser(
        prog="scripts/openapi.py", description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file is not what is served")
    options = parser.parse_args(arguments)
    text = json.dumps(describe(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    if not options.check:
        TARGET.write_text(text, "utf-8")
        print(f"written: {TARGET.relative_to(Path.cwd()) if TARGET.is_relative_to(Path.cwd()) else TARGET}")
        return 0
    if TARGET.is_file() and TARGET.read_text("utf-8") == text:
        return 0
    print("docs/attendants-openapi.json is not what is served: .venv/bin/python scripts/openapi.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
