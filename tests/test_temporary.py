"""The folder for temporary files: the one of `tempfile`, found without a trace."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from indexer.temporary import temporary_folder

CHOOSING = """
import os, sys
opened = []
sys.addaudithook(lambda event, args: event == "open" and opened.append(os.fspath(args[0])))
{choice}
print([name for name in opened if isinstance(name, str) and name.startswith({folder!r})])
"""


@pytest.fixture(autouse=True)
def unchosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", ["TMPDIR", "TEMP", "TMP"])
def test_a_folder_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, str(tmp_path))
    chosen = temporary_folder()
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert chosen == tempfile.gettempdir() == str(tmp_path)


def test_a_relative_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", ".")
    assert temporary_folder() == str(tmp_path)


@pytest.mark.parametrize("harm", ["missing", "a file", "empty"])
def test_one_of_no_use_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    odd = tmp_path / "odd"
    if harm == "a file":
        odd.write_text("#!/bin/sh\n")
        odd.chmod(0o755)
    monkeypatch.setenv("TMPDIR", "" if harm == "empty" else str(odd))
    monkeypatch.setenv("TEMP", str(tmp_path))
    assert temporary_folder() == str(tmp_path)


def test_without_an_environment_it_is_that_of_tempfile(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = temporary_folder()
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert tempfile.gettempdir() == chosen


def test_what_was_chosen_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    chosen = temporary_folder()
    folder.rmdir()
    assert temporary_folder() == chosen == tempfile.gettempdir() == str(folder)


def test_one_that_may_not_be_written_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.access("/proc/self", os.W_OK):
        pytest.skip("here is no folder that may not be written")
    monkeypatch.setenv("TMPDIR", "/proc/self")
    monkeypatch.setenv("TEMP", str(tmp_path))
    chosen = temporary_folder()
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert chosen == tempfile.gettempdir() == str(tmp_path)


def test_what_a_program_set_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert temporary_folder() == str(tmp_path / "gone")


@pytest.mark.parametrize(
    ("choice", "writes"),
    [
        ("from indexer.temporary import temporary_folder; temporary_folder()", False),
        ("import tempfile; tempfile.gettempdir()", True),  # or the test could not fail
        ("from indexer.jdtls.scratch import sweep; sweep()", False),
        ("from indexer.warm.place import planned_place; planned_place()", False),
    ],
)
def test_no_file_is_written_to_choose_it(tmp_path: Path, choice: str, writes: bool) -> None:
    """A kill at that moment would leave it."""
    program = CHOOSING.format(choice=choice, folder=str(tmp_path))
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    environment.pop("XDG_RUNTIME_DIR", None)
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[1], env=environment, stdout=subprocess.PIPE, check=True
    )
    assert (done.stdout.strip() != b"[]") == writes
