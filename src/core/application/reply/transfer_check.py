"""Promises in a text that only the system can keep (docs/contract.md, "Promise check"), in Brazilian Portuguese.

Most texts hold no word of any promise, and are not read any further: reading costs a turn ten times as much, and its
patterns are compiled with the first text that needs them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.application.reply.announcements.words import VERBS
from core.domain.text import fold

_WORD = re.compile(r"\w+")
_IS = re.compile(r"\b[éÉ]\b")
# Parts of words of which one stands in every sentence that makes the promise.
_PARTS = {
    "registered": ("registr", "cadastr", "protocol", "abri"),
    "quoted": ("orcamento", "cotacao", "proposta"),
    "scheduled": ("agend", "marc", "marq", "reserv", "confirmad"),
}


@dataclass(frozen=True, slots=True)
class PromiseFindings:
    """`transfer`: the customer was told that a person takes over. `unbacked`: other promises, for the log only."""

    transfer: bool
    unbacked: tuple[str, ...] = ()


def promise_check(text: str) -> PromiseFindings:
    """What a text promises."""
    spoken = _as_spoken(text)
    may_transfer = not VERBS.isdisjoint(_WORD.findall(spoken))
    kinds = [kind for kind, parts in _PARTS.items() if any(part in spoken for part in parts)]
    if not may_transfer and not kinds:
        return PromiseFindings(transfer=False)
    from core.application.reply.announcements.conditions import sentences
    from core.application.reply.announcements.reading import announces_transfer, is_promised

    said = sentences(spoken)
    return PromiseFindings(
        transfer=may_transfer and announces_transfer(said),
        unbacked=tuple(kind for kind in kinds if is_promised(kind, said)),
    )


def _as_spoken(text: str) -> str:
    """The text folded, in which `é` is not `e`, and without courtesies."""
    return fold(_IS.sub("eh", text)).replace("e-mail", "email").replace("por favor", ",")
