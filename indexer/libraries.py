r"""Library types and the URIs that jdt.ls gives them, taken apart so that they can be moved. Pure.

A class file of a library has no `file:` URI but one like this (without its line breaks):

    jdt://contents/guava-33.jar/com.google.common.base/Joiner.java
        ?=shop/%5C/home%5C/me%5C/.m2%5C/guava-33.jar=/maven.pomderived=/true=/
        %3Ccom.google.common.base%28Joiner.class

What follows `?` is the Java model's handle identifier: `=` project, `/` package fragment root (for
the JDK then "`" and the module), `=/name=/value=/` for each class path attribute, `<` package, `(`
class file. In every part the characters that delimit parts have a backslash (`%5C`) before them; a
root outside its project is its absolute path, so it begins with `\/`. All of it is percent-encoded
as `java.net.URI.toASCIIString` does, and `(` in addition.

Project, path and attributes differ between workspaces and machines, the rest is the library's own.
So a library's rows hold a template, in which braces mark what a workspace fills in. A URI of the
server holds no braces (java.net.URI encodes them), so the two cannot be confused:

    jdt://contents/{jar}/com.google.common.base/Joiner.java
        ?={project}/{path}{attributes}%3Ccom.google.common.base%28Joiner.class
    jdt://contents/java.base/java.util/Map$Entry.class
        ?={project}/{path}%60java.base{attributes}%3Cjava.util%28Map$Entry.class
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from indexer.model import SymbolKind
from indexer.recipe import ContentKey

# urllib.parse is imported where it is needed: filling a template needs none.

_SCHEME = "jdt://contents/"
_ESCAPED = r"%5C(?:%[0-9A-F]{2}|[^%])"
_URI = re.compile(
    rf"{_SCHEME}(?P<root>[^/?]*)/(?P<file>[^?]*)\?"
    rf"=(?P<project>(?:{_ESCAPED}|[^%/]|%(?!5C)..)*)"
    rf"/(?P<path>(?:{_ESCAPED}|[^%=]|%(?!5C|60|3C)..)*)"
    rf"(?P<module>(?:%60(?:{_ESCAPED}|[^%=]|%(?!5C|3C)..)*)?)"
    rf"(?P<attributes>(?:=(?:{_ESCAPED}|[^%]|%(?!5C|3C)..)*)?)"
    rf"%3C(?P<package>(?:{_ESCAPED}|[^%]|%(?!5C|28)..)*)"
    r"%28(?P<class>.*)",
    re.DOTALL,
)
_SUFFIX = ".class"
_DELIMITERS = re.compile(r"[\\!=/<^~|{(\[%#@\]}'`]")
_LEGAL = ";/?:@&=+$,[]-_.!~*')"  # beside letters and digits; java.net.URI, "query", without `(`
_PLAIN = re.compile(r"[\w.\-]*", re.ASCII)


class LibraryType(NamedTuple):
    """A type of a library, whatever workspace uses it."""

    name: str
    """Simple name as the server shows it: `Entry`."""
    matched: str
    """Name that queries are compared with. It is `name` but for a few classes (15 of a JDK 25).

    A class file that does not say in which class it is nested is known by its binary name, such as
    `BoundMethodHandle$Species_D`, and shown by the last part of it.
    """
    qualification: str
    """What precedes `matched`, as queries are compared with it (docs/matching.md, section 1).

    The package, and a dot and the enclosing types for a nested type. Other than those of sources,
    a library's enclosing types have dollar signs between them: `java.util.Outer$Middle`.
    """
    container: str
    """Package and enclosing types as the server shows them: `java.util.Map`."""
    kind: SymbolKind
    deprecated: bool
    uri: str
    """Template of the type's URI, see `fill`."""


class Library(NamedTuple):
    """A jar, or a JDK: the same wherever it lies."""

    key: ContentKey
    """What it is, not where: see `indexer.class_path`."""
    name: str
    """For people: `spring-core-6.2.8.jar`, `JDK 25.0.2`."""
    kind: Literal["jdk", "jar"]
    types: tuple[LibraryType, ...]
    """In the order of their URIs. Empty for a library that was known before."""


