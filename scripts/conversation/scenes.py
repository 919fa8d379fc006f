"""A company's scenes for the demo: `cenas.toml` in its folder, each with what must come of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.config.mistakes import CompanyFilesError, Mistake
from core.config.toml_table import TomlTable
from core.domain.catalogue.catalog import Catalog
from core.domain.handoff import HandoffReason
from local_stack.errors import StackError

from .derived_scene import NAME, TITLE, derived_lines

SCENES_FILE = "cenas.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What must come of a scene. Empty: it does not matter. `shown` and `packages` may come in any of its answers."""

    handoff: str = ""
    repair: str = ""
    without_model: bool = False
    packages: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOrders:
    """What the model stand-in is told beforehand: replies to give in order, or an HTTP error, so many times."""

    replies: tuple[str, ...] = ()
    http_status: int | None = None
    times: int = 1

    def as_control(self) -> Mapping[str, Any]:
        """As `local_stack.model_standin` takes them; empty when there are none."""
        orders: dict[str, Any] = {"script": list(self.replies)} if self.replies else {}
        if self.http_status is not None:
            orders["fail"] = {"http_status": self.http_status, "times": self.times}
        return orders


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One customer, who says one thing after another until a person takes over. `summary`: show what that one finds."""

    title: str
    customer: str
    says: tuple[str, ...]
    summary: bool = False
    model: ModelOrders = ModelOrders()
    expected: Expected = Expected()


def load_scenes(folder: Path, catalog: Catalog) -> tuple[Scene, ...]:
    """A company's scenes, or one that its catalogue suggests. Raises `StackError` with every mistake in the file."""
    if not (folder / SCENES_FILE).is_file():
        return (derived_scene(catalog),)
    scenes, mistakes = read_scenes(folder, catalog)
    if mistakes:
        raise StackError(str(CompanyFilesError(folder, mistakes)), next_step=f"correct {folder / SCENES_FILE}")
    return scenes


def read_scenes(folder: Path, catalog: Catalog) -> tuple[tuple[Scene, ...], Sequence[Mistake]]:
    """The scenes of the file as far as they can be read, and everything that is wrong with it."""
    try:
        content = tomllib.loads((folder / SCENES_FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return (), (Mistake(file=SCENES_FILE, what=f"cannot be read: {error}"),)
    mistakes: list[Mistake] = []
    top = TomlTable(SCENES_FILE, "", content, mistakes)
    scenes = tuple(_scene(table, catalog) for table in top.tables("scenes"))
    if not scenes and not mistakes:
        top.problem("scenes", "is missing")
    top.finish()
    return scenes, mistakes


def derived_scene(catalog: Catalog) -> Scene:
    """A whole conversation about the first service, for a company that wrote no scenes."""
    return Scene(
        title=TITLE,
        customer=NAME,
        says=derived_lines(catalog),
        summary=True,
        expected=Expected(handoff=HandoffReason.COMPLETED.value),
    )


def _scene(table: TomlTable, catalog: Catalog) -> Scene:
    scene = Scene(
        title=table.text("title"),
        customer=table.text("customer"),
        says=table.texts("says"),
        summary=table.flag("summary"),
        model=_orders(table.table("model")),
        expected=_expected(table.table("expects"), catalog),
    )
    if not scene.says:
        table.problem("says", "must have at least one line")
    table.finish()
    return scene


def _orders(table: TomlTable) -> ModelOrders:
    orders = ModelOrders(
        replies=table.texts("replies"), http_status=table.integer("http_status"), times=table.integer("times") or 1
    )
    if orders.http_status is not None and not 400 <= orders.http_status <= 599:
        table.problem("http_status", "must be that of an error, 400 to 599")
    table.finish()
    return orders


def _expected(table: TomlTable, catalog: Catalog) -> Expected:
    expected = Expected(
        handoff=table.text("handoff", default=""),
        repair=table.text("repair", default=""),
        without_model=table.flag("without_model"),
        packages=table.texts("packages"),
        shown=table.texts("shown"),
    )
    if expected.handoff and expected.handoff not in set(HandoffReason):
        table.problem("handoff", f"is {expected.handoff!r}, not one of {', '.join(HandoffReason)}")
    for name in expected.packages:
        if catalog.package(name) is None:
            table.problem("packages", f"names {name!r}, which is no package")
    table.finish()
    return expected
