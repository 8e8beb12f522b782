"""A game served to programs: each request gets one answer that names its addressee.

In: checked requests. Out: answers, as JSON data. What goes to a seat, or to all, holds nothing that is hidden from
them; the referee's answers (positions, chance, measures) may hold everything. A refused request changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import assert_never

from rulewright import limits
from rulewright.diagnostics import RulesError, render_concise
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import REFERENCE_ENGINE, EngineName
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.position_json import state_from_data, state_to_data
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.state import DECLINE, Action, ChanceEvent, Decision, State
from rulewright.engine.value_notation import NotationError
from rulewright.errors import UsageError, quote
from rulewright.model.codes import PLAYERS
from rulewright.model.locate import NotFound, default_game, game_folder, portable_place
from rulewright.protocol.program_play import NeedsReference, PlayingPrograms, ProgramPlay
from rulewright.protocol.referee_chance import chance_data, parse_orders, parse_outcome
from rulewright.protocol.request_parser import (
    Addressee,
    ApplyRequest,
    ChanceRequest,
    LegalRequest,
    LoadRequest,
    NewRequest,
    ProtocolError,
    Request,
    ViewRequest,
    WhyNotRequest,
    addressee,
)
from rulewright.session import load_game
from rulewright.session.match import Match, format_action

Answer = dict[str, object]
EngineKey = tuple[str | None, int | None, tuple[str, ...], tuple[str, ...]]  # game, players, variants, tokenwise


class RequestHandler:
    """One game at a time, and those who ask about it; a method for each request. `lang`: the language of reasons;
    `engine`: what lists and carries out actions, whose answers are all the same; `tell` is told which does, in words.
    """

    def __init__(
        self, lang: str = "en", *, engine: EngineName = REFERENCE_ENGINE, tell: Callable[[str], object] | None = None
    ) -> None:
        self._lang = lang
        self._programs = PlayingPrograms(engine, tell or (lambda text: None))
        self._match: Match | None = None
        self._program: ProgramPlay | None = None  # which is ahead of the match
        self._explainers: dict[str, Explainer] = {}
        self._engines: dict[EngineKey, Engine] = {}
        self._folder: Path | None = None  # of the game

    def answer(self, request: Request) -> Answer:
        """The answer to a request; raises `ProtocolError`."""
        to = addressee(request)
        try:
            return self._dispatch(request)
        except (UsageError, NotFound) as error:
            raise ProtocolError("wrong-use", str(error), to) from None
        except InvalidPosition as error:
            raise ProtocolError("bad-position", str(error)) from None
        except RulesError as error:
            if all(diagnostic.code is PLAYERS for diagnostic in error.diagnostics):
                message = " ".join(diagnostic.message for diagnostic in error.diagnostics)
                raise ProtocolError("wrong-use", message) from None
            shown = [
                render_concise(diagnostic)[: limits.MAX_MESSAGE_LENGTH]
                for diagnostic in islice(error.diagnostics, limits.MAX_ANSWERED_DIAGNOSTICS)
            ]
            raise ProtocolError("bad-rules", "these rules cannot be used", complaints=shown) from None
        except RuleFault as fault:
            message = f"the rules fail here: {fault.address}: {fault.message}"
            raise ProtocolError("rule-fault", message) from None

    def _dispatch(self, request: Request) -> Answer:
        match request["do"]:
            case "new":
                return self.new(request)
            case "load":
                return self.load(request)
            case "legal":
                return self.legal(request)
            case "apply":
                return self.apply(request)
            case "view":
                return self.view(request)
            case "why_not":
                return self.why_not(request)
            case "chance":
                return self.chance(request)
            case "save":
                return self.save()
            case "state":
                return self.state()
            case "result":
                return self.result()
            case "measures":
                return self.measures()
            case "quit":
                return {"to": "referee"}
            case _ as unknown:
                assert_never(unknown)

    def resolve_addressee(self, to: Addressee) -> Addressee:
        """An addressee who is there: the referee in place of a seat that the game does not have."""
        seats = self._match.rules.players if self._match is not None else 0
        return "referee" if isinstance(to, int) and to >= seats else to

    # ---- begin, save, load --------------------------------------------------------------------------------

    def new(self, request: NewRequest) -> Answer:
        """Begins a game: shuffled by a seed, or with chance from outside."""
        if "seed" in request and "chance" in request:
            raise ProtocolError("wrong-value", "chance comes either from a seed or from outside")
        engine = self._engine(request)
        lang = load_game.require_language(engine.rules, request.get("lang", self._lang))
        first = load_game.require_seat(engine.rules, request.get("first_seat", 0))
        seed = None if "chance" in request else request.get("seed", load_game.random_seed())
        state = engine.start(first=first, seed=seed, orders=parse_orders(engine, request.get("orders", {})))
        self._folder = game_folder(request.get("game") or default_game())
        self._begin(engine, state, lang)
        if request.get("orders"):
            self._programs.begin(engine, None, first, from_outside="orders of piles")
        else:
            self._program = self._programs.begin(engine, seed, first)
        return {"to": "all", **self._rules_data(), **self._progress_data()}

    def load(self, request: LoadRequest) -> Answer:
        """Goes on from a saved position."""
        position, tokenwise = request["position"], request.get("tokenwise", [])
        match = self._match
        is_same_game = (
            match is not None
            and match.rules.digest == position.get("rules")
            and match.engine.tokenwise == set(tokenwise)
        )
        if match is not None and is_same_game:
            engine, state = match.engine, state_from_data(match.engine, position)  # the same rules are not read again
        else:
            engine, state = load_game.load_position(
                position, request.get("game"), None, request.get("variants", []), tokenwise
            )
        lang = load_game.require_language(engine.rules, request.get("lang", self._lang))
        if not is_same_game:
            self._folder = game_folder(request.get("game") or engine.rules.game)
        self._begin(engine, state, lang)
        self._programs.begin(engine, None, state.first_seat, from_outside="a position")
        return {"to": "referee", **self._rules_data(), **self._progress_data()}

    def save(self) -> Answer:
        """The whole position, hidden things included."""
        match = self._current_match()
        return {"to": "referee", "position": state_to_data(match.engine, match.state)}

    def _engine(self, request: NewRequest) -> Engine:
        """The engine of a new game; shipped rules are read once for all games that are played by them."""
        game, players = request.get("game"), request.get("players")
        variants, tokenwise = tuple(request.get("variants", ())), tuple(request.get("tokenwise", ()))
        if not load_game.is_shipped(game, variants):
            return load_game.load_engine(game, players, variants, tokenwise)  # its files may have changed meanwhile
        key = (game, players, variants, tokenwise)
        if key not in self._engines:
            if len(self._engines) >= limits.MAX_CACHED_ENGINES:
                self._engines.clear()
            self._engines[key] = load_game.load_engine(game, players, variants, tokenwise)
        return self._engines[key]

    def _begin(self, engine: Engine, state: State, lang: str) -> None:
        self._match = Match(engine, state)
        self._program = None
        self._explainers = {}
        self._lang = lang

    def _current_match(self, to: Addressee = "referee", seat: int | None = None) -> Match:
        """The same as `_played_match`, where it is asked for more than what a program knows: it catches up first."""
        match = self._played_match(to, seat)
        if self._program is not None:
            self._program.catch_up(match)
        return match

    def _played_match(self, to: Addressee = "referee", seat: int | None = None) -> Match:
        """The game that is played; its position may be an earlier one than the program's. Raises `ProtocolError` when
        there is none, or not that seat in it.
        """
        if self._match is None:
            raise ProtocolError("no-game", 'there is no game: begin with {"do": "new"}', to)
        players = self._match.rules.players
        if seat is not None and seat >= players:
            raise ProtocolError("no-seat", f"there is no seat {seat} (0 to {players - 1})")
        return self._match

    # ---- what all may know --------------------------------------------------------------------------------

    def state(self) -> Answer:
        """Which rules are played, whose turn it is, and what the game waits for."""
        self._played_match("all")
        return {"to": "all", **self._rules_data(), **self._progress_data()}

    def view(self, request: ViewRequest) -> Answer:
        """All that a seat, or a spectator, knows of the position."""
        seat = request["seat"]
        match = self._current_match(addressee(request), seat)
        return {"to": "all" if seat is None else seat, "view": match.views.view(match.state, seat)}

    def result(self) -> Answer:
        """The places and winners, once the game is over."""
        match = self._current_match("all")
        if not match.state.over:
            return {"to": "all", "over": False, "places": None, "winners": None}
        result = match.engine.result(match.state)
        return {"to": "all", "over": True, "places": list(result.ranks), "winners": list(result.winners)}

    def measures(self) -> Answer:
        """The measures of the position, whatever is hidden in them."""
        match = self._current_match()
        measures = match.engine.measures(match.state)
        return {
            "to": "referee",
            "over": match.state.over,
            "measures": {name: list(value) if isinstance(value, tuple) else value for name, value in measures.items()},
        }

    def _rules_data(self) -> Answer:
        assert self._match is not None
        rules = self._match.rules
        return {
            "game": rules.game,
            "version": rules.version,
            "rules": rules.digest,
            "players": rules.players,
            "variants": list(rules.variants),
            "tokenwise": sorted(self._match.engine.tokenwise),
            "first_seat": self._match.state.first_seat,
        }

    def _progress_data(self) -> Answer:
        assert self._match is not None
        state, views = self._shown_state(self._match), self._match.views
        waiting: Answer | None = None
        if isinstance(state.waiting, Decision):
            waiting = {"for": "decision", "seat": state.waiting.seat, "step": views.step_address(state.waiting)}
        elif state.waiting is not None:
            waiting = {"for": "chance"}
        return {
            "round": state.round,
            "turn": state.turn_count,
            "in_turn": views.turn_seat(state),
            "waiting": waiting,
            "over": state.over,
        }

    # ---- what a seat may do -------------------------------------------------------------------------------

    def legal(self, request: LegalRequest) -> Answer:
        """The legal actions of the seat that has to choose."""
        match = self._deciding_match(request["seat"]) if "seat" in request else self._played_match()
        waiting = self._shown_state(match).waiting
        if not isinstance(waiting, Decision):
            return {"to": "all", "decides": None, "actions": []}
        seat, actions = waiting.seat, match.legal() if self._program is None else self._program.legal
        to_form = match.notation.action_to_data if request.get("form") == "data" else match.notation.format_action
        return {"to": seat, "decides": seat, "actions": [to_form(action) for action in actions]}

    def apply(self, request: ApplyRequest) -> Answer:
        """Carries out a legal action; an action that is not legal is refused with every reason."""
        seat = request["seat"]
        match = self._deciding_match(seat)
        attempt = _parse_action(match, request, self._lang)
        if self._program is not None:
            applied = self._apply_in_program(self._program, match, seat, attempt)
            if applied is not None:
                return applied
            match = self._current_match()
        action = match.matching_action(attempt)
        if action is None:
            reasons = self._reasons(match, seat, attempt, self._lang)
            message = reasons[0]["sentence"] if reasons else _missing_choice(match, attempt)
            raise ProtocolError("illegal", str(message), seat, reasons=reasons)
        played = match.act(action)
        public = played.action_data[-1]
        answer: Answer = {"to": "all", "seat": played.seat, "action": format_action(public), "data": public}
        if played.revealed_choices:
            answer["carried_out"] = [
                {"seat": seat, "action": format_action(data), "data": data} for seat, data in played.revealed_choices
            ]
        return {**answer, **self._progress_data()}

    def _apply_in_program(self, program: ProgramPlay, match: Match, seat: int, attempt: Action) -> Answer | None:
        """The answer to a legal action that the program carries out; None where the match has to."""
        action = match.notation.match_action(attempt, program.legal)
        if action is None:
            return None
        try:
            public = program.act(action, match)
        except NeedsReference:
            public = self._current_match().act(action).action_data[-1]
        except (RuleFault, NotCompiled):
            self._current_match()
            self._program = None  # it cannot go on
            return None
        answer: Answer = {"to": "all", "seat": seat, "action": format_action(public), "data": public}
        return {**answer, **self._progress_data()}

    def why_not(self, request: WhyNotRequest) -> Answer:
        """Every reason why an action is not legal; none when it is."""
        seat, lang = request["seat"], request.get("lang", self._lang)
        match = self._current_match(seat, seat)
        if lang not in match.rules.languages:
            languages = ", ".join(match.rules.languages)
            raise ProtocolError(
                "wrong-value", f"the game has no language {quote(lang[:20])}; it has: {languages}", seat
            )
        reasons = self._reasons(match, seat, _parse_action(match, request, lang), lang)
        return {"to": seat, "legal": not reasons, "reasons": reasons}

    def _deciding_match(self, seat: int) -> Match:
        match = self._played_match(seat, seat)
        state = self._shown_state(match)
        if not isinstance(state.waiting, Decision):
            why = "the game is over" if state.over else "the game is waiting for chance"
            raise ProtocolError("wrong-moment", f"{why}: nobody has to choose", seat)
        if state.waiting.seat != seat:
            raise ProtocolError("not-deciding", f"it is seat {state.waiting.seat}'s turn", seat)
        return match

    def _shown_state(self, match: Match) -> State:
        """The position, for what can be seen of it from outside."""
        return match.state if self._program is None else self._program.state

    def _reasons(self, match: Match, seat: int, attempt: Action, lang: str) -> list[Mapping[str, object]]:
        if lang not in self._explainers:
            self._explainers[lang] = Explainer(match.engine, lang)
        reasons = self._explainers[lang].why_not(match.state, seat, attempt)
        places = [None if reason.span is None else portable_place(reason.span, self._folder) for reason in reasons]
        return [{**reason.to_data(), "place": place} for reason, place in zip(reasons, places, strict=True)]

    # ---- chance from outside ------------------------------------------------------------------------------

    def chance(self, request: ChanceRequest) -> Answer:
        """Takes outcomes, one for each chance event in turn, and says which event the game waits for then."""
        match = self._current_match()
        state = match.state
        for outcome in request.get("outcomes", []):
            if not isinstance(state.waiting, ChanceEvent):
                more = " any more; no outcome was taken" if state is not match.state else ""
                raise ProtocolError("wrong-moment", f"the game is not waiting for chance{more}")
            state = match.engine.resolve_chance(state, parse_outcome(match, state.waiting, outcome))
        match.state = state
        return {"to": "referee", "chance": chance_data(match, state), **self._progress_data()}


def _parse_action(match: Match, request: ApplyRequest | WhyNotRequest, lang: str) -> Action:
    try:
        return Notation(match.rules, lang).action_from_data(request["action"])
    except NotationError as error:
        raise ProtocolError("unreadable-action", str(error), request["seat"]) from None


def _missing_choice(match: Match, attempt: Action) -> str:
    """What an action lacks against which there is no reason."""
    choices = match.rules.actions[attempt.number].choices if attempt != DECLINE else ()
    if attempt.token is not None or len(attempt.values) >= len(choices):
        return "the action is incomplete"
    return f"missing choice `{choices[len(attempt.values)].name}`"


__all__ = ["Answer", "RequestHandler"]
