"""What an agent answers, decided in the contract's own order (`prompts/contract.md`, section 8)."""

from __future__ import annotations

import re

from . import limits, packages, phrases
from .moment import Moment, next_question, refuse, reply
from .packages import PREVIOUS_SESSION
from .prompt import Reading
from .stages import worked
from .words import fold, is_bare, listed, means, questions, says, stems

_OFFERED_PERSON = re.compile(r"(?:quer|posso|prefere)[^.?!]*(?:chamar?|chame|pessoa|alguem da equipe)[^.!]*\?")


def think(reading: Reading) -> str:
    """The raw reply: the object, and the message right after it."""
    if injected := limits.injected_lines(fold(reading.text)):
        lines = [line for line in reading.text.splitlines() if fold(line) not in injected]
        reading.text = "\n".join(lines).strip()
        if not says(fold(reading.text), r"\w{4,}"):
            return refuse(Moment(reading), "out_of_scope_meta")
    moment = Moment(reading)
    for step in (_unseen, _observed, _for_a_person, _out_of_bounds, _rerouted, _returned):
        if (said := step(moment)) is not None:
            return said
    needed = _needed_packages(moment)
    if absent := [name for name in needed if name not in reading.packages]:
        return reply(99, context_needed=absent)
    moment.citations = list(needed)
    moment.lead = phrases.joined(moment.lead, *_told(moment, needed))
    return _ended(moment) or worked(moment)


def _unseen(moment: Moment) -> str | None:
    """A file without a word."""
    if moment.reading.text or not moment.reading.media:
        return None
    return reply(1, phrases.joined(moment.lead, phrases.SAYS["cannot_open"], next_question(moment)))


def _observed(moment: Moment) -> str | None:
    """The system refused something of our last try: ask for it again, and say nothing of the system."""
    observed = next(iter(moment.reading.facts.get("observacoes", [])), "")
    fields = moment.reading.catalogue.fields.items()
    names = [entry["nome"] for name, entry in fields if says(observed, f"invalid_value: {re.escape(name)}")]
    again = f"Não consegui anotar: {names[0]}. Pode conferir e me mandar de novo?" if names else next_question(moment)
    return reply(1, phrases.joined(moment.lead, again)) if observed else None


def _for_a_person(moment: Moment) -> str | None:
    reason = limits.person_topic(moment.plain, moment.reading.catalogue.for_a_person)
    accepts = is_bare(moment.plain) and means(moment.plain, "yes") and not means(moment.plain, "no")
    if reason is None and accepts and _OFFERED_PERSON.search(fold(moment.reading.last_said)):
        reason = "oferta_aceita"
    return None if reason is None else reply(6, phrases.handed_over(reason), reason=reason)


def _out_of_bounds(moment: Moment) -> str | None:
    """Beside what holds for every company: what this one leaves out, and what none of its words speaks of."""
    catalogue, plain = moment.reading.catalogue, moment.plain
    reason = limits.refusal(plain)
    asks = bool(questions(plain)) or (moment.stage == "triagem" and means(plain, "request"))
    if reason is None and asks and catalogue.excludes(plain, least=2 if moment.mentions else 1):
        reason = "out_of_scope"
    if reason is None and asks and not moment.tells and stems(plain):
        ours = stems(plain) & catalogue.vocabulary or means(
            plain, "robot", "what_for", "price", "giving_up", "farewell"
        )
        reason = None if ours or _needed_packages(moment) else "out_of_scope"
    texts = {name for name in moment.values if catalogue.fields[name]["tipo"] == "texto"}
    if (
        reason is None
        and limits.is_gibberish(moment.reading.text)
        and not (moment.values.keys() - texts or moment.mentions)
    ):
        reason = "input_malformed"
    return None if reason is None else refuse(moment, reason)


def _rerouted(moment: Moment) -> str | None:
    """Another stage is the one to answer."""
    if moment.stage != "triagem":
        turns = moment.was is None or (moment.others and moment.turns)
        return reply(98, agent="triagem") if turns else None
    settled = moment.was is not None and moment.service is moment.was and not moment.reading.missing
    if settled and not moment.others and not is_bare(moment.plain) and not _needed_packages(moment):
        return reply(98, agent="qualificacao")
    return None


