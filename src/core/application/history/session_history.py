"""What a turn answers and what its agent is told: pending messages, this session's history, the customer's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

from core.application.history.effective_log import spoken_kind
from core.domain.agent_call import HistoryLine
from core.domain.conversation import ConversationState, InboundRecord, LogEntry, Snapshot
from core.domain.delivery import OutboundPart, PartState
from core.domain.messages import SILENT_KINDS, InboundMessage, MessageKind
from core.domain.record_keys import ms_of

# What never reached the customer is no part of the conversation.
_UNSAID = frozenset({PartState.FAILED, PartState.CANCELLED})

# Nobody knows yet whether it arrived, and once this turn answers it is never sent again.
_DOUBTFUL = frozenset({PartState.SENDING, PartState.UNKNOWN})
_DOUBT_NOTE = "não se sabe se o cliente recebeu esta sua resposta; se ela ainda importar, diga-a de novo: {text}"
_TEMPLATE_NOTE = "passou do prazo para responder por texto; só a mensagem modelo foi enviada ao cliente"
_PEOPLE_CAME = "uma pessoa da equipe assumiu a conversa"
_BACK_TO_YOU = "a conversa voltou para você, assistente: continue de onde a pessoa parou"
_AGREED = "o que a pessoa da equipe deixou combinado: {text}"
_NOBODY_CAME = "a conversa ficou esperando uma pessoa da equipe, e ninguém respondeu"
_GO_ON = "continue você o atendimento, sem anunciar a troca"
_QUOTE_CHARACTERS = 160
_HEARD = "[o cliente enviou um áudio, transcrito a seguir]"
AGENT_TEXT_MAX_CHARS = 8_000
PENDING_TEXT_MAX_CHARS = 2 * AGENT_TEXT_MAX_CHARS
_LEFT_OUT = "[antes destas, o cliente enviou mais mensagens, que não couberam aqui: {count}]"

_PLACEHOLDERS = {
    MessageKind.IMAGE: "[o cliente enviou uma imagem]",
    MessageKind.VIDEO: "[o cliente enviou um vídeo]",
    MessageKind.AUDIO: "[o cliente enviou um áudio]",
    MessageKind.DOCUMENT: "[o cliente enviou um documento{name}]",
    MessageKind.STICKER: "[o cliente enviou uma figurinha]",
    MessageKind.LOCATION: "[o cliente enviou uma localização]",
    MessageKind.CONTACTS: "[o cliente enviou um contato]",
    MessageKind.ORDER: "[o cliente enviou um pedido]",
}


def pending_inbounds(snapshot: Snapshot) -> tuple[InboundRecord, ...]:
    """What this turn answers, in the order in which the customer wrote it: provider time, then record order."""
    found = [e for e in snapshot.log if isinstance(e, InboundRecord) and e.sk in snapshot.head.pending]
    return tuple(sorted(found, key=lambda e: (e.message.sent_at_ms, e.received_at_ms, e.sk)))


def customer_text(message: InboundMessage, quotable: Mapping[str, str] = MappingProxyType({})) -> str:
    """The words of one message, with placeholders that say what else arrived, and what it replies to.

    `quotable` are texts of the log by the provider's id.
    """
    lines = [_placeholder(message.kind, message), _cut(message.text.strip())]
    if quoted := quotable.get(message.quoted_id or ""):
        lines.insert(0, f"[em resposta a: {quoted}]")
    if message.referral:
        lines.insert(0, f"[veio de um anúncio: {message.referral}]")
    return "\n".join(line for line in lines if line)


def quotable_texts(snapshot: Snapshot) -> Mapping[str, str]:
    """What a reply may quote, ours or theirs, each cut to a line."""
    found = {part.provider_id: part.text for part in snapshot.parts if part.provider_id}
    found |= {entry.message.provider_id: entry.message.text for entry in snapshot.inbounds if entry.message.text}
    return {name: _one_line(text) for name, text in found.items()}


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTE_CHARACTERS else f"{line[:_QUOTE_CHARACTERS].rsplit(maxsplit=1)[0]} …"


def wordless_referrals(snapshot: Snapshot) -> tuple[str, ...]:
    """Ads that were clicked without a word since we last spoke: the next agent sees where the customer is from."""
    spoke_ms = max((ms_of(part.sk) for part in snapshot.parts), default=0)
    clicks = (entry.message for entry in snapshot.inbounds if ms_of(entry.sk) > spoke_ms)
    return tuple(f"[veio de um anúncio: {each.referral}]" for each in clicks if each.referral and not each.opens_turn)


def _cut(text: str) -> str:
    """What fits a prompt: WhatsApp's own texts are far shorter, and a longer one would be paid for in every turn."""
    if len(text) <= AGENT_TEXT_MAX_CHARS:
        return text
    kept = text[:AGENT_TEXT_MAX_CHARS].rsplit(maxsplit=1)[0]
    return f"{kept} [mensagem longa, cortada aqui]"


def business_text(message: InboundMessage) -> str:
    """The same for what a person of the business sent from its own phone; "" for what only marks another message."""
    kind = spoken_kind(message)
    if kind in SILENT_KINDS and kind not in (MessageKind.UNSUPPORTED, MessageKind.UNKNOWN):
        return ""
    placeholder = _placeholder(kind, message).replace("o cliente", "a equipe")
    return "\n".join(line for line in (placeholder, message.text.strip()) if line)


