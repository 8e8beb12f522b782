"""What a rule gives away: conditions, choices and reasons that look where the seat that chooses may not see.

In: what actions ask and on which conditions, and who sees which zone. Out: leaks. A list of options shows whoever gets
it how its conditions came out; so does a reason. How many things lie in a place is no secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.diagnostics import Code, Span
from rulewright.document.text_addresses import reason_address
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
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, Number, SetOf
from rulewright.expr.walk import child_exprs
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Choice, Clause, OneOf
from rulewright.model.effects import Block, Choose, Finish
from rulewright.model.rules import ValueDef, ZoneDef
from rulewright.model.sentences import ExprSource

HoleSources = Callable[[str], Sequence[ExprSource]]  # what the sentence at an address prints
OWN_SEAT: Final = "me"  # the seat that chooses
OTHER_SEAT: Final = "other"  # surely another
ANY_SEAT: Final = ""  # perhaps the one, perhaps the other
OPTIONS: Final = "the options reveal"
REASONS: Final = "the reasons reveal"
IF_MEANT: Final = f"if it is meant, write `# rulewright: allow {lint_codes.LOOKS_AT_HIDDEN.name} because …`"
USE_COUNT: Final = "use only the number of things there, make the zone visible with `seen_by`"
SAY_COUNT: Final = "say only how many things lie there, with `count`, make the zone visible with `seen_by`"


@frozen
class HiddenRead:
    """A part of an expression that looks into a hidden place of a zone, itself, through a derived value, or by way of a
    variable of steps. `source`: what the variable was set to then.
    """

    expr: Expr
    zone: ZoneDef
    source: Expr | None = None


@frozen
class Leak:
    """Where a rule at an address reveals something hidden."""

    span: Span
    code: Code
    message: str
    label: str
    address: str
    hint: str


class HiddenReadFinder:
    """Finds where expressions look whose values a seat gets to know. `seats`: whose number a variable is, by slot."""

    def __init__(self, zones: Mapping[str, ZoneDef], values: Mapping[str, ValueDef], players: int) -> None:
        self.zones = zones
        self.values = values
        self.players = players
        self.variables: dict[str, HiddenRead] = {}  # of steps, that hold what lies hidden
        self._within: dict[
            tuple[str, tuple[str, ...]], HiddenRead | None
        ] = {}  # of derived values, by whose their keys are

    def add_variable(self, name: str, read: HiddenRead) -> None:
        """A variable of steps holds from now on what such a read has found."""
        self.variables[name] = read
        self._within.clear()

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
            case ReadState(name=name, keys=keys) if name in self.variables:
                source = self.variables[name]
                return HiddenRead(expr, source.zone, source.source or source.expr)
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
        """The first hidden read in a derived value; each value is searched once, however many read it."""
        if (name, whose) not in self._within:
            definition = self.values[name]
            terms = tuple(term for _, term in (*definition.terms, *definition.deductions))
            self._within[name, whose] = self._any(terms, dict(enumerate(whose)))
        return self._within[name, whose]

    def _any(self, exprs: tuple[Expr, ...], seats: Mapping[int, str]) -> HiddenRead | None:
        return next((read for expr in exprs if (read := self.find_first(expr, seats)) is not None), None)

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

    def find_span(self, sources: Sequence[ExprSource], seats: Mapping[int, str]) -> tuple[Span, str] | None:
        """Where the first of some expressions looks into a hidden place, and the name of its zone."""
        for node, start, expr in sources:
            read = self.find_first(expr, seats)
            if read is not None:
                low, high = read.expr.offsets
                return node.subspan(start + low, start + high), read.zone.name
        return None

    def find_in_reason_of(
        self, read: ReadValue, holes: HoleSources, seats: Mapping[int, str]
    ) -> tuple[Span, str] | None:
        """Where the reason that a flag hands on to whoever asks for it looks into a hidden place."""
        whose = dict(enumerate(self._whose(key, seats) for key in read.keys))
        return self.find_span(holes(reason_address(f"values.{read.name}")), whose)

    def of_all(self) -> UnseenFinder:
        """One that finds where expressions look into a place that anybody does not see."""
        return UnseenFinder(self.zones, self.values, self.players)

    def choice_owners(self, action: ActionDef) -> dict[int, str]:
        """Whose numbers the answers of an action's choices are."""
        return {
            slot: self._among(choice.domain.of)
            for slot, choice in enumerate(action.choices)
            if isinstance(choice.domain, OneOf)
        }


