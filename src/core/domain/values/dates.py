"""Days that a customer's words name, and dates from a model, which count only when those words name them.

A date is as easily invented as an identifier (docs/contract.md, "Data"): `2027-01-12` for "de preferência numa terça".
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from core.domain.text import fold
from core.domain.values.identifiers import Rejected
from core.domain.values.number_words import UP_TO_NINETEEN

_MONTHS = (
    *("janeiro", "fevereiro", "marco", "abril", "maio", "junho"),
    *("julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
)
_MONTH_OF = {name[:3]: number for number, name in enumerate(_MONTHS, 1)}
_WEEKDAY_OF = {
    name: number for number, name in enumerate(("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo"))
}
_RELATIVE = {"anteontem": -2, "ontem": -1, "hoje": 0, "amanha": 1}
_FARTHEST_DAYS = 730
_MAX_CHARS = 80
_TEXT_MAX_CHARS = 100_000
_SAYS_NONE = "precisa ser um dia só, em AAAA-MM-DD, dito pelo cliente; se ele não disse o dia, deixe este campo de fora"
_SAYS_SEVERAL = "o que o cliente disse pode ser mais de um dia; confirme com ele qual é"
_NOT_SAID = "esta data não está no que o cliente escreveu; use só um dia que ele disse, ou deixe este campo de fora"

_FIGURES = {word: number for number, word in enumerate(UP_TO_NINETEEN[1:], 1)}
_FIGURES |= {"uma": 1, "duas": 2, "primeiro": 1, "vinte": 20, "trinta": 30}
_COMPOUND = re.compile(rf"\b(vinte|trinta) e ({'|'.join(UP_TO_NINETEEN[1:10])})\b")
_COUNT = rf"(?:[0-9]{{1,3}}|{'|'.join(_FIGURES)})"
_DAY = rf"(?:[0-9]{{1,2}}o?|{'|'.join(_FIGURES)})"
_MONTH = rf"(?:{'|'.join((*_MONTHS, *_MONTH_OF))})"
_OF_YEAR = r"(?:\s?/\s?|-|\.? de |\.?\s)(?P<year>[0-9]{4}|(?:(?<=[/-])|(?<=de ))[0-9]{2})(?![0-9])"
_OF_MONTH = r" (?:d|n)?es[st]e mes| do mes (?:que vem|seguinte)| do (?:proximo|outro) mes"
_WEEKDAY = rf"(?P<weekday>{'|'.join(_WEEKDAY_OF)})(?:[\s-]?feira)?"
_NEXT_WEEK = r"(?:[dn][ae])?\s?(?:semana (?:que vem|seguinte)|(?:proxima|outra) semana)"
# `segunda via`; `sexta, dia 20`: the day itself is said, and already taken.
_NO_WEEKDAY = r"(?!\s(?:via|vez|parte|amostra|opcao|etapa|coleta|unidade|remessa|tentativa|filial|loja)|[\s,(\-]*\|)"
# `numa terça`, `toda sexta`: no day in particular; `dia 20, sexta`.
_NO_ONE_DAY = re.compile(
    r"(?:\bn?uma?|\balguma?|\bqualquer|\btod[ao](?: [ao])?|\bcada|\bfora|\bmenos|\bexceto)\s$|\|[\s,(\-]*$"
)

_Reading = Callable[["re.Match[str]", date | None], Iterator[date]]


def resolve_dates(text: str, said_on: date | None = None) -> frozenset[str]:
    """The days that a customer's words name, as `YYYY-MM-DD`. Never raises.

    `said_on` is the day on which they were written: from it count "amanhã" and "sexta", and "15 de abril" is the next
    such day. Without it only dates with a year are read. Two days that a phrase may mean equally well are both named.
    """
    remaining = " ".join(fold(text[-_TEXT_MAX_CHARS:]).split())
    remaining = _COMPOUND.sub(lambda words: str(_FIGURES[words[1]] + _FIGURES[words[2]]), remaining)
    found: set[date] = set()
    for pattern, read in _READINGS:

        def _take(match: re.Match[str], read: _Reading = read) -> str:
            days = list(_valid(read, match, said_on))
            found.update(days)
            return " | " if days else match[0]

        remaining = pattern.sub(_take, remaining)
    return frozenset(day.isoformat() for day in found)


def read_date(raw: object, *, written: str, said_on: date | None) -> str | Rejected:
    """`YYYY-MM-DD`, from such a text or from the customer's own words ("amanhã"), if the customer named that day."""
    text = raw.strip() if isinstance(raw, str) and len(raw) <= _MAX_CHARS else ""
    named = resolve_dates(re.sub(r"(?<=[0-9])[tT][0-9:.+\-zZ]*$", "", text), said_on)
    if len(named) != 1:
        return Rejected(_SAYS_SEVERAL if named else _SAYS_NONE)
    return next(iter(named)) if named <= resolve_dates(written, said_on) else Rejected(_NOT_SAID)