class Place(NamedTuple):
    """Where a workspace has a library, in the spelling of a URI; fills the templates."""

    project: str
    """Name of the Java project by which the server sees the library."""
    path: str
    """Absolute path of the jar, or of a JDK's `jrt-fs.jar`; relative to a project that it is in."""
    attributes: str
    """Class path attributes: `=/maven.pomderived=/true=/`, one after the other, often none."""
    jar: str
    """The jar's file name, "" for a JDK."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """How a workspace uses a library: every type of the library has one URI for each of these."""

    key: ContentKey
    place: Place
    file: str
    """Absolute path, on the machine of the capture, of the jar or of the JDK's home folder."""


class Split(NamedTuple):
    """A URI, taken apart."""

    template: str
    place: Place
    module: str
    """Module of the JDK, "" for a jar's type."""
    package: str
    """Package of the class file, with dots, "" for none."""
    class_file: str
    """Its name without suffix: `Map$Entry`."""


def split(uri: str) -> Split | None:
    """Take a `jdt:` URI of a class file apart; None for any other URI.

    `fill` with the template and the place of the result is `uri` again.
    """
    found = _URI.fullmatch(uri)
    if not found:
        return None
    root, file, project, path, module, attributes, package, class_file = found.groups()
    place = Place(project, path, attributes, "" if module else root)
    template = (
        f"{_SCHEME}{root if module else '{jar}'}/{file}"
        f"?={{project}}/{{path}}{module}{{attributes}}%3C{package}%28{class_file}"
    )
    plain = decoded(class_file.partition("&element=")[0]).removesuffix(_SUFFIX)
    return Split(template, place, decoded(module)[1:], decoded(package), plain)


def fill(template: str, place: Place) -> str:
    """Return the URI that the server gives the type at `place`."""
    return (
        template.replace("{jar}", place.jar, 1)
        .replace("{project}", place.project, 1)
        .replace("{path}", place.path, 1)
        .replace("{attributes}", place.attributes, 1)
    )


def is_nested_class(uri: str) -> bool:
    """True for the URI, or template, of a class file that is named like that of a nested class.

    The name at the end counts, not the one before the handle, which may be the source file's.
    """
    return "$" in uri.rpartition("%28")[2]


def decoded(part: str) -> str:
    """Return the plain text of a part of a handle: percent-encoding and backslashes undone."""
    if "%" not in part:
        return part
    from urllib.parse import unquote

    return re.sub(r"\\(.)", r"\1", unquote(part, errors="surrogateescape"), flags=re.DOTALL)


def encoded(text: str) -> str:
    """Return a name or path in the spelling of a handle; `decoded` is the way back.

    Only characters that Unicode's normal form C changes do not come back: the server puts URIs into
    that form.
    """
    if _PLAIN.fullmatch(text):
        return text
    import unicodedata
    from urllib.parse import quote

    escaped = _DELIMITERS.sub(r"\\\g<0>", unicodedata.normalize("NFC", text))
    return quote(escaped, safe=_LEGAL, errors="surrogateescape")


class Sighting(NamedTuple):
    """A type in an answer of `workspace/symbol`."""

    name: str
    container: str
    kind: SymbolKind
    deprecated: bool
    uri: str


def types_of(
    sightings: Iterable[Sighting], dollar_names: Collection[str]
) -> Iterator[tuple[Place, bool, LibraryType]]:
    """Yield the types in `sightings`, one for each class file, in the order of their URIs.

    With each comes its place, and whether that is a JDK. `dollar_names` holds the URIs of the types
    whose matched name has a dollar sign in it.

    A type may be in `sightings` with two containers: what the class file's name suggests, as long
    as the server has not opened the file, and then what the file says. They differ for what is
    known by its binary name, and for what is nested in a local class; the latter has fewer dots,
    and is taken.
    """
    by_uri: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        by_uri[sighting.uri].append(sighting)
    for uri in sorted(by_uri):
        parts = split(uri)
        if parts:
            told = min(by_uri[uri], key=lambda seen: (seen.container.count("."), seen))
            yield parts.place, bool(parts.module), _type(told, parts, uri in dollar_names)


def _type(told: Sighting, parts: Split, has_dollar: bool) -> LibraryType:
    matched = told.name
    if has_dollar:
        enclosing = told.container.removeprefix(parts.package).lstrip(".").replace(".", "$")
        matched = parts.class_file.removeprefix(f"{enclosing}$")
    outer = parts.class_file.removesuffix(matched).removesuffix("$")
    return LibraryType(
        told.name,
        matched,
        f"{parts.package}.{outer}" if outer else parts.package,
        told.container,
        told.kind,
        told.deprecated,
        parts.template,
    )
