"""Plays cases through the real desk and says which of its musts fail (see --help and docs/evaluation.md)."""

from __future__ import annotations

import logging
import sys

import checkout_path  # noqa: F401
from evaluation_tools.command import main

if __name__ == "__main__":
    logging.disable()  # what the desk logs of each turn; the report says what came of it
    sys.exit(main())
