"""Voice notes: heard when the bot needs them, within limits, paid for once, read ever after."""

from __future__ import annotations

import logging
import struct
from dataclasses import replace
from typing import Any

import pytest

from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.turn import voice_notes
from core.application.turn.ogg_duration import ogg_seconds
from core.application.turn.opening import TRANSCRIPT_CHARACTERS
from core.application.turn.voice_notes import VoiceNotes
from core.domain.conversation import Mode
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose
from core.domain.media import MediaFile
from core.domain.messages import InboundPointer, Media, MessageKind
from core.domain.policy import ConversationPolicy
from tests.desk import Desk
from tests.fakes.media_fetcher import FakeMediaFetcher
from tests.fakes.transcriber import FakeTranscriber
from tests.neutral_company import prompts

HELLO = '{"s":1}Olá! Como posso ajudar?'
OPUS = "audio/ogg; codecs=opus"


def ogg(seconds: float, *, padding: int = 0) -> bytes:
    """The skeleton of an Opus file that plays for so long."""
    head = b"OggS\x00\x02" + struct.pack("<q", 0) + bytes(14) + b"OpusHead" + bytes(padding)
    return head + b"OggS\x00\x04" + struct.pack("<q", round(seconds * 48_000)) + bytes(20)


class VoiceDesk(Desk):
    """A desk that hears: `fetcher` holds files, `transcriber` what they say."""

    def __init__(self, *words: Any, replies: int = 4) -> None:
        super().__init__(*[HELLO] * replies, policy=ConversationPolicy(transcription_enabled=True))
        self.fetcher = FakeMediaFetcher({"1": MediaFile(content=ogg(12), mime_type=OPUS)})
        self.transcriber = FakeTranscriber(*words)

    def use_case(self) -> ProcessMessageUseCase:
        hears = VoiceNotes(fetcher=self.fetcher, transcriber=self.transcriber)
        return replace(super().use_case(), voice_notes=hears)

    def speaks(self, media_id: str = "1", mime_type: str = OPUS, **changes: Any) -> InboundPointer:
        media = Media(media_id=media_id, mime_type=mime_type)
        return self.record(self.message(kind=MessageKind.AUDIO, media=media, **changes))


def test_a_voice_note_is_answered_by_its_words() -> None:
    desk = VoiceDesk("quero instalação de split na loja")

    assert desk.process(desk.speaks()).outcome == "answered"

    request = desk.agent.requests[0]
    assert request.pending_text == "[o cliente enviou um áudio, transcrito a seguir]\nquero instalação de split na loja"
    assert desk.transcriber.heard[0].mime_type == OPUS


def test_of_a_long_voice_note_the_first_four_thousand_characters_are_read() -> None:
    words = ("quero um split " * 300)[:4_000].rstrip(" ").ljust(4_000, "o")
    desk = VoiceDesk(f"{words} e mais")
    desk.process(desk.speaks())

    assert desk.agent.requests[0].pending_text.splitlines()[1:] == [words]


def test_the_call_is_in_the_ledger() -> None:
    desk = VoiceDesk("oi")
    desk.process(desk.speaks())

    first, second = desk.last_turn.calls
    assert (first.purpose, first.outcome, first.requested_model) == (
        CallPurpose.TRANSCRIPTION,
        CallOutcome.USED,
        "gpt-transcribe",
    )
    assert second.purpose is CallPurpose.AGENT


def test_a_later_turn_reads_the_words_in_its_history_and_pays_nothing_for_them() -> None:
    desk = VoiceDesk("quero instalar um split")
    desk.process(desk.speaks())
    desk.says("quanto custa?")

    assert [line.text for line in desk.agent.requests[1].history if line.role == "user"] == [
        "[o cliente enviou um áudio, transcrito a seguir]\nquero instalar um split"
    ]
    assert len(desk.transcriber.heard) == 1


def test_the_recorded_message_is_never_rewritten() -> None:
    desk = VoiceDesk("quero instalar um split")
    pointer = desk.speaks()
    (before,) = desk.store.inbounds(pointer.conversation)
    desk.process(pointer)

    assert desk.store.inbounds(pointer.conversation) == (before,)


def test_a_turn_that_runs_again_with_a_newcomer_pays_for_the_words_once_and_they_are_not_wasted() -> None:
    desk = VoiceDesk("quero instalar um split")
    pointer = desk.speaks()
    desk.agent.before_answer(lambda: desk.record(desk.message("na loja")))
    desk.process(pointer)

    assert len(desk.transcriber.heard) == 1
    assert desk.agent.requests[1].pending_text.endswith("quero instalar um split\nna loja")
    outcomes = {call.purpose: call.outcome for call in desk.last_turn.calls}
    assert outcomes[CallPurpose.TRANSCRIPTION] is CallOutcome.USED


