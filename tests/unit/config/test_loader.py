"""Settings: read once, wrong ones listed together, secrets from the environment or SSM."""

from __future__ import annotations

from decimal import Decimal
from operator import attrgetter
from typing import Any

import pytest

from core.config.loader import app_secrets, load_door_settings, load_settings
from core.config.prompt_files import read_prices
from core.config.settings import Transport
from core.config.spend_caps import unpriced_models
from core.integrations.ssm.secret_source import MAX_AGE_SECONDS, SsmSecretSource

ENVIRONMENT = {
    "TABLE_NAME": "balcao",
    "QUEUE_URL": "https://queue.invalid/balcao.fifo",
    "IDENTITY_KEY": "chave",
    "OPENAI_API_KEY": "sk-x",
    "WHATSAPP_ACCESS_TOKEN": "token",
    "WHATSAPP_APP_SECRET": "segredo",
    "WHATSAPP_VERIFY_TOKEN": "verifica",
    "WHATSAPP_PHONE_NUMBER_ID": "330000000000982",
}


class FakeSsm:
    """GetParameters over a dict; counts requests, as the bill does."""

    def __init__(self, **values: str) -> None:
        self.values = values
        self.requests: list[list[str]] = []

    def get_parameters(self, *, Names: list[str], WithDecryption: bool) -> dict[str, Any]:  # noqa: N803
        assert WithDecryption
        self.requests.append(Names)
        found = [{"Name": name, "Value": self.values[name]} for name in Names if name in self.values]
        return {"Parameters": found, "InvalidParameters": [name for name in Names if name not in self.values]}


def source(environ: dict[str, str], ssm: FakeSsm, now: list[float] | None = None) -> SsmSecretSource:
    clock = now or [0.0]
    return SsmSecretSource(environ, ssm_client=lambda: ssm, monotonic=lambda: clock[0])


def test_defaults_are_those_of_the_settings_table() -> None:
    settings = load_settings(ENVIRONMENT)
    assert (settings.models.timeout_seconds, settings.models.retry_max, settings.models.reasoning_effort) == (30, 1, "")
    assert (settings.conversation.session_ttl_hours, settings.conversation.turns_per_hour) == (24, 40)
    assert settings.conversation.repair_local


def test_every_fault_is_listed_in_one_message() -> None:
    environ = {**ENVIRONMENT, "LLM_TIMEOUT_SECONDS": "soon", "REPAIR_LOCAL": "perhaps", "TURNS_PER_HOUR": "0"}
    del environ["TABLE_NAME"], environ["OPENAI_API_KEY"]
    with pytest.raises(RuntimeError) as caught:
        load_settings(environ)
    for name in ("LLM_TIMEOUT_SECONDS", "REPAIR_LOCAL", "TURNS_PER_HOUR", "TABLE_NAME", "OPENAI_API_KEY_SSM_PARAM"):
        assert name in str(caught.value)


def test_no_key_and_no_parameter_name_is_a_runtime_error() -> None:
    with pytest.raises(RuntimeError, match="OPENAI_API_KEY"):
        load_settings({k: v for k, v in ENVIRONMENT.items() if k != "OPENAI_API_KEY"})


def test_the_door_needs_no_provider_key() -> None:
    environ = {k: v for k, v in ENVIRONMENT.items() if k not in ("OPENAI_API_KEY", "WHATSAPP_ACCESS_TOKEN")}
    assert load_door_settings(environ).whatsapp.app_secrets == ("segredo",)


def test_secrets_come_from_ssm_by_parameter_name_with_one_request() -> None:
    ssm = FakeSsm(**{"/balcao/openai": "sk-ssm", "/balcao/token": "t-ssm"})
    environ = {
        **{k: v for k, v in ENVIRONMENT.items() if k not in ("OPENAI_API_KEY", "WHATSAPP_ACCESS_TOKEN")},
        "OPENAI_API_KEY_SSM_PARAM": "/balcao/openai",
        "WHATSAPP_ACCESS_TOKEN_SSM_PARAM": "/balcao/token",
    }
    settings = load_settings(environ, secrets=source(environ, ssm))
    assert (settings.models.api_key, settings.whatsapp.access_token) == ("sk-ssm", "t-ssm")
    assert len(ssm.requests) == 1


def test_a_parameter_that_ssm_does_not_know_is_named() -> None:
    environ = {**ENVIRONMENT, "OPENAI_API_KEY": "", "OPENAI_API_KEY_SSM_PARAM": "/balcao/forgotten"}
    with pytest.raises(RuntimeError, match="/balcao/forgotten"):
        load_settings(environ, secrets=source(environ, FakeSsm()))


