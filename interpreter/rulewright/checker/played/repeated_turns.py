"""Does a player who may take another turn for what is done in it, or do it again, ever have to stop?

In: rules that random games have not made fail, the composition they were built from, what is told already. Out: a
warning at a step that gives who acts another turn, whatever happens, or offers the same action again, where such a
player did it a great many times on end, in a game in which everybody does it whenever it can be done; or at one that
gives another turn under a condition that no turn changes, where one player did so much on end. What uses
something up comes to its end before that, and what ends the game does, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.lint_codes import NEVER_ENDS
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.tried_games import first_seed
from rulewright.checker.logic.endless_extra_turns import TURN_HINT, sure_steps, turns_given_back
from rulewright.checker.logic.steady_extra_turns import are_steady, report_steady_turn, steady_extra_turns
from rulewright.diagnostics import Diagnostics
from rulewright.engine.chance import seed_rng
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.playout import Playout, RandomChoices, play_out
from rulewright.engine.state import Action, Decision, State
from rulewright.expr.walk import is_me
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, GiveTurn, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

TIMES: Final = 200  # on end: more often than anything that is used up lasts
GAMES: Final = 2
MAX_DECISIONS: Final = 600  # of a game
OFFER_HINT: Final = "let it use something up, or count in a state how often it is done"


def check_repeated_turns(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first."""
    if rules.players == 1 or any(one.code is NEVER_ENDS for one in diagnostics):
        return
    steady = steady_extra_turns(rules)
    if steady and _goes_on(rules, None):
        report_steady_turn(steady[0], composition, diagnostics)
        return
    found = next((again for again in _done_again(rules) if _goes_on(rules, again[0])), None)
    if found is None:
        return
    action, step = found
    message, span = (
        f"`{action.name}` was done {TIMES} times on end in a game that was tried: nothing stops it",
        step.span,
    )
    if composition.chosen_variants:
        if not is_by_variants(composition, _is_right):
            return
        if not composition.is_judged(span):
            message, span = blamed(message, step.address, composition, _is_right)
    is_offer = isinstance(step.effect, Choose)
    label, hint = ("offered each time", OFFER_HINT) if is_offer else ("another turn each time", TURN_HINT)
    diagnostics.add(span, NEVER_ENDS, message, label=label, help=hint, address=step.address)


def _is_right(rules: Rules) -> bool:
    return not any(_goes_on(rules, action) for action, _ in _done_again(rules))


def _done_again(rules: Rules) -> Iterator[tuple[ActionDef, Step]]:
    """The actions that who does them can do again at once, and the first step of each that sees to that."""
    yield from turns_given_back(rules)
    names = NamesTouched(rules)
    for action in rules.actions:
        for step in rules.blocks[action.block].steps:
            is_own = isinstance(step.effect, GiveTurn) and is_me(step.effect.seat)
            if is_own and step.when is not None and are_steady([step.when], names):
                yield action, step
    for action in rules.actions:
        for step in sure_steps(rules, action.block):
            if isinstance(step.effect, Choose) and any(offer.action == action.index for offer in step.effect.offers):
                yield action, step
                break


def _goes_on(rules: Rules, action: ActionDef | None) -> bool:
    """Whether one player does it, or anything if there is none, so many times on end."""
    engine = make_engine(rules)
    for seed in range(first_seed(rules), first_seed(rules) + GAMES):
        random = RandomChoices(seed_rng(seed))

        def choose(state: State, legal: tuple[Action, ...], random: RandomChoices = random) -> Action:
            wanted = () if action is None else tuple(one for one in legal if one.number == action.index)
            return random.choose(state, wanted or legal)

        seat, times, made = -1, 0, 0
        try:
            for step in play_out(Playout(engine, engine.start(seed=seed)), choose, draw=random.draw):
                if step.action is None:
                    continue
                assert isinstance(step.before.waiting, Decision)
                made += 1
                if step.before.waiting.seat != seat:
                    seat, times = step.before.waiting.seat, 0
                times += action is None or step.action.number == action.index
                if times >= TIMES:
                    return True
                if made >= MAX_DECISIONS:
                    break
        except RuleFault:  # which is told elsewhere
            return False
    return False


__all__ = ["check_repeated_turns"]
