"""What a function loads before its first event."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.neutral_company import COMPANY

ROOT = Path(__file__).resolve().parents[3]
SETTINGS = {
    "AWS_DEFAULT_REGION": "sa-east-1",
    "OPENAI_API_KEY": "sk-test",
    "TABLE_NAME": "table",
    "QUEUE_URL": "https://sqs.sa-east-1.amazonaws.com/000000000000/queue.fifo",
    "IDENTITY_KEY": "key",
    "WHATSAPP_PHONE_NUMBER_ID": "330000000000982",
    "WHATSAPP_ACCESS_TOKEN": "token",
    "WHATSAPP_APP_SECRET": "secret",
    "WHATSAPP_VERIFY_TOKEN": "verify",
}


def loaded_by(code: str, **settings: str) -> set[str]:
    """The modules of a fresh interpreter that has run `code`."""
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT / "src"), **SETTINGS, **settings}
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)  # noqa: S603 -- our own
    assert not done.stderr
    return set(done.stdout.split())


def test_the_webhook_answers_without_what_only_turns_need() -> None:
    loaded = loaded_by("from handlers import webhook; webhook.dependencies()")
    assert "core.integrations.wiring.door" in loaded
    unneeded = {"openai", "httpx2", "pydantic", "boto3", "markdown_it", "regex", "core.domain.catalogue.catalog"}
    assert unneeded & loaded == set()


def test_the_process_function_starts_without_what_few_turns_need(neutral_prompts_dir: Path) -> None:
    code = "from handlers import process_message; process_message.dependencies()"
    loaded = loaded_by(code, PROMPTS_DIR=str(neutral_prompts_dir), COMPANY=COMPANY)
    assert "openai" in loaded
    unneeded = {
        "boto3",
        "markdown_it",
        "stdnum",
        "core.application.sweep_use_case",
        "core.application.receive_webhook_use_case",
        "core.application.reply.local_repair",
        "core.application.reply.debris.closer_reading",
        "core.application.reply.announcements.reading",
    }
    assert unneeded & loaded == set()


def test_the_attendants_door_starts_without_what_only_turns_need(neutral_prompts_dir: Path) -> None:
    code = "from handlers import attendants; attendants.dependencies(); attendants.resolver()"
    loaded = loaded_by(code, PROMPTS_DIR=str(neutral_prompts_dir), COMPANY=COMPANY)
    assert "core.application.people.attendance.desk" in loaded
    unneeded = {
        "openai",
        "boto3",
        "markdown_it",
        "core.application.process_message_use_case",
        "core.application.sweep_use_case",
    }
    assert unneeded & loaded == set()
