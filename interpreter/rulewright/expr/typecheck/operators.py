"""What stands between two values: is, below, in, plus, less, times, of, to.

In: the parts of an expression that join others. Out: typed trees with the bounds of their numbers, or complaints about
values that do not go together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from rulewright import limits
from rulewright.expr import codes, type_relations
from rulewright.expr.fold import fold
from rulewright.expr.structural_key import shape
from rulewright.expr.syntax_tree import Syntax
from rulewright.expr.tree import (
    Arithmetic,
    ArithmeticOp,
    At,
    Compare,
    CompareOp,
    Constant,
    Expr,
    Lot,
    Range,
)
from rulewright.expr.typecheck.check_context import Desk, all_of, depends, members_of, outside_words, unclear, written
from rulewright.expr.types import Bag, Component, Flag, Member, Number, Scope, SetOf, Thing, Type, Unknown


def number(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """A number as written."""
    value = int(node.word().text)
    return Constant(value, Number(value, value), node.at)


def negative(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """A number below 0 as written."""
    value = -int(node.word().text)
    return Constant(value, Number(value, value), node.at)


# ---- comparisons ----------------------------------------------------------------------------------------------

OPERATORS: Final[Mapping[str, CompareOp]] = {
    "is": "is",
    "is_not": "is not",
    "below": "<",
    "at_most": "<=",
    "above": ">",
    "at_least": ">=",
    "in": "in",
    "not_in": "not in",
    "fits_in": "fits in",
}


def equal(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`is` and `is not`."""
    left, right = desk.read(node.node(0), scope), desk.read(node.node(1), scope)
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return Compare(OPERATORS[node.rule], left, right, Flag(), node.at)
    for one, other, part in ((left, right, node.node(0)), (right, left, node.node(1))):
        if found := _strange_to(desk, one, other, part, scope):
            return found
    if not type_relations.alike(left.type, right.type, scope.kinds):
        return _unlike(desk, node, left, right, scope)
    return _decided(desk, node, left, right, scope)


def _strange_to(desk: Desk, one: Expr, other: Expr, part: Syntax, scope: Scope) -> Expr | None:
    """A complaint when `one` is a whole kind where a member is meant, or a written member that `other` never is."""
    match one.type, other.type:
        case SetOf(Member(kind) | Thing(kind) as of), Member() | Thing() | Number() if type_relations.alike(
            of, other.type, scope.kinds
        ):
            if part.rule == "name" and all_of(part.word().text, scope, part.at):
                message = f"`{kind}` is all of its members, and this is compared with one"
                hint = f"name one {kind}; or ask `… in {kind}`"
                return desk.wrong(codes.KIND_FOR_MEMBER, one.at, message, label="a whole kind", help=hint)
        case Member(kind), Member(wanted) if not scope.kinds[kind].numeric:
            related = type_relations.family(kind, scope.kinds) == type_relations.family(wanted, scope.kinds)
            if related and isinstance(one, Constant) and one.value not in scope.kinds[wanted].numbers:
                message = outside_words(one, wanted, scope)
                return desk.wrong(
                    codes.OUTSIDE_KIND, one.at, message, label=f"outside {wanted}", help=members_of(wanted, scope)
                )
    return None


def _unlike(desk: Desk, node: Syntax, left: Expr, right: Expr, scope: Scope) -> Expr:
    message = f"{type_relations.phrase(left.type)} is compared with {type_relations.phrase(right.type)}"
    hint = ""
    numbers = type_relations.number(left.type, scope.kinds), type_relations.number(right.type, scope.kinds)
    groups = isinstance(left.type, Bag | SetOf), isinstance(right.type, Bag | SetOf)
    if any(numbers) and any(groups):
        hint = "`count(…)` says how many; `is empty` asks whether there is none"
    elif any(groups) and not all(groups):
        hint = "`in` asks whether it is one of them"
    return desk.wrong(codes.UNLIKE, node.at, message, label="never alike", help=hint)


