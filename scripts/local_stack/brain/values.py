"""What the customer tells, found in his words and never made up: values of fields, and fields that have none."""

from __future__ import annotations

import re
from typing import Any

from .catalogue import Entry, Mention, names_of
from .prompt import Reading
from .value_readers import Heard, read, text_answer
from .words import fold, means, place_of, says, stems

_IDENTIFIERS = frozenset({"cpf", "cnpj", "e-mail", "telefone"})
_CHOSEN = frozenset({"booleano", "enum", "inteiro", "decimal"})
_SAYS_LITTLE = stems("número quantidade data dado")
_MY_NAME = re.compile(
    r"(?:meu nome (?:completo )?é|me chamo)\s+([^\W\d_][^,.;!?\n\d]*?)(?=\s+e\s|[,.;!?\n]|$)", re.IGNORECASE
)


def read_values(reading: Reading, service: Entry | None, expected: list[str], named: list[Mention]) -> dict[str, Any]:
    """New values. `expected` are the fields last asked for, `named` the services spoken of."""
    fields = reading.catalogue.fields
    may_hold = reading.catalogue.asked_by(service)
    allowed = [entry for name, entry in fields.items() if name in may_hold]
    told = {entry["id"]: _read(reading, entry, reading.text, expected) for entry in allowed}
    found = {name: value for name, value in told.items() if value is not None}
    for kind in ("cidade", "data"):
        _settle(reading, service, found, expected, kind)
    found |= _echo(reading, service, named, may_hold - reading.known.keys())
    asked = fields.get(expected[0], {}) if expected else {}
    leaves = means(fold(reading.text), "declining", "farewell", "giving_up")
    if asked.get("tipo") == "texto" and asked["id"] not in found and not leaves:
        clauses = re.split(r"[,;\n]|\.\s", reading.text) if found else [reading.text]
        own = [each for each in clauses if all(_read(reading, entry, each, []) is None for entry in allowed)]
        found |= {asked["id"]: value} if (value := text_answer(asked, ", ".join(each.strip() for each in own))) else {}
    return {name: value for name, value in found.items() if reading.known.get(name) != value}


def read_declined(reading: Reading, service: Entry | None, expected: list[str], found: dict[str, Any]) -> list[str]:
    """Ids of fields that the customer does not have, know or tell; one with a value, now or before, is not declined."""
    plain, fields = fold(reading.text).strip(" .!,"), reading.catalogue.fields
    asked = [name for name in expected[:1] if name in fields]
    named = [name for name in fields if name in reading.catalogue.asked_by(service) and _is_named(plain, fields[name])]
    declined: list[str] = []
    if means(plain, "declining") or (named and means(plain, "declining_named")):
        same = [name for each in asked for name in reading.catalogue.group_of(each) if name in named]
        declined = same or named or asked
    elif asked and not means(fold(fields[asked[0]]["pergunta"]), "open_question"):
        declined = asked if fields[asked[0]]["tipo"] not in _CHOSEN and means(plain, "plain_no") else []
    return [name for name in declined if name not in {*found, *reading.known, *reading.declined}]


def _is_named(plain: str, entry: Entry) -> bool:
    """Whether a text speaks of this field by its name, of which the first word that tells something is enough."""
    if entry["tipo"] in _IDENTIFIERS:
        return says(plain, entry["tipo"].replace("-", "-?"))
    words = (stems(word) - _SAYS_LITTLE for word in entry["nome"].split())
    return bool(next((word for word in words if word), set()) & stems(plain))


def _read(reading: Reading, entry: Entry, text: str, expected: list[str]) -> Any:
    heard = Heard(reading, entry, text, expected)
    if heard.known is not None and entry["tipo"] not in _IDENTIFIERS and not means(heard.plain, "correction"):
        return None
    return told[1].strip() if entry["id"] == "nome" and (told := _MY_NAME.search(text)) else read(heard)


def _settle(reading: Reading, service: Entry | None, found: dict[str, Any], expected: list[str], kind: str) -> None:
    """A city or date that is named once is of one field: the one asked for, or the only one that it can be."""
    same = [name for name in found if reading.catalogue.fields[name]["tipo"] == kind]
    only = [name for name in same if service and any(name in ids for ids in service["obrigatorios"].values())] or same
    keep = [name for name in same if name in expected] or (only if len(only) == 1 else [])
    for name in {*same} - {*keep}:
        del found[name]


def _echo(reading: Reading, service: Entry | None, named: list[Mention], open_fields: set[str]) -> dict[str, str]:
    """The service's name in the customer's words, where the examples take it for a value and it says more than ours."""
    if service is None or service["id"] not in [mention.id for mention in named]:
        return {}
    places = (place_of(fold(reading.text), name) for name in names_of(service))
    phrases = [reading.text[place[0] : place[1]] for place in places if place]
    longer = [phrase for phrase in phrases if stems(phrase) - stems(service["nome"])]
    return dict.fromkeys(reading.catalogue.echoed & open_fields, max(longer, key=len)) if longer else {}
