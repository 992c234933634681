"""Editing of the clients' files: foreign content stays, whatever the text looks like."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from query.setup import edit_block, edit_json, edit_toml
from query.setup.records import splice
from query.setup.texts import CannotEdit

VALUE = {"command": "javadex", "args": ["mcp", "--root", "."]}
BLOCK = f"{edit_block.BEGIN}\nFind with javadex.\n\n- é\n{edit_block.END}\n"

# JSON with comments

_ENDS = ("\n", "\r\n")
_COMMENTS = st.sampled_from(['/* "a": { */', "/**/", "// , } é", '// "servers": {', "/* \n */"])
_GAPS = st.lists(st.sampled_from([" ", "  ", "\t", "\n"]) | _COMMENTS, max_size=3)
_KEYS = st.sampled_from(["a", 'b"', "inputs", "é", "javadex", "//", "servers", ""])
_INDENTS: st.SearchStrategy[int | str] = st.sampled_from([1, 2, 4, "\t"])
_SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "{", "//x", "é\n"])
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_KEYS, inner, max_size=2),
    max_leaves=5,
)


@st.composite
def gaps(draw: st.DrawFn) -> str:
    """White space and comments, as they may stand between two tokens."""
    pieces = []
    for piece in draw(_GAPS):
        pieces.append(piece + "\n" if piece.startswith("//") else piece)
    return "".join(pieces)


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A value as somebody may have typed it."""

    def listed(items: list[str]) -> str:
        gap = draw(gaps())
        comma = "," if draw(st.booleans()) and items else ""
        return gap + f"{draw(gaps())},{draw(gaps())}".join(items) + draw(gaps()) + comma + gap

    if isinstance(value, dict):
        members = [
            f"{json.dumps(key)}{draw(gaps())}:{draw(gaps())}{draw(written(item))}"
            for key, item in value.items()
        ]
        return f"{{{listed(members)}}}"
    if isinstance(value, list):
        return f"[{listed([draw(written(item)) for item in value])}]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@st.composite
