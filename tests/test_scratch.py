"""Scratch folders: private, and swept by the next start when their owner could not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from indexer.jdtls.scratch import Scratch, sweep
from tests.fakes.world import World
from tests.support import worlds

REPOSITORY = Path(__file__).parents[1]
world = worlds.world


def dead(scratch: Scratch) -> Path:
    """What is left of a scratch folder whose owner died: all but the lock."""
    (scratch.path / "data").mkdir()
    (scratch.path / "data" / "log").write_text("x")
    (scratch.path / "hs_err_pid1.log").write_text("x")
    scratch._lock.release()
    return scratch.path


def make_old(path: Path) -> None:
    os.utime(path, (time.time() - 61, time.time() - 61))


def test_a_scratch_folder_is_private_and_goes(world: World) -> None:
    scratch = Scratch()
    assert scratch.path.parent == world.temporary
    assert scratch.path.name.startswith("javadex-")
    assert scratch.path.stat().st_mode & 0o077 == 0
    (scratch.path / "deep" / "er").mkdir(parents=True)
    scratch.remove()
    scratch.remove()  # once more does no harm
    assert not scratch.path.exists()


def test_a_scratch_folder_that_is_gone_already(world: World) -> None:
    scratch = Scratch()
    shutil.rmtree(scratch.path)
    scratch.remove()


def test_only_the_dead_are_swept(world: World) -> None:
    living, left = Scratch(), dead(Scratch())
    make_old(living.path)
    sweep()
    assert world.leftovers == [living.path.name]
    assert not left.exists()
    living.remove()


def test_the_lock_is_held_against_other_processes(world: World) -> None:
    living, left = Scratch(), dead(Scratch())
    subprocess.run(
        [sys.executable, "-c", "from indexer.jdtls.scratch import sweep; sweep()"],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(world.temporary)},
        check=True,
    )
    assert living.path.exists()
    assert not left.exists()
    living.remove()


@pytest.mark.parametrize("content", [[], ["javadex.lock.new"]])
def test_a_folder_without_lock_is_swept_when_it_is_old(world: World, content: list[str]) -> None:
    """Its owner died, or is just making it."""
    folder = world.temporary / "javadex-abcd1234"
    folder.mkdir()
    for name in content:
        (folder / name).touch()
    sweep()
    assert folder.exists()
    make_old(folder)
    sweep()
    assert not folder.exists()


@pytest.mark.parametrize("name", ["javadex-abcd1234", "javadex-checkout", "javadex-x", "other"])
def test_a_folder_that_is_not_ours_is_spared(world: World, name: str) -> None:
    folder = world.temporary / name
    folder.mkdir()
    (folder / "precious.txt").write_text("x")
    make_old(folder)
    sweep()
    assert (folder / "precious.txt").exists()
    shutil.rmtree(folder)


def test_files_and_links_are_spared(world: World) -> None:
    target = world.folder / "target"
    dead(Scratch()).rename(target)
    file, link = world.temporary / "javadex-abcd1234", world.temporary / "javadex-efgh5678"
    file.touch()
    link.symlink_to(target)
    make_old(file)
    sweep()
    assert (target / "data" / "log").exists()
    assert world.leftovers == [file.name, link.name]
    file.unlink()
    link.unlink()


def test_folders_of_others_are_spared(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    left = dead(Scratch())
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: left.stat().st_uid + 1)
        sweep()
    assert left.exists()
    sweep()
    assert not left.exists()


def test_what_cannot_be_swept_is_no_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    odd, left = world.temporary / "javadex-aaaaaaaa", dead(Scratch())
    (odd / "javadex.lock").mkdir(parents=True)  # cannot be locked
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(world.folder / "gone"))
        sweep()
    sweep()
    assert world.leftovers == [odd.name]
    assert not left.exists()
    shutil.rmtree(odd)


def test_a_removal_that_was_cut_short_is_finished_by_the_next_sweep(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock file goes last, so that the rest is still known for ours."""
    scratch = Scratch()
    for name in ("a", "b", "z"):
        (scratch.path / name).mkdir()
    removed: list[object] = []
    real = shutil.rmtree

    def killed(path: Path, **options: Any) -> None:
        if len(removed) == 2:
            raise KeyboardInterrupt
        removed.append(path)
        real(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            scratch.remove()
    assert scratch.path.exists()
    scratch._lock.release()  # the owner's death
    sweep()
    assert not scratch.path.exists()
