"""How an expression gets its value in a position: each part becomes a small function of the position.

In: typed expressions and the rule model. Out: functions that take a `Context`. This is where the meaning of expressions
is defined; `values` says how values look.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add
from typing import Any, assert_never

from rulewright.engine.elimination import Elimination
from rulewright.engine.places import CompiledExpr, PlaceCompiler, compile_constant
from rulewright.engine.values import (
    BAG_OPS,
    NUMBER_OPS,
    ORDERINGS,
    SET_OPS,
    Context,
    RuntimeValue,
    add_bags,
    is_sub_bag,
    subtract_bag,
)
from rulewright.expr.tree import (
    Arithmetic,
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
    MakeBag,
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
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing
from rulewright.expr.walk import iter_exprs
from rulewright.model.rules import Rules


class ExprCompiler(PlaceCompiler):
    """Turns the expressions of one rule model into functions.

    `possible` answers `possible(action)`; the engine sets it.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.is_action_possible: Callable[[Context, str], bool] = lambda context, action: False
        self._values: dict[str, CompiledExpr] = {}
        self.elimination = Elimination(rules)
        seats = tuple(range(rules.players))
        self._order = [seats[first:] + seats[:first] for first in seats]  # turn order, by the seat that begins

    # ---- expressions --------------------------------------------------------------------------------------

    def compile(self, expr: Expr) -> CompiledExpr:
        """The function that computes an expression."""
        match expr:
            case Constant(type=SetOf(element=Member(kind="seat"))):
                return lambda c: self._order[c.first_seat]
            case Constant(value=value):
                return compile_constant(() if value is None else value)
            case Builtin(name=name):
                return self._builtin(name)
            case Local(slot=slot):
                return lambda c: c.env[slot]
            case ReadParameter(name=name, keys=keys):
                return self._parameter(name, keys)
            case ReadState(name=name, keys=keys):
                place = self.compile_place(self.rules.states[name], keys)
                return lambda c: c.variables[place(c)]
            case ReadValue(name=name, keys=keys):
                return self._read_value(name, keys)
            case ReadZone():
                return self._read_zone(expr)
            case FieldAccess(of=of, name=name):
                assert isinstance(of.type, Thing)
                column, thing = self.rules.components[of.type.component].columns[name], self.compile(of)
                return lambda c: column[thing(c)]
            case FieldTotal():
                return self._total(expr)
            case MemberCount(bag=bag, member=member):
                return self._count_in(bag, member)
            case Logic(op=op, left=left, right=right):
                one, two = self.compile(left), self.compile(right)
                return (lambda c: one(c) and two(c)) if op == "and" else (lambda c: one(c) or two(c))
            case Not(of=of):
                inner = self.compile(of)
                return lambda c: not inner(c)
            case Compare():
                return self._compare(expr)
            case Range(low=low, high=high):
                bottom, top = self.compile(low), self.compile(high)
                return lambda c: tuple(range(bottom(c), top(c) + 1))
            case Arithmetic():
                return self._arithmetic(expr)
            case MakeBag():
                return self._lot(expr)
            case If(condition=when, then=then, otherwise=otherwise):
                test, yes, no = self.compile(when), self.compile(then), self.compile(otherwise)
                return lambda c: yes(c) if test(c) else no(c)
            case Quantifier():
                return self._quantified(expr)
            case Filter(slot=slot, over=over, condition=where):
                elements, holds = self.compile_elements(over), self.compile(where)
                return lambda c: tuple([x for x in elements(c) if _bound(holds, c, slot, x)])
            case Sum():
                return self._sum(expr)
            case Extremum():
                return self._extreme(expr)
            case Call():
                return self._call(expr)
            case _:
                assert_never(expr)

    def _builtin(self, name: str) -> CompiledExpr:
        players, order, departures = self.rules.players, self._order, self.elimination

        def all_seats(c: Context) -> RuntimeValue:
            return order[c.first_seat]

        def still_in(c: Context) -> RuntimeValue:
            return departures.remaining_seats(c.variables, order[c.first_seat])

        everyone = still_in if departures.is_possible else all_seats

        def others(c: Context) -> RuntimeValue:
            return tuple([seat for seat in everyone(c) if seat != c.me])

        table: dict[str, CompiledExpr] = {
            "me": lambda c: c.me,
            "everyone": everyone,
            "nobody": lambda c: (),
            "others": others,
            "opponents": others,
            "opponent": lambda c: 1 - c.me,
            "players": lambda c: players,
            "first_player": lambda c: c.first_seat,
            "round_number": lambda c: c.round,
        }
        return table[name]

    def _parameter(self, name: str, keys: tuple[Expr, ...]) -> CompiledExpr:
        parameter = self.rules.parameters[name]
        if parameter.values_by_key is None:
            return compile_constant(parameter.value)
        table, key = parameter.values_by_key, self.compile(keys[0])
        return lambda c: table[key(c)]

    def _read_value(self, name: str, keys: tuple[Expr, ...]) -> CompiledExpr:
        args = [self.compile(key) for key in keys]
        values = self._values
        definition = self.rules.values[name]
        # only as much room as its own terms bind variables, since values are computed most of all
        spare = (0,) * max([0, *[slot_count(term) for _, term in (*definition.terms, *definition.deductions)]])

        def worked_out(c: Context, key: tuple[RuntimeValue, ...]) -> RuntimeValue:
            body = values.get(name) or self._value_body(name)
            outer = c.env
            c.env = [*key[2:], *spare]
            known = c.memo[key] = body(c)
            c.env = outer
            return known

        if len(args) == 1:
            (alone,) = args

            def run(c: Context) -> RuntimeValue:
                key = (name, c.me, alone(c))
                known = c.memo.get(key)
                return worked_out(c, key) if known is None else known

        elif len(args) == 2:
            one, two = args

            def run(c: Context) -> RuntimeValue:
                key = (name, c.me, one(c), two(c))
                known = c.memo.get(key)
                return worked_out(c, key) if known is None else known

        else:

            def run(c: Context) -> RuntimeValue:
                key = (name, c.me, *[arg(c) for arg in args])
                known = c.memo.get(key)
                return worked_out(c, key) if known is None else known

        return run

    def _value_body(self, name: str) -> CompiledExpr:
        definition = self.rules.values[name]
        add_up = [self.compile(term) for _, term in definition.terms]
        subtract = [self.compile(term) for _, term in definition.deductions]
        if len(add_up) == 1 and not subtract:
            self._values[name] = add_up[0]
            return add_up[0]
        plus: Callable[[Any, Any], Any]
        minus: Callable[[Any, Any], Any]
        match definition.type:
            case Bag():
                plus, minus = add_bags, subtract_bag
            case SetOf():
                plus, minus = SET_OPS["+"], SET_OPS["less"]
            case _:
                plus, minus = add, NUMBER_OPS["less"]

        def run(c: Context) -> RuntimeValue:
            result = add_up[0](c)
            for term in add_up[1:]:
                result = plus(result, term(c))
            for term in subtract:
                result = minus(result, term(c))
            return result

        self._values[name] = run
        return run

    def _read_zone(self, expr: ReadZone) -> CompiledExpr:
        zone = self.rules.zones[expr.name]
        content = self.content_reader(zone)
        whole = len(expr.keys) == len(zone.key_types) and not any(
            self.is_plural_key(key, zone, at) for at, key in enumerate(expr.keys)
        )
        read: CompiledExpr
        if whole:
            place = self.compile_place(zone, expr.keys)
            if zone.is_pool or not zone.is_shuffled:
                read = _reader_of(zone.first_index) if not zone.key_types else _reader_at(place)
            else:
                read = _reader_of_content(content, place)
        else:
            places = self.compile_places(zone, expr.keys)
            if isinstance(zone.content_type, Member):
                none = (0,) * self.family_size(zone.content_type.kind)

                def read(c: Context) -> RuntimeValue:
                    return tuple(map(sum, zip(*[c.contents[at] for at in places(c)], strict=True))) or none
            else:

                def read(c: Context) -> RuntimeValue:
                    return tuple([thing for at in places(c) for thing in content(c.contents[at])])

        if expr.member is None:
            return read
        assert isinstance(zone.content_type, Member)
        position, member = self.bag_index(zone.content_type.kind), self.compile(expr.member)
        if not self.rules.kinds[zone.content_type.kind].is_numeric:
            # a word's number is its place in the bag
            if not zone.key_types and isinstance(expr.member, Local):
                number, slot = zone.first_index, expr.member.slot
                return lambda c: c.contents[number][c.env[slot]]
            return lambda c: read(c)[member(c)]
        return lambda c: read(c)[position[member(c)]]

    def _total(self, expr: FieldTotal) -> CompiledExpr:
        assert isinstance(expr.of.type, SetOf)
        assert isinstance(expr.of.type.element, Thing)
        component = self.rules.components[expr.of.type.element.component]
        column: tuple[Any, ...] = component.columns[expr.name]
        things = self.compile(expr.of)
        if isinstance(expr.type, Number):
            return lambda c: sum([column[thing] for thing in things(c)])
        assert isinstance(expr.type, Bag)
        zeros = (0,) * self.family_size(expr.type.kind)
        if isinstance(component.field_types[expr.name], Bag):

            def add_bags(c: Context) -> RuntimeValue:
                total = zeros
                for thing in things(c):
                    total = tuple(map(add, total, column[thing]))
                return total

            return add_bags
        position = self.bag_index(expr.type.kind)

        def count(c: Context) -> RuntimeValue:
            total = list(zeros)
            for thing in things(c):
                total[position[column[thing]]] += 1
            return tuple(total)

        return count

    def _count_in(self, bag: Expr, member: Expr) -> CompiledExpr:
        assert isinstance(bag.type, Bag)
        held, wanted = self.compile(bag), self.compile(member)
        position = self.bag_index(bag.type.kind)

        def run(c: Context) -> RuntimeValue:
            counts = held(c)
            return counts[position[wanted(c)]] if counts else 0

        return run

    def _compare(self, expr: Compare) -> CompiledExpr:
        left, right = self.compile(expr.left), self.compile(expr.right)
        if expr.op in ORDERINGS:
            holds = ORDERINGS[expr.op]
            if isinstance(expr.right, Constant):
                bound = expr.right.value
                return lambda c: holds(left(c), bound)
            return lambda c: holds(left(c), right(c))
        if expr.op == "fits in":
            if isinstance(expr.left.type, Bag):
                return lambda c: is_sub_bag(left(c), right(c))
            return lambda c: all(x in right(c) for x in left(c))
        if expr.op in ("in", "not in"):
            elements = self.compile_elements(expr.right)
            if expr.op == "in":
                return lambda c: left(c) in elements(c)
            return lambda c: left(c) not in elements(c)
        same = self._same(expr.left, expr.right)
        return same if expr.op == "is" else lambda c: not same(c)

    def _same(self, left: Expr, right: Expr) -> CompiledExpr:
        one, two = self.compile(left), self.compile(right)
        if isinstance(left.type, Bag):
            return lambda c: is_sub_bag(one(c), two(c)) and is_sub_bag(two(c), one(c))
        if isinstance(left.type, SetOf) or isinstance(right.type, SetOf):
            first, second = self.compile_elements(left), self.compile_elements(right)
            return lambda c: sorted(first(c)) == sorted(second(c))
        return lambda c: one(c) == two(c)

    def _arithmetic(self, expr: Arithmetic) -> CompiledExpr:
        left, right = self.compile(expr.left), self.compile(expr.right)
        match expr.type:
            case Bag():
                op = BAG_OPS[expr.op]
            case SetOf():
                op = SET_OPS[expr.op]
                left, right = self.compile_elements(expr.left), self.compile_elements(expr.right)
            case _:
                op = NUMBER_OPS[expr.op]
        return lambda c: op(left(c), right(c))

    def _lot(self, expr: MakeBag) -> CompiledExpr:
        assert isinstance(expr.type, Bag)
        count = self.compile(expr.count)
        size, position = self.family_size(expr.type.kind), self.bag_index(expr.type.kind)
        elements = (
            self.compile_elements(expr.members)
            if isinstance(expr.members.type, SetOf | Bag)
            else self._lone(expr.members)
        )

        def run(c: Context) -> RuntimeValue:
            bag, each = [0] * size, count(c)
            for member in elements(c):
                bag[position[member]] = each
            return tuple(bag)

        return run

    def _quantified(self, expr: Quantifier) -> CompiledExpr:
        elements, has, slot = self.compile_elements(expr.over), self.compile(expr.condition), expr.slot
        wanted = (
            expr.quantifier != "every"
        )  # some and no stop at the first that has it, every at the first that has not
        found, missing = {"some": (True, False), "no": (False, True), "every": (False, True)}[expr.quantifier]

        def run(c: Context) -> RuntimeValue:
            env = c.env
            for x in elements(c):
                env[slot] = x
                if has(c) is wanted:
                    return found
            return missing

        return run

    def _sum(self, expr: Sum) -> CompiledExpr:
        elements, of, slot = self.compile_elements(expr.over), self.compile(expr.of), expr.slot
        where = self.compile(expr.condition) if expr.condition is not None else compile_constant(True)
        start: RuntimeValue = 0
        if isinstance(expr.type, Bag):
            start = (0,) * self.family_size(expr.type.kind) if expr.type.kind else ()
        plus = add_bags if isinstance(expr.type, Bag) else add

        def run(c: Context) -> RuntimeValue:
            total, env = start, c.env
            for x in elements(c):
                env[slot] = x
                if where(c):
                    total = plus(total, of(c))
            return total

        def run_all(c: Context) -> RuntimeValue:
            total, env = start, c.env
            for x in elements(c):
                env[slot] = x
                total = plus(total, of(c))
            return total

        return run if expr.condition is not None else run_all

    def _extreme(self, expr: Extremum) -> CompiledExpr:
        elements, of, slot = self.compile_elements(expr.over), self.compile(expr.of), expr.slot
        where = self.compile(expr.condition) if expr.condition is not None else compile_constant(True)
        pick = max if expr.function == "max" else min
        return lambda c: pick([of(c) for x in elements(c) if _bound(where, c, slot, x)], default=0)

    def _call(self, expr: Call) -> CompiledExpr:
        args = [self.compile(arg) for arg in expr.args]
        match expr.function:
            case "count":
                of = args[0] if isinstance(expr.args[0].type, Bag) else self.compile_elements(expr.args[0])
                return (lambda c: sum(of(c))) if isinstance(expr.args[0].type, Bag) else (lambda c: len(of(c)))
            case "min" | "max":
                pick = min if expr.function == "min" else max
                if len(args) == 2:
                    one, two = args
                    return lambda c: pick(one(c), two(c))
                return lambda c: pick([arg(c) for arg in args])
            case "first":
                first = self.compile_elements(expr.args[0])
                return lambda c: first(c)[:1]
            case "reversed":
                whole = self.compile_elements(expr.args[0])
                return lambda c: whole(c)[::-1]
            case "next":
                players, seat, departures = self.rules.players, args[0], self.elimination
                if departures.is_possible:
                    return lambda c: departures.next_seat(c.variables, seat(c))
                return lambda c: (seat(c) + 1) % players
            case "possible":
                action = expr.action
                return lambda c: self.is_action_possible(c, action)
            case _:
                raise AssertionError(expr.function)


def slot_count(expr: Expr) -> int:
    """One more than the highest variable that an expression reads or binds."""
    return max([getattr(part, "slot", -1) + 1 for part in iter_exprs(expr)])


def _reader_of(number: int) -> CompiledExpr:
    return lambda c: c.contents[number]


def _reader_at(place: CompiledExpr) -> CompiledExpr:
    return lambda c: c.contents[place(c)]


def _reader_of_content(content: Callable[[Any], RuntimeValue], place: CompiledExpr) -> CompiledExpr:
    return lambda c: content(c.contents[place(c)])


def _bound(run: CompiledExpr, c: Context, slot: int, value: RuntimeValue) -> RuntimeValue:
    c.env[slot] = value
    return run(c)
