"""Proof that a webhook body is Meta's: HMAC-SHA256 over the exact bytes, and the handshake of the subscription."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence

_HEADER = re.compile(r"sha256=([0-9a-fA-F]{64})")


def sign(body: bytes, secret: str) -> str:
    """The value of `X-Hub-Signature-256` for these bytes."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def is_signature(header: object) -> bool:
    """Whether a header has the form that Meta's has; only then is it worth reading what it signs."""
    return isinstance(header, str) and _HEADER.fullmatch(header) is not None


def verify_signature(body: bytes, header: str | None, secrets: Sequence[str]) -> bool:
    """Whether one of the secrets signed these bytes, in constant time. Two secrets are valid during a rotation.

    False for an absent or malformed header. An empty secret signs nothing: anybody could use it.
    """
    match = _HEADER.fullmatch(header) if isinstance(header, str) else None
    if match is None:
        return False
    claimed = f"sha256={match[1].lower()}"
    valid = False
    for secret in secrets:
        valid |= bool(secret) and hmac.compare_digest(sign(body, secret), claimed)
    return valid


def answer_challenge(query: Mapping[str, str] | None, verify_token: str) -> str | None:
    """The challenge to answer as text/plain when Meta subscribes with our token; None is a refusal (403)."""
    asked = query or {}
    token, challenge = asked.get("hub.verify_token"), asked.get("hub.challenge")
    if asked.get("hub.mode") != "subscribe" or not verify_token or not token or not challenge:
        return None
    return challenge if hmac.compare_digest(token.encode(), verify_token.encode()) else None
