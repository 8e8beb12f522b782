"""Plays the scenarios of a game and says which of them do not come out as they should.

In: scenario files. Out: for each case the complaints about it, none when all is as expected; `run_paths` prints them.
A case is read before it is played: `Runner.look` only reads it, and complains of every name that the game does not
have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Diagnostic, Related, Report, draw
from rulewright.engine.notation import NotationError
from rulewright.engine.reference.choice_domains import TooMany
from rulewright.engine.reference.reference_engine import RuleFault
from rulewright.engine.state import Action, Chance, Decision, State
from rulewright.expr.types import Flag, Member, Number, Type
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import Claim, Reached
from rulewright.scenarios.expectations import read as read_then
from rulewright.scenarios.given import Given, position
from rulewright.scenarios.given import read as read_given
from rulewright.scenarios.scenario_context import Desk
from rulewright.scenarios.scenario_file import Case, read_file
from rulewright.scenarios.scenario_game import Loader, Table, Tables, settled, shipped
from rulewright.source.nodes import Scalar
from rulewright.source.reader import glimpse

CHANCE: Final = "chance"
_BEGINNING: Final = re.compile(r"^scenarios:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case came out: it passed when there are no complaints."""

    case: Case
    complaints: tuple[Diagnostic, ...]
    causes: tuple[Diagnostic, ...] = ()  # what is wrong with the rules, so that it cannot be played


class Runner:
    """Plays cases; rules are loaded once for each game, number of players and variants."""

    def __init__(self, load: Loader = shipped) -> None:
        self._tables = Tables(load)

    def look(self, case: Case, report: Report) -> None:
        """Looks up every name of a case without playing it; of rules that are wrong that is told, not the case."""
        found = Report()
        table = self._tables.table(case, found)
        causes = self._tables.causes(case)
        report.extend(causes or found)
        if table is not None:
            _read(table, case, Desk(table, report, f"cases.{case.name}"))

    def run(self, case: Case) -> Outcome:
        """Plays one case."""
        report = Report()
        table = self._tables.table(case, report)
        if table is not None:
            can_begin = not report.errors
            desk = Desk(table, report, f"cases.{case.name}")
            ready = _read(table, case, desk)
            try:
                if ready is not None and can_begin:
                    _play(table, case, ready, desk)
            except RuleFault as fault:
                related = [Related(fault.span, fault.address)] if fault.span is not None else []
                message = f"{fault.address}: {fault.message}"
                report.add(case.span, codes.FAULT, message, address=f"cases.{case.name}", related=related)
            except TooMany:
                message = "a choice admits more answers than can be listed"
                report.add(case.span, codes.FAULT, message, address=f"cases.{case.name}")
        return Outcome(case, tuple(report), () if table is not None else self._tables.causes(case))


@dataclass(frozen=True, slots=True)
class Ready:
    """A case that can be played: all that it gives and does is known. `wishes`: an action, or None for chance."""

    given: Given
    wishes: tuple[tuple[Scalar, Action | None], ...]
    claims: tuple[Claim, ...]


def _read(table: Table, case: Case, desk: Desk) -> Ready | None:
    """The meaning of a case; None when it cannot be played. What is wrong with its expectations is told, and the
    others are still held against what comes.
    """
    given = read_given(case.given, desk, _name(case))
    before = desk.report.errors
    wishes = tuple((item, _wish(table, item, desk)) for item in case.when)
    playable = given is not None and desk.report.errors == before
    last = next((item for item in reversed(case.when) if not _is_chance(table, (item,))), None)
    claims = tuple(read_then(case.then, desk, last))
    return Ready(given, wishes, claims) if given is not None and playable else None


def _name(case: Case) -> Scalar:
    return Scalar(case.name, case.name, case.span)


def _wish(table: Table, item: Scalar, desk: Desk) -> Action | None:
    if not _is_chance(table, (item,)):
        return desk.action(item)
    wrong = [error for type_ in _drawn(table) if (error := _unread(table, item, type_))]
    if len(wrong) == len(_drawn(table)):
        message = wrong[0] if len(wrong) == 1 else f"chance gives nothing that is called {_spoken(item)!r}"
        desk.complain(item, codes.NO_ACTION, message)
    return None


def _play(table: Table, case: Case, ready: Ready, desk: Desk) -> None:
    wait = _is_chance(table, case.when[:1])
    state = position(table, ready.given, case.first_seat, desk, _name(case), wait=wait)
    reached = None if state is None else _done(table, state, ready.wishes, desk)
    if reached is not None:
        for claim in ready.claims:
            claim(reached)


