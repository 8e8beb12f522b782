"""Variants played together: are they compatible, does their order matter, and do the rules hold up in play?

In: a game, variants by name or path, a number of players. Out: a `CombinationResult`: refused with the first reason, or
applied in both orders and tested in random games. The seed of each game depends on the names and the number of players
only, not on what else is tried.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from rulewright import limits
from rulewright.checker.logic.guarantees import prove_guarantees
from rulewright.checker.played.random_games import RandomGame, play_compiled_game, play_random_game
from rulewright.diagnostics import Diagnostic, Diagnostics, RulesError
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.engine import chance
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.compiled.playing.machine_support import NoMachineCode
from rulewright.engine.compiled.playing.make_game import make_compiled_game
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.default_engine import make_engine
from rulewright.engine.engine_names import AUTO_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.errors import UsageError
from rulewright.frozen import frozen
from rulewright.model.digests import rules_digest
from rulewright.model.loader import Composition, build_composition, compose_document
from rulewright.model.locate import find_game
from rulewright.model.rules import Rules
from rulewright.variants.codes import TWO_SENTENCES


@frozen
class Combination:
    """What is tried: variants at a number of players, in `games` random games of up to `max_turns` turns.

    `names` are those of the variants, `paths` those of all that are applied: they and what they require. `engine`: a
    name of `engine_names`; whichever it is, the games are the same.
    """

    game: str
    names: tuple[str, ...]
    paths: tuple[str, ...]
    players: int
    games: int
    seed: int
    max_turns: int = limits.MAX_GAME_TURNS
    engine: EngineName = AUTO_ENGINE

    @property
    def key(self) -> str:
        """Its name: `a + b, 3 players`."""
        return f"{' + '.join(self.names)}, {self.players} player{'' if self.players == 1 else 's'}"


@frozen
class CombinationResult:
    """What came of it.

    `refused`: name and message of the first error; None when the variants are compatible. `digests`: of the rules, in
    the order of the names and in the opposite one. `open`: guarantees that are not proved, with the rule. `faults`: of
    each game that failed its seed and the message. `warnings`: of sentences that two of them write in different words.
    `engine`: which one played, and if it is not the fastest, why; empty where nothing was played.
    """

    key: str
    refused: tuple[str, str] | None
    digests: tuple[str, str] | None
    open: tuple[str, ...]
    games: int
    unfinished: int
    turns: int
    faults: tuple[tuple[int, str], ...]
    warnings: tuple[str, ...] = ()
    engine: str = ""

    @property
    def is_order_independent(self) -> bool:
        """Whether both orders gave the same rules."""
        return self.digests is None or self.digests[0] == self.digests[1]


def try_combination(combination: Combination) -> CombinationResult:
    """Applies the variants in both orders and plays the rules.

    Raises `RulesError` when the game has errors, and `UsageError` where the engine asked for cannot play the rules.
    """
    diagnostics = Diagnostics()
    rules = _build(combination, combination.paths, diagnostics)
    error = next((diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"), None)
    if error is not None:
        return CombinationResult(combination.key, (error.code.name, error.message), None, (), 0, 0, 0, ())
    assert rules is not None
    games, engine = _play_games(combination, rules)
    unproved = (guarantee for guarantee in prove_guarantees(rules) if not guarantee.is_proved)
    return CombinationResult(
        combination.key,
        refused=None,
        digests=(rules.digest, _reverse_digest(combination)),
        open=tuple(dict.fromkeys(f"{guarantee.statement}: {guarantee.address}" for guarantee in unproved)),
        games=combination.games,
        unfinished=sum(not game.is_over and game.fault is None for game in games),
        turns=sum(game.turns for game in games),
        faults=tuple(
            (game.seed, f"{game.fault.address}: {game.fault.message}") for game in games if game.fault is not None
        ),
        warnings=tuple(_as_line(diagnostic) for diagnostic in diagnostics if diagnostic.code is TWO_SENTENCES),
        engine=engine,
    )


def _as_line(diagnostic: Diagnostic) -> str:
    """A diagnostic in one line, with its places and its hint."""
    places = ", ".join(str(span) for span in (*(other.span for other in diagnostic.related), diagnostic.span))
    return f"{diagnostic.message} ({places}); {diagnostic.help}"


def _play_games(combination: Combination, rules: Rules) -> tuple[list[RandomGame], str]:
    """The games, and which engine played them."""
    if not combination.games:
        return [], ""
    seed_text = f"{combination.key}, seed {combination.seed}"
    base = int.from_bytes(hashlib.sha256(seed_text.encode()).digest()[:8], "big")
    seeds = (chance.seed_rng(base, stream=number) for number in range(combination.games))
    compiled, engine_text = _compiled_game(combination, rules)
    engine = make_engine(rules)

    def play(seed: int) -> RandomGame:
        played = None
        if compiled is not None:
            played = play_compiled_game(compiled, rules, seed, max_turns=combination.max_turns)
        return played or play_random_game(engine, seed, max_turns=combination.max_turns)

    return [play(seed) for seed in seeds], engine_text


def _compiled_game(combination: Combination, rules: Rules) -> tuple[CompiledGame | None, str]:
    """A compiled game, if one is to be played and can be, and the engine in words."""
    if combination.engine == REFERENCE_ENGINE:
        return None, REFERENCE_ENGINE
    name = COMPILED_ENGINE if combination.engine == AUTO_ENGINE else combination.engine
    try:
        return make_compiled_game(compile_program(rules, is_native=name == NATIVE_ENGINE), name), name
    except (NotCompiled, NoMachineCode) as refusal:
        if combination.engine != AUTO_ENGINE:
            raise UsageError(f"--engine {combination.engine}: {combination.key}: {refusal}") from None
        return None, f"{REFERENCE_ENGINE} ({refusal})"


def _reverse_digest(combination: Combination) -> str:
    """The digest of the rules with the variants in the opposite order; empty when they cannot be applied so."""
    diagnostics = Diagnostics()
    composition = _compose(combination, combination.paths[::-1], diagnostics)
    if composition is None or diagnostics.error_count:
        return ""
    return rules_digest(composition.document, combination.players)


def _build(combination: Combination, paths: tuple[str, ...], diagnostics: Diagnostics) -> Rules | None:
    composition = _compose(combination, paths, diagnostics)
    return build_composition(composition, diagnostics) if composition is not None else None


def _compose(combination: Combination, paths: tuple[str, ...], diagnostics: Diagnostics) -> Composition | None:
    return compose_document(base_document(combination.game), combination.players, paths, diagnostics)


@lru_cache(maxsize=1)
def base_document(game: str) -> Document:
    """The game without variants, read once by each process; raises `RulesError`."""
    diagnostics = Diagnostics()
    document = load_document(find_game(game), diagnostics)
    if document is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    return document


__all__ = ["Combination", "CombinationResult", "base_document", "try_combination"]
