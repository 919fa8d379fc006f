"""The format repair, as `prompts/reparo.md` orders it: the same reply in the right format, or INVALID_FORMAT."""

from __future__ import annotations

import json
import re

INVALID = "INVALID_FORMAT"
_OBJECT_WITH_S = re.compile(r"\{[^{}]*?[\"'“”]?s[\"'“”]?\s*:")
_KEY_S = re.compile(r"[{,]\s*[\"'“”]?s[\"'“”]?\s*:")
_LITERALS = {"True": "true", "False": "false", "None": "null"}


def repaired(reply: str) -> str:
    """Wrapping taken away and the JSON made valid; nothing else changed."""
    starts = [found.start() for found in _OBJECT_WITH_S.finditer(reply)]
    if (
        reply.lstrip().startswith("[")
        or len(starts) != 1
        or starts[0] != reply.find("{")
        or len(_KEY_S.findall(reply)) > 1
    ):
        return INVALID
    text = reply[starts[0] :]
    end = _closing(text)
    head, message = (text[:end], text[end:]) if end else _unclosed(text)
    content = _object(head)
    if content is None or isinstance(content.get("s"), bool) or not re.fullmatch(r"\d+", str(content.get("s"))):
        return INVALID
    content["s"] = int(str(content["s"]))
    message = re.sub(r"\s*```\s*$", "", re.sub(r"^\s*```\w*\s*", "", message)).strip()
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + message


def _closing(text: str) -> int:
    """Where the object ends, 0 when it does not."""
    depth, quoted, escaped = 0, False, False
    for place, character in enumerate(text):
        if escaped or character == "\\":
            escaped = not escaped
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return place + 1
    return 0


def _unclosed(text: str) -> tuple[str, str]:
    """A brace that is missing right before the message: after the last value, on the same line."""
    found = re.match(r"(\{.*?[\d\]\"])\s*(?=[^\s,:\]}\"\d])", text)
    return (f"{found[1]}}}", text[found.end() :]) if found else (text, "")


def _object(text: str) -> dict[str, object] | None:
    attempts = (
        text,
        re.sub(r",\s*(?=[}\]])", "", text),
        re.sub(r",\s*(?=[}\]])", "", _unquoted_literals(text.replace("'", '"').replace("“", '"').replace("”", '"'))),
    )
    for attempt in attempts:
        try:
            content = json.loads(attempt, parse_constant=_no_number)
        except (ValueError, RecursionError):
            continue
        if isinstance(content, dict):
            return content
    return None


def _no_number(name: str) -> None:
    raise ValueError(name)


def _unquoted_literals(text: str) -> str:
    text = re.sub(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)", r'\1"\2"\3', text)
    return re.sub(r"(?<=[:\[,\s])(True|False|None)(?=\s*[,}\]])", lambda found: _LITERALS[found[1]], text)
