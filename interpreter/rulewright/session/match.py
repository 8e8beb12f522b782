"""One game as it goes on: its position, what was done so far, and how each reader may see it.

In: an engine and a first position; then actions. Out: positions, and for every action a `PlayedAction` with its JSON
form for each reader. A thing that a reader neither sees in the course of the action nor can tell after it is written
`?`, whatever the reader knew before; so is any other answer to a choice among what the reader does not see, unless
these pieces go at once to a place that the reader sees, and choices made in secret until all are carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import cache
from typing import Final, TypeAlias

from rulewright.engine import chance
from rulewright.engine.interface import Engine, IllegalAction, NotWaitingError
from rulewright.engine.notation import ActionData, Notation
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.state import DECLINE, STOP_TOKEN, Action, ChanceEvent, Decision, SimultaneousChoice, State
from rulewright.engine.value_notation import EMPTY_TEXT, HIDDEN_TEXT, AnswerData
from rulewright.engine.views import Views
from rulewright.expr.tree import Amount, Local, Place
from rulewright.expr.types import Bag, Member, SetOf, Thing
from rulewright.expr.walk import free_variables
from rulewright.frozen import frozen, replace
from rulewright.model.actions import Choice
from rulewright.model.effects import Move, SetState
from rulewright.model.locale import player_number
from rulewright.model.place_keys import is_plural_key
from rulewright.model.traversal import choice_exprs

SECRET_ACTION: Final[ActionData] = {"action": HIDDEN_TEXT, "choose": {}}

SeenThings: TypeAlias = Callable[[], Sequence[Container[int]]]  # gives for each viewer the things that it saw
ChanceOutcome = tuple[ChanceEvent, int]  # a chance event and its outcome
ChanceSource = Callable[[ChanceEvent], int | None]  # gives the outcome of an event; None: it has none yet


class LegalAction(Action):
    """A legal action that prints as its notation; it equals the plain `Action`."""

    notation: Notation | None = None

    def __str__(self) -> str:
        """The action in notation."""
        return super().__repr__() if self.notation is None else self.notation.format_action(self)

    __repr__ = __str__


@frozen
class PlayedAction:
    """An action as it was chosen. `action_data[viewer]` is its JSON form for each seat and, last, a spectator.

    `revealed_choices`: choices that were made in secret before and are carried out now: seat, and the JSON form for
    all; `revealed_in_full`: the same with nothing hidden, each for its own seat. `chance_outcomes`: how chance fell
    after it, until the next choice; like the action itself not for everybody.
    """

    turn: int
    round: int
    seat: int
    step: str  # address of the step that asked
    action: Action
    action_data: tuple[ActionData, ...]
    revealed_choices: tuple[tuple[int, ActionData], ...] = ()
    chance_outcomes: tuple[ChanceOutcome, ...] = ()
    revealed_in_full: tuple[ActionData, ...] = ()

    def revealed_to(self, viewer: int) -> tuple[tuple[int, ActionData], ...]:
        """`revealed_choices` as a viewer knows them, who knows all of its own choice."""
        return tuple(
            (seat, full if seat == viewer else data)
            for (seat, data), full in zip(self.revealed_choices, self.revealed_in_full, strict=True)
        )

    def __str__(self) -> str:
        """The action as its own seat knows it, in notation."""
        return f"player {player_number(self.seat)}: {format_action(self.action_data[self.seat])}"


def resolve_pending_chance(
    engine: Engine, state: State, rng: int | None, source: ChanceSource | None = None
) -> tuple[State, tuple[ChanceOutcome, ...]]:
    """The position (its generator is `rng` from now on) once no chance event is pending, and how chance fell.

    Outcomes are drawn from `rng`; with a `source` they are the source's, and the generator advances as if it had drawn
    them. Without both the position still waits for chance.
    """
    outcomes: list[ChanceOutcome] = []
    while isinstance(state.waiting, ChanceEvent):
        event, outcome, next_rng = state.waiting, None, rng
        if rng is not None:
            next_rng, outcome = chance.pick_weighted(rng, event.outcomes)
        if source is not None:
            outcome = source(event)
        if outcome is None:
            break
        state, rng = engine.resolve_chance(state, outcome), next_rng
        outcomes.append((event, outcome))
    return replace(state, rng=rng), tuple(outcomes)


def format_action(data: ActionData) -> str:
    """The notation of an action's JSON form."""
    answers = [f"{name}={format_answer(answer)}" for name, answer in data["choose"].items()]
    return f"{data['action']}({', '.join(answers)})" if answers else str(data["action"])


