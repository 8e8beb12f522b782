"""The table at which a scenario is played: the rules of its game, the referee, and how a turn begins there.

In: a case. Out: a `Table` with everything that is needed to play and to explain, made once for a game, number of
players and variants; `opening(…)`, the position from which a case starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from rulewright import limits
from rulewright.diagnostics import Diagnostic, Diagnostics, RulesError, Span
from rulewright.document.document import MANIFEST
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.reference_engine import ReferenceEngine, RuleFault
from rulewright.engine.state import ChanceEvent, Decision, Frame, State
from rulewright.engine.values import Context
from rulewright.engine.views import Views
from rulewright.model.loader import NotFound, available_variants, find_game, load_rules
from rulewright.model.rules import Block, Choose, Invariant, Rules, Step
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_file import Case
from rulewright.source.reader import is_within, peek_text
from rulewright.suggestions import did_you_mean
from rulewright.variants.variant import is_setting

RulesLoader = Callable[[str, int | None, tuple[str, ...]], Rules]
NEARBY_PATTERNS: Final = ("*.yaml", "variants/*.yaml")  # where a game or variant may stand that a scenario names


def load_from_files(game: str, players: int | None, variants: tuple[str, ...]) -> Rules:
    """The rules as they stand in the files."""
    return load_rules(game, players=players, variants=variants)


@dataclass(frozen=True, slots=True)
class ScenarioGame:
    """One game made ready. `stopping`: the same game with a turn that only stops, to find where turns begin."""

    engine: ReferenceEngine
    views: Views
    explainer: Explainer
    stopping_engine: ReferenceEngine
    invariants: tuple[tuple[Invariant, Callable[[Context], bool]], ...]

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self.engine.rules


class ScenarioGames:
    """All tables of a run of scenarios; each is made once."""

    def __init__(self, load: RulesLoader = load_from_files) -> None:
        self._load = load
        self._files: dict[tuple[Path, str, str], str] = {}
        self._made: dict[tuple[str, int | None, tuple[str, ...]], ScenarioGame | Exception] = {}

    def game_for(self, case: Case, diagnostics: Diagnostics) -> ScenarioGame | None:
        """The table for a case; None, with a complaint, when its game cannot be had. A seat that cannot begin there is
        a complaint too, and no reason not to look up the names of the case.
        """
        key = self._key(case)
        game, _, variants = key
        if key not in self._made:
            try:
                self._made[key] = make_game(self._load(*key))
            except (NotFound, RulesError, RuleFault) as error:
                self._made[key] = error
        found = self._made[key]
        if isinstance(found, ScenarioGame) and 0 <= case.first_seat < found.rules.players:
            return found
        for span, message, hint in self._why_not(case, found, game, variants):
            diagnostics.add(span, codes.CANNOT_BE_PLAYED, message, help=hint, address=f"cases.{case.name}")
        return found if isinstance(found, ScenarioGame) else None

    def rule_diagnostics(self, case: Case) -> tuple[Diagnostic, ...]:
        """What is wrong with the rules of a case, so that it has no table; they tell of it better than the case can."""
        found = self._made.get(self._key(case))
        wrong = [one for one in found.diagnostics if one.severity == "error"] if isinstance(found, RulesError) else []
        return () if any(one.code.name == "players" for one in wrong) else tuple(wrong)

    def _key(self, case: Case) -> tuple[str, int | None, tuple[str, ...]]:
        variants = tuple(
            name if is_setting(name) else self._beside(case.path, "variant", name) for name in case.variants
        )
        return self._beside(case.path, "game", case.game), case.players, variants

    def _why_not(
        self, case: Case, found: ScenarioGame | Exception, game: str, variants: tuple[str, ...]
    ) -> Iterator[tuple[Span, str, str]]:
        """Why a case has no table: where it says what cannot be had, that, and a hint."""
        spots = case.spans
        who = f"{case.game} for {case.players or 'the fewest'} {'player' if case.players == 1 else 'players'}"
        with_ = f" with {' and '.join(case.variants)}" if case.variants else ""
        match found:
            case ScenarioGame(rules=rules):
                seats = f"seats are 0 to {rules.players - 1}"
                yield spots.first_seat, f"seat {case.first_seat} does not play: {seats}", ""
            case RulesError(diagnostics=diagnostics):
                first = next(one for one in diagnostics if one.severity == "error")
                span = spots.players if first.code.name == "players" else [spots.game, *spots.variants][-1]
                yield span, f"{who}{with_} cannot be played: {first.message}", f"at {first.span}"
            case RuleFault():
                hint = f"at {found.span}" if found.span is not None else ""
                yield spots.game, f"{who}{with_} cannot be played: {found.message}", hint
            case _ if why := self._missing(game, ()):
                yield spots.game, why, ""
            case _:
                for name, span in zip(variants, spots.variants, strict=True):
                    if self._missing(game, (name,)):
                        yield span, f"{case.game} has no variant {name!r}", _searched(case, game, name)

    def _missing(self, game: str, variants: tuple[str, ...]) -> str:
        """What is not found when a game is loaded; empty when everything is, whatever else is wrong with it."""
        try:
            self._load(game, None, variants)
        except NotFound as error:
            return str(error)
        except RulesError:
            return ""
        return ""

    def _beside(self, path: Path, kind: str, name: str) -> str:
        key = (path.parent, kind, name)
        if key not in self._files:
            self._files[key] = find_nearby_file(path, kind, name)
        return self._files[key]


def _searched(case: Case, game: str, name: str) -> str:
    """Where a variant was looked for, and the one there that is called most like it."""
    where = "beside this file or above it, in a folder `variants`, and among those that `rulewright variants` lists"
    near = did_you_mean(name, known_variants(case.path, case.game, game))
    return f"{near}      looked for it {where}" if near else f"it was looked for {where}"


def make_game(rules: Rules) -> ScenarioGame:
    """Everything that is needed to play a rule model."""
    engine = ReferenceEngine(rules)
    invariants = tuple((one, engine.compiler.compile(one.condition)) for one in rules.invariants)
    return ScenarioGame(
        engine, Views(engine), Explainer(engine), ReferenceEngine(_with_stopping_turn(rules)), invariants
    )


def find_nearby_file(path: Path, kind: str, name: str) -> str:
    """The game or variant of that name that stands beside a scenario file, or in a folder of games or variants there or
    above; the name itself when there is none, for a shipped one.
    """
    line = re.compile(rf"^{kind}: *{re.escape(name)}\s*(#|$)", re.MULTILINE)
    for folder in list(path.resolve().parents)[:3]:
        for pattern in (*NEARBY_PATTERNS, f"{name}/{MANIFEST}"):
            for file in sorted(folder.glob(pattern)):
                if line.search(peek_text(file, within=folder)):
                    return str(file)
    return name


def known_variants(path: Path, name: str, game: str) -> list[str]:
    """The variants of a game that a scenario file can name: those that stand beside it or above, and the game's own.
    What always belongs to the rules is chosen by nobody.
    """
    files = [
        file
        for folder in list(path.resolve().parents)[:3]
        for pattern in NEARBY_PATTERNS
        for file in sorted(folder.glob(pattern))
        if is_within(file, folder) and file.is_file()
    ]
    with suppress(NotFound):
        files += available_variants(name, find_game(game)).values()
    found = dict[str, None]()
    for file in files:
        said = dict(re.findall(r"^(variant|for|applies): *([a-z][a-z0-9_-]*)", peek_text(file), re.MULTILINE))
        if "variant" in said and said.get("for") == name and "applies" not in said:
            found.setdefault(said["variant"])
    return list(found)


# ---- where a case starts --------------------------------------------------------------------------------------


def _with_stopping_turn(rules: Rules) -> Rules:
    """The same rules, but a turn is one decision at which the game stops; nothing is ever chosen there."""
    turn = rules.blocks[rules.turn]
    if not rules.actions or not rules.blocks:
        return rules
    stop = Choose("must", (), rules.actions[0].index, False)
    span = rules.actions[0].span
    block = Block(turn.address, (Step(turn.address, stop, None, None, None, None, None, span),))
    blocks = tuple(block if at == rules.turn else one for at, one in enumerate(rules.blocks))
    return replace(rules, blocks=blocks, invariants=())


def opening_position(
    table: ScenarioGame, first: int, seat: int | None, to: Literal["decision", "round", "turn"]
) -> State | None:
    """The standard set-up, every chance outcome the first, up to the first turn of a seat (None: of any).

    A decision before that turn is where it ends already when the case starts at the first `decision`, or anywhere in
    the `round` and this is in it; else the first option is taken. None: the first round has no such turn.
    """
    stopping, turn = table.stopping_engine, table.rules.turn
    state = take_first_outcomes(stopping, stopping.start(first=first))
    for _ in range(limits.MAX_SCENARIO_STEPS):
        decision = state.waiting
        if not isinstance(decision, Decision) or state.round > 1:
            return None
        if decision.block != turn:
            if to == "decision" or (to == "round" and state.round):
                return state
            state = stopping.apply_legal(state, stopping.legal(state)[0])
        else:
            frame = state.stack[-1]
            assert isinstance(frame, Frame)
            if seat is None or frame.seat == seat:
                return replace(state, stack=(*state.stack[:-1], frame._replace(step=0)), waiting=None)
            # the frame is past its only step: when it is taken up again the turn is over
            state = run_until_waiting(stopping, replace(state, waiting=None), touched=False)
        state = take_first_outcomes(stopping, state)
    return None


def run_until_waiting(engine: ReferenceEngine, state: State, *, touched: bool) -> State:
    """The position after the game has gone on from one that waits for nothing; `touched`: places may want filling."""
    draft = MutableState(engine.rules, engine.layout, state)
    draft.needs_refill = touched
    engine.interpreter.run(draft)
    return draft.freeze()


def refill_places(engine: ReferenceEngine, state: State) -> State:
    """The position when every place that fills itself has done so, with the first outcome of each draw."""
    for _ in engine.layout.refills:  # one place may take from another that fills itself
        draft = MutableState(engine.rules, engine.layout, replace(state, stack=(), waiting=None))
        if not engine.interpreter.push_refills(draft):
            break
        engine.interpreter.run(draft)
        state = replace(take_first_outcomes(engine, draft.freeze()), stack=state.stack, waiting=state.waiting)
    return state


def take_first_outcomes(engine: ReferenceEngine, state: State) -> State:
    """The position after chance has spoken, always with its first outcome."""
    while isinstance(state.waiting, ChanceEvent):
        state = engine.resolve_chance(state, state.waiting.outcomes[0][0])
    return state


__all__ = [
    "RulesLoader",
    "ScenarioGame",
    "ScenarioGames",
    "find_nearby_file",
    "load_from_files",
    "make_game",
    "opening_position",
    "refill_places",
    "run_until_waiting",
    "take_first_outcomes",
]
