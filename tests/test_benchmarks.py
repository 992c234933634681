"""The benchmark scripts of `find`: what they ask, what they count, what they make."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import find_order, find_speed, machine, synthetic_store
from benchmarks.find_speed import Cost, Target, targets_in
from benchmarks.plot import Line, Panel, log_log
from benchmarks.samples import humps, outlines_in, roots_in, types_in
from benchmarks.synthetic_store import Member, Shape, Weighted, learn, synthetic_files
from indexer.model import Outline, Position, Range, Symbol, SymbolKind
from indexer.types import declared_package
from query.contract import FindAnswer, Hit
from query.match import compile_query
from query.service import Scope, Service

HERE = Range(Position(0, 0), Position(0, 1))
NAMES = (
    *("OrderService", "OrderServiceImpl", "HTTPServer", "UserRepository", "UserRepositoryTest"),
    *("Main", "Order", "InvoiceLine", "InvoiceLineMapper", "AbstractOrderFactory"),
)


NESTED = (
    *("Builder<T>", "BuilderState", "Entry", "EntryIterator", "KeySet", "Key", "LineItemView"),
    *("StateMachine", "Type", "ItemSorter"),
)
PACKAGES = (
    *("org.acme.shop", "org.acme.shop.web.config", "com.example", "com.example.core.io"),
    *("org.acme.util.text", "net.zoo.animal.feed"),
)


def real_outlines() -> list[Outline]:
    """Outlines as a small tree has them: 10 top-level types, 9 nested ones, 3 members each or 1."""
    outlines = []
    for place, name in enumerate(NAMES):
        members = (
            Symbol("run(Order)", SymbolKind.Method, HERE, HERE, " : void"),
            Symbol(f"{name}(int)", SymbolKind.Constructor, HERE, HERE),
            Symbol("limit", SymbolKind.Field, HERE, HERE),
        )
        nested = tuple(
            Symbol(label, SymbolKind.Class, HERE, HERE, children=members[:1])
            for label in (NESTED[place], NESTED[place - 1])[: place % 3]
        )
        node = Symbol(name, SymbolKind.Class, HERE, HERE, children=members + nested)
        package = PACKAGES[place % len(PACKAGES)]
        outlines.append(Outline((Symbol(package, SymbolKind.Package, HERE, HERE), node)))
    return outlines


MODEL = learn(real_outlines())


def hit(qualified: str, file: str = "/tree/A.java") -> Hit:
    container, _, name = qualified.rpartition(".")
    return Hit(name, SymbolKind.Class, container, f"file://{file}", file, HERE, HERE)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("OrderServiceImpl", ["Order", "Service", "Impl"]),
        ("HTTPServer2", ["HTTP", "Server2"]),
        ("XMLHTTP", ["XMLHTTP"]),
        ("ABc", ["A", "Bc"]),
        ("iPhone", ["i", "Phone"]),
        ("MAX_SIZE", ["MAX_", "SIZE"]),
        ("V2betaHTTP2Code", ["V2beta", "HTTP2", "Code"]),
        ("Q", ["Q"]),
    ],
)
def test_humps(name: str, parts: list[str]) -> None:
    assert humps(name) == parts


@given(st.text())
def test_humps_lose_nothing(name: str) -> None:
    assert "".join(humps(name)) == name


def test_weighted_draws_as_often_as_was_counted() -> None:
    rng = random.Random(1)
    values = Weighted(Counter({"a": 1, "b": 98, "c": 1}))
    drawn = Counter(values.draw(rng) for _ in range(5000))
    assert set(drawn) == {"a", "b", "c"}
    assert drawn["b"] > 4700


def test_weighted_does_not_depend_on_the_order_of_counting() -> None:
    ways = [Weighted(Counter(order)) for order in ("aabbbc", "cbabab")]
    assert [way.draw(random.Random(5)) for way in ways] == [ways[0].draw(random.Random(5))] * 2


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(SystemExit, match="no type in a package"):
        learn([])


def test_the_same_seed_gives_the_same_files() -> None:
    one, two = (list(synthetic_files(MODEL, Shape(types=300))) for _ in range(2))
    assert one == two
    assert one != list(synthetic_files(MODEL, Shape(types=300, seed=2)))


@pytest.mark.parametrize(("types", "per_file"), [(1, 10), (7, 1), (250, 4), (301, 10)])
def test_there_are_as_many_types_as_asked_for(types: int, per_file: int) -> None:
    files = list(synthetic_files(MODEL, Shape(types=types, types_per_file=per_file)))
    declared = [targets_in([file.outline]) for file in files]
    assert sum(map(len, declared)) == types
    assert [len(of_one) for of_one in declared] == [file.types for file in files]
    assert max(file.types for file in files) <= per_file


def test_files_are_where_java_wants_them_and_no_name_comes_twice() -> None:
    files = list(synthetic_files(MODEL, Shape(types=400)))
    for file in files:
        package = declared_package(file.outline)
        first = targets_in([file.outline])[0].name
        assert file.path == f"{package.replace('.', '/')}/{first}.java"
        assert f"package {package};" in file.content.decode()
    assert len({file.path.lower() for file in files}) == len(files)
    assert len({file.content for file in files}) == len(files)
    full = [
        f"{found.qualifier}.{found.name}" for found in targets_in([file.outline for file in files])
    ]
    assert len(set(full)) == len(full)


def test_names_are_made_of_real_parts_at_their_places() -> None:
    real = [humps(target.name) for target in targets_in(real_outlines())]
    made = [
        humps(found.name)
        for file in synthetic_files(MODEL, Shape(types=400))
        for found in targets_in([file.outline])
    ]
    assert {parts[0] for parts in made} <= {parts[0] for parts in real}
    assert {parts[-1] for parts in made} <= {parts[-1] for parts in real}
    assert {len(parts) for parts in made} == {len(parts) for parts in real}
    assert len({"".join(parts) for parts in made}) > len(real)


def test_types_are_nested_and_have_members() -> None:
    files = list(synthetic_files(MODEL, Shape(types=2000, members_per_type=3)))
    types = targets_in([file.outline for file in files])
    members = sum(file.outline.node_count - file.types - 1 for file in files)
    nested = sum(found.qualifier != found.package for found in types)
    assert 0.2 < nested / len(types) < 0.6  # 9 of 19 in the real outlines
    assert 2.7 < members / len(types) < 3.3


def test_constructors_are_called_after_their_type() -> None:
    for file in synthetic_files(MODEL, Shape(types=200)):
        pending = list(file.outline.symbols)
        while pending:
            node = pending.pop()
            pending += node.children
            for child in node.children:
                assert node.range.encloses(child.range)
                if child.kind is SymbolKind.Constructor:
                    assert child.name == f"{node.name}(int)"


def test_members_are_learned_with_label_and_kind() -> None:
    drawn = {MODEL.members.draw(random.Random(seed)) for seed in range(200)}
    assert Member("run(Order)", SymbolKind.Method, " : void") in drawn
    assert Member("limit", SymbolKind.Field, "") in drawn


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index with 600 made-up types."""
    folder = tmp_path_factory.mktemp("synthetic") / "made"
    totals = synthetic_store.build(folder, MODEL, Shape(types=600))
    assert totals.types == 600
    return folder / synthetic_store.DATABASE


