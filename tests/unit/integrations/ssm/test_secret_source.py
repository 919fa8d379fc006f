"""`SsmSecretSource`: a secret that was read once is there until a newer one takes its place, whatever SSM does."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError

from core.domain.errors import IntegrationError
from core.integrations.ssm.secret_source import MAX_AGE_SECONDS, SsmSecretSource

THROTTLED = ClientError({"Error": {"Code": "ThrottlingException"}}, "GetParameters")
TIMED_OUT = ConnectTimeoutError(endpoint_url="https://ssm")


class Ssm:
    """One parameter; `failure` is raised while it is set."""

    def __init__(self) -> None:
        self.value: str | None = "velho"
        self.failure: Exception | None = None
        self.reads = 0
        self.now = 0.0

    def get_parameters(self, *, Names: list[str], WithDecryption: bool) -> dict[str, Any]:  # noqa: N803
        assert WithDecryption
        self.reads += 1
        if self.failure is not None:
            raise self.failure
        if self.value is None:
            return {"Parameters": [], "InvalidParameters": Names}
        return {"Parameters": [{"Name": name, "Value": self.value} for name in Names], "InvalidParameters": []}


@pytest.fixture
def ssm() -> Ssm:
    return Ssm()


@pytest.fixture
def secrets(ssm: Ssm) -> SsmSecretSource:
    return SsmSecretSource({"TOKEN_SSM_PARAM": "p"}, ssm_client=lambda: ssm, monotonic=lambda: ssm.now)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("failure", [THROTTLED, TIMED_OUT], ids=["throttled", "no connection"])
def test_the_old_secret_serves_while_a_newer_one_cannot_be_read(
    secrets: SsmSecretSource, ssm: Ssm, failure: Exception
) -> None:
    assert secrets.get("TOKEN") == "velho"
    ssm.failure = failure

    assert secrets.refresh("TOKEN") == "velho"
    ssm.now += MAX_AGE_SECONDS + 1
    assert secrets.get("TOKEN") == "velho"
    ssm.now += 86_400
    assert secrets.get("TOKEN") == "velho"


def test_a_secret_served_past_its_age_says_so_and_tells_no_secret(
    secrets: SsmSecretSource, ssm: Ssm, caplog: pytest.LogCaptureFixture
) -> None:
    secrets.get("TOKEN")
    ssm.failure = THROTTLED
    ssm.now += MAX_AGE_SECONDS + 1
    with caplog.at_level(logging.WARNING):
        secrets.get("TOKEN")

    assert [record.message for record in caplog.records] == ["old_secret_serves"]
    assert "velho" not in str(vars(caplog.records[0]))


def test_the_new_secret_is_there_as_soon_as_the_store_is(secrets: SsmSecretSource, ssm: Ssm) -> None:
    secrets.get("TOKEN")
    ssm.failure = THROTTLED
    ssm.now += MAX_AGE_SECONDS + 1
    secrets.get("TOKEN")
    ssm.failure, ssm.value = None, "novo"
    ssm.now += 16

    assert secrets.get("TOKEN") == "novo"


def test_a_store_that_fails_is_not_asked_at_every_use(secrets: SsmSecretSource, ssm: Ssm) -> None:
    secrets.get("TOKEN")
    ssm.failure = THROTTLED
    ssm.now += MAX_AGE_SECONDS + 1
    for _ in range(100):
        secrets.get("TOKEN")

    assert ssm.reads == 2


@pytest.mark.parametrize("value", [None, " \u200b"], ids=["deleted", "blank"])
def test_a_parameter_without_a_value_replaces_nothing(secrets: SsmSecretSource, ssm: Ssm, value: str | None) -> None:
    secrets.get("TOKEN")
    ssm.value = value

    assert secrets.refresh("TOKEN") == "velho"


def test_a_refetch_that_failed_counts_as_one(secrets: SsmSecretSource, ssm: Ssm) -> None:
    secrets.get("TOKEN")
    ssm.failure = THROTTLED
    for _ in range(120):
        ssm.now += 1
        secrets.refresh("TOKEN", older_than_seconds=60.0)

    assert ssm.reads == 3


def test_a_secret_that_was_never_read_is_an_error_of_the_store(secrets: SsmSecretSource, ssm: Ssm) -> None:
    ssm.failure = THROTTLED
    with pytest.raises(IntegrationError):
        secrets.get("TOKEN")
    ssm.failure = None
    assert secrets.get("TOKEN") == "velho"
