"""A game at a table: taking back is honest, doing again changes nothing, and a log tells a reader no more than it may
know.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from positions import SEEDS, Begin, Table, begins, engine_of, tried
from random_play import play_randomly
from rulewright.bots.bot_specs import BUILTIN_BOTS
from rulewright.bots.player_view import bot_chooser
from rulewright.engine import position_json
from rulewright.engine.determinize import determinize
from rulewright.engine.interface import IllegalAction, NotWaitingError
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.playout import play_out
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import State
from rulewright.model.loader import load_rules
from rulewright.session.session import Session
from rulewright.session.undo import CannotRedo, CannotUndo
from rulewright.simulation.simulations import play_game

MOST = 25  # actions of a game


def played(begin: Begin, most: int = MOST, policy: str = "fair") -> Session:
    """A session in which so many actions were done."""
    engine = engine_of(begin.table)
    session = Session.new(engine, first=begin.first, seed=begin.seed, policy=policy)
    rng = random.Random(begin.moves)
    for _ in play_randomly(session, rng):
        if len(session.match.history) == most:
            break
    return session


def everything(session: Session) -> object:
    """All that a session holds of its game."""
    viewers = range(session.rules.players + 1)
    return session.state, tuple(session.states), tuple(session.match.history), [session.log(one) for one in viewers]


def test_a_card_seen_for_a_moment_is_named_in_the_log() -> None:
    engine = ReferenceEngine(load_rules(str(Path(__file__).parent / "games" / "odd" / "taken_at_once.yaml")))
    session = Session.new(engine, seed=3)
    shown, kept = (next(one for one in session.legal() if one.number == number) for number in (0, 1))
    name = session.match.notation.format_action(shown)
    session.act(shown)
    assert [session.log(viewer)[-1].text for viewer in range(3)] == [name] * 3
    other = Session.new(engine, seed=3)
    other.act(kept)
    assert [other.log(viewer)[-1].text for viewer in (1, 2)] == ["keep(card=?)"] * 2


# ---- the same game -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("bots", [("random", "greedy"), ("random", "random", "random")])
def test_the_same_seed_is_the_same_game_as_bots_play(bots: tuple[str, ...]):
    engine = engine_of(Table("splendor", len(bots)))
    seed = 17
    alone = play_game(engine, [BUILTIN_BOTS[name](seed, seat) for seat, name in enumerate(bots)], seed, first=1)
    session = Session.new(engine, seed=seed, first=1)
    ours = {seat: BUILTIN_BOTS[name](seed, seat) for seat, name in enumerate(bots)}
    assert len(list(play_out(session, bot_chooser(engine, ours)))) == alone.decisions
    assert len(session.match.history) == alone.decisions
    assert session.state.turn_count == alone.turns
    assert tuple(engine.measures(session.state).items()) == alone.measures
    assert session.result().winners == alone.winners


@pytest.mark.slow
@tried(40)
@given(begins(chance=False))
def test_every_position_is_the_engines_own(begin: Begin):
    session = played(begin)
    engine = session.engine
    state = engine.start(first=begin.first, seed=begin.seed)
    for done, kept in zip(session.match.history, session.states, strict=False):
        assert state == kept
        state = engine.apply_legal(state, done.action)
    assert state == session.state


# ---- taking back -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@tried(25)
@given(begins(), st.integers(1, 6))
def test_taken_back_and_done_again_is_as_before(begin: Begin, count: int):
    session = played(begin)
    before = everything(session)
    steps = session.undo_steps(count)
    if not steps:
        return
    taken = session.undo(steps)
    assert session.state == session.states[-1]
    assert [done.action for done in taken] == [done.action for done in before[2][: -steps - 1 : -1]]
    assert session.redo_steps == steps
    assert session.redo(steps) == taken[::-1]
    assert everything(session) == before


def learnt(engine: ReferenceEngine, before: State, after: State) -> bool:
    """Whether somebody knows a thing afterwards that it did not know before: by the positions alone."""
    rows = zip(before.thing_pools, after.thing_pools, strict=True)
    return any(was != KNOWN_POOL and now == KNOWN_POOL for old, new in rows for was, now in zip(old, new, strict=True))


@pytest.mark.slow
@tried(20)
@given(begins())
def test_nothing_is_taken_back_past_chance_or_what_was_shown(begin: Begin):
    session = played(begin)
    steps = session.undo_steps()
    made = len(session.match.history)
    for at in range(made - steps, made):
        done = session.match.history[at]
        assert all(len(event.outcomes) == 1 for event, _ in done.chance_outcomes)
        assert session.states[at].rng == session.states[at + 1].rng or done.chance_outcomes
        assert not learnt(session.engine, *session.states[at : at + 2])
        assert len(done.revealed_choices) < 2
    if steps < made:
        with pytest.raises(CannotUndo) as refused:
            session.undo(steps + 1)
        assert refused.value.possible == steps
        assert refused.value.number == made - steps
        assert refused.value.cause in ("chance", "shown", "secret")
        assert len(session.match.history) == made


@pytest.mark.slow
@tried(30)
@given(begins())
def test_a_free_table_takes_everything_back_and_chance_falls_again_as_it_fell(begin: Begin):
    session = played(begin, policy="free")
    before, made = everything(session), len(session.match.history)
    assert session.undo_steps() == made
    if made:
        session.undo(made)
        assert session.state == session.states[0]
        session.redo(made)
    assert everything(session) == before


def test_the_reason_is_given_when_nothing_more_can_be_undone():
    session = Session.new(engine_of(Table("splendor", 2)), seed=3)
    with pytest.raises(CannotUndo, match="nothing to undo"):
        session.undo()
    with pytest.raises(CannotRedo):
        session.redo()
    session.act("reserve_face_up(card=l1_ruby_6)")  # another card comes: chance
    session.act("take_pair(colour=ruby)")
    assert session.undo_steps() == 1
    with pytest.raises(CannotUndo, match="action 1 involved chance") as refused:
        session.undo(2)
    assert (refused.value.cause, refused.value.number, refused.value.possible) == ("chance", 1, 1)
    session.undo()
    with pytest.raises(CannotUndo):
        session.undo()
    session.redo()
    session.undo()
    session.act("take_pair(colour=onyx)")
    assert not session.redo_steps
    assert [entry.text for entry in session.log()] == [
        "reserve_face_up(card=l1_ruby_6)",
        "take_pair(colour=onyx)",
    ]


def test_secret_choices_can_be_taken_back_until_they_are_laid_open():
    session = Session.new(engine_of(Table("tests/games/lowest/lowest.yaml", 3)), seed=1)
    session.act(session.legal()[0])
    session.act(session.legal()[1])
    assert session.undo_steps() == 2
    session.act(session.legal()[2])
    with pytest.raises(CannotUndo, match="secret choices") as refused:
        session.undo()
    assert refused.value.cause == "secret"


GLIMPSE = """
# yaml-language-server: $schema=../schemas/game.schema.json
game: glimpse
version: 1.0.0
language: 2
text: A card is shown to a neighbour and at once mixed in again.
players: 2
components:
  card: {fields: {worth: 1 to 3}, start: pile, rows: [{id: a, worth: 1}, {id: b, worth: 2}, {id: c, worth: 3}]}
