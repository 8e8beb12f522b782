"""What a scenario says of places, states and values: every name is looked up, every value is checked.

In: nodes of a case. Out: run-time values of the game; a name that the game does not have, or a value that does not fit,
is a diagnostic with the nearest name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from typing import Final, assert_never

from rulewright.diagnostics import Cause, Code, Diagnostics, Hint, Related, Span
from rulewright.document.located_nodes import content_span, describe_node
from rulewright.engine.state import Action
from rulewright.engine.value_notation import EMPTY_TEXT, NotationError
from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.frozen import frozen
from rulewright.json_values import is_integer
from rulewright.model.locale import seat_of_player
from rulewright.model.rules import StateDef, ValueDef, ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_game import ScenarioGame
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, to_builtins
from rulewright.suggestions import did_you_mean, join_list, list_names, number_hint

ZONES: Final = "zones"
EXPECTATION_KEYS: Final = {"zone": ZONES, "state": "state", "value": "values"}  # by the sort of what is expected


@frozen
class PieceCounts:
    """How many there are of some members of a kind; nothing is said of the others."""

    counts: dict[int, int]  # index into a bag -> number


class ScenarioContext:
    """Parses the nodes of one case; `address` is that of the case."""

    def __init__(self, game: ScenarioGame, diagnostics: Diagnostics, address: str) -> None:
        self.rules = game.rules
        self.notation = game.notation
        self.diagnostics = diagnostics
        self.address = address

    def report(
        self,
        node: Node | Span,
        code: Code,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        related: Iterable[Related] = (),
        cause: Cause | None = None,
    ) -> None:
        """Adds a diagnostic about a node of the case."""
        span = node if isinstance(node, Span) else content_span(node)
        self.diagnostics.add(
            span, code, message, label=label, help=help, address=self.address, related=related, cause=cause
        )

    def report_unknown(self, key: ScalarNode, noun: str, names: Iterable[str]) -> None:
        """Reports a name that is not among those there are: `there is no zone …`."""

        def hint() -> str:
            known = list(names)
            elsewhere = self._sort_hint(key.text, noun, known)
            return elsewhere or did_you_mean(key.text, known) or list_names("expected one of", known)

        self.report(key, codes.UNKNOWN_IN_SCENARIO, f"there is no {noun} `{key.text}`", label="not found", help=hint)

    def _sort_hint(self, name: str, noun: str, names: Collection[str]) -> str:
        """For a name of another sort than is wanted, which has a key of its own; for the name of a step alone."""
        if noun == "step":
            steps = [address for address in names if address.rpartition(".")[2] == name]
            return f"write its whole address: {join_list((f'`{each}`' for each in steps), 'or')}" if steps else ""
        is_given = "step" in names  # of the keys of `given`, under which zones stand directly
        if is_given and name == ZONES:
            return "zones are directly under `given`, without `zones`"
        sorts = {"state": self.rules.states, "value": self.rules.values, "zone": self.rules.zones}
        sort = next((each for each, known in sorts.items() if each != noun and name in known), "")
        if sort not in EXPECTATION_KEYS or noun not in EXPECTATION_KEYS:
            return ""
        if sort == "value" and is_given:
            return f"`{name}` is a value, which is computed: give the zones and states that it reads"
        return f"`{name}` is a {sort}: write `{EXPECTATION_KEYS[sort]}: {{{name}: …}}`"

    def parse_seat(self, node: Node | None) -> int | None:
        """The seat of a player by its number; None for anything else, with a diagnostic when it is a number."""
        if not isinstance(node, ScalarNode) or not is_integer(node.value):
            return None
        seat = seat_of_player(node.value)
        if 0 <= seat < self.rules.players:
            return seat
        message = f"there is no player {node.value} (1 to {self.rules.players})"
        hint = "`players` says how many there are in a case"
        self.report(node, codes.UNKNOWN_IN_SCENARIO, message, help=hint)
        return None

    def parse_round(self, node: Node | None) -> int | None:
        """The number of a round; None when none is given."""
        return node.value if isinstance(node, ScalarNode) and isinstance(node.value, int) else None

    def parse_action(self, item: ScalarNode) -> Action | None:
        """An action of the game; None, with a diagnostic about every unknown name in it."""
        action = self.notation.try_parse_action(item.text)
        if isinstance(action, Action):
            return action
        several = [part.strip() for part in item.text.split(";")]
        if len(several) > 1 and all(isinstance(self.notation.try_parse_action(part), Action) for part in several):
            hint = f"several are a list: write `[{', '.join(several)}]`"
            self.report(item, codes.NOT_AN_ACTION, f"`{item.text}` are several actions", help=hint)
        else:
            self._report_errors(item, action, codes.NOT_AN_ACTION)
        return None

    def _report_errors(self, node: ScalarNode, errors: Iterable[NotationError], code: Code) -> None:
        for error in errors:
            span = content_span(node) if error.text_range is None else node.subspan(*error.text_range)
            self.report(span, code, error.message, help=error.hint)

    # ---- keys ---------------------------------------------------------------------------------------------

    def members_by_name(self, type_: Type) -> dict[str, int]:
        """The members that a key of that type runs over, by name."""
        match type_:
            case Member(kind=kind):
                info = self.rules.kinds[kind]
                return dict(zip(self.notation.member_ids(kind), info.member_values, strict=True))
            case Thing(component=component):
                return {name: thing for thing, name in enumerate(self.rules.components[component].ids)}
            case Number(low=low, high=high):
                return {str(number): number for number in range(low, high + 1)}
            case Flag():
                return {"false": 0, "true": 1}
            case Bag() | SetOf() | UnknownType():
                return {}
            case _:
                assert_never(type_)

    def entries_by_key(
        self, owner: ZoneDef | StateDef | ValueDef, name: ScalarNode, node: Node
    ) -> Iterator[tuple[tuple[int, ...], Node]]:
        """Each combination of keys with its node."""
        yield from self._entries(owner.key_types, name, node, ())

    def _entries(
        self, types: tuple[Type, ...], name: ScalarNode, node: Node, keys: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], Node]]:
        if len(keys) == len(types):
            yield keys, node
            return
        type_ = types[len(keys)]
        noun = self.type_name(type_)
        if not isinstance(node, MappingNode):
            message = f"`{name.text}` is kept by {noun}: expected a mapping, found {describe_node(node)}"
            example = next(iter(self.members_by_name(type_)), "…")
            self.report(node, codes.WRONG_CONTENT, message, help=f"write `{{{example}: …}}`, with what each has")
            return
        members = self.members_by_name(type_)
        for entry in node:
            if entry.key.text in members:
                yield from self._entries(types, name, entry.value, (*keys, members[entry.key.text]))
            else:
                self.report_unknown(entry.key, noun, members)

    @staticmethod
    def type_name(type_: Type) -> str:
        """What a member of a type is called in a message."""
        match type_:
            case Member(kind=name) | Thing(component=name):
                return name
            case Flag():
                return "flag"
            case Number() | Bag() | SetOf() | UnknownType():
                return "number"
            case _:
                assert_never(type_)

    def place_index(self, owner: ZoneDef | StateDef, keys: tuple[int, ...]) -> int:
        """The index of a place or state variable."""
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
        """Numbers of some members: a mapping of those it names; `{}`, `nothing` and `2 a + 1 b` are about all."""
        definition = self.rules.kinds[kind]
        indices = {
            name: number - definition.member_values[0] if definition.is_numeric else number
            for name, number in zip(self.notation.member_ids(kind), definition.member_values, strict=True)
        }
        if isinstance(node, ScalarNode) and isinstance(node.value, str):
            value = self.parse_value(node, Bag(kind))
            return None if value is None else PieceCounts({index: as_tuple(value)[index] for index in indices.values()})
        if not isinstance(node, MappingNode):
            message = f"expected a number for each {kind}, found {describe_node(node)}"
            self.report(node, codes.WRONG_CONTENT, message, help=f"for example: {{{next(iter(indices))}: 2}}")
            return None
        counts: dict[int, int] = {}
        for entry in node:
            name, number = entry.key.text, entry.value.value if isinstance(entry.value, ScalarNode) else None
            if name not in indices:
                self.report_unknown(entry.key, kind, indices)
            elif not is_integer(number) or number < 0:
                message = f"expected a number of `{name}`, found {describe_node(entry.value)}"
                self.report(entry.value, codes.WRONG_CONTENT, message, help=f"for example: `{{{name}: 2}}`")
            else:
                counts[indices[name]] = number
        if len(counts) < len(node.entries):
            return None
        return PieceCounts(counts or dict.fromkeys(indices.values(), 0))

    def parse_things(self, component: str, node: Node) -> list[tuple[int, ScalarNode]] | None:
        """Things by their ids, in order: a list, a single id, or `nothing`."""
        if isinstance(node, ScalarNode) and node.text == EMPTY_TEXT:
            return []
        if isinstance(node, MappingNode):
            example = next(iter(self.members_by_name(Thing(component))), "…")
            message = f"expected a list of {component} ids, found a mapping"
            self.report(node, codes.WRONG_CONTENT, message, help=f"for example: `[{example}]`")
            return None
        members = self.members_by_name(Thing(component))
        items = tuple(node) if isinstance(node, SequenceNode) else (node,)
        things: list[tuple[int, ScalarNode]] = []
        for item in items:
            if not isinstance(item, ScalarNode):
                self.report(item, codes.WRONG_CONTENT, f"expected a {component} id, found {describe_node(item)}")
            elif item.text not in members:
                self.report_unknown(item, component, members)
            elif any(members[item.text] == thing for thing, _ in things):
                self.report(item, codes.IN_TWO_PLACES, f"`{item.text}` is listed twice", label="again")
            else:
                things.append((members[item.text], item))
        return things if len(things) == len(items) else None

    def _expected(self, type_: Type) -> str:
        """How a value of a type is written, for a hint."""
        match type_:
            case Flag():
                return "write `true` or `false`"
            case Number(low, high):
                return f"write a number from {low} to {high}"
            case Member() | Thing():
                return list_names("expected one of", self.members_by_name(type_))
            case Bag(kind) if kind:
                member = next(iter(self.members_by_name(Member(kind))), "")
                return f"write counts, as in `{{{member}: 2}}`"
            case SetOf():
                return "write a list"
            case _:
                return ""

    def parse_value(self, node: Node, type_: Type) -> RuntimeValue | None:
        """A value of a type; None, with diagnostics, for anything else."""
        match node, type_:
            case ScalarNode(value=str(), text=text), Bag() | SetOf():
                errors = self.notation.value_errors(text, type_)
                self._report_errors(node, errors, codes.WRONG_CONTENT)
                return None if errors else self.notation.parse_value(text, type_)
            case MappingNode(), Bag(kind=kind):
                pieces = self.parse_counts(kind, node)
                if pieces is None:
                    return None
                return tuple(pieces.counts.get(index, 0) for index in self.notation.bag_member_ids(kind))
            case SequenceNode(), SetOf(element=element) if element is not None:
                members = [self.parse_value(item, element) for item in node]
                return tuple(member for member in members if isinstance(member, int)) if None not in members else None
        try:
            value: RuntimeValue = self.notation.value_from_data(to_builtins(node), type_)
        except NotationError as error:
            written = number_hint(node.text) if isinstance(node, ScalarNode) and isinstance(type_, Number) else ""
            hint = error.hint or written or self._expected(type_)
            self.report(node, codes.WRONG_CONTENT, error.message, help=hint)
            return None
        if isinstance(type_, Number) and not type_.low <= as_int(value) <= type_.high:
            self.report(node, codes.WRONG_CONTENT, f"expected a number from {type_.low} to {type_.high}, found {value}")
            return None
        return value


__all__ = ["PieceCounts", "ScenarioContext"]
