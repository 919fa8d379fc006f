"""What is held of one customer: export it, or erase it (see --help)."""

from __future__ import annotations

import sys

import checkout_path  # noqa: F401
from data_rights_tools.command import main

if __name__ == "__main__":
    sys.exit(main())
