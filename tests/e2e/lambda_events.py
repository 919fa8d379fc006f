"""Events as AWS writes them: API Gateway's HTTP API (payload 2.0), SQS through a mapping, EventBridge's schedule."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from local_stack.webhook_signature import signed_headers


def http_event(
    method: str, *, body: bytes = b"", headers: Mapping[str, str] | None = None, query: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """A request to the webhook's URL. The body travels in base64, as API Gateway sends it."""
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": f"{method} /webhook",
        "rawPath": "/webhook",
        "rawQueryString": urlencode(query or {}),
        "headers": {"content-length": str(len(body)), "host": "abc123.execute-api.us-east-1.amazonaws.com"}
        | dict(headers or {}),
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "abc123",
            "domainName": "abc123.execute-api.us-east-1.amazonaws.com",
            "http": {
                "method": method,
                "path": "/webhook",
                "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.1",
                "userAgent": "facebookexternalua",
            },
            "requestId": "JKJaXmPLvHcESHA=",
            "routeKey": f"{method} /webhook",
            "stage": "$default",
            "timeEpoch": 1583348638390,
        },
        "isBase64Encoded": bool(body),
    }
    if query:
        event["queryStringParameters"] = dict(query)
    if body:
        event["body"] = base64.b64encode(body).decode()
    return event


def signed_event(body: bytes, app_secret: str) -> dict[str, Any]:
    """What Meta posts."""
    return http_event("POST", body=body, headers=signed_headers(body, app_secret))


def sqs_event(messages: Sequence[Mapping[str, Any]], queue_arn: str) -> dict[str, Any]:
    """Messages as `ReceiveMessage` returns them with all attributes, as a mapping hands them on."""
    records = [
        {
            "messageId": message["MessageId"],
            "receiptHandle": message["ReceiptHandle"],
            "body": message["Body"],
            "attributes": dict(message["Attributes"]),
            "messageAttributes": {},
            "md5OfBody": hashlib.md5(message["Body"].encode(), usedforsecurity=False).hexdigest(),
            "eventSource": "aws:sqs",
            "eventSourceARN": queue_arn,
            "awsRegion": "us-east-1",
        }
        for message in messages
    ]
    return {"Records": records}


SCHEDULE_EVENT = {
    "version": "0",
    "id": "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",
    "detail-type": "Scheduled Event",
    "source": "aws.events",
    "account": "123456789012",
    "time": "2026-11-02T16:53:06Z",
    "region": "us-east-1",
    "resources": ["arn:aws:events:us-east-1:123456789012:rule/every-minute"],
    "detail": {},
}
