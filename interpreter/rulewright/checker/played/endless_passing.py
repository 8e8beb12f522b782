"""Can all players go on doing nothing, so that a game never ends?

In: rules that can be set up, the composition they were built from. Out: a warning where every decision of a round has
an answer that nothing can forbid and that changes nothing an end of the game asks about: a `may` that is declined, an
action without steps, one of which 0 pieces can be chosen. Two rounds are played in this way before it is said. Ends
that ask for the number of the round, or for anything that is set, rolled or moved in such a round, are taken to come.
Under variants only what they have brought about is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, assert_never

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.codes import RUNS_OVER
from rulewright.checker.common.emptying_moves import added_to
from rulewright.checker.common.lint_codes import NEVER_ENDS, UNUSED
from rulewright.checker.common.names_touched import POSSIBLE, Names, NamesTouched
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document.address import find_entry
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.playout import Playout, play_out
from rulewright.engine.state import DECLINE, Action, Decision, State
from rulewright.expr.tree import Expr, Range
from rulewright.expr.types import Bag
from rulewright.frozen import field, frozen, mutable
from rulewright.model.actions import ActionDef, Choice, Clause, OneOf, SomeOf
from rulewright.model.effects import (
    Choose,
    Finish,
    GiveTurn,
    Leave,
    Move,
    Offer,
    Reveal,
    Roll,
    RunSteps,
    SetState,
    Step,
)
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.value_ranges import FALSE, TRUE, BagRange, Scalars, SetRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import MappingNode

ROUNDS: Final = 2  # that are played without doing anything
MAX_DECISIONS: Final = 200
MAX_BLOCKS: Final = 20_000  # that are followed, each as often as it is run
MAX_TRIED: Final = 64  # answers, for one that changes nothing
ROUND_NUMBER: Final = "round_number"
HINT: Final = "end the game when all do so, or after some rounds, or allow it only to those who can do nothing else"


@frozen
class IdleOption:
    """How a decision is made without doing anything: by an action that may be `empty` of anything, or by declining."""

    step: Step
    action: ActionDef | None
    is_empty_answer: bool = False

    @property
    def number(self) -> int:
        """The number of the action, as it is played."""
        return DECLINE.number if self.action is None else self.action.index

    def span(self, root: MappingNode) -> Span:
        """Where it is shown: at the choice that may be nothing, or where the step offers it."""
        if self.action is None:
            return self.step.span
        if self.is_empty_answer:
            return self.action.choices[0].span
        assert isinstance(self.step.effect, Choose)
        offer = find_entry(root, f"{self.step.address}.{self.step.effect.mode}.{self.action.name}")
        return self.action.span if offer is None else offer.key.span


@frozen
class IdleGame:
    """The idle options of all decisions, in the order of the steps; the ends of the game, which do not come then."""

    options: tuple[IdleOption, ...]
    ends: tuple[Step, ...]


def check_endless_passing(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports a game that need not end, at one of the options."""
    if any(one.code in (NEVER_ENDS, RUNS_OVER, UNUSED) for one in diagnostics):  # which are why
        return
    game = find_idle_game(rules)
    if game is None or any(one.address == end.address for one in diagnostics for end in game.ends):
        return
    files = composition.variant_files
    spans = [option.span(composition.document.root) for option in game.options]
    own = [number for number, span in enumerate(spans) if span.source.path in files]
    option, span = next(((game.options[number], spans[number]) for number in own), (game.options[0], spans[0]))
    message = _message(option)
    if composition.chosen_variants:
        if not is_by_variants(composition, _is_right):
            return
        if not own:
            message, span = blamed(message, game.ends[0].address, composition, _is_right)
    diagnostics.add(
        span,
        NEVER_ENDS,
        message,
        label="can go on for ever",
        help=HINT,
        address=option.step.address if option.action is None else option.action.address,
        related=[Related(step.span, "does not come then") for step in game.ends if step.span != span],
    )


