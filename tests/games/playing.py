"""Plays the small games by chance, with everything held against everything else.

In: the folders beside this file: `<game>/<game>.yaml`, `variants/*.yaml`; and by name the shipped games but for the
default one. Out: rules, engines, played games.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.diagnostics import Diagnostics, render_concise
from rulewright.engine import position_json
from rulewright.engine.determinize import determinize
from rulewright.engine.evaluation_terms import Terms, sum_terms
from rulewright.engine.notation import Notation
from rulewright.engine.piece_counts import count_pieces
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.views import Views
from rulewright.expr.types import Thing
from rulewright.model.loader import build_composition, compose_game
from rulewright.model.locate import available_games, available_variants, default_game, find_game
from rulewright.model.rules import Rules
from rulewright.source.nodes import to_builtins
from rulewright.source.reader import parse_file

FOLDER = Path(__file__).parent
HERE = tuple(sorted(path.name for path in FOLDER.iterdir() if (path / f"{path.name}.yaml").is_file()))
SHIPPED = tuple(game for game in available_games() if game != default_game())
GAMES = (*HERE, *SHIPPED)
ODD = tuple(sorted((FOLDER / "odd").glob("*.yaml")))  # valid, though nobody would play them
CAP = 400  # decisions after which a game counts as played


def fewer_samples(game: str, number: int) -> int:
    """How many of so many samples are tried of a game: `slow_games.yaml` says by what they are divided."""
    return max(1, number // int(read(FOLDER.parent / "slow_games.yaml").get(game, 1)))


@cache
def hides(game: str) -> bool:
    """Whether there is something that not all players see."""
    path = FOLDER / game / f"{game}.yaml" if game in HERE else find_game(game)
    files = [path] if path.is_file() else sorted(path.glob("*.yaml"))
    zones = [zone for file in files for zone in read(file).get("zones", {}).values()]
    return any(zone["seen_by"] != "all" for zone in zones)


def read(path: Path) -> Any:
    """A file as plain data."""
    report = Diagnostics()
    node = parse_file(path, report)
    assert node is not None, [render_concise(one) for one in report]
    return to_builtins(node)


def game_file(game: str) -> Path:
    """The file with the game's head."""
    return find_game(game) / "game.yaml" if game in SHIPPED else FOLDER / game / f"{game}.yaml"


def game_files(game: str) -> list[Path]:
    """All files of the game that hold rules, the head first."""
    head = game_file(game)
    named = [head.parent / name for name in read(head).get("files", ())]
    return [head, *[path for path in named if path.stem not in ("table", "sources")]]


def variant_files(game: str) -> list[Path]:
    """Those that can be chosen, and those that join them."""
    return sorted(available_variants(game, game_file(game)).values())


def played(variant: Path) -> tuple[str, ...]:
    """The names under which a variant is played: its own, or those that it joins."""
    said = read(variant)
    return tuple(said["joins"]) if "joins" in said else (variant.stem,)


def counts(game: str) -> range:
    """The numbers of players of a game."""
    fewest, _, most = str(read(game_file(game))["players"]).partition(" to ")
    return range(int(fewest), int(most or fewest) + 1)


def players_of(variant: Path, game: str) -> range:
    """The numbers of players that a variant can be played with."""
    said = str(read(variant).get("players", ""))
    fewest, _, most = said.partition(" to ")
    return range(int(fewest), int(most or fewest) + 1) if said else counts(game)


def seatings() -> list[tuple[str, int, tuple[str, ...]]]:
    """Every game with each number of players, plain and under each of its variants, or those that one joins; a shipped
    one under its variants with the fewest players.
    """
    found: list[tuple[str, int, tuple[str, ...]]] = []
    for game in GAMES:
        for players in counts(game):
            found.append((game, players, ()))
            whole = game in HERE or players == counts(game)[0]  # the shipped ones are played elsewhere too
            fitting = [path for path in variant_files(game) if whole and players in players_of(path, game)]
            found.extend((game, players, played(path)) for path in fitting)
    return found


def build(game: str, players: int, variants: tuple[str, ...] = ()) -> tuple[Rules | None, list[str]]:
    """The rules, and every diagnostic about them in one line."""
    return build_file(
        game_file(game), players, [str(available_variants(game, game_file(game))[name]) for name in variants]
    )


