"""A desk whose table and queues are moto's, as the operators' commands see a deployment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from operator_tools.deployment import Deployment
from tests.desk import PHONE_NUMBER_ID, Desk
from tests.fakes.conversation_store import FakeConversationStore

FOR_EVER_DAYS = 36_500  # commands read the real clock, and leave out what has expired
KEY = "chave-de-teste"


@pytest.fixture
def desk(dynamodb: Any, table_name: str) -> Desk:
    """The real turn over the real adapter."""
    desk = Desk(*['{"s":1}Qual é o seu nome?'] * 6)
    store = DynamoConversationStore(dynamodb, table_name=table_name, retention_days=FOR_EVER_DAYS, clock=desk.clock)
    desk.store = cast(FakeConversationStore, store)
    desk.intake = replace(desk.intake, store=store)
    return desk


@pytest.fixture
def deployment(dynamodb: Any, sqs: Any, table_name: str) -> Deployment:
    """Its table, and two empty queues."""
    queues = {
        output: sqs.create_queue(QueueName=f"{table_name}-{name}.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
        for output, name in (("QueueUrl", "inbound"), ("DeadLetterQueueUrl", "dead"))
    }
    return Deployment(
        client={"dynamodb": dynamodb, "sqs": sqs}.__getitem__,
        stack="balcao",
        outputs={"TableName": table_name, **queues},
        parameters={"WhatsAppPhoneNumberId": PHONE_NUMBER_ID, "Company": "neutra"},
        given_key=KEY,
    )
