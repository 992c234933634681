"""Answers of findSymbol from an open index: what matches, in order, as far as it still stands.

A question that finds nothing is asked once more in the forms that agents' queries may mean; a miss
after that offers near names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.model import MEMBER_KINDS, TYPE_KINDS, SymbolKind
from indexer.standing import Standing
from indexer.store.plans import MEMBERS, TYPES, Table
from indexer.store.reader import Reader, Workspace
from indexer.store.search import LibraryMatch, Match, Wanted
from indexer.types import enclosing_types
from indexer.uris import file_uri
from query.contract import FindAnswer, Hit, Provenance, Reason
from query.freshness import Filtered, Freshness
from query.limits import DEFAULT_LIMIT
from query.match import MethodQuery, TypeQuery, compile_method_query, compile_query
from query.members import MemberQuery, compile_member_query, explicit_member, possible_member
from query.rank import RankKey, nearness, rank_key
from query.strict import as_jdtls_answers

if TYPE_CHECKING:  # imported when a library's type is among the matches
    from query.library_hits import LibraryHits

_LONGEST_QUERY = 65_535
"""Bytes of a name at most (JVMS 4.4.7); characters of a query that is looked up at all."""

_MORE = 8
"""How many times as many matches are fetched when too many of them no longer stand."""


class FindOptions(NamedTuple):
    """How to find."""

    limit: int = DEFAULT_LIMIT
    """Most results; 0 is all."""
    strict: bool = False
    """As jdt.ls answers, to the letter (docs/matching.md)."""
    kinds: frozenset[SymbolKind] | None = None
    """What to look for, types and members alike; None: types, as jdt.ls does."""
    source_methods: bool = False
    """With no kinds: methods, too, as jdt.ls does with `includeSourceMethodDeclarations`."""
    path: str = ""
    """Glob over paths below their workspace folder, as SQLite's GLOB takes it; empty: any."""
    libraries: bool = True
    """Types of libraries, too, after those of the workspace."""


class _Question(NamedTuple):
    """One search of one table."""

    table: Table
    query: TypeQuery | MethodQuery | MemberQuery
    kinds: frozenset[SymbolKind] | None


class _Fetched(NamedTuple):
    """What matches a question."""

    total: int
    """All matches, those that were not fetched and those that are lacking, too."""
    ranked: list[Match | LibraryMatch]
    """The first of them, in order."""
    lacking: int
    """Matches of which the index has the name, but not the lines; known when all were fetched."""


