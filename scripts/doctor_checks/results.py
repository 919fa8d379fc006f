"""The answer to one question, and all of them as a table or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from botocore.exceptions import BotoCoreError, ClientError

from deployment.web import UnreachableError


class State(StrEnum):
    """What was found."""

    FINE = "fine"
    FAULT = "fault"
    SKIPPED = "skipped"  # it could not be asked here, or need not


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`about` is what was asked, `found` what was found, `mend` what to do; no secret is in any of them."""

    area: str
    about: str
    state: State
    found: str = ""
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Area:
    """Makes the results of one area."""

    name: str

    def fine(self, about: str, found: str = "") -> Result:
        """A tick."""
        return Result(area=self.name, about=about, state=State.FINE, found=found)

    def fault(self, about: str, found: str, mend: str) -> Result:
        """A cross."""
        return Result(area=self.name, about=about, state=State.FAULT, found=found, mend=mend)

    def skipped(self, about: str, found: str) -> Result:
        """Neither."""
        return Result(area=self.name, about=about, state=State.SKIPPED, found=found)

    def judged(self, about: str, fault: str, mend: str, *, found: str = "") -> Result:
        """A tick where there is no fault."""
        return self.fault(about, fault, mend) if fault else self.fine(about, found)


Check = Callable[[], Iterator[Result]]


def ask_all(checks: Iterable[tuple[Area, str, Check]]) -> Iterator[Result]:
    """Every check, whatever became of the ones before; one that cannot be asked is a cross that says why."""
    for area, about, check in checks:
        try:
            yield from check()
        except ClientError as error:
            told = error.response.get("Error", {})
            what = f"AWS refuses the question: {told.get('Code', '')} {told.get('Message', '')}".strip()
            yield area.fault(
                about, what, "may these credentials read that? (ReadOnlyAccess, ssm:GetParameters with decryption)"
            )
        except BotoCoreError as error:
            yield area.fault(about, f"AWS does not answer: {type(error).__name__}", "try again; see the region")
        except UnreachableError as error:
            yield area.fault(about, f"no answer ({error})", "see the address and this machine's way to it")


_MARKS = {State.FINE: "✓", State.FAULT: "✗", State.SKIPPED: "–"}


def as_table(results: Sequence[Result]) -> str:
    """A line each, under the names of their areas; a cross has its mend below."""
    width = max((len(result.about) for result in results), default=0)
    lines: list[str] = []
    area = ""
    for result in results:
        if result.area != area:
            area = result.area
            lines.append(f"{area}")
        lines.append(f"  {_MARKS[result.state]} {result.about:<{width}}  {result.found}".rstrip())
        if result.state is State.FAULT:
            lines.append(f"      → {result.mend}")
    counted = [sum(result.state is state for result in results) for state in State]
    lines.append(f"{counted[0]} fine, {counted[1]} at fault, {counted[2]} not asked")
    return "\n".join(lines)


def as_json(results: Sequence[Result]) -> str:
    """The same for a program."""
    return json.dumps([asdict(result) for result in results], indent=2, ensure_ascii=False)
