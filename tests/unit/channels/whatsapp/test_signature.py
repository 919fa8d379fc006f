"""Only Meta's exact bytes, signed with one of our secrets, pass."""

from __future__ import annotations

import json

import pytest

from core.channels.whatsapp.signature import answer_challenge, sign, verify_signature
from tests.cases.webhook_files import webhook_bytes, webhook_json

VECTORS = webhook_json("signature_vectors")["vectors"]
SECRET = "segredo-de-teste-nao-usar"
BODY = b'{"a":1}'


def vector_id(vector: dict[str, str]) -> str:
    return vector["file"]


@pytest.mark.parametrize("vector", VECTORS, ids=vector_id)
def test_the_exact_bytes_verify(vector) -> None:
    body = webhook_bytes(vector["file"].removesuffix(".json"))

    assert len(body) == vector["bytes"]
    assert sign(body, vector["app_secret"]) == vector["x_hub_signature_256"]
    assert verify_signature(body, vector["x_hub_signature_256"], [vector["app_secret"]])


@pytest.mark.parametrize("vector", VECTORS, ids=vector_id)
def test_the_same_json_written_again_does_not_verify(vector) -> None:
    body = webhook_bytes(vector["file"].removesuffix(".json"))
    again = json.dumps(json.loads(body)).encode()

    assert sign(again, vector["app_secret"]) == vector["reserialised_json_dumps_signature"]
    assert not verify_signature(again, vector["x_hub_signature_256"], [vector["app_secret"]])
    assert not verify_signature(body, vector["reserialised_json_dumps_signature"], [vector["app_secret"]])


GOOD = sign(BODY, SECRET)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        GOOD.removeprefix("sha256="),
        f" {GOOD}",
        f"{GOOD}\n",
        f"{GOOD},{GOOD}",
        GOOD[:-1],
        GOOD + "0",
        GOOD.replace("sha256", "sha1"),
        GOOD.replace("sha256", "SHA256"),
        "sha256=" + "g" * 64,
        "sha256=" + "٣" * 64,
        "sha256=" + "0" * 64,
        sign(BODY, "outro"),
        sign(BODY, ""),
    ],
    ids=[
        "absent",
        "empty",
        "no scheme",
        "space",
        "line end",
        "twice",
        "short",
        "long",
        "sha1",
        "scheme in capitals",
        "no hex",
        "digits of another script",
        "zeros",
        "another secret",
        "empty secret",
    ],
)
def test_an_absent_malformed_or_foreign_signature_is_refused(header: str | None) -> None:
    assert not verify_signature(BODY, header, [SECRET])


def test_hex_in_capitals_is_the_same_signature() -> None:
    assert verify_signature(BODY, "sha256=" + GOOD.removeprefix("sha256=").upper(), [SECRET])


@pytest.mark.parametrize("secrets", [["novo", SECRET], [SECRET, "antigo"], (SECRET,)], ids=str)
def test_during_a_rotation_either_secret_signs(secrets) -> None:
    assert verify_signature(BODY, GOOD, secrets)


@pytest.mark.parametrize("secrets", [[], [""], ["", ""]], ids=str)
def test_without_a_secret_nothing_is_believed(secrets) -> None:
    assert not verify_signature(BODY, GOOD, secrets)
    assert not verify_signature(BODY, sign(BODY, ""), secrets)


HANDSHAKE = {"hub.mode": "subscribe", "hub.verify_token": "token-teste", "hub.challenge": "1158201444"}


def test_the_handshake_answers_the_challenge_as_it_came() -> None:
    assert answer_challenge(HANDSHAKE, "token-teste") == "1158201444"


@pytest.mark.parametrize(
    ("query", "token"),
    [
        (None, "token-teste"),
        ({}, "token-teste"),
        (HANDSHAKE | {"hub.mode": "unsubscribe"}, "token-teste"),
        (HANDSHAKE | {"hub.verify_token": "errado"}, "token-teste"),
        (HANDSHAKE | {"hub.verify_token": "çé"}, "token-teste"),
        (HANDSHAKE | {"hub.verify_token": ""}, ""),
        (HANDSHAKE, ""),
        ({k: v for k, v in HANDSHAKE.items() if k != "hub.challenge"}, "token-teste"),
    ],
    ids=[
        "no query",
        "empty",
        "mode",
        "token",
        "token beyond ascii",
        "both tokens empty",
        "none configured",
        "no challenge",
    ],
)
def test_any_other_handshake_is_refused(query, token) -> None:
    assert answer_challenge(query, token) is None
