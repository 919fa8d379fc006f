"""A fuzz at the door itself: damaged bodies never raise, are never asked for again, and never cost another customer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.channels.whatsapp.signature import sign
from tests.cases.damaged_json import DEEP, ENDLESS, REMOVE, damage, paths, written
from tests.cases.webhook_files import meta_webhook_names, webhook_json
from tests.door import APP_SECRET, Door, event, text_body
from tests.effort import examples

NAMES = meta_webhook_names()
SCALARS = (None, True, 0, -1, 10**25, 1.5, "", " ", "\x00", "\ud83d", "9" * 400, "ç" * 120_000, "x" * 5_000)
SHAPES = ([], {}, [[]], [None], [1, "a"], {"id": {}}, {"body": []}, [{}] * 60, DEEP, ENDLESS)
LOOKALIKES = ("wamid.1", "BR.1", "text", "system", "edit", "failed", "1795953600", "1.0f3c.M#1795953600000#o1.1.2")
JUNK = st.sampled_from([REMOVE, *SCALARS, *SHAPES, *LOOKALIKES])
# A customer whom no case names: their message must always come through.
BYSTANDER = {"phone": "5571980000777", "user_id": "BR.7100000000000777"}


def on_the_wire(body: Any) -> bytes:
    return written(body).encode()


@st.composite
def damaged_entries(draw: st.DrawFn) -> list[Any]:
    entries: list[Any] = []
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3)):
        entry = webhook_json(name)["entry"][0]
        for _ in range(draw(st.integers(1, 4))):
            found = list(paths(entry))
            if found:
                entry = damage(entry, draw(st.sampled_from(found)), draw(JUNK))
        entries.append(entry)
    return entries


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda: Door(monkeypatch)


fuzzed = settings(
    max_examples=examples(250), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@fuzzed
@given(entries=damaged_entries(), place=st.integers(0, 3))
def test_a_damaged_entry_never_costs_another_customer(fresh: Any, entries: list[Any], place: int) -> None:
    door = fresh()
    bystander = text_body("estou aqui", **BYSTANDER)["entry"][0]
    body = {"object": "whatsapp_business_account", "entry": [*entries[:place], bystander, *entries[place:]]}

    assert door.post(on_the_wire(body)) == 200

    conversation = door.conversation(phone=BYSTANDER["phone"], bsuid=BYSTANDER["user_id"])
    assert [entry.message.text for entry in door.desk.store.inbounds(conversation)] == ["estou aqui"]
    assert conversation in {pointer.conversation for pointer in door.queue.taken}
    assert all(door.desk.store.read(pointer.conversation, ensure=pointer.sk).log for pointer in door.queue.taken)


@fuzzed
@given(entries=damaged_entries())
def test_a_damaged_body_delivered_again_is_the_same_body(fresh: Any, entries: list[Any]) -> None:
    door = fresh()
    body = on_the_wire({"object": "whatsapp_business_account", "entry": entries})

    assert door.post(body) == 200
    recorded = door.recorded()
    assert door.post(body, encoded=True) == 200

    assert door.recorded() == recorded


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["object", "entry", "changes", "value", "field", "messages", "statuses", "errors", "contacts"]
            )
            | st.text(max_size=3),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@fuzzed
@given(raw=st.binary(max_size=300) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_signed_bytes_are_answered_and_not_asked_for_again(fresh: Any, raw: bytes) -> None:
    assert fresh().post(raw, encoded=True) == 200


@fuzzed
@given(given_event=JSON, changes=st.dictionaries(st.sampled_from(["headers", "body", "requestContext"]), JSON))
def test_any_event_is_answered(fresh: Any, given_event: Any, changes: dict[str, Any]) -> None:
    door = fresh()
    signed = event(b"{}", signature=sign(b"{}", APP_SECRET))

    for each in (given_event, signed | changes):
        assert door.send(each)["statusCode"] in (200, 400, 401, 403, 413, 500)
