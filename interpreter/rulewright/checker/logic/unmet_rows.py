"""Does a thing ask for more than anybody can ever have, unlike others of its sort?

In: rules, and the composition they were built from. Out: a warning at the cell of each such row. What a thing asks for
is a field that a condition compares with what lies somewhere (`guest.fame <= points(me)`, `guest.wants fits in
goods(player)`), or that is paid. It is told if it is so for the fewest players and for the most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from rulewright.checker.common.most_players import with_fewest_players, with_most_players
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import find_entry
from rulewright.engine.faults import RuleFault
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import (
    Compare,
    Expr,
    FieldAccess,
    Filter,
    If,
    Local,
    Logic,
    Quantifier,
    Sum,
)
from rulewright.expr.types import Bag, ConstantValue, Flag, Number, Thing
from rulewright.expr.walk import find_position_read, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.actions import Pay
from rulewright.model.bag_indexes import bag_members
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.range_reader import Variables
from rulewright.model.facts.value_ranges import BagRange, Scalars, ValueRange
from rulewright.model.facts.zone_uses import exprs_of_play
from rulewright.model.judged_rules import files_of
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

ON_THE_LEFT: Final = ("<=", "fits in")  # how what is asked for is compared with what there is
ON_THE_RIGHT: Final = (">=",)
UNMET_SHARE: Final = 3  # of so many things that ask for anything one may be unmet; of fewer the condition is at fault


@frozen
class Demand:
    """What things of a component ask for, the variable `slot`, and what there is for it. `payment`: by which it is
    paid, whole or in other ways, too.
    """

    component: str
    slot: int
    asked: Expr
    had: Expr
    payment: Pay | None = None


@frozen
class Unmet:
    """A row that asks for more than there is: how many of a member, or just how many; and how many there are."""

    component: str
    row: int
    field: str
    number: int
    member: str
    most: int
    is_paid: bool


def check_unmet_rows(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    if not _are_things_judged(composition):
        return
    found = _unmet_rows(rules)
    for with_others in (with_fewest_players, with_most_players) if found else ():
        other = with_others(composition)
        also = {_key(one) for one in _unmet_rows(other[1])} if other is not None else set()
        found = [one for one in found if _key(one) in also]
    for one in found:
        row = rules.components[one.component].ids[one.row]
        address = f"components.{one.component}.rows.{row}"
        root, cell = composition.document.root, f"{address}.{one.field}"
        entry = find_entry(root, f"{cell}.{one.member}" if one.member else cell) or find_entry(root, cell)
        if entry is None or not composition.is_judged(entry.value.span):
            continue  # of a row that stands for several, of which others can be met
        what = f"{one.number} {one.member}".strip()
        diagnostics.add(
            entry.value.span,
            NEVER_TRUE,
            f"`{one.field}` of `{row}` asks for {what}, which nobody can ever {'pay' if one.is_paid else 'have'}",
            label="never met",
            help=f"there are never more than {one.most}",
            address=cell,
        )


def _are_things_judged(composition: Composition) -> bool:
    """Whether anything is judged of what is printed on things."""
    components = find_entry(composition.document.root, "components")
    if components is None or not composition.chosen_variants:
        return components is not None
    return not composition.variant_files.isdisjoint(files_of(components.value))


def _key(one: Unmet) -> tuple[str, int, str]:
    return one.component, one.row, one.field


def _unmet_rows(rules: Rules) -> list[Unmet]:
    """The rows of which no demand that reads a field can be met, if most of the others can."""
    demands = [*_demands(rules)] if rules.components else []
    if not demands:
        return []
    try:
        ranges = ranges_with_parameters(rules)
    except RuleFault:
        return []  # reported by the set-up
    found = dict[tuple[str, int, str], Unmet]()
    for demand in demands:
        fields = _fields_read(demand, rules)
        unmet = [*_unmet(demand, fields, ranges)]
        columns = [rules.components[demand.component].columns[field] for field in fields] if unmet else []
        asking = sum(any(map(_is_asked, cells)) for cells in zip(*columns, strict=True))
        if len(unmet) * UNMET_SHARE <= asking:
            found |= {_key(one): one for one in unmet}
    return [one for one in found.values() if not any(_meets(demand, one, ranges) for demand in demands)]


def _meets(demand: Demand, one: Unmet, ranges: ExpressionRanges) -> bool:
    """Whether a demand asks for as much of the same field, and there is so much."""
    if demand.component != one.component or one.field not in _fields_read(demand, ranges.rules):
        return False
    env: Variables = {demand.slot: Scalars.of((one.row,))}
    asked = ranges.range_of(demand.asked, env, ranges.seats)
    number = asked.low if isinstance(asked, Scalars) else asked.low_total if isinstance(asked, BagRange) else 0
    return number >= one.number and _lack(demand, env, ranges) is None


def _demands(rules: Rules) -> Iterator[Demand]:
    """What is asked of the fields of things: by conditions, and by payments."""
    for condition in _conditions(rules):
        for compare in _parts(condition):
            sides = ((compare.left, compare.right, ON_THE_LEFT), (compare.right, compare.left, ON_THE_RIGHT))
            for asked, had, ops in sides:
                if compare.op in ops and _is_counted(had) and (thing := _thing_of(asked)) is not None:
                    yield Demand(thing[0], thing[1], asked, had)
    for choice in (choice for action in rules.actions for choice in action.choices):
        if isinstance(choice.domain, Pay) and (thing := _thing_of(choice.domain.price)) is not None:
            yield Demand(*thing, choice.domain.price, choice.domain.funds, payment=choice.domain)


def _conditions(rules: Rules) -> Iterator[Expr]:
    """The conditions of clauses, steps and values, and those within other expressions."""
    for expr in exprs_of_play(rules):
        if isinstance(expr.type, Flag):
            yield expr
        for part in iter_exprs(expr):
            match part:
                case Filter(condition=condition) | Sum(condition=condition) if condition is not None:
                    yield condition
                case Quantifier(quantifier="some", condition=condition) | If(condition=condition):
                    yield condition


def _parts(condition: Expr) -> Iterator[Compare]:
    """The comparisons without which a condition does not hold."""
    match condition:
        case Logic(op="and", left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case Compare():
            yield condition


def _thing_of(asked: Expr) -> tuple[str, int] | None:
    """The component of the only thing from which something is read, and its slot."""
    if not isinstance(asked.type, Number | Bag):
        return None
    things = {
        (part.type.component, part.slot)
        for part in iter_exprs(asked)
        if isinstance(part, Local) and isinstance(part.type, Thing)
    }
    return things.pop() if len(things) == 1 else None


def _is_counted(had: Expr) -> bool:
    """Whether it depends on the position how much there is, and not only on what is printed on some other thing."""
    is_printed = any(isinstance(part, FieldAccess) and isinstance(part.of.type, Thing) for part in iter_exprs(had))
    return find_position_read(had) is not None and not is_printed


def _fields_read(demand: Demand, rules: Rules) -> list[str]:
    """The fields of the thing of which a demand is made."""
    return [
        part.name
        for part in all_parts(rules.values, [demand.asked])
        if isinstance(part, FieldAccess)
        and part.of.type == Thing(demand.component)
        and isinstance(part.of, Local)
        and isinstance(rules.components[demand.component].field_types[part.name], Number | Bag)
    ]


def _is_asked(value: ConstantValue) -> bool:
    """Whether a cell asks for anything, and not for what nobody is to have."""
    if isinstance(value, int):
        return value > 0 and not (value > 9 and {*str(value)} == {"9"})
    return isinstance(value, tuple) and any(value)


def _unmet(demand: Demand, fields: Sequence[str], ranges: ExpressionRanges) -> Iterator[Unmet]:
    """The rows of which a demand cannot be met, by what all that there is comes to."""
    component = ranges.rules.components[demand.component]
    had = ranges.range_of(demand.had, {}, ranges.seats)
    for row in range(len(component.ids)):
        field = next((name for name in fields if _is_much(component.columns[name][row], had)), None)
        lack = None if field is None else _lack(demand, {demand.slot: Scalars.of((row,))}, ranges)
        if field is not None and lack is not None:
            yield Unmet(component.name, row, field, *lack, demand.payment is not None)


def _is_much(cell: ConstantValue, had: ValueRange) -> bool:
    """Whether a cell says more than there is, whatever else a demand takes into account."""
    if isinstance(had, Scalars):
        return _is_asked(cell) and (sum(cell) if isinstance(cell, tuple) else cell or 0) > had.high
    if not isinstance(cell, tuple) or not isinstance(had, BagRange):
        return False
    return any(number > most for number, most in zip_longest(cell, had.highs, fillvalue=0))


def _lack(demand: Demand, env: Variables, ranges: ExpressionRanges) -> tuple[int, str, int] | None:
    """How much is asked for at least, of what, and how much there can be of it; None if it can be met."""
    asked, had = (ranges.range_of(side, env, ranges.seats) for side in (demand.asked, demand.had))
    if isinstance(asked, Scalars) and isinstance(had, Scalars):
        return (asked.low, "", had.high) if asked.low > had.high else None
    if not isinstance(asked, BagRange) or not isinstance(had, BagRange) or not isinstance(demand.asked.type, Bag):
        return None
    sides = enumerate(zip_longest(asked.lows, had.highs, fillvalue=0))
    lacking = [(low - high, index, low, high) for index, (low, high) in sides]
    others = 0 if demand.payment is None else _others(demand.payment, had, env, ranges)
    missing = sum(max(0, lack) for lack, *_ in lacking)
    if missing <= others:
        return None
    _, index, low, high = max(lacking)
    return low, _member_at(ranges.rules, demand.asked.type.kind, index), high + others


def _member_at(rules: Rules, kind: str, index: int) -> str:
    """The name of the member that bags of a kind count at an index."""
    number, definition = bag_members(rules, kind)[index], rules.kinds[kind]
    known = dict(zip(definition.member_values, definition.members, strict=True))
    return known.get(number, "")


def _others(payment: Pay, had: BagRange, env: Variables, ranges: ExpressionRanges) -> int:
    """How many pieces of a price can be paid otherwise, or need not be."""
    found = 0 if payment.rebate is None else ranges.scalars(payment.rebate, env, ranges.seats).high
    for index, member in enumerate(payment.wild):
        worth = payment.worth_of(index)
        each = 1 if worth is None else ranges.scalars(worth, env, ranges.seats).high
        found += had.highs[member] * max(0, each) if member < len(had.highs) else 0
    return found


__all__ = ["check_unmet_rows"]
