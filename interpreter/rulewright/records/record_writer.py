"""Writes a game down while it is played: a line for everything that happens, on the disk before it counts.

In: a game's head, how chance fell, actions. Out: lines at the end of a file. Whatever stops it at any moment, nothing
is missing but the line that was being written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from errno import EEXIST
from itertools import product
from pathlib import Path
from secrets import token_hex
from typing import Any

from rulewright import limits
from rulewright.diagnostics import RulesError
from rulewright.engine.notation import Notation
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, State
from rulewright.expr.types import Flag, Member
from rulewright.model.loader import NotFound
from rulewright.model.rules import StateDef, ZoneDef
from rulewright.records.record_file import InvalidRecord, Record, RecordHead, UndoPolicy
from rulewright.records.rules_snapshot import load_rules_with_snapshot, parameter_values
from rulewright.session.match import ChanceOutcome


class ChanceNotation:
    """The names of places and state variables, by which a record tells how chance fell."""

    def __init__(self, engine: ReferenceEngine) -> None:
        self.notation = Notation(engine.rules)
        self.place_names = [name for one in _ordered(engine.rules.zones) for name in self._keyed(one)]
        self.variable_names = [name for one in _ordered(engine.rules.states) for name in self._keyed(one)]
        self.zone_of = engine.layout.visibility.zone_by_place
        self.state_of = [one for one in _ordered(engine.rules.states) for _ in range(one.size)]

    def _keyed(self, owner: ZoneDef | StateDef) -> list[str]:
        found = []
        for keys in product(*owner.key_values):
            words = [self.notation.format_value(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True)]
            found.append(f"{owner.name}({', '.join(words)})" if words else owner.name)
        return found

    def source_name(self, event: ChanceEvent) -> str:
        """What a chance event draws from or rolls for."""
        return self.place_names[event.target] if event.kind == "draw" else self.variable_names[event.target]

    def outcome_data(self, event: ChanceEvent, value: int) -> Any:
        """One outcome as JSON data."""
        if event.kind == "roll":
            type_ = self.state_of[event.target].type
            return bool(value) if isinstance(type_, Flag) else self.notation.value_to_data(value, type_)
        holds = self.zone_of[event.target].content_type
        return (
            self.notation.bag_member_ids(holds.kind)[value]
            if isinstance(holds, Member)
            else self.notation.value_to_data(value, holds)
        )

    def to_data(self, fallen: Sequence[ChanceOutcome]) -> list[dict[str, Any]]:
        """How chance fell, as JSON data."""
        return [{event.kind: self.source_name(event), "is": self.outcome_data(event, value)} for event, value in fallen]

    def from_data(self, event: ChanceEvent, said: Mapping[str, Any]) -> int | None:
        """The outcome of an event that JSON data speaks of; None when it speaks of another, or of none that can be."""
        if said.get(event.kind) != self.source_name(event):
            return None
        wanted = said["is"]
        for value, _ in event.outcomes:
            one = self.outcome_data(event, value)
            if one == wanted and isinstance(one, bool) == isinstance(wanted, bool):
                return value
        return None


def _ordered(defs: Mapping[str, Any]) -> list[Any]:
    return sorted(defs.values(), key=lambda one: int(one.first_index))


# ---- writing ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class RecordWriter:
    """Writes lines to the end of a record; each is on the disk when the call returns."""

    path: Path
    descriptor: int
    notation: ChanceNotation
    size: int = 0
    is_closed: bool = False

    @classmethod
    def create(
        cls, path: str | Path, engine: ReferenceEngine, head: RecordHead, fell: Sequence[ChanceOutcome]
    ) -> RecordWriter:
        """A new record, with the chance of the set-up. Raises `OSError`: `FileExistsError` when the file is there.

        It has its first lines before it has its name, so that there is no record without a head.
        """
        path, names = Path(path), ChanceNotation(engine)
        if os.path.lexists(path):
            raise FileExistsError(EEXIST, "there is such a file already", str(path))
        lines = [head.to_data()]
        if fell:
            lines.append({"do": "chance", "chance": names.to_data(fell)})
        text = b"".join(map(_line, lines))
        part = path.with_name(f"{path.name}.{token_hex(4)}.part")
        try:
            with part.open("xb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(part, path)  # unlike renaming, never over a file that somebody else has just written
            except FileExistsError:
                raise
            except OSError:
                part.rename(path)
        finally:
            part.unlink(missing_ok=True)
        _settle(path.parent)
        return cls(path, _opened(path), names, len(text))

    @classmethod
    def append_to(cls, record: Record, engine: ReferenceEngine) -> RecordWriter:
        """Goes on with a record; a last line that was cut off is taken away first."""
        path = Path(record.path)
        descriptor = _opened(path)
        try:
            if os.fstat(descriptor).st_size != record.size + record.truncated_bytes:
                raise InvalidRecord(0, "somebody else is writing this record")
            if record.truncated_bytes:
                os.ftruncate(descriptor, record.size)
                os.fsync(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        return cls(path, descriptor, ChanceNotation(engine), record.size)

    def record_action(self, seat: int, action: Action, fell: Sequence[ChanceOutcome]) -> None:
        """Somebody does something, and how chance fell then."""
        line: dict[str, Any] = {"do": "act", "seat": seat, **self.notation.notation.action_to_data(action)}
        if fell:
            line["chance"] = self.notation.to_data(fell)
        self.write_line(line)

    def record_chance(self, fell: Sequence[ChanceOutcome]) -> None:
        """Chance from outside has fallen."""
        self.write_line({"do": "chance", "chance": self.notation.to_data(fell)})

    def write_line(self, data: Mapping[str, Any]) -> None:
        """A line; when it cannot be written whole, nothing of it stays; raises `OSError`."""
        line = _line(data)
        try:
            done = 0
            while done < len(line):
                done += os.write(self.descriptor, line[done:])
            os.fsync(self.descriptor)
        except BaseException:  # an interrupt too: what is not acknowledged must not stand there
            with suppress(OSError):
                os.ftruncate(self.descriptor, self.size)
            raise
        self.size += len(line)

    def close(self) -> None:
        """Nothing more will be written."""
        if not self.is_closed:
            self.is_closed = True
            os.close(self.descriptor)


def _opened(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except BlockingIOError:
        os.close(descriptor)
        raise InvalidRecord(0, "somebody else is writing this record") from None
    except OSError:
        pass  # a file system without locks
    return descriptor


def _settle(folder: Path) -> None:
    """The new name is on the disk too, where that can be asked for."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


