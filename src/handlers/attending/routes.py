"""The attendants' API: what each call asks for and answers (docs/attendants.md, "HTTP"). Who calls is known already."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError, ResponseValidationError
from aws_lambda_powertools.event_handler.openapi.params import Header, Query

from core.application.people.attendance.desk import AttendantDesk
from core.application.people.attendance.looking_up import known_conversation
from core.application.people.attendance.reading import AttendantReading
from core.application.people.attendance.views import ConversationView, EntriesPage, QueuePage, TurnsPage
from core.application.people.attendance.wording import item_of, sent_entry
from core.application.people.data_rights import Found, Receipt
from core.domain.attendant import Attendant, Refusal, Role
from core.domain.conversation import Snapshot
from core.domain.deadline import Deadline
from core.domain.delivery import OutboundPart
from core.domain.errors import AttendanceRefusedError, BadInputError, IntegrationError
from core.domain.record_keys import message_sk
from core.integrations.wiring.attendants import DeskDependencies
from handlers.attending.access import cookie_of
from handlers.attending.answers import JSON, PRIVATE, error_body, refusal_body
from handlers.attending.bodies import (
    AttendantShown,
    Done,
    HandBack,
    LogIn,
    Nothing,
    Reply,
    ReplyDone,
    Search,
    Session,
)
from handlers.attending.files import file_answer
from handlers.attending.reply_files import UnusableFileError, file_of
from handlers.logs import build_logger, fault_fields

_log = build_logger()

# Lambda's answer holds 6 MB.
EXPORT_MAX_BYTES = 5_000_000

Cursor = Annotated[str | None, Query(max_length=200, description="Where the page before ended.")]
IfNoneMatch = Annotated[str | None, Header(alias="If-None-Match", description="The ETag of what is known.")]


class WrongTokenError(Exception):
    """Nobody's token."""


class NotResponsibleError(Exception):
    """Only a `responsavel` may do this."""


