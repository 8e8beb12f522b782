"""What an expression can be: the abstract interpretation of expressions.

In: rules, what every place and state variable can be, what the variables in scope can be. Out: a `ValueRange` that
holds whatever the expression is in any such position. A loop over few elements is followed element by element, so that
what is printed on things is known exactly; over many it is followed once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from operator import add, mul, sub
from typing import Final, TypeVar, assert_never

from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    FieldAccess,
    FieldTotal,
    Filter,
    If,
    Local,
    Logic,
    MemberCount,
    Not,
    Quantifier,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, ConstantValue, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.facts.value_ranges import (
    EITHER,
    EMPTY_SCALARS,
    FALSE,
    TRUE,
    UNBOUNDED,
    BagRange,
    Scalars,
    SetRange,
    ValueRange,
    join,
)
from rulewright.model.bag_indexes import bag_index, bag_members, family_size
from rulewright.model.rules import Rules, StateDef, ZoneDef

Variables = Mapping[int, ValueRange]  # what each variable in scope can be, by slot
R = TypeVar("R", Scalars, BagRange, SetRange)

MAX_FOLLOWED: Final = 4096  # elements that loops inside one another are followed over, one by one
MAX_PLACES: Final = 4096  # places that keys are looked up for, one by one
NOTHING: Final = BagRange((), (), 0, 0)


class ExpressionRanges:
    """Ranges of expressions in all positions in which places hold `contents` and state variables are `variables`."""

    def __init__(self, rules: Rules, contents: Sequence[ValueRange], variables: Sequence[ValueRange]) -> None:
        self.rules = rules
        self.contents = contents
        self.variables = variables
        self.seats = Scalars.between(0, rules.players - 1)
        self._values: dict[tuple[object, ...], ValueRange] = {}
        self._followed = 1  # elements of the loops around, multiplied

    # ---- narrowed to what the type of an expression says ---------------------------------------------------

    def scalars(self, expr: Expr, env: Variables, me: Scalars) -> Scalars:
        """The range of a number, flag, member or thing."""
        found = self.range_of(expr, env, me)
        assert isinstance(found, Scalars), expr
        return found

    def bag(self, expr: Expr, env: Variables, me: Scalars) -> BagRange:
        """The range of a bag; `empty` is one too."""
        if isinstance(expr.type, SetOf):
            return NOTHING
        found = self.range_of(expr, env, me)
        assert isinstance(found, BagRange), expr
        return found

    def elements(self, expr: Expr, env: Variables, me: Scalars) -> SetRange:
        """What a loop runs over: the elements of a set, the members in a bag, the cells of a line."""
        match expr.type:
            case Bag(kind=""):
                return SetRange.exactly(())
            case Bag(kind=kind):
                bag, members = self.bag(expr, env, me), bag_members(self.rules, kind)
                held = [member for member, high in zip(members, bag.highs, strict=False) if high]
                return SetRange.of(Scalars.of(held), sum(1 for low in bag.lows if low), bag.high_total)
            case Member(kind=kind) if self.rules.kinds[kind].cell_kind:
                definition, lines = self.rules.kinds[kind], self.scalars(expr, env, me)
                cells = [
                    line
                    for value, line in zip(definition.member_values, definition.lines, strict=True)
                    if value in lines
                ]
                sizes = [len(line) for line in cells] or [0]
                return SetRange.of(Scalars.of(cell for line in cells for cell in line), min(sizes), max(sizes))
            case Flag() | Number() | Member() | Thing():
                return SetRange.of(self.scalars(expr, env, me), 1, 1)
            case _:
                found = self.range_of(expr, env, me)
                assert isinstance(found, SetRange), expr
                return found

    def full_range(self, type_: Type) -> ValueRange:
        """Whatever a type allows."""
        match type_:
            case Flag():
                return EITHER
            case Number(low=low, high=high):
                return Scalars.between(low, high)
            case Member(kind=kind):
                return Scalars.of(self.rules.kinds[kind].member_values)
            case Thing(component=component):
                return Scalars.between(0, len(self.rules.components[component].ids) - 1)
            case Bag(kind=""):
                return NOTHING
            case Bag(kind=kind, max_size=size):
                zeros = (0,) * family_size(self.rules, kind)
                return BagRange.of(zeros, (size,) * len(zeros), 0, size)
            case SetOf(element=None):
                return SetRange.exactly(())
            case SetOf(element=element, max_size=size):
                assert element is not None
                full = self.full_range(element)
                assert isinstance(full, Scalars)
                return SetRange.of(full, 0, size)
            case UnknownType():
                raise TypeError("rules with errors have no facts")
            case _:
                assert_never(type_)

    def range_of(self, expr: Expr, env: Variables, me: Scalars) -> ValueRange:
        """What an expression can be. `env`: its variables; `me`: the seats that can be in turn."""
        found = self._range_of(expr, env, me)
        if isinstance(found, Scalars) and isinstance(expr.type, Number):
            return found.clip(expr.type.low, expr.type.high)
        return found

    def constant(self, value: ConstantValue, type_: Type) -> ValueRange:
        """A value of the rules."""
        if isinstance(type_, Bag):
            return NOTHING if value is None or not isinstance(value, tuple) else BagRange.exactly(value)
        if isinstance(value, tuple):
            return SetRange.exactly(value)
        return SetRange.exactly(()) if value is None else Scalars.of((value,))

    def _range_of(self, expr: Expr, env: Variables, me: Scalars) -> ValueRange:
        match expr:
            case Constant(value=value, type=type_):
                return self.constant(value, type_)
            case Builtin(name=name):
                return self._builtin(name, me)
            case Local(slot=slot):
                return env[slot] if slot in env else self.full_range(expr.type)
            case ReadParameter(name=name, keys=keys):
                return self._read_parameter(name, keys, expr.type, env, me)
            case ReadState(name=name, keys=keys):
                definition = self.rules.states[name]
                places = self.places(definition, keys, env, me)
                return self._joined((self.variables[place] for place in places), expr.type)
            case ReadValue(name=name, keys=keys):
                return self.value(name, tuple(self.range_of(key, env, me) for key in keys), me)
            case ReadZone():
                return self._read_zone(expr, env, me)
            case FieldAccess(of=of, name=name):
                return self._field(expr, of, name, env, me)
            case FieldTotal():
                return self._field_total(expr, env, me)
            case MemberCount(bag=bag, member=member):
                return self._count_of(self.bag(bag, env, me), bag.type, self.scalars(member, env, me))
            case Logic(op=op, left=left, right=right):
                first, second = self.scalars(left, env, me), self.scalars(right, env, me)
                pick = min if op == "and" else max
                return Scalars.of(pick(a, b) for a in first.listed or () for b in second.listed or ())
            case Not(of=of):
                return Scalars.of(1 - value for value in self.scalars(of, env, me).listed or ())
            case Compare():
                return self._compare(expr, env, me)
            case Range(low=low, high=high):
                lows, highs = self.scalars(low, env, me), self.scalars(high, env, me)
                numbers = Scalars.between(lows.low, highs.high)
                return SetRange.of(numbers, highs.low - lows.high + 1, highs.high - lows.low + 1)
            case Arithmetic():
                return self._arithmetic(expr, env, me)
            case BagLiteral():
                return self._bag_literal(expr, env, me)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self.scalars(condition, env, me)
                yes = self.range_of(then, self.narrowed(condition, env, me), me) if 1 in test else None
                no = self.range_of(otherwise, env, me) if 0 in test else None
                return join(yes, no) or self.full_range(expr.type)
            case Quantifier():
                return self._quantifier(expr, env, me)
            case Filter():
                return self._filter(expr, env, me)
            case Sum():
                return self._sum(expr, env, me)
            case Extremum():
                return self._extremum(expr, env, me)
            case Call():
                return self._call(expr, env, me)
            case _:
                assert_never(expr)

    def _joined(self, ranges: Iterator[ValueRange], type_: Type) -> ValueRange:
        found: ValueRange | None = None
        for each in ranges:
            found = join(found, each)
        if found is not None:
            return found
        full = self.full_range(type_)
        return EMPTY_SCALARS if isinstance(full, Scalars) else full

    # ---- names ---------------------------------------------------------------------------------------------

    def _builtin(self, name: str, me: Scalars) -> ValueRange:
        players, seats = self.rules.players, self.seats
        remaining = 0 if self.rules.has_elimination else players
        others = Scalars.of(seat for seat in range(players) if me.single != seat)
        table: dict[str, ValueRange] = {
            "me": me,
            "everyone": SetRange.of(seats, remaining),
            "nobody": SetRange.exactly(()),
            "others": SetRange.of(others, remaining - 1, players - 1 if not self.rules.has_elimination else players),
            "opponents": SetRange.of(others, remaining - 1, players),
            "opponent": Scalars.of(1 - seat for seat in me.listed or ()),
            "players": Scalars.of((players,)),
            "first_player": seats,
            "round_number": Scalars.between(0, UNBOUNDED),
        }
        return table[name]

    def _read_parameter(
        self, name: str, keys: tuple[Expr, ...], type_: Type, env: Variables, me: Scalars
    ) -> ValueRange:
        parameter = self.rules.parameters[name]
        if parameter.values_by_key is None:
            return self.constant(parameter.value, parameter.type)
        chosen = self.scalars(keys[0], env, me)
        values = (value for key, value in parameter.values_by_key.items() if key in chosen)
        return self._joined((self.constant(value, parameter.type) for value in values), type_)

    def value(self, name: str, keys: tuple[ValueRange, ...], me: Scalars) -> ValueRange:
        """The range of a derived value, for keys of such ranges."""
        memo = (name, me, *keys)
        if memo not in self._values:
            definition = self.rules.values[name]
            env = dict(enumerate(keys))
            terms = [self.range_of(term, env, me) for _, term in definition.terms]
            deductions = [self.range_of(term, env, me) for _, term in definition.deductions]
            total = terms[0]
            for term in terms[1:]:
                total = self._plus(total, term)
            for term in deductions:
                total = self._less(total, term)
            if isinstance(total, Scalars) and isinstance(definition.type, Number):
                total = total.clip(definition.type.low, definition.type.high)
            self._values[memo] = total
        return self._values[memo]

    def places(self, definition: ZoneDef | StateDef, keys: tuple[Expr, ...], env: Variables, me: Scalars) -> list[int]:
        """The numbers of the places that keys can name; a missing key stands for all values."""
        choices = self.key_choices(definition, keys, env, me)
        place_of: list[int] = []
        for chosen in product(*choices):
            number = 0
            for index, values in zip(chosen, definition.key_values, strict=True):
                number = number * len(values) + index
            place_of.append(definition.first_index + number)
        return place_of

    def key_choices(
        self, definition: ZoneDef | StateDef, keys: tuple[Expr, ...], env: Variables, me: Scalars
    ) -> list[list[int]]:
        """For each key of a zone or state variable the indexes of the values that it can have."""
        choices = []
        for index, values in enumerate(definition.key_values):
            if index >= len(keys):
                choices.append(list(range(len(values))))
                continue
            if isinstance(definition, ZoneDef) and self.is_plural_key(keys[index], definition, index):
                chosen = self.elements(keys[index], env, me).elements
            else:
                chosen = self.scalars(keys[index], env, me)
            choices.append([rank for rank, value in enumerate(values) if value in chosen])
        return choices

    def is_plural_key(self, key: Expr, zone: ZoneDef, index: int) -> bool:
        """Whether a key names several places: a set, or a line of the cells that are the zone's keys."""
        expected = zone.key_types[index]
        if isinstance(key.type, SetOf | Bag):
            return True
        is_line = isinstance(key.type, Member) and bool(self.rules.kinds[key.type.kind].cell_kind)
        return is_line and isinstance(expected, Member) and key.type != expected

    def _read_zone(self, expr: ReadZone, env: Variables, me: Scalars) -> ValueRange:
        zone = self.rules.zones[expr.name]
        places = self.places(zone, expr.keys, env, me)
        is_plural = len(expr.keys) < len(zone.key_types) or any(
            self.is_plural_key(key, zone, index) for index, key in enumerate(expr.keys)
        )
        if not zone.is_pool:
            sets = [content for place in places if isinstance(content := self.contents[place], SetRange)]
            if is_plural:
                elements = EMPTY_SCALARS
                for content in sets:
                    elements = elements.join(content.elements)
                # which places a set of keys names is not known: perhaps none
                fewest = sum(content.fewest for content in sets) if self._names_all(expr, zone) else 0
                return SetRange.of(elements, fewest, sum(content.most for content in sets))
            return self._joined(iter(sets), expr.type)
        bags = [content for place in places if isinstance(content := self.contents[place], BagRange)]
        assert isinstance(zone.content_type, Member)
        zeros = (0,) * family_size(self.rules, zone.content_type.kind)
        found = BagRange.of(zeros, zeros)
        if is_plural:
            for bag in bags:
                found = found.plus(bag)
            if not self._names_all(expr, zone):
                found = BagRange.of(zeros, found.highs, 0, found.high_total)
        else:
            joined = self._joined(iter(bags), expr.type) if bags else found
            assert isinstance(joined, BagRange)
            found = joined
        if expr.member is None:
            return found
        return self._count_of(found, Bag(zone.content_type.kind), self.scalars(expr.member, env, me))

    def _names_all(self, expr: ReadZone, zone: ZoneDef) -> bool:
        """Whether keys leave no doubt which places they name."""
        return not expr.keys

    # ---- things and pieces ---------------------------------------------------------------------------------

    def _field(self, expr: Expr, of: Expr, name: str, env: Variables, me: Scalars) -> ValueRange:
        assert isinstance(of.type, Thing)
        component = self.rules.components[of.type.component]
        column, type_ = component.columns[name], component.field_types[name]
        things = self.scalars(of, env, me)
        return self._joined(
            (self.constant(value, type_) for thing, value in enumerate(column) if thing in things), expr.type
        )

    def _field_total(self, expr: FieldTotal, env: Variables, me: Scalars) -> ValueRange:
        assert isinstance(expr.of.type, SetOf)
        assert isinstance(expr.of.type.element, Thing)
        component = self.rules.components[expr.of.type.element.component]
        column, type_ = component.columns[expr.name], component.field_types[expr.name]
        things = self.elements(expr.of, env, me)
        values = [value for thing, value in enumerate(column) if thing in things.elements]
        if isinstance(expr.type, Number):
            numbers = [Scalars.of((value,)) for value in values if isinstance(value, int)]
            return total_of_numbers(numbers, things.fewest, things.most)
        assert isinstance(expr.type, Bag)
        size = family_size(self.rules, expr.type.kind)
        if isinstance(type_, Bag):
            bags = [BagRange.exactly(value) for value in values if isinstance(value, tuple)]
        else:
            index_of = bag_index(self.rules, expr.type.kind)
            bags = [
                BagRange.exactly(int(index == index_of[value]) for index in range(size))
                for value in values
                if isinstance(value, int)
            ]
        return total_of_bags(bags, things.fewest, things.most, size)

    def _count_of(self, bag: BagRange, type_: Type, member: Scalars) -> Scalars:
        assert isinstance(type_, Bag)
        if not type_.kind or not bag.highs:
            return FALSE  # zero
        indexes = [index for value, index in bag_index(self.rules, type_.kind).items() if value in member]
        found = EMPTY_SCALARS
        for index in indexes:
            found = found.join(Scalars.between(bag.lows[index], bag.highs[index]))
        return found

    def _bag_literal(self, expr: BagLiteral, env: Variables, me: Scalars) -> BagRange:
        assert isinstance(expr.type, Bag)
        count, members = self.scalars(expr.count, env, me), self.elements(expr.members, env, me)
        low, high = max(0, count.low), max(0, count.high)
        index_of = bag_index(self.rules, expr.type.kind)
        lows, highs = [0] * family_size(self.rules, expr.type.kind), [0] * family_size(self.rules, expr.type.kind)
        for value, index in index_of.items():
            if value in members.elements:
                highs[index] = high
                lows[index] = low if members.is_exact else 0
        return BagRange.of(lows, highs, low * members.fewest, high * members.most)

    # ---- operators -----------------------------------------------------------------------------------------

    def _plus(self, left: ValueRange, right: ValueRange) -> ValueRange:
        match left, right:
            case (BagRange() as a, BagRange() as b):
                return a.plus(b)
            case (SetRange() as a, SetRange() as b):
                return a.union(b)
            case (Scalars() as a, Scalars() as b):
                return a.combine(b, add, lambda: (a.low + b.low, a.high + b.high))
        raise TypeError

    def _less(self, left: ValueRange, right: ValueRange) -> ValueRange:
        match left, right:
            case (BagRange() as a, BagRange() as b):
                return a.less(b)
            case (SetRange() as a, SetRange() as b):
                return a.less(b)
            case (Scalars() as a, Scalars() as b):
                return a.combine(
                    b, lambda x, y: max(0, x - y), lambda: (max(0, a.low - b.high), max(0, a.high - b.low))
                )
        raise TypeError

    def _arithmetic(self, expr: Arithmetic, env: Variables, me: Scalars) -> ValueRange:
        if isinstance(expr.type, SetOf):
            left: ValueRange = self.elements(expr.left, env, me)
            right: ValueRange = self.elements(expr.right, env, me)
        else:
            left, right = self.range_of(expr.left, env, me), self.range_of(expr.right, env, me)
        if expr.op in ("+", "less"):
            return self._plus(left, right) if expr.op == "+" else self._less(left, right)
        assert isinstance(left, Scalars)
        assert isinstance(right, Scalars)
        a, b = left, right
        if expr.op == "-":
            return a.combine(b, sub, lambda: (a.low - b.high, a.high - b.low))
        if expr.op == "*":
            ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
            return a.combine(b, mul, lambda: (min(ends), max(ends)))
        return self._division(expr, a, b)

    def _division(self, expr: Arithmetic, a: Scalars, b: Scalars) -> Scalars:
        """The checker lets nothing be divided by what may be 0 or less."""
        if expr.op == "%":
            return a.combine(b, lambda x, y: x % y if y else 0, lambda: (0, max(0, b.high - 1)))
        low, high = max(1, b.low), max(1, b.high)
        ends = [a.low // low, a.low // high, a.high // low, a.high // high]
        return a.combine(b, lambda x, y: x // y if y else 0, lambda: (min(ends), max(ends)))

    def _compare(self, expr: Compare, env: Variables, me: Scalars) -> Scalars:
        left, right = expr.left, expr.right
        if expr.op in ("in", "not in"):
            element, elements = self.scalars(left, env, me), self.elements(right, env, me)
            if element.meet(elements.elements).is_empty:
                found = FALSE
            elif element.single is not None and elements.is_exact:
                found = TRUE
            else:
                found = EITHER
        elif expr.op == "fits in":
            found = self._fits(expr, env, me)
        elif isinstance(left.type, Bag):
            found = _same_bag(self.bag(left, env, me), self.bag(right, env, me))
        elif isinstance(left.type, SetOf) or isinstance(right.type, SetOf):
            found = _same_set(self.elements(left, env, me), self.elements(right, env, me))
        else:
            a, b = self.scalars(left, env, me), self.scalars(right, env, me)
            return _compare_scalars(expr.op, a, b)
        return _negate(found) if expr.op in ("not in", "is not") else found

    def _fits(self, expr: Compare, env: Variables, me: Scalars) -> Scalars:
        if isinstance(expr.left.type, Bag):
            part, whole = self.bag(expr.left, env, me), self.bag(expr.right, env, me)
            highs = whole.highs or (0,) * len(part.highs)
            lows = whole.lows or (0,) * len(part.lows)
            if any(low > high for low, high in zip(part.lows, highs, strict=False)):
                return FALSE
            fits = all(high <= low for high, low in zip(part.highs, lows, strict=False))
            return TRUE if fits else EITHER
        inner, outer = self.elements(expr.left, env, me), self.elements(expr.right, env, me)
        if inner.most == 0 or (
            outer.is_exact
            and inner.elements.listed is not None
            and inner.elements.listed <= (outer.elements.listed or frozenset())
        ):
            return TRUE
        return FALSE if inner.fewest > outer.most else EITHER

    # ---- loops ---------------------------------------------------------------------------------------------

    def _each(self, over: SetRange) -> list[Scalars] | None:
        """The elements of a loop one by one; None when they are too many."""
        listed = over.elements.listed
        if listed is None or len(listed) * self._followed > MAX_FOLLOWED:
            return None
        return [Scalars(value, value, frozenset({value})) for value in sorted(listed)]

    def _inside(self, count: int, run: Callable[[], R]) -> R:
        self._followed *= max(1, count)
        try:
            return run()
        finally:
            self._followed //= max(1, count)

    def _conditions(
        self, over: SetRange, slot: int, condition: Expr | None, env: Variables, me: Scalars
    ) -> list[tuple[Scalars, Scalars]]:
        """The elements (or all together, when they are many), each with whether the condition holds for it."""
        each = self._each(over) or ([] if over.elements.is_empty else [over.elements])
        if condition is None:
            return [(element, TRUE) for element in each]
        return self._inside_list(
            len(each), lambda: [(element, self.scalars(condition, {**env, slot: element}, me)) for element in each]
        )

    def _inside_list(
        self, count: int, run: Callable[[], list[tuple[Scalars, Scalars]]]
    ) -> list[tuple[Scalars, Scalars]]:
        self._followed *= max(1, count)
        try:
            return run()
        finally:
            self._followed //= max(1, count)

    def _quantifier(self, expr: Quantifier, env: Variables, me: Scalars) -> Scalars:
        over = self.elements(expr.over, env, me)
        found = self._conditions(over, expr.slot, expr.condition, env, me)
        can_hold = any(1 in holds for _, holds in found)
        can_fail = any(0 in holds for _, holds in found)
        some_surely = over.fewest > 0 and not can_fail and bool(found)
        if over.is_exact and any(holds == TRUE for element, holds in found if element.single is not None):
            some_surely = True
        some_fails_surely = over.fewest > 0 and not can_hold and bool(found)
        if over.is_exact and any(holds == FALSE for element, holds in found if element.single is not None):
            some_fails_surely = True
        if expr.quantifier == "every":
            return TRUE if not can_fail else FALSE if some_fails_surely else EITHER
        some = FALSE if not can_hold else TRUE if some_surely else EITHER
        return some if expr.quantifier == "some" else _negate(some)

    def _filter(self, expr: Filter, env: Variables, me: Scalars) -> SetRange:
        over = self.elements(expr.over, env, me)
        found = self._conditions(over, expr.slot, expr.condition, env, me)
        kept = EMPTY_SCALARS
        sure = 0
        for element, holds in found:
            if 1 in holds:
                kept = kept.join(element)
            sure += holds == TRUE
        if len(found) == 1 and found[0][0].single is None:  # all together
            return SetRange.of(kept, over.fewest if sure else 0, over.most)
        doubtful = len(found) - sure
        return SetRange.of(kept, sure if over.is_exact else over.fewest - doubtful, over.most)

    def _sum(self, expr: Sum, env: Variables, me: Scalars) -> ValueRange:
        over = self.elements(expr.over, env, me)
        found = self._conditions(over, expr.slot, expr.condition, env, me)
        is_sure = all(holds == TRUE for _, holds in found)
        fewest = over.fewest if is_sure else 0
        together = len(found) == 1 and found[0][0].single is None
        if isinstance(expr.type, Bag):
            size = family_size(self.rules, expr.type.kind) if expr.type.kind else 0
            bags = [self.bag(expr.of, {**env, expr.slot: element}, me) for element, holds in found if 1 in holds]
            if together and bags:
                most = bags[0].times(0, over.most)
                return BagRange.of((0,) * len(most.highs), most.highs, 0, most.high_total)
            return total_of_bags(bags, fewest, over.most, size)
        numbers = [self.scalars(expr.of, {**env, expr.slot: element}, me) for element, holds in found if 1 in holds]
        if together and numbers:
            (each,) = numbers
            return Scalars.between(min(0, each.low * over.most, each.low * fewest), max(0, each.high * over.most))
        return total_of_numbers(numbers, fewest, over.most)

    def _extremum(self, expr: Extremum, env: Variables, me: Scalars) -> Scalars:
        over = self.elements(expr.over, env, me)
        found = self._conditions(over, expr.slot, expr.condition, env, me)
        is_sure = over.fewest > 0 and all(holds == TRUE for _, holds in found)
        numbers = [self.scalars(expr.of, {**env, expr.slot: element}, me) for element, holds in found if 1 in holds]
        result = EMPTY_SCALARS if is_sure and numbers else FALSE  # none: 0
        for number in numbers:
            result = result.join(number)
        return result

    def _call(self, expr: Call, env: Variables, me: Scalars) -> ValueRange:
        match expr.function:
            case "count":
                (of,) = expr.args
                if isinstance(of.type, Bag):
                    bag = self.bag(of, env, me)
                    return Scalars.between(bag.low_total, bag.high_total)
                found = self.elements(of, env, me)
                return Scalars.between(found.fewest, found.most)
            case "min" | "max":
                numbers = [self.scalars(arg, env, me) for arg in expr.args]
                pick = min if expr.function == "min" else max
                result = numbers[0]
                for number in numbers[1:]:
                    ends = (pick(result.low, number.low), pick(result.high, number.high))
                    result = result.combine(number, pick, lambda ends=ends: ends)  # type: ignore[misc]
                return result
            case "first":
                whole = self.elements(expr.args[0], env, me)
                return SetRange.of(whole.elements, min(1, whole.fewest), min(1, whole.most))
            case "reversed":
                return self.elements(expr.args[0], env, me)
            case "next":
                if self.rules.has_elimination:
                    return self.seats
                seats = self.scalars(expr.args[0], env, me)
                return Scalars.of((seat + 1) % self.rules.players for seat in seats.listed or ())
            case "possible":
                return EITHER
            case _:
                raise AssertionError(expr.function)

    # ---- what a condition says of the variables -------------------------------------------------------------

    def narrowed(self, condition: Expr | None, env: Variables, me: Scalars) -> Variables:
        """The variables, where a condition holds: it may compare one with a value, or say that it is in a set."""
        match condition:
            case Logic(op="and", left=left, right=right):
                return self.narrowed(right, self.narrowed(left, env, me), me)
            case Compare(op=op, left=Local(slot=slot), right=right) if slot in env:
                return self._narrowed_variable(op, slot, right, env, me)
        return env

    def _narrowed_variable(self, op: str, slot: int, right: Expr, env: Variables, me: Scalars) -> Variables:
        known = env[slot]
        if not isinstance(known, Scalars):
            return env
        if op == "in":
            return {**env, slot: known.meet(self.elements(right, env, me).elements)}
        if isinstance(right.type, Bag | SetOf):
            return env
        other = self.scalars(right, env, me)
        kept = {
            "is": lambda: known.meet(other),
            "<": lambda: known.meet(Scalars.between(-UNBOUNDED, other.high - 1)),
            "<=": lambda: known.meet(Scalars.between(-UNBOUNDED, other.high)),
            ">": lambda: known.meet(Scalars.between(other.low + 1, UNBOUNDED)),
            ">=": lambda: known.meet(Scalars.between(other.low, UNBOUNDED)),
        }.get(op)
        return env if kept is None else {**env, slot: kept()}


def total_of_numbers(numbers: Sequence[Scalars], fewest: int, most: int) -> Scalars:
    """The sum over at least `fewest` and at most `most` of these."""
    lows, highs = sorted(number.low for number in numbers), sorted((number.high for number in numbers), reverse=True)
    low = sum(lows[:fewest]) + sum(value for value in lows[fewest:most] if value < 0)
    high = sum(highs[:fewest]) + sum(value for value in highs[fewest:most] if value > 0)
    return Scalars.between(low, high)


def total_of_bags(bags: Sequence[BagRange], fewest: int, most: int, size: int) -> BagRange:
    """The sum over at least `fewest` and at most `most` of these; `size`: the length of the bags."""
    lows = [sum(sorted(bag.lows[index] if bag.lows else 0 for bag in bags)[:fewest]) for index in range(size)]
    highs = [
        sum(sorted((bag.highs[index] if bag.highs else 0 for bag in bags), reverse=True)[:most])
        for index in range(size)
    ]
    low_total = sum(sorted(bag.low_total for bag in bags)[:fewest])
    high_total = sum(sorted((bag.high_total for bag in bags), reverse=True)[:most])
    return BagRange.of(lows, highs, low_total, high_total)


def _negate(flag: Scalars) -> Scalars:
    return Scalars.of(1 - value for value in flag.listed or ())


def _flag(*, can_be_true: bool, can_be_false: bool) -> Scalars:
    return Scalars.of([1] * can_be_true + [0] * can_be_false)


def _compare_scalars(op: str, a: Scalars, b: Scalars) -> Scalars:
    if a.is_empty or b.is_empty:
        return EITHER
    match op:
        case "is" | "is not":
            same = _flag(can_be_true=not a.meet(b).is_empty, can_be_false=a.single is None or a.single != b.single)
            return same if op == "is" else _negate(same)
        case "<":
            return _flag(can_be_true=a.low < b.high, can_be_false=a.high >= b.low)
        case "<=":
            return _flag(can_be_true=a.low <= b.high, can_be_false=a.high > b.low)
        case ">":
            return _flag(can_be_true=a.high > b.low, can_be_false=a.low <= b.high)
        case ">=":
            return _flag(can_be_true=a.high >= b.low, can_be_false=a.low < b.high)
    raise AssertionError(op)


def _same_bag(a: BagRange, b: BagRange) -> Scalars:
    left, right = a, b
    zeros = (0,) * max(len(a.highs), len(b.highs))
    lows, highs = left.lows or zeros, left.highs or zeros
    other_lows, other_highs = right.lows or zeros, right.highs or zeros
    if any(low > high for low, high in zip(lows, other_highs, strict=True)):
        return FALSE
    if any(low > high for low, high in zip(other_lows, highs, strict=True)):
        return FALSE
    if left.low_total > right.high_total or right.low_total > left.high_total:
        return FALSE
    return TRUE if lows == highs == other_lows == other_highs else EITHER


def _same_set(a: SetRange, b: SetRange) -> Scalars:
    if a.fewest > b.most or b.fewest > a.most:
        return FALSE
    if a.is_exact and b.is_exact:
        return TRUE if a.elements.listed == b.elements.listed else FALSE
    return EITHER
