"""Fuzz: `python -m tests.fuzz [--seconds 60] [--seed N] [--only NAME]`, so long for each fuzzer.

Ends with counts, or with the seed and the number of the input that broke something.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.fuzz.run import NAMES, fuzz


def main() -> int:
    """Run all fuzzers; 0 when nothing broke."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", choices=NAMES, action="append")
    arguments = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="jdx-fuzz-") as folder:
        done = fuzz(Path(folder), seed, arguments.seconds, arguments.only or NAMES)
        for name, inputs, counts in done:
            kinds = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
            print(f"{name}: {inputs} inputs: {kinds}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
