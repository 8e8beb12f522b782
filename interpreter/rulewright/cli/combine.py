"""`rulewright combine`: every variant and every pair of variants laid over their game, in both orders, and tried.

In: parsed arguments. Out: how many go together and what was refused; on demand a file with a line for each, and a
comparison with what is known to be refused. Exit status 1: a fault, an order that matters, a variant that is refused
alone, or another refusal than is known.
"""

from __future__ import annotations

import json
import random
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from rulewright.atomic_write import atomic_write
from rulewright.checker.combinations import Combination, CombinationResult, try_combination
from rulewright.checker.guarantees import PROPERTIES
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.progress import run_batch
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.document.document import Document, load_document
from rulewright.errors import UsageError
from rulewright.model.loader import (
    available_variants,
    common_player_counts,
    default_game,
    find_game,
    find_variant,
    player_counts,
)
from rulewright.simulation import row_file
from rulewright.simulation.parallel import parallel_map
from rulewright.source.nodes import to_builtins
from rulewright.source.reader import parse_file
from rulewright.terminal.reasons import wrap
from rulewright.variants.variant import Variant, load_variant

MAX_LISTED_FAULTS: Final = 20  # faults that are told
MAX_LISTED_RULES: Final = 4  # rules that are named


def run(wish: Namespace) -> int:
    """Combines and prints what came of it."""
    game = wish.game or default_game()
    diagnostics = Diagnostics()
    document = load_document(find_game(game), diagnostics)
    if document is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    todo = list(_todo(wish, game, document))
    there = {" + ".join(one.names) for one in todo}
    if wish.sample is not None and wish.sample < len(todo):
        chosen = set(random.Random(wish.seed).sample(range(len(todo)), wish.sample))
        todo = [one for at, one in enumerate(todo) if at in chosen]
    known = _known(wish.refused, document.name) if wish.refused and not wish.write else None
    head = json.dumps({"combine": document.name, "games": wish.games, "seed": wish.seed, "cap": wish.cap})
    found, file = _before(wish, head)
    done = {one.key for one in found}
    rest = [one for one in todo if one.key not in done]

    def keep_one(_: int, one: CombinationResult) -> None:
        found.append(one)
        if file is not None:
            file.add(json.dumps(asdict(one), ensure_ascii=False) + "\n")

    games = parallel_map(try_combination, rest, jobs=wish.jobs)
    with closing(games):
        ending = run_batch(games, len(todo), keep_one, len(todo) - len(rest), what="combinations")
    if file is not None:
        file.close()
    asked = {one.key: one for one in todo}
    found = sorted((one for one in found if one.key in asked), key=lambda one: list(asked).index(one.key))
    refused = _refused(found, asked)
    if wish.write:
        atomic_write(wish.refused, _refused_file(document.name, refused), replace=True)
    differences = [] if known is None else list(_differences(refused, known, found, asked))
    if known is not None and not wish.variant and wish.players is None:
        gone = sorted(set(known) - there)
        differences += [f"{names}: known as refused, but there are no such variants" for names in gone]
    print("\n".join(_told(document, found, refused, differences)))
    if ending.status:
        print(f"{ending.message} after {len(found)} of {len(todo)} combinations")
        return ending.status
    alone = known is None and not wish.write and any(" + " not in names for names in refused)
    return (
        ExitStatus.FINDINGS
        if differences or alone or any(one.faults or not one.is_order_independent for one in found)
        else ExitStatus.OK
    )


# ---- what is combined -------------------------------------------------------------------------------------------


def _todo(wish: Namespace, game: str, document: Document) -> Iterator[Combination]:
    """Every variant alone and every pair, at every number of players; with `--variant` those that have one of these."""
    diagnostics = Diagnostics()
    named = [find_variant(document.name, name, document.path) for name in wish.variant]
    paths = {path.resolve(): path for path in (*available_variants(document.name, document.path).values(), *named)}
    loaded = [load_variant(path, diagnostics, base=document) for path in paths.values()]
    if diagnostics.error_count:
        raise RulesError(diagnostics)
    variants = {one.name: one for one in loaded if one is not None and not one.is_always_applied}
    wanted = {path.resolve() for path in named}
    for size in (1, 2):
        for group in combinations(sorted(variants), size):
            chosen = [variants[name] for name in group]
            if wanted and not any(one.path.resolve() in wanted for one in chosen):
                continue
            whole = _with_required(chosen, variants)
            # where there is no number of players in common, one at which that is told
            for players in common_player_counts(document, whole) or (player_counts(document)[0],):
                if wish.players in (None, players):
                    yield Combination(
                        game, group, tuple(str(one.path) for one in whole), players, wish.games, wish.seed, wish.cap
                    )


def _with_required(chosen: Sequence[Variant], variants: dict[str, Variant]) -> list[Variant]:
    found: dict[str, Variant] = {}
    waiting = list(chosen)
    while waiting:
        one = waiting.pop(0)
        if one.name not in found:
            found[one.name] = one
            waiting += [variants[name] for name in one.requires if name in variants]
    return list(found.values())


def _before(wish: Namespace, head: str) -> tuple[list[CombinationResult], row_file.RowFile | None]:
    """What an earlier run has found, and the file for more."""
    if wish.resume is None:
        return [], row_file.create_row_file(wish.keep, head + "\n") if wish.keep else None
    lines = row_file.read_complete_lines(wish.resume)
    if next(lines, "").strip() != head:
        raise UsageError(f"{wish.resume} was begun with other settings, or is no file of combinations")
    found = []
    for number, line in enumerate(lines, start=2):
        try:
            found.append(_read(json.loads(line)))
        except (ValueError, TypeError, KeyError):
            raise UsageError(f"{wish.resume} is damaged at line {number}") from None
    return found, row_file.reopen_row_file(wish.resume)


