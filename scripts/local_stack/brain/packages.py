"""Questions that a package answers: which package to ask for, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .catalogue import Catalogue
from .words import PORTUGUESE, fold, means, says, stems

PREVIOUS_SESSION = "PREVIOUS_SESSION"
_AMOUNT = re.compile(r"R\$\s?\d")
_OF_PRICE = stems("custa fica sai cobra cobram preço preços valor valores total base")
_ANSWER_MAX_CHARS = 230


def package_for(question: str, catalogue: Catalogue, without: set[str]) -> str | None:
    """The package whose title and `peca_quando` share most with a folded question; rarer words weigh more."""
    own = {name: stems(f"{each['titulo']} {each['peca_quando']}") for name, each in catalogue.packages.items()}
    own.pop(PREVIOUS_SESSION, None)
    weight = {word: 1 / sum(word in words for words in own.values()) for words in own.values() for word in words}
    asked = [group - without for group in _asked(question)]
    scores = {
        name: sum(max((weight[w] for w in group & words), default=0) for group in asked) for name, words in own.items()
    }
    best = max(scores, key=lambda name: scores[name], default=None)
    return best if best and scores[best] >= 0.5 else None


def answer_from(text: str, question: str, *, about: str) -> str:
    """The one or two sentences of a package that say most of what is asked; "" when none does.

    `about` are words of what the conversation is on. Amounts are `amounts_in`'s to tell.
    """
    wanted, context = set().union(*_asked(question)), stems(about)
    told = [line for line in _lines(text) if not _AMOUNT.search(line) and sentences_for_customers(line)]
    best = max(told, key=lambda line: _score(line, wanted, context), default="")
    if not _score(best, wanted, context):
        return ""
    sentences = sentences_for_customers(best)
    kept = sorted(sentences, key=lambda sentence: -_score(sentence, wanted, context))[:2]
    if sum(map(len, kept)) > _ANSWER_MAX_CHARS:
        kept = kept[:1]
    return " ".join(sentence for sentence in sentences if sentence in kept)


def amounts_in(text: str, question: str, *, service: str, options: str) -> str:
    """The lines with an amount that say most of what is asked, two at most, and what is included; "" when none does.

    `options` are words of what was chosen so far; once a line says much of it, what it says beside counts against it.
    """
    asked, chosen = stems(question) - _OF_PRICE, stems(options)
    scores: dict[str, int] = {}
    for line in filter(_AMOUNT.search, _lines(text)):
        words = stems(line.partition("R$")[0])
        beside = words - asked - chosen if len(words & (asked | chosen)) > 2 else set()
        scores[line] = (
            4 * len(words & asked) + 3 * len(words & chosen - asked) + len(words & stems(service)) - 2 * len(beside)
        )
    best = [line for line, score in scores.items() if score == max(scores.values()) > 0][:2]
    things = set().union(*map(stems, best)) & (asked | chosen | stems(service))
    if not best or (asked and not things & asked):
        return ""
    others = [each for line in _lines(text) if line not in scores for each in sentences_for_customers(line)]
    included = [each for each in others if says(fold(each), r"inclu\w+") and stems(each) & things]
    return " ".join([*(each for line in best for each in sentences_for_customers(line)), *included[:1]])


def sentences_for_customers(line: str) -> list[str]:
    """Without those that speak to the assistant."""
    parts = re.split(r"(?<=[a-z0-9)])\.\s+", line.rstrip(". "))
    return [f"{part}." for part in parts if part and not means(fold(part), "to_the_assistant")]


def _asked(question: str) -> list[set[str]]:
    """What is asked, each thing by the stems under which it may be told."""
    plain, groups = fold(question), list[set[str]]()
    for pattern, told_under in PORTUGUESE["told_under"].items():
        if says(plain, pattern):
            groups.append(stems(told_under))
            plain = re.sub(pattern, " ", plain)
    return groups + [{stem} for stem in stems(plain)]


def _score(text: str, wanted: set[str], context: set[str]) -> int:
    """What a line begins with is what it is about."""
    words, head = stems(text), stems(" ".join(text.split()[:3]))
    return 2 * len(words & wanted) + 3 * len(head & wanted) + 2 * len(words & context)


def _lines(text: str) -> Iterator[str]:
    """Each line that states something, after the heading it stands under; a table's row is a line of its cells.

    The first says what the others are about.
    """
    head, written = "", text.splitlines()
    for raw in written[1:] or written:
        line = re.sub(r"[*_`]", "", raw.strip().removeprefix("- "))
        if line.startswith("#"):
            head = f"{line.strip('# ')}: "
        elif re.search(r"\w", line):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            yield head + ": ".join([", ".join(cells[:-1]), cells[-1]] if len(cells) > 1 else cells)
