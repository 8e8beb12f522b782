"""One game as it goes on: where it stands, what was done so far, and how each reader may be told of it.

In: an engine and a first position; then actions. Out: positions, and for every action a `Done` with its wording for
each reader. A thing that a reader cannot tell after the action is written `?`, whatever the reader knew before; so is
any other answer to a choice among what the reader does not see, and choices made in secret until all are carried out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from rulewright.engine import chance
from rulewright.engine.notation import HIDDEN_TEXT, HiddenTest
from rulewright.engine.reference.legal_actions import DECLINE, STOP_TOKEN
from rulewright.engine.reference.reference_engine import IllegalAction, NotWaitingError, ReferenceEngine
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.state import Action, ChanceEvent, Decision, SimultaneousChoice, State
from rulewright.engine.views import Views
from rulewright.expr.types import SetOf, Thing
from rulewright.model.rules import Choice
from rulewright.model.traversal import domain_exprs, free_variables

SECRET_ACTION: Final[dict[str, Any]] = {"action": HIDDEN_TEXT, "choose": {}}

ChanceOutcome = tuple[ChanceEvent, int]  # a chance event and its outcome
ChanceSource = Callable[[ChanceEvent], int | None]  # says how chance falls; None: it does not say now


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """An action as it was chosen. `told[viewer]` is its JSON form for each seat and, last, a spectator.

    `together`: choices that were made in secret before and are carried out now: seat, and the wording for all.
    `chance`: how chance fell after it, until the next choice; like the action itself it is not for everybody.
    """

    turn: int
    round: int
    seat: int
    step: str  # address of the step that asked
    action: Action
    action_data: tuple[dict[str, Any], ...]
    revealed_choices: tuple[tuple[int, dict[str, Any]], ...] = ()
    chance_outcomes: tuple[ChanceOutcome, ...] = ()


def resolve_pending_chance(
    engine: ReferenceEngine, state: State, rng: int | None, source: ChanceSource | None = None
) -> tuple[State, tuple[ChanceOutcome, ...]]:
    """The position (its own generator taken out) once chance has spoken, and what it said.

    Chance is the generator's at `rng`; with `dice` it is theirs, and the generator goes on as if it had spoken. Without
    both the position still waits for chance.
    """
    found: list[ChanceOutcome] = []
    while isinstance(state.waiting, ChanceEvent):
        event, value, after = state.waiting, None, rng
        if rng is not None:
            after, value = chance.pick_weighted(rng, event.outcomes)
        if source is not None:
            value = source(event)
        if value is None:
            break
        state, rng = engine.resolve_chance(state, value), after
        found.append((event, value))
    return replace(state, rng=rng), tuple(found)


def format_action(data: dict[str, Any]) -> str:
    """The notation of an action's JSON form."""
    parts = [f"{name}={_written_value(value)}" for name, value in data["choose"].items()]
    return f"{data['action']}({', '.join(parts)})" if parts else str(data["action"])


def _written_value(value: Any) -> str:
    if isinstance(value, dict):
        return " + ".join(f"{count} {name}" for name, count in value.items()) or "nothing"
    if isinstance(value, list):
        return " + ".join(map(str, value)) or "nothing"
    return str(value).lower() if isinstance(value, bool) else str(value)