def _is_right(rules: Rules) -> bool:
    return find_idle_game(rules) is None


def _message(option: IdleOption) -> str:
    if option.action is None:
        return "nobody has to do anything: if all decline, no end of the game ever comes"
    if option.is_empty_answer:
        return f"`{option.action.name}` can be done with nothing: if all do so, no end of the game ever comes"
    return f"`{option.action.name}` can be chosen again and again: if all do so, no end of the game ever comes"


def find_idle_game(rules: Rules) -> IdleGame | None:
    """How all can do nothing for ever; None where somebody has to do something, or an end may come all the same."""
    idle = _idle(rules)
    if not idle.follow(rules.round, {}, frozenset()) or not idle.options or not idle.ends:
        return None
    changing = {*idle.written, ROUND_NUMBER, POSSIBLE}
    changing |= {state.name for state in rules.states.values() if state.reset_scope}
    if any(not asked or asked & changing for _, asked in idle.ends):
        return None
    if not _goes_on(rules, idle.options):
        return None
    return IdleGame(tuple(idle.options.values()), tuple(dict.fromkeys(step for step, _ in idle.ends)))


def _idle(rules: Rules) -> _Idle:
    """A round of which nothing is known yet."""
    declared = find_declared_ranges(rules)
    ranges = ExpressionRanges(rules, declared.contents, declared.variables)
    return _Idle(rules, NamesTouched(rules), ranges, iter(range(MAX_BLOCKS)))


