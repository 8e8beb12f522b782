"""A position in the form that engines share, as cells of a program: the inverse of `CompiledGame.state`.

In: a program, and a `State` that waits for a decision or is over. Out: cells with which the program goes on as any
engine goes on from the state. What cannot be taken over is refused by its address, never taken for something else.

The stack of a state is read from its first entry to its last, and so it is always known how an entry came to be there:
by the step at which the one below it is. That step and those around it, a path, name one place in the program
(`GamePoints.sites`), which says where the game goes on afterwards and in which cells the loops count.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import cast

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.cell_layout import NOBODY
from rulewright.engine.compiled.kernel.kernel import Int
from rulewright.engine.compiled.playing.content_loader import ContentLoader
from rulewright.engine.compiled.translation.action_words import BagField, ListField, MaskField
from rulewright.engine.compiled.translation.game_points import StepPath, StepSite, StepsUnderWay
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.state import Action, ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import RuntimeValue
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, GiveTurn, RunSteps


class PositionLoader:
    """Loads positions of one program."""

    def __init__(self, program: CompiledProgram) -> None:
        self._program = program
        self._rules = program.rules
        self._contents = ContentLoader(program.cells)
        self._counters = program.cells.counters
        self._actions = {action.block: action for action in program.rules.actions}

    def load(self, state: State) -> list[int]:
        """The cells of a position. Raises `NotCompiled` for what a program cannot hold."""
        cells, counters = self._contents.load(state), self._counters
        layout = self._program.cells
        cells[counters["over"]] = int(state.over)
        cells[counters["round"]] = state.round
        cells[counters["turns"]] = state.turn_count
        cells[counters["ending"]] = int(state.ending)
        cells[counters["first"]] = state.first_seat
        if state.rng is None:
            raise NotCompiled(self._rules.blocks[self._rules.round].address, "chance from outside")
        cells[counters["generator"]] = state.rng
        if state.winners is not None:
            cells[counters["winners"]] = sum(1 << seat for seat in state.winners)
        if state.end_frame is not None:
            cells[counters["ended_by"]] = state.end_frame.block << 16 | state.end_frame.step
        if state.extra_turns:
            first = layout.extra_turns
            cells[first : first + 1 + len(state.extra_turns)] = [len(state.extra_turns), *state.extra_turns]
        if isinstance(state.waiting, ChanceEvent):
            raise NotCompiled(self._rules.blocks[self._rules.round].address, "chance from outside")
        if state.waiting is not None:
            self._load_stack(cells, state, state.waiting)
        return cells

    def check(self, state: State) -> None:
        """Raises `NotCompiled` if positions that look like this one cannot be loaded."""
        self._contents.check(state)
        if isinstance(state.waiting, Decision):
            self._load_stack(self._contents.fresh_cells(), state, state.waiting)

    # ---- what is under way ------------------------------------------------------------------------------------

    def _load_stack(self, cells: list[int], state: State, decision: Decision) -> None:
        rules, program, stack = self._rules, self._program, state.stack
        cells[self._counters["finale"]] = int(_block(stack[0]) == rules.finale)
        path: StepPath = ()
        site = StepSite(-1)
        index = 0
        while index < len(stack):
            entry = stack[index]
            if isinstance(entry, Draw):
                raise NotCompiled(rules.blocks[rules.round].address, "draws under way at a decision")
            if isinstance(entry, SimultaneousChoice):
                self._load_secret_choices(cells, state, site, entry)
                break
            if path and self._is_together(path):
                index = self._load_chosen(cells, state, site, index)
                entry = cast("Frame", stack[index])
            path = (*self._begin(cells, path, site, entry), (entry.block, _current_step(entry)))
            found = program.sites.get(path)
            if found is None:
                raise NotCompiled(rules.blocks[entry.block].address, "a decision within these steps")
            site = found
            if site.left >= 0:
                self._load_loop(cells, site, entry, _variables_within(stack, index, decision))
            index += 1
        if site.decision < 0 or path[-1] != (decision.block, decision.step):
            raise NotCompiled(rules.blocks[decision.block].address, "a decision within these steps")
        cells[self._counters["decision"]] = site.decision
        cells[self._counters["seat"]] = decision.seat
        if decision.partial_action is not None:
            self._load_open_answer(cells, decision.partial_action, decision.partial_bag)

    def _load_open_answer(self, cells: list[int], partial: Action, pieces: Sequence[int]) -> None:
        held, words = self._program.open_answer, self._program.words
        assert held is not None
        made = len(partial.values)
        cells[held.action.value], cells[held.made.value] = partial.number + 1, made
        cells[held.word.value] = words.word(Action(partial.number, partial.values))
        field = words.fields[partial.number][made]
        if isinstance(field, BagField):
            cells[held.pieces : held.pieces + len(pieces)] = pieces
            return
        if not pieces:  # of an answer that is given at once, too: what comes after one made piece by piece
            return
        assert isinstance(field, MaskField | ListField)
        cells[held.pieces : held.pieces + 1 + len(pieces)] = [len(pieces), *pieces]
        for element in pieces:
            index = held.flag(field, Int(element)).index
            assert isinstance(index, Int)
            cells[index.value] = 1

    def _is_together(self, path: StepPath) -> bool:
        block, step = path[-1]
        effect = self._rules.blocks[block].steps[step].effect
        return isinstance(effect, Choose) and effect.mode == "together"

    def _begin(self, cells: list[int], path: StepPath, site: StepSite, frame: Frame) -> StepPath:
        """The steps of a frame begin at the step of a path; returns the path around them."""
        if not path:
            return ()
        rules, roots = self._rules, self._program.roots
        block, step = path[-1]
        match rules.blocks[block].steps[step].effect:
            case RunSteps(is_procedure=False):
                return path
            case Choose():
                action = self._actions[frame.block]
                root = roots.get(frame.block)
                if root is None:
                    raise NotCompiled(action.address, "a decision within these steps")
                word = self._word(action, frame)
                _enter(cells, root, frame.seat, site.after if site.execution < 0 else site.execution)
                cells[root.word_cell] = word
            case GiveTurn():
                _enter(cells, roots[frame.block], frame.seat, site.after)
            case RunSteps():
                root = roots[frame.block]
                _enter(cells, root, frame.seat, site.after)
                for cell, value in zip(root.argument_cells, frame.env, strict=False):
                    cells[cell] = int(cast("int", value))
            case _:
                raise NotCompiled(rules.blocks[frame.block].address, "a decision within these steps")
        return ()

    def _load_loop(self, cells: list[int], site: StepSite, frame: Frame, within: Sequence[RuntimeValue]) -> None:
        """What a loop has still to run over, and what it is at. `within`: the variables inside of it."""
        remaining = cast("tuple[int, ...]", frame.remaining or ())
        cells[site.left] = len(remaining)
        if site.elements < 0:
            return
        elements = [int(element) for element in reversed(remaining)]
        count = len(elements)
        if len(_once(elements)) > site.room - (site.length < 0):  # what it is at does not come again
            raise NotCompiled(self._rules.blocks[frame.block].address, "a loop over so much")
        if site.length >= 0:
            elements, has_room = _once(elements), count < site.length - site.elements
            if len(elements) < count or not has_room:  # the one that it is at is among those that are left
                cells[site.elements : site.elements + len(elements)] = elements
                cells[site.length] = len(elements)
                return
            cells[site.length] = count + 1  # with the one that it is at
        cells[site.elements : site.elements + count] = elements
        if len(within) > len(frame.env):
            cells[site.elements + count] = int(cast("int", within[len(frame.env)]))

    def _word(self, action: ActionDef, frame: Frame) -> int:
        """The word of an action whose steps are under way; a position from outside may have answers that none holds."""
        words, answers = self._program.words, frame.env[: len(action.choices)]
        with suppress(ValueError):  # of what can never be chosen
            word = words.word(Action(action.index, answers))
            if words.values(action.index, word) == answers:
                return word
        raise NotCompiled(action.address, "answers that nobody can have given")

    def _load_secret_choices(self, cells: list[int], state: State, site: StepSite, choice: SimultaneousChoice) -> None:
        first, players = self._program.together[site.decision], self._rules.players
        for seat, action in choice.actions:
            cells[first + 2 + seat] = self._program.words.word(action)
        cells[first] = (choice.remaining_seats[0] - state.first_seat) % players + 1
        cells[first + 2 + players] = sum(1 << seat for seat in choice.remaining_seats)

    def _load_chosen(self, cells: list[int], state: State, site: StepSite, index: int) -> int:
        """Secret choices are carried out: those that have not begun. Returns the index of that which has."""
        first, stack = self._program.together[site.decision], state.stack
        while True:
            frame = stack[index]
            assert isinstance(frame, Frame)
            if frame.step or frame.remaining is not None:
                cells[first] = (frame.seat - state.first_seat) % self._rules.players + 1
                return index
            cells[first + 2 + frame.seat] = self._word(self._actions[frame.block], frame)
            index += 1


def _once(elements: list[int]) -> list[int]:
    """What is repeated, perhaps from the middle on, only once. No element is there twice in what is repeated."""
    for at, element in enumerate(elements):
        if element in elements[:at]:
            return elements[:at]
    return elements


def _block(entry: StackEntry) -> int:
    return NOBODY if isinstance(entry, Draw) else entry.block


def _current_step(frame: Frame) -> int:
    return frame.step - 1 if frame.remaining is None else frame.step


def _enter(cells: list[int], root: StepsUnderWay, seat: int, after: int) -> None:
    """Steps begin, as the program begins them."""
    if root.is_recursive:
        cells.extend(cells[root.first_cell : root.first_cell + root.own_cells])
        cells.extend(cells[root.inner_cell : root.inner_cell + root.inner_cells])
    cells[root.seat_cell] = seat
    cells[root.return_cell] = after


def _variables_within(stack: tuple[StackEntry, ...], index: int, decision: Decision) -> Sequence[RuntimeValue]:
    """The variables inside of the step at which a frame is, as far as something under way shows them."""
    if index + 1 == len(stack):
        return decision.around
    above = stack[index + 1]
    return () if isinstance(above, Draw) else above.env


__all__ = ["PositionLoader"]
