"""A game served to programs: requests come in as data, and each gets one answer that names its addressee.

In: checked requests. Out: answers, as JSON data. What goes to a seat, or to all, holds nothing that is hidden from
them; the referee's answers (positions, chance, measures) may hold everything. A refused request changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from rulewright import limits
from rulewright.cli import open_game
from rulewright.diagnostics import RulesError, render_concise
from rulewright.engine.notation import Notation, NotationError
from rulewright.engine.position_json import InvalidPosition, state_from_data, state_to_data
from rulewright.engine.reference.choice_domains import TooManyAnswersError
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.reference_engine import ReferenceEngine, RuleFault
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.errors import UsageError
from rulewright.expr.types import Member, Thing
from rulewright.model.codes import PLAYERS
from rulewright.model.loader import NotFound
from rulewright.protocol.requests import ProtocolError, addressee
from rulewright.session.match import Match, format_action
from rulewright.suggestions import did_you_mean

Answer = dict[str, Any]


class GameServer:
    """One game at a time, and those who ask about it. `lang`: the language of reasons."""

    def __init__(self, lang: str = "en") -> None:
        self._lang = lang
        self._match: Match | None = None
        self._explainers: dict[str, Explainer] = {}
        self._engines: dict[object, ReferenceEngine] = {}
        self._do: dict[str, Callable[[dict[str, Any]], Answer]] = {
            "new": self._new,
            "load": self._load,
            "save": self._save,
            "state": self._state,
            "legal": self._legal,
            "apply": self._apply,
            "view": self._view,
            "why_not": self._why_not,
            "chance": self._chance,
            "result": self._result,
            "measures": self._measures,
            "quit": lambda request: {"to": "referee"},
        }

    def answer(self, request: dict[str, Any]) -> Answer:
        """The answer to a checked request; raises `Refused`."""
        try:
            return self._do[request["do"]](request)
        except (UsageError, NotFound) as wrong:
            raise ProtocolError("wrong-use", str(wrong), addressee(request)) from None
        except InvalidPosition as wrong:
            raise ProtocolError("bad-position", str(wrong)) from None
        except RulesError as error:
            if all(one.code is PLAYERS for one in error.diagnostics):
                raise ProtocolError("wrong-use", " ".join(one.message for one in error.diagnostics)) from None
            found = [render_concise(one) for one in error.diagnostics][: limits.MAX_ANSWERED_DIAGNOSTICS]
            raise ProtocolError("bad-rules", "these rules cannot be used", complaints=found) from None
        except RuleFault as fault:
            message = f"the rules ask for the impossible: {fault.address}: {fault.message}"
            raise ProtocolError("rule-fault", message) from None
        except TooManyAnswersError:
            raise ProtocolError(
                "too-many", "a choice has more answers than can be listed", addressee(request)
            ) from None

    def _playing(self, request: dict[str, Any]) -> Match:
        if self._match is None:
            raise ProtocolError("no-game", 'no game is under way: begin with {"do": "new"}', addressee(request))
        if isinstance(request.get("seat"), int) and request["seat"] >= self._match.rules.players:
            raise ProtocolError(
                "no-seat",
                f"seat {request['seat']} does not play: seats are 0 to {self._match.rules.players - 1}",
            )
        return self._match

    def resolve_addressee(self, to: int | str) -> int | str:
        """An addressee who is there: the referee in place of a seat that does not play."""
        seats = self._match.rules.players if self._match is not None else 0
        return "referee" if isinstance(to, int) and to >= seats else to

    # ---- beginning and keeping ----------------------------------------------------------------------------

    def _new(self, request: dict[str, Any]) -> Answer:
        if "seed" in request and "chance" in request:
            raise ProtocolError("wrong-value", "chance comes either from a seed or from outside")
        engine = self._engine(request)
        lang = open_game.require_language(engine.rules, request.get("lang", self._lang))
        first = open_game.require_seat(engine.rules, request.get("first_seat", 0))
        seed = None if "chance" in request else request.get("seed", open_game.random_seed())
        state = engine.start(first=first, seed=seed, orders=self._orders(engine, request.get("orders", {})))
        self._begin(engine, state, lang)
        return {"to": "all", **self._head(), **self._now()}

    def _engine(self, request: dict[str, Any]) -> ReferenceEngine:
        """The engine of a new game; shipped rules are read once for all games that are played by them."""
        asked = (request.get("game"), request.get("players"))
        lists = tuple(tuple(request.get(name, ())) for name in ("variants", "tokenwise"))
        if not open_game.is_shipped(asked[0], lists[0]):
            return open_game.load_engine(*asked, *lists)  # its files may have changed since they were read
        if (asked, lists) not in self._engines:
            if len(self._engines) >= limits.MAX_CACHED_ENGINES:
                self._engines.clear()
            self._engines[asked, lists] = open_game.load_engine(*asked, *lists)
        return self._engines[asked, lists]

    def _begin(self, engine: ReferenceEngine, state: State, lang: str) -> None:
        self._match = Match(engine, state)
        self._explainers = {}
        self._lang = lang

    def _orders(self, engine: ReferenceEngine, orders: dict[str, Any]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        notation = Notation(engine.rules)
        for name, given in orders.items():
            zone = engine.rules.zones.get(name)
            shuffled = [one.name for one in engine.rules.zones.values() if one.is_shuffled and not one.is_pool]
            if zone is None or name not in shuffled:
                hint = did_you_mean(name, shuffled).replace("`", "") or f"there are: {', '.join(shuffled) or 'none'}"
                raise ProtocolError("wrong-value", f"orders: {name[:40]!r} is no shuffled zone; {hint}")
            places = {
                tuple(
                    notation.format_value(key, type_) for key, type_ in zip(keys, zone.key_types, strict=True)
                ): zone.first_index + at
                for at, keys in enumerate(product(*zone.key_values))
            }
            for keys, ids in _lists(given):
                if keys not in places:
                    raise ProtocolError(
                        "wrong-value", f"orders: {name} has no place {'.'.join(keys) or '(without keys)'}"
                    )
                assert isinstance(zone.content_type, Thing)
                known = engine.rules.components[zone.content_type.component].ids
                wanted = engine.layout.contents[places[keys]].things
                order = [known.index(one) if one in known else -1 for one in ids]
                if sorted(order) != sorted(wanted):
                    where = ".".join((name, *keys))
                    raise ProtocolError(
                        "wrong-value", f"orders: {where} must name each of its {len(wanted)} things once, top first"
                    )
                found[places[keys]] = order
        return found

    def _load(self, request: dict[str, Any]) -> Answer:
        data, tokenwise = request["position"], request.get("tokenwise", [])
        match = self._match
        if match is not None and match.rules.digest == data.get("rules") and match.engine.tokenwise == set(tokenwise):
            engine, state = match.engine, state_from_data(match.engine, data)  # the same rules need not be read again
        else:
            engine, state = open_game.load_position(
                data, request.get("game"), None, request.get("variants", []), tokenwise
            )
        self._begin(engine, state, open_game.require_language(engine.rules, request.get("lang", self._lang)))
        return {"to": "referee", **self._head(), **self._now()}

    def _save(self, request: dict[str, Any]) -> Answer:
        match = self._playing(request)
        return {"to": "referee", "position": state_to_data(match.engine, match.state)}

    # ---- what all may know --------------------------------------------------------------------------------

    def _head(self) -> Answer:
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

    def _now(self) -> Answer:
        assert self._match is not None
        state = self._match.state
        view = self._match.views
        waiting: Answer | None = None
        if isinstance(state.waiting, Decision):
            waiting = {"for": "decision", "seat": state.waiting.seat, "step": view.step_address(state.waiting)}
        elif state.waiting is not None:
            waiting = {"for": "chance"}
        return {
            "round": state.round,
            "turn": state.turn_count,
            "in_turn": view.turn_seat(state),
            "waiting": waiting,
            "over": state.over,
        }

    def _state(self, request: dict[str, Any]) -> Answer:
        self._playing(request)
        return {"to": "all", **self._head(), **self._now()}

    def _view(self, request: dict[str, Any]) -> Answer:
        match, seat = self._playing(request), request["seat"]
        return {"to": "all" if seat is None else seat, "view": match.views.view(match.state, seat)}

    def _result(self, request: dict[str, Any]) -> Answer:
        match = self._playing(request)
        if not match.state.over:
            return {"to": "all", "over": False, "places": None, "winners": None}
        result = match.engine.result(match.state)
        return {"to": "all", "over": True, "places": list(result.ranks), "winners": list(result.winners)}

    def _measures(self, request: dict[str, Any]) -> Answer:
        match = self._playing(request)
        found = match.engine.measures(match.state)
        return {
            "to": "referee",
            "over": match.state.over,
            "measures": {name: list(one) if isinstance(one, tuple) else one for name, one in found.items()},
        }

    # ---- a seat's affairs ---------------------------------------------------------------------------------

    def _deciding(self, request: dict[str, Any]) -> Match:
        match, seat = self._playing(request), request["seat"]
        if match.seat is None:
            text = "the game is over" if match.state.over else "the game waits for chance"
            raise ProtocolError("wrong-moment", f"{text}, so nobody has to choose", seat)
        if match.seat != seat:
            raise ProtocolError("not-deciding", f"seat {match.seat} has to choose now, not seat {seat}", seat)
        return match

    def _legal(self, request: dict[str, Any]) -> Answer:
        match = self._deciding(request) if "seat" in request else self._playing(request)
        if match.seat is None:
            return {"to": "all", "decides": None, "actions": []}
        form = match.notation.action_to_data if request.get("form") == "data" else match.notation.format_action
        return {"to": match.seat, "decides": match.seat, "actions": [form(action) for action in match.legal()]}

    def _wish(self, match: Match, request: dict[str, Any]) -> Action:
        try:
            return match.notation.action_from_data(request["action"])
        except NotationError as error:
            raise ProtocolError("unreadable-action", str(error), request["seat"]) from None

    def _apply(self, request: dict[str, Any]) -> Answer:
        match = self._deciding(request)
        wish = self._wish(match, request)
        action = match.matching_action(wish)
        if action is None:
            reasons = self._reasons(match, request["seat"], wish, self._lang)
            message = reasons[0]["sentence"] if reasons else "the action is not complete: a choice is left open"
            raise ProtocolError("illegal", message, request["seat"], reasons=reasons)
        done = match.act(action)
        told = done.action_data[-1]
        answer: Answer = {"to": "all", "seat": done.seat, "action": format_action(told), "data": told}
        if done.revealed_choices:
            answer["carried_out"] = [
                {"seat": seat, "action": format_action(one), "data": one} for seat, one in done.revealed_choices
            ]
        return {**answer, **self._now()}

    def _why_not(self, request: dict[str, Any]) -> Answer:
        match = self._playing(request)
        lang = request.get("lang", self._lang)
        if lang not in match.rules.languages:
            known = ", ".join(match.rules.languages)
            raise ProtocolError(
                "wrong-value", f"the game does not speak {lang[:20]!r}; it speaks: {known}", request["seat"]
            )
        reasons = self._reasons(match, request["seat"], self._wish(match, request), lang)
        return {"to": request["seat"], "legal": not reasons, "reasons": reasons}

    def _reasons(self, match: Match, seat: int, wish: Action, lang: str) -> list[Answer]:
        if lang not in self._explainers:
            self._explainers[lang] = Explainer(match.engine, lang)
        return [reason.to_data() for reason in self._explainers[lang].why_not(match.state, seat, wish)]

    # ---- chance from outside ------------------------------------------------------------------------------

    def _chance(self, request: dict[str, Any]) -> Answer:
        match = self._playing(request)
        state = match.state
        for name in request.get("outcomes", []):
            if not isinstance(state.waiting, ChanceEvent):
                raise ProtocolError(
                    "wrong-moment",
                    "the game does not wait for chance"
                    + (" any more; nothing was fed" if state is not match.state else ""),
                )
            known = {self._outcome(match, state.waiting, value): value for value, _ in state.waiting.outcomes}
            if name not in known:
                hint = did_you_mean(name, known).replace("`", "") or f"there are {len(known)}"
                raise ProtocolError("wrong-value", f"{name[:40]!r} is no outcome of this chance; {hint}")
            state = match.engine.resolve_chance(state, known[name])
        match.state = state
        return {"to": "referee", "chance": self._awaited(match, state), **self._now()}

    def _awaited(self, match: Match, state: State) -> Answer | None:
        """What chance has to say, and how likely each outcome is."""
        waiting = state.waiting
        if not isinstance(waiting, ChanceEvent):
            return None
        owners = match.rules.zones if waiting.kind == "draw" else match.rules.states
        name, owner = next(
            (n, one) for n, one in owners.items() if one.first_index <= waiting.target < one.first_index + one.size
        )
        keys = list(product(*owner.key_values))[waiting.target - owner.first_index]
        return {
            "kind": waiting.kind,
            "zone" if waiting.kind == "draw" else "state": name,
            "keys": [match.notation.format_value(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True)],
            "outcomes": [
                {"outcome": self._outcome(match, waiting, value), "weight": weight}
                for value, weight in waiting.outcomes
            ],
        }

    def _outcome(self, match: Match, waiting: ChanceEvent, value: int) -> str:
        if waiting.kind == "roll":
            owner = next(
                one
                for one in match.rules.states.values()
                if one.first_index <= waiting.target < one.first_index + one.size
            )
            return match.notation.format_value(value, owner.type)
        holds = match.engine.layout.visibility.zone_by_place[waiting.target].content_type
        if isinstance(holds, Member):
            return match.notation.bag_member_ids(holds.kind)[value]
        return match.notation.format_value(value, holds)


def _lists(given: Any, keys: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], list[str]]]:
    """The lists in nested objects, each with the keys that lead to it."""
    if isinstance(given, list):
        return [(keys, given)]
    return [found for key, inner in given.items() for found in _lists(inner, (*keys, key))]


__all__ = ["GameServer"]
