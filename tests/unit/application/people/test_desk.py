"""What attendants do: who may, what the bot then does, in which order customers read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.application.people.attendance.desk import AttendantDesk
from core.domain.attendant import Attendant, Refusal, Role
from core.domain.conversation import Mode
from core.domain.deadline import Deadline
from core.domain.delivery import PartState, SendFailure
from core.domain.errors import AttendanceRefusedError, OvertakenError
from core.domain.outgoing_file import OutgoingFile
from core.domain.policy import ConversationPolicy
from core.integrations.wiring.attendance import wire_desk
from tests.desk import Desk, prompts
from tests.fakes.message_sender import Arrival

BIA = Attendant(id="bia", name="Bia Lima", role=Role.ATENDENTE)
CAIO = Attendant(id="caio", name="Caio Sá", role=Role.ATENDENTE)
GIVES_UP = '{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.'
SUMMARY = '{"resumo_texto": "Pediu o boleto."}'
MINUTE_MS, HOUR_MS = 60_000, 3_600_000
PDF = OutgoingFile(content=b"%PDF-1.4", mime_type="application/pdf", filename="boleto.pdf")


class People:
    """Attendants of a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @property
    def commands(self) -> AttendantDesk:
        desk = self.desk
        return wire_desk(store=desk.store, sender=desk.sender, clock=desk.clock, policy=desk.policy)

    def take(self, who: Attendant = BIA) -> None:
        self.commands.take(self.desk.conversation, who)
        self.desk.clock.advance(seconds=1)

    def reply(self, text: str, who: Attendant = BIA, *, client_id: str = "", seen: str | None = None) -> Any:
        now_ms = self.desk.clock.now_ms
        deadline = Deadline(now_ms=now_ms, ends_at_ms=now_ms() + 20_000)
        replied = self.commands.reply(
            self.desk.conversation, who, text, client_id=client_id or f"id-{text}", deadline=deadline, seen=seen
        )
        self.desk.clock.advance(seconds=1)
        return replied

    def send_file(self, caption: str = "", *, seconds: int = 20) -> Any:
        now_ms = self.desk.clock.now_ms
        deadline = Deadline(now_ms=now_ms, ends_at_ms=now_ms() + seconds * 1000)
        replied = self.commands.reply(
            self.desk.conversation, BIA, caption, client_id="id-file", deadline=deadline, file=PDF
        )
        self.desk.clock.advance(seconds=1)
        return replied

    def hand_back(self, who: Attendant = BIA, *, agreed: str = "") -> None:
        self.commands.hand_back(self.desk.conversation, who, agreed=agreed)
        self.desk.clock.advance(seconds=1)


@pytest.fixture
def desk() -> Desk:
    policy = ConversationPolicy(handoff_ack_minutes=7, handoff_idle_hours=30, owner_idle_minutes=20)
    desk = Desk(GIVES_UP, '{"s":1}Sigo com você.', policy=policy)
    desk.llm.script(SUMMARY)
    desk.says("quero o boleto")
    return desk


@pytest.fixture
def people(desk: Desk) -> People:
    return People(desk)


def refused(step: Callable[[], object]) -> AttendanceRefusedError:
    with pytest.raises(AttendanceRefusedError) as caught:
        step()
    return caught.value


def said(desk: Desk) -> list[str]:
    """Without the handoff's own text."""
    return desk.sender.texts[1:]


def test_what_the_owner_writes_reaches_the_customer_in_order_and_the_bot_is_silent(desk: Desk, people: People) -> None:
    people.take()

    people.reply("Oi, aqui é a Bia.")
    people.reply("Já vou ver o boleto.")
    desk.says("obrigado, aguardo")

    assert said(desk) == ["Oi, aqui é a Bia.", "Já vou ver o boleto."]
    assert desk.head.mode is Mode.HUMAN


def test_a_second_attendant_is_told_who_has_it(desk: Desk, people: People) -> None:
    people.take()

    for step in (lambda: people.take(CAIO), lambda: people.reply("oi", CAIO), lambda: people.hand_back(CAIO)):
        error = refused(step)
        assert (error.reason, error.owner, error.owner_name) == (Refusal.OWNED, "bia", "Bia Lima")

    assert said(desk) == []


def test_nobody_replies_before_taking(people: People) -> None:
    assert refused(lambda: people.reply("oi")).reason is Refusal.NOT_TAKEN


