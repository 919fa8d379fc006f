"""Put items of a restored table back into the one that serves (see --help)."""

from __future__ import annotations

import sys

import checkout_path  # noqa: F401
from restoring.command import main

if __name__ == "__main__":
    sys.exit(main())
