"""What declarations are made of: types, ranges of numbers, kinds inside kinds, grids.

In: a scalar of a rule file and its scope. Out: a type, or numbers and names known before play. If there is a mistake a
type is unknown, and the other functions return None.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, missing_name
from rulewright.expr import codes
from rulewright.expr.fold import fold_constant
from rulewright.expr.remembered import recall
from rulewright.expr.scope import ComponentSymbol, KindSymbol, Scope, UnavailableSymbol
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.typecheck.check_context import CheckContext
from rulewright.expr.typecheck.expr_hints import all_members, former_name, kind_hint, parameter_hint
from rulewright.expr.typecheck.expressions import parse_scalar
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import did_you_mean, join_hints, list_names, unknown_name_hint

# types of other languages, and how the same is said here
FOREIGN_TYPES: Final = {
    **dict.fromkeys(
        ("number", "int", "integer", "counter", "natural"), "a number has bounds: write `0 to 20`, for example"
    ),
    **dict.fromkeys(
        ("string", "str", "text", "word", "enum"), "declare its words as a kind, and write the kind's name"
    ),
    **dict.fromkeys(("list", "array"), "write `set of …` or `bag of …`, with the name of a kind"),
}


def check_type(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = "") -> Type:
    """The declared type of a field, state variable or parameter."""
    return recall(
        ("type", scalar.text), scope, diagnostics, lambda names: _read_type(scalar, names, diagnostics, address)
    )


def _read_type(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, address: str) -> Type:
    ctx, tree = parse_scalar(scalar, "type", diagnostics, address)
    if tree is None:
        return UnknownType()
    if tree.rule == "between":
        bounds = _infer_range(ctx, tree, scope)
        return UnknownType() if bounds is None else Number(*bounds)
    word = tree.token()
    if tree.rule == "named" and word.text == "flag":
        return Flag()
    if tree.rule == "bag":
        return _named_type(ctx, word, scope, Bag)
    return _named_type(ctx, word, scope, SetOf if tree.rule == "set" else None)


def _named_type(ctx: CheckContext, word: SyntaxToken, scope: Scope, collection: type[Bag | SetOf] | None) -> Type:
    name = word.text
    match scope.symbols.get(name):
        case KindSymbol(kind):
            if collection is Bag:
                return Bag(kind)
            return SetOf(Member(kind), len(scope.kinds[kind].members)) if collection is SetOf else Member(kind)
        case ComponentSymbol(row_count=count) if collection is not Bag:
            return SetOf(Thing(name), count) if collection is SetOf else Thing(name)
        case ComponentSymbol():
            message = f"a bag holds members of a kind, but `{name}` is a component"
            hint = f"write `set of {name}`"
            ctx.emit(codes.WRONG_KIND_OF_NAME, word.offsets, message, label="a component", help=hint)
        case UnavailableSymbol(""):
            pass  # what is wrong with it is reported where it is declared
        case UnavailableSymbol(reason):
            message = f"`{name}` is not available here: {reason}"
            ctx.emit(codes.NOT_AVAILABLE_HERE, word.offsets, message, label="not available here")
        case None if former := former_name(name):
            ctx.emit(codes.FORMER_SPELLING, word.offsets, former[0], label="former", help=former[1])
            return _named_type(ctx, SyntaxToken(SEAT.kind, word.offsets), scope, collection)
        case None:

            def hint_types() -> str:
                known = ["flag", *(other for other in scope.symbols if all_members(other, scope, word.offsets))]
                types = list_names("types", [*known, "1 to 5", "bag of …", "set of …"])
                unavailable = (other for other, symbol in scope.symbols.items() if symbol == UnavailableSymbol(""))
                nearest = did_you_mean(name, [*known, *unavailable])
                return kind_hint(name) or FOREIGN_TYPES.get(name.lower(), "") or join_hints(nearest, types)

            message = f"no kind or component `{name}`"
            cause = missing_name(name, "type")
            ctx.emit(codes.UNKNOWN_NAME, word.offsets, message, label="unknown", help=hint_types, cause=cause)
        case _:
            message = f"`{name}` is not a kind or component"
            hint = "types: flag, a kind, `1 to 5`"
            ctx.emit(codes.WRONG_KIND_OF_NAME, word.offsets, message, label="not a type", help=hint)
    return UnknownType()


def _infer_range(ctx: CheckContext, tree: SyntaxNode, scope: Scope) -> tuple[int, int] | None:
    """Two bounds, known before play and in order."""
    low, high = (_infer_static_number(ctx, node, scope) for node in tree.children())
    if low is None or high is None:
        return None
    if low > high:
        message = f"the range {low} to {high} ends before it starts"
        ctx.emit(
            codes.RANGE_UPSIDE_DOWN,
            tree.offsets,
            message,
            label="empty",
            help=parameter_hint(tree, scope) or f"write `{high} to {low}`",
        )
        return None
    return low, high


def _infer_static_number(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> int | None:
    expr, bounds = ctx.infer_number(node, scope)
    if bounds is None:
        return None
    value = fold_constant(expr, scope)
    if value is None:
        message = "this is not known before play"
        hint = "use only numbers, parameters and `players`"
        ctx.emit(codes.NOT_KNOWN_BEFORE_PLAY, node.offsets, message, label="not constant", help=hint)
    return value


def check_kind_range(
    scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = ""
) -> tuple[int, int] | None:
    """The first and last number of a kind: `1 to width`. How many there may be is for the caller to check."""
    ctx, tree = parse_scalar(scalar, "kind_range", diagnostics, address)
    return None if tree is None else _infer_range(ctx, tree, scope)


def check_every_kind(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = "") -> str | None:
    """The kind whose members are included in another: `every colour`."""
    ctx, tree = parse_scalar(scalar, "every_kind", diagnostics, address)
    if tree is None:
        return None
    word = tree.token()
    if isinstance(scope.symbols.get(word.text), KindSymbol):
        return word.text
    if former := former_name(word.text):
        ctx.emit(codes.FORMER_SPELLING, word.offsets, former[0], label="former", help=former[1])
        return None
    kinds = (name for name, symbol in scope.symbols.items() if isinstance(symbol, KindSymbol))
    code = codes.WRONG_KIND_OF_NAME if word.text in scope.symbols else codes.UNKNOWN_NAME
    hint = unknown_name_hint(word.text, "kinds", kinds)
    cause = missing_name(word.text, "type") if code is codes.UNKNOWN_NAME else None
    ctx.emit(code, word.offsets, f"no kind `{word.text}`", label="not a kind", help=hint, cause=cause)
    return None


def check_grid(
    scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = ""
) -> tuple[int, int] | None:
    """Width and height of a grid of cells: `3 by 3`."""
    ctx, tree = parse_scalar(scalar, "grid", diagnostics, address)
    if tree is None:
        return None
    width, height = (_infer_static_number(ctx, node, scope) for node in tree.children())
    if width is None or height is None:
        return None
    if width < 1 or height < 1:
        message = "a grid needs at least one row and one column"
        ctx.emit(codes.NEVER_IN_RANGE, tree.offsets, message, label="no cells")
        return None
    if width * height > limits.MAX_RANGE_MEMBERS:
        message = f"a grid of {width * height:,} cells is over the limit of {limits.MAX_RANGE_MEMBERS:,}"
        ctx.emit(codes.NEVER_IN_RANGE, tree.offsets, message, label="too many")
        return None
    return width, height