# ---- head and end ----------------------------------------------------------------------------------------------------


def make_head(
    engine: ReferenceEngine, data: Mapping[str, Any] | None, seats: Sequence[str], policy: UndoPolicy
) -> RecordHead:
    """The head of a record. `data`: the rules as `read_rules` gives them; None: the shipped ones of that name, which
    must be those that are played.
    """
    rules = engine.rules
    if data is None:
        other = ValueError(f"the rules of {rules.game} that are played are not the shipped ones: give rules_data")
        try:
            again, data = load_rules_with_snapshot(rules.game, players=rules.players, variants=rules.variants)
        except (NotFound, RulesError):
            raise other from None
        if (again.digest, again.text_digest) != (rules.digest, rules.text_digest):
            raise other
    if len(json.dumps(data["root"], indent=1)) > limits.MAX_FILE_BYTES:
        raise ValueError(f"the rules of {rules.game} are too large to stand in a record")
    return RecordHead(
        game=rules.game,
        version=rules.version,
        players=rules.players,
        variants=rules.variants,
        digest=rules.digest,
        text_digest=rules.text_digest,
        rules=data,
        parameters=parameter_values(rules),
        seats=tuple(seats),
        tokenwise=tuple(sorted(engine.tokenwise)),
        undo_policy=policy,
    )


def result_data(engine: ReferenceEngine, state: State) -> dict[str, Any]:
    """What came of a game, as JSON data."""
    result = engine.result(state)
    measures = engine.measures(state)
    return {
        "places": list(result.ranks),
        "winners": list(result.winners),
        "measures": {name: list(one) if isinstance(one, tuple) else one for name, one in measures.items()},
    }


__all__ = ["ChanceNotation", "RecordWriter", "make_head", "result_data"]
