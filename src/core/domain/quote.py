"""What a company's ERP is told of a conversation that is complete (docs/egestor.md)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A customer and what they want. `tag` finds it again: no customer's data is in it. `phone` and `tax_id` (CPF or
    CNPJ) are digits, `day` is YYYY-MM-DD by the company's clock, `product` the code of the catalogue's service;
    `note` holds every field as people write it.
    """

    tag: str
    name: str
    day: str
    note: str
    service: str = ""
    product: int | None = None
    phone: str | None = None
    tax_id: str | None = None
    email: str | None = None
    city: str | None = None
    uf: str | None = None
