"""Plays recorded sessions through the same use case, with the recorded clock and without the outside world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.agents.invoker import AgentInvokerImpl
from core.application.ports import LLMClient
from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.turn.voice_notes import VoiceNotes
from core.config.settings import Settings
from core.domain.conversation import ConversationState, Effect, Head, InboundRecord, LogEntry, Snapshot, TurnCommit
from core.domain.deadline import Deadline
from core.domain.delivery import OutboundPart, PartState
from core.domain.errors import BalcaoError
from core.domain.handoff import HandoffReason
from core.domain.ledger import ModelCall
from core.domain.llm import CallPurpose
from core.domain.messages import InboundPointer
from core.integrations.dynamodb.plain_values import from_plain, plain_to_state
from core.integrations.wiring.turn import wire_use_case
from replay.memory.clock import RecordedClock
from replay.memory.outside import AcceptingSender, RecordedMedia, SilentNotifier
from replay.memory.turn_store import PinnedStore, TurnStore
from replay.playing.company import Company
from replay.playing.facts import facts_of, text_of
from replay.playing.played import Drift, PlayedSession, PlayedTurn
from replay.playing.recorded_meter import RecordedMeter
from replay.playing.recorded_model import CallPlace, RecordedModel
from replay.session_file.records import RecordedSession, RecordedTurn

_FUNCTION_MS = 60_000
_SUMMARY = CallPurpose.SUMMARY
_AGENT_CALLS = (CallPurpose.AGENT, CallPurpose.CONTEXT_ROUND, CallPurpose.ACTION_RETRY)


@dataclass(frozen=True, slots=True, kw_only=True)
class HowToPlay:
    """`carry` runs on from turn to turn where else each begins from its recorded state. From the turn `live_from` on,
    `llm` answers in the place of the recording.
    """

    carry: bool = False
    llm: LLMClient | None = None
    live_from: int = 1


@dataclass(slots=True)
class Player:
    """One company's files. Not for use by two threads at once: its ports hold the turn that is played."""

    company: Company
    settings: Settings
    how: HowToPlay = field(default_factory=HowToPlay)
    _clock: RecordedClock = field(init=False, default_factory=RecordedClock)
    _store: TurnStore = field(init=False)
    _model: RecordedModel = field(init=False, default_factory=RecordedModel)
    _media: RecordedMedia = field(init=False, default_factory=RecordedMedia)
    _meter: RecordedMeter = field(init=False)
    _recorded: ProcessMessageUseCase = field(init=False)
    _live: ProcessMessageUseCase | None = field(init=False)

    def __post_init__(self) -> None:
        self._store = TurnStore(self._clock) if self.how.carry else PinnedStore(self._clock)
        self._meter = RecordedMeter(self._clock)
        self._recorded = self._wired(self._model)
        self._live = self._wired(self.how.llm) if self.how.llm is not None else None

    def play(self, session: RecordedSession) -> PlayedSession:
        """Every turn that has an answer. Raises nothing that a session can cause: a turn that fails says so."""
        turns: list[PlayedTurn] = []
        played = list(session.played_turns())
        for at, turn in enumerate(played):
            before = played[at - 1] if at else None
            self._prepare(session, turn, before)
            turns.append(self._play_turn(session, turn))
            if self.how.carry and _diverged(turn, turns[-1]) and at + 1 < len(played):
                return self._done(session, turns, stopped_at=turn.number)
        return self._done(session, turns)

    def _done(
        self, session: RecordedSession, turns: Sequence[PlayedTurn], stopped_at: int | None = None
    ) -> PlayedSession:
        return PlayedSession(id=session.id, turns=tuple(turns), stopped_at=stopped_at, incomplete=session.incomplete)

    def _prepare(self, session: RecordedSession, turn: RecordedTurn, before: RecordedTurn | None) -> None:
        """The table as the turn met it, or, carried, as the turns before left it with what has come since."""
        if before is None or not self.how.carry:
            self._store.lay(recorded_snapshot(session, turn))
            return
        if turn.record.state_before != before.record.state_after or _head_of(turn).mode is not self._mode(session):
            # people did something in between: what stood then stands now
            self._store.lay(replace(recorded_snapshot(session, turn), log=self._store.log(session.conversation)))
        for inbound in turn.arrived:
            self._clock.stands_at(inbound.received_at_ms)
            self._store.record(inbound)

    def _mode(self, session: RecordedSession) -> Any:
        return self._store.head(session.conversation).mode

    def _play_turn(self, session: RecordedSession, turn: RecordedTurn) -> PlayedTurn:
        live = self._live if self._live is not None and turn.number >= self.how.live_from else None
        self._model.holds(() if live else turn.calls_of_the_answer)
        self._media.known = _heard(turn)
        self._clock.begins(turn.record)
        self._meter.begins(turn.record)
        self._store.forget()
        try:
            self._run(live or self._recorded, session, turn)
        except Exception as error:  # noqa: BLE001 -- a door: a turn that fails is told, and the others are played
            return PlayedTurn(number=turn.number, facts={}, error=f"{type(error).__name__}: {error}")
        if not self._store.commits:
            return PlayedTurn(number=turn.number, facts={}, error="the turn found nothing to answer")
        return self._seen(turn, self._store.commits[0], matched=live is None)

    def _run(self, use_case: ProcessMessageUseCase, session: RecordedSession, turn: RecordedTurn) -> None:
        record, deadline = turn.record, self._deadline(turn)
        if record.forced is not None or not record.inbound:
            request = record.forced
            if request is None:
                raise BalcaoError("a turn that answers nothing and was asked for by nobody")
            use_case.hand_over(session.conversation, request, deadline=deadline)
            return
        pointer = InboundPointer(conversation=session.conversation, sk=record.inbound[-1])
        use_case.execute(pointer, deadline=deadline)

    def _deadline(self, turn: RecordedTurn) -> Deadline:
        """The turn's time ends where it ended then: once every recorded call was read."""
        ended = turn.record.handoff_reason == HandoffReason.DEADLINE.value
        starts_ms = turn.record.started_at_ms
        ends_ms = starts_ms + _FUNCTION_MS

        def now_ms() -> int:
            over = ended and not self._model.left(*_AGENT_CALLS)
            return ends_ms - 10_000 if over and not self._store.commits else starts_ms

        return Deadline(now_ms=now_ms, ends_at_ms=ends_ms)

    def _seen(self, turn: RecordedTurn, commit: TurnCommit, *, matched: bool) -> PlayedTurn:
        facts = dict(facts_of(commit.turn, commit.effects))
        if matched:
            facts["calls"] = self._unmatched(turn)
        calls = (*commit.turn.calls, *_summary_calls(self._store.finished))
        return PlayedTurn(
            number=turn.number,
            facts=facts,
            text=text_of(commit.parts),
            calls=calls,
            drift=drift_between(turn.calls_of_the_answer, calls),
        )

    def _unmatched(self, turn: RecordedTurn) -> list[str]:
        """A summary that nobody wrote then is none that is missing."""
        written = any(call.purpose is _SUMMARY for call in turn.summary_calls)
        missing = [place for place in self._model.missing if written or place.purpose is not _SUMMARY]
        return [f"missing: {place}" for place in missing] + [f"unused: {place}" for place in self._model.unused]

    def _wired(self, llm: LLMClient) -> ProcessMessageUseCase:
        settings, prompts, catalog = self.settings, self.company.prompts, self.company.catalog
        voice_notes = VoiceNotes(fetcher=self._media, transcriber=self._model)
        return wire_use_case(
            settings=settings,
            store=self._store,
            llm=llm,
            invoker=AgentInvokerImpl(llm=llm, prompts=prompts, catalog=catalog, models=settings.models),
            sender=AcceptingSender(),
            notifier=SilentNotifier() if settings.handoff_topic_arn else None,
            clock=self._clock,
            catalog=catalog,
            prompts=prompts,
            fingerprints=prompts.fingerprints,
            meter=self._meter,
            voice_notes=voice_notes if settings.conversation.transcription_enabled else None,
        )


