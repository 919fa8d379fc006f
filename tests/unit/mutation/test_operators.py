"""Which faults a piece of source can have, and that what cannot change anything is left alone."""

from __future__ import annotations

import ast

import pytest

from mutation.operators import faults_of, names_given_at


def faulty(source: str) -> list[str]:
    """The source with each of its faults."""
    return [edit.applied(source.encode()).decode() for place in faults_of(source.encode()) for edit in place]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("x < y", ["x <= y", "x >= y"]),
        ("x <= y", ["x < y", "x > y"]),
        ("x > y", ["x >= y", "x <= y"]),
        ("x >= y", ["x > y", "x < y"]),
        ("x == y", ["x != y"]),
        ("x != y", ["x == y"]),
        ("x is y", ["x is not y"]),
        ("x is not  y", ["x is  y"]),
        ("x in y", ["x not in y"]),
        ("x not in y", ["x in y"]),
        ("within in inside", ["within not in inside"]),
        ("x < y <= z", ["x <= y <= z", "x >= y <= z", "x < y < z", "x < y > z"]),
        ("x and y or z", ["x and y and z", "x or y or z"]),
        ("not x", ["x"]),
        ("f(7)", ["f(8)", "f(6)"]),
        ("f[0]", ["f[1]"]),
        ("f(True)", ["f(False)"]),
        ("x if y else z", ["x if (not (y)) else z"]),
        ("[x for x in y if x]", ["[x for x in y if (not (x))]"]),
        ("ação < 'é'", ["ação <= 'é'", "ação >= 'é'"]),
    ],
)
def test_an_expression_has_its_faults(right: str, wrong: list[str]) -> None:
    assert sorted(faulty(f"r = {right}\n")) == sorted(f"r = {each}\n" for each in wrong)


def test_a_condition_is_negated_and_an_early_way_out_dropped() -> None:
    source = "def f(x):\n    if x:\n        return\n    g()\n"

    assert faulty(source) == [
        "def f(x):\n    if (not (x)):\n        return\n    g()\n",
        "def f(x):\n    if x:\n        pass\n    g()\n",
    ]


@pytest.mark.parametrize("way_out", ["continue", "break"])
def test_a_loops_way_out_is_dropped(way_out: str) -> None:
    dropped = "for x in y:\n    if x:\n        pass\n    g()\n"

    assert dropped in faulty(f"for x in y:\n    if x:\n        {way_out}\n    g()\n")


def test_a_condition_that_can_only_be_turned_is_not_negated_too() -> None:
    assert faulty("while x == y:\n    f()\n") == ["while x != y:\n    f()\n"]


def test_a_default_and_a_returned_truth_can_be_wrong() -> None:
    assert faulty("def f(x=True):\n    return False\n") == [
        "def f(x=False):\n    return False\n",
        "def f(x=True):\n    return True\n",
    ]


@pytest.mark.parametrize(
    "source",
    [
        '"""Words < words."""\n',
        'def f():\n    """Words 7."""\n',
        "x: Literal[7]\n",
        "def f(x: Annotated[int, 7]) -> Literal[7]: ...\n",
        "@dataclass(frozen=True, slots=True)\nclass A:\n    x: int\n",
        "class P(Protocol):\n    def f(self, x: int = 7) -> None: ...\n",
        "if TYPE_CHECKING:\n    x = 7\n",
        '_log.info("x", extra={"n": 7})\n',
        "zip(x, y, strict=True)\n",
        "raise ValueError(7)\n",
    ],
)
def test_what_says_nothing_when_it_runs_has_no_fault(source: str) -> None:
    ast.parse(source)

    assert faulty(source) == []


def test_a_fault_changes_no_other_line() -> None:
    source = "a = 1\n\nb = (\n    x\n    <\n    y\n)\nc = 2\n"

    for wrong in faulty(source):
        pairs = zip(source.splitlines(), wrong.splitlines(), strict=True)
        assert sum(before != after for before, after in pairs) == 1


def test_a_faults_line_is_where_it_can_be_seen() -> None:
    (place,) = faults_of(b"a = x\n\n\nb = x < y\n")

    assert {edit.line for edit in place} == {4}


def test_a_constant_is_known_by_the_names_that_it_gives() -> None:
    source = b"A = 7\n\nclass P:\n    b: int = 8\n\nc = d = (\n    9\n)\nA |= 1\n"

    assert [list(names_given_at(source, line)) for line in (1, 2, 4, 7, 9)] == [["A"], [], ["b"], ["c", "d"], ["A"]]


def test_a_default_is_known_by_its_parameter() -> None:
    source = b"def f(a, b=1, *, c,\n    d=2, e=None): ...\n"

    assert [list(names_given_at(source, line)) for line in (1, 2)] == [["b"], ["d", "e"]]
