"""What a rule gives away: conditions, choices and reasons that look where the seat that chooses may not see.

In: what actions ask and on which conditions, and who sees which zone. Out: warnings. A list of options tells whoever
gets it what its conditions found; so does a reason. How many lie in a place is no secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rulewright.diagnostics import Span
from rulewright.expr.tree import (
    Builtin,
    Call,
    Compare,
    Constant,
    Each,
    Expr,
    Extreme,
    Local,
    Quantified,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, Number, SetOf
from rulewright.model import codes
from rulewright.model.lint import LookOver
from rulewright.model.rules import ActionDef, OneOf, ValueDef, ZoneDef
from rulewright.model.traversal import children
from rulewright.source.nodes import Scalar

ME: Final = "me"  # the seat that chooses
OTHER: Final = "other"  # surely another
SOME: Final = ""  # perhaps the one, perhaps the other
Written = Sequence[tuple[Scalar, int, Expr]]  # expressions, each with the scalar in which it stands, and where
HINT: Final = "count only how many lie there, let the zone be seen (`seen_by`), or ask it in a step after the action"


@dataclass(frozen=True, slots=True)
class Peek:
    """A part of an expression that looks into a hidden place of a zone, itself or through a derived value."""

    part: Expr
    zone: ZoneDef


class Peeks:
    """Finds where expressions look that a seat works out for itself. `seats`: whose number a variable is, by slot."""

    def __init__(self, zones: Mapping[str, ZoneDef], values: Mapping[str, ValueDef], players: int) -> None:
        self.zones = zones
        self.values = values
        self.players = players
        self._within: dict[tuple[str, tuple[str, ...]], Peek | None] = {}  # of derived values, by whose their keys are

    def first(self, expr: Expr, seats: Mapping[int, str]) -> Peek | None:
        """The first part that the seat that chooses may not see, if any."""
        match expr:
            case Call(function="count", args=(ReadZone(type=type_) as read,)) if not isinstance(type_, Number):
                return self._any(read.keys, seats)
            case Compare(op="is" | "is not", left=ReadZone() as read, right=Constant(type=Bag("") | SetOf(None))):
                return self._any(read.keys, seats)
            case ReadZone(name=name, keys=keys):
                zone = self.zones[name]
                return self._any(children(expr), seats) or (None if self._seen(zone, keys, seats) else Peek(expr, zone))
            case ReadValue(name=name, keys=keys):
                within = self._in_value(name, tuple(self._whose(key, seats) for key in keys))
                return self._any(keys, seats) or (None if within is None else Peek(expr, within.zone))
            case (
                Quantified(slot=slot, over=over)
                | Each(slot=slot, over=over)
                | Sum(slot=slot, over=over)
                | Extreme(slot=slot, over=over)
            ):
                return self._any(children(expr), {**seats, slot: self._among(over)})
            case _:
                return self._any(children(expr), seats)

    def _in_value(self, name: str, whose: tuple[str, ...]) -> Peek | None:
        """The first peek in a derived value; each is gone through once, however many read it."""
        if (name, whose) not in self._within:
            definition = self.values[name]
            terms = tuple(term for _, term in (*definition.terms, *definition.less))
            self._within[name, whose] = self._any(terms, dict(enumerate(whose)))
        return self._within[name, whose]

    def _any(self, exprs: tuple[Expr, ...], seats: Mapping[int, str]) -> Peek | None:
        return next((found for one in exprs if (found := self.first(one, seats)) is not None), None)

    def _seen(self, zone: ZoneDef, keys: tuple[Expr, ...], seats: Mapping[int, str]) -> bool:
        if zone.seen_by in ("all", "nobody"):
            return zone.seen_by == "all"
        assert zone.owner is not None
        if zone.owner >= len(keys):
            return self.players == 1 and zone.seen_by == "owner"
        return self._whose(keys[zone.owner], seats) == (ME if zone.seen_by == "owner" else OTHER)

    def _whose(self, key: Expr, seats: Mapping[int, str]) -> str:
        match key:
            case Builtin(name="me"):
                return ME
            case Builtin(name="opponent"):
                return OTHER
            case Local(slot=slot):
                return seats.get(slot, SOME)
            case Call(function="next", args=(Builtin(name="me"),)) if self.players > 1:
                return OTHER
            case _:
                return ME if self.players == 1 else self._among(key)

    @staticmethod
    def _among(over: Expr) -> str:
        """Whose numbers a set of seats holds."""
        return OTHER if isinstance(over, Builtin) and over.name in ("others", "opponents") else SOME

    def spot(self, written: Written, seats: Mapping[int, str]) -> tuple[Span, str] | None:
        """Where the first of some expressions looks into a hidden place, and the name of its zone."""
        for node, start, expr in written:
            found = self.first(expr, seats)
            if found is not None:
                low, high = found.part.at
                return node.part(start + low, start + high), found.zone.name
        return None

    def chosen(self, action: ActionDef) -> dict[int, str]:
        """Whose numbers the answers of an action's choices are."""
        return {
            slot: self._among(choice.domain.of)
            for slot, choice in enumerate(action.choices)
            if isinstance(choice.domain, OneOf)
        }


def nothing_given_away(
    look: LookOver,
    written: Mapping[str, Written],
    zones: Mapping[str, ZoneDef],
    values: Mapping[str, ValueDef],
) -> None:
    """Warns of every choice, condition and reason that tells the seat that chooses what it may not see.

    `written`: the expressions of choices and clauses by address.
    """
    if look.names.report.errors:
        return
    peeks = Peeks(zones, values, look.names.players)
    for action in look.steps.actions:
        seats = peeks.chosen(action)
        for rule in (*action.choices, *action.clauses, *look.offered.get(action.number, ())):
            asked = peeks.spot(written.get(rule.address, ()), seats)
            if asked is not None:
                span, zone = asked
                message = f"the options tell the seat that chooses something of `{zone}` that it may not see"
                look.tell(span, codes.LOOKS_AT_HIDDEN, message, "hidden from who chooses", HINT, rule.address)
                continue
            said = peeks.spot(look.sentences.english_holes(rule.address), seats)
            if said is not None:
                span, zone = said
                message = f"who is told this may not see into `{zone}`, and reads `hidden` here"
                look.tell(span, codes.SAYS_HIDDEN, message, "hidden from who is told", HINT, rule.address)


__all__ = ["nothing_given_away"]
