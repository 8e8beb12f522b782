"""What begins and ends: rounds, turns, actions and the game itself.

In: a `MutableState`. Out: the same state with new frames on its stack.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.layout import Layout
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.state import Action, Frame
from rulewright.model.rules import Rules, StateDef


class GameFlow:
    """Puts the steps of rounds, turns, actions and the end of the game on the stack."""

    def __init__(self, rules: Rules, layout: Layout) -> None:
        self.rules = rules
        self.layout = layout
        self.resets: dict[str, list[StateDef]] = {
            scope: [state for state in rules.states.values() if state.reset_scope == scope]
            for scope in ("turn", "round")
        }
        numbers = {block.address: number for number, block in enumerate(rules.blocks)}
        self.block_states: dict[int, list[StateDef]] = {}
        for state in rules.states.values():
            if state.block_address:
                self.block_states.setdefault(numbers[state.block_address], []).append(state)

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
        """The game ends: whatever is under way is dropped, and the steps after the end are carried out."""
        d.stack.clear()
        d.extra_turns = ()
        d.ending = True
        d.stack.append(Frame(self.rules.finale, 0, (), None, -1))

    def begin_action(self, d: MutableState, action: Action, seat: int) -> None:
        """An action's steps begin for a seat."""
        definition = self.rules.actions[action.number]
        d.stack.append(Frame(definition.block, 0, action.values, None, seat))

    def reset_block(self, d: MutableState, block: int) -> None:
        """The variables of a block begin anew, as it begins and again as it ends, so that nothing is left of them."""
        if block in self.block_states:
            self._reset_states(d, self.block_states[block])

    def _reset(self, d: MutableState, scope: str) -> None:
        self._reset_states(d, self.resets[scope])

    def _reset_states(self, d: MutableState, states: Sequence[StateDef]) -> None:
        for state in states:
            variables = slice(state.first_index, state.first_index + state.size)
            d.variables[variables] = self.layout.variables[variables]
            d.note_written(*[~index for index in range(variables.start, variables.stop)])
        d.invalidate_memo()
