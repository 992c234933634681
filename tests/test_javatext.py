"""Java source as text: decoding as jdt.ls does it, and whether an empty outline is suspicious."""

from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.javatext import declares_something, decode, stem_of


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"class A {}\r\n\r", "class A {}\r\n\r"),  # line ends stay
        ("class Été {}".encode(), "class Été {}"),
        (codecs.BOM_UTF8 + b"class A {}", "class A {}"),
        (codecs.BOM_UTF16_LE + "class Été {}".encode("utf-16-le"), "class Été {}"),
        (codecs.BOM_UTF16_BE + "class 𝐀 {}".encode("utf-16-be"), "class 𝐀 {}"),
        (codecs.BOM_UTF8, ""),
        (codecs.BOM_UTF16_LE, ""),
        (codecs.BOM_UTF8 * 2 + b"a", "\ufeffa"),  # only the first one is a mark
        (b"a" + codecs.BOM_UTF8, "a\ufeff"),
        ("class Été {}".encode("latin-1"), "class \ufffdt\ufffd {}"),
        (b"class A {} \xc3", "class A {} \ufffd"),
        (b"\xff", "\ufffd"),
        (b"\xff\xfea", "\ufffd"),  # half a unit
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),  # a surrogate is no UTF-8
        (b"a\x00b", "a\x00b"),
    ],
)
def test_decode(content: bytes, text: str) -> None:
    assert decode(content) == text


@given(st.binary() | st.text().map(str.encode))
def test_whatever_is_decoded_can_be_sent(content: bytes) -> None:
    decode(content).encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "class A {}",
        "class\n\tA {}",
        "final class Été{}",
        "class/* why */A {}",
        "interface A {}",
        "@interface A {}",
        "@ interface A {}",
        "enum A { X }",
        "record A(int x) {}",
        "record A<T>(T x) {}",
        "record A (int x) {}",
        "package a.b;",
        "// class\nclass A {}",
        "/* class A {} */ class B {}",
        "/** * / */ class B {}",
        'String s = "class"; class A {}',
        "char c = '\"'; class A {} char d = '\"';",
        "char c = '\\''; class A {}",
        'String s = "\\""; class A {}',
        'String s = """\n  "" \\""" class A {}\n"""; class B {}',
        'String s = "never closed\nclass A {}',
        "class $A {}",
        "class _A {}",
        "class \\u0041 {}",
        "record $A(int x) {}",
        "record \\u0041b(int x) {}",
        "class A extends",
    ],
)
def test_texts_that_declare(text: str) -> None:
    assert declares_something(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \r\n\t",
        "// class A {}",
        "// class A {}\r// enum B {}\r\n",
        "/* class A {} */",
        "/* class A {}",
        "/** interface A {} **/",
        'String s = "class A {}";',
        'String s = "\\" class A {}";',
        'String s = """\n  class A {}\n""";',
        'String s = """\n  class A {}',
        'String s = """\n  \\""" class A {}\n""";',
        "char c = 'class A {}';",
        "Object o = Foo.class ;",
        "Object o = Foo.class instanceof",
        "int record = 5; record = f(record);",
        "int myclass A, $class B, classA;",
        "import java.util.List;",
        "module a.b { requires c; }",
        "class",
        "class {}",
        "class 1 {}",
        "record 1(int x) {}",
        "record (int x) {}",
        ";",
    ],
)
def test_texts_that_do_not(text: str) -> None:
    assert not declares_something(text)


@pytest.mark.parametrize("piece", ['"""', "\\", '"', "'", "/*", "/", "*/", "class ", '\\"', "é"])
def test_a_huge_odd_text_is_bounded(piece: str) -> None:
    started = time.perf_counter()
    declares_something(piece * 100_000)
    declares_something('"""' + piece * 100_000)
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("A.java", "A"),
        ("a/b.c/package-info.java", "package-info"),
        ("a/A.java.java", "A.java"),
        ("a/noext", "noext"),
        (".java", ""),
    ],
)
def test_stem(name: str, stem: str) -> None:
    assert stem_of(name) == stem
