"""What becomes of HEAD: every change of it, in one place. Pure; the table's adapter and its fake write what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.domain.conversation import PENDING_OVERDUE_MS, Head, InboundRecord, Mode
from core.domain.errors import NewcomerError, OvertakenError, StoreConflictError, TakeoverError
from core.domain.record_keys import ms_of
from core.domain.spending import Spend

# Who has a conversation that somebody answered from the business's own app.
BUSINESS_APP, BUSINESS_APP_NAME = "aplicativo", "aplicativo"


def recorded(head: Head, inbounds: Sequence[InboundRecord]) -> Head:
    """Messages wait."""
    first, last = inbounds[0], inbounds[-1]
    return replace(
        head,
        in_rev=head.in_rev + len(inbounds),
        pending=head.pending | {each.sk for each in inbounds},
        pending_since_ms=first.received_at_ms if head.pending_since_ms is None else head.pending_since_ms,
        session_start_ms=head.session_start_ms or ms_of(first.sk),
        name=last.message.sender.name or head.name,
        last_inbound_ms=last.received_at_ms,
    )


def failed(head: Head, *, kind: str) -> Head:
    """A turn failed and comes back: no version moves, since nobody else's work is touched by it."""
    return replace(head, failures=head.failures + 1, failure_kind=kind)


def answered(seen: Head, *, turn: str, pending: frozenset[str], session_start_ms: int, closed: bool) -> Head:
    """A turn has answered `pending`: the bot has the word, whoever had it before."""
    taken = forwarded(seen, turn=turn, pending=pending, session_start_ms=session_start_ms)
    return handed_back(taken, closed=closed)


def forwarded(seen: Head, *, turn: str, pending: frozenset[str], session_start_ms: int) -> Head:
    """A turn has taken `pending` from the list and leaves the word to whoever has it."""
    return replace(
        seen,
        ver=seen.ver + 1,
        last_turn=turn,
        pending=seen.pending - pending,
        pending_since_ms=None,
        session_start_ms=session_start_ms,
        failures=0,
        failure_kind=None,
    )


def handed_over(head: Head, *, reason: str, now_ms: int, due_ms: int) -> Head:
    """A person is asked for; at `due_ms` somebody looks whether one came."""
    return replace(
        head,
        mode=Mode.HUMAN,
        handoff_reason=reason,
        handoff_since_ms=now_ms,
        handoff_acknowledged=False,
        due_ms=due_ms,
        handoff_turn=head.last_turn,
        people_since_ms=now_ms,
        owner=None,
        owner_name=None,
        owner_spoke_ms=None,
    )


def seized(*, reason: str, since_ms: int, due_ms: int, turn: str) -> Head:
    """What is written over a head that nobody can read; of the rest nothing is known."""
    return handed_over(Head(last_turn=turn), reason=reason, now_ms=since_ms, due_ms=due_ms)


def taken(head: Head, *, owner: str, owner_name: str, now_ms: int, due_ms: int) -> Head:
    """An attendant has the conversation, whoever had it before; at `due_ms` somebody looks whether they still do."""
    already = head.mode is Mode.HUMAN
    return replace(
        head,
        mode=Mode.HUMAN,
        handoff_since_ms=head.handoff_since_ms if already else now_ms,
        handoff_acknowledged=True,
        due_ms=due_ms,
        people_since_ms=(head.people_since_ms or head.handoff_since_ms) if already else now_ms,
        owner=owner,
        owner_name=owner_name,
        owner_spoke_ms=now_ms,
    )


def replied(head: Head, *, now_ms: int, due_ms: int) -> Head:
    """The owner spoke."""
    return replace(head, handoff_since_ms=now_ms, people_since_ms=now_ms, owner_spoke_ms=now_ms, due_ms=due_ms)


def released(head: Head, *, now_ms: int, due_ms: int) -> Head:
    """The owner is silent while the customer waits: it is anybody's again, who has waited since their last word."""
    return replace(
        head,
        handoff_since_ms=now_ms,
        handoff_acknowledged=False,
        due_ms=due_ms,
        people_since_ms=head.owner_spoke_ms,
        owner=None,
        owner_name=None,
        owner_spoke_ms=None,
    )


