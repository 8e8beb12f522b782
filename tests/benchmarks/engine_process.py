"""An engine that is measured alone in a process of its own: nothing of the others is in its memory or in its way.

In: an `EngineTask`, and the numbers of rounds. Out: for each round a number or several, by name. As a command, which
`EngineProcess` starts: python engine_process.py '{"kind": "play", …}', with a number on each line of its input.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

TESTS: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "interpreter")]


@dataclass(frozen=True, slots=True)
class EngineTask:
    """What one process measures. `kind`: a name in `engine_tasks.TASKS`; `games`: in a round, 0: as many as take
    `seconds` of processor time; `way`: one of several ways to do it, by name; `bot`: of all seats.
    """

    kind: str
    engine: str
    game: str
    players: int
    variants: tuple[str, ...] = ()
    tokenwise: tuple[str, ...] = ()
    games: int = 0
    seconds: float = 1.0
    way: str = ""
    bot: str = ""


class EngineProcessError(Exception):
    """An engine cannot be measured; the text says why."""


class EngineProcess:
    """A process that has made ready what it measures. Raises `EngineProcessError`, as `round` does. `environment`: what
    is different in it.
    """

    def __init__(self, task: EngineTask, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, json.dumps(asdict(task))], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})},
        )  # fmt: skip
        try:
            self._answer()
        except EngineProcessError:
            self.close()
            raise

    def round(self, number: int) -> dict[str, float]:
        """What came of a round."""
        _stream(self._process.stdin).write(f"{number}\n")
        _stream(self._process.stdin).flush()
        return self._answer()

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self) -> dict[str, float]:
        line = _stream(self._process.stdout).readline()
        if not line:
            errors = _stream(self._process.stderr).read().strip().splitlines()
            raise EngineProcessError(errors[-1] if errors else "its process was ended")
        data: dict[str, Any] = json.loads(line)
        if "cannot" in data:
            raise EngineProcessError(str(data["cannot"]))
        return data


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def main(words: Sequence[str]) -> int:
    """Measures what the JSON object in the first argument says, round by round."""
    from benchmarks.engine_tasks import TASKS
    from rulewright.errors import RulewrightError

    data = {name: tuple(value) if isinstance(value, list) else value for name, value in json.loads(words[0]).items()}
    task = EngineTask(**data)
    try:
        measure_round = TASKS[task.kind](task)
        print("{}", flush=True)
        for line in sys.stdin:
            print(json.dumps(measure_round(int(line))), flush=True)
    except RulewrightError as error:
        print(json.dumps({"cannot": " ".join(str(error).split())}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
