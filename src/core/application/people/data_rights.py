"""What is held of one person: found, handed out, erased (docs/lgpd.md)."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.application.ports import AttendedStore, Clock
from core.domain import head_transitions as transitions
from core.domain.attendant import Attendant, Refusal
from core.domain.conversation import AuditEntry, Effect, EffectKind, EffectState, Erasure, Head
from core.domain.errors import AttendanceRefusedError, IntegrationError
from core.domain.record_keys import (
    EFFECTS,
    HEAD,
    STATE,
    audit_sk,
    dated_ms,
    erase_job_sk,
    is_audit,
    is_effect,
    is_erasable,
    is_message,
    is_part,
    is_turn,
    ms_of,
)

_log = logging.getLogger(__name__)

_PAGE = 200
_MOST_HOPS = 8
# What its own process did not erase is the sweep's after this long.
_JOB_GRACE_MS = 60_000
# A provider's clock may be ahead of ours, and no new message may be lost for it.
_AHEAD_MS = 60_000
_UNREADABLE_VER = -1
# Longer than any function runs: what one of them was writing as the erasure began is there by then.
_LAST_LOOK_MS = 900_000
_WRITTEN = ("created_at_ms", "received_at_ms", "started_at_ms", "at_ms")
_ERP_NUMBERS = (("number", "orçamento"), ("contact", "contato"))
# Where an erasure of ours does not reach.
ELSEWHERE = (
    "cópias de segurança da tabela (point-in-time recovery): somem sozinhas em até 35 dias",
    "filas: ponteiros sem texto nem telefone, até 14 dias",
    "logs: só o código da conversa, pelo prazo deles",
    "provedor do modelo: o que já foi enviado segue o contrato com ele",
    "o aplicativo do WhatsApp Business e a Meta: apagar lá",
    "CRM, ERP, exportações e planilhas em que alguém da equipe pôs os dados: apagar lá",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """How many items of a kind are held under an id."""

    id: str
    kind: str
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a person's conversation is now, every id that leads to it, and what is held under each."""

    id: str
    revision: str
    ids: tuple[str, ...]
    holdings: tuple[Holding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was erased where, what could not be, and what is to be erased elsewhere. It names nobody."""

    id: str
    erased_at_ms: int
    erased: tuple[Holding, ...]
    failed: tuple[str, ...]
    elsewhere: tuple[str, ...]
    done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRights:
    """Raises `AttendanceRefusedError` for a conversation that nobody knows, or that moved on."""

    store: AttendedStore
    clock: Clock

    def found(self, conversation: str) -> Found:
        """What is held, counted."""
        home, head = self._home(conversation)
        ids = self._ids(conversation, home, head)
        counts: Counter[tuple[str, str]] = Counter()
        for name in ids:
            for item in self._items(name):
                counts[name, kind_of(str(item["sk"]))] += 1
        holdings = tuple(Holding(id=name, kind=kind, items=n) for (name, kind), n in counts.items())
        return Found(id=home, revision=revision_of(head), ids=ids, holdings=holdings)

    def document(self, conversation: str, attendant: Attendant) -> Iterator[str]:
        """Everything, as the table holds it, and that it was handed out: pieces of one JSON document, of which no more
        than a page of items is in memory at once.
        """
        home, head = self._home(conversation)
        ids = self._ids(conversation, home, head)
        now_ms = self.clock.now_ms()
        self.store.note_audit(home, _audit(attendant, "export", now_ms))
        _log.warning("data_exported", extra={"conversation": home, "ids": len(ids)})
        begins = json.dumps({"id": home, "ids": ids, "exported_at_ms": now_ms})
        yield begins[:-1] + ', "items": ['
        comma = ""
        for item in (item for name in ids for item in self._items(name)):
            shown = {name: _plain(value) for name, value in item.items()}
            yield f"{comma}\n{json.dumps(shown, ensure_ascii=False)}"
            comma = ","
        yield "\n]}\n"

    def erase(self, conversation: str, attendant: Attendant, *, revision: str) -> Receipt:
        """From now on nothing older is held or taken. `revision` is what the asker saw; `MOVED` when it is another."""
        home, head = self._home(conversation)
        now_ms = self.clock.now_ms()
        at_ms = self._cut_ms(home, now_ms)
        ids = self._ids(conversation, home, head)
        job = Effect(
            sk=erase_job_sk(),
            turn="erase",
            kind=EffectKind.ERASE,
            state=EffectState.PENDING,
            created_at_ms=at_ms,
            payload={"ids": list(ids), "elsewhere": [line for name in ids for line in self._made_elsewhere(name)]},
            due_ms=now_ms + _JOB_GRACE_MS,
        )
        erasure = Erasure(
            conversation=home,
            seen=None if head.ver == _UNREADABLE_VER else head,
            head=transitions.entombed(head, now_ms=at_ms),
            job=job,
            audit=_audit(attendant, "erase", at_ms),
        )
        if revision != revision_of(head) or not self.store.entomb(erasure):
            raise AttendanceRefusedError(Refusal.MOVED)
        _log.warning("erasure_begun", extra={"conversation": home})
        return self.go_on(home, job)

    def go_on(self, conversation: str, job: Effect) -> Receipt:
        """Erase what is left, as often as one likes; what fails stays due, and is named."""
        erased: Counter[tuple[str, str]] = Counter()
        failed: list[str] = []
        for name in (str(each) for each in job.payload.get("ids", ())):
            try:
                self._erase_all(name, job.created_at_ms, erased, home=name == conversation)
                if name != conversation:
                    self.store.bury(name, conversation)
            except IntegrationError as error:
                failed.append(name)
                _log.error("erasure_failed", extra={"conversation": name, "error": type(error).__name__})
        before = Counter({(str(h["id"]), str(h["kind"])): int(h["items"]) for h in job.payload.get("erased", ())})
        total = before + erased
        holdings = tuple(Holding(id=name, kind=kind, items=n) for (name, kind), n in sorted(total.items()))
        self._settle(conversation, job, holdings, failed)
        return Receipt(
            id=conversation,
            erased_at_ms=job.created_at_ms,
            erased=holdings,
            failed=tuple(failed),
            elsewhere=(*(str(each) for each in job.payload.get("elsewhere", ())), *ELSEWHERE),
            done=not failed,
        )

    def finish(self, conversation: str) -> bool:
        """The sweep's part: whether nothing is left of a job that was due."""
        job = self.store.read_effect(conversation, erase_job_sk())
        return job is None or job.due_ms is None or self.go_on(conversation, job).done

    def _settle(self, conversation: str, job: Effect, holdings: tuple[Holding, ...], failed: list[str]) -> None:
        """Once all is gone somebody looks a last time, later: a merge may have been copying."""
        again = not failed and not job.payload.get("looked")
        told = {
            **job.payload,
            "erased": [{"id": h.id, "kind": h.kind, "items": h.items} for h in holdings],
            "looked": not failed,
        }
        state, due_ms = EffectState.DONE, None
        if failed or again:
            state = EffectState.FAILED if failed else EffectState.PENDING
            due_ms = self.clock.now_ms() + (_JOB_GRACE_MS if failed else _LAST_LOOK_MS)
        else:
            told.pop("elsewhere", None)  # told by the receipt; the proof needs no number of another system's
        try:
            self.store.update_effect(conversation, replace(job, payload=told, state=state, due_ms=due_ms))
        except IntegrationError as error:
            _log.error("erasure_failed", extra={"conversation": conversation, "error": type(error).__name__})
            return
        if not failed and not again:
            _log.warning("erasure_done", extra={"conversation": conversation})

    def _erase_all(self, name: str, erased_at_ms: int, erased: Counter[tuple[str, str]], *, home: bool) -> None:
        after: str | None = None
        while page := self.store.holdings(name, after=after, limit=_PAGE):
            after = str(page[-1]["sk"])
            gone = [str(item["sk"]) for item in page if _goes(item, erased_at_ms, whole=not home)]
            self.store.erase(name, gone)
            erased.update((name, kind_of(sk)) for sk in gone)

    def _items(self, name: str) -> Iterator[Mapping[str, Any]]:
        after: str | None = None
        while page := self.store.holdings(name, after=after, limit=_PAGE):
            yield from page
            after = str(page[-1]["sk"])

    def _made_elsewhere(self, name: str) -> Iterator[str]:
        """What was made of the customer's in the ERP, by its numbers there."""
        after = EFFECTS
        while page := self.store.holdings(name, after=after, limit=_PAGE):
            for item in page:
                payload = item.get("payload")
                if item.get("kind") == EffectKind.QUOTE.value and isinstance(payload, Mapping):
                    named = [f"{what} {payload[key]}" for key, what in _ERP_NUMBERS if type(payload.get(key)) is int]
                    if named:
                        yield f"eGestor: {' e '.join(named)}: apagar lá"
            after = str(page[-1]["sk"])
            if not is_effect(after):
                return

    def _ids(self, asked: str, home: str, head: Head) -> tuple[str, ...]:
        """Every id whose items are this person's. HEAD also notes ids that are another person's, or became so: those
        lead elsewhere, or have a conversation of their own, and nothing of it is touched. What still stands under one
        that became another's is of whose it was.
        """
        theirs, away, unknown = {home: head}, dict[str, Head](), [asked, *head.aliases]
        while unknown:
            for name in dict.fromkeys(unknown):
                if name not in theirs and name not in away and (found := self.store.salvage(name).head) is not None:
                    away[name] = found
            joined = {name: each for name, each in away.items() if not each.exists or _led_to(each) in theirs}
            theirs |= joined
            away = {name: each for name, each in away.items() if name not in joined}
            # another may lead here over one that was found only now
            unknown = [alias for each in joined.values() if each.formerly is None for alias in each.aliases]
            unknown += [name for name, each in away.items() if joined and _led_to(each) in theirs]
        return tuple(theirs)

    def _cut_ms(self, home: str, now_ms: int) -> int:
        """Everything that stands in the log is before it, though its writer's clock be ahead of ours."""
        salvage = self.store.salvage(home)
        times = [ms_of(part.sk) for part in salvage.parts] + ([salvage.last.sent_at_ms] if salvage.last else [])
        return max(now_ms, min(max(times, default=0), now_ms + _AHEAD_MS))

    def _home(self, conversation: str) -> tuple[str, Head]:
        """Of a conversation that nobody can read, too: its HEAD then says nothing but the other ids."""
        for _ in range(_MOST_HOPS):
            salvage = self.store.salvage(conversation)
            head = salvage.head
            if head is None:
                return conversation, Head(ver=_UNREADABLE_VER, aliases=dict.fromkeys(salvage.aliases, 0))
            if head.moved_to is None:
                if head.exists:
                    return conversation, head
                break
            conversation = head.moved_to
        raise AttendanceRefusedError(Refusal.NOT_FOUND)


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset | set) else value


