"""The report as one HTML file."""

from __future__ import annotations

from pathlib import Path

from replay.reporting.summary import Summary


def write_page(path: Path, summary: Summary) -> None:
    """Soon."""