def test_a_secret_is_kept_for_a_while_and_read_again_when_refused() -> None:
    ssm, now = FakeSsm(p="first"), [0.0]
    secrets = source({"TOKEN_SSM_PARAM": "p"}, ssm, now)
    assert secrets.get("TOKEN") == "first"
    ssm.values["p"] = "second"
    assert secrets.get("TOKEN") == "first"
    assert secrets.refresh("TOKEN") == "second"
    ssm.values["p"] = "third"
    now[0] += MAX_AGE_SECONDS + 1
    assert secrets.get("TOKEN") == "third"


def test_secrets_never_show_in_a_settings_repr() -> None:
    shown = repr(load_settings(ENVIRONMENT)) + repr(load_door_settings(ENVIRONMENT))
    for secret in ("sk-x", "'token'", "segredo", "verifica", "chave"):
        assert secret not in shown


@pytest.mark.parametrize(
    ("secret", "parts"),
    [("um", ("um",)), ("novo, velho", ("novo", "velho")), ("", ()), (" , ", ())],
    ids=["one", "two during a rotation", "none", "only separators"],
)
def test_an_app_secret_may_be_two_while_it_rotates(secret: str, parts: tuple[str, ...]) -> None:
    assert app_secrets(secret) == parts


@pytest.mark.parametrize(
    ("model", "effort", "works"),
    [
        ("gpt-4o-mini", "medium", False),
        ("gpt-4.1", "low", False),
        ("gpt-5.1", "minimal", False),
        ("gpt-5.1", "none", True),
        ("gpt-5", "none", False),
        ("gpt-5-mini", "minimal", True),
        ("gpt-5.6-luna", "minimal", False),
        ("gpt-5.6-luna", "high", True),
        ("o3-mini", "xhigh", False),
        ("a-model-of-tomorrow", "minimal", True),
        ("gpt-5", "", True),
        ("gpt-5", "enormous", False),
    ],
)
def test_a_pair_known_to_fail_is_refused_at_start_up(model: str, effort: str, works: bool) -> None:
    models = dict.fromkeys(("TRIAGE", "QUALIFICATION", "COLLECTION", "SUMMARY"), model)
    environ = {
        **ENVIRONMENT,
        **{f"OPENAI_MODEL_{name}": value for name, value in models.items()},
        "OPENAI_REASONING_EFFORT": effort,
    }
    if works:
        assert load_settings(environ).models.reasoning_effort == effort
    else:
        with pytest.raises(RuntimeError, match="OPENAI_REASONING_EFFORT"):
            load_settings(environ)


# Numbers

# setting, least, most, by which path it is read
BOUNDS = [
    ("LLM_TIMEOUT_SECONDS", 1, 60, "models.timeout_seconds"),
    ("LLM_RETRY_MAX", 0, 5, "models.retry_max"),
    ("LLM_MAX_OUTPUT_TOKENS", 64, 32_000, "models.max_output_tokens"),
    ("SESSION_TTL_HOURS", 1, 720, "conversation.session_ttl_hours"),
    ("HISTORY_MAX_MESSAGES", 1, 30, "conversation.history_max_messages"),
    ("STALE_AFTER_SECONDS", 60, 604_800, "conversation.stale_after_seconds"),
    ("RETENTION_DAYS", 30, 3650, "conversation.retention_days"),
    ("IDENTITY_TRUST_DAYS", 1, 3650, "conversation.identity_trust_days"),
    ("TURNS_PER_HOUR", 3, 200, "conversation.turns_per_hour"),
    ("HANDOFF_ACK_MINUTES", 1, 1440, "conversation.handoff_ack_minutes"),
    ("OWNER_IDLE_MINUTES", 1, 10_080, "conversation.owner_idle_minutes"),
    ("HANDOFF_IDLE_HOURS", 1, 720, "conversation.handoff_idle_hours"),
    ("OUTBOX_UNKNOWN_SECONDS", 30, 3600, "conversation.outbox_unknown_seconds"),
]


@pytest.mark.parametrize(("name", "least", "most", "where"), BOUNDS, ids=[row[0] for row in BOUNDS])
def test_a_number_is_taken_up_to_its_bounds_and_refused_beyond(name: str, least: int, most: int, where: str) -> None:
    for value in (least, most):
        assert attrgetter(where)(load_settings(ENVIRONMENT | {name: str(value)})) == value
    for value in (least - 1, most + 1):
        with pytest.raises(RuntimeError, match=f"{name} must be a number from {least} to {most}, not '{value}'"):
            load_settings(ENVIRONMENT | {name: str(value)})


