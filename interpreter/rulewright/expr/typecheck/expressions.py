"""What an expression means: names are looked up, types compared, mistakes reported.

In: a scalar of a rule file and its scope (name → symbol, plain data). Out: typed trees (`tree`) and diagnostics. There
is one function for each use of an expression; none raises. If there is a mistake a value has an unknown type, and the
other functions return None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from rulewright import limits
from rulewright.diagnostics import Cause, Diagnostics
from rulewright.expr import codes
from rulewright.expr.cost import expression_cost
from rulewright.expr.parse import parse
from rulewright.expr.remembered import recall
from rulewright.expr.scope import Scope, Symbol, ZoneSymbol
from rulewright.expr.syntax_tree import ParseError, SyntaxNode
from rulewright.expr.tree import (
    Amount,
    Binding,
    Builtin,
    Constant,
    Expr,
    Local,
    Offsets,
    PileEnd,
    Place,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    StateTarget,
)
from rulewright.expr.type_relations import as_number, describe_type, is_assignable
from rulewright.expr.typecheck import arithmetic, comparisons, fields, functions, literals, logic, loops, names
from rulewright.expr.typecheck.check_context import CheckContext, ExprCheck, error_expr
from rulewright.expr.typecheck.expr_hints import one_member_hint
from rulewright.expr.typecheck.keys import place_form
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import join_list, list_names

if TYPE_CHECKING:
    from rulewright.expr.grammar import StartRule

EXPRESSION_CHECKS: Final[Mapping[str, ExprCheck]] = {  # by the rules of the grammar
    "or": logic.check_or,
    "and": logic.check_and,
    "not": logic.check_not,
    "is": comparisons.check_equality,
    "is_not": comparisons.check_equality,
    "is_empty": comparisons.check_emptiness,
    "is_not_empty": comparisons.check_emptiness,
    "below": comparisons.check_ordering,
    "at_most": comparisons.check_ordering,
    "above": comparisons.check_ordering,
    "at_least": comparisons.check_ordering,
    "in": comparisons.check_membership,
    "not_in": comparisons.check_membership,
    "fits_in": comparisons.check_bag_inclusion,
    "range": arithmetic.check_range,
    "plus": arithmetic.check_arithmetic,
    "minus": arithmetic.check_arithmetic,
    "less": arithmetic.check_arithmetic,
    "times": arithmetic.check_arithmetic,
    "divide": arithmetic.check_arithmetic,
    "remainder": arithmetic.check_arithmetic,
    "bag_literal": literals.check_bag_literal,
    "first": functions.check_end_of_set,
    "last": functions.check_end_of_set,
    "number": literals.check_number,
    "negative": literals.check_negative,
    "name": names.check_name,
    "at": names.check_call,
    "field": fields.check_field,
    "if": loops.check_if,
    "some": loops.check_quantifier,
    "every": loops.check_quantifier,
    "no": loops.check_quantifier,
    "each": loops.check_filter,
    "total": loops.check_sum,
    "greatest": loops.check_extremum,
    "least": loops.check_extremum,
}


class ParsedScalar(NamedTuple):
    """A syntax tree, and the context to check it in; None if the text has a syntax error, which is then reported."""

    ctx: CheckContext
    tree: SyntaxNode | None


def parse_scalar(
    scalar: ScalarNode, start: StartRule, diagnostics: Diagnostics, address: str, offsets: Offsets | None = None
) -> ParsedScalar:
    """Parses the text of a scalar, or a part of it."""
    text = scalar.text if offsets is None else scalar.text[slice(*offsets)]
    ctx = CheckContext(scalar, diagnostics, address, EXPRESSION_CHECKS, offsets[0] if offsets else 0)
    tree = parse(text, start)
    if isinstance(tree, ParseError):
        ctx.emit(tree.code, tree.offsets, tree.message, label=tree.label, help=tree.help, rewriting=tree.rewriting)
        return ParsedScalar(ctx, None)
    return ParsedScalar(ctx, tree)


def _check_cost(ctx: CheckContext, expr: Expr, scope: Scope) -> None:
    steps = expression_cost(expr, scope)
    if steps > limits.MAX_EXPRESSION_STEPS:
        message = f"this could take {steps:,} steps, over the limit of {limits.MAX_EXPRESSION_STEPS:,}"
        hint = "give narrower bounds to what it loops over"
        ctx.emit(codes.TOO_COSTLY, expr.offsets, message, label="too costly", help=hint)


def _check_not_constant(ctx: CheckContext, condition: Expr) -> None:
    """Reports a condition that is nothing but `true` or `false`."""
    if isinstance(condition, Constant) and isinstance(condition.value, bool):
        code, holds = (codes.ALWAYS_TRUE, "always holds") if condition.value else (codes.NEVER_TRUE, "never holds")
        hint = "leave it out" if condition.value else "what depends on it never happens"
        ctx.emit(code, condition.offsets, f"this condition {holds}", label=holds, help=hint)


def check_expression(
    scalar: ScalarNode,
    scope: Scope,
    diagnostics: Diagnostics,
    *,
    expected_type: Type | None = None,
    meant: Type | None = None,
    is_condition: bool = False,
    address: str = "",
    offsets: Offsets | None = None,
) -> Expr:
    """The typed tree of a value; its type is unknown if there is a mistake.

    `expected_type`: a number only needs to overlap the expected bounds, a member must always be in the expected kind;
    `Bag("")` is any bag, `SetOf(None)` any set. `meant`: the same, where somebody else looks at the type; only hints
    depend on it. `is_condition`: something depends on it, so that `true` or `false` alone is reported. `offsets`: the
    part of the scalar to read, if not all of it.
    """
    text = scalar.text if offsets is None else scalar.text[slice(*offsets)]
    number = scalar.value if offsets is None and isinstance(scalar.value, int) else None
    # without `meant`: what is reported is read anew each time
    key = ("expression", text, number, number.__class__, expected_type, is_condition)
    return recall(
        key,
        scope,
        diagnostics,
        lambda names: _infer_value(
            scalar, names, diagnostics, expected_type, meant or expected_type, is_condition, address, offsets
        ),
    )


def _infer_value(
    scalar: ScalarNode,
    scope: Scope,
    diagnostics: Diagnostics,
    expected_type: Type | None,
    meant: Type | None,
    is_condition: bool,
    address: str,
    offsets: Offsets | None,
) -> Expr:
    start, end = offsets or (0, len(scalar.text))
    if offsets is None and isinstance(scalar.value, int) and abs(scalar.value) < 10**limits.MAX_NUMBER_DIGITS:
        value = scalar.value
        type_ = Flag() if isinstance(value, bool) else Number(value, value)
        ctx, constant = CheckContext(scalar, diagnostics, address, EXPRESSION_CHECKS), Constant(value, type_, (0, end))
        if is_condition:
            _check_not_constant(ctx, constant)
        return constant if expected_type is None else ctx.expect(constant, expected_type, scope)
    ctx, tree = parse_scalar(scalar, "expr", diagnostics, address, offsets)
    if tree is None:
        return error_expr((0, end - start))
    count = len(diagnostics)
    expr = ctx.infer(tree, scope)
    if isinstance(expr.type, UnknownType):
        ctx.tell_what_fits(meant, tree, scope)
    if len(diagnostics) == count:  # otherwise its bounds mean little
        _check_cost(ctx, expr, scope)
        if is_condition:
            _check_not_constant(ctx, expr)
    return expr if expected_type is None else ctx.expect(expr, expected_type, scope)


# ---- amounts, places, targets, loop variables -------------------------------------------------------------------


def check_amount(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = "") -> Amount | None:
    """What a move takes: a bag, set, thing or member (exactly, up to), a number (top, random), or all there is."""
    return recall(
        ("amount", scalar.text),
        scope,
        diagnostics,
        lambda names: _infer_amount(scalar, names, diagnostics, address),
    )


def _infer_amount(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, address: str) -> Amount | None:
    ctx, tree = parse_scalar(scalar, "amount", diagnostics, address)
    if tree is None:
        return None
    match tree.rule:
        case "all":
            return Amount("all", None, tree.offsets)
        case "top" if not tree.parts:
            return Amount("top", Constant(1, Number(1, 1), tree.offsets), tree.offsets)
        case "random" | "up_to_random" if (bag := tree.child(0)).rule == "bag_literal":
            up_to = "up to " if tree.rule == "up_to_random" else ""
            hint = f"write `{up_to}{ctx.source_text(bag.child(0).offsets)} at random`; `from` names the source"
            message = "`at random` takes only a number"
            ctx.emit(codes.NOT_AN_AMOUNT, bag.offsets, message, label="not a number", help=hint)
            return None
        case "top" | "random" | "up_to_random":
            count, bounds = ctx.infer_number(tree.child(0), scope)
            if bounds is None:
                return None
            if bounds.high < 0:
                ctx.emit(codes.NOT_ABOVE_ZERO, count.offsets, "cannot move a negative number", label="below 0")
                return None
            return Amount("up to random" if tree.rule == "up_to_random" else tree.rule, count, tree.offsets)
    expr = ctx.infer(tree.child(0), scope)
    if isinstance(expr.type, UnknownType):
        return None
    if not isinstance(expr.type, Bag | SetOf if tree.rule == "up_to" else Bag | SetOf | Thing | Member):
        is_number = as_number(expr.type, scope.kinds) is not None
        number = expr.value if isinstance(expr, Constant) else 2
        hint = f"write `{number} of …`, `top {number}` or `{number} at random`" if is_number else ""
        message = f"expected something that can be moved, found {describe_type(expr.type)}"
        ctx.emit(codes.NOT_AN_AMOUNT, expr.offsets, message, label="cannot be moved", help=hint)
        return None
    return Amount("up to" if tree.rule == "up_to" else "exactly", expr, tree.offsets)


def check_place(
    scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, is_source: bool, address: str = ""
) -> Place | None:
    """A zone and its keys. A source may lack keys (then it is all the zone's places); a destination may not."""
    return recall(
        ("place", scalar.text, is_source),
        scope,
        diagnostics,
        lambda names: _infer_place(scalar, names, diagnostics, is_source, address),
    )


def _infer_place(
    scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, is_source: bool, address: str
) -> Place | None:
    ctx, tree = parse_scalar(scalar, "place", diagnostics, address)
    if tree is None:
        return None
    expr = ctx.infer(tree.child(0), scope)
    if isinstance(expr.type, UnknownType):
        ctx.tell_what_fits("zone", tree.child(0), scope)
        return None
    if not isinstance(expr, ReadZone) or expr.member is not None:
        zones = [name for name, symbol in scope.symbols.items() if isinstance(symbol, ZoneSymbol)]
        message = "expected a zone: things move from zone to zone"
        own = [name for name in zones if _owner_keys(scope.symbols[name]) == (expr.type,)]
        forms = [f"`{name}({ctx.source_text(expr.offsets)})`" for name in own[: limits.MAX_LISTED_NAMES]]
        dotted = ctx.source_text(expr.offsets).partition(".")[0]  # `row.level`: its key behind a dot
        if dotted in zones and not forms:
            forms = [f"`{place_form(dotted, _owner_keys(scope.symbols[dotted]), scope)}`"]
        hint = f"write {join_list(forms, 'or')}" if forms else list_names("zones", zones)
        ctx.emit(codes.NOT_A_PLACE, expr.offsets, message, label="not a zone", help=hint)
        return None
    if is_source and tree.rule in ("bottom", "top"):
        message = f"`{tree.rule} of` is only allowed in a destination"
        ctx.emit(codes.NOT_A_PLACE, tree.offsets, message, label="not a source")
        return None
    if not is_source and not _check_single_place(ctx, expr, scope):
        return None
    end: PileEnd = "bottom" if tree.rule == "bottom" else "top" if tree.rule == "top" else ""
    return Place(expr.name, expr.keys, tree.offsets, end)


def _owner_keys(symbol: Symbol) -> tuple[Type, ...]:
    return symbol.key_types if isinstance(symbol, ZoneSymbol) else ()


def _check_single_place(ctx: CheckContext, expr: ReadZone, scope: Scope) -> bool:
    """Whether the keys name a single place of the zone; reported if they do not."""
    zone = scope.symbols[expr.name]
    assert isinstance(zone, ZoneSymbol)
    keys = zip(expr.keys, zone.key_types, strict=False)
    multiple = next((key for key, wanted in keys if not _is_single(key, wanted, scope)), None)
    if multiple is None and len(expr.keys) == len(zone.key_types):
        return True
    message = f"a destination must be a single place of `{expr.name}`"
    written = f"write `{place_form(expr.name, zone.key_types, scope)}`"
    one = "" if multiple is None else one_member_hint(multiple, scope)
    cause = Cause("all of them") if one else None
    ctx.emit(
        codes.PLACE_NOT_WHOLE, (multiple or expr).offsets, message, label="ambiguous", help=one or written, cause=cause
    )
    return False


def _is_single(key: Expr, wanted: Type, scope: Scope) -> bool:
    if isinstance(key.type, SetOf):
        return False
    is_line = isinstance(key.type, Member) and bool(scope.kinds[key.type.kind].cell_kind)
    return not is_line or is_assignable(key.type, wanted, scope.kinds)


def check_state_target(
    scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = ""
) -> StateTarget | None:
    """The state variable that a step sets or rolls, with its keys."""
    return recall(
        ("state target", scalar.text),
        scope,
        diagnostics,
        lambda names: _infer_state_target(scalar, names, diagnostics, address),
    )


def _infer_state_target(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, address: str) -> StateTarget | None:
    ctx, tree = parse_scalar(scalar, "expr", diagnostics, address)
    if tree is None:
        return None
    expr = ctx.infer(tree, scope)
    if isinstance(expr.type, UnknownType):
        ctx.tell_what_fits("state", tree, scope)
        return None
    if isinstance(expr, ReadState):
        return StateTarget(expr.name, expr.keys, expr.type, expr.offsets)
    match expr:
        case ReadZone():
            hint = "what is in a zone is changed by `move`"
        case ReadParameter() | ReadValue() | Constant() | Builtin() | Local():
            hint = "declare it under `state`"
        case Range():
            hint = "name the state that gets the value; its type says from what to what"
        case _:
            hint = "name the state alone; what it becomes stands under `to`"
    ctx.emit(codes.WRONG_KIND_OF_NAME, expr.offsets, "only state can be set", label="not state", help=hint)
    return None


def check_binding(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = "") -> Binding | None:
    """A loop variable. The scope inside the loop is `scope.with_variable(binding.name, binding.type)`."""
    return recall(
        ("binding", scalar.text),
        scope,
        diagnostics,
        lambda names: _infer_binding(scalar, names, diagnostics, address),
    )


def _infer_binding(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, address: str) -> Binding | None:
    ctx, tree = parse_scalar(scalar, "binding", diagnostics, address)
    if tree is None:
        return None
    error_count = diagnostics.error_count
    binding, _ = loops.check_loop_binding(ctx, tree, scope)
    if diagnostics.error_count == error_count:
        _check_cost(ctx, binding.over, scope)
    return None if isinstance(binding.over.type, UnknownType) else binding
