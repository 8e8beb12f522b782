"""What stands between two values: is, below, in, plus, less, times, of, to.

In: the parts of an expression that join others. Out: typed trees with the bounds of their numbers, or complaints about
values that do not go together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from rulewright import limits
from rulewright.expr import codes, type_relations
from rulewright.expr.fold import fold_constant
from rulewright.expr.scope import ComponentSymbol, Scope
from rulewright.expr.structural_key import structural_key
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import (
    Arithmetic,
    ArithmeticOp,
    Compare,
    CompareOp,
    Constant,
    Expr,
    MakeBag,
    Offsets,
    Range,
)
from rulewright.expr.typecheck.check_context import (
    CheckContext,
    all_members,
    depends_on_parameters,
    describe_outside,
    error_expr,
    is_literal,
    members_hint,
)
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType


def check_number(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A number as written."""
    value = int(node.token().text)
    return Constant(value, Number(value, value), node.offsets)


def check_negative(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A number below 0 as written."""
    value = -int(node.token().text)
    return Constant(value, Number(value, value), node.offsets)


# ---- comparisons ----------------------------------------------------------------------------------------------

COMPARISON_OPERATORS: Final[Mapping[str, CompareOp]] = {
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


def check_equality(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`is` and `is not`."""
    left, right = desk.infer(node.child(0), scope), desk.infer(node.child(1), scope)
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return Compare(COMPARISON_OPERATORS[node.rule], left, right, Flag(), node.offsets)
    for one, other, part in ((left, right, node.child(0)), (right, left, node.child(1))):
        if found := _strange_to(desk, one, other, part, scope):
            return found
    if not type_relations.is_comparable(left.type, right.type, scope.kinds):
        return _unlike(desk, node, left, right, scope)
    return _decided(desk, node, left, right, scope)


def _strange_to(desk: CheckContext, one: Expr, other: Expr, part: SyntaxNode, scope: Scope) -> Expr | None:
    """A complaint when `one` is a whole kind where a member is meant, or a written member that `other` never is."""
    match one.type, other.type:
        case SetOf(Member(kind) | Thing(kind) as of), Member() | Thing() | Number() if type_relations.is_comparable(
            of, other.type, scope.kinds
        ):
            if part.rule == "name" and all_members(part.token().text, scope, part.offsets):
                message = f"`{kind}` is all of its members, and this is compared with one"
                hint = f"name one {kind}; or ask `… in {kind}`"
                return desk.reject(codes.KIND_FOR_MEMBER, one.offsets, message, label="a whole kind", help=hint)
        case Member(kind), Member(wanted) if not scope.kinds[kind].is_numeric:
            related = type_relations.family_of(kind, scope.kinds) == type_relations.family_of(wanted, scope.kinds)
            if related and isinstance(one, Constant) and one.value not in scope.kinds[wanted].member_values:
                message = describe_outside(one, wanted, scope)
                return desk.reject(
                    codes.OUTSIDE_KIND,
                    one.offsets,
                    message,
                    label=f"outside {wanted}",
                    help=members_hint(wanted, scope),
                )
    return None


def _unlike(desk: CheckContext, node: SyntaxNode, left: Expr, right: Expr, scope: Scope) -> Expr:
    message = f"{type_relations.describe_type(left.type)} is compared with {type_relations.describe_type(right.type)}"
    hint = ""
    numbers = type_relations.as_number(left.type, scope.kinds), type_relations.as_number(right.type, scope.kinds)
    groups = isinstance(left.type, Bag | SetOf), isinstance(right.type, Bag | SetOf)
    if any(numbers) and any(groups):
        hint = "`count(…)` says how many; `is empty` asks whether there is none"
    elif any(groups) and not all(groups):
        hint = "`in` asks whether it is one of them"
    return desk.reject(codes.UNLIKE_COMPARISON, node.offsets, message, label="never alike", help=hint)


def check_ordering(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`<`, `<=`, `>`, `>=`: of numbers only."""
    sides = desk.infer(node.child(0), scope), desk.infer(node.child(1), scope)
    for one in sides:
        if type_relations.as_number(one.type, scope.kinds) is None and not isinstance(one.type, UnknownType):
            message = (
                f"{type_relations.describe_type(one.type)} is neither more nor less than something: only numbers are"
            )
            hint = "`count(…)` says how many" if isinstance(one.type, Bag | SetOf) else ""
            if isinstance(one.type, Bag) and isinstance(sides[0].type, Bag) and isinstance(sides[1].type, Bag):
                hint = "`fits in` asks whether a bag holds no more of anything than another"
            return desk.reject(codes.UNLIKE_COMPARISON, one.offsets, message, label="not a number", help=hint)
    return _decided(desk, node, *sides, scope)


def _decided(desk: CheckContext, node: SyntaxNode, left: Expr, right: Expr, scope: Scope) -> Expr:
    """The comparison, with a complaint when nothing in play can change how it comes out."""
    found = Compare(COMPARISON_OPERATORS[node.rule], left, right, Flag(), node.offsets)
    parts = node.child(0), node.child(1)
    if all(is_literal(part, scope) for part in parts):
        desk.emit(codes.CONSTANT_CONDITION, node.offsets, "both sides are written out", label="never changes")
    elif _same(desk, found):
        pass
    elif not any(depends_on_parameters(part, scope) for part in parts):
        a, b = type_relations.as_number(left.type, scope.kinds), type_relations.as_number(right.type, scope.kinds)
        known = compare_bounds(found.op, a, b)
        if a is not None and b is not None and known is not None:
            code = codes.ALWAYS_TRUE if known else codes.NEVER_TRUE
            says = "always holds" if known else "never holds"
            hint = f"{_bounds(a)} on the left, {_bounds(b)} on the right"
            desk.emit(code, node.offsets, f"this comparison {says}", label=says, help=hint)
    return found


SELF_COMPARISON: Final = {"is": True, "<=": True, ">=": True, "fits in": True, "is not": False, "<": False, ">": False}


def _same(desk: CheckContext, found: Compare) -> bool:
    """Whether something is compared with itself, with a complaint."""
    left = structural_key(found.left)
    if left is None or left != structural_key(found.right):
        return False
    code, says = (codes.ALWAYS_TRUE, "always holds") if SELF_COMPARISON[found.op] else (codes.NEVER_TRUE, "never holds")
    desk.emit(code, found.offsets, f"both sides are the same, so that this {says}", label=says)
    return True


def _bounds(of: Number) -> str:
    return str(of.low) if of.low == of.high else f"{of.low} to {of.high}"


def compare_bounds(op: str, left: Number | None, right: Number | None) -> bool | None:
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
            return compare_bounds("<", right, left)
        case ">=":
            return compare_bounds("<=", right, left)
    return None


def check_membership(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`in` and `not in`: of a set, of the members of a bag, of the cells of a line."""
    left, right = desk.infer(node.child(0), scope), desk.infer_iterable(node.child(1), scope)
    of = type_relations.element_type(right.type, scope.kinds)
    if isinstance(left.type, UnknownType) or isinstance(of, UnknownType) or of is None:
        return Compare(COMPARISON_OPERATORS[node.rule], left, right, Flag(), node.offsets)
    if isinstance(left.type, Bag | SetOf):
        message = (
            f"{type_relations.describe_type(left.type)} is never one of {type_relations.describe_type(right.type)}"
        )
        hint = "`fits in` compares bags; of a set ask `every x in … has x in …`"
        return desk.reject(codes.UNLIKE_COMPARISON, node.offsets, message, label="never alike", help=hint)
    if found := _strange_to(desk, left, Constant(None, of, right.offsets), node.child(0), scope):
        return found
    if not type_relations.is_comparable(left.type, of, scope.kinds):
        message = (
            f"{type_relations.describe_type(left.type)} is never one of {type_relations.describe_type(right.type)}"
        )
        return desk.reject(codes.UNLIKE_COMPARISON, node.offsets, message, label="never alike")
    if all(is_literal(part, scope) for part in node.children()):
        desk.emit(codes.CONSTANT_CONDITION, node.offsets, "both sides are written out", label="never changes")
    return Compare(COMPARISON_OPERATORS[node.rule], left, right, Flag(), node.offsets)


def check_bag_inclusion(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`fits in`: a bag holds no more of anything than another."""
    left, right = desk.infer(node.child(0), scope), desk.infer(node.child(1), scope)
    for one in (left, right):
        if not isinstance(one.type, Bag | UnknownType):
            message = f"`fits in` compares bags, and this is {type_relations.describe_type(one.type)}"
            hint = "of a set ask `every x in … has x in …`" if isinstance(one.type, SetOf) else ""
            return desk.reject(codes.UNLIKE_COMPARISON, one.offsets, message, label="not a bag", help=hint)
    if not type_relations.is_comparable(left.type, right.type, scope.kinds):
        return _unlike(desk, node, left, right, scope)
    found = Compare("fits in", left, right, Flag(), node.offsets)
    _same(desk, found)
    return found


# ---- reckoning ------------------------------------------------------------------------------------------------

ARITHMETIC_OPERATORS: Final[Mapping[str, ArithmeticOp]] = {
    "plus": "+",
    "minus": "-",
    "less": "less",
    "times": "*",
    "divide": "//",
    "remainder": "%",
}


def check_arithmetic(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`+` and `less` of numbers, bags or sets; `-`, `*`, `//` and `%` of numbers."""
    op = ARITHMETIC_OPERATORS[node.rule]
    left, right = desk.infer(node.child(0), scope), desk.infer(node.child(1), scope)
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return error_expr(node.offsets)
    numbers = type_relations.as_number(left.type, scope.kinds), type_relations.as_number(right.type, scope.kinds)
    if numbers[0] and numbers[1]:
        return _reckoned(desk, op, left, right, numbers[0], numbers[1], node)
    if op in ("+", "less") and isinstance(left.type, Bag | SetOf) and isinstance(right.type, Bag | SetOf):
        return _joined(desk, "+" if op == "+" else "less", left, right, node.offsets, scope)
    one = right if numbers[0] or (op in ("+", "less") and isinstance(left.type, Bag | SetOf)) else left
    needed = "numbers, bags or sets of one sort" if op in ("+", "less") else "numbers"
    message = f"`{op}` is for {needed}, and this is {type_relations.describe_type(one.type)}"
    hint = _reckon_help(op, one.type, bool(any(numbers)))
    return desk.reject(
        codes.ARITHMETIC_ON_NON_NUMBER, one.offsets, message, label=type_relations.describe_type(one.type), help=hint
    )


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


def _reckoned(
    desk: CheckContext, op: ArithmeticOp, left: Expr, right: Expr, a: Number, b: Number, node: SyntaxNode
) -> Expr:
    if op in ("//", "%"):
        divisor = fold_constant(right)
        if not isinstance(divisor, int) or divisor < 1:
            message = f"`{op}` needs a constant above 0 on its right"
            return desk.reject(codes.DIVISOR, right.offsets, message, label="not a constant above 0")
        right = Constant(divisor, Number(divisor, divisor), right.offsets)
        b = Number(divisor, divisor)
    bounds = arithmetic_bounds(op, a, b)
    if max(abs(bounds.low), abs(bounds.high)) > limits.MAX_NUMBER:
        message = "this could grow beyond 1,000,000,000,000"
        hint = "give what it is made of closer bounds"
        return desk.reject(codes.RESULT_TOO_LARGE, node.offsets, message, label="too large", help=hint)
    return Arithmetic(op, left, right, bounds, node.offsets)


def arithmetic_bounds(op: ArithmeticOp, a: Number, b: Number) -> Number:
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


def _joined(desk: CheckContext, op: Literal["+", "less"], left: Expr, right: Expr, at: Offsets, scope: Scope) -> Expr:
    both = type_relations.join_types(left.type, right.type, scope.kinds)
    mixed = isinstance(left.type, Bag) != isinstance(right.type, Bag)
    if op == "less" and not mixed and type_relations.is_comparable(left.type, right.type, scope.kinds):
        return Arithmetic(op, left, right, left.type, at)
    if both is None:
        message = f"{type_relations.describe_type(left.type)} and {type_relations.describe_type(right.type)} never mix"
        hint = "`1 of …` makes a bag of a set" if mixed else ""
        return desk.reject(codes.OTHER_FAMILY, at, message, label="never mix", help=hint)
    assert isinstance(left.type, Bag | SetOf)
    assert isinstance(right.type, Bag | SetOf)
    most = left.type.max_size + (right.type.max_size if op == "+" else 0)
    type_: Type = Bag(both.kind, most) if isinstance(both, Bag) else both
    if isinstance(both, SetOf):
        type_ = SetOf(both.element, min(most, element_count(both, scope)))
    return Arithmetic(op, left, right, type_, at)


def element_count(type_: SetOf, scope: Scope) -> int:
    """How many different members a set of this type could have at all."""
    match type_.element:
        case Member(kind):
            return len(scope.kinds[kind].members)
        case Thing(component):
            symbol = scope.symbols.get(component)
            return symbol.row_count if isinstance(symbol, ComponentSymbol) else type_.max_size
        case Number(low, high):
            return high - low + 1
        case None:
            return type_.max_size


def check_range(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`1 to 3`: all numbers from one to another."""
    (low, from_), (high, to) = desk.infer_number(node.child(0), scope), desk.infer_number(node.child(1), scope)
    if from_ is None or to is None:
        return error_expr(node.offsets)
    if from_.low > to.high and all(is_literal(part, scope) for part in node.children()):
        return desk.reject(codes.RANGE_UPSIDE_DOWN, node.offsets, "this range ends before it starts", label="empty")
    most = max(0, to.high - from_.low + 1)
    return Range(low, high, SetOf(Number(from_.low, max(from_.low, to.high)), most), node.offsets)


def check_make_bag(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`2 of red`, `1 of colours`: a bag with so many of a member, or of each member of a set."""
    (count, bounds), what = desk.infer_number(node.child(0), scope), desk.infer(node.child(1), scope)
    if bounds is None or isinstance(what.type, UnknownType):
        return error_expr(node.offsets)
    if bounds.high < 0 or (bounds.high == 0 and is_literal(node.child(0), scope)):
        message = f"{bounds.high} of something is nothing"
        return desk.reject(codes.NEGATIVE_LOT, count.offsets, message, label="not above 0", help="write `nothing`")
    if bounds.low < 0:  # fewer than nothing is nothing
        zero = Constant(0, Number(0, 0), count.offsets)
        count = Arithmetic("less", count, zero, Number(0, bounds.high), count.offsets)
    match what.type:
        case Member(kind):
            return MakeBag(count, what, Bag(kind, bounds.high), node.offsets)
        case SetOf(Member(kind), most):
            return MakeBag(count, what, Bag(kind, bounds.high * most), node.offsets)
        case SetOf(None):
            return Constant(None, Bag("", 0), node.offsets)  # so many of nothing
    message = f"`of` needs a member, a kind or a set of members, and this is {type_relations.describe_type(what.type)}"
    hint = ""
    if isinstance(what.type, Thing | SetOf):
        hint = "things are moved themselves, not so many of them"
    return desk.reject(
        codes.TYPE_MISMATCH, what.offsets, message, label=type_relations.describe_type(what.type), help=hint
    )
