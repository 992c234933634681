"""Where the sample projects' sources lie, and how a plain jdt.ls gets to see them."""

from __future__ import annotations

import shutil
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
SAMPLES = REPOSITORY / "sample_projects"
CORPUS = REPOSITORY / "tests" / "data" / "matching" / "corpus"

PROJECTS = ("maven-shop", "eclipse-app", "gradle-lib", "no-build", "odd")

_MODULES = ("core", "catalog", "orders", "web")
_PLAIN_FOLDERS = (
    *(f"maven-shop/{module}/src/{kind}/java" for module in _MODULES for kind in ("main", "test")),
    "eclipse-app/src",
    "eclipse-app/test",
    "gradle-lib/src/main/java",
    "gradle-lib/src/test/java",
    "no-build",
    "odd",
)
"""Source folders; the packages of `odd/broken`, `odd/encoding` and `odd/names` start at `odd`."""

_NESTED_FOLDERS = {
    "no-build/one": "no-build.one",
    "no-build/two": "no-build.two",
    "no-build/names": "no-build.names",
    "odd/src": "odd.src",
    "odd/module": "odd.module",
}
"""Source folders inside another one, and where they go for jdt.ls: its `workspace/symbol` loses
the types of a source folder that lies in another, although that one excludes it."""

SOURCE_FOLDERS = (*_PLAIN_FOLDERS, *_NESTED_FOLDERS.values())

UNSEEN = {
    "odd/names/1st.java": "starts with a digit",
    "odd/names/class.java": "a keyword",
    "odd/names/foo.bar.java": "a dot in the name",
    "odd/names/hash#tag.java": "`#` may not stand in a Java name",
    "odd/names/my-file.java": "`-` may not stand in a Java name",
    "odd/names/per%20cent.java": "`%` may not stand in a Java name",
    "odd/names/plus+sign.java": "`+` may not stand in a Java name",
    "odd/names/with space.java": "a space may not stand in a Java name",
    "odd/names/META-INF/InMetaInf.java": "the folder is no package segment: `-`",
    "odd/names/bad-dir/InBadDir.java": "the folder is no package segment: `-`",
    "odd/names/enum/InEnum.java": "the folder is no package segment: a keyword",
}
"""Files that jdt.ls does not look at below a source folder, with the reason: it answers [] for them
and finds no type in them. javadex outlines them like the same bytes under a Java name, and shows
their types unless asked for a strict answer."""

MODULE_INFO = "odd/module/module-info.java"
"""jdt.ls outlines no module declaration; the rules of `UNSEEN` do not apply."""


def java_files(tree: Path) -> list[str]:
    """Paths of the Java files below `tree`, sorted."""
    return sorted(path.relative_to(tree).as_posix() for path in tree.rglob("*.java"))


def lay_out_for_jdtls(samples: Path, tree: Path) -> None:
    """Copy `samples` to `tree`, its nested source folders side by side."""
    shutil.copytree(samples, tree)
    for folder, moved in _NESTED_FOLDERS.items():
        (tree / folder).rename(tree / moved)


def path_for_jdtls(path: str) -> str:
    """Where `lay_out_for_jdtls` puts the sample file `path`."""
    return _moved(path, list(_NESTED_FOLDERS.items()))


def sample_path(path: str) -> str:
    """The reverse of `path_for_jdtls`."""
    return _moved(path, [(moved, folder) for folder, moved in _NESTED_FOLDERS.items()])


def _moved(path: str, moves: list[tuple[str, str]]) -> str:
    for source, target in moves:
        if path.startswith(f"{source}/"):
            return target + path.removeprefix(source)
    return path
