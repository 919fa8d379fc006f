"""Starts the process that plays WhatsApp and the model (`standins_server`)."""

from __future__ import annotations

import http.client
import sys
from pathlib import Path

from .environment import closed_environment
from .errors import StackError
from .http_calls import call
from .http_standin import LOOPBACK
from .places import ROOT, Places
from .processes import Process, start, wait_until

READY_SECONDS = 20.0


def start_standins(
    places: Places,
    *,
    whatsapp_port: int,
    console_port: int,
    egestor_port: int,
    model_port: int | None,
    access_token: str,
    ends_with_us: bool,
) -> Process:
    """Start them and wait until they answer. Without a model port the real model is used."""
    log = places.log("standins")
    path = f"{ROOT / 'scripts'}:{ROOT / 'src'}"
    python = Path(sys.executable)
    environment = closed_environment(first_on_path=python.parent, scratch=places.scratch) | {"PYTHONPATH": path}
    command = [str(python), "-m", "local_stack.standins_server", "--whatsapp-port", str(whatsapp_port)]
    command += ["--access-token", access_token, "--console-port", str(console_port)]
    command += ["--egestor-port", str(egestor_port)]
    command += [] if model_port is None else ["--model-port", str(model_port)]
    process = start("standins", command, environment=environment, log=log, directory=ROOT, ends_with_us=ends_with_us)
    probes = [f"http://{LOOPBACK}:{whatsapp_port}/outbox"]
    probes += [] if model_port is None else [f"http://{LOOPBACK}:{model_port}/calls"]
    wait_until(lambda: not process.is_alive() or all(map(_answers, probes)), seconds=READY_SECONDS)
    if not all(map(_answers, probes)):
        process.stop()
        message = "the stand-ins for WhatsApp and the model did not start"
        raise StackError(message, log=log)
    return process


def _answers(url: str) -> bool:
    try:
        return call("GET", url, timeout_seconds=2).status == 200
    except (OSError, http.client.HTTPException):
        return False