def test_a_newcomers_voice_note_is_heard_by_the_rerun() -> None:
    desk = VoiceDesk("primeiro", "segundo")
    pointer = desk.speaks()
    desk.agent.before_answer(lambda: desk.speaks(sent_at_ms=desk.clock.now_ms() + 1000))
    desk.process(pointer)

    assert [line for line in desk.agent.requests[1].pending_text.splitlines() if "[" not in line] == [
        "primeiro",
        "segundo",
    ]


def test_a_spoken_request_for_a_person_is_served_like_a_written_one() -> None:
    desk = VoiceDesk("quero falar com um atendente")

    assert desk.process(desk.speaks()).reason == "human_requested"
    assert desk.agent.calls == 0


def test_what_was_said_aloud_counts_as_what_the_customer_wrote() -> None:
    desk = VoiceDesk("meu CNPJ é 11.222.333/0001-81")
    pointer = desk.speaks()
    desk.agent.before_answer(lambda: None)
    desk.process(pointer)

    assert desk.state.transcripts == {pointer.sk: "meu CNPJ é 11.222.333/0001-81"}


# When it is not heard

UNHEARD: dict[str, Any] = {
    "the file is gone": {"media_id": "9"},
    "a format that nobody reads": {"mime_type": "audio/amr"},
}


@pytest.mark.parametrize("changes", UNHEARD.values(), ids=UNHEARD)
def test_a_file_that_cannot_be_heard_is_answered_by_a_request_to_type(changes: dict[str, Any]) -> None:
    desk = VoiceDesk("nunca dito")

    assert desk.process(desk.speaks(**changes)).outcome == "asked_to_type"
    assert desk.replies == [prompts().texts.please_type]
    assert desk.transcriber.heard == []


FILES = {
    "too large": MediaFile(content=b"x" * (voice_notes.MAX_BYTES + 1), mime_type=OPUS),
    "too long": MediaFile(content=ogg(voice_notes.MAX_SECONDS + 1), mime_type=OPUS),
    "another format than was said": MediaFile(content=b"x", mime_type="video/mp4"),
}


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_a_file_over_the_limits_is_not_paid_for(file: MediaFile) -> None:
    desk = VoiceDesk("nunca dito")
    desk.fetcher.files["1"] = file

    assert desk.process(desk.speaks()).outcome == "asked_to_type"
    assert desk.transcriber.heard == []


def test_the_longest_file_that_is_heard() -> None:
    desk = VoiceDesk("oi")
    desk.fetcher.files["1"] = MediaFile(content=ogg(voice_notes.MAX_SECONDS), mime_type=OPUS)

    assert desk.process(desk.speaks()).outcome == "answered"


@pytest.mark.parametrize("words", [(), ("",), ("  \n",)], ids=["the provider is down", "nothing", "silence"])
def test_a_note_without_words_is_answered_by_a_request_to_type_and_its_call_is_in_the_ledger(
    words: tuple[str, ...],
) -> None:
    desk = VoiceDesk(*words)

    assert desk.process(desk.speaks()).outcome == "asked_to_type"
    assert [call.purpose for call in desk.last_turn.calls] == [CallPurpose.TRANSCRIPTION]


def test_what_could_not_be_heard_is_tried_once_in_a_turn_and_goes_to_a_person_the_second_time() -> None:
    desk = VoiceDesk()
    desk.process(desk.speaks())

    assert desk.process(desk.speaks()).reason == "media_not_supported"
    assert len(desk.transcriber.heard) == 2


def test_words_beside_an_unheard_note_are_answered() -> None:
    desk = VoiceDesk()
    pointer = desk.speaks()
    desk.record(desk.message("mandei um áudio"))

    assert desk.process(pointer).outcome == "answered"
    assert desk.agent.requests[0].pending_text == "[o cliente enviou um áudio]\nmandei um áudio"


def test_without_time_left_nothing_is_fetched() -> None:
    desk = VoiceDesk("oi")

    assert desk.process(desk.speaks(), function_ms=15_500).outcome == "asked_to_type"
    assert desk.fetcher.fetched == []


