"""What holds of every position of every game at the terminal: it fits, it hides, and every choice can be reached."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import BURYING
from positions import Spot, Table, engine_of, spots, tried
from rulewright.engine.context import Context
from rulewright.engine.determinize import determinize
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.state import Decision
from rulewright.expr.tree import Local, ReadValue
from rulewright.expr.types import SEAT, Number
from rulewright.model.loader import load_rules
from rulewright.terminal.board import Board
from rulewright.terminal.boxes import PLAIN, ROOMY, SCANT, TIGHT
from rulewright.terminal.game_loop import arrange_screen
from rulewright.terminal.menu import MenuBuilder

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 1 << 32)
SIZES = st.sampled_from([(40, 12), (80, 24), (120, 40)])


@cache
def board_of(table: Table, code: str) -> tuple[Board, MenuBuilder]:
    board = Board(engine_of(table), code)
    return board, MenuBuilder(board)


@tried(20)
@given(spots("secret"), SEEDS, SIZES)
def test_nothing_hidden_is_drawn(here: Spot, seed: int, size: tuple[int, int]) -> None:
    """Two positions that a viewer cannot tell apart are drawn alike for it, with all that it can choose."""
    board, menus = board_of(here.begin.table, "en")
    rng = random.Random(seed)
    for seat in (*range(here.engine.rules.players), None):
        world = determinize(here.engine, here.state, seat, rng.randrange(1 << 63))
        for level in (SCANT, TIGHT, PLAIN, ROOMY):
            one, other = (board.render(state, seat, size[0], level) for state in (here.state, world))
            assert list(map(str, one)) == list(map(str, other))
        if seat is None or not isinstance(here.state.waiting, Decision) or here.state.waiting.seat != seat:
            continue
        legal = [here.engine.legal(state) for state in (here.state, world)]
        if legal[0] == legal[1]:  # else the rules themselves look where the seat may not
            screens = [
                arrange_screen(board, menus, state, seat, legal[0], (), size)[0] for state in (here.state, world)
            ]
            assert list(map(str, screens[0])) == list(map(str, screens[1]))


def test_a_value_is_shown_to_whom_it_tells_nothing_new() -> None:
    """What somebody has gathered in secret is told to that seat alone, also by way of values of values."""
    table = Table("wrack-line", 3)
    engine, (board, _) = engine_of(table), board_of(table, "en")
    state = engine.start(seed=3)
    while not (isinstance(state.waiting, Decision) and state.round == 3):
        state = engine.apply(state, engine.legal(state)[0])
    for viewer in (0, 1, None):
        shown = [str(line) for line in board.render(state, viewer, 80)]
        seats = [line for line in shown if line[2:4] in ("1 ", "2 ", "3 ")][:3]
        assert [line.count("hidden") for line in seats] == [0 if seat == viewer else 2 for seat in range(3)], shown


@tried(60)
@given(spots("all"), SIZES, st.sampled_from(["en", "fr"]))
def test_no_line_is_wider_than_it_may_be(here: Spot, size: tuple[int, int], code: str) -> None:
    if not isinstance(here.state.waiting, Decision):
        return
    board, menus = board_of(here.begin.table, code)
    legal, seat = here.engine.legal(here.state), here.state.waiting.seat
    lines, menu = arrange_screen(board, menus, here.state, seat, legal, (), size)
    assert max(len(line) for line in lines) <= size[0]
    assert set(legal) == {action for option in menu.options for action in option.actions}


@tried(60)
@given(spots("all"), SEEDS, st.integers(1, 12))
def test_every_choice_is_reached_by_numbers(here: Spot, seed: int, room: int) -> None:
    """Whatever room there is: the numbers lead to any legal action, in steps that each leave fewer."""
    if not isinstance(here.state.waiting, Decision):
        return
    _, menus = board_of(here.begin.table, "en")
    legal, rng = here.engine.legal(here.state), random.Random(seed)
    wanted, left, picked = rng.choice(legal), legal, None
    for _ in range(200):
        menu = menus.build(here.state, left, 80, room, picked)
        options = [option for option in menu.options if wanted in option.actions]
        assert options, "it is behind no number"
        assert set(left) == {action for option in menu.options for action in option.actions}
        left, picked = options[0].actions, options[0].pieces
        if len(left) == 1:
            break
    assert left == (wanted,)


@tried(40)
@given(spots("all"), SEEDS)
def test_what_is_marked_can_be_chosen(here: Spot, seed: int) -> None:
    if not isinstance(here.state.waiting, Decision):
        return
    _, menus = board_of(here.begin.table, "en")
    legal = here.engine.legal(here.state)
    letters, marks = menus.labels.letters(legal), menus.labels.marks(legal)
    assert len(set(letters.values()) - {"*"}) == len(letters) - list(letters.values()).count("*")
    said = {action.number: [] for action in legal}
    for action in legal:
        said[action.number].append(menus.theme.notation.format_action(action))
    for thing, written in marks.items():
        for letter in written.plain:
            number = next(number for number, one in letters.items() if one == letter)
            assert any(thing in text for text in said[number]), thing


def test_a_number_is_shown_to_those_who_see_all_that_it_is_made_of(tmp_path: Path) -> None:
    """A value of a seat's own hidden tiles is no secret to that seat; a sum over all seats is one to everybody."""
    text = BURYING.replace(
        "actions:",
        "values:\n"
        "  worth: {per: {owner: player}, is: sum of tile.points for tile in hand(owner)}\n"
        "  all_worth: {is: sum of worth(one) for one in everyone}\n"
        "  most: {per: {owner: player}, is: count(each one in everyone where worth(one) > worth(owner))}\n"
        "actions:",
    ).replace("fields: {}", "fields: {points: 0 to 9}")
    for number in range(1, 5):
        text = text.replace(f"{{id: t{number}}}", f"{{id: t{number}, points: {number}}}")
    path = tmp_path / "burying.yaml"
    path.write_text(text, encoding="utf-8")
    rules = load_rules(str(path))
    engine = ReferenceEngine(rules)
    state = engine.start(seed=1)
    speaker = SentenceRenderer(rules, engine.compiler, engine.layout.visibility)
    c = Context(state.contents, state.variables, me=0, env=(1,))  # of seat 1
    one = Local("owner", 0, SEAT, (0, 0))

    def label_of(name: str, keys: tuple[Local, ...], viewer: int) -> str:
        return speaker.format_expr(ReadValue(name, keys, Number(0, 99), (0, 0)), c, viewer)

    assert label_of("worth", (one,), 1).isdecimal()
    assert label_of("worth", (one,), 0) == label_of("worth", (one,), 2) == "hidden"
    assert [label_of("all_worth", (), viewer) for viewer in range(3)] == ["hidden"] * 3
    assert [label_of("most", (one,), viewer) for viewer in range(3)] == ["hidden"] * 3
