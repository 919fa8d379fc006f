"""A server on this machine that misbehaves on the wire, as no mock can."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"


class WireServer:
    """Accepts connections and hands each to `behave`, which stops when `closing` is set."""

    def __init__(self, behave: Callable[[socket.socket, threading.Event], None]) -> None:
        self.closing = threading.Event()
        self.connections = 0
        self._behave = behave
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def _handle(self, connection: socket.socket) -> None:
        with connection:
            connection.recv(65536)
            try:
                self._behave(connection, self.closing)
            except OSError:
                return

    def close(self) -> None:
        self.closing.set()
        self._socket.close()


def drip(connection: socket.socket, closing: threading.Event) -> None:
    connection.sendall(HEAD)
    while not closing.wait(0.05):
        connection.sendall(b" ")


def never_answer(_connection: socket.socket, closing: threading.Event) -> None:
    closing.wait()
