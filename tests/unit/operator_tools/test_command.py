"""`scripts/conversations.py` as it is typed: which deployment, and what is said when something is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, NoCredentialsError

from local_stack import places
from operator_tools import command, deployment
from operator_tools.deployment import Deployment
from operator_tools.errors import NoConversationError


@pytest.fixture(autouse=True)
def no_stack(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever runs on the developer's machine."""
    monkeypatch.setattr(places, "LOCAL", tmp_path)


@pytest.fixture
def somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Deployment(
        where="AWS account 1, region r, stack s", client=lambda _: None, stack="s", outputs={}, parameters={}
    )
    monkeypatch.setattr(command, "aws_deployment", lambda _name: found)


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
    monkeypatch.setattr(command, "aws_deployment", lambda _name: pytest.fail("AWS was asked"))
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


class CloudFormation:
    """Knows one stack."""

    def __init__(self, outputs: dict[str, str]) -> None:
        self._outputs = outputs

    def describe_stacks(self, *, StackName: str) -> dict[str, Any]:  # noqa: N803 -- AWS's name
        if StackName != "balcao":
            raise ClientError({"Error": {"Code": "ValidationError"}}, "DescribeStacks")
        outputs = [{"OutputKey": name, "OutputValue": each} for name, each in self._outputs.items()]
        return {
            "Stacks": [{"Outputs": outputs, "Parameters": [{"ParameterKey": "Company", "ParameterValue": "neutra"}]}]
        }


@pytest.mark.parametrize(
    ("stack", "outputs", "told"),
    [("other", {}, "there is no such stack"), ("balcao", {"BucketName": "b"}, "no deployment of template.yaml")],
)
def test_another_stack_is_not_taken_for_a_deployment(stack: str, outputs: dict[str, str], told: str) -> None:
    with pytest.raises(deployment.OperatorError, match=told):
        deployment._described(lambda _: CloudFormation(outputs), stack, where="here")
