"""Does a condition ask for more than a number of the rules allows, whatever number that is?

In: rules, the document that they were read from, a comparison. Out: whether it always or never holds: there are never
more red pieces anywhere than `red_total`, when that is what the game starts with, never more in a place than it has
room for, and never more players left than `players`. Both sides are bounded by sums of parameters; what is left of
their difference decides. What is counted on both sides, such as red pieces among all pieces of a place, is no part of
the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright import limits
from rulewright.checker.logic.capped_states import find_capped_states
from rulewright.checker.logic.owned_pieces import find_owned_pieces, owner_key
from rulewright.expr.structural_key import StructuralKey, structural_key
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Builtin,
    Call,
    Compare,
    CompareOp,
    Constant,
    Expr,
    Filter,
    Local,
    ReadParameter,
    ReadState,
    ReadZone,
)
from rulewright.expr.types import SEAT, Bag, Member, Number
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.frozen import field, frozen, mutable, replace
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import Rules, ZoneDef
from rulewright.source.nodes import MappingNode

PLAYERS: Final = Builtin("players", Number(1, limits.MAX_PLAYERS), (0, 0))
SEATS: Final = frozenset({"everyone", "others", "opponents", SEAT.kind})
ORDERED: Final = ("<", "<=", ">", ">=", "is", "is not")


@frozen
class LinearForm:
    """A number, and so many times each of some parameters."""

    number: int
    terms: Mapping[StructuralKey, tuple[int, Expr]] = field(default_factory=dict)

    def plus(self, other: LinearForm, times: int = 1) -> LinearForm:
        """The sum of both, the other one so many times."""
        terms = dict(self.terms)
        for key, (count, read) in other.terms.items():
            terms[key] = (terms[key][0] if key in terms else 0) + times * count, read
        kept = {key: term for key, term in terms.items() if term[0]}
        return LinearForm(self.number + times * other.number, kept)


@frozen
class FormRange:
    """A number lies between two forms; None where nothing bounds it."""

    low: LinearForm | None
    high: LinearForm | None

    def plus(self, other: FormRange) -> FormRange:
        """The range of the sum."""
        return FormRange(_sum(self.low, other.low), _sum(self.high, other.high))

    def negated(self) -> FormRange:
        """The range of the number with the other sign."""
        return FormRange(_times(self.high, -1), _times(self.low, -1))


NOTHING: Final = LinearForm(0)
ANY: Final = FormRange(None, None)


def _sum(a: LinearForm | None, b: LinearForm | None) -> LinearForm | None:
    return None if a is None or b is None else a.plus(b)


def _times(form: LinearForm | None, times: int) -> LinearForm | None:
    return None if form is None else NOTHING.plus(form, times)


@mutable
class ParameterBounds:
    """What is counted in any position, bounded by parameters."""

    rules: Rules
    root: MappingNode
    _totals: dict[tuple[str, int, frozenset[str]], LinearForm | None] = field(default_factory=dict)
    _owned: Mapping[str, frozenset[str]] | None = None
    _caps: Mapping[str, ReadParameter] = field(init=False)

    def __post_init__(self) -> None:
        self._caps = find_capped_states(self.rules, self.root)

    def verdict(self, compare: Expr) -> bool | None:
        """How a comparison comes out whatever the parameters and the position are; None if that depends on them."""
        if not isinstance(compare, Compare) or compare.op not in ORDERED or not self._is_asked(compare):
            return None
        if not all(isinstance(side.type, Number) for side in (compare.left, compare.right)):
            return None
        whole = self._range(compare.left).plus(self._range(compare.right).negated())
        outcome = self._outcome(compare.op, whole)
        if outcome is not False and any(isinstance(side, ReadState) for side in (compare.left, compare.right)):
            return None  # what is kept below a number may be asked about with care
        return self._outcome(compare.op, self._uncommon(compare)) if outcome is None else outcome

    def cap_asked(self, compare: Expr) -> tuple[str, str] | None:
        """The state that a comparison wants to be more, and the parameter that it never exceeds; None for any other."""
        if not isinstance(compare, Compare):
            return None
        for side, ops in ((compare.left, (">", ">=", "is")), (compare.right, ("<", "<=", "is"))):
            if isinstance(side, ReadState) and side.name in self._caps and compare.op in ops:
                return side.name, self._caps[side.name].name
        return None

    def _outcome(self, op: CompareOp, difference: FormRange) -> bool | None:
        """How a comparison comes out, given what its left side less its right side can be."""
        least, most = self._least(difference.low), self._most(difference.high)
        match op:
            case "<":
                return _decided(is_true=most < 0, is_false=least >= 0)
            case "<=":
                return _decided(is_true=most <= 0, is_false=least > 0)
            case ">":
                return _decided(is_true=least > 0, is_false=most <= 0)
            case ">=":
                return _decided(is_true=least >= 0, is_false=most < 0)
            case _:
                is_other = most < 0 or least > 0
                is_same = least == most == 0
                return _decided(is_true=is_same, is_false=is_other) if op == "is" else (is_other or None)

    def _uncommon(self, compare: Compare) -> FormRange:
        """The left side less the right side, without what both count."""
        counted = dict[StructuralKey, tuple[int, FormRange]]()
        difference = self._count(compare.left, 1, counted).plus(self._count(compare.right, -1, counted))
        for times, one in counted.values():
            part = one if times > 0 else one.negated()
            difference = difference.plus(FormRange(_times(part.low, abs(times)), _times(part.high, abs(times))))
        return difference

    def _is_asked(self, compare: Compare) -> bool:
        """Whether it holds what is counted against a parameter or the number of players, two counts of one zone against
        one another, or a sum of pieces of one sort against anything.
        """
        sides = (compare.left, compare.right)
        zones = [{part.name for part in iter_exprs(side) if isinstance(part, ReadZone)} for side in sides]
        reads = [part for side in sides for part in iter_exprs(side)]
        if not zones[0].isdisjoint(zones[1]):
            return True
        if any(isinstance(part, ReadState) and part.name in self._caps for part in sides):
            return True
        counted = [part for part in reads if isinstance(part, ReadZone) or _is_count_of_seats(part)]
        is_open = any(isinstance(part, ReadParameter) or _is_players(part) for part in reads)
        is_open = is_open or any(map(_is_count_of_seats, sides))
        return bool(counted) and (is_open or any(map(self._is_sum, sides)))

    def _is_sum(self, side: Expr) -> bool:
        return isinstance(side, Arithmetic) and self._of_one_sort(side) is not None

    def _least(self, form: LinearForm | None) -> float:
        """The least that a form is, whatever parameters are within their types."""
        if form is None:
            return float("-inf")
        return form.number + sum(self._end(count, read, is_low=count > 0) for count, read in form.terms.values())

    def _most(self, form: LinearForm | None) -> float:
        return -self._least(_times(form, -1))

    def _end(self, count: int, read: Expr, *, is_low: bool) -> float:
        """So many times the least or most that a parameter can be."""
        type_ = self.rules.parameters[read.name].type if isinstance(read, ReadParameter) else read.type
        if not isinstance(type_, Number):
            return float("-inf")
        return count * (type_.low if is_low else type_.high)

    # ---- expressions ---------------------------------------------------------------------------------------

    def _count(self, expr: Expr, times: int, counted: dict[StructuralKey, tuple[int, FormRange]]) -> FormRange:
        """The range of a number, so many times, without the sorts of pieces in single places: these are `counted`."""
        match expr:
            case Arithmetic(op="+" | "-" as op, left=left, right=right):
                return self._count(left, times, counted).plus(
                    self._count(right, times if op == "+" else -times, counted)
                )
            case Call(function="count", args=(ReadZone(member=None) as read,)) if self._is_one_place(read):
                held = self.rules.zones[read.name].content_type
                if isinstance(held, Member) and self._room(read) is None:
                    for value in self.rules.kinds[held.kind].member_values:
                        self._note(replace(read, member=Constant(value, held, read.offsets)), times, counted)
                    return _exactly(NOTHING)
                self._note(expr, times, counted)
                return _exactly(NOTHING)
            case ReadZone(member=Constant() | Local()) if self._is_one_place(expr):
                self._note(expr, times, counted)
                return _exactly(NOTHING)
        whole = self._range(expr)
        part = whole if times > 0 else whole.negated()
        return FormRange(_times(part.low, abs(times)), _times(part.high, abs(times)))

    def _note(self, read: Expr, times: int, counted: dict[StructuralKey, tuple[int, FormRange]]) -> None:
        key = structural_key(read)
        if key is not None:
            before = counted[key][0] if key in counted else 0
            counted[key] = before + times, self._range(read)

    def _is_one_place(self, read: ReadZone) -> bool:
        zone = self.rules.zones[read.name]
        return (
            len(read.keys) == len(zone.key_types)
            and not any(is_plural_key(self.rules, key, zone, index) for index, key in enumerate(read.keys))
            and structural_key(read) is not None
        )

    def _range(self, expr: Expr) -> FormRange:
        match expr:
            case Constant(value=int(value)):
                return _exactly(LinearForm(value))
            case ReadState(name=name) if name in self._caps:
                return FormRange(NOTHING if _is_never_below(expr) else None, _read(self._caps[name]))
            case ReadParameter(keys=()) | Builtin(name="players"):
                return _exactly(_read(expr))
            case Arithmetic(op="+", left=left, right=right):
                return self._of_one_sort(expr) or self._range(left).plus(self._range(right))
            case Arithmetic(op="-", left=left, right=right):
                return self._range(left).plus(self._range(right).negated())
            case (
                Arithmetic(op="*", left=Constant(value=int(times)), right=of)
                | Arithmetic(op="*", left=of, right=Constant(value=int(times)))
            ) if times >= 0:
                whole = self._range(of)
                return FormRange(_times(whole.low, times), _times(whole.high, times))
            case Arithmetic(op="less", left=left):
                return FormRange(NOTHING, self._range(left).high if _is_never_below(left) else None)
            case Call(function="count", args=(Builtin(name=name) as seats,)) if name in SEATS:
                most = self._size(seats)
                if not self.rules.has_elimination:
                    return _exactly(most) if most is not None else ANY
                is_over = name == "everyone" and not self.rules.blocks[self.rules.finale].steps  # with nobody left
                return FormRange(LinearForm(1) if is_over else NOTHING, most)
            case Call(function="count", args=(of,)):
                return FormRange(NOTHING, self._size(of))
            case ReadZone(member=member) if member is not None:
                return FormRange(NOTHING, self._most_of(expr, member))
            case _:
                return ANY

    def _of_one_sort(self, expr: Expr) -> FormRange | None:
        """The pieces of one sort in several zones: never more than there are. None for any other sum."""
        parts = [*_summands(expr)]
        reads = [part for part in parts if isinstance(part, ReadZone) and isinstance(part.member, Constant)]
        sorts = {structural_key(read.member) for read in reads if read.member is not None}
        is_apart = len({read.name for read in reads}) == len(parts)
        if not is_apart or len(sorts) > 1 or (member := reads[0].member) is None:
            return None
        return FormRange(NOTHING, self._most_of(reads[0], member))

    def _size(self, of: Expr) -> LinearForm | None:
        """The most that can be in a set or bag."""
        match of:
            case Builtin(name=name) if name in SEATS:
                others = LinearForm(-1 if name in ("others", "opponents") and not self.rules.has_elimination else 0)
                return _read(PLAYERS).plus(others)
            case Filter(over=over):
                return self._size(over) if not isinstance(over.type, Bag) else None
            case ReadZone(member=None):
                return self._room(of) or self._pieces(of)
            case _:
                return None

    def _room(self, read: ReadZone) -> LinearForm | None:
        """How much one place has room for."""
        zone = self.rules.zones[read.name]
        is_one = len(read.keys) == len(zone.key_types) and not any(
            is_plural_key(self.rules, key, zone, index) for index, key in enumerate(read.keys)
        )
        if not is_one or zone.capacity is None or free_variables(zone.capacity):
            return None
        return self._range(zone.capacity).high

    def _pieces(self, read: ReadZone) -> LinearForm | None:
        """How many pieces there are of all that a zone holds."""
        held = self.rules.zones[read.name].content_type
        if not isinstance(held, Member):
            return None
        whole, owned = NOTHING, self._owned_with(read)
        for member in self.rules.kinds[held.kind].member_values:
            total = self._total(held.kind, member, owned)
            if total is None:
                return self._all_at_start(self.rules.kinds[held.kind].family, owned)
            whole = whole.plus(total)
        return whole

    def _all_at_start(self, family: str, owned: frozenset[str]) -> LinearForm | None:
        """How many pieces of all sorts the game starts with, where each place has its own; `owned`: one player."""
        whole: LinearForm | None = NOTHING
        for zone in (zone for zone in self.rules.zones.values() if self._is_of(zone, family)):
            if zone.initial_content is not None and (zone.name in owned or not owned):
                places = zone.size // (self.rules.players if owned else 1)
                whole = _sum(whole, _times(self._size_of_bag(zone.initial_content), places))
        return whole

    def _size_of_bag(self, bag: Expr) -> LinearForm | None:
        match bag:
            case Constant(value=None):
                return NOTHING
            case Arithmetic(op="+", left=left, right=right):
                return _sum(self._size_of_bag(left), self._size_of_bag(right))
            case BagLiteral(count=count, members=Constant(value=tuple(sorts))) if not free_variables(count):
                return _times(self._range(count).high, len(sorts))
            case BagLiteral(count=count, members=Local(type=Member())) if not free_variables(count):
                return self._range(count).high
            case _:
                return None

    def _most_of(self, read: ReadZone, member: Expr) -> LinearForm | None:
        """How many there are of a member, whichever of its kind it is."""
        held = self.rules.zones[read.name].content_type
        assert isinstance(held, Member)
        if isinstance(member, Constant) and isinstance(member.value, int):
            return self._total(held.kind, member.value, self._owned_with(read))
        if not isinstance(member, Local) or not isinstance(member.type, Member):
            return None
        forms = [self._total(held.kind, each) for each in self.rules.kinds[member.type.kind].member_values]
        return forms[0] if forms and all(form == forms[0] for form in forms) else None

    def _owned_with(self, read: ReadZone) -> frozenset[str]:
        """The zones from which the pieces in the place of one player can only have come; none where that is unknown."""
        if owner_key(self.rules, read) is None:
            return frozenset()
        if self._owned is None:
            self._owned = find_owned_pieces(self.rules)
        return self._owned.get(read.name, frozenset())

    def _total(self, kind: str, member: int, owned: frozenset[str] = frozenset()) -> LinearForm | None:
        """How many pieces of one sort the game starts with; `owned`: one player in these zones."""
        family = self.rules.kinds[kind].family
        if (family, member, owned) not in self._totals:
            zones = [zone for zone in self.rules.zones.values() if self._is_of(zone, family)]
            total: LinearForm | None = NOTHING
            for zone in (zone for zone in zones if zone.name in owned or not owned):
                total = _sum(total, self._at_start(zone, member, zone.size // (self.rules.players if owned else 1)))
            self._totals[family, member, owned] = total
        return self._totals[family, member, owned]

    def _is_of(self, zone: ZoneDef, family: str) -> bool:
        held = zone.content_type
        return isinstance(held, Member) and self.rules.kinds[held.kind].family == family

    def _at_start(self, zone: ZoneDef, member: int, places: int) -> LinearForm | None:
        """How many of a member so many places of a zone start with."""
        content = zone.initial_content
        if content is None:
            return NOTHING
        return None if free_variables(content) else _times(self._in_bag(content, member), places)

    def _in_bag(self, bag: Expr, member: int) -> LinearForm | None:
        match bag:
            case Constant(value=None):
                return NOTHING
            case Arithmetic(op="+", left=left, right=right):
                return _sum(self._in_bag(left, member), self._in_bag(right, member))
            case BagLiteral(count=count, members=Constant(value=value)):
                is_there = member in value if isinstance(value, tuple) else member == value
                return NOTHING if not is_there else self._range(count).high
            case _:
                return None


def _summands(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Arithmetic) and expr.op == "+":
        yield from _summands(expr.left)
        yield from _summands(expr.right)
    else:
        yield expr


def _decided(*, is_true: bool, is_false: bool) -> bool | None:
    return True if is_true else False if is_false else None


def _exactly(form: LinearForm) -> FormRange:
    return FormRange(form, form)


def _read(read: Expr) -> LinearForm:
    key = structural_key(read)
    assert key is not None
    return LinearForm(0, {key: (1, read)})


def _is_players(part: Expr) -> bool:
    return isinstance(part, Builtin) and part.name == "players"


def _is_count_of_seats(part: Expr) -> bool:
    match part:
        case Call(function="count", args=(Builtin(name=name) | Filter(over=Builtin(name=name)),)):
            return name in SEATS
    return False


def _is_never_below(expr: Expr) -> bool:
    return isinstance(expr.type, Number) and expr.type.low >= 0


__all__ = ["ParameterBounds"]