def _done(table: Table, state: State, wishes: Sequence[tuple[Scalar, Action | None]], desk: Desk) -> Reached | None:
    """Plays the actions. After each, chance speaks as the case says, else with its first outcome."""
    last: Scalar | None = None
    for at, (item, wish) in enumerate(wishes):
        if wish is None:
            if not isinstance(state.waiting, Chance):
                desk.complain(item, codes.STOPPED, "the game does not wait for chance here")
                return None
            outcome = _outcome(table, state.waiting, item, desk)
            if outcome is None:
                return None
            state = table.engine.feed(state, outcome)
        else:
            waiting = state.waiting
            options = table.engine.legal(state) if isinstance(waiting, Decision) else ()
            action = desk.notation.matching(wish, options)
            if action is None:
                seat = waiting.seat if isinstance(waiting, Decision) else 0
                reasons = table.explainer.why_not(state, seat, wish)
                if at == len(wishes) - 1 and (reasons or not isinstance(waiting, Decision)):
                    return Reached(table, state, item, reasons)
                why = "; ".join(f"{one.address}: {one.sentence}" for one in reasons) or "its choices are not complete"
                desk.complain(item, codes.STOPPED, f"this is not legal: {why.rstrip('.')}")
                return None
            state = table.engine.apply_legal(state, action)
            last = item
        if not any(following is None for _, following in wishes[at + 1 : at + 2]):
            state = settled(table.engine, state)
    return Reached(table, state, last, None)


# ---- chance that is not the first outcome -----------------------------------------------------------------------


def _is_chance(table: Table, items: Sequence[Scalar]) -> bool:
    """Whether the next item is `chance(outcome)`, in a game without an action of that name."""
    return bool(items) and items[0].text.startswith(f"{CHANCE}(") and table.rules.action(CHANCE) is None


def _spoken(item: Scalar) -> str:
    return item.text.strip().removeprefix(f"{CHANCE}(").removesuffix(")")


def _drawn(table: Table) -> tuple[Type, ...]:
    """All that chance could speak of: what lies in places, and states that can be rolled."""
    held = [zone.holds for zone in table.rules.zones.values()]
    rolled = [one.type for one in table.rules.states.values() if isinstance(one.type, Number | Member | Flag)]
    return tuple(dict.fromkeys([*held, *rolled]))


def _unread(table: Table, item: Scalar, type_: Type) -> str:
    return "; ".join(str(error) for error in table.views.notation.unread(_spoken(item), type_))


def _outcome(table: Table, waiting: Chance, item: Scalar, desk: Desk) -> int | None:
    text = _spoken(item)
    type_ = _type_of(table, waiting)
    pooled = waiting.kind == "draw" and isinstance(type_, Member)
    # the outcomes of a pool are places in a bag, which for a kind of numbers are not its members
    names = desk.notation.members(type_.kind) if isinstance(type_, Member) else {}
    possible = {names[value] if pooled else desk.notation.text(value, type_): value for value, _ in waiting.outcomes}
    try:
        read = desk.notation.text(desk.notation.read(text, type_), type_)
    except NotationError as error:
        desk.complain(item, codes.NO_ACTION, str(error))
        return None
    if read not in possible:
        shown = ", ".join(list(possible)[:12])
        desk.complain(item, codes.STOPPED, f"chance cannot give {text} here; it can give {shown}")
        return None
    return possible[read]


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
        found.extend([one for one in below if _BEGINNING.search(glimpse(one, within=path))])
        found.extend([] if path.is_dir() else [path])
    return found


def run_paths(paths: Sequence[Path], *, write: Callable[[str], None]) -> int:
    """Plays all cases of some files or folders, writes a line for each file and every failure in full, and gives the
    number of failures; a file that cannot be read is one.
    """
    runner = Runner()
    passed = failed = 0
    told: set[str] = set()  # what several cases cannot be played for is told once
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
        alike = 0
        for one in wrong:
            lacking = [cause for cause in one.complaints if cause.code is codes.NO_GAME]
            reasons = [cause for cause in (*one.causes, *lacking) if _reason(cause) not in told]
            told.update(map(_reason, reasons))
            rest = [other for other in one.complaints if other not in lacking]
            alike += not reasons and not rest
            _write_all((*reasons, *rest), write)
        if alike:
            write(f"\nfor the same reason {alike} {'case' if alike == 1 else 'cases'} more cannot be played\n")
    write(f"{passed} passed, {failed} failed")
    return failed


def _reason(one: Diagnostic) -> str:
    return f"{one.span} {one.code.name} {one.message}"


def _write_all(complaints: Iterable[Diagnostic], write: Callable[[str], None]) -> None:
    for one in complaints:
        write(f"\n{draw(one)}\n")


__all__ = ["Case", "Outcome", "Runner", "read_file", "run_paths", "scenario_files"]
