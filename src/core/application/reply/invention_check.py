"""What a text states that no package, fixed text or fact does (docs/contract.md, "Egress check"; `invention.toml`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from core.application.reply.known_facts import DENIED, KnownFacts, Sources
from core.application.reply.rule_tables import as_spoken, asks, read_table, sentences
from core.application.reply.statements import FIGURE, amounts_in, bare_amounts_in, dates_in, finds, topics_of

_SENTENCE_MAX = 600  # characters of a sentence that are read
_CONTRAST = re.compile(r"\b(?:mas|porem|so que)\b|[;:]")
_OF_THEIRS = re.compile(r"\b(?:seus?|suas?|voce)\b")
_LEAST_WORDS = 4  # of a sentence that answers something


@dataclass(frozen=True, slots=True, kw_only=True)
class Invention:
    """`sentence` as it stands in the text; `what` says in Portuguese what was made up."""

    kind: str
    sentence: str
    what: str


def find_inventions(text: str, sources: Sources) -> tuple[Invention, ...]:
    """What the text states of its own making, in its order."""
    whole = as_spoken(text[:_SENTENCE_MAX])
    table, known = read_table("invention"), KnownFacts(sources, whole)
    found = []
    for sentence in sentences(text):
        spoken = as_spoken(sentence)[:_SENTENCE_MAX]
        for kind, said in dict.fromkeys(_invented(spoken, whole, known)):
            what = table.words["what"][kind].format(said.strip(" .,;:").replace("r$", "R$"))
            found.append(Invention(kind=kind, sentence=sentence.strip(), what=what))
    return tuple(found)


def without_inventions(text: str, found: Collection[Invention]) -> str | None:
    """The text without the sentences of `found`; None where what is left neither answers nor asks anything."""
    invented = {invention.sentence for invention in found}
    whole = sentences(text)
    kept = [
        sentence
        for sentence, following in pairwise([*whole, ""])
        if sentence.strip() not in invented
        and not (sentence.rstrip().endswith(":") and following.strip() in invented)  # what it announces is cut
    ]
    useful = any(
        ("?" in sentence or len(sentence.split()) >= _LEAST_WORDS) and not finds("courtesy", as_spoken(sentence))
        for sentence in kept
    )
    return "".join(kept).strip() if useful else None


def _invented(spoken: str, whole: str, known: KnownFacts) -> Iterator[tuple[str, str]]:
    """Kind and words of what a sentence states; `whole` is the text it stands in."""
    if not finds("example", spoken):
        yield from _contacts(spoken, known)
        yield from (("date", said) for day_month, said in dates_in(spoken) if not known.has_date(*day_month))
    question = asks(spoken)
    of_theirs = question and _OF_THEIRS.search(spoken)
    for clause in _CONTRAST.split(spoken):
        if finds("excuse", clause, "declined"):
            continue
        if not of_theirs:
            yield from (("price", said) for amount, said in amounts_in(clause) if not known.has_amount(amount))
            yield from (("price", said) for amount, said in bare_amounts_in(clause) if not known.has_figure(amount))
        yield from (("visit", said) for said in finds("slot", clause))
        if not question:
            yield from _promises(clause, topics_of(clause) or topics_of(whole), known)


def _promises(clause: str, topics: set[str], known: KnownFacts) -> Iterator[tuple[str, str]]:
    """Discounts, gifts, visits and deadlines."""
    wished = bool(finds("excuse", clause, "of_the_customer"))
    for said in [] if wished and finds("noted", clause) else finds("discount", clause):
        if not known.has_reduction(topics, FIGURE.findall(said)):
            yield "discount", said
    for said in finds("free", clause):
        before, _, after = clause.partition(said)
        given = known.gives_free(topics_of(before) or topics_of(after)) or known.gives_free(topics_of(after))
        given = given or (not topics_of(before) and known.gives_free(known.subjects))  # "ela é gratuita"
        if not DENIED.search(before) and not given:
            yield "discount", said
    if wished:
        return
    if not finds("excuse", clause, "condition"):
        yield from (("visit", said) for said in finds("visit", clause))
        yield from (("visit", said) for said in finds("arrival", clause) if not known.has_times(topics, clause))
    topics = topics | known.subjects
    if finds("delivery", clause, "delivery"):
        yield from _deadlines(clause, topics, known)
    elif finds("delivery", clause, "within"):  # said of nothing, a time may be the one that the customer named
        yield from ((kind, said) for kind, said in _deadlines(clause, topics, known) if not known.has_said(said))


def _deadlines(clause: str, topics: set[str], known: KnownFacts) -> Iterator[tuple[str, str]]:
    span, when = read_table("invention").rows["span"]
    for found in span.pattern.finditer(clause):
        if not known.has_span(topics, found["number"], found["unit"]):
            yield "deadline", found[0]
    for found in when.pattern.finditer(clause):
        of_the_day = found[0].split()[-1]
        if not known.has_words(topics, found[0]) and not (of_the_day[0].isdigit() and known.has_said(of_the_day)):
            yield "deadline", found[0]


def _contacts(spoken: str, known: KnownFacts) -> Iterator[tuple[str, str]]:
    """E-mails, links and phones that nobody gave; what is noted down is the customer's own."""
    noted = finds("noted", spoken)
    emails = finds("email", spoken)
    for email in emails:
        spoken = spoken.replace(email, " ")
        if not noted and not known.has_written(email):
            yield "email", email
    for found in finds("link", spoken):
        link = re.sub(r"\A(?:https?://)?(?:www\.)?", "", found).rstrip("/.,;:!?)")
        spoken = spoken.replace(found, " ")
        if not known.has_stated(link) and not finds("excuse", spoken, "declined"):
            yield "link", link
    for phone in finds("phone", spoken):
        if not noted and not known.has_phone(phone):
            yield "phone", phone
