"""What the steps need from outside, each with its failure contract. Adapters and fakes keep both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.domain.actions import Agent
from core.domain.agent_call import AgentAnswer, AgentRequest
from core.domain.conversation import (
    AuditEntry,
    ConversationState,
    Effect,
    Erasure,
    Head,
    IdentityLink,
    InboundRecord,
    LogEntry,
    PeopleWrite,
    QueueEntry,
    Seizure,
    Snapshot,
    TurnCommit,
)
from core.domain.delivery import DeliveryStatus, OutboundPart, PartOutcome, Recipient
from core.domain.ledger import TurnRecord
from core.domain.llm import CallPurpose, LLMCallResult, ModelRequest, ModelRoute
from core.domain.media import MediaFile
from core.domain.messages import InboundPointer, Media
from core.domain.outgoing_file import OutgoingFile
from core.domain.quote import Quote
from core.domain.salvage import Salvage
from core.domain.spending import Spend

# What one transaction of the table holds beside HEAD and an alias.
BURST_MAX = 98


class Clock(Protocol):
    """Milliseconds since the epoch. Never fails."""

    def now_ms(self) -> int: ...


class LLMClient(Protocol):
    """One model call, transport retries and further providers included (document 002, docs/providers.md).

    `route` is who is asked, in order, and begins with `model`; empty, it is `model` of the first provider alone.
    Raises `LLMTimeoutError` or `LLMProviderError` with every attempt, never anything else. `timeout_seconds` bounds the
    whole call, all attempts included; it returns or raises by then even when the server drips bytes.
    """

    def chat(
        self,
        *,
        model: str,
        messages: Sequence[dict[str, Any]],
        timeout_seconds: float | None = None,
        purpose: CallPurpose = CallPurpose.AGENT,
        cache_key: str | None = None,
        safety_identifier: str | None = None,
        output_schema: Mapping[str, Any] | None = None,
        route: ModelRoute = (),
    ) -> LLMCallResult: ...


class ModelKey(Protocol):
    """What a provider's requests are signed with, and how it is read again."""

    @property
    def current(self) -> str: ...

    def replaced(self, refused: str) -> bool:
        """Whether requests are now signed with another key than the one that the provider refused."""
        ...


class ModelEndpoint(Protocol):
    """One provider. `title` is its name in messages of errors.

    `attempt` makes exactly one request and raises `ModelAttemptError`, never anything else. It hands `seconds` to its
    transport, whose limits are per phase: whoever must have an answer in time abandons the call.
    """

    @property
    def title(self) -> str: ...

    @property
    def key(self) -> ModelKey: ...

    def attempt(self, request: ModelRequest, seconds: float) -> LLMCallResult: ...


class AgentInvoker(Protocol):
    """Assembles the prompt, chooses the model and calls it. Raises what `LLMClient` raises."""

    def invoke(self, request: AgentRequest, *, timeout_seconds: float) -> AgentAnswer: ...

    def requested_model(self, agent: Agent) -> str: ...


