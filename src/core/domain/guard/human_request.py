"""Does the customer ask for a person? Request verbs beside a person, minus what is denied, told or planned."""

from __future__ import annotations

from core.domain.guard.lexicon_people import (
    ASKING_HOURS,
    BARE,
    BARE_FILLER,
    CLASSES,
    DENIAL,
    DENIED_CHAIN,
    ELSEWHERE,
    GREETING,
    NOT_A_NAME,
    PLAN,
    ROLE,
    TALE,
)
from core.domain.guard.phrases import Phrase, RuleBook, Sighting, always, bare_words, ruler, words

_BARE_LENGTH = 8
_BODY = words("fisica juridica fisicas juridicas")
_ANYBODY = words("pessoa pessoas alguem gente")
_DENIED_AFTER = Phrase("(?:eu )?nao (?:quero|preciso|precisa|precisava|e preciso) ", CLASSES)
_SERVES = Phrase(
    "$|(?:real|humana|favor|agora|ja|me|mesmo|mesma|nao|logo|urgente|qualquer) |por favor |(?:de verdade|de carne) "
    "|e nao |no lugar |(?:ai|aqui) $|d[aeo] <role>|(?:para )?(?:me |nos )?<serve>"
    "|que (?:me |nos |possa |consiga |nao ){0,2}(?:<serve>|seja )",
    CLASSES,
)


def human_request(text: str, neutral: frozenset[str] = frozenset()) -> str | None:
    """The name of the rule by which a spelled-out text asks for a person, or None."""
    if _bare(text, neutral):
        return "bare_person"
    return next(RULES.fired(text), None)


def _bare(text: str, neutral: frozenset[str]) -> bool:
    """Nothing but a word for a person and courtesies; "oi, atendente" only greets one."""
    spoken = bare_words(text)
    if len(spoken) > _BARE_LENGTH or not all(word in BARE_FILLER or word in BARE for word in spoken):
        return False
    named = [word for word in spoken if word in BARE]
    asking = len(spoken) > 1 or not neutral.issuperset(named)
    greeting = len(spoken) > 1 and GREETING.issuperset(spoken[:-1]) and spoken[-1].startswith("atend")
    return bool(named) and asking and not greeting


def _asked(seen: Sighting) -> bool:
    """Not denied, not on a condition, not a plan or a tale, and not somebody else's gerente."""
    if _denied(seen) or _conditional(seen) or _told(seen):
        return False
    if seen.after == ("nao",) or _DENIED_AFTER.regex.match(" ".join((*seen.after, ""))):
        return False  # "atendente não", "falar com atendente eu não preciso"
    if _BODY.intersection(seen.after[:1]) or _we(seen):
        return False
    return seen.who not in ROLE or _ours(seen)


def _denied(seen: Sighting) -> bool:
    for word in reversed(seen.before):
        if word in DENIAL:
            return True
        if word not in DENIED_CHAIN and not (word in {"tem", "ha"} and "necessidade" in seen.before):
            return False
    return False


def _conditional(seen: Sighting) -> bool:
    """ "se eu precisar falar com alguém depois": not yet."""
    heard = {*seen.before, *seen.said}
    return bool({"se", "caso"} & set(seen.before) and heard & {"precisar", "quiser", "queira", "precise"})


def _told(seen: Sighting) -> bool:
    nearest = seen.before[-1:]
    told = bool(PLAN.intersection(nearest)) and "nao" not in seen.before[-2:]
    return told or bool(nearest in {("de",), ("o",)} and TALE.intersection(seen.before[-2:-1])) or nearest == ("ao",)


def _we(seen: Sighting) -> bool:
    return seen.who == "gente" and seen.said[-2:-1] == ("a",)


def _ours(seen: Sighting) -> bool:
    later = seen.after[:1] in {("antes",), ("primeiro",), ("depois",)}
    comes_back = seen.after[:1] == ("e",) and bool({"te", "ja", "volto", "retorno", "aviso"} & set(seen.after[1:2]))
    return not later and not comes_back and not ELSEWHERE.intersection(seen.after[:4])


def _named(seen: Sighting) -> bool:
    """ "falar com a Fernanda": a word that is no known thing, relation or trade stands for a name."""
    trade = seen.who.endswith(("dor", "dora", "eiro", "eira", "ista", "ente", "rio", "ria"))
    return not trade and seen.who not in NOT_A_NAME | ELSEWHERE | ROLE and _asked(seen) and _ours(seen)


