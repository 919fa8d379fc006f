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
from core.domain.values.choices import choose
from core.domain.values.dates import read_date
from core.domain.values.deferral import is_deferral
from core.domain.values.field_value import FieldScalar
from core.domain.values.identifiers import DocumentRules, Rejected, read_cnpj, read_cpf, read_email, read_phone
from core.domain.values.numbers import read_integer, read_number
from core.domain.values.places import plain_city
from core.domain.values.units import names_other_unit

_CITY_MAX_CHARS = 80
_CITY_MIN_LETTERS = 2
_WRAPPED_MAX = 3
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
        "nao_forneceu",
        "nao_fornecido",
        "nao_fornecida",
        "nao_disse",
        "nao_mencionou",
        "nao_mencionado",
        "nao_mencionada",
        "sem_informacao",
        "a_informar",
        "a_definir",
        "a_confirmar",
        "a_combinar",
        "em_aberto",
        "pendente",
        "desconhecido",
        "vazio",
    }
)
_LONGEST_SAID_MISSING = 60
_AROUND_A_BLANK = frozenset(
    {"o", "a", "pelo", "pela", "cliente", "usuario", "ainda", "foi", "ficou", "valor", "dado", "campo"}
)
_YES = frozenset({"s", "true", "verdadeiro", "yes", "y", "1"})
_NO = frozenset({"n", "false", "falso", "no", "0"})
_PLAIN_YES = frozenset(
    {"sim", "claro", "positivo", "exato", "isso", "isso_mesmo", "com_certeza", "certamente", "aham", "ok"}
)
_PLAIN_NO = frozenset({"nao", "negativo", "de_jeito_nenhum"})
_COURTESY = re.compile(
    r"(?:_(?:por_favor|pf|pfv|obrigad[oa]|obg|senhora?|claro|com_certeza|pode_ser_sim|sim|quero|nao|gostaria))+$"
)
# Names under which a model puts a value that stands alone.
_WRAPPERS = frozenset({"valor", "value", "texto", "text", "nome", "name", "id", "resposta", "answer", "data", "campo"})
_CITY_KEYS = ("cidade", "municipio", "city", "nome")
_STATE_KEYS = ("uf", "estado", "state", "sigla")

TypedValue = FieldScalar | Rejected | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueReader:
    """Types values for one turn. `written` is all that the customer wrote in this session and now.

    `said_on` is the newest message's day where the company is; without it no relative day is read.
    """

    catalog: Catalog
    written: str
    documents: DocumentRules
    said_on: date | None = None

    def read(self, spec: FieldSpec, raw: object) -> TypedValue:
        """The value; `Rejected` with a reason; None for null, empty and "mando depois", which never overwrite."""
        raw = _unwrapped(raw, spec)
        if (
            is_blank(raw)
            or _is_said_missing(raw, spec)
            or (isinstance(raw, str) and is_deferral(raw) and not _is_option(raw, spec))
        ):
            return None
        if spec.type is FieldType.TEXT:
            return _text(raw, spec.max_length)
        return _READERS[spec.type](self, spec, raw)


def _unwrapped(raw: object, spec: FieldSpec) -> object:
    """What stands alone in a list, or in an object under a name that says nothing more."""
    for _ in range(_WRAPPED_MAX):
        if isinstance(raw, list) and len(raw) == 1:
            raw = raw[0]
        elif isinstance(raw, dict) and len(raw) == 1 and fold_key(next(iter(raw))) in {*_WRAPPERS, fold_key(spec.id)}:
            raw = next(iter(raw.values()))
    return raw


def _is_option(raw: str, spec: FieldSpec) -> bool:
    return bool(spec.values) and choose(raw, spec.values) is not None


def is_blank(raw: object) -> bool:
    """Null, empty, a text without letters or digits, or one of the words with which models say "nothing"."""
    if isinstance(raw, str):
        if len(raw) > _LONGEST_BLANK:
            return not any(character.isalnum() for character in raw)
        key = fold_key(raw)
        return not key or key in _BLANKS
    return raw is None or raw in ([], {})


def _is_said_missing(raw: object, spec: FieldSpec) -> bool:
    """ "nome não informado", "cliente ainda não informou": a blank with words around it that say nothing."""
    if not isinstance(raw, str) or len(raw) > _LONGEST_SAID_MISSING:
        return False
    empty = {*_AROUND_A_BLANK, *fold_key(spec.id).split("_"), *fold_key(spec.name).split("_")}
    words = fold_key(raw).split("_")
    return "_".join(word for word in words if word not in empty) in _BLANKS


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
    if number is None:
        return Rejected("precisa ser um número inteiro, um só e exato")
    return _other_unit(spec, raw) or _outside(spec, Decimal(number)) or number


def _decimal(_: ValueReader, spec: FieldSpec, raw: object) -> TypedValue:
    number = read_number(raw)
    if number is None:
        return Rejected("precisa ser um número, um só e exato")
    return _other_unit(spec, raw) or _outside(spec, number) or number


def _other_unit(spec: FieldSpec, raw: object) -> Rejected | None:
    if isinstance(raw, str) and names_other_unit(raw, asked_in=f"{spec.id.replace('_', ' ')} {spec.name}"):
        return Rejected("está em outra unidade; peça o valor na unidade do campo")
    return None


def _outside(spec: FieldSpec, number: Decimal) -> Rejected | None:
    if spec.minimum is not None and number < spec.minimum:
        return Rejected(f"precisa ser no mínimo {spec.minimum}")
    if spec.maximum is not None and number > spec.maximum:
        return Rejected(f"precisa ser no máximo {spec.maximum}")
    return None


def _date(reader: ValueReader, _: FieldSpec, raw: object) -> TypedValue:
    return read_date(raw, written=reader.written, said_on=reader.said_on)


def _enum(_: ValueReader, spec: FieldSpec, raw: object) -> TypedValue:
    text = _plain(raw)
    option = choose(text, spec.values) if text else None
    return option.id if option else Rejected(f"use um destes: {', '.join(value.id for value in spec.values)}")


def _boolean(_: ValueReader, __: FieldSpec, raw: object) -> TypedValue:
    key = ("sim" if raw else "nao") if isinstance(raw, bool) else fold_key(_plain(raw) or "")
    bare = _COURTESY.sub("", key)
    if key in _YES or bare in _PLAIN_YES:
        return True
    return False if key in _NO or bare in _PLAIN_NO else Rejected("precisa ser true ou false")


def _city(_: ValueReader, __: FieldSpec, raw: object) -> TypedValue:
    text = _text(_one_place(raw) if isinstance(raw, dict) else raw if isinstance(raw, str) else None, _CITY_MAX_CHARS)
    if isinstance(text, str) and sum(character.isalpha() for character in text) >= _CITY_MIN_LETTERS:
        return plain_city(text)
    return Rejected("precisa ser o nome de uma cidade")


def _one_place(raw: dict[object, object]) -> str | None:
    """`{"cidade": "Campinas", "uf": "SP"}`, and nothing beside that."""
    parts = {fold_key(str(key)): value for key, value in raw.items()}
    city = next((parts.pop(key) for key in _CITY_KEYS if key in parts), None)
    state = next((parts.pop(key) for key in _STATE_KEYS if key in parts), None)
    if not isinstance(city, str) or parts:
        return None
    return f"{city}/{state}" if isinstance(state, str) and state.strip() else city


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
