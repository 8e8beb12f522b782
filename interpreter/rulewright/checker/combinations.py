"""Variants played together: do they go together, does their order matter, and can what comes out be played?

In: a game, variants by name or path, a number of players. Out: a `Combined`: refused with the first reason, or laid
over in both orders and tried in random games. The seed of each game comes from the names and the number of players, so
that it does not matter what else is tried.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from rulewright.checker.guarantees import prove_guarantees
from rulewright.checker.random_games import MAX_TURNS, play_random_game
from rulewright.diagnostics import Diagnostic, Diagnostics, RulesError
from rulewright.document.document import Document, load_document
from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.digests import rules_digest
from rulewright.model.loader import Composition, build_composition, compose_document, find_game
from rulewright.model.rules import Rules


@dataclass(frozen=True, slots=True)
class Combination:
    """What is tried: `paths` of variants and all that they require, at a number of players, in so many games.

    `names` are those of the variants that were asked for.
    """

    game: str
    names: tuple[str, ...]
    paths: tuple[str, ...]
    players: int
    games: int
    seed: int
    max_turns: int = MAX_TURNS

    @property
    def key(self) -> str:
        """What it is called: `a + b, 3 players`."""
        return f"{' + '.join(self.names)}, {self.players} player{'' if self.players == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class CombinationResult:
    """What came of it. `refused`: the complaint's name and message, None when they go together. `digests`: of the
    meaning, in the order of the names and in the opposite one. `open`: what is claimed and not proved, and of which
    rule. `faults`: the
    seed of a game, and what its rules asked for.
    """

    key: str
    refused: tuple[str, str] | None
    digests: tuple[str, str] | None
    open: tuple[str, ...]
    games: int
    unfinished: int
    turns: int
    faults: tuple[tuple[int, str], ...]

    @property
    def is_order_independent(self) -> bool:
        """Whether both orders gave the same rules."""
        return self.digests is None or self.digests[0] == self.digests[1]


def try_combination(one: Combination) -> CombinationResult:
    """Lays the variants over the game in both orders, and plays what comes out."""
    there, back = _laid(one, one.paths), _laid(one, one.paths[::-1])
    rules = _rules(there)
    if isinstance(rules, Diagnostic):
        return CombinationResult(one.key, (rules.code.name, rules.message), None, (), 0, 0, 0, ())
    assert there.resolved is not None
    opposite = (
        ""
        if back.resolved is None or back.diagnostics.error_count
        else rules_digest(back.resolved.document, one.players)
    )
    engine = ReferenceEngine(rules)
    base = int.from_bytes(hashlib.sha256(f"{one.key}, seed {one.seed}".encode()).digest()[:8], "big")
    unfinished = turns = 0
    faults: list[tuple[int, str]] = []
    for number in range(one.games):
        tried = play_random_game(engine, chance.seed_rng(base, stream=number), max_turns=one.max_turns)
        turns += tried.turns
        unfinished += not tried.is_over and tried.fault is None
        if tried.fault is not None:
            faults.append((tried.seed, f"{tried.fault.address}: {tried.fault.message}"))
    unproved = tuple(
        dict.fromkeys(f"{claim.statement}: {claim.address}" for claim in prove_guarantees(rules) if not claim.is_proved)
    )
    return CombinationResult(
        one.key, None, (rules.digest, opposite), unproved, one.games, unfinished, turns, tuple(faults)
    )


@dataclass(frozen=True, slots=True)
class VariantResolution:
    """A game with variants laid over it, and what was complained of."""

    resolved: Composition | None
    diagnostics: Diagnostics


def _laid(one: Combination, paths: tuple[str, ...]) -> VariantResolution:
    report = Diagnostics()
    document = _document(one.game)
    return VariantResolution(compose_document(document, one.players, paths, report), report)


@lru_cache(maxsize=1)
def _document(game: str) -> Document:
    """The game, read once by each process; raises `RulesError`."""
    report = Diagnostics()
    document = load_document(find_game(game), report)
    if document is None or report.error_count:
        raise RulesError(report)
    return document


def _rules(laid: VariantResolution) -> Rules | Diagnostic:
    """The rules, or the first error."""
    rules = build_composition(laid.resolved, laid.diagnostics) if laid.resolved is not None else None
    error = next((one for one in laid.diagnostics if one.severity == "error"), None)
    if error is not None:
        return error
    assert rules is not None
    return rules


__all__ = ["Combination", "CombinationResult", "try_combination"]
