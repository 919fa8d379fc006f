"""Whether a repaired reply says what the broken one said: the object read tolerantly, the message word by word."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

from core.application.parser import ParsedLLMResponse, depth_of
from core.application.reply.reading.halves import is_torn
from core.application.reply.reading.reasoning import CONTROL_TOKEN, closed_blocks, lone_close, without_reasoning
from core.application.reply.reading.wrapping import INVISIBLE
from core.application.reply.tolerant_reading import reply_ends
from core.domain.actions import SILENT_CODES
from core.domain.text import clean_text

OTHER_S = re.compile(r"""\{\s*s\s*[:=]|["'“”‘’]s\\?["'“”‘’]\s*[:=]""")
"""An `s` that is named as a key: where two are read, nobody knows which was meant."""

_A_KEY = r"""["'“”‘’]?\w+["'“”‘’]?\s*:"""
OTHER_FIELDS = re.compile(rf"""\{{\s*{_A_KEY}|["'“”]\s*:\s*\[?\s*\Z""")
"""Fields before an object: of another one, or of one around it."""

_MAX_DEPTH = 64
_ESCAPED = re.compile(r"\\([nrt\"'\\/])")
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}
_BREAK = re.compile(r"\\[nrt]")
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})")
# Possessive: text made of nothing but marks could otherwise be read in more ways than there is time for.
_WRAPPING = re.compile(
    rf"(?>(?:`{{3,}}|~{{3,}})\w*|</?[A-Za-z][^<>]{{0,40}}>|{CONTROL_TOKEN.pattern}|\*{{0,2}}mensagem:\*{{0,2}}"
    rf"|[\s{INVISIBLE}`~*_|\"'“”‘’«»()\[\]{{}}<>,;:=])*+",
    re.IGNORECASE,
)


def is_faithful(original: str, repaired: ParsedLLMResponse) -> bool:
    """Whether `original` can be read as `repaired`: same keys and values, one `s`, the whole message and no more."""
    if depth_of(repaired.json_part) > _MAX_DEPTH:
        return False
    return any(
        _is_whole_message(text[:start], text[end:], repaired)
        for text in _decodings(clean_text(original))
        for start, end in _readings(text, repaired)
    )


def _decodings(original: str) -> Iterator[str]:
    """The text as it stands, and as it was before something encoded it once more."""
    yield original
    if "&" in original:
        yield html.unescape(original)
    if '\\"' in original:
        yield _ESCAPED.sub(lambda escape: _PLAIN.get(escape[1], escape[1]), original)


def _readings(text: str, repaired: ParsedLLMResponse) -> Iterator[tuple[int, int]]:
    """Spans that read as the repaired object, outside reasoning, with no other `s` around them."""
    reasoning = [(0, lone_close(text)), *closed_blocks(text)]
    for brace in re.finditer(r"\{", text):
        start = brace.start()
        if any(begins <= start < ends for begins, ends in reasoning):
            continue
        for end in reply_ends(text, start, repaired.json_part):
            before = _without(text[:start], [span for span in reasoning if span[1] <= start])
            after = _without(text[end:], [(b - end, e - end) for b, e in reasoning if b >= end])
            # Fields before it, of another object or of one around it, would be lost; a second `s` makes both doubtful.
            if not OTHER_FIELDS.search(before) and not OTHER_S.search(f"{before} {after}"):
                yield start, end


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for begins, ends in sorted(spans, reverse=True):
        text = f"{text[:begins]} {text[ends:]}"
    return text


def _is_whole_message(before: str, after: str, repaired: ParsedLLMResponse) -> bool:
    """Whether the message is all that follows the object; or, when nothing does, all that was said before it."""
    said = _normal(repaired.message)
    if not said and repaired.s in SILENT_CODES:
        return True
    sources = [after, without_reasoning(after)]
    if _WRAPPING.fullmatch(_normal(after)):
        sources += [before[lone_close(before) :], without_reasoning(before)]
    return any(_is_all_of(said, _normal(source)) for source in sources)


def _is_all_of(said: str, source: str) -> bool:
    """Whether `said` is all of the source but wrapping."""
    at = source.find(said)
    if at < 0:
        return False
    before, after = source[:at], source[at + len(said) :]
    return bool(_WRAPPING.fullmatch(before) and _WRAPPING.fullmatch(after)) and not is_torn(before, said, after)


def _normal(text: str) -> str:
    """White space aside: runs of it are one space, whether written as it is or escaped."""
    text = _BREAK.sub(" ", text)
    text = clean_text(_CODE_POINT.sub(lambda escape: chr(int(escape[1], 16)), text))
    text = re.sub(rf"[{INVISIBLE}]", "", text.replace('\\"', '"'))
    return " ".join(unicodedata.normalize("NFC", text).split())
