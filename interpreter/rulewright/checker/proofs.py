"""What is proved of rules that are checked, and what was only not found in play.

In: rule sets that were checked. Out: for each the guarantees, each with its proof at the numbers of players where there
is one; as lines and as JSON data. They are not asked by every check: reading all rules again takes about as long as
checking them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from rulewright.checker.game_checks import format_players
from rulewright.checker.logic.guarantees import Guarantee, prove_guarantees
from rulewright.checker.rule_sets import RuleSet
from rulewright.checker.secrets.secret_guarantees import prove_secrets
from rulewright.diagnostics import Diagnostics
from rulewright.frozen import frozen
from rulewright.model.loader import build_composition, compose_document
from rulewright.source.real_paths import real_path


class GuaranteeData(TypedDict):
    """A guarantee of a rule set, as `check --verbose --format json` prints it.

    `proof`: why it holds; empty where it was only not found broken. `tried`: what was found where more was done than
    to play. `decisions`: played at each number of players.
    """

    game: str
    variants: list[str]
    players: list[int]
    statement: str
    address: str
    proof: str
    tried: str
    decisions: int


@frozen
class CheckedGuarantee:
    """A guarantee, the numbers of players at which it is proved in the same way, or at which it is not proved."""

    guarantee: Guarantee
    players: tuple[int, ...]


@frozen
class Proofs:
    """What is proved of a game with variants, and what is not. `decisions`: played at each number of players."""

    game: str
    variants: tuple[str, ...]
    decisions: int
    guarantees: tuple[CheckedGuarantee, ...]


def prove_rule_sets(rule_sets: Iterable[RuleSet]) -> Iterator[Proofs]:
    """What is proved of each; nothing of one with an error."""
    for rules in rule_sets:
        players: dict[Guarantee, list[int]] = {}
        names: tuple[str, ...] = ()
        paths = {real_path(path): str(path) for path in rules.variants}
        for count in rules.counts:
            diagnostics = Diagnostics()
            composition = compose_document(rules.document, count, paths.values(), diagnostics)
            built = None if composition is None else build_composition(composition, diagnostics)
            if composition is None or built is None or diagnostics.error_count:
                continue
            names = tuple(variant.name for variant in composition.chosen_variants)
            for guarantee in dict.fromkeys((*prove_guarantees(built), *prove_secrets(built, rules.play))):
                players.setdefault(guarantee, []).append(count)
        if players:
            found = (CheckedGuarantee(guarantee, tuple(counts)) for guarantee, counts in players.items())
            yield Proofs(rules.document.name, names, rules.play, tuple(found))


def proof_lines(proofs: Iterable[Proofs]) -> Iterator[str]:
    """What is proved, and what was only not found, as text."""
    for rules in proofs:
        counts = sorted({count for each in rules.guarantees for count in each.players})
        yield f"{' + '.join((rules.game, *rules.variants))}, {format_players(counts)}:"
        for each in rules.guarantees:
            known = each.guarantee
            where = f"{known.address}: {known.statement}"
            if len(each.players) < len(counts):
                where += f" with {format_players(each.players)}"
            if known.is_proved:
                yield f"  proved, {where}: {known.proof}"
            elif known.tried:
                yield f"  not proved, {where}: {known.tried}"
            elif rules.decisions:
                yield f"  not proved, {where}: not found broken in {rules.decisions} decisions of random players"
            else:
                yield f"  not proved, {where}"


def proofs_to_json(proofs: Sequence[Proofs]) -> list[GuaranteeData]:
    """The same as JSON data."""
    return [
        {
            "game": rules.game,
            "variants": list(rules.variants),
            "players": list(each.players),
            "statement": each.guarantee.statement,
            "address": each.guarantee.address,
            "proof": each.guarantee.proof,
            "tried": each.guarantee.tried,
            "decisions": rules.decisions,
        }
        for rules in proofs
        for each in rules.guarantees
    ]


__all__ = ["CheckedGuarantee", "GuaranteeData", "Proofs", "proof_lines", "proofs_to_json", "prove_rule_sets"]
