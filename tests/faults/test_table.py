"""docs/reliability.md names tests that exist, and every test of this package stands in it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def _table() -> set[tuple[str, str]]:
    text = (REPOSITORY / "docs" / "reliability.md").read_text("utf-8")
    return set(NAMED.findall(text))


def _tests(path: str) -> set[tuple[str, str]]:
    tree = ast.parse((REPOSITORY / path).read_text("utf-8"))
    return {
        (path, node.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_test_that_is_named_exists() -> None:
    named = _table()
    assert len(named) > 40
    for path in sorted({path for path, _ in named}):
        assert (REPOSITORY / path).is_file(), f"{path} is named, and there is no such file"
        missing = {name for where, name in named if where == path} - {n for _, n in _tests(path)}
        assert not missing, f"{path} has no {sorted(missing)}"


def test_every_fault_test_is_named() -> None:
    here = Path(__file__).parent
    paths = {f"tests/faults/{path.name}" for path in here.glob("test_*.py")}
    tests = {test for path in paths - {"tests/faults/test_table.py"} for test in _tests(path)}
    assert tests - _table() == set()