def _valid(read: _Reading, match: re.Match[str], said_on: date | None) -> Iterator[date]:
    try:
        yield from read(match, said_on)
    except (ValueError, OverflowError):
        return


def _year(text: str) -> int:
    year = int(text)
    return year + 2000 if year < 100 else year


def _figure(text: str) -> int:
    return _FIGURES.get(text) or int(text.removesuffix("o"))


def _next_such(said_on: date | None, day: int, month: int) -> Iterator[date]:
    """The next such day, that day itself included; a 29 February waits for its year."""
    for year in range(said_on.year, said_on.year + 9) if said_on else ():
        if day <= calendar.monthrange(year, month)[1] and date(year, month, day) >= said_on:  # type: ignore[operator]
            yield date(year, month, day)
            return


def _numeric(match: re.Match[str], _: date | None) -> Iterator[date]:
    yield date(_year(match["year"]), int(match["month"]), int(match["day"]))


def _numeric_without_year(match: re.Match[str], said_on: date | None) -> Iterator[date]:
    if match["year"]:
        yield from _numeric(match, said_on)
    elif 1 <= int(match["month"]) <= 12:
        yield from _next_such(said_on, int(match["day"]), int(match["month"]))


def _long(match: re.Match[str], said_on: date | None) -> Iterator[date]:
    """`15 de abril de 2027`, `15 e 16 de abril`."""
    month = _MONTH_OF[match["month"][:3]]
    for text in filter(None, (match["other"], match["day"])):
        day = _figure(text)
        if match["year"]:
            yield date(_year(match["year"]), month, day)
        else:
            yield from _next_such(said_on, day, month)


def _of_month(match: re.Match[str], said_on: date | None) -> Iterator[date]:
    """`dia 20`, `dia 20 do mês que vem`, `dias 20 e 21`."""
    if said_on is None:
        return
    which = match["which"] or ""
    for text in filter(None, (match["day"], match["other"])):
        day, month = _figure(text), date(said_on.year, said_on.month, 1)
        if not 1 <= day <= 31:
            return
        if re.search("vem|proximo|seguinte|outro", which):
            month = _month_after(month)
        elif not which:
            while day > calendar.monthrange(month.year, month.month)[1] or month.replace(day=day) < said_on:
                month = _month_after(month)
        yield month.replace(day=day)