class UnseenFinder(HiddenReadFinder):
    """Finds where expressions look into a place that anybody does not see: all that happens is seen by everybody."""

    def _seen(self, zone: ZoneDef, keys: tuple[Expr, ...], seats: Mapping[int, str]) -> bool:
        return zone.seen_by == "all" or (self.players == 1 and zone.seen_by == "owner")


class LeakSearch:
    """Finds what actions and steps give whoever chooses or reads. `expr_sources`: the expressions of choices and
    clauses, by address; `holes`: what the sentence at an address prints.
    """

    def __init__(
        self, finder: HiddenReadFinder, expr_sources: Mapping[str, Sequence[ExprSource]], holes: HoleSources
    ) -> None:
        self._finder = finder
        self._expr_sources = expr_sources
        self._holes = holes

    def in_actions(self, actions: Iterable[ActionDef], offer_clauses: Mapping[int, Sequence[Clause]]) -> Iterator[Leak]:
        """Choices, conditions, reasons and sentences of actions that give whoever chooses what this seat may not see.

        `offer_clauses`: by the index of the action.
        """
        for action in actions:
            seats = self._finder.choice_owners(action)
            nodes: tuple[Choice | Clause, ...] = (
                *action.choices,
                *action.clauses,
                *offer_clauses.get(action.index, ()),
            )
            for rule in nodes:
                yield from self._in_rule(rule, seats)
            yield from self._in_sentence(action.address, {}, self._finder)

    def _in_rule(self, rule: Choice | Clause, seats: Mapping[int, str]) -> Iterator[Leak]:
        hidden = self._finder.find_span(self._expr_sources.get(rule.address, ()), seats)
        if hidden is not None:
            span, zone = hidden
            message = f"{OPTIONS} hidden contents of `{zone}` to the player that chooses"
            label = "hidden from the player that chooses"
            later = "or test it in a step after the action"
            later = f"or offer more and {later[3:]}" if isinstance(rule, Choice) else later
            yield Leak(span, lint_codes.LOOKS_AT_HIDDEN, message, label, rule.address, f"{USE_COUNT}, {later}")
            return
        hidden = self._finder.find_span(self._holes(reason_address(rule.address)), seats)
        if hidden is None and isinstance(rule, Clause) and isinstance(rule.condition, ReadValue):
            hidden = self._finder.find_in_reason_of(rule.condition, self._holes, seats)
        if hidden is not None:
            span, zone = hidden
            message = f"the reader of this reason may not see into `{zone}`, so it prints `hidden` here"
            hint = f"{SAY_COUNT}, or leave it out of the reason"
            yield Leak(span, lint_codes.SAYS_HIDDEN, message, "hidden from the reader", rule.address, hint)

    def in_steps(self, blocks: Iterable[Block]) -> Iterator[Leak]:
        """The sentences of steps that people read in play: where somebody is asked, and what ended the game."""
        for step in (step for block in blocks for step in block.steps):
            match step.effect:
                case Choose():
                    seats = {step.by.slot: OWN_SEAT} if isinstance(step.by, Local) else {}
                    yield from self._in_sentence(step.address, seats, self._finder)
                case Finish():
                    yield from self._in_sentence(step.address, {}, self._finder.of_all())

    def _in_sentence(self, address: str, seats: Mapping[int, str], finder: HiddenReadFinder) -> Iterator[Leak]:
        hidden = finder.find_span(self._holes(address), seats)
        if hidden is not None:
            span, zone = hidden
            message = f"the reader of this sentence may not see into `{zone}`, so it prints `hidden` here"
            hint = f"{SAY_COUNT}, or leave it out of the sentence"
            if isinstance(finder, UnseenFinder):
                hint = f"{SAY_COUNT}, or reveal it before the game ends"
            yield Leak(span, lint_codes.SAYS_HIDDEN, message, "hidden from the reader", address, hint)


__all__ = ["HiddenReadFinder", "Leak", "LeakSearch", "UnseenFinder"]
