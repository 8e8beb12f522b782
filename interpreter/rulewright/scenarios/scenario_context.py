"""What a scenario writes about places, states and values, read with care: every name is looked up where it stands.

In: nodes of a case. Out: run-time values of the game with the place each was written at; a name that the game does not
have, or a value that does not fit, is a complaint with the nearest name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from rulewright.diagnostics import Code, Diagnostics, Hint, Span
from rulewright.document.violation_messages import content_span, describe_node
from rulewright.engine.notation import EMPTY_TEXT, NotationError
from rulewright.engine.state import Action
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.rules import StateDef, ValueDef, ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_game import ScenarioGame
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, to_builtins
from rulewright.suggestions import did_you_mean, list_names


@dataclass(frozen=True, slots=True)
class PieceCounts:
    """So many of the members that are spoken of."""

    counts: dict[int, int]  # place in a bag -> number


class ScenarioContext:
    """Reads the nodes of one case; `address` of the case stands in its complaints."""

    def __init__(self, table: ScenarioGame, diagnostics: Diagnostics, address: str) -> None:
        self.rules = table.rules
        self.notation = table.views.notation
        self.diagnostics = diagnostics
        self.address = address

    def report(self, node: Node | Span, code: Code, message: str, *, label: str = "", help: Hint = "") -> None:
        """Notes a complaint about a node of the case."""
        span = node if isinstance(node, Span) else content_span(node)
        self.diagnostics.add(span, code, message, label=label, help=help, address=self.address)

    def report_unknown(self, key: ScalarNode, what: str, names: Iterable[str]) -> None:
        """Notes that a name is not one of the names there are."""

        def hint() -> str:
            known = list(names)
            return did_you_mean(key.text, known) or list_names("there are", known)

        self.report(key, codes.UNKNOWN_IN_SCENARIO, f"{what} `{key.text}`", label="not known", help=hint)

    def parse_seat(self, node: Node | None) -> int | None:
        """A seat by its number; None, with a complaint when it is a number, when there is no such seat."""
        if not isinstance(node, ScalarNode) or not isinstance(node.value, int) or isinstance(node.value, bool):
            return None
        if 0 <= node.value < self.rules.players:
            return node.value
        message = f"seat {node.value} does not play: seats are 0 to {self.rules.players - 1}"
        self.report(node, codes.UNKNOWN_IN_SCENARIO, message)
        return None

    def parse_round(self, node: Node | None) -> int | None:
        """The number of a round; None when none is given."""
        return node.value if isinstance(node, ScalarNode) and isinstance(node.value, int) else None

    def parse_action(self, item: ScalarNode) -> Action | None:
        """An action of the game; None, with a complaint about every name in it that means nothing."""
        found = self.notation.try_parse_action(item.text)
        if isinstance(found, Action):
            return found
        self._unread(item, found, codes.NOT_AN_ACTION)
        return None

    def _unread(self, node: ScalarNode, wrong: Iterable[NotationError], code: Code) -> None:
        for one in wrong:
            self.report(content_span(node) if one.text_range is None else node.subspan(*one.text_range), code, str(one))

    # ---- keys ---------------------------------------------------------------------------------------------

    def members_by_name(self, type_: Type) -> dict[str, int]:
        """The members that a key of that type runs over, by name."""
        match type_:
            case Member(kind=kind):
                info = self.rules.kinds[kind]
                return dict(zip(info.members, info.member_values, strict=True))
            case Thing(component=component):
                return {name: at for at, name in enumerate(self.rules.components[component].ids)}
            case Number(low=low, high=high):
                return {str(number): number for number in range(low, high + 1)}
            case Flag():
                return {"false": 0, "true": 1}
            case _:
                return {}

    def entries_by_key(
        self, owner: ZoneDef | StateDef | ValueDef, name: ScalarNode, node: Node
    ) -> Iterator[tuple[tuple[int, ...], Node]]:
        """What stands under each combination of keys."""
        yield from self._by_key(owner.key_types, name, node, ())

    def _by_key(
        self, types: tuple[Type, ...], name: ScalarNode, node: Node, keys: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], Node]]:
        if len(keys) == len(types):
            yield keys, node
            return
        type_ = types[len(keys)]
        what = self.type_name(type_)
        if not isinstance(node, MappingNode):
            message = f"`{name.text}` is kept by {what}: expected a mapping by {what}, found {describe_node(node)}"
            self.report(node, codes.WRONG_CONTENT, message)
            return
        members = self.members_by_name(type_)
        for entry in node:
            if entry.key.text in members:
                yield from self._by_key(types, name, entry.value, (*keys, members[entry.key.text]))
            else:
                self.report_unknown(entry.key, f"no {what} is called", members)

    @staticmethod
    def type_name(type_: Type) -> str:
        """What a member of a type is called in a complaint."""
        match type_:
            case Member(kind=name) | Thing(component=name):
                return name
            case Flag():
                return "flag"
            case _:
                return "number"

    def place_index(self, owner: ZoneDef | StateDef, keys: tuple[int, ...]) -> int:
        """The number of a place or state variable."""
        return owner.first_index + list(product(*owner.key_values)).index(keys)

    def place_name(self, owner: ZoneDef | StateDef, place: int) -> str:
        """A place or state variable as it is written: `row(2, 1)`."""
        keys = list(product(*owner.key_values))[place - owner.first_index]
        return self.name_with_keys(owner, keys)

    def name_with_keys(self, owner: ZoneDef | StateDef | ValueDef, keys: tuple[int, ...]) -> str:
        """The name with its keys as it is written."""
        names = [self.notation.format_value(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True)]
        return f"{owner.name}({', '.join(names)})" if names else owner.name

    # ---- contents -----------------------------------------------------------------------------------------

    def parse_counts(self, kind: str, node: Node) -> PieceCounts | None:
        """So many of some members: a mapping names those it speaks of; `{}`, `nothing` and `2 a + 1 b` say all."""
        info = self.rules.kinds[kind]
        positions = {
            name: number - info.member_values[0] if info.is_numeric else number
            for name, number in zip(info.members, info.member_values, strict=True)
        }
        if isinstance(node, ScalarNode) and isinstance(node.value, str):
            bag = self.parse_value(node, Bag(kind))
            return None if bag is None else PieceCounts({at: bag[at] for at in positions.values()})
        if not isinstance(node, MappingNode):
            message = f"expected how many of which {kind}, found {describe_node(node)}"
            self.report(node, codes.WRONG_CONTENT, message, help=f"for example: {{{info.members[0]}: 2}}")
            return None
        counts: dict[int, int] = {}
        before = self.diagnostics.error_count
        for entry in node:
            number = entry.value.value if isinstance(entry.value, ScalarNode) else None
            if entry.key.text not in positions:
                self.report_unknown(entry.key, f"no {kind} is called", positions)
            elif not isinstance(number, int) or isinstance(number, bool) or number < 0:
                self.report(
                    entry.value, codes.WRONG_CONTENT, f"{describe_node(entry.value)} is no number of {entry.key.text}"
                )
            else:
                counts[positions[entry.key.text]] = number
        if self.diagnostics.error_count > before:
            return None
        return PieceCounts(counts or dict.fromkeys(positions.values(), 0))

    def parse_things(self, component: str, node: Node) -> list[tuple[int, ScalarNode]] | None:
        """Things by their ids, in order: a list, one alone, or `nothing`."""
        if isinstance(node, ScalarNode) and node.text == EMPTY_TEXT:
            return []
        if isinstance(node, MappingNode):
            self.report(node, codes.WRONG_CONTENT, f"expected a list of {component} ids, found a mapping")
            return None
        members = self.members_by_name(Thing(component))
        found: list[tuple[int, ScalarNode]] = []
        before = self.diagnostics.error_count
        for item in node if isinstance(node, SequenceNode) else (node,):
            if not isinstance(item, ScalarNode):
                self.report(item, codes.WRONG_CONTENT, f"expected the id of a {component}, found {describe_node(item)}")
            elif item.text not in members:
                self.report_unknown(item, f"no {component} is called", members)
            elif any(members[item.text] == other for other, _ in found):
                self.report(item, codes.IN_TWO_PLACES, f"`{item.text}` is listed twice", label="the second")
            else:
                found.append((members[item.text], item))
        return found if self.diagnostics.error_count == before else None

    def parse_value(self, node: Node, type_: Type) -> Any:
        """A value of a type; None, with complaints, when it is none."""
        match node, type_:
            case ScalarNode(value=str(), text=text), Bag() | SetOf():
                wrong = self.notation.value_errors(text, type_)
                self._unread(node, wrong, codes.WRONG_CONTENT)
                return None if wrong else self.notation.parse_value(text, type_)
            case MappingNode(), Bag(kind=kind):
                part = self.parse_counts(kind, node)
                return (
                    None if part is None else tuple(part.counts.get(at, 0) for at in self.notation.bag_member_ids(kind))
                )
            case SequenceNode(), SetOf(element=of) if of is not None:
                each = [self.parse_value(item, of) for item in node]
                return None if None in each else tuple(each)
        try:
            found = self.notation.value_from_data(to_builtins(node), type_)
        except NotationError as error:
            self.report(node, codes.WRONG_CONTENT, str(error))
            return None
        if isinstance(type_, Number) and not type_.low <= found <= type_.high:
            self.report(node, codes.WRONG_CONTENT, f"{found} is not within {type_.low} to {type_.high}")
            return None
        return found


__all__ = ["PieceCounts", "ScenarioContext"]
