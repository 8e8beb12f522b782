"""Which rule before the step that fails has brought about what is wrong there?

In: a fault in play, the rules, the composition they were built from, and the game that failed, to be played again. Out:
the place of that rule, with what it does: a clause that leaves nothing of a row though it is to let everything pass
where nothing fits; a step that takes a player's own pieces to another player; a loop that leaves a thing in a place
which is to be filled anew; an action that notes what is offered, and not who has to pay for it, or that asks what
another one has who paid before. None where nothing of this is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from rulewright.checker.common.condition_nodes import key_span, part_span
from rulewright.checker.common.rules_read import steps_within
from rulewright.diagnostics import Span
from rulewright.engine.default_engine import make_engine, make_observed_engine, make_watched_engine
from rulewright.engine.faults import NoLegalAction, RuleFault
from rulewright.engine.interface import Engine, Event
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Call, Expr, Local, Quantifier, ReadState, ReadZone
from rulewright.expr.types import SEAT, Member, Number
from rulewright.expr.walk import find_position_read, free_variables, is_me, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Clause, OneOf
from rulewright.model.effects import Choose, Move, RunSteps, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef

Replay = Callable[[Engine], object]


@frozen
class EarlierCause:
    """Where a cause stands, what is said of it, in the place and beside it."""

    span: Span
    message: str
    label: str
    hint: str = ""


def find_earlier_cause(fault: RuleFault, rules: Rules, composition: Composition, replay: Replay) -> EarlierCause | None:
    """The first cause that is known; under variants only in what a variant wrote."""
    steps = {step.address: step for block in rules.blocks for step in block.steps}
    step = steps.get(fault.address)
    if step is None:
        return None
    finder = _Finder(rules, composition, replay)
    for cause in finder.find(fault, step):
        if composition.is_judged(cause.span):
            return cause
    return None


class _Finder:
    def __init__(self, rules: Rules, composition: Composition, replay: Replay) -> None:
        self.rules = rules
        self.root = composition.document.root
        self.replay = replay
        self.steps = [step for block in rules.blocks for step in block.steps]

    def find(self, fault: RuleFault, step: Step) -> Iterator[EarlierCause]:
        if isinstance(fault, NoLegalAction) and isinstance(step.effect, Choose):
            yield from self._refusing_clause(step.effect)
        if isinstance(move := step.effect, Move) and fault.key == "to":
            yield from self._left_behind(step, move)
        if isinstance(move, Move) and fault.key in ("move", "from"):
            yield from self._pieces_of_others(move)
            yield from self._unnoted_payer(move)

    # ---- a clause that is to let everything pass where nothing fits -----------------------------------------

    def _refusing_clause(self, choose: Choose) -> Iterator[EarlierCause]:
        """Of the one action that is offered the one clause that refuses all that is chosen from, and looks whether
        there is anything else to choose.
        """
        if len(choose.offers) != 1 or choose.offers[0].clauses:
            return
        action = self.rules.actions[choose.offers[0].action]
        rows = {structural_key(each.domain.of) for each in action.choices if isinstance(each.domain, OneOf)} - {None}
        asked = [clause for clause in action.clauses if _looks_through(clause.condition, rows)]
        answers = self._last_answers(action.clauses) if asked else {}
        for clause in asked:
            held = answers.get(clause.address)
            if held is not None and not any(held) and len(held) > 1:
                section, _, name = clause.address.rpartition(".")
                message = f"`{name}` refuses all that there is to choose from, though it asks what else there is"
                hint = "is what it asks of the others the wrong way round?"
                yield EarlierCause(key_span(self.root, section, name, clause.span), message, "refuses all", hint)

    def _last_answers(self, clauses: Sequence[Clause]) -> dict[str, list[bool]]:
        """How the clauses of an action came out in the last decision of the game."""
        addresses, answers = {clause.address for clause in clauses}, dict[str, list[bool]]()

        def note(event: Event) -> None:
            site, held = event
            if site in addresses:
                answers.setdefault(site, []).append(held)
            elif site in own:
                answers.clear()

        own = {step.address for step in self.steps}
        self.replay(make_observed_engine(self.rules, note))
        return answers

    # ---- a loop that leaves something ------------------------------------------------------------------------

    def _left_behind(self, step: Step, move: Move) -> Iterator[EarlierCause]:
        """The loops that take less often than a place is filled with at once."""
        zone = self.rules.zones[move.to.zone]
        given = move.amount.of
        if zone.capacity is None or given is None or not _is_fixed(given) or not isinstance(given.type, Number):
            return
        number = self._number(given)
        for loop in self.steps:
            times = loop.times
            if times is None or not _is_fixed(times) or not isinstance(loop.effect, RunSteps):
                continue
            if self._number(times) == number - 1 and self._takes_one(loop.effect.block, zone.name):
                message = f"this leaves one of {number} in `{zone.name}`, which is to be filled again"
                span = key_span(self.root, loop.address, "times", loop.span)
                yield EarlierCause(span, message, "once too few")

    def _takes_one(self, block: int, zone: str) -> bool:
        """Whether the steps of a block, with the turns in it, let each choose a thing of a zone and lay it down."""
        within = [*steps_within(block, self.rules.blocks, with_procedures=True)]
        within += steps_within(self.rules.turn, self.rules.blocks, with_procedures=True)
        chosen = [offer.action for step in within if isinstance(step.effect, Choose) for offer in step.effect.offers]
        domains = [choice.domain for number in chosen for choice in self.rules.actions[number].choices]
        rows = [domain.of for domain in domains if isinstance(domain, OneOf)]
        return any(getattr(row, "name", "") == zone for row in rows)

    def _number(self, expr: Expr) -> int:
        engine = make_engine(self.rules)
        return engine.compiler.compile_number(expr)(engine.context(engine.start(seed=0), 0))

    # ---- pieces of a player with another ---------------------------------------------------------------------

    def _pieces_of_others(self, move: Move) -> Iterator[EarlierCause]:
        """The last step that brought a player's own pieces to the place of another in the zone that lacks them."""
        if move.source is None or not self._is_of_own(move.source.zone):
            return
        zone = self.rules.zones[move.source.zone]
        bringing = {
            step.address: step
            for step in self.steps
            if isinstance(step.effect, Move) and step.effect.to.zone == zone.name and step.effect.to.keys
        }
        carried_out, wrong = list[str](), list[str]()  # of these steps, as far as all is in its place, and the last one

        def watch(address: str, position: MutableState) -> None:
            if not wrong and carried_out and _are_elsewhere(position, zone):
                wrong.append(carried_out[-1])
            elif address in bringing:
                carried_out.append(address)

        self.replay(make_watched_engine(self.rules, [step.address for step in self.steps], watch))
        for address in wrong:
            effect = bringing[address].effect
            assert isinstance(effect, Move)
            span = part_span(self.root, address, "to", effect.to.keys[0], bringing[address].span)
            message = f"this brings a player's own pieces to `{zone.name}` of another player"
            yield EarlierCause(span, message, "another player")

    def _is_of_own(self, name: str) -> bool:
        """Whether a zone has a place for each player, in which the pieces are players."""
        zone = self.rules.zones[name]
        return zone.key_types == (SEAT,) and zone.content_type == SEAT and isinstance(zone.content_type, Member)

    def _asked_before(self, action: ActionDef, move: Move, payer: str) -> Iterator[EarlierCause]:
        """The clauses that ask what whoever paid before has, of an action by which another one will pay."""
        zone = "" if move.source is None else move.source.zone
        for clause in action.clauses:
            for part in iter_exprs(clause.condition):
                keys = part.keys if isinstance(part, ReadZone) and part.name == zone else ()
                if any(isinstance(key, ReadState) and key.name == payer for key in keys):
                    section, _, name = clause.address.rpartition(".")
                    span = part_span(self.root, section, name, part, clause.span)
                    message = f"this asks whom `{payer}` named before, not `me`, who will pay"
                    yield EarlierCause(span, message, "not `me`", f"did you mean `{zone}(me)`?")

    def _goes_round(self, name: str) -> bool:
        """Whether a state names one player after another."""
        effects = (step.effect for step in self.steps)
        return any(isinstance(each, SetState) and each.target.name == name and _is_next(each) for each in effects)

    # ---- who has to pay is not noted --------------------------------------------------------------------------

    def _unnoted_payer(self, move: Move) -> Iterator[EarlierCause]:
        """The actions that set how much is taken to what was chosen, and not from whom."""
        keys = () if move.source is None else move.source.keys
        payers = [key.name for key in keys if isinstance(key, ReadState) and key.type == SEAT and not key.keys]
        of = move.amount.of
        if len(payers) != 1 or of is None or self._goes_round(payers[0]):
            return  # who is whose turn it is to do something is not who has offered
        amounts = {part.name for part in iter_exprs(of) if isinstance(part, ReadState) and part.name != payers[0]}
        for action in self.rules.actions:
            within = [*steps_within(action.block, self.rules.blocks)]
            setting = [step for step in within if _sets_to_choice(step, amounts)]
            written = [step.effect for step in within if isinstance(step.effect, SetState)]
            if setting:
                yield from self._asked_before(action, move, payers[0])
            if not setting or any(effect.target.name == payers[0] for effect in written):
                continue
            named = [step for step in within if isinstance(step.effect, SetState) and is_me(step.effect.to)]
            step = named[0] if len(named) == 1 else setting[0]
            assert isinstance(step.effect, SetState)
            amount = next(iter(amounts))
            message = f"`{action.name}` sets `{amount}`, and not `{payers[0]}`, who pays it"
            span = key_span(self.root, step.address, "set", step.span)
            yield EarlierCause(span, message, f"not `{payers[0]}`", f"set `{payers[0]}` to `me` here")


def _is_next(effect: SetState) -> bool:
    """Whether a state is set to the one who follows whom it names."""
    to = effect.to
    return (
        isinstance(to, Call)
        and to.function == "next"
        and isinstance(of := to.args[0], ReadState)
        and (of.name == effect.target.name)
    )


def _looks_through(condition: Expr, rows: Collection[object]) -> bool:
    """Whether a condition looks through a row that is chosen from."""
    return any(isinstance(part, Quantifier) and structural_key(part.over) in rows for part in iter_exprs(condition))


def _are_elsewhere(position: MutableState, zone: ZoneDef) -> bool:
    """Whether pieces of a player lie in the place of another."""
    bags = (position.bag(place) for place in range(zone.first_index, zone.first_index + zone.size))
    return any(number and member != seat for seat, bag in enumerate(bags) for member, number in enumerate(bag))


def _sets_to_choice(step: Step, names: set[str]) -> bool:
    effect = step.effect
    return isinstance(effect, SetState) and effect.target.name in names and isinstance(effect.to, Local)


def _is_fixed(expr: Expr) -> bool:
    """Whether it is known before play."""
    return find_position_read(expr) is None and not free_variables(expr)


__all__ = ["EarlierCause", "find_earlier_cause"]