def order(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`<`, `<=`, `>`, `>=`: of numbers only."""
    sides = desk.read(node.node(0), scope), desk.read(node.node(1), scope)
    for one in sides:
        if type_relations.number(one.type, scope.kinds) is None and not isinstance(one.type, Unknown):
            message = f"{type_relations.phrase(one.type)} is neither more nor less than something: only numbers are"
            hint = "`count(…)` says how many" if isinstance(one.type, Bag | SetOf) else ""
            if isinstance(one.type, Bag) and isinstance(sides[0].type, Bag) and isinstance(sides[1].type, Bag):
                hint = "`fits in` asks whether a bag holds no more of anything than another"
            return desk.wrong(codes.UNLIKE, one.at, message, label="not a number", help=hint)
    return _decided(desk, node, *sides, scope)


def _decided(desk: Desk, node: Syntax, left: Expr, right: Expr, scope: Scope) -> Expr:
    """The comparison, with a complaint when nothing in play can change how it comes out."""
    found = Compare(OPERATORS[node.rule], left, right, Flag(), node.at)
    parts = node.node(0), node.node(1)
    if all(written(part, scope) for part in parts):
        desk.complain(codes.CONSTANT_CONDITION, node.at, "both sides are written out", label="never changes")
    elif _same(desk, found):
        pass
    elif not any(depends(part, scope) for part in parts):
        a, b = type_relations.number(left.type, scope.kinds), type_relations.number(right.type, scope.kinds)
        known = decide(found.op, a, b)
        if a is not None and b is not None and known is not None:
            code = codes.ALWAYS_TRUE if known else codes.NEVER_TRUE
            says = "always holds" if known else "never holds"
            hint = f"{_bounds(a)} on the left, {_bounds(b)} on the right"
            desk.complain(code, node.at, f"this comparison {says}", label=says, help=hint)
    return found


SAME: Final = {"is": True, "<=": True, ">=": True, "fits in": True, "is not": False, "<": False, ">": False}


def _same(desk: Desk, found: Compare) -> bool:
    """Whether something is compared with itself, with a complaint."""
    left = shape(found.left)
    if left is None or left != shape(found.right):
        return False
    code, says = (codes.ALWAYS_TRUE, "always holds") if SAME[found.op] else (codes.NEVER_TRUE, "never holds")
    desk.complain(code, found.at, f"both sides are the same, so that this {says}", label=says)
    return True


def _bounds(of: Number) -> str:
    return str(of.low) if of.low == of.high else f"{of.low} to {of.high}"


def decide(op: str, left: Number | None, right: Number | None) -> bool | None:
    """How a comparison of numbers comes out whatever they are inside their bounds; None: it depends."""
    if left is None or right is None:
        return None
    apart = left.high < right.low or right.high < left.low
    same = left.low == left.high == right.low == right.high
    match op:
        case "is":
            return True if same else False if apart else None
        case "is not":
            return False if same else True if apart else None
        case "<":
            return True if left.high < right.low else False if left.low >= right.high else None
        case "<=":
            return True if left.high <= right.low else False if left.low > right.high else None
        case ">":
            return decide("<", right, left)
        case ">=":
            return decide("<=", right, left)
    return None


def membership(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`in` and `not in`: of a set, of the members of a bag, of the cells of a line."""
    left, right = desk.read(node.node(0), scope), desk.members(node.node(1), scope)
    of = type_relations.element(right.type, scope.kinds)
    if isinstance(left.type, Unknown) or isinstance(of, Unknown) or of is None:
        return Compare(OPERATORS[node.rule], left, right, Flag(), node.at)
    if isinstance(left.type, Bag | SetOf):
        message = f"{type_relations.phrase(left.type)} is never one of {type_relations.phrase(right.type)}"
        hint = "`fits in` compares bags; of a set ask `every x in … has x in …`"
        return desk.wrong(codes.UNLIKE, node.at, message, label="never alike", help=hint)
    if found := _strange_to(desk, left, Constant(None, of, right.at), node.node(0), scope):
        return found
    if not type_relations.alike(left.type, of, scope.kinds):
        message = f"{type_relations.phrase(left.type)} is never one of {type_relations.phrase(right.type)}"
        return desk.wrong(codes.UNLIKE, node.at, message, label="never alike")
    if all(written(part, scope) for part in node.nodes()):
        desk.complain(codes.CONSTANT_CONDITION, node.at, "both sides are written out", label="never changes")
    return Compare(OPERATORS[node.rule], left, right, Flag(), node.at)


def inside(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`fits in`: a bag holds no more of anything than another."""
    left, right = desk.read(node.node(0), scope), desk.read(node.node(1), scope)
    for one in (left, right):
        if not isinstance(one.type, Bag | Unknown):
            message = f"`fits in` compares bags, and this is {type_relations.phrase(one.type)}"
            hint = "of a set ask `every x in … has x in …`" if isinstance(one.type, SetOf) else ""
            return desk.wrong(codes.UNLIKE, one.at, message, label="not a bag", help=hint)
    if not type_relations.alike(left.type, right.type, scope.kinds):
        return _unlike(desk, node, left, right, scope)
    found = Compare("fits in", left, right, Flag(), node.at)
    _same(desk, found)
    return found


# ---- reckoning ------------------------------------------------------------------------------------------------

SIGNS: Final[Mapping[str, ArithmeticOp]] = {
    "plus": "+",
    "minus": "-",
    "less": "less",
    "times": "*",
    "divide": "//",
    "remainder": "%",
}


def arithmetic(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`+` and `less` of numbers, bags or sets; `-`, `*`, `//` and `%` of numbers."""
    op = SIGNS[node.rule]
    left, right = desk.read(node.node(0), scope), desk.read(node.node(1), scope)
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return unclear(node.at)
    numbers = type_relations.number(left.type, scope.kinds), type_relations.number(right.type, scope.kinds)
    if numbers[0] and numbers[1]:
        return _reckoned(desk, op, left, right, numbers[0], numbers[1], node)
    if op in ("+", "less") and isinstance(left.type, Bag | SetOf) and isinstance(right.type, Bag | SetOf):
        return _joined(desk, "+" if op == "+" else "less", left, right, node.at, scope)
    one = right if numbers[0] or (op in ("+", "less") and isinstance(left.type, Bag | SetOf)) else left
    needed = "numbers, bags or sets of one sort" if op in ("+", "less") else "numbers"
    message = f"`{op}` is for {needed}, and this is {type_relations.phrase(one.type)}"
    hint = _reckon_help(op, one.type, bool(any(numbers)))
    return desk.wrong(codes.NOT_A_NUMBER, one.at, message, label=type_relations.phrase(one.type), help=hint)


def _reckon_help(op: ArithmeticOp, given: Type, with_number: bool) -> str:
    match op, given:
        case "-", Bag() | SetOf():
            return "`less` takes away from bags and sets"
        case "*", Bag() | SetOf() | Member():
            return "so many of something: `2 of …`"
        case _, Bag() | SetOf() if with_number:
            return "`count(…)` says how many"
        case _, Member():
            return "one of it: `1 of …`"
    return ""


def _reckoned(desk: Desk, op: ArithmeticOp, left: Expr, right: Expr, a: Number, b: Number, node: Syntax) -> Expr:
    if op in ("//", "%"):
        divisor = fold(right)
        if not isinstance(divisor, int) or divisor < 1:
            message = f"`{op}` needs a constant above 0 on its right"
            return desk.wrong(codes.DIVISOR, right.at, message, label="not a constant above 0")
        right = Constant(divisor, Number(divisor, divisor), right.at)
        b = Number(divisor, divisor)
    bounds = reckon(op, a, b)
    if max(abs(bounds.low), abs(bounds.high)) > limits.MAX_NUMBER:
        message = "this could grow beyond 1,000,000,000,000"
        hint = "give what it is made of closer bounds"
        return desk.wrong(codes.TOO_LARGE, node.at, message, label="too large", help=hint)
    return Arithmetic(op, left, right, bounds, node.at)


def reckon(op: ArithmeticOp, a: Number, b: Number) -> Number:
    """The bounds of a result from the bounds of its sides."""
    match op:
        case "+":
            return Number(a.low + b.low, a.high + b.high)
        case "-":
            return Number(a.low - b.high, a.high - b.low)
        case "less":
            return Number(max(0, a.low - b.high), max(0, a.high - b.low))
        case "*":
            products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Number(min(products), max(products))
        case "//":
            return Number(a.low // b.low, a.high // b.low)
        case "%":
            same = a.low // b.low == a.high // b.low  # no multiple lies between them: the remainder keeps their order
            return Number(a.low % b.low, a.high % b.low) if same else Number(0, b.low - 1)


def _joined(desk: Desk, op: Literal["+", "less"], left: Expr, right: Expr, at: At, scope: Scope) -> Expr:
    both = type_relations.join(left.type, right.type, scope.kinds)
    mixed = isinstance(left.type, Bag) != isinstance(right.type, Bag)
    if op == "less" and not mixed and type_relations.alike(left.type, right.type, scope.kinds):
        return Arithmetic(op, left, right, left.type, at)
    if both is None:
        message = f"{type_relations.phrase(left.type)} and {type_relations.phrase(right.type)} never mix"
        hint = "`1 of …` makes a bag of a set" if mixed else ""
        return desk.wrong(codes.OTHER_FAMILY, at, message, label="never mix", help=hint)
    assert isinstance(left.type, Bag | SetOf)
    assert isinstance(right.type, Bag | SetOf)
    most = left.type.most + (right.type.most if op == "+" else 0)
    type_: Type = Bag(both.kind, most) if isinstance(both, Bag) else both
    if isinstance(both, SetOf):
        type_ = SetOf(both.of, min(most, universe(both, scope)))
    return Arithmetic(op, left, right, type_, at)


def universe(type_: SetOf, scope: Scope) -> int:
    """How many different members a set of this type could have at all."""
    match type_.of:
        case Member(kind):
            return len(scope.kinds[kind].members)
        case Thing(component):
            symbol = scope.symbols.get(component)
            return symbol.count if isinstance(symbol, Component) else type_.most
        case Number(low, high):
            return high - low + 1
        case None:
            return type_.most


def span(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`1 to 3`: all numbers from one to another."""
    (low, from_), (high, to) = desk.number(node.node(0), scope), desk.number(node.node(1), scope)
    if from_ is None or to is None:
        return unclear(node.at)
    if from_.low > to.high and all(written(part, scope) for part in node.nodes()):
        return desk.wrong(codes.UPSIDE_DOWN, node.at, "this range ends before it starts", label="empty")
    most = max(0, to.high - from_.low + 1)
    return Range(low, high, SetOf(Number(from_.low, max(from_.low, to.high)), most), node.at)


def lot(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`2 of red`, `1 of colours`: a bag with so many of a member, or of each member of a set."""
    (count, bounds), what = desk.number(node.node(0), scope), desk.read(node.node(1), scope)
    if bounds is None or isinstance(what.type, Unknown):
        return unclear(node.at)
    if bounds.high < 0 or (bounds.high == 0 and written(node.node(0), scope)):
        message = f"{bounds.high} of something is nothing"
        return desk.wrong(codes.NEGATIVE_LOT, count.at, message, label="not above 0", help="write `nothing`")
    if bounds.low < 0:  # fewer than nothing is nothing
        zero = Constant(0, Number(0, 0), count.at)
        count = Arithmetic("less", count, zero, Number(0, bounds.high), count.at)
    match what.type:
        case Member(kind):
            return Lot(count, what, Bag(kind, bounds.high), node.at)
        case SetOf(Member(kind), most):
            return Lot(count, what, Bag(kind, bounds.high * most), node.at)
        case SetOf(None):
            return Constant(None, Bag("", 0), node.at)  # so many of nothing
    message = f"`of` needs a member, a kind or a set of members, and this is {type_relations.phrase(what.type)}"
    hint = ""
    if isinstance(what.type, Thing | SetOf):
        hint = "things are moved themselves, not so many of them"
    return desk.wrong(codes.WRONG_TYPE, what.at, message, label=type_relations.phrase(what.type), help=hint)
