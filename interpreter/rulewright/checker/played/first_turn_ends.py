"""Does a game end with its first turn, so that nobody else ever has one?

In: rules that can be played, the composition they were built from. Out: a warning about a step of the turn that has
ended every game that was tried in its first turn, where rules give more than one player a turn. That is no proof, so
the number of games is said. Under variants only a step that a variant wrote.
"""

from __future__ import annotations

from rulewright.checker.common.codes import ENDS_AT_ONCE
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.played.early_ends import GAMES, final_positions
from rulewright.diagnostics import Diagnostics
from rulewright.engine.default_engine import make_engine
from rulewright.model.effects import Finish, GiveTurn, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode


def check_first_turn_ends(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first of them."""
    if rules.players == 1 or any(one.code is ENDS_AT_ONCE for one in diagnostics) or not _gives_many_turns(rules):
        return
    ends = [step for step in rules.blocks[rules.turn].steps if _is_end(step) and composition.is_judged(step.span)]
    step = _ending_first_turns(rules, ends) if ends else None
    if step is None:
        return
    node = condition_node(composition.document.root, step.address)
    text, span = "this ends the game", step.span
    if isinstance(node, ScalarNode):
        text, span = f"`{node.text}` holds", node.span
    message = f"{text} in the first turn: in each of {GAMES} games only one player had a turn"
    hint = "is this condition the wrong way round?" if step.when is not None else "is its `when` missing?"
    diagnostics.add(span, ENDS_AT_ONCE, message, label="ends every game at once", help=hint, address=step.address)


def _ending_first_turns(rules: Rules, ends: list[Step]) -> Step | None:
    """The one of some steps that has ended every game in its first turn."""
    found = set[int]()
    for state in final_positions(make_engine(rules)):
        frame = state.end_frame
        if not state.over or state.turn_count > 1 or frame is None:
            return None
        found.add(id(rules.blocks[frame.block].steps[frame.step]))
    return next((step for step in ends if {id(step)} == found), None)


def _gives_many_turns(rules: Rules) -> bool:
    """Whether the steps of a round give several players a turn."""
    return any(
        isinstance(step.effect, GiveTurn) and not step.effect.is_extra and step.for_each is not None
        for step in rules.blocks[rules.round].steps
    )


def _is_end(step: Step) -> bool:
    """Whether a step ends the game then and there, as it is carried out once."""
    is_once = not step.is_repeated
    return is_once and isinstance(step.effect, Finish) and step.effect.when == "now"


__all__ = ["check_first_turn_ends"]
