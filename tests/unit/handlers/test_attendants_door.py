"""The attendants' API as its clients meet it: a whole handoff, who is let in, and what comes of bad calls."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from core.domain.conversation import Mode
from core.domain.delivery import SendFailure
from core.domain.errors import FilesUnsupportedError, IntegrationError, SendRefusedError, SendUncertainError
from core.domain.media import MediaFile
from core.domain.messages import Media, MessageKind
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import public_key
from tests.attendance import TOKENS, Door
from tests.desk import CUSTOMER, Desk

GIVES_UP = '{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.'
SUMMARY = '{"resumo_texto": "Pediu o boleto.", "pontos_chave": ["boleto de maio"]}'


@pytest.fixture
def desk() -> Desk:
    policy = ConversationPolicy(handoff_ack_minutes=7, handoff_idle_hours=30, owner_idle_minutes=20)
    desk = Desk(GIVES_UP, '{"s":1}Sigo com você.', policy=policy)
    desk.llm.script(SUMMARY)
    desk.says("quero o boleto")
    return desk


@pytest.fixture
def door(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Door:
    return Door(desk, monkeypatch)


def reply(door: Door, text: str, **more: Any) -> Any:
    return door.post(f"{door.home}/reply", {"client_id": f"id-{abs(hash(text)):012d}", "text": text}, **more)


def test_a_handoff_from_the_queue_to_the_hand_back(desk: Desk, door: Door) -> None:
    (item,) = door.get("/queue").json["items"]
    assert (item["id"], item["name"], item["state"]) == (desk.conversation, CUSTOMER.name, "waiting")
    assert item["reason_text"] == "o assunto é de uma pessoa"

    opened = door.get(door.home).json
    assert opened["card"]["summary"] == "Pediu o boleto."
    assert [(each["sender"], each["text"]) for each in opened["entries"][:1]] == [("customer", "quero o boleto")]

    taken = door.post(f"{door.home}/take").json["item"]
    assert (taken["state"], taken["owner"]) == ("owned", {"id": "bia", "name": "Bia Lima"})
    first, second = reply(door, "Oi, aqui é a Bia."), reply(door, "O boleto vai amanhã.")
    assert [each.json["entry"]["state"] for each in (first, second)] == ["sent", "sent"]
    assert desk.sender.texts[1:] == ["Oi, aqui é a Bia.", "O boleto vai amanhã."]

    refused = door.post(f"{door.home}/take", who="caio")
    assert (refused.status, refused.json["error"], refused.json["owner"]["name"]) == (409, "owned", "Bia Lima")

    back = door.post(f"{door.home}/hand-back", {"agreed": "boleto amanhã"})
    assert back.json["item"]["state"] == "bot"
    assert door.get("/queue").json["items"] == []
    desk.says("combinado. e a coleta?")
    assert desk.sender.texts[-1] == "Sigo com você."


def test_a_phone_finds_its_conversation_in_any_form(desk: Desk, door: Door) -> None:
    for phone in ("5511980000101", "+55 11 98000-0101", "(11) 98000-0101", "11 8000-0101"):
        (item,) = door.post("/search", {"phone": phone}).json["items"]
        assert item["id"] == desk.conversation

    assert door.post("/search", {"phone": "11 97777-0000"}).json["items"] == []


def test_what_has_not_changed_is_not_said_again(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    queue, opened = door.get("/queue"), door.get(door.home)
    for path, known in (("/queue", queue), (door.home, opened)):
        again = door.get(path, headers={"if-none-match": known.headers["etag"]})
        assert (again.status, again.text, again.headers["etag"]) == (304, "", known.headers["etag"])

    desk.says("oi?")

    for path, known in (("/queue", queue), (door.home, opened)):
        assert door.get(path, headers={"if-none-match": known.headers["etag"]}).status == 200


def test_a_reply_that_fails_later_is_seen_by_who_asks_for_changes(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    reply(door, "segue")
    known = door.get(door.home).headers["etag"]

    desk.status_arrives("failed")

    news = door.get(door.home, headers={"if-none-match": known})
    assert news.status == 200
    entry = news.json["entries"][-1]
    assert (entry["state"], bool(entry["failure"])) == ("failed", True)


def test_a_reply_warns_of_what_the_customer_wrote_after_what_was_seen_and_of_nothing_else(
    desk: Desk, door: Door
) -> None:
    door.post(f"{door.home}/take")
    seen = door.get(door.home).json["entries"][-1]["key"]
    quiet = door.post(f"{door.home}/reply", {"client_id": "reply-01", "text": "oi", "seen": seen}).json["newer"]
    desk.clock.advance(minutes=1)
    desk.says("e agora?")
    warned = door.post(f"{door.home}/reply", {"client_id": "reply-02", "text": "já vejo", "seen": seen}).json["newer"]

    assert (quiet, warned) == (False, True)


def test_what_has_not_changed_has_a_body_though_an_empty_one(door: Door) -> None:
    """Not every gateway takes null."""
    known = door.get("/queue").headers["etag"]

    assert door.get("/queue", headers={"if-none-match": known}).text == ""


def test_an_unchanged_poll_asks_the_table_once(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    for path in ("/queue", door.home):
        tag = door.get(path).headers["etag"]
        desk.store.requests.clear()
        door.get(path, headers={"if-none-match": tag})
        assert len(desk.store.requests) == 1


def test_opening_is_written_down_once_and_not_at_every_poll(desk: Desk, door: Door) -> None:
    for _ in range(3):
        door.get(door.home)
        desk.clock.advance(seconds=60)
    door.get(door.home, who="caio")

    opened = [each for each in desk.store.audit_page(desk.conversation, limit=30) if each.action == "open"]

    assert [each.actor for each in opened] == ["bia", "caio"]


def test_between_what_was_read_and_the_newest_nothing_is_left_out(desk: Desk, door: Door) -> None:
    first = door.get(door.home).json["cursor"]
    for n in range(40):
        desk.record(desk.message(f"linha {n}"))
        desk.clock.advance(seconds=2)

    texts = [each["text"] for each in door.get(door.home, query={"after": first}).json["entries"]]

    assert [each for each in texts if each.startswith("linha")] == [f"linha {n}" for n in range(40)]


def test_older_entries_come_in_pages(desk: Desk, door: Door) -> None:
    for n in range(70):
        desk.record(desk.message(f"linha {n}"))
        desk.clock.advance(seconds=2)
    page = door.get(door.home).json
    texts: list[str] = []
    while page["older_cursor"]:
        texts = [each["text"] for each in page["entries"]] + texts
        page = door.get(f"{door.home}/entries", query={"before": page["older_cursor"]}).json

    assert texts[0] == "quero o boleto"
    assert texts[-70:] == [f"linha {n}" for n in range(70)]


def test_each_turn_opens_up(desk: Desk, door: Door) -> None:
    (turn,) = door.get(f"{door.home}/turns").json["turns"]

    assert (turn["outcome"], turn["codes"]) == ("handoff", [6])
    assert door.get(door.home).json["entries"][1]["turn"] == turn["id"]


# Who is let in


def test_nobody_is_told_that_nobody_is_logged_in(door: Door) -> None:
    answer = door.get("/session", who=None)

    assert (answer.status, answer.json["attendant"], answer.json["company"]) == (200, None, "")


@pytest.mark.parametrize("path", ["/queue", "/conversations/aa", "/nowhere"])
def test_without_a_token_nothing_is_said(door: Door, path: str) -> None:
    assert door.get(path, who=None).status == 401
    assert door.get(path, who=None, headers={"authorization": "Bearer wrong"}).json["error"] == "unauthorized"


def test_a_removed_attendant_is_refused(door: Door) -> None:
    door.secrets.registered = [each for each in door.secrets.registered if each.attendant.id != "bia"]

    assert door.get("/queue").status == 401
    assert door.get("/queue", who="caio").status == 200


def test_the_page_logs_in_with_a_cookie_that_scripts_cannot_read(door: Door) -> None:
    answer = door.post(
        "/session", {"token": f" {TOKENS['bia']}\n"}, who=None, headers={"sec-fetch-site": "same-origin"}
    )
    (cookie,) = answer.cookies

    assert answer.json["attendant"] == {"id": "bia", "name": "Bia Lima", "role": "atendente"}
    assert cookie.startswith("__Host-balcao=")
    for attribute in ("Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=43200"):
        assert attribute in cookie.split("; ")
    pair = cookie.partition(";")[0]
    assert door.get("/session", who=None, cookies=[pair]).status == 200
    assert door.call("DELETE", "/session", who=None, cookies=[pair]).cookies[0].startswith("__Host-balcao=;")


def test_a_wrong_token_gets_no_cookie(door: Door) -> None:
    answer = door.post("/session", {"token": "nope"}, who=None)

    assert (answer.status, answer.cookies) == (401, ())


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://evil.example"}],
)
def test_another_sites_page_cannot_write_with_the_cookie(desk: Desk, door: Door, headers: dict[str, str]) -> None:
    cookies = [f"__Host-balcao={TOKENS['bia']}"]

    refused = door.post(f"{door.home}/take", who=None, cookies=cookies, headers=headers)

    assert (refused.status, refused.json["error"]) == (403, "cross_site")
    assert desk.head.owner is None
    same = {"sec-fetch-site": "same-origin", "origin": "https://api.example"}
    assert door.post(f"{door.home}/take", who=None, cookies=cookies, headers=same).status == 200


def test_a_form_cannot_write(desk: Desk, door: Door) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        assert door.post(f"{door.home}/take", headers={"content-type": kind}).status == 415
    assert desk.head.owner is None


# Bad input


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        ("", 422),
        ("{", 422),
        ("[]", 422),
        ("null", 422),
        ('"texto"', 422),
        ("[" * 30_000, 422),
        ('{"client_id":"12345678"}', 422),
        ('{"client_id":"12345678","text":""}', 422),
        ('{"client_id":"12345678","text":5}', 422),
        ('{"client_id":"curto","text":"oi"}', 422),
        ('{"client_id":"12345678","text":"oi","to":"5511"}', 422),
    ],
)
def test_a_reply_that_is_none_is_answered_clearly_and_sends_nothing(
    desk: Desk, door: Door, raw: str, status: int
) -> None:
    door.post(f"{door.home}/take")

    answer = door.post(f"{door.home}/reply", raw=raw)

    assert (answer.status, answer.json["error"]) == (status, "invalid")
    assert len(desk.sender.texts) == 1


def test_a_reply_of_a_hundred_kilobytes_is_too_long(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")

    answer = reply(door, "a" * 100_000)

    assert (answer.status, answer.json["fields"]) == (422, ["body.text"])
    assert len(desk.sender.texts) == 1


def test_a_body_beyond_any_file_is_refused_before_it_is_read(door: Door) -> None:
    assert door.post(f"{door.home}/reply", raw="x" * 6_000_000).status == 413
    assert door.post("/search", raw="x" * 70_000).status == 413


@pytest.mark.parametrize("path", ["/conversations/00ff", "/conversations/..%2f", "/conversations/" + "a" * 300])
def test_an_unknown_conversation_is_not_found(door: Door, path: str) -> None:
    assert door.get(path).status == 404
    assert door.post(f"{path}/take").status == 404


@pytest.mark.parametrize("query", [{"after": "x"}, {"after": "1796040000000.i\u00e9"}, {"after": "a" * 400}])
def test_a_cursor_of_nobodys_is_invalid(door: Door, query: dict[str, str]) -> None:
    assert door.get(door.home, query=query).status == 422


@pytest.mark.parametrize("cursor", ["x", "1", "-1.aa", "1.a/b", "99999999999999999999.aa"])
def test_a_queue_cursor_of_nobodys_is_invalid(door: Door, cursor: str) -> None:
    assert door.get("/queue", query={"cursor": cursor}).status == 422


def test_a_method_that_an_address_does_not_have_is_named(door: Door) -> None:
    answer = door.call("PUT", f"{door.home}/take", {})

    assert (answer.status, answer.headers["allow"], answer.json["error"]) == (405, "POST", "method_not_allowed")
    assert door.get("/nowhere").json["error"] == "not_found"


def test_outside_the_window_the_answer_says_why(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    desk.clock.advance(24 * 3_600_000)

    answer = reply(door, "ainda aí?")

    assert (answer.status, answer.json["error"]) == (409, "window_closed")
    assert "24 horas" in answer.json["message"]


def test_a_refused_send_is_said_in_the_answer(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    desk.sender.refuse(SendFailure.RECIPIENT)

    entry = reply(door, "oi").json["entry"]

    assert (entry["state"], entry["failure"]) == ("failed", "este número não recebe mensagens do WhatsApp")


def test_a_table_that_fails_is_no_fault_of_the_callers(desk: Desk, door: Door) -> None:
    desk.store.fail_next("people_queue", IntegrationError("DynamoDB Query: gone"))

    answer = door.get("/queue")

    assert (answer.status, answer.json["error"]) == (502, "upstream")
    assert "DynamoDB" not in answer.text


def test_a_fault_of_ours_says_so_and_no_more(desk: Desk, door: Door) -> None:
    desk.store.fail_next("people_queue", RuntimeError("segredo"))

    answer = door.get("/queue")

    assert (answer.status, answer.json["error"]) == (500, "internal")
    assert "segredo" not in answer.text


# The page


def test_the_console_is_served_without_a_token_and_runs_nothing_foreign(door: Door) -> None:
    page = door.get("/console", who=None)

    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert door.get("/console", who=None, headers={"if-none-match": page.headers["etag"]}).status == 304
    assert page.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/console/../handlers/attendants.py", "/console/nope.js", "/console/.env", "/consolex"]
)
def test_nothing_but_the_consoles_files_is_served(door: Door, path: str) -> None:
    assert door.get(path, who=None).status in (401, 404)


def test_every_answer_carries_what_browsers_must_know(door: Door) -> None:
    for answer in (door.get("/queue"), door.get("/nowhere"), door.get("/queue", who=None), door.get("/console")):
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert door.get("/queue").headers["cache-control"] == "private, no-cache"


def test_the_mode_is_people_s_while_nobody_has_handed_it_back(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    desk.says("oi?")

    assert desk.head.mode is Mode.HUMAN


# Files


def with_file(desk: Desk, mime_type: str, filename: str | None = None) -> str:
    """A customer's message with a file; its key."""
    media = Media(media_id="987", mime_type=mime_type, filename=filename)
    pointer = desk.record(desk.message(kind=MessageKind.DOCUMENT, media=media))
    return public_key(pointer.sk)


