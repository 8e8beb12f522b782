"""In what several engines disagree about one moment of a game, in words of the rules.

In: for each engine what it says: a position, legal actions, or the error that it ended with. Out: `Difference`s, each
with what differs and what every engine says of it in notation; the first is the one to look at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Final, TypeAlias, TypeVar

from rulewright.engine.notation import Notation
from rulewright.engine.state import Action, ChanceEvent, Decision
from rulewright.engine.values import Content, Pile, RuntimeValue
from rulewright.expr.types import Bag, Member, SetOf
from rulewright.frozen import frozen
from rulewright.lockstep.position_snapshot import PositionSnapshot
from rulewright.model.rules import Rules, StateDef, ZoneDef

NONE_TEXT: Final = "none"
PILE_PARTS: Final = ("on top", "shuffled", "at the bottom")
MISSING: Final = "not there"
PLAIN_FIELDS: Final = (  # of a snapshot: the field, what it is called
    ("rng", "chance generator"),
    ("first_seat", "seat that began"),
    ("round", "round"),
    ("turn_count", "turns begun"),
    ("ending", "game ends with this round"),
    ("extra_turns", "seats with another turn"),
)
T = TypeVar("T")
Texts: TypeAlias = tuple[str, ...]
_ABSENT: Final = object()


@frozen
class Difference:
    """Something in which engines disagree. `values`: what each engine says, in the order of the engines."""

    what: str
    values: tuple[str, ...]


def legal_differences(lists: Sequence[Sequence[Action]], notation: Notation) -> Iterator[Difference]:
    """The first place at which the lists of legal actions differ, and their lengths."""
    first = lists[0]
    if all(other == first for other in lists[1:]):
        return
    longest = max(map(len, lists))
    index = next(i for i in range(longest) if any(other[i : i + 1] != first[i : i + 1] for other in lists[1:]))
    texts = tuple(
        f"{write_action(actions[index], notation) if index < len(actions) else NONE_TEXT} (of {len(actions)})"
        for actions in lists
    )
    yield Difference(f"legal action {index + 1}", texts)


def position_differences(
    positions: Sequence[PositionSnapshot], rules: Rules, notation: Notation | None = None
) -> Iterator[Difference]:
    """All that differs between positions. `notation`: that of people, who count players; by default of programs."""
    if all(position == positions[0] for position in positions[1:]):
        return
    seat_word = "seat" if notation is None else "player"
    notation = notation or Notation(rules)
    yield from _compare("waiting for", [position.waiting for position in positions], lambda w: _waiting(w, rules))
    for zone in rules.zones.values():
        places = range(zone.first_index, zone.first_index + zone.size)
        for name, place in zip(_names(zone, notation, seat_word), places, strict=True):
            contents = [position.contents[place] for position in positions]
            yield from _compare(name, contents, partial(format_content, zone=zone, notation=notation))
    for state in rules.states.values():
        indexes = range(state.first_index, state.first_index + state.size)
        for name, index in zip(_names(state, notation, seat_word), indexes, strict=True):
            values = [position.variables[index] for position in positions]
            yield from _compare(name, values, partial(notation.format_value, type_=state.type))
    for field, what in PLAIN_FIELDS:
        yield from _compare(what, [getattr(position, field) for position in positions], str)
    for field in ("ranks", "winners"):
        yield from _compare(field, [getattr(position.result, field) for position in positions], str)
    for measure in rules.measures:
        measured = [position.measures.get(measure.name) for position in positions]
        yield from _compare(f"measure {measure.name}", measured, str)
    for strategy in (None, *(strategy.name for strategy in rules.strategies)):
        what = "evaluation" if strategy is None else f"strategy {strategy}"
        yield from _compare(what, [position.assessments.get(strategy) for position in positions], str)
    viewers = [*(f"seat {seat}" for seat in range(rules.players)), "a spectator"]
    seen = [position.seen.views for position in positions if position.seen is not None]
    for viewer, name in enumerate(viewers if len(seen) == len(positions) else ()):
        for path, texts in _data_differences([views[viewer] for views in seen], ()):
            yield Difference(f"what {name} sees: {'.'.join(path)}", texts)


def position_texts(position: PositionSnapshot, rules: Rules) -> dict[str, str]:
    """What lies where, the states and the result, by name and in notation."""
    notation = Notation(rules)
    texts = {"ranks": str(position.result.ranks), "winners": str(position.result.winners)}
    for zone in rules.zones.values():
        contents = position.contents[zone.first_index : zone.first_index + zone.size]
        for name, content in zip(_names(zone, notation), contents, strict=True):
            texts[name] = _write_safely(content, partial(format_content, zone=zone, notation=notation))
    for state in rules.states.values():
        values = position.variables[state.first_index : state.first_index + state.size]
        for name, value in zip(_names(state, notation), values, strict=True):
            texts[name] = _write_safely(value, partial(notation.format_value, type_=state.type))
    return texts


def _compare(what: str, values: Sequence[T], write: Callable[[T], str]) -> Iterator[Difference]:
    if any(value != values[0] for value in values[1:]):
        yield Difference(what, tuple(_write_safely(value, write) for value in values))


def _write_safely(value: T, write: Callable[[T], str]) -> str:
    """A value in notation; what an engine should never have can perhaps not be written in it."""
    try:
        return write(value)
    except (LookupError, TypeError, ValueError):
        return repr(value)


def _data_differences(
    values: Sequence[object], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Where JSON data differs, as far down as all of it has the same form."""
    if all(value == values[0] for value in values[1:]):
        return
    if not all(isinstance(value, dict) for value in values):
        yield path, tuple(MISSING if value is _ABSENT else json.dumps(value, ensure_ascii=False) for value in values)
        return
    mappings = [value for value in values if isinstance(value, dict)]
    for key in dict.fromkeys(key for mapping in mappings for key in mapping):
        yield from _data_differences([mapping.get(key, _ABSENT) for mapping in mappings], (*path, str(key)))


