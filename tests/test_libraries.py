"""URIs of library types: taken apart, put together again, and what becomes a row."""

from __future__ import annotations

import unicodedata
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.libraries import (
    LibraryType,
    Place,
    Sighting,
    decoded,
    encoded,
    fill,
    is_nested_class,
    split,
    types_of,
)
from indexer.model import SymbolKind

# As jdt.ls 1.59 gave them.
RECORDED = {
    "jdk": (
        "jdt://contents/java.base/java.util/Map$Entry.class?=app/%5C/opt%5C/jdk%5C/lib%5C/"
        "jrt-fs.jar%60java.base=/javadoc_location=/https:%5C/%5C/docs.oracle.com%5C/en%5C/java%5C/"
        "javase%5C/25%5C/docs%5C/api%5C/=/%3Cjava.util%28Map$Entry.class"
    ),
    "maven": (
        "jdt://contents/API-1.1.2.jar/org.api/API.java?=mod-a/%5C/m2%5C/org%5C/API-1.1.2.jar"
        "=/maven.pomderived=/true=/=/test=/true=/=/maven.scope=/test=/=/maven.pomderived=/true=/"
        "%3Corg.api%28API.class"
    ),
    "in the project": (
        "jdt://contents/eq%20common.jar/org.eclipse.core.runtime/Plan.java?=eapp/lib%5C/"
        "eq%20common.jar%3Corg.eclipse.core.runtime%28Plan.class"
    ),
    "odd names": (
        "jdt://contents/gson%20%C3%A9=%25%28x)!.jar/com.google/A.java?=o%20d-d%5C%28%C3%A9)%5C="
        "%5C%2525%20%5C%7Bx%5C%7D%5C'%5C[%5C]/%5C/tmp%5C/gson%20%C3%A9%5C=%5C%25%5C%28x)%5C!.jar"
        "=/foo=/b%20a%5C=r=/%3Ccom.google%28A.class"
    ),
    "delimiters in the path": (
        "jdt://contents/22q%60z%3C.jar/a/B.java?=app/%5C/j%5C/22x%5C%60y%5C%3C%5C/22q%5C%60z%5C%3C"
        ".jar%3Ca%28B.class"
    ),
    "no package": "jdt://contents/a.jar/Bare.java?=app/lib%5C/a.jar%3C%28Bare.class",
}


@pytest.mark.parametrize("uri", RECORDED.values(), ids=RECORDED)
def test_a_recorded_uri_comes_back_byte_for_byte(uri: str) -> None:
    parts = split(uri)
    assert parts
    assert fill(parts.template, parts.place) == uri


def test_the_parts_of_a_jdk_type() -> None:
    parts = split(RECORDED["jdk"])
    assert parts
    assert parts.template == (
        "jdt://contents/java.base/java.util/Map$Entry.class"
        "?={project}/{path}%60java.base{attributes}%3Cjava.util%28Map$Entry.class"
    )
    assert (parts.module, parts.package, parts.class_file) == (
        "java.base",
        "java.util",
        "Map$Entry",
    )
    assert parts.place.jar == ""
    assert decoded(parts.place.path) == "/opt/jdk/lib/jrt-fs.jar"


def test_the_parts_of_a_type_in_a_jar() -> None:
    parts = split(RECORDED["odd names"])
    assert parts
    assert parts.template == (
        "jdt://contents/{jar}/com.google/A.java"
        "?={project}/{path}{attributes}%3Ccom.google%28A.class"
    )
    assert decoded(parts.place.project) == "o d-d(é)=%25 {x}'[]"
    assert decoded(parts.place.path) == "/tmp/gson é=%(x)!.jar"
    assert decoded(parts.place.jar) == "gson é=%(x)!.jar"
    assert decoded(parts.place.attributes) == "=/foo=/b a=r=/"


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "file:///w/src/A.java",
        "jdt://contents/a.jar/p/A.class",
        "jdt://contents/a.jar/p/A.class?=app",
        "jdt://contents/a.jar/p/A.class?=app/lib",
        "jdt://sources/a.jar/p/A.class?=app/a.jar%3Cp%28A.class",
    ],
)
def test_other_uris_are_not_taken_apart(uri: str) -> None:
    assert split(uri) is None


# A model of the server's spelling, by its sources: JavaElement.escapeMementoName, java.net.URI's
# constructor of five parts, toASCIIString, JDTUtils.cleanupURL.
_MEMENTO = "\\!=/<^~|{([%#@]}'`"


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in _MEMENTO else char for char in text)


def _ascii(text: str, legal: str) -> str:
    return quote(unicodedata.normalize("NFC", text), safe=legal)


def _model(project: str, path: str, attributes: dict[str, str], module: str, stem: str) -> str:
    root = module or path.rpartition("/")[2]
    extra = "".join(f"=/{_escaped(k)}=/{_escaped(v)}=/" for k, v in attributes.items())
    handle = f"={_escaped(project)}/{_escaped(path)}"
    handle += f"`{_escaped(module)}" if module else ""
    handle += f"{extra}<a.b({_escaped(stem)}.class"
    uri = f"jdt://contents{_ascii(f'/{root}/a.b/{stem}.class', '/:@&=+$,-_.!~*();' + chr(39))}"
    uri += "?" + _ascii(handle, ";/?:@&=+$,[]-_.!~*()'")
    return uri.replace("(", "%28")


odd = st.text(
    st.sampled_from("aZ9 .-_%!=(){}[]<>'\"`@#&+,;~^$\\|?é中\u00a0😀")
    | st.characters(codec="utf-8"),
    min_size=1,
    max_size=12,
).map(lambda text: unicodedata.normalize("NFC", text.replace("/", "").replace("\0", "")) or "x")
paths = st.lists(odd, min_size=1, max_size=5).map("/".join)
modules = st.sampled_from(["", "java.base", "jdk.net"])
stems = st.from_regex(r"[A-Zé中]\w{0,8}(\$\w{1,8})?", fullmatch=True)


