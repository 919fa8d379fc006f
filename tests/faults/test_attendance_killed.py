"""An attendant's call dies before or after any request: repeated, it is done once, and the customer reads it once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from core.application.people.data_rights import DataRights
from core.domain.attendant import Attendant, Role
from core.domain.conversation import Mode
from core.domain.deadline import Deadline
from core.domain.delivery import PartState
from core.domain.outgoing_file import OutgoingFile
from core.domain.policy import ConversationPolicy
from core.integrations.wiring.attendance import wire_desk
from tests.desk import Desk

BIA = Attendant(id="bia", name="Bia Lima", role=Role.RESPONSAVEL)
GIVES_UP = '{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.'
SUMMARY = '{"resumo_texto": "Pediu o boleto."}'
PDF = OutgoingFile(content=b"%PDF-1.4", mime_type="application/pdf", filename="boleto.pdf")


class Killed(BaseException):
    """The process ends here: nothing catches it."""


def asked() -> Desk:
    """A conversation that waits for a person."""
    desk = Desk(GIVES_UP, '{"s":1}Sigo com você.', policy=ConversationPolicy(owner_idle_minutes=600))
    desk.llm.script(SUMMARY)
    desk.says("quero o boleto")
    return desk


def taken() -> Desk:
    desk = asked()
    take(desk)
    return desk


def replied_to() -> Desk:
    """With a reply that waits for the channel."""
    desk = taken()
    reply(desk, "primeira", "id-first")
    return desk


def take(desk: Desk) -> None:
    wire_desk(store=desk.store, sender=desk.sender, clock=desk.clock, policy=desk.policy).take(desk.conversation, BIA)


def reply(desk: Desk, text: str = "segunda", client_id: str = "id-second", *, file: OutgoingFile | None = None) -> None:
    now_ms = desk.clock.now_ms
    wire_desk(store=desk.store, sender=desk.sender, clock=desk.clock, policy=desk.policy).reply(
        desk.conversation,
        BIA,
        text,
        client_id=client_id,
        deadline=Deadline(now_ms=now_ms, ends_at_ms=now_ms() + 20_000),
        file=file,
    )


def send_file(desk: Desk) -> None:
    reply(desk, file=PDF)


def hand_back(desk: Desk) -> None:
    if desk.head.mode is Mode.HUMAN:
        desk_ = wire_desk(store=desk.store, sender=desk.sender, clock=desk.clock, policy=desk.policy)
        desk_.hand_back(desk.conversation, BIA, agreed="combinado")


def erase(desk: Desk) -> None:
    rights = DataRights(store=desk.store, clock=desk.clock)
    if desk.head.erased_at_ms is None:
        rights.erase(desk.conversation, BIA, revision=rights.found(desk.conversation).revision)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """`does` is what dies, in the desk that `before` leads to; `held` says what must be true once it was repeated."""

    name: str
    before: Callable[[], Desk]
    does: Callable[[Desk], None]
    held: Callable[[Desk], bool]

    @property
    def requests(self) -> list[str]:
        """Of an undisturbed call."""
        desk = self.before()
        desk.store.requests.clear()
        self.does(desk)
        return [each for each in desk.store.requests if each != "batch_get"]


CALLS = [
    Call(name="take", before=asked, does=take, held=lambda desk: desk.head.owner == "bia"),
    Call(name="reply", before=replied_to, does=reply, held=lambda desk: said(desk) == ["primeira", "segunda"]),
    Call(
        name="file",
        before=replied_to,
        does=send_file,
        held=lambda desk: said(desk) == ["primeira", "segunda"] and files_read(desk) == [PDF],
    ),
    Call(
        name="hand-back",
        before=taken,
        does=hand_back,
        held=lambda desk: (desk.head.mode, desk.state.agreed) == (Mode.BOT, "combinado"),
    ),
    Call(
        name="erase",
        before=replied_to,
        does=erase,
        held=lambda desk: "boleto" not in repr(desk.store._items) and "segunda" not in repr(desk.store._items),
    ),
]
STEPS = [
    (call, at, method, when)
    for call in CALLS
    for at, method in enumerate(call.requests)
    for when in ("before", "after")
]


def said(desk: Desk) -> list[str]:
    """By attendants, as the customer read it."""
    return [text for text in desk.sender.texts if text in ("primeira", "segunda")]


def files_read(desk: Desk) -> list[OutgoingFile]:
    """By the customer."""
    return [desk.sender.uploaded[each.media.media_id] for each in desk.sender.arrived if each.media]


def dies(desk: Desk, call: Call, at: int, when: str) -> None:
    """The call, dead at its nth request."""
    method = call.requests[at]
    for _ in range(call.requests[:at].count(method)):
        desk.store.on_next(method, lambda: None, when)  # type: ignore[arg-type]
    desk.store.fail_next(method, Killed(), when)  # type: ignore[arg-type]
    with pytest.raises(Killed):
        call.does(desk)


def goes_on(desk: Desk, *, minutes: int = 8) -> None:
    """Statuses come for what arrived, and the schedule runs."""
    for _ in range(minutes):
        for message in desk.sender.arrived:
            desk.status_of(message, "delivered")
        desk.clock.advance(seconds=61)
        desk.sweep()


@pytest.mark.parametrize(
    ("call", "at", "method", "when"), STEPS, ids=lambda value: value.name if isinstance(value, Call) else None
)
def test_a_call_that_died_and_is_repeated_is_done_once(call: Call, at: int, method: str, when: str) -> None:
    desk = call.before()
    desk.clock.advance(seconds=2)

    dies(desk, call, at, when)
    desk.clock.advance(seconds=2)
    call.does(desk)
    goes_on(desk)

    assert call.held(desk)


@pytest.mark.parametrize(("at", "when"), [(at, when) for call, at, _, when in STEPS if call.name == "reply"], ids=str)
def test_a_reply_that_was_written_leaves_though_nobody_repeats_the_call(at: int, when: str) -> None:
    desk = replied_to()
    (call,) = (each for each in CALLS if each.name == "reply")
    dies(desk, call, at, when)
    written = any(part.text == "segunda" for part in desk.parts)

    goes_on(desk)

    assert said(desk) == ["primeira", *(["segunda"] if written else [])]
    assert all(part.state is PartState.SENT for part in desk.parts if part.author)


def test_a_file_that_was_uploaded_and_never_written_reaches_nobody_until_the_call_is_repeated() -> None:
    desk = taken()
    desk.store.fail_next("attend", Killed(), "before")  # type: ignore[arg-type]
    with pytest.raises(Killed):
        send_file(desk)
    assert desk.sender.uploads == 1
    goes_on(desk)
    assert (said(desk), [part for part in desk.parts if part.author]) == ([], [])

    for _ in range(2):
        send_file(desk)
    goes_on(desk)

    assert (said(desk), files_read(desk), desk.sender.uploads) == (["segunda"], [PDF], 2)


@pytest.mark.parametrize("at_second", [False, True], ids=["before it left", "behind another"])
def test_a_death_in_the_middle_of_a_send_holds_what_is_behind_it(at_second: bool) -> None:
    desk = taken()
    if at_second:
        reply(desk, "primeira", "id-first")

    def die() -> None:
        raise Killed

    desk.sender.before_send(die)
    text, client_id = ("segunda", "id-second") if at_second else ("primeira", "id-first")
    with pytest.raises(Killed):
        reply(desk, text, client_id)
    if not at_second:
        reply(desk)
        assert said(desk) == []

    goes_on(desk, minutes=12)

    assert said(desk) == ["primeira", "segunda"]