def _returned(moment: Moment) -> str | None:
    """The customer wants to go back, and we must ask for what."""
    catalogue = moment.reading.catalogue
    if moment.stage != "triagem" and means(moment.plain, "change_of_service"):
        names = listed(each["nome"] for each in catalogue.services)
        return reply(4, f"Claro. Qual destes você quer: {names}?", agent="triagem")
    if moment.stage != "coleta" or moment.values or not means(moment.plain, "revision"):
        return None
    asked = [catalogue.fields[name]["pergunta"] for name in catalogue.missing(moment.was, "qualificacao", (), ())]
    return reply(4, phrases.joined("Claro, vamos ajustar.", *(asked[:1] or ["O que muda?"])), agent="qualificacao")


def _ended(moment: Moment) -> str | None:
    """Good-byes."""
    if moment.values or moment.declined or moment.mentions or questions(moment.plain):
        return None
    thanks = means(moment.plain, "thanks") and moment.stage == "triagem" and moment.reading.last_said
    leaves = means(moment.plain, "farewell") or (thanks and len(moment.plain.split()) <= 5)
    reason = "desistencia" if means(moment.plain, "giving_up") else "despedida" if leaves else None
    return reply(5, phrases.choose(moment.reading, reason), reason=reason) if reason else None


def _needed_packages(moment: Moment) -> dict[str, str]:
    """The package that answers each question, and the question; what answers our own question is none."""
    reading, catalogue = moment.reading, moment.reading.catalogue
    named = stems(" ".join(moment.plain[mention.start : mention.end] for mention in moment.mentions))
    answered = any(name in moment.values for name in moment.expected)
    needed: dict[str, str] = {}
    if means(moment.plain, "as_before") and (
        reading.facts.get("sessao_anterior") or PREVIOUS_SESSION in reading.packages
    ):
        needed[PREVIOUS_SESSION] = moment.plain
    for question in questions(reading.text):
        name = catalogue.prices.get("pacote") if means(question, "price") else None
        name = name or (None if answered else packages.package_for(question, catalogue, named))
        if name in catalogue.packages:
            needed[name] = f"{needed.get(name, '')} {question}"
    return needed


def _told(moment: Moment, needed: dict[str, str]) -> list[str]:
    """The answers to the customer's questions, which go before the next of ours."""
    reading, fields = moment.reading, moment.reading.catalogue.fields
    chosen = {name: value for name, value in {**reading.known, **moment.values}.items() if name in fields}
    options = [
        each["nome"] for name in chosen for each in fields[name].get("valores", ()) if each["id"] == chosen[name]
    ]
    service = moment.service["nome"] if moment.service and not moment.mentions else ""
    about, asked = " ".join((service, *options)), questions(moment.plain)
    priced = [question for question in asked if means(question, "price")]
    told = [_priced(moment, " ".join(priced), service, " ".join(options))] if priced else []
    for name, question in needed.items():
        if not (priced and name == reading.catalogue.prices.get("pacote")):
            told.append(packages.answer_from(reading.packages[name], question, about=about))
    if means(moment.plain, "robot"):
        told += [] if moment.lead else [phrases.SAYS["robot"]]
    elif means(moment.plain, "what_for"):
        told.append(phrases.SAYS["what_for"])
    elif asked and moment.service and not any(told) and not moment.tells and stems(moment.plain):
        told.append(phrases.SAYS["for_the_team"])
    return told


def _priced(moment: Moment, question: str, service: str, options: str) -> str:
    """What may be said of money: the package's own amounts where they may be told, else what the company says of it."""
    prices = moment.reading.catalogue.prices
    policy = " ".join(packages.sentences_for_customers(prices.get("politica", "")))
    if not prices.get("informa_valores"):
        return phrases.joined(phrases.SAYS["no_amounts"], policy)
    text = moment.reading.packages.get(prices.get("pacote", ""), "")
    amounts = packages.amounts_in(text, question, service=service, options=options)
    return amounts or policy or phrases.SAYS["for_the_team"]
