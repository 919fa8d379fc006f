"""Document 003's confirmation over the whole turn: `kind` is the path's, whatever the words and whatever the form."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.agents.envelope import reply_schema
from core.agents.invoker import AgentInvokerImpl
from core.config.settings import OutputForm
from core.domain.actions import Agent
from core.domain.conversation import Mode
from core.domain.llm import CallPurpose
from core.domain.reply import ReplyKind
from tests.desk import Desk
from tests.neutral_company import catalog, prompts
from tests.unit.agents.test_envelope import envelope

ROOT = Path(__file__).resolve().parents[3]
ESCALATES = envelope(s=6, reason="boleto", mensagem="Isso é com a equipe.")


def schema_desk(*replies: Any) -> Desk:
    """The desk of a deployment with LLM_OUTPUT=schema."""
    desk = Desk()
    desk.llm.script(*replies)
    models = replace(desk.settings.models, output=OutputForm.SCHEMA)
    desk.invoker = AgentInvokerImpl(desk.llm, prompts(), catalog(), models)
    return desk


@pytest.mark.parametrize(
    ("replies", "kind", "sent"),
    [
        ([envelope(s=1, mensagem="Claro, me conta.")], ReplyKind.ANSWER, "Claro, me conta."),
        ([envelope(s=1, mensagem="Não posso, infelizmente.")], ReplyKind.ANSWER, "Não posso, infelizmente."),
        (
            [envelope(s=3, reason="out_of_scope", mensagem="Claro, com prazer!")],
            ReplyKind.REFUSAL,
            "Claro, com prazer!",
        ),
        ([ESCALATES, "{}"], ReplyKind.ESCALATION, "Isso é com a equipe."),
        (
            [envelope(s=99, context_needed=["SERVICES"]), envelope(s=1, mensagem="Fazemos, sim.")],
            ReplyKind.ANSWER,
            "Fazemos, sim.",
        ),
        (["```json\n" + envelope(s=1, mensagem="Olá!") + "\n```"], ReplyKind.ANSWER, "Olá!"),
        (['{"s":1}Olá!'], ReplyKind.ANSWER, "Olá!"),
        (["sem forma", envelope(s=1, mensagem="Agora sim.")], ReplyKind.ANSWER, "Agora sim."),
    ],
    ids=["answer", "answer that sounds like no", "refusal that sounds like yes", "escalation", "after a silent code",
         "in a fence", "written as text", "after a second chance"],
)  # fmt: skip
def test_the_kind_is_the_path_s_and_never_the_words(replies: list[str], kind: ReplyKind, sent: str) -> None:
    desk = schema_desk(*replies)
    desk.says("oi, tudo bem?")
    assert desk.last_turn.reply is not None
    assert (desk.last_turn.reply.kind, desk.replies[0].startswith(sent)) == (kind, True)


def test_a_provider_that_fails_is_an_escalation_in_this_form_too() -> None:
    desk = schema_desk()
    desk.says("oi, tudo bem?")
    assert desk.last_turn.reply is not None
    assert (desk.last_turn.reply.kind, desk.head.mode) == (ReplyKind.ESCALATION, Mode.HUMAN)


def test_agents_are_asked_for_the_schema_and_repairs_and_summaries_are_not() -> None:
    desk = schema_desk(ESCALATES, "{}")
    desk.says("quero a segunda via do boleto")
    asked = {call.purpose: call.output_schema for call in desk.llm.calls}
    assert asked == {CallPurpose.AGENT: reply_schema(Agent.TRIAGEM), CallPurpose.SUMMARY: None}


def test_the_prompt_teaches_the_form_that_is_asked_for_and_shows_no_other() -> None:
    desk = schema_desk(envelope(s=1, mensagem="Olá!"), envelope(s=1, mensagem="Certo."))
    desk.says("oi")
    desk.says("quero uma visita")
    contents = [message["content"] for message in desk.llm.calls[-1].messages]
    assert prompts().schema_reminder in contents
    assert prompts().reminder not in contents
    assert '{"s": 1, "mensagem": "Olá!"}' in contents


def test_by_default_nothing_of_it_is_asked_for() -> None:
    desk = Desk()
    desk.llm.script('{"s":1}Olá!')
    desk.invoker = AgentInvokerImpl(desk.llm, prompts(), catalog(), desk.settings.models)
    desk.says("oi")
    [call] = desk.llm.calls
    assert call.output_schema is None
    assert prompts().reminder in [message["content"] for message in call.messages]


def test_data_of_an_envelope_reach_the_state_and_the_ledger_reads_as_in_text_mode() -> None:
    field = catalog().fields[0].id
    said = envelope(s=1, dados=[{"campo": field, "valor": "sem valor"}], mensagem="Certo.")
    desk = schema_desk(said)
    desk.says("oi")
    raw = desk.last_turn.calls[0].raw_reply
    assert raw == '{"s":1,"triage_data":{' + f'{json.dumps(field)}:"sem valor"' + "}}Certo."


def test_scores_read_the_kind_and_hold_no_table_of_words() -> None:
    scoring = (ROOT / "src/evaluation/scoring.py").read_text("utf-8")
    assert "ReplyKind.REFUSAL" in scoring
    assert not [name for name in ("marker", "keyword", "substring", "re.compile") if name in scoring]