def test_find_serves_what_was_made(store: Path) -> None:
    db = str(store)
    assert types_in(db) == 600
    target = find_speed.targets_in(list(outlines_in(db)))[0]
    with Service(Scope(roots_in(db), db)) as service:
        answer = service.find(f"{target.qualifier}.{target.name}")
    assert isinstance(answer, FindAnswer)
    assert find_order.qualified(answer.hits[0]) == f"{target.qualifier}.{target.name}"
    assert Path(answer.hits[0].file).is_file()


def test_a_sample_of_outlines_is_the_same_for_the_same_seed(store: Path) -> None:
    db = str(store)
    every = list(outlines_in(db))
    some = list(outlines_in(db, files=20, seed=3))
    assert len(some) == 20
    assert all(outline in every for outline in some)
    assert some == list(outlines_in(db, files=20, seed=3))
    assert some != list(outlines_in(db, files=20, seed=4))
    assert list(outlines_in(db, files=10**6)) == every


def test_each_class_of_query_is_measured_and_finds_something(store: Path) -> None:
    summaries = find_speed.measure(str(store), count=8, seed=1)
    assert set(summaries) >= {
        *("exact", "prefix", "hump", "mixed-case", "leading star", "qualified", "package"),
        *("member", "miss"),
    }
    for name, summary in summaries.items():
        assert summary.queries == 8
        assert 0 < summary.p50 <= summary.p99 <= summary.max
        assert (summary.median_total > 0) is (name != "miss")


