"""`scripts/conversations.py` as it is typed: which deployment, and what is said when something is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, NoCredentialsError

from local_stack import places
from operator_tools import command, deployment
from operator_tools.deployment import Deployment
from operator_tools.errors import NoConversationError, OperatorError


@pytest.fixture(autouse=True)
def no_stack(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever runs on the developer's machine."""
    monkeypatch.setattr(places, "LOCAL", tmp_path)


@pytest.fixture
def somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Deployment(client=lambda _: None, stack="s", outputs={}, parameters={})

    def aws(_name: str, *, say: Callable[[str], None]) -> Deployment:
        say("AWS account 1, region r, stack s")
        return found

    monkeypatch.setattr(command, "aws_deployment", aws)


@pytest.mark.parametrize("name", ["find", "show", "redrive", "pause", "resume"])
def test_every_command_has_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        command.main([name, "--help"])
    assert not end.value.code
    assert "--stack NAME" in capsys.readouterr().out


def test_without_a_stack_here_nothing_is_asked_of_aws(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forgotten: list[bool] = []
    monkeypatch.setattr(deployment.environment, "forget_user_accounts", lambda: forgotten.append(True))
    monkeypatch.setattr(command, "aws_deployment", lambda *_asked, **_told: pytest.fail("AWS was asked"))
    assert command.main(["redrive"]) == 2
    assert capsys.readouterr().err == (
        "error: no local stack is running\nnext: make stack, or name a stack on AWS with --stack NAME\n"
    )
    assert forgotten, "the user's own accounts were within reach"


def test_account_and_region_come_first(somewhere: None, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def nobody(*_asked: Any) -> None:
        raise NoConversationError("nobody", next_step="another")

    monkeypatch.setattr(command, "by_phone", nobody)
    assert command.main(["find", "--phone", "+5511980000101", "--stack", "s"]) == 1
    assert capsys.readouterr().err == "AWS account 1, region r, stack s\nerror: nobody\nnext: another\n"


@pytest.mark.parametrize(
    "failure",
    [ClientError({"Error": {"Code": "AccessDenied"}}, "Query"), NoCredentialsError()],
    ids=["no right", "no account"],
)
def test_what_aws_refuses_is_said_without_a_traceback(
    somewhere: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failure: Exception
) -> None:
    def refused(*_asked: Any) -> None:
        raise failure

    monkeypatch.setattr(command, "by_id", refused)
    assert command.main(["find", "--id", "x", "--stack", "s"]) == 2
    assert "next: check AWS_PROFILE, AWS_REGION" in capsys.readouterr().err


class FakeAws:
    """One stack of one account, and the parameter that it names; each service is this."""

    def __init__(self, outputs: Mapping[str, str], region: str | None) -> None:
        self._outputs = outputs
        self.meta = SimpleNamespace(region_name=region or "us-east-1")

    def client(self, _service: str) -> FakeAws:
        return self

    def get_caller_identity(self) -> dict[str, str]:
        return {"Account": "111122223333"}

    def describe_stacks(self, *, StackName: str) -> dict[str, Any]:  # noqa: N803 -- AWS's name
        if StackName != "balcao":
            raise ClientError({"Error": {"Code": "ValidationError"}}, "DescribeStacks")
        outputs = [{"OutputKey": name, "OutputValue": each} for name, each in self._outputs.items()]
        given = {"Company": "neutra", "WhatsAppPhoneNumberId": "33", "IdentityKeySsmParam": "/balcao/key"}
        parameters = [{"ParameterKey": name, "ParameterValue": each} for name, each in given.items()]
        return {"Stacks": [{"Outputs": outputs, "Parameters": parameters}]}

    def get_parameter(self, *, Name: str, WithDecryption: bool) -> dict[str, Any]:  # noqa: N803 -- AWS's names
        assert WithDecryption
        return {"Parameter": {"Value": f"of {Name}"}}


OUTPUTS = {"TableName": "t", "QueueUrl": "q.fifo", "DeadLetterQueueUrl": "d.fifo"}


def on_aws(monkeypatch: pytest.MonkeyPatch, stack: str = "balcao", **outputs: str) -> tuple[Deployment, Sequence[str]]:
    said: list[str] = []
    monkeypatch.setattr(boto3, "Session", lambda *, region_name: FakeAws(outputs or OUTPUTS, region_name))
    return deployment.aws_deployment(stack, say=said.append), said


def test_a_stack_on_aws_is_known_by_its_outputs_and_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IDENTITY_KEY", raising=False)
    monkeypatch.setenv("AWS_REGION", "sa-east-1")
    found, said = on_aws(monkeypatch)
    assert said == ["AWS account 111122223333, region sa-east-1, stack balcao"]
    assert (found.company, found.phone_number_id, found.outputs["TableName"]) == ("neutra", "33", "t")
    assert found.identity_key() == "of /balcao/key"


def test_a_key_that_is_given_is_taken_and_the_parameter_store_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDENTITY_KEY", " chave ")
    found, _ = on_aws(monkeypatch)
    assert found.identity_key() == "chave"


@pytest.mark.parametrize(
    ("stack", "outputs", "told"),
    [("other", {}, "there is no stack other"), ("balcao", {"BucketName": "b"}, "no deployment of template.yaml")],
)
def test_another_stack_is_not_taken_for_a_deployment(
    monkeypatch: pytest.MonkeyPatch, stack: str, outputs: dict[str, str], told: str
) -> None:
    with pytest.raises(OperatorError, match=told):
        on_aws(monkeypatch, stack, **outputs)
