"""What is asked of whoever starts a company, and the answers as data."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from core.domain.catalogue.catalog import RESERVED_KEYS
from core.domain.catalogue.opening_hours import WEEKDAYS

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SHORT_DAYS = ("seg", "ter", "qua", "qui", "sex", "sab", "dom")
_STRETCH = re.compile(r"([0-2]\d:[0-5]\d)-([0-2]\d:[0-5]\d)")
_DAYS = re.compile(r"([a-z]{3})(?:-([a-z]{3}))?")
CONTACT_FIELDS = ("nome", "telefone", "email", "cpf", "cidade")
KINDS = ("texto", "número", "sim ou não", "data", "cidade", "opções")


class AnswerError(ValueError):
    """An answer that cannot be used, in the words of who gave it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """`Limpeza: profilaxia, tártaro`: a name and the other words that customers use for it."""

    name: str
    words: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Small letters, digits and _."""
        return identifier(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """`período (opções: manhã, tarde)`: something that the team must know, and of which kind it is."""

    name: str
    kind: str = "texto"
    options: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Small letters, digits and _; never one that a contact field or the reply itself has."""
        plain = identifier(self.name)
        return f"{plain}_do_pedido"[:40] if plain in CONTACT_FIELDS or plain in RESERVED_KEYS else plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Everything that a company's folder is made of. `hours` holds stretches by weekday."""

    id: str
    name: str
    offers: str
    outcome: str
    services: tuple[Named, ...]
    details: tuple[Detail, ...]
    contact: tuple[str, ...]
    prices: tuple[str, ...]
    to_person: tuple[str, ...]
    address: str
    hours: Mapping[str, tuple[str, ...]]
    email: str
    phone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`key` is the answer's name in answers.toml; `read` makes data of it or raises `AnswerError`."""

    key: str
    asks: str
    example: str
    read: Callable[[str | Sequence[str]], Any]
    default: str | None = None


def question_for(detail: Detail) -> str:
    """A plain question, to be put better by whoever edits the file."""
    name = detail.name[0].lower() + detail.name[1:]
    if detail.options:
        return f"{detail.name.capitalize()}: {', '.join(detail.options[:-1])} ou {detail.options[-1]}?"
    if detail.kind == "sim ou não":
        return f"{detail.name.capitalize()}, sim ou não?"
    return f"Pode me dizer: {name}?"


