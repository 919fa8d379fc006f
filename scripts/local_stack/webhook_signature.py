"""How Meta signs what it sends to a webhook."""

from __future__ import annotations

import hashlib
import hmac


def signed_headers(body: bytes, app_secret: str) -> dict[str, str]:
    """The headers of a webhook call with exactly these bytes."""
    digest = hmac.new(app_secret.encode(), body, hashlib.sha256).hexdigest()
    return {"content-type": "application/json", "x-hub-signature-256": f"sha256={digest}"}
