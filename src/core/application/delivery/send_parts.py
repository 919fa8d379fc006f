"""Sends an answer part by part and writes down what became of each (docs/turn.md, steps 8 and 9)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from core.application.delivery.typing_sign import TypingSign
from core.application.ports import Clock, ConversationStore, MessageSender, SentMessage
from core.domain.deadline import Deadline
from core.domain.delivery import (
    CHANNEL_REFUSALS,
    OutboundPart,
    PartOutcome,
    PartState,
    Recipient,
    SendFailure,
    being_sent,
)
from core.domain.errors import SendError, SendRefusedError, SendUncertainError
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile
from core.domain.part_callback import callback_of
from core.domain.record_keys import part_sk

_log = logging.getLogger(__name__)

LEASE_MARGIN_MS = 5_000
# How long a refused part waits for the sweep, by class. None: it will never be taken, a person must know.
RETRY_AFTER_MS: dict[SendFailure, int | None] = {
    SendFailure.THROTTLED: 15_000,
    SendFailure.TRANSIENT: 15_000,
    SendFailure.AUTH: 60_000,
    SendFailure.ACCOUNT: 300_000,
    SendFailure.RECIPIENT: None,
    SendFailure.WINDOW_OVER: None,
    SendFailure.BAD_REQUEST: None,
}
# Nobody waits longer for a channel that refuses everything: people have the conversation then, and the parts go on.
CHANNEL_PATIENCE_MS = 600_000
RETRY_AFTER_PATIENCE_MS = 300_000
# Repeated at once, in place, when the turn has time; everything else would meet the same wall.
_AT_ONCE = frozenset({SendFailure.TRANSIENT})
_SECONDS_FOR_A_SEND = 5.0
# A provider that hangs must leave time to write down that it did, and to tell people.
_SEND_SECONDS_MAX = 10.0
_SHARE_OF_WHAT_IS_LEFT = 0.8
_LEAST_SEND_SECONDS = 0.5
# An upload leaves time to write the part that holds it, and to send that.
_UPLOAD_SECONDS_MAX, _SECONDS_BEHIND_AN_UPLOAD = 12.0, 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SendReport:
    """How an answer's sending ended. `refused_for_good` is the failure that no later try can cure, `refused_for_long`
    one of the whole channel that has lasted; `given_up`: nobody ever said whether it arrived; `waits`: refused for now,
    the sweep tries again.
    """

    sent: int = 0
    refused_for_good: SendRefusedError | None = None
    refused_for_long: SendRefusedError | None = None
    given_up: bool = False
    waits: bool = False


def plan_parts(
    texts: Sequence[str],
    *,
    turn_id: str,
    recipient: Recipient,
    reply_to: str | None,
    now_ms: int,
    newest_inbound_ms: int,
    lease_until_ms: int,
    exempt: bool,
    unless_taken: bool = False,
    refused_since_ms: int | None = None,
    template: str | None = None,
    window_closes_ms: int | None = None,
) -> tuple[OutboundPart, ...]:
    """The outbox entries of one answer: the first already `sending`, since this process sends next; those behind it
    due to nobody until it is settled.

    `ms` is past the newest inbound's whole second, so that answers sort after questions. With a `template`, the texts
    only say what it stands for.
    """
    at_ms = max(now_ms, newest_inbound_ms + 999)
    return tuple(
        OutboundPart(
            sk=part_sk(at_ms, turn_id, number),
            turn=turn_id,
            number=number,
            text=text,
            recipient=recipient,
            state=PartState.SENDING if number == 1 else PartState.PENDING,
            attempt=1 if number == 1 else 0,
            created_at_ms=now_ms,
            lease_until_ms=lease_until_ms if number == 1 else None,
            due_ms=lease_until_ms if number == 1 else None,
            reply_to=reply_to if number == 1 else None,
            exempt=exempt,
            unless_taken=unless_taken,
            refused_since_ms=refused_since_ms,
            template=template,
            window_closes_ms=None if template else window_closes_ms,
        )
        for number, text in enumerate(texts, start=1)
    )


class OutboundService:
    """Owns the order send → outcome → next part; the store's conditions own the truth. `people`: whether anybody can
    take over what the channel refuses for long; `beside` runs what the turn does not wait for.
    """

    def __init__(
        self,
        *,
        store: ConversationStore,
        sender: MessageSender,
        clock: Clock,
        unknown_seconds: int = 120,
        people: bool = True,
        beside: Executor | None = None,
    ) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock
        self._unknown_ms = unknown_seconds * 1000
        self._people = people
        self._beside = beside

    def acknowledge(self, recipient: Recipient, provider_id: str) -> TypingSign:
        """Blue ticks and "typing…": a courtesy that never costs the turn anything. It opens the connection that the
        answer takes.
        """

        def show() -> None:
            try:
                self._sender.mark_read(recipient=recipient, provider_id=provider_id)
            except SendError as error:
                _log.info("mark_read_failed", extra={"code": error.code})

        return TypingSign(show, executor=self._beside)

    def upload(self, file: OutgoingFile, phone_number_id: str, deadline: Deadline) -> Media:
        """The channel has the file, and nobody was sent anything. Raises `SendError` or `FilesUnsupportedError`."""
        seconds = min(deadline.seconds_left() - _SECONDS_BEHIND_AN_UPLOAD, _UPLOAD_SECONDS_MAX)
        if seconds < _LEAST_SEND_SECONDS:
            raise SendRefusedError("no time is left to upload", failure=SendFailure.TRANSIENT)
        media_id = self._sender.upload(file, phone_number_id=phone_number_id, timeout_seconds=seconds)
        return Media(media_id=media_id, mime_type=file.mime_type, filename=file.filename)

    def send(self, conversation: str, parts: Sequence[OutboundPart], deadline: Deadline) -> SendReport:
        """Send committed parts in order; stop at the first that is not known to have left."""
        sent, waiting = 0, list(parts)
        while waiting:
            part = waiting.pop(0)
            outcome, refusal = self._try_part(conversation, part, deadline)
            goes_on = bool(waiting) and outcome.state is PartState.SENT
            start_next = self._claim_next(waiting[0], deadline) if goes_on else None
            left_behind = waiting[0].sk if waiting and start_next is None else None
            claimed = self._store.record_outcome(
                conversation,
                outcome,
                start_next=start_next,
                release=left_behind,
                release_due_ms=deadline.ends_at_ms + LEASE_MARGIN_MS,
            )
            sent += outcome.state is PartState.SENT
            if outcome.state is PartState.FAILED:
                return SendReport(sent=sent, refused_for_good=refusal)
            if self._lasts(part, outcome):
                return SendReport(sent=sent, refused_for_long=refusal)
            if outcome.state is PartState.PENDING:
                return SendReport(sent=sent, waits=True)
            if start_next is None or not claimed:
                break
            waiting[0] = start_next
        return SendReport(sent=sent)

    def _claim_next(self, part: OutboundPart, deadline: Deadline) -> OutboundPart:
        return being_sent(part, lease_until_ms=deadline.ends_at_ms + LEASE_MARGIN_MS)

    def _try_part(
        self, conversation: str, part: OutboundPart, deadline: Deadline
    ) -> tuple[PartOutcome, SendRefusedError | None]:
        try:
            return self._send_once(conversation, part, deadline), None
        except SendRefusedError as refusal:
            if refusal.failure not in _AT_ONCE or deadline.seconds_left() < 2 * _SECONDS_FOR_A_SEND:
                return self._outcome_of_refusal(part, refusal), refusal
        try:
            return self._send_once(conversation, part, deadline), None
        except SendRefusedError as refusal:
            return self._outcome_of_refusal(part, refusal), refusal

    def _send_once(self, conversation: str, part: OutboundPart, deadline: Deadline) -> PartOutcome:
        seconds = min(deadline.seconds_left() * _SHARE_OF_WHAT_IS_LEFT, _SEND_SECONDS_MAX)
        if seconds < _LEAST_SEND_SECONDS:
            _log.warning("send_left_to_the_sweep", extra={"conversation": conversation, "part": part.number})
            now_ms = self._clock.now_ms()
            return PartOutcome(sk=part.sk, attempt=part.attempt, state=PartState.PENDING, due_ms=now_ms)
        try:
            message = self._give_to_sender(conversation, part, seconds)
        except SendUncertainError as error:
            _log.warning("send_unknown", extra={"conversation": conversation, "part": part.number, "code": error.code})
            due_ms = self._clock.now_ms() + self._unknown_ms
            return PartOutcome(sk=part.sk, attempt=part.attempt, state=PartState.UNKNOWN, due_ms=due_ms)
        _log.info("part_sent", extra={"conversation": conversation, "part": part.number})
        return PartOutcome(sk=part.sk, attempt=part.attempt, state=PartState.SENT, provider_id=message.provider_id)

    def _give_to_sender(self, conversation: str, part: OutboundPart, seconds: float) -> SentMessage:
        callback = callback_of(conversation, part)
        if part.template:
            return self._sender.send_template(
                recipient=part.recipient, template=part.template, callback=callback, timeout_seconds=seconds
            )
        if part.window_closes_ms is not None and self._clock.now_ms() >= part.window_closes_ms:
            raise SendRefusedError("the 24 h window is over", failure=SendFailure.WINDOW_OVER)
        if part.media:
            return self._sender.send_media(
                recipient=part.recipient,
                media=part.media,
                caption=part.text,
                callback=callback,
                timeout_seconds=seconds,
            )
        return self._sender.send_text(
            recipient=part.recipient,
            text=part.text,
            callback=callback,
            reply_to=part.reply_to,
            timeout_seconds=seconds,
        )

    def _lasts(self, part: OutboundPart, outcome: PartOutcome) -> bool:
        """Whether people are to be asked now: the channel has refused an answer for long that nobody knows of yet."""
        since_ms, asked = outcome.refused_since_ms, part.exempt or part.unless_taken
        if since_ms is None or asked or not self._people:
            return False
        return self._clock.now_ms() - since_ms >= CHANNEL_PATIENCE_MS

    def _outcome_of_refusal(self, part: OutboundPart, refusal: SendRefusedError) -> PartOutcome:
        wait_ms = RETRY_AFTER_MS[refusal.failure]
        event = "send_failed" if wait_ms is None else "send_refused"
        if refusal.failure in CHANNEL_REFUSALS:
            event = "channel_refused"
        level = logging.ERROR if refusal.failure is not SendFailure.THROTTLED else logging.WARNING
        _log.log(level, event, extra={"failure": refusal.failure.value, "code": refusal.code, "part": part.number})
        if wait_ms is None:
            return PartOutcome(
                sk=part.sk,
                attempt=part.attempt,
                state=PartState.FAILED,
                error_code=refusal.code,
                failure=refusal.failure,
            )
        since_ms = None
        if refusal.failure in CHANNEL_REFUSALS:
            since_ms, wait_ms = self._in_patience(part, wait_ms)
        return PartOutcome(
            sk=part.sk,
            attempt=part.attempt,
            state=PartState.PENDING,
            error_code=refusal.code,
            failure=refusal.failure,
            due_ms=self._clock.now_ms() + wait_ms,
            refused_since_ms=since_ms,
        )

    def _in_patience(self, part: OutboundPart, wait_ms: int) -> tuple[int, int]:
        """Since when the channel refuses the answer, and how long it waits: people are asked in time, not oftener."""
        now_ms = self._clock.now_ms()
        since_ms = now_ms if part.refused_since_ms is None else part.refused_since_ms
        left_ms = since_ms + CHANNEL_PATIENCE_MS - now_ms
        return since_ms, min(wait_ms, left_ms) if left_ms > 0 else max(wait_ms, RETRY_AFTER_PATIENCE_MS)