def json_texts(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A text and what it says: an object whose `servers`, if any, are one, too."""
    document = draw(st.dictionaries(_KEYS, _VALUES, max_size=3))
    if "servers" in document:
        document["servers"] = draw(st.dictionaries(_KEYS, _VALUES, max_size=3))
    if draw(st.booleans()):
        text = json.dumps(document, indent=draw(_INDENTS))
    else:
        text = draw(gaps()) + draw(written(document)) + draw(gaps())
    return text.replace("\n", draw(st.sampled_from(_ENDS))), document


def plain(text: str) -> Any:
    """What a text says, by a reader of its own: without strings no comment looks like one."""
    strings: list[str] = []

    def put_away(found: re.Match[str]) -> str:
        if not found[0].startswith('"'):
            return " "
        strings.append(found[0])
        return f"<{len(strings) - 1}>"

    bare = re.sub(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', put_away, text, flags=re.DOTALL)
    bare = re.sub(r",(\s*[}\]])", r"\1", bare)
    return json.loads(re.sub(r"<(\d+)>", lambda found: strings[int(found[1])], bare))


def is_within(part: str, whole: str) -> bool:
    """True when all of `part` is there, in its order."""
    rest: Iterator[str] = iter(whole)
    return all(char in rest for char in part)


def comments(text: str) -> list[str]:
    found = re.findall(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/', text, flags=re.DOTALL)
    return [each.rstrip(" \t") for each in found if not each.startswith('"')]


@given(json_texts())
@example(("{ // c\n}", {}))
@example(('{"servers": {"a": 1 // c\n}}', {"servers": {"a": 1}}))
@example(('{"servers": {}, // c\n}', {"servers": {}}))
def test_an_entry_of_json_is_put_among_the_others(case: tuple[str, dict[str, Any]]) -> None:
    text, document = case
    new = "javadex" not in document.get("servers", {})
    edited = edit_json.put(text, "servers", "javadex", VALUE)

    wanted = document | {"servers": document.get("servers", {}) | {"javadex": VALUE}}
    assert json.dumps(plain(edited)) == json.dumps(wanted), "values, and their order"
    assert edit_json.put(edited, "servers", "javadex", VALUE) == edited
    if new:
        assert is_within(text, edited)
        assert comments(edited) == comments(text)


@given(json_texts())
@example(('{"servers": { // c\n"javadex": 1 }}', {"servers": {"javadex": 1}}))
def test_an_entry_of_json_is_taken_out(case: tuple[str, dict[str, Any]]) -> None:
    text, document = case
    edited = edit_json.put(text, "servers", "javadex", VALUE)
    without = edit_json.drop(edited, "servers", "javadex")

    rest = {key: item for key, item in document.get("servers", {}).items() if key != "javadex"}
    assert plain(without) == document | {"servers": rest}
    assert is_within(without, edited)
    if "javadex" not in document.get("servers", {}):  # else comments inside the entry go with it
        assert comments(without) == comments(text)
    assert edit_json.drop(without, "servers", "javadex") == without


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", '{\n  "s": {\n    "javadex": {\n      "x": 1\n    }\n  }\n}\n'),
        ("{}", '{\n  "s": {\n    "javadex": {\n      "x": 1\n    }\n  }\n}'),
        ('{"s": {"a": 1}}', '{"s": {"a": 1, "javadex": {"x": 1}}}'),
        (
            '{\n\t"s": {\n\t\t"a": 1, // last\n\t},\n}\n',
            '{\n\t"s": {\n\t\t"a": 1, // last\n\t\t"javadex": {\n\t\t\t"x": 1\n\t\t},\n\t},\n}\n',
        ),
        (
            '{\r\n    "s": {\r\n        "a": 1 // last\r\n    }\r\n}',
            '{\r\n    "s": {\r\n        "a": 1, // last\r\n        "javadex": {\r\n'
            '            "x": 1\r\n        }\r\n    }\r\n}',
        ),
        (
            '{\n  "a": [],\n  "s": {}\n}\n',
            '{\n  "a": [],\n  "s": {\n    "javadex": {\n      "x": 1\n    }\n  }\n}\n',
        ),
    ],
)
def test_json_is_written_in_the_style_of_the_text(text: str, wanted: str) -> None:
    assert edit_json.put(text, "s", "javadex", {"x": 1}) == wanted


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('{"servers": {}', "does not parse as JSON"),
        ("[]", "holds no JSON object"),
        ('{"servers": []}', "'servers' is no object"),
        ('{"servers": {}, "servers": {}}', "'servers' twice"),
        ('{"servers": {"javadex": 1, "javadex": 2}}', "'javadex' twice"),
        ('{"a": NaN}', "NaN is no JSON"),
        ('{"a": 1} // c\n}', "does not parse"),
        ('{"a": "/* }', "does not parse"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_json_that_cannot_be_edited_is_refused(text: str, cause: str) -> None:
    with pytest.raises(CannotEdit, match=re.escape(cause)):
        edit_json.put(text, "servers", "javadex", VALUE)


# TOML

_TOML_ROOT = st.sampled_from(
    ["# é", "", "model = 'o'", "a.b = 1", 'text = """\n[mcp_servers.javadex]\n"""', "n = nan"]
)
_TOML_TABLES = st.sampled_from(
    [
        "[mcp_servers]",
        "[mcp_servers.other]\ncommand = 'x' # c\nargs = [\n  '[a]',\n]",
        "[mcp_servers.other.env]\nA = 'b'",
        "# about the next\n[profiles.x]\nn = 1",
        "[[many]]\nn = 1",
        "[t]\ns = '''\n[mcp_servers.javadex]\n'''",
    ]
)


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    lines = draw(st.lists(_TOML_ROOT, unique=True, max_size=3))
    lines += draw(st.lists(_TOML_TABLES | st.sampled_from(["", "# c"]), unique=True, max_size=4))
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", draw(st.sampled_from(_ENDS)))


def says(text: str) -> str:
    """What a text says, without an empty table that others imply."""
    return repr({key: value for key, value in tomllib.loads(text).items() if value != {}})


@given(toml_texts())
def test_a_table_of_toml_is_put_and_taken_out(text: str) -> None:
    edited = edit_toml.put(text, "mcp_servers", "javadex", VALUE)

    assert edited.startswith(text)
    wanted = tomllib.loads(text)
    wanted.setdefault("mcp_servers", {})["javadex"] = VALUE
    assert repr(tomllib.loads(edited)) == repr(wanted)
    assert edit_toml.put(edited, "mcp_servers", "javadex", VALUE) == edited
    without = edit_toml.drop(edited, "mcp_servers", "javadex")
    assert without == text


@given(
    toml_texts(),
    st.sampled_from(["[profiles.z]\nn = 2\n", "# c\n\n[[z]]\n", "\n", "\n# c\n", "# c\n"]),
)
def test_a_table_of_toml_is_taken_out_of_the_middle(text: str, after: str) -> None:
    edited = edit_toml.put(text, "mcp_servers", "javadex", VALUE) + after
    without = edit_toml.drop(edited, "mcp_servers", "javadex")
    assert "javadex" not in tomllib.loads(without).get("mcp_servers", {})
    assert without.rstrip().endswith(after.strip())
    assert is_within(without, edited)


def test_a_table_of_toml_goes_with_its_parts() -> None:
    text = "[mcp_servers.'javadex']\ncommand='x'\n\n[mcp_servers.javadex.env]\nA='b'\n\n# c\n[z]\n"
    assert edit_toml.drop(text, "mcp_servers", "javadex") == "\n# c\n[z]\n"
    edited = edit_toml.put(text, "mcp_servers", "javadex", VALUE)
    assert tomllib.loads(edited) == {"z": {}, "mcp_servers": {"javadex": VALUE}}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("a = ", "does not parse as TOML"),
        ("mcp_servers = 1", "'mcp_servers' is no table"),
        ("mcp_servers = { other = {} }", "'mcp_servers' is an inline table, which takes no more"),
        ("mcp_servers = {}", "give each entry a table of its own, [mcp_servers.NAME]"),
        ("mcp_servers = { javadex = {} }", "not written as one table with a header"),
        ("mcp_servers.javadex.command = 'x'", "not written as one table with a header"),
    ],
)
def test_toml_that_cannot_be_edited_is_refused(text: str, cause: str) -> None:
    with pytest.raises(CannotEdit, match=re.escape(cause)):
        edit_toml.put(text, "mcp_servers", "javadex", VALUE)


@given(st.text(max_size=20))
def test_a_command_is_written_as_toml_reads_it(word: str) -> None:
    value = {"command": word, "args": [word, "mcp"]}
    edited = edit_toml.put("", "mcp_servers", "javadex", value)
    assert tomllib.loads(edited) == {"mcp_servers": {"javadex": value}}


# Markdown

_LINES = st.sampled_from(["# Title", "", "text é", "```", "<!-- note -->", "\f", "a\u2028b", "  "])
MARKDOWN = st.builds(
    lambda lines, last, end: "\n".join([*lines, last]).replace("\n", end),
    st.lists(_LINES, max_size=5),
    st.sampled_from(["", "last line"]),
    st.sampled_from(_ENDS),
)


@given(MARKDOWN, MARKDOWN)
def test_a_block_is_put_and_taken_out(text: str, after: str) -> None:
    edited = edit_block.put(text, BLOCK)
    assert edited.startswith(text)
    assert edit_block.block_of(edited) == BLOCK
    assert edit_block.put(edited, BLOCK) == edited
    assert edit_block.drop(edited) == text

    longer = edited + after
    other = BLOCK.replace("javadex.", "javadex!")
    changed = edit_block.put(longer, other)
    assert edit_block.block_of(changed) == other
    assert edit_block.put(changed, BLOCK) == longer
    without = edit_block.drop(longer)
    assert edit_block.block_of(without) is None
    assert without.split() == (text + " " + after).split()


def test_a_block_between_texts_leaves_one_gap() -> None:
    assert edit_block.drop(f"a\n\n{BLOCK}\nb\n") == "a\n\nb\n"
    assert edit_block.drop(f"a\n\n{BLOCK}b\n") == "a\n\nb\n"
    assert edit_block.drop(f"a\n{BLOCK}b\n") == "a\nb\n"


def test_the_block_says_that_edits_in_it_are_lost() -> None:
    assert "replaces all up to javadex:end" in edit_block.BEGIN
    assert "--" not in edit_block.BEGIN[4:-3], "no comment of HTML has them"


def test_a_block_is_known_whatever_its_marker_says_besides() -> None:
    text = f"# T\n\n<!-- javadex:begin -->\nearlier\n{edit_block.END}\n"
    assert edit_block.put(text, BLOCK) == f"# T\n\n{BLOCK}"
    assert edit_block.drop(text) == "# T\n"


@pytest.mark.parametrize(
    "text",
    [
        edit_block.BEGIN,
        f"{edit_block.END}\n",
        f"{edit_block.END}\n{edit_block.BEGIN}\n",
        BLOCK + BLOCK,
        f"{edit_block.BEGIN}\n{BLOCK}",
    ],
)
def test_markers_that_make_no_block_are_refused(text: str) -> None:
    for ask in (edit_block.block_of, edit_block.drop, lambda text: edit_block.put(text, BLOCK)):
        with pytest.raises(CannotEdit, match="markers"):
            ask(text)


@given(st.binary(max_size=8), st.binary(max_size=8))
def test_a_splice_leads_back(before: bytes, after: bytes) -> None:
    assert splice(before, after).undo(after) == before


def test_a_splice_remembers_no_more_than_what_was_cut() -> None:
    assert splice(b'{"token": "secret"}', b'{"token": "secret", "x": 1}').before == ""
