"""An `Erp` in memory, with its contract: what is there is found, what was made and not answered for too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.errors import ErpError
from core.domain.quote import Quote


@dataclass
class FakeErp:
    """`deleted` contacts answer 410. `fail_next` fails the next calls of a method, before or after they did it."""

    contacts: dict[str, int] = field(default_factory=dict)
    quotes: dict[str, tuple[int, int, Quote]] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._faults: list[tuple[str, ErpError, str]] = []

    def fail_next(
        self, method: str, error: ErpError, *, times: int = 1, when: Literal["before", "after"] = "before"
    ) -> None:
        self._faults += [(method, error, when)] * times

    def contact(self, quote: Quote, *, timeout_seconds: float, anew: bool = False) -> int:
        assert timeout_seconds > 0
        return self._done("contact", lambda: self._contact(quote, anew))

    def quote(self, quote: Quote, contact: int, *, timeout_seconds: float) -> int:
        assert timeout_seconds > 0
        return self._done("quote", lambda: self._quote(quote, contact))

    @property
    def numbers(self) -> Mapping[str, int]:
        """By tag."""
        return {tag: number for tag, (number, _, _) in self.quotes.items()}

    def _contact(self, quote: Quote, anew: bool) -> int:
        key = f"{quote.tag}-novo" if anew else quote.phone or quote.tag
        return self.contacts.setdefault(key, len(self.contacts) + 1)

    def _quote(self, quote: Quote, contact: int) -> int:
        if quote.tag not in self.quotes:
            if contact in self.deleted:
                raise ErpError("POST vendas: 410", gone=True)
            self.quotes[quote.tag] = (len(self.quotes) + 1001, contact, quote)
        return self.quotes[quote.tag][0]

    def _done(self, method: str, work: object) -> int:
        self.calls.append(method)
        found = next((each for each in self._faults if each[0] == method), None)
        if found is not None:
            self._faults.remove(found)
        if found is not None and found[2] == "before":
            raise found[1]
        number = work()  # type: ignore[operator]
        if found is not None:
            raise found[1]
        return int(number)
