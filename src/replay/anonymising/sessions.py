"""A whole session with other people in it: every line rewritten, requests' hashes recomputed, proved by its replay."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from core.domain.errors import BalcaoError
from core.domain.ledger import ModelCall
from core.domain.llm import CallPurpose
from replay.anonymising.known_values import KnownValues, known_values
from replay.anonymising.line_keys import line_keys
from replay.anonymising.pseudonyms import Pseudonyms
from replay.anonymising.residue import Residue, residue_of
from replay.anonymising.rewriting import Rewriter
from replay.anonymising.vocabulary import Vocabulary, vocabulary_of
from replay.comparing.differences import SessionComparison, Verdict, compare
from replay.playing.played import PlayedSession
from replay.playing.player import Player
from replay.session_file.lines import Line, session_lines, session_of
from replay.session_file.records import RecordedSession, RecordedTurn

ANONYMISER_VERSION = 1
# What holds keys, ids and code's own words: nothing that anybody wrote.
_STRUCTURAL = line_keys("structural")
_UNKNOWN_HASH = ""


class NotProvedError(BalcaoError):
    """A session whose replay says something else once people's names are changed: it must not be exported."""


@dataclass(slots=True)
class Anonymiser:
    """One export's. `player` plays the company's files as they are."""

    player: Player
    pseudonyms: Pseudonyms
    allowed: frozenset[str] = frozenset()
    _vocabulary: Vocabulary = field(init=False)

    def __post_init__(self) -> None:
        self._vocabulary = vocabulary_of(self.player.company)

    def anonymised(self, session: RecordedSession) -> tuple[RecordedSession, Sequence[Residue]]:
        """The session, and what in it still looks personal. Raises `NotProvedError`."""
        catalog = self.player.company.catalog
        known = known_values(session, catalog, self._vocabulary, self.pseudonyms)
        changed = session_of(_rewritten(session, self._rewriter(known)))
        changed = replace(changed, incomplete=session.incomplete)
        found = residue_of(changed, known, self.pseudonyms, self._vocabulary, allowed=self.allowed)
        original, played = self.player.play(session), self.player.play(changed)
        self._prove(compare(session, original), compare(changed, played), original, played)
        return _with_hashes(session, changed, original, played), found

    def _rewriter(self, known: KnownValues) -> Rewriter:
        return Rewriter(
            pseudonyms=self.pseudonyms,
            names=frozenset(known.names),
            common=frozenset(known.names & self._vocabulary.words),
            documents=frozenset(known.documents),
            days=frozenset(known.days),
            literals=known.literals,
            own=self._vocabulary.own | self.allowed,
        )

    def _prove(
        self, before: SessionComparison, after: SessionComparison, original: PlayedSession, played: PlayedSession
    ) -> None:
        """The replay must say of the new names what it said of the old ones; one that agreed must agree."""
        for one, other in zip(original.turns, played.turns, strict=True):
            differs = [name for name in one.facts if _verdict(name, one.facts) != _verdict(name, other.facts)]
            if differs or bool(one.error) != bool(other.error):
                what = ", ".join(differs) or other.error or one.error
                raise NotProvedError(f"turn {one.number} says otherwise of other names: {what}")
        fine = (Verdict.SAME, Verdict.TEXT)
        if before.verdict in fine and after.verdict not in fine and after.first is not None:
            what = "; ".join(f"{each.aspect}: {each.words}" for each in after.first.differences)
            raise NotProvedError(f"turn {after.first.number} was not changed alike everywhere: {what}")


def key_id(key: bytes) -> str:
    """Names a key without telling it."""
    return hashlib.sha256(b"key|" + key).hexdigest()[:12]


def _verdict(aspect: str, facts: Mapping[str, Any]) -> Any:
    """An aspect without people's values: of fields, which are known or declined."""
    if aspect != "fields":
        return facts.get(aspect)
    fields = facts.get("fields", {})
    values = {name: "declined" if value == "declined" else "known" for name, value in fields.get("values", {}).items()}
    return {**fields, "values": values, "extra": len(fields.get("extra", ()))}


def _rewritten(session: RecordedSession, rewriter: Rewriter) -> list[Line]:
    lines = []
    for line in session_lines(session):
        if line["type"] == "blob":
            lines.append({**line, "text": rewriter.raw_reply(line["text"])})
        else:
            lines.append(_walked(line, rewriter, key=""))
    return lines


def _walked(value: Any, rewriter: Rewriter, *, key: str) -> Any:
    match value:
        case dict():
            return {
                rewriter.identifier(str(name)): _walked(each, rewriter, key=_key_of(key, str(name)))
                for name, each in value.items()
            }
        case list():
            return [_walked(each, rewriter, key=key) for each in value]
        case str():
            return _written(value, rewriter, key)
    return value


def _key_of(outer: str, name: str) -> str:
    """Structure holds structure, but for what a person filled in."""
    if name == "request_id":
        return name
    return outer if outer in ("guard", "fingerprints", "parts_before") else name


def _written(value: str, rewriter: Rewriter, key: str) -> str:
    if key == "request_id":
        return ""
    if key == "filename":
        return f"arquivo{PurePath(value).suffix}"
    return rewriter.identifier(value) if key in _STRUCTURAL else rewriter.text(value)


def _with_hashes(
    session: RecordedSession, changed: RecordedSession, original: PlayedSession, played: PlayedSession
) -> RecordedSession:
    """Hashes of what would be asked now, where the old ones were those of the same prompts; else none is known."""
    then = {turn.number: turn for turn in original.turns}
    now = {turn.number: turn for turn in played.turns}
    recorded = {turn.number: turn for turn in session.turns}
    turns = tuple(
        _turn_with_hashes(turn, recorded[turn.number], then[turn.number].calls, now[turn.number].calls)
        if turn.number in now
        else _turn_with_hashes(turn, recorded[turn.number], (), ())
        for turn in changed.turns
    )
    return replace(changed, turns=turns)


def _turn_with_hashes(
    turn: RecordedTurn, recorded: RecordedTurn, then: Sequence[ModelCall], now: Sequence[ModelCall]
) -> RecordedTurn:
    known = {
        old.input_hash: new.input_hash
        for old, new in zip(then, now, strict=False)
        if old.purpose is new.purpose and old.input_hash
    }

    def hashed(call: ModelCall) -> ModelCall:
        if call.purpose in (CallPurpose.SUMMARY, CallPurpose.REPAIR, CallPurpose.TRANSCRIPTION):
            return call
        return replace(call, input_hash=known.get(call.input_hash, _UNKNOWN_HASH))

    calls = tuple(hashed(replace(new, input_hash=old.input_hash)) for new, old in _pairs(turn, recorded))
    return replace(turn, record=replace(turn.record, calls=calls))


def _pairs(turn: RecordedTurn, recorded: RecordedTurn) -> Sequence[tuple[ModelCall, ModelCall]]:
    return tuple(zip(turn.record.calls, recorded.record.calls, strict=True))
