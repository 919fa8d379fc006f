"""What is deployed: the stack, what its functions were given, and the secrets behind the names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from core.config.secrets import SUFFIX
from deployment.account import Account
from deployment.change_set import Stack
from deployment.errors import DeployError
from deployment.secret_store import SecretStore
from deployment.smoke import webhook_address
from deployment.wanted import SECRETS

LIVE = "live"  # the alias that everything calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """`variables` are those of all functions together; `secrets` the stored type and value by the setting's name."""

    account: Account
    stack: str
    status: str
    parameters: Mapping[str, str]
    outputs: Mapping[str, str]
    functions: Mapping[str, Mapping[str, Any]]
    variables: Mapping[str, str]
    secret_names: Mapping[str, str]
    secrets: Mapping[str, tuple[str, str]] = field(repr=False)

    @property
    def webhook(self) -> str:
        """Its address from here."""
        return webhook_address(self.outputs, self.account.endpoint)

    def is_on(self, setting: str) -> bool:
        """A setting that is true or false."""
        return self.variables.get(setting, "").lower() == "true"

    def secret(self, setting: str) -> str:
        """Its value, "" where there is none."""
        return self.secrets.get(setting, ("", ""))[1]


def read_deployed(account: Account, stack: str) -> Deployed:
    """Raises `DeployError` where there is no such stack."""
    now = Stack(account.client("cloudformation"), stack).now()
    if now is None:
        message = f"there is no stack {stack} in {account.described()}"
        raise DeployError(message, next_step="scripts/deploy.py, or name another with --stack, --region, --profile")
    names = {key: value for key, value in now.outputs.items() if key.endswith("FunctionName")}
    functions = {name: _configuration(account.client("lambda"), name) for name in names.values()}
    variables: dict[str, str] = {}
    for configuration in functions.values():
        variables |= configuration.get("Environment", {}).get("Variables", {})
    secret_names = {setting: variables[setting + SUFFIX] for setting in SECRETS if variables.get(setting + SUFFIX)}
    stored = SecretStore(account.client("ssm")).read(secret_names.values())
    return Deployed(
        account=account,
        stack=stack,
        status=now.status,
        parameters=now.parameters,
        outputs=now.outputs,
        functions=functions,
        variables=variables,
        secret_names=secret_names,
        secrets={setting: stored[name] for setting, name in secret_names.items() if name in stored},
    )


def _configuration(functions: Any, name: str) -> Mapping[str, Any]:
    """Of the version that serves."""
    try:
        found: Mapping[str, Any] = functions.get_function_configuration(FunctionName=name, Qualifier=LIVE)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        found = functions.get_function_configuration(FunctionName=name)
    return found
