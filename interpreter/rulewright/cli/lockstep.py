"""`rulewright lockstep`: the same random games in several engines at once, and what differs.

In: parsed arguments. Out: on stdout what was compared, or one JSON object; exit status 1 when engines differ.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright import limits
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import CommandOptions
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.engine.compiled.kernel.optimisations import Optimisation
from rulewright.errors import UsageError
from rulewright.frozen import frozen
from rulewright.lockstep.construct_counts import GROUPS, Construct, rule_constructs
from rulewright.lockstep.lockstep_games import (
    ChanceSource,
    Engines,
    Finding,
    RulesComparison,
    compare_engines,
    nth_seed,
)
from rulewright.lockstep.lockstep_player import PLAYERS, player_without
from rulewright.lockstep.mutants import Mutant, Verdict, is_played_differently, make_mutant
from rulewright.model.allowed_players import common_player_counts
from rulewright.model.loader import compose_game
from rulewright.model.locate import default_game
from rulewright.model.rules import Rules
from rulewright.records.rules_snapshot import RulesSnapshot, load_rules_with_snapshot
from rulewright.session.load_game import build_engine
from rulewright.suggestions import did_you_mean
from rulewright.terminal.headline import rules_headline

DEFAULT_GAMES: Final = 5
DEFAULT_SEED: Final = 1
VALUE_WIDTH: Final = 90  # of what an engine says, in characters
VERDICTS: Final[tuple[Verdict, ...]] = ("not loaded", "not compiled", "no difference", "counted")


class Options(CommandOptions):
    """The options of `lockstep`."""

    game: str | None
    players: list[int]
    variant: list[str]
    tokenwise: list[str]
    games: int | None
    decisions: int | None
    seed: int | None
    chance: ChanceSource | None
    mutate: int
    engines: list[str] | None
    without: list[Optimisation]
    json: bool


@frozen
class PlayedTable:
    """Rules, and how the engines compared; a mutant, and what became of it, where the rules are one's."""

    rules: Rules
    comparison: RulesComparison
    mutant: Mutant | None = None