def _transferred(seen: Sighting) -> bool:
    """ "preciso passar para o gerente": what the customer does is no request."""
    doing = seen.said[0].startswith(("pass", "encaminhar", "coloc", "repass")) and seen.said[0].endswith("r")
    mine = not {"posso", "eu", "preciso", "tenho", "que"}.isdisjoint(seen.before[-1:])
    return _asked(seen) and not (doing and mine and seen.who in ROLE)


def _wanted(seen: Sighting) -> bool:
    """ "quero um atendente"; "preciso de alguém" only when that somebody is to serve, not to collect samples."""
    if seen.who == "ninguem" or not _asked(seen) or (seen.said[0] == "favor" and seen.who == "gente"):
        return False
    after = " ".join((*seen.after, ""))
    if seen.who in _ANYBODY:
        return bool(_SERVES.regex.match(after if seen.after else ""))
    return not after.startswith(("para cole", "para ret", "que cole", "que ven", "vir "))


def _there(seen: Sighting) -> bool:
    """ "não tem ninguém aí?" asks too: a denial does not count here."""
    return not _conditional(seen) and not ASKING_HOURS & seen.clause


def _not_asking_who(seen: Sighting) -> bool:
    """ "você é gente e não robô?" asks what we are, not for somebody else."""
    return {"voce", "voces"}.isdisjoint(seen.before[:2])


def _service(seen: Sighting) -> bool:
    return not ASKING_HOURS & seen.clause and not {"gostei", "foi", "era"} & set(seen.before) and _asked(seen)


def _served_by_yours(seen: Sighting) -> bool:
    return {"tenho", "temos"}.isdisjoint(seen.before) and _asked(seen)


def _served(seen: Sighting) -> bool:
    return not {"fui", "foi", "fomos", "sou", "era"} & set(seen.before[-2:]) and _asked(seen)


def _call_me(seen: Sighting) -> bool:
    """ "me liga quando ficar pronto" and "vocês vão me ligar?" ask for no person now."""
    others = {"vao", "vai", "ninguem", "quando", "ira", "irao", "para"} & set(seen.before[-3:])
    return not others and not {"quando", "se", "assim", "de", "da"} & set(seen.after[:1]) and _asked(seen)


