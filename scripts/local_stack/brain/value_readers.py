"""One reader for each type of field: the value, or None when the words leave any doubt."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .catalogue import Entry, names_of, option_in, rest_of
from .prompt import Reading
from .words import FILLER, PORTUGUESE, fold, is_bare, means, numbers, place_of, questions, says, stem, stems

_EMAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_CNPJ = re.compile(
    r"(?<![\w.])[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}/?(?=\w*\d)[0-9A-Za-z]{4}-?\d{2}(?![\w-])"
)
_CPF = re.compile(r"(?<![\w.])(?:\d{3}\.\d{3}\.\d{3}-?\d{2}|\d{9}-?\d{2})(?![\w-])")
_PHONE = re.compile(r"(?<![\w.])(?:\+?55\s?)?\(?[1-9]{2}\)?\s?9?\d{4}[-\s]?\d{4}(?![\w-])")
_DATE = re.compile(r"(?<!\d)(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})/(\d{1,2})/(\d{4}))(?!\d)")
_CAPITAL = r"[A-ZÀ-Ý][\wÀ-ÿ'&-]*"
_CITY = re.compile(
    r"\b(?:[Ee]m|[Cc]idade (?:de|é)|[Ss]ou de|[Aa]qui de)\s+"
    rf"({_CAPITAL}(?:\s+(?:(?:d[aeo]s?|e)\s+)?{_CAPITAL}){{0,5}}(?:\s*[-/,]\s*[A-Z]{{2}}\b)?)"
)
_PLACE = re.compile(r"[^\W\d_][^\W\d_'.-]*(?:[\s,/-]+[^\W\d_'.]+){0,4}")
_PLACE_BEGINS = re.compile(r"^(?:(?:é|e|ficam?|aqui|sou|moro|cidade)\s+)*(?:(?:em|d[eoa]|n[oa])\s+)?", re.IGNORECASE)
_QUANTITY = re.compile(r"(?:(?:sao|seriam|serao|e|tenho|temos|uns|umas|so|apenas)\s+)*(?:\d+|[a-z]+)(?:\s+([a-z]+))?")
_NAME = re.compile(r"[^\W\d_][^\W\d_'.-]+(?:\s[^\W\d_][^\W\d_'.-]*){0,5}")
_AFTER_A_NAME = re.compile(r"[,;]|\s+(?:d[ae]\s+empresa|e\s+(?:o|a|meu|minha|quero|preciso))\b")
_BEGINS = (
    r"(?:(?:oi|ol[áa]|sim|claro|ent[ãa]o|bom dia|boa tarde|boa noite)[,.!\s]+)*"
    r"(?:(?:é|e|s[ãa]o|sou|seria|(?:el[ea] )?se chama|me chamo|aqui é|em nome d[aeo])\s+(?:[oa]\s+)?)?"
)
_ANSWER_MAX_WORDS = 12
AGAIN = "Não peguei direito"


class Heard:
    """What was written, as one field hears it: `asked` for or not, `again` when asked twice, `known` before or None."""

    def __init__(self, reading: Reading, entry: Entry, text: str, expected: list[str]) -> None:
        self.entry, self.text, self.plain = entry, text, fold(text)
        self.asked, self.again = entry["id"] in expected, AGAIN in reading.last_said
        self.known, self.company = reading.known.get(entry["id"]), reading.catalogue.company
        self.question = fold(f"{entry['pergunta']} {entry['nome']}")


def read(heard: Heard) -> Any:
    """The field's value; texts that answer a question are for `text_answer`."""
    reader = _BY_TYPE.get(heard.entry["tipo"])
    return reader(heard) if reader else None


def is_quantity(plain: str) -> re.Match[str] | None:
    """A number and at most the thing that it counts, which is the group."""
    return _QUANTITY.fullmatch(plain) if numbers(plain) else None


def text_answer(entry: Entry, text: str) -> str | None:
    """A plain answer to the plain question that was asked."""
    named = rf"(?:(?:[oa]\s+)?(?:meu\s+|minha\s+)?{re.escape(entry['nome'])}(?:\s+d[ae]l[ae])?\s*(?:é|e|:)\s+)?"
    value = re.sub(rf"^{_BEGINS}{named}", "", " ".join(text.split()).strip(" .!,;"), flags=re.IGNORECASE).strip()
    plain, asked = fold(value), f"{entry['pergunta']} {entry['nome']}"
    elsewhere = means(plain, "asking") and not stems(plain) & stems(asked)
    if is_bare(value) or len(plain.split()) > _ANSWER_MAX_WORDS or questions(text) or re.match(r"nao\b", plain):
        return None
    if elsewhere or any(kind.search(value) for kind in (_EMAIL, _CPF, _CNPJ)) or _counts_another(plain, fold(asked)):
        return None
    if not fold(entry["nome"]).startswith("nome"):
        return value
    name = _AFTER_A_NAME.split(value)[0].strip()
    return name if _NAME.fullmatch(name) else None


def _counts_another(plain: str, asked: str) -> bool:
    """Whether it is a number of things that the question does not ask about."""
    found = is_quantity(plain)
    of_time = means(plain, "measured") and means(asked, "of_time")
    return found is not None and not of_time and not (found[1] and stems(found[1]) & stems(asked))


