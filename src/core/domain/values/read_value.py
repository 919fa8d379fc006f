"""Raw values from a model, typed as the catalogue says (docs/contract.md, "Data").

Models send numbers as texts and texts as numbers; what is meant without doubt is taken, the rest is refused with a
reason that the agent is told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from core.domain.catalogue.catalog import Catalog, FieldSpec, FieldType
from core.domain.text import fold_key
from core.domain.values.field_value import FieldScalar
from core.domain.values.identifiers import DocumentRules, Rejected, read_cnpj, read_cpf, read_email, read_phone
from core.domain.values.numbers import read_integer, read_number

_CITY_MAX_CHARS = 80
_LONGEST_BLANK = 16
_BLANKS = frozenset(
    {
        "null",
        "none",
        "undefined",
        "nan",
        "n_a",
        "nao_informado",
        "nao_informada",
        "nao_informados",
        "nao_informadas",
        "nao_informou",
        "a_informar",
    }
)
_YES = frozenset({"sim", "s", "true", "verdadeiro", "yes", "y", "1"})
_NO = frozenset({"nao", "n", "false", "falso", "no", "0"})
_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:t.*)?")
_DATE = re.compile(r"([0-9]{1,2})[/.\- ]([0-9]{1,2})[/.\- ]([0-9]{4}|[0-9]{2})")
_LONG_DATE = re.compile(r"([0-9]{1,2})o?_(?:de_)?([a-z]{3,9})_(?:de_)?([0-9]{4})")
_MONTHS = (
    *("janeiro", "fevereiro", "marco", "abril", "maio", "junho"),
    *("julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
)

TypedValue = FieldScalar | Rejected | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueReader:
    """Types values for one turn. `written` is all that the customer wrote in this session and now."""

    catalog: Catalog
    written: str
    documents: DocumentRules

    def read(self, spec: FieldSpec, raw: object) -> TypedValue:
        """The value; `Rejected` with a reason; None for null and empty, which never overwrite anything."""
        if is_blank(raw):
            return None
        if spec.type is FieldType.TEXT:
            return _text(raw, spec.max_length)
        if isinstance(raw, list) and len(raw) == 1:
            raw = raw[0]
            if is_blank(raw):
                return None
        return _READERS[spec.type](self, spec, raw)


def is_blank(raw: object) -> bool:
    """Null, empty, a text without letters or digits, or one of the words with which models say "nothing"."""
    if isinstance(raw, str):
        if len(raw) > _LONGEST_BLANK:
            return not any(character.isalnum() for character in raw)
        key = fold_key(raw)
        return not key or key in _BLANKS
    return raw is None or raw in ([], {})


def _text(raw: object, max_length: int) -> str | Rejected | None:
    parts = raw if isinstance(raw, list) else [raw]
    texts = [_plain(part) for part in parts if not is_blank(part)]
    if None in texts:
        return Rejected("precisa ser um texto")
    text = " ".join(", ".join(text for text in texts if text).split())
    text = "".join(character for character in text if character.isprintable())
    if len(text) > max_length:
        return Rejected(f"passa de {max_length} caracteres; resuma")
    return text or None


def _plain(raw: object) -> str | None:
    """A text or a number as text; None for anything else."""
    if isinstance(raw, str):
        return raw
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    if isinstance(raw, int):
        return str(raw) if abs(raw) < 10**30 else None
    return f"{raw:.12g}" if math.isfinite(raw) else None


def _integer(_: ValueReader, spec: FieldSpec, raw: object) -> TypedValue:
    number = read_integer(raw)
    return Rejected("precisa ser um número inteiro") if number is None else _outside(spec, Decimal(number)) or number


def _decimal(_: ValueReader, spec: FieldSpec, raw: object) -> TypedValue:
    number = read_number(raw)
    return Rejected("precisa ser um número") if number is None else _outside(spec, number) or number


def _outside(spec: FieldSpec, number: Decimal) -> Rejected | None:
    if spec.minimum is not None and number < spec.minimum:
        return Rejected(f"precisa ser no mínimo {spec.minimum}")
    if spec.maximum is not None and number > spec.maximum:
        return Rejected(f"precisa ser no máximo {spec.maximum}")
    return None


def _date(_: ValueReader, __: FieldSpec, raw: object) -> TypedValue:
    """Kept as `YYYY-MM-DD`."""
    day = _calendar_day(raw.strip()) if isinstance(raw, str) else None
    return Rejected("precisa ser uma data com dia, mês e ano") if day is None else day.isoformat()


def _calendar_day(text: str) -> date | None:
    try:
        if match := _ISO_DATE.fullmatch(text.lower()):
            return date(int(match[1]), int(match[2]), int(match[3]))
        if match := _DATE.fullmatch(text):
            year = int(match[3])
            return date(year + 2000 if year < 100 else year, int(match[2]), int(match[1]))
        if match := _LONG_DATE.fullmatch(fold_key(text[:40])):
            month = next((n for n, name in enumerate(_MONTHS, 1) if match[2] in (name, name[:3])), 0)
            return date(int(match[3]), month, int(match[1]))
    except ValueError:
        return None
    return None


def _enum(reader: ValueReader, spec: FieldSpec, raw: object) -> TypedValue:
    text = _plain(raw)
    option = reader.catalog.option(spec, text) if text else None
    return option.id if option else Rejected(f"use um destes: {', '.join(value.id for value in spec.values)}")


def _boolean(_: ValueReader, __: FieldSpec, raw: object) -> TypedValue:
    key = ("sim" if raw else "nao") if isinstance(raw, bool) else fold_key(_plain(raw) or "")
    if key in _YES:
        return True
    return False if key in _NO else Rejected("precisa ser true ou false")


def _city(_: ValueReader, __: FieldSpec, raw: object) -> TypedValue:
    text = _text(raw, _CITY_MAX_CHARS) if isinstance(raw, str) else None
    if isinstance(text, str) and sum(character.isalpha() for character in text) < 2:
        text = None
    return text or Rejected("precisa ser o nome de uma cidade")


def _document(reader: ValueReader, spec: FieldSpec, raw: object) -> TypedValue:
    read = read_cpf if spec.type is FieldType.CPF else read_cnpj
    whole = _text_or_whole(raw)
    return _unreadable() if whole is None else read(whole, written=reader.written, rules=reader.documents)


def _phone(reader: ValueReader, _: FieldSpec, raw: object) -> TypedValue:
    whole = _text_or_whole(raw)
    return _unreadable() if whole is None else read_phone(whole, written=reader.written)


def _email(reader: ValueReader, _: FieldSpec, raw: object) -> TypedValue:
    return read_email(raw, written=reader.written) if isinstance(raw, str) else _unreadable()


def _text_or_whole(raw: object) -> str | int | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw if 0 <= raw < 10**16 else None
    return raw if isinstance(raw, str) and len(raw) <= 80 else None


def _unreadable() -> Rejected:
    return Rejected("precisa ser um texto, como o cliente escreveu")


_READERS: dict[FieldType, Callable[[ValueReader, FieldSpec, object], TypedValue]] = {
    FieldType.INTEGER: _integer,
    FieldType.DECIMAL: _decimal,
    FieldType.DATE: _date,
    FieldType.ENUM: _enum,
    FieldType.BOOLEAN: _boolean,
    FieldType.CPF: _document,
    FieldType.CNPJ: _document,
    FieldType.EMAIL: _email,
    FieldType.PHONE: _phone,
    FieldType.CITY: _city,
}
