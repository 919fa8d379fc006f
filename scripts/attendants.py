"""Who may attend customers: add, list, remove (see --help)."""

from __future__ import annotations

import sys

import checkout_path  # noqa: F401
from attendant_tools.command import main

if __name__ == "__main__":
    sys.exit(main())
