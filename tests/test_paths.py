"""From what a caller names to a file in a workspace folder, and never to one outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files import Root, resolve_root
from query.contract import ErrorCode, ToolError
from query.near import nearest
from query.paths import WorkspaceFile, resolve
from tests.support.trees import Tree


@pytest.fixture
def shop(tree: Tree) -> Tree:
    tree.write("src/A.java")
    tree.write("with space/B#1 100%.java")
    return tree


def roots(*folders: Path | Root) -> list[Root]:
    return [folder if isinstance(folder, Root) else resolve_root(str(folder)) for folder in folders]


def path(answer: WorkspaceFile | ToolError) -> str:
    assert isinstance(answer, WorkspaceFile), answer
    return answer.path


def error(answer: WorkspaceFile | ToolError) -> ErrorCode:
    assert isinstance(answer, ToolError), answer
    assert answer.error
    assert answer.hint
    return answer.code


# --- inside -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "src/A.java",
        "./src/A.java",
        "src//A.java",
        "src/../src/A.java",
        "  src/A.java \n",
        "tree/src/A.java",
        "{root}/src/A.java",
        "{root}/./src/x/../A.java",
        "file://{root}/src/A.java",
        "file:{root}/src/A.java",
        "FILE://localhost{root}/src/A.java#L3",
        "file://{root}/%73rc/A.java",
    ],
)
def test_spellings_of_one_file(shop: Tree, text: str) -> None:
    found = resolve(text.replace("{root}", str(shop.path)), roots(shop.path))
    assert isinstance(found, WorkspaceFile)
    assert found == WorkspaceFile(resolve_root(str(shop.path)), "src/A.java")
    assert found.full == str(shop / "src/A.java")


def test_names_that_need_encoding(shop: Tree) -> None:
    expected = "with space/B#1 100%.java"
    for text in (
        expected,
        f"{shop.path}/{expected}",
        f"file://{shop.path}/with%20space/B%231%20100%25.java",
    ):
        assert path(resolve(text, roots(shop.path))) == expected


def test_a_file_need_not_exist(shop: Tree) -> None:
    assert path(resolve("src/No.java", roots(shop.path))) == "src/No.java"


def test_the_folder_itself(shop: Tree) -> None:
    """It is inside; that it is no file shows when it is read."""
    for text in (".", str(shop.path), f"{shop.path}/", f"file://{shop.path}"):
        found = resolve(text, roots(shop.path))
        assert isinstance(found, WorkspaceFile), found
        assert os.path.samefile(found.full, shop.path)


def test_relative_paths_and_display_names(shop: Tree, tmp_path: Path) -> None:
    other = Tree(tmp_path / "other")
    other.write("src/A.java")
    other.write("only/B.java")
    both = roots(Root(str(shop.path), "shop"), Root(str(other.path), "lib"))
    assert resolve("src/A.java", both) == WorkspaceFile(both[0], "src/A.java")
    assert resolve("lib/src/A.java", both) == WorkspaceFile(both[1], "src/A.java")
    assert resolve("only/B.java", both) == WorkspaceFile(both[0], "only/B.java")
    assert resolve(str(other / "only/B.java"), both) == WorkspaceFile(both[1], "only/B.java")


def test_a_folder_may_hold_one_of_its_own_name(tree: Tree) -> None:
    tree.write("tree/src/Inner.java")
    tree.write("src/Outer.java")
    folders = roots(tree.path)
    assert path(resolve("tree/src/Inner.java", folders)) == "tree/src/Inner.java"
    assert path(resolve("tree/src/Outer.java", folders)) == "src/Outer.java"
    assert path(resolve("tree/src/None.java", folders)) == "src/None.java"


def test_nested_folders_take_the_nearest(shop: Tree) -> None:
    folders = roots(shop.path, shop / "src")
    assert resolve(str(shop / "src/A.java"), folders) == WorkspaceFile(folders[1], "A.java")


def test_links_inside(shop: Tree, tmp_path: Path) -> None:
    (shop / "Link.java").symlink_to("src/A.java")
    (shop / "folder").symlink_to("src")
    (tmp_path / "way-in").symlink_to(shop.path)
    folders = roots(shop.path)
    assert path(resolve("Link.java", folders)) == "Link.java"
    assert path(resolve("folder/A.java", folders)) == "folder/A.java"
    assert path(resolve(str(tmp_path / "way-in/src/A.java"), folders)) == "src/A.java"


# --- outside ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "../secret.java",
        "src/../../secret.java",
        "{outside}/secret.java",
        "file://{outside}/secret.java",
        "file://{root}/../outside/secret.java",
        "file://{root}/%2e%2e/outside/secret.java",
        "{root}-not/A.java",
        "/etc/passwd",
        "Link.java",
        "folder/secret.java",
        "{root}/folder/secret.java",
        "tree/../../outside/secret.java",
        "/",
    ],
)
def test_outside(shop: Tree, tmp_path: Path, text: str) -> None:
    outside = Tree(tmp_path / "outside")
    secret = outside.write("secret.java")
    (shop / "Link.java").symlink_to(secret)
    (shop / "folder").symlink_to(outside.path)
    text = text.replace("{root}", str(shop.path)).replace("{outside}", str(outside.path))
    assert error(resolve(text, roots(shop.path))) is ErrorCode.OUTSIDE_WORKSPACE


@pytest.mark.parametrize(
    "text",
    [
        "jdt://contents/java.base/java.lang/String.class?=x",
        "untitled:Untitled-1",
        "http://example.org/A.java",
        "git:/a/A.java",
        "file://host/share/A.java",
        "file://[broken/A.java",
        "file://\u2100/A.java",
        "file:",
        "file:///a%00b.java",
    ],
)
def test_unsupported_uris(shop: Tree, text: str) -> None:
    assert error(resolve(text, roots(shop.path))) is ErrorCode.UNSUPPORTED_URI_SCHEME


@pytest.mark.parametrize("text", ["", "  ", "a\0b.java", "\ud800.java", "a/\udfff/B.java"])
def test_no_name_at_all(shop: Tree, text: str) -> None:
    assert error(resolve(text, roots(shop.path))) is ErrorCode.FILE_NOT_FOUND


def test_no_folder() -> None:
    assert error(resolve("A.java", [])) is ErrorCode.NO_WORKSPACE_FOLDER


def test_ambiguous_display_name(shop: Tree, tmp_path: Path) -> None:
    other = Tree(tmp_path / "x" / "tree")
    folders = roots(shop.path, other.path)
    answer = resolve("tree/src/A.java", folders)
    assert error(answer) is ErrorCode.AMBIGUOUS_WORKSPACE_PATH
    assert isinstance(answer, ToolError)
    assert str(shop.path) in answer.error
    assert str(other.path) in answer.error
    assert path(resolve("src/A.java", folders)) == "src/A.java"


@given(st.text())
def test_any_text_has_an_answer_and_none_outside(text: str) -> None:
    root = Root("/nowhere/at/all", "all")
    answer = resolve(text, [root])
    if isinstance(answer, WorkspaceFile):
        assert f"{os.path.realpath(answer.full)}/".startswith(root.path + "/")


# --- near misses --------------------------------------------------------------------------------

KNOWN = [
    "src/main/java/shop/Order.java",
    "src/main/java/shop/OrderService.java",
    "src/test/java/shop/OrderServiceTest.java",
    "lib/src/main/java/util/Order.java",
    "README.java",
]


@pytest.mark.parametrize(
    ("wanted", "offered"),
    [
        ("shop/Order.java", ["src/main/java/shop/Order.java", "lib/src/main/java/util/Order.java"]),
        ("util/order.java", ["lib/src/main/java/util/Order.java", "src/main/java/shop/Order.java"]),
        ("shop.OrderService", ["src/main/java/shop/OrderService.java"]),
        ("src/OrdrService.java", ["src/main/java/shop/OrderService.java"]),
        ("Nothing.java", []),
    ],
)
def test_nearest(wanted: str, offered: list[str]) -> None:
    assert nearest(wanted, KNOWN)[: max(1, len(offered))] == offered


def test_nearest_is_short() -> None:
    assert len(nearest("X.java", [f"{number}/X.java" for number in range(50)])) == 5
