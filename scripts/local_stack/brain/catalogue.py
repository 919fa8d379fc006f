"""The prompt's own catalogue: which service the customer means, what it asks, in which order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .words import fold, place_of, stems

STAGES = ("triagem", "qualificacao", "coleta")
_SEPARATES = re.compile(r"[,;.!?\n]|(?<!\w)(?:e|ou|mas|mais|tambem|depois|alem|nao|quero|preciso)(?!\w)")
_OF_SOMETHING = re.compile(r" (?:de |d[ao] |d')(\w{4,})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A service, or segment, in the customer's words: where, and by how long a name."""

    id: str
    start: int
    end: int

    @property
    def length(self) -> int:
        """Longer names say more."""
        return self.end - self.start


class Catalogue:
    """See the module. Made of the JSON in `<catalogo>`."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.company: str = content["empresa"]["nome"]
        self.services: list[dict[str, Any]] = content["servicos"]
        self.segments: list[dict[str, Any]] = content["segmentos"]
        self.fields: dict[str, dict[str, Any]] = {entry["id"]: entry for entry in content["campos"]}
        self.packages: list[str] = [entry["id"] for entry in content["pacotes"]]
        described = {service["id"]: _objects(service["sinonimos"]) for service in self.services}
        self._own_stems = {
            name: words - set().union(*(other for them, other in described.items() if them != name))
            for name, words in described.items()
        }

    def service(self, identity: str | None) -> dict[str, Any] | None:
        """By id."""
        return next((service for service in self.services if service["id"] == identity), None)

    def services_in(self, text: str) -> list[Mention]:
        """The services that a folded text speaks of, in its order; "água de esgoto" is one thing, not two."""
        apart: list[Mention] = []
        for mention in sorted(_mentions(self.services, text), key=lambda mention: mention.start):
            if apart and not _SEPARATES.search(text[apart[-1].end : mention.start]):
                apart[-1] = max(apart[-1], mention, key=lambda each: (each.length, each.start))
            else:
                apart.append(mention)
        return apart or self._described_in(text)

    def _described_in(self, text: str) -> list[Mention]:
        """Without any of its names, the one service that alone is "of" a word of the text: "água de poço", poço."""
        spoken = stems(text)
        shared = [(service, spoken & self._own_stems[service["id"]]) for service in self.services]
        found = [service["id"] for service, words in shared if words]
        return [Mention(id=found[0], start=0, end=0)] if len(found) == 1 else []

    def segment_in(self, text: str) -> str | None:
        """The segment that a folded text speaks of by its longest name."""
        found = max(_mentions(self.segments, text), key=lambda mention: mention.length, default=None)
        return found.id if found else None

    def option_in(self, field: str, text: str) -> str | None:
        """The value of an enum that a folded text speaks of."""
        options = self.fields[field].get("valores", [])
        if found := max(_mentions(options, text), key=lambda mention: mention.length, default=None):
            return found.id
        words = {each["id"]: stems(" ".join((each["nome"], *each.get("sinonimos", ())))) for each in options}
        near = [name for name, own in words.items() if stems(text) & own]
        return near[0] if len(near) == 1 else None

    def last_option(self, field: str) -> str | None:
        """`outra` and the like: what remains when none fits."""
        ids = [option["id"] for option in self.fields[field].get("valores", [])]
        return ids[-1] if ids and ids[-1].startswith("outr") else None

    def asked_by(self, service: Mapping[str, Any] | None) -> set[str]:
        """Every field that a service may hold; without one, those that no service needs to be known for."""
        if service is None:
            sets = [self.asked_by(each) for each in self.services]
            return set.intersection(*sets) if sets else set()
        return {name for key in ("obrigatorios", "opcionais") for ids in service[key].values() for name in ids}

    def missing(
        self, service: Mapping[str, Any] | None, stage: str, known: Collection[str], refused: Collection[str]
    ) -> list[str]:
        """The fields that a stage still has to ask; a group is closed by a value, not by one refusal."""
        required = service["obrigatorios"].get(stage, []) if service else []
        groups = {self.fields[name].get("grupo") for name in known if name in self.fields} - {None}
        open_fields = [name for name in required if name not in known and name not in refused]
        return [name for name in open_fields if self.fields[name].get("grupo") not in groups]

    def excluded(self, text: str) -> bool:
        """Whether a text speaks of what a service says that it leaves out ("perfuração de poço")."""
        spoken = stems(text)
        for service in self.services:
            sentence = fold(service.get("nao_inclui", "")).removeprefix("nao inclui").replace(" nem ", ",").strip(". ")
            for phrase in sentence.split(","):
                if len(needed := stems(phrase)) > 1 and needed <= spoken:
                    return True
        return False


def _objects(names: Iterable[str]) -> set[str]:
    return {stem for name in names if (found := _OF_SOMETHING.search(name)) for stem in stems(found[1])}


def _mentions(entries: list[dict[str, Any]], text: str) -> Iterator[Mention]:
    for entry in entries:
        places = [place_of(text, name) for name in (entry["nome"], *entry.get("sinonimos", ()))]
        found = [place for place in places if place]
        if found:
            start, end = max(found, key=lambda place: (place[1] - place[0], -place[0]))
            yield Mention(id=entry["id"], start=start, end=end)
