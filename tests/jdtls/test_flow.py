"""What the README shows, from a fresh cache folder to an edit, with the real engine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.jdtls.cli import Cli
from tests.jdtls.samples import SAMPLES
from tests.support.trees import Tree

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

SERVICE = "orders/src/main/java/shop/orders/OrderService.java"
LINES_BEFORE = "\n\n\n"
MEMBER = "    /** Added. */\n    int addedByTheTest() {\n        return 1;\n    }\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A git checkout of the sample project."""
    folder = tmp_path / "maven-shop"
    shutil.copytree(SAMPLES / "maven-shop", folder)
    Tree(folder).commit()
    return folder


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home")


class Trap:
    """A Java that passes every check and leaves a mark when it is run."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "was-run"
        self.home = folder / "trap"
        java = self.home / "bin" / "java"
        java.parent.mkdir(parents=True)
        java.write_text(f"#!/bin/sh\n: > '{self.mark}'\nexit 9\n", "utf-8")
        java.chmod(0o755)
        # With this file its version is read, not asked for.
        (self.home / "release").write_text('JAVA_VERSION="25.0.1"\n', "utf-8")


def leftovers(cli: Cli) -> list[str]:
    """Processes and temporary folders of this test that should be gone."""
    found = [str(path) for path in cli.temporary.iterdir()]
    for process in psutil.process_iter(["cmdline"]):
        if any(str(cli.home) in part for part in process.info["cmdline"] or ()):
            found.append(str(process))
    return found


def names_line_of(hit: dict[str, Any]) -> bool:
    """True when the line that the hit gives declares the type, as the file is now."""
    lines = Path(hit["file"]).read_text("utf-8").splitlines()
    return f"class {hit['name']}" in lines[hit["selectionRange"]["startLine"] - 1]


def test_index_find_outline_and_edit(shop: Path, cli: Cli, tmp_path: Path) -> None:
    trap = Trap(tmp_path)
    trapped = cli.with_environment(JAVADEX_JAVA=str(trap.home))
    total = len(list(shop.rglob("*.java")))

    first = cli.json("index", shop)
    (workspace,) = first["workspaces"]
    assert (workspace["files"], workspace["outlined"]) == (total, total)
    assert first["problems"] == []
    assert first["db"].startswith(str(cli.home / "cache"))
    assert leftovers(cli) == []

    hit = cli.json("find", "OrderService", "--root", shop)["results"][0]
    assert (hit["name"], hit["kind"], hit["container"]) == ("OrderService", "Class", "shop.orders")
    assert hit["file"] == str(shop / SERVICE)
    assert names_line_of(hit)

    before = trapped.json(
        "outline", hit["documentUri"], "--limit", "0", "--explain", "--root", shop
    )
    assert before["_meta"]["source"] == "index"
    package, service = before["symbols"]
    assert (package["name"], service["name"]) == ("shop.orders", "OrderService")

    second = trapped.json("index", shop)
    assert second["workspaces"][0] | {"reused": total, "outlined": 0} == second["workspaces"][0]
    assert not trap.mark.exists()
    assert Tree(shop).git("status", "--porcelain", "--ignored") == ""

    text = (shop / SERVICE).read_text("utf-8")
    body, closing, end = text.rpartition("}")
    (shop / SERVICE).write_text(LINES_BEFORE + body + MEMBER + closing + end, "utf-8")
    hits = cli.json("find", "OrderService", "--no-scan", "--root", shop)["results"]
    assert all(map(names_line_of, hits)), "a wrong line is worse than no answer"
    trapped.run("outline", shop / SERVICE, "--root", shop, exits_with=4)
    assert trap.mark.exists(), "the trap is no proof that no Java was started"

    after = cli.json("outline", shop / SERVICE, "--limit", "0", "--explain", "--root", shop)
    assert after.pop("_meta")["source"] == "live"
    edited = after["symbols"][1]
    shift = len(LINES_BEFORE)
    assert edited["startLine"] == service["startLine"] + shift
    assert edited["endLine"] == service["endLine"] + shift + MEMBER.count("\n")
    assert [child["name"] for child in edited["children"]] == [
        *(child["name"] for child in service["children"]),
        "addedByTheTest()",
    ]
    assert edited["children"][-1]["readFileRange"]["limit"] == MEMBER.count("\n")
    again = trapped.json("outline", shop / SERVICE, "--limit", "0", "--explain", "--root", shop)
    assert again.pop("_meta")["source"] == "index"
    assert again == after

    third = trapped.json("index", shop)
    assert third["workspaces"][0]["outlined"] == 0
    hit = cli.json("find", "OrderService", "--root", shop)["results"][0]
    assert hit["file"] == str(shop / SERVICE)
    assert names_line_of(hit)

    (shop / SERVICE).write_text(LINES_BEFORE * 2 + text, "utf-8")
    fresh = (shop / SERVICE).with_name("FreshService.java")
    fresh.write_text("package shop.orders;\n\nclass FreshService {\n}\n", "utf-8")
    (new,) = cli.json("find", "FreshService", "--root", shop)["results"]
    assert (new["file"], new["selectionRange"]["startLine"]) == (str(fresh), 3)
    hit = trapped.json("find", "OrderService", "--root", shop)["results"][0]
    assert hit["file"] == str(shop / SERVICE)
    assert names_line_of(hit)
    assert leftovers(cli) == []
