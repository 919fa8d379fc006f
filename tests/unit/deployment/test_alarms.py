"""Somebody hears of every failure that needs a person, and finds written what to do."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from handlers.metric_table import MEASURES
from handlers.metrics import NAMESPACE, function_names
from tests.template_file import ROOT, resources, template

ALARMS = resources("AWS::CloudWatch::Alarm")
# The function that checks a deployment tells whoever deploys.
FUNCTIONS = {name: each for name, each in resources("AWS::Serverless::Function").items() if name != "CheckFunction"}
EMITTED = {measure.metric: measure.dimension or measure.by for measure in MEASURES}
OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")


def entries() -> dict[str, str]:
    """What the document says of each alarm."""
    _, _, alarms = OPERATIONS.partition("\n## Alarms\n")
    found = re.split(r"^### (\w+)\n", alarms, flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def test_each_alarm_has_its_entry_and_each_entry_its_alarm() -> None:
    assert set(entries()) == set(ALARMS)


@pytest.mark.parametrize("name", sorted(ALARMS))
def test_an_entry_says_where_to_look_and_what_to_do(name: str) -> None:
    text = entries()[name]
    assert re.search(r"^Look(:| and do:)", text, re.MULTILINE)
    assert re.search(r"^(Do|Look and do):", text, re.MULTILINE)


@pytest.mark.parametrize("name", sorted(ALARMS))
def test_an_alarm_tells_the_stacks_own_topic(name: str) -> None:
    assert ALARMS[name]["AlarmActions"] == [{"Ref": "AlarmTopic"}]


@pytest.mark.parametrize("name", [name for name, alarm in sorted(ALARMS.items()) if alarm["Namespace"] == NAMESPACE])
def test_an_alarm_waits_for_a_metric_that_is_written_with_the_stacks_name_alone(name: str) -> None:
    assert EMITTED[ALARMS[name]["MetricName"]] == ""
    assert ALARMS[name]["Dimensions"] == [{"Name": "service", "Value": {"Ref": "AWS::StackName"}}]


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_errors_and_throttles_of_each_function_ring(name: str) -> None:
    found = {
        alarm["MetricName"]
        for alarm in ALARMS.values()
        if alarm.get("Dimensions") == [{"Name": "FunctionName", "Value": {"Ref": name}}]
    }
    assert {"Errors", "Throttles"} <= found


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_errors_in_each_functions_log_are_counted_for_the_alarm(name: str) -> None:
    group = name.replace("Function", "LogGroup")
    filters = [each for each in resources("AWS::Logs::MetricFilter").values() if each["LogGroupName"] == {"Ref": group}]
    (counted,) = filters[0]["MetricTransformations"]
    alarm = ALARMS["ErrorLogsAlarm"]
    assert (counted["MetricName"], counted["MetricNamespace"]) == (alarm["MetricName"], alarm["Namespace"])


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_metrics_carry_the_name_of_the_stack_that_the_function_is_of(name: str) -> None:
    called = FUNCTIONS[name]["FunctionName"]["Fn::Sub"].replace("${AWS::StackName}", "loja-prod")
    stack, part = function_names({"AWS_LAMBDA_FUNCTION_NAME": called})
    assert stack == "loja-prod"
    assert part == name.removesuffix("Function").lower()


def test_a_sweep_that_nothing_calls_rings_though_it_writes_nothing() -> None:
    alarm = ALARMS["SweepNotRunningAlarm"]
    assert alarm["TreatMissingData"] == "breaching"
    assert alarm["ComparisonOperator"] == "LessThanThreshold"


@pytest.mark.parametrize("name", ["ChannelRefusedAlarm", "ProviderAuthAlarm", "ProviderQuotaAlarm", "SpendAlarm"])
def test_what_stops_every_answer_rings_within_five_minutes(name: str) -> None:
    assert ALARMS[name]["Period"] * ALARMS[name]["EvaluationPeriods"] <= 300
    assert ALARMS[name]["Threshold"] == 0


def test_logs_are_json_and_metrics_which_have_no_level_pass_the_runtimes_filter() -> None:
    config = template()["Globals"]["Function"]["LoggingConfig"]
    assert config["LogFormat"] == "JSON"
    assert config["ApplicationLogLevel"] == "INFO"


def dashboard() -> list[dict[str, Any]]:
    """The widgets, the stack's own values standing for themselves."""
    body = template()["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    return list(json.loads(body)["widgets"])


def test_the_dashboard_shows_metrics_that_are_written() -> None:
    shown: set[tuple[str, str]] = set()
    for widget in dashboard():
        for metric in widget["properties"]["metrics"]:
            if isinstance(metric[0], dict):
                dimension, name = re.findall(r'\{Balcao,service,(\w+)\} MetricName="(\w+)"', metric[0]["expression"])[0]
                shown.add((name, dimension))
            elif metric[0] == NAMESPACE:
                shown.add((metric[1], ""))
    assert shown - set(EMITTED.items()) == set()
    assert len(shown) > 25


def test_the_document_lists_every_metric_and_no_other() -> None:
    _, _, rest = OPERATIONS.partition("\n## Metrics\n")
    table = [line for line in rest.partition("\n## ")[0].splitlines() if line.startswith("| `")]
    told = {name for line in table for name in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert told == set(EMITTED)
