"""Is there a condition that never holds in games, however often it is asked?

In: rules that can be played, the composition they were built from, how many decisions are played. Out: a warning about
the first clause of an action, or condition of a step, that was asked often and never held, in games most of which came
to their end. That is no proof, so the number of times is said. Conditions that players who do anything seldom meet are
passed over: those that ask for more than a few of something, or just so many; those that ask for the round or the
number of players, and ends of the game. So are those that parameters may turn off. Of a step, what asks for so much, or
is turned off, is told where it often holds before other steps of the same games. Under variants only what a variant
wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.adjustable_numbers import can_be_adjusted
from rulewright.checker.common.codes import NEVER_HELD
from rulewright.checker.common.condition_nodes import condition_node, key_span
from rulewright.checker.common.lint_codes import NEVER_SET_BACK
from rulewright.checker.common.most_players import has_most_players, with_fewest_players
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.tried_games import GameWatcher, watch_games
from rulewright.checker.logic.never_done import REASON_CODES
from rulewright.checker.played.met_elsewhere import find_met_elsewhere
from rulewright.diagnostics import Cause, Diagnostics, Span
from rulewright.engine.default_engine import make_watchable_engine
from rulewright.engine.interface import Event, WatchableEngine
from rulewright.engine.reference.observation import loop_site, when_site
from rulewright.engine.state import State
from rulewright.expr.tree import Binding, Builtin, Call, Compare, Constant, Expr, Local, ReadState, ReadZone
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen
from rulewright.model.effects import Finish, Leave, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, run_blocks
from rulewright.source.nodes import ScalarNode

FEW_GAMES: Final = 2  # after which no more are played if all that was asked has held
MIN_ASKED: Final = 60  # times
MIN_ASKED_OF_FEWER: Final = 12  # where the fewest play
MAX_TRIED: Final = 2  # conditions of which it is tried whether they hold elsewhere
MIN_EXPECTED: Final = 12  # times that it would have held if it did as often as elsewhere
ORDERS: Final = ("<", "<=", ">", ">=", "fits in")
MAX_FEW: Final = 3  # things, of which somebody often holds just so many
SELDOM: Final = ("round_number", "players")  # what is compared with these is meant for few games


@frozen
class _Asked:
    """A condition: the address of its rule, its key there, the site at which an engine tells of it, what follows if it
    never holds; the loop of whose variable it asks.
    """

    address: str
    key: str
    site: str
    condition: Expr
    span: Span
    what: str = ""
    is_step: bool = True
    loop: Binding | None = None


class NeverHeld:
    """The conditions that are judged: where most play, unless something else may be why."""

    def __init__(self, rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
        self._rules = rules
        self._composition = composition
        self._asked = list[_Asked]()
        if has_most_players(composition) and not any(one.code in REASON_CODES for one in diagnostics):
            self._asked = [one for one in _asked(rules, composition) if _is_judged(one, rules)]
        self.answers = AnswerCounts({one.site for one in self._asked})  # which watch the games

    def report(self, diagnostics: Diagnostics, decisions: int) -> None:
        """Reports the first that never held. `decisions`: how many were played in a game."""
        tried = 0
        for one in self._asked:
            often, held = self.answers.counts.get(one.site, (0, 0))
            if often < MIN_ASKED or held:
                continue
            hint = "does it ask for what excludes itself, too early or too late?"
            if not _can_be_met_anytime(one.condition, self._rules):
                tried += 1
                if tried > MAX_TRIED:
                    continue
                elsewhere = find_met_elsewhere(self._rules, one.address, one.condition, one.loop)
                if elsewhere is None or often * elsewhere.share < MIN_EXPECTED:
                    continue
                if _holds_for_fewer(one.site, self._composition, decisions):
                    continue
                hint = f"it often holds before `{elsewhere.address}`: is this too early or too late?"
            if not _is_reported(one, self._rules, diagnostics):
                _report(one, often, hint, self._composition, diagnostics)
                return


class AnswerCounts(GameWatcher):
    """How often each of some conditions was asked, and how often it held, by their sites."""

    def __init__(self, sites: set[str]) -> None:
        self.counts = dict[str, tuple[int, int]]()
        self._sites = sites
        self._games = 0
        self._is_closed = not sites

    def attach(self, engine: WatchableEngine) -> None:
        """Counts what is asked from now on."""
        if self._sites:
            engine.observe(self._note)

    def _note(self, event: Event) -> None:
        site, held = event
        if site in self._sites and not self._is_closed:
            often, before = self.counts.get(site, (0, 0))
            self.counts[site] = often + 1, before + held

    def end_game(self, state: State) -> None:
        """What was not asked in the first games is not asked often."""
        self._games += 1
        self._is_closed = self._games >= FEW_GAMES and all(held for _, held in self.counts.values())

    def has_seen_all(self) -> bool:
        """Whether all that was asked has held."""
        return self._is_closed


def _is_judged(one: _Asked, rules: Rules) -> bool:
    """Whether it is told that a condition never holds: by itself, or where it does elsewhere."""
    if one.is_step and _is_about_positions(one.condition, rules):
        return True
    return _can_be_met_anytime(one.condition, rules)


def _report(one: _Asked, often: int, hint: str, composition: Composition, diagnostics: Diagnostics) -> None:
    node = condition_node(composition.document.root, one.address, one.key)
    text = f"`{node.text}`" if isinstance(node, ScalarNode) and one.key != "for_each" else "this"
    message = f"{text} never held{one.what}: it was asked {often} times in games that were tried"
    diagnostics.add(
        one.span, NEVER_HELD, message, label="never held", help=hint, address=one.address, cause=Cause("players")
    )


def _holds_for_fewer(site: str, composition: Composition, decisions: int) -> bool:
    """Whether a condition holds, or is hardly asked, where the fewest play."""
    smaller = with_fewest_players(composition)
    if smaller is None or smaller[0].players == composition.players:
        return False
    answers = AnswerCounts({site})
    if not watch_games(make_watchable_engine(smaller[1]), [answers], decisions):
        return True  # or it is not known
    often, held = answers.counts.get(site, (0, 0))
    return held > 0 or often < MIN_ASKED_OF_FEWER


def _is_reported(asked: _Asked, rules: Rules, diagnostics: Diagnostics) -> bool:
    """Whether that is told already, or that nothing sets back a state which it asks for."""
    read = NamesTouched(rules).read(asked.condition)
    for one in diagnostics:
        if one.span.source is asked.span.source and one.span.line == asked.span.line:
            return True
        if one.code is NEVER_SET_BACK and one.address.partition(".")[2] in read:
            return True
    return False


def _asked(rules: Rules, composition: Composition) -> Iterator[_Asked]:
    """The clauses of actions, and the conditions of steps that end nothing, as far as they are judged."""
    root = composition.document.root
    for action in rules.actions:
        for clause in action.clauses:
            section, _, name = clause.address.rpartition(".")
            span = key_span(root, section, name, clause.span)
            if composition.is_judged(span):
                what = f", so nobody did `{action.name}`"
                yield _Asked(section, name, clause.address, clause.condition, span, what, is_step=False)
    for step in (step for block in rules.blocks for step in block.steps):
        if _ends_something(step, rules):
            continue
        within = None if step.for_each is None else step.for_each.condition
        for key, site, condition, loop in (
            ("when", when_site(step.address), step.when, None),
            ("for_each", loop_site(step.address), within, step.for_each),
        ):
            span = key_span(root, step.address, key, step.span)
            if condition is not None and composition.is_judged(span):
                yield _Asked(step.address, key, site, condition, span, loop=loop)


def _ends_something(step: Step, rules: Rules) -> bool:
    """Whether a step ends the game or lets somebody leave, itself or inside."""
    inner = (
        each for block in blocks_within(rules, run_blocks(rules, step.effect)) for each in rules.blocks[block].steps
    )
    return any(isinstance(each.effect, Finish | Leave) for each in (step, *inner))


def _is_about_positions(condition: Expr, rules: Rules) -> bool:
    """Whether a condition is not about how late it is or how many play."""
    parts = all_parts(rules.values, [condition])
    return not any(isinstance(part, Builtin) and part.name in SELDOM for part in parts)


def _can_be_met_anytime(condition: Expr, rules: Rules) -> bool:
    """Whether a condition is about positions, not about how much has been gathered, nor turned off by parameters."""
    return not can_be_adjusted(rules, condition) and asks_for_little(condition, rules)


def asks_for_little(condition: Expr, rules: Rules) -> bool:
    """Whether a condition is about positions, and not about how much has been gathered."""
    if not _is_about_positions(condition, rules):
        return False
    parts = [*all_parts(rules.values, [condition])]
    if not any(isinstance(part, ReadZone | ReadState) for part in parts):
        return any(isinstance(part, Local) for part in parts)
    return not any(isinstance(part, Compare) and _compares_amounts(part) for part in parts)


def _compares_amounts(part: Compare) -> bool:
    """Whether a comparison asks for much: for a bound above 1, or of what is counted just for a number above 3."""
    least = part.right.value if isinstance(part.right, Constant) and isinstance(part.right.value, int) else None
    if part.op in ORDERS:
        return least not in (0, 1)
    is_counted = isinstance(part.left.type, Number) and any(map(_is_counted, iter_exprs(part.left)))
    return part.op == "is" and is_counted and (least is None or least > MAX_FEW)


def _is_counted(expr: Expr) -> bool:
    return isinstance(expr, ReadZone) or (isinstance(expr, Call) and expr.function == "count")


__all__ = ["NeverHeld", "asks_for_little"]
