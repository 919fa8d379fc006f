"""`.local/<name>.json`: where a running stack is. Every secret in it is made up and opens nothing."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from .places import Places
from .processes import Process


@dataclass(frozen=True, slots=True, kw_only=True)
class StackState:
    """What a client needs (addresses, keys) and what `down` needs (processes). What does not exist is None."""

    name: str
    webhook: str
    queue: str
    dead_letter_queue: str
    table: str
    region: str
    endpoint: str
    webhook_function: str
    process_function: str
    sweep_function: str
    attendants_function: str
    attendants_api: str
    attendant_token: str
    whatsapp: str
    whatsapp_outbox: str
    whatsapp_control: str
    model: str  # "stand-in" or "openai"
    model_base_url: str | None
    model_control: str | None
    model_calls: str | None
    console: str | None
    egestor: str | None
    verify_token: str
    app_secret: str
    access_token: str
    phone_number_id: str
    display_phone_number: str
    identity_key: str
    build: str
    asked: dict[str, str] = field(default_factory=dict)  # parameters that whoever started it wanted otherwise
    parameters: dict[str, str] = field(default_factory=dict)
    processes: tuple[Process, ...] = ()

    def is_running(self) -> bool:
        """Whether all of its processes are."""
        return bool(self.processes) and all(process.is_alive() for process in self.processes)


def write_state(places: Places, state: StackState) -> None:
    """Whole or not at all: readers may look at any time."""
    fresh = places.state_file.with_suffix(".tmp")
    fresh.write_text(json.dumps(asdict(state), indent=2, ensure_ascii=False) + "\n", "utf-8")
    fresh.replace(places.state_file)


def read_state(places: Places) -> StackState | None:
    """The state, or None when there is none that can be read."""
    try:
        data: dict[str, Any] = json.loads(places.state_file.read_text("utf-8"))
        processes = tuple(Process(**process) for process in data.pop("processes"))
        return StackState(**data, processes=processes)
    except (OSError, ValueError, TypeError, KeyError):
        return None
