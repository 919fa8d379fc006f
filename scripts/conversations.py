"""Looks conversations up, redrives, pauses and resumes: what operators do by hand (see --help, docs/operations.md)."""

from __future__ import annotations

import sys

import checkout_path  # noqa: F401
from operator_tools.command import main

if __name__ == "__main__":
    sys.exit(main())
