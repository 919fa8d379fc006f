"""The process that plays WhatsApp, the model and eGestor: `python -m local_stack.standins_server --help`."""

from __future__ import annotations

import argparse
import signal
import threading
from contextlib import ExitStack

from .console_gate import ConsoleGate
from .egestor_standin import EgestorStandIn
from .model_standin import ModelStandIn
from .whatsapp_standin import WhatsAppStandIn


def main() -> None:
    """Serve until told to end."""
    parser = argparse.ArgumentParser(description="WhatsApp, the model and eGestor, played on this machine.")
    parser.add_argument("--whatsapp-port", type=int, required=True)
    parser.add_argument("--access-token", required=True)
    parser.add_argument("--console-port", type=int, required=True)
    parser.add_argument("--egestor-port", type=int, required=True)
    parser.add_argument("--model-port", type=int)
    options = parser.parse_args()
    ended = threading.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: ended.set())
    with ExitStack() as servers:
        servers.enter_context(WhatsAppStandIn(port=options.whatsapp_port, access_token=options.access_token))
        servers.enter_context(ConsoleGate(port=options.console_port))
        servers.enter_context(EgestorStandIn(port=options.egestor_port))
        if options.model_port is not None:
            from .model_brain import answer

            servers.enter_context(ModelStandIn(answer, port=options.model_port))
        ended.wait()


if __name__ == "__main__":
    main()
