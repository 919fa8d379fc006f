"""Items: what is written comes back, and nothing that the table would refuse is written."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.conversation import ConversationState, Effect, Head, InboundRecord
from core.domain.delivery import OutboundPart, PartState
from core.domain.errors import BadInputError, UnreadableItemError
from core.domain.ledger import ModelCall, TurnRecord
from core.domain.record_keys import DUE_SHARDS, due_shard, ms_of, pk_of
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import item_size, marshal, marshalled, unmarshalled
from core.integrations.dynamodb.plain_values import plain_to_state
from core.integrations.dynamodb.raw_replies import RAW_REPLY_BYTES
from tests.effort import examples

CONVERSATION = "3f9a" * 16
NOW_MS = 1_796_040_000_000
KEYS = st.text(min_size=1, max_size=60)
PLAIN = st.dictionaries(st.text(), st.none() | st.text() | st.integers() | st.decimals(allow_nan=False))


def every(cls: type, **given_fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Any value of a dataclass, its defaulted fields too."""
    return st.builds(cls, **{field.name: ... for field in fields(cls)} | given_fields)


INBOUNDS = every(InboundRecord, conversation=st.just(CONVERSATION), sk=KEYS.map(lambda k: f"M#{NOW_MS}#i{k}"))
PARTS = every(OutboundPart, sk=KEYS)
CALLS = st.lists(every(ModelCall, cost_usd=st.none() | st.decimals(allow_nan=False)), max_size=3).map(tuple)
TURNS = every(TurnRecord, sk=KEYS, calls=CALLS, guard=PLAIN, head_before=PLAIN, state_before=PLAIN, state_after=PLAIN)

generous = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(25))


def through_the_table(item: dict[str, Any]) -> dict[str, Any]:
    """The item as the table gives it back."""
    return unmarshalled(marshalled(item))


@generous
@given(INBOUNDS)
def test_any_message_comes_back(inbound: InboundRecord) -> None:
    assert codec.item_to_entry(through_the_table(codec.inbound_to_item(inbound))) == inbound


@generous
@given(PARTS)
def test_any_part_comes_back(part: OutboundPart) -> None:
    back = codec.item_to_part(through_the_table(codec.part_to_item(CONVERSATION, part)))

    if part.state is PartState.SENDING and part.due_ms is None:
        part = replace(part, due_ms=part.lease_until_ms)
    assert back == part


@generous
@given(TURNS)
def test_any_turn_comes_back(turn: TurnRecord) -> None:
    assert codec.item_to_turn(through_the_table(codec.turn_to_item(CONVERSATION, turn))) == turn


@generous
@given(every(Effect, sk=KEYS, payload=PLAIN))
def test_any_effect_comes_back(effect: Effect) -> None:
    assert codec.item_to_effect(through_the_table(codec.effect_to_item(CONVERSATION, effect))) == effect


@generous
@given(every(Head, pending=st.frozensets(KEYS)))
def test_any_head_comes_back(head: Head) -> None:
    assert codec.item_to_head(through_the_table(codec.head_to_item(CONVERSATION, head))) == head


def test_an_item_waits_in_the_index_only_while_something_is_due() -> None:
    quiet = codec.head_to_item(CONVERSATION, Head())
    due = codec.head_to_item(CONVERSATION, Head(due_ms=NOW_MS))

    assert not {"due_shard", "due_at", "due_ms"} & quiet.keys()
    assert (due["due_shard"] in DUE_SHARDS, due["due_at"]) == (True, NOW_MS)


@pytest.mark.parametrize(
    ("head", "due_ms"),
    [
        pytest.param(Head(pending_since_ms=NOW_MS), None, id="nothing pending"),
        pytest.param(Head(pending=frozenset({"a"}), pending_since_ms=NOW_MS), NOW_MS + 600_000, id="pending"),
        pytest.param(Head(due_ms=NOW_MS + 900_000), NOW_MS + 900_000, id="a handoff"),
        pytest.param(
            Head(pending=frozenset({"a"}), pending_since_ms=NOW_MS, due_ms=NOW_MS + 900_000),
            NOW_MS + 600_000,
            id="pending before a handoff",
        ),
        pytest.param(
            Head(pending=frozenset({"a"}), pending_since_ms=NOW_MS, due_ms=NOW_MS + 1), NOW_MS + 1, id="a handoff first"
        ),
    ],
)
def test_a_head_is_due_for_its_handoff_or_for_a_message_that_nobody_answered(head: Head, due_ms: int | None) -> None:
    item = codec.head_to_item(CONVERSATION, head)

    assert item.get("due_at") == due_ms
    assert codec.item_to_head(through_the_table(item)) == head


def test_conversations_are_spread_over_every_shard() -> None:
    assert {due_shard(pk_of(f"{n:064x}")) for n in range(64)} == set(DUE_SHARDS)