class Match:
    """A game under way. `history` grows by one with every action."""

    def __init__(self, engine: ReferenceEngine, state: State) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.views = Views(engine)
        self.notation = self.views.notation
        self.state = state
        self.history: list[PlayedAction] = []
        self._speaker = SentenceRenderer(engine.rules, engine.compiler, engine.layout.visibility)
        self._legal: tuple[State, tuple[Action, ...]] | None = None

    @property
    def seat(self) -> int | None:
        """The seat that has to choose, if any."""
        return self.state.waiting.seat if isinstance(self.state.waiting, Decision) else None

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""
        if self._legal is None or self._legal[0] is not self.state:
            self._legal = (self.state, self.engine.legal(self.state))
        return self._legal[1]

    def matching_action(self, wish: Action) -> Action | None:
        """The legal action that a wish means, if any."""
        return self.notation.match_action(wish, self.legal())

    def act(self, attempt: Action, chance_source: ChanceSource | None = None) -> PlayedAction:
        """Carries out an action of the deciding seat, and the chance that comes of it, which `dice` may tell; raises
        `IllegalAction` or `WrongMoment`.
        """
        done, self.state = self.preview(attempt, chance_source)
        self.history.append(done)
        return done

    def preview(self, wish: Action, dice: ChanceSource | None = None) -> tuple[PlayedAction, State]:
        """What `act` would do, and the position after it; nothing is kept."""
        before = self.state
        decision = before.waiting
        if not isinstance(decision, Decision):
            raise NotWaitingError("nobody has to choose now")
        action = self.matching_action(wish)
        if action is None:
            raise IllegalAction(wish, "this action is not legal now")
        after, fell = resolve_pending_chance(
            self.engine, self.engine.apply_legal(replace(before, rng=None), action), before.rng, dice
        )
        top = before.stack[-1] if before.stack else None
        together = top if isinstance(top, SimultaneousChoice) else None
        done = PlayedAction(
            turn=before.turn_count,
            round=before.round,
            seat=decision.seat,
            step=self.views.step_address(decision),
            action=action,
            action_data=tuple(
                dict(SECRET_ACTION)
                if together is not None and viewer != decision.seat
                else self.action_data(before, after, viewer, action)
                for viewer in range(self.rules.players + 1)
            ),
            revealed_choices=()
            if together is None
            else self._carried_out(before, after, together, decision.seat, action),
            chance_outcomes=fell,
        )
        return done, after

    def _carried_out(
        self, before: State, after: State, together: SimultaneousChoice, seat: int, action: Action
    ) -> tuple[tuple[int, dict[str, Any]], ...]:
        """The secret choices that this one completed, as a spectator may know them."""
        asked = (together.block, together.step)
        whole = self.engine.complete_action(before, action)
        if not isinstance(whole, Action):
            return ()  # a choice made piece by piece is not complete yet
        if any(
            isinstance(one, SimultaneousChoice) and (one.block, one.step) == asked and one.actions
            for one in after.stack
        ):
            return ()
        spectator = self.rules.players
        return tuple(
            (chooser, self.action_data(before, after, spectator, chosen, chooser))
            for chooser, chosen in (*together.actions, (seat, whole))
        )

    # ---- how it is told -----------------------------------------------------------------------------------

    def action_data(
        self, before: State, after: State, viewer: int, action: Action, seat: int | None = None
    ) -> dict[str, Any]:
        """An action's JSON form for a viewer (a seat, or after the seats the spectator)."""
        told = self.notation.action_to_data(
            action, self.views.hidden_test(after, None if viewer == self.rules.players else viewer)
        )
        if action == DECLINE:
            return told
        chooser = seat if seat is not None else self.engine.acting_seat(before)
        if viewer == chooser:
            return told
        hidden: set[int] = set()
        for at, choice in enumerate(self.rules.actions[action.number].choices):
            if choice.name not in told["choose"]:
                break
            if action.token != STOP_TOKEN and self._unseen(before, chooser, viewer, choice, action, at, hidden):
                told["choose"][choice.name] = HIDDEN_TEXT
            value = told["choose"][choice.name]
            if value == HIDDEN_TEXT or (isinstance(value, list) and HIDDEN_TEXT in value):
                hidden.add(at)
        return told

    def full_action_data(self, action: Action) -> dict[str, Any]:
        """An action's JSON form with nothing hidden, for the one who chooses it and for when all is over."""
        return self.notation.action_to_data(action)

    def _unseen(
        self, state: State, seat: int, viewer: int, choice: Choice, action: Action, at: int, hidden: set[int]
    ) -> bool:
        """Whether an answer that is no thing was chosen among what the viewer does not see, or among what hangs on
        choices that are `hidden` from it, so that it would tell of them. Things need no such care: who may tell them
        apart sees where they lie.
        """
        if isinstance(choice.type, Thing) or (
            isinstance(choice.type, SetOf) and isinstance(choice.type.element, Thing)
        ):
            return False
        domain = domain_exprs(choice.domain)
        if any(hidden & free_variables(expr) for expr in domain):
            return True
        c = self.engine.context(state, seat)
        c.env[:at] = action.values[:at]
        return not all(self._speaker.can_read(expr, c, viewer) for expr in domain)

    def hides(self, viewer: int | None) -> HiddenTest:
        """Which things a reader cannot tell now."""
        return self.views.hidden_test(self.state, viewer)


__all__ = ["ChanceOutcome", "ChanceSource", "Match", "PlayedAction", "format_action", "resolve_pending_chance"]
