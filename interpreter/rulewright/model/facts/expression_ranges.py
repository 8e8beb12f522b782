"""What an expression can be: the abstract interpretation of expressions.

In: rules, what every place and state variable can be, what the variables in scope can be. Out: a `ValueRange` that
holds whatever the expression is in any such position. A loop over few elements is followed element by element, so that
what is printed on things is known exactly; over many it is followed once for all of them.
"""

from __future__ import annotations

from operator import add, mul, sub
from typing import Final, assert_never

from rulewright import limits
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
from rulewright.expr.types import SEAT, Bag, Number, SetOf, Type
from rulewright.expr.walk import free_variables
from rulewright.model.facts.loop_ranges import LoopRanges
from rulewright.model.facts.range_operations import compare_scalars, opposite, same_bag, same_set
from rulewright.model.facts.range_reader import Variables, range_of_constant
from rulewright.model.facts.value_ranges import (
    EITHER,
    FALSE,
    TRUE,
    UNBOUNDED,
    BagRange,
    Scalars,
    SetRange,
    ValueRange,
    join,
)

# what takes longer than to look it up
LONG: Final = frozenset({Call, Compare, Extremum, FieldTotal, Filter, Quantifier, ReadValue, ReadZone, Sum})


class ExpressionRanges(LoopRanges):
    """Ranges of expressions in all positions in which places hold `contents` and state variables are `variables`."""

    def range_of(self, expr: Expr, env: Variables, me: Scalars) -> ValueRange:
        """What an expression can be. `env`: its variables; `me`: the seats that can be in turn."""
        if expr.__class__ not in LONG:
            return self._clipped_range_of(expr, env, me)
        around = [env.get(slot) for slot in free_variables(expr)]
        key = (id(expr), id(me), self._followed, *map(id, around))
        known = self.known_ranges.get(key)
        if known is None:
            found = self._clipped_range_of(expr, env, me)
            if len(self.known_ranges) >= limits.MAX_CACHED_VALUES:
                self.known_ranges.clear()
            known = self.known_ranges[key] = (
                expr,
                me,
                around,
                found,
            )  # with all that the key names: no other gets its id
        return known[-1]

    def _clipped_range_of(self, expr: Expr, env: Variables, me: Scalars) -> ValueRange:
        found = self._range_of(expr, env, me)
        if isinstance(found, Scalars) and isinstance(expr.type, Number):
            return found.clip(expr.type.low, expr.type.high)
        return found

    def _range_of(self, expr: Expr, env: Variables, me: Scalars) -> ValueRange:
        match expr:
            case Constant(value=value, type=type_):
                return range_of_constant(value, type_)
            case Builtin(name=name):
                return self._builtin(name, me)
            case Local(slot=slot):
                return env[slot] if slot in env else self.full_range(expr.type)
            case ReadParameter(name=name, keys=keys):
                return self._read_parameter(name, keys, expr.type, env, me)
            case ReadState(name=name, keys=keys):
                definition = self.rules.states[name]
                places = self.places(definition, keys, env, me)
                return self.joined((self.variables[place] for place in places), expr.type)
            case ReadValue(name=name, keys=keys):
                return self.value(name, tuple(self.range_of(key, env, me) for key in keys), me)
            case ReadZone():
                return self.zone_range(expr, env, me)
            case FieldAccess(of=of, name=name):
                return self.field_range(expr, of, name, env, me)
            case FieldTotal():
                return self.field_total(expr, env, me)
            case MemberCount(bag=bag, member=member):
                return self.count_of(self.bag(bag, env, me), bag.type, self.scalars(member, env, me))
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
                return self.bag_literal(expr, env, me)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self.scalars(condition, env, me)
                yes = self.range_of(then, self.narrowed(condition, env, me), me) if 1 in test else None
                no = self.range_of(otherwise, env, me) if 0 in test else None
                return join(yes, no) or self.full_range(expr.type)
            case Quantifier():
                return self.quantifier_range(expr, env, me)
            case Filter():
                return self.filter_range(expr, env, me)
            case Sum():
                return self.sum_range(expr, env, me)
            case Extremum():
                return self.extremum_range(expr, env, me)
            case Call():
                return self._call(expr, env, me)
            case _:
                assert_never(expr)

    def _builtin(self, name: str, me: Scalars) -> ValueRange:
        players, seats = self.rules.players, self.seats
        remaining = 0 if self.rules.has_elimination else players
        others = Scalars.of(seat for seat in range(players) if me.single != seat)
        table: dict[str, ValueRange] = {
            "me": me,
            "everyone": SetRange.of(seats, remaining),
            SEAT.kind: SetRange.exactly(range(players)),
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
            return range_of_constant(parameter.value, parameter.type)
        chosen = self.scalars(keys[0], env, me)
        values = (value for key, value in parameter.values_by_key.items() if key in chosen)
        return self.joined((range_of_constant(value, parameter.type) for value in values), type_)

    def value(self, name: str, keys: tuple[ValueRange, ...], me: Scalars) -> ValueRange:
        """The range of a derived value, for keys of such ranges."""
        definition = self.rules.values[name]
        if self.is_constant(definition):
            known, memo = self.constant_values, (name, *keys)
        else:
            known, memo = self.known_values, (name, me, *keys)
        if memo not in known:
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
            known[memo] = total
        return known[memo]

    def _plus(self, left: ValueRange, right: ValueRange) -> ValueRange:
        match left, right:
            case (BagRange() as a, BagRange() as b):
                return a.plus(b)
            case (SetRange() as a, SetRange() as b):
                return a.union(b)
            case (Scalars() as a, Scalars() as b):
                return a.combine(b, add, a.low + b.low, a.high + b.high)
        raise TypeError

    def _less(self, left: ValueRange, right: ValueRange) -> ValueRange:
        match left, right:
            case (BagRange() as a, BagRange() as b):
                return a.less(b)
            case (SetRange() as a, SetRange() as b):
                return a.less(b)
            case (Scalars() as a, Scalars() as b):
                return a.combine(b, lambda x, y: max(0, x - y), max(0, a.low - b.high), max(0, a.high - b.low))
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
            return a.combine(b, sub, a.low - b.high, a.high - b.low)
        if expr.op == "*":
            ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
            return a.combine(b, mul, min(ends), max(ends))
        return self._division(expr, a, b)

    def _division(self, expr: Arithmetic, a: Scalars, b: Scalars) -> Scalars:
        """The checker lets nothing be divided by what may be 0 or less."""
        if expr.op == "%":
            return a.combine(b, lambda x, y: x % y if y else 0, 0, max(0, b.high - 1))
        low, high = max(1, b.low), max(1, b.high)
        ends = [a.low // low, a.low // high, a.high // low, a.high // high]
        return a.combine(b, lambda x, y: x // y if y else 0, min(ends), max(ends))

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
            found = same_bag(self.bag(left, env, me), self.bag(right, env, me))
        elif isinstance(left.type, SetOf) or isinstance(right.type, SetOf):
            found = same_set(self.elements(left, env, me), self.elements(right, env, me))
        else:
            a, b = self.scalars(left, env, me), self.scalars(right, env, me)
            return compare_scalars(expr.op, a, b)
        return opposite(found) if expr.op in ("not in", "is not") else found

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
                    low, high = pick(result.low, number.low), pick(result.high, number.high)
                    result = result.combine(number, pick, low, high)
                return result
            case "first" | "last":
                count, whole = self.scalars(expr.args[0], env, me), self.elements(expr.args[1], env, me)
                fewest, most = max(0, min(count.low, whole.fewest)), max(0, min(count.high, whole.most))
                return SetRange.of(whole.elements, fewest, most)
            case "only":
                whole, other = self.elements(expr.args[0], env, me), self.scalars(expr.args[1], env, me)
                if whole.fewest == whole.most == 1:
                    return whole.elements
                return whole.elements.join(other) if whole.fewest <= 1 <= whole.most else other
            case "reversed":
                return self.elements(expr.args[0], env, me)
            case "next":
                if self.rules.has_elimination:
                    return self.seats
                seats = self.scalars(expr.args[0], env, me)
                return Scalars.of((seat + 1) % self.rules.players for seat in seats.listed or ())
            case "everyone_from":
                players = self.rules.players
                return SetRange.of(self.seats, 0 if self.rules.has_elimination else players, players)
            case "possible":
                return EITHER
            case _:
                raise AssertionError(expr.function)

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


__all__ = ["ExpressionRanges", "Variables"]
