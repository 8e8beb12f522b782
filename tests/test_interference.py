"""Nothing that a reader is shown hangs on what it may not know: views, legal lists, reasons, every line to it.

Two positions that differ only in what a seat (or a spectator) cannot see are made in two ways: by imagining, and by
playing the same moves after shuffles that differ only in cards which that seat never sees. Then everything that is
said to that seat has to be the same, byte for byte.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from positions import SEEDS, Begin, Spot, Table, begins, chosen, engine_of, settle, spot, spots, steps, tables, tried
from readers import all_shown, names, never_known, played, random_orders, reshuffled, viewers
from rulewright.engine.determinize import determinize
from rulewright.engine.notation import Notation
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, Decision, SimultaneousChoice, State
from rulewright.engine.value_notation import HIDDEN_TEXT
from rulewright.engine.views import Views
from rulewright.expr.types import SetOf, Thing, Type
from rulewright.session.match import Match
from wished_actions import attempts

pytestmark = pytest.mark.slow


# ---- imagined worlds ------------------------------------------------------------------------------------------------


@tried(80)
@given(spots("secret"), SEEDS)
def test_nothing_shown_tells_the_position_from_an_imagined_one(here: Spot, seed: int):
    engine, rng = here.engine, random.Random(seed)
    for viewer in viewers(engine):
        world = determinize(engine, here.state, viewer, seed)
        asked = [*attempts(here, seed, 4), *names(engine, rng)]
        for one, other in zip(
            all_shown(engine, here.state, viewer, asked),
            all_shown(engine, world, viewer, asked),
            strict=True,
        ):
            assert one == other


@tried(60)
@given(spots("secret"), SEEDS)
def test_an_action_is_reported_the_same_way(here: Spot, seed: int):
    """What a viewer is told when the same action is carried out in a position and in an imagined one."""
    engine, rng = here.engine, random.Random(seed)
    for viewer in viewers(engine):
        world = determinize(engine, here.state, viewer, seed)
        both = [action for action in engine.legal(here.state) if action in engine.legal(world)]
        for action in rng.sample(both, min(3, len(both))):
            one, other = Match(engine, here.state), Match(engine, world)
            at = engine.rules.players if viewer is None else viewer
            first, second = one.act(action), other.act(action)
            assert first.action_data[at] == second.action_data[at]
            assert (first.seat, first.step, first.turn, first.round) == (
                second.seat,
                second.step,
                second.turn,
                second.round,
            )
            assert [seat for seat, _ in first.revealed_choices] == [seat for seat, _ in second.revealed_choices]


@tried(40)
@given(begins("hidden"))
def test_where_a_hidden_thing_stands_in_a_list_tells_nothing(begin: Begin):
    """Sets are listed in the order of their rows; a hidden thing among known ones would tell between which it ranks."""
    engine = engine_of(begin.table)
    for state, move in steps(begin):
        if isinstance(move, Action):
            for told_ in Match(engine, state).act(move).action_data:
                for chosen_ in told_["choose"].values():
                    if isinstance(chosen_, list):
                        known = [one for one in chosen_ if one != HIDDEN_TEXT]
                        assert chosen_ == [*known, *[HIDDEN_TEXT] * (len(chosen_) - len(known))], told_


@tried(80)
@given(spots("together"), SEEDS)
def test_a_secret_choice_is_shown_to_nobody(here: Spot, seed: int):
    """While others still have to choose, it makes no difference to anybody what was chosen."""
    engine, state, rng = here.engine, here.state, random.Random(seed)
    for _ in range(40):
        state = settle(engine, state, rng)
        if state.over or (state.stack and isinstance(state.stack[-1], SimultaneousChoice)):
            break
        state = engine.apply_legal(state, rng.choice(engine.legal(state)))
    if not isinstance(state.waiting, Decision) or not isinstance(state.stack[-1], SimultaneousChoice):
        return
    actions = [rng.choice(engine.legal(state)) for _ in range(2)]
    one, other = (Match(engine, state) for _ in range(2))
    done = [match.act(action) for match, action in zip((one, other), actions, strict=True)]
    if not all(
        any(isinstance(entry, SimultaneousChoice) and entry.actions for entry in match.state.stack)
        for match in (one, other)
    ):
        return  # that was the last one, and all are carried out
    for viewer in viewers(engine):
        if viewer != state.waiting.seat:
            at = engine.rules.players if viewer is None else viewer
            assert done[0].action_data[at] == done[1].action_data[at]
            assert Views(engine).view(one.state, viewer) == Views(engine).view(other.state, viewer)


def test_imagined_worlds_do_differ():
    """The positions that are compared are often enough not the same one."""
    differ = 0
    tables_ = chosen("secret")[::3]
    for number, table in enumerate(tables_):
        here = spot(Begin(table, 0, number, number, number), 40)
        differ += determinize(here.engine, here.state, None, number).contents != here.state.contents
    assert differ > len(tables_) / 4  # at some tables hardly anything is hidden


def test_a_spectator_is_shown_the_same_of_what_a_seat_imagines():
    """Who knows no more than the one who imagines knows the same in every world that is imagined."""
    for seed in range(6):
        for here in (
            spot(Begin(Table("splendor", 2, ("hidden-hands",)), 0, seed, seed, taste), most)
            for taste in (1, 2)
            for most in (8, 20)
        ):
            views, state = Views(here.engine), here.state
            for seat in range(2):
                assert views.view(determinize(here.engine, state, seat, seed), None) == views.view(state, None)


# ---- shuffles that differ in what a seat never sees -----------------------------------------------------------------


@tried(30)
@given(tables("shuffled"), SEEDS, st.integers(1, 110))
def test_nothing_shown_tells_a_shuffle_from_another(table: Table, seed: int, most: int):
    engine, rng = engine_of(table), random.Random(seed)
    orders = random_orders(engine, rng)
    moves, states = played(engine, engine.start(orders=orders, first=seed % table.players), rng, most)
    for viewer in rng.sample(viewers(engine), 2):
        others = reshuffled(engine, never_known(engine, states, viewer), orders, rng)
        other = engine.start(orders=others, first=seed % table.players)
        for at, (one, move) in enumerate(zip(states, (*moves, None), strict=True)):
            if at % 5 == 0 or move is None:
                asked = [*names(engine, rng)[:2], *([move] if move else [])]
                for first, second in zip(
                    all_shown(engine, one, viewer, asked),
                    all_shown(engine, other, viewer, asked),
                    strict=True,
                ):
                    assert first == second
            if move is None or move not in engine.legal(other):
                break  # over, or a choice that another seat has only where its hidden cards are these
            other = engine.apply_legal(other, move)
            if states[at + 1].over != other.over:
                break  # the rules may end a game by what the hands hold; that is told to all


# ---- chance that brings out other hidden things ---------------------------------------------------------------------


def exchanged(engine: ReferenceEngine, unseen: set[int], rng: random.Random) -> dict[int, int]:
    """Never known things that began in one place, each with another one to stand for it."""
    found: dict[int, int] = {}
    for place, zone in enumerate(engine.layout.visibility.zone_by_place):
        if isinstance(zone.content_type, Thing):
            first = engine.rules.components[zone.content_type.component].first_index
            content = engine.layout.contents[place]
            here = [first + thing for thing in getattr(content, "things", content) if first + thing in unseen]
            found.update(zip(here, rng.sample(here, len(here)), strict=True))
    return found


def meant_by(engine: ReferenceEngine, state: State, action: Action, others: dict[int, int]) -> Action | None:
    """The action with every thing in it exchanged, if it is legal."""

    def other(value: Any, type_: Type) -> Any:
        match type_:
            case Thing(component=component):
                first = engine.rules.components[component].first_index
                return others.get(first + value, first + value) - first
            case SetOf(element=Thing() as of):
                return tuple(other(one, of) for one in value)
        return value

    if action.number < 0:
        return action if action in engine.legal(state) else None
    choices = engine.rules.actions[action.number].choices
    values = tuple(other(value, choice.type) for value, choice in zip(action.values, choices, strict=False))
    token = action.token
    if token is not None and token >= 0 and isinstance(kind := choices[len(values)].type, SetOf):
        token = other(token, kind.element)
    return Notation(engine.rules).match_action(Action(action.number, values, token), engine.legal(state))


@tried(25)
@given(begins("hidden", chance=True), SEEDS, st.integers(1, 60))
def test_nothing_shown_tells_one_chance_from_another(begin: Begin, seed: int, most: int):
    """The same game twice; where chance brings out a thing that the viewer never gets to know, it is another thing."""
    engine, rng = engine_of(begin.table), random.Random(seed)
    game = list(steps(begin, most))
    states = [state for state, _ in game]
    for viewer in rng.sample(viewers(engine), 2):
        others = exchanged(engine, never_known(engine, states, viewer), rng)
        two = Match(engine, engine.start(first=begin.first))
        at = engine.rules.players if viewer is None else viewer
        for now, move in game:
            one = Match(engine, now)
            asked = names(engine, rng)[:2]
            if course(engine, now) != course(engine, two.state):
                break  # rules may let the course hang on hidden things, as when a lone option is carried out by itself
            for first, second in zip(
                all_shown(engine, now, viewer, asked),
                all_shown(engine, two.state, viewer, asked),
                strict=True,
            ):
                assert first == second
            if move is None:
                break
            if isinstance(now.waiting, ChanceEvent):
                place, outcome = now.waiting.target, move
                assert isinstance(outcome, int)
                holds = (
                    engine.layout.visibility.zone_by_place[place].content_type if now.waiting.kind == "draw" else None
                )
                if isinstance(holds, Thing):
                    number = engine.rules.components[holds.component].first_index
                    outcome = others.get(number + outcome, number + outcome) - number
                two.state = engine.resolve_chance(two.state, outcome)
                continue
            assert isinstance(move, Action)
            same = meant_by(engine, two.state, move, others)
            if same is None:
                break  # a choice that another seat has only where its hidden things are these
            first_, second_ = one.act(move), two.act(same)
            assert first_.action_data[at] == second_.action_data[at]
            assert [seat for seat, _ in first_.revealed_choices] == [seat for seat, _ in second_.revealed_choices]


def course(engine: ReferenceEngine, state: State) -> tuple[Any, ...]:
    """How far a game has come, which everybody sees."""
    waiting = state.waiting
    asks = (waiting.seat, waiting.block, waiting.step) if isinstance(waiting, Decision) else type(waiting)
    return state.round, state.turn_count, Views(engine).turn_seat(state), asks, len(state.stack)
