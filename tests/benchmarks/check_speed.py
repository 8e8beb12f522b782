"""How long `rulewright check` takes, and how that grows: python tests/benchmarks/check_speed.py

In: arguments. Out: three tables. Processes: seconds of the processor and of the clock that whole commands take, with
nothing kept from earlier ones (cold), with everything (warm), and after a variant was edited; all that is shipped
today, and the part of it that shipped when the demands on these times were made (`FIRST_SHIPPED`). Growth: made-up
games with 1, 2, 4 … times as many cards, clauses, actions, variants and games; where the work is linear the last column
stays near the factor in its head. Keys: what the language server takes
(`keystrokes.py`). `--play 0` throughout. Only figures of one run mean anything together.
"""

from __future__ import annotations

# ruff: noqa: E402  (as a command it has to find the package first)
import os
import resource
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent / "interpreter"), str(TESTS)]

from benchmarks.keystrokes import keystroke_lines, keystroke_rows
from rulewright.bundle import bundle_folder
from rulewright.private_cache import CACHE_VARIABLE

BASE_SIZE: Final = 50  # of what grows, at factor 1
FACTORS: Final = (1, 2, 4, 8)
CLAUSES_OF_ACTION: Final = 25
FIRST_SHIPPED: Final[Mapping[str, str]] = {
    "kuhn-poker": "ten-hands",
    "nim": "misere misere-one-pass one-pass",
    "splendor": "colours-first fewer-by-choice five-wide four-gold free-passing gold-alone gold-alone-free-passing "
    "gold-alone-no-giving-back help-for-the-last hidden-hands leftmost-noble most-nobles most-tokens-left "
    "moving-market no-blind-reserving no-giving-back no-reserving open-hands play-to-12 play-to-18 play-to-21 "
    "six-colours solo starting-gold sudden-end",
    "tic-tac-toe": "misere",
    "wrack-line": "no-ropes open-letters short-stay spring-tide",
}  # games, each with its variants
SHORT_VARIANT: Final = "splendor/play-to-12.yaml"  # changes a number
LARGE_VARIANT: Final = "splendor/orient.yaml"
SETTLING: Final = 0.1  # seconds after which a written file is no longer taken for one that is being written


class Seconds(NamedTuple):
    """What a process took: of the processor, by itself and its helpers, and of the clock."""

    processor: float
    clock: float


# ---- made-up games ------------------------------------------------------------------------------------------------


