"""A game told as it goes: each action in notation, what its rule says, what changed place, what was rolled and which
variables changed, as a reader may know it.

In: a match and what was done in it. Out: lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright import limits
from rulewright.engine.notation import HIDDEN
from rulewright.engine.reference.legal_actions import DECLINE
from rulewright.engine.state import State
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import Rules, ZoneDef
from rulewright.session.match import Done, Match, written
from rulewright.session.turn_segments import Stretch, stretches
from rulewright.terminal.board import Board
from rulewright.terminal.reasons import side_by_side, wrapped
from rulewright.terminal.state_changes import Changes
from rulewright.terminal.terminal_messages import Words
from rulewright.terminal.zone_contents import amount, flat


def told_line(number: int, seat: int, told: dict[str, Any], words: Words) -> str:
    """An action as one line, in this wording."""
    text = words("in_secret") if told["action"] == HIDDEN else written(told)
    return f"{number:>4}  {words('seat')} {seat}  {text}"


def done_line(number: int, done: Done, viewer: int, words: Words) -> str:
    """An action as one line."""
    return told_line(number, done.seat, done.told[viewer], words)


def together_lines(done: Done, words: Words) -> list[str]:
    """Secret choices that were carried out with this action."""
    return [f"      {words('had_chosen', seat=seat, action=written(data))}" for seat, data in done.together]


class Recorder:
    """Tells the actions of one match to one viewer (number of the seat, or of the spectator)."""

    def __init__(self, board: Board, viewer: int) -> None:
        self.board = board
        self.words = board.words
        self.viewer = viewer
        self.reader = None if viewer == board.rules.players else viewer
        self.changes = Changes(board.engine, board.looks)

    def lines(
        self, number: int, done: Done, before: State, after: State, *, said: bool = True, own: bool = False
    ) -> list[str]:
        """An action with what its rule says, what changed place, what was rolled and which variables changed.

        `own`: to the one who has just chosen it, who knows what was chosen.
        """
        told = self.board.views.notation.to_data(done.action) if own else done.told[self.viewer]
        line = told_line(number, done.seat, told, self.words)
        lines = [*wrapped(line, "", " " * 14), *together_lines(done, self.words)]
        sentence = self._said(done, before) if said else ""
        if sentence:
            lines += wrapped(sentence, " " * 14)
        for stretch in stretches(self.board.engine, before, done, after):
            found = self._happened(stretch)
            if found:
                lines += side_by_side(self._under(stretch, found), " " * 14, "; ")
        return lines

    def _under(self, stretch: Stretch, found: list[str]) -> list[str]:
        """What happened after the action's own turn is told under whose turn it was, or under the round's number."""
        if stretch.own:
            return found
        seat, words = stretch.seat, self.words
        label = words("round", round=stretch.before.round) if seat is None else f"{words('seat')} {seat}"
        return [f"{label}: {found[0]}", *found[1:]]

    def _happened(self, stretch: Stretch) -> list[str]:
        """What changed place, what was rolled and which variables changed, in one turn."""
        zone_of = self.board.engine.layout.sight.zone_of
        found = self.moved(stretch.before, stretch.after)
        if any(event.kind == "draw" and zone_of[event.where].pooled for event, _ in stretch.chance):
            found += self.gained(stretch.before, stretch.after)  # else the action itself says which changed place
        return found + self.changes.lines(stretch.before, stretch.after, stretch.chance)

    def _said(self, done: Done, before: State) -> str:
        if done.action == DECLINE or done.action.token is not None or "?" in written(done.told[self.viewer]):
            return ""  # nothing to say, or something in it is not for this reader
        engine = self.board.engine
        c = engine.context(before, done.seat)
        c.env[: len(done.action.values)] = done.action.values
        address = self.board.rules.actions[done.action.number].address
        return self.board.looks.speaker.say(address, c, self.viewer, self.board.views.hides(before, self.reader))

    def moved(self, before: State, after: State) -> list[str]:
        """Things that the viewer has seen change place, `tile_3 -> row.0`, or has come to know where they lay."""
        was, now = self._places(before), self._places(after)
        lain, lie = self._counts(before), self._counts(after)
        left = {place for thing, place in was.items() if now.get(thing) != place}
        moves = [
            self.words("shown", thing=thing, place=place)
            if thing not in was and lain[place] == lie[place] and place not in left
            else f"{thing} -> {place}"
            for thing, place in now.items()
            if was.get(thing) != place
        ]
        more = (
            [self.words("more", number=len(moves) - limits.MAX_MOVED_THINGS)]
            if len(moves) > limits.MAX_MOVED_THINGS
            else []
        )
        return [*moves[: limits.MAX_MOVED_THINGS], *more]

    def gained(self, before: State, after: State) -> list[str]:
        """Where the viewer sees pieces that were not there before: `row.4 + 2 blue`."""
        found = []
        was, now = (self.board.views.zones(state, self.reader) for state in (before, after))
        for name, zone in self.board.rules.zones.items():
            if not isinstance(zone.holds, Member):
                continue
            for (place, old), (_, new) in zip(_bags(was[name], name, zone), _bags(now[name], name, zone), strict=True):
                more = {member: count - old.get(member, 0) for member, count in new.items()}
                more = {member: count for member, count in more.items() if count > 0}
                if more:
                    found.append(f"{place} + {self.board.looks.bag(more, zone.holds.kind)}")
        return found

    def _counts(self, state: State) -> dict[str, int]:
        """How many things lie in each place, which everybody knows."""
        zones = self.board.views.zones(state, self.reader)
        return {
            ".".join((name, *keys)): amount(content)
            for name, zone in self.board.rules.zones.items()
            if isinstance(zone.holds, Thing)
            for keys, content in flat(zones[name], len(zone.keys))
        }

    def _places(self, state: State) -> dict[str, str]:
        found: dict[str, str] = {}
        zones = self.board.views.zones(state, self.reader)
        for name, zone in self.board.rules.zones.items():
            if isinstance(zone.holds, Thing):
                _walk(zones[name], len(zone.keys), name, found)
        return found


def _walk(content: Any, depth: int, place: str, found: dict[str, str]) -> None:
    if depth:
        for key, inner in content.items():
            _walk(inner, depth - 1, f"{place}.{key}", found)
        return
    things = content.get("known", ()) if isinstance(content, dict) else content
    for thing in [things] if isinstance(things, str) else things or ():
        found[thing] = place


def _bags(content: Any, place: str, zone: ZoneDef, depth: int = 0) -> Iterator[tuple[str, dict[str, int]]]:
    """The places of pieces, each with what is seen in it."""
    if depth < len(zone.keys):
        for key, inner in content.items():
            yield from _bags(inner, f"{place}.{key}", zone, depth + 1)
    else:
        yield place, content["known"] if isinstance(content.get("known"), dict) else content


def ranking_lines(match: Match, board: Board, viewer: int) -> list[str]:
    """What ended a game, and the places with each seat's measures; where nobody has won, there are no places."""
    engine, state, words = match.engine, match.state, board.words
    result, measures = engine.result(state), engine.measures(state)
    lines = [*_end_lines(board, state, viewer), words("ranking" if result.winners else "nobody_won")]
    for seat in sorted(range(engine.rules.players), key=lambda one: (result.places[one], one)):
        said = [
            f"{_called(match.rules, words.code, name)} {values[seat]}"
            for name, values in measures.items()
            if isinstance(values, tuple)
        ]
        won = f"{words('won')}, " if seat in result.winners else ""
        place = f"{result.places[seat]:>3}. " if result.winners else "     "
        lines += wrapped(f"{words('seat')} {seat}: {won}{', '.join(said)}".rstrip(" :,"), place)
    return lines


def _end_lines(board: Board, state: State, viewer: int) -> list[str]:
    """What is said by the step that ended the game."""
    step = state.ended
    if step is None:
        return []
    c = board.engine.context(state, step.seat)
    c.env[: len(step.env)] = step.env
    address = board.rules.blocks[step.block].steps[step.at].address
    reader = None if viewer == board.rules.players else viewer
    said = board.looks.speaker.say(address, c, viewer, board.views.hides(state, reader))
    return [*wrapped(said), ""] if said else []


def _called(rules: Rules, code: str, measure: str) -> str:
    """What a measure is called: its sentence, if that is all words, else its name."""
    language = rules.languages.get(code, rules.languages["en"])
    sentence = language.sentences.get(f"measures.{measure}")
    words = [part for part in sentence.parts if isinstance(part, str)] if sentence is not None else []
    if sentence is None or len(words) < len(sentence.parts):
        return measure.replace("_", " ")
    text = "".join(words).rstrip(".")
    return text[:1].lower() + text[1:]


__all__ = ["Recorder", "done_line", "ranking_lines", "together_lines", "told_line"]
