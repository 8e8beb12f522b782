"""Ranges of expressions where it is known how many things can be in all places of a zone together.

In: what places hold, bounds of zones. Out: ranges, which add up no more than there is: what all seats have together
comes from the same heap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from rulewright.checker.logic.owned_pieces import owner_key
from rulewright.expr.tree import (
    SIDES_SWAPPED,
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    FieldTotal,
    Filter,
    Local,
    Logic,
    Quantifier,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import ANY_NUMBER, SEAT, Bag, Member, Number, SetOf
from rulewright.frozen import replace
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.value_ranges import FALSE, UNBOUNDED, BagRange, Scalars, SetRange, ValueRange
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import Rules


class CountedRanges(ExpressionRanges):
    """`most`: how many things can be in all places of a zone together. `pieces`: of each zone the same as a bag.
    `owned`: of zones whose pieces never leave their player, for each seat what it has in all of them.
    """

    def __init__(
        self,
        rules: Rules,
        contents: Sequence[ValueRange],
        variables: Sequence[ValueRange],
        most: Mapping[str, int],
        pieces: Mapping[str, BagRange],
        owned: Mapping[str, Sequence[BagRange]],
    ) -> None:
        super().__init__(rules, contents, variables)
        self.most = most
        self.pieces = pieces
        self.owned = owned

    def zone_range(self, expr: ReadZone, env: Variables, me: Scalars) -> ValueRange:
        """The content of a zone, or the count of a member in it."""
        found = super().zone_range(expr, env, me)
        if isinstance(found, SetRange):
            return SetRange.of(found.elements, found.fewest, min(found.most, self.most.get(expr.name, found.most)))
        if isinstance(found, Scalars):  # of one member
            whole = self.zone_range(replace(expr, member=None, type=Bag(self._kind_in(expr.name))), env, me)
            assert expr.member is not None
            assert isinstance(whole, BagRange)
            within = self.count_of(whole, Bag(self._kind_in(expr.name)), self.scalars(expr.member, env, me))
            return self._few_places(expr, found.clip(within.low, within.high), env, me)
        if expr.name in self.pieces and not found.low_total:
            found = found.within(self.pieces[expr.name])
        if expr.name in self.owned and not found.low_total and (owner := owner_key(self.rules, expr)) is not None:
            held = [self.owned[expr.name][seat] for seat in self.scalars(owner, env, me).listed or ()]
            found = found.within(reduce(BagRange.join, held)) if held else found
        return found

    def filter_range(self, expr: Filter, env: Variables, me: Scalars) -> SetRange:
        """The elements that have something; where each holds some of it, they are no more than there is."""
        found = super().filter_range(expr, env, me)
        most = [self._all_in(read, expr.slot, env, me) // least for read, least in _held(expr.condition)]
        return SetRange.of(found.elements, found.fewest, min((found.most, *most)))

    def sum_range(self, expr: Sum, env: Variables, me: Scalars) -> ValueRange:
        """A number or bag added up; of what lies in different places no more than there is."""
        found = super().sum_range(expr, env, me)
        read = _counted(expr.of)
        if isinstance(found, Scalars) and read is not None and found.low >= 0:
            return found.clip(0, max(found.low, min(found.high, self._all_in(read, expr.slot, env, me))))
        return found

    def _all_in(self, read: ReadZone, slot: int, env: Variables, me: Scalars) -> int:
        """How much a loop finds in all the places that it reads, each of them once."""
        zone = self.rules.zones[read.name]
        own = [index for index, key in enumerate(read.keys) if isinstance(key, Local) and key.slot == slot]
        if not own or any(is_plural_key(self.rules, read.keys[index], zone, index) for index in own):
            return UNBOUNDED
        if not zone.is_pool:
            return self.most.get(read.name, UNBOUNDED)
        bag = self.pieces.get(read.name)
        if bag is None:
            return UNBOUNDED
        owner = owner_key(self.rules, read)
        if owner is not None and read.name in self.owned and not (isinstance(owner, Local) and owner.slot == slot):
            seats = self.scalars(owner, env, me).listed or ()
            bag = bag.within(reduce(BagRange.join, (self.owned[read.name][seat] for seat in seats), bag.times(0, 0)))
        if read.member is None:
            return bag.high_total
        return self.count_of(bag, Bag(self._kind_in(read.name)), self.scalars(read.member, env, me)).high

    def _few_places(self, expr: ReadZone, found: Scalars, env: Variables, me: Scalars) -> Scalars:
        """The count of a member in as many places as the keys can name at most."""
        zone, places = self.rules.zones[expr.name], 1
        for index, values in enumerate(zone.key_values):
            if index >= len(expr.keys):
                places *= len(values)
            elif is_plural_key(self.rules, expr.keys[index], zone, index):
                places *= self.elements(expr.keys[index], env, me).most
        numbers = self.places(zone, expr.keys, env, me)
        rooms = sorted((room.high_total for room in map(self._bag_at, numbers)), reverse=True)
        return found.clip(found.low, max(found.low, min(found.high, sum(rooms[:places]))))

    def _kind_in(self, zone: str) -> str:
        held = self.rules.zones[zone].content_type
        assert isinstance(held, Member)
        return held.kind

    def _bag_at(self, place: int) -> BagRange:
        content = self.contents[place]
        assert isinstance(content, BagRange)
        return content

    def quantifier_range(self, expr: Quantifier, env: Variables, me: Scalars) -> Scalars:
        """Whether some, every or no element has something; every seat has it only if there is enough for all."""
        found = super().quantifier_range(expr, env, me)
        if expr.quantifier == "every" and 1 in found and self._is_too_much(expr, env, me):
            return FALSE
        if 1 in found and self._are_too_many_places(expr, env, me):
            return FALSE
        return found

    def _are_too_many_places(self, expr: Quantifier, env: Variables, me: Scalars) -> bool:
        """Whether there is to be something in each of more places than there is anything for."""
        if not isinstance(expr.over.type, SetOf):
            return False
        number = self.elements(expr.over, env, me).fewest
        asked = _held(expr.condition) if expr.quantifier == "every" else _missing(expr)
        return any(number * least > self._all_in(read, expr.slot, env, me) for read, least in asked)

    def _is_too_much(self, expr: Quantifier, env: Variables, me: Scalars) -> bool:
        """Whether every seat is to have so much that all together have more than there is."""
        is_all = isinstance(expr.over, Builtin) and expr.over.name == SEAT.kind
        if not is_all or not isinstance(expr.condition, Compare):
            return False
        compare = expr.condition
        if isinstance(compare.left, Constant):
            op = SIDES_SWAPPED.get(compare.op, compare.op)
            compare = replace(compare, op=op, left=compare.right, right=compare.left)
        if compare.op not in (">", ">=", "is") or not isinstance(compare.right, Constant):
            return False
        if not isinstance(compare.right.type, Number):
            return False
        total = self._total(compare.left, expr.slot, env, me)
        least = self.scalars(compare.right, env, me).low + (compare.op == ">")
        return total is not None and total < least * self.rules.players

    def _total(self, expr: Expr, slot: int, env: Variables, me: Scalars) -> int | None:
        """The most that a number can be for all seats together; `slot`: the variable that is the seat."""
        match expr:
            case Constant():
                return self.scalars(expr, env, me).high * self.rules.players
            case Arithmetic(op="+", left=left, right=right):
                totals = [self._total(side, slot, env, me) for side in (left, right)]
            case ReadValue(name=name, keys=(Local(slot=key),)) if key == slot:
                value = self.rules.values[name]
                totals = [self._total(term, 0, {}, me) for _, term in value.terms]  # what is taken off leaves no more
            case FieldTotal(of=ReadZone(keys=(Local(slot=key),)) as read) if key == slot:
                return self.scalars(replace(expr, of=_everywhere(read), type=ANY_NUMBER), env, me).high
            case Call(function="count", args=(ReadZone(keys=(Local(slot=key),)) as read,)) if key == slot:
                return self.scalars(replace(expr, args=(_everywhere(read),), type=ANY_NUMBER), env, me).high
            case ReadZone(keys=(Local(slot=key),), member=Constant()) if key == slot:
                return self.scalars(_everywhere(expr), env, me).high
            case _:
                return None
        return None if None in totals else sum(total for total in totals if total is not None)


def _held(condition: Expr | None) -> Iterator[tuple[ReadZone, int]]:
    """What a condition asks to lie somewhere, and how much of it at least."""
    match condition:
        case Logic(op="and", left=left, right=right):
            yield from _held(left)
            yield from _held(right)
        case Compare(op="is not", left=ReadZone(member=None) as read, right=Constant(value=None)):
            yield read, 1
        case Compare(op=">" | ">=" | "is" as op, left=left, right=Constant(value=int(number))):
            counted, least = _counted(left), number + (op == ">")
            if counted is not None and least > 0:
                yield counted, least


def _missing(expr: Quantifier) -> Iterator[tuple[ReadZone, int]]:
    """What must lie in each place, where none may be empty."""
    match expr.quantifier, expr.condition:
        case "no", Compare(op="is", left=ReadZone(member=None) as read, right=Constant(value=None)):
            yield read, 1
        case "no", Compare(op="is", left=Call(function="count", args=(ReadZone(member=None) as read,)), right=right):
            if isinstance(right, Constant) and right.value == 0:
                yield read, 1


def _counted(expr: Expr) -> ReadZone | None:
    """The zone of which an expression counts something."""
    match expr:
        case ReadZone(member=member) if member is not None:
            return expr
        case Call(function="count", args=(ReadZone(member=None) as read,)):
            return read
    return None


def _everywhere(read: ReadZone) -> ReadZone:
    """The same in all places of the zone, which hold more than the type of one of them says."""
    type_ = Bag(read.type.kind) if isinstance(read.type, Bag) else read.type
    type_ = ANY_NUMBER if isinstance(type_, Number) else SetOf(type_.element) if isinstance(type_, SetOf) else type_
    return replace(read, keys=(), type=type_)


__all__ = ["CountedRanges"]
