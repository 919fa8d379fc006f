"""What the customer tells: values of the catalogue's fields, found in his words and never made up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .catalogue import Mention
from .prompt import Reading
from .refusals import refuses
from .value_readers import Heard, plain_answer, read
from .words import fold, stems

_AND_WHERE = re.compile(r"\s+(?:d[aeo]s?|n[ao]s?)\s+(?:meu\s+|minha\s+|nosso\s+|nossa\s+)?[^\W\d_]{3,}")
_WORK_ON = re.compile(r"(?i)^(?:an[áa]lises?|calibra\w*|aferi\w*|certificado\w*)(?:\s+d[aeo]s?)?\s*")


def read_values(
    reading: Reading, service: Mapping[str, Any] | None, expected: list[str], about: list[Mention]
) -> dict[str, Any]:
    """New field values. `expected` are the fields last asked for, `about` the services spoken of."""
    catalogue, plain = reading.catalogue, fold(reading.text)
    allowed = catalogue.asked_by(service)
    found: dict[str, Any] = {}
    for name, entry in catalogue.fields.items():
        heard = Heard(reading=reading, plain=plain, entry=entry, expected=expected)
        if name in allowed and (value := read(heard)) is not None:
            found[name] = value
    subject = _subject(service)
    if subject and subject not in found and subject not in reading.known:
        found.update({subject: what} if (what := _what(reading, about, service)) else {})
    _settle_places(reading, found, expected)
    asked = catalogue.fields.get(expected[0]) if len(expected) == 1 and not refuses(plain) else None
    beside = (
        value for name, value in found.items() if isinstance(value, str) and {name, *expected} != {"nome", "empresa"}
    )
    elsewhere = len(reading.text) if True in found.values() or False in found.values() else sum(map(len, beside))
    if asked and asked["id"] not in found and elsewhere * 2 < len(reading.text):
        found.update({asked["id"]: answer} if (answer := plain_answer(asked, reading.text)) else {})
    return {name: value for name, value in found.items() if reading.known.get(name) != value}


def _subject(service: Mapping[str, Any] | None) -> str | None:
    """The field that says what is to be examined: the first that a service asks."""
    asked: list[str] = next(iter(service["obrigatorios"].values()), []) if service else []
    return asked[0] if asked else None


def _what(reading: Reading, about: list[Mention], service: Mapping[str, Any] | None) -> str | None:
    """The thing itself, when its name says more than the service's does: "água do meu poço", "queijo", "balança"."""
    mention = next((each for each in about if service and each.id == service["id"] and each.length), None)
    if mention is None or service is None:
        return None
    longer = _AND_WHERE.match(reading.text, mention.end)
    phrase = reading.text[mention.start : longer.end() if longer else mention.end]
    phrase = _WORK_ON.sub("", phrase).strip()
    purposes = (option["id"] for entry in reading.catalogue.fields.values() for option in entry.get("valores", ()))
    says_nothing = stems(" ".join((service["nome"], *purposes))) | {"calib"}
    return phrase if stems(phrase) - says_nothing else None


def _settle_places(reading: Reading, found: dict[str, Any], expected: list[str]) -> None:
    """A city that is named once belongs to one field: the one asked for, or the first that is open."""
    cities = [name for name in found if reading.catalogue.fields[name]["tipo"] == "cidade"]
    if len(cities) > 1:
        wanted = [name for name in cities if name in expected] or [name for name in cities if name not in reading.known]
        for name in cities:
            if name != (wanted or cities)[0]:
                del found[name]
