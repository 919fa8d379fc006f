"""An HTTP server that answers every `POST /v1/responses` at once with the same reply, in its own process.

Run: `python -m benchmarks.zero_latency_server`; it prints its port on the first line and serves until stdin closes.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REPLY = '{"s":1}Olá! Sou a assistente virtual da Casa em Ordem. Qual é o aparelho que você quer instalar?'
BODY = json.dumps(
    {
        "id": "resp_bench",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "gpt-5.6-luna",
        "output": [
            {
                "type": "message",
                "id": "msg_bench",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": REPLY, "annotations": []}],
            }
        ],
        "usage": {
            "input_tokens": 4000,
            "input_tokens_details": {"cached_tokens": 3800, "cache_write_tokens": 0},
            "output_tokens": 40,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 4040,
        },
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }
).encode()


class Handler(BaseHTTPRequestHandler):
    """What it answers, whatever it is asked."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self) -> tuple[str, bytes]:
        """Media type and body."""
        return "application/json", BODY

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        media_type, body = self.answer()
        self.send_response(200)
        self.send_header("content-type", media_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Silent."""


def main() -> None:
    """Serve until stdin closes, so that the server never outlives its benchmark."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
