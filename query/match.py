"""Which types and methods a query selects: jdt.ls' `workspace/symbol`, to the letter.

The rules, the reasons for the odd ones and the evidence are in docs/matching.md; section numbers
here are its. Pure: takes and returns strings, knows neither SQL nor jdt.ls. Whoever holds many
names asks the hints of a query first (`query/patterns.py`) and then `matches` of what is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from indexer.hints import Criteria, NameHint, QualHint
from indexer.javachars import (
    is_identifier_part,
    is_identifier_start,
    is_upper,
    is_whitespace,
    java_trim,
    units,
)
from query.patterns import (
    Predicate,
    camel,
    camel_hint,
    glob,
    glob_hint,
    has_wildcard,
    hump_pieces,
    one_star,
    prefix,
    prefix_hint,
    qual_hint,
)


@dataclass(frozen=True, slots=True)
class TypeQuery:
    """A query for types: search A by name and qualifier, united with search B (section 3).

    A type is given as its simple name and its qualification: the declared package, then the
    enclosing types, joined by dots (section 1). What `matches` accepts is admitted by

        (one of `name_hints` and `qualifier_hint`) or `qualification_hint`
    """

    text: str
    """The trimmed query."""
    name_hints: tuple[NameHint, ...]
    """Search A: at least one must admit the name. Empty: search A selects nothing."""
    qualifier_hint: QualHint
    """Search A: must admit the qualification."""
    qualification_hint: QualHint
    """Search B: must admit the qualification."""
    _name: Predicate = field(repr=False, compare=False)
    _qualifier: Predicate = field(repr=False, compare=False)
    _qualification: Predicate = field(repr=False, compare=False)

    @property
    def criteria(self) -> Criteria:
        """The hints, as the store is asked."""
        return Criteria(self.name_hints, self.qualifier_hint, self.qualification_hint)

    def matches(self, name: str, qualification: str) -> bool:
        """True when search A or search B selects the type."""
        return (
            self.matches_name(name) and self.matches_qualifier(qualification)
        ) or self.matches_qualification(qualification)

    def matches_name(self, name: str) -> bool:
        """The half of search A that looks at the name."""
        return self._name(name)

    def matches_qualifier(self, qualification: str) -> bool:
        """The half of search A that looks at the qualification; true for a query without dot."""
        return self._qualifier(qualification)

    def matches_qualification(self, qualification: str) -> bool:
        """Search B: true when every type of this qualification is selected, by any name."""
        return self._qualification(qualification)


@dataclass(frozen=True, slots=True)
class MethodQuery:
    """A query for methods, by name only (section 8). What `matches` accepts, a hint admits."""

    text: str
    """The trimmed query."""
    name_hints: tuple[NameHint, ...]
    """At least one must admit the name."""
    _name: Predicate = field(repr=False, compare=False)

    @property
    def criteria(self) -> Criteria:
        """The hints, as the store is asked."""
        return Criteria(self.name_hints)

    def matches(self, name: str) -> bool:
        """True when the query selects a method of this name."""
        return self._name(name)


def compile_query(text: str, *, strict: bool = False) -> TypeQuery | None:
    """Prepare a query for types; None for a blank one (section 2).

    `strict` copies even the loss of the exact name to a query's own trailing star (section 4.1);
    otherwise stars at the end count as one, which only ever adds matches.
    """
    if is_blank(text):
        return None
    trimmed = java_trim(text)
    qualifier, name = _split(trimmed)
    whole = trimmed
    if not strict:
        name, whole = one_star(name), one_star(whole)
    test, hints = _name_rules(name)
    return TypeQuery(
        text=trimmed,
        name_hints=hints,
        qualifier_hint=qual_hint(qualifier),
        qualification_hint=qual_hint(whole),
        _name=test,
        _qualifier=glob(qualifier),
        _qualification=glob(whole),
    )


def compile_method_query(text: str, *, strict: bool = False) -> MethodQuery | None:
    """Prepare a query for methods; None for a blank one (section 8). `strict` as for types."""
    if is_blank(text):
        return None
    trimmed = java_trim(text)
    if has_wildcard(trimmed.rpartition(".")[2]):
        pattern = trimmed if strict else one_star(trimmed)
        return MethodQuery(trimmed, (glob_hint(pattern),), glob(pattern))
    test, hints = _plain_rules(trimmed, with_camel=trimmed != "")
    return MethodQuery(trimmed, hints, test)


def is_blank(text: str) -> bool:
    """True for a query that asks nothing (section 2.1)."""
    return all(map(is_whitespace, text))


def _split(trimmed: str) -> tuple[str, str]:
    """Glob for the qualification and pattern for the name (sections 2.3 to 2.5)."""
    qualifier, dot, name = trimmed.rpartition(".")
    if not dot:
        pieces = hump_pieces(trimmed)
        return "*", trimmed if len(pieces) == 1 else f"*{'*'.join(pieces)}*"
    return (qualifier if has_wildcard(qualifier) else f"*{qualifier}*"), name


def _name_rules(name: str) -> tuple[Predicate, tuple[NameHint, ...]]:
    """Test and hints for the pattern of the name (section 4)."""
    if name == "":
        return (lambda _name: False), ()
    if has_wildcard(name):
        return glob(name), (glob_hint(name),)
    return _plain_rules(name, with_camel=_is_hump_pattern(units(name)))


def _plain_rules(name: str, *, with_camel: bool) -> tuple[Predicate, tuple[NameHint, ...]]:
    """Prefix, or either of prefix and camel."""
    by_prefix = prefix(name)
    if not with_camel:
        return by_prefix, (prefix_hint(name),)
    by_humps = camel(name)
    either = (prefix_hint(name), camel_hint(name))
    return (lambda candidate: by_prefix(candidate) or by_humps(candidate)), either


def _is_hump_pattern(name: str) -> bool:
    """True when camel may be tried: "usable" in section 4."""
    upper = sum(map(is_upper, name))
    return (
        upper >= (2 if is_upper(name[0]) else 1)
        and is_identifier_start(name[0])
        and all(map(is_identifier_part, name))
    )