@mutable
class _Idle:
    """A round in which nobody does anything. `options`: by the address of the step that asks; `ends`: each with what it
    asks about; `written`: what changes all the same. `names`, `ranges`: of these rules, found once for all offers.
    """

    rules: Rules
    names: NamesTouched
    ranges: ExpressionRanges
    room: Iterator[int]  # for blocks that are followed: rules in which they are too many are not judged
    options: dict[str, IdleOption] = field(default_factory=dict)
    ends: list[tuple[Step, Names]] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    under_way: set[int] = field(default_factory=set)
    gone_by: set[tuple[object, ...]] = field(default_factory=set)  # blocks, each with its variables and what decides

    def follow(self, number: int, env: Variables, around: Names) -> bool:
        """Whether the steps of a block can go by while nobody does anything. `around`: what decides whether it runs."""
        key = (number, frozenset(env.items()), around)
        if key in self.gone_by:
            return True
        if number in self.under_way or next(self.room, None) is None:
            return False
        block = self.rules.blocks[number]
        self.under_way.add(number)
        self.written |= {state.name for state in self.rules.states.values() if state.block_address == block.address}
        goes_by = all(self._follow_step(step, env, around) for step in block.steps)
        self.under_way.remove(number)
        if goes_by:
            self.gone_by.add(key)
        return goes_by

    def _follow_step(self, step: Step, env: Variables, around: Names) -> bool:
        loop = step.for_each
        if step.when is not None and self._value(step.when, env) == FALSE:
            return True
        asked = [step.when, step.while_condition, step.times]
        asked += [] if loop is None else [loop.over, loop.condition]
        around = around.union(*(self.names.read(expr) for expr in asked if expr is not None))
        match step.effect:
            case Move() as move:
                if not self._moves_nothing(move, env):
                    self.written |= self.names.written(step)
            case SetState() as change:
                if not self._adds_nothing(change, env):
                    self.written |= self.names.written(step)
            case Roll():
                self.written |= self.names.written(step)
            case Finish() | Leave():
                self.written |= self.names.written(step)
                self.ends.append((step, around))
            case GiveTurn():
                return self.rules.turn in self.under_way or self.follow(self.rules.turn, {}, around)
            case RunSteps(block=block, is_procedure=is_procedure, arguments=arguments):
                given = dict(enumerate(self.ranges.range_of(each, env, self.ranges.seats) for each in arguments))
                return self.follow(block, given if is_procedure else env, around)
            case Choose() as choose:
                return self._follow_choice(step, choose, around)
            case Reveal():
                pass
            case _:
                assert_never(step.effect)
        return True

    def _follow_choice(self, step: Step, choose: Choose, around: Names) -> bool:
        if choose.mode == "may":
            self.options[step.address] = IdleOption(step, None)
            return True
        possible = []
        for offer in choose.offers:
            answers = self._idle_answers(offer)
            if answers is None:
                continue
            trial = _Idle(self.rules, self.names, self.ranges, self.room, under_way={*self.under_way})
            action = self.rules.actions[offer.action]
            if trial.follow(action.block, answers, around):
                possible.append((IdleOption(step, action, is_empty_answer=bool(answers)), trial))
        if not possible:
            return False
        option, trial = min(possible, key=lambda one: len(one[1].written) + len(one[1].ends))
        self.options |= {step.address: option, **trial.options}
        self.ends += trial.ends
        self.written |= trial.written
        return True

    def _idle_answers(self, offer: Offer) -> Variables | None:
        """Answers that are nothing, by the slots of the choices, of an action that can always be done with them."""
        action, answers = self.rules.actions[offer.action], dict[int, BagRange | Scalars | SetRange]()
        for slot, choice in enumerate(action.choices):
            nothing = self._nothing(choice, answers)
            if nothing is None:
                return None
            answers[slot] = nothing
        clauses: Sequence[Clause] = (*action.clauses, *offer.clauses)
        holds = all(self._value(clause.condition, answers) == TRUE for clause in clauses)
        return answers if holds else None

    def _nothing(self, choice: Choice, answers: Variables) -> BagRange | Scalars | SetRange | None:
        """The answer that is nothing, where it is always possible."""
        match choice.domain:
            case OneOf(of=Range(low=low, high=high)):
                lows, highs = self._value(low, answers), self._value(high, answers)
                return Scalars.of((0,)) if lows.high <= 0 <= highs.low else None
            case SomeOf(total=total):
                if isinstance(total, Range):
                    lows, highs = self._value(total.low, answers), self._value(total.high, answers)
                    if not lows.high <= 0 <= highs.low:
                        return None
                elif total is not None:
                    return None
                return BagRange.exactly(()) if isinstance(choice.type, Bag) else SetRange.exactly(())
        return None

    def _value(self, expr: Expr, env: Variables) -> Scalars:
        return self.ranges.scalars(expr, env, self.ranges.seats)

    def _moves_nothing(self, move: Move, env: Variables) -> bool:
        if move.amount.of is None:
            return False
        match self.ranges.range_of(move.amount.of, env, self.ranges.seats):
            case BagRange(high_total=most):
                return most == 0
            case SetRange(most=most):
                return most == 0
            case Scalars(high=most):
                return most == 0 and move.amount.mode in ("top", "random", "up to random")
        return False

    def _adds_nothing(self, change: SetState, env: Variables) -> bool:
        added = added_to(change.target, change.to)
        return added is not None and self._value(added, env).single == 0


def _goes_on(rules: Rules, options: Mapping[str, IdleOption]) -> bool:
    """Whether a game is not over after two rounds in which all choose these."""
    engine = make_engine(rules)

    def choose(state: State, legal: tuple[Action, ...]) -> Action:
        assert isinstance(state.waiting, Decision)
        step = rules.blocks[state.waiting.block].steps[state.waiting.step]
        number = options[step.address].number if step.address in options else legal[0].number
        fitting = [action for action in legal if action.number == number][:MAX_TRIED]
        unchanged = (action for action in fitting if engine.apply_legal(state, action).contents == state.contents)
        return next(unchanged, legal[0])

    try:
        game = Playout(engine, engine.start(seed=0))
        for number, _ in enumerate(play_out(game, choose)):
            if game.state.round > ROUNDS or number > MAX_DECISIONS:
                break
    except RuleFault:
        return False
    return not game.state.over and game.state.round > ROUNDS


__all__ = ["IdleGame", "IdleOption", "check_endless_passing", "find_idle_game"]