class NotModifiedError(Exception):
    """What was asked for is as it was."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self.tag = tag


def build_app() -> APIGatewayHttpResolver:
    """The resolver; each event brings `deps`, `attendant` and `deadline` into its context."""
    app = APIGatewayHttpResolver(
        enable_validation=True, response_validation_error_http_code=HTTPStatus.INTERNAL_SERVER_ERROR
    )
    _add_errors(app)
    _add_session(app)
    _add_reading(app)
    _add_commands(app)
    _add_rights(app)
    return app


def _add_session(app: APIGatewayHttpResolver) -> None:
    @app.get("/session", summary="Who is logged in")
    def session() -> Session:
        return _session_of(_deps(app), _attendant(app))

    @app.post("/session", summary="Log in: the token becomes a cookie, which no script can read")
    def log_in(body: LogIn) -> Response[Session]:
        token = body.token.strip()
        attendant = _deps(app).attendant(token)
        if attendant is None:
            _log.warning("log_in_refused")
            raise WrongTokenError
        _log.info("logged_in", extra={"attendant": attendant.id})
        answer: Response[Session] = Response(
            status_code=200, content_type=JSON, body=_session_of(_deps(app), attendant), cookies=[cookie_of(token)]
        )
        return answer

    @app.delete("/session", summary="Log out", status_code=204)
    def log_out() -> Response[None]:
        return Response(status_code=204, content_type=None, body=None, cookies=[cookie_of("")])


def _add_reading(app: APIGatewayHttpResolver) -> None:
    @app.get("/queue", summary="Conversations that people have, who waits longest first")
    def queue(cursor: Cursor = None, if_none_match: IfNoneMatch = None) -> Response[QueuePage]:
        page = _reading(app).queue(cursor=_queue_cursor(cursor))
        tag = f'"{hashlib.sha256(repr(page).encode()).hexdigest()[:20]}"'
        return _tagged(page, tag, if_none_match)

    @app.post("/search", summary="The conversation of a phone, in either form of its ninth digit")
    def search(body: Search) -> QueuePage:
        return _reading(app).search(body.phone)

    @app.get("/conversations/<conversation>", summary="A conversation, its card and its newest entries")
    def opened(
        conversation: str, after: Cursor = None, if_none_match: IfNoneMatch = None
    ) -> Response[ConversationView]:
        reading = _reading(app)
        snapshot = reading.snapshot(known_conversation(conversation))
        known = reading.tag(snapshot)
        tag = None if known is None else f'"{known}"'
        if tag is not None and tag == if_none_match:
            raise NotModifiedError(tag)
        return _tagged(reading.opened(snapshot, _attendant(app), after=after), tag, None)

    @app.get("/conversations/<conversation>/entries", summary="Older entries")
    def older(conversation: str, before: Annotated[str, Query(max_length=200)]) -> EntriesPage:
        return _reading(app).older(known_conversation(conversation), before=before)

    @app.get("/conversations/<conversation>/media/<n>", summary="A message's file", enable_validation=False)
    def media(conversation: str, n: str) -> Response[bytes]:
        """A check of the answer would read its bytes as text."""
        entry = _reading(app).entry(known_conversation(conversation), n)
        found = entry.media if isinstance(entry, OutboundPart) else entry.message.media
        if found is None:
            raise AttendanceRefusedError(Refusal.NOT_FOUND)
        number = (entry.recipient if isinstance(entry, OutboundPart) else entry.message).phone_number_id
        return file_answer(_deps(app).fetcher(), found, phone_number_id=number)

    @app.get("/conversations/<conversation>/turns", summary="What the bot did, newest turn first")
    def turns(conversation: str, before: Cursor = None) -> TurnsPage:
        return _reading(app).turns(known_conversation(conversation), before=before)


def _add_rights(app: APIGatewayHttpResolver) -> None:
    @app.get("/conversations/<conversation>/holdings", summary="What is held of a person, counted")
    def holdings(conversation: str) -> Found:
        _responsible(app)
        return _deps(app).rights().found(known_conversation(conversation))

    @app.get("/conversations/<conversation>/export", summary="Everything that is held of a person")
    def export(conversation: str) -> Response[dict[str, Any]]:
        attendant = _responsible(app)
        document = "".join(_deps(app).rights().document(known_conversation(conversation), attendant))
        if len(document.encode()) > EXPORT_MAX_BYTES:
            return _problem(413, error_body("export_too_large"))
        headers: dict[str, str | list[str]] = {
            "cache-control": "no-store",
            "content-disposition": f"attachment; filename=conversa-{conversation}.json",
        }
        return Response(status_code=200, content_type=JSON, body=json.loads(document), headers=headers)

    @app.delete("/conversations/<conversation>", summary="Erase what is held of a person")
    def erase(
        conversation: str, if_match: Annotated[str | None, Header(alias="If-Match", max_length=80)] = None
    ) -> Receipt:
        attendant, revision = _responsible(app), (if_match or "").strip().strip('"')
        if not revision:
            raise BadInputError("If-Match")
        return _deps(app).rights().erase(known_conversation(conversation), attendant, revision=revision)


def _responsible(app: APIGatewayHttpResolver) -> Attendant:
    attendant = _attendant(app)
    if attendant.role is not Role.RESPONSAVEL:
        _log.warning("data_rights_refused", extra={"attendant": attendant.id})
        raise NotResponsibleError
    return attendant


def _add_commands(app: APIGatewayHttpResolver) -> None:
    @app.post("/conversations/<conversation>/take", summary="Take: the bot is silent from now on")
    def take(conversation: str, body: Nothing) -> Done:
        del body
        return _do(app, lambda desk, who: desk.take(known_conversation(conversation), who))

    @app.post("/conversations/<conversation>/reply", summary="Write to the customer, or send a file")
    def reply(conversation: str, body: Reply) -> ReplyDone:
        deps, deadline = _deps(app), app.context["deadline"]
        name, file = known_conversation(conversation), file_of(body)
        seen = message_sk(body.seen) if body.seen else None
        with deps.sender() as sender:
            done = deps.desk(sender).reply(
                name,
                _attendant(app),
                body.text or "",
                client_id=body.client_id,
                deadline=deadline,
                seen=seen,
                file=file,
            )
        return ReplyDone(entry=sent_entry(name, done.part), newer=done.newer)

    @app.post("/conversations/<conversation>/hand-back", summary="The assistant goes on")
    def hand_back(conversation: str, body: HandBack) -> Done:
        agreed = body.agreed or ""
        return _do(app, lambda desk, who: desk.hand_back(known_conversation(conversation), who, agreed=agreed))

    @app.post("/conversations/<conversation>/close", summary="It is over")
    def close(conversation: str, body: Nothing) -> Done:
        del body
        return _do(app, lambda desk, who: desk.close(known_conversation(conversation), who))


def _add_errors(app: APIGatewayHttpResolver) -> None:
    def not_found(_error: NotFoundError) -> Response[Any]:
        """powertools answers 404 to a method that an address does not have, too."""
        path = str(app.current_event.path)
        routes = app._static_routes + app._dynamic_routes  # noqa: SLF001 -- there is no other way to ask
        methods = sorted({route.method for route in routes if route.rule.match(path)})
        if not methods:
            return _problem(404, error_body("not_found"))
        answer = _problem(405, error_body("method_not_allowed"))
        answer.headers["allow"] = ", ".join(methods)
        return answer

    app.not_found(not_found)
    for kind, answer in (
        (NotModifiedError, _not_modified),
        (WrongTokenError, _wrong_token),
        (NotResponsibleError, _not_responsible),
        (AttendanceRefusedError, _refused),
        (RequestValidationError, _invalid),
        (ResponseValidationError, _not_as_described),
        (BadInputError, _unusable),
        (UnusableFileError, _unusable_file),
        (IntegrationError, _upstream),
    ):
        app.exception_handler(kind)(answer)


def _not_modified(error: NotModifiedError) -> Response[Any]:
    return Response(status_code=304, content_type=None, headers={"etag": error.tag, "cache-control": PRIVATE})


def _wrong_token(_error: WrongTokenError) -> Response[Any]:
    return _problem(401, error_body("unauthorized", "Este token não vale. Confira com quem cuida do atendimento."))


def _not_responsible(_error: NotResponsibleError) -> Response[Any]:
    return _problem(403, error_body("forbidden"))


def _refused(error: AttendanceRefusedError) -> Response[Any]:
    status, body = refusal_body(error)
    return _problem(status, body)


def _invalid(error: RequestValidationError) -> Response[Any]:
    """Names what is wrong and quotes none of it."""
    named = sorted({".".join(str(each) for each in fault["loc"]) for fault in error.errors()})
    return _problem(422, error_body("invalid", fields=named))


def _not_as_described(error: ResponseValidationError) -> Response[Any]:
    _log.error("answer_not_as_described", extra={"faults": len(error.errors())})
    return _problem(500, error_body("internal"))


def _unusable(error: BadInputError) -> Response[Any]:
    return _problem(422, error_body("invalid", fields=[error.reason]))


def _unusable_file(error: UnusableFileError) -> Response[Any]:
    return _problem(422, error_body(error.code, fields=["body.file"]))


def _upstream(error: IntegrationError) -> Response[Any]:
    _log.error("attendance_failed", extra=fault_fields(error))
    return _problem(502, error_body("upstream"))


def _session_of(deps: DeskDependencies, attendant: Attendant) -> Session:
    """Who is logged in."""
    shown = AttendantShown(id=attendant.id, name=attendant.name, role=attendant.role.value)
    return Session(attendant=shown, company=deps.catalog.company.name, now_ms=deps.clock.now_ms())


def _do(app: APIGatewayHttpResolver, command: Callable[[AttendantDesk, Attendant], Snapshot]) -> Done:
    deps = _deps(app)
    with deps.sender() as sender:
        snapshot = command(deps.desk(sender), _attendant(app))
    return Done(item=item_of(snapshot.conversation, snapshot.head))


def _tagged(body: Any, tag: str | None, if_none_match: str | None) -> Response[Any]:
    if tag is not None and tag == if_none_match:
        raise NotModifiedError(tag)
    headers: dict[str, str | list[str]] = {"cache-control": PRIVATE, **({"etag": tag} if tag else {})}
    return Response(status_code=200, content_type=JSON, body=body, headers=headers)


def _problem(status: int, body: dict[str, Any]) -> Response[Any]:
    return Response(status_code=status, content_type=JSON, body=body)


def _queue_cursor(cursor: str | None) -> str | None:
    since, dot, conversation = (cursor or "").partition(".")
    if cursor and not (dot and since.isascii() and since.isdigit() and len(since) <= 16 and conversation.isalnum()):
        raise BadInputError("cursor")
    return cursor


def _deps(app: APIGatewayHttpResolver) -> DeskDependencies:
    deps: DeskDependencies = app.context["deps"]
    return deps


def _attendant(app: APIGatewayHttpResolver) -> Attendant:
    attendant: Attendant = app.context["attendant"]
    return attendant


def _reading(app: APIGatewayHttpResolver) -> AttendantReading:
    return _deps(app).reading()


def deadline_of(deps: DeskDependencies, remaining_ms: int) -> Deadline:
    """When the function ends."""
    return Deadline(now_ms=deps.clock.now_ms, ends_at_ms=deps.clock.now_ms() + remaining_ms)
