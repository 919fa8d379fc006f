"""The HTTP door: what Meta is answered, and that nothing is lost, read or done that should not be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from core.channels.whatsapp.signature import sign
from core.domain.errors import IntegrationError
from core.integrations.ssm.secret_source import SsmSecretSource
from handlers import webhook
from tests.cases.webhook_files import webhook_bytes, webhook_json
from tests.desk import Desk
from tests.door import APP_SECRET, VERIFY_TOKEN, Door, event, messages_body, text_body, text_item


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    return Door(monkeypatch)


# The handshake


def handshake(**changes: str | None) -> dict[str, Any]:
    query = {"hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "1158201444", **changes}
    return {
        "requestContext": {"http": {"method": "GET"}},
        "queryStringParameters": {key: value for key, value in query.items() if value is not None},
    }


def test_a_subscription_with_our_token_is_answered_with_its_challenge_as_plain_text(door: Door) -> None:
    answer = door.send(handshake())

    assert (answer["statusCode"], answer["body"]) == (200, "1158201444")
    assert answer["headers"]["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    "changes",
    [
        {"hub.verify_token": "outro"},
        {"hub.mode": "unsubscribe"},
        {"hub.challenge": None},
        {"hub.verify_token": None},
    ],
    ids=["another token", "another mode", "no challenge", "no token"],
)
def test_any_other_handshake_is_forbidden(door: Door, changes: dict[str, str | None]) -> None:
    assert door.send(handshake(**changes))["statusCode"] == 403


def test_a_handshake_without_a_query_is_forbidden(door: Door) -> None:
    assert door.send({"requestContext": {"http": {"method": "GET"}}})["statusCode"] == 403


# The signature


@pytest.mark.parametrize("header", ["x-hub-signature-256", "X-Hub-Signature-256", "X-HUB-SIGNATURE-256"])
def test_the_headers_name_may_be_written_in_any_case(door: Door, header: str) -> None:
    body = webhook_bytes("text_simple")

    assert door.send(event(body, signature=sign(body, APP_SECRET), header=header))["statusCode"] == 200
    assert len(door.queue.taken) == 1


@pytest.mark.parametrize("encoded", [True, False], ids=["base64", "plain"])
@pytest.mark.parametrize("name", ["text_simple", "text_raw_meta_escaped", "text_emoji_zwj_flag"])
def test_the_exact_bytes_are_verified_however_they_come(door: Door, name: str, encoded: bool) -> None:
    assert door.post(webhook_bytes(name), encoded=encoded) == 200
    assert len(door.queue.taken) == 1


def test_a_body_that_was_read_and_written_again_is_refused(door: Door) -> None:
    body = webhook_bytes("text_raw_meta_escaped")
    again = json.dumps(json.loads(body)).encode()

    assert door.send(event(again, signature=sign(body, APP_SECRET)))["statusCode"] == 401
    assert door.desk.store.requests == []


@pytest.mark.parametrize(
    "signature",
    [
        None,
        "",
        "sha256=",
        "sha256=zz",
        f"sha1={'a' * 40}",
        "a" * 64,
        f"sha256={'a' * 64}",
        f"sha256={'a' * 63}",
        f"sha256={'a' * 64}\n",
        ["sha256=" + "a" * 64],
    ],
    ids=str,
)
def test_an_absent_malformed_or_wrong_signature_is_unauthorised_and_nothing_is_done(door: Door, signature: Any) -> None:
    assert door.send(event(webhook_bytes("text_simple"), signature=signature))["statusCode"] == 401
    assert (door.desk.store.requests, door.queue.taken) == ([], [])


@pytest.mark.parametrize("secret", ["novo", "velho"])
def test_both_secrets_are_taken_during_a_rotation(monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    door = Door(monkeypatch, secret="novo, velho")

    assert door.post(webhook_bytes("text_simple"), secret=secret) == 200
    assert door.post(webhook_bytes("text_simple"), secret="outro") == 401


class Parameters:
    """SSM as far as the door asks it: one parameter, read `reads` times."""

    def __init__(self) -> None:
        self.value, self.reads = "velho", 0
        self.throttled = False

    def get_parameters(self, *, Names: list[str], WithDecryption: bool) -> dict[str, Any]:  # noqa: N803
        self.reads += 1
        if self.throttled:
            raise ClientError({"Error": {"Code": "ThrottlingException"}}, "GetParameters")
        return {"Parameters": [{"Name": name, "Value": self.value} for name in Names], "InvalidParameters": []}


def rotating(door: Door, monkeypatch: pytest.MonkeyPatch) -> tuple[Parameters, list[float]]:
    parameters, now = Parameters(), [0.0]
    secrets = SsmSecretSource(
        {"WHATSAPP_APP_SECRET_SSM_PARAM": "/segredo"}, ssm_client=lambda: parameters, monotonic=lambda: now[0]
    )
    dependencies = type(door.dependencies)(
        use_case=door.dependencies.use_case,
        settings=door.dependencies.settings,
        clock=door.desk.clock,
        secrets=secrets,
    )
    monkeypatch.setattr(webhook, "dependencies", lambda: dependencies)
    return parameters, now


def test_a_secret_that_was_rotated_is_read_again_without_a_deploy(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters, now = rotating(door, monkeypatch)
    assert door.post(webhook_bytes("text_simple"), secret="velho") == 200
    parameters.value, now[0] = "novo", 60.0

    assert door.post(webhook_bytes("text_simple"), secret="novo") == 200


def test_forged_signatures_do_not_read_the_secret_each_time(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters, _ = rotating(door, monkeypatch)

    assert {door.post(webhook_bytes("text_simple"), secret="forjado") for _ in range(20)} == {401}
    assert parameters.reads == 1


def test_forged_signatures_read_it_once_a_minute_at_most(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters, now = rotating(door, monkeypatch)
    for second in range(180):
        now[0] = float(second)
        assert door.post(webhook_bytes("text_simple"), secret="forjado") == 401

    assert parameters.reads == 3


def test_a_forged_signature_while_the_store_is_throttled_throws_nothing_away(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    parameters, now = rotating(door, monkeypatch)
    assert door.post(webhook_bytes("text_simple"), secret="velho") == 200
    parameters.throttled, now[0] = True, 61.0

    assert door.post(webhook_bytes("text_simple"), secret="forjado") == 401
    assert door.post(webhook_bytes("text_simple"), secret="velho") == 200
    now[0] = 3_600.0
    assert door.post(webhook_bytes("text_simple"), secret="velho") == 200


# Bodies that are none


def test_a_body_over_the_limit_is_refused(door: Door) -> None:
    assert door.post(b" " * (webhook.BODY_MAX_BYTES + 1)) == 413
    assert door.post(b" " * (webhook.BODY_MAX_BYTES + 1), encoded=True) == 413


def test_a_body_that_is_no_base64_is_refused(door: Door) -> None:
    given = event(b"{}", signature=sign(b"{}", APP_SECRET)) | {"isBase64Encoded": True, "body": "não é base64"}

    assert door.send(given)["statusCode"] == 400


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"[]", b"{}", b"\xff\xfe", b'{"object": "page", "entry": []}', webhook_bytes("provider_zapi_text")],
    ids=["empty", "null", "list", "object", "no text", "another product", "another provider"],
)
def test_a_signed_body_that_says_nothing_to_us_is_not_asked_for_again(door: Door, body: bytes) -> None:
    assert door.post(body, encoded=True) == 200
    assert door.queue.taken == []


@pytest.mark.parametrize(
    "given",
    [
        {},
        None,
        [],
        "texto",
        {"requestContext": None},
        {"requestContext": {"http": "GET"}},
        {"requestContext": {"http": {"method": None}}, "headers": None, "body": None},
        {"headers": [1], "body": 7},
        {"headers": {1: 2, "x-hub-signature-256": f"sha256={'a' * 64}"}, "body": {"a": 1}},
        {"requestContext": {"http": {"method": "GET"}}, "queryStringParameters": "x"},
        {"requestContext": {"http": {"method": "GET"}}, "queryStringParameters": {"hub.mode": ["subscribe"]}},
    ],
    ids=str,
)
def test_an_event_of_any_shape_is_answered(door: Door, given: Any) -> None:
    assert door.send(given)["statusCode"] in (400, 401, 403, 500)


def test_settings_that_do_not_work_are_told_in_the_log_and_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> Any:
        raise RuntimeError("settings that do not work:\n  - TABLE_NAME is not set")

    monkeypatch.setattr(webhook, "dependencies", broken)

    assert webhook.handler(event(b"{}", signature=None), None)["statusCode"] == 500
    assert any("TABLE_NAME is not set" in getattr(record, "detail", "") for record in caplog.records)


# Failures on the way in


def test_a_message_that_could_not_be_recorded_is_asked_for_again_and_costs_no_other(door: Door) -> None:
    door.desk.store.fail_next("record", IntegrationError("lost"))

    assert door.post(webhook_bytes("mixed_everything")) == 500
    assert len(door.queue.taken) == 2

    assert door.post(webhook_bytes("mixed_everything")) == 200


def test_a_fault_of_our_own_in_one_item_costs_no_other_and_is_asked_for_again(door: Door) -> None:
    door.desk.store.fail_next("record", ZeroDivisionError())

    assert door.post(webhook_bytes("mixed_everything")) == 500
    assert len(door.queue.taken) == 2


def test_a_status_that_could_not_be_written_is_asked_for_again_and_the_message_is_taken(door: Door) -> None:
    door.desk.store.fail_next("apply_status", IntegrationError("lost"))
    body = text_body("oi")
    body["entry"][0]["changes"][0]["value"]["statuses"] = webhook_json("status_sent_with_callback")["entry"][0][
        "changes"
    ][0]["value"]["statuses"]

    assert door.post(body) == 500
    assert len(door.queue.taken) == 1


def test_a_pointer_that_the_queue_refused_is_asked_for_again_and_then_enqueued_once(door: Door) -> None:
    refused: list[Any] = []
    door.queue.refuse = lambda pointer: not refused.append(pointer) and len(refused) == 1

    assert door.post(text_body("oi", "tudo bem?")) == 500
    assert door.queue.taken == []

    assert door.post(text_body("oi", "tudo bem?")) == 200
    assert len(door.queue.taken) == 2


# Order and speed


def test_a_customers_messages_are_recorded_and_enqueued_in_their_order(door: Door) -> None:
    texts = [f"{n:02d}" for n in range(40)]

    assert door.post(text_body(*texts)) == 200

    (conversation,) = {pointer.conversation for pointer in door.queue.taken}
    inbounds = {entry.sk: entry for entry in door.desk.store.inbounds(conversation)}
    assert [inbounds[pointer.sk].message.text for pointer in door.queue.taken] == texts


def test_a_burst_is_one_request_to_the_table_and_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door(monkeypatch, Desk('{"s":1}Olá!'))

    assert door.post(text_body("oi", "tudo bem?", "fazem instalação?")) == 200

    assert door.desk.store.requests == ["record_burst"]
    assert door.process_all() == ["answered", "already_answered", "already_answered"]
    assert door.desk.agent.requests[0].pending_text == "oi\ntudo bem?\nfazem instalação?"


def test_agents_read_a_burst_of_one_second_in_its_order_ever_after(monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door(monkeypatch, Desk('{"s":1}Olá!', '{"s":1}Olá de novo!'))
    door.post(text_body("oi", "tudo bem?", "fazem instalação?"))
    door.process_all()
    door.post(text_body("e então?"))
    door.process_all()

    assert [line.text for line in door.desk.agent.requests[1].history] == [
        "oi",
        "tudo bem?",
        "fazem instalação?",
        "Olá!",
    ]


def test_of_a_burst_of_which_a_part_is_known_the_rest_is_recorded(door: Door) -> None:
    door.post(text_body("oi"))
    door.post(text_body("oi", "tudo bem?"))

    assert door.recorded() == ["text", "text"]
    assert len(door.queue.taken) == 3


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_burst_that_failed_is_recorded_message_by_message(door: Door, when: str) -> None:
    door.desk.store.fail_next("record_burst", IntegrationError("lost"), when)  # type: ignore[arg-type]

    assert door.post(text_body("oi", "tudo bem?")) == 200
    assert door.recorded() == ["text", "text"]
    assert len(door.queue.taken) == 2


def test_forty_customers_of_one_body_are_all_taken(door: Door) -> None:
    items = [text_item(f"{n}", phone=f"55119800{n:05d}", user_id=f"BR.{n:016d}" if n % 2 else None) for n in range(40)]

    assert door.post(messages_body(items)) == 200

    assert len({pointer.conversation for pointer in door.queue.taken}) == 40


def test_ids_that_meet_in_one_body_are_one_conversation_and_get_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door(monkeypatch, Desk('{"s":1}Olá!'))
    now = door.desk.clock.now_ms() // 1000
    items = [
        text_item("só o telefone", phone="5511980000101", user_id=None, at=now - 2),
        text_item("só a identidade", phone=None, user_id="BR.7100000000000101", at=now - 1),
        text_item("os dois", phone="5511980000101", user_id="BR.7100000000000101", at=now),
    ]

    assert door.post(messages_body(items)) == 200
    door.process_all()

    assert [request.pending_text for request in door.desk.agent.requests] == ["só o telefone\nsó a identidade\nos dois"]
    assert door.desk.replies == ["Olá!"]
