"""The format repair, as `prompts/reparo.md` orders it: the same reply in the right format, or INVALID_FORMAT."""

from __future__ import annotations

import json
import re

INVALID = "INVALID_FORMAT"
_OBJECT_WITH_S = re.compile(r"\{[^{}]*?[\"'“”]?s[\"'“”]?\s*:")
_KEY_S = re.compile(r"[{,]\s*[\"'“”]?s[\"'“”]?\s*:")
_FENCE = re.compile(r"\A\s*```\w*\s*|\s*```\s*\Z")
_NEXT_BRACE = re.compile(r"\}")
# A brace that is missing right before the message: after the last value, on the same line.
_UNCLOSED = re.compile(r"(\{.*?[\d\]\"])\s*(?=[^\s,:\]}\"\d])")


def repaired(reply: str) -> str:
    """Wrapping taken away and the JSON made valid; nothing else changed."""
    start = reply.find("{")
    whole = [found.start() for found in _OBJECT_WITH_S.finditer(reply)] == [start] and len(_KEY_S.findall(reply)) == 1
    if not whole or reply.lstrip().startswith("["):
        return INVALID
    text = reply[start:]
    splits = [(text[: end.end()], text[end.end() :]) for end in _NEXT_BRACE.finditer(text)]
    if unclosed := _UNCLOSED.match(text):
        splits.append((f"{unclosed[1]}}}", text[unclosed.end() :]))
    for head, message in splits:
        content = _object(head)
        if content is not None and re.fullmatch(r"\d+", str(content.get("s"))):
            content["s"] = int(str(content["s"]))
            said = _FENCE.sub("", message).strip()
            return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + said
    return INVALID


def _object(text: str) -> dict[str, object] | None:
    """As it stands; without commas too many; with the quotes and literals of JSON."""
    closed = re.sub(r",\s*(?=[}\]])", "", text)
    quoted = re.sub(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)", r'\1"\2"\3', re.sub("['“”]", '"', closed))
    for python, literal in (("True", "true"), ("False", "false"), ("None", "null")):
        quoted = re.sub(rf"(?<=[:\[,\s]){python}(?=\s*[,}}\]])", literal, quoted)
    for attempt in (text, closed, quoted):
        try:
            content = json.loads(attempt, parse_constant=lambda _: 1 / 0)
        except (ValueError, RecursionError, ZeroDivisionError):
            continue
        if isinstance(content, dict):
            return content
    return None
