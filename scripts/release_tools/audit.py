"""Known vulnerabilities of what the lock files pin, as pip-audit tells them.

A package of which the service says that it does not know it was not looked at: that is told, and is no all-clear.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ReleaseError

# stdout and exit status of pip-audit with these arguments; its stderr when it told nothing.
Run = Callable[[Sequence[str]], tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vulnerability:
    """Of one package in one lock; `fixed_in` is empty where no version is known to mend it."""

    lock: str
    package: str
    version: str
    id: str
    fixed_in: tuple[str, ...]

    def __str__(self) -> str:
        fixed = f"fixed in {', '.join(self.fixed_in)}" if self.fixed_in else "no version is known to mend it"
        return f"{self.lock}: {self.package} {self.version}: {self.id}, {fixed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What was found, and what nobody looked at: a package and why."""

    asked: int
    found: Sequence[Vulnerability]
    unknown: Mapping[str, str]


def audit(locks: Sequence[Path], run: Run, *, ignored: Sequence[str] = ()) -> Audit:
    """All locks, one after another. Raises `ReleaseError` where the service can't be asked."""
    found, unknown, asked = list[Vulnerability](), dict[str, str](), set[str]()
    for lock in locks:
        for package in _asked_of(lock, run, ignored):
            name = f"{package['name']} {package.get('version', '')}".strip()
            asked.add(name)
            if "skip_reason" in package:
                unknown[name] = package["skip_reason"]
            found += _vulnerabilities(lock, package)
    return Audit(asked=len(asked), found=found, unknown=unknown)


def _asked_of(lock: Path, run: Run, ignored: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    arguments = ["--requirement", str(lock), "--no-deps", "--disable-pip", "--progress-spinner", "off"]
    arguments += ["--format", "json", *(word for each in ignored for word in ("--ignore-vuln", each))]
    output, complaint = run(arguments)
    try:
        dependencies: Sequence[Mapping[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError):
        last = complaint.strip().splitlines()[-1:] or ["it said nothing"]
        raise ReleaseError(
            f"{lock.name}: the vulnerabilities could not be asked for: {last[0]}\n"
            "next: this needs the network (pypi.org); behind a proxy set HTTPS_PROXY, and run make audit again"
        ) from None
    return dependencies


def _vulnerabilities(lock: Path, package: Mapping[str, Any]) -> list[Vulnerability]:
    return [
        Vulnerability(
            lock=lock.name,
            package=package["name"],
            version=package["version"],
            id=" ".join([each["id"], *(alias for alias in each.get("aliases", ()) if alias.startswith("CVE"))]),
            fixed_in=tuple(each.get("fix_versions", ())),
        )
        for each in package.get("vulns", ())
    ]
