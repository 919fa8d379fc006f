"""Document 001's five scenarios through the whole turn, at a company that words no answers of the guard itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.domain.conversation_guard import (
    GUARD_RESPONSE_FRUSTRATED,
    GUARD_RESPONSE_HUMAN_REQUEST,
    GUARD_RESPONSE_LOOP,
)
from core.domain.policy import ConversationPolicy
from tests.desk import Desk
from tests.neutral_company import COMPANY, COMPANY_DIR, PROMPTS_DIR
from tests.shipped_companies import CompanyFiles, read_company

HELLO = '{"s":1}Olá! Como posso ajudar?'


@pytest.fixture(scope="module")
def wordless(tmp_path_factory: pytest.TempPathFactory) -> CompanyFiles:
    prompts = tmp_path_factory.mktemp("company") / "prompts"
    shutil.copytree(PROMPTS_DIR, prompts, ignore=shutil.ignore_patterns("companies"))
    folder = prompts / "companies" / COMPANY
    shutil.copytree(COMPANY_DIR, folder)
    texts: Path = folder / "textos.toml"
    before, after = texts.read_text("utf-8").split("[guard]\n")
    texts.write_text(before + after[after.index("\n[") + 1 :], encoding="utf-8")
    return read_company(prompts, COMPANY)


def desk(company: CompanyFiles, *replies: str) -> Desk:
    return Desk(*replies, company=company, policy=ConversationPolicy(handoff_enabled=False))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("esse bot é uma porra, não funciona NADA", GUARD_RESPONSE_FRUSTRATED),
        ("quero falar com uma pessoa, não com bot", GUARD_RESPONSE_HUMAN_REQUEST),
        ("VAI A MERDA, QUERO FALAR COM HUMANO", GUARD_RESPONSE_FRUSTRATED),
    ],
)
def test_anger_and_a_request_for_a_person_are_answered_without_a_model(
    wordless: CompanyFiles, said: str, answer: str
) -> None:
    it = desk(wordless)

    it.says(said)

    assert it.replies == [answer]
    assert it.agent.calls == 0


def test_the_third_repetition_without_progress_is_answered_without_a_model(wordless: CompanyFiles) -> None:
    it = desk(wordless, HELLO, HELLO)
    for said in ("qual o saldo?", "saldo?", "saldo mesmo?"):
        it.says(said)

    assert it.replies[-1] == GUARD_RESPONSE_LOOP
    assert it.agent.calls == 2


def test_a_normal_message_is_the_models(wordless: CompanyFiles) -> None:
    it = desk(wordless, HELLO)

    it.says("qual o total do mês?")

    assert it.replies == ["Olá! Como posso ajudar?"]
