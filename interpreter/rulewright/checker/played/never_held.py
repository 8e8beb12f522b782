"""Is there a condition that never holds in games, however often it is asked?

In: rules that can be played, the composition they were built from, how many decisions are played. Out: a warning about
the first clause of an action, or condition of a step, that was asked often and never held, in games most of which came
to their end. That is no proof, so the number of times is said. Conditions that players who do anything seldom meet are
passed over: those that compare how much there is, that ask for the round or the number of players, and ends of the
game. So are those that parameters may turn off. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.adjustable_numbers import can_be_adjusted
from rulewright.checker.common.checking_players import checking_players
from rulewright.checker.common.codes import NEVER_HELD
from rulewright.checker.common.condition_nodes import condition_node, key_span
from rulewright.checker.common.most_players import has_most_players
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.tried_games import first_seed, try_game
from rulewright.checker.logic.never_done import REASON_CODES
from rulewright.diagnostics import Cause, Diagnostics, Span
from rulewright.engine.default_engine import make_observed_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.observation import Event, loop_site, when_site
from rulewright.expr.tree import Builtin, Compare, Constant, Expr, Local, ReadState, ReadZone
from rulewright.frozen import frozen
from rulewright.model.effects import Finish, Leave, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, run_blocks
from rulewright.source.nodes import ScalarNode

GAMES: Final = 10
MIN_FINISHED: Final = 4  # of them, before anything is said
MIN_ASKED: Final = 60  # times
ORDERS: Final = ("<", "<=", ">", ">=", "fits in")
SELDOM: Final = ("round_number", "players")  # what is compared with these is meant for few games


@frozen
class _Asked:
    """A condition: the address of its rule, its key there, the site at which an engine tells of it, what follows if it
    never holds.
    """

    address: str
    key: str
    site: str
    condition: Expr
    span: Span
    what: str


def check_never_held(rules: Rules, composition: Composition, diagnostics: Diagnostics, decisions: int) -> None:
    """Reports the first where most play."""
    if not has_most_players(composition) or any(one.code in REASON_CODES for one in diagnostics):
        return
    asked = [one for one in _asked(rules, composition) if _can_be_met_anytime(one.condition, rules)]
    counts = _answers(rules, {one.site for one in asked}, decisions) if asked else {}
    for one in asked:
        often, held = counts.get(one.site, (0, 0))
        if often < MIN_ASKED or held or _is_reported(one.span, diagnostics):
            continue
        node = condition_node(composition.document.root, one.address, one.key)
        text = f"`{node.text}`" if isinstance(node, ScalarNode) and one.key != "for_each" else "this"
        message = f"{text} never held{one.what}: it was asked {often} times in games that were tried"
        hint = "does it ask for what excludes itself, too early or too late?"
        diagnostics.add(
            one.span, NEVER_HELD, message, label="never held", help=hint, address=one.address, cause=Cause("players")
        )
        return


def _is_reported(span: Span, diagnostics: Diagnostics) -> bool:
    return any(one.span.source is span.source and one.span.line == span.line for one in diagnostics)


def _asked(rules: Rules, composition: Composition) -> Iterator[_Asked]:
    """The clauses of actions, and the conditions of steps that end nothing, as far as they are judged."""
    root = composition.document.root
    for action in rules.actions:
        for clause in action.clauses:
            section, _, name = clause.address.rpartition(".")
            span = key_span(root, section, name, clause.span)
            if composition.is_judged(span):
                yield _Asked(section, name, clause.address, clause.condition, span, f", so nobody did `{action.name}`")
    for step in (step for block in rules.blocks for step in block.steps):
        if _ends_something(step, rules):
            continue
        loop = None if step.for_each is None else step.for_each.condition
        for key, site, condition in (
            ("when", when_site(step.address), step.when),
            ("for_each", loop_site(step.address), loop),
        ):
            span = key_span(root, step.address, key, step.span)
            if condition is not None and composition.is_judged(span):
                yield _Asked(step.address, key, site, condition, span, "")


def _ends_something(step: Step, rules: Rules) -> bool:
    """Whether a step ends the game or lets somebody leave, itself or inside."""
    inner = (
        each for block in blocks_within(rules, run_blocks(rules, step.effect)) for each in rules.blocks[block].steps
    )
    return any(isinstance(each.effect, Finish | Leave) for each in (step, *inner))


def _can_be_met_anytime(condition: Expr, rules: Rules) -> bool:
    """Whether a condition is about positions, and not about how much has been gathered or how late it is."""
    parts = [*all_parts(rules.values, [condition])]
    if any(isinstance(part, Builtin) and part.name in SELDOM for part in parts) or can_be_adjusted(rules, condition):
        return False
    if not any(isinstance(part, ReadZone | ReadState) for part in parts):
        return any(isinstance(part, Local) for part in parts)
    orders = [part for part in parts if isinstance(part, Compare) and part.op in ORDERS]
    return all(isinstance(part.right, Constant) and part.right.value in (0, 1) for part in orders)


def _answers(rules: Rules, sites: set[str], decisions: int) -> dict[str, tuple[int, int]]:
    """How often each condition was asked, and how often it held; nothing where too few games came to their end."""
    counts = dict[str, tuple[int, int]]()

    def note(event: Event) -> None:
        site, held = event
        if site in sites:
            often, before = counts.get(site, (0, 0))
            counts[site] = often + 1, before + held

    engine, first, finished = make_observed_engine(rules, note), first_seed(rules), 0
    names = checking_players(rules)
    for number in range(GAMES):
        name = names[number // 2 % len(names)] if number % 2 else "random"
        try:
            game, steps = try_game(engine, name, first + number)
            for made, _ in enumerate(steps):
                if made >= decisions:
                    break
        except RuleFault:  # which is told elsewhere
            return {}
        finished += game.state.over
        if number + 1 - finished > GAMES - MIN_FINISHED:
            return {}
    return counts


__all__ = ["check_never_held"]