def _read(data: dict[str, Any]) -> CombinationResult:
    for name in ("refused", "digests"):
        data[name] = None if data[name] is None else (str(data[name][0]), str(data[name][1]))
    data["open"] = tuple(map(str, data["open"]))
    data["faults"] = tuple((int(seed), str(message)) for seed, message in data["faults"])
    return CombinationResult(**data)


# ---- what is refused --------------------------------------------------------------------------------------------

Refusals = dict[str, dict[int, str]]  # of each combination the complaint's name, by number of players


def _refused(found: Sequence[CombinationResult], asked: dict[str, Combination]) -> Refusals:
    refused: Refusals = {}
    for one in found:
        if one.refused is not None:
            combination = asked[one.key]
            refused.setdefault(" + ".join(combination.names), {})[combination.players] = one.refused[0]
    return refused


def _refused_file(game: str, refused: Refusals) -> str:
    lines = [
        "# yaml-language-server: $schema=../schemas/refused.schema.json",
        "# Written by `rulewright combine --refused FILE --write`: variants that cannot be played together, and why.",
        f"refused: {game}",
        "pairs:" if refused else "pairs: {}",
    ]
    for names, reasons in sorted(refused.items()):
        told = ", ".join(f'"{players}": {name}' for players, name in sorted(reasons.items()))
        lines.append(f"  {names}: {{{told}}}")
    return "\n".join(lines) + "\n"


def _known(name: str, game: str) -> Refusals:
    """The refusals of a file."""
    if not Path(name).is_file():
        raise UsageError(f"there is no file {name}; `--write` makes it")
    diagnostics = Diagnostics()
    node = parse_file(Path(name), diagnostics)
    if diagnostics.error_count:
        raise RulesError(diagnostics)
    data: Any = None if node is None else to_builtins(node)
    if not isinstance(data, dict) or data.get("refused") != game or not isinstance(data.get("pairs"), dict):
        raise UsageError(f"{name} does not say which variants of {game} are refused")
    try:
        return {names: {int(players): str(why) for players, why in one.items()} for names, one in data["pairs"].items()}
    except (ValueError, AttributeError):
        raise UsageError(f"{name} is not written as it should be: `a + b: {{2: reason, 3: reason}}`") from None


def _differences(
    refused: Refusals, known: Refusals, found: Sequence[CombinationResult], asked: dict[str, Combination]
) -> Iterator[str]:
    """Refusals that are new, that have vanished, and that have another reason."""
    for one in found:
        combination = asked[one.key]
        names, players = " + ".join(combination.names), combination.players
        now, before = refused.get(names, {}).get(players), known.get(names, {}).get(players)
        if now != before:
            yield f"{one.key}: {now or 'goes together'}, was known as {before or 'going together'}"


def _players(counts: Iterable[int]) -> str:
    said = ", ".join(map(str, counts))
    return f"{said} {'player' if said == '1' else 'players'}"


# ---- as text ----------------------------------------------------------------------------------------------------


def _told(
    document: Document, found: Sequence[CombinationResult], refused: Refusals, differences: Sequence[str]
) -> Iterator[str]:
    together = [one for one in found if one.refused is None]
    many = "1 combination" if len(found) == 1 else f"{len(found)} combinations, each"
    yield f"{document.name}: {many} in both orders"
    for names, reasons in sorted(refused.items()):
        counted = Counter(reasons.values())
        why = "; ".join(
            f"{name} ({_players(n for n, one in sorted(reasons.items()) if one == name)})" for name in counted
        )
        yield from wrap(f"{names}: {why}", "refused   ", " " * 14)
    games, unfinished = sum(one.games for one in together), sum(one.unfinished for one in together)
    yield f"go together: {len(together)}, refused: {len(found) - len(together)}"
    if games:
        turns = sum(one.turns for one in together) / games
        share = 100 * unfinished / games
        yield f"played: {games} random games, {turns:.1f} turns on average, unfinished {unfinished} ({share:.2f} %)"
    for what in PROPERTIES:
        left = [[said for said in one.open if said.startswith(what)] for one in together]
        rest = sum(map(bool, left))
        rules = list(dict.fromkeys(said.removeprefix(f"{what}: ") for open_ in left for said in open_))
        named = f": {', '.join(rules[:MAX_LISTED_RULES])}{', …' if len(rules) > MAX_LISTED_RULES else ''}"
        yield f"{what}: proved for {len(together) - rest}" + (f", for {rest} seen in play only{named}" if rest else "")
    for one in together:
        if not one.is_order_independent:
            yield from wrap(f"{one.key}: the order of the variants matters", "fault     ", " " * 14)
    faults = [(one.key, seed, message) for one in together for seed, message in one.faults]
    for key, seed, message in faults[:MAX_LISTED_FAULTS]:
        yield from wrap(f"{key}, seed {seed}: {message}", "fault     ", " " * 14)
    if len(faults) > MAX_LISTED_FAULTS:
        yield f"and {len(faults) - MAX_LISTED_FAULTS} faults more"
    for difference in differences:
        yield from wrap(difference, "differs   ", " " * 14)


__all__ = ["run"]
