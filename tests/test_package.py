"""Wheel and sdist: all of javadex, nothing else, and commands that work in their environment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

import indexer

REPOSITORY = Path(__file__).parents[1]
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv*", "*_cache", ".hypothesis", "__pycache__", "*.egg-info", "build", "dist"
)
_SQL = tuple(f"indexer/store/schema{number}.sql" for number in ("", "_2", "_3"))
DATA = ("indexer/py.typed", "query/py.typed", "query/setup/SKILL.md", *_SQL)


def run(*command: object, cwd: Path, path: Path | None = None) -> str:
    """Run a program, `path` first among the places Python imports from; give its output."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(path or ""), "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def modules() -> set[str]:
    """Paths of the modules of both packages, as the checkout has them."""
    return {
        path.relative_to(REPOSITORY).as_posix()
        for package in ("indexer", "query")
        for path in (REPOSITORY / package).rglob("*.py")
    }


def project() -> dict[str, Any]:
    return tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from it.

    Made from a copy: a build leaves its own folders in the tree.
    """
    copy = tmp_path_factory.mktemp("source") / "javadex"
    shutil.copytree(REPOSITORY, copy, ignore=NOT_COPIED, symlinks=True)
    folder = tmp_path_factory.mktemp("built")
    run(*(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, copy), cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel alone was installed into."""
    folder = tmp_path_factory.mktemp("installed")
    offline = ("--quiet", "--no-deps", "--no-index", "--no-cache-dir", "--no-compile")
    run(
        *(sys.executable, "-m", "pip", "install", *offline, "--target", folder, wheel),
        cwd=folder,
    )
    return folder


def test_the_wheel_holds_both_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    information = f"javadex-{indexer.__version__}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"indexer", "query", information}
    held = {name for name in names if not name.startswith(information)}
    assert held == modules() | set(DATA)
    assert f"{information}/licenses/LICENSE" in names


def test_the_sdist_holds_what_a_wheel_is_made_of_and_no_test(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    top = {name for name in names if "/" not in name}
    assert top - {"setup.cfg", "PKG-INFO"} == {
        *("LICENSE", "MANIFEST.in", "README.md", "pyproject.toml")
    }
    held = {name for name in names - top if not name.startswith("javadex.egg-info/")}
    assert held == modules() | set(DATA)


def test_the_wheel_names_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        points = archive.read(f"javadex-{indexer.__version__}.dist-info/entry_points.txt")
    assert points.decode().split("\n", 1)[0] == "[console_scripts]"
    assert "javadex = query.cli:main" in points.decode().splitlines()


def test_the_wheel_names_its_extras(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"javadex-{indexer.__version__}.dist-info/METADATA").decode()
    named = {line.split()[1] for line in metadata.splitlines() if line.startswith("Provides-Extra")}
    assert named == set(project()["project"]["optional-dependencies"])
    assert {"jdtls", "mcp"} <= named


def test_the_installed_command_tells_its_version(installed: Path, tmp_path: Path) -> None:
    expected = f"javadex, version {indexer.__version__}"
    assert run(installed / "bin" / "javadex", "--version", cwd=tmp_path, path=installed) == (
        f"{expected}\n"
    )
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r}); import query.cli, indexer;"
        "print(indexer.__file__); print(query.cli.__file__); query.cli.main(['--version'])"
    )
    told = run(sys.executable, "-c", code, cwd=tmp_path).splitlines()
    assert told == [
        str(installed / "indexer" / "__init__.py"),
        str(installed / "query" / "cli.py"),
        expected,
    ]


def test_the_installed_command_indexes_and_finds(installed: Path, tmp_path: Path) -> None:
    """An empty folder needs no server, but the schema."""
    (tmp_path / "empty").mkdir()
    database = tmp_path / "index.db"
    command = installed / "bin" / "javadex"
    run(command, "index", "empty", "--db", database, cwd=tmp_path, path=installed)
    assert database.exists()


