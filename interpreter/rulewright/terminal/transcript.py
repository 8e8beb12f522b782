"""A game as it goes: each action in notation, what its rule says, what changed place, what was rolled and which
variables changed, as a reader may know it.

In: a match and what was done in it. Out: lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright import limits
from rulewright.engine.notation import ActionData
from rulewright.engine.state import DECLINE, State
from rulewright.engine.value_notation import HIDDEN_TEXT
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import Rules
from rulewright.session.match import PlayedAction, format_action
from rulewright.session.turn_segments import TurnSegment, turn_segments
from rulewright.terminal.board import Board
from rulewright.terminal.readable_notation import readable_notation
from rulewright.terminal.reasons import join_parts, wrap
from rulewright.terminal.state_changes import StateChanges
from rulewright.terminal.zone_contents import ZoneContent, count_things, iter_zone_places, known_counts, known_things
from rulewright.wording.messages import Messages

DETAIL_INDENT: Final = len("   1  player 1  ")  # of lines below an action


def action_line(number: int, seat: int, data: ActionData, rules: Rules, messages: Messages) -> str:
    """An action as one line, from its JSON form."""
    text = messages("in_secret") if data["action"] == HIDDEN_TEXT else readable_notation(data, rules, messages)
    return f"{number:>4}  {messages.player(seat)}  {text}"


def viewer_action_line(number: int, played: PlayedAction, viewer: int, rules: Rules, messages: Messages) -> str:
    """An action as one line, as a viewer may know it."""
    return action_line(number, played.seat, played.action_data[viewer], rules, messages)


def revealed_lines(played: PlayedAction, viewer: int, rules: Rules, messages: Messages) -> list[str]:
    """Secret choices that were carried out with this action, as a viewer may know them."""
    return [
        f"      {messages('had_chosen', seat=seat, action=readable_notation(data, rules, messages))}"
        for seat, data in played.revealed_to(viewer)
    ]


class Transcript:
    """The actions of one match for one viewer (number of the seat, or of the spectator)."""

    def __init__(self, board: Board, viewer: int) -> None:
        self.board = board
        self.messages = board.messages
        self.viewer = viewer
        self.reader = None if viewer == board.rules.players else viewer
        self.state_changes = StateChanges(board.engine, board.theme)

    def action_lines(
        self,
        number: int,
        played: PlayedAction,
        before: State,
        after: State,
        *,
        with_sentence: bool = True,
        is_own: bool = False,
    ) -> list[str]:
        """An action with what its rule says, what changed place, what was rolled and which variables changed.

        `is_own`: for the one who has just chosen it, who knows what was chosen.
        """
        data = self.board.views.notation.action_to_data(played.action) if is_own else played.action_data[self.viewer]
        rules = self.board.rules
        line = action_line(number, played.seat, data, rules, self.messages)
        lines = [*wrap(line, "", " " * DETAIL_INDENT), *revealed_lines(played, self.viewer, rules, self.messages)]
        sentence = self._rule_sentence(played, before) if with_sentence else ""
        if sentence:
            lines += wrap(sentence, " " * DETAIL_INDENT)
        for segment in turn_segments(self.board.engine, before, played, after):
            events = self._events(segment)
            if events:
                lines += join_parts(self._label_events(segment, events), " " * DETAIL_INDENT, "; ")
        return lines

    def _label_events(self, segment: TurnSegment, events: list[str]) -> list[str]:
        """What happened after the action's own turn, under the player whose turn it was, or the round's number."""
        if segment.is_own_turn:
            return events
        seat, messages = segment.seat, self.messages
        label = messages("round", round=segment.before.round) if seat is None else messages.player(seat)
        return [f"{label}{messages('colon')} {events[0]}", *events[1:]]

    def _events(self, segment: TurnSegment) -> list[str]:
        """What changed place, what was rolled and which variables changed, in one turn."""
        zone_by_place = self.board.engine.layout.visibility.zone_by_place
        events = self.visible_moves(segment.before, segment.after)
        # pieces that do not come from a draw are named in the action itself
        if any(event.kind == "draw" and zone_by_place[event.target].is_pool for event, _ in segment.chance_outcomes):
            events += self.visible_gains(segment.before, segment.after)
        return events + self.state_changes.lines(segment.before, segment.after, segment.chance_outcomes)

    def _rule_sentence(self, played: PlayedAction, before: State) -> str:
        action = played.action
        if action == DECLINE or action.token is not None or "?" in format_action(played.action_data[self.viewer]):
            return ""  # nothing to say, or something in it is not for this reader
        context = self.board.engine.context(before, played.seat)
        context.env[: len(action.values)] = action.values
        address = self.board.rules.actions[action.number].address
        hides = self.board.views.hidden_test(before, self.reader)
        return self.board.theme.sentences.render_at(address, context, self.viewer, hides)

    def visible_moves(self, before: State, after: State) -> list[str]:
        """Things that the viewer has seen change place, `tile_3 -> row.0`, or has come to know the place of."""
        old_places, new_places = self._place_of_things(before), self._place_of_things(after)
        old_counts, new_counts = (
            {place: count_things(content) for place, content in self._thing_places(state)} for state in (before, after)
        )
        left_places = {place for thing, place in old_places.items() if new_places.get(thing) != place}
        moves = [
            self.messages("shown", thing=thing, place=place)
            if thing not in old_places and old_counts[place] == new_counts[place] and place not in left_places
            else f"{thing} -> {place}"
            for thing, place in new_places.items()
            if old_places.get(thing) != place
        ]
        more = (
            [self.messages("more", number=len(moves) - limits.MAX_MOVED_THINGS)]
            if len(moves) > limits.MAX_MOVED_THINGS
            else []
        )
        return [*moves[: limits.MAX_MOVED_THINGS], *more]

    def visible_gains(self, before: State, after: State) -> list[str]:
        """Where the viewer sees pieces that were not there before: `row.4 + 2 blue`."""
        gains = []
        old_zones, new_zones = (self.board.views.view_zones(state, self.reader) for state in (before, after))
        for name, zone in self.board.rules.zones.items():
            if not isinstance(zone.content_type, Member):
                continue
            depth = len(zone.key_types)
            for (keys, old), (_, new) in zip(
                iter_zone_places(old_zones[name], depth), iter_zone_places(new_zones[name], depth), strict=True
            ):
                old_counts = known_counts(old)
                gained = {
                    member: count - old_counts.get(member, 0)
                    for member, count in known_counts(new).items()
                    if count > old_counts.get(member, 0)
                }
                if gained:
                    place = self.board.theme.place_name(zone, keys)
                    gains.append(f"{place} + {self.board.theme.render_bag(gained, zone.content_type.kind)}")
        return gains

    def _thing_places(self, state: State) -> Iterator[tuple[str, ZoneContent]]:
        """The places of things by their names, each with its content as the viewer sees it."""
        zones = self.board.views.view_zones(state, self.reader)
        for name, zone in self.board.rules.zones.items():
            if isinstance(zone.content_type, Thing):
                for keys, content in iter_zone_places(zones[name], len(zone.key_types)):
                    yield self.board.theme.place_name(zone, keys), content

    def _place_of_things(self, state: State) -> dict[str, str]:
        """Where each thing is that the viewer knows."""
        places: dict[str, str] = {}
        for place, content in self._thing_places(state):
            places.update(dict.fromkeys(known_things(content), place))
        return places


__all__ = [
    "Transcript",
    "action_line",
    "revealed_lines",
    "viewer_action_line",
]
