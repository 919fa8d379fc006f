"""`SecretSource` over SSM: secrets from the environment or, by parameter name, from SSM; remembered for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from core.config.secrets import SUFFIX, clean_secret
from core.domain.errors import IntegrationError

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

MAX_AGE_SECONDS = 300.0
_PER_REQUEST = 10  # GetParameters takes at most ten names


class SsmSecretSource:
    """`NAME` from the environment wins; else the SecureString that `NAME_SSM_PARAM` names.

    Values from SSM are kept `MAX_AGE_SECONDS` and read again on `refresh`, once a provider refused one. Raises
    `IntegrationError` when SSM does not answer.
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
        if kept is None or self._monotonic() - kept[1] > MAX_AGE_SECONDS:
            self._fetch([parameter])
        return self._kept.get(parameter, ("", 0.0))[0]

    def refresh(self, name: str, *, older_than_seconds: float = 0.0) -> str:
        """Read again what was kept for that long: the provider refused it, or it refuses what a provider sends."""
        parameter = self._environ.get(name + SUFFIX, "")
        kept = self._kept.get(parameter)
        if kept is not None and self._monotonic() - kept[1] >= older_than_seconds:
            self._kept.pop(parameter, None)
        return self.get(name)

    def _fetch(self, parameters: Sequence[str]) -> Sequence[str]:
        try:
            answer = self._ssm_client().get_parameters(Names=list(parameters), WithDecryption=True)
        except (BotoCoreError, ClientError) as error:
            raise IntegrationError(f"SSM GetParameters: {type(error).__name__}") from None
        now = self._monotonic()
        for parameter in answer.get("Parameters", ()):
            self._kept[parameter["Name"]] = (clean_secret(parameter["Value"]), now)
        return list(answer.get("InvalidParameters", ()))
