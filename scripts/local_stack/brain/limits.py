"""What only a person settles and what is refused, as section 6 of the contract and the company's own limits say."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .words import PORTUGUESE, fold, means, says, stem, stems

_CONTENT = re.compile(r"\w{4,}")
_PREPOSITION = re.compile(r"(?:com|sem|em|n[oa]s?|de|d[oa]s?|por|para|ao?)\b")
_CODE = re.compile(r"\{\s*[\"']?s[\"']?\s*:")
_SHORT = frozenset(["vcs", "tbm", "blz", "cpf", "cnpj", "obg", "msm", "pfv"])
_VOWEL = re.compile(r"[aeiouy]")
_VOWELLESS = re.compile(r"[^aeiouy\W\d]{5,}")


def person_topic(text: str, of_company: Iterable[str]) -> str | None:
    """Why only a person can settle what a folded text says, in snake_case; `of_company` are the company's own cases."""
    reason = next((reason for reason, patterns in PORTUGUESE["person"].items() if says(text, *patterns)), None)
    matched = next((stems for case in of_company if (stems := _matches(text, case))), set())
    return reason or "_".join(word for word in re.findall(r"[a-z]+", text) if stem(word) in matched)[:40] or None


def _matches(text: str, case: str) -> set[str]:
    """Stems that settle it: of `thing or thing: what happens to it` one of each, of other cases a phrase as a whole."""
    spoken = stems(text)
    head, _, details = fold(re.sub(r"\([^)]*\)", "", case)).partition(":")
    phrases = [phrase.strip() for phrase in re.split(r"[,;]|\bou\b", head)]
    if details:
        things = stems(" ".join(word for phrase in phrases for word in _CONTENT.findall(phrase)[:1])) & spoken
        happened = spoken & stems(details)
        return things | happened if things and (happened or means(text, "trouble")) else set()
    told = [stems(phrase) for phrase in phrases if not _PREPOSITION.match(phrase)]
    return next((phrase for phrase in told if phrase and phrase <= spoken), set())


def injected_lines(text: str) -> list[str]:
    """The lines that give orders to the assistant."""
    return [line for line in text.splitlines() if means(line, "order") or _CODE.search(line)]


def refusal(text: str) -> str | None:
    """The reason to refuse, of those that hold for every company."""
    if means(text, "others_data"):
        return "out_of_scope_pii"
    if means(text, "symptom") and means(text, "cure"):
        return "out_of_scope_diagnosis"
    explains = means(text, "interpreting") or (means(text, "meaning") and means(text, "result"))
    return "out_of_scope_interpretation" if explains else None


def is_gibberish(text: str) -> bool:
    """Words without vowels, keys hit at random; what is written in capitals is short for something."""
    words = [fold(word) for word in re.findall(r"[^\W\d_]{3,}", text) if not word.isupper()]
    odd = [word for word in words if word not in _SHORT and (not _VOWEL.search(word) or _VOWELLESS.search(word))]
    return bool(odd) and len(odd) * 2 >= len(words) and len("".join(words)) >= 5
