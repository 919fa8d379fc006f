"""The attendants' API at the root of an address of its own, as at AWS: the emulator keeps it below a path.

`POST /_target {"api": "http://…"}` says where calls go.
"""

from __future__ import annotations

import http.client
from urllib.parse import urlencode

from .http_calls import Reply, call
from .http_standin import Answer, Request, StandIn

# What belongs to one connection.
_OF_A_HOP = frozenset({"connection", "content-length", "host", "keep-alive", "transfer-encoding", "accept-encoding"})
_SECONDS = 60.0


class ConsoleGate(StandIn):
    """Hands every call on, and its answer back."""

    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port=port)
        self._api = ""

    def respond(self, request: Request) -> Answer:
        """What the API answers; 503 while there is none."""
        if (request.method, request.path) == ("POST", "/_target"):
            self._api = str(request.json()["api"])
            return Answer.of({})
        if not self._api:
            return Answer.of({"error": "starting"}, status=503)
        query = f"?{urlencode(request.query, doseq=True)}" if request.query else ""
        headers = {name: value for name, value in request.headers.items() if name not in _OF_A_HOP}
        try:
            reply = call(
                request.method,
                f"{self._api}{request.path}{query}",
                body=request.body or None,
                headers=headers,
                timeout_seconds=_SECONDS,
            )
        except (OSError, http.client.HTTPException):
            return Answer.of({"error": "upstream", "message": "O emulador não respondeu."}, status=502)
        return Answer(status=reply.status, body=reply.body, headers=_kept(reply))


def _kept(reply: Reply) -> dict[str, str]:
    return {name.lower(): value for name, value in reply.headers if name.lower() not in _OF_A_HOP}
