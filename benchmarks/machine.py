"""What the figures were taken on: machine, interpreter, engine. Starts nothing."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
import time

import psutil

from indexer import __version__
from indexer.jdtls.runtime import locate

_QUIET_LOAD = 0.5


def describe() -> dict[str, object]:
    """Return the facts that every figure needs beside it; the load is the one right now."""
    runtime = locate()
    load = round(os.getloadavg()[0], 2)
    if load > _QUIET_LOAD:
        print(f"the machine is busy (load {load}): no figure here is true", file=sys.stderr)
    return {
        "date": time.strftime("%Y-%m-%d"),
        "cpu": _cpu_model(),
        "cores": len(psutil.Process().cpu_affinity() or ()) or os.cpu_count(),
        "memoryGb": round(psutil.virtual_memory().total / 1e9, 1),
        "system": f"{platform.system()} {platform.release()}",
        "loadAtStart": load,
        "javadex": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "jdtls": runtime.jdtls.version,
        "java": runtime.java.version,
    }


def as_line(machine: dict[str, object]) -> str:
    """Return `machine` as one line of text."""
    return "Measured on: " + ", ".join(f"{name} {value}" for name, value in machine.items())


def _cpu_model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            names = [line.partition(":")[2].strip() for line in info if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()
