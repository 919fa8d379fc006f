"""A promise of a person needs a person who can know."""

from __future__ import annotations

from typing import Any

import pytest

from core.config.attendants import Registration, write_attendants
from core.config.settings import Settings
from core.domain.attendant import Attendant, Role
from core.domain.errors import IntegrationError
from core.integrations.wiring.people import PeopleWhoKnow
from tests.desk import Desk

BIA = Registration(attendant=Attendant(id="bia", name="Bia", role=Role.ATENDENTE), token_sha256="a" * 64)


class Secrets:
    def __init__(self, text: str = "") -> None:
        self.text: str | Exception = text
        self.asked = 0

    def prefetch(self, names: Any) -> list[str]:
        return []

    def get(self, name: str) -> str:
        if isinstance(self.text, Exception):
            raise self.text
        return self.text

    def refresh(self, name: str, *, older_than_seconds: float = 0.0) -> str:
        self.asked += 1
        return self.get(name)


class Watch:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def settings(**changes: Any) -> Settings:
    from dataclasses import replace

    return replace(Desk().settings, **changes)


def promises(secrets: Secrets, **changes: Any) -> bool:
    return PeopleWhoKnow(settings(**changes), secrets).settings().conversation.handoff_enabled


@pytest.mark.parametrize(
    ("text", "topic", "promised"),
    [
        ("", "", False),
        ("{}", "", False),
        ("no json", "", False),
        ("", "arn:aws:sns:x", True),
        (write_attendants((BIA,)), "", True),
    ],
    ids=["nothing", "the last one removed", "damaged", "a topic", "an attendant"],
)
def test_people_are_promised_where_somebody_can_know(
    text: str, topic: str, promised: bool, caplog: pytest.LogCaptureFixture
) -> None:
    assert promises(Secrets(text), handoff_topic_arn=topic) is promised
    rings = [each for each in caplog.records if each.levelname == "ERROR"]
    assert bool(rings) is not promised


def test_a_store_of_secrets_that_does_not_answer_silences_nobody() -> None:
    secrets = Secrets()
    secrets.text = IntegrationError("SSM")

    assert promises(secrets) is True


def test_who_is_registered_is_heard_of_within_a_minute_and_asked_for_no_oftener() -> None:
    secrets, watch = Secrets("{}"), Watch()
    people = PeopleWhoKnow(settings(), secrets, monotonic=watch)
    assert people.settings().conversation.handoff_enabled is False

    secrets.text = write_attendants((BIA,))
    watch.now = 59.0
    assert people.settings().conversation.handoff_enabled is False
    assert secrets.asked == 1
    watch.now = 60.0
    assert people.settings().conversation.handoff_enabled is True
