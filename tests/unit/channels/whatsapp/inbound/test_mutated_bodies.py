"""A fuzz: whatever is done to one entry, nothing is raised and the other entries are read as before."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.application.intake.inbound_batch import WebhookBatch
from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body
from core.domain.errors import BadInputError
from tests.cases.damaged_json import DEEP, ENDLESS, REMOVE, damage, paths, written
from tests.cases.webhook_files import RECEIVED_AT_MS, meta_webhook_names, webhook_json
from tests.effort import examples

NAMES = meta_webhook_names()
SCALARS = (None, True, False, 0, -1, 10**25, 1.5, "", " ", "x", "\x00", "\ud83d", "9" * 400, "ç" * 70_000)
SHAPES = ([], {}, [[]], [None], {"id": {}}, {"body": []}, [{}] * 3, DEEP, ENDLESS)
LOOKALIKES = ("wamid.1", "BR.1", "text", "system", "1795953600")
JUNK = st.sampled_from([REMOVE, *SCALARS, *SHAPES, *LOOKALIKES])


def body_of(entries: list[Any]) -> str:
    return written({"object": "whatsapp_business_account", "entry": entries})


def everything(batch: WebhookBatch) -> list[Any]:
    return [*batch.messages, *batch.statuses, *batch.identity_changes, *batch.faults]


@st.composite
def mutations(draw: st.DrawFn) -> tuple[Any, list[Any], list[Any]]:
    victim = webhook_json(draw(st.sampled_from(NAMES)))["entry"][0]
    for _ in range(draw(st.integers(1, 3))):
        found = list(paths(victim))
        if found:
            victim = damage(victim, draw(st.sampled_from(found)), draw(JUNK))
    names = st.lists(st.sampled_from(NAMES), max_size=2)
    before = [entry for name in draw(names) for entry in webhook_json(name)["entry"]]
    after = [entry for name in draw(names) for entry in webhook_json(name)["entry"]]
    return victim, before, after


@settings(max_examples=examples(300), deadline=None)
@given(mutations())
def test_a_damaged_entry_never_raises_and_never_costs_another(case: tuple[Any, list[Any], list[Any]]) -> None:
    victim, before, after = case
    alone = parse_webhook_body(body_of([*before, *after]), received_at_ms=RECEIVED_AT_MS)
    batch = parse_webhook_body(body_of([*before, victim, *after]), received_at_ms=RECEIVED_AT_MS)

    survivors = iter(everything(batch))
    assert all(item in survivors for item in everything(alone))
    for message in batch.messages:
        assert message.sender.phone or message.sender.bsuid
        assert message.provider_id
        json.dumps([message.text, message.details], ensure_ascii=False).encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["object", "entry", "changes", "value", "field", "messages", "statuses", "errors", "type", "id"]
            )
            | st.text(max_size=3),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@settings(max_examples=examples(300), deadline=None)
@given(JSON)
def test_any_json_at_all_is_a_batch_or_bad_input(body: Any) -> None:
    for form in (body if isinstance(body, dict) else None, json.dumps(body)):
        if form is not None:
            _read(form)


@settings(max_examples=examples(200), deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_bytes_at_all_are_a_batch_or_bad_input(body: bytes | str) -> None:
    _read(body)


def _read(body: Any) -> None:
    with suppress(BadInputError):
        parse_webhook_body(body, received_at_ms=RECEIVED_AT_MS)
