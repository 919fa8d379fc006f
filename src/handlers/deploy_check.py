"""CloudFormation's door: a new version of a function is called before anything else calls it.

Each function of the template has a custom resource here, which gives on the number of the version that it found to
work; the alias `live` is moved to that. One that does not work fails the deployment, and CloudFormation takes it back.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.request import Request, urlopen

from core.domain.errors import IntegrationError
from core.integrations.wiring.deployed_functions import DeployedFunctions, deployed_functions
from handlers.logs import build_logger, fault_fields
from handlers.self_check import ASKED, PASSED

# A role made a moment ago is not known everywhere yet, and a first call starts a cold function.
TRIES, PAUSE_SECONDS = 5, 4.0
_DENIED = "AccessDenied"
CALL_SECONDS = 65.0
# CloudFormation takes 4 KB in all.
WORDS_MOST = 1500

_log = build_logger()


class NewVersionError(Exception):
    """What is wrong with a version, for whoever deploys it."""


@cache
def deployed() -> DeployedFunctions:
    """Made once per environment."""
    return deployed_functions(read_timeout_seconds=CALL_SECONDS)


def handler(event: dict[str, Any], context: Any) -> None:
    """A request of CloudFormation's for a `Custom::DeployCheck`: it is answered, whatever happens."""
    asked = event.get("ResourceProperties") or {}
    answer = {"Status": "SUCCESS", "Data": {"Version": asked.get("Version", "")}}
    try:
        if event.get("RequestType") != "Delete":
            check(
                asked,
                deployed(),
                stack=str(event.get("StackId")),
                seconds_left=lambda: context.get_remaining_time_in_millis() / 1000,
            )
    except Exception as error:  # noqa: BLE001 -- the door: CloudFormation waits for an answer
        _log.warning("deploy_check_failed", extra=fault_fields(error))
        told = str(error) if isinstance(error, NewVersionError) else f"the check broke: {type(error).__name__}"
        answer = {"Status": "FAILED", "Reason": told[:WORDS_MOST]}
    _tell(event, answer)


def check(
    asked: Mapping[str, Any],
    functions: DeployedFunctions,
    *,
    stack: str,
    seconds_left: Callable[[], float],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Raises `NewVersionError` for a version that does not work, or does not have the settings that are deployed.

    On the way back nothing is asked: what served before must be let serve again, whatever it does now.
    """
    name, version = str(asked["Function"]), str(asked["Version"])
    if asked.get("Check") == "false" or functions.is_taken_back(stack):
        return
    wrong = ""
    for attempt in range(TRIES):
        if attempt:
            if seconds_left() < CALL_SECONDS + PAUSE_SECONDS:
                break
            sleep(PAUSE_SECONDS)
        try:
            wrong = _wrong_with(name, version, functions)
        except IntegrationError as error:
            wrong = str(error)
        else:
            if not wrong:
                return
            if _DENIED not in wrong:
                break
    raise NewVersionError(f"{name}, version {version}: {wrong}")


def _wrong_with(name: str, version: str, functions: DeployedFunctions) -> str:
    """ "" for nothing. Raises `IntegrationError` when it could not be asked."""
    if differing := functions.settings_that_differ(name, version):
        return f"{', '.join(differing)} changed and CodeVersion did not: deploy with another CodeVersion"
    told = functions.call(name, version, {ASKED: True})
    if isinstance(told, dict) and told.get(ASKED) == PASSED:
        return ""
    return str(told.get("why") or "it does not know the check") if isinstance(told, dict) else "it answers nothing"


def _tell(event: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """Raises when it cannot be told: Lambda then calls again."""
    same = {name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")}
    physical = event.get("PhysicalResourceId") or event["LogicalResourceId"]
    body = json.dumps({**answer, **same, "PhysicalResourceId": physical}).encode()
    address = str(event["ResponseURL"])
    if not address.startswith(("https://", "http://")):
        raise ValueError("the answer's address is none")
    # a signed address: it names its own content type, which is none
    request = Request(address, data=body, method="PUT", headers={"content-type": ""})  # noqa: S310 -- checked above
    with urlopen(request, timeout=10):  # noqa: S310
        pass
