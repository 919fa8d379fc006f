"""Frozen dataclasses as plain JSON values and back, exactly: STATE, and the copies of it that TURN keeps for replay.

What is None is left out; enums are their values. JSON has no exact decimals, and the table keeps 38 digits: a Decimal
is `{"$decimal": "1.50"}`, a longer int `{"$int": "…"}`; a mapping's own keys that begin with `$` get one more. Floats
are refused. Keys that a class does not know are ignored, so that older code reads newer items. Where a type says `Any`,
sequences come back as lists and enums as their values.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import MISSING, dataclass, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from core.domain.conversation import ConversationState
from core.domain.errors import BadInputError

T = TypeVar("T")
Plain = dict[str, Any]
Reader = Callable[[Any], Any]

_TAG = "$"
_LONG_INT = 10**38
# A value of another type than these is damage, and would be found only where it is used.
_EXACTLY = (bool, int, str, Decimal)


def state_to_plain(state: ConversationState) -> Plain:
    """STATE as JSON values: what the table holds and what TURN keeps of before and after."""
    return to_plain(state)


def plain_to_state(plain: Mapping[str, Any]) -> ConversationState:
    """The state that `state_to_plain` was given; an empty mapping is a new conversation's state."""
    return from_plain(ConversationState, plain)


def to_plain(value: object) -> Plain:
    """A dataclass as JSON values. Raises `BadInputError` for what cannot be kept exactly (floats, bytes, odd keys)."""
    if not is_dataclass(value):
        raise BadInputError("not_a_dataclass")
    cls: Any = type(value)
    pairs = ((name, getattr(value, name)) for name in _shape(cls))
    return {name: _write(each) for name, each in pairs if each is not None}


def from_plain(cls: type[T], plain: Mapping[str, Any]) -> T:
    """The dataclass that `to_plain` was given. Raises `BadInputError` when a required field is missing or unknown."""
    known: Plain = {}
    target: Any = cls
    for name, field in _shape(target).items():
        if name in plain:
            known[name] = field.read(plain[name])
        elif field.required and not field.admits_none:
            raise BadInputError(f"missing_{cls.__name__}_{name}")
        elif field.required:
            known[name] = None
    return cls(**known)


def _write(value: object) -> Any:
    written: Any = value
    match value:
        case None | bool() | str() if not isinstance(value, Enum):
            pass
        case Enum():
            written = value.value
        case int():
            written = value if abs(value) < _LONG_INT else {f"{_TAG}int": str(value)}
        case Decimal():
            written = {f"{_TAG}decimal": str(value)}
        case list() | tuple():
            written = [_write(each) for each in value]
        case Mapping():
            written = {_escape_key(key): _write(each) for key, each in value.items()}
        case Set():
            written = sorted(_write(each) for each in value)
        case _ if is_dataclass(value):
            written = to_plain(value)
        case _:
            raise BadInputError(f"unstorable_{type(value).__name__}")
    return written


@dataclass(frozen=True, slots=True)
class _Field:
    read: Reader
    required: bool
    admits_none: bool


@cache
def _shape(cls: Any) -> dict[str, _Field]:
    """Its fields, each with what reads it."""
    hints = get_type_hints(cls)
    return {
        f.name: _Field(
            read=_reader(hints[f.name]),
            required=f.default is MISSING and f.default_factory is MISSING,
            admits_none=type(None) in get_args(hints[f.name]),
        )
        for f in fields(cls)
    }


@cache
def _reader(hint: Any) -> Reader:
    """What reads a value of that type: worked out once, since every turn reads hundreds."""
    read = _reader_of(_without_none(hint))
    return lambda value: None if value is None else read(value)


def _reader_of(hint: Any) -> Reader:
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        read_value = _reader(arguments[1])
        return lambda value: {_unescape_key(key): read_value(each) for key, each in value.items()}
    if origin in (tuple, frozenset):
        read_member = _reader(arguments[0])
        return lambda value: origin(read_member(each) for each in value)
    if not isinstance(hint, type):
        return _untag
    if issubclass(hint, Enum):
        return lambda value: _enum(hint, value)
    if is_dataclass(hint):
        return lambda value: from_plain(hint, value)
    return _exactly(hint) if hint in _EXACTLY else _untag


def _exactly(hint: type[Any]) -> Reader:
    def read(value: Any) -> Any:
        found = value if type(value) is hint else _untag(value)
        if type(found) is not hint:
            raise BadInputError(f"no_{hint.__name__}")
        return found

    return read


def _untag(value: Any) -> Any:
    if isinstance(value, Mapping):
        if len(value) == 1:
            (key, text), *_ = value.items()
            if key == f"{_TAG}decimal":
                return Decimal(text)
            if key == f"{_TAG}int":
                return int(text)
        return {_unescape_key(key): _untag(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_untag(each) for each in value]
    return value


def _escape_key(key: object) -> str:
    if not isinstance(key, str):
        raise BadInputError("unstorable_key")
    # The table has no empty attribute names either, inside maps too.
    return f"{_TAG}{key}" if not key or key.startswith(_TAG) else str(key)


def _unescape_key(key: str) -> str:
    return key.removeprefix(_TAG)


def _enum(hint: type[Enum], value: Any) -> Enum:
    try:
        return hint(value)
    except ValueError:
        raise BadInputError(f"unknown_{hint.__name__}") from None


@cache
def _without_none(hint: Any) -> Any:
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    rest = [each for each in get_args(hint) if each is not type(None)]
    return rest[0] if len(rest) == 1 else Any
