"""Rules that would run for hours are stopped, always at the same place: work is reckoned, no clock is asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from rulewright import limits
from rulewright.bots import greedy
from rulewright.bots.imagined_positions import EnginePositions
from rulewright.bots.player_view import PlayerView
from rulewright.checker.lint import build_and_lint
from rulewright.checker.secrets.information_leaks import HiddenReadFinder
from rulewright.cli.main import main
from rulewright.diagnostics import Diagnostics, RulesError, Span
from rulewright.document.document_reader import load_document
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.playing.make_game import make_compiled_game
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, State
from rulewright.expr.tree import Expr
from rulewright.model import loader
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_variants
from rulewright.source.nodes import Node
from rulewright.variants.layer_edit import LayerEdit

pytestmark = pytest.mark.slow

PLAYED: list[EngineName] = [
    REFERENCE_ENGINE, COMPILED_ENGINE, *([NATIVE_ENGINE] if can_make_machine_code() else []),
]  # fmt: skip
HEAD = "game: long\nversion: 1.0.0\nlanguage: 2\ntext: A game that takes long\nplayers: 2\n"
ROUND = "round: [turns: {for_each: player, turn: player}]\n"
STATE = "state: {s: {type: 0 to 9, start: 1}}\n"

RUN = [f"p{number}" for number in range(17)]
TOO_LONG = {
    "a dear condition, asked often": (
        STATE
        + "kinds: {n: 1 to 900}\n"
        + "actions: {act: {do: [x: {times: 9000, set: s, to: 1,"
        + " when: some n has (every m in 1 to 900 has (m < 1000 or s is 9)) and n > 5000}]}}\n"
        + "turn: [a: {must: [act]}]\n",
        "actions.act.do: computing what happens between two decisions could take more than 20,000,000 steps",
    ),
    "many answers": (
        STATE
        + "kinds: {n: 1 to 1000}\n"
        + "actions: {act: {choose: {a: {one_of: n}, b: {one_of: n}, c: {one_of: n}}, do: [x: {set: s, to: 1}]}}\n"
        + "turn: [a: {must: [act]}]\n",
        "actions.act: finding the legal actions could take more than 20,000,000 steps",
    ),
    "an offer that is never open, looked for often": (
        STATE
        + "kinds: {n: 1 to 900}\n"
        + "actions: {act: {choose: {a: {one_of: n}}, when: {c: a > 900 + s}, do: [x: {set: s, to: a // 900}]}}\n"
        + "turn: [a: {times: 9000, must: [act], if_unable: nothing}]\n",
        "actions.act: finding the legal actions could take more than 20,000,000 steps",
    ),
    "loops within loops": (
        STATE
        + "actions: {act: {do: [a: {times: 9999, do: [b: {times: 9999, do: [c: {when: s < 9, times: 9999, do: ["
        + "x: {set: s, to: 1}]}]}]}]}}\nturn: [a: {must: [act]}]\n",
        "actions.act.do.a.do.b.do.c.do: more than 10,000 steps without a decision or a chance event",
    ),
    "procedures that run one another twice": (
        STATE
        + "procedures: {last: [x: {set: s, to: 1}], "
        + ", ".join(f"p{at}: [a: {{run: {run}}}, b: {{run: {run}}}]" for at, run in enumerate(["last", *RUN]))
        + "}\nactions: {act: {do: [x: {run: p17}]}}\nturn: [a: {must: [act]}]\n",
        "procedures.p2: more than 10,000 steps without a decision or a chance event",
    ),
    "answers to many choices, of which none is legal": (
        STATE
        + "kinds: {n: 1 to 1000}\n"
        + "actions: {act: {choose: {a: {one_of: n}, b: {one_of: n}, c: {one_of: n}},"
        + " when: {c: a + b + c < 3}, do: [x: {set: s, to: 1}]}}\n"
        + "turn: [a: {must: [act], if_unable: nothing}]\n",
        "actions.act: finding the legal actions could take more than 20,000,000 steps",
    ),
    "steps without an end": (
        STATE + "actions: {act: {do: [x: {set: s, to: 1}]}}\nturn: [a: {when: s is 2, must: [act]}]\n",
        "round: more than 10,000 steps without a decision or a chance event",
    ),
    "a wall of things, moved one by one": (
        "components:\n  stone:\n    fields: {}\n    start: here\n    rows: ["
        + ", ".join(f"{{id: s{number}}}" for number in range(3000))
        + "]\nzones:\n  here: {holds: stone, order: shuffled, seen_by: nobody}\n"
        + "  there: {holds: stone, order: arrival, seen_by: all}\n"
        + "actions: {act: {do: [x: {move: top 3000, from: here, to: there}]}}\nturn: [a: {must: [act]}]\n",
        "zones.there: computing what happens between two decisions could take more than 20,000,000 steps",
    ),
}


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        (name, engine)
        for name in TOO_LONG
        for engine in PLAYED
        if engine == REFERENCE_ENGINE or "moved one by one" not in name  # which a program does in no time
        if engine != COMPILED_ENGINE or "a dear condition" not in name  # which takes Python twenty seconds
    ],
)
def test_rules_that_run_too_long_are_stopped(
    name: str, engine: EngineName, tmp_path: Path, plain_machine_code: None
) -> None:
    """Each is refused with its address, in the first decision of a seat or while nobody decides, by every engine."""
    text, expected = TOO_LONG[name]
    file = tmp_path / "long.yaml"
    file.write_text(HEAD + text + ROUND)
    rules = load_rules(str(file))

    def first_decision() -> None:
        if engine == REFERENCE_ENGINE:
            reference = ReferenceEngine(rules)
            state = reference.start(seed=1)
            reference.apply(state, reference.legal(state)[0])
        else:
            game = make_compiled_game(compile_program(rules), engine)
            game.start(seed=1)
            game.act(0)

    with pytest.raises(RuleFault) as fault:
        first_decision()
    assert f"{fault.value.address}: {fault.value.message}" == expected


def many(count: int, text: str) -> str:
    """A text for each number, with commas between."""
    return ", ".join(text.format(number) for number in range(count))


ACT = "actions: {act: {do: [x: {set: s, to: 1}]}}\nturn: [a: {must: [act]}]\n"
TOO_MANY = {
    "players": ("players: 2 to 999999999\n", "999999999 players, over the limit of 20"),
    "players of no number that there is": (f"players: 1 to {'9' * 5000}\n", "999999999 players, over the limit of 20"),
    "words": (f"kinds: {{k: [{many(1001, 'w{}')}]}}\n", "1,001 members of `k`, over the limit of 1,000"),
    "words of kinds in a kind": (
        f"kinds: {{a: [{many(600, 'a{}')}], b: [{many(600, 'b{}')}], c: [every a, every b]}}\n",
        "a kind of 1,200 members, over the limit of 1,000",
    ),
    "entries": (f"parameters: {{{many(501, 'p{}: 1')}}}\n", "501 entries in `parameters`, over the limit of 500"),
    "actions": (
        f"actions: {{{many(151, 'a{}: {{do: [x: {{set: s, to: 1}}]}}')}}}\n",
        "151 entries in `actions`, over the limit of 150",
    ),
    "clauses of an action": (
        f"actions: {{act: {{when: {{{many(101, 'c{}: s < 9')}}}, do: []}}}}\n",
        "101 clauses of `act`, over the limit of 100",
    ),
    "clauses of an offer": (
        "actions: {act: {do: []}}\n"
        + f"finale: [a: {{do: [b: {{by: 0, must: [act: {{{many(101, 'c{}: s < 9')}}}]}}]}}]\n",
        "101 clauses of the offer `act`, over the limit of 100",
    ),
    "terms": (f"values: {{v: {{sum: {{{many(101, 't{}: 1')}}}}}}}\n", "101 terms of `v`, over the limit of 100"),
    "steps": (
        f"setup: [a: {{do: [{many(1000, 'x{}: {{set: s, to: 1}}')}]}}]\n"
        + f"procedures: {{p: [{many(1000, 'y{}: {{set: s, to: 1}}')}]}}\n",
        "2,004 steps in all, over the limit of 2,000",
    ),
    "rows": (
        f"components: {{c: {{fields: {{}}, start: z, rows: [{many(5001, '{{id: r{}}}')}]}}}}\n",
        "5,001 rows in all, over the limit of 5,000",
    ),
    "holes of a sentence": (
        f"actions: {{act: {{text: '{'{s}' * 101}', do: [x: {{set: s, to: 1}}]}}}}\n",
        "a sentence with 101 holes, over the limit of 100",
    ),
    "characters of a sentence": (
        f"actions: {{act: {{text: '{'a' * 50_001}', do: [x: {{set: s, to: 1}}]}}}}\n",
        "a sentence of 50,001 characters, over the limit of 50,000",
    ),
    "holes of all sentences": (
        f"actions: {{{many(101, 'a{}: {{text: ' + repr('{{s}}' * 100) + ', do: [x: {{set: s, to: 1}}]}}')}}}\n",
        "more holes in all sentences than 10,000",
    ),
    "files": (f"files: [{many(101, 'f{}.yaml')}]\n", "101 file names in `files`, over the limit of 100"),
}


@pytest.mark.parametrize("name", TOO_MANY)
def test_rules_of_which_there_is_too_much_are_refused(name: str, tmp_path: Path) -> None:
    """One diagnostic says what there is too much of; nothing goes through it all."""
    text, expected = TOO_MANY[name]
    head = HEAD.replace("players: 2\n", "") if text.startswith("players") else HEAD
    file = tmp_path / "long.yaml"
    file.write_text(head + text + STATE + ("" if "actions" in text else ACT) + ROUND)
    with pytest.raises(RulesError) as refused:
        load_rules(str(file))
    assert expected in [one.message for one in refused.value.diagnostics]


VARIANT = "variant: more\nfor: long\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set: {players: 2 to 21}\n", "21 players, over the limit of 20"),
        (f"extend: {{kinds.k: [{many(999, 'x{}')}]}}\n", "1,001 members of `k`, over the limit of 1,000"),
        (f"add: {{{many(101, 'actions.act.when.c{}: s < 9')}}}\n", "101 clauses of `act`, over the limit of 100"),
    ],
)
def test_variants_that_make_too_much_of_something_are_refused(text: str, expected: str, tmp_path: Path) -> None:
    """What several files bring together is counted together."""
    (tmp_path / "long.yaml").write_text(HEAD + STATE + ACT + ROUND + "kinds: {k: [one, two]}\n")
    (tmp_path / "more.yaml").write_text(VARIANT + text)
    with pytest.raises(RulesError) as refused:
        load_rules(str(tmp_path / "long.yaml"), variants=[str(tmp_path / "more.yaml")])
    assert [one.message for one in refused.value.diagnostics] == [expected]


@pytest.mark.parametrize("settings", [[], [f"p{number}=2" for number in range(60)]])
def test_too_many_variants_are_refused_unread(
    settings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred are laid over at once, values from the command line among them; one more is too many."""
    parameters = many(120, "p{}: 1")
    (tmp_path / "long.yaml").write_text(HEAD + STATE + ACT + ROUND + f"parameters: {{{parameters}}}\n")
    files = [tmp_path / f"v{number}.yaml" for number in range(101 - len(settings))]
    for number, file in enumerate(files):
        file.write_text(f"variant: v{number}\nfor: long\nset: {{parameters.p{number + 60 * bool(settings)}: 3}}\n")
    chosen = [*map(str, files), *settings]
    rules = load_rules(str(tmp_path / "long.yaml"), variants=chosen[1:])
    assert len(rules.variants) == limits.MAX_VARIANTS

    def read(path: Path, *_: object, **__: object) -> None:
        raise AssertionError(path)

    monkeypatch.setattr(loader, "load_variant", read)
    with pytest.raises(RulesError) as refused:
        load_rules(str(tmp_path / "long.yaml"), variants=chosen)
    (one,) = refused.value.diagnostics
    assert one.message == "101 variants and settings, over the limit of 100"
    assert one.span.source.path == (f"--set {chosen[-1]}" if settings else f"--variant {chosen[-1]}")


