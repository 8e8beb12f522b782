"""What the reference of the language says is so: its games are loaded and played, its expressions worked out.

`reference_extract` says how examples are marked.
"""

from __future__ import annotations

import io
import json
import random
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from random_play import random_positions
from reference_extract import ROOT, RULES, VARIANTS, Piece, pieces, with_diagnostics
from rulewright.checker.statement_references import check_statements
from rulewright.diagnostics import Diagnostics, SourceFile, render_full
from rulewright.document.document import load_document
from rulewright.document.schemas import FILE_KINDS, LANGUAGE_SCHEMA
from rulewright.document.unread_files import read_explanations
from rulewright.engine.notation import Notation
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import ChanceEvent, State
from rulewright.expr.types import Bag, Flag, SetOf, Type
from rulewright.model.loader import build_composition, compose_document, player_counts
from rulewright.model.locale import ENGLISH_MESSAGES
from rulewright.model.rules import Rules
from rulewright.source.nodes import to_builtins
from rulewright.source.reader import parse_source

pytestmark = pytest.mark.slow

PAGES = [page for page in (RULES, VARIANTS) if page.is_file()]
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
    unmarked = [one.name for one in ALL if one.kind == "yaml" and not {"file", "in"} & one.says.keys()]
    assert not unmarked


@pytest.mark.parametrize("name", GAMES)
def test_game(folder: Path, name: str) -> None:
    for players in counts(folder / name):
        diagnostics = Diagnostics()
        rules = loaded(folder / name, players, diagnostics)
        assert rules is not None, rendered(diagnostics)
        assert not len(diagnostics), rendered(diagnostics)
        engine, rng = ReferenceEngine(rules), random.Random(players)
        for seed in range(5):
            *_, state = random_positions(engine, engine.start(seed=seed), rng, 2000)
            assert state.over


@pytest.mark.parametrize("name", [name for name, piece in FILES.items() if piece.text.startswith("variant:")])
def test_variant(folder: Path, name: str) -> None:
    game = re.search(r"^for: (.*)$", FILES[name].text, re.MULTILINE)
    players = re.search(r"^players: ([0-9]+)", FILES[name].text, re.MULTILINE)
    assert game is not None
    path = folder / f"{game[1]}.yaml"
    path = path if path.is_file() else ROOT / "rules" / game[1] / "game.yaml"
    wanted = [FILES[name].says["wrong"]] if "wrong" in FILES[name].says else []
    needed = re.search(r"^requires: \[(.*)\]$", FILES[name].text, re.MULTILINE)
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
        always = text.startswith("variant:") and f"for: {game}\n" in text and "applies: always" in text
        if name == single or name.startswith(f"{game}/") or always:
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
    whole.pop("overlays", None)  # alone in its folder
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


def unquoted(cell: str) -> str:
    return cell.strip("`").replace("\\|", "|")


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
            whole.pop("overlays", None)
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
        said = explainer.renderer.render_at(f"actions.{probe}.when.it", engine.context(state), 0, hides)
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
    "kinds": {"colour": ["red", "blue"], "chip": ["every colour", "joker"]},
    "turn": [{"act": {"must": ["pay"], "if_unable": "pass"}}],
    "round": [{"turns": {"for_each": "seat", "turn": "seat"}}],
}


@pytest.mark.parametrize("piece", tables("payments"))
def test_payments(tmp_path: Path, piece: Piece) -> None:
    for price, holds, wild, worth, rebate, says in piece.rows():
        price, holds = (re.sub(r"([0-9]+) ", r"\1 of ", bag) for bag in (price, holds))
        choice = {"pay": price, "from": "purse", **({"wild": wild, "worth": int(worth)} if wild else {})}
        choice |= {"rebate": int(rebate)} if rebate else {}
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


# ---- the page itself ------------------------------------------------------------------------------------------------


def test_diagnostics_are_all_there() -> None:
    text = RULES.read_text(encoding="utf-8")
    assert text == with_diagnostics(text), "outdated table: run `python tests/reference_extract.py`"


def test_words_of_the_program_are_all_there() -> None:
    [table] = [one for one in ALL if one.kind == "table" and one.text.startswith("| word | English |")]
    assert {unquoted(word): english for word, english, _ in table.rows()} == dict(ENGLISH_MESSAGES)
    for _, english, holes in table.rows():
        assert re.findall(r"{(\w+)}", english) == re.findall(r"`(\w+)`", holes)


def keys_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {}) if isinstance(schema.get("properties"), dict) else ()
        for value in schema.values():
            yield from keys_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys_of(value)


@pytest.mark.parametrize("kind", [*FILE_KINDS, LANGUAGE_SCHEMA])
def test_every_key_is_explained(kind: str) -> None:
    schema = json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_text(encoding="utf-8"))
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    words = {word for quoted in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"[a-z_]+", quoted)}
    assert not sorted(set(keys_of(schema)) - words)


def anchor(heading: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    headings = {anchor(one) for one in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        file, _, place = target.partition("#")
        assert (page.parent / file).exists() if file else place in headings, target


def play_typing(piece: Piece) -> None:
    """Types the commands of a block, and looks whether they print what it says."""
    from rulewright.cli.main import main

    for command, wanted in re.findall(r"^\$ rulewright (.*)\n((?:(?!\$ ).*\n)*)", piece.text, re.MULTILINE):
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            main(shlex.split(command))
        pattern = "".join(".*" if line == "…\n" else re.escape(line) for line in wanted.splitlines(keepends=True))
        assert re.fullmatch(pattern, out.getvalue(), re.DOTALL), out.getvalue()


@pytest.mark.parametrize("piece", [piece for piece in CONSOLES if "step" not in piece.says], ids=ids)
def test_console(folder: Path, piece: Piece, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    play_typing(piece)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any("step" in piece.says for piece in pieces(page))], ids=lambda page: page.name
)
def test_steps_can_be_followed(tmp_path: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who begins in an empty folder and does one step after the other gets what the page shows."""
    monkeypatch.chdir(tmp_path)
    for piece in pieces(page):
        if "step" in piece.says and "file" in piece.says:
            Path(piece.says["file"]).write_text(piece.text, encoding="utf-8")
        elif "step" in piece.says:
            play_typing(piece)