class Finder:
    """Answers questions of one kind about the workspace folders of one index."""

    def __init__(
        self,
        reader: Reader,
        folders: Mapping[int, Workspace],
        options: FindOptions,
        java: Callable[[], str] = lambda: "",
    ) -> None:
        """`java` gives the executable that would run the language server, "" for none."""
        self._reader = reader
        self._java = java
        self._folders = folders
        self._options = options
        self._freshness = Freshness(folders)
        self._library_hits: LibraryHits | None = None
        self.left_out: tuple[tuple[Standing, int], ...] = ()
        """What an answer of None left out, as `Provenance.left_out`."""

    def answer(self, query: str) -> FindAnswer | None:
        """Return what `query` finds, None for nothing."""
        if len(query) > _LONGEST_QUERY:
            return None
        for form, questions in self._forms(query):
            answer = self._search(questions, form)
            if answer.total or answer.reason:
                return answer
            self.left_out = self.left_out or answer.provenance.left_out
        return None

    def _forms(self, query: str) -> Iterator[tuple[str, list[_Question]]]:
        """Yield what to ask, one after the other until something is found, and its name."""
        yield "as given", self._questions(query)
        if self._options.strict:
            return
        kinds = self._options.kinds
        if kinds is None:
            for member in filter(None, (explicit_member(query), possible_member(query))):
                yield f"as member {member.shown!r}", [_Question(MEMBERS, member, member.kinds)]
        from query.normalise import candidates

        for form in candidates(query):
            yield f"as {form!r}", self._questions(form)

    def _questions(self, query: str) -> list[_Question]:
        options = self._options
        questions = []
        wanted_types = TYPE_KINDS if options.kinds is None else options.kinds & TYPE_KINDS
        types = compile_query(query, strict=options.strict)
        if types and wanted_types:
            every = wanted_types >= TYPE_KINDS
            questions.append(_Question(TYPES, types, None if every else wanted_types))
        if options.kinds is not None:
            members = compile_member_query(query)
            if members and options.kinds & members.kinds:
                questions.append(_Question(MEMBERS, members, options.kinds & members.kinds))
        elif options.source_methods:
            methods = compile_method_query(query, strict=options.strict)
            if methods:
                questions.append(_Question(MEMBERS, methods, frozenset({SymbolKind.Method})))
        return questions

    def _search(self, questions: Sequence[_Question], form: str) -> FindAnswer:
        limit = self._options.limit
        exact_count = not self._options.strict and not _nested(self._folders)
        most = limit if exact_count else 0
        while True:
            fetched = self._fetch(questions, most)
            left = self._freshness.filter(fetched.ranked, limit)
            enough = len(left.shown) == limit or len(fetched.ranked) >= fetched.total
            if enough or not most or most >= fetched.total:
                return self._answer(fetched, left, form)
            most *= _MORE

    def _fetch(self, questions: Sequence[_Question], most: int) -> _Fetched:
        """The first `most` matches, and as many more as are equally near; 0 fetches all."""
        total, lacking = 0, 0
        ranked = list[tuple[RankKey, str, int, Match | LibraryMatch]]()
        for table, query, kinds in questions:
            wanted = Wanted(
                query.criteria,
                nearness(query),
                list(self._folders),
                kinds,
                self._options.path,
                seen_by_jdtls=self._options.strict,
                most=most,
            )
            found = self._reader.find(table, wanted)
            matches, count = found.matches, found.total
            if not most or most >= count:
                lacks = count - len(matches)
                matches = _once(matches, self._folders)
                if self._options.strict and table is TYPES:
                    matches = list(as_jdtls_answers(self._reader, matches))
                count = len(matches) + lacks
                lacking += lacks
            total += count
            ranked += [(_rank(query, one), self._root(one), one.ordinal, one) for one in matches]
            if table is TYPES and self._options.libraries and not self._options.path:
                in_libraries = self._reader.find_in_libraries(wanted)
                total += in_libraries.total
                if not most or most >= in_libraries.total:
                    lacking += in_libraries.total - len(in_libraries.matches)
                ranked += self._ranked_libraries(query, in_libraries.matches)
        ranked.sort(key=lambda each: each[:3])
        return _Fetched(total, [match for *_, match in ranked], lacking)

    def _ranked_libraries(
        self, query: TypeQuery | MethodQuery | MemberQuery, matches: Sequence[LibraryMatch]
    ) -> list[tuple[RankKey, str, int, Match | LibraryMatch]]:
        if not matches:
            return []
        from query.library_hits import LibraryHits, library_rank

        self._library_hits = self._library_hits or LibraryHits(self._java)
        return [(library_rank(query, one), self._root(one), 0, one) for one in matches]

    def _library_hit(self, match: LibraryMatch) -> Hit:
        assert self._library_hits
        return self._library_hits.hit(match, self._root(match))

    def _root(self, match: Match | LibraryMatch) -> str:
        return self._folders[match.workspace_id].root

    def _answer(self, fetched: _Fetched, left: Filtered, form: str) -> FindAnswer:
        out = {standing: len(matches) for standing, matches in left.left_out.items()}
        gone, detail = sum(out.values()), f"matched {form}"
        if gone:
            detail += f"; left out {gone} in files that changed or went since the last run"
        if fetched.lacking:
            out[Standing.DAMAGED] = fetched.lacking
            detail += f"; left out {fetched.lacking} of which the index has lost the lines"
        since = min((folder.indexed_at or "" for folder in self._folders.values()), default="")
        left_out = tuple(sorted(out.items(), key=lambda each: (-each[1], each[0].value)))
        state = left_out[0][0] if left_out else Standing.FRESH
        provenance = Provenance("index", state, since, left_out, detail)
        if not left.shown and (out.keys() & {Standing.CHANGED, Standing.DAMAGED}):
            message = self._why_none(left.left_out.get(Standing.CHANGED, []), fetched.lacking)
            return FindAnswer((), 0, Reason.SERVER_NOT_FULLY_READY, message, provenance)
        hits = tuple(map(self._hit, left.shown))
        if not left_out and any(hit.missing for hit in hits):
            provenance = provenance._replace(state=Standing.LIBRARY_UNKNOWN)
        return FindAnswer(hits, fetched.total - sum(out.values()), provenance=provenance)

    def _why_none(self, changed: Sequence[Match], lacking: int) -> str:
        """Why there is no hit although something matched."""
        if changed:
            return _changed(changed, self._folders)
        return (
            f"{lacking} symbols matched, but the index {self._reader.path} is damaged: it has lost "
            "their lines; `javadex index` makes it anew, or ask for a file's outline"
        )

    def _hit(self, match: Match | LibraryMatch) -> Hit:
        if isinstance(match, LibraryMatch):
            return self._library_hit(match)
        full = os.path.join(self._root(match), match.path)
        is_member = match.kind in MEMBER_KINDS
        as_jdtls = self._options.source_methods and self._options.kinds is None
        return Hit(
            match.name,
            # jdt.ls has a kind of its own for records in outlines, but not in workspace/symbol.
            SymbolKind.Class if match.kind is SymbolKind.Struct else match.kind,
            container(match, "$" if is_member and as_jdtls else "."),
            file_uri(full),
            full,
            match.selection_range,
            match.range,
            signature=match.label if is_member and not as_jdtls else "",
        )


