"""Voice notes as words (docs/whatsapp.md): fetched and transcribed when a turn needs them, within its deadline.

What cannot be heard stays a placeholder, and the customer is asked to type.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from core.application.journal import TurnJournal
from core.application.ports import MediaFetcher, Transcriber
from core.application.turn.ogg_duration import ogg_seconds
from core.application.turn.opening import OpenTurn
from core.domain.conversation import InboundRecord, Snapshot
from core.domain.deadline import Deadline
from core.domain.errors import DeadlineError, LLMError, MediaError
from core.domain.llm import CallPurpose
from core.domain.media import MediaFile
from core.domain.messages import Media, MessageKind
from core.domain.text import fold, storable_text

_log = logging.getLogger(__name__)

MAX_SECONDS = 300.0
MAX_BYTES = 300 * 8_000  # so long at 64 kbit/s, four times a voice note's rate: a length that is not told, or not true
MOST_NOTES = 5
WORDS_MAX = 4_000
_FETCH_SECONDS, _TRANSCRIBE_SECONDS = 8.0, 20.0
# What the transcription endpoint reads, of what WhatsApp sends: amr and aac are not among it.
# Subtitle credits, the closing words of videos, dots and note signs: learned from films, heard in silence.
_CREDITS = (
    r"(?:legendas?|legendado|subtitles?|transcri\w+|revisao) (?:pel[ao]s?|por|by|feitas?|:).*",
    r".*\bamara\.org\b.*",
    r"(?:muito )?obrigad[oa]s? por (?:assistir|ver o video|acompanhar).*",
    r"thanks? (?:you )?for watching.*",
    r"(?:inscreva-se|se inscreva|deixe (?:o )?seu like)\b.*",
    r"\W*",
    r"\W*(?:musica|music|aplausos|applause|risos|silencio)\W*",
)
_NOTHING_SAID = re.compile("|".join(f"(?:{each})" for each in _CREDITS), re.DOTALL)
READABLE = ("audio/ogg", "audio/mpeg", "audio/mp4", "audio/wav", "audio/webm", "audio/flac", "audio/opus")


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceNotes:
    """Hears what waits in a turn."""

    fetcher: MediaFetcher
    transcriber: Transcriber

    def hear(
        self, turn: OpenTurn, *, tried: Collection[str], journal: TurnJournal, deadline: Deadline
    ) -> dict[str, str]:
        """The words of each voice note that was not `tried` before, by `sk`; "" for one that could not be heard.

        Every call is in the journal. Raises nothing that these notes can cause.
        """
        notes = [entry for entry in turn.inbounds if _is_note(entry) and entry.sk not in tried]
        return {entry.sk: self._words(entry, journal, deadline) for entry in notes[-MOST_NOTES:]}

    def _words(self, entry: InboundRecord, journal: TurnJournal, deadline: Deadline) -> str:
        try:
            file = self._fetch(entry, deadline)
            seconds = min(deadline.model_seconds(), _TRANSCRIBE_SECONDS)
            result = self.transcriber.transcribe(file, timeout_seconds=seconds)
        except MediaError as error:
            return _unheard(error.reason)
        except DeadlineError:
            return _unheard("deadline")
        except LLMError as error:
            journal.failed(error, self.transcriber.model, CallPurpose.TRANSCRIPTION)
            return _unheard(error.failure.value)
        journal.called(result, self.transcriber.model, CallPurpose.TRANSCRIPTION)
        words = (storable_text(result.raw_response, WORDS_MAX) or "").strip()
        return words if words and not is_artefact(words) else _unheard("nothing_said")

    def _fetch(self, entry: InboundRecord, deadline: Deadline) -> MediaFile:
        media = _media(entry)
        if media.mime_type and not _readable(media.mime_type):
            raise MediaError("format_not_readable")
        file = self.fetcher.fetch(
            media.media_id,
            phone_number_id=entry.message.phone_number_id,
            max_bytes=MAX_BYTES,
            timeout_seconds=min(deadline.model_seconds(), _FETCH_SECONDS),
        )
        if not _readable(file.mime_type):
            raise MediaError("format_not_readable")
        length = ogg_seconds(file.content)
        if length is not None and length > MAX_SECONDS:
            raise MediaError("too_long")
        return file


def with_transcripts(snapshot: Snapshot, heard: Mapping[str, str]) -> Snapshot:
    """The snapshot as the turn reads it once its voice notes were heard."""
    words = {sk: text for sk, text in heard.items() if text}
    if not words:
        return snapshot
    state = replace(snapshot.state, transcripts={**snapshot.state.transcripts, **words})
    return replace(snapshot, state=state)


def is_artefact(words: str) -> bool:
    """Whether a transcript is the transcriber's own: what it writes where nobody speaks."""
    return _NOTHING_SAID.fullmatch(fold(words).strip()) is not None


def _is_note(entry: InboundRecord) -> bool:
    message = entry.message
    return message.kind is MessageKind.AUDIO and message.media is not None and not message.text.strip()


def _media(entry: InboundRecord) -> Media:
    if entry.message.media is None:
        raise MediaError("no_media")
    return entry.message.media


def _readable(mime_type: str) -> bool:
    return mime_type.split(";", maxsplit=1)[0].strip().lower() in READABLE


def _unheard(reason: str) -> str:
    _log.warning("voice_note_unheard", extra={"reason": reason})
    return ""
