"""What an expression means: its names are looked up, its parts held against each other, its mistakes told.

In: a scalar of a rule file and the scope it stands in (name → symbol, plain data). Out: typed trees (`tree.py`) and
complaints. One way in for each use of an expression; none of them raises. On a mistake a value has the type Unknown,
and the other ways in give None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rulewright import limits
from rulewright.diagnostics import Diagnostics
from rulewright.expr import codes, type_relations
from rulewright.expr.cost import expression_cost
from rulewright.expr.fold import fold_constant
from rulewright.expr.parse import StartRule, parse
from rulewright.expr.scope import ComponentSymbol, KindSymbol, Scope, UnavailableSymbol, ZoneSymbol
from rulewright.expr.syntax_tree import ParseError, SyntaxNode, SyntaxToken
from rulewright.expr.tree import Amount, Binding, Constant, Expr, Place, ReadState, ReadZone, StateTarget
from rulewright.expr.typecheck import fields, logic, loops, names, operators
from rulewright.expr.typecheck.check_context import (
    CheckContext,
    ExprCheck,
    all_members,
    error_expr,
    one_member_hint,
    parameter_hint,
)
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import did_you_mean, list_names, unknown_name_hint

EXPRESSION_CHECKS: Final[Mapping[str, ExprCheck]] = {
    "or": logic.check_or,
    "and": logic.check_and,
    "not": logic.check_not,
    "is": operators.check_equality,
    "is_not": operators.check_equality,
    "below": operators.check_ordering,
    "at_most": operators.check_ordering,
    "above": operators.check_ordering,
    "at_least": operators.check_ordering,
    "in": operators.check_membership,
    "not_in": operators.check_membership,
    "fits_in": operators.check_bag_inclusion,
    "range": operators.check_range,
    "plus": operators.check_arithmetic,
    "minus": operators.check_arithmetic,
    "less": operators.check_arithmetic,
    "times": operators.check_arithmetic,
    "divide": operators.check_arithmetic,
    "remainder": operators.check_arithmetic,
    "lot": operators.check_make_bag,
    "number": operators.check_number,
    "negative": operators.check_negative,
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


class _ParsedText(NamedTuple):
    """A desk with the tree of a text on it; None: the text did not parse, which has been said."""

    desk: CheckContext
    tree: SyntaxNode | None


def _parse_text(
    scalar: ScalarNode, start: StartRule, report: Diagnostics, address: str, part: tuple[int, int] | None = None
) -> _ParsedText:
    """Reads the text of a scalar, or a part of it."""
    text = scalar.text if part is None else scalar.text[slice(*part)]
    desk = CheckContext(scalar, report, address, EXPRESSION_CHECKS, part[0] if part else 0)
    tree = parse(text, start)
    if isinstance(tree, ParseError):
        desk.emit(tree.code, tree.offsets, tree.message, label=tree.label, help=tree.help)
        return _ParsedText(desk, None)
    return _ParsedText(desk, tree)


def _affordable(desk: CheckContext, found: Expr, scope: Scope) -> None:
    steps = expression_cost(found, scope)
    if steps > limits.MAX_EXPRESSION_STEPS:
        message = f"working this out could take {steps:,} steps; {limits.MAX_EXPRESSION_STEPS:,} are allowed"
        hint = "give what it goes through closer bounds"
        desk.emit(codes.TOO_COSTLY, found.offsets, message, label="too costly", help=hint)


def _hangs_on(desk: CheckContext, found: Expr) -> None:
    """Complains of a condition that is nothing but `true` or `false`."""
    if isinstance(found, Constant) and isinstance(found.value, bool):
        code, says = (codes.ALWAYS_TRUE, "always") if found.value else (codes.NEVER_TRUE, "never")
        hint = "a condition that always holds can be left out" if found.value else "what hangs on it never happens"
        desk.emit(code, found.offsets, f"this condition {says} holds", label=f"{says} holds", help=hint)


def check_expression(
    scalar: ScalarNode,
    scope: Scope,
    diagnostics: Diagnostics,
    *,
    expected_type: Type | None = None,
    is_condition: bool = False,
    address: str = "",
    offsets: tuple[int, int] | None = None,
) -> Expr:
    """The meaning of a value. With a mistake its type is Unknown.

    `expect`: the type it must have: of a number the bounds must meet those expected, a member must surely be one;
    `Bag("")` is any bag, `SetOf(None)` any set. `condition`: something hangs on it, so that `true` or `false` alone is
    told. `part`: the characters of the scalar it stands in, when not all.
    """
    whole = offsets or (0, len(scalar.text))
    if offsets is None and isinstance(scalar.value, int) and abs(scalar.value) < 10**9:
        value = scalar.value
        plain = Flag() if isinstance(value, bool) else Number(value, value)
        desk, found = CheckContext(scalar, diagnostics, address, EXPRESSION_CHECKS), Constant(value, plain, whole)
        if is_condition:
            _hangs_on(desk, found)
        return found if expected_type is None else desk.expect(found, expected_type, scope)
    desk, tree = _parse_text(scalar, "expr", diagnostics, address, offsets)
    if tree is None:
        return error_expr((0, whole[1] - whole[0]))
    before = len(diagnostics)
    result = desk.infer(tree, scope)
    if len(diagnostics) == before:  # otherwise its bounds mean little
        _affordable(desk, result, scope)
        if is_condition:
            _hangs_on(desk, result)
    return result if expected_type is None else desk.expect(result, expected_type, scope)


# ---- what moves, where, and for which -------------------------------------------------------------------------


def check_amount(scalar: ScalarNode, scope: Scope, report: Diagnostics, *, address: str = "") -> Amount | None:
    """What a move takes: a bag, set, thing or member (exactly, up to), a number (top, random), or all there is."""
    desk, tree = _parse_text(scalar, "amount", report, address)
    if tree is None:
        return None
    match tree.rule:
        case "all":
            return Amount("all", None, tree.offsets)
        case "top" if not tree.parts:
            return Amount("top", Constant(1, Number(1, 1), tree.offsets), tree.offsets)
        case "random" | "up_to_random" if (lot := tree.child(0)).rule == "lot":
            so_many = (
                f"{'up to ' if tree.rule == 'up_to_random' else ''}{desk.source_text(lot.child(0).offsets)} at random"
            )
            message = "what is drawn at random is not said: only how many"
            hint = f"write `{so_many}`, and `from` says of what"
            desk.emit(codes.NOT_AN_AMOUNT, lot.offsets, message, label="of what lies there", help=hint)
            return None
        case "top" | "random" | "up_to_random":
            count, bounds = desk.infer_number(tree.child(0), scope)
            if bounds is None:
                return None
            if bounds.high < 0:
                desk.emit(codes.NEGATIVE_LOT, count.offsets, "fewer than nothing cannot move", label="below 0")
                return None
            return Amount("up to random" if tree.rule == "up_to_random" else tree.rule, count, tree.offsets)
    what = desk.infer(tree.child(0), scope)
    allowed = Bag | SetOf if tree.rule == "up_to" else Bag | SetOf | Thing | Member
    if isinstance(what.type, UnknownType):
        return None
    if not isinstance(what.type, allowed):
        message = f"{type_relations.describe_type(what.type)} is nothing that moves"
        hint = (
            "so many of what? `2 of …`, `top 2`, `2 at random`"
            if type_relations.as_number(what.type, scope.kinds)
            else ""
        )
        desk.emit(codes.NOT_AN_AMOUNT, what.offsets, message, label="cannot move", help=hint)
        return None
    return Amount("up to" if tree.rule == "up_to" else "exactly", what, tree.offsets)


def check_place(
    scalar: ScalarNode, scope: Scope, report: Diagnostics, *, is_source: bool, address: str = ""
) -> Place | None:
    """A zone and its keys. What is taken from may lack keys (all its places); what is put into may not."""
    desk, tree = _parse_text(scalar, "place", report, address)
    if tree is None:
        return None
    found = desk.infer(tree.child(0), scope)
    if isinstance(found.type, UnknownType):
        return None
    if not isinstance(found, ReadZone) or found.member is not None:
        message = "things move from zone to zone, and this is no zone"
        zones = [name for name, symbol in scope.symbols.items() if isinstance(symbol, ZoneSymbol)]
        desk.emit(codes.NOT_A_PLACE, found.offsets, message, label="not a zone", help=list_names("zones", zones))
        return None
    zone = scope.symbols[found.name]
    assert isinstance(zone, ZoneSymbol)
    many = next(
        (one for one, key in zip(found.keys, zone.key_types, strict=False) if not _single(one, key, scope)), None
    )
    if not is_source and (len(found.keys) < len(zone.key_types) or many is not None):
        at = many.offsets if many is not None else found.offsets
        message = f"to put something into `{found.name}`, every key must name one place"
        hint = (
            one_member_hint(many, scope)
            if many is not None
            else f"write `{names.place_form(found.name, zone.key_types, scope)}`"
        )
        desk.emit(codes.PLACE_NOT_WHOLE, at, message, label="which one?", help=hint)
        return None
    if is_source and tree.rule == "bottom":
        desk.emit(codes.NOT_A_PLACE, tree.offsets, "`bottom of` is only for where things go", label="not to take from")
        return None
    return Place(found.name, found.keys, tree.rule == "bottom", tree.offsets)


def _single(key: Expr, wanted: Type, scope: Scope) -> bool:
    if isinstance(key.type, SetOf):
        return False
    lines = isinstance(key.type, Member) and bool(scope.kinds[key.type.kind].cell_kind)
    return not lines or type_relations.is_assignable(key.type, wanted, scope.kinds)


def check_state_target(
    scalar: ScalarNode, scope: Scope, report: Diagnostics, *, address: str = ""
) -> StateTarget | None:
    """The state that a step sets or rolls, with its keys."""
    desk, tree = _parse_text(scalar, "expr", report, address)
    if tree is None:
        return None
    found = desk.infer(tree, scope)
    if isinstance(found.type, UnknownType):
        return None
    if isinstance(found, ReadState):
        return StateTarget(found.name, found.keys, found.type, found.offsets)
    message = "only state can be set"
    desk.emit(codes.WRONG_KIND_OF_NAME, found.offsets, message, label="not state", help="it is declared under `state`")
    return None


def check_binding(scalar: ScalarNode, scope: Scope, report: Diagnostics, *, address: str = "") -> Binding | None:
    """A variable that runs over a set. What it governs has the scope `scope.with_variable(found.name, found.type)`."""
    desk, tree = _parse_text(scalar, "binding", report, address)
    if tree is None:
        return None
    before = report.error_count
    found, _ = loops.check_loop_binding(desk, tree, scope)
    if report.error_count == before:
        _affordable(desk, found.over, scope)
    return None if isinstance(found.over.type, UnknownType) else found


# ---- types and kinds ------------------------------------------------------------------------------------------


def check_type(scalar: ScalarNode, scope: Scope, report: Diagnostics, *, address: str = "") -> Type:
    """The type that a field, state or parameter is said to have; Unknown with a mistake."""
    desk, tree = _parse_text(scalar, "type", report, address)
    if tree is None:
        return UnknownType()
    if tree.rule == "between":
        ends = _range(desk, tree, scope)
        return UnknownType() if ends is None else Number(*ends)
    word = tree.token()
    if tree.rule == "named" and word.text == "flag":
        return Flag()
    if tree.rule == "bag":
        return _named(desk, word, scope, Bag)
    return _named(desk, word, scope, SetOf if tree.rule == "set" else None)


def _named(desk: CheckContext, word: SyntaxToken, scope: Scope, group: type[Bag] | type[SetOf] | None) -> Type:
    match scope.symbols.get(word.text):
        case KindSymbol(kind):
            many = len(scope.kinds[kind].members)
            return Bag(kind) if group is Bag else SetOf(Member(kind), many) if group is SetOf else Member(kind)
        case ComponentSymbol(row_count=count) if group is not Bag:
            return SetOf(Thing(word.text), count) if group is SetOf else Thing(word.text)
        case ComponentSymbol():
            message = f"a bag holds members of a kind, and `{word.text}` is a component"
            desk.emit(
                codes.WRONG_KIND_OF_NAME, word.offsets, message, label="a component", help=f"write `set of {word.text}`"
            )
        case UnavailableSymbol(why):
            desk.emit(
                codes.NOT_AVAILABLE_HERE, word.offsets, f"`{word.text}` is not available here: {why}", label="not here"
            )
        case None:

            def hint() -> str:
                known = ["flag", *(name for name in scope.symbols if all_members(name, scope, word.offsets))]
                near, types = (
                    did_you_mean(word.text, known),
                    list_names("types", [*known, "1 to 5", "bag of …", "set of …"]),
                )
                return f"{near}      {types}" if near else types

            message = f"no kind or component `{word.text}`"
            desk.emit(codes.UNKNOWN_NAME, word.offsets, message, label="unknown", help=hint)
        case _:
            message = f"`{word.text}` is no kind and no component"
            desk.emit(
                codes.WRONG_KIND_OF_NAME,
                word.offsets,
                message,
                label="not a type",
                help="types: flag, a kind, `1 to 5`",
            )
    return UnknownType()


def _range(desk: CheckContext, tree: SyntaxNode, scope: Scope) -> tuple[int, int] | None:
    """Two ends that are known before the game, in order."""
    ends = [_known(desk, node, scope) for node in tree.children()]
    if ends[0] is None or ends[1] is None:
        return None
    if ends[0] > ends[1]:
        message = f"the range {ends[0]} to {ends[1]} ends before it starts"
        desk.emit(codes.RANGE_UPSIDE_DOWN, tree.offsets, message, label="empty", help=parameter_hint(tree, scope))
        return None
    return ends[0], ends[1]


def _known(desk: CheckContext, node: SyntaxNode, scope: Scope) -> int | None:
    found, bounds = desk.infer_number(node, scope)
    if bounds is None:
        return None
    value = fold_constant(found, scope)
    if value is None:
        message = "this is not known before the game"
        hint = "bounds are made of numbers, parameters and `players`"
        desk.emit(codes.NOT_KNOWN_BEFORE_PLAY, node.offsets, message, label="not constant", help=hint)
    return value


def _few(desk: CheckContext, tree: SyntaxNode, count: int) -> bool:
    if count <= limits.MAX_RANGE_MEMBERS:
        return True
    message = f"a kind of {count:,} members; {limits.MAX_RANGE_MEMBERS:,} are allowed"
    desk.emit(codes.NEVER_IN_RANGE, tree.offsets, message, label="too many")
    return False


def check_kind_range(
    scalar: ScalarNode, scope: Scope, report: Diagnostics, *, address: str = ""
) -> tuple[int, int] | None:
    """The first and last number of a kind: `1 to width`; who asks sees whether they are too many."""
    desk, tree = _parse_text(scalar, "kind_range", report, address)
    ends = None if tree is None else _range(desk, tree, scope)
    return ends if ends and tree else None


def check_every_kind(scalar: ScalarNode, scope: Scope, report: Diagnostics, *, address: str = "") -> str | None:
    """The kind whose members are members of another too: `every colour`."""
    desk, tree = _parse_text(scalar, "every_kind", report, address)
    if tree is None:
        return None
    word = tree.token()
    if isinstance(scope.symbols.get(word.text), KindSymbol):
        return word.text
    kinds = (name for name, symbol in scope.symbols.items() if isinstance(symbol, KindSymbol))
    code = codes.WRONG_KIND_OF_NAME if word.text in scope.symbols else codes.UNKNOWN_NAME
    message = f"no kind `{word.text}`"
    desk.emit(code, word.offsets, message, label="not a kind", help=unknown_name_hint(word.text, "kinds", kinds))
    return None


def check_grid(scalar: ScalarNode, scope: Scope, report: Diagnostics, *, address: str = "") -> tuple[int, int] | None:
    """Width and height of a kind of cells: `3 by 3`."""
    desk, tree = _parse_text(scalar, "grid", report, address)
    if tree is None:
        return None
    width, height = (_known(desk, node, scope) for node in tree.children())
    if width is None or height is None:
        return None
    if width < 1 or height < 1:
        desk.emit(codes.NEVER_IN_RANGE, tree.offsets, "a grid has at least one row and one column", label="no cells")
        return None
    return (width, height) if _few(desk, tree, width * height) else None
