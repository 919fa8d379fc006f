"""What a promise may hang on: an "if", a request that comes first, a question, a "not"."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_WORD = re.compile(r"(?<=\w)-\w+|\w+|[,:;()–—]")
_RIGHT_NOW = re.compile(
    r"\b(?:n[eo](?:sse|ste)? (?:exato )?(?:momento|instante)|de imediato|por aqui|agora mesmo"
    r"|em (?:um |alguns |poucos )?(?:momentos?|instantes?|instantinho|minutinho|minutos?|segundos?))\b"
)
_TAG_QUESTION = re.compile(r", (?:ok|ta|ta bom|tudo bem|certo|combinado|beleza|viu)\Z")

# Said anywhere in the sentence, these make what it announces depend on something.
_CONDITION = re.compile(
    r"\b(?:quando|assim que|tao logo|logo que|depois|apos|uma vez que|desde que|mediante|antes|dai"
    r"|em seguida|na sequencia|posteriormente|a partir d[aoe]|talvez|provavelmente|a menos que|salvo|exceto"
    r"|somente|apenas se|so se|em maos"
    r"|(?:quer|gostaria|prefere|deseja|para|pra|peca) que eu|dependendo|em caso|no caso de"
    r"|ao (?:receber|confirmar|finalizar|concluir|enviar|terminar)"
    r"|(?:confirm|envi)ando|(?:recebe|preenche|quere)ndo|preferindo|precisando|informando|concluindo|terminando)\b"
)
_REFLEXIVE = r"(?:preocup|sint|acalm|apress|esquec|lembr|prepar|trat|refer|torn|cham|dirig|desesper|incomod)"
_IF = re.compile(
    rf"(?<!-)\bse\b(?! {_REFLEXIVE})"
    r"|\bcaso (?:voce|vc|[oa] senhora?|queira|prefira|seja|deseje|precise|haja|tenha|nao|ainda|isso)\b"
)
_AND_THEN = re.compile(r"\bai (?:sim |eu |ja )*(?:te|lhe|vou|transfiro|encaminho|passo)\b")
# What the customer is to do first, up to the word that joins the promise to it.
_REQUEST = re.compile(
    r"\b(?:envi[ea]|mand[ea]|inform[ea]|confirm[ea]|respond[ea]|avis[ea]|digite|escolha|preencha|passe|diga|conte|pague"
    r"|compartilhe|cadastre|assine|basta|eh so|falta|faltam|faltou|so preciso|preciso (?:d\w*|so|apenas|saber|que)"
    r"|precisa d\w*|me (?:passa|diz|fala|conta))\b(?: [\w-]+| ,)*? (?:e|que|,)\Z"
)
_FIRST_THINGS_FIRST = re.compile(
    r"\A(?:(?:mas|so|apenas|porem|,) )*"
    r"(?:antes|para isso|pra isso|primeiro|preciso|falta|basta|me (?:envie|informe|confirme|passe))\b"
)
_NEGATION = frozenset({"nao", "nem", "nunca", "jamais", "sem", "tampouco", "ninguem"})
_NEW_CLAUSE = frozenset({*",:;()–—", "e", "mas", "entao", "que", "portanto", "porem", "pois", "porque"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and commas of a folded sentence, and whether it asks."""

    words: tuple[str, ...]
    asks: bool


def sentences(spoken: str) -> list[Sentence]:
    """The sentences of a folded text; an enclitic (`-lo`) is a word of its own."""
    found = []
    for part in _SENTENCE.split(_RIGHT_NOW.sub("agora", spoken)):
        words = tuple(_WORD.findall(part))
        if words:
            found.append(Sentence(words, "?" in part))
    return found


def hangs_on_something(said: list[Sentence], at: int, start: int) -> bool:
    """Whether what sentence `at` says from word `start` on is not simply so."""
    sentence = said[at]
    text, before = " ".join(sentence.words), " ".join(sentence.words[:start])
    if sentence.asks and not _TAG_QUESTION.search(text):
        return True
    if any(pattern.search(text) for pattern in (_CONDITION, _IF, _AND_THEN)):
        return True
    if _REQUEST.search(f"{before} ,".replace(", ,", ",")) or _is_negated(sentence.words[:start]):
        return True
    following = said[at + 1] if at + 1 < len(said) else None
    return following is not None and bool(_FIRST_THINGS_FIRST.match(" ".join(following.words)))


def _is_negated(before: tuple[str, ...]) -> bool:
    for word in reversed(before):
        if word in _NEGATION:
            return True
        if word in _NEW_CLAUSE:
            return False
    return False
