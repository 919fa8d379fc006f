"""The page of a report: one file that reaches nobody, escapes what customers wrote and stays within 5 MB."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from replay.reporting.page import MOST_BYTES, write_page
from replay.reporting.summary import Summary
from tests.unit.replay.conftest import Replay

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'


class Elements(HTMLParser):
    """What a browser would make of the page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.found)


@pytest.fixture
def changed(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> Summary:
    """A run in which something changed."""
    from core.domain.guard import detectors
    from core.domain.guard.phrases import RuleIndex

    index, nothing = detectors.rule_index, RuleIndex(())
    monkeypatch.setattr(
        detectors, "rule_index", lambda name: nothing if name == detectors.HUMAN_REQUEST else index(name)
    )
    return replay()


def page_of(summary: Summary, tmp_path: Path) -> str:
    write_page(tmp_path / "replay.html", summary)
    return (tmp_path / "replay.html").read_text("utf-8")


def with_hostile_words(summary: Summary, times: int = 1) -> Summary:
    (session, *_) = summary.changed
    turns = [{**turn, "customer": HOSTILE * times, "text": [HOSTILE, HOSTILE * times]} for turn in session["turns"]]
    differences = [{"aspect": "fields", "words": HOSTILE, "before": {"a": HOSTILE}, "after": {"b": HOSTILE}}]
    first = {**session, "id": "abc", "turns": [{**turns[0], "differences": differences, "error": ""}]}
    return replace(summary, changed=(first,))


def test_the_page_shows_what_changed_first_side_by_side(changed: Summary, tmp_path: Path) -> None:
    page = page_of(changed, tmp_path)

    assert "Há mudanças que ninguém aceitou." in page
    assert "a primeira diferença" in page
    assert "quero falar com uma pessoa, não com robô" in page
    assert page.count("<svg") == 2


def test_nothing_is_loaded_and_nothing_runs_but_the_page_s_own(changed: Summary, tmp_path: Path) -> None:
    elements = Elements(page_of(changed, tmp_path))

    policy = next(each["content"] or "" for name, each in elements.found if name == "meta" and "content" in each)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not any({"src", "onclick", "style", "srcset"} & set(attributes) for _, attributes in elements.found)
    assert all((each.get("href") or "#").startswith("#") for _, each in elements.found)


def test_what_a_customer_wrote_is_never_markup(changed: Summary, tmp_path: Path) -> None:
    calm, hostile = page_of(changed, tmp_path), page_of(with_hostile_words(changed), tmp_path)

    assert Elements(hostile).count("script") == Elements(calm).count("script") == 2
    assert Elements(hostile).count("img") == 0
    assert "&lt;img" in hostile


def test_without_script_everything_can_be_read(changed: Summary, tmp_path: Path) -> None:
    page = page_of(changed, tmp_path)
    without = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)

    assert "quero falar com uma pessoa" in without
    assert '<form id="filters" hidden>' in without


def test_what_does_not_fit_is_counted(changed: Summary, tmp_path: Path) -> None:
    one = with_hostile_words(changed, times=2_000).changed[0]
    page = page_of(replace(changed, changed=tuple({**one, "id": f"{n:03d}"} for n in range(60))), tmp_path)

    assert len(page.encode()) <= MOST_BYTES
    assert re.search(r"E mais \d+ sessões, que não couberam", page)


def test_a_run_without_changes_has_a_page_too(replay: Replay, tmp_path: Path) -> None:
    page = page_of(replay(), tmp_path)

    assert "Nada piorou." in page
    assert "Sessões que mudaram" not in page
