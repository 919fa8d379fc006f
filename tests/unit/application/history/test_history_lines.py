"""Which lines of the log an agent reads, and how long they may be."""

from __future__ import annotations

from typing import Any

import pytest

from core.application.history.session_history import (
    AGENT_TEXT_MAX_CHARS,
    business_text,
    customer_text,
    pending_inbounds,
    quotable_texts,
    session_history,
    wordless_referrals,
    written_text,
)
from core.domain.conversation import ConversationState, Head, InboundRecord, LogEntry, Snapshot
from core.domain.delivery import OutboundPart, PartState, Recipient
from core.domain.messages import InboundMessage, Media, MessageKind, Sender
from core.domain.record_keys import inbound_sk, part_sk

T0 = 1_700_000_000_000


def message(text: str = "", *, at_ms: int = T0, kind: MessageKind = MessageKind.TEXT, **more: Any) -> InboundMessage:
    return InboundMessage(
        provider_id=f"wamid.{at_ms - T0}",
        kind=kind,
        sender=Sender(),
        phone_number_id="1",
        sent_at_ms=at_ms,
        text=text,
        **more,
    )


def came_in(text: str = "", at: int = 0, *, received: int | None = None, name: str = "a", **more: Any) -> InboundRecord:
    ms = T0 + at
    said = message(text, at_ms=ms, **more)
    return InboundRecord(
        conversation="c",
        sk=inbound_sk(ms, name),
        message=said,
        received_at_ms=ms if received is None else T0 + received,
    )


def ours(text: str, at: int, state: PartState = PartState.SENT, **more: Any) -> OutboundPart:
    return OutboundPart(
        sk=part_sk(T0 + at, "f", 1),
        turn="f",
        number=1,
        text=text,
        recipient=Recipient(phone_number_id="1"),
        state=state,
        created_at_ms=T0 + at,
        **more,
    )


def snapshot(*log: LogEntry, pending: tuple[LogEntry, ...] = (), **state: Any) -> Snapshot:
    head = Head(pending=frozenset(each.sk for each in pending))
    return Snapshot(conversation="c", head=head, state=ConversationState(**state), log=log)


def lines(shot: Snapshot, *, start: int = 0, limit: int = 30) -> list[tuple[str, str]]:
    history = session_history(shot, shot.state, session_start_ms=T0 + start, limit=limit)
    return [(line.role, line.text) for line in history]


def test_a_message_is_shown_whole_up_to_the_limit_and_then_cut_between_words() -> None:
    word = "abcdefghi "
    longest = (word * 1000)[: AGENT_TEXT_MAX_CHARS - 1] + "x"
    assert customer_text(message(longest)) == longest
    assert customer_text(message(f"{longest}y")) == f"{longest[:-10].rstrip()} [mensagem longa, cortada aqui]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("x" * 160, "x" * 160, id="a line of 160 characters"),
        pytest.param("um " + "x" * 158, "um …", id="a line of 161, cut between words"),
        pytest.param("um\n dois", "um dois", id="two lines"),
    ],
)
def test_what_a_reply_may_quote_is_one_short_line(text: str, shown: str) -> None:
    assert quotable_texts(snapshot(came_in(text))) == {"wamid.0": shown}
    assert quotable_texts(snapshot(ours(text, 0, provider_id="wamid.0"))) == {"wamid.0": shown}


def test_what_has_no_id_or_no_words_cannot_be_quoted() -> None:
    assert quotable_texts(snapshot(ours("Olá", 1), came_in("", 2))) == {}


def test_pending_messages_are_answered_in_the_order_in_which_they_were_written() -> None:
    late, early, same = (
        came_in("b", 2000, name="a"),
        came_in("a", 1000, received=9000),
        came_in("c", 2000, received=2001),
    )
    other = came_in("d", 3000)
    shot = snapshot(same, other, late, early, pending=(late, early, same))
    assert [each.message.text for each in pending_inbounds(shot)] == ["a", "b", "c"]


def test_a_session_begins_with_its_first_message() -> None:
    shot = snapshot(came_in("antes", 999), came_in("primeira", 1000), came_in("segunda", 2000))
    assert lines(shot, start=1000) == [("user", "primeira"), ("user", "segunda")]
    assert written_text(shot, session_start_ms=T0 + 1000) == "primeira\nsegunda"


@pytest.mark.parametrize(("limit", "kept"), [(1, ["c"]), (2, ["b", "c"]), (3, ["a", "b", "c"]), (4, ["a", "b", "c"])])
def test_of_a_long_session_the_newest_lines_are_shown(limit: int, kept: list[str]) -> None:
    shot = snapshot(came_in("a", 1), came_in("b", 2), came_in("c", 3))
    assert [text for _, text in lines(shot, limit=limit)] == kept


def test_what_waits_for_an_answer_is_no_history() -> None:
    new = came_in("b", 2)
    assert lines(snapshot(came_in("a", 1), new, pending=(new,))) == [("user", "a")]


def test_within_one_second_the_order_of_recording_counts() -> None:
    shot = snapshot(came_in("b", 0, received=2, name="a"), came_in("a", 0, received=1, name="b"))
    assert [text for _, text in lines(shot)] == ["a", "b"]