def paused_by_person(head: Head, *, spoke_ms: int, idle_ms: int) -> Head:
    """A person spoke: they have the conversation, until they have been silent for `idle_ms`."""
    already = head.mode is Mode.HUMAN
    since_ms = max(spoke_ms, head.handoff_since_ms or 0) if already else spoke_ms
    return replace(
        head,
        mode=Mode.HUMAN,
        handoff_reason=head.handoff_reason if already else None,
        handoff_since_ms=since_ms,
        handoff_acknowledged=True,
        due_ms=since_ms + idle_ms,
        people_since_ms=since_ms,
        owner=BUSINESS_APP,
        owner_name=BUSINESS_APP_NAME,
        owner_spoke_ms=since_ms,
    )


def handed_back(head: Head, *, closed: bool) -> Head:
    """The bot answers the next message; with `closed` that message opens a new session."""
    return replace(
        head,
        mode=Mode.CLOSED if closed else Mode.BOT,
        handoff_reason=None,
        handoff_since_ms=None,
        handoff_acknowledged=False,
        due_ms=None,
        handoff_turn=None,
        people_since_ms=None,
        owner=None,
        owner_name=None,
        owner_spoke_ms=None,
    )


def waiting_for_idle(head: Head, *, due_ms: int) -> Head:
    """People have it; somebody looks again when their time is over."""
    return replace(head, due_ms=due_ms)


def reminded(head: Head, *, turn: str, due_ms: int) -> Head:
    """The customer was told that nobody came yet: a turn of its own, after which the people's time goes on."""
    return replace(waiting_for_idle(head, due_ms=due_ms), ver=head.ver + 1, last_turn=turn)


def not_due(head: Head) -> Head:
    """Nobody has the conversation: nothing of it is to be looked at."""
    return replace(head, due_ms=None)


def known_by(head: Head, alias: str, *, until_ms: int, bsuid: str | None) -> Head:
    """The customer has another id, which leads here until then at least. A BSUID's id is kept once known."""
    return replace(head, ver=head.ver + 1, aliases={**head.aliases, alias: until_ms}, bsuid=head.bsuid or bsuid)


def learned(head: Head, alias: str, *, until_ms: int, bsuid: str) -> Head:
    """The same by a message that names both ids: no turn need see it, so the version stays."""
    return replace(known_by(head, alias, until_ms=until_ms, bsuid=bsuid), ver=head.ver)


def led_away(alias: Head, target: str) -> Head:
    """An id leads to another conversation: nothing waits here any more. What its outbox asks of a head stays."""
    if not alias.exists:
        return Head(moved_to=target)
    formerly = alias.formerly or (alias.moved_to if alias.moved_to != target else None)
    away = replace(alias, moved_to=target, formerly=formerly, ver=alias.ver + 1)
    return replace(away, pending=frozenset(), pending_since_ms=None, due_ms=None)


def merged(
    kept: Head,
    other: Head,
    *,
    mode: Mode,
    people: Head | None,
    session_start_ms: int,
    aliases: Mapping[str, int],
    bsuid: str | None,
) -> Head:
    """`kept` with what `other` has pending; `people` is the head of the two that a person has."""
    brought = other.pending - kept.pending
    waiting = [ms for ms in (kept.pending_since_ms, other.pending_since_ms) if ms is not None]
    return replace(
        kept,
        ver=kept.ver + 1,
        in_rev=kept.in_rev + len(brought),
        pending=kept.pending | brought,
        pending_since_ms=min(waiting, default=None),
        mode=mode,
        session_start_ms=session_start_ms,
        handoff_reason=people.handoff_reason if people else None,
        handoff_since_ms=people.handoff_since_ms if people else None,
        handoff_acknowledged=people.handoff_acknowledged if people else False,
        due_ms=people.due_ms if people else None,
        handoff_turn=people.handoff_turn if people else None,
        people_since_ms=people.people_since_ms if people else None,
        owner=people.owner if people else None,
        owner_name=people.owner_name if people else None,
        owner_spoke_ms=people.owner_spoke_ms if people else None,
        name=kept.name or other.name,
        last_inbound_ms=max(kept.last_inbound_ms or 0, other.last_inbound_ms or 0) or None,
        aliases={**kept.aliases, **other.aliases, **aliases},
        bsuid=kept.bsuid or other.bsuid or bsuid,
        spent={day: kept.spent.get(day, 0) + other.spent.get(day, 0) for day in {*kept.spent, *other.spent}},
    )


