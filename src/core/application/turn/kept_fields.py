"""Which of a customer's fields a turn may still use (docs/turn.md, "Sessions"): numbers are recycled, and data ages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.domain.catalogue.catalog import Catalog, FieldScope, FieldType
from core.domain.conversation import ConversationState
from core.domain.errors import BadInputError
from core.domain.record_keys import ms_of
from core.domain.text import fold
from core.domain.values.field_value import FieldStatus, FieldValue

_DAY_MS = 86_400_000
# What nobody but its owner is likely to write. Many share a city or a first name, whoever has the number gives it for
# their own, and its former owner's name is what those say who ring.
_PROOFS = frozenset({FieldType.CPF, FieldType.CNPJ, FieldType.EMAIL})


def without_aged(state: ConversationState, *, now_ms: int, retention_days: int) -> ConversationState:
    """The state without what came from messages that the table has dropped: a customer who keeps writing keeps no
    field alive for ever.
    """
    oldest_ms = now_ms - retention_days * _DAY_MS
    told = state.previous_session
    return replace(
        state,
        fields=_since(state.fields, oldest_ms),
        set_aside=_since(state.set_aside, oldest_ms),
        previous_session=None if told and 0 < state.previous_session_ms <= oldest_ms else told,
    )


def with_customer_set_aside(state: ConversationState, catalog: Catalog) -> ConversationState:
    """After a silence so long that the number may be somebody else's: what was known of its owner is shown to nobody
    until the person proves to be the same. What a session before was about was the owner's too.
    """
    owners = {name: value for name, value in state.fields.items() if is_of_customer(name, catalog)}
    return replace(
        state,
        fields={name: value for name, value in state.fields.items() if name not in owners},
        set_aside={**state.set_aside, **owners},
        previous_session=None,
    )


def with_set_aside_back(state: ConversationState, catalog: Catalog) -> ConversationState:
    """A document or an e-mail that is said again proves whose all of it is; any other value that is said, the same or
    not, takes the old one's place and nothing more.
    """
    given = {name: state.fields[name] for name in state.set_aside if name in state.fields}
    if any(_proves(name, catalog) and _says_the_same(given[name], state.set_aside[name]) for name in given):
        return replace(state, fields={**state.set_aside, **state.fields}, set_aside={})
    if not given:
        return state
    left = {name: value for name, value in state.set_aside.items() if name not in given}
    return replace(state, set_aside=left)


def is_of_customer(name: str, catalog: Catalog) -> bool:
    """Whether a field tells of the customer and not of one service."""
    spec = catalog.field(name)
    return spec is not None and spec.scope is FieldScope.CUSTOMER


def _proves(name: str, catalog: Catalog) -> bool:
    spec = catalog.field(name)
    return spec is not None and spec.type in _PROOFS


def _since(fields: Mapping[str, FieldValue], oldest_ms: int) -> Mapping[str, FieldValue]:
    return {name: value for name, value in fields.items() if _given_ms(value, unknown=oldest_ms + 1) > oldest_ms}


def _given_ms(value: FieldValue, *, unknown: int) -> int:
    try:
        return ms_of(value.source)
    except BadInputError:
        return unknown


def _says_the_same(one: FieldValue, another: FieldValue) -> bool:
    both_known = one.status is FieldStatus.KNOWN and another.status is FieldStatus.KNOWN
    return both_known and fold(str(one.value)).split() == fold(str(another.value)).split()
