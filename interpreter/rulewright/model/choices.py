"""What players choose and under which conditions: the choices and clauses of actions.

In: the nodes of actions and offers, in the scope of the choices before. Out: choices with their domains, and
clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rulewright.document.other_forms import text_as_range
from rulewright.expr.cost import expression_cost
from rulewright.expr.fold import fold_constant
from rulewright.expr.scope import Scope
from rulewright.expr.tree import Builtin, Constant, Expr
from rulewright.expr.type_relations import as_number as as_number
from rulewright.expr.type_relations import element_type, is_assignable, max_elements
from rulewright.expr.typecheck.contradictions import check_contradictions
from rulewright.expr.types import ANY_BAG, ANY_NUMBER, FLAG, SEAT, Bag, Member, Number, SetOf, Type, UnknownType
from rulewright.expr.walk import required_slots
from rulewright.frozen import replace
from rulewright.model import codes
from rulewright.model.actions import Choice, Clause, Domain, OneOf, Pay, SomeOf
from rulewright.model.expr_reader import ExprReader
from rulewright.model.sentences import ExprSource, SentenceReader
from rulewright.model.traversal import choice_exprs, domain_exprs
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_items, as_mapping, text_or_default

NOBODY: Final = SetOf(SEAT, 0)
ALWAYS_EMPTY: Final = (NOBODY, Bag("", 0))  # types of what is written as nobody and nothing
ONE_SORT: Final = "one sort"  # how `stands_for` says that a wild piece stands for pieces of one sort


class ChoiceReader:
    """Reads choices and clauses."""

    def __init__(self, reader: ExprReader, sentences: SentenceReader) -> None:
        self.reader = reader
        self.sentences = sentences
        self.expr_sources: dict[str, tuple[ExprSource, ...]] = {}  # of each choice and clause, by address

    def read_choice(self, entry: Entry, scope: Scope, address: str) -> Choice:
        """One choice of an action, read in the scope of those before it."""
        node = as_mapping(entry.value)
        self.sentences.read_reason(node, address, scope)
        domain: Domain
        type_: Type
        if "one_of" in node:
            of = self._read_set(node.get("one_of"), scope, address)
            domain, type_ = OneOf(of), element_type(of.type, self.reader.kinds) or UnknownType()
        elif "some_of" in node:
            of = self._read_set(node.get("some_of"), scope, address)
            total = node.get("total")
            expr = None if total is None else self.reader.read_expression(total, scope, None, address)
            if expr is not None and total is not None:
                self._check_total(total, expr, of, address)
            domain, type_ = SomeOf(of, expr), self._answer_type(of.type)
        else:
            domain, type_ = self._read_payment(node, scope, address)
        nodes = [node.get(key) for key in ("one_of", "some_of", "pay", "total", "from") if key in node]
        if isinstance(domain, Pay):
            nodes += [*self._worth_nodes(node, domain), *([node.get("rebate")] if "rebate" in node else [])]
        source_texts = tuple(map(text_or_default, nodes))
        self._record_sources(address, nodes, domain_exprs(domain))
        when = node.get("when")
        condition = None
        if when is not None:
            condition = self.reader.read_expression(when, scope, FLAG, address, is_condition=True)
            if isinstance(when, ScalarNode):
                self.expr_sources[address] += ((when, 0, condition),)
            source_texts = (*source_texts, text_or_default(when))
        choice = Choice(entry.key.text, address, domain, type_, entry.key.span, source_texts, 0, condition)
        return replace(choice, cost=sum(expression_cost(expr, scope) for expr in choice_exprs(choice)))

    @staticmethod
    def _worth_nodes(node: MappingNode, pay: Pay) -> list[Node | None]:
        """Where the worth of the wild members is written, in their order; None for one that is not written, or where
        the payment is wrong.
        """
        worth = node.get("worth")
        if not isinstance(worth, MappingNode):
            return [worth] * len(pay.worth)
        nodes = [worth.get(text_or_default(item)) for item in as_items(node.get("wild"))]
        return nodes if len(nodes) == len(pay.worth) else [None] * len(pay.worth)

    def _record_sources(self, address: str, nodes: Sequence[Node | None], exprs: Sequence[Expr]) -> None:
        pairs = zip(nodes, exprs, strict=True)
        self.expr_sources[address] = tuple((node, 0, expr) for node, expr in pairs if isinstance(node, ScalarNode))

    def _answer_type(self, type_: Type) -> Type:
        """The type of an answer with several elements: a bag of a bag, else a set; of a line the set of its cells."""
        if isinstance(type_, Member):
            cell = element_type(type_, self.reader.kinds)
            assert cell is None or isinstance(cell, Member | UnknownType)
            return SetOf(cell) if isinstance(cell, Member) else UnknownType()
        return type_

    def _check_total(self, node: Node, total: Expr, of: Expr, address: str) -> None:
        """Reports a total that is not a number or a set of numbers, or more than there can be."""
        kinds, type_ = self.reader.kinds, total.type
        bounds = as_number(type_.element if isinstance(type_, SetOf) and type_.element is not None else type_, kinds)
        if bounds is None:
            if type_ != SetOf(None, 0) and not isinstance(type_, UnknownType):
                self.reader.emit_type_mismatch(node, type_, "a number, or numbers like `1 to 3`", address)
            return
        if bounds.high < 0:
            hint = text_as_range(text_or_default(node), in_words=False)
            text = "so many cannot be chosen: it is always below 0"
            self.reader.diagnostics.add(
                node.span, codes.OUT_OF_BOUNDS, text, label="below 0", help=hint, address=address
            )
            return
        if isinstance(of.type, UnknownType) or element_type(of.type, kinds) is None:
            return
        max_size = of.type.max_size if isinstance(of.type, Bag) else max_elements(of.type, kinds)
        if bounds.low > max_size:
            text = f"at least {bounds.low} must be chosen, but there are at most {max_size}"
            self.reader.diagnostics.add(node.span, codes.OUT_OF_BOUNDS, text, label="never enough", address=address)

    def _read_set(self, node: Node | None, scope: Scope, address: str) -> Expr:
        assert node is not None
        of = self.reader.read_expression(node, scope, None, address)
        if isinstance(of, Builtin | Constant) and of.type in ALWAYS_EMPTY:
            name, hint = text_or_default(node), "for all players, write `everyone`" if of.type == NOBODY else ""
            message = f"`{name}` is always empty: there is nothing to choose"
            self.reader.diagnostics.add(
                node.span, codes.NOT_A_CHOICE, message, label="always empty", help=hint, address=address
            )
            return Constant(None, UnknownType(), (0, 0))
        if element_type(of.type, self.reader.kinds) is None or of.type in (SetOf(None, 0), SetOf(None), Bag("")):
            self.reader.emit_type_mismatch(node, of.type, "a kind, a set or a bag", address, codes.NOT_A_CHOICE)
        return of

    def _read_payment(self, node: MappingNode, scope: Scope, address: str) -> tuple[Domain, Type]:
        reader = self.reader
        price_node, from_node, rebate_node = (node.get(key) for key in ("pay", "from", "rebate"))
        assert price_node is not None
        assert from_node is not None
        price = reader.read_expression(price_node, scope, ANY_BAG, address)
        source = reader.read_expression(from_node, scope, ANY_BAG, address)
        wild_nodes = [item for item in as_items(node.get("wild")) if isinstance(item, ScalarNode)]
        wild = [self._read_wild(item, source.type, scope, address) for item in wild_nodes]
        for key in ("worth", "stands_for"):
            needless = node.get(key)
            if needless is not None and not wild_nodes:
                text = f"`{key}` has no effect without `wild`"
                reader.diagnostics.add(needless.span, codes.NO_EFFECT, text, help="leave it out", address=address)
        worth = self._read_worth(node.get("worth"), [item.text for item in wild_nodes], scope, address)
        rebate = None if rebate_node is None else reader.read_expression(rebate_node, scope, ANY_NUMBER, address)
        pay = Pay(
            price,
            source,
            tuple(member for member in wild if member is not None),
            worth,
            text_or_default(node.get("stands_for")) == ONE_SORT,
            rebate,
        )
        if isinstance(price.type, Bag) and isinstance(source.type, Bag):
            if not is_assignable(price.type, source.type, reader.kinds):
                self.reader.emit_type_mismatch(price_node, price.type, reader.describe(source.type), address)
                return replace(pay, wild=(), worth=()), UnknownType()
            return pay, source.type
        return pay, UnknownType()

    def _read_wild(self, node: ScalarNode, source: Type, scope: Scope, address: str) -> int | None:
        """The value of a wild member; None if it is none of the bag that is paid from."""
        meant = Member(source.kind) if isinstance(source, Bag) and source.kind else None
        expr = self.reader.read_expression(node, scope, None, address, meant=meant)
        value = fold_constant(expr)
        if not isinstance(expr.type, Member) or not isinstance(value, int):
            self.reader.emit_type_mismatch(node, expr.type, "a member of a kind", address)
            return None
        if isinstance(source, Bag) and not is_assignable(expr.type, Member(source.kind), self.reader.kinds):
            self.reader.emit_type_mismatch(node, expr.type, f"a member of `{source.kind}`", address)
        return value

    def _read_worth(self, node: Node | None, wild: Sequence[str], scope: Scope, address: str) -> tuple[Expr, ...]:
        """For how many pieces each wild member stands; nothing where all stand for one."""
        if node is None:
            return ()
        if not isinstance(node, MappingNode):
            return (self._read_number(node, scope, address),)
        for entry in node:
            if entry.key.text not in wild:
                text = f"`{entry.key.text}` is not a wild member of this payment"
                self.reader.diagnostics.add(entry.key.span, codes.UNKNOWN_REFERENCE, text, address=address)
        numbers = {entry.key.text: self._read_number(entry.value, scope, address) for entry in node}
        one = Constant(1, Number(1, 1), (0, 0))
        return tuple(numbers.get(member, one) for member in wild) or (one,)

    def _read_number(self, node: Node, scope: Scope, address: str) -> Expr:
        """For how many pieces a wild piece stands, which has to be one at least at some time."""
        number = self.reader.read_expression(node, scope, ANY_NUMBER, address)
        if isinstance(number.type, Number) and number.type.high < 1:
            text = "`worth` is never 1 or more, so nothing wild ever stands for anything"
            self.reader.diagnostics.add(node.span, codes.OUT_OF_BOUNDS, text, address=address)
        return number

    def read_clauses(self, entries: Iterable[Entry], scope: Scope, address: str) -> tuple[Clause, ...]:
        """The clauses of an action, of an offer or of a step."""
        clauses: list[Clause] = []
        conditions: list[tuple[ScalarNode, Expr, str]] = []
        above: Entry | None = None
        for entry in entries:
            clause_address = f"{address}.{entry.key.text}"
            self.reader.check_local_id(entry.key.text, entry.key.span, above)
            above = entry if isinstance(entry.value, ScalarNode) else None
            expr = self.reader.read_expression(entry.value, scope, FLAG, clause_address, is_condition=True)
            slots = required_slots(expr)
            if isinstance(entry.value, MappingNode):
                slots = max(slots, self.sentences.read_reason(entry.value, clause_address, scope))
            is_node = entry.value.get("is") if isinstance(entry.value, MappingNode) else entry.value
            span = is_node.span if is_node is not None else entry.key.span
            clauses.append(
                Clause(clause_address, expr, slots, span, text_or_default(is_node), expression_cost(expr, scope))
            )
            self._record_sources(clause_address, [is_node], [expr])
            if isinstance(is_node, ScalarNode):
                conditions.append((is_node, expr, clause_address))
        check_contradictions(conditions, self.reader.diagnostics)
        return tuple(clauses)
