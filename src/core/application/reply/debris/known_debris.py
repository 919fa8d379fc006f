"""What a broken wrapping leaves around a message: at its start, at its end, or as marks that are never text."""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from core.application.reply.debris.debris_at_end import without_debris_at_end
from core.application.reply.debris.inner_words import (
    without_channel,
    without_code,
    without_comments,
    without_field_lines,
    without_prompt_tag,
)
from core.application.reply.reading.edges import without_at_edges
from core.application.reply.reading.reasoning import CONTROL_TOKEN, REASONING_CLOSE, without_reasoning

_TURN_HEADER = re.compile(
    r"^\s*(?:<\|(?:im_start|start|start_header_id)\|>\s*\w*|<\|channel\|>\s*\w*|<start_of_turn>\s*(?:model\b)?)\s*"
)
_CITATION = re.compile(r" ?【[^【】]{0,60}†[^【】]{0,60}】|\ue200[^\ue200\ue201]*\ue201")
_BROKEN_LINK = re.compile(r"^\]\([^()\s]*\)\s*")
_PUNCTUATION = re.compile(r"^(?:[}\],]|;(?![-'^]?[)(DPp*])|:(?=\s+\w))[\s}\],;]*")
_LABEL = re.compile(
    r"^(?:[*_#\s]*(?:mensagem|message|(?:mensagem|resposta|texto) (?:ao|à|para [oa]|pr[oa]|d[oa]) cliente|assistant"
    r"|(?:mensagem|message|resposta|texto)_\w+)"
    r"(?:[*_]*\s*:[*_]*\s*|[*_]*[ \t]*\r?\n\s*))+"
    r"""|^\s*["'“`](?:mensagem|message|resposta|response|answer|reply|texto|text|content|output|assistant)(?:_\w+)?"""
    r"""["'”`]\s*[:=]\s*""",
    re.IGNORECASE,
)
_RULE = re.compile(r"^(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*(?:\r?\n\s*|$)")
_LANGUAGE = r"(?:json|text|txt|plaintext|markdown|md|html|xml|python|bash)"
_FENCE = re.compile(
    rf"```+(?:{_LANGUAGE}(?=\s|\Z))?[ \t]*\n?|^~~~+(?:{_LANGUAGE})?[ \t]*$\n?", re.MULTILINE | re.IGNORECASE
)
_REPLY_TAG = (
    r"mensagem|message|resposta|response|answer|output|reply|texto|text|final|final_answer|json|assistant|result"
)
_WRAPPED = re.compile(rf"^\s*<(?P<tag>{_REPLY_TAG})>(?P<text>.*?)</(?P=tag)>\s*$", re.IGNORECASE | re.DOTALL)
_OPENING_TAG = re.compile(rf"^\s*<(?P<tag>{_REPLY_TAG})>\s*", re.IGNORECASE)
_CLOSING_TAGS_FIRST = re.compile(r"^(?:\s*</[A-Za-z][\w.:-]*>)+\s*")
_CLOSING_TAG = re.compile(r"</(?P<tag>[A-Za-z][\w.:-]*)>")
_OPENED = re.compile(r"<([A-Za-z][\w.:-]*)")
_DRIVE = re.compile(r"\b[A-Za-z]:\\|\\\\\w")
_ESCAPED_BREAK = re.compile(r"(?:\\r)?\\n")
_CODE_POINTS = re.compile(r"(?:\\+u[0-9a-fA-F]{4})+")
_EMPTY_OBJECT = re.compile(r"^\s*\{[\s{\[]*[}\]][\s}\],;]*")
_EMPTY_LIST = re.compile(r"^\s*\[\][\s}\],;]*")
_BOX = re.compile(r"\[\s?\]")
_SENTENCE = re.compile(r"^\s*<s>(?P<text>.*?)(?:</s>\s*)?$", re.DOTALL)
_NOTHING = re.compile(r"\s*(?:null|None|undefined|NaN)\s*")
_PASSES_MAX = 12
ENDLESS = "endless_debris"
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "`": "`"}


def strip_debris(text: str, names: Container[str] = ()) -> tuple[str, list[str]]:
    """The text without debris, and the names of what was there; stripped until nothing more comes off.

    `names` are the catalogue's fields.

    Of a text that is debris under debris without end, nobody knows what it was to say: `ENDLESS` is found in it.
    """
    findings: list[str] = []
    for _ in range(_PASSES_MAX):
        before = text
        for name, strip in (*_RULES, ("field_label", lambda said: without_field_lines(said, names))):
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
    opened, end = set(_OPENED.findall(text)), len(text)
    for last in reversed(list(_CLOSING_TAG.finditer(text))):
        if text[last.end() : end].strip() or last["tag"] in opened:
            break
        end = last.start()
    return text if end == len(text) else text[:end].rstrip()


def _lone_brace(text: str) -> str:
    """A brace at the start that nothing closes; `{As, Cd} são metais` keeps its own."""
    return text.lstrip("{ \n") if text.startswith("{") and "}" not in text else text


def _empty_value(text: str) -> str:
    """`{}Olá`. Of empty brackets, two are boxes to tick."""
    if len(_BOX.findall(text)) == 1:
        text = _EMPTY_LIST.sub("", text)
    return _EMPTY_OBJECT.sub("", text)


def _sentence_token(text: str) -> str:
    """`<s>` before the text, closed after it or never. Closed earlier, it strikes words out."""
    said = _SENTENCE.match(text)
    return text if said is None or "<s>" in said["text"] or "</s>" in said["text"] else said["text"].strip()


def _escapes(text: str) -> str:
    text = _CODE_POINTS.sub(_characters, text)
    return text if _DRIVE.search(text) else _ESCAPED_BREAK.sub("\n", text).replace('\\"', '"')


def _characters(escapes: re.Match[str]) -> str:
    """The characters that were escaped; as it is where half of one is missing, or where none would be seen."""
    units = [int(unit, 16) for unit in re.findall(r"u([0-9a-fA-F]{4})", escapes[0])]
    text = b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be", "replace")
    return escapes[0] if "\ufffd" in text or any(c < " " and c != "\n" for c in text) else text


_RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("reasoning", lambda text: text if without_reasoning(text) == text else without_reasoning(text).strip()),
    ("reasoning_close", lambda text: without_at_edges(REASONING_CLOSE, text)),
    ("control_token", _sentence_token),
    ("control_token", lambda text: _TURN_HEADER.sub("", text)),
    ("control_token", lambda text: without_at_edges(CONTROL_TOKEN, text)),
    ("citation_marker", lambda text: _CITATION.sub("", text)),
    ("broken_link", lambda text: _BROKEN_LINK.sub("", text)),
    ("leading_punctuation", lambda text: _PUNCTUATION.sub("", text)),
    ("leading_punctuation", _empty_value),
    ("lone_brace", _lone_brace),
    ("envelope_tag", _tags),
    ("unpaired_fence", _unpaired_fence),
    ("quote_pair", _quote_pair),
    ("label", lambda text: _LABEL.sub("", text)),
    ("rule", lambda text: _RULE.sub("", text)),
    ("escaped_break", _escapes),
    ("debris_at_end", without_debris_at_end),
    ("comment", without_comments),
    ("prompt_tag", without_prompt_tag),
    ("code", without_code),
    ("channel_word", without_channel),
    ("no_text", lambda text: "" if _NOTHING.fullmatch(text) else text),
)
