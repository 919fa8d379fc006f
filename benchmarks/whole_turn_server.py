"""A table, a provider and a channel that always answer the same, in a process of their own.

Run: `python -m benchmarks.whole_turn_server [SECONDS]`, which every answer takes; it reads one line, the table's answer
to a query, prints its port on the first line and serves until stdin closes.
"""

from __future__ import annotations

import sys
import threading
import time
from http.server import ThreadingHTTPServer

from benchmarks import zero_latency_server

_SENT = b'{"messaging_product":"whatsapp","messages":[{"id":"wamid.bench"}],"success":true}'


def main() -> None:
    """Serve until stdin closes."""
    found = sys.stdin.readline().strip().encode()
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0

    class Handler(zero_latency_server.Handler):
        def answer(self) -> tuple[str, bytes]:
            time.sleep(seconds)
            operation = self.headers.get("x-amz-target", "").rpartition(".")[2]
            if operation:
                return "application/x-amz-json-1.0", found if operation == "Query" else b"{}"
            return "application/json", zero_latency_server.BODY if self.path.endswith("/responses") else _SENT

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
