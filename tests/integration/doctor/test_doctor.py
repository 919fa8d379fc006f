"""The doctor asks stand-ins that answer as Meta, the provider and AWS do: a sound deployment has only ticks, and each
fault is a cross of its own with what to do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from doctor_checks.aws_checks import AwsChecks
from doctor_checks.deployed import Deployed
from doctor_checks.meta_checks import MetaChecks
from doctor_checks.provider_checks import ProviderChecks
from doctor_checks.results import Result, State, as_json, as_table, ask_all
from local_stack.graph_account import ACCOUNT_ID
from local_stack.http_standin import Answer, Request, StandIn
from local_stack.model_brain import answer as brain
from local_stack.model_standin import ModelStandIn
from local_stack.webhook_signature import signed_headers
from local_stack.whatsapp_standin import PHONE_NUMBER_ID, WhatsAppStandIn

ROOT = Path(__file__).resolve().parents[3]
TOKEN, APP_SECRET, VERIFY = "token-of-a-test", "secret-of-a-test", "verify-of-a-test"
SECRETS = {
    "OPENAI_API_KEY": "sk-of-a-test",
    "IDENTITY_KEY": "k" * 64,
    "WHATSAPP_ACCESS_TOKEN": TOKEN,
    "WHATSAPP_APP_SECRET": APP_SECRET,
    "WHATSAPP_VERIFY_TOKEN": VERIFY,
}


class Webhook(StandIn):
    """Shakes hands and checks signatures."""

    def respond(self, request: Request) -> Answer:
        if request.method == "GET":
            right = request.query["hub.verify_token"] == [VERIFY]
            return Answer(status=200 if right else 403, body=request.query["hub.challenge"][0].encode())
        wanted = signed_headers(request.body, APP_SECRET)["x-hub-signature-256"]
        return Answer(status=200 if request.headers.get("x-hub-signature-256") == wanted else 401)


class Canned:
    """A client of AWS whose answers are written down; a callable is called."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def call(**asked: Any) -> Any:
            answer = self._answers[operation]
            return answer(**asked) if callable(answer) else answer

        return call

    def get_paginator(self, operation: str) -> Any:
        pages = [self._answers[operation]]
        return Canned({"paginate": lambda **_: pages})


