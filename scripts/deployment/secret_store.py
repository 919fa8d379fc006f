"""Secrets in the parameter store: which are there, and writing those that are to be written. No value is ever shown."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .errors import WRONG_SETTINGS, DeployError
from .wanted import IDENTITY_KEY, Secret

_BATCH = 10  # names that GetParameters takes
KEY_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretPlan:
    """What is to be written, and every mistake that was found on the way."""

    writes: tuple[Secret, ...] = ()
    mistakes: tuple[str, ...] = ()
    stored: dict[str, str] = field(default_factory=dict, repr=False)

    def check(self) -> None:
        """Raises `DeployError` with all mistakes."""
        if self.mistakes:
            listed = "\n".join(f"  - {mistake}" for mistake in self.mistakes)
            raise DeployError(f"secrets that do not work:\n{listed}", status=WRONG_SETTINGS)


class SecretStore:
    """SSM parameters of one region, by an SSM client."""

    def __init__(self, ssm: Any) -> None:
        self._ssm = ssm

    def read(self, names: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Type and value of those that exist."""
        wanted, found = list(dict.fromkeys(names)), dict[str, tuple[str, str]]()
        for first in range(0, len(wanted), _BATCH):
            answer = self._ssm.get_parameters(Names=wanted[first : first + _BATCH], WithDecryption=True)
            found |= {each["Name"]: (each["Type"], each["Value"]) for each in answer["Parameters"]}
        return found

    def plan(self, wanted: Sequence[Secret], *, put: bool, generate_key: bool, live_key: str = "") -> SecretPlan:
        """What to write. `live_key` is the parameter that a stack that runs takes its identity key from."""
        there = self.read([*(secret.parameter for secret in wanted), *([live_key] if live_key else [])])
        writes: list[Secret] = []
        mistakes: list[str] = []
        for asked in wanted:
            secret = replace(asked, value=secrets.token_hex(KEY_BYTES)) if _is_made(asked, generate_key) else asked
            kind, stored = there.get(secret.parameter, ("", ""))
            mistakes += _mistakes(secret, kind, stored, put=put, made=_is_made(asked, generate_key))
            if (put or _is_made(asked, generate_key)) and secret.value not in ("", stored):
                writes.append(secret)
        mistakes += _other_key(wanted, there, live_key)
        values = {name: value for name, (_, value) in there.items()}
        return SecretPlan(writes=tuple(writes), mistakes=tuple(mistakes), stored=values)

    def write(self, plan: SecretPlan) -> None:
        """Each as a SecureString; a key of identities only where none is."""
        for secret in plan.writes:
            is_key = secret.setting == IDENTITY_KEY
            self._ssm.put_parameter(
                Name=secret.parameter, Value=secret.value, Type="SecureString", Overwrite=not is_key
            )


def _is_made(secret: Secret, generate_key: bool) -> bool:
    return generate_key and secret.setting == IDENTITY_KEY


def _mistakes(secret: Secret, kind: str, stored: str, *, put: bool, made: bool) -> list[str]:
    if made and stored:
        return [f"{secret.parameter} holds an identity key already, and it never changes: no --generate-identity-key"]
    if secret.setting == IDENTITY_KEY and put and stored and secret.value not in ("", stored):
        what = "holds another identity key: with a new one every conversation would be a stranger's"
        return [f"{secret.parameter} {what}; take IDENTITY_KEY out of the file"]
    if kind and kind != "SecureString":
        return [f"{secret.parameter} is a {kind}, readable by whoever lists parameters: delete it, then --put-secrets"]
    if stored or not secret.is_needed or made or (put and secret.value):
        return []
    if secret.value:
        return [f"SSM has no parameter {secret.parameter}: --put-secrets writes it from {secret.setting}"]
    hint = ", or --generate-identity-key makes one" if secret.setting == IDENTITY_KEY else ""
    how = f"write {secret.setting} into the file once and run with --put-secrets{hint}"
    return [f"SSM has no parameter {secret.parameter}: {how}"]


def _other_key(wanted: Sequence[Secret], there: dict[str, tuple[str, str]], live_key: str) -> list[str]:
    key = next(secret for secret in wanted if secret.setting == IDENTITY_KEY)
    if not live_key or live_key == key.parameter or live_key not in there:
        return []
    if there.get(key.parameter, ("", ""))[1] == there[live_key][1]:
        return []
    what = f"the stack lives with the identity key of {live_key}, and {key.parameter} does not hold the same"
    return [f"{what}: IDENTITY_KEY_SSM_PARAM={live_key}"]
