"""Variants played together: do they go together, does their order matter, and can what comes out be played?

In: a game, variants by name or path, a number of players. Out: a `Combined`: refused with the first reason, or laid
over in both orders and tried in random games. The seed of each game comes from the names and the number of players, so
that it does not matter what else is tried.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rulewright.check.claims import claims
from rulewright.check.played import CAP, try_game
from rulewright.diagnostics import Diagnostic, Report
from rulewright.engine import chance
from rulewright.engine.reference import Engine
from rulewright.model.load import resolve, understood
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
    meaning, in the order of the names and in the opposite one. `open`: what is claimed and not proved. `faults`: the
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
    there, back = _rules(one.game, one.players, one.paths), _rules(one.game, one.players, one.paths[::-1])
    if not isinstance(there, Rules) or not isinstance(back, Rules):
        if isinstance(there, Rules) != isinstance(back, Rules):
            return Combined(one.key, None, ("refused in one order", "and not in the other"), (), 0, 0, 0, ())
        assert isinstance(there, Diagnostic)
        return Combined(one.key, (there.code.name, there.message), None, (), 0, 0, 0, ())
    engine = Engine(there)
    base = int.from_bytes(hashlib.sha256(f"{one.key}, seed {one.seed}".encode()).digest()[:8], "big")
    unfinished = turns = 0
    faults: list[tuple[int, str]] = []
    for number in range(one.games):
        tried = try_game(engine, chance.seeded(base, stream=number), cap=one.cap)
        turns += tried.turns
        unfinished += not tried.over and tried.fault is None
        if tried.fault is not None:
            faults.append((tried.seed, f"{tried.fault.address}: {tried.fault.message}"))
    unproved = tuple(dict.fromkeys(claim.what for claim in claims(there) if not claim.proved))
    digests = there.digest, back.digest
    return Combined(one.key, None, digests, unproved, one.games, unfinished, turns, tuple(faults))


def _rules(game: str, players: int, paths: tuple[str, ...]) -> Rules | Diagnostic:
    """The rules, or the first error."""
    report = Report()
    resolved = resolve(game, players, paths, report)
    rules = understood(resolved, report) if resolved is not None else None
    error = next((one for one in report if one.severity == "error"), None)
    if error is not None:
        return error
    assert rules is not None
    return rules


__all__ = ["Combination", "Combined", "combined"]
