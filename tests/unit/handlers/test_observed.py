"""Every function tells the same of an invocation: its request, its conversation, its metrics, a start that failed."""

from __future__ import annotations

import json
import logging
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from core.domain.pointer import pointer_body
from handlers import process_message, sweep, webhook
from handlers.logs import build_logger
from tests.desk import Desk
from tests.door import event, text_body
from tests.unit.handlers.test_process_door import HELLO, ProcessDoor

CONTEXT = SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000, aws_request_id="request-1")


Written = pytest.CaptureFixture[str]


class CurrentStdout:
    """Wherever standard output goes at the moment: a handler keeps the one of its making."""

    def write(self, text: str) -> int:
        return sys.stdout.write(text)

    def flush(self) -> None:
        sys.stdout.flush()


@pytest.fixture
def output(monkeypatch: pytest.MonkeyPatch, capsys: Written) -> Written:
    """Where a function's log and its metrics go."""
    monkeypatch.setattr(build_logger().registered_handler, "stream", CurrentStdout())
    for name in ("core", "handlers"):  # as a function has them: other tests may have taken them away
        monkeypatch.setattr(logging.getLogger(name), "handlers", list(build_logger().handlers))
    return capsys


def lines(output: Written) -> list[dict[str, Any]]:
    """What was written, log and metrics; a line that is no JSON fails here."""
    return [json.loads(line) for line in output.readouterr().out.splitlines()]


def metrics_of(written: list[dict[str, Any]]) -> set[str]:
    return {
        metric["Name"]
        for line in written
        if "_aws" in line
        for metric in line["_aws"]["CloudWatchMetrics"][0]["Metrics"]
    }


def test_one_line_of_a_turn_says_what_it_cost_and_how_long_it_took(
    monkeypatch: pytest.MonkeyPatch, output: Written
) -> None:
    door = ProcessDoor(monkeypatch, HELLO)
    assert door.handle(door.question("a")) == []
    written = lines(output)
    (turn,) = [line for line in written if line.get("message") == "turn_done"]
    assert turn["outcome"] == "answered"
    assert turn["tokens_input"] > 0
    assert turn["second_chances"] == []
    assert {"wait_ms", "decide_ms", "model_ms", "send_ms", "finish_ms", "answer_ms", "micro_usd"} <= set(turn)
    assert {"Turns", "LatencyAnswer", "ModelCalls", "TokensInput", "Sends"} <= metrics_of(written)


def test_a_reply_that_is_asked_again_is_a_second_chance_of_its_turn(
    monkeypatch: pytest.MonkeyPatch, output: Written
) -> None:
    door = ProcessDoor(monkeypatch, '{"s":99}Olá.', HELLO)
    door.handle(door.question("a"))
    written = lines(output)
    (turn,) = [line for line in written if line.get("message") == "turn_done"]
    assert turn["second_chances"] == ["action"]
    assert {"SecondChances", "Repairs"} <= metrics_of(written)


def test_one_key_finds_a_message_from_the_webhook_to_its_answer(
    monkeypatch: pytest.MonkeyPatch, output: Written
) -> None:
    process = ProcessDoor(monkeypatch, "isto não é JSON", HELLO)
    process.door.post(text_body("oi"))
    (pointer,) = process.door.queue.taken
    process.handle(process.record("a", pointer_body(pointer)))
    told = {line["message"]: line.get("conversation") for line in lines(output) if "message" in line}
    concerned = {
        "message_recorded",
        "model_called",
        "llm_response_parse_retry",
        "second_chance",
        "part_sent",
        "turn_done",
    }
    assert {name: told[name] for name in concerned} == dict.fromkeys(concerned, pointer.conversation)


def test_what_the_sweep_does_about_a_message_is_found_by_the_same_key(output: Written) -> None:
    desk = Desk()
    pointer = desk.record(desk.message("oi"))
    desk.clock.advance(minutes=11)
    desk.llm.script('{"resumo_texto": "Quer falar com alguém."}')
    desk.sweep()
    told = [line for line in lines(output) if "message" in line]
    assert {"message_recorded", "inbound_overdue", "part_sent", "turn_done", "model_called"} <= {
        line["message"] for line in told
    }
    assert {line.get("conversation") for line in told} == {pointer.conversation}


def test_every_line_of_an_invocation_carries_its_request(monkeypatch: pytest.MonkeyPatch, output: Written) -> None:
    process = ProcessDoor(monkeypatch, HELLO)
    process.door.post(text_body("oi"))
    (pointer,) = process.door.queue.taken
    output.readouterr()
    process_message.handler({"Records": [process.record("a", pointer_body(pointer))]}, CONTEXT)
    told = [line for line in lines(output) if "message" in line]
    assert len(told) > 2
    assert {line["function_request_id"] for line in told} == {"request-1"}
    assert {line["cold_start"] for line in told} <= {True, False}


@pytest.mark.parametrize("function", ["webhook", "social", "process", "sweep"])
def test_a_start_up_that_fails_is_one_event_in_every_function(
    monkeypatch: pytest.MonkeyPatch, output: Written, function: str
) -> None:
    def broken() -> Any:
        raise RuntimeError("settings that do not work:\n  - TABLE_NAME is not set")

    for module in (webhook, process_message, sweep):
        monkeypatch.setattr(module, "dependencies", broken)
    monkeypatch.setattr(process_message, "record_retries", lambda: None)
    call = {
        "webhook": lambda: webhook.handler(event(b"{}", signature=None), CONTEXT),
        "social": lambda: webhook.social_handler({}, CONTEXT),
        "process": lambda: process_message.handler({"Records": []}, CONTEXT),
        "sweep": lambda: sweep.handler({}, CONTEXT),
    }[function]
    try:
        call()
    except RuntimeError:
        assert function in ("social", "sweep")  # their callers learn of it by the error alone
    written = lines(output)
    (told,) = [line for line in written if line.get("level") in ("ERROR", "CRITICAL")]
    assert told["message"] == "start_up_failed"
    assert "TABLE_NAME is not set" in told["detail"]
    assert "StartUpFailures" in metrics_of(written)
