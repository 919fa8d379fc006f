"""Every exception that httpx2 can raise is one of ours, and says rightly whether the message may have arrived."""

from __future__ import annotations

import httpx2
import pytest

from core.domain.delivery import SendFailure
from core.domain.errors import SendRefusedError, SendUncertainError
from core.integrations.whatsapp.transport_errors import translate_errors

REFUSED = {
    "ConnectError": SendFailure.TRANSIENT,
    "ConnectTimeout": SendFailure.TRANSIENT,
    "PoolTimeout": SendFailure.TRANSIENT,
    "ProxyError": SendFailure.TRANSIENT,
    "UnsupportedProtocol": SendFailure.BAD_REQUEST,
    "LocalProtocolError": SendFailure.BAD_REQUEST,
    "InvalidURL": SendFailure.BAD_REQUEST,
    "CookieConflict": SendFailure.BAD_REQUEST,
}
EVERY_ERROR = sorted(
    (
        error
        for error in vars(httpx2).values()
        if isinstance(error, type) and issubclass(error, Exception) and not issubclass(error, Warning)
    ),
    key=lambda error: error.__name__,
)


def build(error: type[Exception]) -> Exception:
    request = httpx2.Request("POST", "https://example.com/5511980000101")
    if issubclass(error, httpx2.HTTPStatusError):
        return error("x", request=request, response=httpx2.Response(500))
    try:
        return error("texto do cliente")
    except TypeError:
        return error()


@pytest.mark.parametrize("error", EVERY_ERROR, ids=lambda error: error.__name__)
def test_every_httpx2_error_is_translated(error: type[Exception]) -> None:
    with pytest.raises((SendRefusedError, SendUncertainError)) as raised, translate_errors():
        raise build(error)

    if error.__name__ in REFUSED:
        assert isinstance(raised.value, SendRefusedError)
        assert raised.value.failure is REFUSED[error.__name__]
    else:
        assert isinstance(raised.value, SendUncertainError)
    assert str(raised.value) == f"WhatsApp: {error.__name__}"


def test_the_walk_sees_the_errors_it_is_about() -> None:
    assert {"ConnectError", "ReadTimeout", "RemoteProtocolError", "InvalidURL"} <= {e.__name__ for e in EVERY_ERROR}


def test_what_is_no_transport_error_passes() -> None:
    with pytest.raises(KeyError), translate_errors():
        raise KeyError("bug")