def run(args: Options) -> int:
    """Plays, prints what came of it, and returns 1 when engines differ."""
    names = args.engines or [*PLAYERS]
    if len(names) == 1:  # with itself: that it does the same twice
        names = names * 2
    engines = [(name, player_without(_require_engine(name), args.without)) for name in names]
    seed = DEFAULT_SEED if args.seed is None else args.seed
    games = DEFAULT_GAMES if args.games is None and args.decisions is None else args.games
    bases = list(_load_bases(args))
    for rules, _ in bases:
        build_engine(rules, args.tokenwise)  # a wrong address is reported in a sentence
    verdicts: Counter[Verdict] = Counter()
    played: list[PlayedTable] = []
    if not args.json:
        print(f"engines: {', '.join(names)}", flush=True)
    for rules, _ in bases:
        comparison = compare_engines(
            rules,
            engines,
            seed=seed,
            games=games,
            decisions=args.decisions,
            tokenwise=args.tokenwise,
            chance_source=args.chance,
        )
        played.append(PlayedTable(rules, comparison))
        if not args.json:
            print("\n".join(_table_lines(played[-1], names, args)), flush=True)
    for table in _play_mutants(args, bases, engines, seed, games, verdicts):
        played.append(table)
        if table.comparison.finding is not None and not args.json:
            print("\n".join(_table_lines(table, names, args)), flush=True)
    constructs = _count_constructs(played)
    if args.json:
        print(json.dumps(_to_data(names, seed, played, verdicts, constructs), ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(_summary_lines(played, args.mutate, verdicts, constructs)))
    is_different = any(table.comparison.finding is not None or table.comparison.refusal for table in played)
    return ExitStatus.FINDINGS if is_different else ExitStatus.OK


def _require_engine(name: str) -> str:
    if name not in PLAYERS:
        hint = did_you_mean(name, PLAYERS)
        raise UsageError(
            f"there is no engine `{name}`" + (f" ({hint})" if hint else f"; engines: {', '.join(PLAYERS)}")
        )
    return name


def _load_bases(args: Options) -> Iterator[tuple[Rules, RulesSnapshot]]:
    """The game for each number of players; without any it is for all that the game and the variants allow."""
    game = args.game or default_game()
    for players in args.players or _allowed_players(game, args.variant):
        yield load_rules_with_snapshot(game, players=players, variants=args.variant)


def _allowed_players(game: str, variants: Sequence[str]) -> Sequence[int | None]:
    diagnostics = Diagnostics()
    composition = compose_game(game, None, variants, diagnostics)
    if composition is None:
        raise RulesError(diagnostics)
    return common_player_counts(composition.base_document, composition.chosen_variants) or [None]


def _play_mutants(
    args: Options,
    bases: Sequence[tuple[Rules, RulesSnapshot]],
    engines: Engines,
    seed: int,
    games: int | None,
    verdicts: Counter[Verdict],
) -> Iterator[PlayedTable]:
    for number in range(args.mutate):
        rules, snapshot = bases[number % len(bases)]
        mutant = make_mutant(rules, snapshot, nth_seed(seed, number))
        if mutant.rules is None:
            verdicts["not loaded"] += 1
            continue
        tokenwise = [address for address in args.tokenwise if address in _choice_addresses(mutant.rules)]
        comparison = compare_engines(
            mutant.rules,
            engines,
            seed=mutant.seed,
            games=games,
            decisions=args.decisions,
            tokenwise=tokenwise,
            chance_source=args.chance,
        )
        if comparison.refusal:
            verdicts["not compiled"] += 1
            continue
        seeds = [nth_seed(mutant.seed, game) for game in range(comparison.games)]
        differs = is_played_differently(rules, mutant.rules, engines[0][1], seeds, tokenwise)
        verdicts["counted" if differs else "no difference"] += 1
        if differs or comparison.finding is not None:
            yield PlayedTable(mutant.rules, comparison, mutant)


def _choice_addresses(rules: Rules) -> set[str]:
    return {choice.address for action in rules.actions for choice in action.choices}


def _count_constructs(played: Sequence[PlayedTable]) -> Counter[Construct]:
    """For each construct how many decisions were compared by rules that use it."""
    counts: Counter[Construct] = Counter()
    for table in played:
        for construct in rule_constructs(table.rules):
            counts[construct] += table.comparison.decisions
    return counts


# ---- text -------------------------------------------------------------------------------------------------


def _table_lines(table: PlayedTable, names: Sequence[str], args: Options) -> Iterator[str]:
    comparison = table.comparison
    headline = rules_headline(table.rules)
    if table.mutant is not None:
        headline = f"{headline}, mutant {table.mutant.seed}"
    if comparison.refusal:
        yield f"{headline}: not compared: {comparison.refusal}"
        return
    faults = f", {comparison.faults} ended as the rules fail" if comparison.faults else ""
    verdict = "no difference" if comparison.finding is None else "engines differ"
    chance = f", {_count(comparison.outcomes, 'outcome')} of chance from outside" if comparison.outcomes else ""
    counts = f"{_count(comparison.games, 'game')}, {_count(comparison.decisions, 'decision')}{chance}{faults}"
    yield f"{headline}: {counts}: {verdict}"
    if comparison.finding is None:
        return
    if table.mutant is not None:
        yield from (f"  changed {change}" for change in table.mutant.changes)
    yield from _finding_lines(comparison.finding, names)
    yield f"  again: {_command(table, args, comparison.finding)}"


def _finding_lines(finding: Finding, names: Sequence[str]) -> Iterator[str]:
    after = f", after {finding.after}" if finding.after else ""
    yield f"  seed {finding.seed}, decision {finding.decision}{after}"
    width = max(map(len, names))
    for difference in finding.differences:
        yield f"    {difference.what}"
        for name, value in zip(names, _around_difference(difference.values), strict=True):
            yield f"      {name:<{width}}  {value}"
    if finding.hidden:
        yield f"    and {finding.hidden} more"


def _around_difference(values: Sequence[str]) -> list[str]:
    """The values; of long ones the part where they begin to differ."""
    if max(map(len, values)) <= VALUE_WIDTH:
        return list(values)
    columns = enumerate(zip(*values, strict=False))  # the shortest ends it
    differing = next((index for index, letters in columns if len({*letters}) > 1), min(map(len, values)))
    start = max(0, differing - VALUE_WIDTH // 3)
    end = start + VALUE_WIDTH
    return [("…" if start else "") + value[start:end] + ("…" if len(value) > end else "") for value in values]


def _command(table: PlayedTable, args: Options, finding: Finding) -> str:
    """The command that shows a finding again. A mutant is that of the seed, so its game is reached from there."""
    words = ["rulewright", "lockstep", *([args.game] if args.game else []), "--players", str(table.rules.players)]
    for option, values in (("--variant", args.variant), ("--tokenwise", args.tokenwise)):
        for value in values:
            words += [option, value]
    if args.engines:
        words += ["--engines", ",".join(args.engines)]
    if args.chance:
        words += ["--chance", args.chance]
    if table.mutant is None:
        return shlex.join([*words, "--seed", str(finding.seed), "--games", "1"])
    games = (finding.seed - table.mutant.seed) % (limits.MAX_SEED + 1) + 1
    return shlex.join([*words, "--seed", str(table.mutant.seed), "--games", str(games), "--mutate", "1"])


def _summary_lines(
    played: Sequence[PlayedTable], mutate: int, verdicts: Mapping[Verdict, int], constructs: Mapping[Construct, int]
) -> Iterator[str]:
    if mutate:
        counts = ", ".join(f"{verdicts.get(verdict, 0)} {verdict}" for verdict in VERDICTS)
        decisions = sum(table.comparison.decisions for table in played if table.mutant is not None)
        yield f"{_count(mutate, 'mutant')}: {counts}; {_count(decisions, 'decision')}"
        yield "decisions by rules that use a construct:"
        for group in GROUPS:
            counted = sorted(
                ((count, name) for (of, name), count in constructs.items() if of == group),
                key=lambda pair: (-pair[0], pair[1]),
            )
            yield f"  {group}: " + ", ".join(f"{name} {count}" for count, name in counted)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# ---- JSON -------------------------------------------------------------------------------------------------


def _to_data(
    names: Sequence[str],
    seed: int,
    played: Sequence[PlayedTable],
    verdicts: Mapping[Verdict, int],
    constructs: Mapping[Construct, int],
) -> dict[str, object]:
    return {
        "engines": list(names),
        "seed": seed,
        "different": sum(table.comparison.finding is not None for table in played),
        "rules": [_table_to_data(table, names) for table in played],
        "mutants": {verdict.replace(" ", "_"): verdicts.get(verdict, 0) for verdict in VERDICTS},
        "decisions_by_construct": {
            group: {name: count for (of, name), count in sorted(constructs.items()) if of == group} for group in GROUPS
        },
    }


def _table_to_data(table: PlayedTable, names: Sequence[str]) -> dict[str, object]:
    rules, comparison, finding = table.rules, table.comparison, table.comparison.finding
    data: dict[str, object] = {
        "game": rules.game,
        "players": rules.players,
        "variants": list(rules.variants),
        "games": comparison.games,
        "decisions": comparison.decisions,
        "outcomes_from_outside": comparison.outcomes,
        "faults": comparison.faults,
        "finding": None,
    }
    if table.mutant is not None:
        data["mutant"] = {"seed": table.mutant.seed, "changes": list(table.mutant.changes)}
    if finding is not None:
        data["finding"] = {
            "seed": finding.seed,
            "decision": finding.decision,
            "after": finding.after,
            "differences": [
                {"what": difference.what, "values": [list(pair) for pair in zip(names, difference.values, strict=True)]}
                for difference in finding.differences
            ],
            "hidden": finding.hidden,
        }
    return data


__all__ = ["Options", "run"]
