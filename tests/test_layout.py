"""Source roots inferred from paths and declared packages, and how jdt.ls then sees each file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.layout import Placement, placements, source_roots

Pairs = list[tuple[str, str]]


def placed(*files: tuple[str, str]) -> dict[str, Placement]:
    return dict(zip((path for path, _ in files), placements(files), strict=True))


@pytest.mark.parametrize(
    ("files", "roots"),
    [
        ([], set()),
        ([("a/b/C.java", "a.b")], {""}),
        ([("src/main/java/a/b/C.java", "a.b")], {"src/main/java"}),
        (
            [("m1/src/a/A.java", "a"), ("m2/src/a/A.java", "a"), ("m2/test/a/ATest.java", "a")],
            {"m1/src", "m2/src", "m2/test"},
        ),
        ([("Main.java", "")], {""}),
        ([("src/Main.java", ""), ("src/a/A.java", "a")], {"src"}),
        # without a package below a root that others name: no root of its own
        ([("src/a/A.java", "a"), ("src/a/Scratch.java", "")], {"src"}),
        ([("src/a/A.java", "a"), ("other/Scratch.java", "")], {"src", "other"}),
        # a declared package that the folder does not end with names nothing
        ([("src/a/A.java", "b.c")], set()),
        ([("srca/A.java", "a")], set()),
        # nested roots
        ([("a/A.java", "a"), ("a/data/b/B.java", "b")], {"", "a/data"}),
        ([("a/b/a/b/D.java", "a.b"), ("a/b/C.java", "a.b")], {"", "a/b"}),
    ],
)
def test_source_roots(files: Pairs, roots: set[str]) -> None:
    assert source_roots(files) == roots


def test_declared_package_and_folder_agree() -> None:
    assert placed(("src/a/b/C.java", "a.b"), ("src/Main.java", "")) == {
        "src/a/b/C.java": Placement(None, hidden=False),
        "src/Main.java": Placement(None, hidden=False),
    }


def test_misplaced_package() -> None:
    """jdt.ls shows the folder's package, whatever the file declares."""
    places = placed(("src/a/A.java", "a"), ("src/b/Moved.java", "a"), ("src/Top.java", "a.deep"))
    assert places["src/b/Moved.java"] == Placement("b", hidden=False)
    assert places["src/Top.java"] == Placement("", hidden=False)


def test_missing_package() -> None:
    places = placed(("src/a/b/A.java", "a.b"), ("src/a/b/Scratch.java", ""))
    assert places["src/a/b/Scratch.java"] == Placement("a.b", hidden=False)


def test_without_any_root_the_declaration_counts() -> None:
    assert placed(("lib/X.java", "some.where"))["lib/X.java"] == Placement(None, hidden=False)


def test_nested_roots_take_the_nearest() -> None:
    places = placed(
        ("a/A.java", "a"), ("a/data/b/B.java", "b"), ("a/data/c/Wrong.java", "d"), ("a/W.java", "d")
    )
    assert places["a/data/b/B.java"] == Placement(None, hidden=False)
    assert places["a/data/c/Wrong.java"] == Placement("c", hidden=False)
    assert places["a/W.java"] == Placement("a", hidden=False)


@pytest.mark.parametrize(
    "name",
    ["my-file", "1st", "With Space", "class", "true", "a.b", "", "module-info"],
)
def test_names_that_jdtls_does_not_look_at(name: str) -> None:
    places = placed(("src/a/A.java", "a"), (f"src/a/{name}.java", "a"))
    assert places[f"src/a/{name}.java"].hidden
    assert not places["src/a/A.java"].hidden


@pytest.mark.parametrize("name", ["package-info", "Größe", "_x", "$y", "Unit"])
def test_names_that_jdtls_looks_at(name: str) -> None:
    assert not placed((f"src/a/{name}.java", "a"), ("src/a/A.java", "a"))[
        f"src/a/{name}.java"
    ].hidden


@pytest.mark.parametrize("folder", ["META-INF", "enum", "1", "with space", "a-b"])
def test_folders_that_jdtls_does_not_look_at(folder: str) -> None:
    places = placed(("src/a/A.java", "a"), (f"src/{folder}/x/B.java", "q"))
    assert places[f"src/{folder}/x/B.java"].hidden
    # above the root a folder may be called what it likes
    assert not placed((f"{folder}/a/A.java", "a"))[f"{folder}/a/A.java"].hidden


segments = st.sampled_from(["a", "b", "c", "src", "x-y"])
files = st.lists(
    st.tuples(
        st.lists(segments, max_size=4).map(lambda parts: "/".join([*parts, "F.java"])),
        st.lists(st.sampled_from(["a", "b", "c"]), max_size=3).map(".".join),
    ),
    max_size=8,
)


@given(files, st.randoms())
def test_order_does_not_matter(pairs: Pairs, random: object) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert source_roots(shuffled) == source_roots(pairs)
    assert sorted(zip(shuffled, placements(shuffled), strict=True), key=repr) == sorted(
        zip(pairs, placements(pairs), strict=True), key=repr
    )


@given(files)
def test_a_package_is_given_only_where_it_differs(pairs: Pairs) -> None:
    for (_, declared), place in zip(pairs, placements(pairs), strict=True):
        assert place.package != declared
