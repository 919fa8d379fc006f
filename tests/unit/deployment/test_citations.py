"""What the code cites stands in this repository: documents exist, and have the headings that are quoted after them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.template_file import ROOT

_HEADING = r'"[^"\n]{1,80}"'
_CITED = re.compile(rf"(docs/[\w/-]+\.md)((?:,? (?:and )?{_HEADING})*)")
_ELSEWHERE = re.compile(r"(?<![\w/-])[0-9]{2}-[a-z][\w-]*\.md")
_TITLE = re.compile(r"^#+ (.+)$", re.MULTILINE)
_STEP = re.compile(r"docs/turn\.md, (?:order of a turn, )?steps? ([0-9](?: and [0-9])*)")


def sources() -> Iterator[tuple[str, str]]:
    """Each Python file that may cite, as one line: a citation may be broken over two."""
    for folder in ("src", "tests", "scripts", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path != Path(__file__):
                yield str(path.relative_to(ROOT)), " ".join(path.read_text("utf-8").split())


def headings(document: str) -> set[str]:
    return {title.strip("`") for title in _TITLE.findall((ROOT / document).read_text("utf-8"))}


CITATIONS = sorted(
    {
        (name, document, heading.strip('"'))
        for name, text in sources()
        for document, quoted in _CITED.findall(text)
        for heading in re.findall(_HEADING, quoted) or [""]
    }
)


@pytest.mark.parametrize(("name", "document", "heading"), CITATIONS)
def test_a_cited_document_exists_and_has_the_heading_that_is_quoted(name: str, document: str, heading: str) -> None:
    assert (ROOT / document).is_file(), f"{name} cites {document}"
    assert not heading or heading in headings(document), f"{name} cites {document}, {heading!r}"


def test_a_cited_step_of_the_turn_is_one_of_its_order() -> None:
    order = (ROOT / "docs/turn.md").read_text("utf-8").partition("## Order of a turn\n")[2].partition("\n## ")[0]
    steps = set(re.findall(r"^([0-9]+)\. ", order, re.MULTILINE))
    cited = {step for _, text in sources() for found in _STEP.findall(text) for step in re.findall(r"[0-9]", found)}

    assert cited
    assert cited <= steps


def test_code_cites_no_page_outside_the_repository() -> None:
    assert [(name, page) for name, text in sources() for page in _ELSEWHERE.findall(text)] == []


def test_documents_lead_to_documents_that_exist() -> None:
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, link) for page in documents for link in re.findall(r"\]\(([\w./-]+\.md)\)", page.read_text("utf-8"))
    ]
    cited = [
        (page, path) for page in documents for path in re.findall(r"`(docs/[\w/-]+\.md)`", page.read_text("utf-8"))
    ]

    assert [(str(page), link) for page, link in links if not (page.parent / link).is_file()] == []
    assert [(str(page), path) for page, path in cited if not (ROOT / path).is_file()] == []
