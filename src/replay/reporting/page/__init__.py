"""The report as one HTML file: readable without script, without a server, and reaching nobody."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from replay.reporting.page.charts import histogram
from replay.reporting.summary import Exit, Result, Summary

MOST_BYTES = 5_000_000
_HERE = Path(__file__).parent
_ROOM_FOR_FRAME = 300_000
_VERDICTS = {
    "same": "iguais", "text": "só o texto mudou", "accepted": "mudança aceita", "changed": "mudaram",
    "incomplete": "incompletas", "error": "não puderam ser rodadas",
}  # fmt: skip
_ASPECTS = {
    "code": "código", "stage": "etapa", "fields": "dados", "guard": "guarda", "handoff": "passagem a pessoas",
    "packages": "pacotes", "checks": "conferências", "effects": "efeitos", "calls": "chamadas",
}  # fmt: skip
_HEADLINES = {
    Exit.CLEAN: "Nada piorou.",
    Exit.REGRESSION: "Há mudanças que ninguém aceitou.",
    Exit.INCONCLUSIVE: "Não dá para concluir: faltam sessões, ou uma --baseline que mostre o que muda por si.",
    Exit.INCOMPLETE: "Há sessões que não puderam ser julgadas.",
}


def write_page(path: Path, summary: Summary) -> None:
    """At most 5 MB: the sessions that do not fit are counted, not shown."""
    sessions = _fitting([_shown(each) for each in summary.changed])
    style, script = ((_HERE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    left_out = summary.left_out + len(summary.changed) - len(sessions)
    page = (
        _environment()
        .get_template("page.html.j2")
        .render(
            summary=summary,
            sessions=sessions,
            left_out=left_out,
            verdicts=_VERDICTS,
            aspects=_ASPECTS,
            headline=_headline(summary),
            cost_chart=Markup(histogram(summary.figures.costs, unit="US$")),  # noqa: S704 -- made of numbers alone
            latency_chart=Markup(  # noqa: S704 -- the same
                histogram([(b / 1000, a / 1000) for b, a in summary.figures.latencies], unit="s")
            ),
            style=Markup(style),  # noqa: S704 -- a file of ours
            script=Markup(script),  # noqa: S704 -- a file of ours
            data=Markup(_data(sessions)),  # noqa: S704 -- escaped for a script element
            policy=_policy(style, script),
        )
    )
    path.write_text(page, "utf-8")


def _headline(summary: Summary) -> str:
    if summary.test is not None and summary.test.is_worse:
        return "Piorou, e não por acaso."
    return _HEADLINES[summary.exit]


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _policy(style: str, script: str) -> str:
    """Nothing is loaded and nothing runs but what stands in the file, known by its hash."""
    hashes = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in (style, script)]
    return f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; base-uri 'none'"


def _data(sessions: Sequence[Mapping[str, Any]]) -> str:
    """What the filters read; `<` never ends the element that holds it."""
    rows = [{name: each[name] for name in ("id", "verdict", "aspects")} for each in sessions]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _shown(result: Result) -> Mapping[str, Any]:
    """A session's turns that changed; of the others nothing."""
    turns = [turn for turn in result["turns"] if "differences" in turn]
    return {
        "id": result["id"],
        "verdict": result["verdict"],
        "broken": result["broken"],
        "incomplete": result["incomplete"],
        "first": result["first"],
        "stopped_at": result["stopped_at"],
        "aspects": sorted({each["aspect"] for turn in turns for each in turn["differences"]}),
        "turns": turns,
        "unchanged": len(result["turns"]) - len(turns),
    }


def _fitting(sessions: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """As many as the page has room for; markup and escapes take their share."""
    room, kept = MOST_BYTES - _ROOM_FOR_FRAME, list[Mapping[str, Any]]()
    for session in sessions:
        room -= 2 * len(json.dumps(session, ensure_ascii=True)) + 2_000
        if room < 0:
            break
        kept.append(session)
    return kept
