"""A conversation with every kind of item, after every kind of failure, is erased: nothing anywhere tells of its person.

And whatever dies while it goes, the schedule brings it to its end, and what the customer writes meanwhile is answered.
"""

from __future__ import annotations

import io
import json
import logging
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from typing import Any

import pytest

from core.application.people.data_rights import DataRights
from core.domain.attendant import Attendant, Role
from core.domain.conversation import EffectState
from core.domain.deadline import Deadline
from core.domain.messages import Media, MessageKind, Sender
from core.domain.record_keys import erase_job_sk
from core.integrations.wiring.attendance import wire_desk
from handlers.metrics import MetricCollector
from tests.faults.doors import injected
from tests.faults.failing import Fault, failing, outage
from tests.faults.killing import MOMENTS, Moment, killed
from tests.faults.outside import Counting
from tests.faults.scenes import hands_over, needs_repair
from tests.faults.world import Statuses, World

RUI = Attendant(id="rui", name="Rui Prado", role=Role.RESPONSAVEL)
LARA = Sender(phone="5511980001001", bsuid="BR.7100000000000101", name="Lara Quintela")
# Words of both sides, of agents and of attendants; name, phone and numbers; WhatsApp's ids; a file's name.
TRACES = (
    *("pergunta", "Sobre 1", "boleto", "etapas", "Cliente com perguntas", "Segue o laudo", "combinado na sexta"),
    *("Lara", "Quintela", "5511980001001", "BR.7100000000000101", "11.222.333/0001-81", "11222333000181"),
    *("wamid.", "laudo-lara.pdf", "media-88"),
)


def lived() -> World:
    """A customer of two ids whose every turn met something."""
    world = World(statuses=Statuses.BEFORE)
    world.arrives(world.asks(1, sender=replace(LARA, bsuid=None)))
    world.deliver()
    world.bsuid = LARA.bsuid
    world.model.agent = needs_repair
    world.arrives(world.asks(2, sender=LARA, text="tenho a pergunta 2, CNPJ 11.222.333/0001-81"))
    world.deliver(run=failing(4, Fault.AFTER))
    world.clock.advance(seconds=70)
    for fault, port in ((Fault.REFUSED, "sender"), (Fault.LOST, "sender"), (Fault.BEFORE, "model")):
        world.disturbance = outage(port, fault, clock=world.clock, seconds=30)
        number = len(world.asked) + 1
        world.arrives(world.asks(number, sender=LARA))
        world.deliver()
        world.clock.advance(seconds=90)
    world.disturbance = None
    document = Media(media_id="media-88", mime_type="application/pdf", filename="laudo-lara.pdf")
    world.arrives(world.asks(6, sender=LARA, kind=MessageKind.DOCUMENT, media=document, text=""))
    world.arrives(world.asks(7, sender=LARA, undated=True))
    world.model.agent = hands_over
    world.deliver()
    world.goes_on(minutes=3)
    attended(world)
    world.arrives(world.asks(8, sender=LARA))  # waits, and its pointer is on the queue
    world.clock.advance(seconds=2)
    return world


def attended(world: World) -> None:
    desk = wire_desk(store=world.store, sender=world, clock=world.clock, policy=world.policy)  # type: ignore[arg-type]
    (conversation,) = world.store.conversations()
    desk.take(conversation, RUI)
    deadline = Deadline(now_ms=world.clock.now_ms, ends_at_ms=world.clock.now_ms() + 20_000)
    desk.reply(conversation, RUI, "Segue o laudo, Lara", client_id="11111111-2222", deadline=deadline)
    desk.hand_back(conversation, RUI, agreed="combinado na sexta com Lara")


def rights_of(world: World) -> DataRights:
    return DataRights(store=world.store, clock=world.clock)


def erase(world: World) -> str:
    """The receipt, as text."""
    rights = rights_of(world)
    (conversation,) = world.store.conversations()
    return repr(rights.erase(conversation, RUI, revision=rights.found(conversation).revision))


def table(world: World) -> str:
    return json.dumps(list(world.store._items.values()), default=str, ensure_ascii=False)


def found_in(text: str) -> list[str]:
    return [trace for trace in TRACES if trace in text]


def test_before_the_erasure_the_table_holds_each_trace_and_each_kind_of_item() -> None:
    world = lived()
    assert set(TRACES) - set(found_in(table(world))) <= {"11222333000181", "Sobre 1"}
    kinds = {sk[:2] for _, sk in world.store._items}
    assert kinds == {"S#", "M#", "I#", "T#", "E#", "A#"}


def test_nothing_in_table_queue_logs_metrics_and_receipt_tells_of_who_was_erased(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    collector = MetricCollector(environ={})
    root = logging.getLogger()
    root.addHandler(collector)
    try:
        world = lived()
        receipt = erase(world)
        world.goes_on(minutes=40)
    finally:
        root.removeHandler(collector)
    written = io.StringIO()
    with redirect_stdout(written):
        collector.flush_metrics()
    logged = "\n".join(repr(vars(record)) for record in caplog.records)

    assert "erasure_done" in logged
    assert written.getvalue()
    queue = " ".join(held.body for held in (*world.queue.held, *world.queue.dead))
    for place in (table(world), queue, logged, written.getvalue(), receipt):
        assert found_in(place) == []


def test_what_the_provider_tells_again_for_days_stays_away_and_a_new_word_is_answered() -> None:
    world = lived()
    erase(world)
    for _ in range(7):
        world.clock.advance(minutes=24 * 60)
        for message in list(world.asked.values()):
            world.arrives(message)
        world.goes_on(minutes=1)
    assert found_in(table(world)) == []

    world.model.agent = lambda _numbers: '{"s":1}Olá!'
    world.arrives(world.asks(9, sender=LARA, text="bom dia"))
    world.goes_on(minutes=1)
    assert world.sender.texts[-1] == "Olá!"


class _DiedError(BaseException):
    """The process ends here."""


def begun() -> World:
    """An erasure whose worker died once it had begun; its job is due."""
    world = lived()

    def die() -> None:
        raise _DiedError

    world.store.on_next("entomb", die, "after")
    with suppress(_DiedError):
        erase(world)
    world.clock.advance(seconds=70)
    return world


def steps() -> tuple[str, ...]:
    counted: list[Counting] = []

    def counting(world: World, work: Any) -> Any:
        counted.append(Counting(world.answer))
        return work(counted[-1], world.clock)

    with injected():
        begun().sweep(run=counting)
    return counted[-1].steps


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("at", range(1, len(steps()) + 1))
def test_wherever_the_sweep_dies_the_next_one_goes_on(at: int, moment: Moment) -> None:
    world = begun()
    assert found_in(table(world))
    world.sweep(run=killed(at, moment))
    new = world.asks(9, sender=LARA, text="bom dia")
    world.model.agent = lambda _numbers: '{"s":1}Olá!'
    world.arrives(new)

    world.goes_on(minutes=25)

    (conversation,) = world.store.conversations()
    job = world.store.read_effect(conversation, erase_job_sk())
    assert job is not None
    assert (job.state, job.due_ms) == (EffectState.DONE, None)
    assert world.sender.texts[-1] == "Olá!"
    assert [each.message.text for each in world.store.inbounds(conversation)] == ["bom dia"]
    assert "pergunta" not in table(world)
    assert "boleto" not in table(world)


def test_the_sweep_makes_only_the_calls_that_an_erasure_needs() -> None:
    kinds = {step.split("-")[0] for step in steps()}
    assert kinds <= {"due", "read_effect", "holdings", "erase", "bury", "update_effect", "postpone"}
