"""The line protocol gives the same answers, byte by byte, whichever engine lists and carries out actions."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from positions import Table, all_tables, piecewise_choices, rules
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE, EngineName
from rulewright.protocol.request_handler import RequestHandler
from rulewright.protocol.transport import answer_line
from test_thinking_games import FAILING, name_of

ENGINES: list[EngineName] = [COMPILED_ENGINE, *([NATIVE_ENGINE] if can_make_machine_code() else [])]
TABLES = [
    Table("splendor", 2), Table("splendor", 2, ("hidden-hands",)), Table("splendor", 3, (), piecewise=True),
    Table("kuhn-poker", 2), Table("whist", 4), Table("draughts", 2), Table("wrack-line", 2),
    Table("tests/games/peeking.yaml", 2), Table("tests/games/island/island.yaml", 1, (), piecewise=True),
]  # fmt: skip
SAMPLE = 19  # of all tables every nineteenth: odd, so that every second plays piece by piece
ASKED_NOW_AND_THEN = ("save", "view", "why_not", "measures", "result", "state")


def lines_of(table: Table, decisions: int) -> Iterator[tuple[bytes, bytes]]:
    """A game as a client asks for it, and the answers of the engine that defines what rules mean."""
    rng, handler = random.Random(7), RequestHandler()
    model = rules(table.game, table.players, table.variants)
    tokenwise = piecewise_choices(model) if table.piecewise else []
    new = {"do": "new", "game": table.game, "players": table.players, "variants": [*table.variants], "seed": 5}

    def ask(**request: Any) -> tuple[bytes, dict[str, Any]]:
        line = json.dumps(request).encode()
        return line, answer_line(line, handler)

    line, answer = ask(**new, tokenwise=tokenwise, first_seat=table.players - 1)
    yield line, json.dumps(answer).encode()
    for number in range(decisions):
        line, answer = ask(do="legal", form=("text", "data")[number % 3 == 2])
        yield line, json.dumps(answer).encode()
        if answer["decides"] is None:
            break
        seat, actions = answer["decides"], answer["actions"]
        wrong = (seat + 1) % 99
        extra: dict[str, Any] = {"do": rng.choice(ASKED_NOW_AND_THEN)}
        if extra["do"] == "view":
            extra["seat"] = rng.choice([None, seat])
        if extra["do"] == "why_not":
            extra |= {"seat": seat, "action": rng.choice(actions)}
        asked = [
            *([extra] if number % 4 == 1 else []),
            *([{"do": "apply", "seat": wrong, "action": actions[0]}] if number % 5 == 2 else []),
            *([{"do": "apply", "seat": seat, "action": "nonsense"}] if number % 7 == 3 else []),
            {"do": "apply", "seat": seat, "action": rng.choice(actions)},
        ]
        for request in asked:
            line, answer = ask(**request)
            yield line, json.dumps(answer).encode()
    for request in ({"do": "state"}, {"do": "result"}, {"do": "save"}):
        line, answer = ask(**request)
        yield line, json.dumps(answer).encode()


def check_same(table: Table, decisions: int) -> set[str]:
    """Asks every engine the same; returns what they said of themselves."""
    said: list[str] = []
    recorded = list(lines_of(table, decisions))
    for engine in ENGINES:
        handler = RequestHandler(engine=engine, tell=said.append)
        for line, expected in recorded:
            assert json.dumps(answer_line(line, handler)).encode() == expected, (engine, line)
    return set(said)


@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_the_answers_are_the_same(table: Table) -> None:
    said = check_same(table, 30)
    if table == TABLES[0]:
        assert said == {f"engine: {name}" for name in ENGINES}


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", all_tables()[::SAMPLE], ids=name_of)
def test_the_answers_are_the_same_at_a_sample_of_all_tables(table: Table) -> None:
    check_same(table, 60)


def test_rules_that_fail_fail_alike_and_the_game_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "failing.yaml"
    path.write_text(FAILING, encoding="utf-8")
    lines = [
        {"do": "new", "game": str(path), "seed": 1},
        {"do": "apply", "seat": 0, "action": "take(number=2)"},
        {"do": "apply", "seat": 1, "action": "take(number=1)"},
        {"do": "apply", "seat": 0, "action": "take(number=1)"},
        {"do": "save"},
        {"do": "legal"},
    ]
    answers = {}
    for engine in ("reference", *ENGINES):
        handler = RequestHandler(engine=engine)  # type: ignore[arg-type]
        answers[engine] = [json.dumps(answer_line(json.dumps(line).encode(), handler)) for line in lines]
    assert "rule-fault" in answers["reference"][3]
    assert all(given == answers["reference"] for given in answers.values())


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ({"chance": "outside"}, "chance from outside"),
        ({"game": "tests/games/lowest/lowest.yaml", "seed": 1}, "secret choices"),
    ],
)
def test_what_no_program_plays_is_played_by_the_reference_engine(new: dict[str, Any], reason: str) -> None:
    said: list[str] = []
    handler = RequestHandler(engine="python", tell=said.append)
    assert "error" not in answer_line(json.dumps({"do": "new", **new}).encode(), handler)
    (line,) = said
    assert line.startswith("engine: reference (")
    assert reason in line


def test_the_command_says_on_stderr_which_engine_plays(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = b'{"do": "new", "game": "nim", "seed": 7}\n{"do": "legal"}\n{"do": "apply", "seat": 0, "action": "x"}\n'
    given = {}
    for words in ((), ("--engine", "python"), ("--engine", "auto")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(asked)))
        assert run_cli("engine", *words) == 0
        given[words] = (run_cli.out, run_cli.err)
    fastest = "native" if can_make_machine_code() else "python"
    assert [err for _, err in given.values()] == ["", "engine: python\n", f"engine: {fastest}\n"]
    (out,) = {out for out, _ in given.values()}
    assert out.count('"to":') == 3
