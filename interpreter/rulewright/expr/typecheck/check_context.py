"""One expression while it is checked: where it is in the file, and where its diagnostics go.

In: a scalar of a rule file, the diagnostics, the address of the rule, and the table that says how each rule of the
grammar is checked. Out: typed expressions and diagnostics. A part with a mistake gets an unknown type, which fits
everywhere, so that one mistake gives one diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rulewright.diagnostics import Cause, Code, Diagnostics, Fix, Hint, Related, Span
from rulewright.expr import codes
from rulewright.expr.scope import Scope
from rulewright.expr.syntax_tree import Rewriting, SyntaxNode
from rulewright.expr.tree import Builtin, Constant, Expr, Offsets
from rulewright.expr.type_relations import (
    as_number,
    describe_type,
    family_of,
    is_assignable,
    is_comparable,
    overlaps,
)
from rulewright.expr.typecheck.expr_hints import (
    Wanted,
    all_members,
    all_members_hint,
    describe_outside,
    keys_at_hand_hint,
    members_hint,
    one_member_hint,
    player_count_hint,
    seat_hint,
    set_hint,
)
from rulewright.expr.types import PLAYER_COUNT, SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.frozen import frozen, replace
from rulewright.source.nodes import ScalarNode


@frozen
class CheckContext:
    """An expression being checked. `offset`: where its text begins inside the scalar (a hole in a sentence)."""

    scalar: ScalarNode
    diagnostics: Diagnostics
    address: str
    checks: Mapping[str, ExprCheck]
    offset: int = 0
    wanted: Wanted | None = None  # what the name that is read should stand for

    def infer(self, node: SyntaxNode, scope: Scope) -> Expr:
        """The typed tree of a part."""
        return self.checks[node.rule](self, node, scope)

    def tell_what_fits(self, wanted: Wanted | None, node: SyntaxNode, scope: Scope) -> None:
        """Tells once more of a part that is wrong, if it is a name: now that it is known what should stand there."""
        if wanted is not None and node.rule == "name":
            again = self.diagnostics.second_reading()
            replace(self, wanted=wanted, diagnostics=again).infer(node, scope)
            self.diagnostics.correct(again)

    def emit(
        self,
        code: Code,
        offsets: Offsets,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        related: Iterable[Related] = (),
        rewriting: Rewriting | None = None,
        cause: Cause | None = None,
    ) -> None:
        """Adds a diagnostic about the characters `offsets` of the expression."""
        fix = Fix(self._span(rewriting.offsets), rewriting.text) if rewriting is not None else None
        self.diagnostics.add(
            self._span(offsets),
            code,
            message,
            label=label,
            help=help,
            address=self.address,
            related=related,
            fix=fix,
            cause=cause,
        )

    def _span(self, offsets: Offsets) -> Span:
        return self.scalar.subspan(offsets[0] + self.offset, offsets[1] + self.offset)

    def reject(
        self,
        code: Code,
        offsets: Offsets,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        related: Iterable[Related] = (),
        cause: Cause | None = None,
    ) -> Constant:
        """Adds a diagnostic, and returns the placeholder for the part that is wrong."""
        self.emit(code, offsets, message, label=label, help=help, related=related, cause=cause)
        return error_expr(offsets)

    def infer_condition(self, node: SyntaxNode, scope: Scope) -> Expr:
        """A part that must be a flag, and not a literal one."""
        expr = self.infer(node, scope)
        if node.rule == "name" and node.token().text in ("true", "false"):
            self.emit(codes.CONSTANT_CONDITION, node.offsets, f"always {node.token().text}", label="never changes")
        return self.expect(expr, Flag(), scope)

    def infer_number(self, node: SyntaxNode, scope: Scope) -> tuple[Expr, Number | None]:
        """A part that must be a number, and its bounds; None if it is not a number, which is then reported."""
        expr = self.infer(node, scope)
        bounds = as_number(expr.type, scope.kinds)
        if bounds is None and not isinstance(expr.type, UnknownType):
            message = f"{describe_type(expr.type)} is not a number"
            counts = "to count its elements, write `count(…)`" if isinstance(expr.type, Bag | SetOf) else ""
            hint = player_count_hint(expr) or counts
            return self.reject(
                codes.ARITHMETIC_ON_NON_NUMBER, node.offsets, message, label="not a number", help=hint
            ), None
        return expr, bounds

    def infer_iterable(self, node: SyntaxNode, scope: Scope, *, hint_for: Callable[[Type], str] = set_hint) -> Expr:
        """A part that a loop can run over: a set, a bag (its members), or a line (its cells). `hint_for`: the hint for
        a value of another type.
        """
        expr = self.infer(node, scope)
        match expr.type:
            case SetOf() | Bag() | UnknownType():
                return expr
            case Member(kind) if scope.kinds[kind].cell_kind:
                return expr
        name = node.token().text if node.rule == "name" else ""
        if name in scope.locals and all_members(name, scope, node.offsets) is not None:
            hint, label = all_members_hint(name, scope), f"one {name}"
        elif isinstance(expr, Builtin) and expr.name == PLAYER_COUNT:
            hint, label = f"`{PLAYER_COUNT}` is their number; for all players, write `everyone`", "a number"
        else:
            hint, label = hint_for(expr.type), "not a set"
        message = f"{describe_type(expr.type)} is not a set"
        return self.reject(codes.NOT_A_SET, node.offsets, message, label=label, help=hint)

    def source_text(self, offsets: Offsets) -> str:
        """The characters `offsets` of the expression, on one line."""
        return " ".join(self.scalar.text[offsets[0] + self.offset : offsets[1] + self.offset].split())

    def expect(
        self, expr: Expr, wanted: Type, scope: Scope, *, subject: str = "", code: Code = codes.TYPE_MISMATCH
    ) -> Expr:
        """The expression if it has the wanted type; else a diagnostic and an unknown type.

        `subject`: what the expression is used as, for the message. `code`: for values of another type altogether.
        """
        if is_usable(expr, wanted, scope):
            return expr
        kinds, given = scope.kinds, expr.type
        what, is_ = describe_type(wanted), describe_type(given)
        message = f"{subject} must be {what}, not {is_}" if subject else f"expected {what}, found {is_}"
        label, hint, one = is_, "", ""
        match wanted, given:
            case Flag(), _:
                code, label = codes.CONDITION_NOT_A_FLAG, "not a condition"
                hint = "a condition compares something, as in `count(x) > 0`"
                if isinstance(given, Bag | SetOf):
                    written = self.source_text(expr.offsets)
                    hint = f"write `{written} is empty` or `{written} is not empty`"
                if isinstance(expr, Constant) and expr.value in (0, 1) and isinstance(given, Number):
                    label, hint = "a number", f"write `{'true' if expr.value else 'false'}`"
            case Number(low, high), _ if (bounds := as_number(given, kinds)) is not None:
                values = f"{bounds.low} to {bounds.high}" if bounds.low != bounds.high else f"{bounds.low}"
                message = f"{subject or 'this'} must be {low} to {high}, not {values}"
                code, label = codes.NEVER_IN_RANGE, "never in range"
                if bounds.low == bounds.high:
                    hint = f"write {low} or more" if bounds.low < low else f"write {high} or less"
            case Number(), Bag() | SetOf():
                hint = player_count_hint(expr) or f"write `count({self.source_text(expr.offsets)})`"
            case Number(), _:
                hint = player_count_hint(expr) or "write a number, or something that is counted, as in `count(…)`"
            case Member(kind) | Thing(kind), SetOf(element, size) if (
                size <= 1 and element is not None and is_comparable(element, wanted, kinds)
            ):
                code, label = codes.KIND_FOR_MEMBER, "one or none"
                hint = f"it may be empty: loop over it, with `for_each: {kind} in …` or `some {kind} in … has …`"
            case Member(kind), SetOf(element) if element is not None and is_comparable(element, wanted, kinds):
                code, label = codes.KIND_FOR_MEMBER, "more than one"
                one = one_member_hint(expr, scope)
                hint = one or f"name one {kind}, or loop over all: `some {kind} has …`"
            case Member(kind), _ if _is_outside(given, kind, scope):
                code, message = codes.OUTSIDE_KIND, describe_outside(expr, kind, scope)
                label, hint = f"outside {kind}", members_hint(kind, scope)
            case Member(SEAT.kind), Number():
                hint = seat_hint(scope)
            case Member() | Thing(), _:  # elsewhere one of them would be as wrong as all
                hint = one = one_member_hint(expr, scope, wanted)
                hint = hint or (keys_at_hand_hint(wanted, scope) if code is codes.WRONG_INDEX else "")
        cause = Cause("all of them") if one else None
        return self.reject(code, expr.offsets, message, label=label, help=hint, cause=cause)


ExprCheck = Callable[[CheckContext, SyntaxNode, Scope], Expr]


def error_expr(offsets: Offsets) -> Constant:
    """The placeholder for a part that is wrong."""
    return Constant(None, UnknownType(), offsets)


def is_usable(expr: Expr, wanted: Type, scope: Scope) -> bool:
    """Whether an expression fits a type; a literal member also fits by its value."""
    if is_assignable(expr.type, wanted, scope.kinds):
        return True
    match expr, wanted:
        case Constant(value=int() as value, type=Member(kind)), Member(wanted_kind):
            return overlaps(kind, wanted_kind, scope.kinds) and value in scope.kinds[wanted_kind].member_values
    return False


def _is_outside(given: Type, kind: str, scope: Scope) -> bool:
    """Whether a value of another kind of the same family, or a number, is wanted as a member of `kind`."""
    match given:
        case Member(given_kind):
            are_numeric = scope.kinds[kind].is_numeric and scope.kinds[given_kind].is_numeric
            return are_numeric or family_of(given_kind, scope.kinds) == family_of(kind, scope.kinds)
        case Number():
            return scope.kinds[kind].is_numeric
        case _:
            return False