def _waiting(waiting: Decision | ChanceEvent | None, rules: Rules) -> str:
    if waiting is None:
        return "nothing: the game is over"
    if isinstance(waiting, ChanceEvent):
        return _event(waiting, rules)
    step = rules.blocks[waiting.block].steps[waiting.step].address
    partial = (
        "" if waiting.partial_action is None else f", after {write_action(waiting.partial_action, Notation(rules))}"
    )
    pieces = f", with {waiting.partial_bag}" if waiting.partial_bag else ""
    return f"seat {waiting.seat} at {step}{partial}{pieces}"


def _event(event: ChanceEvent, rules: Rules) -> str:
    """A chance event: for what it is, and its outcomes with weights other than 1."""
    notation = Notation(rules)
    owners: Iterable[ZoneDef | StateDef] = (rules.zones if event.kind == "draw" else rules.states).values()
    owner = next(owner for owner in owners if owner.first_index <= event.target < owner.first_index + owner.size)
    name = list(_names(owner, notation))[event.target - owner.first_index]
    type_ = owner.content_type if isinstance(owner, ZoneDef) else owner.type
    outcomes = (
        _write_safely(value, partial(notation.format_value, type_=type_)) + (f" ({weight})" if weight != 1 else "")
        for value, weight in event.outcomes
    )
    return f"chance: {event.kind} {name}: {', '.join(outcomes)}"


def _names(owner: ZoneDef | StateDef, notation: Notation, seat_word: str = "seat") -> Iterator[str]:
    """The names of a zone's places or of a state's variables, in order."""
    keys: list[list[str]] = [
        [f"{seat_word} {text}" if type_ == Member("player") else text for text in texts]
        for type_, texts in zip(owner.key_types, _key_texts(owner, notation), strict=True)
    ]
    for combination in product(*keys):
        yield f"{owner.name}({', '.join(combination)})" if combination else owner.name


def _key_texts(owner: ZoneDef | StateDef, notation: Notation) -> Iterable[list[str]]:
    for values, type_ in zip(owner.key_values, owner.key_types, strict=True):
        yield [notation.format_value(value, type_) for value in values]


def format_content(content: Content, zone: ZoneDef, notation: Notation) -> str:
    """What is in a place, in notation."""
    if isinstance(zone.content_type, Member):
        return notation.format_value(_plain(content), Bag(zone.content_type.kind))
    things = SetOf(zone.content_type)
    if not isinstance(content, Pile):
        return notation.format_value(content, things)
    parts = [
        f"{notation.format_value(part, things)} {where}"
        for part, where in zip(content.parts, PILE_PARTS, strict=True)
        if part
    ]
    return "; ".join(parts) or NONE_TEXT


def _plain(content: Content) -> RuntimeValue:
    return content.things if isinstance(content, Pile) else content


def write_action(action: Action, notation: Notation) -> str:
    """An action in notation."""
    return _write_safely(action, notation.format_action)


__all__ = [
    "Difference",
    "format_content",
    "legal_differences",
    "position_differences",
    "position_texts",
    "write_action",
]
