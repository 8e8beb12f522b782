"""The scenarios pass: what the rulebooks say, and the small games; and a wrong scenario is told where it is wrong."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from case_files import case_files, codes_in, compare, covered
from rulewright.cli.test import write_results
from rulewright.diagnostics import Diagnostic, Diagnostics, render_concise, render_full
from rulewright.engine import position_json
from rulewright.engine.determinize import determinize
from rulewright.scenarios import codes, nearby_files
from rulewright.scenarios.given import parse_given
from rulewright.scenarios.runner import ScenarioRunner, find_scenario_files, run_scenario_files
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_file import Case, parse_scenario_file
from rulewright.scenarios.scenario_game import ScenarioGames
from rulewright.scenarios.starting_position import build_position

HERE = Path(__file__).parent
GAMES = sorted((HERE / "games").rglob("*scenarios*.yaml"))
FILES = [*find_scenario_files([HERE / "scenarios"]), *GAMES]
DIAGNOSTICS = HERE / "diagnostics" / "scenarios"


@cache
def runner() -> ScenarioRunner:
    return ScenarioRunner()


@cache
def tables() -> ScenarioGames:
    return ScenarioGames()


def cases(path: Path) -> tuple[Case, ...]:
    file = parse_scenario_file(path, Diagnostics())
    return file.cases if file is not None else ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_file_can_be_read(path: Path) -> None:
    diagnostics = Diagnostics()
    parse_scenario_file(path, diagnostics)
    assert [render_concise(one) for one in diagnostics] == []


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{path.stem}-{case.name}") for path in FILES for case in cases(path)]
)
def test_scenario(case: Case) -> None:
    diagnostics = runner().run(case).diagnostics
    assert not diagnostics, "\n\n".join(render_full(one) for one in diagnostics)


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_position_is_one_that_could_be_saved_and_imagined(path: Path) -> None:
    for case in cases(path):
        diagnostics = Diagnostics()
        table = tables().game_for(case, diagnostics)
        assert table is not None
        context = ScenarioContext(table, diagnostics, case.name)
        given = parse_given(case.given, context, case.name_node)
        assert given is not None, case.name
        state = build_position(table, given, case.first_seat, context, case.name_node)
        if state is not None:
            assert (
                position_json.state_from_json(table.engine, position_json.state_to_json(table.engine, state)) == state
            ), case.name
            for seat in (*range(table.rules.players), None):
                imagined = determinize(table.engine, state, seat, 7)
                assert table.views.view(imagined, seat) == table.views.view(state, seat), (case.name, seat)


# ---- scenarios that are wrong -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", case_files(DIAGNOSTICS), ids=lambda path: path.stem)
def test_diagnostics(path: Path) -> None:
    found: list[Diagnostic] = []
    diagnostics = Diagnostics()
    file = parse_scenario_file(path, diagnostics)
    found.extend(diagnostics)
    for case in file.cases if file is not None else ():
        found.extend(runner().run(case).diagnostics)
    assert compare(path, found) == []
    for one in found:
        assert render_full(one)
        assert not one.message.endswith(".")


def test_every_code_has_a_case() -> None:
    assert {code.name for code in codes_in(codes)} - covered(DIAGNOSTICS) == set()


def test_codes_are_distinct() -> None:
    known = list(codes_in(codes))
    assert len({code.name for code in known}) == len({code.number for code in known}) == len(known)


# ---- positions of other games -------------------------------------------------------------------------------------

POSITIONS = {
    "kuhn-poker": """
  a_given_hand:
    given: {hand: {1: king}}
    then:
      zones: {hand: {1: king, 2: queen}, deck: [jack]}
      sees:
        1: {hand: {1: king, 2: hidden}}
        2: {hand: {1: hidden, 2: [queen]}, deck: 1}
        spectator: {hand: {1: [hidden]}}
  in_the_round:
    given: {purse: {1: {coin: 1}, 2: {coin: 0}}, stake: {1: 1 coin, 2: 2 coin}, step: round.answer}
    when: bet
    then: {over: true, winners: [2]}
  the_second_turn:
    given: {step: round.other}
    when: bet
    then: {decides: 1, zones: {stake: {2: 2 coin}}}
  places_that_are_emptied:
    given: {stake: {1: {}, 2: {}}, purse: {1: {coin: 2}, 2: {coin: 2}}}
    then: {zones: {stake: {1: nothing}}}
