"""Deploy to AWS with the settings of .env (see --help)."""

from __future__ import annotations

import sys

import checkout_path  # noqa: F401
from deployment.command import main

if __name__ == "__main__":
    sys.exit(main())
