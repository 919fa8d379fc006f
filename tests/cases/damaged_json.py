"""JSON with one place damaged: a value taken away or put in its place, nesting and digits without end."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

REMOVE, DEEP, ENDLESS = "@@remove@@", "@@deep@@", "@@endless@@"


def paths(node: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every place within."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield (*here, key)
        yield from paths(child, (*here, key))


def damage(node: Any, path: tuple[Any, ...], junk: Any) -> Any:
    """A copy with `junk` at `path`, or nothing there for `REMOVE`."""
    node = copy.deepcopy(node)
    holder = node
    for key in path[:-1]:
        holder = holder[key]
    if junk == REMOVE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = junk
    return node


def written(body: Any) -> str:
    """As text, with what no Python value could hold in the place of `DEEP` and `ENDLESS`."""
    return json.dumps(body).replace(f'"{DEEP}"', "[" * 2500 + "]" * 2500).replace(f'"{ENDLESS}"', "7" * 5000)
