"""How an answer's parts leave: in order, in time, and what is written down of each."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from core.application.delivery.send_parts import RETRY_AFTER_MS, OutboundService, SendReport, plan_parts
from core.application.ports import SentMessage
from core.domain.deadline import Deadline
from core.domain.delivery import CHANNEL_REFUSALS, OutboundPart, PartOutcome, PartState, Recipient, SendFailure
from core.domain.errors import SendError, SendRefusedError, SendUncertainError
from tests.fakes.clock import MONDAY_MS, FakeClock

TO = Recipient(phone_number_id="1", phone="5511980000101")


class Store:
    """Remembers outcomes; `claims` is whether the next part may be sent."""

    def __init__(self, *, claims: bool = True) -> None:
        self.claims = claims
        self.told: list[tuple[PartOutcome, OutboundPart | None]] = []

    def record_outcome(
        self, _c: str, outcome: PartOutcome, *, start_next: OutboundPart | None = None, **_released: Any
    ) -> bool:
        self.told.append((outcome, start_next))
        return self.claims and start_next is not None


class Sender:
    """Takes what it is given, but for the failures of its script (None: taken)."""

    def __init__(self, *script: SendError | None) -> None:
        self.script = list(script)
        self.sent: list[dict[str, Any]] = []

    def send_text(self, **given: Any) -> SentMessage:
        self.sent.append(given)
        failure = self.script.pop(0) if self.script else None
        if failure is not None:
            raise failure
        return SentMessage(provider_id=f"wamid.{len(self.sent)}")

    send_template = send_text


def parts(*texts: str, **changes: Any) -> tuple[OutboundPart, ...]:
    given: dict[str, Any] = {
        "turn_id": "t1",
        "recipient": TO,
        "reply_to": "wamid.IN",
        "now_ms": MONDAY_MS,
        "newest_inbound_ms": MONDAY_MS - 5_000,
        "lease_until_ms": MONDAY_MS + 65_000,
        "exempt": False,
    }
    return plan_parts(texts, **given | changes)


def send(
    sender: Sender, *planned: OutboundPart, seconds: float = 60, store: Store | None = None
) -> tuple[SendReport, list[PartOutcome]]:
    store, clock = store or Store(), FakeClock()
    service = OutboundService(store=store, sender=sender, clock=clock)  # type: ignore[arg-type]
    deadline = Deadline(now_ms=clock.now_ms, ends_at_ms=MONDAY_MS + round(seconds * 1000))
    report = service.send("c", planned, deadline)
    return report, [outcome for outcome, _ in store.told]


def refused(failure: SendFailure) -> SendRefusedError:
    return SendRefusedError("x", failure=failure, code=42)


# What is planned


def test_the_first_part_is_being_sent_and_the_others_wait() -> None:
    first, second = parts("um", "dois")

    assert (first.number, first.state, first.attempt, first.lease_until_ms, first.reply_to) == (
        1,
        PartState.SENDING,
        1,
        MONDAY_MS + 65_000,
        "wamid.IN",
    )
    assert (second.number, second.state, second.attempt, second.lease_until_ms, second.reply_to) == (
        2,
        PartState.PENDING,
        0,
        None,
        None,
    )
    assert (first.due_ms, second.due_ms) == (MONDAY_MS + 65_000, None)
    assert first.sk < second.sk


@pytest.mark.parametrize(("asked_ms", "at_ms"), [(MONDAY_MS, MONDAY_MS + 999), (MONDAY_MS - 5_000, MONDAY_MS)])
def test_an_answer_stands_behind_the_whole_second_of_its_question(asked_ms: int, at_ms: int) -> None:
    (part,) = parts("um", newest_inbound_ms=asked_ms)

    assert (part.sk, part.created_at_ms) == (f"M#{at_ms}#ot1.1", MONDAY_MS)


def test_a_template_is_bound_to_no_window() -> None:
    assert parts("um", window_closes_ms=9)[0].window_closes_ms == 9
    assert parts("um", window_closes_ms=9, template="retomar")[0].window_closes_ms is None


# What is sent


def test_parts_leave_in_order_each_claimed_with_the_outcome_of_the_one_before() -> None:
    sender, store = Sender(), Store()

    report, outcomes = send(sender, *parts("um", "dois", "três"), store=store)

    assert [each["text"] for each in sender.sent] == ["um", "dois", "três"]
    assert report == SendReport(sent=3)
    assert [(each.attempt, each.state, each.provider_id) for each in outcomes] == [
        (1, PartState.SENT, "wamid.1"),
        (1, PartState.SENT, "wamid.2"),
        (1, PartState.SENT, "wamid.3"),
    ]
    claimed = [(each.number, each.lease_until_ms) for _, each in store.told if each is not None]
    assert claimed == [(2, MONDAY_MS + 65_000), (3, MONDAY_MS + 65_000)]


def test_a_part_that_may_not_be_sent_any_more_ends_the_answer() -> None:
    sender = Sender()

    report, _ = send(sender, *parts("um", "dois"), store=Store(claims=False))

    assert (report, len(sender.sent)) == (SendReport(sent=1), 1)


@pytest.mark.parametrize("failure", [each for each in SendFailure if RETRY_AFTER_MS[each] is not None])
def test_a_refusal_that_passes_leaves_the_part_waiting_for_its_time(failure: SendFailure) -> None:
    report, outcomes = send(Sender(refused(failure), refused(failure)), *parts("um", "dois"))

    assert report == SendReport(waits=True)
    (outcome,) = outcomes
    assert (outcome.state, outcome.failure, outcome.error_code) == (PartState.PENDING, failure, 42)
    assert outcome.due_ms == MONDAY_MS + (RETRY_AFTER_MS[failure] or 0)


def test_how_long_each_refusal_waits() -> None:
    assert {failure: ms and ms // 1000 for failure, ms in RETRY_AFTER_MS.items()} == {
        SendFailure.THROTTLED: 15,
        SendFailure.TRANSIENT: 15,
        SendFailure.AUTH: 60,
        SendFailure.ACCOUNT: 300,
        SendFailure.RECIPIENT: None,
        SendFailure.WINDOW_OVER: None,
        SendFailure.BAD_REQUEST: None,
    }


@pytest.mark.parametrize("failure", [each for each in SendFailure if RETRY_AFTER_MS[each] is None])
def test_a_refusal_for_good_is_the_end_and_people_must_know(failure: SendFailure) -> None:
    refusal = refused(failure)

    report, outcomes = send(Sender(refusal), *parts("um", "dois"))

    assert report == SendReport(sent=0, refused_for_good=refusal)
    assert [(each.state, each.failure, each.error_code, each.due_ms) for each in outcomes] == [
        (PartState.FAILED, failure, 42, None)
    ]


def test_a_refusal_of_the_second_part_counts_the_first() -> None:
    refusal = refused(SendFailure.RECIPIENT)

    assert send(Sender(None, refusal), *parts("um", "dois"))[0] == SendReport(sent=1, refused_for_good=refusal)


@pytest.mark.parametrize(
    ("failure", "seconds", "tries"),
    [
        (SendFailure.TRANSIENT, 60, 2),
        (SendFailure.TRANSIENT, 10, 2),
        (SendFailure.TRANSIENT, 9.9, 1),
        (SendFailure.THROTTLED, 60, 1),
    ],
)
def test_only_what_may_pass_at_once_is_tried_again_and_only_with_time_for_it(
    failure: SendFailure, seconds: float, tries: int
) -> None:
    sender = Sender(refused(failure), None)

    report, _ = send(sender, *parts("um"), seconds=seconds)

    assert (len(sender.sent), report.sent) == (tries, tries - 1)


def test_a_send_that_nobody_answered_is_doubted_and_no_further_part_leaves() -> None:
    sender = Sender(SendUncertainError("x"))

    report, outcomes = send(sender, *parts("um", "dois"))

    assert (report, len(sender.sent)) == (SendReport(sent=0), 1)
    assert [(each.state, each.due_ms) for each in outcomes] == [(PartState.UNKNOWN, MONDAY_MS + 120_000)]


@pytest.mark.parametrize(("seconds", "given"), [(60, 10), (12.5, 10), (10, 8), (0.625, 0.5)])
def test_a_send_has_ten_seconds_or_four_fifths_of_what_is_left(seconds: float, given: float) -> None:
    sender = Sender()

    send(sender, *parts("um"), seconds=seconds)

    assert [each["timeout_seconds"] for each in sender.sent] == [pytest.approx(given)]


def test_without_time_for_a_send_the_part_is_left_to_the_sweep() -> None:
    sender = Sender()

    report, outcomes = send(sender, *parts("um"), seconds=0.6)

    assert (report, sender.sent) == (SendReport(waits=True), [])
    assert [(each.state, each.due_ms) for each in outcomes] == [(PartState.PENDING, MONDAY_MS)]


@pytest.mark.parametrize(("closes_ms", "sent"), [(MONDAY_MS + 1, True), (MONDAY_MS, False)])
def test_a_text_is_not_sent_once_the_window_is_over(closes_ms: int, sent: bool) -> None:
    sender = Sender()

    report, _ = send(sender, *parts("um", window_closes_ms=closes_ms))

    assert bool(sender.sent) is sent
    assert (report.refused_for_good is None) is sent


def test_a_template_is_sent_whatever_the_hour() -> None:
    sender = Sender()
    (part,) = parts("[mensagem modelo: retomar]", template="retomar")

    send(sender, replace(part, window_closes_ms=1))

    assert sender.sent[0]["template"] == "retomar"


# A channel that refuses everything

CHANNEL = sorted(CHANNEL_REFUSALS)


@pytest.mark.parametrize("failure", CHANNEL)
def test_a_refused_channel_rings_at_once_with_class_and_code(
    failure: SendFailure, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        send(Sender(refused(failure)), *parts("um"))

    assert [(each.message, each.failure, each.code) for each in caplog.records] == [  # type: ignore[attr-defined]
        ("channel_refused", failure.value, 42)
    ]


@pytest.mark.parametrize("failure", CHANNEL)
def test_since_when_a_channel_refuses_is_kept_on_the_part(failure: SendFailure) -> None:
    (part,) = parts("um")
    _, (first,) = send(Sender(refused(failure)), part)
    _, (again,) = send(Sender(refused(failure)), replace(part, refused_since_ms=MONDAY_MS - 60_000))

    assert (first.refused_since_ms, again.refused_since_ms) == (MONDAY_MS, MONDAY_MS - 60_000)


@pytest.mark.parametrize("failure", CHANNEL)
@pytest.mark.parametrize(
    ("seconds", "part_fields", "asks"),
    [
        (599, {}, False),
        (600, {}, True),
        (86_000, {}, True),
        (600, {"exempt": True}, False),
        (600, {"unless_taken": True}, False),
    ],
    ids=["not yet", "ten minutes", "a day", "a handoff's text", "people know"],
)
def test_people_are_asked_once_after_ten_minutes(
    failure: SendFailure, seconds: int, part_fields: dict[str, bool], asks: bool
) -> None:
    (part,) = parts("um")
    waiting = replace(part, refused_since_ms=MONDAY_MS - seconds * 1000, **part_fields)
    report, (outcome,) = send(Sender(refused(failure)), waiting)

    assert (report.refused_for_long is not None) == asks
    assert outcome.state is PartState.PENDING


def test_the_next_look_is_not_later_than_the_ten_minutes() -> None:
    (part,) = parts("um")
    late = replace(part, refused_since_ms=MONDAY_MS - 595_000)
    _, (outcome,) = send(Sender(refused(SendFailure.ACCOUNT)), late)

    assert outcome.due_ms == MONDAY_MS + 5_000