@given(
    odd, st.sampled_from(["", "/"]), paths, st.dictionaries(odd, odd, max_size=3), modules, stems
)
def test_any_uri_comes_back(
    project: str, slash: str, path: str, attributes: dict[str, str], module: str, stem: str
) -> None:
    uri = _model(project, slash + path, attributes, module, stem)
    parts = split(uri)
    assert parts
    assert fill(parts.template, parts.place) == uri
    assert decoded(parts.place.path) == slash + path
    assert decoded(parts.place.project) == project
    assert (parts.module, parts.package) == (module, "a.b")
    assert parts.class_file == unicodedata.normalize("NFC", stem)


@given(odd, paths, odd, paths, modules, stems)
def test_a_template_depends_on_the_library_alone(
    project: str, path: str, other_project: str, other_path: str, module: str, stem: str
) -> None:
    one = split(_model(project, f"/{path}", {}, module, stem))
    other = split(_model(other_project, f"/{other_path}", {"a": "b"}, module, stem))
    assert one
    assert other
    assert one.template == other.template
    assert fill(one.template, other.place) == _model(
        other_project, f"/{other_path}", {"a": "b"}, module, stem
    )


@given(paths)
def test_a_path_in_the_spelling_of_a_handle_comes_back(path: str) -> None:
    assert decoded(encoded(path)) == unicodedata.normalize("NFC", path)
    assert encoded(path) == _ascii(_escaped(path), ";/?:@&=+$,[]-_.!~*()'").replace("(", "%28")


@pytest.mark.parametrize("uri", RECORDED.values(), ids=RECORDED)
def test_a_recorded_place_can_be_spelled_anew(uri: str) -> None:
    parts = split(uri)
    assert parts
    for part in (parts.place.project, parts.place.path):
        assert encoded(decoded(part)) == part


@pytest.mark.parametrize(
    ("template", "nested"),
    [
        ("jdt://contents/m/p/A$B.class?={project}/{path}%60m{attributes}%3Cp%28A$B.class", True),
        ("jdt://contents/{jar}/p/A.java?={project}/{path}{attributes}%3Cp%28A$B.class", True),
        ("jdt://contents/{jar}/p/A.java?={project}/{path}{attributes}%3Cp%28A.class", False),
        ("jdt://contents/a$b.jar/p/A.java?=x$y/a$b.jar%3Cp%28A.class", False),
    ],
)
def test_a_nested_class_is_told_by_its_class_file(template: str, nested: bool) -> None:
    assert is_nested_class(template) is nested


def _seen(name: str, container: str, class_file: str, package: str = "p") -> Sighting:
    uri = f"jdt://contents/a.jar/{package}/X.java?=app/a.jar%3C{package}%28{class_file}.class"
    return Sighting(name, container, SymbolKind.Class, False, uri)


def _types(*sightings: Sighting, dollars: tuple[Sighting, ...] = ()) -> list[LibraryType]:
    return [found for _, _, found in types_of(sightings, {seen.uri for seen in dollars})]


@pytest.mark.parametrize(
    ("seen", "qualification"),
    [
        (_seen("Map", "p", "Map"), "p"),
        (_seen("Entry", "p.Map", "Map$Entry"), "p.Map"),
        (_seen("Deep", "p.Map.Entry", "Map$Entry$Deep"), "p.Map$Entry"),
        (_seen("Bare", "", "Bare", ""), ""),
        (_seen("In", "Bare", "Bare$In", ""), ".Bare"),
        (_seen("Label", "p", "Slider$1Local$Label"), "p.Slider$1Local"),
    ],
)
def test_what_a_query_is_compared_with(seen: Sighting, qualification: str) -> None:
    [found] = _types(seen)
    assert (found.matched, found.qualification) == (seen.name, qualification)
    assert (found.name, found.container) == (seen.name, seen.container)


def test_a_binary_name_is_matched_and_its_last_part_shown() -> None:
    closed = _seen("Species_D", "p.Handle", "Handle$Species_D")
    opened = closed._replace(container="p")
    for sightings in ([closed, opened], [opened, closed], [opened]):
        [found] = _types(*sightings, dollars=(opened,))
        assert (found.name, found.container) == ("Species_D", "p")
        assert (found.matched, found.qualification) == ("Handle$Species_D", "p")


def test_a_dollar_sign_in_a_nested_name() -> None:
    seen = _seen("B", "p.Outer", "Outer$A$B")
    [found] = _types(seen, dollars=(seen,))
    assert (found.matched, found.qualification) == ("A$B", "p.Outer")


def test_types_come_in_the_order_of_their_uris_and_once() -> None:
    b, a = _seen("B", "p", "B"), _seen("A", "p", "A")
    source = Sighting("S", "p", SymbolKind.Class, False, "file:///w/S.java")
    assert [found.name for found in _types(b, a, source, b)] == ["A", "B"]


def test_places_of_one_library_are_told_apart() -> None:
    seen = _seen("A", "p", "A")
    elsewhere = seen._replace(uri=seen.uri.replace("=app/a.jar", "=other/%5C/lib%5C/a.jar"))
    found = list(types_of([seen, elsewhere], ()))
    assert [place for place, _, _ in found] == [
        Place("app", "a.jar", "", "a.jar"),
        Place("other", "%5C/lib%5C/a.jar", "", "a.jar"),
    ]
    assert found[0][2] == found[1][2]