def test_taking_again_changes_nothing(desk: Desk, people: People) -> None:
    people.take()
    ver = desk.head.ver

    people.take()

    assert desk.head.ver == ver


def test_a_conversation_of_the_bot_can_be_taken_and_it_is_silent_from_then_on(people: People) -> None:
    desk = Desk('{"s":1}Oi!', policy=people.desk.policy)
    desk.says("bom dia")
    people = People(desk)

    people.take()
    desk.says("tem vaga?")

    assert desk.sender.texts == ["Oi!"]
    assert desk.head.mode is Mode.HUMAN


def test_a_call_that_is_repeated_sends_once(desk: Desk, people: People) -> None:
    people.take()

    first = people.reply("Segue o boleto.", client_id="11111111")
    again = people.reply("Segue o boleto.", client_id="11111111")

    assert said(desk) == ["Segue o boleto."]
    assert first.part.sk == again.part.sk


def test_a_repeated_call_is_answered_though_the_conversation_was_handed_back(desk: Desk, people: People) -> None:
    people.take()
    people.reply("Tchau!", client_id="11111111")
    people.hand_back()

    assert people.reply("Tchau!", client_id="11111111").part.state is PartState.SENT
    assert said(desk) == ["Tchau!"]


def test_a_reply_waits_for_the_one_before_it(desk: Desk, people: People) -> None:
    people.take()
    desk.sender.refuse(SendFailure.THROTTLED)
    people.reply("primeira")

    second = people.reply("segunda")

    assert second.part.state is PartState.PENDING
    assert said(desk) == []
    desk.clock.advance(60_000)
    desk.sweep()
    desk.clock.advance(61_000)
    desk.sweep()
    assert said(desk) == ["primeira", "segunda"]


def test_a_reply_behind_one_that_may_have_arrived_waits_too(desk: Desk, people: People) -> None:
    people.take()
    desk.sender.lose(Arrival.AFTER)
    people.reply("primeira")
    people.reply("segunda")
    assert said(desk) == ["primeira"]

    desk.status_arrives("delivered")
    desk.clock.advance(61_000)
    desk.sweep()

    assert said(desk) == ["primeira", "segunda"]


def test_a_reply_that_the_channel_refuses_for_good_is_told_and_the_next_one_leaves(desk: Desk, people: People) -> None:
    people.take()
    desk.sender.refuse(SendFailure.BAD_REQUEST)

    assert people.reply("primeira").part.state is PartState.FAILED
    people.reply("segunda")

    assert said(desk) == ["segunda"]
    assert desk.head.owner == "bia"


def test_a_file_that_the_channel_refuses_for_now_leaves_later_with_its_caption_and_in_its_place(
    desk: Desk, people: People
) -> None:
    people.take()
    desk.sender.refuse(SendFailure.THROTTLED)
    people.send_file("segue")
    people.reply("segunda")
    assert said(desk) == []

    for _ in range(2):
        desk.clock.advance(61_000)
        desk.sweep()

    assert said(desk) == ["segue", "segunda"]
    first, second = desk.sender.arrived[-2:]
    assert first.media is not None
    assert (desk.sender.uploaded[first.media.media_id], second.media, desk.sender.uploads) == (PDF, None, 1)


def test_a_file_that_waited_beyond_the_window_is_not_sent(desk: Desk, people: People) -> None:
    people.take()
    desk.sender.refuse(SendFailure.AUTH)
    people.send_file()
    desk.clock.advance(24 * HOUR_MS)

    desk.sweep()

    (part,) = (each for each in desk.parts if each.author)
    assert (part.state, part.failure) == (PartState.FAILED, SendFailure.WINDOW_OVER)


def test_a_reply_that_is_decided_anew_uploads_its_file_once(desk: Desk, people: People) -> None:
    people.take()
    desk.store.fail_next("attend", OvertakenError())

    people.send_file("segue")

    assert (desk.sender.uploads, said(desk)) == (1, ["segue"])


def test_without_time_for_what_follows_no_file_is_uploaded(desk: Desk, people: People) -> None:
    people.take()

    assert refused(lambda: people.send_file(seconds=6)).reason is Refusal.FILE_NOT_TAKEN
    assert (desk.sender.uploads, len(desk.parts)) == (0, 1)


