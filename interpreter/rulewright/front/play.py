"""`rulewright play`: a game on the terminal, with people, bots or both; in a pipe bots play and all is printed.

In: parsed arguments, lines typed. Out: the board, menus and what happened, each as the one who looks may know it.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import Final

from rulewright.engine import chance
from rulewright.engine.reference import Engine
from rulewright.engine.state import Chance, State
from rulewright.front import opening
from rulewright.front.board import Board
from rulewright.front.game import Game, Over
from rulewright.front.screen import Screen
from rulewright.front.told import headline, wrapped
from rulewright.front.watch import watch
from rulewright.front.words import Words, spoken
from rulewright.front.wrong import Wrong
from rulewright.model.rules import Rules
from rulewright.play.bots import BOTS
from rulewright.play.match import Match

HUMAN: Final = "human"


def run(wish: Namespace) -> int:
    """Plays a game to its end, or until the input ends."""
    screen = Screen(ascii_only=wish.ascii, colours=not wish.no_color)
    seed = wish.seed if wish.seed is not None else opening.new_seed()
    if wish.resume:
        if wish.first is not None:
            raise Wrong("--first belongs to a new game, not to one that is resumed")
        engine, state = opening.resumed(wish.resume, wish)
        state = with_chance(engine, state, seed)
    else:
        engine = opening.opened(wish)
        state = engine.start(first=opening.seat(engine.rules, wish.first or 0), seed=seed)
    code = language(engine.rules, wish.lang)
    seats = _seats(engine.rules.players, wish.seat, screen.terminal)
    match = Match(engine, state)
    players = {seat: BOTS[who](seed, seat) for seat, who in enumerate(seats) if who != HUMAN}
    board = Board(engine, code, shapes=not screen.ascii)
    screen.put(_head(match, board.words, seats, seed, resumed=bool(wish.resume)))
    if HUMAN not in seats:
        watch(match, board, players, wish.cap, screen)
        return 0
    try:
        Game(match, board, players, screen).play()
    except Over as over:
        screen.say(str(over))
    return 0


def language(rules: Rules, code: str) -> str:
    """The language, if the game has it or the program itself speaks it."""
    return code if code in spoken() else opening.language(rules, code)


def with_chance(engine: Engine, state: State, seed: int) -> State:
    """The position with a generator of its own, if it had its chance from outside."""
    if state.rng is not None:
        return state
    state = replace(state, rng=chance.seeded(seed))
    if isinstance(state.waiting, Chance):
        rng, outcome = chance.pick(chance.seeded(seed, stream=len(BOTS)), state.waiting.outcomes)
        state = engine.feed(replace(state, rng=rng), outcome)
    return state


def _seats(players: int, given: list[str] | None, terminal: bool) -> list[str]:
    if given is not None and len(given) > players:
        raise Wrong(f"--seat is given {len(given)} times, and {players} play")
    chosen = given if given is not None else [HUMAN] if terminal else []
    return [*chosen, *["greedy"] * (players - len(chosen))]


def _head(match: Match, words: Words, seats: list[str], seed: int, *, resumed: bool) -> list[str]:
    lines = [headline(match.rules, words.code)]
    lines += wrapped(", ".join(f"{words('seat')} {seat}: {words(f'who_{who}')}" for seat, who in enumerate(seats)))
    first = match.state.first
    return [*lines, words("began", seat=first) if resumed else words("begins", seat=first, seed=seed)]


__all__ = ["language", "run", "with_chance"]
