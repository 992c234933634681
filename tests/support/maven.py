"""A Maven repository of hollow plugins: m2e imports a project with it, without any network.

An import reads the plugins' descriptors for the build plan and the compiler's settings; it runs
none of them.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

_VERSION = "99.0"  # m2e refuses old versions
_GOALS = {
    "clean": {"clean": "clean"},
    "resources": {
        "resources": "process-resources",
        "testResources": "process-test-resources",
    },
    "compiler": {"compile": "compile", "testCompile": "test-compile"},
    "surefire": {"test": "test"},
    "jar": {"jar": "package"},
    "install": {"install": "install"},
    "deploy": {"deploy": "deploy"},
    "site": {"site": "site", "deploy": "site-deploy"},
}
_COMPILER = {"compilerId": "javac", "release": "", "source": "1.8", "target": "1.8"}
"""Parameters that m2e asks for, with the values that the real plugin has by default."""


def write_repository(folder: Path) -> Path:
    """Make the repository below `folder`; returns a settings.xml that leads there."""
    for name, goals in _GOALS.items():
        _write_plugin(folder / "repository", f"maven-{name}-plugin", goals)
    settings = folder / "settings.xml"
    repository = f"<localRepository>{folder / 'repository'}</localRepository>"
    settings.write_text(f"<settings>{repository}<offline>true</offline></settings>", "utf-8")
    return settings


def use_plugins(pom: Path) -> None:
    """Make a project take the plugins of the repository."""
    plugins = "".join(f"<plugin>{_coordinates(f'maven-{name}-plugin')}</plugin>" for name in _GOALS)
    management = f"<pluginManagement><plugins>{plugins}</plugins></pluginManagement>"
    text = pom.read_text("utf-8")
    assert "<build>" not in text
    pom.write_text(text.replace("</project>", f"<build>{management}</build></project>"), "utf-8")


def _write_plugin(repository: Path, artifact: str, goals: dict[str, str]) -> None:
    folder = repository / "org" / "apache" / "maven" / "plugins" / artifact / _VERSION
    folder.mkdir(parents=True)
    (folder / f"{artifact}-{_VERSION}.pom").write_text(
        f"<project><modelVersion>4.0.0</modelVersion>{_coordinates(artifact)}"
        "<packaging>maven-plugin</packaging></project>",
        "utf-8",
    )
    settings = _compiler_settings() if "compile" in goals else ""
    mojos = "".join(
        f"<mojo><goal>{goal}</goal><phase>{phase}</phase><language>java</language>"
        f"<implementation>java.lang.Object</implementation>{settings}</mojo>"
        for goal, phase in goals.items()
    )
    with zipfile.ZipFile(folder / f"{artifact}-{_VERSION}.jar", "w") as jar:
        descriptor = f"<plugin>{_coordinates(artifact)}<mojos>{mojos}</mojos></plugin>"
        jar.writestr("META-INF/maven/plugin.xml", descriptor)


def _coordinates(artifact: str) -> str:
    return (
        f"<groupId>org.apache.maven.plugins</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{_VERSION}</version>"
    )


def _compiler_settings() -> str:
    names = "".join(
        f"<parameter><name>{name}</name><type>java.lang.String</type></parameter>"
        for name in _COMPILER
    )
    values = "".join(
        f'<{name} implementation="java.lang.String" default-value="{value}">'
        f"${{maven.compiler.{name}}}</{name}>"
        for name, value in _COMPILER.items()
    )
    return f"<parameters>{names}</parameters><configuration>{values}</configuration>"
