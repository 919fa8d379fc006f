"""Reads cases from JSON Lines; every mistake of a file is told at once, with its line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from core.application.actions.check_digits import DOCUMENT_RULES
from core.domain.actions import ActionCode, Agent, RefusalReason
from core.domain.catalogue.catalog import Catalog
from core.domain.handoff import TECHNICAL_REASONS, HandoffReason
from core.domain.values.field_value import FieldScalar
from core.domain.values.identifiers import Rejected
from core.domain.values.read_value import ValueReader
from evaluation.cases import Case, Expected, Forbidden, Given

_CASE_KEYS = frozenset({"id", "about", "given", "customer"})
_MUST_KEYS = frozenset({"must_refuse", "must_escalate", "must_answer", "must_not"})
_EXPECTED_KEYS = frozenset({"code", "stage", "service", "segment", "fields", "declined", "packages"})
_GIVEN_KEYS = frozenset(
    {"stage", "service", "segment", "known", "declined", "extra_requests", "previous_session", "history"}
)
_SPEAKERS = ("customer", "assistant")
_ESCALATIONS = frozenset(HandoffReason) - TECHNICAL_REASONS
Word = TypeVar("Word", bound=StrEnum)
Read = TypeVar("Read")


class CaseFileError(Exception):
    """A file of cases or answers cannot be used; `mistakes` are `path:line: what`, one each."""

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))


class _WrongCaseError(Exception):
    """One thing that is wrong with a case."""


def read_cases(path: Path, catalog: Catalog) -> tuple[Case, ...]:
    """The cases in the file's order. Raises `CaseFileError`."""
    mistakes: list[str] = []
    cases: dict[str, Case] = {}
    reader = _CaseReader(catalog)
    for number, line in json_lines(path, mistakes):
        try:
            case = reader.read(line, number)
        except _WrongCaseError as error:
            mistakes.append(f"{path}:{number}: {error}")
            continue
        if case.id in cases:
            mistakes.append(f"{path}:{number}: id {case.id!r} stands in line {cases[case.id].line} as well")
        cases.setdefault(case.id, case)
    if not cases and not mistakes:
        mistakes.append(f"{path}:1: holds no case")
    if mistakes:
        raise CaseFileError(mistakes)
    return tuple(cases.values())


