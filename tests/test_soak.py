"""A short soak: `make soak` is the long one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.trees import need_git


@pytest.mark.slow
def test_a_short_soak(tmp_path: Path) -> None:
    need_git()
    run = subprocess.run(
        [sys.executable, "-m", "tests.soak", "--seconds", "12", "--seed", "7", "--files", "30"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert "without a wrong answer" in run.stdout
