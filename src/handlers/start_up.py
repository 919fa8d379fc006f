"""What a function does before its imports."""

from __future__ import annotations

import gc


def defer_garbage_collection() -> None:
    """A start makes some hundred thousand objects that live as long as the process. At Python's own pace, every 700,
    the collector would look through them over and over: a tenth of a cold start. An event leaves it nothing to collect.
    """
    gc.set_threshold(200_000)