def game_text(name: str = "made", *, cards: int = 4, clauses: int = 1, actions: int = 1) -> str:
    """A game with so many cards and clauses, and at least so many actions."""
    rows = [f"      - {{id: c{index}, worth: {index % 9}, text: Card {index}.}}" for index in range(cards)]
    numbers = range(max(1, actions, -(-clauses // CLAUSES_OF_ACTION)))
    acts = [line for number in numbers for line in _action_lines(number, clauses - number * CLAUSES_OF_ACTION)]
    offered = ", ".join(f"act_{number}" for number in numbers)
    return "\n".join(
        [
            f"game: {name}",
            "version: 1.0.0",
            "language: 2",
            "players: 2",
            "text: A made-up game.",
            "parameters: {goal: 30}",
            "state: {points: {per: player, type: 0 to 40}}",
            "zones: {deck: {holds: card, seen_by: nobody}}",
            "components:",
            "  card:",
            "    fields: {worth: 0 to 9}",
            "    start: deck",
            "    rows:",
            *rows,
            "values: {left: count(each card in deck where card.worth > 0)}",
            "actions:",
            *acts,
            "turn:",
            f"  - act: {{must: [{offered}], if_unable: nothing}}",
            "  - end: {when: points(me) >= goal + left % 2, end_game: now}",
            "round: [turns: {for_each: player, turn: player}]",
            "ranking: [points: {most: points(player)}]",
            "",
        ]
    )


def _action_lines(number: int, clauses: int) -> list[str]:
    """An action with so many clauses, as far as one action has as many."""
    limits = range(min(clauses, CLAUSES_OF_ACTION))
    when = [f"      limit_{index}: {{is: points(me) <= {index + 9}, why: Too many.}}" for index in limits]
    return [
        f"  act_{number}:",
        f"    text: Number {number}.",
        *(["    when:", *when] if when else []),
        "    do: [{add: {set: points(me), to: points(me) + 1}}]",
    ]


def variant_text(number: int, game: str = "made") -> str:
    """A variant of such a game."""
    return f"variant: v{number}\nfor: {game}\ntext: Other.\nset: {{parameters.goal: {number % 25 + 5}}}\n"


def write_cards(folder: Path, size: int) -> None:
    """A game with so many cards."""
    (folder / "made.yaml").write_text(game_text(cards=size), encoding="utf-8")


def write_clauses(folder: Path, size: int) -> None:
    """A game with so many clauses."""
    (folder / "made.yaml").write_text(game_text(clauses=size), encoding="utf-8")


def write_actions(folder: Path, size: int) -> None:
    """A game with three eighths as many actions, as there may be at most."""
    (folder / "made.yaml").write_text(game_text(actions=size * 3 // 8), encoding="utf-8")


def write_variants(folder: Path, size: int) -> None:
    """A game with so many variants."""
    (folder / "made.yaml").write_text(game_text(), encoding="utf-8")
    for number in range(size):
        (folder / f"v{number}.yaml").write_text(variant_text(number), encoding="utf-8")


def write_games(folder: Path, size: int) -> None:
    """So many games."""
    for number in range(size):
        (folder / f"made-{number}.yaml").write_text(game_text(f"made-{number}"), encoding="utf-8")


GROWTHS: Final[Mapping[str, Callable[[Path, int], None]]] = {
    "cards": write_cards,
    "clauses": write_clauses,
    "actions, 3/8 as many": write_actions,
    "variants": write_variants,
    "games": write_games,
}


# ---- measuring ----------------------------------------------------------------------------------------------------


def copy_first_shipped(folder: Path) -> Path:
    """A copy of this program with the first games and variants only, as of today; returns where its package is."""
    for name in ("interpreter", "schemas"):
        shutil.copytree(TESTS.parent / name, folder / name)
    shutil.copy(TESTS.parent / "pyproject.toml", folder)
    (folder / "rules").mkdir()
    shutil.copy(bundle_folder("rules") / "default", folder / "rules")
    for game, variants in FIRST_SHIPPED.items():
        shutil.copytree(bundle_folder("rules") / game, folder / "rules" / game)
        (folder / "variants" / game).mkdir(parents=True)
        for variant in variants.split():
            shutil.copy(bundle_folder("variants") / game / f"{variant}.yaml", folder / "variants" / game)
    return folder / "interpreter"


def measure(
    words: Sequence[str],
    cache: str,
    *,
    runs: int,
    before: Callable[[], object] = lambda: None,
    package: Path = TESTS.parent / "interpreter",
) -> Seconds:
    """The least that a command took in some runs. `cache`: the folder of what is kept; empty: nothing. `before`: what
    is done before each run. `package`: where the program is.
    """
    environment = {**os.environ, CACHE_VARIABLE: cache, "PYTHONPATH": str(package)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a program that is compiled at each start is not what is measured
    found = []
    for _ in range(runs):
        before()
        used, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [sys.executable, "-m", "rulewright", *words]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        found.append(Seconds(processor, time.perf_counter() - start))
    return Seconds(min(each.processor for each in found), min(each.clock for each in found))


def process_rows(runs: int) -> Iterator[tuple[str, Seconds]]:
    """Whole commands over what is shipped, and what each took."""
    check = ["check", "--play", "0"]
    yield "all that is shipped, cold", measure(check, "", runs=runs)
    for what, path in (("a variant, cold", SHORT_VARIANT), ("a large variant, cold", LARGE_VARIANT)):
        yield what, measure([*check, str(bundle_folder("variants") / path)], "", runs=runs)
    with TemporaryDirectory() as name:
        package, cache = copy_first_shipped(Path(name)), os.path.join(name, "kept")
        measure(check, cache, runs=1, package=package)
        yield "what shipped at first, cold", measure(check, "", runs=runs, package=package)
        yield "what shipped at first, warm", measure(check, cache, runs=runs, package=package)
    with TemporaryDirectory() as name:
        cache = os.path.join(name, "kept")
        measure(check, cache, runs=1)
        yield "all that is shipped, warm", measure(check, cache, runs=runs)
        source = min(bundle_folder("variants").glob("*/*.yaml"), key=lambda path: (path.stat().st_size, path))
        variant = Path(name, source.name)
        text = source.read_text(encoding="utf-8")

        def edit() -> None:
            variant.write_text(f"{text}\n# {time.time_ns()}\n", encoding="utf-8")
            time.sleep(SETTLING)

        edit()
        measure([*check, str(variant)], cache, runs=1)
        yield "a variant that was edited", measure([*check, str(variant)], cache, runs=runs, before=edit)
        yield "a variant that is known", measure([*check, str(variant)], cache, runs=runs)
        simulate = ["simulate", "--games", "1"]
        measure(simulate, cache, runs=1)
        yield "simulate, to the first game", measure(simulate, cache, runs=runs)


def growth_rows(factors: Sequence[int], base: int, runs: int) -> Iterator[tuple[str, list[float]]]:
    """For each thing that grows the processor's seconds at each factor, without those of a check of one small game."""
    for what, write in GROWTHS.items():
        with TemporaryDirectory() as name:
            write(Path(name), 1)
            start = measure(["check", "--play", "0", name], "", runs=runs).processor
        found = []
        for factor in factors:
            with TemporaryDirectory() as name:
                write(Path(name), base * factor)
                found.append(measure(["check", "--play", "0", name], "", runs=runs).processor - start)
        yield what, found


def process_lines(rows: Sequence[tuple[str, Seconds]]) -> Iterator[str]:
    """The table of processes."""
    yield f"{'':<30}{'processor':>12}{'clock':>10}"
    for what, seconds in rows:
        yield f"{what:<30}{seconds.processor:>10.2f} s{seconds.clock:>8.2f} s"


def growth_lines(factors: Sequence[int], base: int, rows: Sequence[tuple[str, Sequence[float]]]) -> Iterator[str]:
    """The table of growth; last how many times the smallest took the largest."""
    sizes = "".join(f"{base * factor:>10}" for factor in factors)
    yield f"{'':<22}{sizes}{f'growth ({factors[-1] // factors[0]})':>14}"
    for what, seconds in rows:
        growth = seconds[-1] / seconds[0] if seconds[0] > 0 else 0.0
        yield f"{what:<22}" + "".join(f"{each:>8.2f} s" for each in seconds) + f"{growth:>14.1f}"


def main(words: Sequence[str] | None = None) -> int:
    """Measures, prints the tables and returns the exit status."""
    parser = ArgumentParser(prog="check_speed", description="Measure how long check takes, and how that grows.")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="default: 3; the least counts")
    parser.add_argument("--size", type=int, default=BASE_SIZE, metavar="N", help=f"at factor 1; default: {BASE_SIZE}")
    parser.add_argument("--factors", type=int, nargs="+", default=list(FACTORS), metavar="N")
    parser.add_argument("--only", choices=("processes", "growth", "keys"))
    parser.add_argument(
        "--keys", type=int, default=15, metavar="N", help="typed in each file; default: 15; the median counts"
    )
    args = parser.parse_args(words)
    if args.only in (None, "processes"):
        print("\n".join(process_lines([*process_rows(args.runs)])))
    if args.only in (None, "growth"):
        print("\n".join(growth_lines(args.factors, args.size, [*growth_rows(args.factors, args.size, args.runs)])))
    if args.only in (None, "keys"):
        print("\n".join(keystroke_lines(keystroke_rows(args.keys, TESTS.parent / "interpreter"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