zones:
  pile: {holds: card, order: shuffled, seen_by: nobody}
  hand: {holds: card, per: player, seen_by: owner}
setup: [{deal: {for_each: player, move: top, from: pile, to: hand(player)}}]
actions:
  glimpse:
    text: Show it, and mix it in.
    do: [{show: {reveal: hand(me), to: next(me)}}, {mix: {move: all, from: hand(me), to: pile}}]
  wait: {text: Nothing., do: []}
turn: [{act: {must: [glimpse, wait]}}]
round: [{turns: {for_each: player, turn: player}}]
ranking: [{first: {most: hand(player).worth}}]
"""


def test_what_was_shown_for_a_moment_only_was_shown(tmp_path: Path):
    """A card that is mixed in again is not known afterwards; who saw it has seen it all the same."""
    path = tmp_path / "glimpse.yaml"
    path.write_text(GLIMPSE, encoding="utf-8")
    engine = ReferenceEngine(load_rules(str(path)))
    session = Session.new(engine, seed=2)
    session.act("wait")
    session.act("glimpse")
    assert not learnt(engine, *session.states[-2:])
    with pytest.raises(CannotUndo) as refused:
        session.undo()
    assert (refused.value.cause, refused.value.number) == ("shown", 2)
    session.act("wait")
    session.act("glimpse")  # nothing is left to show
    session.act("glimpse")


WEIGHED = """
# yaml-language-server: $schema=../schemas/game.schema.json
game: weighed
version: 1.0.0
language: 2
text: What is hidden is weighed, and all read the weight.
players: 2
components:
  card: {fields: {worth: 1 to 9}, start: pile, rows: [{id: a, worth: 1}, {id: b, worth: 4}, {id: c, worth: 9}]}