def _month_after(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def _in_days(match: re.Match[str], said_on: date | None) -> Iterator[date]:
    """`daqui a 3 dias`, `daqui a duas semanas`."""
    count = _figure(match["count"])
    days = count * (7 if match["unit"] == "semana" else 1)
    if said_on is not None and 0 < days <= _FARTHEST_DAYS:
        yield said_on + timedelta(days=days)


def _relative(match: re.Match[str], said_on: date | None) -> Iterator[date]:
    if said_on is not None:
        yield said_on + timedelta(days=2 if match["after"] else _RELATIVE[match["word"]])


def _weekday_next_week(match: re.Match[str], said_on: date | None) -> Iterator[date]:
    """`sexta da semana que vem`."""
    if said_on is not None:
        weekday = _WEEKDAY_OF[match["weekday"]]
        yield said_on + timedelta(days=7 - said_on.weekday() + weekday)


def _weekday(match: re.Match[str], said_on: date | None) -> Iterator[date]:
    """`sexta`: the next one. `sexta que vem`, early in a week, may also be the one after."""
    before = match.string[max(0, match.start() - 16) : match.start()]
    if said_on is None or _NO_ONE_DAY.search(before):
        return
    ahead = (_WEEKDAY_OF[match["weekday"]] - said_on.weekday() - 1) % 7 + 1
    yield said_on + timedelta(days=ahead)
    if match["vem"] and ahead < 7 - said_on.weekday():
        yield said_on + timedelta(days=ahead + 7)


_ISO = r"(?<![0-9])(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})(?![0-9])"
_NUMERIC = (
    r"(?<![0-9])(?<![0-9][./-])(?P<day>[0-9]{1,2})\s?([/.\- ])\s?(?P<month>[0-9]{1,2})\s?\2\s?"
    r"(?P<year>[0-9]{4}|[0-9]{2})(?![0-9]|[./-][0-9])"
)
_LONG = (
    rf"(?<!\w)(?:(?P<other>{_DAY})(?: de)?\s?(?:e|ou|a|,)\s)?(?P<day>{_DAY})(?:\s?/\s?|-|\.|\s)(?:de )?"
    rf"(?P<month>{_MONTH})(?![a-z])(?:{_OF_YEAR})?"
)
_DAY_AND_MONTH = r"\bdia (?P<day>[0-9]{1,2})\s?[/.-]\s?(?P<month>[0-9]{1,2})(?![0-9])(?P<year>)"
_DAY_SLASH_MONTH = (
    r"(?<![0-9,])(?<![0-9][./-])(?P<day>[0-9]{1,2})(?:\s?/\s?| do )(?P<month>[0-9]{1,2})"
    r"(?![0-9]|[./,-][0-9])(?: de (?P<year>[0-9]{4}))?"
)
_DAY_OF_MONTH = (
    rf"(?<!todo )\bdias? (?P<day>{_DAY})(?![\w/])(?:,? (?:e|ou|a)(?: dia)? (?P<other>{_DAY})(?![\w/]))?"
    rf"(?P<which>{_OF_MONTH})?"
)
_IN_DAYS = rf"\b(?:daqui(?: a| ha)?|dentro de|em) (?P<count>{_COUNT}) (?P<unit>dia|semana)s?\b(?! uteis)"
_BY_TODAY = r"\b(?P<after>(?:depois|dps)\s?(?:de|d)\s?amanha)\b|\b(?P<word>anteontem|ontem|hoje|amanha)\b"
_READINGS: tuple[tuple[re.Pattern[str], _Reading], ...] = (
    (re.compile(_ISO), _numeric),
    (re.compile(_NUMERIC), _numeric),
    (re.compile(_LONG), _long),
    (re.compile(_DAY_AND_MONTH), _numeric_without_year),
    (re.compile(_DAY_SLASH_MONTH), _numeric_without_year),
    (re.compile(_DAY_OF_MONTH), _of_month),
    (re.compile(_IN_DAYS), _in_days),
    (re.compile(_BY_TODAY), _relative),
    (re.compile(rf"\b{_WEEKDAY},? {_NEXT_WEEK}\b"), _weekday_next_week),
    (re.compile(rf"\bsemana que vem,? (?:n[ao] |de )?{_WEEKDAY}\b"), _weekday_next_week),
    (re.compile(rf"\b{_WEEKDAY}\b(?P<vem> que vem)?{_NO_WEEKDAY}"), _weekday),
)
