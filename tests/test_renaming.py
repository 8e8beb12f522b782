"""No id of the rule files means anything to the package: under other names the same game is played.

Every id is exchanged at random, in the base game, in each variant and in the small games of tests/games. Positions hold
numbers only, so they have to be equal; what is written in notation has to be equal once the names are translated back.
Once, the new names are words of the language itself wherever the language lets them be names.
"""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path

import pytest

from games.playing import evaluate
from positions import chosen, piecewise_choices, player_counts, small_games, variants_of, with_required
from renaming import NEVER_IDS, Naming, Renamed, random_names, rename
from rulewright.engine.game_tree import perft
from rulewright.engine.notation import Notation
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import ChanceEvent, Decision, State
from rulewright.expr.keywords import KEYWORDS
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games, available_variants, default_game, find_game
from rulewright.model.rules import Rules
from rulewright.model.symbol_table import METADATA_KEYS
from wished_actions import any_attempt

pytestmark = pytest.mark.slow

GAME = default_game()
SINGLE = [
    (name, player_counts(path) or player_counts(find_game(GAME) / "game.yaml"))
    for name, path in variants_of(GAME).items()
]


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> Renamed:
    return rename(find_game(GAME), available_variants(GAME), tmp_path_factory.mktemp("renamed"), seed=1)


def under_other_names(renamed: Renamed, players: int, variants: tuple[str, ...]) -> Rules:
    """The rules in the other folder; the overlay for the number of players stands beside the chosen variants there."""
    overlay = [f"players-{players}"] if f"players-{players}" in renamed.variants else []
    return load_rules(
        str(renamed.path), players=players, variants=[str(renamed.variants[name]) for name in (*overlay, *variants)]
    )


def in_file_order(engine: ReferenceEngine, first: int) -> State:
    """A game whose piles lie in the order of the files, so that nothing is left to chance but dice and sacks."""
    orders = {
        zone.first_index + at: engine.layout.contents[zone.first_index + at].things
        for zone in engine.rules.zones.values()
        if zone.is_shuffled
        for at in range(zone.size)
    }
    return engine.start(first=first, orders=orders)


def written(engine: ReferenceEngine, state: State) -> list[str]:
    notation = Notation(engine.rules)
    return [notation.format_action(action) for action in engine.legal(state)]


def the_same_game(one: ReferenceEngine, other: ReferenceEngine, naming: Naming, seed: int, most: int = 150) -> None:
    """A random game from the same seed in both, decision by decision."""
    assert one.rules.digest != other.rules.digest
    rng = random.Random(seed)
    state, same = (
        one.start(seed=seed, first=seed % one.rules.players),
        other.start(seed=seed, first=seed % one.rules.players),
    )
    explainers = {language: (Explainer(one, language), Explainer(other, language)) for language in one.rules.languages}
    for made in range(most):
        assert same == state
        if state.over:
            break
        assert isinstance(state.waiting, Decision)
        texts = written(one, state)
        assert [naming.back(text) for text in written(other, same)] == texts
        assert other.legal(same) == one.legal(state)
        at = rng.randrange(len(texts))
        again = Notation(other.rules).parse_action(naming.forth(texts[at]))
        action = Notation(other.rules).match_action(again, other.legal(same))
        assert action == one.legal(state)[at]
        if made % 10 == 0:
            the_same_reasons(explainers, state, naming, rng)
        state, same = one.apply(state, one.legal(state)[at]), other.apply(same, action)
    assert one.result(state) == other.result(same)
    assert [*one.measures(state).values()] == [*other.measures(same).values()]
    for seat in range(one.rules.players):
        assert evaluate(one, state, seat) == evaluate(other, same, seat)


def the_same_reasons(
    explainers: dict[str, tuple[Explainer, Explainer]], state: State, naming: Naming, rng: random.Random
) -> None:
    """Why a few actions are not legal: the same sentences, addresses and values, once the names are translated."""
    assert isinstance(state.waiting, Decision)
    for first, second in explainers.values():
        for _ in range(4):
            wished = any_attempt(first.rules, rng)
            ours = [place_less(reason.to_data()) for reason in first.why_not(state, state.waiting.seat, wished)]
            theirs = [place_less(reason.to_data()) for reason in second.why_not(state, state.waiting.seat, wished)]
            assert naming.back("\n".join(theirs)) == "\n".join(ours)


def place_less(reason: dict[str, object]) -> str:
    return json.dumps({key: value for key, value in reason.items() if key != "place"}, ensure_ascii=False)