def test_outside_the_window_nothing_is_queued(desk: Desk, people: People) -> None:
    people.take()
    desk.clock.advance(24 * HOUR_MS)

    assert refused(lambda: people.reply("ainda aí?")).reason is Refusal.WINDOW_CLOSED
    assert len(desk.parts) == 1


def test_who_replies_is_warned_of_what_they_had_not_seen(desk: Desk, people: People) -> None:
    people.take()
    seen = desk.parts[-1].sk
    assert people.reply("um", seen=seen).newer is False

    desk.says("espera, mudou o endereço")

    assert people.reply("dois", seen=seen).newer is True


def test_handing_over_again_what_waits_unanswered_is_not_answered_by_the_bot(desk: Desk, people: People) -> None:
    people.take()
    waiting = desk.record(desk.message("e o valor?"))

    people.hand_back(agreed="O boleto vai amanhã.")
    desk.process(waiting)

    assert said(desk) == []
    assert desk.head.mode is Mode.BOT


def test_the_agent_goes_on_from_what_was_agreed(desk: Desk, people: People) -> None:
    people.take()
    people.reply("O boleto vai amanhã, combinado?")
    people.hand_back(agreed="Boleto amanhã até meio-dia.")

    desk.says("combinado, obrigado. e a coleta?")

    assert said(desk)[-1] == "Sigo com você."
    history = desk.agent.requests[-1].history
    told = [(line.role, line.text) for line in history]
    assert ("human", "O boleto vai amanhã, combinado?") in told
    assert any(role == "note" and "Boleto amanhã até meio-dia." in text for role, text in told)


def test_an_owner_who_lets_the_customer_wait_loses_the_conversation(desk: Desk, people: People) -> None:
    people.take()
    people.reply("Já volto.")
    desk.clock.advance(15 * MINUTE_MS)
    desk.says("e aí?")
    desk.clock.advance(19 * MINUTE_MS)
    desk.sweep()
    assert desk.head.owner == "bia"

    desk.clock.advance(2 * MINUTE_MS)
    desk.sweep()

    assert (desk.head.mode, desk.head.owner, desk.head.handoff_acknowledged) == (Mode.HUMAN, None, False)
    people.take(CAIO)
    assert desk.head.owner == "caio"


def test_an_owner_who_waits_for_the_customer_keeps_the_conversation(desk: Desk, people: People) -> None:
    people.take()
    people.reply("Me manda o CNPJ?")

    for _ in range(4):
        desk.clock.advance(30 * MINUTE_MS)
        desk.sweep()

    assert desk.head.owner == "bia"
    assert prompts().texts.nobody_took_it not in desk.sender.texts


def test_an_owner_who_never_said_a_word_loses_it_and_the_customer_is_told(desk: Desk, people: People) -> None:
    people.take()
    desk.clock.advance(20 * MINUTE_MS)
    desk.sweep()
    assert desk.head.owner is None

    desk.clock.advance(8 * MINUTE_MS)
    desk.sweep()

    assert said(desk) == [prompts().texts.nobody_took_it]


def test_no_commit_of_the_bot_cancels_what_an_attendant_wrote(desk: Desk, people: People) -> None:
    people.take()
    desk.sender.refuse(SendFailure.THROTTLED)
    people.reply("O boleto vai por e-mail.")
    people.hand_back()
    desk.says("PARE")

    desk.clock.advance(61_000)
    desk.sweep()

    assert "O boleto vai por e-mail." in said(desk)


def test_closing_ends_the_session(desk: Desk, people: People) -> None:
    people.take()
    people.commands.close(desk.conversation, BIA)

    assert desk.head.mode is Mode.CLOSED


def test_nobody_ends_what_the_bot_has(desk: Desk, people: People) -> None:
    people.take()
    people.hand_back()

    assert refused(people.hand_back).reason is Refusal.WITH_BOT


def test_a_conversation_that_nobody_knows_is_not_found(people: People) -> None:
    assert refused(lambda: people.commands.take("00ff", BIA)).reason is Refusal.NOT_FOUND


def test_everything_that_was_done_is_written_down_without_words(desk: Desk, people: People) -> None:
    people.take()
    people.reply("segredo")
    people.hand_back(agreed="segredo também")

    done = desk.store.audit_page(desk.conversation, limit=10)

    assert [(each.actor, each.action) for each in done] == [("bia", "take"), ("bia", "reply"), ("bia", "hand_back")]
    assert "segredo" not in repr(done)
