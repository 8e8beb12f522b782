"""A game that was written down while it was played: its rules, how chance fell, every choice, line after line.

In: a file of JSON lines. Out: a `Record`: its head and its lines, each with the right keys and types of values. Nothing
is believed: a file may come from anybody, may be damaged, may have been cut off in its last line.
schemas/record.schema.json describes the lines. A record is the referee's copy: it holds what is hidden from seats.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.value_notation import AnswerData
from rulewright.errors import RulewrightError, json_error_reason, quote
from rulewright.frozen import frozen
from rulewright.json_values import DuplicateKeyError, distinct_keys, is_integer, refuse_constant
from rulewright.records.chance_notation import OutcomeData
from rulewright.session.undo import UNDO_POLICIES, UndoPolicy
from rulewright.source.file_text import read_once
from rulewright.suggestions import did_you_mean

RECORD_VERSION: Final = 1


class InvalidRecord(RulewrightError):
    """A record that cannot be used. `line`: where, from 1; 0: as a whole. `reason`: why, in one sentence."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}" if line else reason)


@frozen
class RecordHead:
    """The first line: which rules, who plays, how it began. `start_position`: a saved position, if it began with one.

    `rules`: the rules themselves, see `rules_snapshot`. `seed`: None when chance came from outside or with the
    position.
    """

    game: str
    version: str
    players: int
    variants: tuple[str, ...]
    digest: str
    text_digest: str
    rules: Mapping[str, object]
    parameters: Mapping[str, object]
    first: int = 0
    seed: int | None = None
    seats: tuple[str, ...] = ()
    tokenwise: tuple[str, ...] = ()
    undo_policy: UndoPolicy = "fair"
    start_position: Mapping[str, object] | None = None

    def to_data(self) -> dict[str, object]:
        """The head as JSON data."""
        return {
            "record": RECORD_VERSION,
            "game": self.game,
            "version": self.version,
            "players": self.players,
            "variants": list(self.variants),
            "parameters": dict(self.parameters),
            "seats": list(self.seats),
            "first": self.first,
            "seed": self.seed,
            "generator": chance.GENERATOR,
            "tokenwise": list(self.tokenwise),
            "undo": self.undo_policy,
            "digest": self.digest,
            "text_digest": self.text_digest,
            "start": self.start_position,
            "rules": self.rules,
        }


@frozen
class ActLine:
    """A seat acts: the name of the action, its answers (not yet held against any rules), how chance fell after it."""

    number: int
    seat: int
    action: str
    choose: dict[str, AnswerData]
    chance: tuple[OutcomeData, ...] = ()


@frozen
class ChanceLine:
    """Chance is resolved without an action: during the set-up, or from outside."""

    number: int
    chance: tuple[OutcomeData, ...]


@frozen
class UndoLine:
    """The last `count` actions are undone."""

    number: int
    count: int


@frozen
class RedoLine:
    """The last `count` undone actions are redone."""

    number: int
    count: int


@frozen
class EndLine:
    """The game is over. `result`: its places, winners and measures."""

    number: int
    result: Mapping[str, object]


RecordLine = ActLine | ChanceLine | UndoLine | RedoLine | EndLine  # `number`: of the line, the head being line 1


@frozen
class Record:
    """A record that was read. `size`: bytes of its whole lines; `truncated_bytes`: bytes after them, of a line without
    an end.
    """

    path: str
    head: RecordHead
    lines: tuple[RecordLine, ...]
    size: int
    truncated_bytes: int


# ---- the fields of each line ------------------------------------------------------------------------------------


def _is_int(value: object, low: int = 0, high: int = limits.MAX_RECORD_NUMBER) -> bool:
    return is_integer(value) and low <= value <= high


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= limits.MAX_RECORD_TEXT


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and len(value) <= limits.MAX_RECORD_NAMES and all(map(_is_text, value))


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_outcome_list(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(outcome, dict)
        and set(outcome) in ({"draw", "is"}, {"roll", "is"})
        and _is_text(outcome.get("draw", outcome.get("roll")))
        and isinstance(outcome["is"], str | int)
        for outcome in value
    )


