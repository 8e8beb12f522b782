"""Expressions of the rules as kernel code: what they read becomes cells and tables, their loops become loops.

In: typed expressions, and where their variables stand. Out: for a number, flag, member or thing a kernel expression;
for a bag one for each member; for a set what goes through its elements. Whatever has to be done before is written by
the code builder, as far out as possible. Expressions are total and change nothing, so it does not matter if a part is
computed that the engine which defines the rules would have skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final, cast

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Binary, BinaryOp, Cell, Int, Invoke, ListItem, Name, Node, names_in
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    both,
    either,
    every,
    known,
    negated,
    some,
    subtract,
    total,
)
from rulewright.engine.compiled.translation.bag_expressions import aligned
from rulewright.engine.compiled.translation.derived_sequences import ChainedSet, FilteredSet
from rulewright.engine.compiled.translation.packed_lanes import lane_total, lanes_fit
from rulewright.engine.compiled.translation.place_expressions import BagLanes, Surroundings, Value
from rulewright.engine.compiled.translation.sequences import (
    CellSet,
    ElementSet,
    KnownSet,
    LaneSet,
    ListSet,
    SingleSet,
    TableRowSet,
    truth,
)
from rulewright.engine.compiled.translation.set_expressions import SetExpressions, unrolled
from rulewright.engine.values import as_int
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
    If,
    Local,
    Logic,
    MemberCount,
    Not,
    Quantifier,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, SetOf
from rulewright.expr.walk import iter_exprs
from rulewright.model.rules import ValueDef

LONGEST_INLINED: Final = 60  # parts of an expression that is written where it is used, not as a function


class ExpressionWriter(SetExpressions):
    """Writes the expressions of one rule model. `value_functions`: derived values that became functions, as they are
    asked for; `asked_actions`: actions of which an expression asks whether they are possible.
    """

    # ---- numbers, flags, members, things -----------------------------------------------------------------------

    def number(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> Node:
        """A number, flag, member, seat or thing."""
        found = self._known_number(expr, around)
        if found is not None:
            return found
        match expr:
            case Constant(value=value):
                return Int(as_int(value))
            case Builtin(name=name):
                return self._builtin(name, around)
            case Local(slot=slot):
                return cast("Node", around.variables[slot])
            case ReadParameter(name=name, keys=keys):
                return self._parameter(code, name, keys, around)
            case ReadState(name=name, keys=keys):
                return code.let(Cell(self.state_cell(code, name, keys, around)), name)
            case ReadValue():
                return cast("Node", self.derived(code, expr, around))
            case ReadZone(member=member) if member is not None:
                return self._count_in(code, expr, member, around)
            case FieldAccess(of=of, name=name):
                return self._field(self.number(code, of, around), of.type, name)
            case FieldTotal():
                return self._field_total(code, expr, around).lanes[0]
            case MemberCount(bag=bag, member=member):
                return self._lane_of(code, self.bag(code, bag, around), bag.type, self.number(code, member, around))
            case Logic(op=op, left=left, right=right):
                return binary(op, self.number(code, left, around), self.number(code, right, around))
            case Not(of=of):
                return negated(self.number(code, of, around))
            case Compare():
                return self._compare(code, expr, around)
            case Arithmetic(op=op, left=left, right=right):
                return binary(op, *self._operands(code, op, left, right, around))
            case If(condition=condition, then=then, otherwise=otherwise):
                return either(
                    self.number(code, condition, around),
                    self.number(code, then, around),
                    self.number(code, otherwise, around),
                )
            case Quantifier():
                return self._quantifier(code, expr, around)
            case Sum():
                return self._sum(code, expr, around)
            case Extremum():
                return self._extremum(code, expr, around)
            case Call():
                return self._call(code, expr, around)
            case _:
                raise AssertionError(type(expr).__name__)

    def _operands(self, code: CodeBuilder, op: str, left: Expr, right: Expr, around: Surroundings) -> tuple[Node, Node]:
        first, second = self.number(code, left, around), self.number(code, right, around)
        if op == "less":  # its operands are written twice
            return code.let(first), code.let(second)
        return first, second

    def _builtin(self, name: str, around: Surroundings) -> Node:
        match name:
            case "me":
                return around.me
            case "opponent":
                return subtract(ONE, around.me) if known(around.me) is not None else binary("-", ONE, around.me)
            case "players":
                return Int(self.rules.players)
            case "first_player":
                return Cell(self.cells.counter("first"))
            case "round_number":
                return Cell(self.cells.counter("round"))
            case _:
                raise AssertionError(name)

    # ---- comparisons --------------------------------------------------------------------------------------------

    def _compare(self, code: CodeBuilder, expr: Compare, around: Surroundings) -> Node:
        left, right = expr.left, expr.right
        match expr.op:
            case "<" | "<=" | ">" | ">=":
                return binary(expr.op, self.number(code, left, around), self.number(code, right, around))
            case "fits in" if isinstance(left.type, Bag):
                return self._fits(code, self.bag(code, left, around), self.bag(code, right, around))
            case "fits in":
                whole = self.elements(code, right, around)
                return self._every(code, self.elements(code, left, around), lambda x: self.contains(code, whole, x))
            case "in" | "not in":
                inside = self._is_in(code, left, right, around)
                return inside if expr.op == "in" else negated(inside)
            case _:
                equal = self._equal(code, left, right, around)
                return equal if expr.op == "is" else negated(equal)

    def _is_in(self, code: CodeBuilder, left: Expr, right: Expr, around: Surroundings) -> Node:
        element = code.let(self.number(code, left, around), "it")
        if isinstance(right, ReadZone) and isinstance(right.type, SetOf):  # a thing knows its place
            zone = self.rules.zones[right.name]
            places = self.place_sets(code, zone, right.keys, around)
            if isinstance(places, SingleSet):
                component = self.cells.component_of(zone).name
                return binary("==", self.cells.place_of(component, element), add(places.value, Int(zone.first_index)))
        if isinstance(right, FieldTotal) and self.is_asked_of_each(right):
            things = self.in_any_order(code, right.of, around)
            single = self.is_on_single(code, right, things, element)
            return self._some(code, things, lambda x: self.is_on(right, x, element)) if single is None else single
        return self.contains(code, self.elements(code, right, around), element)

    def _fits(self, code: CodeBuilder, part: BagLanes, whole: BagLanes) -> Node:
        pairs = aligned(part, whole)
        at_once = lanes_fit(code, self.cells, pairs)
        return every(binary("<=", a, b) for a, b in pairs if a != ZERO) if at_once is None else at_once

    def _equal(self, code: CodeBuilder, left: Expr, right: Expr, around: Surroundings) -> Node:
        if isinstance(left.type, Bag):
            first, second = self.bag(code, left, around), self.bag(code, right, around)
            return every(binary("==", a, b) for a, b in aligned(first, second))
        if isinstance(left.type, SetOf) or isinstance(right.type, SetOf):
            return self._equal_sets(code, left, right, around)
        return binary("==", self.number(code, left, around), self.number(code, right, around))

    def _equal_sets(self, code: CodeBuilder, left: Expr, right: Expr, around: Surroundings) -> Node:
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Constant) and not other.value:
                return binary("==", self.count(code, one, around), ZERO)
        first, second = self.elements(code, left, around), self.elements(code, right, around)
        same_size = binary("==", code.let(first.count(code), "count"), code.let(second.count(code), "count"))
        return both(same_size, self._every(code, first, lambda x: self.contains(code, second, x)))

    # ---- loops --------------------------------------------------------------------------------------------------

    def count(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> Node:
        """How many pieces a bag has, or how many elements a set."""
        if isinstance(expr.type, Bag):
            return lane_total(code, self.cells, self.bag(code, expr, around).lanes)
        if isinstance(expr, ReadZone) and isinstance(expr.type, SetOf):
            zone = self.rules.zones[expr.name]
            if zone.name in self.cells.counts:
                places = self.place_sets(code, zone, expr.keys, around)
                if isinstance(places, SingleSet):
                    return code.let(Cell(self.count_cell(zone, places.value)), f"{zone.name}_count")
                counter = code.variable(ZERO, f"{zone.name}_count")
                places.each(code, lambda at: code.assign(counter, add(counter, Cell(self.count_cell(zone, at)))))
                code.freeze(counter.text)
                return counter
            if isinstance(places := self.place_sets(code, zone, expr.keys, around), SingleSet):
                return binary("!=", Cell(self.first_cell(zone, places.value)), Int(self.cells.absent_thing(zone)))
        return self.in_any_order(code, expr, around).count(code)

    def _quantifier(self, code: CodeBuilder, expr: Quantifier, around: Surroundings) -> Node:
        over = self.in_any_order(code, expr.over, around)
        few = unrolled(over)

        def holds(element: Node) -> Node:
            return self.number(code, expr.condition, around.with_variable(expr.slot, element))

        if few is not None:
            tests = [(truth(flag), holds(Int(value))) for value, flag in few]
            if expr.quantifier == "every":
                return every(binary("or", negated(flag), test) for flag, test in tests)
            found = some(both(flag, test) for flag, test in tests)
            return found if expr.quantifier == "some" else negated(found)
        if expr.quantifier == "every":
            return self._every(code, over, holds)
        found = self._some(code, over, holds)
        return found if expr.quantifier == "some" else negated(found)

    def _every(self, code: CodeBuilder, over: ElementSet, holds: Callable[[Node], Node]) -> Node:
        return negated(self._some(code, over, lambda element: negated(holds(element))))

    def _some(self, code: CodeBuilder, over: ElementSet, holds: Callable[[Node], Node]) -> Node:
        found = code.variable(ZERO, "found")

        def check(element: Node) -> None:
            with code.when(holds(element)):
                code.assign(found, ONE)

        over.each(code, check, found)
        code.freeze(found.text)
        return found

    def _sum(self, code: CodeBuilder, expr: Sum, around: Surroundings) -> Node:
        over = self.in_any_order(code, expr.over, around)
        few = unrolled(over)
        if few is not None:
            parts = []
            for value, flag in few:
                inside = around.with_variable(expr.slot, Int(value))
                test = flag if expr.condition is None else both(flag, self.number(code, expr.condition, inside))
                parts.append(either(truth(test), self.number(code, expr.of, inside), ZERO))
            return code.let(total(parts), "total")
        result = code.variable(ZERO, "total")

        def count(element: Node) -> None:
            inside = around.with_variable(expr.slot, element)
            test = ONE if expr.condition is None else self.number(code, expr.condition, inside)
            with code.when(test):
                code.assign(result, add(result, self.number(code, expr.of, inside)))

        over.each(code, count)
        code.freeze(result.text)
        return result

    def _extremum(self, code: CodeBuilder, expr: Extremum, around: Surroundings) -> Node:
        best, seen = code.variable(ZERO, expr.function + "imum"), code.variable(ZERO, "seen")
        op: BinaryOp = ">" if expr.function == "max" else "<"

        def compare(element: Node) -> None:
            inside = around.with_variable(expr.slot, element)
            test = ONE if expr.condition is None else self.number(code, expr.condition, inside)
            with code.when(test):
                value = code.let(self.number(code, expr.of, inside), "value")
                with code.when(binary("or", negated(seen), binary(op, value, best))):
                    code.assign(best, value)
                    code.assign(seen, ONE)

        self.elements(code, expr.over, around).each(code, compare)
        code.freeze(best.text)
        return best

    # ---- calls --------------------------------------------------------------------------------------------------

    def _call(self, code: CodeBuilder, expr: Call, around: Surroundings) -> Node:
        match expr.function:
            case "count":
                return self.count(code, expr.args[0], around)
            case "min" | "max":
                op: BinaryOp = "min" if expr.function == "min" else "max"
                result, *others = [self.number(code, arg, around) for arg in expr.args]
                for other in others:
                    result = binary(op, code.let(result), code.let(other))
                return result
            case "only":
                items = self.elements(code, expr.args[0], around).to_list(code)
                fallback = self.number(code, expr.args[1], around)
                return either(binary("==", items.count(code), ONE), ListItem(items.items, ZERO), fallback)
            case "next":
                return self._next_seat(code, self.number(code, expr.args[0], around))
            case "possible":
                self.asked_actions[expr.action] = None
                return code.let(Invoke(f"possible_{expr.action}", (around.me,)), "possible")
            case _:
                raise AssertionError(expr.function)

    def _next_seat(self, code: CodeBuilder, seat: Node) -> Node:
        players = self.rules.players
        following = self._entry("next_seat", [(at + 1) % players for at in range(players)], code.let(seat, "seat"))
        if not self.rules.has_elimination:
            return following
        result, stop = code.variable(following, "next"), code.variable(ZERO, "found")

        def check(other: Node) -> None:
            with code.when(self.is_in_game(other)):
                code.assign(result, other)
                code.assign(stop, ONE)

        self.seats_from(code.let(following, "seat")).each(code, check, stop)
        code.freeze(result.text)
        return result

    # ---- derived values -----------------------------------------------------------------------------------------

    def derived(self, code: CodeBuilder, expr: ReadValue, around: Surroundings) -> Value:
        """A derived value, worked out once for the same keys."""
        definition = self.rules.values[expr.name]
        arguments = [code.let(self.number(code, key, around), "key") for key in expr.keys]
        depends_on_me = expr.name in self.values_of_turn
        key = ("value", expr.name, around.me if depends_on_me else None, *arguments)
        reads = {name for node in (*arguments, around.me) for name in names_in(node)}

        def compute() -> Value:
            is_number = not isinstance(definition.type, Bag | SetOf)
            if is_number and self._inlined_size(expr.name) > LONGEST_INLINED:
                self.value_functions[expr.name] = definition
                return code.let(Invoke(f"value_{expr.name}", (around.me, *arguments)), expr.name)
            inside = Surroundings(around.me, dict(enumerate(arguments)))
            return self.terms(code, definition, inside)

        return code.shared(key, reads, compute)

    def terms(self, code: CodeBuilder, definition: ValueDef, inside: Surroundings) -> Value:
        """The terms of a derived value added up, less its deductions."""
        terms, less = [term for _, term in definition.terms], [term for _, term in definition.deductions]
        match definition.type:
            case Bag():
                bag = self.bag(code, terms[0], inside)
                for term in terms[1:]:
                    bag = self._combine(code, "+", bag, self.bag(code, term, inside))
                for term in less:
                    bag = self._combine(code, "less", bag, self.bag(code, term, inside))
                return BagLanes(
                    tuple(lane if _is_plain_less(lane) else code.let(lane, definition.name) for lane in bag.lanes)
                )
            case SetOf():
                if len(terms) == 1 and not less:
                    found = self.elements(code, terms[0], inside)
                    return (
                        found
                        if isinstance(found, KnownSet | LaneSet | ListSet | CellSet | TableRowSet)
                        else found.to_list(code)
                    )
                result = self.elements(code, terms[0], inside)
                for term in terms[1:]:
                    result = self._joined(code, result.to_list(code), self.elements(code, term, inside))
                for term in less:
                    result = self._without(code, result, self.elements(code, term, inside).to_list(code))
                return result.to_list(code)
            case _:
                number = total([self.number(code, term, inside) for term in terms])
                for term in less:
                    number = binary("less", code.let(number), code.let(self.number(code, term, inside)))
                return code.let(number, definition.name)

    def _joined(self, code: CodeBuilder, first: ElementSet, second: ElementSet) -> ElementSet:
        return ChainedSet((first, FilteredSet(second, lambda x: negated(self.contains(code, first, x)))))

    def _without(self, code: CodeBuilder, first: ElementSet, second: ElementSet) -> ElementSet:
        return FilteredSet(first, lambda x: negated(self.contains(code, second, x)))

    @cached_property
    def values_of_turn(self) -> frozenset[str]:
        """The derived values that depend on the seat in turn."""
        found: set[str] = set()
        while True:
            more = {
                name
                for name, value in self.rules.values.items()
                if name not in found
                for _, term in (*value.terms, *value.deductions)
                for part in iter_exprs(term)
                if (isinstance(part, Builtin) and part.name in ("me", "opponent", "opponents", "others"))
                or (isinstance(part, ReadValue) and part.name in found)
                or (isinstance(part, Call) and part.action)
            }
            if not more:
                return frozenset(found)
            found |= more

    def _inlined_size(self, name: str) -> int:
        """How many parts a derived value has when all values in it are written out."""
        if name not in self._sizes:
            self._sizes[name] = sum(
                1 + (self._inlined_size(part.name) if isinstance(part, ReadValue) else 0)
                for _, term in (*self.rules.values[name].terms, *self.rules.values[name].deductions)
                for part in iter_exprs(term)
            )
        return self._sizes[name]


def _is_plain_less(node: Node) -> bool:
    """Whether a number is left to where it is used: perhaps it is not needed, or something more is taken off."""
    return (
        isinstance(node, Binary)
        and node.op == "less"
        and all(isinstance(part, Int | Name) for part in (node.left, node.right))
    )


__all__ = ["ExpressionWriter"]
