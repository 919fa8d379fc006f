"""What a function does before its imports."""

from __future__ import annotations

import gc
import os
import sys

_BUNDLE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 - pathlib is not imported yet
_MACHINES = {"aarch64": "arm64"}


def prepare(bundle: str = _BUNDLE) -> None:
    """Raises `ImportError` for a bundle that was made for another Python or machine: it says so, and which.

    A start makes some hundred thousand objects that live as long as the process. At Python's own pace, every 700, the
    collector would look through them over and over: a tenth of a cold start. An event leaves it nothing to collect.
    """
    gc.set_threshold(200_000)
    try:
        with open(f"{bundle}/bundle_target", encoding="utf-8") as file:  # noqa: PTH123 - as above
            made_for = file.read().strip()
    except FileNotFoundError:
        return  # a checkout
    machine = os.uname().machine
    ours = f"python{sys.version_info.major}.{sys.version_info.minor} {_MACHINES.get(machine, machine)}"
    if made_for != ours:
        raise ImportError(
            f"this bundle was made for {made_for}, and the function is {ours}: build and deploy with the same "
            "LambdaRuntime and LambdaArchitecture"
        )