zones:
  pile: {holds: card, order: shuffled, seen_by: nobody}
  hand: {holds: card, per: player, seen_by: owner}
state: {weight: {type: 0 to 9, start: 0}, spoken: {type: 0 to 9, start: 0}}
setup: [{deal: {for_each: player, move: top, from: pile, to: hand(player)}}]
actions:
  weigh: {text: Weigh., do: [{note: {set: weight, to: hand(next(me)).worth}}]}
  speak: {text: Say a number., choose: {number: {one_of: 1 to 9}}, do: [{note: {set: spoken, to: number}}]}
turn: [{act: {must: [weigh, speak]}}]
round: [{turns: {for_each: player, turn: player}}]
ranking: [{first: {most: weight + spoken}}]
"""


def test_what_follows_from_hidden_things_was_shown(tmp_path: Path):
    """No card is shown, but a number that all see tells which it is; a number that was only said tells nothing."""
    path = tmp_path / "weighed.yaml"
    path.write_text(WEIGHED, encoding="utf-8")
    session = Session.new(ReferenceEngine(load_rules(str(path))), seed=2)
    session.act("speak 4")
    assert session.can_undo()
    session.act("weigh")
    assert not learnt(session.engine, *session.states[-2:])
    with pytest.raises(CannotUndo) as refused:
        session.undo()
    assert (refused.value.cause, refused.value.number) == ("shown", 2)


@pytest.mark.slow
@tried(10)
@given(begins("secret", chance=False), SEEDS)
def test_how_far_can_be_taken_back_does_not_depend_on_what_is_hidden(begin: Begin, seed: int):
    """Whether an action is final is the same in a position that a viewer cannot tell from the true one."""
    session = played(begin, most=begin.moves % 20)
    engine, rng = session.engine, random.Random(seed)
    if session.over:
        return
    for viewer in (*range(session.rules.players), None):
        world = determinize(engine, session.state, viewer, seed)
        both = [one for one in session.legal() if one in engine.legal(world)]
        if both:
            action = rng.choice(both)
            one, other = Session(engine, session.state), Session(engine, world)
            one.act(action)
            other.act(action)
            assert one.can_undo() == other.can_undo()


# ---- what each may know ------------------------------------------------------------------------------------------


@pytest.mark.slow
@tried(20)
@given(begins("secret", chance=False), SEEDS)
def test_a_log_does_not_depend_on_what_is_hidden(begin: Begin, seed: int):
    """The same action in the true position and in one that a viewer cannot tell from it gives the viewer the same log,
    and taking it back gives the viewer the same view.
    """
    session = played(begin, most=begin.moves % 30)
    engine, rng = session.engine, random.Random(seed)
    if session.over:
        return
    for viewer in (*range(session.rules.players), None):
        world = determinize(engine, session.state, viewer, seed)
        both = [one for one in session.legal() if one in engine.legal(world)]
        if not both:
            continue
        action = rng.choice(both)
        one, other = Session(engine, session.state), Session(engine, world)
        one.act(action)
        other.act(action)
        # secret choices that the action reveals are hidden no more: they may differ from those that were imagined
        without_revealed = [
            [replace(entry, revealed_choices=()) for entry in session.log(viewer)] for session in (one, other)
        ]
        assert without_revealed[0] == without_revealed[1]
        for both_sessions in (one, other):
            both_sessions.policy = "free"
            both_sessions.undo()
        assert one.view(viewer) == other.view(viewer)
        assert one.log(viewer) == other.log(viewer) == ()


def test_a_log_is_for_a_seat_or_a_spectator():
    session = played(Begin(Table("splendor", 2), 0, 5, 5, 0), most=3)
    assert session.log() == session.log(2)
    with pytest.raises(ValueError, match="seat 3"):
        session.log(3)


# ---- going on ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@tried(20)
@given(begins(chance=False))
def test_saved_in_the_middle_it_goes_on_the_same_way(begin: Begin):
    session = played(begin, most=begin.moves % MOST)
    again = Session.from_position(session.engine, position_json.state_from_json(session.engine, session.saved()))
    rng = random.Random(0)
    for _ in range(8):
        if session.over:
            break
        action = rng.choice(session.legal())
        assert again.act(action) == session.act(action)
        assert again.state == session.state


def test_what_is_wrong_is_refused_and_nothing_is_done():
    session = Session.new(engine_of(Table("splendor", 2)), seed=3)
    with pytest.raises(IllegalAction):
        session.act("take_pair(colour=gold)")
    with pytest.raises(NotWaitingError):
        session.resolve_chance(0)
    with pytest.raises(NotWaitingError):
        session.result()
    assert not session.match.history
    assert [one.address for one in session.why_not("take_pair(colour=gold)")] == ["actions.take_pair.choose.colour"]


OPEN_PAYMENTS = """game: payments
version: 1.0.0
language: 2
text: Payments
players: 2
kinds: {coin: [penny, crown]}
zones:
  bank: {holds: coin, seen_by: all}
  chest: {holds: coin, seen_by: nobody}
  purse: {holds: coin, per: player, seen_by: owner, start: 9 of coin}