def build_file(path: Path, players: int | None = None, variants: Sequence[str] = ()) -> tuple[Rules | None, list[str]]:
    report = Diagnostics()
    resolved = compose_game(str(path), players, variants, report)
    rules = None if resolved is None else build_composition(resolved, report)
    return rules, [render_concise(one) for one in report]


@cache
def engine(game: str, players: int, variants: tuple[str, ...] = (), tokenwise: tuple[str, ...] = ()) -> ReferenceEngine:
    rules, diagnostics = build(game, players, variants)
    assert rules is not None, diagnostics
    return ReferenceEngine(rules, tokenwise=tokenwise)


# ---- by chance ------------------------------------------------------------------------------------------------


def same_action(notation: Notation, action: Action, legal: tuple[Action, ...]) -> None:
    """An action that is written and read again is the same, as text and as data."""
    for again in (
        notation.parse_action(notation.format_action(action)),
        notation.action_from_data(json.loads(json.dumps(notation.action_to_data(action)))),
    ):
        assert notation.match_action(again, legal) == action, notation.format_action(action)


def same_position(of: ReferenceEngine, state: State) -> None:
    """A position that is saved and read again is the same."""
    assert position_json.state_from_json(of, position_json.state_to_json(of, state)) == state


def honest(of: ReferenceEngine, state: State, rng: int) -> None:
    """What a viewer may imagine looks to it like the true position."""
    views = Views(of)
    for seat in (*range(of.rules.players), None):
        imagined = determinize(of, state, seat, rng)
        assert views.view(imagined, seat) == views.view(state, seat), seat


def whole(of: ReferenceEngine, state: State) -> None:
    """Every thing stands in one place, no piece was won or lost, and no place holds less than nothing or too much."""
    assert count_pieces(of.rules, state.contents) == count_pieces(of.rules, of.layout.contents)
    lying: dict[str, list[int]] = {
        name: [] for name, one in of.rules.components.items() if one.initial_place is not None
    }
    for place, content in enumerate(state.contents):
        zone = of.layout.visibility.zone_by_place[place]
        held = getattr(content, "things", content)
        room = of.layout.capacities[place]
        assert all(one >= 0 for one in held)
        assert room is None or (sum(held) if zone.is_pool else len(held)) <= room, zone.name
        if isinstance(zone.content_type, Thing):
            lying[zone.content_type.component].extend(held)
    for name, things in lying.items():
        assert sorted(things) == list(range(len(of.rules.components[name].ids)))


def evaluate(of: ReferenceEngine, state: State, seat: int, terms: Terms | None = None) -> int:
    """How good a position is for a seat by some terms (default: the game's evaluation), added up."""
    return sum_terms(of.terms(state, seat) if terms is None else terms, of.context(state, seat))


def games_by_chance(of: ReferenceEngine, games: int, *, close: bool = False) -> Iterator[tuple[State, int]]:
    """Seeded games to their end or to the cap: each last position with the number of decisions. `close`: all is checked
    at every decision, else only that there is an option and that nothing is lost.
    """
    notation, explainer = Notation(of.rules), Explainer(of)
    for seed in range(games):
        rng = random.Random(seed)
        state = of.start(seed=seed, first=seed % of.rules.players)
        made = 0
        while not state.over and made < CAP:
            assert isinstance(state.waiting, Decision)
            legal = of.legal(state)
            assert legal, state.waiting
            assert len(set(legal)) == len(legal)
            whole(of, state)
            if close:
                same_position(of, state)
                honest(of, state, made)
                for action in rng.sample(legal, min(len(legal), 8)):
                    same_action(notation, action, legal)
                    assert explainer.why_not(state, state.waiting.seat, action) == ()
                for definition in of.rules.actions:
                    explainer.why_not(state, state.waiting.seat, Action(definition.index, ()))
                of.measures(state)
                for seat in range(of.rules.players):
                    evaluate(of, state, seat)
            state = of.apply(state, rng.choice(legal))
            made += 1
        whole(of, state)
        places, winners = of.result(state).ranks, of.result(state).winners
        assert len(places) == of.rules.players
        assert set(winners) <= set(range(of.rules.players))
        yield state, made


# ---- without chance -------------------------------------------------------------------------------------------


def begin(of: ReferenceEngine, first: int) -> State:
    """A game in which chance always takes the first outcome, so that it has no chance in it."""
    return settle(of, of.start(first=first))


def settle(of: ReferenceEngine, state: State) -> State:
    while isinstance(state.waiting, ChanceEvent):
        state = of.resolve_chance(state, state.waiting.outcomes[0][0])
    return state
