"""How an expression gets its value in a position: each part becomes a small function of the position.

In: typed expressions and the rule model. Out: functions that take a `Context`. This is where the meaning of expressions
is defined; `values` says what values are. All engines share it: layout, sentences, evaluation terms and scenarios need
values of expressions whatever engine plays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add
from typing import NamedTuple, TypeAlias, assert_never, cast

from rulewright.engine.bag_arithmetic import BagArithmetic
from rulewright.engine.content_compiler import ContentCompiler
from rulewright.engine.context import Context, MemoKey
from rulewright.engine.elimination import Elimination
from rulewright.engine.folds import apply_to_both, fold_terms, sum_loop, with_slot
from rulewright.engine.invariant_sites import InvariantSites, forget_at, keep_at, keep_in_position, loop_body
from rulewright.engine.memoized_values import read_memoized
from rulewright.engine.place_compiler import (
    CompiledExpr,
    CompiledNumber,
    CompiledTuple,
    compile_constant,
)
from rulewright.engine.tabulation import tabulate, tabulated_slot
from rulewright.engine.values import (
    NUMBER_OPS,
    ORDERINGS,
    SET_OPS,
    RuntimeValue,
    as_int,
    as_value,
)
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Binding,
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
from rulewright.expr.types import SEAT, Bag, SetOf, Type
from rulewright.expr.walk import iter_exprs
from rulewright.model.dependencies import position_dependencies
from rulewright.model.rules import Rules, ValueDef

TupleOperation: TypeAlias = Callable[[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]


class CompiledLoop(NamedTuple):
    """A loop of a step: its elements, which of them it is for, and what they are ordered by."""

    elements: CompiledTuple
    where: CompiledNumber | None
    order: CompiledNumber | None


class ExprCompiler(ContentCompiler):
    """Turns the expressions of one rule model into functions.

    `is_action_possible` answers `possible(action)`; an engine sets it, without one no action is possible.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.is_action_possible: Callable[[Context, str], bool] = lambda context, action: False
        self.invariants = InvariantSites()
        self._values: dict[str, CompiledExpr] = {}
        self._constants: dict[MemoKey, RuntimeValue] = {}  # of values that no position changes; who begins for the seat
        self.elimination = Elimination(rules)
        seats = tuple(range(rules.players))
        self._turn_orders = [seats[first:] + seats[:first] for first in seats]  # by the seat that begins

    # ---- expressions --------------------------------------------------------------------------------------

    def compile(self, expr: Expr) -> CompiledExpr:
        """The function that computes an expression."""
        run, slot = self._compile_part(expr), tabulated_slot(expr)
        if slot is not None:
            return tabulate(slot, run)
        site, closed = self.invariants.sites.get(id(expr)), self.invariants.closed.get(id(expr))
        if closed is not None:
            return keep_in_position(closed, run)
        return run if site is None else keep_at(site, run)

    def compile_clause(self, condition: Expr) -> CompiledExpr:
        """The function that judges answers: what none of them changes is computed once in a position."""
        with self.invariants.of_clause(condition):
            return self.compile(condition)

    def _compile_part(self, expr: Expr) -> CompiledExpr:
        match expr:
            case Constant(value=value):
                return compile_constant(() if value is None else value)
            case Builtin(name=name):
                return self._builtin(name)
            case Local(slot=slot):
                return lambda c: c.env[slot]
            case ReadParameter(name=name, keys=keys):
                return self._read_parameter(name, keys)
            case ReadState(name=name, keys=keys):
                place = self.compile_place(self.rules.states[name], keys)
                return lambda c: c.variables[place(c)]
            case ReadValue(name=name, keys=keys):
                return self._read_value(name, keys)
            case ReadZone():
                return self.read_zone(expr)
            case FieldAccess(of=Local(slot=slot) as of, name=name):  # without a call for the variable
                column = self.read_column(of.type, name)
                return cast("CompiledExpr", lambda c: column[c.env[slot]])
            case FieldAccess(of=of, name=name):
                column, owner = self.read_column(of.type, name), self.compile_number(of)
                return lambda c: column[owner(c)]
            case FieldTotal():
                return self.field_total(expr)
            case MemberCount(bag=bag, member=member):
                return self.member_count(bag, member)
            case Logic(op=op, left=left, right=right):
                first, second = self.compile(left), self.compile(right)
                return (lambda c: first(c) and second(c)) if op == "and" else (lambda c: first(c) or second(c))
            case Not(of=of):
                inner = self.compile(of)
                return lambda c: not inner(c)
            case Compare():
                return self._compare(expr)
            case Range(low=low, high=high):
                bottom, top = self.compile_number(low), self.compile_number(high)
                return lambda c: tuple(range(bottom(c), top(c) + 1))
            case Arithmetic():
                return self._arithmetic(expr)
            case BagLiteral():
                return self.bag_literal(expr)
            case If(condition=when, then=then, otherwise=otherwise):
                test, yes, no = self.compile(when), self.compile(then), self.compile(otherwise)
                return lambda c: yes(c) if test(c) else no(c)
            case Quantifier():
                return self._quantifier(expr)
            case Filter(over=over, condition=None):
                return self.compile_elements(over)
            case Filter(slot=slot, over=over, condition=where):
                assert where is not None
                with self.invariants.of_loop((where,), slot) as sites:
                    holds = self.compile(where)
                elements = forget_at(sites, self.compile_elements(over))
                return lambda c: tuple([x for x in elements(c) if with_slot(holds, c, slot, x)])
            case Sum():
                return self._sum(expr)
            case Extremum():
                return self._extremum(expr)
            case Call():
                return self._call(expr)
            case _:
                assert_never(expr)

    def _builtin(self, name: str) -> CompiledExpr:
        players, turn_orders, elimination = self.rules.players, self._turn_orders, self.elimination

        def all_seats(c: Context) -> tuple[int, ...]:
            return turn_orders[c.first_seat]

        def remaining_seats(c: Context) -> tuple[int, ...]:
            return elimination.remaining_seats(c.variables, turn_orders[c.first_seat])

        everyone = remaining_seats if elimination.is_possible else all_seats

        def others(c: Context) -> tuple[int, ...]:
            return tuple([seat for seat in everyone(c) if seat != c.me])

        table: dict[str, CompiledExpr] = {
            "me": lambda c: c.me,
            "everyone": everyone,
            SEAT.kind: all_seats,
            "nobody": lambda c: (),
            "others": others,
            "opponents": others,
            "opponent": lambda c: 1 - c.me,
            "players": lambda c: players,
            "first_player": lambda c: c.first_seat,
            "round_number": lambda c: c.round,
        }
        return table[name]

    def _read_parameter(self, name: str, keys: tuple[Expr, ...]) -> CompiledExpr:
        parameter = self.rules.parameters[name]
        if parameter.values_by_key is None:
            return compile_constant(as_value(parameter.value))
        table = {key: as_value(value) for key, value in parameter.values_by_key.items()}
        key_of = self.compile_number(keys[0])
        return lambda c: table[key_of(c)]

    # ---- derived values -----------------------------------------------------------------------------------

    def _read_value(self, name: str, keys: tuple[Expr, ...]) -> CompiledExpr:
        args = [self.compile(key) for key in keys]
        definition = self.rules.values[name]
        # no more slots than its own terms bind: values are computed more often than anything else
        spare = (0,) * max([0, *[slot_count(term) for _, term in (*definition.terms, *definition.deductions)]])

        if self._is_constant(definition):
            return self._read_constant(name, args, spare)
        return read_memoized(name, keys, args, spare, self._values, self._value_body)

    def _is_constant(self, definition: ValueDef) -> bool:
        """Whether a value is the same in every position of a game, like what is beside what on a board."""
        terms = [term for _, term in (*definition.terms, *definition.deductions)]
        return all(position_dependencies(self.rules, term) == frozenset() for term in terms)

    def _read_constant(self, name: str, args: list[CompiledExpr], spare: tuple[int, ...]) -> CompiledExpr:
        """A value that depends on its keys and on who begins alone: it is computed once for all positions."""
        known, values = self._constants, self._values

        def run(c: Context) -> RuntimeValue:
            keys = [arg(c) for arg in args]
            key: MemoKey = (name, c.first_seat, *keys)
            value = known.get(key)
            if value is None:
                body, outer = values.get(name) or self._value_body(name), c.env
                c.env = [*keys, *spare]
                value = known[key] = body(c)
                c.env = outer
            return value

        return run

    def _value_body(self, name: str) -> CompiledExpr:
        body = self._values[name] = self._combine_terms(self.rules.values[name])
        return body

    def wrap_values(self, wrap: Callable[[str, CompiledExpr], CompiledExpr]) -> None:
        """Computes every value from now on by what `wrap` makes of its name and its function."""
        for name, definition in self.rules.values.items():
            self._values[name] = wrap(name, self._combine_terms(definition))

    def forget_constants(self) -> None:
        """Computes also those values anew that no position changes."""
        self._constants.clear()

    def _combine_terms(self, definition: ValueDef) -> CompiledExpr:
        terms, deductions = [term for _, term in definition.terms], [term for _, term in definition.deductions]
        if len(terms) == 1 and not deductions:
            return self.compile(terms[0])
        if isinstance(definition.type, Bag | SetOf):
            plus, minus = self._tuple_operation("+", definition.type), self._tuple_operation("less", definition.type)
            return fold_terms(self._tuples(terms), plus, self._tuples(deductions), minus)
        return fold_terms(self._numbers(terms), add, self._numbers(deductions), NUMBER_OPS["less"])

    def _tuple_operation(self, op: str, type_: Type) -> TupleOperation:
        return self.bag_arithmetic(type_).operation(op) if isinstance(type_, Bag) else SET_OPS[op]

    def _tuples(self, exprs: Sequence[Expr]) -> list[CompiledTuple]:
        return [self.compile_tuple(expr) for expr in exprs]

    def _numbers(self, exprs: Sequence[Expr]) -> list[CompiledNumber]:
        return [self.compile_number(expr) for expr in exprs]

    # ---- operators ----------------------------------------------------------------------------------------

    def _compare(self, expr: Compare) -> CompiledExpr:
        if expr.op in ("is", "is not") and _is_nothing(expr.right) and isinstance(expr.left.type, Bag | SetOf):
            return self._emptiness(expr)
        if expr.op in ORDERINGS:
            holds, left, right = ORDERINGS[expr.op], self.compile_number(expr.left), self.compile_number(expr.right)
            if isinstance(expr.right, Constant):
                bound = as_int(expr.right.value)
                return lambda c: holds(left(c), bound)
            return lambda c: holds(left(c), right(c))
        if expr.op == "fits in":
            part, whole = self.compile_tuple(expr.left), self.compile_tuple(expr.right)
            if isinstance(expr.left.type, Bag):
                return apply_to_both(self._common_arithmetic(expr.left, expr.right).is_sub_bag, part, whole)
            return lambda c: all(x in whole(c) for x in part(c))
        if expr.op in ("in", "not in"):
            element, elements = self.compile(expr.left), self.compile_elements(expr.right)
            if expr.op == "in":
                return lambda c: element(c) in elements(c)
            return lambda c: element(c) not in elements(c)
        is_equal = self._equality(expr.left, expr.right)
        return is_equal if expr.op == "is" else lambda c: not is_equal(c)

    def _common_arithmetic(self, left: Expr, right: Expr) -> BagArithmetic:
        """The arithmetic of two bags of one family, one of which may be the empty bag of any kind."""
        return self.bag_arithmetic(left.type if isinstance(left.type, Bag) and left.type.kind else right.type)

    def _emptiness(self, expr: Compare) -> CompiledExpr:
        """`is empty` and `is not empty`: of a bag, whether it counts nothing."""
        elements = self.read_in_any_order(expr.left)
        if isinstance(expr.left.type, Bag):
            return (lambda c: not any(elements(c))) if expr.op == "is" else lambda c: any(elements(c))
        return (lambda c: not elements(c)) if expr.op == "is" else lambda c: bool(elements(c))

    def _equality(self, left: Expr, right: Expr) -> CompiledExpr:
        if isinstance(left.type, Bag):
            bag, other = self.compile_tuple(left), self.compile_tuple(right)
            is_sub_bag = self._common_arithmetic(left, right).is_sub_bag
            return lambda c: is_sub_bag(bag(c), other(c)) and is_sub_bag(other(c), bag(c))
        if isinstance(left.type, SetOf) or isinstance(right.type, SetOf):
            elements, others = self.compile_elements(left), self.compile_elements(right)
            return lambda c: sorted(elements(c)) == sorted(others(c))
        first, second = self.compile(left), self.compile(right)
        return lambda c: first(c) == second(c)

    def _arithmetic(self, expr: Arithmetic) -> CompiledExpr:
        left, right = expr.left, expr.right
        match expr.type:
            case Bag():
                operation = self.bag_arithmetic(expr.type).operation(expr.op)
                return apply_to_both(operation, self.compile_tuple(left), self.compile_tuple(right))
            case SetOf():
                return apply_to_both(SET_OPS[expr.op], self.compile_elements(left), self.compile_elements(right))
            case _:
                return apply_to_both(NUMBER_OPS[expr.op], self.compile_number(left), self.compile_number(right))

    # ---- loops --------------------------------------------------------------------------------------------

    def _quantifier(self, expr: Quantifier) -> CompiledExpr:
        slot = expr.slot
        with self.invariants.of_loop((expr.condition,), slot) as sites:
            condition = self.compile(expr.condition)
        elements = forget_at(sites, self.compile_elements(expr.over))
        # `some` and `no` stop at the first that has it, `every` at the first that has not
        stops_at = expr.quantifier != "every"
        stopped, finished = {"some": (True, False), "no": (False, True), "every": (False, True)}[expr.quantifier]

        def run(c: Context) -> bool:
            env = c.env
            for x in elements(c):
                env[slot] = x
                if condition(c) is stops_at:
                    return stopped
            return finished

        return run

    def _sum(self, expr: Sum) -> CompiledExpr:
        with self.invariants.of_loop(loop_body(expr), expr.slot) as sites:
            where, of = self._condition(expr.condition), self.compile(expr.of)
        elements = forget_at(sites, self.compile_elements(expr.over))
        if isinstance(expr.type, Bag):
            zeros = (0,) * self.family_size(expr.type.kind) if expr.type.kind else ()
            plus = self.bag_arithmetic(expr.type).add_bags
            return sum_loop(elements, cast("CompiledTuple", of), where, expr.slot, zeros, plus)
        return sum_loop(elements, cast("CompiledNumber", of), where, expr.slot, 0, add)

    def _count_bag(self, bag: Expr) -> CompiledNumber:
        if isinstance(bag, Arithmetic) and bag.op == "less":
            count_rest = self.bag_arithmetic(bag.type).count_rest
            return apply_to_both(count_rest, self.compile_tuple(bag.left), self.compile_tuple(bag.right))
        counts = self.compile_tuple(bag)
        return lambda c: sum(counts(c))

    def _condition(self, expr: Expr | None) -> CompiledExpr | None:
        return None if expr is None else self.compile(expr)

    def _extremum(self, expr: Extremum) -> CompiledNumber:
        slot = expr.slot
        with self.invariants.of_loop(loop_body(expr), slot) as sites:
            where, of = self._condition(expr.condition) or compile_constant(True), self.compile_number(expr.of)
        elements = forget_at(sites, self.compile_elements(expr.over))
        pick = max if expr.function == "max" else min
        return lambda c: pick([of(c) for x in elements(c) if with_slot(where, c, slot, x)], default=0)

    def compile_loop(self, binding: Binding, order: Expr | None) -> CompiledLoop:
        """What a step is done for: the elements of its set, the condition they satisfy, and their order."""
        parts = [expr for expr in (binding.condition, order) if expr is not None]
        with self.invariants.of_loop(parts, binding.slot) as sites:
            where, by = self._condition(binding.condition), self._condition(order)
        return CompiledLoop(
            forget_at(sites, self.compile_elements(binding.over)),
            cast("CompiledNumber | None", where),
            cast("CompiledNumber | None", by),
        )

    def _call(self, expr: Call) -> CompiledExpr:
        match expr.function:
            case "count":
                if isinstance(expr.args[0].type, Bag):
                    return self._count_bag(expr.args[0])
                over = expr.args[0]
                elements = self.read_in_any_order(over) if isinstance(over, ReadZone) else self.compile_elements(over)
                return lambda c: len(elements(c))
            case "min" | "max":
                pick, numbers = min if expr.function == "min" else max, self._numbers(expr.args)
                if len(numbers) == 2:
                    first, second = numbers
                    return lambda c: pick(first(c), second(c))
                return lambda c: pick([number(c) for number in numbers])
            case "first" | "last":
                count, whole = self.compile_number(expr.args[0]), self.compile_elements(expr.args[1])
                if expr.function == "first":
                    return lambda c: whole(c)[: max(0, count(c))]
                return lambda c: _last(count(c), whole(c))
            case "only":
                whole, other = self.compile_elements(expr.args[0]), self.compile_number(expr.args[1])
                return lambda c: found[0] if len(found := whole(c)) == 1 else other(c)
            case "reversed":
                whole = self.compile_elements(expr.args[0])
                return lambda c: whole(c)[::-1]
            case "next":
                players, seat, elimination = self.rules.players, self.compile_number(expr.args[0]), self.elimination
                if elimination.is_possible:
                    return lambda c: elimination.next_seat(c.variables, seat(c))
                return lambda c: (seat(c) + 1) % players
            case "everyone_from":
                seat, orders, elimination = self.compile_number(expr.args[0]), self._turn_orders, self.elimination
                if elimination.is_possible:
                    return lambda c: elimination.remaining_seats(c.variables, orders[seat(c)])
                return lambda c: orders[seat(c)]
            case "possible":
                action = expr.action
                return lambda c: self.is_action_possible(c, action)
            case _:
                raise AssertionError(expr.function)


def slot_count(expr: Expr) -> int:
    """One more than the highest slot that an expression reads or binds."""
    return max([getattr(part, "slot", -1) + 1 for part in iter_exprs(expr)])


def _last(count: int, elements: tuple[int, ...]) -> tuple[int, ...]:
    return elements[max(0, len(elements) - count) :] if count > 0 else ()


def _is_nothing(expr: Expr) -> bool:
    return isinstance(expr, Constant) and expr.value is None
