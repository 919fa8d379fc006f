"""Answers out of a package's own sentences: those that share most with the question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .words import fold, stems

# Sentences that speak to the assistant, not to the customer.
_INSTRUCTS = re.compile(
    r"(?<!\w)(?:anote|prometa|confirme|afirme|garanta|comente|nao e consult|nenhum valor|equipe fecha)"
)
_RELATED = {
    **dict.fromkeys(("onde", "fica", "chego", "ender"), "endereco"),
    **dict.fromkeys(("horas", "horar", "abre", "fecha", "sabad", "domin"), "atendimento"),
    **dict.fromkeys(("telef", "email", "site"), "contato"),
    **dict.fromkeys(("acred", "inmet", "17025"), "qualidade"),
    **dict.fromkeys(("custa", "preco", "valor", "cobra"), "orcamento gratuito"),
    **dict.fromkeys(("parce", "pix", "carta", "bolet", "paga"), "pagamento"),
    **dict.fromkeys(("valid", "vale"), "orcamento vale"),
    **dict.fromkeys(("entre", "levar", "receb", "deixa"), "recebimento"),
    **dict.fromkeys(("poco", "torne"), "agua"),
    **dict.fromkeys(("balan", "termo"), "calibracao"),
    "barat": "desconto",
    "urgen": "urgencia",
    "terra": "solo",
    "queij": "alimento",
}
_SAYS_NOTHING = frozenset({"anali", "amost", "tempo", "demor", "quero", "preci", "fazer", "calib"})
_ANSWER_MAX_CHARS = 230


def answer_from(packages: Sequence[str], question: str, *, about: str = "") -> str:
    """What the best paragraph of each package says, in order. `about` are words of what the conversation is on."""
    wanted = _expanded(question)
    context = stems(about)
    return " ".join(text for package in packages if (text := _best(package, wanted, context)))


def _expanded(question: str) -> set[str]:
    asked = stems(question) - _SAYS_NOTHING
    return asked | {stem for word in asked if word in _RELATED for stem in stems(_RELATED[word])}


def _best(package: str, wanted: set[str], context: set[str]) -> str:
    paragraphs = [sentences for sentences in _paragraphs(package) if sentences]
    if not paragraphs:
        return ""
    best = max(paragraphs, key=lambda sentences: _score(" ".join(sentences), wanted, context))
    told = best[0]
    for sentence in best[1:]:
        if len(told) + len(sentence) < _ANSWER_MAX_CHARS:
            told = f"{told} {sentence}"
    return told


def _score(paragraph: str, wanted: set[str], context: set[str]) -> int:
    words, head = stems(paragraph), stems(" ".join(paragraph.split()[:3]))
    return 2 * len(words & wanted) + 4 * len(head & wanted) + 2 * len(words & context) + 2 * len(head & context)


def _paragraphs(package: str) -> Iterator[list[str]]:
    """The sentences of each bullet; those that instruct the assistant are left out."""
    for line in package.splitlines():
        if line.startswith("- "):
            sentences = re.split(r"(?<=[a-z0-9)])\.\s+", line.removeprefix("- ").rstrip(". "))
            yield [f"{sentence}." for sentence in sentences if not _INSTRUCTS.search(fold(sentence))]
