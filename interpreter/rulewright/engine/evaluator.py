"""How an expression gets its value in a position: each part becomes a small function of the position.

In: typed expressions and the rule model. Out: functions that take a `Context`. This is where the meaning of expressions
is defined; `values` says how values look.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add
from typing import Any, assert_never

from rulewright.engine.elimination import Departures
from rulewright.engine.places import Places, Run, constant
from rulewright.engine.values import (
    BAG_OPS,
    NUMBER_OPS,
    ORDERINGS,
    SET_OPS,
    Context,
    Value,
    fits,
    join,
    take_away,
)
from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    CountIn,
    Each,
    Expr,
    Extreme,
    Field,
    If,
    Local,
    Logic,
    Lot,
    Not,
    Quantified,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
    Total,
)
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing
from rulewright.model.rules import Rules
from rulewright.model.traversal import parts


class Evaluator(Places):
    """Turns the expressions of one rule model into functions.

    `possible` answers `possible(action)`; the engine sets it.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.possible: Callable[[Context, str], bool] = lambda context, action: False
        self._values: dict[str, Run] = {}
        self.departures = Departures(rules)
        seats = tuple(range(rules.players))
        self._order = [seats[first:] + seats[:first] for first in seats]  # turn order, by the seat that begins

    # ---- expressions --------------------------------------------------------------------------------------

    def run(self, expr: Expr) -> Run:
        """The function that computes an expression."""
        match expr:
            case Constant(type=SetOf(of=Member(kind="seat"))):
                return lambda c: self._order[c.first]
            case Constant(value=value):
                return constant(() if value is None else value)
            case Builtin(name=name):
                return self._builtin(name)
            case Local(slot=slot):
                return lambda c: c.env[slot]
            case ReadParameter(name=name, keys=keys):
                return self._parameter(name, keys)
            case ReadState(name=name, keys=keys):
                place = self.place(self.rules.states[name], keys)
                return lambda c: c.variables[place(c)]
            case ReadValue(name=name, keys=keys):
                return self._read_value(name, keys)
            case ReadZone():
                return self._read_zone(expr)
            case Field(of=of, name=name):
                assert isinstance(of.type, Thing)
                column, thing = self.rules.components[of.type.component].columns[name], self.run(of)
                return lambda c: column[thing(c)]
            case Total():
                return self._total(expr)
            case CountIn(bag=bag, member=member):
                return self._count_in(bag, member)
            case Logic(op=op, left=left, right=right):
                one, two = self.run(left), self.run(right)
                return (lambda c: one(c) and two(c)) if op == "and" else (lambda c: one(c) or two(c))
            case Not(of=of):
                inner = self.run(of)
                return lambda c: not inner(c)
            case Compare():
                return self._compare(expr)
            case Range(low=low, high=high):
                bottom, top = self.run(low), self.run(high)
                return lambda c: tuple(range(bottom(c), top(c) + 1))
            case Arithmetic():
                return self._arithmetic(expr)
            case Lot():
                return self._lot(expr)
            case If(when=when, then=then, otherwise=otherwise):
                test, yes, no = self.run(when), self.run(then), self.run(otherwise)
                return lambda c: yes(c) if test(c) else no(c)
            case Quantified():
                return self._quantified(expr)
            case Each(slot=slot, over=over, where=where):
                elements, holds = self.elements(over), self.run(where)
                return lambda c: tuple([x for x in elements(c) if _bound(holds, c, slot, x)])
            case Sum():
                return self._sum(expr)
            case Extreme():
                return self._extreme(expr)
            case Call():
                return self._call(expr)
            case _:
                assert_never(expr)

    def _builtin(self, name: str) -> Run:
        players, order, departures = self.rules.players, self._order, self.departures

        def all_seats(c: Context) -> Value:
            return order[c.first]

        def still_in(c: Context) -> Value:
            return departures.still_in(c.variables, order[c.first])

        everyone = still_in if departures.possible else all_seats

        def others(c: Context) -> Value:
            return tuple([seat for seat in everyone(c) if seat != c.me])

        table: dict[str, Run] = {
            "me": lambda c: c.me,
            "everyone": everyone,
            "nobody": lambda c: (),
            "others": others,
            "opponents": others,
            "opponent": lambda c: 1 - c.me,
            "players": lambda c: players,
            "first_player": lambda c: c.first,
            "round_number": lambda c: c.round,
        }
        return table[name]

    def _parameter(self, name: str, keys: tuple[Expr, ...]) -> Run:
        parameter = self.rules.parameters[name]
        if parameter.table is None:
            return constant(parameter.value)
        table, key = parameter.table, self.run(keys[0])
        return lambda c: table[key(c)]

    def _read_value(self, name: str, keys: tuple[Expr, ...]) -> Run:
        args = [self.run(key) for key in keys]
        values = self._values
        definition = self.rules.values[name]
        # only as much room as its own terms bind variables, since values are computed most of all
        spare = (0,) * max([0, *[widest(term) for _, term in (*definition.terms, *definition.less)]])

        def worked_out(c: Context, key: tuple[Value, ...]) -> Value:
            body = values.get(name) or self._value_body(name)
            outer = c.env
            c.env = [*key[2:], *spare]
            known = c.memo[key] = body(c)
            c.env = outer
            return known

        if len(args) == 1:
            (alone,) = args

            def run(c: Context) -> Value:
                key = (name, c.me, alone(c))
                known = c.memo.get(key)
                return worked_out(c, key) if known is None else known

        elif len(args) == 2:
            one, two = args

            def run(c: Context) -> Value:
                key = (name, c.me, one(c), two(c))
                known = c.memo.get(key)
                return worked_out(c, key) if known is None else known

        else:

            def run(c: Context) -> Value:
                key = (name, c.me, *[arg(c) for arg in args])
                known = c.memo.get(key)
                return worked_out(c, key) if known is None else known

        return run

    def _value_body(self, name: str) -> Run:
        definition = self.rules.values[name]
        add_up = [self.run(term) for _, term in definition.terms]
        subtract = [self.run(term) for _, term in definition.less]
        if len(add_up) == 1 and not subtract:
            self._values[name] = add_up[0]
            return add_up[0]
        plus: Callable[[Any, Any], Any]
        minus: Callable[[Any, Any], Any]
        match definition.type:
            case Bag():
                plus, minus = join, take_away
            case SetOf():
                plus, minus = SET_OPS["+"], SET_OPS["less"]
            case _:
                plus, minus = add, NUMBER_OPS["less"]

        def run(c: Context) -> Value:
            result = add_up[0](c)
            for term in add_up[1:]:
                result = plus(result, term(c))
            for term in subtract:
                result = minus(result, term(c))
            return result

        self._values[name] = run
        return run

    def _read_zone(self, expr: ReadZone) -> Run:
        zone = self.rules.zones[expr.name]
        content = self.content(zone)
        whole = len(expr.keys) == len(zone.keys) and not any(
            self.plural(key, zone, at) for at, key in enumerate(expr.keys)
        )
        read: Run
        if whole:
            place = self.place(zone, expr.keys)
            if zone.pooled or not zone.shuffled:
                read = _reader_of(zone.first) if not zone.keys else _reader_at(place)
            else:
                read = _reader_of_content(content, place)
        else:
            places = self.places(zone, expr.keys)
            if isinstance(zone.holds, Member):
                none = (0,) * self.family_size(zone.holds.kind)

                def read(c: Context) -> Value:
                    return tuple(map(sum, zip(*[c.contents[at] for at in places(c)], strict=True))) or none
            else:

                def read(c: Context) -> Value:
                    return tuple([thing for at in places(c) for thing in content(c.contents[at])])

        if expr.member is None:
            return read
        assert isinstance(zone.holds, Member)
        position, member = self.position(zone.holds.kind), self.run(expr.member)
        if not self.rules.kinds[zone.holds.kind].numeric:
            # a word's number is its place in the bag
            if not zone.keys and isinstance(expr.member, Local):
                number, slot = zone.first, expr.member.slot
                return lambda c: c.contents[number][c.env[slot]]
            return lambda c: read(c)[member(c)]
        return lambda c: read(c)[position[member(c)]]

    def _total(self, expr: Total) -> Run:
        assert isinstance(expr.of.type, SetOf)
        assert isinstance(expr.of.type.of, Thing)
        component = self.rules.components[expr.of.type.of.component]
        column: tuple[Any, ...] = component.columns[expr.name]
        things = self.run(expr.of)
        if isinstance(expr.type, Number):
            return lambda c: sum([column[thing] for thing in things(c)])
        assert isinstance(expr.type, Bag)
        zeros = (0,) * self.family_size(expr.type.kind)
        if isinstance(component.fields[expr.name], Bag):

            def add_bags(c: Context) -> Value:
                total = zeros
                for thing in things(c):
                    total = tuple(map(add, total, column[thing]))
                return total

            return add_bags
        position = self.position(expr.type.kind)

        def count(c: Context) -> Value:
            total = list(zeros)
            for thing in things(c):
                total[position[column[thing]]] += 1
            return tuple(total)

        return count

    def _count_in(self, bag: Expr, member: Expr) -> Run:
        assert isinstance(bag.type, Bag)
        held, wanted = self.run(bag), self.run(member)
        position = self.position(bag.type.kind)

        def run(c: Context) -> Value:
            counts = held(c)
            return counts[position[wanted(c)]] if counts else 0

        return run

    def _compare(self, expr: Compare) -> Run:
        left, right = self.run(expr.left), self.run(expr.right)
        if expr.op in ORDERINGS:
            holds = ORDERINGS[expr.op]
            if isinstance(expr.right, Constant):
                bound = expr.right.value
                return lambda c: holds(left(c), bound)
            return lambda c: holds(left(c), right(c))
        if expr.op == "fits in":
            if isinstance(expr.left.type, Bag):
                return lambda c: fits(left(c), right(c))
            return lambda c: all(x in right(c) for x in left(c))
        if expr.op in ("in", "not in"):
            elements = self.elements(expr.right)
            if expr.op == "in":
                return lambda c: left(c) in elements(c)
            return lambda c: left(c) not in elements(c)
        same = self._same(expr.left, expr.right)
        return same if expr.op == "is" else lambda c: not same(c)

    def _same(self, left: Expr, right: Expr) -> Run:
        one, two = self.run(left), self.run(right)
        if isinstance(left.type, Bag):
            return lambda c: fits(one(c), two(c)) and fits(two(c), one(c))
        if isinstance(left.type, SetOf) or isinstance(right.type, SetOf):
            first, second = self.elements(left), self.elements(right)
            return lambda c: sorted(first(c)) == sorted(second(c))
        return lambda c: one(c) == two(c)

    def _arithmetic(self, expr: Arithmetic) -> Run:
        left, right = self.run(expr.left), self.run(expr.right)
        match expr.type:
            case Bag():
                op = BAG_OPS[expr.op]
            case SetOf():
                op = SET_OPS[expr.op]
                left, right = self.elements(expr.left), self.elements(expr.right)
            case _:
                op = NUMBER_OPS[expr.op]
        return lambda c: op(left(c), right(c))

    def _lot(self, expr: Lot) -> Run:
        assert isinstance(expr.type, Bag)
        count = self.run(expr.count)
        size, position = self.family_size(expr.type.kind), self.position(expr.type.kind)
        elements = self.elements(expr.what) if isinstance(expr.what.type, SetOf | Bag) else self._lone(expr.what)

        def run(c: Context) -> Value:
            bag, each = [0] * size, count(c)
            for member in elements(c):
                bag[position[member]] = each
            return tuple(bag)

        return run

    def _quantified(self, expr: Quantified) -> Run:
        elements, has, slot = self.elements(expr.over), self.run(expr.has), expr.slot
        wanted = (
            expr.quantifier != "every"
        )  # some and no stop at the first that has it, every at the first that has not
        found, missing = {"some": (True, False), "no": (False, True), "every": (False, True)}[expr.quantifier]

        def run(c: Context) -> Value:
            env = c.env
            for x in elements(c):
                env[slot] = x
                if has(c) is wanted:
                    return found
            return missing

        return run

    def _sum(self, expr: Sum) -> Run:
        elements, of, slot = self.elements(expr.over), self.run(expr.of), expr.slot
        where = self.run(expr.where) if expr.where is not None else constant(True)
        start: Value = 0
        if isinstance(expr.type, Bag):
            start = (0,) * self.family_size(expr.type.kind) if expr.type.kind else ()
        plus = join if isinstance(expr.type, Bag) else add

        def run(c: Context) -> Value:
            total, env = start, c.env
            for x in elements(c):
                env[slot] = x
                if where(c):
                    total = plus(total, of(c))
            return total

        def run_all(c: Context) -> Value:
            total, env = start, c.env
            for x in elements(c):
                env[slot] = x
                total = plus(total, of(c))
            return total

        return run if expr.where is not None else run_all

    def _extreme(self, expr: Extreme) -> Run:
        elements, of, slot = self.elements(expr.over), self.run(expr.of), expr.slot
        where = self.run(expr.where) if expr.where is not None else constant(True)
        pick = max if expr.pick == "max" else min
        return lambda c: pick([of(c) for x in elements(c) if _bound(where, c, slot, x)], default=0)

    def _call(self, expr: Call) -> Run:
        args = [self.run(arg) for arg in expr.args]
        match expr.function:
            case "count":
                of = args[0] if isinstance(expr.args[0].type, Bag) else self.elements(expr.args[0])
                return (lambda c: sum(of(c))) if isinstance(expr.args[0].type, Bag) else (lambda c: len(of(c)))
            case "min" | "max":
                pick = min if expr.function == "min" else max
                if len(args) == 2:
                    one, two = args
                    return lambda c: pick(one(c), two(c))
                return lambda c: pick([arg(c) for arg in args])
            case "first":
                first = self.elements(expr.args[0])
                return lambda c: first(c)[:1]
            case "reversed":
                whole = self.elements(expr.args[0])
                return lambda c: whole(c)[::-1]
            case "next":
                players, seat, departures = self.rules.players, args[0], self.departures
                if departures.possible:
                    return lambda c: departures.next(c.variables, seat(c))
                return lambda c: (seat(c) + 1) % players
            case "possible":
                action = expr.action
                return lambda c: self.possible(c, action)
            case _:
                raise AssertionError(expr.function)


def widest(expr: Expr) -> int:
    """One more than the highest variable that an expression reads or binds."""
    return max([getattr(part, "slot", -1) + 1 for part in parts(expr)])


def _reader_of(number: int) -> Run:
    return lambda c: c.contents[number]


def _reader_at(place: Run) -> Run:
    return lambda c: c.contents[place(c)]


def _reader_of_content(content: Callable[[Any], Value], place: Run) -> Run:
    return lambda c: content(c.contents[place(c)])


def _bound(run: Run, c: Context, slot: int, value: Value) -> Value:
    c.env[slot] = value
    return run(c)
