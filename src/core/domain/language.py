"""Which of three languages a text is in, by the small words that only one of them has."""

from __future__ import annotations

from core.domain.text import fold, tokens

PORTUGUESE, ENGLISH, SPANISH = "pt", "en", "es"
_WORDS = {
    PORTUGUESE: "voce voces nao sao uma um com os as seu sua obrigada obrigado do da dos das e em na no qual",
    ENGLISH: "the you your is are and our we what for of to with have will this it thank please",
    SPANISH: "usted ustedes el los las un una y con su sus cual gracias del es son muy nuestro en por",
}


def language_of(text: str) -> str:
    """The one with most of its words there; Portuguese in doubt."""
    spoken = tokens(fold(text))
    counts = {name: sum(word in words.split() for word in spoken) for name, words in _WORDS.items()}
    best = max(counts, key=lambda name: (counts[name], name == PORTUGUESE))
    return best if counts[best] > counts[PORTUGUESE] else PORTUGUESE
