"""Soak javadex: `python -m tests.soak [--seconds 600] [--seed N] [--real] [--keep FOLDER]`.

A generated repository is changed at random, indexers and servers are killed, and after each step
what several processes answer must be what an index built from scratch answers. Ends with counts
when time is up, or with the seed and the step that broke it. Without `--real` a fake stands in the
place of jdt.ls, which makes hundreds of steps of what takes jdt.ls an hour.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.soak.run import Broken, Soak


def main() -> int:
    """Run the soak; 0 when nothing broke."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--files", type=int, default=80, help="at the beginning")
    parser.add_argument("--real", action="store_true", help="with the real jdt.ls")
    parser.add_argument("--keep", action="store_true", help="keep the folder when something broke")
    arguments = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="jdx-soak-"))
    soak = Soak(folder, seed, files=arguments.files, real=arguments.real)
    deadline = time.monotonic() + arguments.seconds
    try:
        while time.monotonic() < deadline:
            soak.step()
    except Broken as exc:
        print(f"broken: seed {seed}, step {soak.steps}: {exc}", file=sys.stderr)
        if arguments.keep:
            print(f"kept: {folder}", file=sys.stderr)
        return 1
    finally:
        soak.close()
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(soak.summary())
    return 0


if __name__ == "__main__":
    sys.exit(main())
