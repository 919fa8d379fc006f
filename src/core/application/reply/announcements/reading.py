"""Reads the sentences of a text that may promise something (`transfer_check`).

A transfer counts when it is said in the first person and hangs on nothing (`conditions`). What is transferred
must be the customer or the conversation, never an amount or a sample.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from core.application.reply.announcements import words as lexicon
from core.application.reply.announcements.conditions import Sentence, hangs_on_something
from core.application.reply.announcements.words import Verb

_Words = Sequence[str]

_LIGHT = lexicon.CLITICS | lexicon.ADVERBS
_ALL_PERIPHRASES = (
    *((auxiliary, lexicon.INFINITIVES) for auxiliary in lexicon.BEFORE_INFINITIVE),
    *((auxiliary, lexicon.GERUNDS) for auxiliary in lexicon.BEFORE_GERUND),
)
_PERIPHRASES = {
    first: [(auxiliary, forms) for auxiliary, forms in _ALL_PERIPHRASES if auxiliary[0] == first]
    for first in {auxiliary[0] for auxiliary, _ in _ALL_PERIPHRASES}
}
_IN_TOUCH = {("em", "contato"), ("em", "linha"), ("para", "falar"), ("pra", "falar")}
_NEW_PHRASE = {"para", "pra", "que", "sobre"}

_DOING = r"(?:vou|irei|vamos|estou|to|ja) (?:te |lhe |ja |agora )*"
_DONE = r"(?:esta|ficou|foi)"
_UNBACKED = {
    "registered": re.compile(
        r"\b(?:registrei|registramos|cadastrei|cadastramos|protocolei|abri(?:mos)? (?:um|o|seu) (?:chamado|ticket)"
        rf"|{_DOING}(?:registra|cadastra|protocola)(?:r|ndo)|{_DONE} (?:registrad|cadastrad|protocolad)[oa]s?)\b"
    ),
    "quoted": re.compile(
        r"\b(?:segue|enviei|mandei|preparei|fiz|gerei|elaborei|montei|preparo|envio|faco|elaboro|monto"
        rf"|{_DOING}(?:envia|manda|prepara|faze|gera|elabora|monta|providencia|encaminha|passa)(?:r|ndo))"
        r"(?: \w+){0,4}? (?:orcamento|cotacao|proposta)\b"
    ),
    "scheduled": re.compile(
        rf"\b(?:agendei|agendamos|marquei|marcamos|reservei|agendo|marco|{_DOING}(?:agenda|marca|reserva)(?:r|ndo)"
        r"|(?:coleta|visita|horario|agendamento)(?: \w+){0,4}?"
        rf" {_DONE} (?:agendad|marcad|confirmad|reservad)[oa])\b"
    ),
}


def announces_transfer(said: list[Sentence]) -> bool:
    """Whether a transfer is announced that hangs on nothing."""
    return any(
        not hangs_on_something(said, at, start)
        for at, sentence in enumerate(said)
        for start in _transfers(sentence.words)
    )


def is_promised(kind: str, said: list[Sentence]) -> bool:
    """Whether what only the system can do is said to be done, or about to be."""
    for at, sentence in enumerate(said):
        text = " ".join(sentence.words)
        for found in _UNBACKED[kind].finditer(text):
            if not hangs_on_something(said, at, len(text[: found.start()].split())):
                return True
    return False


def _transfers(words: _Words) -> Iterator[int]:
    """Where a transfer of the customer to a person is announced, true or not."""
    for start in range(len(words)):
        spoken = _first_person(words, start)
        if spoken is not None and _takes_over(words, *spoken):
            yield start
        if _is_passive(words, start):
            yield start


def _first_person(words: _Words, start: int) -> tuple[Verb, int, bool] | None:
    """A verb in the first person: its kind, where its complement begins, and whether the customer is its object."""
    for auxiliary, forms in _PERIPHRASES.get(words[start], ()):
        if tuple(words[start : start + len(auxiliary)]) == auxiliary:
            at = _skip(words, start + len(auxiliary), _LIGHT)
            verb = forms.get(_word(words, at)) or _cut_infinitive(words, at)
            if verb is not None:
                return verb, *_after_verb(words, start, at)
    verb = _finite(words, start)
    return None if verb is None else (verb, *_after_verb(words, _back(words, start), start))


def _finite(words: _Words, at: int) -> Verb | None:
    """`transfiro`, `a gente transfere`, and a gerund that opens its sentence ("Transferindo você…")."""
    word, previous = words[at], _word(words, at - 1)
    if previous == "me" or (word in lexicon.NOUNS_TOO and previous in lexicon.DETERMINERS):
        return None
    if word in lexicon.FINITE:
        return lexicon.FINITE[word]
    if word in lexicon.WE and "gente" in words[max(0, at - 4) : at]:
        return lexicon.WE[word]
    opening = words[_back(words, at) - 1 : _back(words, at)] if _back(words, at) else ()
    return lexicon.GERUNDS.get(word) if all(mark in lexicon.STOPS for mark in opening) else None


def _cut_infinitive(words: _Words, at: int) -> Verb | None:
    """`transferi-lo`: the infinitive without its last letter."""
    if not _word(words, at + 1).startswith("-l"):
        return None
    return lexicon.INFINITIVES.get(_word(words, at) + "r")


def _after_verb(words: _Words, start: int, at: int) -> tuple[int, bool]:
    enclitic = _word(words, at + 1).startswith("-")
    named = words[start : at + (2 if enclitic else 1)]
    return at + (2 if enclitic else 1), any(word in lexicon.CUSTOMER_CLITICS for word in named)


def _takes_over(words: _Words, verb: Verb, at: int, customer: bool) -> bool:
    """Whether the verb's complement makes it a transfer to a person."""
    past = any(word in lexicon.PAST for word in words[max(0, at - 2) : at])
    at = _skip(words, at, lexicon.ADVERBS)
    named = _customer_end(words, at) or _conversation_end(words, at)
    customer = customer or _customer_end(words, at) is not None
    if past and verb is not Verb.CALL and not customer and named is None:
        return False
    rest = words[_skip(words, named or at, lexicon.ADVERBS) :]
    match verb:
        case Verb.TRANSFER:
            return _stops(rest) or _goes_somewhere(rest)
        case Verb.DIRECT | Verb.HAND:
            return _to_person(rest) or (verb is Verb.DIRECT and customer and _stops(rest))
        case Verb.PUT:
            return _to_person(rest[2:] if tuple(rest[:2]) in _IN_TOUCH else rest)
        case Verb.CALL:
            return _is_person(rest)
    asked = rest[1:] if _word(rest, 0) in {"que", "para", "pra", "a", "ao"} else rest
    return _is_person(asked) and bool(lexicon.SERVES.intersection(asked))