def identifier(name: str) -> str:
    """`Limpeza de pele` becomes `limpeza_de_pele`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:40]


def _text(answer: str | Sequence[str]) -> str:
    if not isinstance(answer, str) or not answer.strip():
        raise AnswerError("precisa de um texto")
    return answer.strip()


def _folder(answer: str | Sequence[str]) -> str:
    text = _text(answer)
    if not _ID.fullmatch(text):
        raise AnswerError("só letras minúsculas sem acento, números, - e _")
    return text


def _list(answer: str | Sequence[str]) -> tuple[str, ...]:
    parts = re.split(r";|\n", answer) if isinstance(answer, str) else list(answer)
    return tuple(part.strip() for part in parts if part.strip())


def _named(answer: str | Sequence[str]) -> tuple[Named, ...]:
    found = []
    for part in _list(answer):
        name, _, words = part.partition(":")
        if not identifier(name):
            raise AnswerError(f"{part!r} não tem nome")
        found.append(Named(name=name.strip(), words=tuple(word.strip() for word in words.split(",") if word.strip())))
    if not found:
        raise AnswerError("precisa de pelo menos um")
    _unique([each.id for each in found])
    return tuple(found)


def _details(answer: str | Sequence[str]) -> tuple[Detail, ...]:
    found = [_detail(part) for part in _list(answer)]
    if not found:
        raise AnswerError("precisa de pelo menos um")
    _unique([each.id for each in found])
    return tuple(found)


def _detail(part: str) -> Detail:
    match = re.fullmatch(r"(?P<name>[^()]+?)\s*(?:\((?P<kind>[^:()]+)(?::(?P<options>[^()]*))?\))?", part)
    if match is None or not identifier(match["name"]):
        raise AnswerError(f"{part!r}: escreva nome (tipo); os tipos são {', '.join(KINDS)}")
    kind = (match["kind"] or "texto").strip().lower()
    kind = {"numero": "número", "sim ou nao": "sim ou não", "opcoes": "opções"}.get(kind, kind)
    options = tuple(word.strip() for word in (match["options"] or "").split(",") if word.strip())
    if kind not in KINDS:
        raise AnswerError(f"{part!r}: o tipo {kind!r} não existe; os tipos são {', '.join(KINDS)}")
    if (kind == "opções") != (len(options) > 1):
        raise AnswerError(f"{part!r}: escreva as opções assim: {match['name']} (opções: uma, outra)")
    return Detail(name=match["name"].strip(), kind=kind, options=options)


def _unique(ids: Sequence[str]) -> None:
    if len(set(ids)) < len(ids):
        raise AnswerError("dois com o mesmo nome")


def _hours(answer: str | Sequence[str]) -> dict[str, tuple[str, ...]]:
    """`seg-sex 08:00-12:00 13:00-18:00; sab 08:00-12:00`."""
    week: dict[str, tuple[str, ...]] = {}
    for part in _list(answer):
        days, *stretches = part.split()
        match = _DAYS.fullmatch(identifier(days.replace("-", "0")).replace("0", "-"))
        if match is None or not {match[1], match[2] or match[1]} <= set(_SHORT_DAYS):
            raise AnswerError(f"{part!r}: comece pelos dias, como seg-sex ou sab")
        if not stretches or not all(_STRETCH.fullmatch(each) for each in stretches):
            raise AnswerError(f"{part!r}: escreva as horas como 08:00-12:00 13:00-18:00")
        first, last = (_SHORT_DAYS.index(day) for day in (match[1], match[2] or match[1]))
        week |= dict.fromkeys(WEEKDAYS[first : last + 1], tuple(stretches))
    if not week:
        raise AnswerError("precisa de pelo menos um dia")
    return week


def _contact(answer: str | Sequence[str]) -> tuple[str, ...]:
    parts = answer.split(",") if isinstance(answer, str) else list(answer)
    asked = tuple(dict.fromkeys(identifier(part) for part in parts if part.strip()))
    unknown = [each for each in asked if each not in CONTACT_FIELDS]
    if unknown or "nome" not in asked:
        raise AnswerError(f"escolha entre {', '.join(CONTACT_FIELDS)}, com nome entre eles")
    return asked


QUESTIONS = (
    Question(key="id", asks="Um nome curto para a pasta", example="clinica", read=_folder),
    Question(
        key="name", asks="O nome da empresa, como os clientes conhecem", example="Clínica Vila Serena", read=_text
    ),
    Question(
        key="offers", asks="O que ela oferece, em uma frase", example="limpeza, clareamento e implantes", read=_text
    ),
    Question(
        key="services",
        asks="Os serviços, separados por ponto e vírgula; depois de dois-pontos, outras palavras que os clientes usam",
        example="Limpeza: profilaxia, tártaro; Clareamento: clarear os dentes",
        read=_named,
    ),
    Question(
        key="details",
        asks="O que a equipe precisa saber do pedido, separado por ponto e vírgula, com o tipo entre parênteses",
        example="período (opções: manhã, tarde); quantas pessoas (número); tem convênio (sim ou não)",
        read=_details,
    ),
    Question(
        key="contact",
        asks=f"Que dados de contato pedir ({', '.join(CONTACT_FIELDS)})",
        example="nome, telefone, email",
        read=_contact,
        default="nome, telefone, email",
    ),
    Question(
        key="outcome",
        asks="O que a equipe faz com o pedido pronto",
        example="agendamento",
        read=_text,
        default="orçamento",
    ),
    Question(
        key="prices",
        asks="Preços que a assistente pode informar, separados por ponto e vírgula (vazio: não informa nenhum)",
        example="Limpeza: R$ 180,00; Avaliação: grátis",
        read=_list,
        default="",
    ),
    Question(
        key="to_person",
        asks="O que deve ir direto para uma pessoa, separado por ponto e vírgula",
        example="remarcar ou cancelar consulta; dor depois de um procedimento",
        read=_list,
        default="",
    ),
    Question(key="address", asks="Endereço", example="Rua das Laranjeiras, 200, Centro, Campinas (SP)", read=_text),
    Question(
        key="hours",
        asks="Quando a equipe atende",
        example="seg-sex 08:00-12:00 13:00-18:00; sab 08:00-12:00",
        read=_hours,
        default="seg-sex 09:00-18:00",
    ),
    Question(key="email", asks="E-mail da equipe", example="contato@vilaserena.example", read=_text),
    Question(key="phone", asks="Telefone da equipe", example="(19) 3555-0100", read=_text),
)


def answers_from(given: Mapping[str, Any]) -> Answers:
    """Raises `AnswerError` that names every answer which is missing, unknown or cannot be used."""
    faults = [f"{name}: não é uma pergunta" for name in given if name not in {each.key for each in QUESTIONS}]
    read: dict[str, Any] = {}
    for question in QUESTIONS:
        raw = given.get(question.key, question.default)
        if raw is None:
            faults.append(f"{question.key}: falta ({question.asks}; por exemplo: {question.example})")
            continue
        try:
            read[question.key] = question.read(raw)
        except AnswerError as error:
            faults.append(f"{question.key}: {error}")
    if faults:
        raise AnswerError("\n".join(faults))
    return Answers(**{each.name: read[each.name] for each in fields(Answers)})


def answers_in_file(path: Path) -> Answers:
    """answers.toml. Raises `AnswerError`, also for what is no TOML."""
    try:
        return answers_from(tomllib.loads(path.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AnswerError(f"{path}: {error}") from error
