"""Plays the scenarios of a game and says which of them do not come out as they should.

In: scenario files. Out: for each case the complaints about it, none when all is as expected; `run_paths` prints them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Diagnostic, Related, Report, draw
from rulewright.engine.domains import TooMany
from rulewright.engine.notation import NotationError
from rulewright.engine.reference import RuleFault
from rulewright.engine.state import Chance, Decision, State
from rulewright.expr.types import Type
from rulewright.play import codes
from rulewright.play.scenario_file import Case, read_file
from rulewright.play.scenario_given import position
from rulewright.play.scenario_table import Loader, Table, Tables, settled, shipped
from rulewright.play.scenario_then import Reached, check, parsed
from rulewright.play.scenario_values import Desk
from rulewright.text.nodes import Scalar

CHANCE: Final = "chance"
_BEGINNING: Final = re.compile(r"^scenarios:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case came out: it passed when there are no complaints."""

    case: Case
    complaints: tuple[Diagnostic, ...]


class Runner:
    """Plays cases; rules are loaded once for each game, number of players and variants."""

    def __init__(self, load: Loader = shipped) -> None:
        self._tables = Tables(load)

    def run(self, case: Case) -> Outcome:
        """Plays one case."""
        report = Report()
        table = self._tables.table(case, report)
        if table is not None:
            try:
                _play(table, case, report)
            except RuleFault as fault:
                related = [Related(fault.span, fault.address)] if fault.span is not None else []
                message = f"{fault.address}: {fault.message}"
                report.add(case.span, codes.FAULT, message, address=f"cases.{case.name}", related=related)
            except TooMany:
                message = "a choice admits more answers than can be listed"
                report.add(case.span, codes.FAULT, message, address=f"cases.{case.name}")
        return Outcome(case, tuple(report))


def _play(table: Table, case: Case, report: Report) -> None:
    desk = Desk(table, report, f"cases.{case.name}")
    name = Scalar(case.name, case.name, case.span)
    state = position(table, case.given, case.first_seat, desk, name, wait=_is_chance(table, case.when[:1]))
    if state is None or report.errors:
        return
    reached = _done(table, state, case.when, desk)
    if reached is not None:
        check(reached, case.then, desk)


def _done(table: Table, state: State, when: Sequence[Scalar], desk: Desk) -> Reached | None:
    """Plays the actions. After each, chance speaks as the case says, else with its first outcome."""
    last: Scalar | None = None
    for at, item in enumerate(when):
        if _is_chance(table, (item,)):
            if not isinstance(state.waiting, Chance):
                desk.complain(item, codes.STOPPED, "the game does not wait for chance here")
                return None
            outcome = _outcome(table, state.waiting, item, desk)
            if outcome is None:
                return None
            state = table.engine.feed(state, outcome)
        else:
            wish = parsed(item, desk)
            if wish is None:
                return None
            waiting = state.waiting
            options = table.engine.legal(state) if isinstance(waiting, Decision) else ()
            action = desk.notation.matching(wish, options)
            if action is None:
                seat = waiting.seat if isinstance(waiting, Decision) else 0
                reasons = table.explainer.why_not(state, seat, wish)
                if at == len(when) - 1 and (reasons or not isinstance(waiting, Decision)):
                    return Reached(table, state, item, reasons)
                why = "; ".join(f"{one.address}: {one.sentence}" for one in reasons) or "its choices are not complete"
                desk.complain(item, codes.STOPPED, f"this is not legal: {why.rstrip('.')}")
                return None
            state = table.engine.apply_legal(state, action)
            last = item
        if not _is_chance(table, when[at + 1 : at + 2]):
            state = settled(table.engine, state)
    return Reached(table, state, last, None)


# ---- chance that is not the first outcome -----------------------------------------------------------------------


def _is_chance(table: Table, items: Sequence[Scalar]) -> bool:
    """Whether the next item is `chance(outcome)`, in a game without an action of that name."""
    return bool(items) and items[0].text.startswith(f"{CHANCE}(") and table.rules.action(CHANCE) is None


def _outcome(table: Table, waiting: Chance, item: Scalar, desk: Desk) -> int | None:
    text = item.text.strip().removeprefix(f"{CHANCE}(").removesuffix(")")
    type_ = _type_of(table, waiting)
    possible = [value for value, _ in waiting.outcomes]
    try:
        value = desk.notation.read(text, type_)
    except NotationError as error:
        desk.complain(item, codes.NO_ACTION, str(error))
        return None
    if value not in possible:
        shown = ", ".join(desk.notation.text(one, type_) for one in possible[:12])
        desk.complain(item, codes.STOPPED, f"chance cannot give {text} here; it can give {shown}")
        return None
    assert isinstance(value, int)
    return value


def _type_of(table: Table, waiting: Chance) -> Type:
    if waiting.kind == "draw":
        return table.engine.layout.sight.zone_of[waiting.where].holds
    states = table.rules.states.values()
    return next(one.type for one in states if one.first <= waiting.where < one.first + one.size)


# ---- many files -----------------------------------------------------------------------------------------------


def scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The files named, and from folders named all files of scenarios below them."""
    found: list[Path] = []
    for path in paths:
        below = sorted(path.rglob("*.yaml")) if path.is_dir() else []
        found.extend([one for one in below if _BEGINNING.search(one.read_text("utf-8", errors="replace"))])
        found.extend([] if path.is_dir() else [path])
    return found


def run_paths(paths: Sequence[Path], *, write: Callable[[str], None]) -> int:
    """Plays all cases of some files or folders, writes a line for each file and every failure in full, and gives the
    number of failures; a file that cannot be read is one.
    """
    runner = Runner()
    passed = failed = 0
    for path in scenario_files(paths):
        report = Report()
        file = read_file(path, report)
        if file is None:
            failed += 1
            write(f"{path}: cannot be used")
            _write_all(report, write)
            continue
        outcomes = [runner.run(case) for case in file.cases]
        wrong = [one for one in outcomes if one.complaints]
        passed, failed = passed + len(outcomes) - len(wrong), failed + len(wrong)
        counts = f"{len(outcomes) - len(wrong)} passed" + (f", {len(wrong)} failed" if wrong else "")
        write(f"{path}: {counts}")
        for one in wrong:
            _write_all(one.complaints, write)
    write(f"{passed} passed, {failed} failed")
    return failed


def _write_all(complaints: Iterable[Diagnostic], write: Callable[[str], None]) -> None:
    for one in complaints:
        write(f"\n{draw(one)}\n")


__all__ = ["Case", "Outcome", "Runner", "read_file", "run_paths", "scenario_files"]