def _goes_somewhere(rest: _Words) -> bool:
    """`para a Ana`, `ao setor`; not `a caixa`, nor `para a conta`."""
    if rest[0] in {"a", "as"}:
        return _within(rest, lexicon.PEOPLE)
    return rest[0] in lexicon.PREPOSITIONS and not _within(rest, lexicon.ELSEWHERE)


def _is_passive(words: _Words, start: int) -> bool:
    """`você será transferido`, `seu atendimento está sendo encaminhado para um especialista`."""
    at = _customer_end(words, start) or _conversation_end(words, start)
    if at is None:
        return False
    at = _skip(words, at, lexicon.ADVERBS)
    for auxiliary in lexicon.BEFORE_PARTICIPLE:
        if tuple(words[at : at + len(auxiliary)]) == auxiliary:
            participle = _skip(words, at + len(auxiliary), lexicon.ADVERBS)
            rest = words[_skip(words, participle + 1, lexicon.ADVERBS) :]
            return _word(words, participle) in lexicon.PARTICIPLES and (_stops(rest) or _to_person(rest))
    return False


def _customer_end(words: _Words, at: int) -> int | None:
    return next((at + len(name) for name in lexicon.CUSTOMERS if tuple(words[at : at + len(name)]) == name), None)


def _conversation_end(words: _Words, at: int) -> int | None:
    noun = _skip(words, at, lexicon.DETERMINERS)
    return noun + 1 if _word(words, noun) in lexicon.CONVERSATIONS else None


def _to_person(rest: _Words) -> bool:
    return _word(rest, 0) in lexicon.PREPOSITIONS and _within(rest, lexicon.PEOPLE)


def _is_person(rest: _Words) -> bool:
    return _word(rest, 0) in lexicon.DETERMINERS | lexicon.PEOPLE and _within(("", *rest), lexicon.PEOPLE, reach=4)


def _within(rest: _Words, wanted: Collection[str], *, reach: int = 6) -> bool:
    """Whether one of the words follows the first before the phrase ends."""
    for word in rest[1:reach]:
        if word in wanted:
            return True
        if word in lexicon.STOPS or word in _NEW_PHRASE:
            return False
    return False


def _stops(rest: _Words) -> bool:
    return not rest or (rest[0] in lexicon.STOPS and rest[0] not in lexicon.PREPOSITIONS)


def _back(words: _Words, at: int) -> int:
    """Where the light words before a verb begin."""
    while at > 0 and words[at - 1] in _LIGHT:
        at -= 1
    return at


def _skip(words: _Words, at: int, light: Collection[str]) -> int:
    while _word(words, at) in light or (_word(words, at) == "," and _word(words, at + 1) in light):
        at += 1
    return at


def _word(words: _Words, at: int) -> str:
    return words[at] if 0 <= at < len(words) else ""
