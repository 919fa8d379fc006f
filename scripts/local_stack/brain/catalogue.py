"""The prompt's own catalogue: which service the customer means, what it asks, in which order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from .words import fold, place_of, stems

Entry = Mapping[str, Any]
STAGES = ("triagem", "qualificacao", "coleta")
_SEPARATES = re.compile(r"[,;.!?\n]|(?<!\w)(?:e|ou|mas|mais|tambem|depois|alem|nao|quero|preciso)(?!\w)")
_TELLING = ("nome", "sinonimos", "descricao", "valores", "titulo", "peca_quando")


class Mention(NamedTuple):
    """An entry in the customer's words, and where its name stands; of several, the longest says most."""

    length: int
    start: int
    end: int
    id: str


class Catalogue:
    """Made of the JSON in `<catalogo>`. `echoed` are fields that take a service's name for their value in examples.

    `vocabulary` holds the stems of all that the company does; questions and what it leaves out are no part of it.
    """

    def __init__(self, content: Entry, examples: Iterable[Entry] = ()) -> None:
        company, limits = content["empresa"], content.get("limites", {})
        self.company: str = company["nome"]
        self.services: list[Entry] = content["servicos"]
        self.segments: list[Entry] = content["segmentos"]
        self.fields: dict[str, Entry] = {entry["id"]: entry for entry in content["campos"]}
        self.packages: dict[str, Entry] = {entry["id"]: entry for entry in content["pacotes"]}
        self.offers: str = company.get("oferece", "") or ", ".join(each["nome"] for each in self.services)
        self.outcome: str = company.get("resultado", "")
        self.prices: Entry = content.get("precos", {})
        self.for_a_person: list[str] = limits.get("pessoa", [])
        self._left_out = [fold(limits.get("recusa", {}).get("out_of_scope", ""))]
        self._left_out += [fold(each.get("nao_inclui", "")).removeprefix("nao inclui") for each in self.services]
        entries = [*self.services, *self.segments, *self.fields.values(), *self.packages.values()]
        told = [str(entry.get(key, "")) for entry in entries for key in _TELLING]
        self.vocabulary = stems(" ".join((self.company, self.offers, self.outcome, *self.for_a_person, *told)))
        names = {fold(name) for service in self.services for name in names_of(service)}
        given = [pair for each in examples for data in each.values() if isinstance(data, dict) for pair in data.items()]
        other = {name for name, value in given if fold(str(value)) not in names}
        self.echoed = {
            name for name, _ in given if name in self.fields and self.fields[name]["tipo"] == "texto"
        } - other

    def service(self, identity: str | None) -> Entry | None:
        """By id."""
        return next((service for service in self.services if service["id"] == identity), None)

    def services_in(self, text: str) -> list[Mention]:
        """The services that a folded text names, in its order; of names that touch, the longest is meant."""
        apart: list[Mention] = []
        for mention in sorted(mentions(self.services, text), key=lambda mention: mention.start):
            touches = apart and not _SEPARATES.search(text[apart[-1].end : mention.start])
            apart.append(max(apart.pop(), mention) if touches else mention)
        return apart

    def services_described(self, text: str) -> list[Entry]:
        """Those that a text without any of their names fits best, by the words that tell services apart."""
        own = [stems(" ".join((*names_of(each), each["descricao"]))) for each in self.services]
        scores = [sum(1 / sum(stem in other for other in own) for stem in stems(text) & words) for words in own]
        best = max(scores, default=0)
        return [each for each, score in zip(self.services, scores, strict=True) if best >= 0.5 and score == best]

    def asked_by(self, service: Entry | None) -> set[str]:
        """Every field that a service may hold; without one, those that all services share."""
        services = [service] if service else self.services
        held = [[ids for key in ("obrigatorios", "opcionais") for ids in each[key].values()] for each in services]
        return set.intersection(*({name for ids in each for name in ids} for each in held))

    def missing(self, service: Entry | None, stage: str, known: Collection[str], refused: Collection[str]) -> list[str]:
        """What a stage still has to ask; a group is closed by a value, or by a refusal that asks for no alternative."""
        required = service["obrigatorios"].get(stage, []) if service else []
        told = [name for name in (*known, *refused) if name in self.fields]
        settled = [name for name in told if name in known or self.fields[name]["se_recusar"] != "alternativa"]
        closed = {other for name in settled for other in self.group_of(name)}
        return [name for name in required if name not in closed and name not in refused]

    def group_of(self, name: str) -> list[str]:
        """The fields of which one suffices; the field alone when it has no alternatives."""
        group = self.fields[name].get("grupo")
        return [each for each, entry in self.fields.items() if each == name or (group and entry.get("grupo") == group)]

    def excludes(self, text: str, *, least: int) -> bool:
        """Whether a text holds what the company leaves out, where that is told in so many words or more."""
        phrases = [stems(part) for note in self._left_out for part in re.split(r"[,;.]|\b(?:nem|e|ou)\b", note)]
        told = [phrase for phrase in phrases if len(phrase) >= least and not phrase <= self.vocabulary]
        return any(phrase <= stems(text) for phrase in told)


def names_of(entry: Entry) -> list[str]:
    """What a service, a segment or an option is called."""
    return [entry["nome"], *entry.get("sinonimos", ())]


def mentions(entries: Iterable[Entry], text: str) -> list[Mention]:
    """Each entry that a folded text names, by its longest name there."""
    found = [[(place, entry["id"]) for name in names_of(entry) if (place := place_of(text, name))] for entry in entries]
    return [max(Mention(end - start, start, end, name) for (start, end), name in places) for places in found if places]


def option_in(entries: list[Entry], text: str) -> str | None:
    """The one entry that a folded text names; without any name, the only one that shares a word with it."""
    if named := mentions(entries, text):
        return max(named).id
    near = [each["id"] for each in entries if stems(text) & stems(" ".join(names_of(each)))]
    return near[0] if len(near) == 1 else None


def rest_of(entries: list[Entry]) -> str | None:
    """`outro` and the like: what remains when no other fits."""
    return next((each["id"] for each in reversed(entries) if each["id"].startswith("outr")), None)
