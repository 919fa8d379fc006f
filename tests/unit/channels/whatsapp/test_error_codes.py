"""Meta's codes by class: the table of docs/whatsapp.md, row by row."""

from __future__ import annotations

import pytest

from core.channels.whatsapp.error_codes import failure_of, known_wait_seconds
from core.domain.delivery import SendFailure

PAGE = {
    SendFailure.THROTTLED: [4, 80007, 130429, 131048, 131056, 133016],
    SendFailure.AUTH: [0, 3, 10, 190, *range(200, 300)],
    SendFailure.ACCOUNT: [368, 131031, 130497, 131042],
    SendFailure.RECIPIENT: [131026, 131049, 131050, 131021, 131030],
    SendFailure.WINDOW_OVER: [131047],
    SendFailure.TRANSIENT: [131000, 131016, 131053, 131057],
    SendFailure.BAD_REQUEST: [100, 131008, 131009],
}


@pytest.mark.parametrize("failure", PAGE, ids=str)
@pytest.mark.parametrize("status", [None, 200, 400, 403, 429, 500])
def test_a_known_code_has_its_class_whatever_the_status(failure: SendFailure, status: int | None) -> None:
    assert {failure_of(code, status=status, is_transient=True) for code in PAGE[failure]} == {failure}


@pytest.mark.parametrize(
    ("code", "status", "is_transient", "failure"),
    [
        (999999, 400, False, SendFailure.BAD_REQUEST),
        (999999, 400, True, SendFailure.TRANSIENT),
        (999999, 500, False, SendFailure.TRANSIENT),
        (199, None, False, SendFailure.BAD_REQUEST),
        (300, None, False, SendFailure.BAD_REQUEST),
        (None, 401, False, SendFailure.AUTH),
        (None, 403, False, SendFailure.AUTH),
        (None, 404, False, SendFailure.BAD_REQUEST),
        (None, 408, False, SendFailure.TRANSIENT),
        (None, 429, False, SendFailure.THROTTLED),
        (None, 503, False, SendFailure.TRANSIENT),
        (None, None, False, SendFailure.BAD_REQUEST),
    ],
    ids=str,
)
def test_an_unknown_code_goes_by_what_meta_says_of_it_and_then_by_the_status(
    code, status, is_transient, failure
) -> None:
    assert failure_of(code, status=status, is_transient=is_transient) is failure


def test_only_the_limit_per_recipient_has_a_wait_that_is_known_beforehand() -> None:
    assert known_wait_seconds(131056) == 6.0
    assert known_wait_seconds(130429) is None
