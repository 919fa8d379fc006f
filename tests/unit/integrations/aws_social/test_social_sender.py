"""The End User Messaging sender: Meta's message objects through the SDK, and its errors by what they mean."""

from __future__ import annotations

import inspect
import json
from dataclasses import replace
from typing import Any

import pytest
from botocore import exceptions

from core.domain.delivery import Recipient, SendFailure
from core.domain.errors import FilesUnsupportedError, SendRefusedError, SendUncertainError
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile
from core.integrations.aws_social.client_errors import translate_errors
from core.integrations.aws_social.sender import SocialMessagingSender
from core.integrations.wiring.aws_clients import social_client

RECIPIENT = Recipient(phone_number_id="330000000000982", phone="5511980000101")


class Service:
    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[dict[str, Any]] = []

    def send_whatsapp_message(self, **asked: Any) -> Any:
        self.asked.append(asked)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def sender_of(service: Service) -> SocialMessagingSender:
    return SocialMessagingSender(service, origination_phone_number_id="phone-number-id-0f", api_version="v24.0")


def send(service: Service) -> str:
    return sender_of(service).send_text(recipient=RECIPIENT, text="Olá", callback="1.c.sk.1").provider_id


def service_error(code: str, status: int) -> exceptions.ClientError:
    answer = {"Error": {"Code": code, "Message": "5511980000101"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return exceptions.ClientError(answer, "SendWhatsAppMessage")  # type: ignore[arg-type]


def test_the_message_object_goes_through_as_it_is() -> None:
    service = Service({"messageId": "wamid.OUT1"})

    assert send(service) == "wamid.OUT1"

    (asked,) = service.asked
    assert (asked["originationPhoneNumberId"], asked["metaApiVersion"]) == ("phone-number-id-0f", "v24.0")
    message = json.loads(asked["message"])
    assert (message["to"], message["text"]["body"]) == ("5511980000101", "Olá")


def test_reading_goes_the_same_way() -> None:
    service = Service({})

    sender_of(service).mark_read(recipient=RECIPIENT, provider_id="wamid.IN1")

    assert json.loads(service.asked[0]["message"])["status"] == "read"


def test_a_template_goes_the_same_way_in_its_language() -> None:
    service = Service({"messageId": "wamid.OUT1"})

    sent = sender_of(service).send_template(recipient=RECIPIENT, template="retomar:en_US", callback="1.c.sk.1")

    assert sent.provider_id == "wamid.OUT1"
    message = json.loads(service.asked[0]["message"])
    assert message["template"] == {"name": "retomar", "language": {"code": "en_US"}}
    assert message["biz_opaque_callback_data"] == "1.c.sk.1"


def test_an_answer_names_what_it_answers_and_reading_shows_that_somebody_types() -> None:
    service = Service({"messageId": "wamid.OUT1"})
    sender = sender_of(service)

    sender.send_text(recipient=RECIPIENT, text="Olá", callback="c", reply_to="wamid.IN1")
    sender.mark_read(recipient=RECIPIENT, provider_id="wamid.IN1", typing=False)
    sender.mark_read(recipient=RECIPIENT, provider_id="wamid.IN1")

    answer, quiet, typing = (json.loads(asked["message"]) for asked in service.asked)
    assert answer["context"] == {"message_id": "wamid.IN1"}
    assert "typing_indicator" not in quiet
    assert typing["typing_indicator"] == {"type": "text"}


def test_a_customer_without_a_phone_is_written_to_by_bsuid_and_one_without_either_not_at_all() -> None:
    service = Service({"messageId": "wamid.OUT1"})
    nobody = Recipient(phone_number_id="330000000000982")

    sender_of(service).send_text(recipient=replace(nobody, bsuid="BR.1"), text="Olá", callback="c")
    with pytest.raises(SendRefusedError) as raised:
        sender_of(service).send_text(recipient=nobody, text="Olá", callback="c")

    assert json.loads(service.asked[0]["message"])["recipient"] == "BR.1"
    assert (len(service.asked), raised.value.failure) == (1, SendFailure.BAD_REQUEST)


@pytest.mark.parametrize(
    ("code", "status", "failure"),
    [
        ("ThrottledRequestException", 429, SendFailure.THROTTLED),
        ("LimitExceededException", 400, SendFailure.THROTTLED),
        ("AccessDeniedException", 403, SendFailure.AUTH),
        ("ExpiredTokenException", 403, SendFailure.AUTH),
        ("SomethingForbidden", 403, SendFailure.AUTH),
        ("SomethingUnsigned", 401, SendFailure.AUTH),
        ("SomethingRefused", 499, SendFailure.BAD_REQUEST),
        ("ThrottlingException", 500, SendFailure.THROTTLED),
        ("AccessDeniedByMetaException", 403, SendFailure.ACCOUNT),
        ("ResourceNotFoundException", 404, SendFailure.ACCOUNT),
        ("ConflictException", 409, SendFailure.TRANSIENT),
        ("ValidationException", 400, SendFailure.BAD_REQUEST),
        ("InvalidParametersException", 400, SendFailure.BAD_REQUEST),
        ("SomethingNew", 400, SendFailure.BAD_REQUEST),
        ("SomethingBusy", 429, SendFailure.THROTTLED),
    ],
)
def test_a_refusal_has_its_class_and_names_nobody(code: str, status: int, failure: SendFailure) -> None:
    with pytest.raises(SendRefusedError) as raised:
        send(Service(service_error(code, status)))

    assert raised.value.failure is failure
    assert "5511980000101" not in str(raised.value)


@pytest.mark.parametrize(
    "answer",
    [
        service_error("InternalServiceException", 500),
        service_error("DependencyException", 502),
        service_error("ServiceUnavailable", 503),
        service_error("SomethingNew", 500),
        exceptions.ReadTimeoutError(endpoint_url="https://x"),
        exceptions.ConnectionClosedError(endpoint_url="https://x"),
        exceptions.SSLError(endpoint_url="https://x", error="x"),
        {},
        {"messageId": ""},
    ],
    ids=["internal", "dependency", "unavailable", "unheard of", "read timeout", "closed", "tls", "no id", "empty id"],
)
def test_what_may_have_been_passed_on_to_meta_is_uncertain(answer: Any) -> None:
    with pytest.raises(SendUncertainError):
        send(Service(answer))


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (exceptions.EndpointConnectionError(endpoint_url="https://x"), SendFailure.TRANSIENT),
        (exceptions.ConnectTimeoutError(endpoint_url="https://x"), SendFailure.TRANSIENT),
        (exceptions.ProxyConnectionError(proxy_url="https://x"), SendFailure.TRANSIENT),
        (exceptions.NoCredentialsError(), SendFailure.AUTH),
        (exceptions.NoRegionError(), SendFailure.BAD_REQUEST),
        (exceptions.ParamValidationError(report="x"), SendFailure.BAD_REQUEST),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_never_left_has_not_arrived(error: Exception, failure: SendFailure) -> None:
    with pytest.raises(SendRefusedError) as raised:
        send(Service(error))
    assert raised.value.failure is failure


EVERY_ERROR = [
    error
    for _, error in inspect.getmembers(exceptions, inspect.isclass)
    if issubclass(error, (exceptions.BotoCoreError, exceptions.ClientError))
]


def test_every_botocore_error_is_translated() -> None:
    for error in EVERY_ERROR:
        made = error.__new__(error)
        if isinstance(made, exceptions.ClientError):
            made.response = {}  # type: ignore[typeddict-item]

        with pytest.raises((SendRefusedError, SendUncertainError)), translate_errors():
            raise made


def test_the_sdk_repeats_nothing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "sa-east-1")

    config = social_client(timeout_seconds=7).meta.config

    assert (config.retries["total_max_attempts"], config.read_timeout) == (1, 7)


def test_files_are_refused_before_anything_is_asked() -> None:
    service = Service({"messageId": "wamid.OUT1"})
    file = OutgoingFile(content=b"%PDF-1.4", mime_type="application/pdf", filename="a.pdf")

    with pytest.raises(FilesUnsupportedError):
        sender_of(service).upload(file, phone_number_id="330", timeout_seconds=5)
    with pytest.raises(SendRefusedError) as raised:
        sender_of(service).send_media(recipient=RECIPIENT, media=Media(media_id="1"), caption="", callback="c")

    assert (raised.value.failure, service.asked) == (SendFailure.BAD_REQUEST, [])
