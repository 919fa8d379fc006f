"""A company's scenes as data: what is read, what is refused by name, and what a catalogue alone suggests."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from conversation.company import chosen_company
from conversation.derived_scene import NAME, answer_to
from conversation.scenes import Scene, derived_scene, load_scenes
from core.application.actions.check_digits import DOCUMENT_RULES
from core.application.parser import LLMResponseParseError, parse_llm_response
from core.config.catalog_file import load_catalog
from core.config.settings import DEFAULT_COMPANY
from core.domain.catalogue.catalog import Catalog, Company, FieldScope, FieldSpec, FieldType, Service
from core.domain.values.identifiers import Rejected
from core.domain.values.read_value import ValueReader
from local_stack import local_settings
from local_stack.errors import StackError
from tests.neutral_company import PROMPTS_DIR
from tests.shipped_companies import NAMES

COMPANIES = sorted(path for path in (PROMPTS_DIR / "companies").iterdir() if path.is_dir())
SOURCES = Path(__file__).resolve().parents[3] / "scripts" / "conversation"
each_company = pytest.mark.parametrize("folder", COMPANIES, ids=lambda path: path.name)

ONE_FIELD = Catalog(
    company=Company(name="Oficina"),
    services=(Service(id="revisao", name="Revisão", description="x", required={}),),
    fields=(),
)
SCENE = """[[scenes]]
title = "1. Uma cena"
customer = "Lara"
says = ["oi", "tchau"]
"""


def written(folder: Path, text: str) -> Path:
    (folder / "cenas.toml").write_text(text, encoding="utf-8")
    return folder


def complaints(folder: Path, text: str) -> list[str]:
    with pytest.raises(StackError) as caught:
        load_scenes(written(folder, text), ONE_FIELD)
    assert caught.value.next_step == f"correct {folder / 'cenas.toml'}"
    return str(caught.value).splitlines()[1:]


# Reading


@each_company
def test_every_companys_own_scenes_can_be_played(folder: Path) -> None:
    scenes = load_scenes(folder, load_catalog(folder / "catalog.toml"))
    assert len(scenes) == 4
    assert scenes[0].expected.handoff == "completed"
    assert scenes[0].summary


@each_company
def test_a_reply_that_a_scene_scripts_is_one_that_breaks_the_format(folder: Path) -> None:
    replies = [r for s in load_scenes(folder, load_catalog(folder / "catalog.toml")) for r in s.model.replies]
    assert replies
    for reply in replies:
        with pytest.raises(LLMResponseParseError):
            parse_llm_response(reply)


def test_a_scene_needs_no_more_than_a_title_a_customer_and_what_is_said(tmp_path: Path) -> None:
    assert load_scenes(written(tmp_path, SCENE), ONE_FIELD) == (
        Scene(title="1. Uma cena", customer="Lara", says=("oi", "tchau")),
    )


def test_orders_for_the_model_are_what_its_stand_in_takes(tmp_path: Path) -> None:
    orders = 'model = { replies = ["x", "y"], http_status = 503, times = 8 }'
    (scene,) = load_scenes(written(tmp_path, SCENE + orders), ONE_FIELD)
    assert scene.model.as_control() == {"script": ["x", "y"], "fail": {"http_status": 503, "times": 8}}


def test_a_scene_without_orders_leaves_the_model_alone(tmp_path: Path) -> None:
    (scene,) = load_scenes(written(tmp_path, SCENE), ONE_FIELD)
    assert scene.model.as_control() == {}


# Mistakes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "- cenas.toml: scenes is missing"),
        ('[[scenes]]\ncustomer = "Lara"\nsays = ["oi"]', "- cenas.toml: scenes[1]: title is missing"),
        ('[[scenes]]\ntitle = "1"\ncustomer = "Lara"', "- cenas.toml: scenes[1]: says must have at least one line"),
        (SCENE + SCENE + 'answers = ["x"]', "- cenas.toml: scenes[2]: answers is not a known key"),
        (SCENE + 'expects = { handoff = "done" }', "- cenas.toml: scenes[1].expects: handoff is 'done', not one of "),
        (
            SCENE + 'expects = { packages = ["MENU"] }',
            "- cenas.toml: scenes[1].expects: packages names 'MENU', which is no package",
        ),
        (
            SCENE + "model = { http_status = 200 }",
            "- cenas.toml: scenes[1].model: http_status must be that of an error, 400 to 599",
        ),
        (SCENE + "model = { reply = 'x' }", "- cenas.toml: scenes[1].model: reply is not a known key"),
    ],
)
def test_a_mistake_is_named_by_file_table_and_key(tmp_path: Path, text: str, complaint: str) -> None:
    assert any(line.startswith(complaint) for line in complaints(tmp_path, text))


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(StackError, match=r"cenas\.toml: cannot be read"):
        load_scenes(written(tmp_path, "scenes = "), ONE_FIELD)


# A company without scenes


@each_company
def test_a_catalogue_alone_gives_a_whole_conversation(folder: Path, tmp_path: Path) -> None:
    catalog = load_catalog(folder / "catalog.toml")
    (scene,) = load_scenes(tmp_path, catalog)
    assert scene == derived_scene(catalog)
    assert scene.expected.handoff == "completed"
    assert scene.says[0].casefold().endswith(catalog.services[0].name.casefold())
    assert NAME in scene.says


@each_company
def test_every_answer_that_is_made_up_is_one_that_the_field_takes(folder: Path) -> None:
    catalog = load_catalog(folder / "catalog.toml")
    for spec in catalog.fields:
        answer = answer_to(spec)
        reader = ValueReader(catalog=catalog, written=answer, documents=DOCUMENT_RULES)
        assert not isinstance(reader.read(spec, answer), Rejected), f"{spec.id}: {answer}"


@pytest.mark.parametrize(
    ("bounds", "answer"),
    [({}, "2"), ({"minimum": 10}, "10"), ({"maximum": 1}, "1"), ({"minimum": 0.5, "maximum": 1.5}, "1,5")],
)
def test_a_number_that_is_made_up_stays_within_its_bounds(bounds: dict[str, float], answer: str) -> None:
    spec = FieldSpec(
        id="n", name="n", type=FieldType.DECIMAL, scope=FieldScope.SERVICE, question="?",
        **{name: Decimal(str(value)) for name, value in bounds.items()},
    )  # fmt: skip
    assert answer_to(spec) == answer


# Whose scenes


def test_without_a_wish_the_company_is_the_default_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANY", raising=False)
    monkeypatch.setattr(local_settings, "read_env_file", lambda path: None)
    assert chosen_company().folder.name == DEFAULT_COMPANY


def test_the_environment_names_the_company(monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(name for name in NAMES if name != DEFAULT_COMPANY)
    monkeypatch.setenv("COMPANY", other)
    assert chosen_company().folder.name == other


def test_a_company_that_is_not_there_is_refused_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANY", "padaria")
    with pytest.raises(StackError, match=f"'padaria'; it has: {', '.join(NAMES)}"):
        chosen_company()


@each_company
def test_the_player_itself_knows_no_trade(folder: Path) -> None:
    catalog = load_catalog(folder / "catalog.toml")
    names = {catalog.company.name, *(name for s in catalog.services for name in (s.id, s.name, *s.synonyms))}
    spoken = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)", re.IGNORECASE)
    for source in SOURCES.glob("*.py"):
        assert not spoken.search(source.read_text(encoding="utf-8")), source.name