def test_a_picture_is_shown_and_never_kept(desk: Desk, door: Door) -> None:
    key = with_file(desk, "image/jpeg")
    door.media.files["987"] = MediaFile(content=b"\xff\xd8\xff", mime_type="image/jpeg")
    entry = door.get(door.home).json["entries"][-1]

    answer = door.get(entry["media"]["url"])

    assert (entry["media"]["n"], answer.content) == (key, b"\xff\xd8\xff")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["content-disposition"].startswith("inline")
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("mime_type", ["text/html", "image/svg+xml", "application/pdf", "text/javascript", ""])
def test_what_could_run_is_saved_and_not_shown(desk: Desk, door: Door, mime_type: str) -> None:
    key = with_file(desk, mime_type, 'a"\r\nb.html')
    door.media.files["987"] = MediaFile(content=b"<script>alert(1)</script>", mime_type=mime_type)

    answer = door.get(f"{door.home}/media/{key}")

    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''a%22%0D%0Ab.html"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_file_that_is_gone_or_too_large_is_said_in_words(desk: Desk, door: Door) -> None:
    key = with_file(desk, "image/png")
    for content, status in ((None, 502), (b"x" * 4_500_001, 413)):
        if content is not None:
            door.media.files["987"] = MediaFile(content=content, mime_type="image/png")
        answer = door.get(f"{door.home}/media/{key}")
        assert (answer.status, bool(answer.json["message"])) == (status, True)


