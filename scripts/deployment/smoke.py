"""Whether what was deployed answers: Meta's handshake from outside, and an empty invocation."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from local_stack.stack import SERVING

from .account import Account
from .errors import DeployError
from .web import UnreachableError, request

# A new API, role or version is not everywhere at once.
PATIENCE_SECONDS = 60.0
PAUSE_SECONDS = 3.0
_SHOWN = 300


def webhook_address(outputs: Mapping[str, str], endpoint: str) -> str:
    """Where the webhook answers. The emulator has no names of its own in the DNS."""
    if not endpoint:
        return outputs["WebhookUrl"]
    return f"{endpoint}/_aws/execute-api/{outputs['ApiId']}/$default/webhook"


def handshake_fault(address: str, verify_token: str) -> str:
    """What is wrong with the webhook's answer to Meta's handshake, or ""."""
    challenge = str(secrets.randbelow(10**10))
    asked = {"hub.mode": "subscribe", "hub.verify_token": verify_token, "hub.challenge": challenge}
    try:
        right = request("GET", address, query=asked)
        wrong = request("GET", address, query=asked | {"hub.verify_token": secrets.token_hex(16)})
    except UnreachableError as error:
        return f"it cannot be reached ({error})"
    if right.status != 200:
        return f"HTTP {right.status} for the right verify token"
    if right.body.decode("utf-8", "replace") != challenge:
        return "it does not give the challenge back"
    return "" if wrong.status == 403 else f"HTTP {wrong.status} for a wrong verify token, where 403 belongs"


def invocation_fault(account: Account, function: str, event: object) -> str:
    """What is wrong with a function that is given an event with nothing to do, or ""."""
    return _invoked(account, function, event)[0]


def self_check(account: Account, function: str) -> tuple[str, Sequence[str]]:
    """What is wrong with the version that serves, or "", and what it has looked at (docs/operations.md)."""
    fault, told = _invoked(account, function, {"deploy_check": True})
    if fault or told.get("deploy_check") != "passed":
        return fault or str(told.get("why") or "it knows no check of itself"), ()
    return "", [str(each) for each in told.get("checked", ())]


def _invoked(account: Account, function: str, event: object) -> tuple[str, Mapping[str, Any]]:
    """Its failure, or "", and its answer."""
    asked = {"FunctionName": function, "Qualifier": SERVING, "Payload": json.dumps(event).encode()}
    answer = account.client("lambda").invoke(**asked)
    payload = answer["Payload"].read().decode("utf-8", "replace")
    try:
        told = json.loads(payload)
    except ValueError:
        told = {}
    told = told if isinstance(told, dict) else {}
    failed = bool(answer.get("FunctionError"))
    return (str(told.get("errorMessage") or payload or "it failed")[:_SHOWN] if failed else ""), told


def check_smoke(
    account: Account,
    outputs: Mapping[str, str],
    verify_token: str,
    *,
    wait: Callable[[float], None] = time.sleep,
    patience_seconds: float = PATIENCE_SECONDS,
) -> None:
    """Raises `DeployError` when one of the two still fails after a minute. An empty token: no handshake is asked."""
    checks: dict[str, Callable[[], str]] = {
        "the process function": lambda: invocation_fault(account, outputs["ProcessFunctionName"], {"Records": []}),
    }
    if verify_token:
        checks["the webhook"] = lambda: handshake_fault(webhook_address(outputs, account.endpoint), verify_token)
    ends = time.monotonic() + patience_seconds
    while faults := {name: fault for name, check in checks.items() if (fault := check())}:
        if time.monotonic() > ends:
            listed = "; ".join(f"{name}: {fault}" for name, fault in faults.items())
            message = f"the smoke check failed: {listed}"
            raise DeployError(message)
        wait(PAUSE_SECONDS)