def test_a_store_is_made_from_the_names_of_another(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "describe", lambda: {"cpu": "none"})
    folder, figures = tmp_path / "made", tmp_path / "made.json"
    arguments = ["synthetic_store", str(folder), "--from", str(store), "--types", "50"]
    monkeypatch.setattr("sys.argv", [*arguments, "--json", str(figures)])
    synthetic_store.main()
    assert "| types | 50 |" in capsys.readouterr().out
    assert json.loads(figures.read_text())["types"] == 50
    assert types_in(str(folder / synthetic_store.DATABASE)) == 50
    with pytest.raises(SystemExit):  # the folder exists now
        synthetic_store.main()
    assert "exists already" in capsys.readouterr().err


def test_the_report_on_several_sizes(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "describe", lambda: {"cpu": "none"})
    synthetic_store.build(tmp_path / "small", MODEL, Shape(types=60))
    small = tmp_path / "small" / synthetic_store.DATABASE
    figures, plot = tmp_path / "speed.json", tmp_path / "speed.svg"
    arguments = ["find_speed", str(store), str(small), "--queries", "2"]
    monkeypatch.setattr("sys.argv", [*arguments, "--json", str(figures), "--plot", str(plot)])
    find_speed.main()
    shown = capsys.readouterr().out
    assert "| p50 / p99 ms | 60 types | 600 types |" in shown
    assert list(json.loads(figures.read_text())["types"]) == ["60", "600"]
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("name", "abbreviation"),
    [
        ("OrderServiceImpl", "OSI"),
        ("HTTPServer", "HTTPS"),
        ("Order", None),
        ("iPhone", None),
        ("URL", None),
    ],
)
def test_abbreviation(name: str, abbreviation: str | None) -> None:
    assert find_speed.abbreviation_of(name) == abbreviation


@pytest.mark.parametrize(
    ("name", "prefix"), [("OrderService", "orderser"), ("Ab", "ab"), ("A", "a"), ("Orders", "orde")]
)
def test_prefix(name: str, prefix: str) -> None:
    assert find_speed.prefix_of(name) == prefix


type_names = st.lists(
    st.sampled_from(["Order", "Service", "Impl", "A", "Ab", "HTTP", "V2", "X0a", "B9C"]),
    min_size=1,
    max_size=5,
).map("".join)


@given(type_names, st.integers())
def test_queries_match_the_type_that_they_are_made_from(name: str, seed: int) -> None:
    rng = random.Random(seed)
    target = Target(name, "org.acme.Outer", "org.acme", ("run",))
    for kind, maker in find_speed._MAKERS.items():
        query = maker(target, rng)
        if kind in ("miss", "package", "member") or query is None:
            continue
        compiled = compile_query(query, strict=True)
        assert compiled is not None
        assert compiled.matches(name, target.qualifier), query


@given(type_names, st.integers())
def test_shape_of_queries(name: str, seed: int) -> None:
    rng = random.Random(seed)
    target = Target(name, "org.acme.Outer", "org.acme", ("run",))
    mixed = find_speed.mixed_case_of(name, rng)
    assert mixed is None or (mixed.isalnum() and re.search("[a-z][A-Z]", mixed))
    tail = find_speed.tail_of(name, rng)
    assert tail is None or (
        tail[0] == "*" and name.endswith(tail[1:]) and tail[1].isupper() and tail != f"*{name}"
    )
    whole = find_speed.qualified_name_of(target, rng)
    assert whole is not None
    assert whole.endswith(f"Outer.{name}")
    assert f"org.acme.Outer.{name}".endswith(whole)
    assert find_speed.member_of(target, rng) in (f"{name}#run", "run")


def test_there_is_no_query_where_a_type_has_none_of_the_class() -> None:
    target, rng = Target("Main", "", ""), random.Random(1)
    for kind in ("hump", "mixed-case", "leading star", "qualified", "package", "member"):
        assert find_speed._MAKERS[kind](target, rng) is None, kind


def test_queries_are_as_many_as_asked_for_and_repeatable() -> None:
    targets = [Target(name, "org.acme", "org.acme") for name in NAMES]

    def draw(seed: int) -> list[str]:
        return find_speed.queries_of("exact", targets, 20, seed, lambda query: query != "Main")

    assert len(draw(1)) == 20
    assert "Main" not in draw(1)
    assert draw(1) == draw(1) != draw(2)
    assert find_speed.queries_of("exact", targets, 5, 1, lambda _: False) == []


