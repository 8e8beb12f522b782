"""What the reference of the language says is so: its games are loaded and played, its expressions worked out.

`reference_extract` says how examples are marked.
"""

from __future__ import annotations

import io
import json
import random
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from random_play import random_positions
from reference_extract import PAGES, ROOT, Piece, merged, pieces, unquoted
from rulewright.checker.texts.statement_references import check_statements
from rulewright.diagnostics import Diagnostics, SourceFile, render_full
from rulewright.document.document_reader import load_document
from rulewright.document.unread_files import read_explanations
from rulewright.engine.notation import Notation
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import ChanceEvent, State
from rulewright.expr.types import Bag, Flag, SetOf, Type
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import build_composition, compose_document
from rulewright.model.rules import Rules
from rulewright.source.nodes import to_builtins
from rulewright.source.reader import parse_source

pytestmark = pytest.mark.slow

ALL = [piece for page in PAGES for piece in pieces(page)]
FILES = {piece.says["file"]: piece for piece in ALL if "file" in piece.says}
GAMES = [name for name, piece in FILES.items() if piece.text.startswith("game:")]
FRAGMENTS = [piece for piece in ALL if "in" in piece.says]
CONSOLES = [piece for piece in ALL if piece.kind == "console"]


def ids(piece: Piece) -> str:
    return piece.name


