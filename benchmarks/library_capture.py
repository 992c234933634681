"""What a capture of library types costs: of a JDK alone, and of a Maven project's class path.

    python -m benchmarks.library_capture [--java JAVA] [--maven-settings SETTINGS]

The Maven project has 15 dependencies and their dependencies. They are taken from the local
repository, or downloaded first: so one capture of it goes before those that count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks import machine, processes, tables
from indexer.class_path import class_path_fingerprint
from indexer.jdtls.libraries import capture
from indexer.jdtls.runtime import locate
from indexer.jdtls.standard import StandardOptions

DEPENDENCIES = (
    "org.springframework:spring-core:6.2.8",
    "org.springframework:spring-context:6.2.8",
    "org.springframework:spring-web:6.2.8",
    "org.springframework:spring-jdbc:6.2.8",
    "com.fasterxml.jackson.core:jackson-databind:2.19.0",
    "com.google.guava:guava:33.4.8-jre",
    "org.apache.commons:commons-lang3:3.17.0",
    "org.apache.commons:commons-collections4:4.5.0",
    "commons-io:commons-io:2.19.0",
    "org.slf4j:slf4j-api:2.0.17",
    "ch.qos.logback:logback-classic:1.5.18",
    "org.hibernate.orm:hibernate-core:6.6.18.Final",
    "io.netty:netty-handler:4.2.2.Final",
    "org.junit.jupiter:junit-jupiter:5.13.1",
    "org.mockito:mockito-core:5.18.0",
)
_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>sample</groupId><artifactId>{name}</artifactId><version>1</version>{more}
</project>
"""
_PROJECT = """<?xml version="1.0" encoding="UTF-8"?>
<projectDescription><name>jdk-alone</name>
<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>
"""
_CLASSPATH = """<?xml version="1.0" encoding="UTF-8"?>
<classpath><classpathentry kind="src" path="src"/>
<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/>
<classpathentry kind="output" path="bin"/></classpath>
"""


@dataclass(frozen=True)
class Cost:
    """One capture."""

    name: str
    run: processes.Run
    counts: dict[str, int]
    problems: list[str]

    @property
    def server_bytes(self) -> int:
        """Peak resident memory of the server."""
        return max((seen.peak_bytes for seen in self.run.named("java")), default=0)


def write_eclipse_project(folder: Path) -> None:
    """Write a project that has nothing but a JDK."""
    (folder / "src").mkdir(parents=True)
    (folder / ".project").write_text(_PROJECT, encoding="utf-8")
    (folder / ".classpath").write_text(_CLASSPATH, encoding="utf-8")


def write_maven_project(folder: Path) -> None:
    """Write a build with two modules that share the dependencies."""
    listed = "".join(map(_dependency, DEPENDENCIES))
    more = (
        "<packaging>pom</packaging><modules><module>a</module><module>b</module></modules>"
        "<properties><maven.compiler.release>17</maven.compiler.release></properties>"
        f"<dependencies>{listed}</dependencies>"
    )
    _write_pom(folder, "root", more)
    parent = "<parent><groupId>sample</groupId><artifactId>root</artifactId><version>1</version>"
    for module in ("a", "b"):
        _write_pom(folder / module, module, f"{parent}</parent>")


def _write_pom(folder: Path, name: str, more: str) -> None:
    folder.mkdir(parents=True)
    (folder / "pom.xml").write_text(_POM.format(name=name, more=more), encoding="utf-8")


def _dependency(coordinates: str) -> str:
    group, artifact, version = coordinates.split(":")
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version></dependency>"
    )


def capture_here(root: str, java: str | None, maven_settings: str) -> dict[str, object]:
    """Capture in this process; returns what the table needs."""
    options = StandardOptions(maven_settings=maven_settings)
    captured = asyncio.run(capture(locate(java), root, options))
    rows = [row for library in captured.libraries for row in library.types]
    return {
        "counts": {
            "libraries": len(captured.libraries),
            "attachments": len(captured.attachments),
            "types": len(rows),
            "bytes": sum(len("".join((r.name, r.qualification, r.container, r.uri))) for r in rows),
        },
        "problems": captured.problems,
    }


def measure(name: str, root: Path, options: list[str], scratch: Path) -> Cost:
    """Capture in a process of its own and account for all it starts."""
    command = [sys.executable, "-m", "benchmarks.library_capture", "--capture", str(root), *options]
    env = processes.environment(scratch)
    env["PYTHONPATH"] = os.pathsep.join(filter(None, (os.getcwd(), env.get("PYTHONPATH"))))
    run = processes.run(command, env, watch=True)
    said = json.loads(run.stdout)
    for problem in said["problems"]:
        print(f"{name}: {problem}", file=sys.stderr)
    return Cost(name, run, said["counts"], said["problems"])


def _report(costs: list[Cost]) -> None:
    header = (
        *("class path", "seconds", "CPU seconds", "server, MB at its peak"),
        *("libraries", "types", "text of the rows, MB"),
    )
    rows = (
        (
            cost.name,
            cost.run.wall_seconds,
            cost.run.cpu_seconds,
            cost.server_bytes / 1e6,
            cost.counts["libraries"],
            cost.counts["types"],
            cost.counts["bytes"] / 1e6,
        )
        for cost in costs
    )
    print(tables.table(header, rows))


def _fingerprint_seconds(root: Path) -> float:
    started = time.perf_counter()
    class_path_fingerprint(str(root), "engine")
    return time.perf_counter() - started


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--java")
    parser.add_argument("--maven-settings", default="")
    parser.add_argument("--capture", help=argparse.SUPPRESS)
    parser.add_argument("--tree", help="a large workspace folder to take the fingerprint of")
    arguments = parser.parse_args()
    settings = os.path.abspath(arguments.maven_settings) if arguments.maven_settings else ""
    if arguments.capture:
        said = capture_here(arguments.capture, arguments.java, settings)
        print(json.dumps(said))
        return 0
    options = ["--maven-settings", settings] if settings else []
    options += ["--java", arguments.java] if arguments.java else []
    print(machine.as_line(machine.describe()))
    with tempfile.TemporaryDirectory(prefix="javadex-libraries-") as folder:
        scratch = Path(folder)
        write_eclipse_project(scratch / "jdk")
        write_maven_project(scratch / "maven")
        measure("warm-up", scratch / "maven", options, scratch)
        costs = [
            measure("JDK alone", scratch / "jdk", options, scratch),
            measure("Maven project", scratch / "maven", options, scratch),
        ]
    print()
    _report(costs)
    if arguments.tree:
        seconds = _fingerprint_seconds(Path(arguments.tree))
        print(f"\nFingerprint of {arguments.tree}: {seconds:.2f} s")
    return 0 if all(cost.counts["types"] for cost in costs) else 1


if __name__ == "__main__":
    sys.exit(main())
