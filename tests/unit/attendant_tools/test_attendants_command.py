"""Who may attend: registered, listed and removed by one command, on an SSM in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from attendant_tools.command import DEFAULT_PARAMETER, main
from core.config.attendants import attendant_of, read_attendants


@pytest.fixture
def ssm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "x"),
        ("AWS_SECRET_ACCESS_KEY", "x"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("ATTENDANTS_SSM_PARAM", raising=False)
    with mock_aws():
        yield boto3.client("ssm")


def kept(ssm: Any) -> str:
    value: str = ssm.get_parameter(Name=DEFAULT_PARAMETER, WithDecryption=True)["Parameter"]["Value"]
    return value


def test_a_token_is_shown_once_and_only_its_hash_is_kept(ssm: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["add", "bia", "--name", "Bia Lima"]) == 0

    token = capsys.readouterr().out.splitlines()[-1].strip()
    assert len(token) >= 43
    assert token not in kept(ssm)
    attendant = attendant_of(token, read_attendants(kept(ssm)))
    assert attendant is not None
    assert (attendant.id, attendant.name, attendant.role.value) == ("bia", "Bia Lima", "atendente")


def test_who_was_removed_is_nobody_and_the_others_stay(ssm: Any, capsys: pytest.CaptureFixture[str]) -> None:
    main(["add", "bia", "--name", "Bia Lima"])
    token = capsys.readouterr().out.splitlines()[-1].strip()
    main(["add", "rui", "--name", "Rui Prado", "--role", "responsavel"])

    assert main(["remove", "bia"]) == 0

    assert attendant_of(token, read_attendants(kept(ssm))) is None
    capsys.readouterr()
    main(["list"])
    assert capsys.readouterr().out.split() == ["rui", "responsavel", "Rui", "Prado"]


def test_the_last_one_may_go(ssm: Any, capsys: pytest.CaptureFixture[str]) -> None:
    main(["add", "bia", "--name", "Bia"])
    assert main(["remove", "bia"]) == 0
    capsys.readouterr()

    assert main(["list"]) == 0
    assert capsys.readouterr().out.startswith("nobody")


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", "Bia", "--name", "Bia"],
        ["add", "aplicativo", "--name", "x"],
        ["add", "bia", "--name", " "],
        ["add", "bia", "--name", "x" * 61],
        ["remove", "ninguem"],
    ],
)
def test_what_cannot_be_is_refused_in_words(ssm: Any, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments) == 1
    assert capsys.readouterr().err.strip()


def test_nobody_is_registered_twice(ssm: Any, capsys: pytest.CaptureFixture[str]) -> None:
    main(["add", "bia", "--name", "Bia"])
    before = kept(ssm)

    assert main(["add", "bia", "--name", "Outra"]) == 1
    assert kept(ssm) == before


def test_a_parameter_of_something_else_is_left_alone(ssm: Any, capsys: pytest.CaptureFixture[str]) -> None:
    ssm.put_parameter(Name=DEFAULT_PARAMETER, Value="sk-something", Type="SecureString")

    assert main(["add", "bia", "--name", "Bia"]) == 1
    assert kept(ssm) == "sk-something"