class Payload:
    """What an invocation returns."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def read(self) -> bytes:
        return self._body


class World:
    """An account in order; a test spoils one thing."""

    endpoint = ""
    region = "sa-east-1"

    def __init__(self, whatsapp: str, model: str, webhook: str) -> None:
        self.variables = {
            "WHATSAPP_ENABLED": "true",
            "WHATSAPP_API_BASE_URL": whatsapp,
            "WHATSAPP_API_VERSION": "v24.0",
            "WHATSAPP_PHONE_NUMBER_ID": PHONE_NUMBER_ID,
            "OPENAI_BASE_URL": f"{model}/v1",
            "HANDOFF_ENABLED": "true",
            "HANDOFF_TOPIC_ARN": "arn:aws:sns:sa-east-1:123456789012:people",
            **dict.fromkeys(("OPENAI_MODEL_TRIAGE", "OPENAI_MODEL_QUALIFICATION"), "gpt-5.6-luna"),
            **dict.fromkeys(("OPENAI_MODEL_COLLECTION", "OPENAI_MODEL_SUMMARY"), "gpt-5.6-luna"),
        }
        self.secrets = {name: ("SecureString", value) for name, value in SECRETS.items()}
        self.status = "UPDATE_COMPLETE"
        self.function = {"State": "Active", "LastUpdateStatus": "Successful"}
        self.webhook = webhook
        self.clients: dict[str, dict[str, Any]] = {
            "dynamodb": {
                "describe_table": {"Table": {"TableStatus": "ACTIVE"}},
                "describe_continuous_backups": {
                    "ContinuousBackupsDescription": {
                        "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "ENABLED"}
                    }
                },
                "describe_time_to_live": {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED"}},
            },
            "sqs": {"get_queue_attributes": self._attributes},
            "lambda": {
                "list_event_source_mappings": {"EventSourceMappings": [{"State": "Enabled", "UUID": "u"}]},
                "invoke": {"Payload": Payload(b'{"deploy_check": "passed", "checked": ["settings"]}')},
            },
            "sts": {"get_caller_identity": self._identity},
            "cloudformation": {
                "list_stack_resources": {
                    "StackResourceSummaries": [
                        {
                            "ResourceType": "AWS::CloudWatch::Alarm",
                            "PhysicalResourceId": "b-Spend",
                            "LogicalResourceId": "SpendAlarm",
                        },
                        {
                            "ResourceType": "AWS::Events::Rule",
                            "PhysicalResourceId": "b-Sweep",
                            "LogicalResourceId": "SweepSchedule",
                        },
                    ]
                }
            },
            "events": {"describe_rule": {"State": "ENABLED"}},
            "cloudwatch": {"describe_alarms": {"MetricAlarms": [{"AlarmName": "b-Spend", "StateValue": "OK"}]}},
            "sns": {"list_subscriptions_by_topic": {"Subscriptions": [{"SubscriptionArn": "arn:aws:sns:x"}]}},
        }
        self.dead = 0
        self.clock_off = timedelta()

    def client(self, service: str) -> Canned:
        return Canned(self.clients[service])

    def deployed(self) -> Deployed:
        outputs = {"TableName": "b-table", "QueueUrl": "q", "DeadLetterQueueUrl": "dead", "WebhookUrl": self.webhook}
        return Deployed(
            account=self,  # type: ignore[arg-type] - as much of one as is used
            stack="b",
            status=self.status,
            parameters={},
            outputs=outputs | {"AlarmTopicArn": "arn:aws:sns:alarms", "ProcessFunctionName": "b-process"},
            functions={"b-process": self.function},
            variables=self.variables,
            secret_names={name: f"/b/{name.lower()}" for name in dict.fromkeys((*SECRETS, *self.secrets))},
            secrets=self.secrets,
        )

    def results(self, *, free: bool = False) -> list[Result]:
        deployed = self.deployed()
        provider = ProviderChecks(deployed, ROOT / "prompts", free=free)
        return list(ask_all([*AwsChecks(deployed).checks(), *MetaChecks(deployed).checks(), *provider.checks()]))

    def faults(self) -> dict[str, str]:
        return {result.about: result.found for result in self.results() if result.state is State.FAULT}

    def _attributes(self, *, QueueUrl: str, AttributeNames: list[str]) -> dict[str, Any]:  # noqa: N803
        count = str(self.dead if QueueUrl == "dead" else 0)
        found = {"ApproximateNumberOfMessages": count, "ApproximateNumberOfMessagesNotVisible": "0"}
        return {"Attributes": found | {"QueueArn": "arn:q"}}

    def _identity(self) -> dict[str, Any]:
        date = format_datetime(datetime.now(UTC) + self.clock_off, usegmt=True)
        return {"ResponseMetadata": {"HTTPHeaders": {"date": date}}}


@pytest.fixture
def whatsapp() -> Iterator[WhatsAppStandIn]:
    with WhatsAppStandIn(access_token=TOKEN) as standin:
        yield standin


@pytest.fixture
def model() -> Iterator[ModelStandIn]:
    with ModelStandIn(brain) as standin:
        yield standin


@pytest.fixture
def world(whatsapp: WhatsAppStandIn, model: ModelStandIn) -> Iterator[World]:
    with Webhook() as webhook:
        address = f"{webhook.base_url}/webhook"
        whatsapp.control({"webhook_url": address, "app_secret": APP_SECRET})
        yield World(whatsapp.base_url, model.base_url, address)


def test_a_sound_deployment_has_only_ticks(world: World) -> None:
    assert world.faults() == {}
    about = {result.about for result in world.results() if result.state is State.FINE}
    assert {"table", "mapping", "WHATSAPP_APP_SECRET", "webhook shakes hands", "token", "number"} <= about
    assert {"app secret", "app subscribed", "account subscribed", "answer of gpt-5.6-luna", "alarm topic"} <= about


def test_no_secret_is_told(world: World) -> None:
    results = world.results()
    for told in (as_table(results), as_json(results)):
        assert not [value for value in SECRETS.values() if value in told]
    assert json.loads(as_json(results))[0]["about"] == "stack"


@pytest.mark.parametrize(
    ("orders", "about", "words"),
    [
        ({"scopes": ["whatsapp_business_management"]}, "permissions", "without whatsapp_business_messaging"),
        ({"expires_at": int((datetime.now(UTC) + timedelta(days=3)).timestamp())}, "token", "expires in 2 days"),
        ({"fields": ["account_alerts"]}, "app subscribed", "`messages` is not subscribed"),
        ({"callback_url": "https://elsewhere.example/webhook"}, "app subscribed", "https://elsewhere.example/webhook"),
        ({"callback_url": ""}, "app subscribed", "no messages anywhere"),
        ({"is_subscribed": False}, "account subscribed", "do not go to this app"),
        ({"number": {"status": "FLAGGED"}}, "number", "FLAGGED"),
        ({"number": {"quality_rating": "RED"}}, "quality", "RED"),
        ({"app_secret": "another"}, "app secret", "190"),
    ],
)
def test_what_is_wrong_at_meta_is_a_cross_of_its_own(
    world: World, whatsapp: WhatsAppStandIn, orders: dict[str, Any], about: str, words: str
) -> None:
    whatsapp.control({"account": orders})
    faults = world.faults()
    assert list(faults) == [about]
    assert words in faults[about]


def test_a_token_that_meta_does_not_know_is_told_in_metas_words(world: World) -> None:
    world.secrets["WHATSAPP_ACCESS_TOKEN"] = ("SecureString", "expired")
    faults = world.faults()
    assert "Invalid OAuth access token" in faults["token"]
    assert "190" in faults["number"]


def test_a_number_of_another_account_is_found(world: World) -> None:
    world.variables["WHATSAPP_PHONE_NUMBER_ID"] = "1"
    assert "does not exist" in world.faults()["number"]


def test_a_template_is_approved_or_a_cross(world: World, whatsapp: WhatsAppStandIn) -> None:
    world.variables["WHATSAPP_TEMPLATE"] = "retorno:pt_BR"
    assert world.faults() == {"template": "the account has no such template"}
    template = {"name": "retorno", "language": "pt_BR", "status": "PENDING"}
    whatsapp.control({"account": {"templates": [template]}})
    assert world.faults() == {"template": "PENDING"}
    whatsapp.control({"account": {"templates": [template | {"status": "APPROVED"}]}})
    assert world.faults() == {}


def test_an_account_that_the_token_does_not_tell_can_be_named(world: World, whatsapp: WhatsAppStandIn) -> None:
    whatsapp.control({"account": {"scopes": []}})
    skipped = [result.about for result in world.results() if result.state is State.SKIPPED]
    assert "account" in skipped
    found = ask_all(MetaChecks(world.deployed(), ACCOUNT_ID).checks())
    assert "account subscribed" in [result.about for result in found if result.state is State.FINE]


def test_a_desk_without_whatsapp_is_not_asked_about_it(world: World) -> None:
    world.variables["WHATSAPP_ENABLED"] = "false"
    world.secrets.pop("WHATSAPP_ACCESS_TOKEN")
    assert set(world.faults()) <= {"WHATSAPP_ACCESS_TOKEN"}


@pytest.mark.parametrize(
    ("status", "words"), [(401, "make a key"), (404, "name of the model"), (429, "raise the limit or pay")]
)
def test_a_model_that_does_not_answer_has_its_mend(world: World, model: ModelStandIn, status: int, words: str) -> None:
    model.control({"fail": {"http_status": status}})
    (fault,) = [result for result in world.results() if result.state is State.FAULT]
    assert fault.about == "answer of gpt-5.6-luna"
    assert words in fault.mend


def test_what_costs_money_can_be_left_out(world: World, model: ModelStandIn) -> None:
    world.results(free=True)
    assert model.calls() == []
    world.results()
    assert [call["request"]["max_output_tokens"] for call in model.calls()] == [16]


def test_a_provider_that_cannot_be_reached_is_a_cross_and_the_rest_is_asked(world: World) -> None:
    world.variables["OPENAI_BASE_URL"] = "http://127.0.0.1:1/v1"
    assert set(world.faults()) == {"models of openai", "answers of openai"}


def test_every_provider_that_is_asked_is_asked_in_its_own_way(world: World, model: ModelStandIn) -> None:
    world.variables |= {"LLM_PROVIDERS": "openai,chat_completions, anthropic,stub"}
    world.variables |= {"CHAT_COMPLETIONS_BASE_URL": f"{model.base_url}/v1", "ANTHROPIC_BASE_URL": model.base_url}
    for agent in ("TRIAGE", "QUALIFICATION", "COLLECTION", "SUMMARY"):
        world.variables |= {f"CHAT_COMPLETIONS_MODEL_{agent}": "llama", f"ANTHROPIC_MODEL_{agent}": "claude"}
    world.secrets["CHAT_COMPLETIONS_API_KEY"] = world.secrets["ANTHROPIC_API_KEY"] = ("SecureString", "key")
    assert world.faults() == {}
    assert [call["model"] for call in model.calls()] == ["gpt-5.6-luna", "llama", "claude"]
    world.secrets["ANTHROPIC_API_KEY"] = ("SecureString", "")
    assert {"ANTHROPIC_API_KEY", "model claude", "answer of claude"} <= set(world.faults())


def spoil_secret(world: World) -> None:
    world.secrets["IDENTITY_KEY"] = ("String", "k")


def spoil_mapping(world: World) -> None:
    world.clients["lambda"]["list_event_source_mappings"] = {
        "EventSourceMappings": [{"State": "Disabled", "UUID": "u"}]
    }


def spoil_schedule(world: World) -> None:
    world.clients["events"]["describe_rule"] = {"State": "DISABLED"}


def spoil_process(world: World) -> None:
    told = Payload(b'{"errorMessage": "settings that do not work: TURNS_PER_HOUR"}')
    world.clients["lambda"]["invoke"] = {"FunctionError": "Unhandled", "Payload": told}


def spoil_settings(world: World) -> None:
    told = Payload(b'{"deploy_check": "failed", "why": "settings that do not work: TURNS_PER_HOUR"}')
    world.clients["lambda"]["invoke"] = {"Payload": told}


def spoil_recovery(world: World) -> None:
    off = {"PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"}}
    world.clients["dynamodb"]["describe_continuous_backups"] = {"ContinuousBackupsDescription": off}


def spoil_subscription(world: World) -> None:
    pending = {"Subscriptions": [{"SubscriptionArn": "PendingConfirmation"}]}
    world.clients["sns"]["list_subscriptions_by_topic"] = pending


def spoil_alarm(world: World) -> None:
    ringing = {"MetricAlarms": [{"AlarmName": "b-Spend", "StateValue": "ALARM"}]}
    world.clients["cloudwatch"]["describe_alarms"] = ringing


def spoil_permission(world: World) -> None:
    def refused(**_: Any) -> None:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "DescribeTable")

    world.clients["dynamodb"]["describe_table"] = refused


def spoil_verify_token(world: World) -> None:
    world.secrets["WHATSAPP_VERIFY_TOKEN"] = ("SecureString", "another")


@pytest.mark.parametrize(
    ("spoil", "about"),
    [
        (lambda world: setattr(world, "dead", 2), "dead letters"),
        (lambda world: setattr(world, "clock_off", timedelta(minutes=5)), "clock"),
        (lambda world: setattr(world, "status", "UPDATE_IN_PROGRESS"), "stack"),
        (lambda world: world.function.update(LastUpdateStatus="Failed"), "b-process"),
        (spoil_secret, "IDENTITY_KEY"),
        (spoil_mapping, "mapping"),
        (spoil_schedule, "sweep"),
        (spoil_process, "b-process starts"),
        (spoil_settings, "b-process starts"),
        (spoil_recovery, "point-in-time recovery"),
        (spoil_subscription, "alarm topic"),
        (spoil_alarm, "none rings"),
        (spoil_permission, "table"),
        (spoil_verify_token, "webhook shakes hands"),
        (lambda world: world.variables.update(HANDOFF_TOPIC_ARN=""), "attendants' topic"),
    ],
)
def test_what_is_wrong_at_aws_is_a_cross_with_its_mend(
    world: World, spoil: Callable[[World], None], about: str
) -> None:
    spoil(world)
    faults = [result for result in world.results() if result.state is State.FAULT]
    assert about in [fault.about for fault in faults]
    assert all(fault.mend for fault in faults)
    assert {fault.about for fault in faults} <= {about, "attendants' topic"}
