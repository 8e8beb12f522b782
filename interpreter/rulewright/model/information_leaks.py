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
    Expr,
    Extremum,
    Filter,
    Local,
    Quantifier,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, Number, SetOf
from rulewright.model import codes
from rulewright.model.lint import _Linter
from rulewright.model.rules import ActionDef, OneOf, ValueDef, ZoneDef
from rulewright.model.traversal import child_exprs
from rulewright.source.nodes import ScalarNode

OWN_SEAT: Final = "me"  # the seat that chooses
OTHER_SEAT: Final = "other"  # surely another
ANY_SEAT: Final = ""  # perhaps the one, perhaps the other
ExprSources = Sequence[tuple[ScalarNode, int, Expr]]  # expressions, each with the scalar in which it stands, and where
LEAK_HINT: Final = (
    "count only how many lie there, let the zone be seen (`seen_by`), or ask it in a step after the action"
)


@dataclass(frozen=True, slots=True)
class HiddenRead:
    """A part of an expression that looks into a hidden place of a zone, itself or through a derived value."""

    expr: Expr
    zone: ZoneDef


class HiddenReadFinder:
    """Finds where expressions look that a seat works out for itself. `seats`: whose number a variable is, by slot."""

    def __init__(self, zones: Mapping[str, ZoneDef], values: Mapping[str, ValueDef], players: int) -> None:
        self.zones = zones
        self.values = values
        self.players = players
        self._within: dict[
            tuple[str, tuple[str, ...]], HiddenRead | None
        ] = {}  # of derived values, by whose their keys are

    def find_first(self, expr: Expr, seats: Mapping[int, str]) -> HiddenRead | None:
        """The first part that the seat that chooses may not see, if any."""
        match expr:
            case Call(function="count", args=(ReadZone(type=type_) as read,)) if not isinstance(type_, Number):
                return self._any(read.keys, seats)
            case Compare(op="is" | "is not", left=ReadZone() as read, right=Constant(type=Bag("") | SetOf(None))):
                return self._any(read.keys, seats)
            case ReadZone(name=name, keys=keys):
                zone = self.zones[name]
                return self._any(child_exprs(expr), seats) or (
                    None if self._seen(zone, keys, seats) else HiddenRead(expr, zone)
                )
            case ReadValue(name=name, keys=keys):
                within = self._in_value(name, tuple(self._whose(key, seats) for key in keys))
                return self._any(keys, seats) or (None if within is None else HiddenRead(expr, within.zone))
            case (
                Quantifier(slot=slot, over=over)
                | Filter(slot=slot, over=over)
                | Sum(slot=slot, over=over)
                | Extremum(slot=slot, over=over)
            ):
                return self._any(child_exprs(expr), {**seats, slot: self._among(over)})
            case _:
                return self._any(child_exprs(expr), seats)

    def _in_value(self, name: str, whose: tuple[str, ...]) -> HiddenRead | None:
        """The first peek in a derived value; each is gone through once, however many read it."""
        if (name, whose) not in self._within:
            definition = self.values[name]
            terms = tuple(term for _, term in (*definition.terms, *definition.deductions))
            self._within[name, whose] = self._any(terms, dict(enumerate(whose)))
        return self._within[name, whose]

    def _any(self, exprs: tuple[Expr, ...], seats: Mapping[int, str]) -> HiddenRead | None:
        return next((found for one in exprs if (found := self.find_first(one, seats)) is not None), None)

    def _seen(self, zone: ZoneDef, keys: tuple[Expr, ...], seats: Mapping[int, str]) -> bool:
        if zone.seen_by in ("all", "nobody"):
            return zone.seen_by == "all"
        assert zone.owner_key is not None
        if zone.owner_key >= len(keys):
            return self.players == 1 and zone.seen_by == "owner"
        return self._whose(keys[zone.owner_key], seats) == (OWN_SEAT if zone.seen_by == "owner" else OTHER_SEAT)

    def _whose(self, key: Expr, seats: Mapping[int, str]) -> str:
        match key:
            case Builtin(name="me"):
                return OWN_SEAT
            case Builtin(name="opponent"):
                return OTHER_SEAT
            case Local(slot=slot):
                return seats.get(slot, ANY_SEAT)
            case Call(function="next", args=(Builtin(name="me"),)) if self.players > 1:
                return OTHER_SEAT
            case _:
                return OWN_SEAT if self.players == 1 else self._among(key)

    @staticmethod
    def _among(over: Expr) -> str:
        """Whose numbers a set of seats holds."""
        return OTHER_SEAT if isinstance(over, Builtin) and over.name in ("others", "opponents") else ANY_SEAT

    def find_span(self, written: ExprSources, seats: Mapping[int, str]) -> tuple[Span, str] | None:
        """Where the first of some expressions looks into a hidden place, and the name of its zone."""
        for node, start, expr in written:
            found = self.find_first(expr, seats)
            if found is not None:
                low, high = found.expr.offsets
                return node.subspan(start + low, start + high), found.zone.name
        return None

    def choice_owners(self, action: ActionDef) -> dict[int, str]:
        """Whose numbers the answers of an action's choices are."""
        return {
            slot: self._among(choice.domain.of)
            for slot, choice in enumerate(action.choices)
            if isinstance(choice.domain, OneOf)
        }


def check_information_leaks(
    look: _Linter,
    written: Mapping[str, ExprSources],
    zones: Mapping[str, ZoneDef],
    values: Mapping[str, ValueDef],
) -> None:
    """Warns of every choice, condition and reason that tells the seat that chooses what it may not see.

    `written`: the expressions of choices and clauses by address.
    """
    if look.names.diagnostics.error_count:
        return
    peeks = HiddenReadFinder(zones, values, look.names.players)
    for action in look.steps.actions:
        seats = peeks.choice_owners(action)
        for rule in (*action.choices, *action.clauses, *look.offer_clauses.get(action.index, ())):
            asked = peeks.find_span(written.get(rule.address, ()), seats)
            if asked is not None:
                span, zone = asked
                message = f"the options tell the seat that chooses something of `{zone}` that it may not see"
                look.warn(span, codes.LOOKS_AT_HIDDEN, message, "hidden from who chooses", LEAK_HINT, rule.address)
                continue
            said = peeks.find_span(look.sentences.english_hole_sources(rule.address), seats)
            if said is not None:
                span, zone = said
                message = f"who is told this may not see into `{zone}`, and reads `hidden` here"
                look.warn(span, codes.SAYS_HIDDEN, message, "hidden from who is told", LEAK_HINT, rule.address)


__all__ = ["check_information_leaks"]
