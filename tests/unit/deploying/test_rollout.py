"""What a deployment asks before it does anything, what it remembers, and how it goes back."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deployment import rollout as rollout_module
from deployment.artifacts import Artifacts, Record, version_before
from deployment.errors import FAILED, NOT_CONFIRMED, DeployError, NotConfirmedError
from deployment.options import parser
from deployment.rollout import Rollout
from deployment.wanted import Secret, Wanted
from tests.fakes.cloudformation import FakeCloudFormation, change
from tests.fakes.parameter_store import FakeParameterStore

SECRETS = (
    Secret(setting="IDENTITY_KEY", parameter="/b/key"),
    Secret(setting="WHATSAPP_VERIFY_TOKEN", parameter="/b/verify"),
)
SAFE = change("Modify", "ProcessFunction", "AWS::Lambda::Function")
TABLE = change("Modify", "Table", "AWS::DynamoDB::Table", "True")


class MemoryArtifacts(Artifacts):
    """Records in memory; building gives the address of a template that is new each time."""

    def __init__(self) -> None:
        self.bucket = "memory"
        self.kept: list[Record] = []
        self.built = 0

    def exists(self) -> bool:
        return True

    def ensure(self) -> None:
        """There is nothing to make."""

    def package(self, tool: Path, parameters: Mapping[str, str]) -> str:
        self.built += 1
        return f"https://memory/{self.built}.yaml"

    def keep(self, template: str) -> str:
        return "https://memory/kept.yaml"

    def records(self) -> list[Record]:
        return list(self.kept)

    def record(self, record: Record) -> None:
        self.kept.append(record)


class World:
    """An account with one stack, and a person who answers `says`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cloudformation: FakeCloudFormation) -> None:
        self.cloudformation = cloudformation
        self.artifacts = MemoryArtifacts()
        self.ssm = FakeParameterStore(b__key="k", b__verify="v")
        self.asked: list[str] = []
        self.says = True
        self.smoke_fails = 0
        monkeypatch.setattr(rollout_module, "Artifacts", lambda *_: self.artifacts)
        monkeypatch.setattr(rollout_module, "check_smoke", lambda *_: self._smoke())

    endpoint = ""
    region = "sa-east-1"

    def client(self, service: str) -> Any:
        return {"cloudformation": self.cloudformation, "ssm": self.ssm}[service]

    def run(self, *arguments: str, **parameters: str) -> None:
        options = parser().parse_args(arguments)
        rollout = Rollout(self, "b", options, self._confirm(options))  # type: ignore[arg-type] - as much as is used
        if options.rollback:
            rollout.roll_back()
        else:
            given = {"WhatsAppVerifyTokenSsmParam": "/b/verify", "IdentityKeySsmParam": "/b/key", **parameters}
            rollout.deploy(Wanted(stack="b", parameters=given, secrets=SECRETS), Path("sam"))

    def _confirm(self, options: argparse.Namespace) -> Any:
        def confirm(question: str) -> None:
            self.asked.append(question)
            if not (self.says or options.yes):
                raise NotConfirmedError("no")

        return confirm

    def _smoke(self) -> None:
        if self.smoke_fails:
            self.smoke_fails -= 1
            raise DeployError("the smoke check failed: the webhook: HTTP 500")


def world(monkeypatch: pytest.MonkeyPatch, **wanted: Any) -> World:
    return World(monkeypatch, FakeCloudFormation(**wanted))


def test_a_first_deployment_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, changes=[SAFE])
    there.run(CodeVersion="one")
    assert there.cloudformation.status == "CREATE_COMPLETE"
    assert [(record.number, record.code_version) for record in there.artifacts.kept] == [(1, "one")]


def test_nothing_to_change_is_said_and_asks_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = world(monkeypatch, status="UPDATE_COMPLETE")
    there.run()
    assert there.asked == []
    assert "nothing to do: no changes" in capsys.readouterr().out


def test_a_no_leaves_no_change_set_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, changes=[SAFE])
    there.says = False
    with pytest.raises(NotConfirmedError) as refused:
        there.run()
    assert refused.value.status == NOT_CONFIRMED
    assert there.cloudformation.deleted_change_sets
    assert there.cloudformation.deleted
    assert there.artifacts.kept == []


