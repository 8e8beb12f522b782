"""What begins and ends: rounds, turns, actions and the game itself.

In: a `Draft`. Out: the same draft with new steps on its stack.
"""

from __future__ import annotations

from rulewright.engine.layout import Layout
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.state import Action, Frame
from rulewright.model.rules import Rules


class GameFlow:
    """Puts steps on the stack of a draft."""

    def __init__(self, rules: Rules, layout: Layout) -> None:
        self.rules = rules
        self.layout = layout
        self.resets = {
            when: [one for one in rules.states.values() if one.reset_scope == when] for when in ("turn", "round")
        }

    def begin_round(self, d: MutableState) -> None:
        """A round begins."""
        d.round += 1
        self._reset(d, "round")
        d.stack.append(Frame(self.rules.round, 0, (), None, -1))

    def begin_turn(self, d: MutableState, seat: int) -> None:
        """A seat's turn begins."""
        d.mark_turn(seat)
        d.turn_count += 1
        self._reset(d, "turn")
        d.stack.append(Frame(self.rules.turn, 0, (), None, seat))

    def begin_finale(self, d: MutableState) -> None:
        """The game ends: whatever is under way is left, and what stands after the end is done."""
        d.stack.clear()
        d.ending = True
        d.stack.append(Frame(self.rules.finale, 0, (), None, -1))

    def begin_action(self, d: MutableState, action: Action, seat: int) -> None:
        """An action's steps begin for a seat."""
        definition = self.rules.actions[action.number]
        d.stack.append(Frame(definition.block, 0, action.values, None, seat))

    def _reset(self, d: MutableState, when: str) -> None:
        for one in self.resets[when]:
            d.variables[one.first_index : one.first_index + one.size] = self.layout.variables[
                one.first_index : one.first_index + one.size
            ]
        d.invalidate_memo()