class ConversationStore(Protocol):
    """The table (docs/turn.md). Every method is one request, but for the retries that it names.

    Raises `IntegrationError` when the table cannot be reached or refuses for good.
    """

    def read(self, conversation: str, *, ensure: str | None = None) -> Snapshot:
        """One consistent query; an unknown conversation is an empty snapshot, never an error.

        `ensure` (a message's sk) and every pending sk are fetched by one batch get when beyond the page. Raises
        `UnreadableItemError` where HEAD, STATE or one of those messages cannot be read; any other one is left out.
        """
        ...

    def salvage(self, conversation: str, *, ensure: str | None = None) -> Salvage:
        """What can still be known of a conversation that `read` cannot read, by one query, and one batch get where the
        part `ensure` is beyond its page. Never unreadable itself.
        """
        ...

    def seize(self, seizure: Seizure) -> bool:
        """One transaction, whatever HEAD holds. False when this turn was written before."""
        ...

    def record(self, inbound: InboundRecord, *, also: str | None = None) -> InboundPointer:
        """Idempotent: a known message changes nothing, one without a time by `known_as`. Kinds that open no turn are
        put and not made pending.

        Returns where it was recorded (the conversation may have moved). `also` is the id that the sender's phone gives
        where `inbound` carries the BSUID's: seen together for the first time, the phone's id becomes an alias in the
        same request. Raises `SplitIdentityError`, with nothing recorded, when the phone's id already leads elsewhere.
        """
        ...

    def record_burst(self, inbounds: Sequence[InboundRecord], *, also: str | None = None) -> Sequence[InboundPointer]:
        """At most `BURST_MAX` messages of one conversation that all open a turn, by one request: no turn sees a part of
        them. Idempotent, and follows a conversation that moved, as `record`, which also says what it raises.

        Empty, with nothing recorded, for more of them, for those that are too large together, and where one has no
        time or stands among them twice: each is then to be recorded alone.
        """
        ...

    def interject(self, inbound: InboundRecord, *, seen: Head, head: Head, state: ConversationState) -> bool:
        """The business speaks: its message, HEAD and STATE in one transaction. A known message changes nothing.

        False when HEAD is not as seen.
        """
        ...

    def link(self, link: IdentityLink) -> None:
        """Two ids are one conversation. Raises `OvertakenError` when one of the heads moved since it was seen."""
        ...

    def copy_log(self, source: str, target: str) -> None:
        """Messages of a conversation that moves, under its new id, as often as one likes. What is not yet sent stays
        where its outbox looks for it.
        """
        ...

    def forget_moved(self, source: str) -> None:
        """Deletes what a conversation that moved left behind of its customer: messages that came in, which were copied,
        and STATE, which was merged. Parts stay: statuses and the outbox look for them there. Nothing where it did not
        move.
        """
        ...

    def commit(self, commit: TurnCommit) -> None:
        """All or nothing; a transaction conflict is retried inside.

        Raises `NewcomerError`, `TakeoverError` or `OvertakenError`.
        """
        ...

    def note_failure(self, conversation: str, *, kind: str) -> None:
        """A turn of what is pending failed: counted on HEAD whoever else writes, and where the conversation went if it
        moved. Nothing pending: nothing changes.
        """
        ...

    def add_spent(self, conversation: str, spent: Spend) -> None:
        """What was paid for after or without a commit; nothing where nobody knows the conversation."""
        ...

    def append_turn(self, conversation: str, turn: TurnRecord) -> None:
        """A TURN item alone: what was paid for by a run that another worker's commit made useless."""
        ...

    def record_outcome(
        self,
        conversation: str,
        outcome: PartOutcome,
        *,
        start_next: OutboundPart | None = None,
        release: str | None = None,
        release_due_ms: int = 0,
    ) -> bool:
        """Writes what a send brought and claims the next part in the same transaction.

        `start_next` is the part as it shall stand (state `sending`, attempt and lease set); unless `exempt`, it is
        claimed only while the mode is still `bot`. False when the next part was not claimed (taken over: it is then
        cancelled; cancelled, already claimed); the outcome is written all the same. `release` is the part behind, if
        nobody takes it along: once this one is settled, it is the sweep's from `release_due_ms` on. An outcome that
        comes after a status or another attempt changes nothing and raises nothing.
        """
        ...

    def claim_part(
        self, conversation: str, part: OutboundPart, *, seen_attempt: int, behind: Sequence[str] = ()
    ) -> bool:
        """Take a part that is due (sweep): to `sending` at `seen_attempt + 1`. False when somebody else did.

        Unless `exempt`, only while no person has taken over and its turn is the last: else it is cancelled, or, when it
        may have arrived, no longer due; and with it those `behind`, which have no due time of their own.
        """
        ...

    def rest_part(self, conversation: str, part: OutboundPart) -> None:
        """A part that a status settled, and behind which nothing waits: no longer due."""
        ...

    def postpone(self, pointer: InboundPointer, *, now_ms: int, due_ms: int | None) -> None:
        """An item that is due by `now_ms`, whatever it holds, is due at `due_ms` instead, or no more. One that
        somebody else has given a later time since, or that is gone, stays as it is.
        """
        ...

    def apply_status(self, status: DeliveryStatus, *, conversation: str, sk: str, attempt: int) -> bool:
        """A status webhook, at the door: rank only rises, `failed` is terminal. False when nothing changed."""
        ...

    def read_effect(self, conversation: str, sk: str) -> Effect | None:
        """One consistent get; None for an effect that is not there (any more)."""
        ...

    def update_effect(self, conversation: str, effect: Effect) -> None:
        """Writes an effect's new state and payload, by its key."""
        ...

    def update_head(self, conversation: str, *, seen: Head, head: Head) -> bool:
        """Mode changes that are no turn (hand-back, acknowledgement). False when `ver` moved."""
        ...

    def due(self, *, now_ms: int, limit: int = 10_000) -> Sequence[InboundPointer]:
        """Keys of whatever is due by now, oldest first. A hint: the base table's conditions decide."""
        ...


