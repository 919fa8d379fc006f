"""Prints the figures: `PYTHONPATH=src python -m tests.answers`."""

from __future__ import annotations

import logging

from tests.answers.figures import count_customers, count_slips, count_texts

logging.disable()
for title, figures in (("slips", count_slips()), ("texts", count_texts()), ("customers", count_customers())):
    print(title)  # noqa: T201
    for name, share in sorted(figures.items()):
        print(f"  {name}: {share}")  # noqa: T201
