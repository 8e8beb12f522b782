"""What a scenario writes about places, states and values, read with care: every name is looked up where it stands.

In: nodes of a case. Out: run-time values of the game with the place each was written at; a name that the game does not
have, or a value that does not fit, is a complaint with the nearest name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from rulewright.diagnostics import Code, Hint, Report, Span, listed, nearest
from rulewright.document.schema_check import sort_of, written_span
from rulewright.engine.notation import NOTHING, NotationError
from rulewright.engine.state import Action
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.rules import StateDef, ValueDef, ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_game import Table
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence, plain


@dataclass(frozen=True, slots=True)
class Part:
    """So many of the members that are spoken of."""

    counts: dict[int, int]  # place in a bag -> number


class Desk:
    """Reads the nodes of one case; `address` of the case stands in its complaints."""

    def __init__(self, table: Table, report: Report, address: str) -> None:
        self.rules = table.rules
        self.notation = table.views.notation
        self.report = report
        self.address = address

    def complain(self, node: Node | Span, code: Code, message: str, *, label: str = "", help: Hint = "") -> None:
        """Notes a complaint about a node of the case."""
        span = node if isinstance(node, Span) else written_span(node)
        self.report.add(span, code, message, label=label, help=help, address=self.address)

    def unknown(self, key: Scalar, what: str, names: Iterable[str]) -> None:
        """Notes that a name is not one of the names there are."""

        def hint() -> str:
            known = list(names)
            return nearest(key.text, known) or listed("there are", known)

        self.complain(key, codes.UNKNOWN, f"{what} `{key.text}`", label="not known", help=hint)

    def seat(self, node: Node | None) -> int | None:
        """A seat by its number; None, with a complaint when it is a number, when there is no such seat."""
        if not isinstance(node, Scalar) or not isinstance(node.value, int) or isinstance(node.value, bool):
            return None
        if 0 <= node.value < self.rules.players:
            return node.value
        message = f"seat {node.value} does not play: seats are 0 to {self.rules.players - 1}"
        self.complain(node, codes.UNKNOWN, message)
        return None

    def round(self, node: Node | None) -> int | None:
        """The number of a round; None when none is given."""
        return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else None

    def action(self, item: Scalar) -> Action | None:
        """An action of the game; None, with a complaint about every name in it that means nothing."""
        found = self.notation.understand(item.text)
        if isinstance(found, Action):
            return found
        self._unread(item, found, codes.NO_ACTION)
        return None

    def _unread(self, node: Scalar, wrong: Iterable[NotationError], code: Code) -> None:
        for one in wrong:
            self.complain(written_span(node) if one.at is None else node.part(*one.at), code, str(one))

    # ---- keys ---------------------------------------------------------------------------------------------

    def members(self, type_: Type) -> dict[str, int]:
        """The members that a key of that type runs over, by name."""
        match type_:
            case Member(kind=kind):
                info = self.rules.kinds[kind]
                return dict(zip(info.members, info.numbers, strict=True))
            case Thing(component=component):
                return {name: at for at, name in enumerate(self.rules.components[component].ids)}
            case Number(low=low, high=high):
                return {str(number): number for number in range(low, high + 1)}
            case Flag():
                return {"false": 0, "true": 1}
            case _:
                return {}

    def by_key(
        self, owner: ZoneDef | StateDef | ValueDef, name: Scalar, node: Node
    ) -> Iterator[tuple[tuple[int, ...], Node]]:
        """What stands under each combination of keys."""
        yield from self._by_key(owner.keys, name, node, ())

    def _by_key(
        self, types: tuple[Type, ...], name: Scalar, node: Node, keys: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], Node]]:
        if len(keys) == len(types):
            yield keys, node
            return
        type_ = types[len(keys)]
        what = self.type_name(type_)
        if not isinstance(node, Mapping):
            message = f"`{name.text}` is kept by {what}: expected a mapping by {what}, found {sort_of(node)}"
            self.complain(node, codes.WRONG_SORT, message)
            return
        members = self.members(type_)
        for entry in node:
            if entry.key.text in members:
                yield from self._by_key(types, name, entry.value, (*keys, members[entry.key.text]))
            else:
                self.unknown(entry.key, f"no {what} is called", members)

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

    def place(self, owner: ZoneDef | StateDef, keys: tuple[int, ...]) -> int:
        """The number of a place or state variable."""
        return owner.first + list(product(*owner.key_values)).index(keys)

    def named(self, owner: ZoneDef | StateDef, place: int) -> str:
        """A place or state variable as it is written: `row(2, 1)`."""
        keys = list(product(*owner.key_values))[place - owner.first]
        return self.with_keys(owner, keys)

    def with_keys(self, owner: ZoneDef | StateDef | ValueDef, keys: tuple[int, ...]) -> str:
        """The name with its keys as it is written."""
        names = [self.notation.text(key, type_) for key, type_ in zip(keys, owner.keys, strict=True)]
        return f"{owner.name}({', '.join(names)})" if names else owner.name

    # ---- contents -----------------------------------------------------------------------------------------

    def part(self, kind: str, node: Node) -> Part | None:
        """So many of some members: a mapping names those it speaks of; `{}`, `nothing` and `2 a + 1 b` say all."""
        info = self.rules.kinds[kind]
        positions = {
            name: number - info.numbers[0] if info.numeric else number
            for name, number in zip(info.members, info.numbers, strict=True)
        }
        if isinstance(node, Scalar) and isinstance(node.value, str):
            bag = self.value(node, Bag(kind))
            return None if bag is None else Part({at: bag[at] for at in positions.values()})
        if not isinstance(node, Mapping):
            message = f"expected how many of which {kind}, found {sort_of(node)}"
            self.complain(node, codes.WRONG_SORT, message, help=f"for example: {{{info.members[0]}: 2}}")
            return None
        counts: dict[int, int] = {}
        before = self.report.errors
        for entry in node:
            number = entry.value.value if isinstance(entry.value, Scalar) else None
            if entry.key.text not in positions:
                self.unknown(entry.key, f"no {kind} is called", positions)
            elif not isinstance(number, int) or isinstance(number, bool) or number < 0:
                self.complain(entry.value, codes.WRONG_SORT, f"{sort_of(entry.value)} is no number of {entry.key.text}")
            else:
                counts[positions[entry.key.text]] = number
        if self.report.errors > before:
            return None
        return Part(counts or dict.fromkeys(positions.values(), 0))

    def things(self, component: str, node: Node) -> list[tuple[int, Scalar]] | None:
        """Things by their ids, in order: a list, one alone, or `nothing`."""
        if isinstance(node, Scalar) and node.text == NOTHING:
            return []
        if isinstance(node, Mapping):
            self.complain(node, codes.WRONG_SORT, f"expected a list of {component} ids, found a mapping")
            return None
        members = self.members(Thing(component))
        found: list[tuple[int, Scalar]] = []
        before = self.report.errors
        for item in node if isinstance(node, Sequence) else (node,):
            if not isinstance(item, Scalar):
                self.complain(item, codes.WRONG_SORT, f"expected the id of a {component}, found {sort_of(item)}")
            elif item.text not in members:
                self.unknown(item, f"no {component} is called", members)
            elif any(members[item.text] == other for other, _ in found):
                self.complain(item, codes.TWO_PLACES, f"`{item.text}` is listed twice", label="the second")
            else:
                found.append((members[item.text], item))
        return found if self.report.errors == before else None

    def value(self, node: Node, type_: Type) -> Any:
        """A value of a type; None, with complaints, when it is none."""
        match node, type_:
            case Scalar(value=str(), text=text), Bag() | SetOf():
                wrong = self.notation.unread(text, type_)
                self._unread(node, wrong, codes.WRONG_SORT)
                return None if wrong else self.notation.read(text, type_)
            case Mapping(), Bag(kind=kind):
                part = self.part(kind, node)
                return None if part is None else tuple(part.counts.get(at, 0) for at in self.notation.members(kind))
            case Sequence(), SetOf(of=of) if of is not None:
                each = [self.value(item, of) for item in node]
                return None if None in each else tuple(each)
        try:
            found = self.notation.value(plain(node), type_)
        except NotationError as error:
            self.complain(node, codes.WRONG_SORT, str(error))
            return None
        if isinstance(type_, Number) and not type_.low <= found <= type_.high:
            self.complain(node, codes.WRONG_SORT, f"{found} is not within {type_.low} to {type_.high}")
            return None
        return found


__all__ = ["Desk", "Part"]
