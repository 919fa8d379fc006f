"""httpx2's exceptions as ours, in one place.

What fails before the request is written surely did not arrive; what fails after it may have.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx2

from core.domain.delivery import SendFailure
from core.domain.errors import SendRefusedError, SendUncertainError

_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
_NOT_SENDABLE = (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, httpx2.InvalidURL, httpx2.CookieConflict)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raises `SendRefusedError` or `SendUncertainError` for whatever httpx2 raises. Messages name the class alone."""
    try:
        yield
    except _NOT_CONNECTED as error:
        raise SendRefusedError(f"WhatsApp: {_name(error)}", failure=SendFailure.TRANSIENT) from error
    except _NOT_SENDABLE as error:
        raise SendRefusedError(f"WhatsApp: {_name(error)}", failure=SendFailure.BAD_REQUEST) from error
    except (httpx2.HTTPError, httpx2.StreamError) as error:
        raise SendUncertainError(f"WhatsApp: {_name(error)}") from error


def _name(error: Exception) -> str:
    return type(error).__name__
