"""The customer sees that an answer is being made, and waits for nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import pytest

from core.application.delivery.typing_sign import TypingSign
from tests.desk import Desk

PATIENCE = 10.0


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(max_workers=1) as pool:
        yield pool


def test_it_is_shown_while_the_caller_goes_on(executor: Executor) -> None:
    asked, shown = threading.Event(), threading.Event()

    def show() -> None:
        assert asked.wait(PATIENCE)
        shown.set()

    sign = TypingSign(show, executor=executor)
    asked.set()
    sign.end()

    assert shown.is_set()


def test_it_is_shown_again_while_the_answer_takes_long(executor: Executor) -> None:
    times: list[int] = []
    twice = threading.Event()

    def show() -> None:
        times.append(1)
        if len(times) == 2:
            twice.set()

    sign = TypingSign(show, executor=executor, renew_seconds=0.001)

    assert twice.wait(PATIENCE)
    sign.end()


def test_it_is_not_shown_once_the_answer_is_there(executor: Executor) -> None:
    times: list[int] = []
    on_its_way, free = threading.Event(), threading.Event()

    def show() -> None:
        on_its_way.set()
        assert free.wait(PATIENCE)
        times.append(1)

    sign = TypingSign(show, executor=executor, renew_seconds=PATIENCE)
    assert on_its_way.wait(PATIENCE)
    free.set()
    sign.end()

    assert times == [1]


def test_what_did_not_begin_is_not_begun(executor: Executor) -> None:
    free = threading.Event()
    executor.submit(free.wait, PATIENCE)
    times: list[int] = []

    sign = TypingSign(lambda: times.append(1), executor=executor)
    sign.end()
    free.set()
    executor.shutdown()

    assert times == []


def test_without_threads_it_is_shown_once_and_first() -> None:
    times: list[int] = []

    TypingSign(lambda: times.append(1)).end()

    assert times == [1]


def test_the_model_is_asked_while_the_message_is_still_being_marked_as_read(executor: Executor) -> None:
    desk = Desk('{"s":1}Oi, tudo bem?')
    desk.beside = executor
    asked, marking = threading.Event(), desk.sender.mark_read

    def mark_read(**about: Any) -> None:
        assert asked.wait(PATIENCE)
        marking(**about)

    desk.sender.mark_read = mark_read  # type: ignore[method-assign]
    desk.agent.before_answer(asked.set)
    desk.says("oi")

    assert desk.replies == ["Oi, tudo bem?"]
    assert [mark.typing for mark in desk.sender.read_marks] == [True]


def test_the_answer_leaves_after_the_sign_and_not_before(executor: Executor) -> None:
    desk = Desk('{"s":1}Oi, tudo bem?')
    desk.beside = executor
    begun, answered, marking = threading.Event(), threading.Event(), desk.sender.mark_read
    read_before_the_mark: list[list[str]] = []

    def mark_read(**about: Any) -> None:
        begun.set()
        assert answered.wait(PATIENCE)
        read_before_the_mark.append(desk.replies)
        marking(**about)

    desk.sender.mark_read = mark_read  # type: ignore[method-assign]
    desk.agent.before_answer(lambda: (begun.wait(PATIENCE), answered.set()))
    desk.says("oi")

    assert read_before_the_mark == [[]]
    assert desk.replies == ["Oi, tudo bem?"]
