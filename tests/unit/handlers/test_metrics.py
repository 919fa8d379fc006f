"""What the metrics of an invocation say: its events and no more, by names of ours, in CloudWatch's embedded format."""

from __future__ import annotations

import ast
import json
import logging
import re
import threading
from typing import Any

import pytest

from handlers.metric_table import MEASURES
from handlers.metrics import MetricCollector
from tests.template_file import ROOT

ENVIRON = {"AWS_LAMBDA_FUNCTION_NAME": "loja-prod-process"}


class Metrics:
    """A collector that listens to a logger of its own, and what it has written."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._collector = MetricCollector(environ=ENVIRON)
        self._log = logging.Logger("events", logging.INFO)  # noqa: LOG001 -- a tree of its own
        self._log.addHandler(self._collector)

    def happened(self, event: str, **fields: Any) -> None:
        self._log.info(event, extra=fields)

    def written(self) -> list[dict[str, Any]]:
        self._collector.flush_metrics()
        return [json.loads(line) for line in self._capsys.readouterr().out.splitlines()]


@pytest.fixture
def metrics(capsys: pytest.CaptureFixture[str]) -> Metrics:
    return Metrics(capsys)


def values(lines: list[dict[str, Any]]) -> dict[tuple[str, str], list[float]]:
    """What each metric got, by its name and the value that tells it apart."""
    found = {}
    for line in lines:
        (written,) = line["_aws"]["CloudWatchMetrics"]
        (names,) = written["Dimensions"]
        apart = ",".join(line[name] for name in names if name != "service")
        found |= {(metric["Name"], apart): line[metric["Name"]] for metric in written["Metrics"]}
    return found


def test_a_turn_is_counted_by_its_outcome_and_measured_step_by_step(metrics: Metrics) -> None:
    metrics.happened("turn_done", outcome="answered", reason="", guard="", decide_ms=900, send_ms=80)
    metrics.happened("turn_done", outcome="handoff", reason="stale", guard="loop", decide_ms=40, send_ms=90)
    found = values(metrics.written())
    assert found[("Turns", "answered")] == found[("Turns", "handoff")] == [1.0]
    assert found[("Handoffs", "stale")] == found[("GuardVerdicts", "loop")] == [1.0]
    assert found[("LatencyDecide", "")] == [900.0, 40.0]
    assert found[("LatencySend", "")] == [80.0, 90.0]
    assert len(found) == 6


def test_every_metric_is_the_stacks_own(metrics: Metrics) -> None:
    metrics.happened("channel_refused", failure="auth", code=190)
    lines = metrics.written()
    assert {line["service"] for line in lines} == {"loja-prod"}
    assert {line["_aws"]["CloudWatchMetrics"][0]["Namespace"] for line in lines} == {"Balcao"}


def test_tokens_and_money_are_summed_over_calls(metrics: Metrics) -> None:
    for tokens, money in ((1200, 300), (1300, 400)):
        metrics.happened(
            "model_called", purpose="agent", failure="", latency_ms=5, tokens_input=tokens, micro_usd=money
        )
    found = values(metrics.written())
    assert found[("TokensInput", "")] == [2500.0]
    assert found[("SpendMicroUsd", "")] == [700.0]
    assert found[("ModelCalls", "agent")] == [2.0]
    assert not [name for name, _ in found if name == "ModelFailures"]


@pytest.mark.parametrize(
    ("event", "fields", "metric"),
    [
        ("channel_refused", {"failure": "account"}, "ChannelRefused"),
        ("provider_refused", {"failure": "auth"}, "ProviderAuthFailures"),
        ("provider_refused", {"failure": "quota"}, "ProviderQuotaExhausted"),
        ("webhook_refused", {"reason": "signature"}, "SignaturesRefused"),
        ("inbound_ignored", {"reason": "other_phone_number_id"}, "MessagesForAnotherNumber"),
        ("handoff_unacknowledged", {}, "HandoffsNotTaken"),
        ("spend_per_hour_reached", {}, "SpendPerHourReached"),
    ],
)
def test_what_an_alarm_waits_for_is_a_metric_of_its_own(
    metrics: Metrics, event: str, fields: dict[str, Any], metric: str
) -> None:
    metrics.happened(event, **fields)
    assert values(metrics.written())[(metric, "")] == [1.0]


def test_a_stranger_without_a_signature_is_no_refused_signature(metrics: Metrics) -> None:
    metrics.happened("webhook_refused", reason="signature_missing")
    assert values(metrics.written()) == {("WebhookIgnored", "signature_missing"): [1.0]}


def test_nothing_is_written_twice_and_nothing_at_all_of_a_quiet_invocation(metrics: Metrics) -> None:
    metrics.happened("part_sent", part=1)
    metrics.happened("an_event_that_no_row_names", part=1)
    assert values(metrics.written()) == {("Sends", "sent"): [1.0]}
    assert metrics.written() == []


def test_what_is_no_name_of_ours_is_never_a_dimension(metrics: Metrics) -> None:
    for said in ("maria@exemplo.example", "tenho dor de cabeça", "5" * 80):
        metrics.happened("inbound_ignored", reason=said)
    assert values(metrics.written()) == {("WebhookIgnored", "other"): [3.0]}


def test_dimensions_stay_few_whatever_is_logged(metrics: Metrics) -> None:
    for number in range(500):
        metrics.happened("inbound_ignored", reason=f"reason_{number}")
    assert len(values(metrics.written())) <= 61


def test_more_values_than_a_line_holds_are_all_written(
    metrics: Metrics,
) -> None:
    for _ in range(250):
        metrics.happened("turn_done", outcome="answered", decide_ms=7)
    lines = metrics.written()
    assert sum(len(line.get("LatencyDecide", ())) for line in lines) == 250
    assert {line["service"] for line in lines} == {"loja-prod"}


def test_turns_side_by_side_are_all_counted(metrics: Metrics) -> None:
    def work() -> None:
        for _ in range(200):
            metrics.happened("part_sent")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert values(metrics.written()) == {("Sends", "sent"): [1600.0]}


def logged_words() -> set[str]:
    """Every literal of the code but the table's: an event is one of them."""
    words: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        if path.name != "metric_table.py":
            tree = ast.parse(path.read_text("utf-8"))
            words |= {
                node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
    return words


def test_every_event_of_the_table_is_logged_by_the_code() -> None:
    assert {measure.event for measure in MEASURES} - logged_words() == set()


def test_a_metric_has_one_unit_and_one_dimension_wherever_it_comes_from() -> None:
    shapes: dict[str, set[tuple[str, str]]] = {}
    for measure in MEASURES:
        shapes.setdefault(measure.metric, set()).add((measure.unit, measure.dimension or measure.by))
    assert {name for name, found in shapes.items() if len(found) > 1} == set()
    assert all(re.fullmatch(r"[A-Z][A-Za-z]+", name) for name in shapes)
