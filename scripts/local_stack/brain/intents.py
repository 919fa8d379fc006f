"""What the customer wants, beside telling values: each question here is a paragraph of the contract."""

from __future__ import annotations

import re

from . import lexicon
from .words import says

_OFFERED_PERSON = re.compile(r"(?:quer|posso|prefere)[^.?!]*(?:chamar?|chame|pessoa|alguem da equipe)[^.!]*\?")
_ACCEPTED = re.compile(rf"{lexicon.YES}(?:[\s,.!]+{lexicon.YES})*[\s,.!]*")
_VOWELLESS = re.compile(r"[^aeiouy\W\d]{5,}")


def person_topic(text: str, last_said: str) -> str | None:
    """Why only a person can settle this; None when it is not so. `last_said` is our last message, folded."""
    for reason, patterns in lexicon.PERSON.items():
        if says(text, *patterns) and not (reason == "reclamacao" and "reclamacao de consumidor" in text):
            return reason
    accepted = _ACCEPTED.fullmatch(text.strip()) and _OFFERED_PERSON.search(last_said)
    return "oferta_aceita" if accepted else None


def injected_lines(text: str) -> list[str]:
    """The lines that give orders to the assistant."""
    marked = re.compile(lexicon.ORDER_MARK)
    return [line for line in text.splitlines() if says(line, *lexicon.INJECTION) or marked.search(line)]


def refusal(text: str) -> str | None:
    """The reason to refuse, of those that do not depend on the catalogue."""
    if says(text, *lexicon.OF_OTHERS):
        return "out_of_scope_pii"
    asks_cure = says(text, *lexicon.SYMPTOM) and says(text, lexicon.WHAT_TO_TAKE)
    if asks_cure and not says(text, r"(?:quero|preciso) analis\w+"):
        return "out_of_scope_diagnosis"
    asks_meaning = says(text, *lexicon.ASKS_MEANING) and says(text, *lexicon.RESULT_GIVEN)
    if asks_meaning or says(text, lexicon.READS_DOCUMENT):
        return "out_of_scope_interpretation"
    elsewhere = says(text, *lexicon.ELSEWHERE) and not wants_analysis(text)
    return "out_of_scope" if elsewhere or says(text, *lexicon.OF_PEOPLE) else None


def wants_analysis(text: str) -> bool:
    """Whether work is asked for."""
    return says(text, lexicon.WANTS_ANALYSIS)


def turns_to_another(text: str) -> bool:
    """Whether one service is dropped for another."""
    return says(text, *lexicon.ANOTHER_INSTEAD) and not adds_another(text)


def adds_another(text: str) -> bool:
    """Whether a service is asked for beside the one at hand."""
    return says(text, lexicon.ANOTHER_TOO)


def packages_for(text: str) -> list[str]:
    """Which packages a question needs, by the catalogue's `peca_quando`."""
    found = [name for name, patterns in lexicon.PACKAGES.items() if says(text, *patterns)]
    return [name for name in found if not (name == "DELIVERY_TIMES" and says(text, lexicon.KEEPS_OFFER))]


def asks_price(text: str) -> bool:
    """Whether an amount is asked for, beside terms of payment."""
    return says(text, lexicon.PRICE)


def asks_whether_robot(text: str) -> bool:
    """Whether we are asked what we are."""
    return any(re.search(pattern, text) for pattern in lexicon.ROBOT)


def greets(text: str) -> bool:
    """Whether it is a greeting."""
    return says(text, lexicon.GREETS)


def closing(text: str) -> str | None:
    """`desistencia` or `despedida`; None when the conversation goes on."""
    if says(text, *lexicon.GIVES_UP):
        return "desistencia"
    return "despedida" if says(text, *lexicon.FAREWELL) else None


def thanks(text: str) -> bool:
    """Whether it is a thank-you and little else."""
    return says(text, lexicon.THANKS) and len(text.split()) <= 5


def is_gibberish(text: str) -> bool:
    """Words without vowels, keys hit at random."""
    words = [word for word in re.findall(r"[a-z]{3,}", text) if word not in lexicon.SHORTENED]
    odd = [word for word in words if not re.search(r"[aeiouy]", word) or _VOWELLESS.search(word)]
    return bool(odd) and len(odd) * 2 >= len(words) and len("".join(words)) >= 5
