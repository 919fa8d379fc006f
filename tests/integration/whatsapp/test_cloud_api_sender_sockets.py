"""The Cloud API sender over real sockets: servers that refuse, hang, drip, or hang up half-way."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from core.domain.delivery import Recipient, SendFailure
from core.domain.errors import SendRefusedError, SendUncertainError
from core.integrations.http_client.deadline_client import DeadlineClients
from core.integrations.whatsapp.cloud_api_sender import CloudApiSender

RECIPIENT = Recipient(phone_number_id="330", phone="5511980000101")
BODY = json.dumps({"messages": [{"id": "wamid.OUT1"}]}).encode()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(BODY)
CLIENTS = DeadlineClients()


class Server:
    """Reads one request after the other and lets `answer` do what it likes with the connection."""

    def __init__(self, answer: Callable[[socket.socket, threading.Event], None]) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self._answer = answer
        self._stopped = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def stop(self) -> None:
        self._stopped.set()
        with socket.create_connection(self._listener.getsockname()):
            pass
        for thread in self._threads:
            thread.join(5)
        self._listener.close()

    def _accept(self) -> None:
        while not self._stopped.is_set():
            connection, _ = self._listener.accept()
            if self._stopped.is_set():
                connection.close()
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(5)
            while request := self._read(connection):
                self.requests.append(request)
                try:
                    self._answer(connection, self._stopped)
                except OSError:  # the sender has hung up
                    return

    def _read(self, connection: socket.socket) -> bytes:
        received = b""
        try:
            while b"\r\n\r\n" not in received:
                if not (more := connection.recv(65536)):
                    return b""
                received += more
            head, _, body = received.partition(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            while len(body) < length:
                body += connection.recv(65536)
        except OSError:
            return b""
        return head + b"\r\n\r\n" + body


@contextmanager
def serving(answer: Callable[[socket.socket, threading.Event], None]) -> Iterator[Server]:
    server = Server(answer)
    try:
        yield server
    finally:
        server.stop()


def sender_of(url: str) -> CloudApiSender:
    return CloudApiSender(base_url=url, api_version="v24.0", token=lambda _: "token", new_client=CLIENTS)


def send(sender: CloudApiSender, *, timeout_seconds: float = 5.0) -> str:
    sent = sender.send_text(recipient=RECIPIENT, text="Olá", callback="c", timeout_seconds=timeout_seconds)
    return sent.provider_id


def whole(connection: socket.socket, _: threading.Event) -> None:
    connection.sendall(HEAD + BODY)


def half_a_body(connection: socket.socket, _: threading.Event) -> None:
    connection.sendall(HEAD + BODY[:10])
    connection.shutdown(socket.SHUT_RDWR)


def half_a_head(connection: socket.socket, _: threading.Event) -> None:
    connection.sendall(HEAD[:20])
    connection.shutdown(socket.SHUT_RDWR)


def nothing(connection: socket.socket, _: threading.Event) -> None:
    connection.shutdown(socket.SHUT_RDWR)


def no_http(connection: socket.socket, _: threading.Event) -> None:
    connection.sendall(b"\x15\x03\x01\x00\x02\x02\x16\r\n\r\n")
    connection.shutdown(socket.SHUT_RDWR)


def late(connection: socket.socket, stopped: threading.Event) -> None:
    """Answers well, to whom waits too long: that a sender did not is seen by its not having the answer."""
    if not stopped.wait(4):
        connection.sendall(HEAD + BODY)


def dripping(text: bytes) -> Callable[[socket.socket, threading.Event], None]:
    def answer(connection: socket.socket, stopped: threading.Event) -> None:
        for byte in text:
            connection.sendall(bytes([byte]))
            if stopped.wait(0.1):
                return

    return answer


def test_a_message_is_sent_and_the_connection_serves_the_next_part() -> None:
    with serving(whole) as server, sender_of(server.url) as sender:
        assert [send(sender), send(sender)] == ["wamid.OUT1", "wamid.OUT1"]

        assert server.connections == 1
        assert b"POST /v24.0/330/messages" in server.requests[0]
        assert b"Bearer token" in server.requests[0]


def test_after_an_invocation_no_old_connection_is_used() -> None:
    with serving(whole) as server:
        sender = sender_of(server.url)
        for _ in range(2):
            with sender:
                send(sender)

        assert server.connections == 2


@pytest.mark.parametrize("answer", [half_a_body, half_a_head, nothing, no_http], ids=lambda answer: answer.__name__)
def test_a_server_that_hangs_up_leaves_the_message_uncertain_and_gets_it_once(answer) -> None:
    with serving(answer) as server, sender_of(server.url) as sender:
        with pytest.raises(SendUncertainError):
            send(sender)

        assert len(server.requests) == 1


SLOW = {
    "nothing for long": late,
    "dripped head": dripping(HEAD + BODY),
    "dripped body": lambda connection, stopped: (connection.sendall(HEAD), dripping(BODY)(connection, stopped)),
}


@pytest.mark.parametrize("slow", SLOW, ids=str)
def test_a_send_ends_at_its_deadline_however_slowly_the_server_drips(slow: str) -> None:
    with serving(SLOW[slow]) as server, sender_of(server.url) as sender:
        with pytest.raises(SendUncertainError):
            send(sender, timeout_seconds=0.4)

        assert len(server.requests) == 1


def test_a_read_receipt_takes_little_of_the_turns_time() -> None:
    with serving(late) as server:
        sender = CloudApiSender(
            base_url=server.url, api_version="v24.0", token=lambda _: "token", new_client=CLIENTS, courtesy_seconds=0.3
        )
        with sender, pytest.raises(SendUncertainError):
            sender.mark_read(recipient=RECIPIENT, provider_id="wamid.IN1")


def test_a_refusal_whose_body_drips_is_still_a_refusal() -> None:
    head = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 500\r\n\r\n"
    answer = lambda connection, stopped: (connection.sendall(head), dripping(b" " * 500)(connection, stopped))  # noqa: E731
    with serving(answer) as server, sender_of(server.url) as sender, pytest.raises(SendRefusedError) as raised:
        send(sender, timeout_seconds=0.4)
    assert raised.value.failure is SendFailure.BAD_REQUEST


def test_where_nobody_listens_nothing_arrives() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with sender_of(url) as sender, pytest.raises(SendRefusedError) as raised:
        send(sender)
    assert raised.value.failure is SendFailure.TRANSIENT


def test_a_host_without_tls_never_gets_the_message() -> None:
    with serving(whole) as server, sender_of(server.url.replace("http", "https")) as sender:
        with pytest.raises(SendRefusedError):
            send(sender, timeout_seconds=0.5)
        assert server.requests == []


def test_with_no_time_left_nothing_is_sent_not_even_over_an_open_connection() -> None:
    with serving(whole) as server, sender_of(server.url) as sender:
        send(sender)
        with pytest.raises(SendRefusedError) as raised:
            send(sender, timeout_seconds=0.0)

        assert raised.value.failure is SendFailure.TRANSIENT
        assert len(server.requests) == 1