@pytest.mark.parametrize(
    ("written", "read"),
    [("", "0.50"), ("0", "0"), ("1.25", "1.25"), ("2", "2")],
    ids=["default", "none", "cents", "a tenth"],
)
def test_a_cap_on_money_is_read_exactly(written: str, read: str) -> None:
    policy = load_settings(ENVIRONMENT | {"SPEND_PER_DAY_USD": written}).conversation

    assert policy.spend_per_day_micro_usd == Decimal(read) * 1_000_000


@pytest.mark.parametrize("written", ["-1", "1001", "muito", "NaN", "Infinity", "0,50"])
def test_what_is_no_amount_is_refused(written: str) -> None:
    with pytest.raises(RuntimeError, match="SPEND_PER_DAY_USD must be an amount from 0 to 1000"):
        load_settings(ENVIRONMENT | {"SPEND_PER_DAY_USD": written})


@pytest.mark.parametrize(
    ("day", "hour", "fits"), [("2", "20", True), ("2.01", "20", False), ("9", "0", True), ("0", "1", True)]
)
def test_one_conversations_day_is_at_most_a_tenth_of_everybodys_hour(day: str, hour: str, fits: bool) -> None:
    environ = ENVIRONMENT | {"SPEND_PER_DAY_USD": day, "SPEND_PER_HOUR_USD": hour}
    if fits:
        load_settings(environ)
        return
    with pytest.raises(RuntimeError, match="at most a tenth of SPEND_PER_HOUR_USD"):
        load_settings(environ)


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({}, []),
        ({"OPENAI_MODEL_TRIAGE": "gpt-77", "OPENAI_MODEL_SUMMARY": "gpt-78"}, ["TRIAGE=gpt-77", "SUMMARY=gpt-78"]),
        ({"OPENAI_MODEL_TRIAGE": "gpt-4o-mini-2024-07-18"}, []),
        ({"OPENAI_MODEL_TRANSCRIPTION": "whisper-77"}, []),
        ({"OPENAI_MODEL_TRANSCRIPTION": "whisper-77", "TRANSCRIPTION_ENABLED": "true"}, ["TRANSCRIPTION=whisper-77"]),
        ({"OPENAI_MODEL_TRIAGE": "gpt-77", "SPEND_PER_DAY_USD": "0"}, ["TRIAGE=gpt-77"]),
        ({"OPENAI_MODEL_TRIAGE": "gpt-77", "SPEND_PER_DAY_USD": "0", "SPEND_PER_HOUR_USD": "0"}, []),
    ],
)
def test_a_cap_needs_a_price_for_every_model_in_use(changes: dict[str, str], refused: list[str]) -> None:
    settings = load_settings(ENVIRONMENT | changes)
    prices = read_prices(settings.prompts_dir)

    faults = list(unpriced_models(settings.models, settings.conversation, prices))

    assert [fault.split(" ")[0].removeprefix("OPENAI_MODEL_") for fault in faults] == refused


@pytest.mark.parametrize(("written", "told"), [("true", True), ("0", False), ("ON", True), ("no", False), ("", True)])
def test_a_switch_is_read_however_it_is_written(written: str, told: bool) -> None:
    assert load_settings(ENVIRONMENT | {"REPAIR_LOCAL": written}).conversation.repair_local is told


def test_a_switched_off_channel_asks_for_none_of_its_settings() -> None:
    environ = {name: value for name, value in ENVIRONMENT.items() if not name.startswith("WHATSAPP_")}
    environ["WHATSAPP_ENABLED"] = "false"

    assert not load_settings(environ).whatsapp.enabled
    assert not load_door_settings(environ).whatsapp.enabled
    for load in (load_settings, load_door_settings):
        with pytest.raises(RuntimeError, match="WHATSAPP_PHONE_NUMBER_ID is not set"):
            load(environ | {"WHATSAPP_ENABLED": "true"})


def test_each_door_reads_its_own_secrets_alone() -> None:
    settings, door = load_settings(ENVIRONMENT), load_door_settings(ENVIRONMENT)

    assert (settings.whatsapp.access_token, settings.whatsapp.app_secrets, settings.whatsapp.verify_token) == (
        "token",
        (),
        "",
    )
    assert (door.whatsapp.access_token, door.whatsapp.app_secrets, door.whatsapp.verify_token) == (
        "",
        ("segredo",),
        "verifica",
    )


