"""What an answer of the Graph API means for a message: sent, surely refused, or nobody knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.channels.whatsapp.error_codes import failure_of, known_wait_seconds
from core.channels.whatsapp.inbound.tolerant_json import (
    as_code,
    as_flag,
    as_list,
    as_number,
    as_object,
    as_text,
    read_object,
)
from core.domain.delivery import SendFailure
from core.domain.errors import BadInputError, SendRefusedError, SendUncertainError

_LONGEST_WAIT_SECONDS = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphAnswer:
    """A status line and what of the body could be read; an unreadable body is empty."""

    status: int
    body: Mapping[str, Any]
    retry_after: str | None = None

    @classmethod
    def of(cls, status: int, body: bytes, retry_after: str | None = None) -> GraphAnswer:
        try:
            return cls(status=status, body=read_object(body), retry_after=retry_after)
        except BadInputError:
            return cls(status=status, body={}, retry_after=retry_after)


def raise_for_refusal(answer: GraphAnswer) -> None:
    """Raises for everything but 2xx: `SendRefusedError`, or `SendUncertainError` for a 5xx that is not Meta's own.

    Meta's error object is a refusal whatever the status. A bare 5xx is a gateway's: the message may have passed it.
    """
    if 200 <= answer.status < 300:
        return
    error = as_object(answer.body.get("error"))
    code = as_code(error.get("code"))
    if code is None and answer.status >= 500:
        raise SendUncertainError(f"WhatsApp answered {answer.status} without an error code")
    failure = failure_of(code, status=answer.status, is_transient=as_flag(error.get("is_transient")))
    raise SendRefusedError(
        f"WhatsApp answered {answer.status}, code {code}",
        failure=failure,
        code=code,
        retry_after_seconds=_wait(answer, code) if failure in _WAITABLE else None,
    )


def sent_id(answer: GraphAnswer) -> str:
    """The id that the message's statuses will carry. Raises `SendUncertainError`: taken, but under an unknown id."""
    first = next(iter(as_list(answer.body.get("messages"))), None)
    provider_id = as_text(as_object(first).get("id"), 512)
    if provider_id is None:
        raise SendUncertainError(f"WhatsApp answered {answer.status} without a message id")
    return provider_id


def uploaded_id(answer: GraphAnswer) -> str:
    """The media id of a file. Raises `SendUncertainError`: taken, but under an unknown id."""
    media_id = as_text(answer.body.get("id"), 512)
    if media_id is None:
        raise SendUncertainError(f"WhatsApp answered {answer.status} without a media id")
    return media_id


_WAITABLE = (SendFailure.THROTTLED, SendFailure.TRANSIENT)


def _wait(answer: GraphAnswer, code: int | None) -> float | None:
    asked = as_number(answer.retry_after)
    if asked is not None and asked >= 0:
        return min(float(asked), _LONGEST_WAIT_SECONDS)
    return known_wait_seconds(code)
