"""Which members a query selects: methods, constructors, fields and constants of known types. Pure.

What `workspace/symbol` has for members is `query.match.compile_method_query`; this is ours, and
reaches further (docs/matching.md, section 13): an owner can be named, and humps count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from indexer.files import is_unicode
from indexer.hints import Criteria, NameHint, QualHint
from indexer.javachars import TRIMMED, fold, is_upper, is_whitespace, java_trim
from indexer.model import MEMBER_KINDS, SymbolKind
from query.patterns import (
    at_humps_hint,
    camel_hint,
    glob,
    glob_hint,
    has_wildcard,
    one_star,
    prefix_hint,
    qual_hint,
)

_MEMBER_MARK = re.compile(r"#|::")
_NESTED = re.compile(r"(?<=[^.$])\$(?=[^.$])")  # `Outer$Inner`, but not `Gen$$Proxy`
_CALL = re.compile(r"\(.*", re.DOTALL)
_CONSTRUCTORS = frozenset({"<init>", "new"})


@dataclass(frozen=True, slots=True)
class MemberQuery:
    """A query for members by name, of any owner or of those that are named."""

    text: str
    """What is asked of the name."""
    owner: str
    """The owner's simple or qualified name, dots between nested types; empty: any."""
    whole: bool
    """True when the name is complete; else it may be a beginning, or humps."""
    kinds: frozenset[SymbolKind] = MEMBER_KINDS
    """What can be meant: all members, or constructors only."""

    @property
    def criteria(self) -> Criteria:
        """What the store is asked."""
        simple = fold(self.owner.rpartition(".")[2])
        known = simple if not has_wildcard(self.owner) and is_unicode(simple) else ""
        return Criteria(_name_hints(self.text, self.whole), _owner_hint(self.owner), owner=known)

    @property
    def shown(self) -> str:
        """The query as a person would write it."""
        return f"{self.owner}#{self.text}" if self.owner else self.text


def compile_member_query(text: str) -> MemberQuery | None:
    """Prepare a query that is about members; None when it names none.

    `name`, `Owner.name`, `a.b.Owner.name`, `Owner#name`, `Owner::name`, with or without a parameter
    list; `*` and `?` in the name or in the owner are wildcards. A name that a parenthesis follows
    is complete.
    """
    trimmed = java_trim(text)
    bare = java_trim(_CALL.sub("", trimmed))
    owner, name = _parted(bare)
    if not name or any(map(is_whitespace, name)):
        return None
    constructor = name in _CONSTRUCTORS
    if constructor:
        name = owner.rpartition(".")[2]
    if not name:
        return None
    kinds = frozenset({SymbolKind.Constructor}) if constructor else MEMBER_KINDS
    return MemberQuery(name, owner, constructor or bare != trimmed, kinds)


def explicit_member(text: str) -> MemberQuery | None:
    """Return the query for members that `text` can only mean, None when it may mean a type.

    `Owner#name`, `#name`, `Owner::name` and `name(`, where the name is not that of a constructor:
    `new Order()` is about the type. Of a declaration, `void name(int a)`, the last word counts.
    """
    before, parenthesis, after = text.partition("(")
    words = before.split()
    if _MEMBER_MARK.search(before):
        return compile_member_query(text)
    if not parenthesis or not words or "new" in words:
        return None
    query = compile_member_query(f"{words[-1]}({after}")
    return query if query and not is_upper(query.text[0]) else None


def possible_member(text: str) -> MemberQuery | None:
    """Return the query for the member `name` that `Owner.name` means if it is no type."""
    query = compile_member_query(text)
    if query and query.owner and not has_wildcard(text):
        return replace(query, whole=True)
    return None


def _parted(bare: str) -> tuple[str, str]:
    """Owner and name."""
    *owner, name = _MEMBER_MARK.split(bare)
    if not owner:
        before, _, name = bare.rpartition(".")
        owner = [before]
    dotted = (_NESTED.sub(".", java_trim(part)) for part in owner)
    return ".".join(part for part in dotted if part).strip(f".{TRIMMED}"), java_trim(name)


def _name_hints(name: str, whole: bool) -> tuple[NameHint, ...]:
    if has_wildcard(name):
        return (glob_hint(one_star(name)),)
    if whole:
        return (glob_hint(name),)
    return (prefix_hint(name), camel_hint(name), at_humps_hint(name))


def _owner_hint(owner: str) -> QualHint:
    """The qualification of a member is its owner, or ends with a dot and its owner."""
    if not owner:
        return QualHint()
    same, below = glob(owner), glob(f"*.{owner}")
    hint = qual_hint(f"*{owner}")
    return hint._replace(check=lambda text: same(text) or below(text))
