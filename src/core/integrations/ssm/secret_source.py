"""`SecretSource` over SSM: secrets from the environment or, by parameter name, from SSM; remembered for a while."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from core.config.secrets import SUFFIX, clean_secret
from core.domain.errors import IntegrationError

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

_log = logging.getLogger(__name__)

MAX_AGE_SECONDS = 300.0
# While SSM fails it is asked this often, not at every use: a read that times out takes seconds of a turn.
_ASK_AGAIN_SECONDS = 15.0
_PER_REQUEST = 10  # GetParameters takes at most ten names


class SsmSecretSource:
    """`NAME` from the environment wins; else the SecureString that `NAME_SSM_PARAM` names.

    Values from SSM are read again after `MAX_AGE_SECONDS`, and on `refresh`, once somebody refused one. A value is
    replaced by a newer one and by nothing else: while SSM fails, the old one serves, past its age too. Raises
    `IntegrationError` when SSM does not answer and nothing was ever read.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        ssm_client: Callable[[], SSMClient],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._environ = environ
        self._ssm_client = ssm_client
        self._monotonic = monotonic
        self._kept: dict[str, tuple[str, float]] = {}
        self._asked: dict[str, float] = {}

    def prefetch(self, names: Iterable[str]) -> Sequence[str]:
        """Read many with one request; returns the parameter names that SSM does not know."""
        parameters = [
            self._environ[name + SUFFIX]
            for name in names
            if not self._environ.get(name) and self._environ.get(name + SUFFIX)
        ]
        unknown: list[str] = []
        for start in range(0, len(parameters), _PER_REQUEST):
            unknown.extend(self._fetch(parameters[start : start + _PER_REQUEST]))
        return unknown

    def get(self, name: str) -> str:
        """The value, or "" when neither is set or SSM does not know the parameter."""
        if value := clean_secret(self._environ.get(name, "")):
            return value
        parameter = self._environ.get(name + SUFFIX)
        if not parameter:
            return ""
        kept = self._kept.get(parameter)
        if kept is None:
            self._fetch([parameter])
        elif self._monotonic() - kept[1] > MAX_AGE_SECONDS:
            self._replace(name, parameter, older_than_seconds=_ASK_AGAIN_SECONDS)
        return self._kept.get(parameter, ("", 0.0))[0]

    def refresh(self, name: str, *, older_than_seconds: float = 0.0) -> str:
        """See `SecretSource.refresh`: the provider refused it, or it refuses what a provider sends."""
        parameter = self._environ.get(name + SUFFIX, "")
        if parameter in self._kept and not self._environ.get(name):
            self._replace(name, parameter, older_than_seconds=older_than_seconds)
        return self.get(name)

    def _replace(self, name: str, parameter: str, *, older_than_seconds: float) -> None:
        """Asks for a newer value, unless that was done so lately; the old one stays until it is there."""
        now = self._monotonic()
        if now - self._asked[parameter] < older_than_seconds:
            return
        try:
            failed = "unknown_parameter" if self._fetch([parameter]) else ""
        except IntegrationError as error:
            failed = str(error)
        if failed:
            age = round(now - self._kept[parameter][1])
            _log.warning("old_secret_serves", extra={"secret": name, "age_seconds": age, "error": failed})

    def _fetch(self, parameters: Sequence[str]) -> Sequence[str]:
        now = self._monotonic()
        self._asked.update(dict.fromkeys(parameters, now))
        try:
            answer = self._ssm_client().get_parameters(Names=list(parameters), WithDecryption=True)
        except (BotoCoreError, ClientError) as error:
            raise IntegrationError(f"SSM GetParameters: {type(error).__name__}") from None
        for parameter in answer.get("Parameters", ()):
            if value := clean_secret(parameter["Value"]):
                self._kept[parameter["Name"]] = (value, now)
        return list(answer.get("InvalidParameters", ()))
