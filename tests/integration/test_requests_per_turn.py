"""The process function whole, on the real adapter: what a turn costs the table, and what a conflict there may cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from botocore.exceptions import ClientError

from core.agents.invoker import AgentInvokerImpl
from core.domain.messages import InboundMessage, MessageKind, Sender
from core.domain.pointer import pointer_body
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.factory import Dependencies, build_dependencies
from core.integrations.system.clock import SystemClock
from handlers import process_message
from tests.faults.raw_body import raw_body
from tests.integration.recording_client import RecordingClient
from tests.model_clients import openai_client
from tests.neutral_company import COMPANY

PHONE_NUMBER_ID = "330000000000982"
ANSWER = '{"s":1}Bom dia! O que você quer instalar?'
RETENTION_DAYS = 180


class Provider:
    """The model's server in memory."""

    def __init__(self) -> None:
        self.requests = 0

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests += 1
        content = {"type": "output_text", "text": ANSWER, "annotations": []}
        said = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [content]}
        usage = {"input_tokens": 400, "output_tokens": 20, "total_tokens": 420}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        model = json.loads(request.content)["model"]
        body = {"id": "r", "object": "response", "created_at": 1, "status": "completed", "model": model}
        body |= {"parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
        return httpx2.Response(200, json={**body, "output": [said], "usage": usage})


class ConflictingClient(RecordingClient):
    """`conflicts` transactions that hold a turn are cancelled because another one holds an item."""

    conflicts = 0

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        passed_on = super().__getattr__(operation)
        if operation != "transact_write_items":
            return passed_on

        def call(**request: Any) -> Any:
            is_commit = len(request["TransactItems"]) > 2
            if is_commit and self.conflicts:
                self.conflicts -= 1
                self.calls.append((operation, request))
                reasons = [{"Code": "TransactionConflict"}, *({"Code": "None"} for _ in request["TransactItems"][1:])]
                response = {"Error": {"Code": "TransactionCanceledException"}, "CancellationReasons": reasons}
                raise ClientError(response, operation)
            return passed_on(**request)

        return call


class Context:
    def get_remaining_time_in_millis(self) -> int:
        return 60_000


class Retries:
    """The queue's visibility is no matter here."""

    def retry_in(self, receipt_handle: str, *, seconds: int) -> None: ...


def environment(table_name: str, prompts_dir: Path) -> dict[str, str]:
    """What the function is given."""
    return {
        "TABLE_NAME": table_name,
        "QUEUE_URL": "https://sqs.test/inbound.fifo",
        "IDENTITY_KEY": "chave-de-teste",
        "OPENAI_API_KEY": "sk-test",
        "PROMPTS_DIR": str(prompts_dir),
        "COMPANY": COMPANY,
        "WHATSAPP_ENABLED": "false",
        "WHATSAPP_PHONE_NUMBER_ID": PHONE_NUMBER_ID,
    }


class Function:
    """The process function as Lambda has it, built from an environment, its table's client listened to."""

    def __init__(self, client: Any, table_name: str, prompts_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table = ConflictingClient(client)
        self.provider = Provider()
        environ = environment(table_name, prompts_dir)
        self.deps = self._with_provider(build_dependencies(environ, table_client=self.table))
        self.store = DynamoConversationStore(
            client, table_name=table_name, retention_days=RETENTION_DAYS, clock=SystemClock()
        )
        monkeypatch.setattr(process_message, "dependencies", lambda: self.deps)

    def _with_provider(self, deps: Dependencies) -> Dependencies:
        http_client = httpx2.Client(transport=httpx2.MockTransport(self.provider))
        llm = openai_client(openai.OpenAI(api_key="sk-test", max_retries=0, http_client=http_client))
        invoker = AgentInvokerImpl(llm=llm, prompts=deps.prompts, catalog=deps.catalog, models=deps.settings.models)
        return replace(deps, llm=llm, invoker=invoker, retries=Retries())

    def message(self, text: str, *, bsuid: str | None = None) -> InboundMessage:
        return InboundMessage(
            provider_id=f"wamid.{text}",
            kind=MessageKind.TEXT,
            sender=Sender(phone="5511980000101", bsuid=bsuid),
            phone_number_id=PHONE_NUMBER_ID,
            sent_at_ms=SystemClock().now_ms() // 1000 * 1000,
            text=text,
        )

    def recorded(self, message: InboundMessage) -> str:
        """What the webhook puts on the queue."""
        pointer = self.deps.batches.intake.record(message)
        assert pointer is not None
        self.table.calls.clear()
        return pointer_body(pointer)

    def receives(self, *bodies: str) -> list[dict[str, str]]:
        records = [
            {"messageId": f"m{n}", "receiptHandle": f"r{n}", "body": body, "attributes": {}}
            for n, body in enumerate(bodies)
        ]
        return process_message.handler({"Records": records}, Context())["batchItemFailures"]

    def sent(self, body: str) -> list[str]:
        conversation = json.loads(body)["conv"]
        log = self.store.read(conversation).log
        return [entry.text for entry in log if hasattr(entry, "attempt") and entry.state == "sent"]


@pytest.fixture
def function(dynamodb: Any, table_name: str, neutral_prompts_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Function:
    return Function(dynamodb, table_name, neutral_prompts_dir, monkeypatch)


def test_a_function_does_not_start_with_a_cap_over_a_model_without_a_price(neutral_prompts_dir: Path) -> None:
    environ = {**environment("t", neutral_prompts_dir), "OPENAI_MODEL_SUMMARY": "gpt-77"}
    with pytest.raises(RuntimeError, match="OPENAI_MODEL_SUMMARY=gpt-77 has no price"):
        build_dependencies(environ)


def test_a_normal_turn_costs_the_table_three_requests(function: Function) -> None:
    function.receives(function.recorded(function.message("oi")))
    body = function.recorded(function.message("e o prazo?"))
    assert function.receives(body) == []
    assert function.table.operations == ["query", "transact_write_items", "transact_write_items"]
    assert function.provider.requests == 2


def test_a_process_that_has_not_for_a_while_asks_for_the_hours_money_and_adds_its_own(function: Function) -> None:
    body = function.recorded(function.message("oi"))
    assert function.receives(body) == []
    own = ["transact_write_items", "transact_write_items"]
    assert function.table.operations == ["query", "batch_get_item", "update_item", *own]


@pytest.mark.parametrize("bsuid", [None, "BR.7100000000000101"], ids=["phone alone", "phone and BSUID"])
def test_a_raw_body_costs_one_more(function: Function, bsuid: str | None) -> None:
    known = function.recorded(function.message("oi", bsuid=bsuid))
    assert function.receives(known) == []
    function.table.calls.clear()
    assert function.receives(json.dumps(raw_body(function.message("e o prazo?", bsuid=bsuid)))) == []
    assert len(function.table.calls) == 4
    assert function.provider.requests == 2


def test_a_message_answered_before_costs_one_request_and_no_model_call(function: Function) -> None:
    body = function.recorded(function.message("oi"))
    function.receives(body)
    function.table.calls.clear()
    assert function.receives(body) == []
    assert (function.table.operations, function.provider.requests) == (["query"], 1)


def test_a_transaction_conflict_keeps_the_answer_that_was_paid_for(function: Function) -> None:
    body = function.recorded(function.message("oi"))
    function.table.conflicts = 2
    assert function.receives(body) == []
    commits = [request for operation, request in function.table.calls if len(request.get("TransactItems", ())) > 2]
    assert len(commits) == 3
    assert all(request == commits[0] for request in commits), "the same request, and the same token"
    assert function.provider.requests == 1
    assert len(function.sent(body)) == 1


def test_conflicts_without_end_bring_the_record_back_and_the_customer_one_reply(function: Function) -> None:
    body = function.recorded(function.message("oi"))
    function.table.conflicts = 1_000
    assert function.receives(body) == [{"itemIdentifier": "m0"}]
    function.table.conflicts = 0
    assert function.receives(body) == []
    assert len(function.sent(body)) == 1