def test_a_message_without_a_file_has_none(desk: Desk, door: Door) -> None:
    key = door.get(door.home).json["entries"][0]["key"]

    assert door.get(f"{door.home}/media/{key}").status == 404
    assert door.get(f"{door.home}/media/1796040000000.inobody").status == 404


# Files that attendants send

PDF, PNG, JPEG = b"%PDF-1.7 boleto", b"\x89PNG\r\n\x1a\n foto", b"\xff\xd8\xff foto"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'


def file_of(content: bytes = PDF, *, name: str = "boleto de maio.pdf", mime_type: str = "application/pdf") -> Any:
    return {"name": name, "mime_type": mime_type, "content": base64.b64encode(content).decode()}


def send_file(door: Door, file: Any, *, client_id: str = "file-0001", **more: Any) -> Any:
    return door.post(f"{door.home}/reply", {"client_id": client_id, "file": file, **more})


@pytest.mark.parametrize(
    ("content", "name", "mime_type"),
    [
        (PDF, "boleto de maio.pdf", "application/pdf"),
        (PNG, "foto.png", "image/png"),
        (JPEG, "foto.JPEG", "image/jpeg"),
    ],
)
def test_a_file_reaches_the_customer_with_its_caption_and_is_shown_as_what_it_is(
    desk: Desk, door: Door, content: bytes, name: str, mime_type: str
) -> None:
    kind = "image" if mime_type.startswith("image/") else "document"
    door.post(f"{door.home}/take")

    answer = send_file(door, file_of(content, name=name, mime_type=mime_type), text="Segue.")

    entry = answer.json["entry"]
    assert (answer.status, entry["kind"], entry["text"], entry["state"]) == (200, kind, "Segue.", "sent")
    assert (entry["media"]["mime_type"], entry["media"]["filename"].lower()) == (mime_type, name.lower())
    arrived = desk.sender.arrived[-1]
    assert arrived.media is not None
    assert (arrived.text, desk.sender.uploaded[arrived.media.media_id].content) == ("Segue.", content)
    assert door.get(door.home).json["entries"][-1] == entry


