"""CPU of a fresh interpreter that imports a handler and builds its dependencies ÷ one that makes its SDKs' clients.

The SDKs are openai and boto3 (DynamoDB) for the process function, boto3 alone for the webhook.

Whole processes are measured, start and end included, with compiled files at hand. Nothing goes over the network.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

LIMITS = {"import_process": 1.15, "import_webhook": 1.3}

ROOT = Path(__file__).resolve().parents[1]
_CLIENT = "import boto3; boto3.client('dynamodb')"
_PROCESS = "import handlers.process_message as door; door.build_dependencies()"
_PROCESS_SDKS = f"import openai; openai.OpenAI(api_key='sk-bench'); {_CLIENT}"
_WEBHOOK = "import handlers.webhook as door; door.build_door_dependencies()"
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "PYTHONPATH": str(ROOT / "src"),
    "AWS_DEFAULT_REGION": "sa-east-1",
    "AWS_ACCESS_KEY_ID": "bench",
    "AWS_SECRET_ACCESS_KEY": "bench",
    "OPENAI_API_KEY": "sk-bench",
    "TABLE_NAME": "bench",
    "QUEUE_URL": "https://sqs.sa-east-1.amazonaws.com/000000000000/bench.fifo",
    "IDENTITY_KEY": "bench",
    "WHATSAPP_PHONE_NUMBER_ID": "330000000000982",
    "WHATSAPP_ACCESS_TOKEN": "bench",
    "WHATSAPP_APP_SECRET": "bench",
    "WHATSAPP_VERIFY_TOKEN": "bench",
}


def measure(*, rounds: int = 21) -> dict[str, float]:
    """A ratio for each function."""
    return {
        "import_process": _ratio(_PROCESS, _PROCESS_SDKS, rounds),
        "import_webhook": _ratio(_WEBHOOK, _CLIENT, rounds),
    }


def _ratio(measured: str, yardstick: str, rounds: int) -> float:
    """The median of runs that take turns, after a first one that compiles what is not compiled yet."""
    ratios = [_cpu(measured) / _cpu(yardstick) for _ in range(rounds + 1)]
    return statistics.median(ratios[1:])


def _cpu(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    print(measure())
