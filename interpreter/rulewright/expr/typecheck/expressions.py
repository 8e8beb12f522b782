"""What an expression means: its names are looked up, its parts held against each other, its mistakes told.

In: a scalar of a rule file and the scope it stands in (name → symbol, plain data). Out: typed trees (`tree.py`) and
complaints. One way in for each use of an expression; none of them raises. On a mistake a value has the type Unknown,
and the other ways in give None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rulewright import limits
from rulewright.diagnostics import Report, hint_of, listed, nearest
from rulewright.expr import codes, type_relations
from rulewright.expr.cost import cost
from rulewright.expr.fold import fold
from rulewright.expr.parse import Start, parse
from rulewright.expr.syntax_tree import Stumble, Syntax, Token
from rulewright.expr.tree import Amount, Binding, Constant, Expr, Place, ReadState, ReadZone, StatePlace
from rulewright.expr.typecheck import fields, logic, loops, names, operators
from rulewright.expr.typecheck.check_context import Desk, Rule, all_of, chosen_one, parameters_in, unclear
from rulewright.expr.types import (
    Bag,
    Component,
    Flag,
    KindName,
    Member,
    Number,
    Scope,
    SetOf,
    Thing,
    Type,
    Unavailable,
    Unknown,
    Zone,
)
from rulewright.source.nodes import Scalar

RULES: Final[Mapping[str, Rule]] = {
    "or": logic.logic_or,
    "and": logic.logic_and,
    "not": logic.logic_not,
    "is": operators.equal,
    "is_not": operators.equal,
    "below": operators.order,
    "at_most": operators.order,
    "above": operators.order,
    "at_least": operators.order,
    "in": operators.membership,
    "not_in": operators.membership,
    "fits_in": operators.inside,
    "range": operators.span,
    "plus": operators.arithmetic,
    "minus": operators.arithmetic,
    "less": operators.arithmetic,
    "times": operators.arithmetic,
    "divide": operators.arithmetic,
    "remainder": operators.arithmetic,
    "lot": operators.lot,
    "number": operators.number,
    "negative": operators.negative,
    "name": names.name,
    "at": names.at,
    "field": fields.field,
    "if": loops.choice,
    "some": loops.quantified,
    "every": loops.quantified,
    "no": loops.quantified,
    "each": loops.each,
    "total": loops.total,
    "greatest": loops.extreme,
    "least": loops.extreme,
}


class Opened(NamedTuple):
    """A desk with the tree of a text on it; None: the text did not parse, which has been said."""

    desk: Desk
    tree: Syntax | None


def opened(scalar: Scalar, start: Start, report: Report, address: str, part: tuple[int, int] | None = None) -> Opened:
    """Reads the text of a scalar, or a part of it."""
    text = scalar.text if part is None else scalar.text[slice(*part)]
    desk = Desk(scalar, report, address, RULES, part[0] if part else 0)
    tree = parse(text, start)
    if isinstance(tree, Stumble):
        desk.complain(tree.code, tree.at, tree.message, label=tree.label, help=tree.help)
        return Opened(desk, None)
    return Opened(desk, tree)


def _affordable(desk: Desk, found: Expr, scope: Scope) -> None:
    steps = cost(found, scope)
    if steps > limits.MAX_EXPRESSION_STEPS:
        message = f"working this out could take {steps:,} steps; {limits.MAX_EXPRESSION_STEPS:,} are allowed"
        hint = "give what it goes through closer bounds"
        desk.complain(codes.TOO_COSTLY, found.at, message, label="too costly", help=hint)


def _hangs_on(desk: Desk, found: Expr) -> None:
    """Complains of a condition that is nothing but `true` or `false`."""
    if isinstance(found, Constant) and isinstance(found.value, bool):
        code, says = (codes.ALWAYS_TRUE, "always") if found.value else (codes.NEVER_TRUE, "never")
        hint = "a condition that always holds can be left out" if found.value else "what hangs on it never happens"
        desk.complain(code, found.at, f"this condition {says} holds", label=f"{says} holds", help=hint)


def expression(
    scalar: Scalar,
    scope: Scope,
    report: Report,
    *,
    expect: Type | None = None,
    condition: bool = False,
    address: str = "",
    part: tuple[int, int] | None = None,
) -> Expr:
    """The meaning of a value. With a mistake its type is Unknown.

    `expect`: the type it must have: of a number the bounds must meet those expected, a member must surely be one;
    `Bag("")` is any bag, `SetOf(None)` any set. `condition`: something hangs on it, so that `true` or `false` alone is
    told. `part`: the characters of the scalar it stands in, when not all.
    """
    whole = part or (0, len(scalar.text))
    if part is None and isinstance(scalar.value, int) and abs(scalar.value) < 10**9:
        value = scalar.value
        plain = Flag() if isinstance(value, bool) else Number(value, value)
        desk, found = Desk(scalar, report, address, RULES), Constant(value, plain, whole)
        if condition:
            _hangs_on(desk, found)
        return found if expect is None else desk.need(found, expect, scope)
    desk, tree = opened(scalar, "expr", report, address, part)
    if tree is None:
        return unclear((0, whole[1] - whole[0]))
    before = len(report)
    result = desk.read(tree, scope)
    if len(report) == before:  # otherwise its bounds mean little
        _affordable(desk, result, scope)
        if condition:
            _hangs_on(desk, result)
    return result if expect is None else desk.need(result, expect, scope)


# ---- what moves, where, and for which -------------------------------------------------------------------------


def amount(scalar: Scalar, scope: Scope, report: Report, *, address: str = "") -> Amount | None:
    """What a move takes: a bag, set, thing or member (exactly, up to), a number (top, random), or all there is."""
    desk, tree = opened(scalar, "amount", report, address)
    if tree is None:
        return None
    match tree.rule:
        case "all":
            return Amount("all", None, tree.at)
        case "top" if not tree.parts:
            return Amount("top", Constant(1, Number(1, 1), tree.at), tree.at)
        case "random" | "up_to_random" if (lot := tree.node(0)).rule == "lot":
            so_many = f"{'up to ' if tree.rule == 'up_to_random' else ''}{desk.text(lot.node(0).at)} at random"
            message = "what is drawn at random is not said: only how many"
            hint = f"write `{so_many}`, and `from` says of what"
            desk.complain(codes.NOT_AN_AMOUNT, lot.at, message, label="of what lies there", help=hint)
            return None
        case "top" | "random" | "up_to_random":
            count, bounds = desk.number(tree.node(0), scope)
            if bounds is None:
                return None
            if bounds.high < 0:
                desk.complain(codes.NEGATIVE_LOT, count.at, "fewer than nothing cannot move", label="below 0")
                return None
            return Amount("up to random" if tree.rule == "up_to_random" else tree.rule, count, tree.at)
    what = desk.read(tree.node(0), scope)
    allowed = Bag | SetOf if tree.rule == "up_to" else Bag | SetOf | Thing | Member
    if isinstance(what.type, Unknown):
        return None
    if not isinstance(what.type, allowed):
        message = f"{type_relations.phrase(what.type)} is nothing that moves"
        hint = (
            "so many of what? `2 of …`, `top 2`, `2 at random`" if type_relations.number(what.type, scope.kinds) else ""
        )
        desk.complain(codes.NOT_AN_AMOUNT, what.at, message, label="cannot move", help=hint)
        return None
    return Amount("up to" if tree.rule == "up_to" else "exactly", what, tree.at)


def place(scalar: Scalar, scope: Scope, report: Report, *, source: bool, address: str = "") -> Place | None:
    """A zone and its keys. What is taken from may lack keys (all its places); what is put into may not."""
    desk, tree = opened(scalar, "place", report, address)
    if tree is None:
        return None
    found = desk.read(tree.node(0), scope)
    if isinstance(found.type, Unknown):
        return None
    if not isinstance(found, ReadZone) or found.member is not None:
        message = "things move from zone to zone, and this is no zone"
        zones = [name for name, symbol in scope.symbols.items() if isinstance(symbol, Zone)]
        desk.complain(codes.NOT_A_PLACE, found.at, message, label="not a zone", help=listed("zones", zones))
        return None
    zone = scope.symbols[found.name]
    assert isinstance(zone, Zone)
    many = next((one for one, key in zip(found.keys, zone.keys, strict=False) if not _single(one, key, scope)), None)
    if not source and (len(found.keys) < len(zone.keys) or many is not None):
        at = many.at if many is not None else found.at
        message = f"to put something into `{found.name}`, every key must name one place"
        hint = (
            chosen_one(many, scope) if many is not None else f"write `{names.whole_form(found.name, zone.keys, scope)}`"
        )
        desk.complain(codes.PLACE_NOT_WHOLE, at, message, label="which one?", help=hint)
        return None
    if source and tree.rule == "bottom":
        desk.complain(codes.NOT_A_PLACE, tree.at, "`bottom of` is only for where things go", label="not to take from")
        return None
    return Place(found.name, found.keys, tree.rule == "bottom", tree.at)


def _single(key: Expr, wanted: Type, scope: Scope) -> bool:
    if isinstance(key.type, SetOf):
        return False
    lines = isinstance(key.type, Member) and bool(scope.kinds[key.type.kind].lines_of)
    return not lines or type_relations.fits(key.type, wanted, scope.kinds)


def state_place(scalar: Scalar, scope: Scope, report: Report, *, address: str = "") -> StatePlace | None:
    """The state that a step sets or rolls, with its keys."""
    desk, tree = opened(scalar, "expr", report, address)
    if tree is None:
        return None
    found = desk.read(tree, scope)
    if isinstance(found.type, Unknown):
        return None
    if isinstance(found, ReadState):
        return StatePlace(found.name, found.keys, found.type, found.at)
    message = "only state can be set"
    desk.complain(codes.WRONG_NAME, found.at, message, label="not state", help="it is declared under `state`")
    return None


def binding(scalar: Scalar, scope: Scope, report: Report, *, address: str = "") -> Binding | None:
    """A variable that runs over a set. What it governs has the scope `scope.with_variable(found.name, found.type)`."""
    desk, tree = opened(scalar, "binding", report, address)
    if tree is None:
        return None
    before = report.errors
    found, _ = loops.binding(desk, tree, scope)
    if report.errors == before:
        _affordable(desk, found.over, scope)
    return None if isinstance(found.over.type, Unknown) else found


# ---- types and kinds ------------------------------------------------------------------------------------------


def type_(scalar: Scalar, scope: Scope, report: Report, *, address: str = "") -> Type:
    """The type that a field, state or parameter is said to have; Unknown with a mistake."""
    desk, tree = opened(scalar, "type", report, address)
    if tree is None:
        return Unknown()
    if tree.rule == "between":
        ends = _range(desk, tree, scope)
        return Unknown() if ends is None else Number(*ends)
    word = tree.word()
    if tree.rule == "named" and word.text == "flag":
        return Flag()
    if tree.rule == "bag":
        return _named(desk, word, scope, Bag)
    return _named(desk, word, scope, SetOf if tree.rule == "set" else None)


def _named(desk: Desk, word: Token, scope: Scope, group: type[Bag] | type[SetOf] | None) -> Type:
    match scope.symbols.get(word.text):
        case KindName(kind):
            many = len(scope.kinds[kind].members)
            return Bag(kind) if group is Bag else SetOf(Member(kind), many) if group is SetOf else Member(kind)
        case Component(count=count) if group is not Bag:
            return SetOf(Thing(word.text), count) if group is SetOf else Thing(word.text)
        case Component():
            message = f"a bag holds members of a kind, and `{word.text}` is a component"
            desk.complain(codes.WRONG_NAME, word.at, message, label="a component", help=f"write `set of {word.text}`")
        case Unavailable(why):
            desk.complain(codes.NOT_HERE, word.at, f"`{word.text}` is not available here: {why}", label="not here")
        case None:

            def hint() -> str:
                known = ["flag", *(name for name in scope.symbols if all_of(name, scope, word.at))]
                near, types = nearest(word.text, known), listed("types", [*known, "1 to 5", "bag of …", "set of …"])
                return f"{near}      {types}" if near else types

            message = f"no kind or component `{word.text}`"
            desk.complain(codes.UNKNOWN_NAME, word.at, message, label="unknown", help=hint)
        case _:
            message = f"`{word.text}` is no kind and no component"
            desk.complain(codes.WRONG_NAME, word.at, message, label="not a type", help="types: flag, a kind, `1 to 5`")
    return Unknown()


def _range(desk: Desk, tree: Syntax, scope: Scope) -> tuple[int, int] | None:
    """Two ends that are known before the game, in order."""
    ends = [_known(desk, node, scope) for node in tree.nodes()]
    if ends[0] is None or ends[1] is None:
        return None
    if ends[0] > ends[1]:
        message = f"the range {ends[0]} to {ends[1]} ends before it starts"
        desk.complain(codes.UPSIDE_DOWN, tree.at, message, label="empty", help=parameters_in(tree, scope))
        return None
    return ends[0], ends[1]


def _known(desk: Desk, node: Syntax, scope: Scope) -> int | None:
    found, bounds = desk.number(node, scope)
    if bounds is None:
        return None
    value = fold(found, scope)
    if value is None:
        message = "this is not known before the game"
        hint = "bounds are made of numbers, parameters and `players`"
        desk.complain(codes.NOT_CONSTANT, node.at, message, label="not constant", help=hint)
    return value


def _few(desk: Desk, tree: Syntax, count: int) -> bool:
    if count <= limits.MAX_RANGE_MEMBERS:
        return True
    message = f"a kind of {count:,} members; {limits.MAX_RANGE_MEMBERS:,} are allowed"
    desk.complain(codes.OUT_OF_RANGE, tree.at, message, label="too many")
    return False


def kind_range(scalar: Scalar, scope: Scope, report: Report, *, address: str = "") -> tuple[int, int] | None:
    """The first and last number of a kind: `1 to width`; who asks sees whether they are too many."""
    desk, tree = opened(scalar, "kind_range", report, address)
    ends = None if tree is None else _range(desk, tree, scope)
    return ends if ends and tree else None


def every_kind(scalar: Scalar, scope: Scope, report: Report, *, address: str = "") -> str | None:
    """The kind whose members are members of another too: `every colour`."""
    desk, tree = opened(scalar, "every_kind", report, address)
    if tree is None:
        return None
    word = tree.word()
    if isinstance(scope.symbols.get(word.text), KindName):
        return word.text
    kinds = (name for name, symbol in scope.symbols.items() if isinstance(symbol, KindName))
    code = codes.WRONG_NAME if word.text in scope.symbols else codes.UNKNOWN_NAME
    message = f"no kind `{word.text}`"
    desk.complain(code, word.at, message, label="not a kind", help=hint_of(word.text, "kinds", kinds))
    return None


def grid(scalar: Scalar, scope: Scope, report: Report, *, address: str = "") -> tuple[int, int] | None:
    """Width and height of a kind of cells: `3 by 3`."""
    desk, tree = opened(scalar, "grid", report, address)
    if tree is None:
        return None
    width, height = (_known(desk, node, scope) for node in tree.nodes())
    if width is None or height is None:
        return None
    if width < 1 or height < 1:
        desk.complain(codes.OUT_OF_RANGE, tree.at, "a grid has at least one row and one column", label="no cells")
        return None
    return (width, height) if _few(desk, tree, width * height) else None
