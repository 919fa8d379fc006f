"""The Cloud API sender against a transport in memory: what is asked, and what each answer means."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from core.domain.delivery import Recipient, SendFailure
from core.domain.errors import IntegrationError, SendRefusedError, SendUncertainError
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile
from core.integrations.whatsapp.cloud_api_sender import CloudApiSender
from tests.unit.channels.whatsapp.test_error_codes import PAGE

RECIPIENT = Recipient(phone_number_id="330000000000982", phone="5511980000101")
SENT = {"messaging_product": "whatsapp", "contacts": [{"wa_id": "5511980000101"}], "messages": [{"id": "wamid.OUT1"}]}
Answer = httpx2.Response | Exception | Callable[[httpx2.Request], httpx2.Response]


class Graph:
    """Answers in the order given, the last one for ever; keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx2.Request] = []
        self.clients = 0

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    def client(self) -> httpx2.Client:
        self.clients += 1
        return httpx2.Client(transport=httpx2.MockTransport(self))

    @property
    def tokens(self) -> list[str]:
        return [request.headers["authorization"].removeprefix("Bearer ") for request in self.requests]


def sender_of(graph: Graph, token: Callable[[bool], str] = lambda _: "token-1") -> CloudApiSender:
    return CloudApiSender(base_url="https://graph.example/", api_version="v24.0", token=token, new_client=graph.client)


def send(graph: Graph, **changes: Any) -> str:
    asked = {"recipient": RECIPIENT, "text": "Olá", "callback": "1.c.sk.1"} | changes
    token = asked.pop("token", lambda _: "token-1")
    return sender_of(graph, token).send_text(**asked).provider_id


def refused(code: int | None, status: int = 400, **error: Any) -> httpx2.Response:
    return httpx2.Response(status, json={"error": {"message": "(#x) 5511980000101", "code": code} | error})


def test_a_text_is_posted_to_the_numbers_messages_with_the_token_and_brings_its_id() -> None:
    graph = Graph(httpx2.Response(200, json=SENT))

    assert send(graph, reply_to="wamid.IN1") == "wamid.OUT1"

    (request,) = graph.requests
    assert (request.method, str(request.url)) == ("POST", "https://graph.example/v24.0/330000000000982/messages")
    assert request.headers["authorization"] == "Bearer token-1"
    assert request.headers["content-type"] == "application/json"
    body = json.loads(request.content)
    assert (body["to"], body["text"]["body"]) == ("5511980000101", "Olá")
    assert (body["context"], body["biz_opaque_callback_data"]) == ({"message_id": "wamid.IN1"}, "1.c.sk.1")


def test_reading_and_typing_is_one_request_with_the_messages_id() -> None:
    graph = Graph(httpx2.Response(200, json={"success": True}))

    sender_of(graph).mark_read(recipient=RECIPIENT, provider_id="wamid.IN1")

    assert json.loads(graph.requests[0].content) == {
        "messaging_product": "whatsapp",
        "status": "read",
        "message_id": "wamid.IN1",
        "typing_indicator": {"type": "text"},
    }


def test_half_a_character_in_a_text_is_no_crash() -> None:
    assert send(Graph(httpx2.Response(200, json=SENT)), text="oi \ud83d") == "wamid.OUT1"


@pytest.mark.parametrize("failure", PAGE)
def test_every_code_of_the_table_is_a_refusal_of_its_class(failure: SendFailure) -> None:
    for code in PAGE[failure]:
        with pytest.raises(SendRefusedError) as raised:
            send(Graph(refused(code, status=500 if code == 131000 else 400)))

        assert (raised.value.failure, raised.value.code) == (failure, code)