class AttendedStore(ConversationStore, Protocol):
    """The same table, as those who attend read and write it (docs/attendants.md)."""

    def attend(self, write: PeopleWrite) -> bool:
        """One transaction. False, with nothing written, where this reply is written already.

        Raises what `commit` raises, but for newcomers: a message that comes meanwhile stays pending.
        """
        ...

    def note_audit(self, conversation: str, entry: AuditEntry) -> None:
        """What an attendant did that changes nothing else."""
        ...

    def people_queue(self, *, limit: int, after: tuple[int, str] | None = None) -> Sequence[QueueEntry]:
        """Conversations that people have, who waits longest first: those behind `after`, a time and a conversation.
        What the index holds of each; it lags.
        """
        ...

    def log_page(
        self, conversation: str, *, before: str | None = None, after: str | None = None, limit: int
    ) -> Sequence[LogEntry]:
        """Messages in the order of their keys: the newest ones below `before`, or the oldest above `after`. Those that
        cannot be read are left out.
        """
        ...

    def turns_page(self, conversation: str, *, before: str | None = None, limit: int) -> Sequence[TurnRecord]:
        """Turns, newest first."""
        ...

    def holdings(self, conversation: str, *, after: str | None = None, limit: int) -> Sequence[Mapping[str, Any]]:
        """Everything that is held under an id, as the table holds it, by keys."""
        ...

    def entomb(self, erasure: Erasure) -> bool:
        """One transaction. False, with nothing done, when HEAD is not as seen."""
        ...

    def erase(self, conversation: str, sks: Sequence[str]) -> None:
        """Deletes items, as often as one likes."""
        ...

    def bury(self, alias: str, target: str) -> None:
        """An id that leads to `target` keeps nothing but that. Nothing where it leads elsewhere."""
        ...

    def audit_page(self, conversation: str, *, limit: int) -> Sequence[AuditEntry]:
        """The newest things that attendants did, oldest first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMessage:
    """The provider took the message; `provider_id` is what its statuses will carry."""

    provider_id: str


class MessageSender(Protocol):
    """Sends one message. Raises `SendRefusedError` (sure not to have arrived, with its class) or `SendUncertainError`.

    `callback` (at most 512 characters) comes back in statuses.
    """

    def send_text(
        self,
        *,
        recipient: Recipient,
        text: str,
        callback: str,
        reply_to: str | None = None,
        timeout_seconds: float | None = None,
    ) -> SentMessage: ...

    def send_template(
        self, *, recipient: Recipient, template: str, callback: str, timeout_seconds: float | None = None
    ) -> SentMessage:
        """An approved template without parameters, `name` or `name:language`; raises what `send_text` raises."""
        ...

    def upload(self, file: OutgoingFile, *, phone_number_id: str, timeout_seconds: float) -> str:
        """Gives the channel a file that messages of this number may hold; its media id. Nobody is sent anything by it.
        Raises what `send_text` raises, or `FilesUnsupportedError`.
        """
        ...

    def send_media(
        self,
        *,
        recipient: Recipient,
        media: Media,
        caption: str,
        callback: str,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        """A file that was uploaded, as `media.kind`, with its caption, "" for none; raises what `send_text` raises."""
        ...

    def mark_read(self, *, recipient: Recipient, provider_id: str, typing: bool = True) -> None:
        """Blue ticks and the typing indicator. A courtesy: raises nothing but `SendError`, which callers log."""
        ...


class MessageFormatter(Protocol):
    """Markdown in, the channel's parts out: none over the channel's limit, at most three. Never raises."""

    def parts(self, text: str) -> tuple[str, ...]: ...


class MediaFetcher(Protocol):
    """Fetches a file that a customer sent. Raises `MediaError`; the bytes are never logged nor stored."""

    def fetch(self, media_id: str, *, phone_number_id: str, max_bytes: int, timeout_seconds: float) -> MediaFile: ...


class Transcriber(Protocol):
    """The words of a recording, by one call of `model`. Raises what `LLMClient` raises, within `timeout_seconds`."""

    @property
    def model(self) -> str: ...

    def transcribe(self, file: MediaFile, *, timeout_seconds: float) -> LLMCallResult: ...


class SpendCounter(Protocol):
    """What all conversations cost, by hours since the epoch, in millionths of a dollar. Raises `IntegrationError`."""

    def add(self, hour: int, micro_usd: int) -> None: ...

    def total(self, hour: int) -> int: ...


class InboundQueue(Protocol):
    """Puts pointers on the queue, in order. Returns those that were not taken (a partial failure is no exception)."""

    def enqueue(self, pointers: Sequence[InboundPointer]) -> Sequence[InboundPointer]: ...


class RecordRetries(Protocol):
    """Asks for a failed record again. Raises nothing: refused, it comes after the queue's own wait."""

    def retry_in(self, receipt_handle: str, *, seconds: int) -> None: ...


class HandoffNotifier(Protocol):
    """Tells people that a conversation waits. Raises `IntegrationError`; the effect then stays due."""

    def notify(self, *, conversation: str, reason: str, payload: Mapping[str, Any]) -> None: ...


class Erp(Protocol):
    """The company's ERP (docs/egestor.md). Both find what is there before they make it, and so may be asked again.

    Raise `ErpError`, never anything else, and return by `timeout_seconds`.
    """

    def contact(self, quote: Quote, *, timeout_seconds: float, anew: bool = False) -> int:
        """The customer's code; `anew` makes one without looking, since the one that was found is deleted."""
        ...

    def quote(self, quote: Quote, contact: int, *, timeout_seconds: float) -> int:
        """The quote's number. `ErpError.gone`: the contact is deleted there."""
        ...
