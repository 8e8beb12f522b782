"""Changes the rules on purpose and looks whether the scenarios notice: `python tests/mutate.py [RULING…]`.

In: the table of rulings, where each ruling names changes to the rules that carry it, and the scenarios that bear its
number. Out: one line for each change with the case that noticed it; exit status 1 when one goes unnoticed.

A change is written as in a variant file and is laid over the rules of the default game by itself, below any variant
that a case plays with; where a ruling is about variants, above them. It is noticed when a case fails in what it
expects; that the position of the case can no longer be laid out does not count.

Needs the package installed, or `interpreter` on the path.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from rulewright.diagnostics import Diagnostics, RulesError, render_concise
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.document.unread_files import read_explanations
from rulewright.model.loader import Composition, build_composition, compose_document
from rulewright.model.locate import default_game, find_game, find_variant
from rulewright.model.rules import Rules
from rulewright.scenarios import codes
from rulewright.scenarios.runner import ScenarioRunner
from rulewright.scenarios.scenario_file import Case, parse_scenario_file
from rulewright.variants.overlay import apply_variants
from rulewright.variants.variant import Variant, load_variant

HERE = Path(__file__).parent
NAME = "changed-on-purpose"
NOTICED = (codes.NOT_AS_EXPECTED, codes.STOPPED_BEFORE, codes.FAULT_IN_PLAY)


@cache
def rulings() -> dict[int, dict[str, Any]]:
    """The table of rulings by number."""
    table: dict[int, dict[str, Any]] = yaml.safe_load((HERE / "rulings.yaml").read_text(encoding="utf-8"))["rulings"]
    return table


@cache
def cases() -> tuple[Case, ...]:
    """The cases of the default game."""
    found: list[Case] = []
    for path in sorted((HERE / "scenarios").rglob("*.yaml")):
        diagnostics = Diagnostics()
        file = parse_scenario_file(path, diagnostics)
        if file is None:
            raise RulesError(diagnostics)
        found.extend(case for case in file.cases if case.game == default_game())
    return tuple(found)


def cases_of(ruling: int) -> list[Case]:
    """The cases that bear the number of a ruling, those without variants first."""
    return sorted([case for case in cases() if ruling in case.rulings], key=lambda case: len(case.variants))


@cache
def base() -> Document:
    """The default game as its files say it."""
    diagnostics = Diagnostics()
    document = load_document(find_game(default_game()), diagnostics)
    whole = None if document is None else read_explanations(document, diagnostics)
    if whole is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    return whole


def read_change(operations: dict[str, Any]) -> Variant:
    """A change as a variant: what `set`, `add`, `remove` and `insert` of the table say."""
    head = {"variant": NAME, "for": default_game()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{NAME}.yaml"
        path.write_text(yaml.safe_dump({**head, **operations}, sort_keys=False, allow_unicode=True), encoding="utf-8")
        diagnostics = Diagnostics()
        variant = load_variant(path, diagnostics)
    if variant is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    return variant


def changed_rules(change: Variant, players: int | None, variants: Sequence[str], below: Sequence[str] = ()) -> Rules:
    """The default game for so many players, some variants, the change laid over these, and the other variants above."""
    diagnostics = Diagnostics()
    resolved = compose_document(base(), players, tuple(below), diagnostics)
    if resolved is not None:
        document = apply_variants(resolved.document, [change], diagnostics, players=resolved.players)
        for name in [name for name in variants if name not in below]:
            variant = load_variant(find_variant(document.name, name), diagnostics)
            if variant is not None:
                document = apply_variants(document, [variant], diagnostics, players=resolved.players)
        chosen = (*resolved.chosen_variants, change)
        whole = Composition(
            document, resolved.players, (*variants, NAME), resolved.adjustment, chosen, resolved.base_document
        )
        rules = build_composition(whole, diagnostics)
        if rules is not None and not diagnostics.error_count:
            return rules
    raise RulesError(diagnostics)


@dataclass(frozen=True)
class Result:
    """What became of a change: noticed by a case, unnoticed, or no rules any more; `why`: the case or diagnostic."""

    ruling: int
    number: int
    change: dict[str, Any]
    outcome: Literal["noticed", "UNNOTICED", "LOADS NOT"]
    why: str


@cache
def runner_of(ruling: int, number: int) -> ScenarioRunner:
    """What plays cases by the rules as one change of a ruling, numbered from 1, leaves them. Raises `RulesError`."""
    change = read_change(rulings()[ruling]["mutation"][number - 1])
    below = rulings()[ruling].get("variants", ())
    return ScenarioRunner(lambda game, players, variants: changed_rules(change, players, variants, below))


def tried(ruling: int, number: int, operations: dict[str, Any]) -> Result:
    """Lays a change over the rules and plays the cases of its ruling until one notices."""
    try:
        runner = runner_of(ruling, number)
    except RulesError as error:
        return Result(ruling, number, operations, "LOADS NOT", render_concise(next(iter(error.diagnostics))))
    unlaid: list[str] = []
    played = False
    for case in cases_of(ruling):
        diagnostics = runner.run(case).diagnostics
        noticed = [one for one in diagnostics if one.code in NOTICED]
        if noticed:
            return Result(ruling, number, operations, "noticed", f"{case.path.stem}: {case.name}")
        played = played or not any(one.code == codes.CANNOT_BE_PLAYED for one in diagnostics)
        unlaid += [one.message for one in diagnostics]
    why = unlaid[0] if unlaid else f"{len(cases_of(ruling))} cases pass"
    return Result(ruling, number, operations, "UNNOTICED" if played else "LOADS NOT", why)


def all_tried(only: Sequence[int] = ()) -> Iterator[Result]:
    """Every change of the rulings asked for, or of all."""
    for ruling, row in rulings().items():
        if not only or ruling in only:
            for number, operations in enumerate(row.get("mutation", ()), start=1):
                yield tried(ruling, number, operations)


def summary(operations: dict[str, Any]) -> str:
    """A change in one line."""
    parts = []
    for verb, what in operations.items():
        for address in what:
            value = f" = {what[address]}" if isinstance(what, dict) and not isinstance(what[address], dict) else ""
            parts.append(f"{verb} {address}{value}")
    return "; ".join(parts)


def main(arguments: Sequence[str]) -> int:
    """Prints the table of results; 1 when a change goes unnoticed, 2 for a ruling that there is not."""
    asked = [int(one) for one in arguments if one.isdecimal()]
    if len(asked) < len(arguments) or not set(asked) <= set(rulings()):
        print(f"usage: python tests/mutate.py [RULING…]; rulings are 1 to {max(rulings())}", file=sys.stderr)
        return 2
    counts = {"noticed": 0, "UNNOTICED": 0, "LOADS NOT": 0}
    for one in all_tried(asked):
        counts[one.outcome] += 1
        print(
            f"{one.ruling:>2}.{one.number:<2} {one.outcome:<10} {summary(one.change)[:90]:<90} {one.why}",
            flush=True,
        )
    print(", ".join(f"{count} {outcome.lower()}" for outcome, count in counts.items()))
    return 1 if counts["UNNOTICED"] else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
