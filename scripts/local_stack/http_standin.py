"""A small HTTP server on loopback that plays an outside service, misbehaves when told to, and stops when asked."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self
from urllib.parse import parse_qs, urlsplit

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What came in. Header names are lower case."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON. Raises ValueError."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What goes out, and how badly.

    `delay_seconds` passes before it; `drip_seconds` between its bytes; `close` ends the connection `before` anything is
    written or `half`-way through the body.
    """

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    drip_seconds: float = 0.0
    close: str = ""

    @staticmethod
    def of(data: object, *, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
        """An answer whose body is `data` as JSON."""
        body = json.dumps(data).encode()
        return Answer(status=status, body=body, headers=headers or {})


class StandIn:
    """Start it, or use it as a context manager. A subclass answers in `respond`, from several threads at once."""

    def __init__(self, *, port: int = 0) -> None:
        self.stopping = threading.Event()
        self._server = _Server((LOOPBACK, port), _handler_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        """Where it is."""
        return f"http://{LOOPBACK}:{self.port}"

    def respond(self, request: Request) -> Answer:
        """The answer to a request."""
        return Answer.of({"error": f"{request.method} {request.path} is not known here"}, status=404)

    def start(self) -> None:
        """Listen in the background."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and let go of the port; answers on their way out are cut."""
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    standin: ClassVar[StandIn]

    def _serve(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        target = urlsplit(self.path)
        request = Request(
            method=self.command,
            path=target.path,
            query=parse_qs(target.query),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(length),
        )
        self._send(self.standin.respond(request))

    do_GET = do_POST = do_DELETE = _serve  # noqa: N815 - the base class looks for these names

    def _send(self, answer: Answer) -> None:
        if self.standin.stopping.wait(answer.delay_seconds) or answer.close == "before":
            self._hang_up()
            return
        self.send_response_only(answer.status)
        headers = {"content-type": "application/json", **answer.headers, "content-length": str(len(answer.body))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if answer.close == "half":
            self.wfile.write(answer.body[: len(answer.body) // 2])
            self._hang_up()
        elif answer.drip_seconds:
            self._drip(answer)
        else:
            self.wfile.write(answer.body)

    def _drip(self, answer: Answer) -> None:
        for byte in answer.body:
            if self.standin.stopping.wait(answer.drip_seconds):
                break
            self.wfile.write(bytes([byte]))

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it
        """Bodies hold what customers write: nothing is logged."""


def _handler_for(standin: StandIn) -> type[_Handler]:
    return type("Handler", (_Handler,), {"standin": standin})
