"""The parameter that holds who may attend: read, changed, written back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from core.config.attendants import (
    Registration,
    checked_attendant,
    hash_of,
    new_token,
    read_attendants,
    write_attendants,
)
from core.domain.attendant import Attendant, Role
from core.domain.errors import BadInputError

# What a parameter of the standard tier holds; the next tier costs money.
STANDARD_BYTES = 4096


class RegistryError(Exception):
    """What cannot be done, and why, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """`ssm` is boto3's client. Two who write at once: the later one wins, and says whom it knows."""

    ssm: Any
    parameter: str

    def registrations(self) -> tuple[Registration, ...]:
        """Nobody, where there is no parameter. Raises `RegistryError`."""
        try:
            value = self.ssm.get_parameter(Name=self.parameter, WithDecryption=True)["Parameter"]["Value"]
        except self.ssm.exceptions.ParameterNotFound:
            return ()
        except (ClientError, BotoCoreError) as error:
            raise RegistryError(f"SSM does not answer: {_code(error)}") from None
        try:
            return read_attendants(value)
        except BadInputError as error:
            raise RegistryError(f"{self.parameter} holds something else: {error.reason}") from None

    def add(self, attendant_id: str, name: str, role: Role) -> tuple[Attendant, str]:
        """The attendant and their token, which nobody can read again. Raises `RegistryError`."""
        try:
            attendant = checked_attendant(attendant_id, name, role)
        except BadInputError as error:
            raise RegistryError(_FAULTS[error.reason]) from None
        known = self.registrations()
        if any(each.attendant.id == attendant_id for each in known):
            raise RegistryError(f"{attendant_id} is registered already: remove it first for a new token")
        token = new_token()
        self._write((*known, Registration(attendant=attendant, token_sha256=hash_of(token))))
        return attendant, token

    def remove(self, attendant_id: str) -> Attendant:
        """Refused within a minute from now. Raises `RegistryError`."""
        known = self.registrations()
        gone = [each.attendant for each in known if each.attendant.id == attendant_id]
        if not gone:
            raise RegistryError(f"nobody is registered as {attendant_id}")
        self._write(tuple(each for each in known if each.attendant.id != attendant_id))
        return gone[0]

    def _write(self, registrations: tuple[Registration, ...]) -> None:
        value = write_attendants(registrations)
        tier = "Standard" if len(value.encode()) <= STANDARD_BYTES else "Advanced"
        put: Callable[..., Any] = self.ssm.put_parameter
        try:
            put(Name=self.parameter, Value=value, Type="SecureString", Overwrite=True, Tier=tier)
        except (ClientError, BotoCoreError) as error:
            raise RegistryError(f"SSM does not take it: {_code(error)}") from None


_FAULTS = {
    "attendant_id": "an id is 1 to 32 small letters, digits, - or _, and not aplicativo",
    "attendant_name": "a name is 1 to 60 characters",
}


def _code(error: ClientError | BotoCoreError) -> str:
    response = getattr(error, "response", {})
    return str(response.get("Error", {}).get("Code", type(error).__name__))
