"""A game that was written down while it was played: its rules, how chance fell, every choice, line after line.

In: a file of JSON lines. Out: a `Record`: its head and its lines, each with the right keys and sorts of values. Nothing
is believed: a file may come from anybody, may be damaged, may have been cut off in its last line.
schemas/record.schema.json describes the lines. A record is the referee's copy: it holds what is hidden from seats.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from rulewright import limits
from rulewright.engine import chance
from rulewright.errors import RulewrightError

RECORD_VERSION: Final = 1
UNDO_POLICIES: Final = ("fair", "free")
UndoPolicy = Literal["fair", "free"]


class InvalidRecord(RulewrightError):
    """A record that cannot be used. `line`: where, from 1; 0: as a whole. `reason`: why, in one sentence."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}" if line else reason)


@dataclass(frozen=True, slots=True)
class RecordHead:
    """The first line: which rules, who plays, how it began. `start`: a saved position, if it began with one.

    `rules`: the rules themselves, see `composed`. `seed`: None when chance came from outside or with the position.
    """

    game: str
    version: str
    players: int
    variants: tuple[str, ...]
    digest: str
    text_digest: str
    rules: Mapping[str, Any]
    parameters: Mapping[str, Any]
    first: int = 0
    seed: int | None = None
    seats: tuple[str, ...] = ()
    tokenwise: tuple[str, ...] = ()
    undo_policy: UndoPolicy = "fair"
    start_position: Mapping[str, Any] | None = None

    def to_data(self) -> dict[str, Any]:
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


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A line after the first: its number and its JSON data, which has the right keys and sorts of values."""

    number: int
    data: Mapping[str, Any]

    @property
    def do(self) -> str:
        """What happened: chance, act, undo, redo or end."""
        return str(self.data["do"])


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read. `size`: bytes of its whole lines; `cut`: bytes after them, of a line without an end."""

    path: str
    head: RecordHead
    lines: tuple[RecordLine, ...]
    size: int
    truncated_bytes: int


def _whole(value: Any, low: int = 0, high: int = 10**9) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _text(value: Any, most: int = 1000) -> bool:
    return isinstance(value, str) and len(value) <= most


def _texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 1000 and all(map(_text, value))


def _digest(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _fell(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict)
        and set(one) in ({"draw", "is"}, {"roll", "is"})
        and _text(one.get("draw", one.get("roll")))
        and isinstance(one["is"], str | int)
        for one in value
    )


