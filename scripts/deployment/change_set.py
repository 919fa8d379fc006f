"""What CloudFormation would do, shown before it does it, and watched while it does."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from .errors import DeployError

CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
# What holds customers' data: replacing or removing one is an incident, whatever the template retains.
KEEPERS = frozenset({"AWS::DynamoDB::Table", "AWS::SQS::Queue"})
PROPOSE_SECONDS = 300.0
DEPLOY_SECONDS = 3600.0
_NOTHING_TO_DO = ("didn't contain changes", "No updates are to be performed", "No changes")
_SIGNS = {"Add": "+", "Modify": "~", "Remove": "-", "Import": "+", "Dynamic": "?"}
_WORDS = {"Add": "added", "Modify": "changed", "Remove": "removed", "Import": "imported", "Dynamic": "perhaps changed"}
FIRST_FAILED = "ROLLBACK_COMPLETE"
_SETTLED = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE")
_WAYS_OUT = {
    "ROLLBACK_FAILED": "then the same command again: aws cloudformation delete-stack",
    "UPDATE_ROLLBACK_FAILED": "then the same command again: aws cloudformation continue-update-rollback",
    "DELETE_FAILED": "the console says what holds it back: aws cloudformation delete-stack",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`replacement`: "True", "False" or "Conditional" (CloudFormation knows only while it does it)."""

    action: str
    logical_id: str
    kind: str
    replacement: str = "False"
    properties: tuple[str, ...] = ()

    @property
    def loses_data(self) -> bool:
        """Whether what customers wrote could be out of reach afterwards."""
        gone = self.action == "Remove" or (self.action == "Modify" and self.replacement != "False")
        return self.kind in KEEPERS and gone

    def __str__(self) -> str:
        named = ", ".join(self.properties)
        replaced = {"True": ", REPLACED", "Conditional": ", perhaps replaced"}.get(self.replacement, "")
        what = f"{_WORDS.get(self.action, self.action)}{replaced}{f': {named}' if named else ''}"
        return f"  {_SIGNS.get(self.action, '?')} {self.logical_id} ({self.kind}) {what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """Made, not executed."""

    name: str
    changes: tuple[Change, ...]

    @property
    def losses(self) -> tuple[Change, ...]:
        """The changes that must be asked about by name."""
        return tuple(change for change in self.changes if change.loses_data)


@dataclass(frozen=True, slots=True, kw_only=True)
class StackNow:
    """What is deployed."""

    status: str
    parameters: Mapping[str, str]
    outputs: Mapping[str, str]


class Stack:
    """One CloudFormation stack, by a client of its region. `wait` sleeps for seconds."""

    def __init__(self, cloudformation: Any, name: str, *, wait: Callable[[float], None] = time.sleep) -> None:
        self._cfn = cloudformation
        self.name = name
        self._wait = wait

    def now(self) -> StackNow | None:
        """None where it is not deployed."""
        try:
            (found,) = self._cfn.describe_stacks(StackName=self.name)["Stacks"]
        except ClientError as error:
            if "does not exist" in str(error):
                return None
            raise
        if found["StackStatus"] in ("REVIEW_IN_PROGRESS", "DELETE_COMPLETE"):
            return None
        return StackNow(
            status=found["StackStatus"],
            parameters={each["ParameterKey"]: each.get("ParameterValue", "") for each in found.get("Parameters", ())},
            outputs={each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", ())},
        )

    def check_settled(self, now: StackNow | None) -> None:
        """Raises `DeployError` where nothing can be deployed on top of what is there."""
        if now is None or now.status in _SETTLED:
            return
        way_out = _WAYS_OUT.get(now.status)
        way_out = f"{way_out} --stack-name {self.name}" if way_out else "wait until it is done, then try again"
        message = f"the stack {self.name} is in {now.status}"
        raise DeployError(message, next_step=way_out)

    def remove_failed(self) -> None:
        """Take away a stack whose first deployment failed: nothing can be deployed onto it. Raises `DeployError`."""
        self._cfn.delete_stack(StackName=self.name)
        self._until(self.now, lambda now: now is None or now.status == "DELETE_FAILED", seconds=DEPLOY_SECONDS)
        self.check_settled(self.now())

    def propose(self, template_url: str, parameters: Mapping[str, str], *, exists: bool) -> ChangeSet | None:
        """A change set; None where nothing would change. Raises `DeployError` where there cannot be one."""
        name = f"deploy-{int(time.time() * 1000)}"
        self._cfn.create_change_set(
            StackName=self.name,
            ChangeSetName=name,
            ChangeSetType="UPDATE" if exists else "CREATE",
            TemplateURL=template_url,
            Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in sorted(parameters.items())],
            Capabilities=CAPABILITIES,
        )
        made = self._until(
            lambda: self._cfn.describe_change_set(StackName=self.name, ChangeSetName=name),
            lambda found: not str(found["Status"]).endswith(("PENDING", "IN_PROGRESS")),
            seconds=PROPOSE_SECONDS,
        )
        if made["Status"] == "FAILED":
            reason = made.get("StatusReason", "")
            self.discard(name, with_stack=not exists)
            if any(words in reason for words in _NOTHING_TO_DO):
                return None
            message = f"CloudFormation refuses the change: {reason}"
            raise DeployError(message, next_step="correct what it names; nothing was deployed")
        return ChangeSet(name=name, changes=tuple(self._changes(name, made)))

    def discard(self, change_set: str, *, with_stack: bool) -> None:
        """Take a change set away, and the empty stack that one of a new stack leaves behind."""
        self._cfn.delete_change_set(StackName=self.name, ChangeSetName=change_set)
        if with_stack and self.now() is None:
            self._cfn.delete_stack(StackName=self.name)

    def execute(self, change_set: ChangeSet, *, tell: Callable[[str], None]) -> StackNow:
        """Do it, and wait. Raises `DeployError` with what failed; CloudFormation has gone back by then."""
        before = {event["EventId"] for event in self._events()}
        self._cfn.execute_change_set(StackName=self.name, ChangeSetName=change_set.name)
        told: set[str] = set()

        def settled(found: Mapping[str, Any]) -> bool:
            status = str(found["Stacks"][0]["StackStatus"])
            if status not in told:
                told.add(status)
                tell(f"  {status}")
            return not status.endswith("IN_PROGRESS")

        self._until(lambda: self._cfn.describe_stacks(StackName=self.name), settled, seconds=DEPLOY_SECONDS)
        now = self.now()
        if now is None or now.status not in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
            failed = [event for event in self._events() if event["EventId"] not in before]
            reasons = "\n".join(_reasons(failed))
            message = f"the deployment failed, and the stack has what it had before:\n{reasons}"
            raise DeployError(message, next_step="correct what it names and run the same command again")
        return now

    def template(self) -> str:
        """What is deployed, as it was given."""
        body = self._cfn.get_template(StackName=self.name, TemplateStage="Original")["TemplateBody"]
        return body if isinstance(body, str) else json.dumps(body)

    def protect(self) -> None:
        """Nobody deletes the stack by mistake: that must be switched off first."""
        self._cfn.update_termination_protection(StackName=self.name, EnableTerminationProtection=True)

    def _changes(self, name: str, first: Mapping[str, Any]) -> Iterator[Change]:
        page = first
        while True:
            for each in page.get("Changes", ()):
                yield _change_of(each["ResourceChange"])
            if not page.get("NextToken"):
                return
            page = self._cfn.describe_change_set(StackName=self.name, ChangeSetName=name, NextToken=page["NextToken"])

    def _events(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._cfn.describe_stack_events(StackName=self.name)["StackEvents"]
        return found

    def _until(self, ask: Callable[[], Any], done: Callable[[Any], bool], *, seconds: float) -> Any:
        ends, pause = time.monotonic() + seconds, 0.2
        while not done(found := ask()):
            if time.monotonic() > ends:
                message = f"CloudFormation is not done with {self.name} after {seconds / 60:.0f} minutes"
                raise DeployError(message, next_step="look at its events in the console")
            self._wait(pause)
            pause = min(pause * 2, 5.0)
        return found


def _change_of(raw: Mapping[str, Any]) -> Change:
    targets = [detail.get("Target", {}) for detail in raw.get("Details", ())]
    named = dict.fromkeys(str(target.get("Name") or target.get("Attribute") or "") for target in targets)
    return Change(
        action=raw["Action"],
        logical_id=raw["LogicalResourceId"],
        kind=raw["ResourceType"],
        replacement=raw.get("Replacement") or "False",
        properties=tuple(name for name in named if name),
    )


def _reasons(events: list[dict[str, Any]]) -> Iterator[str]:
    """The first failures, in the order in which they happened; what was only cancelled says nothing."""
    for event in reversed(events):
        reason = event.get("ResourceStatusReason", "")
        if event["ResourceStatus"].endswith("_FAILED") and "cancelled" not in reason:
            yield f"  - {event['LogicalResourceId']} ({event['ResourceType']}): {reason}"