@pytest.mark.parametrize(
    ("answer", "failure", "code"),
    [
        (httpx2.Response(400, text="<html>"), SendFailure.BAD_REQUEST, None),
        (httpx2.Response(401), SendFailure.AUTH, None),
        (httpx2.Response(403, json={}), SendFailure.AUTH, None),
        (httpx2.Response(404, json={"error": "x"}), SendFailure.BAD_REQUEST, None),
        (httpx2.Response(429), SendFailure.THROTTLED, None),
        (httpx2.Response(302, headers={"location": "https://elsewhere"}), SendFailure.BAD_REQUEST, None),
        (refused(999999), SendFailure.BAD_REQUEST, 999999),
        (refused(2, 503, is_transient=True), SendFailure.TRANSIENT, 2),
        (refused(1, 500), SendFailure.TRANSIENT, 1),
        (httpx2.Response(400, json={"error": {"code": "131026"}}), SendFailure.RECIPIENT, 131026),
    ],
    ids=[
        "html",
        "401",
        "403",
        "404",
        "429",
        "redirect",
        "unknown code",
        "503 of Meta",
        "500 of Meta",
        "code in a string",
    ],
)
def test_an_answer_that_refuses_is_refused_whatever_its_body(answer, failure, code) -> None:
    with pytest.raises(SendRefusedError) as raised:
        send(Graph(answer))

    assert (raised.value.failure, raised.value.code) == (failure, code)


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(200),
        httpx2.Response(200, text="ok"),
        httpx2.Response(200, json=[]),
        httpx2.Response(200, json={"messages": []}),
        httpx2.Response(200, json={"messages": [{"id": ""}]}),
        httpx2.Response(202, json={"success": True}),
        httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=httpx2.ByteStream(b"no gzip")),
        httpx2.Response(500),
        httpx2.Response(502, text="<html>Bad Gateway</html>"),
        httpx2.Response(503, json={}),
        httpx2.Response(504, json={"error": {"message": "no code"}}),
        httpx2.ReadTimeout("x"),
        httpx2.WriteTimeout("x"),
        httpx2.ReadError("x"),
        httpx2.RemoteProtocolError("Server disconnected without sending a response."),
    ],
    ids=lambda answer: (
        f"{answer.status_code} {answer.headers.get('content-type', '')}"
        if isinstance(answer, httpx2.Response)
        else type(answer).__name__
    ),
)
def test_what_may_have_arrived_is_uncertain_and_is_not_repeated(answer: Answer) -> None:
    graph = Graph(answer)

    with pytest.raises(SendUncertainError):
        send(graph)

    assert len(graph.requests) == 1


@pytest.mark.parametrize(
    "error", [httpx2.ConnectError("x"), httpx2.ConnectTimeout("x"), httpx2.PoolTimeout("x")], ids=repr
)
def test_what_was_never_written_has_not_arrived(error: Exception) -> None:
    with pytest.raises(SendRefusedError) as raised:
        send(Graph(error))
    assert raised.value.failure is SendFailure.TRANSIENT