def entombed(head: Head, *, now_ms: int) -> Head:
    """Nothing is held of the customer; the other ids still lead here, so that what they bring is dropped too."""
    return Head(ver=head.ver + 1, in_rev=head.in_rev, aliases=head.aliases, bsuid=head.bsuid, erased_at_ms=now_ms)


def told_undelivered(head: Head) -> Head:
    """A part surely did not arrive: whoever reads is to see it, and no turn need to."""
    return replace(head, undelivered=head.undelivered + 1)


def paid(head: Head, spent: Spend) -> Head:
    """Model calls cost so much; the sums of earlier days go, since nobody asks for them again."""
    kept = {day: sum_ for day, sum_ in head.spent.items() if day >= spent.day}
    return replace(head, spent={**kept, spent.day: kept.get(spent.day, 0) + spent.micro_usd})


def written(*, base: Head, wanted: Head, answered: frozenset[str], now_ms: int, spent: Spend | None = None) -> Head:
    """The head that a write leaves: the caller's words, and what the table alone knows (`ver`, `in_rev`, `pending`).
    `spent` comes on top of what the conversation has cost.

    While messages are left pending, `pending_since` is never lost, and the head is due for them whatever the caller
    asks for; it moves forward to the oldest one left, so that a conversation that is answered all along never looks
    neglected.
    """
    left = base.pending - answered
    since = None
    if left:
        known = [ms for ms in (base.pending_since_ms, wanted.pending_since_ms) if ms is not None]
        since = max([*known, min(now_ms, *(ms_of(sk) for sk in left))])
    after = replace(
        wanted,
        ver=base.ver + 1,
        in_rev=base.in_rev,
        pending=left,
        pending_since_ms=since,
        aliases=base.aliases,
        bsuid=base.bsuid,
        spent=base.spent,
        name=base.name,
        last_inbound_ms=base.last_inbound_ms,
        undelivered=base.undelivered,
        erased_at_ms=base.erased_at_ms,
        formerly=base.formerly,
    )
    return after if spent is None else paid(after, spent)


def conflict(*, seen: Head, actual: Head, guard_in_rev: bool) -> StoreConflictError | None:
    """Why a head that was read as `seen` refuses a write; None when nothing but an unguarded `in_rev` moved.

    A takeover is a person's: any other change of mode came with a commit, and is read again like one.
    """
    if actual.mode is Mode.HUMAN and seen.mode is not Mode.HUMAN:
        return TakeoverError("taken_over")
    if actual.ver != seen.ver or actual.mode is not seen.mode:
        return OvertakenError("overtaken")
    if guard_in_rev and actual.in_rev != seen.in_rev:
        return NewcomerError("newcomer")
    return None


def due_ms_of(head: Head) -> int | None:
    """When somebody must look at a conversation: what its handoff asks for, or a message that nobody answered."""
    neglected = head.pending_since_ms if head.pending else None
    waiting = [] if neglected is None else [neglected + PENDING_OVERDUE_MS]
    return min([*waiting, *([] if head.due_ms is None else [head.due_ms])], default=None)


def alias_lasts_until_ms(*, now_ms: int, retention_days: int) -> int:
    """Half of an alias's life: a message after that renews it."""
    return now_ms + retention_days * 86_400_000 // 2
