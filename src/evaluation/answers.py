"""Committed answers: what a model wrote for each line of a case, as it wrote it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.case_file import CaseFileError, json_lines
from evaluation.cases import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedAnswer:
    """`of` is the fingerprint of the case that it was written for; `replies` are raw replies, a list for each line."""

    case: str
    of: str
    replies: tuple[tuple[str, ...], ...]

    def fits(self, case: Case) -> bool:
        """Whether the case still tells the model what it told then."""
        return self.of == case.fingerprint and len(self.replies) == len(case.customer)


def read_answers(path: Path) -> Mapping[str, CommittedAnswer]:
    """By the case's id. Raises `CaseFileError`."""
    mistakes: list[str] = []
    answers: dict[str, CommittedAnswer] = {}
    for number, content in json_lines(path, mistakes):
        case, of, replies = content.get("case"), content.get("of"), content.get("replies")
        if not (isinstance(case, str) and isinstance(of, str) and _are_replies(replies)):
            mistakes.append(f'{path}:{number}: is not {{"case": id, "of": fingerprint, "replies": [[raw, …], …]}}')
        elif case in answers:
            mistakes.append(f"{path}:{number}: {case!r} is answered twice")
        else:
            answers[case] = CommittedAnswer(case=case, of=of, replies=tuple(tuple(each) for each in replies or ()))
    if mistakes:
        raise CaseFileError(mistakes)
    return answers


def stamped(
    answers: Mapping[str, CommittedAnswer], cases: Iterable[Case], ids: Collection[str]
) -> Mapping[str, CommittedAnswer]:
    """The answers of `ids` said to fit their cases as they stand now; the person who says so has read them."""
    fingerprints = {case.id: case.fingerprint for case in cases if case.id in ids}
    return {
        name: replace(answer, of=fingerprints[name]) if name in fingerprints else answer
        for name, answer in answers.items()
    }


def write_answers(path: Path, answers: Iterable[CommittedAnswer]) -> None:
    """A line for each, so that a changed answer is one changed line."""
    lines = (
        json.dumps({"case": each.case, "of": each.of, "replies": each.replies}, ensure_ascii=False) for each in answers
    )
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _are_replies(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(line, list) and all(isinstance(raw, str) for raw in line) for line in value
    )
