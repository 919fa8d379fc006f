"""What AWS does with a transaction's `ClientRequestToken` and moto does not (API reference, TransactWriteItems)."""

from __future__ import annotations

import json
from typing import Any

from botocore.exceptions import ClientError

from core.application.ports import Clock

TOKEN_LIFE_MS = 600_000


class TokenHonouringTable:
    """Passes every call on. A token that succeeded within ten minutes succeeds again and writes nothing; with other
    content it is refused. One whose transaction was cancelled is forgotten.
    """

    def __init__(self, client: Any, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._succeeded: dict[str, tuple[int, str]] = {}

    def __getattr__(self, operation: str) -> Any:
        return getattr(self._client, operation)

    def transact_write_items(self, *, ClientRequestToken: str, **request: Any) -> Any:  # noqa: N803 -- boto3's name
        content = json.dumps(request, sort_keys=True)
        at_ms, known = self._succeeded.get(ClientRequestToken, (-TOKEN_LIFE_MS, ""))
        if self._clock.now_ms() - at_ms < TOKEN_LIFE_MS:
            if known != content:
                error = {"Code": "IdempotentParameterMismatchException", "Message": "the token is another request's"}
                raise ClientError({"Error": error}, "TransactWriteItems")
            return {}
        answer = self._client.transact_write_items(ClientRequestToken=ClientRequestToken, **request)
        self._succeeded[ClientRequestToken] = (self._clock.now_ms(), content)
        return answer
