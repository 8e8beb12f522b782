"""Variants played together: do they go together, does their order matter, and can what comes out be played?

In: a game, variants by name or path, a number of players. Out: a `Combined`: refused with the first reason, or laid
over in both orders and tried in random games. The seed of each game comes from the names and the number of players, so
that it does not matter what else is tried.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from rulewright.checker.guarantees import claims
from rulewright.checker.random_games import CAP, try_game
from rulewright.diagnostics import Diagnostic, Report, RulesError
from rulewright.document.document import Document, load_game
from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import Engine
from rulewright.model.build import meaning
from rulewright.model.loader import Resolved, game_path, resolve_document, understood
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
    cap: int = CAP

    @property
    def key(self) -> str:
        """What it is called: `a + b, 3 players`."""
        return f"{' + '.join(self.names)}, {self.players} player{'' if self.players == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Combined:
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
    def orderly(self) -> bool:
        """Whether both orders gave the same rules."""
        return self.digests is None or self.digests[0] == self.digests[1]


def combined(one: Combination) -> Combined:
    """Lays the variants over the game in both orders, and plays what comes out."""
    there, back = _laid(one, one.paths), _laid(one, one.paths[::-1])
    rules = _rules(there)
    if isinstance(rules, Diagnostic):
        return Combined(one.key, (rules.code.name, rules.message), None, (), 0, 0, 0, ())
    assert there.resolved is not None
    opposite = "" if back.resolved is None or back.report.errors else meaning(back.resolved.document, one.players)
    engine = Engine(rules)
    base = int.from_bytes(hashlib.sha256(f"{one.key}, seed {one.seed}".encode()).digest()[:8], "big")
    unfinished = turns = 0
    faults: list[tuple[int, str]] = []
    for number in range(one.games):
        tried = try_game(engine, chance.seeded(base, stream=number), cap=one.cap)
        turns += tried.turns
        unfinished += not tried.over and tried.fault is None
        if tried.fault is not None:
            faults.append((tried.seed, f"{tried.fault.address}: {tried.fault.message}"))
    unproved = tuple(dict.fromkeys(f"{claim.what}: {claim.address}" for claim in claims(rules) if not claim.proved))
    return Combined(one.key, None, (rules.digest, opposite), unproved, one.games, unfinished, turns, tuple(faults))


@dataclass(frozen=True, slots=True)
class Laid:
    """A game with variants laid over it, and what was complained of."""

    resolved: Resolved | None
    report: Report


def _laid(one: Combination, paths: tuple[str, ...]) -> Laid:
    report = Report()
    document = _document(one.game)
    return Laid(resolve_document(document, one.players, paths, report), report)


@lru_cache(maxsize=1)
def _document(game: str) -> Document:
    """The game, read once by each process; raises `RulesError`."""
    report = Report()
    document = load_game(game_path(game), report)
    if document is None or report.errors:
        raise RulesError(report)
    return document


def _rules(laid: Laid) -> Rules | Diagnostic:
    """The rules, or the first error."""
    rules = understood(laid.resolved, laid.report) if laid.resolved is not None else None
    error = next((one for one in laid.report if one.severity == "error"), None)
    if error is not None:
        return error
    assert rules is not None
    return rules


__all__ = ["Combination", "Combined", "combined"]
