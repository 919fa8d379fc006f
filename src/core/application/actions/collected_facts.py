"""What a reply tells of the customer, put into the state: service, segment, values, refusals, further requests.

What is good is kept even when something beside it is not: the agent is then told only of the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.domain.actions import Agent, AgentAction
from core.domain.catalogue.catalog import (
    SEGMENT,
    SERVICE,
    Catalog,
    FieldScope,
    FieldSpec,
    IfDeclined,
    Option,
    Service,
    required_fields,
)
from core.domain.conversation import ConversationState
from core.domain.text import fold_key
from core.domain.values.choices import choose
from core.domain.values.field_value import FieldScalar, FieldStatus, FieldValue
from core.domain.values.identifiers import Rejected
from core.domain.values.read_value import TypedValue, ValueReader, is_blank

EXTRA_REQUESTS_MAX = 10
EXTRA_REQUEST_MAX_CHARS = 200
_DROPPED_MAX = 20
_DEPTH_MAX = 4
# Portuguese for `service` and `segment`: read as such where the catalogue has no field of that name.
_OTHER_NAMES = frozenset({"servico", "segmento"})
# What models put beside a field's name and what says nothing more: `nome_completo`, `email_do_cliente`.
_EMPTY_WORDS = frozenset({"completo", "cliente", "contato", "do", "da", "de", "para"})
# A model's key is logged only when it looks like a key: it could as well hold a customer's words.
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An `ActionError` to be: several may be found in one reply."""

    kind: str
    field: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedFacts:
    """The state with the reply's facts in it. `needs_person` is a field whose refusal only a person can settle."""

    state: ConversationState
    faults: tuple[Fault, ...] = ()
    dropped: tuple[str, ...] = ()
    needs_person: str | None = None


def collect_facts(action: AgentAction, *, state: ConversationState, reader: ValueReader, source: str) -> CollectedFacts:
    """Never raises; `source` is the `sk` of the message that new values come from."""
    collector = _Collector(reader, source)
    state = collector.choose_segment(action, collector.choose_service(action, state))
    values = dict(collector.values(action, state.fields))
    refused = dict(collector.refusals(action, {**state.fields, **values}))
    requests = _extra_requests(state.extra_requests, action.extra_requests)
    state = replace(state, fields={**state.fields, **values, **refused}, extra_requests=requests)
    return CollectedFacts(
        state=state,
        faults=tuple(collector.faults),
        dropped=tuple(dict.fromkeys(map(key_for_log, collector.dropped)))[:_DROPPED_MAX],
        needs_person=next((name for name in refused if _needs_person(name, state, reader.catalog)), None),
    )


def key_for_log(name: str) -> str:
    """A name that a model made up, or `?` when it does not look like a name."""
    return name if _KEY.fullmatch(name) else "?"


