"""An evaluation as Markdown for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.evaluate import CaseResult, Evaluation


def as_json(evaluations: Sequence[Evaluation], *, strict: bool) -> str:
    """Every case with its scores and its conversation."""
    content = {
        "schema": "balcao.evaluation/1",
        "exit": max(int(each.exit(strict=strict)) for each in evaluations),
        "companies": [_company(each) for each in evaluations],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def as_markdown(evaluations: Sequence[Evaluation]) -> str:
    """What failed first, with the conversation; then how each kind of case did."""
    return "\n".join(line for each in evaluations for line in (*_sections(each), "")).rstrip() + "\n"


def summary_line(evaluation: Evaluation) -> str:
    """One line for a terminal."""
    figures = _figures(evaluation)
    cost = f", US$ {evaluation.cost_usd:.4f} in {evaluation.calls} calls" if evaluation.cost_usd is not None else ""
    return (
        f"{evaluation.company} ({evaluation.model}): {figures['cases']} cases, "
        f"musts {figures['musts_passed']}/{figures['musts']}, "
        f"other expectations {figures['others_passed']}/{figures['others']}, incomplete {figures['incomplete']}{cost}"
    )


def failure_lines(evaluation: Evaluation) -> Iterator[str]:
    """Each failed expectation and each incomplete case, the musts first."""
    failed = [(each, one) for each in evaluation.results for one in each.failed]
    for each, one in sorted(failed, key=lambda pair: not pair[1].is_must):
        what = "FAILED" if one.is_must else "missed"
        yield f"{what} {each.played.case.id} ({each.played.case.about}): {one.name}: wanted {one.wanted}, got {one.got}"
    for each in evaluation.results:
        if each.played.incomplete:
            yield f"INCOMPLETE {each.played.case.id}: {each.played.incomplete}"
    for name in evaluation.spare_answers:
        yield f"INCOMPLETE {name}: an answer is committed, and there is no such case"


def _figures(evaluation: Evaluation) -> dict[str, int]:
    scores = [one for each in evaluation.results for one in each.scores]
    musts = [one for one in scores if one.is_must]
    return {
        "cases": len(evaluation.results),
        "incomplete": sum(bool(each.played.incomplete) for each in evaluation.results),
        "musts": len(musts),
        "musts_passed": sum(one.passed for one in musts),
        "others": len(scores) - len(musts),
        "others_passed": sum(one.passed for one in scores if not one.is_must),
    }


def _sections(evaluation: Evaluation) -> Iterator[str]:
    yield f"# Evaluation of {evaluation.company}"
    yield ""
    yield summary_line(evaluation)
    lines = list(failure_lines(evaluation))
    yield ""
    yield from (f"- {line}" for line in lines) if lines else ["Every expectation holds."]
    yield ""
    yield "| about | cases | musts | other expectations | incomplete |"
    yield "|---|---|---|---|---|"
    for about in dict.fromkeys(each.played.case.about for each in evaluation.results):
        own = tuple(each for each in evaluation.results if each.played.case.about == about)
        figures = _figures(Evaluation(company=evaluation.company, model=evaluation.model, results=own))
        yield (
            f"| {about} | {figures['cases']} | {figures['musts_passed']}/{figures['musts']} "
            f"| {figures['others_passed']}/{figures['others']} | {figures['incomplete']} |"
        )
    for each in evaluation.results:
        if each.failed:
            yield ""
            yield from _conversation(each)


def _conversation(result: CaseResult) -> Iterator[str]:
    yield f"## {result.played.case.id}"
    for turn in result.played.turns:
        yield ""
        yield from (f"> {line}" for line in turn.line.splitlines())
        codes = ", ".join(map(str, turn.record.codes)) or "none"
        yield ""
        yield f"{turn.text or '(nothing)'}"
        yield ""
        yield f"codes {codes}; stage {turn.record.stage_after}; handoff {turn.record.handoff_reason or 'none'}"


def _company(evaluation: Evaluation) -> Mapping[str, Any]:
    return {
        "company": evaluation.company,
        "model": evaluation.model,
        "calls": evaluation.calls,
        "cost_usd": None if evaluation.cost_usd is None else str(evaluation.cost_usd),
        "figures": _figures(evaluation),
        "spare_answers": evaluation.spare_answers,
        "cases": [_case(each) for each in evaluation.results],
    }


def _case(result: CaseResult) -> Mapping[str, Any]:
    return {
        "id": result.played.case.id,
        "about": result.played.case.about,
        "fingerprint": result.played.case.fingerprint,
        "incomplete": result.played.incomplete,
        "scores": [
            {"name": one.name, "must": one.is_must, "passed": one.passed, "wanted": one.wanted, "got": one.got}
            for one in result.scores
        ],
        "turns": [
            {
                "customer": turn.line,
                "text": turn.text,
                "kind": turn.record.reply.kind.value if turn.record.reply else None,
                "codes": turn.record.codes,
                "stage": turn.record.stage_after,
                "handoff": turn.record.handoff_reason,
                "packages": turn.record.packages,
                "raw_replies": raws,
            }
            for turn, raws in zip(result.played.turns, result.played.raw_replies, strict=True)
        ],
    }
