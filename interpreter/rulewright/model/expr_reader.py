"""How every section of a game is read: each expression is checked and typed in its scope, each name declared.

In: nodes of the document and the symbols declared so far. Out: typed expressions and declarations; mistakes go to the
diagnostics, names that are read or set to the usage.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as ReadOnly
from functools import lru_cache
from typing import Final, NamedTuple

from rulewright import limits
from rulewright.diagnostics import Cause, Code, Diagnostics, Related, Span, UseOfName, missing_name
from rulewright.expr import walk
from rulewright.expr.codes import SHADOWING
from rulewright.expr.keywords import RESERVED_NAMES
from rulewright.expr.remembered import same_symbol
from rulewright.expr.scope import MemberSymbol, Scope, Symbol, UnavailableSymbol
from rulewright.expr.tree import Amount, Binding, Expr, Place, ReadValue, StateTarget
from rulewright.expr.type_relations import describe_type
from rulewright.expr.typecheck import declarations, expressions
from rulewright.expr.typecheck.expr_hints import kind_hint
from rulewright.expr.typecheck.loops import shadowing_reason
from rulewright.expr.types import SEAT, KindInfo, Type, UnknownType
from rulewright.frozen import field, frozen, replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model import codes
from rulewright.model.symbol_table import METADATA_KEYS, SymbolTable, symbol_phrase
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_mapping
from rulewright.suggestions import unknown_name_hint

IDENTIFIER_PATTERN: Final = lazy_pattern(r"(?<![.\w])[a-z][a-z0-9_]*")  # what follows a dot is a field
KEY_SORT: Final = "kind or component"
USES: Final[ReadOnly[str, UseOfName]] = {KEY_SORT: "type", "rule": "address", "chapter or rule": "address"}
TURN_WORD_NOTE: Final = "it depends on the player in turn"
ALL_BUT_ONE: Final = (
    "all but the player in turn; in a value of a player: `each other in everyone where other is not player`"
)
TURN_WORD_HINTS: Final[ReadOnly[str, str]] = {
    "me": "the player in turn; for the player of a value, use the name in its `per`",
    "others": ALL_BUT_ONE,
    "opponents": ALL_BUT_ONE,
    "opponent": "the player that is not in turn; in a value of a player: `next(player)`",
}


class ReadExpr(NamedTuple):
    """An expression that was read, with the address of its rule."""

    address: str
    node: ScalarNode
    expr: Expr


class WrittenState(NamedTuple):
    """A state that the step at an address sets or rolls."""

    address: str
    node: ScalarNode
    name: str


@frozen
class Usage:
    """A log of the names that rules use. Readers only write it; later passes read it when all is built."""

    used_names: set[str] = field(default_factory=set)  # identifiers that some expression or key reads
    assigned_states: set[str] = field(default_factory=set)  # states that some step sets or rolls
    expressions: list[ReadExpr] = field(default_factory=list)
    state_targets: list[WrittenState] = field(default_factory=list)
    holes: list[str] = field(default_factory=list)  # of the sentences read so far, each by the address of its sentence


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _identifiers_in(text: str) -> frozenset[str]:
    return frozenset(IDENTIFIER_PATTERN.findall(text))


@frozen
class ExprReader:
    """Reads nodes with a table of symbols. `root`: the document, whose sections are read."""

    root: MappingNode
    table: SymbolTable
    diagnostics: Diagnostics
    usage: Usage

    @property
    def players(self) -> int:
        """How many play."""
        return self.table.players

    @property
    def kinds(self) -> dict[str, KindInfo]:
        """The kinds, as far as they are declared."""
        return self.table.kinds

    def describe(self, type_: Type) -> str:
        """A type in words."""
        return describe_type(type_, self.table.kinds)

    def silent(self) -> ExprReader:
        """A reader of the same symbols that reports and records nothing to anybody else."""
        return replace(self, diagnostics=Diagnostics(), usage=Usage())

    def scope(self, *, has_me: bool = False, variables: ReadOnly[str, Type] | None = None) -> Scope:
        """The scope outside all bindings, with some variables in its first slots."""
        return self.table.scope(has_me=has_me, variables=variables)

    def section(self, name: str) -> Iterator[Entry]:
        """The entries of a section."""
        node = self.root.get(name)
        return iter(node) if isinstance(node, MappingNode) else iter(())

    def declare(self, name: str, symbol: Symbol, span: Span) -> None:
        """Puts a name into the table; a name that something else has already is reported."""
        self.check_reserved(name, span)
        existing = self.table.symbols.get(name)
        if existing is not None and not (
            isinstance(existing, MemberSymbol) and isinstance(symbol, MemberSymbol) and existing == symbol
        ):
            self.diagnostics.add(
                span,
                codes.DUPLICATE_NAME,
                f"`{name}` is already the name of {symbol_phrase(existing)}",
                label="defined again",
                help="give each kind, member, parameter, component, zone, value, state and action its own name",
                related=[Related(self.table.declaration_spans[name], "first defined here")]
                if name in self.table.declaration_spans
                else (),
            )
            self.table.ambiguous_names.add(name)
            return
        self.table.symbols[name] = same_symbol(name, symbol)
        self.table.declaration_spans[name] = self.table.symbol_spans[name] = span

    def check_reserved(self, name: str, span: Span, otherwise: str = "") -> None:
        """Reports a reserved word as a name: expressions could not mean it, or the files would be read differently.

        `otherwise`: the beginning of the hint, where it may not be meant as a name.
        """
        if name in RESERVED_NAMES or name in METADATA_KEYS:
            self.usage.used_names.add(name)  # one mistake, one diagnostic: nothing can use it
            self.diagnostics.add(
                span,
                codes.RESERVED_NAME,
                f"`{name}` is a reserved word",
                label="cannot be a name",
                help=f"{otherwise}choose another name, like `{name}_one`",
            )

    def mark_invalid(self, entry: Entry) -> None:
        """Marks a name whose declaration is wrong, so that what uses it is not reported again."""
        self.table.symbols.setdefault(entry.key.text, UnavailableSymbol(""))

    def emit_type_mismatch(
        self,
        node: Node,
        type_: Type,
        wanted: str,
        address: str,
        code: Code = codes.WRONG_VALUE,
        *,
        help: str = "",
        cause: Cause | None = None,
    ) -> None:
        """Reports a value of another type than is needed."""
        if not isinstance(type_, UnknownType):
            message = f"expected {wanted}, found {self.describe(type_)}"
            self.diagnostics.add(node.span, code, message, help=help, address=address, cause=cause)

    def check_local_id(self, name: str, span: Span, above: Entry | None = None) -> None:
        """Reports the name of a clause, step, term or field that is a key; expressions do not use such names.

        `above`: a condition before it, without keys of its own, to which the key may belong.
        """
        if name not in METADATA_KEYS:
            return
        meant = "if it is meant as a key of the rule above, indent it less"
        if above is not None:
            meant = f"if it belongs to `{above.key.text}`, write `{above.key.text}: {{is: …, {name}: …}}`"
        self.check_reserved(name, span, f"{meant}; else ")

    # ---- reading ------------------------------------------------------------------------------------------

    def record_use(self, node: ScalarNode) -> None:
        """Records the names that an expression reads."""
        self.usage.used_names.update(_identifiers_in(node.text))

    def read_expression(
        self,
        node: Node,
        scope: Scope,
        expect: Type | None = None,
        address: str = "",
        *,
        meant: Type | None = None,
        is_condition: bool = False,
    ) -> Expr:
        """A typed expression. `meant`: of which type it should be, where the caller looks whether it is.
        `is_condition`: it should be neither always true nor never.
        """
        if not isinstance(node, ScalarNode):
            inner = node.get("is") if isinstance(node, MappingNode) else None
            assert inner is not None, "the shape was checked"
            return self.read_expression(inner, scope, expect, address, meant=meant, is_condition=is_condition)
        self.record_use(node)
        expr = expressions.check_expression(
            node,
            scope,
            self.diagnostics,
            expected_type=expect,
            meant=meant,
            address=address,
            is_condition=is_condition,
        )
        self.check_turn(expr, node, scope, address)
        return expr

    def check_turn(self, expr: Expr, node: ScalarNode, scope: Scope, address: str) -> None:
        """Records an expression, and reports what needs a seat in turn, where none is."""
        self.usage.expressions.append(ReadExpr(address, node, expr))
        if scope.has_me:
            return
        part = walk.find_turn_read(expr, self.table.turn_values)
        if part is not None:
            origin = self.table.turn_values.get(part.name) if isinstance(part, ReadValue) else None
            if isinstance(part, ReadValue) and origin is not None and self._is_slip_for_key(part, origin):
                self.diagnostics.add(
                    origin.span,
                    codes.NEEDS_A_TURN,
                    f"`{part.name}` is a value of a player, but asks for the player in turn",
                    label="not its key",
                    help=origin.note,
                    address=f"values.{part.name}",
                    related=[Related(node.subspan(*part.offsets), "asked here, where nobody is in turn")],
                )
                return
            self.diagnostics.add(
                node.subspan(*part.offsets),
                codes.NEEDS_A_TURN,
                "this can only be used during a turn",
                label="nobody is in turn here",
                help="use it only in `turn`, in actions, and in what they use",
                address=address,
                related=[origin] if origin is not None else [],
            )

    def _is_slip_for_key(self, read: ReadValue, origin: Related) -> bool:
        """Whether a value is kept by a player, and has itself the word for the one in turn."""
        value = as_mapping(self.root.get("values")).get(read.name)
        return value is not None and value.span.contains(origin.span) and any(key.type == SEAT for key in read.keys)

    def record_turn_value(self, value: str, node: Node, expr: Expr) -> None:
        """Records a value that can only be read in a turn, with the word that makes it so."""
        part = walk.find_turn_read(expr, self.table.turn_values)
        if part is None or value in self.table.turn_values:
            return
        origin = self.table.turn_values.get(part.name) if isinstance(part, ReadValue) else None
        inner = node.get("is") if isinstance(node, MappingNode) else node
        assert isinstance(inner, ScalarNode)
        word = inner.text[slice(*part.offsets)]
        self.table.turn_values[value] = origin or Related(
            inner.subspan(*part.offsets), f"`{word}`: {TURN_WORD_HINTS.get(word, TURN_WORD_NOTE)}"
        )

    def read_amount(self, node: Node, scope: Scope, address: str) -> Amount | None:
        """What a move takes."""
        assert isinstance(node, ScalarNode)
        self.record_use(node)
        amount = expressions.check_amount(node, scope, self.diagnostics, address=address)
        if amount is not None and amount.of is not None:
            self.check_turn(amount.of, node, scope, address)
        return amount

    def read_place(self, node: Node, scope: Scope, address: str, *, is_source: bool) -> Place | None:
        """Where things come from or go to."""
        assert isinstance(node, ScalarNode)
        self.record_use(node)
        place = expressions.check_place(node, scope, self.diagnostics, is_source=is_source, address=address)
        for key in place.keys if place is not None else ():
            self.check_turn(key, node, scope, address)
        return place

    def read_binding(self, node: Node, scope: Scope, address: str) -> Binding | None:
        """A variable that loops over a set."""
        assert isinstance(node, ScalarNode)
        self.record_use(node)
        binding = expressions.check_binding(node, scope, self.diagnostics, address=address)
        if binding is not None:
            self.check_turn(binding.over, node, scope, address)
            if binding.condition is not None:
                self.check_turn(binding.condition, node, scope, address)
        return binding

    def read_state_target(self, node: Node, scope: Scope, address: str) -> StateTarget | None:
        """A state variable that a step sets, which is no use of it."""
        assert isinstance(node, ScalarNode)
        state, *keys = IDENTIFIER_PATTERN.findall(node.text) or [""]
        self.usage.assigned_states.add(state)
        self.usage.used_names.update(keys)
        place = expressions.check_state_target(node, scope, self.diagnostics, address=address)
        self.usage.state_targets.append(WrittenState(address, node, state))
        for key in place.keys if place is not None else ():
            self.check_turn(key, node, scope, address)
        return place

    def bind_choice(self, key: ScalarNode, type_: Type, scope: Scope, address: str) -> Scope:
        """The scope after a choice; its name must not mean something else already."""
        self.usage.used_names.add(key.text)
        self.check_reserved(key.text, key.span)
        reason = shadowing_reason(key.text, type_, scope)
        if reason:
            self.diagnostics.add(
                key.span, SHADOWING, reason, label="taken", help="choose another name", address=address
            )
            type_ = UnknownType()  # what uses it is not reported again
        return scope.with_variable(key.text, type_)

    def read_type(self, node: Node, scope: Scope, address: str) -> Type:
        """A declared type."""
        assert isinstance(node, ScalarNode)
        self.record_use(node)
        return declarations.check_type(node, scope, self.diagnostics, address=address)

    def emit_unknown(self, node: ScalarNode, what: str, known: list[str], address: str, *, advice: str = "") -> None:
        """Reports a name that does not exist. `advice`: what is said instead of the names that there are."""
        self.diagnostics.add(
            node.span,
            codes.UNKNOWN_REFERENCE,
            f"there is no {what} `{node.text}`",
            label="not declared",
            help=advice or kind_hint(node.text) or unknown_name_hint(node.text, _plural(what), known),
            address=address,
            cause=missing_name(node.text, USES.get(what, "")),
        )


def _plural(what: str) -> str:
    return " or ".join(f"{word}s" for word in what.split(" or ")) if " of " not in what else what
