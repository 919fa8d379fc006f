"""What an agent answers, decided in the contract's own order (`prompts/contract.md`, section 8)."""

from __future__ import annotations

import re
from dataclasses import replace

from . import intents, phrases
from .moment import Moment, moment_of, next_question, refuse, reply
from .package_answers import answer_from
from .prompt import Reading
from .stages import worked
from .value_readers import is_bare
from .words import fold, says

_IDENTIFIERS = frozenset({"cpf", "cnpj", "e-mail", "telefone"})
_ASKS_WHAT_FOR = r"(?:pra|para|por) que .{0,30}(?:nome|cpf|cnpj|dados?|e-?mail|telefone)"
_REVISES = (
    r"(?:mudar|rever|corrigir|alterar|ajustar).{0,30}(?:pedido|pontos|parametros|amostras|coisas|dados da analise)"
)


def think(reading: Reading) -> str:
    """The raw reply: the object, and the message right after it."""
    injected = intents.injected_lines(fold(reading.text))
    if injected:
        lines = [line for line in reading.text.splitlines() if fold(line) not in injected]
        reading = replace(reading, text="\n".join(lines).strip())
        if not reading.text or not says(fold(reading.text), r"\w{4,}"):
            return refuse(moment_of(reading), "out_of_scope_meta")
    moment = moment_of(reading)
    for step in (_unseen, _corrected, _for_a_person, _out_of_bounds, _rerouted, _revised):
        if (said := step(moment)) is not None:
            return said
    needed = _needed_packages(moment)
    if absent := [name for name in needed if name not in reading.packages]:
        return reply(99, context_needed=absent)
    return worked(_informed(moment, needed))


# Steps that may end the turn


def _unseen(moment: Moment) -> str | None:
    """A file without a word."""
    if moment.reading.text or not moment.reading.media:
        return None
    return reply(1, phrases.joined(moment.lead, phrases.CANNOT_OPEN, next_question(moment)))


def _corrected(moment: Moment) -> str | None:
    """The system refused something of our last try: ask for it again, and say nothing of the system."""
    observed = moment.reading.facts.get("observacoes", [])
    if not observed:
        return None
    entry = next((f for name, f in moment.reading.catalogue.fields.items() if says(observed[0], re.escape(name))), None)
    if observed[0].startswith("invalid_value") and entry is not None:
        if entry["tipo"] in _IDENTIFIERS:
            return reply(
                1, f"Acho que algum caractere do {entry['nome']} saiu trocado. Pode conferir e me mandar de novo?"
            )
        return reply(1, phrases.joined("Desculpe, não consegui anotar.", entry["pergunta"]))
    return reply(1, phrases.joined(moment.lead, next_question(moment)))


def _for_a_person(moment: Moment) -> str | None:
    reason = intents.person_topic(moment.plain, fold(moment.reading.last_said))
    return None if reason is None else reply(6, phrases.handed_over(reason), reason=reason)


def _out_of_bounds(moment: Moment) -> str | None:
    reason = intents.refusal(moment.plain)
    if reason is None and moment.reading.catalogue.excluded(moment.plain) and not intents.wants_analysis(moment.plain):
        reason = "out_of_scope"
    return None if reason is None else refuse(moment, reason)


def _rerouted(moment: Moment) -> str | None:
    """Another stage is the one to answer."""
    if moment.stage != "triagem":
        turns = moment.service is None or (moment.others and intents.turns_to_another(moment.plain))
        return reply(98, agent="triagem") if turns else None
    settled = moment.service is not None and not moment.reading.facts.get("faltam")
    if settled and not moment.others and not is_bare(moment.reading.text) and not _needed_packages(moment):
        return reply(98, agent="qualificacao")
    return None


def _revised(moment: Moment) -> str | None:
    """Several points of the request are to change."""
    if moment.stage != "coleta" or not says(moment.plain, _REVISES) or any(c.isdigit() for c in moment.plain):
        return None
    asked = moment.reading.catalogue.missing(moment.service, "qualificacao", (), ())
    ask = moment.reading.catalogue.fields[asked[0]]["pergunta"] if asked else "O que muda?"
    return reply(4, phrases.joined("Claro, vamos ajustar.", ask), agent="qualificacao")


# Packages


def _needed_packages(moment: Moment) -> list[str]:
    reading = moment.reading
    wanted = [name for name in intents.packages_for(moment.plain) if name in reading.catalogue.packages]
    if not (reading.facts.get("sessao_anterior") or "PREVIOUS_SESSION" in reading.packages):
        wanted = [name for name in wanted if name != "PREVIOUS_SESSION"]
    return wanted


def _informed(moment: Moment, needed: list[str]) -> Moment:
    """The answer to a question goes before the next question of ours."""
    told = ""
    if needed:
        about = moment.service["nome"] if moment.service else " ".join(m.id for m in moment.mentions)
        texts = [moment.reading.packages[name] for name in needed]
        told = answer_from([t for t in texts if t], moment.reading.text, about=about)
        if "PRICES_POLICY" in needed and intents.asks_price(moment.plain):
            told = phrases.joined(phrases.NO_AMOUNTS, told)
        if "PREVIOUS_SESSION" in needed:
            told = phrases.joined("Achei o seu pedido anterior.", told)
    elif intents.asks_whether_robot(moment.plain):
        told = "" if moment.lead else phrases.ROBOT
    elif says(moment.plain, _ASKS_WHAT_FOR):
        told = phrases.WHAT_FOR
    return replace(moment, lead=phrases.joined(moment.lead, told), citations=needed)
