"""Words of the trade that the guard would take for anger, or for a wish to speak to a person."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.catalogue.catalog import Catalog
from core.domain.conversation_guard import ChatMessage, ConversationGuard, GuardInput, GuardPolicy

from .findings import Finding
from .toml_lines import line_of


def check_words(shown: str, text: str, catalog: Catalog) -> Iterator[Finding]:
    """Every name and synonym, said as a customer says it, must reach the agents."""
    policy = GuardPolicy(neutral_words=frozenset(catalog.neutral_words), handoff_available=True)
    lists = [("segments", catalog.segments), ("services", catalog.services)]
    lists += [(f"fields ({spec.id}).values", spec.values) for spec in catalog.fields if spec.values]
    for table, entries in lists:
        for entry in entries:
            for word in (entry.name, *entry.synonyms):
                if (kind := _fires(word, policy)) is not None:
                    yield Finding(
                        path=shown,
                        line=line_of(text, f"{table} ({entry.id})", "synonyms"),
                        what=f"{table} ({entry.id}): {word!r} alone would be answered by the guard as {kind}",
                        mend=f'add "{word}" to neutral_words, or take it out',
                    )
    for word in catalog.neutral_words:
        if len(word) < 3:
            yield Finding(
                path=shown,
                line=line_of(text, "", "neutral_words"),
                what=f"neutral_words: {word!r} is too short to mean anything",
                mend="write whole words of the trade",
            )


def _fires(word: str, policy: GuardPolicy) -> str | None:
    for sentence in (word, f"oi, quero {word.lower()}"):
        said = GuardInput(messages=(ChatMessage(role="user", content=sentence),))
        verdict = ConversationGuard.evaluate(said, policy=policy)
        if verdict.preempt and verdict.kind is not None:
            return verdict.kind.value
    return None
