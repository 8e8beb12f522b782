"""What a player can choose from: every action under its own heading, its answers numbered in columns; what does not fit
is opened by its number, choice by choice or piece by piece.

In: legal actions and a number of lines. Out: lines, and for every number the actions that it stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from rulewright import limits
from rulewright.engine.state import Action, State
from rulewright.engine.values import RuntimeValue, as_tuple
from rulewright.expr.types import Bag, SetOf, Thing
from rulewright.frozen import frozen, mutable
from rulewright.terminal.action_labels import ActionLabels, AnswerLabels
from rulewright.terminal.board import Board
from rulewright.terminal.boxes import MARK_STYLE, pad, wrap_line
from rulewright.terminal.menu_pieces import Pieces, add_piece, is_complete, remaining_pieces

MAX_HEADING_WIDTH: Final = 23  # characters; a longer name has a line of its own
COLUMN_GAP: Final = 2


@frozen
class Option:
    """A number of a menu and the actions it stands for. `pieces`: those that are chosen for the open bag or set."""

    label: Text
    actions: tuple[Action, ...]
    pieces: Pieces | None = None


@frozen
class Menu:
    """What is listed: lines to show, and the options by their numbers, from 1."""

    lines: tuple[Text, ...]
    options: tuple[Option, ...]


@mutable
class _Group:
    """An action with its answers; closed, it has one number for all of them."""

    number: int
    name: str
    letter: str
    actions: tuple[Action, ...] = ()
    options: tuple[Option, ...] = ()
    heading_width: int = MAX_HEADING_WIDTH  # the same for all groups of the menu
    is_opened: bool = False
    sentence: str = ""

    @property
    def is_open(self) -> bool:
        """Whether its options are listed; a single one always is."""
        return self.is_opened or len(self.options) == 1


class MenuBuilder:
    """Menus of one game in one language."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rules = board.rules
        self.theme = board.theme
        self.messages = board.messages
        self.labels = ActionLabels(board)

    def build(
        self,
        state: State,
        actions: Sequence[Action],
        width: int,
        max_lines: int,
        pieces: Pieces | None = None,
        *,
        with_sentences: bool = True,
        with_names: bool = True,
    ) -> Menu:
        """Actions in at most `max_lines`, if possible: the shortest groups open, each of the others behind a number.

        `pieces`: those chosen so far, where all actions differ in a bag or set. `with_sentences`: with what each action
        does, where that fits too. `with_names`: things with the names that they have beside their ids.
        """
        answers = AnswerLabels(self.theme, state.acting_seat, with_names=with_names)
        groups = self._groups(state, actions, answers)
        limit = max(max_lines, limits.MIN_MENU_LINES)
        if len(groups) == 1 and len(_open_lines(groups[0], width, 1)) > limit:
            groups[0].options = self._split(state, groups[0].actions, pieces, answers)
            groups[0].is_opened = True
        common = self.labels.common_letters(actions)
        for group in sorted(groups, key=lambda group: (group.letter in common, len(_open_lines(group, width, 1)))):
            group.is_opened = True
            if len(groups) > 1 and len(self._lines(groups, width, answers)) > limit:
                group.is_opened = False
        lines = self._lines(groups, width, answers)
        options = [option for group in groups for option in _listed_options(group)]
        if with_sentences and all(group.is_open for group in groups):
            for group in groups:
                has_answers = any(answers.render_action(action) for action in group.actions)
                group.sentence = self.labels.sentence(state, group.number) if has_answers else ""
            longer_lines = self._lines(groups, width, answers)
            lines = longer_lines if len(longer_lines) <= max_lines else lines
        return Menu(tuple(lines), tuple(options))

    def _groups(self, state: State, actions: Sequence[Action], answers: AnswerLabels) -> list[_Group]:
        letters = self.labels.letters(actions)
        groups: dict[int, _Group] = {}
        for action in actions:
            number = action.number
            group = groups.setdefault(number, _Group(number, self.labels.name(number), letters.get(number, "")))
            group.actions += (action,)
            label = answers.render_action(action) or Text(self.labels.sentence(state, number), "dim")
            group.options += (Option(label, (action,)),)
        heading_width = max((len(group.name) for group in groups.values()), default=0)
        for group in groups.values():
            group.heading_width = min(MAX_HEADING_WIDTH, heading_width)
        return list(groups.values())

    # ---- lines --------------------------------------------------------------------------------------------

    def _lines(self, groups: Sequence[_Group], width: int, answers: AnswerLabels) -> list[Text]:
        """The lines of all groups, numbered throughout."""
        lines, first_number = list[Text](), 1
        for group in groups:
            if group.is_open:
                lines += _open_lines(group, width, first_number)
            else:
                lines.append(self._closed_line(group, width, first_number, answers))
            first_number += len(_listed_options(group))
        return lines

    def _closed_line(self, group: _Group, width: int, number: int, answers: AnswerLabels) -> Text:
        """A group behind its number, with as many of its answers as fit."""
        index = _first_difference(group.actions)
        labels = list(dict.fromkeys(answers.render_answer_at(action, index).plain for action in group.actions))
        ways = self.messages("ways", number=len(group.actions))
        line = Text.assemble(_heading(group), (f"{number:>2} ", "bold"), ways, ": ")
        while labels and len(line) + len(labels[0]) + 3 <= width:
            line.append(f"{labels.pop(0)}{', ' if labels else ''}")
        return Text.assemble(line, "…") if labels else line

    # ---- choice by choice, piece by piece -----------------------------------------------------------------

    def _split(
        self, state: State, actions: Sequence[Action], pieces: Pieces | None, answers: AnswerLabels
    ) -> tuple[Option, ...]:
        """Options for actions of one name: the answers to the first choice in which they differ, or the next piece."""
        index = _first_difference(actions)
        if index >= len(actions[0].values):
            return tuple(Option(answers.render_action(action), (action,)) for action in actions)
        choice = self.rules.actions[actions[0].number].choices[index]
        if isinstance(choice.type, Bag | SetOf):
            return self._split_pieces(actions, index, choice.type, pieces or (), answers)
        by_value: dict[RuntimeValue, list[Action]] = {}
        for action in actions:
            by_value.setdefault(action.values[index], []).append(action)
        options = []
        for value, same in by_value.items():
            label = answers.render(value, choice.type)
            if isinstance(choice.type, Thing):
                reader = self.board.reader_context(state, state.acting_seat)
                thing = answers.full_text(value, choice.type)
                label = self.theme.render_inline(choice.type.component, thing, reader)
            if len(same) > 1:
                label = Text.assemble(label, (f"  {self.messages('ways', number=len(same))}", "dim"))
            options.append(Option(label, tuple(same)))
        return tuple(options)

    def _split_pieces(
        self, actions: Sequence[Action], index: int, type_: Bag | SetOf, pieces: Pieces, answers: AnswerLabels
    ) -> tuple[Option, ...]:
        """Options for the next piece; first the pieces as they are, where they are an answer already."""
        options = []
        complete = next((a for a in actions if is_complete(as_tuple(a.values[index]), pieces, type_)), None)
        if complete is not None:
            value = complete.values[index]
            label = Text.assemble(self.messages("enough"), " ", answers.render(value, type_))
            options.append(Option(label, tuple(action for action in actions if action.values[index] == value)))
        by_piece: dict[int, list[Action]] = {}
        for action in actions:
            for piece in remaining_pieces(as_tuple(action.values[index]), pieces, type_):
                by_piece.setdefault(piece, []).append(action)
        for piece, holders in sorted(by_piece.items()):
            label = Text.assemble("+", answers.render_piece(piece, type_))
            chosen = add_piece(piece, pieces, as_tuple(actions[0].values[index]), type_)
            options.append(Option(label, tuple(holders), chosen))
        return tuple(options)


