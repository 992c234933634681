"""Hypothesis strategies that more than one test file may want."""

from __future__ import annotations

from hypothesis import strategies as st

_LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
_WORDS = st.text(st.sampled_from("aZ9 é𝐀名\u2028\t/*{}\"'"), max_size=6)
_COMMENTS = st.builds("//{}{}".format, _WORDS | st.just(" class Hidden { int x; }"), _LINE_ENDS)
_GAPS = st.lists(st.sampled_from([" ", "\t", "  "]) | _LINE_ENDS | _COMMENTS, max_size=3).map(
    "".join
)
_NAMES = st.sampled_from(["a", "B", "value", "É", "名", "𝐀x", "x1", "_"])
_KEYWORDS = st.sampled_from(["class", "interface", "enum"])
_MEMBERS = st.builds("int {};".format, _NAMES) | st.builds("void {}() {{ }}".format, _NAMES)


def _type(keyword: str, name: str, open_gap: str, members: list[tuple[str, str]]) -> str:
    inside = "".join(member + gap for member, gap in members)
    return f"{keyword} {name} {{{open_gap}{inside}}}"


_TYPES = st.recursive(
    st.builds(_type, _KEYWORDS, _NAMES, _GAPS, st.just([])),
    lambda inner: st.builds(
        _type, _KEYWORDS, _NAMES, _GAPS, st.lists(st.tuples(inner | _MEMBERS, _GAPS), max_size=4)
    ),
    max_leaves=6,
)
_PACKAGES = st.just("") | st.sampled_from(["package a;", "package a.b.c;"])


@st.composite
def toy_java(draw: st.DrawFn) -> str:
    """A whole file of the Java that `tests.fakes.server.outline` understands."""
    pieces = [draw(_GAPS), draw(_PACKAGES), draw(_GAPS)]
    for kind in draw(st.lists(_TYPES, max_size=3)):
        pieces += [kind, draw(_GAPS)]
    return "".join(pieces)


def toy_soup() -> st.SearchStrategy[str]:
    """Pieces of that Java in no order: braces that do not match, halves of declarations."""
    odd = st.sampled_from(
        ["{", "}", ";", "class", "class ", "int", "package", "//", "/", "void m("]
    )
    return st.lists(odd | _MEMBERS | _TYPES | _GAPS | _PACKAGES, max_size=8).map("".join)
