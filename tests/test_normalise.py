"""The second try: what agents paste, and the names that come of it."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.javachars import java_trim
from query.normalise import candidates

CASES: list[tuple[str, tuple[str, ...]]] = [
    ("com.foo.Bar", ("Bar",)),
    ("Bar", ()),
    ("Bar#method", ("Bar",)),
    ("Bar#method(int)", ("Bar",)),
    ("com.foo.Bar#m(int, String)", ("com.foo.Bar", "Bar")),
    ("#method", ("method",)),
    ("Bar::new", ("Bar",)),
    ("Bar::method", ("Bar",)),
    ("this::run", ("run",)),
    ("com::foo::Bar", ("com.foo.Bar", "Bar")),
    ("List<String>", ("List",)),
    ("app.util.List<String>", ("app.util.List", "List")),
    ("Map<String, List<Foo>>", ("Map",)),
    ("Map<K, V>.Entry", ("Map.Entry", "Entry")),
    ("List<String", ("List",)),
    ("foo()", ("foo",)),
    ("foo(int, String)", ("foo",)),
    ("Bar.method()", ("Bar",)),
    ("com.foo.Bar.method(int)", ("com.foo.Bar", "Bar")),
    ("com.foo.Bar.method", ("com.foo.Bar", "Bar")),
    ("Bar.MAX_VALUE", ("Bar",)),
    ("com.wrong.Outer.URL", ("URL",)),
    ("bar.baz()", ("bar.baz", "baz")),
    ("Bar.java", ("Bar",)),
    ("Bar.class", ("Bar",)),
    ("com.foo.Bar.class", ("com.foo.Bar", "Bar")),
    ("src/main/java/a/b/C.java", ("a.b.C", "C")),
    ("./core/src/test/java/a/b/CTest.java:42", ("a.b.CTest", "CTest")),
    ("src/a/b/C.java#L10", ("a.b.C", "C")),
    ("/home/me/proj/src/main/java/a/b/C.java:42:7", ("a.b.C", "C")),
    ("file:///home/me/My%20P/src/main/java/a/b/C.java", ("a.b.C", "C")),
    (r"C:\work\src\main\java\a\b\C.java", ("a.b.C", "C")),
    ("a/b/C", ("a.b.C", "C")),
    ("a/b/Outer$Inner.class", ("a.b.Outer.Inner", "Inner")),
    ("jdt://contents/java.base/java.util/List.class?=proj/x", ("java.util.List", "List")),
    ("Lcom/foo/Bar;", ("com.foo.Bar", "Bar")),
    ("[Lcom/foo/Bar;", ("com.foo.Bar", "Bar")),
    ("[Ljava.lang.String;", ("java.lang.String", "String")),
    ("List;", ("List",)),
    ("new Bar()", ("Bar",)),
    ("new Bar<>(x)", ("Bar",)),
    ('new a.b.Bar(1, "x)")', ("a.b.Bar", "Bar")),
    ("new Outer.Inner()", ("Outer.Inner", "Inner")),
    ("@Bar", ("Bar",)),
    ("@Bar(value=1)", ("Bar",)),
    ("@a.b.Bar", ("a.b.Bar", "Bar")),
    ("@interface Foo", ("Foo",)),
    ("Bar[]", ("Bar",)),
    ("Bar[][]", ("Bar",)),
    ("Bar...", ("Bar",)),
    ("List<? extends Foo>[]", ("List",)),
    ("import a.b.C;", ("a.b.C", "C")),
    ("import static a.b.C.m;", ("a.b.C", "C")),
    ("import static a.b.C.*;", ("a.b.C", "C")),
    ("import a.b.*;", ("a.b.*",)),
    ("package a.b;", ("a.b",)),
    ("class Foo", ("Foo",)),
    ("public final class Foo extends X {", ("Foo",)),
    ("interface Foo<T>", ("Foo",)),
    ("enum Foo", ("Foo",)),
    ("record Foo(int a)", ("Foo",)),
    ("record Foo(int a) implements Bar { }", ("Foo",)),
    ("@Deprecated public class Foo", ("Foo",)),
    ("@Bar(value = 1) class Foo {}", ("Foo",)),
    ("public sealed interface Shape permits A, B", ("Shape",)),
    ("Outer$Inner", ("Outer.Inner", "Inner")),
    ("a.b.Outer$Inner", ("a.b.Outer.Inner", "Inner")),
    ("Outer$1", ("Outer",)),
    ("Outer$1Local", ("Outer",)),
    ("$Foo", ()),
    ("Foo$", ()),
    ('"Foo"', ("Foo",)),
    ("`Foo`", ("Foo",)),
    ("'com.foo.Bar'", ("com.foo.Bar", "Bar")),
    ("“Foo”", ("Foo",)),
    ("Foo,", ("Foo",)),
    ("Foo;", ("Foo",)),
    ("Foo:", ("Foo",)),
    ("com.foo.Bar.", ("com.foo.Bar", "Bar")),
    ("(Foo)", ("Foo",)),
    ("(Foo) x", ("Foo",)),
    ("<T> void foo()", ("foo",)),
    ("public List<String> foo(int a) throws X", ("foo",)),
    ("private final Bar bar;", ("Bar",)),
    ("Foo foo = new Foo()", ("Foo",)),
    ("Foo extends Bar", ("Foo",)),
    ("user service", ("UserService",)),
    ("HTTP Server", ("HTTPServer",)),
    ("at com.foo.Bar.method(Bar.java:42)", ("com.foo.Bar", "Bar")),
    ("{@link Foo#bar}", ("Foo",)),
    ("{@link Foo}", ("Foo",)),
    ("@see Foo", ("Foo",)),
    ("com.foo.*Bar*", ("*Bar*",)),
    ("com.foo.*", ()),
    ("Foo*", ()),
    ("catch (IOException e)", ()),
    ('throw new FooException("x")', ("FooException",)),
    ("instanceof Foo", ("Foo",)),
    ("x instanceof Foo", ("Foo",)),
    ("//", ()),
    ("// Foo", ("Foo",)),
    (".", ()),
    ("...", ()),
    ("   ", ()),
    ("Foo.Bar", ("Bar",)),
    ("extends Foo", ("Foo",)),
    ("Bar:42", ("Bar",)),
    ("@Override", ("Override",)),
    ("Map.Entry<K,V>", ("Map.Entry", "Entry")),
    ("Map.Entry::getKey", ("Map.Entry", "Entry")),
    ("new Foo(a).bar()", ("Foo",)),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_candidates(text: str, expected: tuple[str, ...]) -> None:
    assert candidates(text) == expected


@given(
    st.text(st.characters())
    | st.lists(
        st.sampled_from(
            [*"aB.#:$@()<>[]{}/\\*? ;=\"'", "new ", "import ", "class ", ".java", "\ud835"]
        )
    ).map("".join)
)
@example("\ud800")
@example("#L1")
@example("/ .JAVA")
@example("\x85")
def test_any_text_gives_at_most_two_other_queries(text: str) -> None:
    found = candidates(text)
    assert len(found) == len(set(found)) <= 2
    assert java_trim(text) not in found
    assert all(java_trim(form) for form in found)


@pytest.mark.parametrize(
    "unit", ["x", "1:", "a.", "A.a", "{@", "a$", "a#", "a::", "<", "src/", "#L1", "[L", "a ", "(B."]
)
def test_time_is_linear(unit: str) -> None:
    started = time.perf_counter()
    candidates(unit * 10_000)
    assert time.perf_counter() - started < 2
