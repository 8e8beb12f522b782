"""Rule sets that nobody has looked at: a game changed at random, kept only if it loads and is played differently.

In: a game's rules with their snapshot, and a seed. Out: a `Mutant` with its rules, or why it is none. It counts when
some random game differs from that of the base with the same seed and the same choices: in a legal list, in what lies
somewhere, in a state variable or in the result, all of it in notation, so that mere numbers do not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from rulewright.engine import chance
from rulewright.engine.notation import Notation
from rulewright.errors import RulewrightError
from rulewright.frozen import frozen
from rulewright.lockstep.lockstep_games import CHOICE_STREAM, MAX_GAME_DECISIONS
from rulewright.lockstep.lockstep_player import LockstepPlayer, PlayerFactory
from rulewright.lockstep.position_comparison import position_texts, write_action
from rulewright.lockstep.rule_mutations import mutate_rules
from rulewright.model.rules import Rules
from rulewright.records.rules_snapshot import RulesSnapshot, SnapshotError, rules_from_snapshot

MUTANT_FILE: Final = "mutant"  # the path shown in messages about its rules
UNREAD_SECTIONS: Final = ("book", "sentences")  # they say something, and change nothing
Verdict: TypeAlias = Literal["counted", "no difference", "not compiled", "not loaded"]


@frozen
class Mutant:
    """Changed rules. `rules`: None where they do not load; `why`: the diagnostic then. `kinds`: of the changes."""

    seed: int
    changes: tuple[str, ...]
    kinds: tuple[str, ...]
    rules: Rules | None
    why: str = ""


def make_mutant(rules: Rules, snapshot: RulesSnapshot, seed: int) -> Mutant:
    """The rules, changed by the seed. What is only said about them is left out: it costs time, and means nothing."""
    root = snapshot["root"]
    assert isinstance(root, dict)
    mutated = mutate_rules({key: value for key, value in root.items() if key not in UNREAD_SECTIONS}, seed)
    data = {
        **snapshot, "root": mutated.root, "texts": {}, "sources": None, "display": None, "titles": {}, "changed": [],
        "cited": {},
    }  # fmt: skip
    try:
        changed = rules_from_snapshot(data, rules.players, rules.variants, MUTANT_FILE)
    except SnapshotError as error:
        return Mutant(seed, mutated.changes, mutated.kinds, None, str(error))
    return Mutant(seed, mutated.changes, mutated.kinds, changed)


def is_played_differently(
    base: Rules, mutant: Rules, make_player: PlayerFactory, seeds: Sequence[int], tokenwise: Collection[str]
) -> bool:
    """Whether a game with one of the seeds goes differently."""
    return any(
        one != other
        for seed in seeds
        for one, other in _pairs(
            _trace(base, make_player, seed, tokenwise), _trace(mutant, make_player, seed, tokenwise)
        )
    )


def _pairs(one: Iterator[object], other: Iterator[object]) -> Iterator[tuple[object, object]]:
    end = object()
    while True:
        pair = next(one, end), next(other, end)
        if pair == (end, end):
            return
        yield pair


def _trace(rules: Rules, make_player: PlayerFactory, seed: int, tokenwise: Collection[str]) -> Iterator[object]:
    """What can be seen of a random game, moment by moment; last, where they fail, how the rules fail."""
    notation = Notation(rules)
    rng = chance.seed_rng(seed, CHOICE_STREAM)
    try:
        player: LockstepPlayer = make_player(rules, tokenwise)
        player.start(seed, seed % rules.players)
        for _ in range(MAX_GAME_DECISIONS):
            yield position_texts(player.position(), rules)
            legal = player.legal()
            yield [write_action(action, notation) for action in legal]
            if not legal:
                return
            rng, index = chance.rand_below(rng, len(legal))
            player.apply(index)
    except (RulewrightError, ValueError) as error:
        yield str(error)


__all__ = ["Mutant", "Verdict", "is_played_differently", "make_mutant"]