@dataclass(slots=True)
class _Collector:
    """Mutable on purpose: it gathers the faults and unknown names of one reply."""

    reader: ValueReader
    source: str
    faults: list[Fault] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    @property
    def catalog(self) -> Catalog:
        return self.reader.catalog

    def choose_service(self, action: AgentAction, state: ConversationState) -> ConversationState:
        name = action.service or self._by_other_name(action, "servico")
        if not name:
            return state
        service = choose(name, self.catalog.services)
        if service is None:
            self._refuse_unknown("unknown_service", SERVICE, self.catalog.services)
            return state
        return state if service.id == state.service else _with_service(state, service, self.catalog)

    def choose_segment(self, action: AgentAction, state: ConversationState) -> ConversationState:
        name = action.segment or self._by_other_name(action, "segmento")
        if not name:
            return state
        segment = choose(name, self.catalog.segments)
        if segment is not None:
            return replace(state, segment=segment.id)
        service = self.catalog.service(state.service)
        if service is not None and not service.asks_segment:
            self.dropped.append(SEGMENT)
        else:
            self._refuse_unknown("unknown_segment", SEGMENT, self.catalog.segments)
        return state

    def values(self, action: AgentAction, known: Mapping[str, FieldValue]) -> Iterator[tuple[str, FieldValue]]:
        """New and corrected values; one that is said again keeps the message that it first came from."""
        read: dict[str, FieldScalar] = {}
        refused: dict[str, Rejected] = {}
        for specs, raw in self._given(action.data, depth=_DEPTH_MAX):
            spec, value = self._first_readable(specs, raw)
            if isinstance(value, Rejected):
                refused[spec.id] = value
            elif value is not None:
                read[spec.id] = value
        self.faults += [
            Fault(kind="invalid_value", field=name, reason=value.reason)
            for name, value in refused.items()
            if name not in read
        ]
        for name, value in read.items():
            if name not in known or known[name].value != value:
                yield name, FieldValue(status=FieldStatus.KNOWN, value=value, source=self.source)

    def _given(self, data: Mapping[str, Any], depth: int) -> Iterator[tuple[Sequence[FieldSpec], Any]]:
        """The catalogue's fields with their raw values, those within an object of any other name included.

        Several fields for a name that their group shares: `documento` where CPF and CNPJ are alternatives.
        """
        for name, raw in data.items():
            nested = isinstance(raw, Mapping) and raw and depth > 0
            specs = self._fields(name)
            if specs and not (nested and len(specs) > 1):
                yield specs, raw
            elif nested:
                yield from self._given(raw, depth - 1)
            elif fold_key(name) not in _OTHER_NAMES:
                self.dropped.append(name)

    def _first_readable(self, specs: Sequence[FieldSpec], raw: object) -> tuple[FieldSpec, TypedValue]:
        """The field that takes the value; the first one's reason where none does."""
        read = [(spec, self.reader.read(spec, raw)) for spec in specs]
        return next(((spec, value) for spec, value in read if not isinstance(value, Rejected)), read[0])

    def _fields(self, name: str) -> Sequence[FieldSpec]:
        """By id or group, by the name that only one field has, or by either with a word that changes nothing."""
        if specs := self.catalog.fields_named(name):
            return specs
        key = fold_key(name)
        named = [each for each in self.catalog.fields if key and fold_key(each.name) == key]
        if len(named) == 1:
            return named
        plain = "_".join(word for word in key.split("_") if word not in _EMPTY_WORDS)
        return self._fields(plain) if plain and plain != key else ()

    def _by_other_name(self, action: AgentAction, key: str) -> str | None:
        """`serviço` for `service`, unless that is a field of the catalogue."""
        if self.catalog.field(key) is not None:
            return None
        given = (raw for name, raw in _flat(action.data, _DEPTH_MAX) if fold_key(name) == key)
        return next((raw for raw in given if isinstance(raw, str) and not is_blank(raw)), None)

    def refusals(self, action: AgentAction, known: Mapping[str, FieldValue]) -> Iterator[tuple[str, FieldValue]]:
        """Refusals of fields of which nothing is known yet: a known value is not taken back by one."""
        for name in action.declined:
            specs = self._fields(name)
            if not specs:
                self.dropped.append(name)
            for spec in specs:
                if spec.id not in known:
                    yield spec.id, FieldValue(status=FieldStatus.DECLINED, source=self.source)

    def _refuse_unknown(self, kind: str, key: str, known: Iterable[Service | Option]) -> None:
        self.faults.append(Fault(kind=kind, field=key, reason=f"use um destes: {', '.join(e.id for e in known)}"))


def _flat(data: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    for name, raw in data.items():
        if isinstance(raw, Mapping) and depth > 0:
            yield from _flat(raw, depth - 1)
        else:
            yield name, raw


def _with_service(state: ConversationState, service: Service, catalog: Catalog) -> ConversationState:
    """Another service: what was said of the one before no longer holds."""
    fields = state.fields
    if state.service is not None:
        fields = {name: entry for name, entry in fields.items() if _is_of_customer(catalog.field(name))}
    return replace(state, service=service.id, fields=fields)


def _is_of_customer(spec: FieldSpec | None) -> bool:
    return spec is not None and spec.scope is FieldScope.CUSTOMER


def _needs_person(name: str, state: ConversationState, catalog: Catalog) -> bool:
    """Whether a refusal leaves nothing to ask: it says so itself, or no alternative is left."""
    spec = catalog.field(name)
    if spec is None or not any(spec in required_fields(catalog, stage, state.service) for stage in Agent):
        return False
    entries = [state.fields.get(member.id) for member in catalog.alternatives(spec)]
    if any(entry is not None and entry.status is FieldStatus.KNOWN for entry in entries):
        return False
    exhausted = spec.if_declined is IfDeclined.ALTERNATIVE and None not in entries
    return exhausted or spec.if_declined is IfDeclined.HANDOFF


def _extra_requests(before: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """Each once, in the order in which they came."""
    texts = (" ".join(text.split())[:EXTRA_REQUEST_MAX_CHARS] for text in new)
    requests = {fold_key(text): text for text in before}
    for text in texts:
        requests.setdefault(fold_key(text), text)
    requests.pop("", None)
    return tuple(requests.values())[:EXTRA_REQUESTS_MAX]
