"""Whether anybody could know that a conversation waits for a person: a promise of one needs one."""

from __future__ import annotations

from collections.abc import Mapping

from core.config.attendants import read_attendants
from core.domain.errors import BadInputError

from .errors import WRONG_SETTINGS, DeployError
from .secret_store import SecretStore

ADD = '.venv/bin/python scripts/attendants.py --parameter {parameter} add ID --name "…"'


def attend(stored: str) -> int:
    """How many attendants a parameter's value registers."""
    try:
        return len(read_attendants(stored))
    except BadInputError:
        return 0


def check_people(secrets: SecretStore, parameters: Mapping[str, str]) -> None:
    """Raises `DeployError` where handoffs are on, no attendant is registered and there is no topic."""
    parameter = parameters.get("AttendantsSsmParam", "")
    if parameters.get("HandoffEnabled") != "true" or parameters.get("HandoffTopicArn"):
        return
    _, stored = secrets.read([parameter]).get(parameter, ("", "")) if parameter else ("", "")
    if attend(stored) == 0:
        what = "conversations go to people, and nobody could know: no attendant is registered and no topic is named"
        next_step = f"{ADD.format(parameter=parameter)}; or HANDOFF_TOPIC_ARN=…; or HANDOFF_ENABLED=false"
        raise DeployError(what, next_step=next_step, status=WRONG_SETTINGS)
