"""The prompt's own catalogue: which service the customer means, what it asks, in which order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .words import fold, place_of, stems

Entry = Mapping[str, Any]
STAGES = ("triagem", "qualificacao", "coleta")
_SEPARATES = re.compile(r"[,;.!?\n]|(?<!\w)(?:e|ou|mas|mais|tambem|depois|alem|nao|quero|preciso)(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entry in the customer's words, and where its name stands."""

    id: str
    start: int
    end: int

    @property
    def length(self) -> int:
        """Longer names say more."""
        return self.end - self.start


class Catalogue:
    """Made of the JSON in `<catalogo>`. `echoed` are fields that take a service's name for their value in examples."""

    def __init__(self, content: Entry, examples: Iterable[Entry] = ()) -> None:
        company = content["empresa"]
        self.company: str = company["nome"]
        self.services: list[Entry] = content["servicos"]
        self.offers: str = company.get("oferece") or ", ".join(each["nome"] for each in self.services)
        self.outcome: str = company.get("resultado", "")
        self.prices: Entry = content.get("precos", {})
        limits = content.get("limites", {})
        self.for_a_person: list[str] = limits.get("pessoa", [])
        self._left_out = [fold(limits.get("recusa", {}).get("out_of_scope", ""))]
        self._left_out += [fold(each.get("nao_inclui", "")).removeprefix("nao inclui") for each in self.services]
        self.segments: list[Entry] = content["segmentos"]
        self.fields: dict[str, Entry] = {entry["id"]: entry for entry in content["campos"]}
        self.packages: dict[str, Entry] = {entry["id"]: entry for entry in content["pacotes"]}
        self.vocabulary = stems(
            " ".join(_texts([content[key] for key in ("servicos", "segmentos", "campos", "pacotes")]))
        )
        self.vocabulary |= stems(f"{self.company} {self.offers} {self.outcome}")
        self.echoed = self._echoed(examples)

    def service(self, identity: str | None) -> Entry | None:
        """By id."""
        return next((service for service in self.services if service["id"] == identity), None)

    def services_in(self, text: str) -> list[Mention]:
        """The services that a folded text names, in its order; of names that touch, the longest is meant."""
        apart: list[Mention] = []
        for mention in sorted(mentions(self.services, text), key=lambda mention: mention.start):
            if apart and not _SEPARATES.search(text[apart[-1].end : mention.start]):
                apart[-1] = max(apart[-1], mention, key=lambda each: (each.length, each.start))
            else:
                apart.append(mention)
        return apart

    def services_described(self, text: str) -> list[Entry]:
        """Those that a text without any of their names fits best, by the words that tell services apart."""
        own = [stems(" ".join((each["nome"], *each.get("sinonimos", ()), each["descricao"]))) for each in self.services]
        spoken = stems(text)
        scores = [sum(1 / sum(stem in other for other in own) for stem in spoken & words) for words in own]
        best = max(scores, default=0)
        return [each for each, score in zip(self.services, scores, strict=True) if best >= 0.5 and score == best]

    def asked_by(self, service: Entry | None) -> set[str]:
        """Every field that a service may hold; without one, those that all services share."""
        if service is None:
            sets = [self.asked_by(each) for each in self.services]
            return set.intersection(*sets) if sets else set()
        return {name for key in ("obrigatorios", "opcionais") for ids in service[key].values() for name in ids}

    def missing(self, service: Entry | None, stage: str, known: Collection[str], refused: Collection[str]) -> list[str]:
        """What a stage still has to ask; a group is closed by a value, or by a refusal that asks for no alternative."""
        required = service["obrigatorios"].get(stage, []) if service else []
        settled = [*known, *(n for n in refused if self.fields.get(n, {}).get("se_recusar") != "alternativa")]
        groups = {self.fields[name].get("grupo") for name in settled if name in self.fields} - {None}
        open_fields = [name for name in required if name not in known and name not in refused]
        return [name for name in open_fields if self.fields[name].get("grupo") not in groups]

    def group_of(self, name: str) -> list[str]:
        """The fields of which one suffices; the field alone when it has no alternatives."""
        group = self.fields[name].get("grupo")
        return [each for each, entry in self.fields.items() if each == name or (group and entry.get("grupo") == group)]

    def excludes(self, text: str, *, least: int) -> bool:
        """Whether a text holds what the company leaves out, where that is told in so many words or more."""
        spoken = stems(text)
        phrases = (phrase for note in self._left_out for phrase in re.split(r"[,;.]|\b(?:nem|e|ou)\b", note))
        told = [needed for phrase in phrases if len(needed := stems(phrase)) >= least]
        return any(needed <= spoken and not needed <= self.vocabulary for needed in told)

    def _echoed(self, examples: Iterable[Entry]) -> set[str]:
        names = {fold(name) for service in self.services for name in (service["nome"], *service.get("sinonimos", ()))}
        values: dict[str, list[str]] = {}
        for data in (value for example in examples for value in example.values() if isinstance(value, dict)):
            for name, value in data.items():
                values.setdefault(name, []).append(fold(str(value)))
        texts = {name for name, entry in self.fields.items() if entry["tipo"] == "texto"}
        return {name for name, given in values.items() if name in texts and names.issuperset(given)}


def mentions(entries: Iterable[Entry], text: str) -> Iterator[Mention]:
    """Each entry that a folded text names, by its longest name there."""
    for entry in entries:
        places = [place_of(text, name) for name in (entry["nome"], *entry.get("sinonimos", ()))]
        if found := [place for place in places if place]:
            start, end = max(found, key=lambda place: (place[1] - place[0], -place[0]))
            yield Mention(id=entry["id"], start=start, end=end)


def option_in(entries: list[Entry], text: str) -> str | None:
    """The one entry that a folded text names; without any name, the only one that shares a word with it."""
    if found := max(mentions(entries, text), key=lambda mention: mention.length, default=None):
        return found.id
    spoken = stems(text)
    near = [each["id"] for each in entries if spoken & stems(" ".join((each["nome"], *each.get("sinonimos", ()))))]
    return near[0] if len(near) == 1 else None


def rest_of(entries: list[Entry]) -> str | None:
    """`outro` and the like: what remains when no other fits."""
    return next((each["id"] for each in reversed(entries) if each["id"].startswith("outr")), None)


def _texts(content: Any) -> Iterator[str]:
    """What an entry says; questions and scope notes are no words of what the company does."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for each in content:
            yield from _texts(each)
    elif isinstance(content, dict):
        for key in ("nome", "sinonimos", "descricao", "valores", "titulo", "peca_quando"):
            yield from _texts(content.get(key))
