"""The game that a scenario is played with: its rules, its engine, and how a turn begins there.

In: a case. Out: a `ScenarioGame` with all that is needed to play and to explain, built once for a game, number of
players and variants; `opening_position`, from which a case starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal

from rulewright import limits
from rulewright.diagnostics import Diagnostic, Diagnostics, Hint, RulesError, Span
from rulewright.engine.context import Context
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.state import ChanceEvent, Decision, Frame, State
from rulewright.engine.views import Views
from rulewright.errors import quote
from rulewright.expr.types import Flag, Member, Type
from rulewright.frozen import frozen, replace
from rulewright.model.codes import PLAYERS
from rulewright.model.effects import Block, Choose, Step
from rulewright.model.loader import load_rules
from rulewright.model.locale import player_number
from rulewright.model.locate import NotFound, available_games, games_beside
from rulewright.model.rules import Invariant, Rules
from rulewright.scenarios import codes
from rulewright.scenarios.nearby_files import NearbyFiles
from rulewright.scenarios.scenario_file import Case
from rulewright.suggestions import did_you_mean, join_hints
from rulewright.variants.variant_names import is_setting

GameKey = tuple[str, int | None, tuple[str, ...]]  # game, players, variants
RulesLoader = Callable[[str, int | None, tuple[str, ...]], Rules]
LoadError = NotFound | RulesError | RuleFault


def load_from_files(game: str, players: int | None, variants: tuple[str, ...]) -> Rules:
    """The rules as the files have them."""
    return load_rules(game, players=players, variants=variants)


@frozen
class ScenarioGame:
    """One game ready to be played.

    `stopping_engine`: the same game with turns that stop at once, to find where turns begin.
    """

    engine: Engine
    views: Views
    notation: Notation  # with players counted from 1
    explainer: Explainer
    stopping_engine: Engine
    invariants: tuple[tuple[Invariant, Callable[[Context], int]], ...]

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self.engine.rules

    def outcome_type(self, event: ChanceEvent) -> Type:
        """The type of the outcomes of a chance event: of what is drawn, or of the state that is rolled."""
        if event.kind == "draw":
            return self.engine.layout.visibility.zone_by_place[event.target].content_type
        states = self.rules.states.values()
        return next(state.type for state in states if 0 <= event.target - state.first_index < state.size)

    def format_outcome(self, event: ChanceEvent, value: int) -> str:
        """An outcome of a chance event as it is written in a scenario."""
        notation, type_ = self.notation, self.outcome_type(event)
        if event.kind == "draw" and isinstance(type_, Member):
            return notation.bag_member_ids(type_.kind)[value]  # an index into the bag, not always the member's value
        return notation.format_value(bool(value) if isinstance(type_, Flag) else value, type_)


GameMaker = Callable[[Rules], ScenarioGame]


class ScenarioGames:
    """All games of a run of scenarios; each is built once."""

    def __init__(self, load: RulesLoader = load_from_files, make: GameMaker | None = None) -> None:
        self._load = load
        self._make = make or make_game
        self._nearby = NearbyFiles()
        self._results: dict[GameKey, ScenarioGame | LoadError] = {}
        self._missing: dict[tuple[str, tuple[str, ...]], str] = {}  # by game and variants, what is not found
        self._game_hints: dict[tuple[Path, str], str] = {}  # by folder and name, of those that there are not

    def game_for(self, case: Case, diagnostics: Diagnostics) -> ScenarioGame | None:
        """The game of a case; None, with a diagnostic, when it cannot be loaded.

        A first player that does not exist is reported too, but is no reason not to look up the names of the case.
        """
        key = self.key_of(case)
        game, _, variants = key
        if key not in self._results:
            try:
                self._results[key] = self._make(self._load(*key))
            except (NotFound, RulesError, RuleFault) as error:
                self._results[key] = error
        result = self._results[key]
        if isinstance(result, ScenarioGame) and 0 <= case.first_seat < result.rules.players:
            return result
        for span, message, hint in self._why_unplayable(case, result, game, variants):
            diagnostics.add(span, codes.CANNOT_BE_PLAYED, message, help=hint, address=f"cases.{case.name}")
        return result if isinstance(result, ScenarioGame) else None

    def rule_diagnostics(self, case: Case) -> tuple[Diagnostic, ...]:
        """The errors in the rules of a case, because of which its game does not load; they say more than the case can.

        Empty for a number of players that the game does not allow, which is a mistake of the case.
        """
        result = self._results.get(self.key_of(case))
        diagnostics = result.diagnostics if isinstance(result, RulesError) else ()
        errors = tuple(diagnostic for diagnostic in diagnostics if diagnostic.severity == "error")
        return () if any(error.code is PLAYERS for error in errors) else errors

    def key_of(self, case: Case) -> GameKey:
        """What a case is played with: the game and the variants by name, or by path where they are files beside it."""
        variants = tuple(
            name if is_setting(name) else self._nearby.find(case.path, "variant", name) for name in case.variants
        )
        return self._nearby.find(case.path, "game", case.game), case.players, variants

    def _why_unplayable(
        self, case: Case, result: ScenarioGame | LoadError, game: str, variants: tuple[str, ...]
    ) -> Iterator[tuple[Span, str, Hint]]:
        """Why a case cannot be played: the span of what is wrong in it, a message, and a hint."""
        spans = case.spans
        players = f"{case.players or 'the fewest'} {'player' if case.players == 1 else 'players'}"
        title = f"{case.game} for {players}" + (f" with {' and '.join(case.variants)}" if case.variants else "")
        match result:
            case ScenarioGame(rules=rules):
                number = player_number(case.first_seat)
                yield spans.first_player, f"there is no player {number} (1 to {rules.players})", ""
            case RulesError(diagnostics=diagnostics):
                error = next(diagnostic for diagnostic in diagnostics if diagnostic.severity == "error")
                if error.code is PLAYERS:
                    yield spans.players, error.message, error.help or "write one of those numbers behind `players`"
                else:
                    span = [spans.game, *spans.variants][-1]
                    yield span, f"{title} cannot be played: {error.message}", f"at {error.span}"
            case RuleFault():
                hint = f"at {result.span}" if result.span is not None else ""
                yield spans.game, f"{title} cannot be played: {result.message}", hint
            case NotFound() if message := self._not_found(game, ()):
                name, _, known = message.partition("; ")
                yield spans.game, name, partial(self._game_hint, case, known)
            case NotFound():
                for name, span in zip(variants, spans.variants, strict=True):
                    if len(variants) == 1 or self._not_found(game, (name,)):
                        search = partial(_search_hint, self._nearby, case, game, name)
                        yield span, f"{case.game} has no variant {quote(name)}", search

    def _game_hint(self, case: Case, known: str) -> str:
        key = (case.path.parent, case.game)
        if key not in self._game_hints:
            self._game_hints[key] = did_you_mean(case.game, [*games_beside(case.path), *available_games()])
        nearest = self._game_hints[key]
        return join_hints(nearest, known.partition(" (")[0] if nearest else known)  # which says the nearest as well

    def _not_found(self, game: str, variants: tuple[str, ...]) -> str:
        """What is not found when a game is loaded; empty when everything is, whatever else is wrong with it."""
        if (game, variants) not in self._missing:
            try:
                self._load(game, None, variants)
            except NotFound as error:
                self._missing[game, variants] = str(error)
            except RulesError:
                self._missing[game, variants] = ""
            else:
                self._missing[game, variants] = ""
        return self._missing[game, variants]


def _search_hint(nearby: NearbyFiles, case: Case, game: str, name: str) -> str:
    """The nearest name of a variant, and where variants were looked for."""
    searched = "looked beside this file and above it, in `variants` folders, and in the list of `rulewright variants`"
    nearest = did_you_mean(name, nearby.variants(case.path, case.game, game))
    return join_hints(nearest, searched)


def make_game(rules: Rules, make: Callable[[Rules], Engine] = make_engine) -> ScenarioGame:
    """All that is needed to play some rules. `make`: makes the engine."""
    engine = make(rules)
    invariants = tuple(
        (invariant, engine.compiler.compile_number(invariant.condition)) for invariant in rules.invariants
    )
    stopping_engine = make(_with_stopping_turn(rules))
    return ScenarioGame(
        engine,
        Views(engine),
        Notation.for_people(rules),
        Explainer(engine),
        stopping_engine,
        invariants,
    )


# ---- where a case starts --------------------------------------------------------------------------------------


def _with_stopping_turn(rules: Rules) -> Rules:
    """The same rules, but a turn is one decision, at which the game stops; nothing is ever chosen there."""
    turn = rules.blocks[rules.turn]
    if not rules.actions or not rules.blocks:
        return rules
    # an action of the game may be illegal at the start, and then the game would not stop
    pause = replace(rules.actions[0], index=len(rules.actions), choices=(), clauses=())
    stop, span = Choose("must", (), pause.index, False), pause.span
    block = Block(turn.address, (Step(turn.address, stop, None, None, None, None, None, span),))
    blocks = tuple(block if index == rules.turn else other for index, other in enumerate(rules.blocks))
    return replace(rules, blocks=blocks, actions=(*rules.actions, pause), invariants=())


def opening_position(
    game: ScenarioGame, first: int, seat: int | None, to: Literal["decision", "round", "turn"]
) -> State | None:
    """The standard set-up, every chance outcome the first, up to the first turn of a seat (None: of any).

    It stops at an earlier decision when the case starts at the first `decision`, or anywhere in the `round` and the
    decision is in it; otherwise the first option is taken there. None: the first round has no such turn.
    """
    engine, turn = game.stopping_engine, game.rules.turn
    state = take_first_outcomes(engine, engine.start(first=first))
    for _ in range(limits.MAX_SCENARIO_STEPS):
        decision = state.waiting
        if not isinstance(decision, Decision) or state.round > 1:
            return None
        if decision.block != turn:
            if to == "decision" or (to == "round" and state.round):
                return state
            state = engine.apply_legal(state, engine.legal(state)[0])
        else:
            frame = state.stack[-1]
            assert isinstance(frame, Frame)
            if seat is None or frame.seat == seat:
                return replace(state, stack=(*state.stack[:-1], frame._replace(step=0)), waiting=None)
            # the frame is past its only step: resumed, it ends the turn
            state = run_until_waiting(engine, replace(state, waiting=None), needs_refill=False)
        state = take_first_outcomes(engine, state)
    return None


def run_until_waiting(engine: Engine, state: State, *, needs_refill: bool) -> State:
    """The next position that waits for something; `needs_refill`: places may have to be refilled first."""
    return engine.resume(state, needs_refill=needs_refill)


def refill_places(engine: Engine, state: State) -> State:
    """The position after all refills, with the first outcome of each draw."""
    for _ in engine.layout.refills:  # a place may be refilled from another that is refilled itself
        refilled = engine.refill_once(replace(state, stack=(), waiting=None))
        if refilled is None:
            break
        state = replace(take_first_outcomes(engine, refilled), stack=state.stack, waiting=state.waiting)
    return state


def take_first_outcomes(engine: Engine, state: State) -> State:
    """The position after all pending chance events, each with its first outcome."""
    while isinstance(state.waiting, ChanceEvent):
        state = engine.resolve_chance(state, state.waiting.outcomes[0][0])
    return state


__all__ = [
    "RulesLoader",
    "ScenarioGame",
    "ScenarioGames",
    "load_from_files",
    "make_game",
    "opening_position",
    "refill_places",
    "run_until_waiting",
    "take_first_outcomes",
]
