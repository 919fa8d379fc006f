"""On the way to a person: what the customer reads, what people get, what is tried again and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.people.card import card_of
from core.application.people.handoff import EFFECT_GRACE_MS, HandoffService
from core.domain.actions import Agent
from core.domain.conversation import Effect, EffectKind, EffectState
from core.domain.deadline import Deadline
from core.domain.errors import IntegrationError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.integrations.dynamodb import codec
from tests.cases.small_catalog import at, declined, known, small_catalog
from tests.desk import Desk, prompts
from tests.fakes.clock import MONDAY_MS
from tests.fakes.conversation_store import FakeConversationStore

SUNDAY_MS = MONDAY_MS - 86_400_000
WANTED = HandoffRequest(reason=HandoffReason.AGENT_REQUESTED, detail="boleto")
SUMMARY = '{"resumo_texto": "Pediu o boleto."}'


class People:
    """A notifier that fails `times` times."""

    def __init__(self, times: int = 0) -> None:
        self.left = times
        self.told: list[tuple[str, str, Any]] = []

    def notify(self, *, conversation: str, reason: str, payload: Any) -> None:
        if self.left:
            self.left -= 1
            raise IntegrationError("notify")
        self.told.append((conversation, reason, payload))


@pytest.fixture
def desk() -> Desk:
    return Desk()


def service(desk: Desk, notifier: People | None = None, **changes: Any) -> HandoffService:
    return replace(desk.use_case().handoffs, notifier=notifier, **changes)


def text(desk: Desk, reason: HandoffReason, *, said: str = "", now_ms: int = MONDAY_MS, **changes: Any) -> str:
    request = HandoffRequest(reason=reason)
    return service(desk, **changes).text_for(request, agent_text=said, now_ms=now_ms)


# What the customer reads


def test_an_agents_own_words_are_read_with_the_line_about_when(desk: Desk) -> None:
    line = prompts().texts.hours_line.open

    assert text(desk, HandoffReason.AGENT_REQUESTED, said="Vou chamar.") == f"Vou chamar.\n\n{line}"


def test_words_of_an_agent_are_not_read_where_the_reason_is_not_its_own(desk: Desk) -> None:
    assert text(desk, HandoffReason.FRUSTRATED, said="Que nada.") == desk.fixed_text(HandoffReason.FRUSTRATED)


def test_an_agent_that_said_nothing_has_a_fixed_text(desk: Desk) -> None:
    assert text(desk, HandoffReason.AGENT_REQUESTED) == desk.fixed_text(HandoffReason.AGENT_REQUESTED)


def test_where_there_are_no_people_no_agent_promises_one(desk: Desk) -> None:
    told = text(desk, HandoffReason.AGENT_REQUESTED, said="Vou chamar.", enabled=False)

    assert told == prompts().texts.handoff[HandoffReason.AGENT_REQUESTED].disabled


def test_out_of_hours_the_customer_reads_when_people_are_back(desk: Desk) -> None:
    fixed, worded = (
        text(desk, HandoffReason.FRUSTRATED, now_ms=SUNDAY_MS),
        text(desk, HandoffReason.COMPLETED, said="Pronto.", now_ms=SUNDAY_MS),
    )

    assert "amanhã às 8h" in fixed
    assert "amanhã às 8h" in worded
    assert fixed != desk.fixed_text(HandoffReason.FRUSTRATED)


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("I will ask someone from our team to go on with you here.", "will be back on November 30, 08:00."),
        ("Voy a llamar a una persona del equipo para seguir con usted.", "vuelve el 30/11, 08:00."),
        ("Vou chamar uma pessoa da equipe para continuar com você.", "amanhã às 8h"),
    ],
)
def test_the_line_about_when_is_in_the_customers_language(desk: Desk, said: str, back: str) -> None:
    assert back in text(desk, HandoffReason.COMPLETED, said=said, now_ms=SUNDAY_MS)


def test_what_whatsapp_would_not_deliver_is_not_said(desk: Desk) -> None:
    assert text(desk, HandoffReason.OUTSIDE_WINDOW, said="Vou chamar.") == ""


# What must happen


def effects(desk: Desk, notifier: People | None = None, **changes: Any) -> tuple[Effect, ...]:
    return service(desk, notifier, **changes).effects("t1", WANTED, now_ms=MONDAY_MS)


def test_people_get_a_queue_item_and_where_somebody_listens_a_notification(desk: Desk) -> None:
    assert [each.kind for each in effects(desk)] == [EffectKind.HANDOFF]
    queued, told = effects(desk, People())
    assert (queued.kind, told.kind) == (EffectKind.HANDOFF, EffectKind.NOTIFY)
    assert (queued.due_ms, queued.created_at_ms, queued.attempt) == (MONDAY_MS + 90_000, MONDAY_MS, 0)
    assert queued.payload == {"reason": "agent_requested", "detail": "boleto", "waiting_since_ms": MONDAY_MS}


def test_where_there_are_no_people_nothing_is_queued(desk: Desk) -> None:
    assert effects(desk, People(), enabled=False) == ()


# Finishing it


def finish(desk: Desk, notifier: People | None, *, seconds: float = 60, effects_left: Any = None) -> HandoffService:
    """The effects as the table holds them afterwards are `left(desk)`."""
    people = service(desk, notifier)
    waiting = effects_left or people.effects("t1", WANTED, now_ms=desk.clock.now_ms())
    for each in waiting:
        put(desk.store, each)
    deadline = Deadline(now_ms=desk.clock.now_ms, ends_at_ms=desk.clock.now_ms() + round(seconds * 1000))
    people.finish("c1", WANTED, at(Agent.TRIAGEM), waiting, history=(), deadline=deadline)
    return people


def put(store: FakeConversationStore, effect: Effect) -> None:
    store._put(codec.effect_to_item("c1", effect))


def left(desk: Desk) -> dict[str, Effect]:
    return {each.kind: each for each in desk.store.effects("c1")}


def test_queue_item_and_notification_say_the_same_summary_paid_for_once(desk: Desk) -> None:
    desk.llm.script(SUMMARY)
    people = People()

    finish(desk, people)

    assert len(desk.llm.calls) == 1
    ((conversation, reason, payload),) = people.told
    assert (conversation, reason) == ("c1", "agent_requested")
    assert payload["summary"]["resumo_texto"] == "Pediu o boleto."
    assert {kind: each.state for kind, each in left(desk).items()} == {
        EffectKind.HANDOFF: EffectState.DONE,
        EffectKind.NOTIFY: EffectState.DONE,
    }
    assert left(desk)[EffectKind.HANDOFF].payload["summary"]["resumo_texto"] == "Pediu o boleto."
    assert [call["outcome"] for call in payload["calls"]] == ["used"]


@pytest.mark.parametrize(("attempt", "wait_ms"), [(0, 90_000), (1, 180_000), (2, 360_000), (3, 720_000), (4, 900_000)])
def test_a_notification_that_fails_is_due_later_each_time_up_to_a_quarter_of_an_hour(
    desk: Desk, attempt: int, wait_ms: int
) -> None:
    desk.llm.script(SUMMARY)
    waiting = [replace(each, attempt=attempt) for each in effects(desk, People())]

    finish(desk, People(times=1), effects_left=tuple(waiting))

    told = left(desk)[EffectKind.NOTIFY]
    assert (told.state, told.attempt, told.due_ms) == (EffectState.FAILED, attempt + 1, MONDAY_MS + wait_ms)
    assert left(desk)[EffectKind.HANDOFF].state is EffectState.DONE


def test_a_summary_that_an_earlier_try_wrote_is_kept(desk: Desk) -> None:
    (written,) = effects(desk)
    written = replace(written, payload={**written.payload, "summary": {"resumo_texto": "de antes"}})

    finish(desk, None, effects_left=(written,))

    assert desk.llm.calls == []
    assert left(desk)[EffectKind.HANDOFF].payload["summary"] == {"resumo_texto": "de antes"}


@pytest.mark.parametrize(("seconds", "given"), [(60, 20), (25.5, 20), (16, 11), (6, 1)])
def test_a_summary_has_twenty_seconds_or_what_the_function_has_less_five(
    desk: Desk, seconds: float, given: float
) -> None:
    desk.llm.script(SUMMARY)

    finish(desk, None, seconds=seconds)

    assert [call.timeout_seconds for call in desk.llm.calls] == [pytest.approx(given)]


def test_without_time_for_a_summary_people_get_what_is_known(desk: Desk) -> None:
    finish(desk, None, seconds=5.9)

    assert desk.llm.calls == []
    queued = left(desk)[EffectKind.HANDOFF]
    assert (queued.state, queued.payload["summary"]["failed"], queued.payload["calls"]) == (EffectState.DONE, True, [])


def test_an_effect_that_its_own_process_did_not_finish_is_due_after_a_minute_and_a_half() -> None:
    assert EFFECT_GRACE_MS == 90_000


# What a summary is made of


def test_facts_are_told_by_the_names_that_people_know() -> None:
    state = at(Agent.TRIAGEM, service="alfa", segment="casa", **known(tipo="fonte"), **declined("detalhe"))

    facts = card_of(WANTED, state, (), small_catalog())

    assert (facts.service, facts.segment) == ("Serviço Alfa", "Casa")
    assert facts.data == {"TIPO": "fonte", "DETALHE": "não informado (recusou)"}


def test_a_service_that_nobody_chose_has_no_name() -> None:
    facts = card_of(WANTED, at(Agent.TRIAGEM), (), small_catalog())

    assert (facts.service, facts.segment, dict(facts.data)) == ("", "", {})