def container(match: Match, separator: str = ".") -> str:
    """Package of the folder, then the enclosing types (docs/matching.md, sections 6 and 8)."""
    package = match.package if match.folder_package is None else match.folder_package
    enclosing = enclosing_types(match.qualification, match.package).replace(".", separator)
    return ".".join(filter(None, (package, enclosing)))


def _rank(query: TypeQuery | MethodQuery | MemberQuery, match: Match) -> RankKey:
    qualified = ".".join(filter(None, (container(match), match.name)))
    return rank_key(
        query,
        match.name,
        match.qualification,
        False,
        qualified,
        match.path,
        nested=_is_nested(match),
    )


def _is_nested(match: Match) -> bool:
    """True for a type in a type, and for its members."""
    around = enclosing_types(match.qualification, match.package)
    return "." in around if match.kind in MEMBER_KINDS else around != ""


def _nested(folders: Mapping[int, Workspace]) -> bool:
    """True when one of the folders lies in another, so that a file may be found twice."""
    roots = [folder.root.rstrip("/") + "/" for folder in folders.values()]
    return any(one != two and one.startswith(two) for one in roots for two in roots)


def _once(matches: list[Match], folders: Mapping[int, Workspace]) -> list[Match]:
    """Of a file that lies in several of the folders, one inside the other, the inner one's."""
    if not _nested(folders):
        return matches
    by_place: dict[tuple[str, int], Match] = {}
    for match in sorted(matches, key=lambda match: len(folders[match.workspace_id].root)):
        full = os.path.join(folders[match.workspace_id].root, match.path)
        by_place[full, match.ordinal] = match
    return list(by_place.values())


def _changed(matches: Sequence[Match], folders: Mapping[int, Workspace]) -> str:
    paths = dict.fromkeys(
        os.path.join(folders[each.workspace_id].root, each.path) for each in matches
    )
    named = ", ".join(list(paths)[:3]) + (", ..." if len(paths) > 3 else "")
    return (
        f"{len(matches)} symbols matched, but their files changed since the last run: {named}; "
        "run `javadex index`, or ask for a file's outline, which is always up to date"
    )
