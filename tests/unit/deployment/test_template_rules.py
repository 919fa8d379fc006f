"""What the deployment promises: nothing is lost, nobody may do more than its work, somebody hears of failures."""

from __future__ import annotations

import re
from typing import Any

import pytest

from handlers.process_message import RETRY_SECONDS
from local_stack.stack import SERVING
from tests.template_file import ROOT, environments, resources, template

FUNCTIONS = sorted(resources("AWS::Serverless::Function"))
DAY_SECONDS = 86_400
# Of one function, all of its versions.
VERSIONS = re.compile(r":function:\$\{AWS::StackName\}-\w+:\*")


def function(name: str) -> dict[str, Any]:
    return resources("AWS::Serverless::Function")[name]


def queue() -> dict[str, Any]:
    return resources("AWS::SQS::Queue")["Queue"]


def statements(name: str) -> list[dict[str, Any]]:
    (policy,) = function(name)["Policies"]
    return [each["Fn::If"][1] if "Fn::If" in each else each for each in policy["Statement"]]


def actions(statement: dict[str, Any]) -> list[str]:
    named = statement["Action"]
    return [named] if isinstance(named, str) else named


def test_a_message_stays_hidden_for_six_timeouts_of_the_function_that_works_on_it() -> None:
    chosen = template()["Parameters"]["ProcessTimeoutSeconds"]["AllowedValues"]
    hidden = template()["Mappings"]["HiddenSeconds"]["ProcessTimeoutSeconds"]

    assert hidden == {str(seconds): 6 * seconds for seconds in chosen}
    assert function("ProcessFunction")["Timeout"] == {"Ref": "ProcessTimeoutSeconds"}
    assert queue()["VisibilityTimeout"] == {
        "Fn::FindInMap": ["HiddenSeconds", "ProcessTimeoutSeconds", {"Ref": "ProcessTimeoutSeconds"}]
    }


def test_a_message_outlives_five_minutes_of_start_ups_that_fail() -> None:
    receives = queue()["RedrivePolicy"]["maxReceiveCount"]
    waits = [*RETRY_SECONDS, *[RETRY_SECONDS[-1]] * receives][: receives - 1]
    assert sum(waits) >= 300


def test_what_is_given_up_on_can_be_read_for_two_weeks_and_rings_an_alarm() -> None:
    dead = resources("AWS::SQS::Queue")["DeadLetterQueue"]
    alarms = resources("AWS::CloudWatch::Alarm")

    assert dead["MessageRetentionPeriod"] == 14 * DAY_SECONDS
    assert alarms["DeadLetterAlarm"]["Threshold"] == 0


def test_messages_of_one_conversation_keep_their_order_and_are_never_merged_by_content() -> None:
    queues = resources("AWS::SQS::Queue")
    del queues[
        "SocialFailures"
    ]  # Lambda's failure destination: it may not be a FIFO queue, and nothing is read from it
    for each in queues.values():
        assert each["FifoQueue"] is True
        assert each["ContentBasedDeduplication"] is False


def test_a_batch_fails_record_by_record() -> None:
    (mapping,) = resources("AWS::Lambda::EventSourceMapping").values()

    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["BatchSize"] == {"Ref": "BatchSize"}
    assert mapping["ScalingConfig"] == {"MaximumConcurrency": {"Ref": "MaximumConcurrency"}}


def test_items_outlive_every_queue() -> None:
    least_days = template()["Parameters"]["RetentionDays"]["MinValue"]

    for each in resources("AWS::SQS::Queue").values():
        assert each["MessageRetentionPeriod"] < least_days * DAY_SECONDS