def _numbers(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 100 and all(map(_whole, value))


FieldChecks = Mapping[str, tuple[Any, str]]

HEAD_FIELDS: Final[FieldChecks] = {
    "record": (lambda value: _whole(value) and value == RECORD_VERSION, f"the number {RECORD_VERSION}"),
    "game": (_text, "a name"),
    "version": (_text, "a version"),
    "players": (lambda value: _whole(value, 1, 100), "a number of players"),
    "variants": (_texts, "a list of names"),
    "parameters": (lambda value: isinstance(value, dict), "an object"),
    "seats": (_texts, "a list of names"),
    "first": (lambda value: _whole(value, 0, 100), "a seat"),
    "seed": (
        lambda value: value is None or _whole(value, 0, limits.MAX_SEED),
        f"null or a whole number up to {limits.MAX_SEED}",
    ),
    "generator": (lambda value: value == chance.GENERATOR, f'"{chance.GENERATOR}"'),
    "tokenwise": (_texts, "a list of addresses"),
    "undo": (lambda value: isinstance(value, str) and value in UNDO_POLICIES, f"one of {', '.join(UNDO_POLICIES)}"),
    "digest": (_digest, "64 hexadecimal digits"),
    "text_digest": (_digest, "64 hexadecimal digits"),
    "start": (lambda value: value is None or isinstance(value, dict), "null or a saved position"),
    "rules": (lambda value: isinstance(value, dict), "an object"),
}
COUNT_FIELDS: Final[FieldChecks] = {
    "count": (lambda value: _whole(value, 1, limits.MAX_RECORD_LINES), "a number of actions")
}
LINE_FIELDS: Final[Mapping[str, FieldChecks]] = {
    "chance": {"chance": (_fell, "a list of outcomes")},
    "act": {
        "seat": (lambda value: _whole(value, 0, 100), "a seat"),
        "action": (_text, "the name of an action"),
        "choose": (lambda value: isinstance(value, dict), "an object"),
        "chance": (_fell, "a list of outcomes"),
    },
    "undo": COUNT_FIELDS,
    "redo": COUNT_FIELDS,
    "end": {
        "places": (_numbers, "a list of places"),
        "winners": (_numbers, "a list of seats"),
        "measures": (lambda value: isinstance(value, dict), "an object"),
    },
}
OPTIONAL_FIELDS: Final = frozenset({("act", "chance")})


def read_record(path: str | Path) -> Record:
    """The record in a file. Raises `BadRecord`, or `OSError`."""
    with Path(path).open("rb") as file:
        data = file.read(limits.MAX_RECORD_BYTES + 1)
    if len(data) > limits.MAX_RECORD_BYTES:
        raise InvalidRecord(0, f"it is larger than {limits.MAX_RECORD_BYTES // 1024 // 1024} MiB")
    whole, end, cut = data.rpartition(b"\n")
    if not end:
        raise InvalidRecord(1, "it has no whole first line" if data else "it is empty")
    texts = whole.split(b"\n")
    if len(texts) > limits.MAX_RECORD_LINES:
        raise InvalidRecord(0, f"it has more than {limits.MAX_RECORD_LINES} lines")
    head = _head(_json(texts[0], 1))
    lines = tuple(_checked(_json(text, number), number) for number, text in enumerate(texts[1:], start=2))
    return Record(str(path), head, lines, len(data) - len(cut), len(cut))


def _json(text: bytes, number: int) -> dict[str, Any]:
    if len(text) > limits.MAX_RECORD_LINE_BYTES:
        raise InvalidRecord(number, f"it is longer than {limits.MAX_RECORD_LINE_BYTES // 1024 // 1024} MiB")
    try:
        data = json.loads(text.decode("utf-8"), parse_constant=_no_number, object_pairs_hook=_distinct)
        _shallow(data, limits.MAX_JSON_NESTING)
    except InvalidRecord as wrong:
        raise InvalidRecord(number, wrong.reason) from None
    except UnicodeDecodeError:
        raise InvalidRecord(number, "it is no UTF-8") from None
    except RecursionError:
        raise InvalidRecord(number, "it is nested too deeply") from None
    except ValueError as wrong:
        raise InvalidRecord(number, f"it is no JSON: {str(wrong)[:100]}") from None
    if not isinstance(data, dict):
        raise InvalidRecord(number, "it is no JSON object")
    return data


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InvalidRecord(0, "a key stands twice in one object")
    return found


def _shallow(data: Any, depth: int) -> None:
    if isinstance(data, dict | list):
        if not depth:
            raise InvalidRecord(0, "it is nested too deeply")
        for one in data.values() if isinstance(data, dict) else data:
            _shallow(one, depth - 1)


def _fit(data: Mapping[str, Any], keys: FieldChecks, number: int, what: str, optional: Sequence[str] = ()) -> None:
    for name, (holds, sort) in keys.items():
        if name not in data:
            if name not in optional:
                raise InvalidRecord(number, f"{what} has no {name!r}")
        elif not holds(data[name]):
            raise InvalidRecord(number, f"{name!r} must be {sort}")
    strange = [name for name in data if name not in keys]
    if strange:
        raise InvalidRecord(number, f"{what} has no key {strange[0][:40]!r}")


def _head(data: dict[str, Any]) -> RecordHead:
    if "record" not in data:
        raise InvalidRecord(1, 'this is no record of a game: the first line begins {"record": …}')
    if data["record"] != RECORD_VERSION:
        raise InvalidRecord(
            1, f"it is written in form {str(data['record'])[:20]}, of which this program knows {RECORD_VERSION} only"
        )
    _fit(data, HEAD_FIELDS, 1, "the head of a record")
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


def _checked(data: dict[str, Any], number: int) -> RecordLine:
    do = data.get("do")
    if not isinstance(do, str) or do not in LINE_FIELDS:
        raise InvalidRecord(number, f'a line says what was done: {{"do": …}}, one of {", ".join(LINE_FIELDS)}')
    keys = LINE_FIELDS[do]
    optional = [name for name in keys if (do, name) in OPTIONAL_FIELDS]
    _fit({name: value for name, value in data.items() if name != "do"}, keys, number, f"{do!r}", optional)
    return RecordLine(number, data)


__all__ = ["InvalidRecord", "Record", "RecordHead", "RecordLine", "UndoPolicy", "read_record"]
