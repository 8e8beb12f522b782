"""In whatever order variants are named, the same comes out: the same rules, or the same diagnostics."""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from rulewright.diagnostics import Diagnostics, render_full
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.model.loader import build_composition, compose_document
from rulewright.model.locate import available_variants, default_game, find_game
from rulewright.source.nodes import MappingNode, to_builtins
from rulewright.variants.overlay import Variant, apply_variants, load_variant

pytestmark = pytest.mark.slow

EXAMPLES = 12 * int(os.environ.get("PROPERTIES", "1"))
SETTINGS = ("target_prestige=9", "token_limit=8", "hand_limit=2", "gems_each=6", "market_width=3")


@cache
def shipped() -> Document:
    """The default game."""
    document = load_document(find_game(default_game()), Diagnostics())
    assert document is not None
    return document


@cache
def choices() -> list[str]:
    """The shipped variants that one can choose."""
    found = {name: load_variant(path, Diagnostics()) for name, path in available_variants(default_game()).items()}
    return sorted(name for name, one in found.items() if one is not None and one.kind == "variant")


def outcome(names: list[str], players: int) -> tuple[list[str], str, str]:
    """The diagnostics, and both digests of what came out."""
    diagnostics = Diagnostics()
    resolved = compose_document(shipped(), players, names, diagnostics)
    rules = build_composition(resolved, diagnostics) if resolved is not None else None
    said = [render_full(one) for one in diagnostics]
    return (said, "", "") if rules is None else (said, rules.digest, rules.text_digest)


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_any_order_of_shipped_variants_gives_the_same_rules(data: st.DataObject) -> None:
    """Any set that goes together, with values from the command line in between: one digest of the meaning and one of
    the text.
    """
    chosen: list[str] = []
    players = data.draw(st.integers(2, 4), label="players")
    for name in data.draw(st.lists(st.sampled_from(choices()), unique=True, min_size=2, max_size=8), label="wanted"):
        diagnostics = Diagnostics()
        paths = [available_variants(default_game())[one] for one in (*chosen, name)]
        found = [one for path in paths if (one := load_variant(path, diagnostics)) is not None]
        apply_variants(shipped(), found, diagnostics, players=players)
        if not diagnostics.error_count:
            chosen.append(name)
    chosen += data.draw(st.lists(st.sampled_from(SETTINGS), unique=True, max_size=2), label="settings")
    note(f"played: {chosen}")
    first = outcome(chosen, players)
    assert first[0] == []
    assert outcome(data.draw(st.permutations(chosen), label="order"), players) == first


# ---- variants made at random, of which most do not go together
CHIPS = Path(__file__).parent / "diagnostics" / "overlay" / "base"
OPERATIONS = {
    "set": [
        "parameters.goal: 9",
        "parameters.goal: {expects: 15, value: 9}",
        "parameters.limit: 5",
        "turn.act.must: [take]",
        "turn.give.when: limit > 3",
        "actions.take: {text: Take.}",
        "kinds.colour: [red, green]",
        "turn.goal.when: limit > 3",
        "turn.goal: {when: limit > 3, end_game: after_round}",
        "actions.give.choose.chips.total: 2",
        "components.tile.rows.tile_1.points: 2",
        "values.points.sum.chips: {is: 3}",
    ],
    "adjust": [
        "values.points.sum.chips: 1",
        "actions.give.choose.chips.total: {times: 2}",
        "components.tile.rows.tile_1.points: 1",
        "parameters.goal: 2",
        "parameters.goal: {times: 3}",
        "parameters.limit: 1",
    ],
    "add": [
        "actions.swap: {text: Swap.}",
        "actions.swap: {text: Swap it.}",
        "zones.box: {holds: colour, seen_by: all}",
        "parameters.limit.type: 1 to 9",
        "turn.act.must.give: {}",
        "actions.take.when.odd: limit > 3",
        "turn.goal.when.why: Not yet.",
        "kinds.colour.names: {red: red chip | red chips}",
        "kinds.colour.text: Colour",
        "values.points.less: {tiles: 1}",
        "values.points.less.debts: 1",
        "actions.give.when.odd: limit > 3",
        "actions.give.when: {even: limit > 3}",
    ],
    "insert": [
        "turn.one: {after: act, run: a}",
        "turn.two: {after: act, run: a}",
        "turn.three: {before: give, run: a}",
        "turn.four: {at: end, run: a}",
        "turn.five: {after: goal, run: a}",
        "kinds.colour.black: {before: blue}",
        "kinds.colour.grey: {after: blue}",
        "actions.take.choose.number: {before: colour, one_of: 1 to 2}",
        "actions.take.do.more: {after: take, run: a}",
        "turn.six: {after: five, run: a}",
    ],
    "extend": [
        "kinds.colour: [black]",
        "kinds.colour: [white]",
        "kinds.colour: [{gold: {en: gold chip | gold chips}}]",
        "turn.act.must: [give]",
        "components.tile.rows: [{id: tile_3, colour: red, points: 3}]",
        "components.tile.rows: [{id: tile_0, colour: red, points: 3}]",
    ],
    "drop": ["kinds.colour: [blue]", "turn.act.must: [pass]", "components.tile.rows: [tile_1]"],
    "remove": ["turn.give", "actions.give", "turn.goal", "actions.take.when.left", "parameters.limit", "turn.act"],
}


