"""Start, stop and look at the local stack (see --help)."""

from __future__ import annotations

import sys

import checkout_path  # noqa: F401
from local_stack.cli import main

if __name__ == "__main__":
    sys.exit(main())
