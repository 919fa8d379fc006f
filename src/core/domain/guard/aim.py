"""Whom anger is aimed at. Customers curse the operadora, the neighbour and their own pump while they talk to us."""

from __future__ import annotations

from core.domain.guard.lexicon_anger import (
    CLASSES,
    FORMER,
    OTHERS,
    OURS,
    SELF,
    SERVICE,
    SUBJECTS,
    TARGETS,
    THINGS,
    TREATMENT,
)
from core.domain.guard.phrases import Sighting

_ELSE = OTHERS | THINGS | FORMER
_OWNED = SERVICE | {"bot", "robo"}
_POSSESSIVES = frozenset({"meu", "nosso", "minha", "nossa"})


def at_us(seen: Sighting) -> bool:
    """Nobody else is in the clause, or we are named beside them."""
    return seen.clause.isdisjoint(_ELSE) or not seen.clause.isdisjoint(TARGETS)


def our_service(seen: Sighting) -> bool:
    """The service is this one: not "da prefeitura", not "o outro", not "nosso sistema"; and it is not denied."""
    heard = (*seen.before[-4:], *seen.said, *seen.after[:4])
    if _denied(seen) or not _POSSESSIVES.isdisjoint(seen.before[-4:]):
        return False
    owned = zip(heard, heard[1:], heard[2:], strict=False)
    owners = [owner for thing, of, owner in owned if thing in _OWNED and of in {"da", "do", "de", "das", "dos"}]
    others = not _ELSE.isdisjoint(heard) and {"voces", "voce"}.isdisjoint(heard)
    return all(owner in OURS for owner in owners) and not others


def felt(seen: Sighting) -> bool:
    """Anger that is not denied and not about somebody else."""
    theirs = not (OTHERS | THINGS).isdisjoint(seen.after[:6]) and TARGETS.isdisjoint(seen.after)
    return not _denied(seen) and not theirs and FORMER.isdisjoint(seen.after[:6])


def uneasy(seen: Sighting) -> bool:
    """ "estou nervosa com essa demora"; "nervosa com o resultado" and "chateada que não vou" are no complaint."""
    about = seen.after[:1] == ("com",) and not TREATMENT.isdisjoint(seen.after)
    return felt(seen) and (not seen.after or about)


def said_of_us(seen: Sighting) -> bool:
    """What is said to be so is ours: not "o pedreiro é um idiota", not "a conta de luz está um absurdo"."""
    heard = seen.before
    if heard[-1:] and heard[-1] in CLASSES["adv"]:
        heard = heard[:-1]
    is_said = len(heard) > 1 and heard[-1] in CLASSES["be"]
    return at_us(seen) and (not is_said or heard[-2] in SUBJECTS)


def said_of_you(seen: Sighting) -> bool:
    """ "vocês são ruins", not "o prazo de vocês é ruim pra mim"."""
    return seen.before[-1:] not in {("de",), ("com",), ("para",), ("em",), ("por",)}


def slurred(seen: Sighting) -> bool:
    """A slur at nobody else, not at oneself, and no part of a name ("Sítio do Idiota")."""
    named = seen.before[-1:] in {("do",), ("da",), ("de",)} and "bando" not in seen.before[-2:]
    denied = not {"nao", "nem"}.isdisjoint(seen.before[-3:])
    return not named and not denied and seen.clause.isdisjoint(SELF) and said_of_us(seen)


def cursed(seen: Sighting) -> bool:
    """ "essa merda não responde"; "essa merda de galinha" is a sample."""
    of_what = seen.after[1:2] if seen.after[:1] == ("de",) else ()
    return at_us(seen) and (not of_what or of_what[0] in SERVICE | TARGETS)


def of_words(seen: Sighting) -> bool:
    """What was sent so many times is an answer; a customer who sent samples three times is a good one."""
    return seen.clause.isdisjoint({"amostra", "amostras", "analise", "analises", "coleta", "coletas"})


def unwanted(seen: Sighting) -> bool:
    """ "de novo a mesma coisa" is a complaint; "quero de novo a mesma coisa" is an order."""
    return at_us(seen) and {"quero", "queria", "preciso", "pode", "peco", "fazemos"}.isdisjoint(seen.before[-3:])


def _denied(seen: Sighting) -> bool:
    return not {"nao", "nem"}.isdisjoint(seen.before[-2:])
