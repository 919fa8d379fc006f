"""What the stand-in says: the sentences of `portuguese.toml`; questions, names and offers are the catalogue's own."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from .catalogue import Entry
from .prompt import Reading
from .value_readers import AGAIN
from .words import PORTUGUESE, fold, listed, lower_first

SAYS: Mapping[str, str] = PORTUGUESE["says"]
_SEGMENTS_SHOWN = 4


def joined(*parts: str) -> str:
    """Sentences that were found, in order."""
    return " ".join(part for part in parts if part)


def choose(reading: Reading, kind: str) -> str:
    """One wording of a kind: not that of our last message, and the same for the same conversation."""
    wordings: list[str] = PORTUGUESE["chooses"][kind]
    fresh = [each for each in wordings if each.partition("{}")[0] not in reading.last_said]
    seed = zlib.crc32(f"{reading.text}|{reading.turns}".encode("utf-8", "replace"))
    return (fresh or wordings)[seed % len(fresh or wordings)]


def greeting(reading: Reading) -> str:
    """A first message introduces itself; later ones do not."""
    if reading.last_said:
        return ""
    plain, company = fold(reading.text), reading.catalogue.company
    hello = next((said for said in ("Bom dia", "Boa tarde", "Boa noite") if fold(said) in plain), "Oi")
    first = fold(company.split()[0]).removesuffix("s")
    article = "da" if first.endswith(("a", "cao")) else "do" if first.endswith(("o", "or")) else "de"
    return f"{hello}! Sou a assistente virtual {article} {company}."


def acknowledged(reading: Reading, *, refused: bool = False) -> str:
    """A word on what was told, or was not; a greeting is one already."""
    return choose(reading, "never_mind" if refused else "acknowledged") if reading.last_said else ""


def question(reading: Reading, field: str, *, unheard: bool = False) -> str:
    """The catalogue's; otherwise worded when it was just asked, plainer when the answer to it was `unheard`."""
    entry = reading.catalogue.fields[field]
    asked = str(entry["pergunta"])
    if unheard and entry["tipo"] == "booleano":
        return f"{AGAIN}: {lower_first(entry['nome'])}, sim ou não?"
    if unheard and entry.get("valores"):
        return f"{AGAIN}. Pode ser: {listed(option['nome'] for option in entry['valores'])}?"
    if not unheard and fold(asked) not in fold(reading.last_said):
        return asked
    return choose(reading, "not_understood" if unheard else "asked_again").format(lower_first(asked))


def segment_question(reading: Reading, *, again: bool = False) -> str:
    """By example, or by the whole list."""
    names = [each["nome"] for each in reading.catalogue.segments]
    if again or len(names) <= _SEGMENTS_SHOWN:
        return f"{f'{AGAIN}. ' if again else ''}Qual destes é o seu caso: {listed(names)}?"
    return f"De que ramo você é? Por exemplo: {listed(names[: _SEGMENTS_SHOWN - 1])}."


def refused(reading: Reading, reason: str) -> str:
    """Why not, and nothing more."""
    return choose(reading, reason).format(lower_first(reading.catalogue.offers.rstrip(".")))


def handed_over(reason: str) -> str:
    """A person goes on."""
    opening = PORTUGUESE["hands_over"].get(reason.partition("_o_campo_")[0], SAYS["with_the_team"])
    return f"{opening}{SAYS['to_a_person']}"


def concluded(reading: Reading, service: Entry | None, values: Mapping[str, Any]) -> str:
    """What was noted; never a document's number."""
    whole, catalogue = {**reading.known, **values}, reading.catalogue
    name = str(whole.get("nome", "")).split(" ")[0].capitalize()
    counted = [entry for name, entry in catalogue.fields.items() if entry["tipo"] == "inteiro" and name in whole]
    counts = [f", {entry['nome']}: {whole[entry['id']]}" for entry in counted]
    noted = (service["nome"] if service else "seu pedido") + "".join(counts[:1])
    purpose = f" com o pedido de {lower_first(catalogue.outcome)}" if catalogue.outcome else ""
    return f"Prontinho{', ' + name if name else ''}! Ficou anotado: {noted}. A nossa equipe continua daqui{purpose}."