def test_no_step_is_given_more_time_than_the_turn_has() -> None:
    desk = VoiceDesk("oi")
    desk.process(desk.speaks(), function_ms=20_000)

    assert max(desk.fetcher.timeouts + desk.transcriber.timeouts) <= 5.0


def test_of_many_notes_only_the_newest_are_heard() -> None:
    desk = VoiceDesk(*[f"nota {n}" for n in range(9)])
    pointers = [desk.speaks(sent_at_ms=desk.clock.now_ms() + 1000 * n) for n in range(9)]
    desk.process(pointers[0])

    assert len(desk.transcriber.heard) == voice_notes.MOST_NOTES


# When it is not needed


def test_people_hear_for_themselves() -> None:
    desk = VoiceDesk("oi")
    desk.says("quero falar com um atendente")

    assert desk.process(desk.speaks()).outcome == "forwarded"
    assert (desk.fetcher.fetched, desk.head.mode) == ([], Mode.HUMAN)


def test_a_stale_note_goes_to_a_person_unheard() -> None:
    desk = VoiceDesk("oi")
    result = desk.process(desk.speaks(sent_at_ms=desk.clock.now_ms() - 3_600_000))

    assert (result.reason, desk.fetcher.fetched) == ("stale", [])


def test_a_desk_that_does_not_hear_asks_to_type() -> None:
    desk = Desk(HELLO)
    media = Media(media_id="1", mime_type=OPUS)

    assert desk.process(desk.record(desk.message(kind=MessageKind.AUDIO, media=media))).outcome == "asked_to_type"


# What is kept, and what is not


def test_no_log_line_holds_words_or_bytes(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    desk = VoiceDesk("segredo falado")
    desk.process(desk.speaks())
    desk.process(desk.speaks("9"))

    logged = " ".join(str(vars(record)) for record in caplog.records)
    assert "segredo" not in logged
    assert "OpusHead" not in logged
    assert "b'" not in repr(desk.fetcher.files["1"])


def test_state_keeps_the_newest_words_and_stays_small() -> None:
    desk = VoiceDesk(*[" ".join(f"palavra{n}x{i}" for i in range(400)) for n in range(8)], replies=8)
    for number in range(8):
        desk.process(desk.speaks(sent_at_ms=desk.clock.now_ms()))
        desk.clock.advance(seconds=number)

    kept = desk.state.transcripts
    assert sum(map(len, kept.values())) <= TRANSCRIPT_CHARACTERS
    assert desk.last_pointer.sk in kept


# Length


@pytest.mark.parametrize(
    ("content", "seconds"),
    [
        (ogg(3.5), 3.5),
        (ogg(0), 0.0),
        (ogg(7) + b"OggS", 7.0),
        (ogg(7) + b"OggS\x00\x00" + struct.pack("<q", -1) + bytes(20), 7.0),
        (b"", None),
        (b"ID3\x04", None),
        (b"OggS" + bytes(40), None),
        (b"OggS", None),
        (b"OggS" + bytes(4084) + ogg(5)[28:], 5.0),
        (b"OggS" + bytes(4085) + ogg(5)[28:], None),
    ],
    ids=[
        *("plain", "empty", "cut page", "page without an end", "nothing", "mp3", "no Opus", "four bytes"),
        *("Opus at the end of four kilobytes", "Opus too late"),
    ],
)
def test_the_length_of_an_opus_file_is_read_from_its_last_page(content: bytes, seconds: float | None) -> None:
    assert ogg_seconds(content) == seconds


def test_a_picture_without_a_caption_is_no_voice_note() -> None:
    desk = VoiceDesk("nunca dito")
    picture = Media(media_id="1", mime_type="image/jpeg")

    assert desk.process(desk.record(desk.message(kind=MessageKind.IMAGE, media=picture))).outcome == "answered"
    assert desk.transcriber.heard == []
    assert desk.agent.requests[0].pending_text == "[o cliente enviou uma imagem]"


def test_a_picture_without_words_is_no_voice_note() -> None:
    desk = VoiceDesk("nada")
    desk.says("", kind=MessageKind.IMAGE, media=Media(media_id="2", mime_type="image/jpeg"))

    assert desk.transcriber.heard == []


@pytest.mark.parametrize("words", ["Legendas pela comunidade Amara.org", "...", "♪ ♪", "Obrigado por assistir!"])
def test_what_a_transcriber_makes_out_of_silence_is_nothing_heard(words: str) -> None:
    desk = VoiceDesk(words)

    assert desk.process(desk.speaks()).outcome == "asked_to_type"
    assert desk.agent.calls == 0
