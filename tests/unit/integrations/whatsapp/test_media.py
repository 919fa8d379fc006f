"""Fetching a customer's file from Meta: two requests, the token only where it belongs, and no more bytes than asked."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from core.domain.errors import IntegrationError, MediaError
from core.domain.media import MediaFile
from core.integrations.whatsapp.media import GraphMediaFetcher

BASE = "https://graph.example"
FILE_URL = "https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=91&ext=1&hash=x"
OPUS = "audio/ogg; codecs=opus"


class Graph:
    """The two addresses of a file; `about` and `file` may be replaced by any answer or error."""

    def __init__(self, **about: Any) -> None:
        self.about: Any = {"url": FILE_URL, "mime_type": OPUS, "file_size": 4, "id": "91"} | about
        self.file: Any = b"OggS"
        self.requests: list[httpx2.Request] = []
        self.good_tokens = {"token-1"}

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        if request.headers["authorization"].removeprefix("Bearer ") not in self.good_tokens:
            return httpx2.Response(401, json={"error": {"code": 190}})
        answer = self.about if request.url.host == "graph.example" else self.file
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, bytes):
            return httpx2.Response(200, content=answer)
        return answer if isinstance(answer, httpx2.Response) else httpx2.Response(200, json=answer)

    def client(self) -> httpx2.Client:
        return httpx2.Client(transport=httpx2.MockTransport(self))


def fetch(graph: Graph, token: Callable[[bool], str] = lambda _: "token-1", **limits: Any) -> MediaFile:
    fetcher = GraphMediaFetcher(base_url=f"{BASE}/", api_version="v24.0", token=token, new_client=graph.client)
    asked = {"phone_number_id": "330", "max_bytes": 1000, "timeout_seconds": 5.0} | limits
    return fetcher.fetch("91", **asked)


def reason(graph: Graph, **limits: Any) -> str:
    with pytest.raises(MediaError) as caught:
        fetch(graph, **limits)
    return caught.value.reason


def test_a_file_is_asked_for_by_its_id_and_fetched_from_where_meta_says_with_the_token() -> None:
    graph = Graph()

    assert fetch(graph) == MediaFile(content=b"OggS", mime_type=OPUS)

    assert [str(request.url) for request in graph.requests] == [f"{BASE}/v24.0/91?phone_number_id=330", FILE_URL]
    assert {request.headers["authorization"] for request in graph.requests} == {"Bearer token-1"}
    assert all(request.headers["user-agent"] for request in graph.requests)


def test_an_id_cannot_lead_elsewhere() -> None:
    graph = Graph()
    fetcher = GraphMediaFetcher(base_url=BASE, api_version="v24.0", token=lambda _: "token-1", new_client=graph.client)
    fetcher.fetch("../me?x=", phone_number_id="330", max_bytes=10, timeout_seconds=5.0)

    assert graph.requests[0].url.raw_path.startswith(b"/v24.0/..%2Fme%3Fx%3D?")


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/x",
        "https://fbsbx.com.evil.example/x",
        "http://lookaside.fbsbx.com/x",
        "https://evilfbsbx.com/x",
        "ftp://lookaside.fbsbx.com/x",
        "//lookaside.fbsbx.com/x",
        "x",
    ],
)
def test_the_token_goes_to_nobody_else(url: str) -> None:
    graph = Graph(url=url)

    assert reason(graph) == "address_not_trusted"
    assert len(graph.requests) == 1


def test_an_address_of_the_same_server_is_trusted() -> None:
    """As the stand-in's are, on this machine."""
    graph = Graph(url=f"{BASE}/files/91")
    graph.file = graph.about

    assert fetch(graph).mime_type == OPUS


def test_a_refused_token_is_read_anew_once() -> None:
    graph, asked = Graph(), []
    graph.good_tokens = {"token-2"}

    def token(refetch: bool) -> str:
        asked.append(refetch)
        return "token-2" if refetch else "token-1"

    assert fetch(graph, token).content == b"OggS"
    assert asked == [False, True]


def test_a_token_that_is_refused_twice_is_given_up() -> None:
    graph = Graph()
    graph.good_tokens = set()

    assert reason(graph) == "refused"
    assert len(graph.requests) == 2


def test_a_file_that_is_told_to_be_too_large_is_not_fetched() -> None:
    graph = Graph(file_size="1001")

    assert reason(graph) == "too_large"
    assert len(graph.requests) == 1


def test_a_file_that_turns_out_to_be_too_large_is_dropped() -> None:
    graph = Graph()
    graph.file = b"x" * 1001

    assert reason(graph) == "too_large"


@pytest.mark.parametrize(
    ("about", "why"),
    [
        (httpx2.Response(404, json={"error": {"code": 100}}), "gone"),
        (httpx2.Response(400, json={"error": {"code": 100}}), "gone"),
        (httpx2.Response(500, text="<html>"), "answer_unreadable"),
        (httpx2.Response(200, text="texto"), "answer_unreadable"),
        (httpx2.Response(200, json=[]), "answer_unreadable"),
        (httpx2.Response(200, json={}), "refused"),
        (httpx2.Response(302, headers={"location": "https://evil.example"}, json={"url": FILE_URL}), "refused"),
        (httpx2.ConnectError("x"), "not_reached"),
        (httpx2.ReadTimeout("x"), "not_reached"),
        (httpx2.RemoteProtocolError("x"), "not_reached"),
    ],
    ids=["404", "400", "500", "text", "list", "empty", "redirect", "no connection", "timeout", "hang-up"],
)
def test_a_file_that_meta_does_not_give_is_an_error_with_its_reason(about: Any, why: str) -> None:
    graph = Graph()
    graph.about = about

    assert reason(graph) == why


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (httpx2.Response(404), "download_refused"),
        (httpx2.Response(302, headers={"location": "https://evil.example"}), "download_refused"),
        (b"", "download_refused"),
        (httpx2.ReadTimeout("x"), "not_reached"),
    ],
    ids=["404", "redirect", "empty", "timeout"],
)
def test_bytes_that_do_not_come_are_an_error_with_its_reason(file: Any, why: str) -> None:
    graph = Graph()
    graph.file = file

    assert reason(graph) == why


def test_a_token_that_cannot_be_read_is_an_error_of_the_file() -> None:
    def unreadable(_refetch: bool) -> str:
        raise IntegrationError("SSM GetParameters: X")

    with pytest.raises(MediaError, match="token_unreadable"):
        fetch(Graph(), unreadable)


def test_nothing_is_logged_and_no_error_holds_a_token_or_an_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="core")
    graph = Graph()
    graph.about = httpx2.ConnectError(f"{FILE_URL} token-1")

    with pytest.raises(MediaError) as caught:
        fetch(graph)

    assert caplog.records == []
    assert caught.value.__cause__ is None
    assert "token-1" not in str(caught.value)