# ---- the default game -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_perft_is_the_same(renamed: Renamed, players: int):
    one, other = (
        ReferenceEngine(load_rules(GAME, players=players)),
        ReferenceEngine(under_other_names(renamed, players, ())),
    )
    for depth in (1, 2, 3):
        assert perft(one, in_file_order(one, 0), depth) == perft(other, in_file_order(other, 0), depth)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_are_the_same(renamed: Renamed, players: int):
    one, other = load_rules(GAME, players=players), under_other_names(renamed, players, ())
    for seed in range(3):
        the_same_game(ReferenceEngine(one), ReferenceEngine(other), renamed.naming, seed)
    piecewise = (
        ReferenceEngine(one, tokenwise=piecewise_choices(one)),
        ReferenceEngine(other, tokenwise=piecewise_choices(other)),
    )
    the_same_game(*piecewise, renamed.naming, 7)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("number", "variant", "counts"), [(at, *one) for at, one in enumerate(SINGLE)])
def test_variants_are_the_same(renamed: Renamed, number: int, variant: str, counts: tuple[int, ...]):
    players, variants = counts[number % len(counts)], with_required(GAME, variant)
    one = ReferenceEngine(load_rules(GAME, players=players, variants=variants))
    other = ReferenceEngine(under_other_names(renamed, players, variants))
    assert perft(one, in_file_order(one, 0), 2) == perft(other, in_file_order(other, 0), 2)
    the_same_game(one, other, renamed.naming, 10 + number)


def test_another_renaming_is_the_same(tmp_path: Path):
    """With other names in another order, so that nothing hangs on how names sort."""
    one = ReferenceEngine(load_rules(GAME, players=3))
    for seed in (2, 3):
        again = rename(find_game(GAME), available_variants(GAME), tmp_path / str(seed), seed)
        the_same_game(one, ReferenceEngine(under_other_names(again, 3, ())), again.naming, seed)


# ---- the other games ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", small_games(), ids=lambda path: path.stem)
def test_small_games_are_the_same(tmp_path: Path, path: Path):
    found = rename(path, {}, tmp_path, 5)
    players = max(table.players for table in chosen("all") if Path(table.game).resolve() == path.resolve())
    one, other = (
        ReferenceEngine(load_rules(str(path), players=players)),
        ReferenceEngine(load_rules(str(found.path), players=players)),
    )
    for seed in range(2):
        the_same_game(one, other, found.naming, seed, 60)


@pytest.mark.parametrize("game", [game for game in available_games() if game != GAME])
def test_shipped_games_are_the_same(tmp_path: Path, game: str):
    found = rename(find_game(game), available_variants(game), tmp_path, 5)
    players = max(table.players for table in chosen("all") if table.game == game)
    one, other = (
        ReferenceEngine(load_rules(game, players=players)),
        ReferenceEngine(under_other_names(found, players, ())),
    )
    for seed in range(2):
        the_same_game(one, other, found.naming, seed, 60)


# ---- names that are words of the language ---------------------------------------------------------------------------


@cache
def words_of_the_language() -> tuple[str, ...]:
    """Keys of the schemas that may be names: nothing in an expression is called so."""
    schemas = Path(__file__).parent.parent / "schemas"
    keys = re.findall(
        r'"([a-z_]+)": \{', "".join(path.read_text(encoding="utf-8") for path in sorted(schemas.glob("*.json")))
    )
    reserved = NEVER_IDS | KEYWORDS | METADATA_KEYS | {"id", "properties", "items"}
    return tuple(dict.fromkeys(key for key in keys if key not in reserved))


def awkward_names(ids: list[str], seed: int) -> dict[str, str]:
    """Words of the language for as many ids as there are words, the others at random."""
    rng = random.Random(seed)
    new = random_names(ids, seed)
    free = [word for word in words_of_the_language() if word not in ids]
    likely = [name for name in ids if not re.search(r"\d", name)]
    rng.shuffle(likely)
    for name, word in zip(likely, free, strict=False):
        new[name] = word
    return new


def test_words_of_the_language_can_be_names(tmp_path: Path):
    found = rename(find_game(GAME), available_variants(GAME), tmp_path, 1, awkward_names)
    assert sum(word in words_of_the_language() for word in found.naming.new.values()) > 40
    one, other = ReferenceEngine(load_rules(GAME, players=2)), ReferenceEngine(under_other_names(found, 2, ()))
    state, same, rng = one.start(seed=4), other.start(seed=4), random.Random(4)
    for _ in range(60):
        assert same == state
        if state.over or isinstance(state.waiting, ChanceEvent):
            break
        assert other.legal(same) == one.legal(state)
        texts = written(other, same)
        at = rng.randrange(len(texts))
        assert (
            Notation(other.rules).match_action(Notation(other.rules).parse_action(texts[at]), other.legal(same))
            == one.legal(state)[at]
        )
        state, same = one.apply(state, one.legal(state)[at]), other.apply(same, one.legal(state)[at])