""",
    "race": """
  another_outcome:
    when: [throw, chance(6), throw, chance(3)]
    then: {state: {at: {1: 9}, thrown: 2, die: 3}, decides: 1, step: turn.more}
  behind:
    given: {state: {at: {2: 21}, wounds: {1: {storm: 2}}}, player: 2}
    when: throw
    then: {state: {at: {2: 22}}, values: {hurt: {1: 2}}}
  later_in_the_turn:
    given: {state: {die: 2}, step: turn.more}
    then: {options: [decline, throw]}
""",
    "tricks": """
  secret_choices:
    given: {hand: {2: [c5, s5, c4]}}
    when: [call(wish=many), "exchange(cards=c5 + s5)"]
    then: {state: {calls: {1: many}}, step: round.lead, decides: 1}
  last_cards:
    given:
      hand: {1: [], 2: [c5]}
      trick: {1: s1}
      won: {1: [c1, c2, s2], 2: [c3, s3, c4, s4, s5]}
      away: []
      deck: []
      state: {led: sword}
      step: round.follow
    then: {over: true, places: [1, 1], zones: {won: {1: [c1, s1, c2, s2, c5]}}}
""",
    "island": """
  another_storm:
    given: {near: [s6, s4], past: [s1, s2], sky: [s5, s3]}
    when: [wait, look(storms=nothing)]
    then: {zones: {past: [s1, s2, s4, s6], near: [s5, s3], sky: [], land: {b2: {sand: 0}, b3: 1 sand + 1 water}}}
""",
}


DICE = """game: dice
version: 1.0.0
language: 2
text: A die is thrown before each turn
players: 2

state: {die: {type: 1 to 6, start: 1}}

actions:
  keep: {text: Keep it., do: []}

turn:
  - die:  {roll: die}
  - act:  {when: die > 1, must: [keep]}
  - stop: {when: die is 6, end_game: now}

round:
  - turns: {for_each: player, turn: player}

ranking:
  - die: {most: die}
"""


def test_chance_before_the_first_decision(tmp_path: Path) -> None:
    (tmp_path / "dice.yaml").write_text(DICE, encoding="utf-8")
    path = tmp_path / "dice.scenarios.yaml"
    path.write_text(
        """scenarios: dice
for: dice
language: 2
cases:
  a_four:
    given: {player: 2}
    when: chance(4)
    then: {decides: 2, state: {die: 4}}
  two_ones:
    when: [chance(1), chance(1), chance(6), keep]
    then: {over: true}
  not_seven:
    when: chance(7)
    then: {decides: 1}
  no_number:
    when: chance(six)
    then: {decides: 1}
""",
        encoding="utf-8",
    )
    file = parse_scenario_file(path, Diagnostics())
    assert file is not None
    diagnostics = [[one.message for one in runner().run(case).diagnostics] for case in file.cases]
    impossible = "7 cannot come up here, expected one of 1, 2, 3, 4, 5, 6"
    assert diagnostics == [[], [], [impossible], ["`six` is not a number"]]


@pytest.mark.parametrize("game", POSITIONS)
def test_a_given_position(game: str, tmp_path: Path) -> None:
    if (HERE / "games" / game).is_dir():  # else it is a shipped one
        shutil.copy(HERE / "games" / game / f"{game}.yaml", tmp_path)
    path = tmp_path / "given.yaml"
    path.write_text(
        f"scenarios: given\nfor: {game}\nlanguage: 2\nplayers: 2\ncases:{POSITIONS[game]}", encoding="utf-8"
    )
    written: list[str] = []
    assert write_results(run_scenario_files([path]), written.append) == 0, "\n".join(written)


def test_a_game_whose_first_action_is_not_legal_at_the_start(tmp_path: Path) -> None:
    shutil.copy(HERE / "games" / "odd" / "offered_early.yaml", tmp_path)
    path = tmp_path / "begins.yaml"
    path.write_text(
        """scenarios: begins
for: offered_early
language: 2
cases:
  at_once:  {then: {decides: 1, step: turn.take}}
  of_other: {given: {player: 2}, then: {decides: 2}}
  taken:    {when: [one(colour=red), second(other=blue)], then: {decides: 2, zones: {table: 2 red + 2 blue}}}
