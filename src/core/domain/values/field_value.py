"""Typed values that customers give, with where they came from."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

FieldScalar = str | int | bool | Decimal


class FieldStatus(StrEnum):
    """A field without an entry is missing."""

    KNOWN = "known"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValue:
    """`source` is the `sk` of the inbound message that the value or the refusal came from."""

    status: FieldStatus
    value: FieldScalar | None = None
    source: str = ""
