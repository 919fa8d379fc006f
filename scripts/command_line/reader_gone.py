"""`command | head`: whoever reads may leave when they have seen enough, and that is no failure."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nobody_may_read() -> Iterator[None]:
    """What is printed within may be cut by its reader: the rest of it is left out, and nothing is raised."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """From now on nothing is written, or the interpreter would complain as it leaves."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
