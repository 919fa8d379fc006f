"""Licences of the packages of a lock, as their own metadata states them, against what is allowed."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

from .errors import ReleaseError

_CLASSIFIER = "License :: OSI Approved :: "
_CLASSIFIED = {"MIT License": "MIT", "MIT No Attribution License (MIT-0)": "MIT-0", "BSD License": "BSD-3-Clause"}
_CLASSIFIED |= {"Apache Software License": "Apache-2.0"}
_ABOUT = (
    "What the functions' bundles hold at most, beside this repository's own code: the packages of",
    "`requirements/runtime.txt` for Lambda's Linux. `make licences` writes this page; `make test` fails while it is",
    "not the lock's, or while a package is under a licence that `requirements/licences.toml` does not allow.",
)
Metadata = Callable[[str], Message]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """`allowed`: SPDX names and what they ask. `stated`: by package, what its metadata `says` and what that `is`."""

    allowed: Mapping[str, str]
    stated: Mapping[str, Mapping[str, str]]

    def allow(self, expression: str) -> bool:
        """Whether one of its alternatives is allowed whole. Parentheses are nobody's yet, and so not allowed."""
        return any(all(name in self.allowed for name in each.split(" AND ")) for each in expression.split(" OR "))


@dataclass(frozen=True, slots=True, kw_only=True)
class Licensed:
    """A package of a lock."""

    name: str
    version: str
    licence: str
    page: str


def read_rules(path: Path) -> Rules:
    """`requirements/licences.toml`."""
    table = tomllib.loads(path.read_text("utf-8"))
    return Rules(allowed=table["allowed"], stated=table["stated"])


def licensed(locked: Mapping[str, str], rules: Rules, metadata: Metadata) -> Sequence[Licensed]:
    """All of them. Raises `ReleaseError` with every package that may not be shipped, or is not installed as locked."""
    found, wrong = list[Licensed](), list[str]()
    for name, version in locked.items():
        try:
            about = metadata(name)
        except ModuleNotFoundError:
            wrong.append(f"{name} {version} is not installed")
            continue
        licence = _licence(name, about, rules)
        if about["Version"] != version:
            wrong.append(f"{name} is installed as {about['Version']} and locked as {version}")
        elif not rules.allow(licence):
            wrong.append(f"{name} {version} is under {licence or 'a licence that its metadata does not name'}")
        found.append(Licensed(name=name, version=version, licence=licence, page=_page(about)))
    wrong += [
        f"{name} has a line in [stated] and is in no lock" for name in sorted(rules.stated.keys() - locked.keys())
    ]
    if wrong:
        raise ReleaseError(
            "\n".join(wrong) + "\nnext: make setup installs what is locked; a licence is decided in "
            "requirements/licences.toml, under [allowed], or under [stated] where the metadata is unclear"
        )
    return found


def table_of(packages: Sequence[Licensed], rules: Rules) -> str:
    """`docs/licences.md`."""
    return "\n".join(_lines(packages, rules)) + "\n"


def _lines(packages: Sequence[Licensed], rules: Rules) -> Iterator[str]:
    yield "# Licences"
    yield ""
    yield from _ABOUT
    yield ""
    yield "| package | version | licence | source |"
    yield "|---|---|---|---|"
    yield from (f"| {each.name} | {each.version} | {each.licence} | {each.page} |" for each in packages)
    yield ""
    yield "| licence | asks |"
    yield "|---|---|"
    used = {name for each in packages for part in each.licence.split(" OR ") for name in part.split(" AND ")}
    yield from (f"| {name} | {asks} |" for name, asks in rules.allowed.items() if name in used)


def _licence(name: str, about: Message, rules: Rules) -> str:
    """The metadata's own expression; else what its field is known to mean, or says; else its one classifier."""
    if expression := about["License-Expression"]:
        return str(expression)
    field = str(about["License"] or "")
    if field and field == rules.stated.get(name, {}).get("says"):
        return rules.stated[name]["is"]
    if field and rules.allow(field):
        return field
    classifiers = [str(each).removeprefix(_CLASSIFIER) for each in about.get_all("Classifier", ())]
    named = [_CLASSIFIED[each] for each in classifiers if each in _CLASSIFIED]
    return named[0] if len(named) == 1 else field


def _page(about: Message) -> str:
    """Where its source is."""
    urls = [str(each).partition(", ") for each in about.get_all("Project-URL", ())]
    by_label = {label.strip().lower(): url.strip() for label, _, url in urls}
    wanted = ("source", "source code", "repository", "code", "github", "homepage")
    return next((by_label[label] for label in wanted if label in by_label), str(about["Home-page"] or ""))
