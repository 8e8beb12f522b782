"""Where one expression lies while it is checked: it knows its place in the file, and takes down what is wrong.

In: a scalar of a rule file, a report, the address of the rule, and the table that says how each rule of the grammar is
checked. Out: typed expressions and complaints. A part with a mistake gets the type Unknown, which fits everything, so
that one fault gives one complaint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulewright.diagnostics import Code, Diagnostics, Hint, Related
from rulewright.expr import codes, type_relations
from rulewright.expr.scope import ComponentSymbol, KindSymbol, MemberSymbol, ParameterSymbol, Scope
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Constant, Expr, Offsets
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.source.nodes import ScalarNode


@dataclass(frozen=True, slots=True)
class CheckContext:
    """One expression being checked. `shift`: where its text begins inside the scalar (a hole in a sentence)."""

    scalar: ScalarNode
    diagnostics: Diagnostics
    address: str
    checks: Mapping[str, ExprCheck]
    offset: int = 0

    def infer(self, node: SyntaxNode, scope: Scope) -> Expr:
        """The meaning of a part."""
        return self.checks[node.rule](self, node, scope)

    def emit(
        self,
        code: Code,
        at: Offsets,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        related: Iterable[Related] = (),
    ) -> None:
        """Notes a complaint about the characters `at` of the expression."""
        span = self.scalar.subspan(at[0] + self.offset, at[1] + self.offset)
        self.diagnostics.add(span, code, message, label=label, help=help, address=self.address, related=related)

    def reject(
        self,
        code: Code,
        at: Offsets,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        related: Iterable[Related] = (),
    ) -> Constant:
        """Notes a complaint and gives what stands for the part that is wrong."""
        self.emit(code, at, message, label=label, help=help, related=related)
        return error_expr(at)

    def infer_condition(self, node: SyntaxNode, scope: Scope) -> Expr:
        """A part that has to be true or false, and not always the same."""
        found = self.infer(node, scope)
        if node.rule == "name" and node.token().text in ("true", "false"):
            self.emit(codes.CONSTANT_CONDITION, node.offsets, f"always {node.token().text}", label="never changes")
        return self.expect(found, Flag(), scope)

    def infer_number(self, node: SyntaxNode, scope: Scope) -> tuple[Expr, Number | None]:
        """A part that has to be a number, and its bounds (None: it is none, which has been said)."""
        found = self.infer(node, scope)
        bounds = type_relations.as_number(found.type, scope.kinds)
        if bounds is None and not isinstance(found.type, UnknownType):
            message = f"{type_relations.describe_type(found.type)} is no number"
            hint = "`count(…)` says how many" if isinstance(found.type, Bag | SetOf) else ""
            return self.reject(
                codes.ARITHMETIC_ON_NON_NUMBER, node.offsets, message, label="not a number", help=hint
            ), None
        return found, bounds

    def infer_iterable(self, node: SyntaxNode, scope: Scope) -> Expr:
        """A part that can be gone through: a set, a bag (its members), or a line (its cells)."""
        found = self.infer(node, scope)
        match found.type:
            case SetOf() | Bag() | UnknownType():
                return found
            case Member(kind) if scope.kinds[kind].cell_kind:
                return found
        message = f"{type_relations.describe_type(found.type)} has no members"
        name = node.token().text if node.rule == "name" else ""
        if name in scope.locals and all_members(name, scope, node.offsets) is not None:
            hint, label = _one_of_many(name, scope), f"one {name}"
        else:
            hint, label = _set_help(found.type), "not a set"
        return self.reject(codes.NOT_A_SET, node.offsets, message, label=label, help=hint)

    def source_text(self, at: Offsets) -> str:
        """The characters `at` of the expression, as one line."""
        return " ".join(self.scalar.text[at[0] + self.offset : at[1] + self.offset].split())

    def expect(
        self, found: Expr, wanted: Type, scope: Scope, *, subject: str = "", code: Code = codes.TYPE_MISMATCH
    ) -> Expr:
        """The expression if it fits what is wanted, else a complaint.

        `what`: what it is here, for the message. `code`: for the case that it is of another sort altogether.
        """
        kinds = scope.kinds
        if is_usable(found, wanted, scope):
            return found
        given = found.type
        asked = (
            f"{subject} is {type_relations.describe_type(wanted)}"
            if subject
            else f"{type_relations.describe_type(wanted)} is needed"
        )
        message = f"{asked}, and this is {type_relations.describe_type(given)}"
        match wanted, given:
            case Flag(), _:
                hint = "a condition compares something, as in `count(x) > 0`"
                return self.reject(
                    codes.CONDITION_NOT_A_FLAG, found.offsets, message, label="not a condition", help=hint
                )
            case Number(low, high), _ if (bounds := type_relations.as_number(given, kinds)) is not None:
                there = f"from {bounds.low} to {bounds.high}" if bounds.low != bounds.high else f"{bounds.low}"
                message = f"{subject or 'it'} is {low} to {high}, and this is {there}"
                return self.reject(codes.NEVER_IN_RANGE, found.offsets, message, label="never inside")
            case Member(kind) | Thing(kind), SetOf(of, most) if (
                most <= 1 and of is not None and type_relations.is_comparable(of, wanted, kinds)
            ):
                hint = f"there may be none: go through it, with `for_each: {kind} in …` or `some {kind} in … has …`"
                return self.reject(codes.KIND_FOR_MEMBER, found.offsets, message, label="one or none", help=hint)
            case Member(kind), SetOf(of) if of is not None and type_relations.is_comparable(of, wanted, kinds):
                hint = one_member_hint(found, scope) or f"name one {kind}, or go through all: `some {kind} has …`"
                return self.reject(codes.KIND_FOR_MEMBER, found.offsets, message, label="more than one", help=hint)
            case Member(kind), _ if _outside(given, kind, scope):
                return self.reject(
                    codes.OUTSIDE_KIND,
                    found.offsets,
                    describe_outside(found, kind, scope),
                    label=f"outside {kind}",
                    help=members_hint(kind, scope),
                )
            case Member("seat"), Number():
                return self.reject(
                    code, found.offsets, message, label=type_relations.describe_type(given), help=seat_hint(scope)
                )
            case _:
                return self.reject(
                    code,
                    found.offsets,
                    message,
                    label=type_relations.describe_type(given),
                    help=one_member_hint(found, scope),
                )


ExprCheck = Callable[[CheckContext, SyntaxNode, Scope], Expr]


def error_expr(at: Offsets) -> Constant:
    """What stands for a part that is wrong."""
    return Constant(None, UnknownType(), at)


def is_usable(found: Expr, wanted: Type, scope: Scope) -> bool:
    """Whether an expression fits, also by its value when it is a written member."""
    if type_relations.is_assignable(found.type, wanted, scope.kinds):
        return True
    match found, wanted:
        case Constant(value=int() as value, type=Member(kind)), Member(other):
            return type_relations.overlaps(kind, other, scope.kinds) and value in scope.kinds[other].member_values
    return False


def one_member_hint(found: Expr, scope: Scope) -> str:
    """What to write where the name of a kind or component, which is all there are, stands for one of them."""
    match found:
        case Constant(type=SetOf(element=(Thing(component=name) | Member(kind=name)) as one)):
            if all_members(name, scope, found.offsets) == found:
                known = [f"`{each}`" for each, variable in scope.locals.items() if variable.type == one]
                return f"`{name}` is all there are; one of them is here {' or '.join(known)}" if known else ""
    return ""


def _outside(given: Type, kind: str, scope: Scope) -> bool:
    if isinstance(given, Member):
        return type_relations.family_of(given.kind, scope.kinds) == type_relations.family_of(kind, scope.kinds) or (
            scope.kinds[kind].is_numeric and scope.kinds[given.kind].is_numeric
        )
    return isinstance(given, Number) and scope.kinds[kind].is_numeric


def describe_outside(found: Expr, kind: str, scope: Scope) -> str:
    """How something lies outside a kind."""
    if isinstance(found.type, Number):
        low, high = found.type.low, found.type.high
        return (
            f"{low} is no {kind}"
            if low == high
            else f"{low} to {high} is not always {type_relations.article(kind)} {kind}"
        )
    if isinstance(found, Constant) and isinstance(found.type, Member):
        info = scope.kinds[found.type.kind]
        assert isinstance(found.value, int)
        return f"`{info.members[info.member_values.index(found.value)]}` is no {kind}"
    return f"{type_relations.describe_type(found.type)} is not always {type_relations.article(kind)} {kind}"


def seat_hint(scope: Scope, *, many: bool = False) -> str:
    """What to write for a seat, or for `many` of them: none has a number in rules."""
    names = "`me`, `first_player`" if scope.has_me else "`first_player`"
    if many:
        return f"write {names}, `everyone`, `nobody`, or `each seat where …`: seats have no numbers"
    return f"a seat is no number: write {names}, or go through the seats"


def members_hint(kind: str, scope: Scope) -> str:
    """The members of a kind, for a hint."""
    members = scope.kinds[kind].members
    if scope.kinds[kind].is_numeric and members:
        return f"{kind}: {members[0]} to {members[-1]}"
    cut = ", …" if len(members) > 12 else ""
    return f"{kind}: {', '.join(members[:12])}{cut}"


def _one_of_many(name: str, scope: Scope) -> str:
    """What to write where a variable bears the name of its kind, and the kind is meant."""
    if name == "seat":
        return "here `seat` is a variable, one seat; all of them are `everyone`"
    free = next((one for one in (name[0], f"one_{name}") if one not in scope.locals and one not in scope.symbols), "x")
    return f"here `{name}` is a variable, one {name}: give it another name, as in `{free} in {name}`"


def _set_help(given: Type) -> str:
    match given:
        case Number():
            return "numbers from one to another are a set: `1 to 3`"
        case Member(kind):
            return f"all members: `{kind}`"
        case Thing(component):
            return f"all of them: `{component}`"
    return ""


def depends_on_parameters(node: SyntaxNode, scope: Scope) -> bool:
    """Whether a part hangs on a parameter or the number of players, which another variant may change."""
    if node.rule == "name":
        name = node.token().text
        return name == "players" or (name not in scope.locals and isinstance(scope.symbols.get(name), ParameterSymbol))
    return any(depends_on_parameters(part, scope) for part in node.children())


def parameter_hint(node: SyntaxNode, scope: Scope) -> str:
    """What the parameters of a part, and `players`, are here: `the parameter `limit` is 0 here`."""
    found = list[str]()
    for name in dict.fromkeys(_names(node)):
        symbol = scope.symbols.get(name)
        if name == "players" and name not in scope.locals:
            found.append(f"`players` is {scope.players}")
        elif name not in scope.locals and isinstance(symbol, ParameterSymbol) and isinstance(symbol.value, int):
            found.append(f"the parameter `{name}` is {symbol.value}")
    return f"{' and '.join(found)} here" if found else ""


def _names(node: SyntaxNode) -> Iterator[str]:
    if node.rule == "name":
        yield node.token().text
    for part in node.children():
        yield from _names(part)


def is_literal(node: SyntaxNode, scope: Scope) -> bool:
    """Whether a part consists of numbers and members alone, so that nothing can ever change it."""
    if node.rule == "name":
        name = node.token().text
        return name in ("true", "false") or (
            name not in scope.locals and isinstance(scope.symbols.get(name), MemberSymbol)
        )
    if node.rule in ("number", "negative"):
        return True
    return node.rule in ("plus", "minus", "less", "times", "divide", "remainder") and all(
        is_literal(part, scope) for part in node.children()
    )


def all_members(name: str, scope: Scope, at: Offsets) -> Constant | None:
    """All members of a kind, or all things of a component, by its name; None when it names neither."""
    match scope.symbols.get(name):
        case KindSymbol(kind):
            numbers = scope.kinds[kind].member_values
            return Constant(numbers, SetOf(Member(kind), len(numbers)), at)
        case ComponentSymbol(row_count=count):
            return Constant(tuple(range(count)), SetOf(Thing(name), count), at)
        case _:
            return None