# The channel's road

THROUGH_AWS = {"WHATSAPP_TRANSPORT": "aws_social", "WHATSAPP_AWS_PHONE_NUMBER_ID": "phone-number-id-0f"}


def test_messages_go_to_meta_unless_told_otherwise() -> None:
    assert load_settings(ENVIRONMENT).whatsapp.transport is Transport.CLOUD_API


def test_messages_through_aws_need_its_number_and_no_token_of_metas() -> None:
    environ = ENVIRONMENT | THROUGH_AWS
    del environ["WHATSAPP_ACCESS_TOKEN"]
    whatsapp = load_settings(environ).whatsapp
    assert (whatsapp.transport, whatsapp.aws_phone_number_id) == (Transport.AWS_SOCIAL, "phone-number-id-0f")
    del environ["WHATSAPP_AWS_PHONE_NUMBER_ID"]
    with pytest.raises(RuntimeError, match="WHATSAPP_AWS_PHONE_NUMBER_ID is not set"):
        load_settings(environ)


def test_the_door_does_not_care_how_messages_leave() -> None:
    assert load_door_settings(ENVIRONMENT | {"WHATSAPP_TRANSPORT": "aws_social"}).whatsapp.aws_phone_number_id == ""


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"WHATSAPP_TRANSPORT": "fax"}, "WHATSAPP_TRANSPORT must be one of cloud_api, aws_social, not 'fax'"),
        (THROUGH_AWS | {"TRANSCRIPTION_ENABLED": "true"}, "TRANSCRIPTION_ENABLED needs WHATSAPP_TRANSPORT=cloud_api"),
    ],
    ids=["unknown", "voice notes through aws"],
)
def test_a_road_that_does_not_work_is_told_at_start_up(changes: dict[str, str], fault: str) -> None:
    with pytest.raises(RuntimeError, match=fault):
        load_settings(ENVIRONMENT | changes)


def test_the_template_and_the_transcription_model_are_read() -> None:
    settings = load_settings(
        ENVIRONMENT | {"WHATSAPP_TEMPLATE": "retomar", "OPENAI_MODEL_TRANSCRIPTION": "gpt-4o-transcribe"}
    )
    assert (settings.whatsapp.template, settings.models.model_transcription) == ("retomar", "gpt-4o-transcribe")


# What a paste brings along


@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "WHATSAPP_API_BASE_URL"])
def test_an_address_that_is_there_and_empty_is_the_default(name: str) -> None:
    assert load_settings(ENVIRONMENT | {name: ""}) == load_settings(ENVIRONMENT)
    assert load_settings(ENVIRONMENT).models.base_url.startswith("https://")


@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "WHATSAPP_API_BASE_URL"])
@pytest.mark.parametrize("address", ["api.example/v1", "ftp://api.example", "https://", "//api.example"])
def test_an_address_without_its_scheme_stops_the_start(name: str, address: str) -> None:
    with pytest.raises(RuntimeError, match=f"{name} must begin with https://"):
        load_settings(ENVIRONMENT | {name: address})


@pytest.mark.parametrize(
    "pasted",
    ["sk-x\n", " sk-x ", "\ufeffsk-x", "sk-x\u200b", "\u200b sk-x \u200b\n", "sk-x\r\n"],
    ids=["newline", "blanks", "byte-order mark", "zero width", "several", "windows"],
)
def test_what_nobody_sees_around_a_secret_is_no_part_of_it(pasted: str) -> None:
    assert load_settings(ENVIRONMENT | {"OPENAI_API_KEY": pasted}).models.api_key == "sk-x"
    environ = {k: v for k, v in ENVIRONMENT.items() if k != "OPENAI_API_KEY"} | {"OPENAI_API_KEY_SSM_PARAM": "/k"}
    assert load_settings(environ, secrets=source(environ, FakeSsm(**{"/k": pasted}))).models.api_key == "sk-x"


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "WHATSAPP_ACCESS_TOKEN"])
@pytest.mark.parametrize(
    "value", ["sk-té", "sk x", "sk-\u200bx", "“sk-x”"], ids=["accent", "blank", "zero width", "quotes"]
)
def test_a_key_that_no_header_can_carry_stops_the_start(name: str, value: str) -> None:
    with pytest.raises(RuntimeError, match=f"{name} holds a character that no HTTP header can carry"):
        load_settings(ENVIRONMENT | {name: value})
