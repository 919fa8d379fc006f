"""The system's own words in a text: tags of the prompts, names of fields, keys of the contract, channels of a model.

Those of an envelope are taken away; where the customer's text and the system's cannot be told apart, it is unsafe.
"""

from __future__ import annotations

import re
from collections.abc import Container

CONTRACT_KEYS = frozenset(
    {"agent", "service", "segment", "reason", "context_needed", "declined", "extra_requests", "citations", "rationale"}
    | {"kind", "triage_data", "qualification_data", "collection_data"}
)
_DATA_TAG = r"fatos|pacote|cat[aá]logo|mensagens_do_cliente|atendente|nota|exemplo|situa[cç][aã]o"
_WRAPPED = re.compile(
    rf"^\s*<(?P<tag>{_DATA_TAG})\b[^<>]*>(?P<text>.*?)(?:</(?P=tag)\s*>\s*)?$", re.IGNORECASE | re.DOTALL
)
_ANY_TAG = re.compile(rf"</?(?:{_DATA_TAG}|resposta)\b[^<>]*>", re.IGNORECASE)
_NOT_PROSE = re.compile(r"[{}\[\]<>#|\n]|\w\s*:\s|^\s*[-*] ")
# `nota` is only ever said to the model: what stands in it is for nobody to read.
_NEVER_SPOKEN = frozenset({"nota", "exemplo", "situacao", "situação"})

_CODE = re.compile(r"^\s*s\s*[=:]\s*\d{1,3}(?![\w%]|[.,]\d)[\s,;.|:–—-]*")
_FINAL_CHANNEL = re.compile(
    r"^\s*(?:(?:analysis|commentary)(?![a-z]).*?)?assistant\s*final(?![a-zà-ÿ])\s*:?\s*", re.DOTALL
)
_OTHER_CHANNEL = re.compile(r"\s*(?:(?:analysis|commentary)(?=[A-Z])|assistant(?:final|analysis|commentary))")
_FIELD_AT_START = re.compile(r"""\s*(?:[*-]\s+)?["'“`*]*(?P<name>[a-z]\w{0,60})["'”`*]*\s*[:=](?P<rest>[^\n]*)""")
_FIELD_IN_SNAKE_CASE = re.compile(r"""(?<!\w)(?P<name>[a-z][a-z0-9]*(?:_[a-z0-9]+)+)["'”`*]*\s*[:=]""")


def without_comments(text: str) -> str:
    """Without `<!-- … -->`, unless that is all there is."""
    kept, start = [], 0
    while (begins := text.find("<!--", start)) >= 0 and (ends := text.find("-->", begins)) >= 0:
        kept.append(text[start:begins])
        start = ends + 3
    rest = "".join([*kept, text[start:]]).strip()
    rest = rest.removeprefix("-->").lstrip()
    return rest if rest and (kept or rest != text.strip()) else text


def without_prompt_tag(text: str) -> str:
    """Without a tag of the prompts around one plain sentence or more; a whole block of data keeps it."""
    wrapped = _WRAPPED.match(text)
    if wrapped is None or wrapped["tag"].lower() in _NEVER_SPOKEN or _NOT_PROSE.search(wrapped["text"].strip()):
        return text
    return wrapped["text"].strip()


def without_code(text: str) -> str:
    """Without `s=1`, the code said in words."""
    return _CODE.sub("", text)


def without_channel(text: str) -> str:
    """`assistantfinal Olá`: what is left of a model's channels when their tokens were lost. The last is the text's."""
    return _FINAL_CHANNEL.sub("", text)


def without_field_lines(text: str, names: Container[str]) -> str:
    """Without lines before the text that only say a field: `quantidade: 3`."""
    start = 0
    while (line := _FIELD_AT_START.match(text, start)) and _is_inner(line["name"], names) and line["rest"].strip():
        start = line.end()
    rest = text[start:].strip()
    return rest if start and rest and text[start] == "\n" else text


def inner_word(text: str, names: Container[str]) -> str | None:
    """What of the system's own words is left, by the name of its finding."""
    if _ANY_TAG.search(text) or "<!--" in text:
        return "prompt_tag"
    if _OTHER_CHANNEL.match(text):
        return "channel_word"
    at_start = _FIELD_AT_START.match(text)
    if at_start and _is_inner(at_start["name"], names):
        return "field_label"
    if any(found["name"] in names or found["name"] in CONTRACT_KEYS for found in _FIELD_IN_SNAKE_CASE.finditer(text)):
        return "field_label"
    return None


def _is_inner(name: str, names: Container[str]) -> bool:
    """Whether nobody but the system writes this name: `prazo` and `nome` are words."""
    return name in CONTRACT_KEYS or ("_" in name and name in names)
