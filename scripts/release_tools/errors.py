"""Why a command about the locked packages could not be done."""

from __future__ import annotations


class ReleaseError(Exception):
    """What failed, and after "next:" what to do; printed as it is."""