def test_the_listed_packages_are_those_on_disk() -> None:
    on_disk = {path.rpartition("/")[0].replace("/", ".") for path in modules()}
    listed = project()["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(on_disk)
    assert all((REPOSITORY / name.replace(".", "/") / "__init__.py").exists() for name in listed)


def test_what_a_build_needs_comes_with_the_test_extra() -> None:
    """The wheel is built here without isolation, so nothing else would bring it."""
    needed = project()["build-system"]["requires"]
    assert set(needed) <= set(project()["project"]["optional-dependencies"]["test"])


# --- in an environment of its own ---------------------------------------------------------------

SHOP = REPOSITORY / "sample_projects" / "maven-shop"


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scripts of an environment with nothing but the wheel, its extras, and what they depend on.

    They come from the package index that pip is configured for.
    """
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, symlinks=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    run(
        *(sys.executable, "-m", "pip", "--python", scripts / "python", "install"),
        *("--quiet", "--no-compile", f"{wheel}[jdtls,mcp]"),
        cwd=folder,
    )
    return scripts


@pytest.mark.network
@pytest.mark.timeout(300)  # pip's download is in the first one
def test_a_clean_environment_has_what_is_needed(clean: Path) -> None:
    told = run(clean / "javadex", "--version", cwd=clean)
    assert told == f"javadex, version {indexer.__version__}\n"
    run(sys.executable, "-m", "pip", "--python", clean / "python", "check", cwd=clean)
    code = "import indexer, query.cli; print(indexer.__file__); print(query.cli.__file__)"
    for place in run(clean / "python", "-c", code, cwd=clean).splitlines():
        assert Path(place).is_relative_to(clean.parent)


@pytest.mark.network
@pytest.mark.timeout(300)  # pip's download is in the first one
@pytest.mark.jdtls
def test_a_clean_environment_indexes_and_answers(clean: Path, tmp_path: Path) -> None:
    """With the Java and the jdt.ls that came along."""
    project, database = tmp_path / "shop", tmp_path / "index.db"
    shutil.copytree(SHOP, project)
    common = ("--root", project, "--db", database)
    report = json.loads(run(clean / "javadex", "index", "--json", *common, cwd=tmp_path))
    (workspace,) = report["workspaces"]
    assert workspace["outlined"] == workspace["files"] > 30
    found = json.loads(run(clean / "javadex", "find", "OrdServ", "--json", *common, cwd=tmp_path))
    assert found["results"][0]["name"] == "OrderService"
    outline = ("outline", found["results"][0]["documentUri"], "--json", "--explain", *common)
    answer = json.loads(run(clean / "javadex", *outline, cwd=tmp_path))
    assert answer["_meta"]["source"] == "index"
    assert [symbol["name"] for symbol in answer["symbols"]] == ["shop.orders", "OrderService"]


@pytest.mark.network
@pytest.mark.timeout(300)  # pip's download is in the first one
def test_a_clean_environment_serves_mcp(clean: Path, tmp_path: Path) -> None:
    """Until stdin ends. Without an index and with an empty folder: no server is needed."""
    (tmp_path / "empty").mkdir()
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": _INITIALIZE},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    command = [clean / "javadex", "mcp", "--root", "empty", "--db", tmp_path / "index.db"]
    with subprocess.Popen(
        [*map(str, command)], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin
        assert server.stdout
        try:
            for message in asked:
                server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
            answers = {}
            while 2 not in answers:
                line = server.stdout.readline()
                assert line, "the server ended before it had answered"
                message = json.loads(line)
                answers[message.get("id")] = message
            server.stdin.close()
            assert server.wait(timeout=20) == 0
        finally:
            server.kill()
    assert answers[1]["result"]["serverInfo"]["name"] == "javadex"
    assert answers[1]["result"]["serverInfo"]["version"] == indexer.__version__
    names = {tool["name"] for tool in answers[2]["result"]["tools"]}
    assert {"lsp_java_findSymbol", "lsp_java_getFileStructure"} <= names


_INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