def _is_int_list(value: object) -> bool:
    return isinstance(value, list) and len(value) <= limits.MAX_RECORD_PLACES and all(map(_is_int, value))


FieldChecks = Mapping[str, tuple[Callable[[object], bool], str]]  # by field: its check, and what is expected

HEAD_FIELDS: Final[FieldChecks] = {
    "record": (lambda value: _is_int(value) and value == RECORD_VERSION, f"the number {RECORD_VERSION}"),
    "game": (_is_text, "a name"),
    "version": (_is_text, "a version"),
    "players": (lambda value: _is_int(value, 1, limits.MAX_RECORD_PLAYERS), "a number of players"),
    "variants": (_is_text_list, "a list of names"),
    "parameters": (_is_object, "an object"),
    "seats": (_is_text_list, "a list of names"),
    "first": (lambda value: _is_int(value, 0, limits.MAX_RECORD_PLAYERS), "a seat"),
    "seed": (
        lambda value: value is None or _is_int(value, 0, limits.MAX_SEED),
        f"null or a whole number up to {limits.MAX_SEED}",
    ),
    "generator": (lambda value: value == chance.GENERATOR, f'"{chance.GENERATOR}"'),
    "tokenwise": (_is_text_list, "a list of addresses"),
    "undo": (lambda value: isinstance(value, str) and value in UNDO_POLICIES, f"one of {', '.join(UNDO_POLICIES)}"),
    "digest": (_is_digest, "64 hexadecimal digits"),
    "text_digest": (_is_digest, "64 hexadecimal digits"),
    "start": (lambda value: value is None or isinstance(value, dict), "null or a saved position"),
    "rules": (_is_object, "an object"),
}
COUNT_FIELDS: Final[FieldChecks] = {
    "count": (lambda value: _is_int(value, 1, limits.MAX_RECORD_LINES), "a number of actions")
}
LINE_FIELDS: Final[Mapping[str, FieldChecks]] = {
    "chance": {"chance": (_is_outcome_list, "a list of outcomes")},
    "act": {
        "seat": (lambda value: _is_int(value, 0, limits.MAX_RECORD_PLAYERS), "a seat"),
        "action": (_is_text, "the name of an action"),
        "choose": (_is_object, "an object"),
        "chance": (_is_outcome_list, "a list of outcomes"),
    },
    "undo": COUNT_FIELDS,
    "redo": COUNT_FIELDS,
    "end": {
        "places": (_is_int_list, "a list of places"),
        "winners": (_is_int_list, "a list of seats"),
        "measures": (_is_object, "an object"),
    },
}
OPTIONAL_FIELDS: Final = frozenset({("act", "chance")})


# ---- reading ----------------------------------------------------------------------------------------------------


def read_record(path: str | Path) -> Record:
    """The record in a file. Raises `InvalidRecord`, or `OSError`."""
    data = read_once(Path(path), limits.MAX_RECORD_BYTES + 1)
    if len(data) > limits.MAX_RECORD_BYTES:
        raise InvalidRecord(0, f"the record is over the limit of {limits.MAX_RECORD_BYTES // 1024 // 1024} MiB")
    complete, newline, rest = data.rpartition(b"\n")
    if not newline:
        raise InvalidRecord(1, "the line is cut off" if data else "the file is empty")
    texts = complete.split(b"\n")
    if len(texts) > limits.MAX_RECORD_LINES:
        raise InvalidRecord(0, f"the record is over the limit of {limits.MAX_RECORD_LINES:,} lines")
    head = _parse_head(_parse_json(texts[0], 1))
    lines = tuple(_parse_line(_parse_json(text, number), number) for number, text in enumerate(texts[1:], start=2))
    return Record(str(path), head, lines, len(data) - len(rest), len(rest))


