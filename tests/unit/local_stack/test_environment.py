"""Nothing started here can reach an account of the user's."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from local_stack.environment import (
    closed_environment,
    downloading_environment,
    emulated_account,
    forget_user_accounts,
)

ENDPOINT = "http://127.0.0.1:4"
THEIRS = {
    "AWS_PROFILE": "production",
    "AWS_ACCESS_KEY_ID": "AKIAREAL",
    "AWS_ENDPOINT_URL_SQS": "https://sqs.example",
    "OPENAI_API_KEY": "sk-real",
    "OPENAI_BASE_URL": "https://elsewhere.example",
    "SAM_CLI_TELEMETRY": "1",
}


@pytest.fixture(autouse=True)
def _their_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in THEIRS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")


def closed() -> dict[str, str]:
    return closed_environment(first_on_path=Path("/tools"), scratch=Path("/scratch"))


def connected() -> dict[str, str]:
    return closed_environment(first_on_path=Path("/tools"), scratch=Path("/scratch"), reach_internet=True)


@pytest.mark.parametrize("environment", [closed, connected, downloading_environment])
def test_a_child_never_sees_the_users_accounts(environment: Callable[[], dict[str, str]]) -> None:
    assert not set(THEIRS) & set(environment())


@pytest.mark.parametrize("environment", [closed, connected, downloading_environment])
def test_a_child_never_imports_from_the_users_path(environment: Callable[[], dict[str, str]]) -> None:
    assert "PYTHONPATH" not in environment()


def test_only_what_needs_the_internet_is_told_of_the_proxy_and_never_for_this_machine() -> None:
    assert "HTTPS_PROXY" not in closed()
    assert connected()["HTTPS_PROXY"] == "http://proxy.example:3128"
    assert "127.0.0.1" in connected()["NO_PROXY"]


def test_the_emulated_account_looks_at_no_file_of_the_users() -> None:
    account = emulated_account(ENDPOINT)

    assert account["AWS_ENDPOINT_URL"] == ENDPOINT
    assert {account["AWS_CONFIG_FILE"], account["AWS_SHARED_CREDENTIALS_FILE"]} == {os.devnull}


def test_forgetting_the_accounts_keeps_nothing_but_hands_over_the_key() -> None:
    assert forget_user_accounts() == "sk-real"
    assert not set(THEIRS) & set(os.environ)
