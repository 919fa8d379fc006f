"""A deployment that promises people is refused where nobody could know of a conversation."""

from __future__ import annotations

from typing import Any

import pytest

from core.config.attendants import Registration, write_attendants
from core.domain.attendant import Attendant, Role
from deployment.errors import DeployError
from deployment.people import check_people
from deployment.secret_store import SecretStore

BIA = Registration(attendant=Attendant(id="bia", name="Bia", role=Role.ATENDENTE), token_sha256="a" * 64)
PARAMETERS = {"HandoffEnabled": "true", "HandoffTopicArn": "", "AttendantsSsmParam": "/b/attendants"}


class Ssm:
    def __init__(self, value: str | None) -> None:
        self.value = value

    def get_parameters(self, *, Names: list[str], WithDecryption: bool) -> dict[str, Any]:  # noqa: N803
        found = {"Name": "/b/attendants", "Type": "SecureString", "Value": self.value}
        return {"Parameters": [] if self.value is None else [found]}


@pytest.mark.parametrize("value", [None, "{}", "no json"])
def test_nobody_is_a_refusal_that_says_what_to_do(value: str | None) -> None:
    with pytest.raises(DeployError) as caught:
        check_people(SecretStore(Ssm(value)), PARAMETERS)

    assert "scripts/attendants.py --parameter /b/attendants add" in caught.value.report()
    assert caught.value.status == 1


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (write_attendants((BIA,)), {}),
        (None, {"HandoffTopicArn": "arn:aws:sns:x"}),
        (None, {"HandoffEnabled": "false"}),
    ],
    ids=["an attendant", "a topic", "no promise"],
)
def test_whoever_can_know_is_enough(value: str | None, changes: dict[str, str]) -> None:
    check_people(SecretStore(Ssm(value)), {**PARAMETERS, **changes})
