"""Writes a game down while it is played: a line for everything that happens, on the disk before it counts.

In: a session, or a record to continue; then what happens. Out: lines at the end of a file. Whatever stops the program
at any moment, nothing is missing but the line that was being written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from errno import EEXIST
from pathlib import Path
from secrets import token_hex

from rulewright import limits
from rulewright.atomic_write import name_path
from rulewright.diagnostics import RulesError
from rulewright.engine import position_json
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, State
from rulewright.frozen import mutable, replace
from rulewright.model.locate import NotFound
from rulewright.records.chance_notation import ChanceNotation
from rulewright.records.record_file import InvalidRecord, Record, RecordHead
from rulewright.records.rules_snapshot import RulesSnapshot, SnapshotError, load_rules_with_snapshot, parameter_values
from rulewright.session.match import ChanceOutcome
from rulewright.session.session import Session
from rulewright.session.undo import UndoPolicy


def start_recording(session: Session, path: str | Path, snapshot: RulesSnapshot | None = None) -> None:
    """Writes a session that has just begun to a new file, and from now on everything that happens in it.

    `snapshot`: the rules as `load_rules_with_snapshot` gives them (default: the shipped ones of that name are read once
    more). Raises `OSError` when the file cannot be written, `FileExistsError` when there is one, else as `make_head`.
    """
    engine, start = session.engine, session.start
    assert not session.match.history
    head = replace(
        make_head(engine, snapshot, session.seats, session.policy),
        first=start.first,
        seed=session.seed,
        start_position=None if start.position is None else position_json.state_to_data(engine, start.position),
    )
    session.attach_recorder(RecordWriter.create(path, engine, head, start.chance_outcomes), has_ended=True)


@mutable
class RecordWriter:
    """A `Recorder` that adds lines to the end of a record; each is on the disk when the call returns. `size`: bytes of
    the whole lines.
    """

    engine: Engine
    descriptor: int
    notation: ChanceNotation
    size: int = 0
    is_closed: bool = False

    @classmethod
    def create(
        cls, path: str | Path, engine: Engine, head: RecordHead, outcomes: Sequence[ChanceOutcome]
    ) -> RecordWriter:
        """A new record, with the chance of the set-up. Raises `OSError`; `FileExistsError` when there is such a file.

        It has its first lines before it has its name, so that there is no record without a head.
        """
        path, notation = Path(path), ChanceNotation(engine)
        if os.path.lexists(path):
            raise FileExistsError(EEXIST, "the file already exists", str(path))
        lines: list[Mapping[str, object]] = [head.to_data()]
        if outcomes:
            lines.append({"do": "chance", "chance": notation.to_data(outcomes)})
        content = b"".join(map(_encode_line, lines))
        temporary = path.with_name(f"{path.name}.{token_hex(4)}.part")
        try:
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(temporary, path)  # unlike renaming, never over a file that somebody else has just written
            except FileExistsError:
                raise
            except OSError:
                temporary.rename(path)
        except FileExistsError:
            raise
        except OSError as error:
            raise name_path(error, path) from None
        finally:
            with suppress(OSError):
                temporary.unlink()
        _sync_folder(path.parent)
        return cls(engine, _open_locked(path), notation, len(content))

    @classmethod
    def append_to(cls, record: Record, engine: Engine) -> RecordWriter:
        """Continues a record; a truncated last line is removed first."""
        descriptor = _open_locked(Path(record.path))
        try:
            if os.fstat(descriptor).st_size != record.size + record.truncated_bytes:
                raise InvalidRecord(0, "another process is writing this record")
            if record.truncated_bytes:
                os.ftruncate(descriptor, record.size)
                os.fsync(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        return cls(engine, descriptor, ChanceNotation(engine), record.size)

    def record_action(self, seat: int, action: Action, outcomes: Sequence[ChanceOutcome]) -> None:
        """A line `act`: a seat acts, and how chance fell after it."""
        line: dict[str, object] = {"do": "act", "seat": seat, **self.notation.notation.action_to_data(action)}
        if outcomes:
            line["chance"] = self.notation.to_data(outcomes)
        self._write_line(line)

    def record_chance(self, outcomes: Sequence[ChanceOutcome]) -> None:
        """A line `chance`: chance from outside is resolved."""
        self._write_line({"do": "chance", "chance": self.notation.to_data(outcomes)})

    def record_undo(self, count: int) -> None:
        """A line `undo`: the last `count` actions are undone."""
        self._write_line({"do": "undo", "count": count})

    def record_redo(self, count: int) -> None:
        """A line `redo`: the last `count` undone actions are redone."""
        self._write_line({"do": "redo", "count": count})

    def record_end(self, state: State) -> None:
        """A line `end`: the game is over in this position."""
        self._write_line({"do": "end", **result_data(self.engine, state)})

    def _write_line(self, data: Mapping[str, object]) -> None:
        """Adds a line. When it cannot be written whole, nothing of it remains; raises `OSError`."""
        line = _encode_line(data)
        try:
            written = 0
            while written < len(line):
                written += os.write(self.descriptor, line[written:])
            os.fsync(self.descriptor)
        except BaseException:  # an interrupt too: what is not acknowledged must not remain
            with suppress(OSError):
                os.ftruncate(self.descriptor, self.size)
            raise
        self.size += len(line)

    def close(self) -> None:
        """Closes the file: nothing more will be written."""
        if not self.is_closed:
            self.is_closed = True
            os.close(self.descriptor)


def _open_locked(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except BlockingIOError:
        os.close(descriptor)
        raise InvalidRecord(0, "another process is writing this record") from None
    except OSError:
        pass  # a file system without locks
    return descriptor


def _sync_folder(folder: Path) -> None:
    """Puts the new name on the disk too, where that is possible."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _encode_line(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


# ---- head and end ----------------------------------------------------------------------------------------------------


def make_head(engine: Engine, snapshot: RulesSnapshot | None, seats: Sequence[str], policy: UndoPolicy) -> RecordHead:
    """The head of a record. `snapshot`: the rules as `load_rules_with_snapshot` gives them; None: the shipped ones of
    that name, which must be those of the engine. Raises `ValueError` when they are not, `SnapshotError` when the
    rules are too large for a record.
    """
    rules = engine.rules
    if snapshot is None:
        mismatch = ValueError(f"the engine's rules of {rules.game} are not the shipped ones: pass snapshot")
        try:
            shipped, snapshot = load_rules_with_snapshot(rules.game, players=rules.players, variants=rules.variants)
        except (NotFound, RulesError):
            raise mismatch from None
        if (shipped.digest, shipped.text_digest) != (rules.digest, rules.text_digest):
            raise mismatch
    if len(json.dumps(snapshot["root"], indent=1)) > limits.MAX_FILE_BYTES:
        raise SnapshotError(f"the rules of {rules.game} are too large for a record")
    return RecordHead(
        game=rules.game,
        version=rules.version,
        players=rules.players,
        variants=rules.variants,
        digest=rules.digest,
        text_digest=rules.text_digest,
        rules=snapshot,
        parameters=parameter_values(rules),
        seats=tuple(seats),
        tokenwise=tuple(sorted(engine.tokenwise)),
        undo_policy=policy,
    )


def result_data(engine: Engine, state: State) -> dict[str, object]:
    """The result of a game and its measures, as JSON data."""
    result = engine.result(state)
    measures = engine.measures(state)
    return {
        "places": list(result.ranks),
        "winners": list(result.winners),
        "measures": {name: list(value) if isinstance(value, tuple) else value for name, value in measures.items()},
    }


__all__ = ["RecordWriter", "make_head", "result_data", "start_recording"]
