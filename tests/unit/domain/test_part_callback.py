"""What a status says of the send that it speaks of."""

from __future__ import annotations

import pytest

from core.domain.part_callback import read_callback

T0 = 1_796_040_000_000


@pytest.mark.parametrize(
    ("callback", "address"),
    [
        (f"1.0f3c.M#{T0}#oab.1.7", ("0f3c", f"M#{T0}#oab.1", 7)),
        (f"2.0f3c.M#{T0}#oab.1.7", None),
        (f"1.0f3c.M#{T0}#iab.1.7", None),
        ("", None),
        (None, None),
    ],
)
def test_a_callback_is_read_only_when_it_is_of_our_making(
    callback: str | None, address: tuple[str, str, int] | None
) -> None:
    assert read_callback(callback) == address