def json_lines(path: Path, mistakes: list[str]) -> Iterable[tuple[int, dict[str, Any]]]:
    """The objects of a file with their lines; what is none is a mistake, an empty line nothing."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        mistakes.append(f"{path}:1: cannot be read: {error}")
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except ValueError as error:
            mistakes.append(f"{path}:{number}: is no JSON: {error}")
            continue
        if isinstance(content, dict):
            yield number, content
        else:
            mistakes.append(f"{path}:{number}: is no JSON object")


@dataclass(frozen=True, slots=True)
class _CaseReader:
    catalog: Catalog

    def read(self, content: Mapping[str, Any], line: int) -> Case:
        _known_keys(content, _CASE_KEYS | _MUST_KEYS | _EXPECTED_KEYS, "")
        customer = _texts(content, "customer")
        if not customer:
            raise _WrongCaseError("customer: needs at least one line")
        case = Case(
            id=_text(content, "id"),
            about=_text(content, "about"),
            given=self._given(content.get("given", {})),
            customer=customer,
            expected=self._expected(content),
            line=line,
        )
        if not set(content) & (_MUST_KEYS | _EXPECTED_KEYS):
            raise _WrongCaseError("expects nothing: add a must, or a code, stage, field or package")
        return case

    def _given(self, content: Mapping[str, Any]) -> Given:
        _known_keys(content, _GIVEN_KEYS, "given: ")
        history = content.get("history", [])
        for each in history:
            if not isinstance(each, dict) or len(each) != 1 or next(iter(each)) not in _SPEAKERS:
                raise _WrongCaseError('given.history: each line is {"customer": …} or {"assistant": …}')
        return Given(
            stage=_word(Agent, content.get("stage", Agent.TRIAGEM), "given.stage"),
            service=self._id("service", content.get("service"), "given.service"),
            segment=self._id("segment", content.get("segment"), "given.segment"),
            known=self._typed(content.get("known", {}), "given.known"),
            declined=self._fields(content, "declined", "given.declined"),
            extra_requests=_texts(content, "extra_requests"),
            previous_session=content.get("previous_session"),
            history=tuple((speaker, text) for each in history for speaker, text in each.items()),
        )

    def _expected(self, content: Mapping[str, Any]) -> Expected:
        fields = content.get("fields", {})
        absent = dict.fromkeys(self._fields({"fields": [n for n in fields if fields[n] is None]}, "fields", "fields"))
        told = {name: value for name, value in fields.items() if value is not None}
        stage = content.get("stage")
        return Expected(
            refuses=_optional(content, "must_refuse", lambda name: _word(RefusalReason, name, "must_refuse")),
            escalates=_optional(content, "must_escalate", _escalation),
            answers=content.get("must_answer", False) is True,
            never=tuple(_word(Forbidden, name, "must_not") for name in _texts(content, "must_not")),
            codes=tuple(_code(each) for each in _listed(content.get("code", []))),
            stage=_word(Agent, stage, "stage") if stage is not None else None,
            service=self._id("service", content.get("service"), "service"),
            segment=self._id("segment", content.get("segment"), "segment"),
            fields={**self._typed(told, "fields"), **absent},
            declined=self._fields(content, "declined", "declined"),
            packages=self._packages(content),
        )

    def _packages(self, content: Mapping[str, Any]) -> tuple[str, ...] | None:
        if "packages" not in content:
            return None
        names = _texts(content, "packages")
        for name in names:
            self._id("package", name, "packages")
        return names

    def _id(self, kind: str, name: Any, place: str) -> str | None:
        if name is None:
            return None
        known = {each.id for each in getattr(self.catalog, f"{kind}s")}
        if name not in known:
            raise _WrongCaseError(f"{place}: the catalogue has no {kind} {name!r}; it has {', '.join(sorted(known))}")
        return str(name)

    def _fields(self, content: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
        names = _texts(content, key)
        for name in names:
            if self.catalog.field(name) is None:
                raise _WrongCaseError(f"{place}: the catalogue has no field {name!r}")
        return names

    def _typed(self, content: Mapping[str, Any], place: str) -> dict[str, FieldScalar]:
        """As the desk keeps them: `"potável"` becomes the option's id, `"2027-03-12"` a date."""
        self._fields({"names": list(content)}, "names", place)
        typed: dict[str, FieldScalar] = {}
        for name, raw in content.items():
            spec = self.catalog.field(name)
            reader = ValueReader(catalog=self.catalog, written=str(raw), documents=DOCUMENT_RULES)
            value = reader.read(spec, raw) if spec is not None else None
            if value is None or isinstance(value, Rejected):
                why = f": {value.reason}" if isinstance(value, Rejected) else ""
                raise _WrongCaseError(f"{place}: {raw!r} is no value of {name}{why}")
            typed[name] = value
        return typed


def _known_keys(content: Any, known: frozenset[str], place: str) -> None:
    if not isinstance(content, dict):
        raise _WrongCaseError(f"{place}is no JSON object")
    if strange := sorted(set(content) - known):
        raise _WrongCaseError(f"{place}{', '.join(strange)} is no key; known are {', '.join(sorted(known))}")


def _text(content: Mapping[str, Any], key: str) -> str:
    value = content.get(key)
    if not isinstance(value, str) or not value.strip():
        raise _WrongCaseError(f"{key}: needs a text")
    return value


def _texts(content: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = content.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
        raise _WrongCaseError(f"{key}: needs a list of texts")
    return tuple(value)


def _word(kind: type[Word], name: Any, place: str) -> Word:
    try:
        return kind(name)
    except ValueError:
        raise _WrongCaseError(f"{place}: {name!r} is not one of {', '.join(kind)}") from None


def _escalation(name: str) -> str:
    if name not in _ESCALATIONS:
        raise _WrongCaseError(f"must_escalate: {name!r} is not one of {', '.join(sorted(_ESCALATIONS))}")
    return name


def _optional(content: Mapping[str, Any], key: str, read: Callable[[str], Read]) -> tuple[Read, ...] | None:
    """`true`: whatever the reason."""
    if key not in content:
        return None
    return () if content[key] is True else tuple(read(name) for name in _texts(content, key))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _code(value: Any) -> ActionCode:
    try:
        return ActionCode(value)
    except ValueError:
        raise _WrongCaseError(f"code: {value!r} is not one of {', '.join(map(str, map(int, ActionCode)))}") from None