def test_a_head_with_a_burst_pending_and_a_handoff_stays_under_one_kilobyte() -> None:
    pending = frozenset(f"M#{NOW_MS + n}#i{n:032x}" for n in range(10))
    head = Head(
        ver=10**6,
        in_rev=10**6,
        pending=pending,
        pending_since_ms=NOW_MS,
        last_turn="a" * 12,
        session_start_ms=NOW_MS,
        handoff_reason="llm_invalid_contract",
        handoff_since_ms=NOW_MS,
        due_ms=NOW_MS,
    )

    assert item_size(marshalled({**codec.head_to_item(CONVERSATION, head), "ttl": NOW_MS // 1000})) < 1024


def test_an_item_lives_for_the_retention_and_is_gone_when_it_ends() -> None:
    item = {"ttl": codec.ttl_of(now_ms=NOW_MS, retention_days=30)}
    end_ms = NOW_MS + 30 * 86_400_000

    assert not codec.expired(item, now_ms=end_ms - 1)
    assert codec.expired(item, now_ms=end_ms)
    assert not codec.expired({}, now_ms=end_ms)


@pytest.mark.parametrize("sk", ["", "M#" + "x" * 1023], ids=["empty", "too long"])
def test_a_key_that_the_table_would_refuse_is_refused(sk: str) -> None:
    with pytest.raises(BadInputError, match="unusable_key"):
        codec.effect_to_item(CONVERSATION, replace(an_effect(), sk=sk))


def test_a_conversation_without_identity_is_refused() -> None:
    with pytest.raises(BadInputError, match="empty_conversation"):
        codec.head_to_item("", Head())


@pytest.mark.parametrize(
    "sk", ["M#17#iabc", "E#t1#crm", "M#²²²²²²²²²²²²²#i"], ids=["short", "no message", "odd digits"]
)
def test_a_key_without_a_time_has_none(sk: str) -> None:
    with pytest.raises(BadInputError):
        ms_of(sk)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param(0.5, "unstorable_float", id="a float"),
        pytest.param(frozenset(), "empty_set", id="an empty set"),
        pytest.param(frozenset({""}), "empty_set", id="a set of nothing"),
    ],
)
def test_a_value_that_the_table_would_refuse_is_refused(value: object, reason: str) -> None:
    with pytest.raises(BadInputError, match=reason):
        marshal(value)


def test_values_nested_deeper_than_the_table_allows_are_refused() -> None:
    value: Any = "deep"
    for _ in range(32):
        value = [value]

    with pytest.raises(BadInputError, match="nested_too_deeply"):
        marshal(value)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("água 💧", "água 💧", id="an emoji"),
        pytest.param("\ud83d\udca7", "💧", id="an emoji in two halves"),
        pytest.param("oi \ud83d", "oi \ufffd", id="half an emoji"),
    ],
)
def test_text_is_kept_as_unicode_that_the_table_takes(text: str, kept: str) -> None:
    assert marshal(text) == {"S": kept}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"outcome": None, "wall_ms": "soon"}, id="another type"),
        pytest.param({"state_changes": {}, "state_before": {"stage": "triagem"}}, id="half of what changed"),
        pytest.param({"calls": [{"sequence": 1}]}, id="a call without its outcome"),
        pytest.param({"v": 2}, id="another version"),
    ],
)
def test_a_turn_that_cannot_be_read_says_so_as_every_other_item_does(damage: dict[str, Any]) -> None:
    item = codec.turn_to_item(CONVERSATION, a_turn()) | damage

    with pytest.raises(UnreadableItemError, match="unreadable turn"):
        codec.item_to_turn(item)


def a_call(reply: str) -> ModelCall:
    return ModelCall(
        sequence=1,
        purpose="agent",
        attempt=1,
        provider="openai",
        requested_model="m",
        outcome="used",
        latency_ms=1,
        raw_reply=reply,
    )


def an_effect() -> Effect:
    return Effect(sk="E#t1#crm", turn="t1", kind="crm", state="pending", created_at_ms=NOW_MS)


def a_turn() -> TurnRecord:
    return TurnRecord(
        sk="T#1#t1", turn="t1", inbound=(), decided_at_ms=1, started_at_ms=1, wall_ms=1, outcome="answered", reply=None
    )


def kept_replies(*replies: str) -> list[str]:
    turn = replace(a_turn(), calls=tuple(a_call(reply) for reply in replies))
    kept = codec.item_to_turn(through_the_table(codec.turn_to_item(CONVERSATION, turn)))
    return [call.raw_reply or "" for call in kept.calls]


def test_replies_within_the_limit_are_kept_whole() -> None:
    replies = ["a" * (RAW_REPLY_BYTES // 2), "ã" * (RAW_REPLY_BYTES // 4)]

    assert kept_replies(*replies) == replies


def test_a_reply_over_the_limit_is_cut_with_a_mark_that_tells_its_size() -> None:
    (kept,) = kept_replies("{" + "ã" * 20_000)

    assert len(kept.encode()) <= RAW_REPLY_BYTES
    assert kept.startswith("{ããã")
    assert kept.endswith("[cut: 40001 bytes]")


def test_the_longest_replies_are_cut_first() -> None:
    small, kept, also = kept_replies("a" * 900, "b" * 30_000, "c" * 40_000)

    assert small == "a" * 900
    assert ("[cut: 30000 bytes]" in kept, "[cut: 40000 bytes]" in also) == (True, True)
    assert len((small + kept + also).encode()) <= RAW_REPLY_BYTES


@given(st.lists(st.text(max_size=40).map(lambda text: text * 400), max_size=12))
def test_however_many_replies_there_are_they_fit(replies: list[str]) -> None:
    assert sum(len(reply.encode()) for reply in kept_replies(*replies)) <= RAW_REPLY_BYTES


def test_what_a_turn_left_alone_in_state_is_on_the_item_once() -> None:
    talk = {"M#1#i1": "palavras " * 500}
    before = ConversationState(transcripts=talk, service="a", opted_out=True)
    item = codec.turn_to_item(
        CONVERSATION, replace(a_turn(), state_before=before, state_after=replace(before, service=None))
    )

    assert item["state_dropped"] == ["service"]
    assert not item["state_changes"]
    assert plain_to_state(codec.item_to_turn(item).state_after) == replace(before, service=None)
