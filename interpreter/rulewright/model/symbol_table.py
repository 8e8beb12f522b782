"""Everything the rule files name, while they are being understood: one table of symbols, one report, one way to read
an expression.

In: the assembled document. Out: typed expressions and symbols; every mistake goes to the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as ReadOnly
from typing import Any, Final

from rulewright.diagnostics import Related, Report, Span, hint_of
from rulewright.expr.codes import SHADOWING
from rulewright.expr.keywords import TAKEN
from rulewright.expr.tree import Amount, Binding, Expr, Place, ReadValue, StatePlace
from rulewright.expr.type_relations import phrase
from rulewright.expr.typecheck import expressions
from rulewright.expr.typecheck.loops import shadowed
from rulewright.expr.types import (
    ActionName,
    Component,
    KindInfo,
    KindName,
    Member,
    Parameter,
    Scope,
    StateVar,
    Symbol,
    Thing,
    Type,
    Unavailable,
    Unknown,
    Value,
    Word,
    Zone,
)
from rulewright.model import codes, traversal
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence

IDENTIFIER: Final = re.compile(r"(?<![.\w])[a-z][a-z0-9_]*")  # what follows a dot is a field
ASKED: Final = "it is asked for the seat in turn"
OUT_OF_TURN: Final[ReadOnly[str, str]] = {
    "me": "the seat in turn; the one that a value is of is named as in its `of`",
    "others": "all but the seat in turn; in a value of a seat: `each other in everyone where other is not seat`",
    "opponents": "all but the seat in turn; in a value of a seat: `each other in everyone where other is not seat`",
    "opponent": "the one that is not in turn; in a value of a seat: `next(seat)`",
}
KEYS: Final = frozenset({"text", "why", "source", "status", "names", "rows"})  # what every node may say of itself

WHAT: Final[ReadOnly[type, str]] = {
    Parameter: "parameter",
    Zone: "zone",
    Value: "value",
    StateVar: "state",
    Component: "component",
    ActionName: "action",
    Word: "member of a kind",
    KindName: "kind",
}


def scalar(node: Node | None) -> Scalar | None:
    """The node when it is a scalar."""
    return node if isinstance(node, Scalar) else None


def mapping(node: Node | None) -> Mapping:
    """The node when it is a mapping, else an empty one in its place."""
    if isinstance(node, Mapping):
        return node
    return Mapping((), node.span if node is not None else NOWHERE)


def text_of(node: Node | None, default: str = "") -> str:
    """The text of a scalar."""
    return node.text if isinstance(node, Scalar) else default


def items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; one scalar counts as a list of one."""
    if isinstance(node, Sequence):
        return node.items
    return () if node is None else (node,)


NOWHERE: Any = None


