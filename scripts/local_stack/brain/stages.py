"""The work of the stages: settling on a service, collecting its fields, going on when nothing is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from . import intents, phrases
from .catalogue import STAGES
from .moment import Moment, refuse, reply
from .prompt import Reading
from .refusals import read_refusals
from .value_readers import is_bare, is_question
from .values import read_values
from .words import fold, listed, lower_first, pick

_DATA_KEYS = {"triagem": "triage_data", "qualificacao": "qualification_data", "coleta": "collection_data"}


def worked(moment: Moment) -> str:
    """The reply of a turn that nothing else ended."""
    service = _chosen(moment) if moment.stage == "triagem" else moment.service
    values = read_values(moment.reading, service, moment.expected, moment.mentions)
    refused = read_refusals(moment.reading, moment.expected, values)
    if not values and not refused and (ended := _ended(moment)) is not None:
        return ended
    unknown = is_question(moment.reading.text) and not (values or refused or moment.lead or moment.others)
    if unknown and not intents.greets(moment.plain) and moment.stage != "triagem":
        moment = replace(moment, lead=phrases.FOR_THE_TEAM)
    stage: Callable[..., str] = _triage if moment.stage == "triagem" else _collect
    return stage(moment, service, values, refused)


def _ended(moment: Moment) -> str | None:
    """Good-byes, and keys hit at random."""
    reason = None if moment.mentions else intents.closing(moment.plain)
    if reason is None and intents.thanks(moment.plain) and moment.stage == "triagem" and not moment.reading.begins:
        reason = "despedida"
    if reason is not None and not moment.citations:
        return reply(5, phrases.closed(moment.reading, reason), reason=reason)
    if intents.is_gibberish(moment.plain) and not moment.mentions and not moment.expected:
        return refuse(moment, "input_malformed")
    return None


def _chosen(moment: Moment) -> Mapping[str, Any] | None:
    """The service that Triagem settles on: what it is turned to, else what is known, else what is spoken of first."""
    catalogue = moment.reading.catalogue
    if moment.service is not None and not (moment.others and not intents.adds_another(moment.plain)):
        return moment.service
    if moment.service is not None:
        return catalogue.service(moment.others[0].id)
    turned = intents.turns_to_another(moment.plain) and len(moment.mentions) > 1
    return catalogue.service(moment.mentions[-1 if turned else 0].id) if moment.mentions else None


def _triage(moment: Moment, service: Mapping[str, Any] | None, values: dict[str, Any], refused: list[str]) -> str:
    reading, facts = moment.reading, moment.reading.facts
    if service is None:
        again = not reading.begins and not intents.greets(moment.plain) and not moment.citations
        names = listed(lower_first(each["nome"]) for each in reading.catalogue.services)
        ask = f"Me diz qual destes chega mais perto: {names}?" if again else phrases.WHAT_IS_NEEDED
        return reply(1, phrases.joined(moment.lead, ask), _told(moment, values, refused))
    payload = {
        **_told(moment, values, refused, service),
        **({"service": service["id"]} if service is not moment.service else {}),
    }
    segment = reading.catalogue.segment_in(moment.plain) or _other_segment(moment) or facts.get("segmento")
    if service.get("pede_segmento") and segment and segment != facts.get("segmento"):
        payload["segment"] = segment
    if service.get("pede_segmento") and not segment:
        ask = pick(phrases.SEGMENT_ASKED, *reading.seed)
        return reply(1, phrases.joined(moment.lead, f"{service['nome']} a gente faz.", ask), payload)
    known = reading.known if service is moment.service else ()
    told, no = {*known, *values}, {*reading.declined, *refused}
    missing = [name for stage in STAGES[1:] for name in reading.catalogue.missing(service, stage, told, no)]
    if not missing:
        return reply(2, phrases.concluded(reading, dict(service), values), payload)
    fine = f"{service['nome']} a gente faz." if service is not moment.service else phrases.acknowledged(reading)
    also = phrases.ALSO_NOTED if "extra_requests" in payload else ""
    return reply(2, phrases.joined(moment.lead, fine, also, phrases.question(reading, missing[0])), payload)


def _other_segment(moment: Moment) -> str | None:
    """An answer that fits no segment is `outro`."""
    if moment.expected != ["segment"] or is_bare(moment.reading.text) or is_question(moment.reading.text):
        return None
    return next((each["id"] for each in moment.reading.catalogue.segments if each["id"].startswith("outr")), None)


def _collect(moment: Moment, service: Mapping[str, Any] | None, values: dict[str, Any], refused: list[str]) -> str:
    reading, catalogue = moment.reading, moment.reading.catalogue
    if "nome" in refused and phrases.NAME_NEEDED not in reading.last_said:
        ask = phrases.joined(moment.lead, phrases.NAME_NEEDED, "Como posso te chamar?")
        return reply(1, ask, _told(moment, values, [name for name in refused if name != "nome"], service))
    payload = _told(moment, values, refused, service)
    if (reason := _refused_for_good(reading, refused)) is not None:
        return reply(6, phrases.handed_over(reason), payload, reason=reason)
    told, no = {*reading.known, *values}, {*reading.declined, *refused}
    if missing := catalogue.missing(service, moment.stage, told, no):
        ask = _options(moment, missing[0], values, refused) or phrases.question(reading, missing[0], no)
        ack = phrases.acknowledged(reading, refused=not values) if values or refused else ""
        also = phrases.ALSO_NOTED if "extra_requests" in payload else ""
        return reply(1, phrases.joined(moment.lead, ack, also, ask), payload)
    following = STAGES[STAGES.index(moment.stage) + 1 :]
    later = [name for stage in following for name in catalogue.missing(service, stage, told, no)]
    if not later:
        return reply(2, phrases.joined(moment.lead, phrases.concluded(reading, dict(service or {}), values)), payload)
    ask = lower_first(phrases.question(reading, later[0]))
    ack = phrases.acknowledged(reading, refused=bool(refused) and not values)
    return reply(2, phrases.joined(moment.lead, ack, f"Agora faltam só os dados para o orçamento: {ask}"), payload)


def _refused_for_good(reading: Reading, refused: list[str]) -> str | None:
    """A refusal after which only a person can go on."""
    if "nome" in refused:
        return "recusou_o_nome"
    fields = reading.catalogue.fields
    for name in refused:
        group = fields[name].get("grupo")
        members = {each for each, entry in fields.items() if group and entry.get("grupo") == group}
        if members and members <= {*refused, *reading.declined}:
            return "recusou_os_documentos"
    return None


def _options(moment: Moment, name: str, values: dict[str, Any], refused: list[str]) -> str:
    """What may be answered, for one who answered something else."""
    entry = moment.reading.catalogue.fields[name]
    unheard = name in moment.expected and not values and not refused and not moment.citations
    if not unheard or "valores" not in entry or is_question(moment.reading.text):
        return ""
    return f"Para eu anotar direito. Pode ser: {listed(lower_first(option['nome']) for option in entry['valores'])}?"


def _told(
    moment: Moment, values: dict[str, Any], refused: list[str], service: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What the object carries beside its code; nothing that is empty."""
    noted = {fold(text) for text in moment.reading.facts.get("outros_pedidos", ())}
    beside = [m for m in moment.mentions if service is not None and m.id != service["id"] and m.length]
    adds = moment.stage == "triagem" or intents.adds_another(moment.plain)
    turned = moment.stage == "triagem" and intents.turns_to_another(moment.plain)
    services = (moment.reading.catalogue.service(mention.id) for mention in beside if adds and not turned)
    extra = [lower_first(each["nome"]) for each in services if each and fold(each["nome"]) not in noted]
    carried = {
        _DATA_KEYS[moment.stage]: values,
        "declined": refused,
        "extra_requests": extra,
        "citations": moment.citations,
    }
    return {key: value for key, value in carried.items() if value}
