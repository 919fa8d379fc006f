"""One stack for all of these tests; orders given to its stand-ins end with each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from local_stack.errors import StackError
from local_stack.lifecycle import running_stack
from local_stack.stack import Stack


@pytest.fixture(scope="session")
def deployed() -> Iterator[Stack]:
    """The real template, with the model and WhatsApp played."""
    try:
        with running_stack(name="e2e") as stack:
            yield stack
    except StackError as error:
        pytest.fail(error.report(), pytrace=False)


@pytest.fixture
def stack(deployed: Stack) -> Iterator[Stack]:
    """The stack, with nothing ordered and nothing sent."""
    deployed.control_whatsapp({"reset": True})
    deployed.control_model({"reset": True})
    yield deployed
    deployed.control_whatsapp({"reset": True})
    deployed.control_model({"reset": True})