def test_too_much_in_all_variants_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many changes are counted before any is carried out, and so many bytes before any is read."""
    (tmp_path / "long.yaml").write_text(HEAD + STATE + ACT + ROUND)
    files = [tmp_path / f"v{number}.yaml" for number in range(4)]
    for number, file in enumerate(files):
        changes = many(1300, f"parameters.p{number}x{{}}: 1")
        file.write_text(f"variant: v{number}\nfor: long\nadd: {{{changes}}}\n")
    message = "5,200 changes in all variants, over the limit of 5,000"
    with pytest.raises(RulesError) as refused:
        load_rules(str(tmp_path / "long.yaml"), variants=list(map(str, files)))
    assert [one.message for one in refused.value.diagnostics] == [message]
    monkeypatch.setattr(limits, "MAX_GAME_BYTES", files[0].stat().st_size * 3)
    monkeypatch.setattr(loader, "load_variant", None)
    with pytest.raises(RulesError) as refused:
        load_rules(str(tmp_path / "long.yaml"), variants=list(map(str, files)))
    (one,) = refused.value.diagnostics
    assert one.span.source.path == f"--variant {files[3]}"


@pytest.mark.parametrize(
    ("changes", "left"),
    [
        (f"extend: {{kinds.k: [{many(300, 'x{}')}]}}", 600),
        (f"add: {{{many(300, 'kinds.k.x{}: {{}}')}}}", 600),
        (f"extend: {{kinds.k: [{many(300, 'x{}')}]}}\nadd: {{{many(300, 'parameters.p{}: 1')}}}", 600),
        (f"add: {{{many(150, 'kinds.k.x{0}: {{}}, parameters.p{0}: 1')}}}", 450),
        (f"drop: {{kinds.k: [{many(299, 'w{}')}]}}", 1),
    ],
)
def test_many_changes_of_one_collection_make_it_anew_few_times(
    changes: str, left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A collection is not copied for each word that a variant adds to it or takes from it."""
    made = []
    edit = LayerEdit.edit

    def counted(
        self: LayerEdit, parts: tuple[str, ...], change: Callable[[Node], Node], by: Span | None = None
    ) -> None:
        made.append(parts)
        edit(self, parts, change, by)

    monkeypatch.setattr(LayerEdit, "edit", counted)
    (tmp_path / "long.yaml").write_text(HEAD + STATE + ACT + ROUND + f"kinds: {{k: [{many(300, 'w{}')}]}}\n")
    (tmp_path / "more.yaml").write_text(VARIANT + changes + "\n")
    rules = load_rules(str(tmp_path / "long.yaml"), variants=[str(tmp_path / "more.yaml")])
    assert len(rules.kinds["k"].members) == left
    assert len(made) <= 6