def recorded_snapshot(session: RecordedSession, turn: RecordedTurn) -> Snapshot:
    """What the turn read: its own record says how HEAD, STATE and doubtful parts stood."""
    states = turn.record.parts_before
    return Snapshot(
        conversation=session.conversation,
        head=_head_of(turn),
        state=_unheard(plain_to_state(turn.record.state_before or {}), turn),
        log=tuple(_as_it_stood(entry, states) for entry in session.log_before(turn)),
    )


def _unheard(state: ConversationState, turn: RecordedTurn) -> ConversationState:
    """The ledger has the words of this turn's own voice notes in STATE already: they are heard again."""
    own = set(turn.record.inbound)
    return replace(state, transcripts={sk: words for sk, words in state.transcripts.items() if sk not in own})


def drift_between(recorded: Sequence[ModelCall], played: Sequence[ModelCall]) -> tuple[Drift, ...]:
    """Requests whose words are not those of then, where both are known."""
    then, now = _hashes(recorded), _hashes(played)
    return tuple(
        Drift(place=place, recorded=then[place], played=now[place])
        for place in now
        if then.get(place) and now[place] and then[place] != now[place]
    )


def _hashes(calls: Sequence[ModelCall]) -> Mapping[CallPlace, str]:
    found: dict[CallPlace, str] = {}
    counts: dict[CallPurpose, int] = {}
    for call in calls:
        if call.failure is None:
            counts[call.purpose] = counts.get(call.purpose, 0) + 1
            found[CallPlace(purpose=call.purpose, nth=counts[call.purpose])] = call.input_hash
    return found


def _head_of(turn: RecordedTurn) -> Head:
    return from_plain(Head, turn.record.head_before or {})


def _as_it_stood(entry: LogEntry, states: Mapping[str, str]) -> LogEntry:
    if isinstance(entry, InboundRecord):
        return entry
    state = PartState(states.get(entry.sk, PartState.SENT.value))
    return entry if entry.state is state else _in_state(entry, state)


def _in_state(part: OutboundPart, state: PartState) -> OutboundPart:
    return replace(part, state=state)


def _heard(turn: RecordedTurn) -> Sequence[str]:
    """Media of this turn's voice notes that a transcriber was asked about."""
    words = _transcripts(turn)
    notes = [each for each in turn.arrived if each.message.media is not None]
    failed = sum(call.purpose is CallPurpose.TRANSCRIPTION and call.failure is not None for call in turn.record.calls)
    asked = [each for each in notes if each.sk in words or failed]
    return [each.message.media.media_id for each in asked if each.message.media is not None]


def _transcripts(turn: RecordedTurn) -> Mapping[str, str]:
    state: ConversationState = plain_to_state(turn.record.state_before or {})
    return state.transcripts


def _summary_calls(finished: Mapping[str, Effect]) -> tuple[ModelCall, ...]:
    """Every effect of a handoff carries the same ones."""
    for effect in finished.values():
        if effect.payload.get("calls"):
            return tuple(from_plain(ModelCall, call) for call in effect.payload["calls"])
    return ()


def _diverged(turn: RecordedTurn, played: PlayedTurn) -> bool:
    return bool(played.error) or dict(facts_of(turn.record, turn.effects)) != dict(played.facts)
