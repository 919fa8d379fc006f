"""Each body through the real door and desk: what is on the log, what waits, who has the word, what is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.domain.conversation import Mode
from tests.cases.webhook_files import meta_webhook_names, webhook_bytes
from tests.door import Door

REPLY = '{"s":1}Olá! Como posso ajudar?'
ANSWERED, TO_TYPE, TO_PEOPLE = "answered", "asked_to_type", "handoff"

Row = tuple[str, list[str], list[str], Mode]


def answered(name: str, kind: str) -> Row:
    return (name, [kind], [ANSWERED], Mode.BOT)


def silent(name: str, kind: str) -> Row:
    return (name, [kind], [], Mode.BOT)


def nothing(name: str) -> Row:
    return (name, [], [], Mode.BOT)


# body, kinds on the log, what becomes of what was enqueued, who has the word afterwards
TABLE: list[Row] = [
    answered("text_simple", "text"),
    answered("text_reply_context", "text"),
    answered("text_forwarded", "text"),
    answered("text_frequently_forwarded", "text"),
    answered("text_emoji_zwj_flag", "text"),
    answered("text_br_without_ninth_digit", "text"),
    answered("text_raw_meta_escaped", "text"),
    answered("text_username_phone_empty_string", "text"),
    answered("text_username_phone_omitted", "text"),
    answered("text_username_id_in_phone_place", "text"),
    answered("timestamp_as_number", "text"),
    answered("timestamp_in_milliseconds", "text"),
    ("stale_message_six_days_old", ["text"], [TO_PEOPLE], Mode.HUMAN),
    silent("group_text", "text"),
    answered("image_caption", "image"),
    answered("image_no_caption", "image"),
    ("audio_voice_note", ["audio"], [TO_TYPE], Mode.BOT),
    ("audio_file_forwarded", ["audio"], [TO_TYPE], Mode.BOT),
    ("legacy_voice_type", ["audio"], [TO_TYPE], Mode.BOT),
    answered("document_pdf", "document"),
    answered("video_caption", "video"),
    answered("sticker", "sticker"),
    answered("location_pin", "location"),
    answered("location_current", "location"),
    answered("contacts_card", "contacts"),
    answered("order_catalog", "order"),
    answered("button_template_quick_reply", "button"),
    ("interactive_button_reply", ["interactive"], [TO_PEOPLE], Mode.HUMAN),  # "Falar com humano"
    answered("interactive_list_reply", "interactive"),
    answered("interactive_flow_nfm_reply", "interactive"),
    silent("interactive_unknown_kind", "unknown"),
    answered("referral_ctwa_ad", "text"),
    answered("referred_product_context", "text"),
    silent("reaction_add", "reaction"),
    silent("reaction_removed", "reaction"),
    silent("message_edit", "edit"),
    silent("edit_of_caption", "edit"),
    silent("message_revoke", "revoke"),
    silent("request_welcome", "request_welcome"),
    silent("unsupported_131051", "unsupported"),
    silent("type_nobody_knows", "unknown"),
    silent("system_user_changed_number", "system"),
    silent("system_changed_number_with_previous_user_id", "system"),
    silent("system_legacy_customer_changed_number", "system"),
    silent("system_user_changed_user_id", "system"),
    silent("system_user_changed_user_id_body_only", "system"),
    silent("system_security_code_changed", "system"),
    ("smb_message_echo_human_sent", ["echo"], [], Mode.HUMAN),
    ("echo_of_a_document", ["echo"], [], Mode.HUMAN),
    nothing("status_sent"),
    nothing("status_sent_with_callback"),
    nothing("status_delivered"),
    nothing("status_read"),
    nothing("status_played"),
    nothing("status_failed_131026"),
    nothing("status_failed_131047"),
    nothing("status_failed_131049"),
    nothing("value_level_errors"),
    nothing("field_template_status_update"),
    nothing("field_nobody_knows"),
    nothing("field_user_id_update"),
    # two of Davi's in one turn, Lara's to the person who answered her meanwhile, the other number's to nobody
    ("mixed_everything", ["echo", "text", "text", "text"], [ANSWERED, "forwarded", "already_answered"], Mode.HUMAN),
]


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    door = Door(monkeypatch)
    door.desk.agent.script(*[REPLY] * 6)
    return door


def test_the_table_holds_every_body() -> None:
    assert sorted(row[0] for row in TABLE) == meta_webhook_names()


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_a_body_yields_what_the_page_says_however_often_it_comes(door: Door, row: Row) -> None:
    name, kinds, outcomes, mode = row

    assert door.post(webhook_bytes(name)) == 200

    assert door.recorded() == sorted(kinds)
    assert len(door.queue.taken) == len(outcomes)
    assert sum(len(head.pending) for head in door.heads().values()) == len(outcomes)
    assert door.process_all() == outcomes
    assert all(not head.pending for head in door.heads().values())
    assert mode in {head.mode for head in door.heads().values()} | {Mode.BOT}
    assert (Mode.HUMAN in {head.mode for head in door.heads().values()}) is (mode is Mode.HUMAN)

    # delivered again, it changes and answers nothing
    heads, replies = door.heads(), list(door.desk.replies)

    assert door.post(webhook_bytes(name)) == 200
    again = door.process_all()

    assert door.recorded() == sorted(kinds)
    assert set(again) <= {"already_answered"}
    assert (door.heads(), door.desk.replies) == (heads, replies)


@pytest.mark.parametrize("name", [row[0] for row in TABLE])
def test_no_log_line_holds_what_a_customer_wrote_or_who_they_are(
    door: Door, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    door.post(webhook_bytes(name))
    door.process_all()

    logged = json.dumps([vars(record) for record in caplog.records], default=str, ensure_ascii=False)
    assert not [secret for secret in _personal(json.loads(webhook_bytes(name))) if secret in logged]


def _personal(node: Any, key: str = "") -> set[str]:
    """Phones, ids, names and texts of a body."""
    if isinstance(node, dict):
        return set().union(*(_personal(value, name) for name, value in node.items()), set())
    if isinstance(node, list):
        return set().union(*(_personal(value, key) for value in node), set())
    named = {"from", "to", "wa_id", "user_id", "from_user_id", "body", "name", "caption", "filename", "emoji"}
    wanted = key in named or (key == "id" and str(node).startswith("wamid."))
    return {str(node)} if wanted and len(str(node)) > 3 else set()