class DyingBody(httpx2.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b'{"messages":[{"id":"wam'
        raise httpx2.ReadError("reset")


@pytest.mark.parametrize(
    ("status", "error"), [(200, SendUncertainError), (400, SendRefusedError), (502, SendUncertainError)]
)
def test_of_a_body_that_dies_half_way_the_status_decides(status: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        send(Graph(httpx2.Response(status, stream=DyingBody())))


@pytest.mark.parametrize(
    ("answer", "seconds"),
    [
        (refused(131056), 6.0),
        (refused(130429), None),
        (httpx2.Response(429, headers={"retry-after": "30"}, json={"error": {"code": 130429}}), 30.0),
        (httpx2.Response(429, headers={"retry-after": "2"}, json={"error": {"code": 131056}}), 2.0),
        (httpx2.Response(429, headers={"retry-after": "999999"}), 3600.0),
        (httpx2.Response(429, headers={"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}), None),
        (httpx2.Response(429, headers={"retry-after": "-5"}), None),
        (httpx2.Response(400, headers={"retry-after": "30"}, json={"error": {"code": 131026}}), None),
    ],
    ids=["pair limit", "none told", "told", "told over known", "absurd", "a date", "negative", "permanent"],
)
def test_a_throttled_sender_is_told_how_long_to_wait(answer: httpx2.Response, seconds: float | None) -> None:
    with pytest.raises(SendRefusedError) as raised:
        send(Graph(answer))
    assert raised.value.retry_after_seconds == seconds


class Tokens:
    def __init__(self, *, before: str, after: str) -> None:
        self.before, self.after = before, after
        self.refetched = 0

    def __call__(self, refetch: bool) -> str:
        self.refetched += refetch
        return self.after if self.refetched else self.before


@pytest.mark.parametrize("code", [190, 0, 3, 10, 200, 299])
def test_a_refused_token_is_read_again_once_and_the_message_is_sent_with_the_new_one(code: int) -> None:
    graph = Graph(refused(code, 401), httpx2.Response(200, json=SENT))
    tokens = Tokens(before="velho", after="novo")

    assert send(graph, token=tokens) == "wamid.OUT1"
    assert (graph.tokens, tokens.refetched) == (["velho", "novo"], 1)


def test_a_new_token_that_is_refused_too_ends_there() -> None:
    graph = Graph(refused(190, 401))
    tokens = Tokens(before="velho", after="novo")

    with pytest.raises(SendRefusedError) as raised:
        send(graph, token=tokens)

    assert raised.value.failure is SendFailure.AUTH
    assert (len(graph.requests), tokens.refetched) == (2, 1)


def test_the_same_token_is_not_tried_twice() -> None:
    graph = Graph(refused(190, 401))

    with pytest.raises(SendRefusedError):
        send(graph)

    assert len(graph.requests) == 1


@pytest.mark.parametrize("token", ["", "  ", "çom acento", "duas\r\nlinhas"], ids=repr)
def test_a_token_that_cannot_be_sent_is_refused_here(token: str) -> None:
    graph = Graph(httpx2.Response(200, json=SENT))

    with pytest.raises(SendRefusedError) as raised:
        send(graph, token=lambda _: token)

    assert (raised.value.failure, graph.requests) == (SendFailure.AUTH, [])


def test_a_line_end_after_the_token_is_no_part_of_it() -> None:
    graph = Graph(httpx2.Response(200, json=SENT))

    send(graph, token=lambda _: "token-1\n")

    assert graph.tokens == ["token-1"]


def test_a_secret_store_that_is_down_means_the_message_was_not_sent() -> None:
    def down(_: bool) -> str:
        raise IntegrationError("SSM")

    with pytest.raises(SendRefusedError) as raised:
        send(Graph(httpx2.Response(200, json=SENT)), token=down)
    assert raised.value.failure is SendFailure.TRANSIENT


def test_one_client_serves_an_invocation_and_the_next_one_gets_a_fresh_one() -> None:
    graph = Graph(lambda _: httpx2.Response(200, json=SENT))
    sender = sender_of(graph)

    for _ in range(2):
        with sender:
            for _ in range(3):
                sender.send_text(recipient=RECIPIENT, text="oi", callback="c")

    assert (graph.clients, len(graph.requests)) == (2, 6)
    sender.close()


def test_a_number_id_never_leaves_its_place_in_the_path() -> None:
    graph = Graph(httpx2.Response(200, json=SENT))

    send(graph, recipient=Recipient(phone_number_id="../me?x=", phone="1234567"))

    assert graph.requests[0].url.raw_path == b"/v24.0/..%2Fme%3Fx%3D/messages"


def test_no_log_line_and_no_error_names_the_phone_the_text_or_the_token(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    graph = Graph(refused(131026), httpx2.Response(200, json=SENT))
    sender = sender_of(graph, lambda _: "token-secreto")

    with pytest.raises(SendRefusedError) as raised:
        sender.send_text(recipient=RECIPIENT, text="texto privado", callback="c")
    sender.send_text(recipient=RECIPIENT, text="texto privado", callback="c")

    for private in ("5511980000101", "texto privado", "token-secreto", "wamid"):
        assert private not in caplog.text + str(raised.value)


FILE = OutgoingFile(content=b"%PDF-1.4 \r\n--x", mime_type="application/pdf", filename="boleto de Lara.pdf")


def upload(graph: Graph, token: Callable[[bool], str] = lambda _: "token-1") -> str:
    return sender_of(graph, token).upload(FILE, phone_number_id="330000000000982", timeout_seconds=5)


def test_a_file_is_a_form_of_the_number_and_brings_its_id() -> None:
    graph = Graph(httpx2.Response(200, json={"id": "4490709327384033"}))

    assert upload(graph) == "4490709327384033"

    (request,) = graph.requests
    assert (request.method, str(request.url)) == ("POST", "https://graph.example/v24.0/330000000000982/media")
    assert request.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert FILE.content in request.content
    for field in (b'name="messaging_product"', b'name="type"', b'name="file"', b"Content-Type: application/pdf"):
        assert field in request.content


def test_a_file_goes_by_its_id_to_the_numbers_messages() -> None:
    graph = Graph(httpx2.Response(200, json=SENT))
    media = Media(media_id="1", mime_type="application/pdf", filename="a.pdf")

    taken = sender_of(graph).send_media(recipient=RECIPIENT, media=media, caption="Segue", callback="1.c.sk.1")

    body = json.loads(graph.requests[0].content)
    assert (taken.provider_id, body["biz_opaque_callback_data"]) == ("wamid.OUT1", "1.c.sk.1")
    assert body["document"] == {"id": "1", "filename": "a.pdf", "caption": "Segue"}


def test_an_upload_refused_for_its_token_is_repeated_with_the_newest() -> None:
    graph = Graph(refused(190, 401), httpx2.Response(200, json={"id": "1"}))

    assert upload(graph, lambda refetch: "token-2" if refetch else "token-1") == "1"
    assert graph.tokens == ["token-1", "token-2"]
    assert graph.requests[0].content.count(FILE.content) == graph.requests[1].content.count(FILE.content) == 1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refused(100), SendRefusedError),
        (httpx2.ConnectError("x"), SendRefusedError),
        (httpx2.ReadTimeout("x"), SendUncertainError),
        (httpx2.Response(502, text="<html>"), SendUncertainError),
        (httpx2.Response(200, json={}), SendUncertainError),
    ],
)
def test_an_upload_without_an_id_raises_what_a_send_raises(answer: Answer, error: type[Exception]) -> None:
    with pytest.raises(error):
        upload(Graph(answer))
