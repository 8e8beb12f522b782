"""A game told as it goes: each action in notation, what its rule says, what changed place, what was rolled and which
variables changed, as a reader may know it.

In: a match and what was done in it. Out: lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright import limits
from rulewright.engine.notation import HIDDEN_TEXT, ActionData
from rulewright.engine.state import DECLINE, State
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import Rules
from rulewright.session.match import Match, PlayedAction, format_action
from rulewright.session.turn_segments import TurnSegment, turn_segments
from rulewright.terminal.board import Board
from rulewright.terminal.reasons import join_parts, wrap
from rulewright.terminal.state_changes import StateChanges
from rulewright.terminal.zone_contents import ZoneContent, count_things, iter_zone_places, known_counts, known_things
from rulewright.wording.messages import Messages

INDENT: Final = len("   1  player 1  ")  # of what is said below an action


def action_line(number: int, seat: int, data: ActionData, words: Messages) -> str:
    """An action as one line, in this wording."""
    text = words("in_secret") if data["action"] == HIDDEN_TEXT else format_action(data)
    return f"{number:>4}  {words.player(seat)}  {text}"


def viewer_action_line(number: int, done: PlayedAction, viewer: int, words: Messages) -> str:
    """An action as one line."""
    return action_line(number, done.seat, done.action_data[viewer], words)


def revealed_lines(done: PlayedAction, words: Messages) -> list[str]:
    """Secret choices that were carried out with this action."""
    return [
        f"      {words('had_chosen', seat=seat, action=format_action(data))}" for seat, data in done.revealed_choices
    ]


class Transcript:
    """Tells the actions of one match to one viewer (number of the seat, or of the spectator)."""

    def __init__(self, board: Board, viewer: int) -> None:
        self.board = board
        self.messages = board.messages
        self.viewer = viewer
        self.reader = None if viewer == board.rules.players else viewer
        self.state_changes = StateChanges(board.engine, board.theme)

    def action_lines(
        self,
        number: int,
        done: PlayedAction,
        before: State,
        after: State,
        *,
        with_sentence: bool = True,
        is_own: bool = False,
    ) -> list[str]:
        """An action with what its rule says, what changed place, what was rolled and which variables changed.

        `own`: to the one who has just chosen it, who knows what was chosen.
        """
        shown = self.board.views.notation.action_to_data(done.action) if is_own else done.action_data[self.viewer]
        line = action_line(number, done.seat, shown, self.messages)
        lines = [*wrap(line, "", " " * INDENT), *revealed_lines(done, self.messages)]
        sentence = self._rule_sentence(done, before) if with_sentence else ""
        if sentence:
            lines += wrap(sentence, " " * INDENT)
        for stretch in turn_segments(self.board.engine, before, done, after):
            found = self._happened(stretch)
            if found:
                lines += join_parts(self._under(stretch, found), " " * INDENT, "; ")
        return lines

    def _under(self, stretch: TurnSegment, found: list[str]) -> list[str]:
        """What happened after the action's own turn is told under whose turn it was, or under the round's number."""
        if stretch.is_own_turn:
            return found
        seat, words = stretch.seat, self.messages
        label = words("round", round=stretch.before.round) if seat is None else words.player(seat)
        return [f"{label}: {found[0]}", *found[1:]]

    def _happened(self, stretch: TurnSegment) -> list[str]:
        """What changed place, what was rolled and which variables changed, in one turn."""
        zone_of = self.board.engine.layout.visibility.zone_by_place
        found = self.visible_moves(stretch.before, stretch.after)
        if any(event.kind == "draw" and zone_of[event.target].is_pool for event, _ in stretch.chance_outcomes):
            found += self.visible_gains(
                stretch.before, stretch.after
            )  # else the action itself says which changed place
        return found + self.state_changes.lines(stretch.before, stretch.after, stretch.chance_outcomes)

    def _rule_sentence(self, done: PlayedAction, before: State) -> str:
        if (
            done.action == DECLINE
            or done.action.token is not None
            or "?" in format_action(done.action_data[self.viewer])
        ):
            return ""  # nothing to say, or something in it is not for this reader
        engine = self.board.engine
        c = engine.context(before, done.seat)
        c.env[: len(done.action.values)] = done.action.values
        address = self.board.rules.actions[done.action.number].address
        return self.board.theme.sentences.render_at(
            address, c, self.viewer, self.board.views.hidden_test(before, self.reader)
        )

    def visible_moves(self, before: State, after: State) -> list[str]:
        """Things that the viewer has seen change place, `tile_3 -> row.0`, or has come to know where they lay."""
        was, now = self._place_of_things(before), self._place_of_things(after)
        old_counts, new_counts = (
            {place: count_things(content) for place, content in self._thing_places(state)} for state in (before, after)
        )
        left = {place for thing, place in was.items() if now.get(thing) != place}
        moves = [
            self.messages("shown", thing=thing, place=place)
            if thing not in was and old_counts[place] == new_counts[place] and place not in left
            else f"{thing} -> {place}"
            for thing, place in now.items()
            if was.get(thing) != place
        ]
        more = (
            [self.messages("more", number=len(moves) - limits.MAX_MOVED_THINGS)]
            if len(moves) > limits.MAX_MOVED_THINGS
            else []
        )
        return [*moves[: limits.MAX_MOVED_THINGS], *more]

    def visible_gains(self, before: State, after: State) -> list[str]:
        """Where the viewer sees pieces that were not there before: `row.4 + 2 blue`."""
        found = []
        was, now = (self.board.views.view_zones(state, self.reader) for state in (before, after))
        for name, zone in self.board.rules.zones.items():
            if not isinstance(zone.content_type, Member):
                continue
            depth = len(zone.key_types)
            for (keys, old), (_, new) in zip(
                iter_zone_places(was[name], depth), iter_zone_places(now[name], depth), strict=True
            ):
                place, seen = self.board.theme.place_name(zone, keys), known_counts(old)
                more = {member: count - seen.get(member, 0) for member, count in known_counts(new).items()}
                more = {member: count for member, count in more.items() if count > 0}
                if more:
                    found.append(f"{place} + {self.board.theme.render_bag(more, zone.content_type.kind)}")
        return found

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


def ranking_lines(match: Match, board: Board, viewer: int) -> list[str]:
    """What ended a game, and the places with each seat's measures; where nobody has won, there are no places."""
    engine, state, words = match.engine, match.state, board.messages
    result, measures = engine.result(state), engine.measures(state)
    lines = [*_end_lines(board, state, viewer), words("ranking" if result.winners else "nobody_won")]
    for seat in sorted(range(engine.rules.players), key=lambda one: (result.ranks[one], one)):
        rendered = [
            f"{_called(match.rules, words.locale, name)} {values[seat]}"
            for name, values in measures.items()
            if isinstance(values, tuple)
        ]
        won = f"{words('won')}, " if seat in result.winners else ""
        place = f"{result.ranks[seat]:>3}. " if result.winners else "     "
        lines += wrap(f"{words.player(seat)}: {won}{', '.join(rendered)}".rstrip(" :,"), place)
    return lines


def _end_lines(board: Board, state: State, viewer: int) -> list[str]:
    """What is said by the step that ended the game."""
    step = state.end_frame
    if step is None:
        return []
    c = board.engine.context(state, step.seat)
    c.env[: len(step.env)] = step.env
    address = board.rules.blocks[step.block].steps[step.step].address
    reader = None if viewer == board.rules.players else viewer
    rendered = board.theme.sentences.render_at(address, c, viewer, board.views.hidden_test(state, reader))
    return [*wrap(rendered), ""] if rendered else []


def _called(rules: Rules, code: str, measure: str) -> str:
    """What a measure is called: its sentence, if that is all words, else its name."""
    language = rules.languages.get(code, rules.languages["en"])
    sentence = language.sentences.get(f"measures.{measure}")
    words = [part for part in sentence.parts if isinstance(part, str)] if sentence is not None else []
    if sentence is None or len(words) < len(sentence.parts):
        return measure.replace("_", " ")
    text = "".join(words).rstrip(".")
    return text[:1].lower() + text[1:]


__all__ = ["Transcript", "action_line", "ranking_lines", "revealed_lines", "viewer_action_line"]
