"""The functions of a deployment as the one that checks them sees them: called, and asked for their settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from core.domain.errors import IntegrationError
from core.integrations.wiring.aws_clients import aws_client

_SIZES = ("MemorySize", "Timeout")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployedFunctions:
    """Through botocore's clients of Lambda and CloudFormation."""

    functions: Any
    stacks: Any

    def call(self, function: str, version: str, event: Mapping[str, Any]) -> Any:
        """What a version answers, or `why` it broke. Raises `IntegrationError` when it was not called."""
        payload = json.dumps(event).encode()
        try:
            answer = self.functions.invoke(FunctionName=function, Qualifier=version, Payload=payload)
        except (BotoCoreError, ClientError) as error:
            raise IntegrationError(_told(error)) from None
        told = json.loads(answer["Payload"].read() or b"null")
        if "FunctionError" in answer:
            raised = told if isinstance(told, dict) else {}
            kind, message = raised.get("errorType") or answer["FunctionError"], raised.get("errorMessage")
            return {"why": f"{kind}: {message}" if message else str(kind)}
        return told

    def settings_that_differ(self, function: str, version: str) -> Iterable[str]:
        """Names of what the function was told and this version of it was not. Raises `IntegrationError`."""
        try:
            told = self.functions.get_function_configuration(FunctionName=function)
            had = self.functions.get_function_configuration(FunctionName=function, Qualifier=version)
        except (BotoCoreError, ClientError) as error:
            raise IntegrationError(_told(error)) from None
        ours: dict[str, Any] = dict(told.get("Environment", {}).get("Variables", {}))
        theirs: dict[str, Any] = dict(had.get("Environment", {}).get("Variables", {}))
        ours |= {name: told.get(name) for name in _SIZES}
        theirs |= {name: had.get(name) for name in _SIZES}
        return sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))

    def is_taken_back(self, stack: str) -> bool:
        """Whether a stack is on its way back to what it was. False where nobody says."""
        try:
            (found,) = self.stacks.describe_stacks(StackName=stack)["Stacks"]
        except (BotoCoreError, ClientError, ValueError):
            return False
        return "ROLLBACK" in found["StackStatus"]


def deployed_functions(*, read_timeout_seconds: float) -> DeployedFunctions:
    """Calls are made once: whoever asks decides about another."""
    config = Config(connect_timeout=2, read_timeout=read_timeout_seconds, retries={"total_max_attempts": 1})
    return DeployedFunctions(
        functions=aws_client("lambda", config=config), stacks=aws_client("cloudformation", config=config)
    )


def _told(error: BotoCoreError | ClientError) -> str:
    return error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
