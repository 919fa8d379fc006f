"""Complaints that are anger only in pairs: a curse and a failure, a third time and a wrong report."""

from __future__ import annotations

import re

from core.domain.guard.lexicon_anger import CLASSES, GLAD, OTHERS, SORRY, THINGS
from core.domain.guard.phrases import RuleBook, always, ruler

_PAPER = "(?:laudo|orcamento|resultado|boleto|nota|pedido|relatorio|proposta)"
_DO_IT = "(?:responde|respondem|responda|resolve|resolvam|atende|atendam)"
_PHRASES = {
    "swear": ("<swear>", "pelo amor de deus ", "mds "),
    "target": ("<you>", "<bot>", "atendimento ", "laboratorio "),
    "told": (
        "ja (?:te |lhe |eu )?<said>",
        "mesma (?:pergunta|coisa) ",
        "repetir ",
        "(?:perguntar|responder|explicar|mandar|digitar) (?:isso|tudo) ",
    ),
    "again": ("<again>", "pela (?:segunda |<nth>)vez "),
    "nth": ("pela <nth>vez ",),
    "failure": (
        f"{_PAPER} (?:veio |esta |saiu |todo )?errad[oa] ",
        "(?:que|muita|essa|tanta) demora ",
        "(?:demorando demais|demora demais|ate agora nada|nada ate agora) ",
        "e nada (?:[?!.,] |$)",
        "<you>nao (?:me |nos )?(?:<solve>|retornam )",
        "nao (?:funciona|resolve|veio|chegou) ",
        "nao (?:foi|e|era) isso ",
        "que eu (?:perguntei|pedi|falei|disse) ",
        f"{_DO_IT} (?:direito|logo|isso|caralho|porra|me|o que|minha|a minha) ",
        "(?:ninguem|errou|erraram|esperando|atraso|atrasad[oa]) ",
    ),
    "disbelief": (
        "(?:serio (?:isso|que)|nao acredito nisso|inacreditavel|fala serio|era so o que faltava|esta dificil) ",
        "(?:isso|so pode ser|esta de) (?:e )?brincadeira ",
        "esta brincando ",
        "(?:incrivel|impressionante) (?:como|que) ",
        "<you>(?:e|esta|ficou) <mad>",
    ),
    "weary": ("(?:cansei|desisto|chega) (?:[!.,] |$)",),
    "leaving": (
        "(?:vou|vamos) (?:procurar|buscar|contratar|para|fechar com) (?:o |a |um |uma )?(?:outr|concorr)[a-z]+ ",
    ),
}
_rule = ruler(CLASSES)
COMPLAINTS = RuleBook(*(_rule(kind, always, *alternatives) for kind, alternatives in _PHRASES.items()))
_PAIRS = (
    frozenset({"swear", "told"}),
    frozenset({"swear", "target"}),
    frozenset({"swear", "again"}),
    frozenset({"swear", "failure"}),
    frozenset({"swear", "leaving"}),
    frozenset({"nth", "failure"}),
    frozenset({"disbelief", "told"}),
    frozenset({"disbelief", "failure"}),
    frozenset({"weary", "failure"}),
    frozenset({"weary", "leaving"}),
    frozenset({"weary", "told"}),
    frozenset({"weary", "target"}),
)
_EXCUSED = GLAD | SORRY | OTHERS
# Pairs that a broken pump or a wet day can make too.
_LOOSE = frozenset({"target", "again", "failure"})
_LAUGH = re.compile(r"k{2,}|(?:ha|he|hua|rs){2,}h?|rs|ks|lol")


def complaints_together(text: str) -> str | None:
    """Two complaints of different kinds, neither enough alone; nothing glad, sorry or laughing beside them."""
    heard = frozenset(COMPLAINTS.fired(text, at_least=2))
    if len(heard) < 2:
        return None
    spoken = frozenset(text.split())
    if spoken & _EXCUSED or any(_LAUGH.fullmatch(word) for word in spoken):
        return None
    pairs = (pair for pair in _PAIRS if pair <= heard and (spoken.isdisjoint(THINGS) or not pair & _LOOSE))
    return next(("_and_".join(sorted(pair)) for pair in pairs), None)
