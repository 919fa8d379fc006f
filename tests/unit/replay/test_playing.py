"""Turns that did not go straight: what the ledger keeps of them is enough to play them again as they went."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.turn.voice_notes import VoiceNotes
from core.domain.deadline import Deadline
from core.domain.errors import LLMProviderError, LLMTimeoutError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.llm import LLMAttempt, LLMFailure
from core.domain.media import MediaFile
from core.domain.messages import Media, MessageKind
from core.domain.policy import ConversationPolicy
from core.integrations.dynamodb.raw_replies import RAW_REPLY_BYTES
from replay.comparing.differences import SessionComparison, Verdict, compare
from replay.exporting.conversation_items import read_items, sessions_of
from replay.playing.company import Company, settings_of, settings_to_plain
from replay.playing.player import HowToPlay, Player
from replay.running.sockets import ReachedOutError, closed_sockets
from replay.session_file.lines import session_lines, session_of
from replay.session_file.records import RecordedSession
from tests.desk import Desk
from tests.fakes.media_fetcher import FakeMediaFetcher
from tests.fakes.message_sender import Arrival
from tests.fakes.transcriber import FakeTranscriber
from tests.neutral_company import COMPANY, COMPANY_DIR, catalog, prompts

HELLO = '{"s":1}Olá! Que serviço você quer?'


def sessions(desk: Desk) -> Iterator[RecordedSession]:
    for conversation in desk.store.conversations():
        yield from sessions_of(read_items(conversation, desk.store.items(conversation)))


def player(desk: Desk, *, carry: bool = False) -> Player:
    company = Company(name=COMPANY, folder=COMPANY_DIR, catalog=catalog(), prompts=prompts())
    settings = settings_of(settings_to_plain(desk.settings), company=COMPANY)
    return Player(company=company, settings=settings, how=HowToPlay(carry=carry))


def replayed(desk: Desk, *, carry: bool = False) -> list[SessionComparison]:
    one = player(desk, carry=carry)
    return [compare(session, one.play(session)) for session in sessions(desk)]


def verdicts(desk: Desk, *, carry: bool = False) -> list[Verdict]:
    return [each.verdict for each in replayed(desk, carry=carry)]


both = pytest.mark.parametrize("carry", [False, True], ids=["pinned", "carry"])


def attempts(failure: LLMFailure, times: int) -> tuple[LLMAttempt, ...]:
    return tuple(LLMAttempt(number=n, latency_ms=900, failure=failure) for n in range(1, times + 1))


@both
def test_a_turn_that_a_newcomer_undid_is_played_as_it_was_answered(carry: bool) -> None:
    desk = Desk(HELLO, '{"s":1}Vi as duas mensagens.')
    desk.agent.before_answer(lambda: desk.record(desk.message("e mais uma coisa")))
    desk.says("oi")

    (comparison,) = replayed(desk, carry=carry)
    assert desk.last_turn.reruns == 1
    assert comparison.verdict is Verdict.SAME
    assert comparison.turns[0].customer == "oi\ne mais uma coisa"
    assert [call.rerun for call in desk.last_turn.calls] == [0, 1]


@both
def test_a_turn_that_another_worker_overtook_is_on_file_with_its_cost_and_is_not_played(carry: bool) -> None:
    desk = Desk(HELLO, HELLO, HELLO)
    desk.says("oi")
    pointer = desk.record(desk.message("e agora?"))
    desk.agent.before_answer(lambda: desk.process(pointer))
    desk.process(pointer)

    (session,) = sessions(desk)
    *_, winner, lost = session.turns
    assert lost.record.outcome == "overtaken"
    assert lost.overtaken_by == winner.record.turn
    assert len(lost.calls) == 1
    assert session_of(list(session_lines(session))) == session
    (comparison,) = replayed(desk, carry=carry)
    assert (comparison.verdict, len(comparison.turns)) == (Verdict.SAME, 2)


@both
@pytest.mark.parametrize(
    "failure",
    [
        LLMTimeoutError("x", failure=LLMFailure.TIMEOUT, attempts=attempts(LLMFailure.TIMEOUT, 2)),
        LLMProviderError("x", failure=LLMFailure.SERVER_ERROR, attempts=attempts(LLMFailure.SERVER_ERROR, 1)),
    ],
    ids=lambda error: error.failure.value,
)
def test_a_model_that_failed_fails_again_without_waiting(failure: Exception, carry: bool) -> None:
    desk = Desk(failure)
    desk.says("oi")

    assert verdicts(desk, carry=carry) == [Verdict.SAME]


@both
def test_a_handoff_that_no_message_asked_for_is_forced_again(carry: bool) -> None:
    desk = Desk(HELLO)
    desk.says("oi")
    desk.record(desk.message("e aí?"))
    request = HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail="overdue")
    deadline = Deadline(now_ms=desk.clock.now_ms, ends_at_ms=desk.clock.now_ms() + 60_000)
    desk.use_case().hand_over(desk.conversation, request, deadline=deadline)

    assert desk.last_turn.forced == request
    assert verdicts(desk, carry=carry) == [Verdict.SAME]


@both
def test_everybody_s_money_is_spent_again_where_it_was(carry: bool) -> None:
    desk = Desk(HELLO, HELLO)
    desk.says("oi")
    (session,) = sessions(desk)
    turn = session.turns[0]
    stopped = replace(
        turn.record, handoff_reason="spend_limit", handoff_detail="all", calls=(), codes=(), outcome="handoff"
    )
    played = player(desk, carry=carry).play(replace(session, turns=(replace(turn, record=stopped),)))

    assert played.turns[0].facts["handoff"] == "spend_limit: all"
    assert played.turns[0].facts["calls"] == []


@both
def test_a_turn_whose_time_was_over_is_out_of_time_again(carry: bool) -> None:
    desk = Desk()
    desk.process(desk.record(desk.message("oi")), function_ms=15_500)

    assert desk.last_turn.handoff_reason == "deadline"
    assert verdicts(desk, carry=carry) == [Verdict.SAME]


def test_an_answer_of_which_nobody_was_sure_is_a_note_again() -> None:
    desk = Desk(HELLO, HELLO)
    desk.sender.lose(Arrival.AFTER)
    desk.says("oi")
    desk.says("chegou?")
    desk.status_arrives("delivered")

    (comparison,) = replayed(desk)
    assert comparison.verdict is Verdict.SAME


@both
def test_a_new_session_begins_where_it_began(carry: bool) -> None:
    desk = Desk(HELLO, HELLO, HELLO)
    desk.says("oi")
    desk.clock.advance(days=3)
    desk.says("voltei")
    desk.says("e então?")

    assert [len(each.turns) for each in replayed(desk, carry=carry)] == [1, 2]
    assert verdicts(desk, carry=carry) == [Verdict.SAME, Verdict.SAME]


@both
def test_people_who_gave_the_conversation_back_gave_it_back_then(carry: bool) -> None:
    desk = Desk(HELLO, HELLO)
    desk.says("quero falar com uma pessoa")
    head = desk.head
    desk.store.update_head(desk.conversation, seen=head, head=replace(head, mode="bot", handoff_reason=None))  # type: ignore[arg-type]
    desk.says("oi de novo")

    assert verdicts(desk, carry=carry) == [Verdict.SAME]


def test_a_carried_session_is_judged_to_its_first_divergence() -> None:
    desk = Desk(HELLO, HELLO, HELLO)
    for text in ("oi", "tudo bem?", "e então?"):
        desk.says(text)
    (session,) = sessions(desk)
    first = session.turns[0]
    other = replace(first, record=replace(first.record, calls=()))
    played = player(desk, carry=True).play(replace(session, turns=(other, *session.turns[1:])))

    assert played.stopped_at == 1
    assert len(played.turns) == 1


def test_a_reply_that_was_cut_leaves_its_session_incomplete() -> None:
    desk = Desk(HELLO + "x" * 2 * RAW_REPLY_BYTES)
    desk.says("oi")

    (comparison,) = replayed(desk)
    assert comparison.verdict is Verdict.INCOMPLETE
    assert comparison.incomplete == ("a model's reply was cut to fit the table",)


def test_a_ledger_of_older_code_is_incomplete_and_never_a_pass() -> None:
    desk = Desk(HELLO)
    desk.says("oi")
    items = [
        {name: each for name, each in item.items() if name != "head_before"}
        for item in desk.store.items(desk.conversation)
    ]
    (session,) = sessions_of(read_items(desk.conversation, items))

    assert session.incomplete == ("recorded by code that did not keep what a turn read",)


class VoiceDesk(Desk):
    """A desk that hears what `words` say."""

    def __init__(self, *words: str) -> None:
        super().__init__(*[HELLO] * 3, policy=ConversationPolicy(transcription_enabled=True))
        self.notes = VoiceNotes(
            fetcher=FakeMediaFetcher({"1": MediaFile(content=b"", mime_type="audio/ogg")}),
            transcriber=FakeTranscriber(*words),
        )

    def use_case(self) -> ProcessMessageUseCase:
        return replace(super().use_case(), voice_notes=self.notes)

    def speaks(self, media_id: str) -> None:
        media = Media(media_id=media_id, mime_type="audio/ogg")
        self.process(self.record(self.message(kind=MessageKind.AUDIO, media=media)))


@both
def test_voice_notes_say_again_what_was_heard_and_stay_unheard_where_they_were(carry: bool) -> None:
    desk = VoiceDesk("quero instalação de split na loja")
    desk.speaks("1")
    desk.speaks("gone")

    (comparison,) = replayed(desk, carry=carry)
    assert comparison.verdict is Verdict.SAME
    assert [turn.record.outcome for turn in next(sessions(desk)).turns] == ["answered", "asked_to_type"]


@pytest.mark.parametrize("event", ["socket.connect", "socket.getaddrinfo"])
def test_a_recorded_replay_connects_to_nobody(event: str) -> None:
    with closed_sockets(), pytest.raises(ReachedOutError):
        sys.audit(event, "api.openai.com", 443)

    sys.audit(event, "localhost", 1)  # and whoever comes after it may
