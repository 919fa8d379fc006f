"""The WhatsApp stand-in, spoken to by the project's own sender and heard by its own webhook reader."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body
from core.channels.whatsapp.signature import verify_signature
from core.domain.delivery import DeliveryStatus, Recipient, SendFailure
from core.domain.errors import IntegrationError, SendRefusedError
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile
from core.integrations.http_client.deadline_client import DeadlineClients
from core.integrations.whatsapp.cloud_api_sender import CloudApiSender
from core.integrations.whatsapp.media import GraphMediaFetcher
from local_stack.http_calls import Reply, call, call_json
from local_stack.http_standin import Answer, Request, StandIn
from local_stack.whatsapp_standin import PHONE_NUMBER_ID, WhatsAppStandIn

pytestmark = pytest.mark.enable_socket

TOKEN, APP_SECRET = "token", "segredo"
PHONE = "5531980000303"
WAIT_SECONDS = 10.0


class Webhook(StandIn):
    """Keeps what is posted to it; answers with the statuses given, then 200."""

    def __init__(self, *refusals: int) -> None:
        super().__init__()
        self.received: list[Request] = []
        self._refusals = list(refusals)
        self._arrived = threading.Condition()

    def respond(self, request: Request) -> Answer:
        with self._arrived:
            self.received.append(request)
            self._arrived.notify_all()
            return Answer.of({}, status=self._refusals.pop(0) if self._refusals else 200)

    def wait_for(self, count: int) -> list[Request]:
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.received) >= count, timeout=WAIT_SECONDS)
            return list(self.received)


@pytest.fixture
def whatsapp() -> Iterator[WhatsAppStandIn]:
    with WhatsAppStandIn(access_token=TOKEN) as standin:
        yield standin


@pytest.fixture
def webhook(whatsapp: WhatsAppStandIn) -> Iterator[Webhook]:
    with Webhook() as webhook:
        whatsapp.control({"webhook_url": f"{webhook.base_url}/webhook", "app_secret": APP_SECRET})
        yield webhook


def sender_to(whatsapp: WhatsAppStandIn, token: str = TOKEN) -> CloudApiSender:
    return CloudApiSender(
        base_url=whatsapp.base_url,
        api_version="v24.0",
        token=lambda _refetch: token,
        new_client=DeadlineClients(),
        timeout_seconds=3.0,
    )


def send(whatsapp: WhatsAppStandIn, text: str = "Oi!", token: str = TOKEN) -> str:
    recipient = Recipient(phone_number_id=PHONE_NUMBER_ID, phone=PHONE)
    with sender_to(whatsapp, token) as sender:
        return sender.send_text(recipient=recipient, text=text, callback="1.a.b.1").provider_id


def post(
    whatsapp: WhatsAppStandIn, body: bytes, *, phone_number_id: str = PHONE_NUMBER_ID, token: str = TOKEN
) -> Reply:
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    return call("POST", f"{whatsapp.base_url}/v24.0/{phone_number_id}/messages", body=body, headers=headers)


def status_in(request: Request) -> DeliveryStatus:
    (status,) = parse_webhook_body(request.body, received_at_ms=0).statuses
    return status


def texts(whatsapp: WhatsAppStandIn) -> list[str]:
    return [message["text"] for message in whatsapp.outbox()["messages"]]


def test_a_sent_text_is_in_the_outbox_under_the_id_that_was_answered(whatsapp: WhatsAppStandIn) -> None:
    wamid = send(whatsapp, "Bom dia!")
    (message,) = call_json("GET", f"{whatsapp.base_url}/outbox")["messages"]

    assert (message["wamid"], message["to"], message["text"]) == (wamid, PHONE, "Bom dia!")
    assert message["callback_data"] == "1.a.b.1"


def test_a_read_mark_is_kept_apart_from_messages(whatsapp: WhatsAppStandIn) -> None:
    recipient = Recipient(phone_number_id=PHONE_NUMBER_ID, phone=PHONE)
    with sender_to(whatsapp) as sender:
        sender.mark_read(recipient=recipient, provider_id="wamid.1")
    outbox = whatsapp.outbox()

    assert outbox["messages"] == []
    assert [(mark["message_id"], mark["typing"]) for mark in outbox["read_marks"]] == [("wamid.1", True)]


REFUSALS = {
    "token": ({"token": "other"}, b"{}", 401, 190),
    "number": ({"phone_number_id": "1"}, b"{}", 400, 100),
    "json": ({}, b"{", 400, 100),
    "body": ({}, b'{"messaging_product": "whatsapp"}', 400, 131008),
}


@pytest.mark.parametrize(("told", "body", "status", "code"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_has_metas_shape(
    whatsapp: WhatsAppStandIn, told: dict[str, str], body: bytes, status: int, code: int
) -> None:
    reply = post(whatsapp, body, **told)
    error = reply.json()["error"]

    assert (reply.status, error["code"]) == (status, code)
    assert set(error) >= {"message", "type", "code", "error_data", "fbtrace_id"}


def test_statuses_come_signed_in_order_and_with_the_id_that_we_gave(
    whatsapp: WhatsAppStandIn, webhook: Webhook
) -> None:
    wamid = send(whatsapp)
    received = webhook.wait_for(2)
    batches = [parse_webhook_body(request.body, received_at_ms=0) for request in received]
    statuses = [status for batch in batches for status in batch.statuses]

    assert all(
        verify_signature(request.body, request.headers["x-hub-signature-256"], (APP_SECRET,)) for request in received
    )
    assert [
        json.loads(request.body)["entry"][0]["changes"][0]["value"]["statuses"][0]["status"] for request in received
    ] == [
        "sent",
        "delivered",
    ]
    assert {status.provider_id for status in statuses} == {wamid}
    assert {status.callback for status in statuses} == {"1.a.b.1"}


def test_a_status_that_the_webhook_refuses_comes_again() -> None:
    with Webhook(500) as webhook, WhatsAppStandIn(webhook_url=webhook.base_url, app_secret=APP_SECRET) as whatsapp:
        send(whatsapp)
        first, second, _ = webhook.wait_for(3)

    assert first.body == second.body


def test_an_ordered_failure_after_the_send_comes_as_a_status(whatsapp: WhatsAppStandIn, webhook: Webhook) -> None:
    whatsapp.control({"statuses": {"failed_code": 131026}})
    send(whatsapp)
    (request,) = webhook.wait_for(1)
    status = status_in(request)

    assert (status.failed, status.error_code) == (True, 131026)


def test_withheld_statuses_never_come(whatsapp: WhatsAppStandIn, webhook: Webhook) -> None:
    whatsapp.control({"statuses": "withhold"})
    send(whatsapp, "calado")
    whatsapp.control({"statuses": "send"})
    spoken = send(whatsapp, "falado")

    assert all(spoken in request.body.decode() for request in webhook.wait_for(2))


@pytest.mark.parametrize(
    "order", [{"code": 131056}, {"code": 131000}, {"http_status": 502}], ids=["throttled", "transient", "gateway"]
)
def test_an_ordered_failure_hits_the_next_message_only(whatsapp: WhatsAppStandIn, order: dict[str, Any]) -> None:
    whatsapp.control({"fail": order})
    with pytest.raises(IntegrationError):
        send(whatsapp, "não vai")
    send(whatsapp, "vai")

    assert texts(whatsapp) == ["vai"]


def test_an_error_code_reaches_the_sender_as_its_class(whatsapp: WhatsAppStandIn) -> None:
    whatsapp.control({"fail": {"code": 131047}})
    with pytest.raises(SendRefusedError) as refused:
        send(whatsapp)

    assert refused.value.failure is SendFailure.WINDOW_OVER


@pytest.mark.parametrize(
    ("close", "kept"), [("before_recording", []), ("after_recording", ["Oi!"])], ids=["lost", "arrived"]
)
def test_a_closed_connection_says_nothing_of_whether_the_message_arrived(
    whatsapp: WhatsAppStandIn, close: str, kept: list[str]
) -> None:
    whatsapp.control({"fail": {"close": close}})
    with pytest.raises(IntegrationError):
        send(whatsapp)

    assert texts(whatsapp) == kept


def test_a_failure_ordered_for_read_marks_leaves_messages_alone(whatsapp: WhatsAppStandIn) -> None:
    whatsapp.control({"fail": {"code": 131000, "on": "read_mark"}})
    send(whatsapp)

    assert texts(whatsapp) == ["Oi!"]


def test_a_reset_forgets_orders_and_outbox(whatsapp: WhatsAppStandIn) -> None:
    send(whatsapp)
    whatsapp.control({"fail": {"code": 131000, "times": 9}})
    call_json("POST", f"{whatsapp.base_url}/control", {"reset": True})
    send(whatsapp, "depois")

    assert texts(whatsapp) == ["depois"]


@pytest.mark.parametrize(
    "orders",
    [{"fial": {}}, {"fail": {"cod": 1}}, {"fail": {"close": "now"}}, {"statuses": "none"}, []],
    ids=["order", "field", "close", "statuses", "no object"],
)
def test_an_order_that_is_not_understood_is_refused(whatsapp: WhatsAppStandIn, orders: Any) -> None:
    reply = call("POST", f"{whatsapp.base_url}/control", body=json.dumps(orders).encode())

    assert reply.status == 400


PDF = OutgoingFile(content=b"%PDF-1.4\r\n--x\r\n\x00\xff", mime_type="application/pdf", filename="Orçamento.pdf")


def sender_of(whatsapp: WhatsAppStandIn, token: str = TOKEN) -> CloudApiSender:
    return CloudApiSender(
        base_url=whatsapp.base_url, api_version="v24.0", token=lambda _: token, new_client=DeadlineClients()
    )


def upload(whatsapp: WhatsAppStandIn, file: OutgoingFile = PDF, token: str = TOKEN) -> str:
    with sender_of(whatsapp, token) as sender:
        return sender.upload(file, phone_number_id=PHONE_NUMBER_ID, timeout_seconds=5)


def send_media(whatsapp: WhatsAppStandIn, media: Media) -> None:
    with sender_of(whatsapp) as sender:
        recipient = Recipient(phone_number_id=PHONE_NUMBER_ID, phone=PHONE)
        sender.send_media(recipient=recipient, media=media, caption="Segue", callback="1.c.sk.1")


def test_an_uploaded_file_is_sent_by_its_id_and_fetched_again(whatsapp: WhatsAppStandIn) -> None:
    media_id = upload(whatsapp)

    send_media(whatsapp, Media(media_id=media_id, mime_type=PDF.mime_type, filename=PDF.filename))

    (sent,) = whatsapp.outbox()["messages"]
    assert (sent["type"], sent["text"], sent["payload"]["document"]["filename"]) == (
        "document",
        "Segue",
        "Orçamento.pdf",
    )
    fetcher = GraphMediaFetcher(
        base_url=whatsapp.base_url, api_version="v24.0", token=lambda _: TOKEN, new_client=DeadlineClients()
    )
    found = fetcher.fetch(media_id, phone_number_id=PHONE_NUMBER_ID, max_bytes=5_000_000, timeout_seconds=5)
    assert (found.content, found.mime_type) == (PDF.content, PDF.mime_type)


@pytest.mark.parametrize(
    ("file", "token", "failure"),
    [
        (OutgoingFile(content=b"<svg/>", mime_type="image/svg+xml", filename="a"), TOKEN, SendFailure.BAD_REQUEST),
        (OutgoingFile(content=b"", mime_type="image/png", filename="a"), TOKEN, SendFailure.BAD_REQUEST),
        (
            OutgoingFile(content=b"x" * 5_300_000, mime_type="image/png", filename="a"),
            TOKEN,
            SendFailure.BAD_REQUEST,
        ),
        (PDF, "another", SendFailure.AUTH),
    ],
    ids=["a type that messages do not hold", "empty", "too large", "another's token"],
)
def test_a_file_that_meta_does_not_take_is_refused(
    whatsapp: WhatsAppStandIn, file: OutgoingFile, token: str, failure: SendFailure
) -> None:
    with pytest.raises(SendRefusedError) as refused:
        upload(whatsapp, file, token)

    assert refused.value.failure is failure


def test_a_message_with_a_file_that_was_never_uploaded_or_of_another_kind_is_refused(
    whatsapp: WhatsAppStandIn,
) -> None:
    media_id = upload(whatsapp)
    for media in (Media(media_id="1", mime_type="image/png"), Media(media_id=media_id, mime_type="image/png")):
        with pytest.raises(SendRefusedError):
            send_media(whatsapp, media)

    assert whatsapp.outbox()["messages"] == []


def test_a_failure_ordered_for_uploads_leaves_messages_alone(whatsapp: WhatsAppStandIn) -> None:
    call_json("POST", f"{whatsapp.base_url}/control", {"fail": {"code": 131000, "on": "upload"}})

    with pytest.raises(SendRefusedError) as refused:
        upload(whatsapp)

    assert refused.value.failure is SendFailure.TRANSIENT
    assert upload(whatsapp)
