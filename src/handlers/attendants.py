"""The attendants' door: an HTTP API and the page that uses it (docs/attendants.md)."""

from __future__ import annotations

from handlers.start_up import prepare

prepare()

import base64
import binascii
import json
from functools import cache
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

from core.domain.attendant import Attendant
from core.domain.errors import IntegrationError
from core.integrations.wiring.attendants import DeskDependencies, build_desk_dependencies
from handlers.attending.access import Request, request_of
from handlers.attending.answers import HEADERS, PRIVATE, Answer, error_answer, json_answer
from handlers.attending.console_files import console_answer
from handlers.attending.routes import build_app, deadline_of
from handlers.invocation import observed, tell_start_up_failed
from handlers.logs import build_logger, fault_fields
from handlers.self_check import answer as answer_check
from handlers.self_check import is_asked

# A reply's text is far smaller, a file's 4 MB are less than this in base64.
BODY_MAX_BYTES = 5_900_000
TEXT_BODY_MAX_BYTES = 64_000

_log = build_logger()


@cache
def dependencies() -> DeskDependencies:
    """Made once per environment, at the first event."""
    return build_desk_dependencies()


@cache
def resolver() -> APIGatewayHttpResolver:
    """Its routes are compiled once."""
    return build_app()


@observed
def handler(event: dict[str, Any], context: Any) -> Answer:
    """API Gateway HTTP API, payload 2.0."""
    if is_asked(event):
        return answer_check("attendants", lambda: dependencies().settings, "table", "people")
    request = request_of(event)
    try:
        if (page := console_answer(request.path, request.headers.get("if-none-match"))) is not None:
            return page if request.method in ("GET", "HEAD") else error_answer(405, "method_not_allowed")
        return _answer(request, event, context)
    except IntegrationError as error:
        _log.error("attendance_failed", extra=fault_fields(error))
        return error_answer(502, "upstream")
    except Exception as error:  # noqa: BLE001 -- the door: whoever attends is told, in words
        _log.error("attendance_broke", extra=fault_fields(error))
        return error_answer(500, "internal")


def _answer(request: Request, event: dict[str, Any], context: Any) -> Answer:
    if request.path.startswith("/console"):
        return error_answer(404, "not_found")
    deps = _dependencies()
    if request.changes and (refused := _refused_body(request)) is not None:
        return refused
    if request.path == "/session" and request.changes:
        return _cross_site() if request.cross_site else _resolved(event, context, deps)
    bearer = request.bearer
    token = bearer or request.cookie
    attendant = deps.attendant(token) if token else None
    if attendant is None:
        return _answer_to_nobody(request, deps, with_token=token is not None)
    if bearer is None and request.changes and request.cross_site:
        return _cross_site()
    return _resolved(event, context, deps, attendant)


def _answer_to_nobody(request: Request, deps: DeskDependencies, *, with_token: bool) -> Answer:
    """The page asks at each first visit who is logged in: that is no error in its browser's console."""
    if (request.method, request.path) == ("GET", "/session"):
        return json_answer(200, {"attendant": None, "company": "", "now_ms": deps.clock.now_ms()})
    _log.warning("attendant_refused", extra={"with_token": with_token})
    return error_answer(401, "unauthorized")


def _resolved(
    event: dict[str, Any], context: Any, deps: DeskDependencies, attendant: Attendant | None = None
) -> Answer:
    app = resolver()
    remaining_ms = int(context.get_remaining_time_in_millis())
    app.context.update(deps=deps, attendant=attendant, deadline=deadline_of(deps, remaining_ms))
    answer = app.resolve(event, context)
    headers = {str(name).lower(): value for name, value in (answer.get("headers") or {}).items()}
    # an answer without a body is null in powertools, which not every gateway takes
    return {**answer, "body": answer.get("body") or "", "headers": {**HEADERS, "cache-control": PRIVATE, **headers}}


def _cross_site() -> Answer:
    _log.warning("cross_site_refused")
    return error_answer(403, "cross_site")


def _refused_body(request: Request) -> Answer | None:
    """What no route is to see: too large, no JSON, no object. powertools would fail on some of it."""
    size = len(request.body or "")
    limit = BODY_MAX_BYTES if request.path.endswith("/reply") else TEXT_BODY_MAX_BYTES
    if size > limit:
        return error_answer(413, "file_too_large" if limit == BODY_MAX_BYTES else "too_large")
    if request.method == "DELETE" and not request.body:
        return None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return error_answer(415, "not_json")
    if not isinstance(_json_body(request), dict):
        return error_answer(422, "invalid", "O corpo não é um objeto JSON.", fields=["body"])
    return None


def _json_body(request: Request) -> Any:
    """None for what is no JSON."""
    raw: str | bytes = request.body or ""
    try:
        if request.is_base64:
            raw = base64.b64decode(raw, validate=True)
        return json.loads(raw)
    except (binascii.Error, ValueError, RecursionError):
        return None


def _dependencies() -> DeskDependencies:
    try:
        return dependencies()
    except Exception as error:
        tell_start_up_failed(error)
        raise
