"""People learn that a conversation waits, and nothing about the customer leaves with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from core.domain.errors import IntegrationError
from core.integrations.sns.handoff_notifier import SnsHandoffNotifier


class Topic:
    """SNS's Publish; keeps what was published, or fails."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.published: list[dict[str, Any]] = []

    def publish(self, **request: Any) -> None:
        if self.failure:
            raise self.failure
        self.published.append(request)


PAYLOAD = {"detail": "server_error", "waiting_since_ms": 5, "summary": {"resumo_texto": "Lara quer instalar um split"}}


def test_the_topic_gets_the_reason_and_where_to_look_and_no_customer_data() -> None:
    topic = Topic()
    SnsHandoffNotifier(lambda: topic, "arn:x").notify(conversation="c0ffee", reason="llm_timeout", payload=PAYLOAD)
    sent = topic.published[0]
    assert json.loads(sent["Message"]) == {
        "conversation": "c0ffee",
        "reason": "llm_timeout",
        "detail": "server_error",
        "waiting_since_ms": 5,
    }
    assert "Lara" not in str(sent)


def test_a_topic_that_cannot_be_reached_leaves_the_notification_due() -> None:
    topic = Topic(EndpointConnectionError(endpoint_url="https://sns.invalid"))
    with pytest.raises(IntegrationError):
        SnsHandoffNotifier(lambda: topic, "arn:x").notify(conversation="c0ffee", reason="loop", payload=PAYLOAD)
