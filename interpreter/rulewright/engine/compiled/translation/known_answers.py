"""What is known of an action's answers right after it was chosen: it makes guards superfluous.

In: an action, and what moves while its steps are carried out. Out: in which zones a chosen thing lies, from which place
a chosen bag was taken.
"""

from __future__ import annotations

from rulewright.expr.tree import Arithmetic, Expr, Filter, Local, ReadZone
from rulewright.expr.types import Bag, Thing
from rulewright.expr.walk import is_me
from rulewright.model.actions import ActionDef, OneOf, Pay, SomeOf
from rulewright.model.effects import Move


class KnownAnswers:
    """What is known of an action's answers as long as nothing has moved: where a chosen thing lies, which place a
    chosen bag was taken from. By slot of the answer.
    """

    def __init__(self) -> None:
        self.things: dict[int, tuple[str, ...]] = {}  # zones
        self.bags: dict[int, ReadZone] = {}
        self._components: dict[int, str] = {}

    def learn(self, action: ActionDef) -> None:
        """The steps of an action begin, right after it was chosen."""
        self.forget_bags()
        self.forget_things()
        for slot, choice in enumerate(action.choices):
            match choice.domain:
                case OneOf(of=of) if isinstance(choice.type, Thing):
                    zones = _zones_in(of)
                    if zones:
                        self.things[slot] = tuple(dict.fromkeys(zones))
                        self._components[slot] = choice.type.component
                case Pay(funds=ReadZone() as read) | SomeOf(of=ReadZone() as read) if isinstance(choice.type, Bag):
                    self.bags[slot] = read
                case _:
                    pass

    def forget_bags(self) -> None:
        """Pieces have moved."""
        self.bags.clear()

    def forget_things(self, component: str | None = None) -> None:
        """Things of a component, or any, have moved."""
        for slot in [slot for slot in self.things if component in (None, self._components[slot])]:
            del self.things[slot]

    def zones_of(self, move: Move) -> tuple[str, ...]:
        """The zones in one of which the thing that is moved surely lies; none if that is not known."""
        return self.things.get(move.amount.of.slot, ()) if isinstance(move.amount.of, Local) else ()

    def is_held(self, move: Move) -> bool:
        """Whether the place from which pieces are taken surely holds them."""
        if not isinstance(move.amount.of, Local) or move.source is None:
            return False
        read = self.bags.get(move.amount.of.slot)
        return (
            read is not None
            and read.name == move.source.zone
            and len(read.keys) == len(move.source.keys)
            and all(is_me(key) and is_me(other) for key, other in zip(read.keys, move.source.keys, strict=True))
        )


def _zones_in(expr: Expr) -> list[str]:
    """The zones in one of which every thing of a set lies; none if that is not known."""
    match expr:
        case ReadZone(name=name):
            return [name]
        case Filter(over=over):
            return _zones_in(over)
        case Arithmetic(op="+", left=left, right=right):
            first, second = _zones_in(left), _zones_in(right)
            return [*first, *second] if first and second else []
        case Arithmetic(op="less", left=left):
            return _zones_in(left)
        case _:
            return []


__all__ = ["KnownAnswers"]