def test_a_careful_bot_weighs_so_many_actions_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move among very many does not take very long; what is weighed is drawn anew each time, and always legal."""
    text = (
        "actions: {act: {choose: {n: {one_of: 1 to 1000}}, do: [x: {set: s, to: n % 9}]}}\nturn: [a: {must: [act]}]\n"
    )
    (tmp_path / "long.yaml").write_text(HEAD + STATE + text + ROUND)
    engine = ReferenceEngine(load_rules(str(tmp_path / "long.yaml")))
    state = engine.start(seed=1)
    legal = tuple(engine.legal(state))
    assert len(legal) == 1000
    weighed: list[Action] = []

    def note_action(positions: EnginePositions, world: State, action: Action) -> None:
        weighed.append(action)

    monkeypatch.setattr(EnginePositions, "after", note_action)
    bot = greedy.GreedyBot(seed=1, seat=0)
    chosen = {bot.choose(PlayerView(engine, state, 0, legal)) for _ in range(3)}
    assert len(weighed) == 3 * greedy.GREEDY_DETERMINIZATIONS * limits.MAX_EVALUATED_ACTIONS
    assert chosen <= set(weighed) <= set(legal)
    assert len(set(weighed)) > limits.MAX_EVALUATED_ACTIONS


def test_an_endless_address_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody looks for what is like it."""
    assert main(["show", "a." * 30_000]) == 2
    assert "the address is over the limit of 1,000 characters" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_a_pipe_among_the_variants_is_passed_over(tmp_path: Path) -> None:
    """Whoever reads it would wait for ever."""
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "more.yaml").write_text(VARIANT)
    os.mkfifo(tmp_path / "variants" / "pipe.yaml")
    assert list(available_variants("long", tmp_path / "long.yaml")) == ["more"]


def test_a_derived_value_is_gone_through_once_for_what_it_gives_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these values reads the one before it twice: gone through afresh each time they would be 2**15 looks."""
    values = "".join(f"  v{n}: {{per: player, is: v{n - 1}(player) + v{n - 1}(player)}}\n" for n in range(1, 16))
    path = tmp_path / "long.yaml"
    path.write_text(
        HEAD
        + STATE
        + f"values:\n  v0: {{per: player, is: s}}\n{values}"
        + "actions: {act: {when: {c: v15(me) < 9, d: v15(me) < 8}, do: [x: {set: s, to: 2}]}}\n"
        + "turn: [a: {must: [act]}, b: {end_game: now}]\n"
        + ROUND,
        encoding="utf-8",
    )
    looks, first = [], HiddenReadFinder.find_first

    def counted(self: HiddenReadFinder, expr: Expr, seats: Mapping[int, str]) -> object:
        looks.append(expr)
        return first(self, expr, seats)

    monkeypatch.setattr(HiddenReadFinder, "find_first", counted)
    diagnostics = Diagnostics()
    document = load_document(path, diagnostics)
    assert document is not None
    assert build_and_lint(document, 2, diagnostics) is not None
    assert 15 < len(looks) < 200