def _parse_json(text: bytes, number: int) -> dict[str, Any]:
    """One line; the values are of any type until they are checked."""
    if len(text) > limits.MAX_RECORD_LINE_BYTES:
        raise InvalidRecord(number, f"the line is over the limit of {limits.MAX_RECORD_LINE_BYTES // 1024 // 1024} MiB")
    try:
        data = json.loads(text.decode("utf-8"), parse_constant=refuse_constant, object_pairs_hook=distinct_keys)
        _check_nesting(data, limits.MAX_JSON_NESTING)
    except InvalidRecord as error:
        raise InvalidRecord(number, error.reason) from None
    except DuplicateKeyError:
        raise InvalidRecord(number, "an object has the same key twice") from None
    except (ValueError, RecursionError) as error:
        reason = json_error_reason(error)[: limits.MAX_QUOTED_JSON_ERROR]
        raise InvalidRecord(number, f"not valid JSON: {reason}") from None
    if not isinstance(data, dict):
        raise InvalidRecord(number, "not a JSON object")
    return data


def _check_nesting(data: object, depth: int) -> None:
    if isinstance(data, dict | list):
        if not depth:
            raise InvalidRecord(0, "nested too deeply")
        for child in data.values() if isinstance(data, dict) else data:
            _check_nesting(child, depth - 1)


def _check_fields(
    data: Mapping[str, object], fields: FieldChecks, number: int, owner: str, optional: Sequence[str] = ()
) -> None:
    for name, (is_valid, expected) in fields.items():
        if name not in data:
            if name not in optional:
                raise InvalidRecord(number, f"{owner} has no {quote(name)}")
        elif not is_valid(data[name]):
            raise InvalidRecord(number, f"{quote(name)} must be {expected}")
    unknown = [name for name in data if name not in fields]
    if unknown:
        raise InvalidRecord(number, f"unknown key {quote(unknown[0][: limits.MAX_QUOTED_KEY])} in {owner}")


def _parse_head(data: dict[str, Any]) -> RecordHead:
    if "record" not in data:
        raise InvalidRecord(1, 'not a record of a game: the first line must begin with {"record": …}')
    if data["record"] != RECORD_VERSION:
        version = str(data["record"])[: limits.MAX_QUOTED_VERSION]
        raise InvalidRecord(1, f"unknown record version {version}: this program reads version {RECORD_VERSION}")
    _check_fields(data, HEAD_FIELDS, 1, "the head of the record")
    return RecordHead(
        game=data["game"],
        version=data["version"],
        players=data["players"],
        variants=tuple(data["variants"]),
        digest=data["digest"],
        text_digest=data["text_digest"],
        rules=data["rules"],
        parameters=data["parameters"],
        first=data["first"],
        seed=data["seed"],
        seats=tuple(data["seats"]),
        tokenwise=tuple(data["tokenwise"]),
        undo_policy=data["undo"],
        start_position=data["start"],
    )


def _parse_line(data: dict[str, Any], number: int) -> RecordLine:
    do = data.pop("do", None)
    if not isinstance(do, str) or do not in LINE_FIELDS:
        quoted = f"unknown `{do[: limits.MAX_QUOTED_KEY]}`" if isinstance(do, str) else 'missing "do"'
        nearest = did_you_mean(do, LINE_FIELDS) if isinstance(do, str) else ""
        hint = f" ({nearest})" if nearest else f": a line does one of {', '.join(LINE_FIELDS)}"
        raise InvalidRecord(number, f"{quoted}{hint}")
    fields = LINE_FIELDS[do]
    optional = [name for name in fields if (do, name) in OPTIONAL_FIELDS]
    _check_fields(data, fields, number, f"{quote(do)}", optional)
    match do:
        case "act":
            outcomes = tuple(data.get("chance", ()))
            return ActLine(number, data["seat"], data["action"], data["choose"], outcomes)
        case "chance":
            return ChanceLine(number, tuple(data["chance"]))
        case "undo":
            return UndoLine(number, data["count"])
        case "redo":
            return RedoLine(number, data["count"])
        case "end":
            return EndLine(number, data)
        case _:
            raise AssertionError(do)


__all__ = [
    "ActLine",
    "ChanceLine",
    "EndLine",
    "InvalidRecord",
    "Record",
    "RecordHead",
    "RecordLine",
    "RedoLine",
    "UndoLine",
    "read_record",
]
