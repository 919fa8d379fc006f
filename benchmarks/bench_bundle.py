"""CPU of a fresh interpreter with nothing but a built bundle ÷ one that makes its SDKs' clients out of the same bundle.

The SDKs are openai and botocore (one client each, DynamoDB) for the process function, botocore alone for the webhook.
`bundle_import_*`: the handler is imported and its dependencies built. `bundle_first_event_*`: and the first event is
answered, a whole turn or a signed body of Meta's. Whole processes are measured, start and end included. The packages of
the bundle are installed once, from the index.
"""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import bundle
from benchmarks import bench_import
from benchmarks.bench_whole_turn import logs_unread, turn_environment, turn_server, waiting_conversation
from core.channels.whatsapp.signature import sign
from core.integrations.dynamodb.attributes import marshalled
from tests.neutral_company import copy_prompts

LIMITS = {"bundle_import_process": 1.15}

_ARCHITECTURES = {"aarch64": "arm64", "AMD64": "x86_64"}
_CLIENT = "import botocore.session; botocore.session.get_session().create_client('dynamodb')"
_CONTEXT = "type('Context', (), {'aws_request_id': 'b', 'get_remaining_time_in_millis': lambda self: 60_000})()"
_SCRIPTS = {
    "client": _CLIENT,
    "sdks": f"import openai; openai.OpenAI(api_key='sk-bench'); {_CLIENT}",
    "import_process": "import handlers.process_message as door; door.dependencies()",
    "import_webhook": "import handlers.webhook as door; door.dependencies()",
    "first_event_process": "import json, sys, handlers.process_message as door; "
    f"assert not door.handler(json.load(sys.stdin), {_CONTEXT})['batchItemFailures']",
    "first_event_webhook": "import json, sys, handlers.webhook as door; "
    f"assert door.handler(json.load(sys.stdin), {_CONTEXT})['statusCode'] == 200",
}
_YARDSTICKS = {"process": "sdks", "webhook": "client"}


def measure(*, rounds: int = 9) -> dict[str, float]:
    """A ratio for each function, of its import and of its first event; medians of runs that take turns."""
    with logs_unread():
        items, pointer = waiting_conversation()
    found = {"Items": [marshalled(item) for item in items], "Count": len(items)}
    record = {"messageId": "1", "receiptHandle": "1", "body": pointer, "attributes": {}}
    events = {"process": {"Records": [record]}, "webhook": _signed_body()}
    with tempfile.TemporaryDirectory() as folder, turn_server(found, 0.0) as url:
        homes = {name: Path(folder) / name for name in _YARDSTICKS}
        for name, home in homes.items():
            _build(home, name)
        settings = {**bench_import.ENVIRONMENT, **turn_environment(url, copy_prompts(Path(folder) / "prompts"))}

        def cpu(script: str, function: str) -> float:
            return _cpu(script, {**settings, "PYTHONPATH": str(homes[function])}, events[function])

        ratios: dict[str, list[float]] = {}
        for turn in range(rounds + 1):
            for function, yardstick in _YARDSTICKS.items():
                least = cpu(yardstick, function)
                for figure in ("import", "first_event"):
                    ratio = cpu(f"{figure}_{function}", function) / least
                    if turn:
                        ratios.setdefault(f"bundle_{figure}_{function}", []).append(ratio)
    return {figure: statistics.median(each) for figure, each in ratios.items()}


def _build(home: Path, function: str) -> None:
    runtime = f"python{sys.version_info.major}.{sys.version_info.minor}"
    machine = platform.machine()
    bundle.assemble(home, runtime, _ARCHITECTURES.get(machine, machine), function=function.capitalize())


def _signed_body() -> dict[str, object]:
    body = json.dumps({"object": "whatsapp_business_account", "entry": []})
    signature = sign(body.encode(), bench_import.ENVIRONMENT["WHATSAPP_APP_SECRET"])
    return {
        "requestContext": {"http": {"method": "POST"}},
        "headers": {"x-hub-signature-256": signature},
        "body": body,
        "isBase64Encoded": False,
    }


def _cpu(script: str, environment: Mapping[str, str], event: object) -> float:
    """Seconds of a process without site-packages, which reads the event."""
    command = [sys.executable, "-S", "-s", "-c", _SCRIPTS[script]]
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, env=dict(environment), input=json.dumps(event).encode(), check=True, stdout=subprocess.PIPE)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    print(measure())