def tables(mark: str) -> list[Any]:
    return [pytest.param(piece, id=piece.name) for piece in ALL if piece.kind == "table" and mark in piece.says]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All whole files of the pages, where their marks say."""
    root = tmp_path_factory.mktemp("reference")
    for name, piece in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(piece.text, encoding="utf-8")
    return root


def loaded(path: Path, players: int | None, diagnostics: Diagnostics, variants: tuple[str, ...] = ()) -> Rules | None:
    document = load_document(path.parent if path.name == "game.yaml" else path, diagnostics)
    document = None if document is None else read_explanations(document, diagnostics)
    if document is not None:
        check_statements(document, diagnostics)
    resolved = None if document is None else compose_document(document, players, variants, diagnostics)
    return None if resolved is None else build_composition(resolved, diagnostics)


def rendered(diagnostics: Diagnostics) -> str:
    return "\n".join(render_full(one) for one in diagnostics)


def counts(path: Path) -> range:
    document = load_document(path.parent if path.name == "game.yaml" else path, Diagnostics())
    assert document is not None
    fewest, most = player_counts(document)
    return range(fewest, most + 1)


# ---- whole files ----------------------------------------------------------------------------------------------------


def test_every_block_is_marked() -> None:
    marks = {"file", "in", "into", "new"}
    unmarked = [one.name for one in ALL if one.kind == "yaml" and not marks & one.says.keys()]
    assert not unmarked


def assert_playable(path: Path, games: int = 5) -> None:
    """The game has no diagnostics, and random games of it come to an end, at every number of players."""
    for players in counts(path):
        diagnostics = Diagnostics()
        rules = loaded(path, players, diagnostics)
        assert rules is not None, rendered(diagnostics)
        assert not len(diagnostics), rendered(diagnostics)
        engine, rng = ReferenceEngine(rules), random.Random(players)
        for seed in range(games):
            *_, state = random_positions(engine, engine.start(seed=seed), rng, 2000)
            assert state.over


@pytest.mark.parametrize("name", GAMES)
def test_game(folder: Path, name: str) -> None:
    assert_playable(folder / name)


@pytest.mark.parametrize("name", [name for name, piece in FILES.items() if piece.text.startswith("variant:")])
def test_variant(folder: Path, name: str) -> None:
    game = re.search(r"^for: (.*)$", FILES[name].text, re.MULTILINE)
    players = re.search(r"^players: ([0-9]+)", FILES[name].text, re.MULTILINE)
    assert game is not None
    path = folder / f"{game[1]}.yaml"
    path = path if path.is_file() else ROOT / "rules" / game[1] / "game.yaml"
    wanted = [FILES[name].says["wrong"]] if "wrong" in FILES[name].says else []
    needed = re.search(r"^(?:requires|joins): \[(.*)\]$", FILES[name].text, re.MULTILINE)
    others = [f"{one}.yaml" for one in needed[1].split(", ")] if needed else []
    for count in [int(players[1])] if players else counts(path):
        diagnostics = Diagnostics()
        loaded(path, count, diagnostics, tuple(str(folder / one) for one in (*others, name)))
        assert [one.code.name for one in diagnostics] == wanted, rendered(diagnostics)


@pytest.mark.parametrize("name", [name for name, piece in FILES.items() if piece.text.startswith("scenarios:")])
def test_scenarios(folder: Path, name: str) -> None:
    from rulewright.cli.test import write_results
    from rulewright.scenarios.runner import run_scenario_files

    written: list[str] = []
    assert not write_results(run_scenario_files([folder / name]), written.append), "\n".join(written)


# ---- fragments ------------------------------------------------------------------------------------------------------


def data(text: str) -> Any:
    diagnostics = Diagnostics()
    node = parse_source(SourceFile("fragment", text), diagnostics)
    assert node is not None, rendered(diagnostics)
    assert not len(diagnostics), rendered(diagnostics)
    return to_builtins(node)


def names(items: list[Any]) -> dict[str, Any]:
    return {key: value for item in items for key, value in item.items()}


def put(old: Any, new: Any) -> Any:
    """A section with what a fragment says anew: what has the name of something there takes its place."""
    if isinstance(new, list):
        return [{key: value} for key, value in {**names(old or []), **names(new)}.items()]
    return {**(old or {}), **new}


def with_fragment(path: Path, piece: Piece) -> None:
    """Writes the fragment into the game that stands at `path` (JSON is YAML)."""
    fragment, at = data(piece.text), piece.says.get("at")
    for section, content in {at: fragment}.items() if at else fragment.items():
        homes = [one for one in sorted(path.parent.glob("*.yaml")) if section in data(one.read_text(encoding="utf-8"))]
        home = homes[0] if homes else path
        whole = data(home.read_text(encoding="utf-8"))
        whole[section] = put(whole.get(section), content)
        home.write_text(json.dumps(whole, ensure_ascii=False, indent=1), encoding="utf-8")


def copied(game: str, folder: Path) -> Path:
    """The files of a game of the pages, in a folder of their own; the path of the game file."""
    single = game + ".yaml"
    for name, piece in FILES.items():
        text = piece.text
        is_own = text.startswith((f"adjusts: {game}\n", "joins:"))
        if name == single or name.startswith(f"{game}/") or is_own:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(piece.text, encoding="utf-8")
    return folder / single if single in FILES else folder / game / "game.yaml"


@pytest.mark.parametrize("piece", FRAGMENTS, ids=ids)
def test_fragment(tmp_path: Path, piece: Piece) -> None:
    path = copied(piece.says["in"], tmp_path)
    with_fragment(path, piece)
    diagnostics = Diagnostics()
    loaded(path, None, diagnostics)
    wanted = {piece.says["wrong"]} if "wrong" in piece.says else set()
    assert {one.code.name for one in diagnostics if one.severity == "error" or wanted} == wanted, rendered(diagnostics)


@pytest.mark.parametrize(
    "piece", [piece for piece in FRAGMENTS if piece.page == "rules/reference/cookbook.md"], ids=ids
)
def test_recipe_can_be_played(tmp_path: Path, piece: Piece) -> None:
    path = copied(piece.says["in"], tmp_path)
    with_fragment(path, piece)
    for players in counts(path):
        diagnostics = Diagnostics()
        rules = loaded(path, players, diagnostics)
        assert rules is not None, rendered(diagnostics)
        engine = ReferenceEngine(rules)
        for seed in range(3):
            *_, state = random_positions(engine, engine.start(seed=seed), random.Random(seed), 2000)
            assert state.over


# ---- positions ------------------------------------------------------------------------------------------------------


@cache
def position(name: str) -> tuple[dict[str, Any], int, tuple[str, ...]]:
    """The game of a position as data, the number of players, and the actions that lead to it."""
    [piece] = [one for one in ALL if one.kind == "position" and one.says["position"] == name]
    moves = tuple(move.strip() for move in piece.says["moves"].split(";"))
    return data(FILES[piece.says["of"] + ".yaml"].text), int(piece.says["players"]), moves


def settled(engine: ReferenceEngine, state: State) -> State:
    while isinstance(state.waiting, ChanceEvent):
        state = engine.resolve_chance(state, state.waiting.outcomes[0][0])
    return state


def stood(path: Path, name: str, extra: dict[str, Any]) -> tuple[ReferenceEngine, State]:
    """The position, in its game with more values and actions."""
    game, players, moves = position(name)
    whole = {**game, **{section: {**game[section], **more} for section, more in extra.items()}}
    whole.pop("files", None)  # alone in its folder
    path.write_text(json.dumps(whole, ensure_ascii=False, indent=1), encoding="utf-8")
    diagnostics = Diagnostics()
    rules = loaded(path, players, diagnostics)
    assert rules is not None, rendered(diagnostics)
    engine = ReferenceEngine(rules)
    notation = Notation(rules)
    state = settled(engine, engine.start())
    for move in moves:
        action = notation.match_action(notation.parse_action(move), engine.legal(state))
        assert action is not None, f"{move} is none of {[notation.format_action(one) for one in engine.legal(state)]}"
        state = settled(engine, engine.apply(state, action))
    return engine, state


def type_name(type_: Type) -> str:
    match type_:
        case Bag(kind):
            return f"bag of {kind}" if kind else "bag"
        case SetOf(of):
            return f"set of {'number' if of is None else type_name(of)}"
        case Flag():
            return "flag"
        case _:
            return getattr(type_, "kind", getattr(type_, "component", "number"))


def shown(notation: Notation, value: Any, type_: Type) -> str:
    if isinstance(type_, SetOf) and type_.element is not None:
        return ", ".join(notation.format_value(one, type_.element) for one in value) or "nothing"
    return notation.format_value(value, type_)


@pytest.mark.parametrize("piece", tables("expressions"))
def test_expressions(tmp_path: Path, piece: Piece) -> None:
    rows = [(f"probe_{at}", unquoted(row[0]), row[1], row[2]) for at, row in enumerate(piece.rows())]
    good = [row for row in rows if not row[2].startswith("error ")]
    name = piece.says["expressions"]
    engine, state = stood(tmp_path / "game.yaml", name, {"values": {probe: {"is": text} for probe, text, _, _ in good}})
    notation = Notation(engine.rules)
    differences = []
    for probe, text, type_, value in good:
        definition = engine.rules.values[probe]
        found = engine.compiler.compile(definition.terms[0][1])(engine.context(state))
        given = type_name(definition.type), shown(notation, found, definition.type)
        if given != (type_, value):
            differences.append(f"{text}: {given}, not {(type_, value)}")
    assert not differences, "\n".join(differences)
    game, players, _ = position(name)
    for probe, text, says, _ in rows:
        if says.startswith("error "):
            diagnostics = Diagnostics()
            whole = {**game, "values": {**game["values"], probe: {"is": text}}}
            whole.pop("files", None)
            (tmp_path / "game.yaml").write_text(json.dumps(whole, ensure_ascii=False, indent=1), encoding="utf-8")
            loaded(tmp_path / "game.yaml", players, diagnostics)
            errors = [one.code.name for one in diagnostics if one.severity == "error"]
            assert errors == [says.removeprefix("error ")], text


@pytest.mark.parametrize("piece", tables("sentences"))
def test_sentences(tmp_path: Path, piece: Piece) -> None:
    rows = [(f"probe_{at}", unquoted(row[0]), row[1]) for at, row in enumerate(piece.rows())]
    actions = {probe: {"when": {"it": {"is": "round_number > 0", "why": text}}} for probe, text, _ in rows}
    engine, state = stood(tmp_path / "game.yaml", piece.says["sentences"], {"actions": actions})
    explainer = Explainer(engine)
    hides = explainer.views.hidden_test(state, 0)
    for probe, text, says in rows:
        said = explainer.renderer.render_at(f"actions.{probe}.when.it.why", engine.context(state), 0, hides)
        assert said == says, text


@pytest.mark.parametrize("piece", tables("notation"))
def test_notation(tmp_path: Path, piece: Piece) -> None:
    engine, _ = stood(tmp_path / "game.yaml", piece.says["notation"], {})
    notation = Notation(engine.rules)
    for _, text, written in piece.rows():
        action = notation.parse_action(unquoted(text))
        assert notation.format_action(action) == unquoted(text)
        assert notation.action_to_data(action) == json.loads(unquoted(written))
        assert notation.action_from_data(json.loads(unquoted(written))) == action


PAY = {
    "game": "pay",
    "version": "1.0.0",
    "language": 2,
    "text": "Paying",
    "players": 1,
    "kinds": {"colour": ["red", "blue"], "chip": ["every colour", "joker", "jester"]},
    "turn": [{"act": {"must": ["pay"], "if_unable": "pass"}}],
    "round": [{"turns": {"for_each": "player", "turn": "player"}}],
}


@pytest.mark.parametrize("piece", tables("payments"))
def test_payments(tmp_path: Path, piece: Piece) -> None:
    for price, holds, wild, worth, stands_for, rebate, says in piece.rows():
        price, holds = (re.sub(r"([0-9]+) ", r"\1 of ", bag) for bag in (price, holds))
        written = {"wild": f"[{wild}]" if "," in wild else wild, "worth": f"{{{worth}}}" if ":" in worth else worth}
        written |= {"stands_for": stands_for, "rebate": rebate}
        choice = {"pay": price, "from": "purse", **{key: data(text) for key, text in written.items() if text}}
        game = {
            **PAY,
            "zones": {"purse": {"holds": "chip", "seen_by": "all", "start": holds}},
            "actions": {"pay": {"choose": {"payment": choice}}, "pass": {}},
        }
        (tmp_path / "pay.yaml").write_text(json.dumps(game, indent=1), encoding="utf-8")
        diagnostics = Diagnostics()
        rules = loaded(tmp_path / "pay.yaml", 1, diagnostics)
        assert rules is not None, rendered(diagnostics)
        notation, engine = Notation(rules), ReferenceEngine(rules)
        options = [notation.format_action(action) for action in engine.legal(engine.start())]
        wanted = [f"pay(payment={unquoted(one)})" for one in says.split(", ")] if says != "none" else ["pass"]
        assert options == wanted, price


DECLINING = {
    "game": "declining",
    "version": "1.0.0",
    "language": 2,
    "text": "Declining",
    "players": 2,
    "actions": {"swap": {}},
    "round": [{"go": {"turn": "first_player"}}, {"end": {"end_game": "now"}}],
}


@pytest.mark.parametrize("piece", tables("declining"))
def test_declining(tmp_path: Path, piece: Piece) -> None:
    for written, asked, _ in piece.rows():
        game = {**DECLINING, "turn": [{"ask": data(unquoted(written))}]}
        (tmp_path / "declining.yaml").write_text(json.dumps(game), encoding="utf-8")
        diagnostics = Diagnostics()
        rules = loaded(tmp_path / "declining.yaml", 2, diagnostics)
        assert rules is not None, rendered(diagnostics)
        notation, engine = Notation(rules), ReferenceEngine(rules)
        state, count = engine.start(), 0
        while not state.over:
            decline = notation.match_action(notation.parse_action("decline"), engine.legal(state))
            assert decline is not None
            state, count = engine.apply(state, decline), count + 1
        assert count == int(asked), written


# ---- commands --------------------------------------------------------------------------------------------------------


def line_pattern(line: str) -> str:
    """A printed line, as a page shows it: `…` stands for any lines, and at the end of a line for its rest."""
    if line == "…\n":
        return ".*"
    return re.escape(line.removesuffix("…\n")) + "[^\n]*\n" if line.endswith("…\n") else re.escape(line)


def play_typing(piece: Piece) -> None:
    """Types the commands of a block, and looks whether they print what it says."""
    from rulewright.cli.main import main

    for command, wanted in re.findall(r"^\$ rulewright (.*)\n((?:(?!\$ ).*\n)*)", piece.text, re.MULTILINE):
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            main(shlex.split(command))
        pattern = "".join(map(line_pattern, wanted.splitlines(keepends=True)))
        assert re.fullmatch(pattern, out.getvalue(), re.DOTALL), out.getvalue()


@pytest.mark.parametrize("piece", [piece for piece in CONSOLES if "step" not in piece.says], ids=ids)
def test_console(folder: Path, piece: Piece, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    play_typing(piece)


@pytest.mark.parametrize("name", sorted({piece.page for piece in ALL if "step" in piece.says}))
def test_steps_can_be_followed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who begins in an empty folder and does one step after the other gets what the page shows.

    After each change of a game it is played, but for a change that is meant to be wrong, and taken back.
    """
    monkeypatch.chdir(tmp_path)
    taken_back: dict[Path, str] = {}
    for piece in pieces(ROOT / name):
        if "step" not in piece.says:
            continue
        if "into" in piece.says:
            path = Path(piece.says["into"])
            before = path.read_text(encoding="utf-8")
            path.write_text(merged(before, piece.text), encoding="utf-8")
            if piece.says["step"] == "wrong":
                taken_back[path] = before
            else:
                assert_playable(path, 1)
        elif {"file", "new"} & piece.says.keys():
            Path(piece.says.get("file") or piece.says["new"]).write_text(piece.text, encoding="utf-8")
        else:
            play_typing(piece)
            for path, text in taken_back.items():
                path.write_text(text, encoding="utf-8")
            taken_back = {}
    for piece in ALL:
        if piece.says.get("after") == name:
            assert Path(piece.says["is"]).read_text(encoding="utf-8") == piece.text, f"{piece.name} is outdated"


def test_a_change_of_a_step_goes_into_its_section() -> None:
    before = "players: 2\nkinds:\n  a: 1 to 2\n  b:\n    grid: 1 by 2\n    names: {}\nturn:\n  - x: {run: y}\n"
    change = "players: 3\nkinds:\n  b:\n    grid: 3 by 4\n  c: [d]\nturn:\n  - z: {run: y}\nround: []\n"
    kinds = "kinds:\n  a: 1 to 2\n  b:\n    grid: 3 by 4\n    names: {}\n  c: [d]\n"
    assert merged(before, change) == f"players: 3\n{kinds}turn:\n  - z: {{run: y}}\nround: []\n"