def _placeholder(kind: MessageKind, message: InboundMessage) -> str:
    name = message.media.filename if message.media and message.media.filename else ""
    if kind is MessageKind.AUDIO and message.text.strip():
        return _HEARD
    return _PLACEHOLDERS.get(kind, "").replace("{name}", f": {name}" if name else "")


def joined_text(snapshot: Snapshot, inbounds: Iterable[InboundRecord]) -> str:
    """Fragments of a burst as one user message, after the ads that led to them: the newest that fit, and how many did
    not, which stay in the log. The newest alone always fits.
    """
    quotable = quotable_texts(snapshot)
    said = (customer_text(entry.message, quotable) for entry in inbounds)
    lines = [text for text in said if text]
    return "\n".join([*wordless_referrals(snapshot), *_newest_that_fit(lines)]) if lines else ""


def _newest_that_fit(lines: Sequence[str]) -> Sequence[str]:
    sizes = accumulate(len(line) for line in reversed(lines))
    kept = max(1, sum(size <= PENDING_TEXT_MAX_CHARS for size in sizes))
    left_out = len(lines) - kept
    return [_LEFT_OUT.format(count=left_out), *lines[left_out:]] if left_out > 0 else lines


def typed_text(inbounds: Iterable[InboundRecord]) -> str:
    """Only what the customer wrote: what the guard judges and identifiers are looked up in."""
    return "\n".join(text for entry in inbounds if (text := entry.message.text.strip()))


def session_history(
    snapshot: Snapshot, state: ConversationState, *, session_start_ms: int, limit: int
) -> tuple[HistoryLine, ...]:
    """This session's lines before the pending ones, oldest first, with the human stretch marked."""
    quotable = quotable_texts(snapshot)
    lines = [
        (_entry_ms(entry), line)
        for entry in sorted(snapshot.log, key=_said)
        if _entry_ms(entry) >= session_start_ms and _not_pending(entry, snapshot) and (line := _line(entry, quotable))
    ]
    lines += _human_stretch(lines, state)
    lines.sort(key=lambda pair: pair[0])
    return tuple(line for _, line in lines[-limit:])


def written_text(snapshot: Snapshot, *, session_start_ms: int) -> str:
    """All that the customer wrote in this session, pending included: identifiers must occur in it."""
    return typed_text(e for e in snapshot.log if isinstance(e, InboundRecord) and _entry_ms(e) >= session_start_ms)


def _human_stretch(lines: Sequence[tuple[int, HistoryLine]], state: ConversationState) -> list[tuple[int, HistoryLine]]:
    """Where people had the conversation; where nobody wrote in it, that it only waited."""
    since, until = state.human_since_ms, state.human_until_ms
    if since is None:
        return []
    somebody = any(line.role == "human" and since <= ms and (until is None or ms <= until) for ms, line in lines)
    notes = [(since, HistoryLine(role="note", text=_PEOPLE_CAME if somebody else _NOBODY_CAME))]
    if state.agreed:
        notes.append((until or since, HistoryLine(role="note", text=_AGREED.format(text=state.agreed))))
    if until is not None or not somebody:
        notes.append((until or since, HistoryLine(role="note", text=_BACK_TO_YOU if somebody else _GO_ON)))
    return notes


def _line(entry: LogEntry, quotable: Mapping[str, str]) -> HistoryLine | None:
    if isinstance(entry, OutboundPart):
        return _of_ours(entry)
    if entry.message.kind is MessageKind.ECHO:
        role, text = "human", business_text(entry.message)
    else:
        role, text = "user", "" if entry.message.kind in SILENT_KINDS else customer_text(entry.message, quotable)
    return HistoryLine(role=role, text=text) if text else None


def _of_ours(part: OutboundPart) -> HistoryLine | None:
    """What the customer read of us, may have read, or did not: a part that waits is cancelled by this very turn."""
    if part.state in _UNSAID or (part.state is PartState.PENDING and not part.exempt):
        return None
    if part.author is not None:
        return HistoryLine(role="human", text=_of_attendant(part))
    if part.template:
        return HistoryLine(role="note", text=_TEMPLATE_NOTE)
    if part.state in _DOUBTFUL:
        return HistoryLine(role="note", text=_DOUBT_NOTE.format(text=part.text))
    return HistoryLine(role="assistant", text=part.text)


def _of_attendant(part: OutboundPart) -> str:
    name = f": {part.media.filename}" if part.media and part.media.filename else ""
    file = f"[a equipe enviou um arquivo{name}]" if part.media else ""
    return "\n".join(line for line in (file, part.text.strip()) if line)


def _not_pending(entry: LogEntry, snapshot: Snapshot) -> bool:
    return entry.sk not in snapshot.head.pending


def _entry_ms(entry: LogEntry) -> int:
    return ms_of(entry.sk)


def _said(entry: LogEntry) -> tuple[int, int]:
    """The provider's time has whole seconds: within one, the order in which messages were recorded."""
    return _entry_ms(entry), entry.received_at_ms if isinstance(entry, InboundRecord) else entry.created_at_ms
