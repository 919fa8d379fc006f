"""Lock files as `uv pip compile` writes them: a pinned package a line, with its marker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement

# Lambda's: what is pinned for other systems is in no bundle.
_LAMBDA = {
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_python_implementation": "CPython",
    "python_version": "3.11",
    "python_full_version": "3.11.0",
}


def locked_for_lambda(lock: Path) -> Mapping[str, str]:
    """Versions by name."""
    environment = {**default_environment(), **_LAMBDA}
    lines = (line.strip() for line in lock.read_text("utf-8").splitlines())
    pinned = (Requirement(line) for line in lines if line and not line.startswith("#"))
    wanted = (each for each in pinned if each.marker is None or each.marker.evaluate(environment))
    return {each.name: str(each.specifier).removeprefix("==") for each in wanted}
