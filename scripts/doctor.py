"""Ask whether each setting of a deployment works (see --help)."""

from __future__ import annotations

import sys

import checkout_path  # noqa: F401
from doctor_checks.command import main

if __name__ == "__main__":
    sys.exit(main())