""",
        encoding="utf-8",
    )
    written: list[str] = []
    assert write_results(run_scenario_files([path]), written.append) == 0, "\n".join(written)


# ---- many files ---------------------------------------------------------------------------------------------------


def test_a_line_for_each_file_and_every_failure_in_full(tmp_path: Path) -> None:
    good, bad, broken = (tmp_path / name for name in ("good.yaml", "worse.yaml", "zzz.yaml"))
    good.write_text(
        "scenarios: good\nfor: splendor\nlanguage: 2\ncases:\n  one: {then: {over: false}}\n", encoding="utf-8"
    )
    bad.write_text(
        "scenarios: bad\nfor: splendor\nlanguage: 2\ncases:\n"
        "  one: {then: {over: false}}\n  two: {then: {over: true}}\n",
        encoding="utf-8",
    )
    broken.write_text("scenarios: broken\nfor: splendor\nlanguage: 2\n", encoding="utf-8")
    written: list[str] = []
    assert write_results(run_scenario_files([tmp_path]), written.append) == 2
    text = "\n".join(written)
    assert f"{good}: 1 passed\n" in text
    assert f"{bad}: 1 passed, 1 failed\n" in text
    assert f"--> {bad}:6:22   cases.two\n" in text
    assert "expected the game to be over; it goes on, player 1 decides" in text
    assert f"{broken}: cannot be used\n" in text
    assert "missing `cases`" in text
    assert written[-1] == "2 passed, 2 failed"


@pytest.mark.parametrize(
    ("cases", "code"),
    [
        ("  one: {then: {over: false}}\n  one: {then: {over: true}}\n", "duplicate-key"),
        ("  one: {then: {over: false, over: true}}\n", "duplicate-key"),
        ("  one: &one {then: {over: false}}\n", "yaml-anchor"),
        ("  one: {then: {over: false}}\n---\na: b\n", "several-documents"),
    ],
)
def test_a_file_with_a_slip_of_yaml_is_not_run(tmp_path: Path, cases: str, code: str) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text(f"scenarios: slips\nfor: splendor\nlanguage: 2\ncases:\n{cases}", encoding="utf-8")
    written: list[str] = []
    assert write_results(run_scenario_files([path]), written.append) == 1
    assert any(f"error[{code}]" in text for text in written)
    assert written[-1] == "0 passed, 1 failed"


@pytest.mark.slow
def test_what_is_misspelt_is_sought_where_it_can_be_found(tmp_path: Path) -> None:
    variant = "variant: strongholds\nfor: splendor\ntext: Strongholds\n"
    (tmp_path / "strongholds.yaml").write_text(variant, encoding="utf-8")
    (tmp_path / "slips.yaml").write_text(
        """scenarios: slips
for: splendor
language: 2
cases:
  variant: {variants: [stronghold], then: {over: false}}
  card: {when: reserve_face_up(card=l1_onyx_8), then: {over: false}}
""",
        encoding="utf-8",
    )
    written: list[str] = []
    assert write_results(run_scenario_files([tmp_path / "slips.yaml"]), written.append) == 2
    text = "\n".join(written)
    assert "help: did you mean `strongholds`?" in text
    assert "players-2" not in text
    assert "`card` can be: l1_diamond_1, l1_diamond_2, " in text


def test_the_variant_of_a_scenario_is_the_file_that_is_called_like_it(tmp_path: Path) -> None:
    """Not a copy beside it that still has its name."""
    for name, base in (("copy", 2), ("longer", 3), ("much-longer", 4)):
        text = f"variant: longer\nfor: nim\ntext: Longer\nset: {{parameters.base: {base}}}\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    path = tmp_path / "z.yaml"
    assert nearby_files.find_nearby_file(path, "variant", "longer") == str(tmp_path / "longer.yaml")
    (tmp_path / "longer.yaml").unlink()
    assert nearby_files.find_nearby_file(path, "variant", "longer") == str(tmp_path / "copy.yaml")


def test_files_around_are_read_once_however_many_variants_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = "".join(f"  c{number}: {{variants: [v{number}], then: {{over: false}}}}\n" for number in range(40))
    path = tmp_path / "many.yaml"
    path.write_text(f"scenarios: many\nfor: nim\nlanguage: 2\ncases:\n{cases}", encoding="utf-8")
    looked: list[Path] = []
    peek = nearby_files.peek_text
    monkeypatch.setattr(nearby_files, "peek_text", lambda file, within=None: looked.append(file) or peek(file, within))
    diagnostics = Diagnostics()
    file, runner = parse_scenario_file(path, diagnostics), ScenarioRunner()
    for case in file.cases if file is not None else ():
        runner.check(case, diagnostics)
    assert {one.message for one in diagnostics} == {f"nim has no variant `v{number}`" for number in range(40)}
    assert looked.count(path) == 1


def test_all_passed() -> None:
    written: list[str] = []
    assert write_results(run_scenario_files([HERE / "scenarios" / "setting_up.yaml"]), written.append) == 0
    assert written[-1].endswith(" passed, 0 failed")
    assert len(written) == 2
