"""URIs as `java.net.URI` writes them, and every spelling of them read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.uris import file_uri, path_of

# By the rules of `java.net.URI` for a path, with the two slashes that jdt.ls puts before it.
TABLE = {
    "/a/B.java": "file:///a/B.java",
    "/with space/B.java": "file:///with%20space/B.java",
    "/a#b/B.java": "file:///a%23b/B.java",
    "/100%/B.java": "file:///100%25/B.java",
    "/50%25/B.java": "file:///50%2525/B.java",
    "/what?/B.java": "file:///what%3F/B.java",
    "/Größe/名前.java": "file:///Größe/名前.java",
    "/a;b:c@d&e=f+g$h,i/-_.!~*'()": "file:///a;b:c@d&e=f+g$h,i/-_.!~*'()",
    '/"<>\\^`{|}[]': "file:///%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D",
    "/tab\tnew\nline\x7f": "file:///tab%09new%0Aline%7F",
    "/no-break\xa0space": "file:///no-break%C2%A0space",
    "/wide\u3000space": "file:///wide%E3%80%80space",
    "/control\x85": "file:///control%C2%85",
    "/\U0001f600.java": "file:///\U0001f600.java",
    "/ü and %": "file:///ü%20and%20%25",
}


@pytest.mark.parametrize(("path", "uri"), TABLE.items())
def test_as_java_writes_them(path: str, uri: str) -> None:
    assert file_uri(path) == uri
    assert path_of(uri) == path


@pytest.mark.parametrize(
    "uri",
    [
        "file:///a%20b/C.java",
        "file:/a%20b/C.java",
        "file://localhost/a%20b/C.java",
        "FILE:///a%20b/C.java",
        "file:///a b/C.java",
        "file:///%61%20b/C.java",
        "file:///a%20b/C.java#L10-L20",
        "file:///a%20b/C.java?version=2",
    ],
)
def test_spellings_of_one_file(uri: str) -> None:
    assert path_of(uri) == "/a b/C.java"


def test_all_of_a_name_encoded() -> None:
    assert path_of("file:///Gr%C3%B6%C3%9Fe.java") == "/Größe.java"
    assert path_of("file:///caf%E9.java") == "/caf\udce9.java"  # not UTF-8, as os.fsdecode has it


@pytest.mark.parametrize("uri", ["file://host/share/C.java", "file://10.0.0.1/C.java"])
def test_a_host_is_elsewhere(uri: str) -> None:
    assert path_of(uri) is None


paths = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).map(
    lambda text: "/" + text.lstrip("/")
)


@given(paths)
def test_round_trip(path: str) -> None:
    uri = file_uri(path)
    assert path_of(uri) == path
    assert not any(char.isspace() or char < " " for char in uri)
