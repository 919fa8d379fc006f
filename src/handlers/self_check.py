"""What a function answers to the check of a deployment (docs/operations.md, "The check of a deployment").

Only who may invoke the function directly can ask: neither the API, the queue, the schedule nor SNS lets a caller choose
the keys of an event's top. A failure is an answer and no error: it is the deployment's, and rings nobody's alarm.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from core.config.settings import DeskSettings, DoorSettings, Settings
from handlers.logs import build_logger, fault_fields

ASKED = "deploy_check"
PASSED, FAILED = "passed", "failed"

_log = build_logger()


def is_asked(event: object) -> bool:
    """Whether the event, of whatever shape, is the check's."""
    return isinstance(event, dict) and event.get(ASKED) is True


def answer(function: str, start: Callable[[], Settings | DoorSettings | DeskSettings], *parts: str) -> dict[str, Any]:
    """Start as for an event, then ask the parts (`table`, `index`, `queue`) for nothing: which code it is, and what
    works, or why it does not.

    Our own words are told; foreign ones may quote what is nobody's business.
    """
    from core.integrations.wiring.reach import Part, reach

    told = {"function": function, "code": os.environ.get("CODE_VERSION", "unversioned")}
    try:
        settings = start()
        asked = [Part(part) for part in parts]
        queue_url = "" if isinstance(settings, DeskSettings) else settings.queue_url
        reach(asked, table_name=settings.table_name, queue_url=queue_url)
    except Exception as error:  # noqa: BLE001 -- the door: whoever deploys is told
        _log.warning("deploy_check_failed", extra=fault_fields(error))
        ours = type(error) is RuntimeError or type(error).__module__.startswith("core.")
        return {ASKED: FAILED, **told, "why": str(error) if ours else type(error).__name__}
    files = () if isinstance(settings, DoorSettings) else ("files",)
    return {ASKED: PASSED, **told, "checked": ["settings", "secrets", *files, *asked]}