def format_answer(answer: AnswerData) -> str:
    """The notation of an answer's JSON form."""
    if isinstance(answer, dict):
        return " + ".join(f"{count} {name}" for name, count in answer.items()) or EMPTY_TEXT
    if isinstance(answer, list):
        return " + ".join(map(str, answer)) or EMPTY_TEXT
    return str(answer).lower() if isinstance(answer, bool) else str(answer)


class Match:
    """A game in progress. `history` grows by one with every action."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.views = Views(engine)
        self.notation = self.views.notation
        self.state = state
        self.history: list[PlayedAction] = []
        self._renderer = SentenceRenderer(engine.rules, engine.compiler, engine.layout.visibility)
        self._legal: tuple[State, tuple[Action, ...]] | None = None  # of the position they belong to

    @property
    def seat(self) -> int | None:
        """The seat that has to choose, if any."""
        return self.state.waiting.seat if isinstance(self.state.waiting, Decision) else None

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""
        if self._legal is None or self._legal[0] is not self.state:
            self._legal = (self.state, self.engine.legal(self.state))
        return self._legal[1]

    def in_notation(self, action: Action) -> LegalAction:
        """The same action, which prints as its notation."""
        legal_action = LegalAction(*action)
        legal_action.notation = self.notation
        return legal_action

    def matching_action(self, attempt: Action) -> Action | None:
        """The legal action that an attempt means, if any."""
        return self.notation.match_action(attempt, self.legal())

    def act(self, attempt: Action, chance_source: ChanceSource | None = None) -> PlayedAction:
        """Carries out an action of the deciding seat, and the chance events after it, whose outcomes `chance_source`
        may give; raises `IllegalAction` or `NotWaitingError`.
        """
        played, self.state = self.preview(attempt, chance_source)
        self.history.append(played)
        return played

    def preview(self, attempt: Action, chance_source: ChanceSource | None = None) -> tuple[PlayedAction, State]:
        """What `act` would do, and the position after it; the match stays as it is."""
        before = self.state
        decision = before.waiting
        if not isinstance(decision, Decision):
            raise NotWaitingError("nobody has to choose now")
        action = self.matching_action(attempt)
        if action is None:
            raise IllegalAction(attempt)
        after, outcomes = resolve_pending_chance(
            self.engine, self.engine.apply_legal(replace(before, rng=None), action), before.rng, chance_source
        )
        top = before.stack[-1] if before.stack else None
        secret = top if isinstance(top, SimultaneousChoice) else None
        viewers = range(self.rules.players + 1)
        seen = cache(lambda: self.engine.things_seen(before, action))  # asked only where something is hidden
        revealed = [] if secret is None else self._completed_choices(before, after, secret, decision.seat, action)
        played = PlayedAction(
            turn=before.turn_count,
            round=before.round,
            seat=decision.seat,
            step=self.views.step_address(decision),
            action=self.in_notation(action),
            action_data=tuple(
                SECRET_ACTION.copy()
                if secret is not None and viewer != decision.seat
                else self.action_data(before, after, viewer, action, seen=seen)
                for viewer in viewers
            ),
            revealed_choices=tuple(
                (chooser, self.action_data(before, after, viewers[-1], chosen, chooser, seen=seen))
                for chooser, chosen in revealed
            ),
            chance_outcomes=outcomes,
            revealed_in_full=tuple(self.full_action_data(chosen) for _, chosen in revealed),
        )
        return played, after

    def _completed_choices(
        self, before: State, after: State, secret: SimultaneousChoice, seat: int, action: Action
    ) -> list[tuple[int, Action]]:
        """The secret choices that are carried out with this one: seat and action."""
        step = (secret.block, secret.step)
        complete = self.engine.complete_action(before, action)
        if not isinstance(complete, Action):
            return []  # a choice made piece by piece is not complete yet
        if any(
            isinstance(entry, SimultaneousChoice) and (entry.block, entry.step) == step and entry.actions
            for entry in after.stack
        ):
            return []
        return [*secret.actions, (seat, complete)]

    # ---- how each reader sees an action -------------------------------------------------------------------

    def action_data(
        self,
        before: State,
        after: State,
        viewer: int,
        action: Action,
        seat: int | None = None,
        *,
        seen: SeenThings | None = None,
    ) -> ActionData:
        """An action's JSON form for a viewer (a seat, or after the seats the spectator). `seat`: who chose it, if not
        the seat that acts in the position `before`. `seen` gives for each viewer the things that it saw in between.
        """
        components = self.rules.components
        hides = self.views.hidden_test(after, None if viewer == self.rules.players else viewer)

        def is_unknown(component: str, thing: int) -> bool:
            if not hides(component, thing):
                return False
            return seen is None or components[component].first_index + thing not in seen()[viewer]

        data = self.notation.action_to_data(action, is_unknown)
        if action == DECLINE:
            return data
        chooser = seat if seat is not None else before.acting_seat
        if viewer == chooser:
            return data
        hidden: set[int] = set()
        for index, choice in enumerate(self.rules.actions[action.number].choices):
            if choice.name not in data["choose"] and (index >= len(action.values) or choice.condition is None):
                break
            if (
                action.token != STOP_TOKEN
                and self._is_unseen(before, chooser, viewer, choice, action, index, hidden)
                and not (seat is None and action.token is None and self._goes_openly(action.number, index, viewer))
            ):
                data["choose"][choice.name] = HIDDEN_TEXT
            answer = data["choose"].get(choice.name)  # None: left out
            if answer == HIDDEN_TEXT or (isinstance(answer, list) and HIDDEN_TEXT in answer):
                hidden.add(index)
        return data

    def full_action_data(self, action: Action) -> ActionData:
        """An action's JSON form with nothing hidden, for the seat that chooses it and for when the game is over."""
        return self.notation.action_to_data(action)

    def _is_unseen(
        self, state: State, seat: int, viewer: int, choice: Choice, action: Action, index: int, hidden: set[int]
    ) -> bool:
        """Whether an answer that is not a thing was chosen among what the viewer does not see, or among what depends on
        choices that are `hidden` from it, so that it would tell of them. Things need no such care: whoever can tell
        them apart sees where they lie.
        """
        if isinstance(choice.type, Thing) or (
            isinstance(choice.type, SetOf) and isinstance(choice.type.element, Thing)
        ):
            return False
        domain = choice_exprs(choice)
        if any(hidden & free_variables(expr) for expr in domain):
            return True
        context = self.engine.context(state, seat)
        context.env[:index] = action.values[:index]
        return not all(self._renderer.can_read(expr, context, viewer) for expr in domain)

    def _goes_openly(self, number: int, index: int, viewer: int) -> bool:
        """Whether an action moves a chosen piece, or those of a bag, at once, all of them and in any case, to where a
        viewer sees them arrive. Nothing before that may wait for anybody or for chance.
        """
        action, zones = self.rules.actions[number], self.rules.zones
        if not isinstance(action.choices[index].type, Bag | Member):
            return False
        has_refills = any(zone.refill is not None for zone in zones.values())
        for step in self.rules.blocks[action.block].steps:
            match step.effect:
                case SetState():
                    continue
                case Move(amount=Amount(mode="exactly", of=Local(slot=slot)), source=Place() as source, to=to):
                    is_once = step.when is None and step.for_each is None and step.times is None
                    zone, can_see = zones[to.zone], self.engine.layout.visibility.can_see[viewer]
                    is_seen = all(can_see[zone.first_index : zone.first_index + zone.size])
                    if slot == index and is_once and is_seen and not self._names_several(source):
                        return True
                    if has_refills:
                        return False
                case _:
                    return False
        return False

    def _names_several(self, place: Place) -> bool:
        """Whether the keys of a place can name several places, or none."""
        zone = self.rules.zones[place.zone]
        return any(is_plural_key(self.rules, key, zone, index) for index, key in enumerate(place.keys))


__all__ = [
    "ChanceOutcome",
    "ChanceSource",
    "LegalAction",
    "Match",
    "PlayedAction",
    "format_action",
    "format_answer",
    "resolve_pending_chance",
]
