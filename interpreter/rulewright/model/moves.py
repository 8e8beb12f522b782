"""Moves: what goes from where to where, and whether the zones fit.

In: `move` steps. Out: the effect, or diagnostics.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Cause, Related
from rulewright.expr.scope import Scope, ZoneSymbol
from rulewright.expr.tree import Expr, Place
from rulewright.expr.type_relations import describe_type, is_assignable
from rulewright.expr.typecheck.keys import place_form
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model import codes
from rulewright.model.effects import Effect, Move
from rulewright.model.expr_reader import ExprReader
from rulewright.source.nodes import MappingNode, Node, as_mapping, text_or_default
from rulewright.suggestions import list_names

ORDER_HINT: Final = "write `order: arrival` or `order: shuffled` at the zone"


class MoveReader:
    """Reads `move` steps."""

    def __init__(self, reader: ExprReader) -> None:
        self.reader = reader

    def _zone(self, name: str) -> ZoneSymbol:
        symbol = self.reader.table.symbols[name]
        assert isinstance(symbol, ZoneSymbol)
        return symbol

    def read_move(self, node: MappingNode, scope: Scope, address: str) -> Effect | None:
        """A `move` step; None when a part of it is wrong."""
        reader = self.reader
        amount_node, from_node, to_node = node.get("move"), node.get("from"), node.get("to")
        assert amount_node is not None
        assert to_node is not None
        amount = reader.read_amount(amount_node, scope, address)
        source = None if from_node is None else reader.read_place(from_node, scope, address, is_source=True)
        to = reader.read_place(to_node, scope, address, is_source=False)
        if to is None or amount is None or (from_node is not None and source is None):
            return None
        target, origin = self._zone(to.zone), None if source is None else self._zone(source.zone)
        if (
            origin is not None and from_node is not None and type(origin.content_type) is not type(target.content_type)
        ) or (
            origin is not None
            and from_node is not None
            and not self._is_same_content(origin.content_type, target.content_type)
        ):
            self._report_mismatch(from_node, source, to, address)
        else:
            self._check_amount((amount_node, to_node), amount.mode, amount.of, source, to, address)
        if source is not None and from_node is not None:
            self._check_source(from_node, amount.mode, source, to, scope, address)
        if to.end and self._order(to.zone) == "":
            text = f"`{to.zone}` has no {to.end}, as its content is not ordered"
            is_things = isinstance(target.content_type, Thing)
            reader.diagnostics.add(
                to_node.span,
                codes.WRONG_MOVE,
                text,
                help=ORDER_HINT if is_things else f"pieces have no order: write `to: {to.zone}`",
                address=address,
                cause=Cause("no order", to.zone) if is_things else None,
            )
        return Move(amount, source, to)

    def _order(self, zone: str) -> str:
        return text_or_default(as_mapping(as_mapping(self.reader.root.get("zones")).get(zone)).get("order"))

    def _check_source(self, node: Node, mode: str, source: Place, to: Place, scope: Scope, address: str) -> None:
        """Reports a part that is taken from several places at once, and pieces taken unseen that may not fit."""
        origin, target = self._zone(source.zone), self._zone(to.zone)
        is_several = len(source.keys) < len(origin.key_types) or any(
            isinstance(key.type, SetOf | Bag) for key in source.keys
        )
        takes_part = mode in ("top", "random", "up to random") or (
            mode != "all" and isinstance(origin.content_type, Member)
        )
        if is_several and takes_part:
            self.reader.diagnostics.add(
                node.span,
                codes.WRONG_MOVE,
                "this names several places, but the move takes from one",
                label="several places",
                help=f"write `{place_form(source.zone, origin.key_types, scope)}`, "
                "or loop over the places with `for_each`",
                address=address,
            )
        if mode == "top" and isinstance(origin.content_type, Thing) and self._order(source.zone) == "":
            text = f"`{source.zone}` has no top, as its content is not ordered"
            help_, cause = ORDER_HINT, Cause("no order", source.zone)
            self.reader.diagnostics.add(node.span, codes.WRONG_MOVE, text, help=help_, address=address, cause=cause)
        is_unseen = mode in ("all", "random", "up to random")
        if (
            is_unseen
            and isinstance(origin.content_type, Member)
            and not is_assignable(origin.content_type, target.content_type, self.reader.kinds)
        ):
            self._report_mismatch(node, source, to, address)

    def _is_same_content(self, left: Type, right: Type) -> bool:
        if isinstance(left, Member) and isinstance(right, Member):
            return (
                left.kind in self.reader.kinds
                and right.kind in self.reader.kinds
                and (self.reader.kinds[left.kind].family == self.reader.kinds[right.kind].family)
            )
        return left == right

    def _report_mismatch(self, node: Node, source: Place | None, to: Place, address: str) -> None:
        assert source is not None
        origin, target = self._zone(source.zone), self._zone(to.zone)
        spans = self.reader.table.symbol_spans
        notes = ((spans.get(source.zone), "source"), (spans.get(to.zone), "destination"))
        related = [Related(span, note) for span, note in notes if span is not None]
        places = f"from `{source.zone}` (holds `{_holds(origin)}`) to `{to.zone}` (holds `{_holds(target)}`)"
        self.reader.diagnostics.add(
            node.span,
            codes.WRONG_MOVE,
            f"cannot move {places}",
            help=self._zones_for(origin.content_type),
            address=address,
            related=related,
        )

    def _check_amount(
        self, nodes: tuple[Node, Node], mode: str, of: Expr | None, source: Place | None, to: Place, address: str
    ) -> None:
        """`nodes`: what is moved, and where to."""
        node, to_node = nodes
        target = self._zone(to.zone)
        is_pool = isinstance(target.content_type, Member)
        kinds = self.reader.kinds
        given_type = UnknownType() if of is None else of.type
        moved = given_type.element if isinstance(given_type, SetOf) else given_type
        if source is None and not isinstance(moved, Thing) and (is_pool or mode not in ("exactly", "up to")):
            what = "pieces of a kind" if is_pool else f"`{mode}`"
            self.reader.diagnostics.add(
                node.span,
                codes.WRONG_MOVE,
                f"a move of {what} needs a source",
                label="no source",
                help="add `from:`",
                address=address,
                cause=Cause("no key", "from"),
            )
            return
        if mode == "top" and is_pool:
            self.reader.diagnostics.add(node.span, codes.WRONG_MOVE, "pieces of a kind have no top", address=address)
        if of is None or mode in ("top", "random", "up to random", "all") or isinstance(of.type, UnknownType):
            return
        wanted: tuple[Type, ...]
        if isinstance(target.content_type, Member):
            wanted = (Bag(target.content_type.kind), target.content_type, SetOf(target.content_type))
        else:
            wanted = (target.content_type, SetOf(target.content_type))
        if isinstance(of.type, Number) or not any(is_assignable(of.type, type_, kinds) for type_ in wanted):
            given = describe_type(of.type)
            message = f"`{to.zone}` holds `{_holds(target)}`, not {given}"
            if isinstance(moved, Thing):
                wrong, label, help_ = to_node, f"holds `{_holds(target)}`", self._zones_for(moved)
            else:
                wrong, label, help_ = node, given, ""
            self.reader.diagnostics.add(wrong.span, codes.WRONG_MOVE, message, label=label, help=help_, address=address)

    def _zones_for(self, moved: Thing | Member) -> str:
        """The zones that can take such things or pieces."""
        symbols, kinds = self.reader.table.symbols.items(), self.reader.kinds
        zones = {name: zone.content_type for name, zone in symbols if isinstance(zone, ZoneSymbol)}
        fitting = [name for name, content in zones.items() if is_assignable(moved, content, kinds)]
        what = moved.component if isinstance(moved, Thing) else moved.kind
        return list_names(f"zones that hold `{what}`", fitting)


def _holds(zone: ZoneSymbol) -> str:
    return zone.content_type.kind if isinstance(zone.content_type, Member) else zone.content_type.component
