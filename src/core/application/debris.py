"""What a broken wrapping leaves around a message: at its start, at its end, or as marks that are never text."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.application.edges import without_at_edges
from core.application.reasoning import CONTROL_TOKEN, REASONING_CLOSE, without_reasoning

_TURN_HEADER = re.compile(
    r"^\s*(?:<\|(?:im_start|start|start_header_id)\|>\s*\w*|<\|channel\|>\s*\w*|<start_of_turn>\s*(?:model\b)?)\s*"
)
_CITATION = re.compile(r" ?【[^【】]{0,60}†[^【】]{0,60}】|\ue200[^\ue200\ue201]*\ue201")
_BROKEN_LINK = re.compile(r"^\]\([^()\s]*\)\s*")
_PUNCTUATION = re.compile(r"^(?:[}\],]|;(?![-'^]?[)(DPp*])|:(?=\s+\w))[\s}\],;]*")
_LABEL = re.compile(
    r"^(?:[*_#\s]*(?:mensagem|message|(?:mensagem|resposta|texto) (?:ao|à|para [oa]|pr[oa]|d[oa]) cliente|assistant)"
    r"(?:[*_]*\s*:[*_]*\s*|[*_]*[ \t]*\r?\n\s*))+",
    re.IGNORECASE,
)
_RULE = re.compile(r"^(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*(?:\r?\n\s*|$)")
_LANGUAGE = r"(?:json|text|txt|plaintext|markdown|md|html|xml|python|bash)"
_FENCE = re.compile(
    rf"```+(?:{_LANGUAGE}(?=\s))?[ \t]*\n?|^~~~+(?:{_LANGUAGE})?[ \t]*$\n?", re.MULTILINE | re.IGNORECASE
)
_REPLY_TAG = (
    r"mensagem|message|resposta|response|answer|output|reply|texto|text|final|final_answer|json|assistant|result"
)
_WRAPPED = re.compile(rf"^\s*<(?P<tag>{_REPLY_TAG})>(?P<text>.*?)</(?P=tag)>\s*$", re.IGNORECASE | re.DOTALL)
_OPENING_TAG = re.compile(rf"^\s*<(?P<tag>{_REPLY_TAG})>\s*", re.IGNORECASE)
_CLOSING_TAGS_FIRST = re.compile(r"^(?:\s*</[A-Za-z][\w.:-]*>)+\s*")
_CLOSING_TAG_LAST = re.compile(r"</(?P<tag>[A-Za-z][\w.:-]*)>\s*$")
_DRIVE = re.compile(r"\b[A-Za-z]:\\|\\\\\w")
_ESCAPED_BREAK = re.compile(r"(?:\\r)?\\n")
_NOTHING = re.compile(r"\s*(?:null|None|undefined|NaN)\s*")
_PASSES_MAX = 12
ENDLESS = "endless_debris"
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "`": "`"}


def strip_debris(text: str) -> tuple[str, list[str]]:
    """The text without debris, and the names of what was there; stripped until nothing more comes off.

    Of a text that is debris under debris without end, nobody knows what it was to say: `ENDLESS` is found in it.
    """
    findings: list[str] = []
    for _ in range(_PASSES_MAX):
        before = text
        for name, strip in _RULES:
            stripped = strip(text)
            if stripped != text:
                findings.append(name)
                text = stripped
        if text == before:
            break
    else:
        findings.append(ENDLESS)
    return text, list(dict.fromkeys(findings))


def _quote_pair(text: str) -> str:
    """`"Olá?"` whole, or a quote at the start that never closes. `"Sim" ou "não"` are two pairs and stay."""
    body = text.strip()
    closing = _QUOTES.get(body[:1])
    if closing is None or len(body) < 2:
        return text
    inside = body[1:-1]
    if body.endswith(closing) and closing not in inside and body[0] not in inside:
        return inside.strip()
    lonely = body[0] == '"' and body.count('"') == 1
    return body[1:].lstrip() if lonely else text


def _unpaired_fence(text: str) -> str:
    fences = list(_FENCE.finditer(text))
    if len(fences) % 2 == 0:
        return text
    at_start, at_end = not text[: fences[0].start()].strip(), not text[fences[-1].end() :].strip()
    odd = fences[0] if at_start and not at_end else fences[-1]
    before, after = text[: odd.start()], text[odd.end() :]
    if not before.strip():
        return after.lstrip()
    return before + after if after.strip() else before.rstrip()


def _tags(text: str) -> str:
    """Without the tags of an envelope: around everything, or one half of them."""
    if wrapped := _WRAPPED.match(text):
        return wrapped["text"].strip()
    if (opening := _OPENING_TAG.match(text)) and f"</{opening['tag']}" not in text:
        return text[opening.end() :]
    text = _CLOSING_TAGS_FIRST.sub("", text)
    while (last := _CLOSING_TAG_LAST.search(text)) and not re.search(rf"<{re.escape(last['tag'])}\b", text):
        text = text[: last.start()].rstrip()
    return text


def _lone_brace(text: str) -> str:
    """A brace at the start that nothing closes; `{As, Cd} são metais` keeps its own."""
    return text.lstrip("{ \n") if text.startswith("{") and "}" not in text else text


def _escaped_breaks(text: str) -> str:
    return text if _DRIVE.search(text) else _ESCAPED_BREAK.sub("\n", text)


_RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("reasoning", lambda text: text if without_reasoning(text) == text else without_reasoning(text).strip()),
    ("reasoning_close", lambda text: without_at_edges(REASONING_CLOSE, text)),
    ("control_token", lambda text: _TURN_HEADER.sub("", text)),
    ("control_token", lambda text: without_at_edges(CONTROL_TOKEN, text)),
    ("citation_marker", lambda text: _CITATION.sub("", text)),
    ("broken_link", lambda text: _BROKEN_LINK.sub("", text)),
    ("leading_punctuation", lambda text: _PUNCTUATION.sub("", text)),
    ("lone_brace", _lone_brace),
    ("envelope_tag", _tags),
    ("unpaired_fence", _unpaired_fence),
    ("quote_pair", _quote_pair),
    ("label", lambda text: _LABEL.sub("", text)),
    ("rule", lambda text: _RULE.sub("", text)),
    ("escaped_break", _escaped_breaks),
    ("no_text", lambda text: "" if _NOTHING.fullmatch(text) else text),
)
