"""The process function with an event of one record, through real clients.

`whole_turn_cpu`: its CPU ÷ that of the calls that it makes, bare: what a turn costs besides.
`round_trips_to_answer`: how many answers of others the customer waits for, one after another, until the reply has left.
The yardstick sends the same three requests to the table with the same parameters, one model call with the same
messages and the same two posts to the channel, over clients that are warm, and reads nothing in their answers.
"""

from __future__ import annotations

import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import botocore.client
import httpx2
from botocore.session import get_session

from benchmarks.measuring import cpu_ratio
from core.domain.pointer import pointer_body
from core.integrations.dynamodb.attributes import marshalled
from core.integrations.factory import Dependencies, build_dependencies
from core.integrations.system.clock import SystemClock
from core.integrations.wiring.channel import sdk_client
from handlers import process_message
from handlers.logs import build_logger
from tests.desk import PHONE_NUMBER_ID, Desk
from tests.neutral_company import COMPANY, copy_prompts

LIMITS = {"whole_turn_cpu": 1.15, "round_trips_to_answer": 4.5}
_ROUND_TRIP_SECONDS = 0.2

QUESTION = "São dois splits, um na sala e um no quarto. Vocês instalam no sábado?"
_EXPECTED = ["Query", "TransactWriteItems", "TransactWriteItems"]


class Context:
    """A function that has just begun."""

    aws_request_id = "bench"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


@dataclass(slots=True)
class Calls:
    """What a turn asks of others, in order, and when its answer had left."""

    table: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    model: list[dict[str, Any]] = field(default_factory=list)
    channel: list[tuple[str, bytes, dict[str, str]]] = field(default_factory=list)
    seconds_to_answer: float = 0.0


def measure(*, rounds: int = 15, calls: int = 20) -> dict[str, float]:
    """Both figures, as ratios."""
    with logs_unread():
        items, pointer = waiting_conversation()
        with _prepared(items, pointer) as (run, deps):
            made = _listen(run)
            if [operation for operation, _ in made.table] != _EXPECTED or len(made.model) != 1:
                raise RuntimeError(f"not a normal turn: {made}")
            ratio = cpu_ratio(run, _bare(made, sdk_client(deps.settings.models)), rounds=rounds, calls=calls)
        with _prepared(items, pointer, round_trip_seconds=_ROUND_TRIP_SECONDS) as (run, _):
            waits = [_listen(run).seconds_to_answer / _ROUND_TRIP_SECONDS for _ in range(3)]
    return {"whole_turn_cpu": ratio, "round_trips_to_answer": statistics.median(waits)}


@contextmanager
def _prepared(
    items: Sequence[dict[str, Any]], pointer: str, *, round_trip_seconds: float = 0.0
) -> Iterator[tuple[Callable[[], None], Dependencies]]:
    found = {"Items": [marshalled(item) for item in items], "Count": len(items)}
    event = {"Records": [{"messageId": "1", "receiptHandle": "1", "body": pointer, "attributes": {}}]}
    with turn_server(found, round_trip_seconds) as url, tempfile.TemporaryDirectory() as folder:
        environment = turn_environment(url, copy_prompts(Path(folder) / "prompts"))
        with patch.dict(os.environ, environment, clear=True):
            deps = build_dependencies()
            with patch.object(process_message, "dependencies", lambda: deps):
                yield _handled(event), deps


def _handled(event: dict[str, Any]) -> Callable[[], None]:
    def run() -> None:
        with redirect_stdout(io.StringIO()):  # its metrics
            failed = process_message.handler(event, Context())["batchItemFailures"]
        if failed:
            raise RuntimeError("the turn failed")

    return run


def _bare(made: Calls, sdk: Any) -> Callable[[], None]:
    table = get_session().create_client("dynamodb")
    methods = {"Query": table.query, "TransactWriteItems": table.transact_write_items}
    (model,) = made.model
    channel = httpx2.Client(trust_env=False)

    def run() -> None:
        for operation, parameters in made.table:
            methods[operation](**parameters)
        sdk.responses.create(**model)
        for address, body, headers in made.channel:
            channel.post(address, content=body, headers=headers)

    return run


def _listen(run: Callable[[], None]) -> Calls:
    """The calls of one run, once everything is warm."""
    run()
    made, began = Calls(), time.perf_counter()
    ask = botocore.client.BaseClient._make_api_call  # noqa: SLF001 -- as every tool that listens to botocore
    post = httpx2.Client.send

    def asked(client: Any, operation: str, parameters: dict[str, Any]) -> Any:
        made.table.append((operation, parameters))
        return ask(client, operation, parameters)

    def posted(client: httpx2.Client, request: httpx2.Request, **options: Any) -> httpx2.Response:
        body = request.read()
        if request.url.path.endswith("/responses"):
            made.model.append(json.loads(body))
        else:
            headers = {name: request.headers[name] for name in ("authorization", "content-type")}
            made.channel.append((str(request.url), body, headers))
        answer = post(client, request, **options)
        if b'"text"' in body:
            made.seconds_to_answer = time.perf_counter() - began
        return answer

    with patch.object(botocore.client.BaseClient, "_make_api_call", asked), patch.object(httpx2.Client, "send", posted):
        run()
    return made


def waiting_conversation() -> tuple[Sequence[dict[str, Any]], str]:
    """A session of a few turns, and a message that waits: the table's items, and the record on the queue."""
    desk = Desk()
    desk.clock.advance(SystemClock().now_ms() - desk.clock.now_ms())
    for said, answer in (("oi", "Olá! O que você quer instalar?"), ("ar-condicionado", "Quantos aparelhos são?")):
        desk.agent.script(f'{{"s":1}}{answer}')
        desk.says(said)
    pointer = desk.record(desk.message(QUESTION))
    return desk.store.items(pointer.conversation), pointer_body(pointer)


def turn_environment(url: str, prompts_dir: Path) -> dict[str, str]:
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "AWS_ENDPOINT_URL": url,
        "AWS_REGION": "sa-east-1",
        "AWS_DEFAULT_REGION": "sa-east-1",
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "POWERTOOLS_METRICS_NAMESPACE": "bench",
        "TABLE_NAME": "bench",
        "QUEUE_URL": f"{url}/queue",
        "IDENTITY_KEY": "bench",
        "OPENAI_API_KEY": "sk-bench",
        "OPENAI_BASE_URL": f"{url}/v1",
        "PROMPTS_DIR": str(prompts_dir),
        "COMPANY": COMPANY,
        "WHATSAPP_API_BASE_URL": url,
        "WHATSAPP_PHONE_NUMBER_ID": PHONE_NUMBER_ID,
        "WHATSAPP_ACCESS_TOKEN": "bench",
        "WHATSAPP_APP_SECRET": "bench",
        "WHATSAPP_VERIFY_TOKEN": "bench",
        "SPEND_PER_HOUR_USD": "0",
    }


@contextmanager
def logs_unread() -> Iterator[None]:
    """Written as ever, and thrown away."""
    console = build_logger().registered_handler
    stream = console.setStream(io.StringIO())
    try:
        yield
    finally:
        console.setStream(stream)


@contextmanager
def turn_server(found: dict[str, Any], round_trip_seconds: float) -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.whole_turn_server", str(round_trip_seconds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(json.dumps(found) + "\n")
            process.stdin.flush()
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.stdin.close()


if __name__ == "__main__":
    print(measure())