def test_targets_know_where_they_stand() -> None:
    targets = find_speed.targets_in(real_outlines())
    assert targets[0] == Target(
        "OrderService", "org.acme.shop", "org.acme.shop", ("run", "OrderService", "limit")
    )
    inner = next(target for target in targets if target.name == "BuilderState")
    package = "org.acme.shop.web.config"
    assert inner == Target("BuilderState", f"{package}.OrderServiceImpl", package, ("run",))


@pytest.mark.parametrize(
    ("percent", "expected"), [(50, 150), (99, 297), (100, 300), (0, 1), (0.1, 1)]
)
def test_percentile_is_a_measured_value(percent: float, expected: int) -> None:
    values = list(range(300, 0, -1))
    assert find_speed.percentile(values, percent) == expected


def test_summary() -> None:
    costs = [Cost(float(place), place / 2, place) for place in range(1, 101)]
    summary = find_speed.summarise(Cost(7.0, 3.0, 0), costs)
    assert tuple(summary) == (100, 7.0, 50.0, 99.0, 100.0, 25.0, 49.5, 50.5, 100)


def test_targets_by_size() -> None:
    assert find_speed.target_ms("p50", 20_000) == 1
    assert find_speed.target_ms("p99", 20_000) == 10
    assert find_speed.target_ms("p50", 20_001) == 5
    assert find_speed.target_ms("p99", 1_000_000) == 50


def test_tables_say_what_was_missed() -> None:
    slow = find_speed.summarise(Cost(1, 1, 1), [Cost(12.0, 12.0, 3)])
    quick = find_speed.summarise(Cost(1, 1, 1), [Cost(0.5, 0.5, 1)])
    lines = find_speed.one_table({"exact": slow, "prefix": quick}, 20_000).splitlines()
    assert lines[2].endswith("| <= 1 / 10, missed: p50, p99 |")
    assert lines[3].endswith("| <= 1 / 10 |")
    sizes = find_speed.sizes_table({1000: {"exact": quick}, 50_000: {"exact": slow}})
    assert "| exact | 0.50 / 0.50 | 12 / 12 |" in sizes
    assert sizes.splitlines()[-1] == "| target | 1 / 10 | 5 / 50 |"


def test_places_of_the_wanted_type() -> None:
    shown = [hit("a.Order"), hit("b.Order"), hit("a.OrderLine"), hit("b.Order")]
    assert find_order.places_in(shown, hit("b.Order")) == (1, 0)
    assert find_order.places_in(shown, hit("a.Order")) == (0, 0)
    assert find_order.places_in(shown, hit("a.OrderLine")) == (2, 2)
    assert find_order.places_in(shown, hit("c.Order")) is None


def test_alphabetical_order_stands_for_plain_jdtls() -> None:
    shown = [hit("b.Zoo"), hit("b.order"), hit("z.Order"), hit("a.Order"), hit("Order")]
    expected = ["Order", "a.Order", "z.Order", "b.order", "b.Zoo"]
    assert list(map(find_order.qualified, find_order.alphabetical(shown))) == expected


def test_shares_and_the_best_that_is_possible() -> None:
    shown = [hit("z.Order"), *(hit(f"{letter}.OrderLine") for letter in "abcdef"), hit("a.Order")]
    wanted = [shown[0], shown[-1], shown[6]]
    cases = list(find_order.cases_of("order", wanted, shown))
    assert [case.places for case in cases] == [((0, 0), (1, 0)), ((7, 0), (0, 0)), ((6, 1), (7, 2))]
    assert [len(case.ahead) for case in cases] == [0, 7, 6]
    third = 100 / 3
    ours = find_order.shares(cases, 0, lambda _: 1)
    assert list(ours) == pytest.approx([third, third, 2 * third, 100])
    theirs = find_order.shares(cases, 1, lambda _: 1)
    assert list(theirs) == pytest.approx([third, 2 * third, 2 * third, 100])
    assert list(find_order.best_possible(cases, lambda _: 1)) == pytest.approx([third, 100])
    weight = {"z.Order": 8, "a.Order": 2, "f.OrderLine": 0}
    heavy = find_order.shares(cases, 0, lambda found: weight[find_order.qualified(found)])
    assert heavy[:2] == (80, 80)
    assert heavy[2:] == (100, 100)


def test_a_query_that_misses_its_type_is_an_error() -> None:
    with pytest.raises(SystemExit, match=r"does not find a\.Order"):
        list(find_order.cases_of("x", [hit("a.Order")], [hit("b.Order")]))