def test_the_table_survives_the_stack_and_can_be_brought_back_to_any_second() -> None:
    table = template()["Resources"]["Table"]

    assert (table["DeletionPolicy"], table["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert table["Properties"]["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["Properties"]["SSESpecification"] == {"SSEEnabled": True}
    assert table["Properties"]["DeletionProtectionEnabled"] == {"Ref": "TableDeletionProtection"}
    assert template()["Parameters"]["TableDeletionProtection"]["Default"] == "true"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_may_do_nothing_to_what_it_does_not_name(name: str) -> None:
    for statement in statements(name):
        assert not [action for action in actions(statement) if "*" in action]
        if actions(statement) == ["kms:Decrypt"]:
            assert "kms:EncryptionContext:PARAMETER_ARN" in statement["Condition"]["StringEquals"]
        else:
            assert "*" not in VERSIONS.sub("", str(statement["Resource"]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_may_read_exactly_the_secrets_whose_names_it_gets(name: str) -> None:
    granted = [each["Resource"] for each in statements(name) if "ssm:GetParameters" in actions(each)]
    reads = [each for resources_ in granted for each in resources_]
    allowed = {match[1] for each in reads if (match := re.search(r"parameter\$\{(\w+)\}", each["Fn::Sub"]))}
    given = {value["Ref"] for key, value in environments()[name].items() if key.endswith("_SSM_PARAM")}

    assert allowed == given


def test_the_webhook_never_learns_of_the_providers_key() -> None:
    assert "OPENAI_API_KEY_SSM_PARAM" not in environments()["WebhookFunction"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_functions_log_expires(name: str) -> None:
    wanted = {"Fn::Sub": f"/aws/lambda/{function(name)['FunctionName']['Fn::Sub']}"}
    groups = [each for each in resources("AWS::Logs::LogGroup").values() if each["LogGroupName"] == wanted]

    assert [each["RetentionInDays"] for each in groups] == [{"Ref": "LogRetentionDays"}]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_functions_handler_exists(name: str) -> None:
    module, _, attribute = function(name)["Handler"].rpartition(".")
    source = (ROOT / "src" / f"{module.replace('.', '/')}.py").read_text("utf-8")

    assert f"def {attribute}(" in source


def test_conversations_are_answered_by_a_schedule_when_nobody_else_does() -> None:
    (rule,) = resources("AWS::Events::Rule").values()

    minutes = template()["Parameters"]["SweepEveryMinutes"]
    rates = template()["Mappings"]["Schedules"]["SweepEveryMinutes"]

    assert rule["ScheduleExpression"] == {
        "Fn::FindInMap": ["Schedules", "SweepEveryMinutes", {"Ref": "SweepEveryMinutes"}]
    }
    assert minutes["Default"] == 1
    assert rates == {str(each): f"rate({each} minute{'s' if each > 1 else ''})" for each in minutes["AllowedValues"]}
    assert [target["Arn"] for target in rule["Targets"]] == [{"Ref": "SweepAlias"}]


@pytest.mark.parametrize("part", ["Webhook", "Process", "Sweep", "Attendants"])
def test_whatever_calls_a_function_calls_the_version_that_serves(part: str) -> None:
    """A version holds its code and its settings together: none is ever run with the other's."""
    alias = resources("AWS::Lambda::Alias")[f"{part}Alias"]
    assert alias["Name"] == SERVING
    assert alias["FunctionVersion"] == {"Fn::GetAtt": f"{part}Check.Version"}
    assert function(f"{part}Function")["VersionDescription"] == {"Ref": "CodeVersion"}
    callers = [
        *resources("AWS::Lambda::Permission").values(),
        *resources("AWS::Lambda::EventSourceMapping").values(),
    ]
    assert {"Ref": f"{part}Function"} not in [caller["FunctionName"] for caller in callers]
    assert {each["IntegrationUri"]["Ref"] for each in resources("AWS::ApiGatewayV2::Integration").values()} == {
        "WebhookAlias",
        "AttendantsAlias",
    }


def test_a_sweep_that_runs_seldom_is_not_taken_for_one_that_does_not_run() -> None:
    alarms = resources("AWS::CloudWatch::Alarm")
    seldom = 60 * max(template()["Parameters"]["SweepEveryMinutes"]["AllowedValues"])

    assert alarms["SweepNotRunningAlarm"]["Period"] >= seldom
    assert alarms["SweepErrorsAlarm"]["Period"] // seldom > alarms["SweepErrorsAlarm"]["Threshold"]


def test_tokens_are_guessed_slowly_and_attendants_never_take_a_webhooks_place() -> None:
    stage = resources("AWS::ApiGatewayV2::Stage")["AttendantsStage"]

    assert stage["ApiId"] != resources("AWS::ApiGatewayV2::Stage")["ApiStage"]["ApiId"]
    assert stage["RouteSettings"]["POST /session"]["ThrottlingRateLimit"] <= 1
    assert resources("AWS::ApiGatewayV2::Route")["AttendantsLogInRoute"]["RouteKey"] == "POST /session"


def test_a_flood_at_the_api_is_refused_and_rings() -> None:
    stage = resources("AWS::ApiGatewayV2::Stage")["ApiStage"]
    assert stage["DefaultRouteSettings"] == {
        "ThrottlingRateLimit": {"Ref": "ApiRateLimit"},
        "ThrottlingBurstLimit": {"Ref": "ApiBurstLimit"},
    }
    counted = resources("AWS::Logs::MetricFilter")["ApiThrottled"]["MetricTransformations"][0]
    alarm = resources("AWS::CloudWatch::Alarm")["ApiThrottledAlarm"]
    assert (counted["MetricName"], counted["MetricNamespace"]) == (alarm["MetricName"], alarm["Namespace"])


@pytest.mark.parametrize("name", ["ApiStage", "AttendantsStage"])
def test_the_apis_log_expires_and_holds_nobodys_address_nor_the_verify_token(name: str) -> None:
    stage = resources("AWS::ApiGatewayV2::Stage")[name]
    logged = re.findall(r"\$context\.([\w.]+)", stage["AccessLogSettings"]["Format"])
    group = resources("AWS::Logs::LogGroup")["ApiLogGroup"]

    assert "status" in logged
    assert not [name for name in logged if re.search(r"identity|path|query|domain|authorizer", name, re.IGNORECASE)]
    assert group["RetentionInDays"] == {"Ref": "LogRetentionDays"}


def test_the_webhook_keeps_no_executions_unless_it_is_told_how_many() -> None:
    assert template()["Parameters"]["WebhookReservedConcurrency"]["Default"] == 0
    assert function("WebhookFunction")["ReservedConcurrentExecutions"] == {
        "Fn::If": ["ReservesWebhook", {"Ref": "WebhookReservedConcurrency"}, {"Ref": "AWS::NoValue"}]
    }


@pytest.mark.parametrize("part", ["Webhook", "Process", "Sweep", "Attendants"])
def test_a_version_is_checked_with_all_its_settings_before_it_serves(part: str) -> None:
    asked = resources("Custom::DeployCheck")[f"{part}Check"]

    assert asked["Function"] == {"Ref": f"{part}Function"}
    assert asked["Version"] == {"Fn::GetAtt": f"{part}Function.Version.Version"}
    assert asked["Settings"] == template()["Globals"]["Function"]["Environment"]["Variables"]
    assert asked["ServiceTimeout"] > function("CheckFunction")["Timeout"]


def test_nothing_serves_before_all_of_it_was_found_to_work_and_readers_serve_before_writers() -> None:
    """The webhook writes what the other two read; End User Messaging's function is the webhook by another door."""
    waits = {name: set(each.get("DependsOn", ())) for name, each in template()["Resources"].items()}

    assert waits["ProcessAlias"] == {"WebhookCheck", "SweepCheck"}
    assert waits["SweepAlias"] == {"WebhookCheck", "ProcessCheck"}
    assert waits["WebhookAlias"] == {"ProcessAlias", "SweepAlias"}
    assert waits["SocialFunction"] >= {"WebhookCheck", "ProcessAlias", "SweepAlias"}


def test_the_linter_is_told_to_overlook_nothing() -> None:
    assert "Metadata" not in template()
    assert not any("cfn-lint" in each.get("Metadata", {}) for each in template()["Resources"].values())
    assert not list(ROOT.glob(".cfnlintrc*"))