state: {noted: {type: 0 to 9}}
actions:
  pay:
    choose: {coins: {some_of: purse(me), total: 2}}
    do: [note: {set: noted, to: 3}, pay: {move: coins, from: purse(me), to: bank}]
  hide:
    choose: {coins: {some_of: purse(me), total: 2}}
    do: [pay: {move: coins, from: purse(me), to: chest}]
  maybe:
    choose: {coins: {some_of: purse(me), total: 2}}
    do: [pay: {when: "purse(me, penny) > 8", move: coins, from: purse(me), to: bank}]
  later:
    choose: {coins: {some_of: purse(me), total: 2}}
    do: [throw: {roll: noted}, pay: {move: coins, from: purse(me), to: bank}]
turn:
  - act: {must: [pay, hide, maybe, later]}
round: [turns: {for_each: player, turn: player}]
"""


@pytest.mark.parametrize(("action", "is_seen"), [("pay", True), ("hide", False), ("maybe", False), ("later", False)])
def test_what_goes_openly_to_a_place_that_all_see_is_logged(tmp_path: Path, action: str, is_seen: bool):
    path = tmp_path / "payments.yaml"
    path.write_text(OPEN_PAYMENTS, encoding="utf-8")
    session = Session.new(ReferenceEngine(load_rules(str(path))), seed=1)
    session.act(f"{action}(coins=1 penny + 1 crown)")
    text = f"{action}(coins=1 penny + 1 crown)"
    assert session.log(0)[0].text == text
    for viewer in (1, None):
        assert session.log(viewer)[0].text == (text if is_seen else f"{action}(coins=?)")