def test_types_are_wanted_once_by_each_form() -> None:
    types = [hit("a.OrderLine"), hit("b.OrderLine"), hit("a.Main")]
    wanted = {name: find_order.wanted_by(form, types) for name, form in find_order._FORMS.items()}
    assert wanted["capitals"] == {"OL": types[:2]}
    assert wanted["simple name"] == {"OrderLine": types[:2], "Main": types[2:]}
    assert sum(map(len, wanted["60 % prefix"].values())) == 3


@pytest.mark.parametrize(
    ("query", "ahead", "wanted", "expected"),
    [
        ("OL", "OrderLine", "OrderLine", "the same name"),
        ("AC", "Acl", "AppContext", "the query as its beginning, in small letters"),
        ("AC", "AppContextEvent", "AppContext", "more humps"),
        ("AC", "AppContext", "AppContextEvent", "fewer humps"),
        ("AC", "AliasCache", "AppContext", "as many humps, no longer"),
        ("AC", "AliasContext", "AppContext", "as many humps, longer"),
    ],
)
def test_relation_of_what_stands_before(query: str, ahead: str, wanted: str, expected: str) -> None:
    assert find_order.relation(query, ahead, wanted) == expected


def test_imports_are_counted_once_a_file(tmp_path: Path) -> None:
    one, two = tmp_path / "A.java", tmp_path / "B.java"
    one.write_text("import a.Order;\nimport a.Order;\n  import a.Line;\nimport b.*;\n")
    two.write_text("package x;\nimport  a.Order ;\nimport static a.Line.max;\n")
    weight = find_order.import_weight([str(one), str(two)])
    assert weight(hit("a.Order")) == 2
    assert weight(hit("a.Line")) == 0
    assert weight(hit("b.Order")) == 0


def test_order_of_a_whole_index(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "describe", lambda: {"cpu": "none"})
    figures = tmp_path / "order.json"
    arguments = ["find_order", str(store), "--tree", "made=*", "--sample", "20"]
    monkeypatch.setattr("sys.argv", [*arguments, "--examples", "2", "--json", str(figures)])
    find_order.main()
    assert "made, 600 types:" in capsys.readouterr().out
    forms = json.loads(figures.read_text())["trees"]["made"]
    assert list(forms) == list(find_order._FORMS)
    name = forms["simple name"]
    assert name["types"] == 20
    assert name["javadex"]["name_first"] == 100
    for form in forms.values():
        best_first, best_top = form["bestPossible"]
        for order in find_order._ORDERS:
            assert 0 <= form[order]["type_first"] <= best_first <= 100
            assert form[order]["type_first"] <= form[order]["type_top"] <= best_top


def svg_of(*panels: Panel) -> ElementTree.Element:
    return ElementTree.fromstring(log_log(panels, "x & y", "ms <"))


def test_a_plot_is_well_formed() -> None:
    line = Line("<a> & b", [(1000, 0.5), (20_000, 3), (1_000_000, 40)])
    limit = Line("target", [(1000, 1), (1_000_000, 5)], is_limit=True)
    root = svg_of(Panel("p50", [line, limit]), Panel("p99", [line]))
    name = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{name}svg"
    assert len(root.findall(f".//{name}polyline")) == 3
    assert len(root.findall(f".//{name}circle")) == 6
    texts = [node.text for node in root.iter(f"{name}text")]
    assert texts.count("<a> & b") == 1
    assert {"p50", "p99", "x & y", "1,000", "1,000,000", "0.1"} <= set(texts)


def test_points_lie_where_their_logarithms_are() -> None:
    root = svg_of(Panel("p", [Line("a", [(10, 1), (100, 10), (1000, 100)])]))
    name = "{http://www.w3.org/2000/svg}"
    dots = [
        (float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in root.iter(f"{name}circle")
    ]
    (x0, y0), (x1, y1), (x2, y2) = dots
    assert math.isclose(x1 - x0, x2 - x1, abs_tol=0.2)
    assert math.isclose(y0 - y1, y1 - y2, abs_tol=0.2)
    assert x0 == 0 < x2
    assert y2 == 0 < y0


@pytest.mark.parametrize("points", [[], [(0, 1)], [(1, -1)]])
def test_a_plot_needs_points_above_zero(points: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        log_log([Panel("p", [Line("a", points)])], "x", "y")
