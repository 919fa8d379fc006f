"""One stack for all of these tests; orders given to its stand-ins end with each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from conversation.customer import Customer
from conversation.webhook_body import Person
from local_stack.errors import StackError
from local_stack.lifecycle import running_stack
from local_stack.stack import Stack

_numbers = count()


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


@pytest.fixture
def person() -> Person:
    """Who has never written before."""
    number = next(_numbers)
    return Person(name="Lara Quintela", phone=f"551198002{number:04d}", user_id=f"BR.72{number:014d}")


@pytest.fixture
def customer(stack: Stack, person: Person) -> Customer:
    """One who writes to the stack of all."""
    return Customer(stack=stack, person=person)