_rule = ruler(CLASSES)
RULES = RuleBook(
    _rule(
        "talk_with_person",
        _asked,
        "(?:<talk><gap>{0,3}?|<deal><adv>?|(?:<want>(?:me )?|<start>)fala <adv>?|<want><link>{0,3}<talk_noun>)"
        "com (?:<det>{0,3}(?P<who><served_by>)|(?:um|uma|algum|alguma|alguem) de voces |quem <takes_care>)",
        "(?:falar|conversar) <person>",
    ),
    _rule(
        "talk_to_name",
        _named,
        "(?:<want>|<ability>)(?:eu |de |me |para ){0,2}(?:falar|conversar) <adv>{0,2}com (?:o|a) (?P<who><any>)",
        "(?:quero|queria|gostaria de|posso|consigo|da para) falar com (?:ela|ele) ",
    ),
    _rule(
        "how_to_talk",
        _asked,
        "(?:como|onde|so|aonde) (?:que |e |eu |a gente |e que ){0,2}<i_talk><adv>?com <det>{0,2}(?P<who><served_by>)",
    ),
    _rule("with_whom", always, "com quem (?:e que |que |eu ){0,2}(?:posso|devo|consigo|poderia|tenho que) <with_whom>"),
    _rule("transfer", _transferred, "<transfer><object>{0,4}<to><det>{0,3}(?P<who><served_by>)"),
    _rule(
        "transfer_me",
        _asked,
        "me (?:manda|mande|mandar|leva|joga) (?:logo |ai )?para <det>{0,2}(?P<who><served_by>)",
        "(?:me <transfer_me>|ser transferid[oa] )(?:por favor |favor |agora |ja |logo |ai ){0,2}<end>",
    ),
    _rule(
        "call_person",
        _wanted,
        "<call><called>{0,4}<det>{0,2}(?P<who><person>)",
        "(?:chamar|chamem?|chama|aciona|acione) <called>{0,4}<det>{0,2}(?:gerente|supervisor|responsavel|comercial) ",
        "<seat><called>{0,2}<det>?<attendant>(?:na linha |ai |para (?:me )?<serve>|<end>)",
    ),
    _rule(
        "call_by_name", _named, "(?:chamar|chama|chame) (?:ai )?(?:o|a) (?P<who><any>)(?:por favor |favor |ai )?<end>"
    ),
    _rule("contact_of_person", _asked, "<contact>d[eo] (?:um |uma )?(?P<who>alguem |atendente |humano |pessoa )"),
    _rule(
        "person_there",
        _there,
        "(?:<there_is><present>?|<start>)<det>{0,2}<adj>?(?P<who><person>)<adj>?(?:d[aeo] <role>)?"
        "(?:<present>{1,2}(?:<end>|<channel>|(?:para|que|ou|e|me) )|real |de verdade |de carne "
        "|(?:para|que) (?:me |nos )?<may>?(?:me |nos )?<serve>)",
        "<there_is><present>?<det>{0,2}<adj>?(?:<attendant><adj>?(?:d[aeo] <role>)?<end>|<person>[?] )",
        "(?:alo|oi|ola|opa) (?:[?,] )?(?:tem )?alguem (?:ai |aqui |na linha )?<end>",
    ),
    _rule(
        "awaited_person",
        _wanted,
        "(?:cade|onde esta|onde estao|aguardo|aguardando|esperando|espero) <det>{0,2}(?P<who><awaited>)",
        "(?:cade|onde esta) <det>(?:responsavel|gerente|supervisor) ",
        "atendente (?:cade|sumiu|(?:ainda )?(?:vai demorar|nao (?:vem|chegou|apareceu|respondeu|responde))) ",
    ),
    _rule(
        "person_serves_me",
        _served_by_yours,
        "(?P<who><attendant>)(?:ai |dai |aqui |d[aeo] <any>|real |de verdade ){0,2}<may>{0,2}"
        "(?:<me><serve>|<serve><with_me>)",
        "<me><serve>(?:um |uma |algum |alguma )?<attendant>",
        "alguem (?:ai |dai |da equipe |de voces )?(?:pode|poderia|consegue|podia) (?:atender|ajudar|responder) ",
    ),
    _rule(
        "desk_serves_me",
        _call_me,
        "(?:pedir|pede|peca|pecam|quero|gostaria|solicito) (?:que |para ){1,2}(?:o |a )?<role>(?:d[aeo] <any>)?"
        "(?:<me><serve>|<serve><with_me>)",
    ),
    _rule("want_person", _wanted, "<want><link>{0,4}(?P<who><person>)"),
    _rule("want_desk", _asked, "<want>(?:d?o |com o )?(?:setor|departamento) (?:de )?<role>"),
    _rule(
        "human_service",
        _service,
        "(?:atendimento|suporte|apoio|assistencia|ajuda) (?:mais |bem )?"
        "(?:humano|humana|humanizado|(?:de|por) (?:um |uma )?(?:pessoa|humano|gente|atendente)) ",
        "atendimento (?:<any>){0,2}(?:, )?com <det>{0,2}<person>",
        "(?:<want><link>{0,3}|<start>)(?:contato humano|atendimento pessoal) (?:<end>|por favor |favor )",
    ),
    _rule("served_by_person", _served, "(?:atendid[oa]|respondid[oa]|ajudad[oa]) por <det>{0,2}(?P<who><person>)"),
    _rule(
        "no_bot",
        _not_asking_who,
        "(?:nao|nem|nunca) <no_more>(?:mais |de |falar |conversar |tratar |resolver |ser atendid[oa] ){0,3}"
        "(?:(?:com |por )?<det>{0,2}<bot>|com voce )",
        "(?:nao (?:aguento|suporto) (?:mais )?|(?:odeio|detesto) (?:ter que )?)(?:falar|conversar) com <det>?<bot>",
        "<enough>(?:d[eo] |dess[ea] |falar |conversar |com |ess[ea] |tanto |um ){0,4}<bot>",
        "<gone>(?:d[aoe] |dess[ea] |ess[ea] |o |a |fora ){1,2}<bot>",
        "(?:que nao (?:seja|e) |sem (?:ser )?|e nao (?:com )?)(?:um |uma |o |com ){0,2}<bot>",
        "nao (?:com )?(?:um |uma |o )?<bot><end>",
    ),
    _rule(
        "call_me",
        _call_me,
        "me <call_me>",
        "(?:liga|ligue|liguem) para (?:mim|ca|nos) ",
        "entr(?:ar|em|e) em contato comigo ",
        "(?:quero|gostaria de|prefiro|preciso de) (?:uma )?ligacao ",
    ),
    _rule(
        "by_phone",
        _asked,
        "(?:<want>|<ability>)(?:de )?(?:falar|conversar|atendimento|resolver) (?:com voces? )?"
        "(?:por|no|pelo) (?:telefone|fone|ligacao) ",
    ),
)