def test_a_file_needs_no_caption_and_a_repeated_call_neither_uploads_nor_sends_again(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    for _ in range(2):
        assert send_file(door, file_of()).status == 200

    assert (desk.sender.uploads, desk.sender.texts[1:]) == (1, [""])


def test_our_own_file_is_fetched_from_the_channel_by_its_id(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    url = send_file(door, file_of(PNG, name="a.png", mime_type="image/png")).json["entry"]["media"]["url"]
    (media_id,) = desk.sender.uploaded
    door.media.files[media_id] = MediaFile(content=PNG, mime_type="image/png")

    assert door.get(url).content == PNG


def test_the_agents_read_that_a_file_was_sent(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")
    send_file(door, file_of(), text="até sexta")
    door.post(f"{door.home}/hand-back")
    desk.says("recebi, obrigada")

    lines = [line.text for line in desk.agent.requests[-1].history]
    assert "[a equipe enviou um arquivo: boleto de maio.pdf]\naté sexta" in lines


@pytest.mark.parametrize(
    ("file", "error"),
    [
        (file_of(SVG, name="foto.png", mime_type="image/png"), "file_type"),
        (file_of(SVG, name="foto.svg", mime_type="image/svg+xml"), "file_type"),
        (file_of(PNG, name="foto.jpg", mime_type="image/jpeg"), "file_type"),
        (file_of(b"<html>", name="a.pdf"), "file_type"),
        (file_of(PDF + b"x" * 4_000_000), "file_too_large"),
        (file_of(b""), "file_empty"),
        ({**file_of(), "content": "não é base64"}, "file_unreadable"),
        ({**file_of(), "content": "abc"}, "file_unreadable"),
        ({**file_of(), "content": 5}, "invalid"),
        ({**file_of(), "url": "https://x.example"}, "invalid"),
        ("boleto.pdf", "invalid"),
        ({}, "invalid"),
    ],
    ids=[
        "svg as png",
        "svg",
        "png as jpeg",
        "html as pdf",
        "large",
        "empty",
        "text",
        "cut",
        "number",
        "url",
        "name",
        "{}",
    ],
)
def test_a_file_that_is_none_is_answered_clearly_and_goes_nowhere(
    desk: Desk, door: Door, file: Any, error: str
) -> None:
    door.post(f"{door.home}/take")

    answer = send_file(door, file)

    assert (answer.status, answer.json["error"], bool(answer.json["message"])) == (422, error, True)
    assert (desk.sender.uploads, len(desk.sender.texts)) == (0, 1)


def test_a_file_of_five_megabytes_is_refused_with_the_limit(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")

    answer = send_file(door, file_of(PDF + b"x" * 5_000_000))

    assert (answer.status, "4 MB" in answer.json["message"]) == (413, True)
    assert desk.sender.uploads == 0


def test_the_largest_file_is_sent(door: Door) -> None:
    door.post(f"{door.home}/take")

    assert send_file(door, file_of(PDF + b"x" * (4_000_000 - len(PDF)))).status == 200


def test_a_caption_is_shorter_than_a_text(desk: Desk, door: Door) -> None:
    door.post(f"{door.home}/take")

    answer = send_file(door, file_of(), text="a" * 1025)

    assert (answer.status, answer.json["error"]) == (422, "caption_too_long")
    assert desk.sender.uploads == 0


@pytest.mark.parametrize(
    ("failure", "status", "error"),
    [
        (FilesUnsupportedError("no"), 422, "files_unsupported"),
        (SendRefusedError("no", failure=SendFailure.BAD_REQUEST, code=100), 422, "file_refused"),
        (SendRefusedError("no", failure=SendFailure.TRANSIENT), 502, "file_not_taken"),
        (SendRefusedError("no", failure=SendFailure.AUTH), 502, "file_not_taken"),
        (SendUncertainError("no"), 502, "file_not_taken"),
    ],
)
def test_what_the_channel_does_not_take_is_said_and_nothing_is_written(
    desk: Desk, door: Door, failure: Any, status: int, error: str
) -> None:
    door.post(f"{door.home}/take")
    desk.sender.fail_upload(failure)

    answer = send_file(door, file_of(), text="segue")

    assert (answer.status, answer.json["error"]) == (status, error)
    assert not any(part.author for part in desk.parts)
    assert len(desk.sender.texts) == 1
    assert send_file(door, file_of(), text="segue").status == 200
    assert desk.sender.texts[1:] == ["segue"]


@pytest.mark.parametrize("who", ["caio", "bia"])
def test_nobody_uploads_what_they_may_not_send(desk: Desk, door: Door, who: str) -> None:
    """Another's conversation, and one outside the window."""
    door.post(f"{door.home}/take")
    if who == "bia":
        desk.clock.advance(24 * 3_600_000)

    answer = door.post(f"{door.home}/reply", {"client_id": "file-0001", "file": file_of()}, who=who)

    assert (answer.status, desk.sender.uploads) == (409, 0)


# Data rights


@pytest.mark.parametrize(("method", "path"), [("GET", "/export"), ("GET", "/holdings"), ("DELETE", "")])
def test_only_who_is_responsible_hands_out_and_erases(desk: Desk, door: Door, method: str, path: str) -> None:
    answer = door.call(method, f"{door.home}{path}", headers={"if-match": '"1.1.0"'})

    assert (answer.status, answer.json["error"]) == (403, "forbidden")
    assert desk.store.inbounds(desk.conversation)


def test_a_person_is_exported_and_erased_by_what_was_seen(desk: Desk, door: Door) -> None:
    desk.clock.advance(seconds=2)
    assert "quero o boleto" in door.get(f"{door.home}/export", who="rui").text
    revision = door.get(f"{door.home}/holdings", who="rui").json["revision"]
    desk.record(desk.message("mais"))
    desk.clock.advance(seconds=2)
    for known in ({}, {"if-match": "x"}, {"if-match": f'"{revision}"'}):
        assert door.call("DELETE", door.home, who="rui", headers=known).status in (409, 422)

    revision = door.get(f"{door.home}/holdings", who="rui").json["revision"]
    receipt = door.call("DELETE", door.home, who="rui", headers={"if-match": f'"{revision}"'})

    assert (receipt.status, receipt.json["done"]) == (200, True)
    assert desk.store.inbounds(desk.conversation) == ()


def test_another_sites_page_cannot_erase(desk: Desk, door: Door) -> None:
    cookies, headers = [f"__Host-balcao={TOKENS['rui']}"], {"sec-fetch-site": "cross-site", "if-match": '"1.1.0"'}

    assert door.call("DELETE", door.home, who=None, cookies=cookies, headers=headers).status == 403
