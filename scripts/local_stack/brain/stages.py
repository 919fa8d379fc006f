"""The work of the stages: settling on a service, collecting its fields, going on when nothing is missing."""

from __future__ import annotations

from typing import Any

from . import phrases
from .catalogue import STAGES, Entry
from .moment import Moment, reply
from .words import fold, listed, lower_first, means, questions

_DATA_KEYS = {"triagem": "triage_data", "qualificacao": "qualification_data", "coleta": "collection_data"}


def worked(moment: Moment) -> str:
    """The reply of a turn that nothing else ended."""
    if moment.stage != "triagem":
        return _collect(moment)
    return _triage(moment, moment.service) if moment.service is not None else _ask_for_service(moment)


def _ask_for_service(moment: Moment) -> str:
    catalogue = moment.reading.catalogue
    if moment.unclear:
        ask = f"Qual destes você quer: {listed(each['nome'] for each in moment.unclear)}?"
    elif moment.expected and not moment.citations:
        ask = f"Me diz qual destes chega mais perto: {listed(each['nome'] for each in catalogue.services)}?"
    else:
        ask = f"Aqui cuidamos de {lower_first(catalogue.offers.rstrip('.'))}. {phrases.SAYS['what_is_wanted']}"
    return reply(1, phrases.joined(moment.lead, ask), _carried(moment))


def _triage(moment: Moment, service: Entry) -> str:
    reading = moment.reading
    changed = service is not moment.was
    payload = {**_carried(moment), **({"service": service["id"]} if changed else {})}
    fine = f"{service['nome']}, certo." if changed else phrases.acknowledged(reading)
    if service.get("pede_segmento"):
        before = reading.facts.get("segmento")
        told = moment.segment
        if told and told != before:
            payload["segment"] = told
        if not (told or before):
            again = moment.expected == ["segment"] and not (moment.tells or moment.citations)
            ask = phrases.segment_question(reading, again=again)
            return reply(1, phrases.joined(moment.lead, fine if changed else "", ask), payload)
    missing = _missing(moment, STAGES[1:], known=reading.known if not changed or moment.was is None else {})
    if not missing:
        return reply(2, phrases.joined(moment.lead, phrases.concluded(reading, service, moment.values)), payload)
    also = phrases.SAYS["also_noted"] if "extra_requests" in payload else ""
    return reply(2, phrases.joined(moment.lead, fine, also, phrases.question(reading, missing[0])), payload)


def _collect(moment: Moment) -> str:
    reading, declined = moment.reading, moment.declined
    final = [name for name in declined if reading.catalogue.fields[name]["se_recusar"] == "pessoa"]
    if final and phrases.SAYS["needed"] not in reading.last_said:
        rest = [name for name in declined if name not in final]
        ask = reading.catalogue.fields[final[0]]["pergunta"]
        return reply(1, phrases.joined(moment.lead, phrases.SAYS["needed"], ask), _carried(moment, declined=rest))
    payload = _carried(moment)
    if (settles := final[0] if final else _exhausted_group(moment)) is not None:
        reason = f"recusou_o_campo_{settles}"
        return reply(6, phrases.handed_over(reason), payload, reason=reason)
    also = phrases.SAYS["also_noted"] if "extra_requests" in payload else ""
    heard = (moment.values or declined) and not moment.lead
    ack = phrases.acknowledged(reading, refused=not moment.values) if heard else ""
    if missing := _missing(moment, [moment.stage], known=reading.known):
        return reply(1, phrases.joined(moment.lead, ack, also, _question(moment, missing[0])), payload)
    later = _missing(moment, STAGES[STAGES.index(moment.stage) + 1 :], known=reading.known)
    if not later:
        end = phrases.concluded(reading, moment.service, moment.values)
        return reply(2, phrases.joined(moment.lead, end), payload)
    ask = f"Agora faltam só os seus dados: {lower_first(phrases.question(reading, later[0]))}"
    return reply(2, phrases.joined(moment.lead, ack, also, ask), payload)


def _question(moment: Moment, name: str) -> str:
    """Plainer when it was just asked and the answer was not one; a declined alternative is followed by the other."""
    catalogue = moment.reading.catalogue
    if {*moment.reading.declined, *moment.declined} & {*catalogue.group_of(name)}:
        return f"Pode ser o {catalogue.fields[name]['nome']}?"
    answered = moment.values or moment.declined or moment.citations or moment.lead or questions(moment.plain)
    return phrases.question(moment.reading, name, unheard=name in moment.expected and not answered)


def _missing(moment: Moment, stages: tuple[str, ...] | list[str], *, known: Any) -> list[str]:
    told, refused = {*known, *moment.values}, {*moment.reading.declined, *moment.declined}
    catalogue = moment.reading.catalogue
    return [name for stage in stages for name in catalogue.missing(moment.service, stage, told, refused)]


def _exhausted_group(moment: Moment) -> str | None:
    """A field whose alternatives are all declined with it."""
    catalogue, refused = moment.reading.catalogue, {*moment.reading.declined, *moment.declined}
    groups = {name: catalogue.group_of(name) for name in moment.declined}
    return next((name for name, group in groups.items() if len(group) > 1 and refused.issuperset(group)), None)


def _carried(moment: Moment, *, declined: list[str] | None = None) -> dict[str, Any]:
    """What the object holds beside its code; nothing that is empty."""
    noted = {fold(text) for text in moment.reading.facts.get("outros_pedidos", ())}
    chosen = moment.service["id"] if moment.service else None
    turned = moment.stage == "triagem" and moment.turns
    adds = chosen and not turned and (moment.stage == "triagem" or means(moment.plain, "beside"))
    beside = [moment.reading.catalogue.service(each.id) for each in moment.mentions if adds and each.id != chosen]
    carried = {
        _DATA_KEYS[moment.stage]: moment.values,
        "declined": moment.declined if declined is None else declined,
        "extra_requests": [lower_first(each["nome"]) for each in beside if each and fold(each["nome"]) not in noted],
        "citations": moment.citations,
    }
    return {key: value for key, value in carried.items() if value}
