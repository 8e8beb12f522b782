"""`rulewright combine`: every variant and every pair of variants applied to their game, in both orders, and played.

In: parsed arguments. Out: how many are compatible and what was refused; on demand a file with a line for each, and a
comparison with a list of known refusals. Exit status 1: a fault, an order that matters, a variant that is refused
alone, or other refusals than the known ones.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.atomic_write import atomic_write
from rulewright.checker.combinations import Combination, CombinationResult, base_document, try_combination
from rulewright.checker.logic.guarantees import PROPERTIES
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import GameOptions
from rulewright.cli.stoppable_work import BatchEnding, run_batch
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.document.document import Document
from rulewright.engine.engine_names import EngineName
from rulewright.errors import UsageError
from rulewright.frozen import frozen
from rulewright.json_values import is_integer, is_text
from rulewright.model.allowed_players import common_player_counts, player_counts
from rulewright.model.locate import available_variants, default_game, find_variant, missing_file
from rulewright.simulation import row_file
from rulewright.simulation.parallel import parallel_map
from rulewright.source.nodes import to_builtins
from rulewright.source.reader import parse_file
from rulewright.source.real_paths import real_path
from rulewright.terminal.reasons import wrap
from rulewright.variants.variant import Variant, load_variant

MAX_LISTED_FAULTS: Final = 20
MAX_LISTED_RULES: Final = 4  # of one guarantee


DEFAULT_GAMES, DEFAULT_SEED, DEFAULT_CAP = 200, 1, 2000


class Options(GameOptions):
    """The options of `combine`. A `game`, `games`, `seed` or `cap` of None is that of the file that is resumed."""

    games: int | None
    seed: int | None
    cap: int | None
    sample: int | None
    jobs: int
    keep: str | None
    resume: str | None
    refused: str | None
    write: bool
    engine: EngineName


@frozen
class CombineSettings:
    """What the results depend on beside the variants. A file of results begins with it."""

    game: str
    games: int
    seed: int
    cap: int

    def file_head(self, name: str) -> str:
        """The first line of a file of results for the game of that name."""
        return json.dumps({"combine": name, "games": self.games, "seed": self.seed, "cap": self.cap})


def run(args: Options) -> int:
    """Tries the combinations and prints the results."""
    if args.write and args.refused is None:
        raise UsageError("--write needs --refused FILE")
    settings = _settings(args)
    document = base_document(settings.game)
    todo = list(_combinations(args, settings, document))
    known_names = {_names(combination) for combination in todo}
    todo = _sample(todo, args.sample, settings.seed)
    expected = _read_refusals(args.refused, document.name) if args.refused and not args.write else None
    results, ending = _run_all(args, settings.file_head(document.name), todo)
    by_key = {combination.key: combination for combination in todo}
    order = {key: index for index, key in enumerate(by_key)}
    results = sorted((result for result in results if result.key in by_key), key=lambda result: order[result.key])
    refusals = _refusals(results, by_key)
    if args.write and args.refused is not None:
        atomic_write(args.refused, _format_refusals(document.name, refusals), replace=True)
    differences: list[str] = []
    if expected is not None:
        differences += _differences(refusals, expected, results, by_key)
        if not args.variant and args.players is None:
            unknown = sorted(set(expected) - known_names)
            differences += [f"{names}: listed as refused, but there are no such variants" for names in unknown]
    print("\n".join(_report(document, results, refusals, differences)))
    if ending.status:
        print(f"{ending.message} after {len(results)} of {len(todo)} combinations")
        return ending.status
    is_refused_alone = expected is None and not args.write and any(" + " not in names for names in refusals)
    has_failed = any(result.faults or not result.is_order_independent for result in results)
    return ExitStatus.FINDINGS if differences or is_refused_alone or has_failed else ExitStatus.OK


def _names(combination: Combination) -> str:
    return " + ".join(combination.names)


# ---- what is tried ----------------------------------------------------------------------------------------------


def _settings(args: Options) -> CombineSettings:
    """What is asked for; what is not given is that of the file that is resumed, else the default."""
    saved = _saved_settings(args.resume) if args.resume is not None else {}

    def number(given: int | None, key: str, low: int, high: int, default: int) -> int:
        if given is not None:
            return given
        value = saved.get(key)
        return value if is_integer(value) and low <= value <= high else default

    name = saved.get("combine")
    return CombineSettings(
        game=args.game or (name if is_text(name) else default_game()),
        games=number(args.games, "games", 0, 1_000_000, DEFAULT_GAMES),
        seed=number(args.seed, "seed", 0, limits.MAX_SEED, DEFAULT_SEED),
        cap=number(args.cap, "cap", 1, 1_000_000, DEFAULT_CAP),
    )


def _saved_settings(path: str) -> Mapping[str, object]:
    """What the first line of a file of results says; nothing where it is no such file, which is reported later."""
    with closing(row_file.read_complete_lines(path)) as lines:
        try:
            head = json.loads(next(lines, ""))
        except (ValueError, RecursionError):
            return {}
    return head if isinstance(head, dict) else {}


def _combinations(args: Options, settings: CombineSettings, document: Document) -> Iterator[Combination]:
    """Every variant alone and every pair, at every number of players; with `--variant` those with one of these."""
    diagnostics = Diagnostics()
    named = [find_variant(document.name, name, document.path) for name in args.variant]
    paths = {real_path(path): path for path in (*available_variants(document.name, document.path).values(), *named)}
    loaded = [load_variant(path, diagnostics, base=document) for path in paths.values()]
    if diagnostics.error_count:
        raise RulesError(diagnostics)
    variants = {variant.name: variant for variant in loaded if variant is not None and variant.kind != "joins"}
    wanted = {real_path(path) for path in named}
    for size in (1, 2):
        for names in combinations(sorted(variants), size):
            chosen = [variants[name] for name in names]
            if wanted and not any(real_path(variant.path) in wanted for variant in chosen):
                continue
            applied = _with_required(chosen, variants)
            applied_paths = tuple(str(variant.path) for variant in applied)
            # without a number of players in common, the game's fewest, at which that is reported
            for players in common_player_counts(document, applied) or (player_counts(document)[0],):
                if args.players in (None, players):
                    yield Combination(
                        game=settings.game,
                        names=names,
                        paths=applied_paths,
                        players=players,
                        games=settings.games,
                        seed=settings.seed,
                        max_turns=settings.cap,
                        engine=args.engine,
                    )


def _with_required(chosen: Sequence[Variant], variants: Mapping[str, Variant]) -> list[Variant]:
    applied: dict[str, Variant] = {}
    pending = list(chosen)
    while pending:
        variant = pending.pop(0)
        if variant.name not in applied:
            applied[variant.name] = variant
            pending += [variants[name] for name in variant.requires if name in variants]
    return list(applied.values())


def _sample(todo: list[Combination], count: int | None, seed: int) -> list[Combination]:
    if count is None or count >= len(todo):
        return todo
    indices = random.Random(seed).sample(range(len(todo)), count)
    return [todo[index] for index in sorted(indices)]


def _run_all(args: Options, head: str, todo: Sequence[Combination]) -> tuple[list[CombinationResult], BatchEnding]:
    """The results of an earlier run and of what it left to do, as far as it comes."""
    results, file = _earlier_results(args, head)
    done = {result.key for result in results}
    remaining = [combination for combination in todo if combination.key not in done]

    def keep_result(_: int, result: CombinationResult) -> None:
        results.append(result)
        if file is not None:
            file.add(json.dumps(asdict(result), ensure_ascii=False) + "\n")

    new_results = parallel_map(try_combination, remaining, jobs=args.jobs)
    with closing(new_results):
        ending = run_batch(new_results, len(todo), keep_result, len(todo) - len(remaining), unit="combinations")
    if file is not None:
        file.close()
    return results, ending


def _earlier_results(args: Options, head: str) -> tuple[list[CombinationResult], row_file.RowFile | None]:
    """The results in the file of an earlier run, and the file for more."""
    if args.resume is None:
        return [], row_file.create_row_file(args.keep, head + "\n") if args.keep else None
    lines = row_file.read_complete_lines(args.resume)
    if next(lines, "").strip() != head:
        raise UsageError(f"{args.resume} was started with other settings, or is not a file of combinations")
    results = []
    for number, line in enumerate(lines, start=2):
        try:
            results.append(_result_from_data(json.loads(line)))
        except (ValueError, TypeError, KeyError):
            raise UsageError(f"{args.resume} is damaged at line {number}") from None
    return results, row_file.reopen_row_file(args.resume)


def _result_from_data(data: object) -> CombinationResult:
    """A result from its JSON form; raises `ValueError`, `TypeError` or `KeyError`."""
    if not isinstance(data, dict):
        raise TypeError
    return CombinationResult(
        key=str(data["key"]),
        refused=_pair_from_data(data["refused"]),
        digests=_pair_from_data(data["digests"]),
        open=tuple(map(str, data["open"])),
        games=int(data["games"]),
        unfinished=int(data["unfinished"]),
        turns=int(data["turns"]),
        faults=tuple((int(seed), str(message)) for seed, message in data["faults"]),
        warnings=tuple(map(str, data.get("warnings", ()))),  # which files of earlier versions have not
        engine=str(data.get("engine", "")),
    )


def _pair_from_data(data: object) -> tuple[str, str] | None:
    if data is None:
        return None
    if not isinstance(data, list):
        raise TypeError
    first, second = data
    return str(first), str(second)


# ---- what is refused --------------------------------------------------------------------------------------------

Refusals = dict[str, dict[int, str]]  # by names and number of players: the name of the diagnostic


def _refusals(results: Iterable[CombinationResult], by_key: Mapping[str, Combination]) -> Refusals:
    refusals: Refusals = {}
    for result in results:
        if result.refused is not None:
            combination = by_key[result.key]
            refusals.setdefault(_names(combination), {})[combination.players] = result.refused[0]
    return refusals


def _format_refusals(game: str, refusals: Refusals) -> str:
    lines = [
        "# yaml-language-server: $schema=../schemas/refused.schema.json",
        "# Written by `rulewright combine --refused FILE --write`: variants that cannot be played together, and why.",
        f"refused: {game}",
        "pairs:" if refusals else "pairs: {}",
    ]
    for names, reasons in sorted(refusals.items()):
        entries = ", ".join(f'"{players}": {reason}' for players, reason in sorted(reasons.items()))
        lines.append(f"  {names}: {{{entries}}}")
    return "\n".join(lines) + "\n"


def _read_refusals(name: str, game: str) -> Refusals:
    """The refusals of a file."""
    if not os.path.exists(name):  # false also for a name that is too long for a file
        raise UsageError(f"{missing_file(name)}; `--write` creates it")
    diagnostics = Diagnostics()
    node = parse_file(Path(name), diagnostics)
    error = next((diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"), None)
    if error is not None:
        raise UsageError(f"the file of refusals cannot be read: {name}, line {error.span.line}: {error.message}")
    data = None if node is None else to_builtins(node)
    pairs = data.get("pairs") if isinstance(data, dict) and data.get("refused") == game else None
    if not isinstance(pairs, dict):
        raise UsageError(f"{name} is not a list of refused variants of {game}")
    try:
        return {
            names: {int(players): str(reason) for players, reason in reasons.items()}
            for names, reasons in pairs.items()
        }
    except (ValueError, AttributeError):
        raise UsageError(f"{name} is not valid, expected `a + b: {{2: reason, 3: reason}}`") from None


def _differences(
    refusals: Refusals,
    expected: Refusals,
    results: Iterable[CombinationResult],
    by_key: Mapping[str, Combination],
) -> Iterator[str]:
    """Refusals that are new, that are gone, and that have another reason."""
    for result in results:
        combination = by_key[result.key]
        names, players = _names(combination), combination.players
        reason = refusals.get(names, {}).get(players, "no refusal")
        expected_reason = expected.get(names, {}).get(players, "no refusal")
        if reason != expected_reason:
            yield f"{result.key}: expected {expected_reason}, found {reason}"


# ---- as text ----------------------------------------------------------------------------------------------------


def _report(
    document: Document, results: Sequence[CombinationResult], refusals: Refusals, differences: Iterable[str]
) -> Iterator[str]:
    """The lines that are printed."""
    compatible = [result for result in results if result.refused is None]
    count = "1 combination" if len(results) == 1 else f"{len(results)} combinations, each"
    yield f"{document.name}: {count} in both orders"
    for names, reasons in sorted(refusals.items()):
        yield from wrap(f"{names}: {_format_reasons(reasons)}", "refused   ", " " * 14)
    for warning in dict.fromkeys(warning for result in compatible for warning in result.warnings):
        yield from wrap(warning, "warning   ", " " * 14)
    yield f"compatible: {len(compatible)}, refused: {len(results) - len(compatible)}"
    yield from _played_line(compatible)
    yield from (_guarantee_line(statement, compatible) for statement in PROPERTIES)
    for result in compatible:
        if not result.is_order_independent:
            yield from wrap(f"{result.key}: the order of the variants matters", "fault     ", " " * 14)
    faults = [(result.key, seed, message) for result in compatible for seed, message in result.faults]
    for key, seed, message in faults[:MAX_LISTED_FAULTS]:
        yield from wrap(f"{key}, seed {seed}: {message}", "fault     ", " " * 14)
    if len(faults) > MAX_LISTED_FAULTS:
        yield f"and {len(faults) - MAX_LISTED_FAULTS} more faults"
    for difference in differences:
        yield from wrap(difference, "differs   ", " " * 14)
    yield from _engine_lines(compatible)


def _format_reasons(reasons: Mapping[int, str]) -> str:
    """`two-writers (1, 2 players); one-anchor (3 players)`."""
    counts_by_reason: dict[str, list[int]] = {}
    for players, reason in reasons.items():
        counts_by_reason.setdefault(reason, []).append(players)
    return "; ".join(f"{reason} ({_format_players(counts)})" for reason, counts in counts_by_reason.items())


def _format_players(counts: Iterable[int]) -> str:
    numbers = ", ".join(map(str, sorted(counts)))
    return f"{numbers} {'player' if numbers == '1' else 'players'}"


def _played_line(compatible: Sequence[CombinationResult]) -> Iterator[str]:
    games, unfinished = sum(result.games for result in compatible), sum(result.unfinished for result in compatible)
    if games:
        turns = sum(result.turns for result in compatible) / games
        share = 100 * unfinished / games
        yield f"played: {games} random games, {turns:.1f} turns on average, {unfinished} unfinished ({share:.2f} %)"


def _engine_lines(compatible: Sequence[CombinationResult]) -> Iterator[str]:
    """Which engines played, and for how many combinations, if they are several."""
    counts = Counter(result.engine for result in compatible if result.engine)
    for engine, count in counts.most_common():
        yield f"engine: {engine}" + (f", for {count} of {counts.total()} combinations" if len(counts) > 1 else "")


def _guarantee_line(statement: str, compatible: Sequence[CombinationResult]) -> str:
    unproved = [[text for text in result.open if text.startswith(statement)] for result in compatible]
    count = sum(map(bool, unproved))
    number = len(compatible) - count
    proved = f"{statement}: proved for {number} {'combination' if number == 1 else 'combinations'}"
    if not count:
        return proved
    rules = list(dict.fromkeys(text.removeprefix(f"{statement}: ") for texts in unproved for text in texts))
    listed = ", ".join(rules[:MAX_LISTED_RULES]) + (", …" if len(rules) > MAX_LISTED_RULES else "")
    return f"{proved}, only tried in random games for {count}: {listed}"


__all__ = ["Options", "run"]
