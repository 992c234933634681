"""Answers over the sample projects as text and JSON, against golden files (`tests/golden`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from indexer.files import resolve_root
from query.contract import FindAnswer, OutlineAnswer
from query.render import find_text, outline_text
from query.service import Scope, Service
from tests.jdtls.conftest import Indexed
from tests.jdtls.samples import PROJECTS, SAMPLES, java_files
from tests.support.golden import GOLDEN, check_golden

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

CUT = "odd/src/layout/GeneratedTokens.java"
"""A thousand members: shown with a limit, which the golden text then shows, too."""

QUERIES = (
    # names: exact, ignoring case, prefix
    "OrderService", "orderservice", "Order", "Money", "start", "Twin", "Defaults", "Clipboard",
    # humps: all of a name's, some, with digits and underscores
    "OS", "OrdSer", "HUC", "HtUrCo", "huc", "OACon", "AuConf", "BIS", "HTTPS", "HS", "PCT",
    # wildcards, and what is none
    "*Service", "Linked*Set", "L?st", "OrderService*", "*Exception", "%", "_", "Linked[HT]*",
    # qualified names and packages
    "app.util.List", "app.util.list", "util.List", "app.*.List", "app.util", "shop.orders.Order",
    "app.util.Bag.Entry", "Bag.Entry", "app.util.", "shop.core.*",
    # as agents send them
    "  Money ", "List<String>", "Order.java", "Order#total", "@Audited", "new Start()",
    "app/util/List",
    # strange names, and names of types that no index may know
    "Été", "漢字", "Ascii", "MyFile", "Greeter", "package-info", "NoSuchType",
)  # fmt: skip


@pytest.fixture(scope="module")
def service(indexed: Indexed) -> Iterator[Service]:
    roots = tuple(resolve_root(str(indexed.samples / name)) for name in PROJECTS)
    with Service(Scope(roots, str(indexed.db))) as service:
        yield service


@pytest.mark.parametrize("project", PROJECTS)
def test_outlines(project: str, indexed: Indexed, service: Service) -> None:
    texts = []
    for path in java_files(SAMPLES / project):
        limit = 20 if f"{project}/{path}" == CUT else 0
        answer = service.outline(str(indexed.samples / project / path), limit=limit)
        assert isinstance(answer, OutlineAnswer)
        text = answer.message + "\n" if answer.reason else outline_text(answer)
        texts.append(without_place(text, indexed))
    check_golden(f"outlines-{project}.txt", "\n".join(texts))


def test_find_as_text(indexed: Indexed, service: Service) -> None:
    texts = []
    for query in QUERIES:
        answer = service.find(query, limit=5)
        assert isinstance(answer, FindAnswer)
        text = answer.message + "\n" if answer.reason else find_text(answer)
        texts.append(f"$ javadex find {query!r} --limit 5\n{without_place(text, indexed)}")
    check_golden("find.txt", "\n".join(texts))


def test_find_as_json(indexed: Indexed) -> None:
    options = ("--limit", "5", "--db", str(indexed.db), *indexed.sample_roots)
    answers = indexed.cli.batch("find", list(QUERIES), *options)
    texts = [
        f"$ javadex find {query!r} --limit 5 --json\n{one_result_per_line(answer)}\n"
        for query, answer in zip(QUERIES, answers, strict=True)
    ]
    check_golden("find-json.txt", without_place("\n".join(texts), indexed))


def test_command_line_prints_the_golden_text(indexed: Indexed) -> None:
    """The texts above were made in this process; a user gets them from the command."""
    options = ("--db", str(indexed.db), *indexed.sample_roots)
    found = indexed.cli.run("find", "OrderService", "--limit", "5", *options).stdout
    assert without_place(found, indexed) in (GOLDEN / "find.txt").read_text("utf-8")
    path = indexed.samples / "maven-shop/core/src/main/java/shop/core/Money.java"
    shown = indexed.cli.run("outline", path, "--limit", "0", *options).stdout
    assert without_place(shown, indexed) in (GOLDEN / "outlines-maven-shop.txt").read_text("utf-8")


def one_result_per_line(answer: dict[str, Any]) -> str:
    """The document with each result on a line of its own: short, and good to compare."""
    lines = [json.dumps(hit, ensure_ascii=False) for hit in answer.pop("results")]
    return "\n".join([*lines, json.dumps(answer, ensure_ascii=False)])


def without_place(text: str, indexed: Indexed) -> str:
    """Paths relative to the samples, and no times."""
    text = text.replace(f"file://{indexed.samples}/", "file:///samples/")
    text = text.replace(f"{indexed.samples}/", "")
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", "<time>", text)
