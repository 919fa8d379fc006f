"""An attendant's file from the door to WhatsApp's stand-in and back, by the real sender and fetcher."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from core.integrations.http_client.deadline_client import DeadlineClients
from core.integrations.whatsapp.cloud_api_sender import CloudApiSender
from core.integrations.whatsapp.media import GraphMediaFetcher
from local_stack.whatsapp_standin import WhatsAppStandIn
from tests.attendance import Door
from tests.desk import Desk

pytestmark = pytest.mark.enable_socket

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 15_000


@pytest.fixture
def whatsapp() -> Iterator[WhatsAppStandIn]:
    with WhatsAppStandIn(access_token="token") as standin:
        yield standin


@pytest.fixture
def door(whatsapp: WhatsAppStandIn, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    desk = Desk('{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.')
    desk.llm.script('{"resumo_texto": "Pediu uma foto."}')
    desk.says("quero ver uma foto")
    door = Door(desk, monkeypatch)
    graph: dict[str, Any] = {
        "base_url": whatsapp.base_url,
        "api_version": "v24.0",
        "token": lambda _: "token",
        "new_client": DeadlineClients(),
    }
    with CloudApiSender(**graph) as sender:
        door.deps._given.update(sender=sender, fetcher=GraphMediaFetcher(**graph))
        door.post(f"{door.home}/take")
        yield door


def send_file(door: Door, client_id: str) -> Any:
    file = {"name": "foto da sala.png", "mime_type": "image/png", "content": base64.b64encode(PNG).decode()}
    return door.post(f"{door.home}/reply", {"client_id": client_id, "text": "Veja.", "file": file})


def test_a_picture_is_sent_as_one_and_shown_as_it_was(whatsapp: WhatsAppStandIn, door: Door) -> None:
    entry = send_file(door, "file-0001").json["entry"]

    (sent,) = whatsapp.outbox()["messages"]
    assert (sent["type"], sent["text"]) == ("image", "Veja.")
    shown = door.get(entry["media"]["url"])
    assert (shown.headers["content-type"], shown.content) == ("image/png", PNG)


@pytest.mark.parametrize(
    ("failure", "status", "error"),
    [
        ({"code": 100}, 422, "file_refused"),
        ({"code": 131016}, 502, "file_not_taken"),
        ({"http_status": 502}, 502, "file_not_taken"),
        ({"close": "before_recording"}, 502, "file_not_taken"),
    ],
)
def test_what_whatsapp_does_not_take_is_said_and_can_be_sent_again(
    whatsapp: WhatsAppStandIn, door: Door, failure: dict[str, Any], status: int, error: str
) -> None:
    whatsapp.control({"fail": {**failure, "on": "upload"}})

    answer = send_file(door, "file-0001")

    assert (answer.status, answer.json["error"], whatsapp.outbox()["messages"]) == (status, error, [])
    assert send_file(door, "file-0001").json["entry"]["state"] == "sent"
    assert len(whatsapp.outbox()["messages"]) == 1