@pytest.mark.parametrize(
    ("state", "more", "role"),
    [
        (PartState.SENT, {}, "assistant"),
        (PartState.SENDING, {}, "note"),
        (PartState.UNKNOWN, {}, "note"),
        (PartState.FAILED, {}, None),
        (PartState.CANCELLED, {}, None),
        (PartState.PENDING, {}, None),
        (PartState.PENDING, {"exempt": True}, "assistant"),
        (PartState.SENT, {"exempt": True}, "assistant"),
        (PartState.SENT, {"template": "volta"}, "note"),
    ],
)
def test_an_answer_of_ours_is_shown_as_the_customer_may_have_read_it(
    state: PartState, more: dict[str, Any], role: str | None
) -> None:
    shown = lines(snapshot(ours("Olá", 1, state, **more)))
    assert [each for each, _ in shown] == ([role] if role else [])


@pytest.mark.parametrize(
    ("at", "until", "notes"),
    [
        pytest.param(1000, 2000, ["assumiu", "voltou"], id="a person wrote at its beginning"),
        pytest.param(2000, 2000, ["assumiu", "voltou"], id="a person wrote at its end"),
        pytest.param(999, 2000, ["ninguém respondeu", "sem anunciar"], id="a person wrote before it"),
        pytest.param(2001, 2000, ["ninguém respondeu", "sem anunciar"], id="a person wrote after it"),
        pytest.param(9000, None, ["assumiu"], id="a person writes still"),
        pytest.param(999, None, ["ninguém respondeu", "sem anunciar"], id="nobody has written yet"),
    ],
)
def test_a_stretch_with_people_is_one_in_which_a_person_wrote(at: int, until: int | None, notes: list[str]) -> None:
    echo = came_in("aqui é a Rebeca", at, kind=MessageKind.ECHO, details={"type": "text"})
    until_ms = None if until is None else T0 + until
    shot = snapshot(came_in("oi", 500), echo, human_since_ms=T0 + 1000, human_until_ms=until_ms)
    found = [text for role, text in lines(shot) if role == "note"]
    assert len(found) == len(notes)
    assert all(words in text for words, text in zip(notes, found, strict=True))


def test_a_customer_s_own_words_do_not_make_a_stretch_one_with_people() -> None:
    shot = snapshot(came_in("oi?", 1500), human_since_ms=T0 + 1000, human_until_ms=T0 + 2000)
    assert [role for role, _ in lines(shot)] == ["note", "user", "note"]
    assert "ninguém respondeu" in lines(shot)[0][1]


def test_without_people_there_is_no_stretch() -> None:
    assert lines(snapshot(came_in("oi", 1))) == [("user", "oi")]


@pytest.mark.parametrize(
    ("click", "shown"),
    [
        pytest.param(
            came_in("", 1001, kind=MessageKind.REQUEST_WELCOME, referral="Cortinas"), 1, id="after our last words"
        ),
        pytest.param(
            came_in("", 1000, kind=MessageKind.REQUEST_WELCOME, referral="Cortinas"), 0, id="at our last words"
        ),
        pytest.param(came_in("", 1001, kind=MessageKind.REQUEST_WELCOME), 0, id="without an ad"),
        pytest.param(came_in("oi", 1001, referral="Cortinas"), 0, id="with words of its own"),
    ],
)
def test_an_ad_is_told_until_we_have_spoken(click: InboundRecord, shown: int) -> None:
    assert len(wordless_referrals(snapshot(ours("Olá", 1000), click))) == shown


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        ("text", "oi", "oi"),
        ("image", "esta", "[a equipe enviou uma imagem]\nesta"),
        ("audio", "", "[a equipe enviou um áudio]"),
        ("reaction", "👍", ""),
        ("edit", "outra", ""),
        ("revoke", "", ""),
        ("unsupported", "oi", "oi"),
        ("novidade", "oi", "oi"),
    ],
)
def test_what_the_business_sent_is_shown_unless_it_only_marks_another_message(kind: str, text: str, shown: str) -> None:
    assert business_text(message(text, kind=MessageKind.ECHO, details={"type": kind})) == shown


@pytest.mark.parametrize(
    ("kind", "media", "text", "shown"),
    [
        (
            MessageKind.DOCUMENT,
            Media(media_id="1", filename="planta.pdf"),
            "",
            "[o cliente enviou um documento: planta.pdf]",
        ),
        (MessageKind.DOCUMENT, Media(media_id="1"), "", "[o cliente enviou um documento]"),
        (MessageKind.DOCUMENT, None, "", "[o cliente enviou um documento]"),
        (MessageKind.AUDIO, Media(media_id="1"), "", "[o cliente enviou um áudio]"),
        (MessageKind.AUDIO, Media(media_id="1"), "oi", "[o cliente enviou um áudio, transcrito a seguir]\noi"),
        (MessageKind.IMAGE, Media(media_id="1"), "oi", "[o cliente enviou uma imagem]\noi"),
        (MessageKind.TEXT, None, "oi", "oi"),
    ],
)
def test_what_came_without_words_is_named(kind: MessageKind, media: Media | None, text: str, shown: str) -> None:
    assert customer_text(message(text, kind=kind, media=media)) == shown


def test_silent_messages_are_no_lines() -> None:
    assert lines(snapshot(came_in("👍", 1, kind=MessageKind.REACTION), came_in("", 2))) == []