def _listed_options(group: _Group) -> tuple[Option, ...]:
    """The options of an open group, else the single one that stands for all."""
    return group.options if group.is_open else (Option(Text(group.name), group.actions),)


def _heading(group: _Group) -> Text:
    letter = (group.letter, MARK_STYLE) if group.letter else " "
    return Text.assemble(letter, " ", (group.name.ljust(group.heading_width), "bold"), "  ")


def _open_lines(group: _Group, width: int, first_number: int) -> list[Text]:
    """The heading of an open group, and its options in columns beside it."""
    lines = list[Text]()
    indent = group.heading_width + 4
    first = _heading(group)  # what is left of the next line
    if len(first) > indent:
        lines.append(first)
        first = Text(" " * indent)
    if group.sentence:
        head, *rest = wrap_line(Text(group.sentence, "dim"), width - indent)
        lines += [Text.assemble(first, head), *(Text.assemble(" " * indent, line) for line in rest)]
        first = Text(" " * indent)
    digits = max(2, len(str(first_number + len(group.options) - 1)))
    cells = [
        Text.assemble((f"{number:>{digits}} ", "bold"), option.label)
        for number, option in enumerate(group.options, start=first_number)
    ]
    cell_width = max(map(len, cells)) + COLUMN_GAP
    columns = max(1, (width - indent + COLUMN_GAP) // cell_width)
    if columns == 1 or len(cells) == 1:
        for cell in cells:
            head, *rest = wrap_line(cell, max(8, width - indent - 3))
            lines += [first + head, *(Text(" " * (indent + 3)) + line for line in rest)]
            first = Text(" " * indent)
        return lines
    for start in range(0, len(cells), columns):
        line = first + Text().join([pad(cell, cell_width) for cell in cells[start : start + columns]])
        line.rstrip()
        lines.append(line)
        first = Text(" " * indent)
    return lines


def _first_difference(actions: Sequence[Action]) -> int:
    """The index of the first choice in which actions of one name differ."""
    count = len(actions[0].values)
    return next((index for index in range(count) if len({action.values[index] for action in actions}) > 1), count)


__all__ = ["Menu", "MenuBuilder", "Option"]
