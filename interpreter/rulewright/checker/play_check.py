"""Do the rules hold up in play? A few games of random players, so that a decision without an option is found early.

In: rules that can be set up, the composition they were built from, and how many decisions are played. Out: a diagnostic
when the rules fail, with the seed and the command that plays the same game, at the variant that causes it when the game
goes on without it. What is not found is not proved. Seeds follow from the rules, so that the same files have the same
findings on every machine.
"""

from __future__ import annotations

import shlex
from typing import Final

from rulewright import limits
from rulewright.checker.codes import FAILS_IN_PLAY
from rulewright.checker.setup_check import NO_OPTION_HINT, base_rules, change_span, fault_span
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.document import MANIFEST, source_path
from rulewright.engine import chance
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import BrokenInvariant, NoLegalAction, RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.playout import Playout, play_out
from rulewright.engine.state import Action, Decision, State
from rulewright.frozen import frozen
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

SEED_DIGITS: Final = 8  # of the rules' digest: a seed that people can type


@frozen
class FailedGame:
    """A game that went wrong: its seed, how many decisions it had, and the fault."""

    seed: int
    decisions: int
    fault: RuleFault


def check_play(rules: Rules, composition: Composition, diagnostics: Diagnostics, decisions: int) -> None:
    """Plays random games until so many decisions are made, and reports the first fault."""
    failed = play_until_fault(rules, decisions)
    if failed is None:
        return
    fault = failed.fault
    hint = NO_OPTION_HINT if isinstance(fault, NoLegalAction) else ""
    message = fault.message.partition(";")[0] if hint else fault.message
    if isinstance(fault, BrokenInvariant):
        message = f"the invariant `{fault.address.partition('.')[2]}` {message}"
    message += f": in a game of random players, after {failed.decisions} decision{'s' * (failed.decisions != 1)}"
    span, label, related = fault_span(fault, composition), "fails here", list[Related]()
    variant_files = {variant.root.span.source.path for variant in composition.applied_variants}
    if composition.chosen_variants and span.source.path not in variant_files:
        base = base_rules(composition)
        if base is None or play_until_fault(base, decisions) is None:
            variant = composition.chosen_variants[-1]
            message = f"with variant `{variant.name}`: {message}"
            related = [Related(span, fault.address)]
            span, label = change_span(variant, fault.address, is_endless=False), "causes it"
    help_ = "   ".join(part for part in (hint, f"see it: {_replay_command(rules, composition, failed.seed)}") if part)
    diagnostics.add(span, FAILS_IN_PLAY, message, label=label, help=help_, address=fault.address, related=related)


def play_until_fault(rules: Rules, decisions: int) -> FailedGame | None:
    """The first game that goes wrong; None if none does in so many decisions."""
    engine, made, number = make_engine(rules), 0, 0
    first = int(rules.digest.rpartition(":")[2][:SEED_DIGITS], 16)
    while made < decisions:
        seed = first + number
        played, fault = _play(engine, seed, decisions - made)
        if fault is not None:
            return FailedGame(seed, played, fault)
        made += max(1, played)
        number += 1
    return None


def _play(engine: Engine, seed: int, decisions: int) -> tuple[int, RuleFault | None]:
    """How many decisions a game has, and its fault: the game that `play` shows with this seed and random bots."""
    streams = [chance.seed_rng(seed, stream=1 + seat) for seat in range(engine.rules.players)]
    made = 0

    def choose(state: State, legal: tuple[Action, ...]) -> Action:
        nonlocal made
        assert isinstance(state.waiting, Decision)
        seat = state.waiting.seat
        streams[seat], index = chance.rand_below(streams[seat], len(legal))
        made += 1
        return legal[index]

    try:
        for _ in play_out(Playout(engine, engine.start(seed=seed)), choose, max_turns=limits.MAX_GAME_TURNS):
            if made >= decisions:
                break
    except RuleFault as fault:
        return made, fault
    return made, None


def _replay_command(rules: Rules, composition: Composition, seed: int) -> str:
    """What shows the same game to people."""
    path = composition.base_document.path
    game = path.parent if path.name == MANIFEST else path
    words = ["rulewright", "play", source_path(game), "--players", str(rules.players)]
    for variant in composition.chosen_variants:
        if variant.kind == "variant":
            words += ["--variant", source_path(variant.path)]
    words += ["--seed", str(seed), *["--seat", "random"] * rules.players]
    return shlex.join(words)


__all__ = ["check_play", "play_until_fault"]
