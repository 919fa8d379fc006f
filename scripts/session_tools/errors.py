"""What stops a command before it has done anything: a sentence that says what to do."""

from __future__ import annotations


class CommandError(Exception):
    """Wrong usage, or something that is not there."""