def revision_of(head: Head) -> str:
    """HEAD's own numbers: what was seen by whoever asks for an erasure."""
    return f"{head.ver}.{head.in_rev}.{head.undelivered}"


def kind_of(sk: str) -> str:
    """What an item is, in words."""
    if is_message(sk):
        return "mensagens enviadas" if is_part(sk) else "mensagens recebidas"
    if is_turn(sk):
        return "turnos do assistente"
    if is_effect(sk):
        return "fichas e avisos"
    return "estado da conversa" if sk in (HEAD, STATE) else "registros"


def _led_to(head: Head) -> str | None:
    return head.formerly or head.moved_to


def _goes(item: Mapping[str, Any], erased_at_ms: int, *, whole: bool) -> bool:
    """What came after the erasure belongs to a conversation that began anew; of another id, STATE goes too. An item's
    age is when we wrote it, where it says so: its key may hold the provider's time, or one that keeps answers behind
    questions. What was done in that very moment is proof and stays.
    """
    sk = str(item["sk"])
    if whole and sk == STATE:
        return True
    written = next((item[name] for name in _WRITTEN if type(item.get(name)) is int), dated_ms(sk))
    old = written is None or (written < erased_at_ms if is_audit(sk) else written <= erased_at_ms)
    return old and is_erasable(sk)


def _audit(attendant: Attendant, action: str, now_ms: int) -> AuditEntry:
    return AuditEntry(
        sk=audit_sk(now_ms, f"{action}-{attendant.id}"),
        at_ms=now_ms,
        actor=attendant.id,
        actor_name=attendant.name,
        action=action,
    )
