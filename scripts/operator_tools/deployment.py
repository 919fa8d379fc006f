"""A deployment by the name of its CloudFormation stack: on AWS, or on this machine's emulator."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from botocore.exceptions import ClientError

from local_stack import aws, deploy, environment
from local_stack.places import SHARED_NAME, Places
from local_stack.state import read_state
from replay.exporting.table_pages import TablePages

from .errors import OperatorError

Clients = Callable[[str], Any]
Say = Callable[[str], None]
_MAPPING, _RULE = "AWS::Lambda::EventSourceMapping", "AWS::Events::Rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """`client` makes a boto3 client of a service, of this deployment's account and region and of no other."""

    client: Clients
    stack: str
    outputs: Mapping[str, str]
    parameters: Mapping[str, str]
    given_key: str = ""

    @property
    def pages(self) -> TablePages:
        """Its conversations."""
        now_ms = round(datetime.now(UTC).timestamp() * 1000)
        return TablePages(self.client("dynamodb"), self.outputs["TableName"], now_ms=now_ms)

    @property
    def phone_number_id(self) -> str:
        """The number that customers write to."""
        return self.parameters.get("WhatsAppPhoneNumberId", "")

    @property
    def company(self) -> str:
        """Whose front desk it is."""
        return self.parameters.get("Company", "")

    def identity_key(self) -> str:
        """The key of conversations' hashes. Raises `OperatorError` where it may not be read."""
        name = self.parameters.get("IdentityKeySsmParam", "")
        if self.given_key:
            return self.given_key
        try:
            found = self.client("ssm").get_parameter(Name=name, WithDecryption=True)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "unknown")
            message = f"the identity key can't be read from the parameter store ({name}): {code}"
            raise OperatorError(
                message, next_step="ask for ssm:GetParameter, or give the key as IDENTITY_KEY"
            ) from None
        return str(found["Parameter"]["Value"])

    def mapping(self) -> str:
        """The id of the mapping by which the queue calls the process function."""
        return self._resource(_MAPPING, "Process")

    def sweep_rule(self) -> str:
        """The name of the rule that calls the sweep."""
        return self._resource(_RULE, "Sweep")

    def _resource(self, kind: str, begins: str) -> str:
        pages = self.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=self.stack)
        for each in (row for page in pages for row in page["StackResourceSummaries"]):
            if each["ResourceType"] == kind and each["LogicalResourceId"].startswith(begins):
                return str(each["PhysicalResourceId"])
        message = f"the stack {self.stack} has no {kind} whose name begins with {begins}"
        raise OperatorError(message, next_step="deploy this version of template.yaml first")


def local_deployment(name: str = SHARED_NAME, *, say: Say) -> Deployment:
    """The one that `make stack` left running: says where, before it asks there. Drops the user's accounts from this
    process. Raises `OperatorError`.
    """
    environment.forget_user_accounts()
    state = read_state(Places(name))
    if state is None or not state.is_running():
        message = "no local stack is running"
        raise OperatorError(message, next_step="make stack, or name a stack on AWS with --stack NAME")
    endpoint, made = state.endpoint, dict[str, Any]()

    def client(service: str) -> Any:
        if service not in made:
            made[service] = aws.client(service, endpoint)
        return made[service]

    say(f"the local stack at {endpoint}")
    return _described(client, deploy.STACK_NAME)


def aws_deployment(stack: str, *, say: Say) -> Deployment:
    """One on AWS, in the account and region of AWS_*: says which, before it asks there. Raises `OperatorError`."""
    import boto3

    # boto3 itself knows AWS_DEFAULT_REGION alone, where every other tool of AWS's takes this one first
    session, made = boto3.Session(region_name=os.environ.get("AWS_REGION") or None), dict[str, Any]()

    def client(service: str) -> Any:
        if service not in made:
            made[service] = session.client(service)
        return made[service]

    account = client("sts").get_caller_identity()["Account"]
    say(f"AWS account {account}, region {client('cloudformation').meta.region_name}, stack {stack}")
    return _described(client, stack, given_key=os.environ.get("IDENTITY_KEY", "").strip())


def _described(client: Clients, stack: str, *, given_key: str = "") -> Deployment:
    try:
        (found,) = client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") != "ValidationError":
            raise
        message = f"there is no stack {stack} there"
        raise OperatorError(
            message, next_step="name the stack that you deployed, and check AWS_PROFILE and AWS_REGION"
        ) from None
    outputs = {each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", ())}
    if missing := sorted({"TableName", "QueueUrl", "DeadLetterQueueUrl"} - outputs.keys()):
        message = f"the stack {stack} has no output {missing[0]}: it is no deployment of template.yaml"
        raise OperatorError(message, next_step="name the stack of this application")
    parameters = {each["ParameterKey"]: each["ParameterValue"] for each in found.get("Parameters", ())}
    return Deployment(client=client, stack=stack, outputs=outputs, parameters=parameters, given_key=given_key)
