"""CloudFormation in memory: one stack, whose change sets say what a test wants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from botocore.exceptions import ClientError


def change(action: str, logical_id: str, kind: str, replacement: str = "False") -> dict[str, Any]:
    """One entry of a change set, as the API gives it."""
    raw = {"Action": action, "LogicalResourceId": logical_id, "ResourceType": kind, "Replacement": replacement}
    return {"Type": "Resource", "ResourceChange": raw | {"Details": [{"Target": {"Name": "KeySchema"}}]}}


class FakeCloudFormation:
    """`changes` is what the next change set holds; none: it fails, as an empty one does. `fails` with this reason."""

    def __init__(self, *, status: str = "", changes: Sequence[dict[str, Any]] = (), fails: str = "") -> None:
        self.status = status
        self.changes = list(changes)
        self.fails = fails
        self.parameters: dict[str, str] = {}
        self.templates: list[str] = []
        self.outputs = {"ProcessFunctionName": "b-process", "WebhookUrl": "https://w.example/webhook", "ApiId": "w"}
        self.deleted_change_sets: list[str] = []
        self.deleted = False
        self._proposed: dict[str, Any] = {}
        self._events: list[dict[str, Any]] = []

    def describe_stacks(self, *, StackName: str) -> dict[str, Any]:  # noqa: N803 - boto3's names
        if not self.status:
            error = {"Error": {"Code": "ValidationError", "Message": f"Stack with id {StackName} does not exist"}}
            raise ClientError(error, "DescribeStacks")
        parameters = [{"ParameterKey": key, "ParameterValue": value} for key, value in self.parameters.items()]
        outputs = [{"OutputKey": key, "OutputValue": value} for key, value in self.outputs.items()]
        return {"Stacks": [{"StackStatus": self.status, "Parameters": parameters, "Outputs": outputs}]}

    def create_change_set(self, **asked: Any) -> None:
        self._proposed = asked
        self.status = self.status or "REVIEW_IN_PROGRESS"

    def describe_change_set(self, *, StackName: str, ChangeSetName: str, NextToken: str = "") -> dict[str, Any]:  # noqa: N803
        if not self.changes:
            reason = "The submitted information didn't contain changes. Submit different information."
            return {"Status": "FAILED", "StatusReason": reason}
        at = int(NextToken or 0)  # a page for each, so that nobody reads the first alone
        page: dict[str, Any] = {"Status": "CREATE_COMPLETE", "Changes": self.changes[at : at + 1]}
        return page | ({"NextToken": str(at + 1)} if at + 1 < len(self.changes) else {})

    def delete_change_set(self, *, StackName: str, ChangeSetName: str) -> None:  # noqa: N803
        self.deleted_change_sets.append(ChangeSetName)

    def delete_stack(self, *, StackName: str) -> None:  # noqa: N803
        self.deleted, self.status = True, ""

    def execute_change_set(self, *, StackName: str, ChangeSetName: str) -> None:  # noqa: N803
        if self.fails:
            kind = {"LogicalResourceId": "Queue", "ResourceType": "AWS::SQS::Queue", "EventId": "e1"}
            self._events.insert(0, kind | {"ResourceStatus": "UPDATE_FAILED", "ResourceStatusReason": self.fails})
            self.status = "UPDATE_ROLLBACK_COMPLETE"
            return
        self.status = "CREATE_COMPLETE" if self.status == "REVIEW_IN_PROGRESS" else "UPDATE_COMPLETE"
        self.parameters = {each["ParameterKey"]: each["ParameterValue"] for each in self._proposed["Parameters"]}
        self.templates.append(self._proposed["TemplateURL"])

    def describe_stack_events(self, *, StackName: str) -> dict[str, Any]:  # noqa: N803
        return {"StackEvents": list(self._events)}

    def get_template(self, **_: str) -> dict[str, Any]:
        return {"TemplateBody": "Resources: {}"}

    def update_termination_protection(self, **_: Any) -> None:
        """Nothing to see."""
