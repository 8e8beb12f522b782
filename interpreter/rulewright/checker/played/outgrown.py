"""Does a state that only grows shut out an action for the rest of the game, and is nothing there to set it back?

In: each position of the games that were tried in which somebody decides, with what is legal there; the rules, and the
composition they were built from. Out: a warning about a state that steps only ever raise, or only ever lower, and that
an action has to exceed each time, where nobody could do that action any more for the longer part of each game. That is
no proof, so the number of games is said. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common.codes import NEVER_ABLE
from rulewright.checker.common.emptying_moves import added_to
from rulewright.checker.common.rules_read import reads_state
from rulewright.checker.common.steps_asked import action_of
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.address import find_entry
from rulewright.engine.state import Action, Decision, State
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import SIDES_SWAPPED, Arithmetic, Call, Compare, Constant, Expr, ReadState
from rulewright.expr.walk import conjuncts, iter_exprs
from rulewright.frozen import field, mutable
from rulewright.model.actions import Clause
from rulewright.model.effects import Choose, Roll, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef

MIN_GAMES: Final = 2  # that came to their end
MIN_SHUT: Final = 10  # decisions in each, at the end of which nobody could do it
STRICT: Final = (">", "<")


@mutable
class OutgrownCounts(GameWatcher):
    """By action, each time that it was offered in the game under way, whether it could be done; of the games before
    only how often it was offered, and how often in vain at last.
    """

    rules: Rules
    candidates: Mapping[int, tuple[StateDef, Clause]] = field(default_factory=dict)
    offered: dict[int, list[bool]] = field(default_factory=dict)
    games: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.candidates = dict(_find_outgrowing(self.rules))

    def add(self, state: State, legal: Sequence[Action]) -> None:
        """Counts a decision."""
        waiting = state.waiting
        if not self.candidates or not isinstance(waiting, Decision):
            return
        effect = self.rules.blocks[waiting.block].steps[waiting.step].effect
        able = {action.number for action in legal}
        for offer in effect.offers if isinstance(effect, Choose) else ():
            if offer.action in self.candidates:
                self.offered.setdefault(offer.action, []).append(offer.action in able)

    def end_game(self, state: State) -> None:
        """Closes a game; one that is given up says nothing."""
        for action, able in self.offered.items() if state.over else ():
            shut = next((index for index, each in enumerate(reversed(able)) if each), len(able))
            self.games.setdefault(action, []).append((len(able), shut))
        self.offered = {}

    def report(self, composition: Composition, diagnostics: Diagnostics) -> None:
        """Reports the first."""
        for number, games in self.games.items():
            state, clause = self.candidates[number]
            entry = find_entry(composition.document.root, state.address)
            if len(games) < MIN_GAMES or any(shut < max(MIN_SHUT, asked // 2) for asked, shut in games):
                continue
            if entry is None:
                continue
            span, action = entry.key.span, self.rules.actions[number]
            if not composition.is_judged(span):
                continue
            asked, shut = games[0]
            message = f"nothing sets `{state.name}` back, and after some time nobody can do `{action.name}`: in each "
            message += f"of {len(games)} games that were tried, such as the last {shut} of {asked} times in the first"
            hint = "set it back where all begins anew, or with `resets`"
            related = [Related(clause.span, "asks for it")]
            label, address = "goes only one way", state.address
            diagnostics.add(span, NEVER_ABLE, message, label=label, help=hint, address=address, related=related)
            return


def _find_outgrowing(rules: Rules) -> Iterator[tuple[int, tuple[StateDef, Clause]]]:
    """The actions that have to exceed a state that goes only one way, each with that and the clause."""
    for action in rules.actions:
        for clause in action.clauses:
            for name, sign, _ in _exceeded(clause.condition):
                state = rules.states[name]
                steps = [step for block in rules.blocks for step in block.steps]
                writers = [step for step in steps if _written(step) == name]
                goes_on = all(_goes(step, name, sign, rules) for step in writers)
                if writers and goes_on and not state.reset_scope and not state.block_address:
                    yield action.index, (state, clause)


def _exceeded(condition: Expr) -> Iterator[tuple[str, str, Expr]]:
    """The states that a condition asks something to be above (`>`) or below, with that."""
    for part in conjuncts(condition):
        if not isinstance(part, Compare) or part.op not in STRICT:
            continue
        for read, other, sign in ((part.right, part.left, part.op), (part.left, part.right, SIDES_SWAPPED[part.op])):
            if isinstance(read, ReadState) and not isinstance(other, Constant) and not reads_state((other,), read.name):
                yield read.name, sign, other


def _goes(step: Step, name: str, sign: str, rules: Rules) -> bool:
    """Whether a step leaves a state as it is, or takes it on in one direction."""
    if not isinstance(step.effect, SetState):
        return False
    target, to = step.effect.target, step.effect.to
    if isinstance(to, Call) and to.function == ("max" if sign == ">" else "min"):
        return any(isinstance(arg, ReadState) and arg.name == name for arg in to.args)
    added = added_to(target, to)
    if added is not None:
        signs = {part.op for part in iter_exprs(to) if isinstance(part, Arithmetic)}
        return isinstance(added, Constant) and signs == {"+" if sign == ">" else "-"}
    action = action_of(rules.actions, step.address)
    given = structural_key(to)
    exceeding = [] if action is None else [each for clause in action.clauses for each in _exceeded(clause.condition)]
    return given is not None and any(
        (asked, way) == (name, sign) and structural_key(other) == given for asked, way, other in exceeding
    )


def _written(step: Step) -> str:
    return step.effect.target.name if isinstance(step.effect, SetState | Roll) else ""


__all__ = ["OutgrownCounts"]
