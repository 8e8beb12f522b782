"""What expressions could be before one value was changed, they still can be, where they do not read it.

In: a reader of ranges that has read nothing yet. Out: the same, with all that the last reader for the same declarations
has found and that no change of a derived value can have made untrue. So while a rule is written, only what depends on
it is followed anew. `test_continued_ranges.py` holds the fields of rules that are compared to those that readers read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from rulewright import limits
from rulewright.expr.tree import Expr, ReadValue
from rulewright.expr.walk import iter_exprs
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import Scalars, ValueRange
from rulewright.model.rules import Rules, ValueDef
from rulewright.source.node_memo import NodeMemo

ReaderT = TypeVar("ReaderT", bound=ExpressionRanges)
MAX_READERS: Final = 8  # of two sorts, at four numbers of players
COMPARED: Final = ("players", "has_elimination", "kinds", "family_members", "parameters", "states")  # as they are
_READERS: Final[list[tuple[object, ExpressionRanges]]] = []  # those that were made last


def continued(ranges: ReaderT, *others: object) -> ReaderT:
    """The reader, with what is known. `others`: all else that its ranges depend on besides its rules."""
    basis = (ranges.__class__, *_declarations(ranges.rules), ranges.contents, ranges.variables, others)
    for index, (known, before) in enumerate(_READERS):
        if known == basis:
            del _READERS[index]
            _take_over(ranges, before)
            break
    _READERS.append((basis, ranges))
    del _READERS[:-MAX_READERS]
    return ranges


def _declarations(rules: Rules) -> tuple[object, ...]:
    """All that ranges depend on besides values, without the places in files."""
    zones = [
        (zone.name, zone.content_type, zone.key_types, zone.key_values, zone.first_index, zone.size)
        for zone in rules.zones.values()
    ]
    components = [(one.name, one.ids, one.field_types, one.columns) for one in rules.components.values()]
    return (*(getattr(rules, name) for name in COMPARED), zones, components)


def _take_over(ranges: ExpressionRanges, before: ExpressionRanges) -> None:
    changed = _changed_values(ranges.rules, before.rules)
    ranges.seats = before.seats  # by which what is known is looked up
    ranges.known_ranges.update(
        (key, known)
        for key, known in before.known_ranges.items()
        if _values_in(known[0]).isdisjoint(changed) and _comes_again(known[2])
    )
    for own, its in ((ranges.known_values, before.known_values), (ranges.constant_values, before.constant_values)):
        own.update((key, found) for key, found in its.items() if key[0] not in changed)


def _comes_again(around: Iterable[ValueRange | None]) -> bool:
    """Whether the ranges of variables are looked up as the same objects: those of a loop are made anew."""
    return all(
        one is None or (isinstance(one, Scalars) and one.single is not None and Scalars.of((one.single,)) is one)
        for one in around
    )


def _changed_values(rules: Rules, before: Rules) -> frozenset[str]:
    """The derived values that are others now, and those that read one of them."""
    names = rules.values.keys() | before.values.keys()
    changed = {name for name in names if rules.values.get(name) != before.values.get(name)}
    while True:
        more = {
            name
            for name, value in rules.values.items()
            if name not in changed and not changed.isdisjoint(_values_read(value))
        }
        if not more:
            return frozenset(changed)
        changed |= more


def _values_read(value: ValueDef) -> frozenset[str]:
    return frozenset[str]().union(*(_values_in(term) for _, term in (*value.terms, *value.deductions)))


_values_in: Final = NodeMemo[Expr, frozenset[str]](  # typed trees stay from build to build
    lambda expr: frozenset(part.name for part in iter_exprs(expr) if isinstance(part, ReadValue)),
    limits.MAX_REMEMBERED_READINGS,
)

__all__ = ["COMPARED", "continued"]
