"""A file of settings that cannot be deployed is refused with every mistake at once, each with its line and its mend."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from deployment.command import checked
from deployment.wanted import Wanted
from tests.neutral_company import copy_prompts

ROOT = Path(__file__).resolve().parents[3]
HERE = f"python{sys.version_info.major}.{sys.version_info.minor}"
WHOLE = f"WHATSAPP_PHONE_NUMBER_ID=123\nCOMPANY=neutra\nALARM_EMAIL=a@b.example\nLAMBDA_RUNTIME={HERE}\n"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy_prompts(tmp_path / "prompts")
    for name in (".env.example", "template.yaml"):
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    return tmp_path


def deployed(checkout: Path, text: str, *, region: str = "sa-east-1") -> Wanted | None:
    (checkout / ".env.prod").write_text(text, "utf-8")
    return checked(checkout / ".env.prod", "balcao-prod", checkout, region=region)


def test_a_setting_of_the_file_reaches_its_parameter_and_all_others_have_their_defaults(checkout: Path) -> None:
    wanted = deployed(checkout, WHOLE + "TURNS_PER_HOUR=33\n")
    assert wanted is not None
    assert wanted.parameters["TurnsPerHour"] == "33"
    assert wanted.parameters["SpendPerDayUsd"] == "0.50"
    assert wanted.parameters["AlarmEmail"] == "a@b.example"
    assert wanted.parameters["OpenAiApiKeySsmParam"] == "/balcao-prod/openai-api-key"


def test_a_secret_is_no_parameter_and_is_not_shown(checkout: Path) -> None:
    wanted = deployed(checkout, WHOLE + "OPENAI_API_KEY=sk-secret\nOPENAI_API_KEY_SSM_PARAM=/mine/key\n")
    assert wanted is not None
    assert wanted.parameters["OpenAiApiKeySsmParam"] == "/mine/key"
    assert wanted.secret("OPENAI_API_KEY").value == "sk-secret"
    assert "sk-secret" not in repr(wanted)


def test_every_mistake_is_told_at_once_with_its_line(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(
        [
            "TURNS_PERHOUR=3",
            "MAXIMUM_CONCURRENCY=1",
            "LAMBDA_RUNTIME=python2.7",
            "TABLE_NAME=mine",
            "OPENAI_BASE_URL=http://localhost:4000/v1",
            "PROMPTS_DIR=" + str(checkout / "prompts"),
            "HANDOFF_TOPIC_ARN=arn:aws:sns:us-east-1:123456789012:people",
            "WHATSAPP_TRANSPORT=aws_social",
            "WHATSAPP_APP_SECRET_SSM_PARAM=/a/b",
            "WHATSAPP_VERIFY_TOKEN_SSM_PARAM=/a/b",
            "SOCIAL_TOPIC_ARN=people",
            "LLM_RETRY_MAX=99",
        ]
    )
    assert deployed(checkout, text) is None
    told = capsys.readouterr().err
    for line, words in (
        (1, "did you mean TURNS_PER_HOUR?"),
        (1, "WHATSAPP_PHONE_NUMBER_ID is not set"),
        (2, "MAXIMUM_CONCURRENCY=1 is not from 2 to 1000"),
        (3, "LAMBDA_RUNTIME=python2.7"),
        (4, "TABLE_NAME is made by the deployment"),
        (5, "no function reaches this machine"),
        (6, "functions have only the prompts of their bundle"),
        (7, "HANDOFF_TOPIC_ARN is in us-east-1, and this is deployed to sa-east-1"),
        (10, "are the same parameter"),
        (11, "is no ARN of an SNS topic"),
        (12, "LLM_RETRY_MAX must be a number"),
    ):
        assert words in told
        assert f".env.prod:{line}:" in told


def test_messages_that_go_out_by_aws_must_have_a_way_in(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = WHOLE + "WHATSAPP_TRANSPORT=aws_social\nWHATSAPP_AWS_PHONE_NUMBER_ID=phone-number-id-1\n"
    assert deployed(checkout, text) is None
    assert "no message would come in" in capsys.readouterr().err


def test_a_desk_without_whatsapp_needs_no_number_and_no_token(checkout: Path) -> None:
    wanted = deployed(checkout, f"WHATSAPP_ENABLED=false\nCOMPANY=neutra\nLAMBDA_RUNTIME={HERE}\n")
    assert wanted is not None
    assert wanted.parameters["WhatsAppPhoneNumberId"] == "0"
    assert [secret.setting for secret in wanted.secrets if secret.is_needed] == ["OPENAI_API_KEY", "IDENTITY_KEY"]


def test_a_provider_that_is_not_asked_needs_no_key_and_one_that_is_does(checkout: Path) -> None:
    wanted = deployed(checkout, WHOLE)
    assert wanted is not None
    assert wanted.parameters["AnthropicApiKeySsmParam"] == ""
    models = "".join(
        f"ANTHROPIC_MODEL_{agent}=claude\n" for agent in ("TRIAGE", "QUALIFICATION", "COLLECTION", "SUMMARY")
    )
    uncapped = "SPEND_PER_DAY_USD=0\nSPEND_PER_HOUR_USD=0\n"
    other = deployed(checkout, WHOLE + "LLM_PROVIDERS=anthropic\n" + uncapped + models)
    assert other is not None
    assert other.parameters["AnthropicApiKeySsmParam"] == "/balcao-prod/anthropic-api-key"
    assert other.secret("ANTHROPIC_API_KEY").is_needed
    assert not other.secret("OPENAI_API_KEY").is_needed


def test_a_version_that_is_named_by_hand_is_a_warning(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deployed(checkout, WHOLE + "CODE_VERSION=mine\n") is not None
    assert "warning: CODE_VERSION is given" in capsys.readouterr().err


def test_nobody_to_tell_of_an_alarm_is_a_warning(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deployed(checkout, WHOLE.replace("ALARM_EMAIL=a@b.example\n", "")) is not None
    assert "warning: ALARM_EMAIL is empty" in capsys.readouterr().err
