"""One reader for each type of field, and for the few texts that can be known without having been asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from . import value_patterns as patterns
from .prompt import Reading
from .words import fold, numbers, says, stems


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What was written, as one field hears it. `expected` are the fields that were last asked for."""

    reading: Reading
    plain: str
    entry: Mapping[str, Any]
    expected: list[str]

    @property
    def text(self) -> str:
        """As it was written."""
        return self.reading.text

    @property
    def asked(self) -> bool:
        """Whether this field was asked for."""
        return self.entry["id"] in self.expected


def is_question(text: str) -> bool:
    """Whether somebody asks something."""
    return bool(patterns.QUESTION.search(fold(text)))


def is_bare(text: str) -> bool:
    """Only courtesy and yes or no: it holds no value."""
    return bool(patterns.BARE.fullmatch(fold(text)))


def read(heard: Heard) -> Any:
    """The field's value, None when it was not said."""
    reader = _BY_ID.get(heard.entry["id"]) or _BY_TYPE.get(heard.entry["tipo"])
    return reader(heard) if reader else None


def plain_answer(entry: Mapping[str, Any], text: str) -> str | None:
    """A plain answer to a plain question is the value itself."""
    if entry["tipo"] != "texto" or is_question(text) or is_bare(text) or len(text) > 300:
        return None
    value = " ".join(text.split()).strip(" .!")
    if entry["id"] == "nome":
        value = patterns.NAME_ENDS.sub("", patterns.NAME_BEGINS.sub("", value)).split(",")[0].strip()
        return value if patterns.NAME_WHOLE.fullmatch(value) and not says(fold(value), *patterns.NO_NAME) else None
    return patterns.COMPANY_BEGINS.sub("", value).strip() if entry["id"] == "empresa" else value


def _email(heard: Heard) -> str | None:
    found = patterns.EMAIL.search(heard.text)
    return found[0].rstrip(".") if found else None


def _cnpj(heard: Heard) -> str | None:
    candidates = (found[0] for found in patterns.CNPJ.finditer(heard.text))
    return next((text for text in candidates if sum(character.isdigit() for character in text) > 4), None)


def _cpf(heard: Heard) -> str | None:
    found = patterns.CPF.search(patterns.CNPJ.sub(" ", heard.text))
    if found is None:
        return None
    sure = "." in found[0] or says(heard.plain, "cpf") or (heard.asked and not says(heard.plain, patterns.TELEPHONE))
    return found[0] if sure else None


def _phone(heard: Heard) -> str | None:
    named = says(heard.plain, patterns.TELEPHONE)
    text = heard.text if named else patterns.CPF.sub(" ", patterns.CNPJ.sub(" ", heard.text))
    found = patterns.PHONE.search(text)
    return found[0].strip() if found and (named or heard.asked) else None


def _integer(heard: Heard) -> int | None:
    text = patterns.EMAIL.sub(" ", heard.plain)
    own = stems(heard.entry["nome"]) - {"numer", "quant"}
    things = ("balanc", "termom", "manom", "aparel") if "equip" in heard.entry["id"] else ("ponto", "poco", "frasc")
    beside = re.finditer(rf"\S+\s+(?:\w+\s+)?(?:{'|'.join((*sorted(own), *things))})\w*", text)
    found = [number for phrase in beside for number in numbers(phrase[0])]
    if not found and heard.asked and not says(text, "dias?", "semanas?", "hectares?"):
        found = numbers(text)
    return max(found[:2]) if found else None


def _decimal(heard: Heard) -> float | int | None:
    units = "|".join((*sorted(stems(heard.entry["nome"]) - {"area"}), r"ha\b"))
    found = re.search(rf"(\d+(?:,\d+)?)\s*(?:{units})", heard.plain)
    if found is None and heard.asked:
        found = re.search(r"(\d+(?:,\d+)?)", heard.plain)
    if found is None:
        return None
    value = float(found[1].replace(",", "."))
    return int(value) if value.is_integer() else value


def _date(heard: Heard) -> str | None:
    found = patterns.DATE.search(heard.text)
    return f"{found[3]}-{int(found[2]):02d}-{int(found[1]):02d}" if found else None


def _enum(heard: Heard) -> str | None:
    if heard.asked:
        insists = "Pode ser:" in heard.reading.last_said and not is_question(heard.plain) and not is_bare(heard.plain)
        remains = heard.reading.catalogue.last_option(heard.entry["id"]) if insists else None
        return heard.reading.catalogue.option_in(heard.entry["id"], heard.plain) or remains
    company = fold(heard.reading.catalogue.company)
    for option in heard.entry["valores"]:
        names = (fold(name) for name in (option["id"], option["nome"], *option.get("sinonimos", ())))
        if says(heard.plain, *(re.escape(name) for name in names if len(name) > 5 and name not in company)):
            return str(option["id"])
    return None


def _boolean(heard: Heard) -> bool | None:
    if "coleta" not in heard.entry["id"]:
        return {"sim": True, "nao": False}.get(heard.plain.strip(" .!")) if heard.asked else None
    if says(heard.plain, *patterns.WE_COLLECT):
        return True
    if says(heard.plain, *patterns.HE_BRINGS):
        return False
    if not heard.asked:
        return None
    return True if says(heard.plain, "voces|vcs|equipe|pode ser|sim|prefiro a coleta") else None


def _city(heard: Heard) -> str | None:
    found = patterns.CITY_SAID.search(heard.text)
    if found and not says(fold(found[1]), *patterns.NO_CITY):
        return found[1].strip()
    plain = not (is_question(heard.plain) or is_bare(heard.plain) or any(c.isdigit() for c in heard.plain))
    if not heard.asked or not plain or len(heard.plain) > 60:
        return None
    return patterns.CITY_BEGINS.sub("", heard.text.strip(" .!")).strip() or None


def _name(heard: Heard) -> str | None:
    found = patterns.NAME_SAID.search(heard.text) or patterns.NAME_I_AM.search(heard.text)
    return patterns.NAME_ENDS.sub("", found[1]).strip() or None if found else None


def _company(heard: Heard) -> str | None:
    found = patterns.COMPANY_SAID.search(heard.text)
    if found is None and ("nome" in heard.expected or _name(heard)):
        found = patterns.COMPANY_OF.search(heard.text)
    return found[1].strip(" .") if found else None


def _deadline(heard: Heard) -> str | None:
    found = patterns.DEADLINE.search(heard.text)
    return found[0].strip() if found else None


_BY_ID: Mapping[str, Callable[[Heard], Any]] = {"nome": _name, "empresa": _company, "prazo": _deadline}
_BY_TYPE: Mapping[str, Callable[[Heard], Any]] = {
    "e-mail": _email,
    "cnpj": _cnpj,
    "cpf": _cpf,
    "telefone": _phone,
    "inteiro": _integer,
    "decimal": _decimal,
    "data": _date,
    "enum": _enum,
    "booleano": _boolean,
    "cidade": _city,
}
