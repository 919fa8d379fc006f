"""Lines of keys in TOML files, by the names that the readers give to tables."""

from __future__ import annotations

import pytest

from company_check.toml_lines import line_in_error, line_of

TEXT = """\
timezone = "America/Sao_Paulo"

[company]
name = "Empresa"

[[fields]]
id = "um"
question = "Um?"

[[fields]]
id = "dois"
type = "enum"

[[fields.values]]
id = "a"

[[fields.values]]
id = "b"
name = "B"

[[services]]
id = "alfa"
required.qualificacao = ["um"]

[services.optional]
coleta = ["dois"]

[handoff.stale]
open = "x"
"""


@pytest.mark.parametrize(
    ("table", "key", "line"),
    [
        ("", "timezone", 1),
        ("company", "name", 4),
        ("company", "offers", 3),
        ("fields[1] (um)", "question", 8),
        ("fields[2] (dois)", "type", 12),
        ("fields (dois)", "type", 12),
        ("fields[2] (dois).values[2] (b)", "name", 19),
        ("services (alfa).required", "qualificacao", 23),
        ("services[1] (alfa).optional", "coleta", 26),
        ("handoff.stale", "open", 29),
        ("handoff", "stale", 28),
        ("handoff.outro", "open", 1),
        ("fields (três)", "id", 1),
    ],
)
def test_a_key_has_its_line_and_a_missing_one_the_line_of_its_table(table: str, key: str, line: int) -> None:
    assert line_of(TEXT, table, key) == line


def test_a_syntax_error_names_its_line_itself() -> None:
    assert line_in_error("is no TOML: Invalid value (at line 12, column 3)") == 12
    assert line_in_error("is empty") is None