def test_a_table_that_would_be_replaced_is_asked_about_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = world(monkeypatch, status="UPDATE_COMPLETE", changes=[SAFE, TABLE])
    there.run()
    assert there.asked[0] == "replace or remove Table?"
    told = capsys.readouterr().out
    assert "!!! DATA: Table would be replaced or removed" in told
    assert "Table (AWS::DynamoDB::Table) changed, REPLACED: KeySchema" in told


@pytest.mark.parametrize(
    "loss",
    [TABLE, change("Remove", "Queue", "AWS::SQS::Queue"), change("Modify", "Queue", "AWS::SQS::Queue", "Conditional")],
)
def test_yes_alone_does_not_replace_what_holds_data(monkeypatch: pytest.MonkeyPatch, loss: dict[str, Any]) -> None:
    there = world(monkeypatch, status="UPDATE_COMPLETE", changes=[loss])
    with pytest.raises(NotConfirmedError, match="--yes does not cover that"):
        there.run("--yes")
    there.run("--yes", "--allow-data-loss")
    assert there.cloudformation.status == "UPDATE_COMPLETE"


def test_a_dry_run_deploys_and_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, status="UPDATE_COMPLETE", changes=[SAFE])
    before = dict(there.ssm.parameters)
    there.run("--dry-run")
    assert there.cloudformation.templates == []
    assert there.cloudformation.deleted_change_sets
    assert there.ssm.parameters == before
    assert there.asked == []


def test_a_change_that_cloudformation_cannot_make_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, status="UPDATE_COMPLETE", changes=[SAFE], fails="Invalid request: DelaySeconds")
    with pytest.raises(DeployError, match=r"Queue .* DelaySeconds") as failed:
        there.run()
    assert failed.value.status == FAILED
    assert [record.template_url for record in there.artifacts.kept] == ["https://memory/kept.yaml"]


def test_a_rollback_brings_the_version_before_with_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, changes=[SAFE])
    there.run(CodeVersion="one", TurnsPerHour="40")
    there.run(CodeVersion="two", TurnsPerHour="33")
    there.run("--rollback")
    assert there.cloudformation.parameters["TurnsPerHour"] == "40"
    assert there.cloudformation.templates[-1] == "https://memory/1.yaml"
    with pytest.raises(DeployError, match="no deployment to go back to"):
        there.run("--rollback")


def test_after_a_rollback_the_next_deployment_can_be_taken_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, changes=[SAFE])
    for version in ("one", "two"):
        there.run(CodeVersion=version)
    there.run("--rollback")
    there.run(CodeVersion="three")
    there.run("--rollback")
    assert there.cloudformation.parameters["CodeVersion"] == "one"


def test_what_was_deployed_by_other_means_can_be_gone_back_to(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, status="CREATE_COMPLETE", changes=[SAFE])
    there.cloudformation.parameters = {"CodeVersion": "by-hand", "WhatsAppVerifyTokenSsmParam": "/b/verify"}
    there.run(CodeVersion="one")
    there.run("--rollback")
    assert there.cloudformation.parameters["CodeVersion"] == "by-hand"
    assert there.cloudformation.templates[-1] == "https://memory/kept.yaml"


def test_a_version_that_does_not_answer_gives_way_to_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, changes=[SAFE])
    there.run(CodeVersion="one")
    there.smoke_fails = 1
    with pytest.raises(DeployError, match="smoke check failed") as failed:
        there.run(CodeVersion="two")
    assert "the version before serves again" in failed.value.next_step
    assert there.cloudformation.parameters["CodeVersion"] == "one"
    assert version_before(there.artifacts.kept) is None


@pytest.mark.parametrize("status", ["ROLLBACK_FAILED", "UPDATE_IN_PROGRESS", "UPDATE_ROLLBACK_FAILED"])
def test_a_stack_that_cannot_be_changed_now_says_the_way_out(monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    there = world(monkeypatch, status=status, changes=[SAFE])
    with pytest.raises(DeployError, match=status) as told:
        there.run()
    assert told.value.next_step


def test_a_first_deployment_that_failed_is_taken_away_and_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(monkeypatch, status="ROLLBACK_COMPLETE", changes=[SAFE])
    there.run(CodeVersion="one")
    assert there.asked[0] == "take that away and begin anew?"
    assert there.cloudformation.deleted
    assert there.cloudformation.status == "CREATE_COMPLETE"
