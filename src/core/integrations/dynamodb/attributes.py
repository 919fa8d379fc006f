"""Values in the table's types. Plain JSON values only (plain_values.py): no floats, Decimals or empty sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.domain.errors import BadInputError

Item = dict[str, Any]
Attributes = dict[str, dict[str, Any]]

_MAX_DEPTH = 32


def marshalled(item: Mapping[str, Any]) -> Attributes:
    """An item as requests carry it. Raises `BadInputError` for what the table would refuse."""
    return {name: marshal(value) for name, value in item.items()}


def unmarshalled(attributes: Mapping[str, Mapping[str, Any]]) -> Item:
    """An item as the codec reads it."""
    return {name: unmarshal(value) for name, value in attributes.items()}


def marshal(value: object, depth: int = 1) -> dict[str, Any]:
    """One value; sets are sorted, so that the same content makes the same request."""
    if depth > _MAX_DEPTH:
        raise BadInputError("nested_too_deeply")
    match value:
        case None:
            typed: dict[str, Any] = {"NULL": True}
        case bool():
            typed = {"BOOL": value}
        case int():
            typed = {"N": str(value)}
        case str():
            typed = {"S": _well_formed(value)}
        case frozenset():
            typed = {"SS": _string_set(value)}
        case list() | tuple():
            typed = {"L": [marshal(each, depth + 1) for each in value]}
        case Mapping():
            typed = {"M": {_well_formed(name): marshal(each, depth + 1) for name, each in value.items()}}
        case _:
            raise BadInputError(f"unstorable_{type(value).__name__}")
    return typed


def unmarshal(typed: Mapping[str, Any]) -> Any:
    """The value that `marshal` was given."""
    ((kind, value),) = typed.items()
    match kind:
        case "NULL":
            return None
        case "N":
            return int(value)
        case "SS":
            return frozenset(value)
        case "L":
            return [unmarshal(each) for each in value]
        case "M":
            return unmarshalled(value)
        case "S" | "BOOL":
            return value
        case _:
            raise BadInputError("unknown_attribute_type")


def _string_set(value: frozenset[str]) -> list[str]:
    if not value or not all(value):
        raise BadInputError("empty_set")
    return sorted(value)


def _well_formed(text: str) -> str:
    """Half an emoji, as a model's escaped JSON can hold, is no UTF-8: the table would refuse the whole transaction."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def size_of(typed: Mapping[str, Any]) -> int:
    """Bytes as the table counts them, never less: a value in its type."""
    ((kind, value),) = typed.items()
    match kind:
        case "S":
            return len(value.encode())
        case "N":
            return len(value) // 2 + 2
        case "SS":
            return sum(len(each.encode()) for each in value)
        case "L":
            return 3 + sum(1 + size_of(each) for each in value)
        case "M":
            return 3 + item_size(value)
        case _:
            return 1


def item_size(attributes: Mapping[str, Mapping[str, Any]]) -> int:
    """Bytes of an item, names included."""
    return sum(1 + len(name.encode()) + size_of(value) for name, value in attributes.items())
