"""Meta's error codes by class (docs/whatsapp.md, "Errors, by code"): for refused sends and for `failed` statuses."""

from __future__ import annotations

from core.domain.delivery import SendFailure

_BY_CLASS = {
    SendFailure.THROTTLED: (4, 80007, 130429, 131048, 131056, 133016),
    SendFailure.AUTH: (0, 3, 10, 190, *range(200, 300)),
    SendFailure.ACCOUNT: (368, 131031, 130497, 131042),
    SendFailure.RECIPIENT: (131026, 131049, 131050, 131021, 131030),
    SendFailure.WINDOW_OVER: (131047,),
    SendFailure.TRANSIENT: (131000, 131016, 131053, 131057),
    SendFailure.BAD_REQUEST: (100, 131008, 131009),
}
_FAILURES = {code: failure for failure, codes in _BY_CLASS.items() for code in codes}
_BY_STATUS = {
    401: SendFailure.AUTH,
    403: SendFailure.AUTH,
    408: SendFailure.TRANSIENT,
    425: SendFailure.TRANSIENT,
    429: SendFailure.THROTTLED,
}
# The limit per recipient, about one message in six seconds: the only one whose wait is known beforehand.
_PAIR_LIMIT, _PAIR_LIMIT_SECONDS = 131056, 6.0


def failure_of(code: int | None, *, status: int | None = None, is_transient: bool = False) -> SendFailure:
    """The class of a code; of an unknown one, what Meta's `is_transient` and then the HTTP status say."""
    known = _FAILURES.get(code) if code is not None else None
    if known is not None:
        return known
    if is_transient or (status is not None and status >= 500):
        return SendFailure.TRANSIENT
    return _BY_STATUS.get(status or 0, SendFailure.BAD_REQUEST)


def known_wait_seconds(code: int | None) -> float | None:
    """How long a throttled sender should wait when the provider names no time."""
    return _PAIR_LIMIT_SECONDS if code == _PAIR_LIMIT else None
