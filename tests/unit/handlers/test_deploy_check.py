"""A new version is called before anything else calls it, and CloudFormation is always told what came of it."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from core.integrations.wiring.deployed_functions import DeployedFunctions
from handlers import deploy_check
from handlers.deploy_check import TRIES, NewVersionError, check

PASSED = {"deploy_check": "passed"}
ASKED = {"Function": "loja-process", "Version": "7", "Check": "true"}


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "words of the customer's"}}, "Invoke")


@dataclass
class Lambda:
    """Answers in order, the last one for ever. `told` is what $LATEST has, `had` what the version has."""

    answers: list[Any]
    told: dict[str, str] = field(default_factory=dict)
    had: dict[str, str] | None = None
    called: list[tuple[str, str]] = field(default_factory=list)

    def invoke(self, *, FunctionName: str, Qualifier: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 - AWS's names
        assert json.loads(Payload) == {"deploy_check": True}
        self.called.append((FunctionName, Qualifier))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        error = {"FunctionError": "Unhandled"} if "errorType" in answer else {}
        return {**error, "Payload": io.BytesIO(json.dumps(answer).encode())}

    def get_function_configuration(self, *, FunctionName: str, Qualifier: str = "") -> dict[str, Any]:  # noqa: N803
        del FunctionName
        variables = self.had if Qualifier and self.had is not None else self.told
        return {"Environment": {"Variables": variables}, "MemorySize": 512, "Timeout": 10}


@dataclass
class Stacks:
    status: str | Exception = "UPDATE_IN_PROGRESS"

    def describe_stacks(self, *, StackName: str) -> dict[str, Any]:  # noqa: N803
        del StackName
        if isinstance(self.status, Exception):
            raise self.status
        return {"Stacks": [{"StackStatus": self.status}]}


def run(functions: Lambda, stacks: Stacks | None = None, asked: dict[str, str] | None = None) -> list[float]:
    """How long was waited between calls."""
    waits: list[float] = []
    deployed = DeployedFunctions(functions=functions, stacks=stacks or Stacks())
    check(asked or ASKED, deployed, stack="stack", seconds_left=lambda: 600.0, sleep=waits.append)
    return waits


def test_a_version_that_works_is_called_once() -> None:
    functions = Lambda([PASSED])

    assert run(functions) == []
    assert functions.called == [("loja-process", "7")]


def test_a_role_that_is_not_known_everywhere_yet_is_given_time() -> None:
    denied = {"deploy_check": "failed", "why": "the table is not reached: AccessDeniedException"}
    functions = Lambda([refused("AccessDeniedException"), denied, PASSED])

    assert len(run(functions)) == 2


@pytest.mark.parametrize(
    ("answer", "says", "calls"),
    [
        ({"deploy_check": "failed", "why": "COMPANY is not set"}, "COMPANY is not set", 1),
        ({"deploy_check": "failed", "why": "the table is not reached: AccessDenied"}, "the table", TRIES),
        ({"errorType": "Runtime.ImportModuleError", "errorMessage": "No module named 'core'"}, "No module", 1),
        ({"errorType": "Sandbox.Timedout"}, "Sandbox.Timedout", 1),
        ({"batchItemFailures": []}, "it does not know the check", 1),
        ([], "it answers nothing", 1),
        (refused("TooManyRequestsException"), "TooManyRequestsException", TRIES),
        (ReadTimeoutError(endpoint_url="https://lambda.invalid"), "ReadTimeoutError", TRIES),
    ],
)
def test_a_version_that_does_not_work_is_named_with_what_is_wrong(answer: Any, says: str, calls: int) -> None:
    functions = Lambda([answer])

    with pytest.raises(NewVersionError, match=r"loja-process, version 7: ") as raised:
        run(functions)
    assert says in str(raised.value)
    assert "words of the customer's" not in str(raised.value)
    assert len(functions.called) == calls


def test_no_call_is_begun_that_could_not_end_in_time() -> None:
    functions = Lambda([refused("AccessDeniedException")])
    deployed = DeployedFunctions(functions=functions, stacks=Stacks())

    with pytest.raises(NewVersionError):
        check(ASKED, deployed, stack="stack", seconds_left=lambda: 30.0, sleep=lambda _: None)
    assert len(functions.called) == 1


def test_settings_that_no_version_has_yet_fail_by_name_and_not_by_value() -> None:
    functions = Lambda([PASSED], told={"TURNS_PER_HOUR": "9", "COMPANY": "loja"}, had={"COMPANY": "loja"})

    with pytest.raises(NewVersionError, match="TURNS_PER_HOUR changed and CodeVersion did not"):
        run(functions)
    assert functions.called == []


@pytest.mark.parametrize("status", ["UPDATE_ROLLBACK_IN_PROGRESS", "ROLLBACK_IN_PROGRESS"])
def test_on_the_way_back_what_served_before_is_not_asked(status: str) -> None:
    functions = Lambda([refused("AccessDeniedException")])

    run(functions, Stacks(status))
    assert functions.called == []


def test_a_stack_that_cannot_be_seen_is_taken_for_one_on_its_way() -> None:
    functions = Lambda([PASSED])

    run(functions, Stacks(refused("AccessDenied")))
    assert len(functions.called) == 1


def test_whoever_must_deploy_while_nothing_answers_can() -> None:
    functions = Lambda([refused("AccessDeniedException")])

    run(functions, asked={**ASKED, "Check": "false"})
    assert functions.called == []


# CloudFormation's door


@dataclass
class Told:
    """What CloudFormation was answered."""

    answers: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, request: Any, *, timeout: float) -> Any:
        assert request.get_method() == "PUT"
        assert timeout
        self.answers.append(json.loads(request.data))
        return io.BytesIO()


def event(kind: str, **changes: Any) -> dict[str, Any]:
    return {
        "RequestType": kind,
        "RequestId": "r",
        "StackId": "s",
        "LogicalResourceId": "ProcessCheck",
        "ResponseURL": "https://answers.invalid/x?signed",
        "ResourceProperties": ASKED,
        **changes,
    }


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    told = Told()
    monkeypatch.setattr(deploy_check, "urlopen", told)
    monkeypatch.setattr(deploy_check.time, "sleep", lambda _: pytest.fail("waited"))
    return told


CONTEXT = SimpleNamespace(get_remaining_time_in_millis=lambda: 30_000)


def serve(monkeypatch: pytest.MonkeyPatch, functions: Any) -> None:
    deployed = DeployedFunctions(functions=functions, stacks=Stacks())
    monkeypatch.setattr(deploy_check, "deployed", lambda: deployed)


@pytest.mark.parametrize("kind", ["Create", "Update"])
def test_the_number_that_was_found_to_work_is_given_on(monkeypatch: pytest.MonkeyPatch, told: Told, kind: str) -> None:
    serve(monkeypatch, Lambda([PASSED]))
    deploy_check.handler(event(kind), CONTEXT)

    (answer,) = told.answers
    assert (answer["Status"], answer["Data"]) == ("SUCCESS", {"Version": "7"})
    assert (answer["RequestId"], answer["StackId"], answer["PhysicalResourceId"]) == ("r", "s", "ProcessCheck")


def test_what_failed_is_told_in_few_enough_words(monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    serve(monkeypatch, Lambda([{"deploy_check": "failed", "why": "settings " * 1000}]))
    deploy_check.handler(event("Update", PhysicalResourceId="kept"), CONTEXT)

    (answer,) = told.answers
    assert answer["Status"] == "FAILED"
    assert answer["PhysicalResourceId"] == "kept"
    assert len(json.dumps(answer)) < 4096


def test_a_check_that_breaks_is_a_failure_and_quotes_nobody(monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    serve(monkeypatch, Lambda([PASSED]))
    deploy_check.handler(event("Create", ResourceProperties={}), CONTEXT)

    (answer,) = told.answers
    assert (answer["Status"], answer["Reason"]) == ("FAILED", "the check broke: KeyError")


def test_a_stack_that_is_taken_away_asks_nobody(monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    functions = Lambda([PASSED])
    serve(monkeypatch, functions)
    deploy_check.handler(event("Delete"), CONTEXT)

    assert [answer["Status"] for answer in told.answers] == ["SUCCESS"]
    assert functions.called == []