class Names:
    """The symbols of a game, filled in the order in which they can be known."""

    def __init__(self, root: Mapping, players: int, report: Report) -> None:
        self.root = root
        self.players = players
        self.report = report
        self.symbols: dict[str, Symbol] = {}
        self.spans: dict[str, Span] = {}
        self.kinds: dict[str, KindInfo] = {}
        self.members: dict[str, tuple[str, ...]] = {}  # of each family
        self.written: set[str] = set()  # states that some step sets or rolls
        self.turn_values: dict[str, Related] = {}  # derived values that speak of the seat in turn, and where they do
        self.twice: set[str] = set()  # names of two things, which is told once
        self.removed: frozenset[str] = frozenset()  # names that the variants laid over have taken away
        self.mentioned: set[str] = set()  # identifiers that some expression or key uses
        self.families: dict[str, str] = {}  # of each kind of words
        self.told_too_many = False  # more members than are allowed in all: told once
        self.grids: dict[str, tuple[int, int]] = {}  # columns and rows of the kinds that are grids

    def section(self, name: str) -> Iterator[Entry]:
        """The entries of a section."""
        node = self.root.get(name)
        return iter(node) if isinstance(node, Mapping) else iter(())

    def declare(self, name: str, symbol: Symbol, span: Span) -> None:
        """Puts a name into the table; a name taken already by something else is a complaint."""
        self.allowed(name, span)
        before = self.symbols.get(name)
        if before is not None and not (isinstance(before, Word) and isinstance(symbol, Word) and before == symbol):
            self.report.add(
                span,
                codes.DUPLICATE_NAME,
                f"`{name}` is the name of {_a(WHAT.get(type(before), 'thing'))} already",
                label="a second meaning",
                help="every kind, member, parameter, component, zone, value, state and action needs a name of its own",
                related=[Related(self.spans[name], "the first meaning")] if name in self.spans else (),
            )
            self.twice.add(name)
            return
        self.symbols[name] = symbol
        self.spans[name] = span

    def allowed(self, name: str, span: Span) -> None:
        """A word of the language is no name: expressions could not mean it, or the files would be read differently."""
        if name in TAKEN or name in KEYS:
            self.mentioned.add(name)  # one fault, one complaint: that nothing can use it goes without saying
            self.report.add(
                span,
                codes.RESERVED_NAME,
                f"`{name}` is a word of the language",
                label="cannot be a name",
                help=f"choose another, like `{name}_one`",
            )

    def poison(self, entry: Entry) -> None:
        """A name whose declaration is wrong: what uses it is not reported again."""
        self.symbols.setdefault(entry.key.text, Unavailable(""))

    def wrong(
        self, node: Node, type_: Type, wanted: str, address: str, code: Any = codes.WRONG_VALUE, *, help: str = ""
    ) -> None:
        """A value of another sort than is needed."""
        if not isinstance(type_, Unknown):
            said = phrase(type_, self.kinds)
            message = f"this is {said}, where {wanted} is needed"
            self.report.add(node.span, code, message, help=help, address=address)

    def plain_id(self, name: str, span: Span) -> None:
        """The name of a clause, step, term or field, which expressions do not mean by itself: only keys are refused."""
        if name in KEYS:
            self.allowed(name, span)

    def scope(self, *, has_me: bool = False, variables: ReadOnly[str, Type] | None = None) -> Scope:
        """The scope outside all bindings, with some variables in its first slots."""
        scope = Scope(self.symbols, self.kinds, self.players, has_me=has_me, twice=self.twice, removed=self.removed)
        for name, type_ in (variables or {}).items():
            scope = scope.with_variable(name, type_)
        return scope

    # ---- reading ------------------------------------------------------------------------------------------

    def _mention(self, node: Scalar) -> None:
        self.mentioned.update(IDENTIFIER.findall(node.text))

    def expression(
        self, node: Node, scope: Scope, expect: Type | None = None, address: str = "", *, condition: bool = False
    ) -> Expr:
        """A typed expression; `condition`: it is one, so that it should be neither always true nor never."""
        if not isinstance(node, Scalar):
            inner = node.get("is") if isinstance(node, Mapping) else None
            assert inner is not None, "the shape was checked"
            return self.expression(inner, scope, expect, address, condition=condition)
        self._mention(node)
        expr = expressions.expression(node, scope, self.report, expect=expect, address=address, condition=condition)
        self.needs_turn(expr, node, scope, address)
        return expr

    def needs_turn(self, expr: Expr, node: Scalar, scope: Scope, address: str) -> None:
        """Complains of what speaks of the seat in turn, where none is."""
        if scope.has_me:
            return
        part = traversal.needs_turn(expr, frozenset(self.turn_values))
        if part is not None:
            where = self.turn_values.get(part.name) if isinstance(part, ReadValue) else None
            self.report.add(
                node.part(*part.at),
                codes.NOT_HERE,
                "this speaks of the seat in turn, but here no seat is in turn",
                label="needs a seat in turn",
                help="it can stand in `turn`, in actions, and in what they use",
                address=address,
                related=[where] if where is not None else [],
            )

    def speaks_of_turn(self, value: str, node: Node, expr: Expr) -> None:
        """Notes a value that can only be asked in a turn, with the word that makes it so."""
        part = traversal.needs_turn(expr, frozenset(self.turn_values))
        if part is None or value in self.turn_values:
            return
        before = self.turn_values.get(part.name) if isinstance(part, ReadValue) else None
        inner = node.get("is") if isinstance(node, Mapping) else node
        assert isinstance(inner, Scalar)
        word = inner.text[slice(*part.at)]
        self.turn_values[value] = before or Related(inner.part(*part.at), f"`{word}`: {OUT_OF_TURN.get(word, ASKED)}")

    def amount(self, node: Node, scope: Scope, address: str) -> Amount | None:
        """What a move takes."""
        assert isinstance(node, Scalar)
        self._mention(node)
        amount = expressions.amount(node, scope, self.report, address=address)
        if amount is not None and amount.of is not None:
            self.needs_turn(amount.of, node, scope, address)
        return amount

    def place(self, node: Node, scope: Scope, address: str, *, source: bool) -> Place | None:
        """Where things come from or go to."""
        assert isinstance(node, Scalar)
        self._mention(node)
        place = expressions.place(node, scope, self.report, source=source, address=address)
        for key in place.keys if place is not None else ():
            self.needs_turn(key, node, scope, address)
        return place

    def binding(self, node: Node, scope: Scope, address: str) -> Binding | None:
        """A variable running over a set."""
        assert isinstance(node, Scalar)
        self._mention(node)
        binding = expressions.binding(node, scope, self.report, address=address)
        if binding is not None:
            self.needs_turn(binding.over, node, scope, address)
            if binding.where is not None:
                self.needs_turn(binding.where, node, scope, address)
        return binding

    def state_place(self, node: Node, scope: Scope, address: str) -> StatePlace | None:
        """A state variable that a step writes, which is no use of it."""
        assert isinstance(node, Scalar)
        state, *keys = IDENTIFIER.findall(node.text) or [""]
        self.written.add(state)
        self.mentioned.update(keys)
        place = expressions.state_place(node, scope, self.report, address=address)
        for key in place.keys if place is not None else ():
            self.needs_turn(key, node, scope, address)
        return place

    def bind(self, key: Scalar, type_: Type, scope: Scope, address: str) -> Scope:
        """The scope with a choice made; its name must not stand for something else already."""
        self.mentioned.add(key.text)
        self.plain_id(key.text, key.span)
        why = shadowed(key.text, type_, scope)
        if why:
            self.report.add(key.span, SHADOWING, why, label="taken", help="choose another name", address=address)
        return scope.with_variable(key.text, type_)

    def type_(self, node: Node, scope: Scope, address: str) -> Type:
        """A declared type."""
        assert isinstance(node, Scalar)
        self._mention(node)
        return expressions.type_(node, scope, self.report, address=address)

    def key_type(self, node: Node, address: str) -> Type:
        """What a zone, value or state is kept by: a kind or a component."""
        assert isinstance(node, Scalar)
        self._mention(node)
        symbol = self.symbols.get(node.text)
        match symbol:
            case KindName(kind=kind):
                return Member(kind)
            case Component():
                return Thing(node.text)
            case Unavailable(""):
                pass
            case None:
                known = [name for name, one in self.symbols.items() if isinstance(one, KindName | Component)]
                self.unknown(node, "kind or component", known, address)
            case _:
                self.report.add(
                    node.span,
                    codes.WRONG_REFERENCE,
                    f"`{node.text}` is {_a(WHAT.get(type(symbol), 'thing'))}, not a kind or component",
                    address=address,
                    related=[Related(self.spans[node.text], "declared here")] if node.text in self.spans else (),
                )
        return Unknown()

    def unknown(self, node: Scalar, what: str, known: list[str], address: str) -> None:
        """A key names something that does not exist."""
        self.report.add(
            node.span,
            codes.UNKNOWN_REFERENCE,
            f"no {what} is called `{node.text}`",
            label="not declared",
            help=hint_of(node.text, _several(what), known),
            address=address,
        )

    def key_values(self, type_: Type) -> tuple[int, ...]:
        """The run-time values that a key runs over."""
        match type_:
            case Member(kind=kind) if kind in self.kinds:
                return self.kinds[kind].numbers
            case Thing(component=component):
                symbol = self.symbols.get(component)
                return tuple(range(symbol.count)) if isinstance(symbol, Component) else ()
            case _:
                return ()

    def per(self, node: Node | None, address: str) -> tuple[tuple[str, Type], ...]:
        """The keys of a zone, value or state, with the variable each binds."""
        if node is None:
            return ()
        keys: list[tuple[Scalar, Type]] = []
        if isinstance(node, Mapping):
            keys = [(entry.key, self.key_type(entry.value, address)) for entry in node]
        else:
            keys = [(one, self.key_type(one, address)) for one in items(node) if isinstance(one, Scalar)]
        scope = self.scope(has_me=True)
        for key, type_ in keys:
            if isinstance(type_, Unknown):
                continue
            why = shadowed(key.text, type_, scope)
            if why:
                self.report.add(
                    key.span,
                    SHADOWING,
                    why,
                    label="taken",
                    help="write `{name: kind}` to name the key",
                    address=address,
                )
            scope = scope.with_variable(key.text, type_)
        return tuple((key.text, type_) for key, type_ in keys)


def _a(what: str) -> str:
    return f"{'an' if what[:1] in 'aeio' else 'a'} {what}"


def _several(what: str) -> str:
    return " or ".join(f"{word}s" for word in what.split(" or ")) if " of " not in what else what