def _matched(pattern: re.Pattern[str]) -> Callable[[Heard], str | None]:
    return lambda heard: next(iter(pattern.findall(heard.text)), None)


def _cpf(heard: Heard) -> str | None:
    """Eleven bare digits could be a telephone."""
    found = _CPF.search(_CNPJ.sub(" ", heard.text))
    told = found and ("." in found[0] or "cpf" in heard.plain)
    return found[0] if found and (told or (heard.asked and not means(heard.plain, "telephone"))) else None


def _phone(heard: Heard) -> str | None:
    named = means(heard.plain, "telephone")
    found = _PHONE.search(heard.text if named else _CPF.sub(" ", _CNPJ.sub(" ", heard.text)))
    return found[0].strip() if found and (named or heard.asked) else None


def _integer(heard: Heard) -> int | None:
    """The greater of a range. A number that was not asked for counts only beside the field's own noun."""
    text = _EMAIL.sub(" ", _DATE.sub(" ", heard.plain))
    told = numbers(text)
    if heard.known in told and len(others := [number for number in told if number != heard.known]) == 1:
        return others[0]
    if says(text, r"(?:mais|menos) d[eo] \w+"):
        return None
    nouns = stems(heard.entry["nome"]) - stems("número quantidade total")
    nouns |= stems(" ".join(re.findall(r"quant[oa]s (\w+)", heard.question)))
    phrases = re.finditer(r"(?=\b(\w+(?: \w+)?) (\w+))", text)
    beside = [number for phrase in phrases if stems(phrase[2]) & nouns for number in numbers(phrase[1])]
    if not beside and heard.asked and (not means(text, "measured") or means(heard.question, "of_time")):
        beside = told if len(set(told)) == 1 or re.search(r"\w+ (?:ou|a) \w+", text) else []
    return max(beside) if beside else None


def _decimal(heard: Heard) -> float | int | None:
    units = "|".join(map(re.escape, sorted(stems(heard.entry["nome"]))))
    found = re.findall(r"\d+(?:[.,]\d+)?" + ("" if heard.asked else rf"(?=\s*(?:{units}))"), heard.plain)
    value = float(found[0].replace(",", ".")) if len(found) == 1 else None
    return int(value) if value is not None and value.is_integer() else value


def _date(heard: Heard) -> str | None:
    found = _DATE.search(heard.text)
    if found is None:
        return None
    year, month, day = found.group(1, 2, 3) if found[1] else found.group(6, 5, 4)
    return f"{year}-{int(month):02d}-{int(day):02d}"


def _enum(heard: Heard) -> str | None:
    """Unasked for, an option counts only by its whole name, and not in a question or as a part of our own name."""
    options: list[Entry] = heard.entry["valores"]
    if heard.asked:
        answers = heard.again and not questions(heard.text) and not is_bare(heard.text)
        return option_in(options, heard.plain) or (rest_of(options) if answers else None)
    if questions(heard.text):
        return None
    named = {
        option["id"]
        for option in options
        for name in names_of(option)
        if len(name) > 3 and not stems(name) <= stems(heard.company) and place_of(heard.plain, name)
    }
    return str(named.pop()) if len(named) == 1 else None


def _boolean(heard: Heard) -> bool | None:
    """Of a question that offers alternatives the words of one decide; yes and no do once it is asked as a plain one."""
    if not heard.asked:
        return None
    plain = heard.plain.strip(" .!,?")
    first, either, second = fold(heard.entry["pergunta"]).partition(" ou ")
    if either and not heard.again:
        mirrored = (ours for theirs, ours in PORTUGUESE["mirrored"].items() if says(plain, theirs))
        spoken, name = stems(" ".join((plain, *mirrored))), stems(heard.entry["nome"])
        near, far = stems(first) - stems(second), stems(second) - stems(first)
        positive = near if name & near or not name & far else far
        return None if bool(spoken & near) == bool(spoken & far) else bool(spoken & positive)
    asked = {*re.findall(r"\w+", heard.question), *stems(heard.question)}
    for clause in re.split(r"[,.;!\n]", plain if not means(plain, "go_on") else ""):
        told = [word for word in re.findall(r"\w+", clause) if word not in FILLER]
        if all(word in asked or stem(word) in asked for word in told) and (told or means(clause, "yes", "no")):
            return not means(clause, "no")
    return None


def _city(heard: Heard) -> str | None:
    found = _CITY.search(heard.text)
    if found and not means(fold(found[1]), "no_city"):
        return found[1].strip()
    if not heard.asked or questions(heard.text) or is_bare(heard.text) or means(heard.plain, "no", "asking"):
        return None
    value = _PLACE_BEGINS.sub("", heard.text.strip(" .!")).strip()
    return value if _PLACE.fullmatch(value) else None


_BY_TYPE: dict[str, Callable[[Heard], Any]] = {"e-mail": _matched(_EMAIL), "cnpj": _matched(_CNPJ), "cpf": _cpf}
_BY_TYPE |= {"telefone": _phone, "inteiro": _integer, "decimal": _decimal, "data": _date, "cidade": _city}
_BY_TYPE |= {"enum": _enum, "booleano": _boolean}