@st.composite
def written(render_full: st.DrawFn, name: str) -> str:
    """A variant file of a few changes."""
    lines = [f"variant: {name}", "for: chips"]
    for key in ("after", "requires", "conflicts"):
        others = render_full(st.lists(st.sampled_from([one for one in "abcd" if one != name]), unique=True, max_size=1))
        if others and render_full(st.integers(0, 3)) == 0:
            lines.append(f"{key}: {others}".replace("'", ""))
    chances = [(verb, one) for verb, several in OPERATIONS.items() for one in several]
    wanted = render_full(st.lists(st.sampled_from(chances), unique=True, min_size=1, max_size=3))
    for verb in OPERATIONS:
        entries = {one.partition(":")[0]: one for kind, one in wanted if kind == verb}
        if entries:
            mark = "- " if verb == "remove" else ""
            lines += [f"{verb}:", *(f"  {mark}{one}" for one in entries.values())]
    return "\n".join(lines) + "\n"


@cache
def chips() -> Document:
    """A small game."""
    document = load_document(CHIPS, Diagnostics())
    assert document is not None
    return document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the variants are written."""
    return tmp_path_factory.mktemp("variants")


@settings(max_examples=8 * EXAMPLES)
@given(st.tuples(*(written(name) for name in "abcd")), st.integers(0, 2**32))
def test_any_order_of_any_variants_gives_the_same(folder: Path, texts: tuple[str, ...], seed: int) -> None:
    """Whatever is written, and however little of it goes together: nothing is decided by who is named first."""
    found: list[Variant] = []
    for name, text in zip("abcd", texts, strict=True):
        (folder / f"{name}.yaml").write_text(text)
        diagnostics = Diagnostics()
        one = load_variant(folder / f"{name}.yaml", diagnostics)
        assert one is not None, [render_full(one) for one in diagnostics]
        found.append(one)

    def applied(variants: list[Variant]) -> tuple[object, list[str]]:
        diagnostics = Diagnostics()
        document = apply_variants(chips(), variants, diagnostics)
        assert isinstance(document.root, MappingNode)
        return to_builtins(document.root), [render_full(one) for one in diagnostics]

    assert applied(random.Random(seed).sample(found, 4)) == applied(found)


@settings(max_examples=8 * EXAMPLES)
@given(st.tuples(*(written(name) for name in "ab")))
def test_names_of_variants_decide_nothing(folder: Path, texts: tuple[str, ...]) -> None:
    """Two that go together give the same rules when they swap their names, but for the order of what both add."""

    def applied(names: str) -> tuple[object, bool]:
        found, diagnostics = list[Variant](), Diagnostics()
        for name, text in zip(names, texts, strict=True):
            body = "\n".join(
                line for line in text.splitlines()[1:] if not line.startswith(("after", "requires", "conf"))
            )
            (folder / f"{name}.yaml").write_text(f"variant: {name}\n{body}\n")
            one = load_variant(folder / f"{name}.yaml", diagnostics)
            assert one is not None
            found.append(one)
        document = apply_variants(chips(), found, diagnostics)
        return unordered(to_builtins(document.root)), diagnostics.error_count == 0

    one, fine = applied("ab")
    other, fine_too = applied("ba")
    assert fine == fine_too
    assert not fine or one == other


def unordered(data: object, *, steps: bool = False) -> object:
    """The same for two that differ only in the order of names; the order of steps counts."""
    if isinstance(data, dict):
        inner = [(key, unordered(value, steps=key in ("turn", "ranking", "do"))) for key, value in data.items()]
        return inner if steps else sorted(inner, key=str)
    return sorted(map(str, data)) if isinstance(data, list) else data
