"""What is remembered from one build of rules to the next changes nothing: neither the rules nor what is reported.

Every shipped variant and the games with words exchanged at random are built with what other builds left behind, and
anew; so are files judged that somebody writes in an editor.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import count
from pathlib import Path

import pytest

from rulewright.bundle import bundle_folder
from rulewright.checker.clean_meanings import CleanMeanings
from rulewright.checker.known_games import KnownGame
from rulewright.checker.lint import build_and_lint
from rulewright.checker.open_file_check import check_open_file
from rulewright.diagnostics import Diagnostics, render_full
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.expr.codes import UNKNOWN_NAME
from rulewright.expr.remembered import reading_anew, recall, same_symbol
from rulewright.expr.scope import ParameterSymbol, Scope
from rulewright.expr.types import SEAT, KindInfo, Number
from rulewright.model.allowed_players import common_player_counts
from rulewright.model.loader import Composition, compose_document
from rulewright.model.locate import available_games, available_variants, find_game
from rulewright.model.rules import Rules
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.unsaved import hold_text, release_text
from rulewright.variants.variant import load_variant, variants_read_once

WORDS = ("me", "player", "count", "0", "100", "1 to 3", "nothing", "not", "<=", "==", "(", "{", "}", "all", "")
QUICK_SAMPLE = 4  # of the shipped games, plain and with each variant, every fourth


def build(composition: Composition) -> tuple[list[str], dict[str, object]]:
    """All diagnostics as printed, and the rules field by field."""
    diagnostics = Diagnostics()
    rules = build_and_lint(
        composition.document,
        composition.players,
        diagnostics,
        variants=composition.variant_names,
        applied=composition.applied_variants,
    )
    return [render_full(diagnostic) for diagnostic in diagnostics], _parts(rules)


def _parts(rules: Rules | None) -> dict[str, object]:
    """The fields of rules, but for the functions that explain them."""
    names = [] if rules is None else [part.name for part in fields(rules) if part.name != "explanations"]
    return {name: getattr(rules, name) for name in names}


def differences(composition: Composition) -> list[str]:
    """What is reported or built differently with what is remembered; two builds, so that the second remembers all."""
    with reading_anew():
        messages, parts = build(composition)
    found = []
    for remembered_messages, remembered in (build(composition), build(composition)):
        found += ["messages"] * (remembered_messages != messages)
        found += [name for name in parts.keys() | remembered.keys() if parts.get(name) != remembered.get(name)]
    return found


def compositions(every: int = 1) -> Iterator[Composition]:
    """The shipped games at every number of players, and with each of their variants at one after the other; of all
    these as many as are asked for: one in `every`.
    """
    for number, (document, names, players) in enumerate(settings()):
        if number % every == 0:
            composition = compose_document(document, players, names, Diagnostics())
            assert composition is not None, (document.name, names, players)
            yield composition


def settings() -> Iterator[tuple[Document, list[str], int]]:
    """Games, variants and numbers of players."""
    turns = count()
    for game in available_games():
        document = shipped_document(game)
        for path in (None, *available_variants(game, document.path).values()):
            variant = None if path is None else load_variant(path, Diagnostics())
            counts = common_player_counts(document, [] if variant is None else [variant])
            names = [] if variant is None else [str(path), *sorted(variant.requires)]
            for players in counts if path is None else [counts[next(turns) % len(counts)]]:
                yield document, names, players


def shipped_document(game: str) -> Document:
    """A shipped game."""
    document = load_document(find_game(game), Diagnostics())
    assert document is not None
    return document


def with_words_exchanged(composition: Composition, rng: random.Random) -> Composition:
    """The same game with something else in the place of a word, anywhere in its expressions and sentences."""
    root = composition.document.root
    scalars = [node for node in scalars_in(root) if isinstance(node.value, str) and " " in node.text]
    chosen = rng.choice(scalars)
    words = chosen.text.split(" ")
    words[rng.randrange(len(words))] = rng.choice([*WORDS, *rng.choice(scalars).text.split(" ")])
    text = " ".join(words)
    changed = replaced(root, chosen, replace(chosen, text=text, value=text, offsets=(chosen.span.start,) * 10_000))
    assert isinstance(changed, MappingNode)
    return replace(composition, document=replace(composition.document, root=changed))


def scalars_in(node: Node) -> Iterator[ScalarNode]:
    """All values below a node."""
    match node:
        case ScalarNode():
            yield node
        case MappingNode(entries=entries):
            for entry in entries:
                yield from scalars_in(entry.value)
        case SequenceNode(items=items):
            for item in items:
                yield from scalars_in(item)


def replaced(node: Node, old: ScalarNode, new: ScalarNode) -> Node:
    """The tree with another node in the place of one."""
    match node:
        case ScalarNode():
            return new if node is old else node
        case MappingNode(entries=entries, span=span):
            made = [(entry, replaced(entry.value, old, new)) for entry in entries]
            if all(entry.value is value for entry, value in made):
                return node
            return MappingNode(tuple(Entry(entry.key, value, entry.history) for entry, value in made), span)
        case SequenceNode(items=items, span=span):
            values = tuple(replaced(item, old, new) for item in items)
            return node if all(a is b for a, b in zip(items, values, strict=True)) else SequenceNode(values, span)


def test_a_sample_of_shipped_rules_is_the_same() -> None:
    assert not compared(compositions(every=QUICK_SAMPLE))


@pytest.mark.slow
def test_all_shipped_rules_are_the_same() -> None:
    every = list(compositions())
    assert len(every) > len(list(bundle_folder("variants").rglob("*.yaml"))) / 2
    assert not compared(every)


def compared(some: Iterable[Composition]) -> dict[tuple[str, tuple[str, ...], int], list[str]]:
    """The compositions in which something differs."""
    return {
        (each.document.name, each.variant_names, each.players): found for each in some if (found := differences(each))
    }


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 48))])
def test_damaged_rules_are_the_same(seed: int) -> None:
    """Also what is wrong is reported as often, with the same words, at the same places."""
    rng = random.Random(seed)
    game = rng.choice(available_games())
    document = shipped_document(game)
    composition = compose_document(document, rng.choice(common_player_counts(document, [])), (), Diagnostics())
    assert composition is not None
    for _ in range(rng.randrange(1, 4)):
        composition = with_words_exchanged(composition, rng)
    assert differences(composition) == []


# ---- files that somebody is writing ------------------------------------------------------------------------------

SMALL_GAMES = ("kuhn-poker", "nim", "tic-tac-toe", "wrack-line")
NEW_LINES = 0.3  # of all edits
EDITS = 3  # one after another, of one file


def found_in(path: Path, judged: dict[Path, KnownGame], clean: CleanMeanings) -> list[str]:
    """What an editor is told of a file."""
    *_, found = check_open_file(path, judged, clean)
    return sorted(render_full(diagnostic) for diagnostic in found.diagnostics)


def edited(text: str, rng: random.Random) -> str:
    """The text with another word or number somewhere, or with a comment or an empty line more."""
    if rng.random() < NEW_LINES:
        lines = text.split("\n")
        lines.insert(rng.randrange(len(lines)), rng.choice(["", "# a note"]))
        return "\n".join(lines)
    places = [*re.finditer(r"\w+", text)]
    place, other = rng.choice(places), rng.choice(places)[0]
    return text[: place.start()] + (str(rng.randrange(12)) if place[0].isdecimal() else other) + text[place.end() :]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("games", "seed"),
    [
        *((SMALL_GAMES, seed) for seed in range(6)),
        *(pytest.param(None, seed, marks=pytest.mark.slow) for seed in range(6, 30)),
    ],
)
def test_a_file_that_is_written_is_judged_as_if_it_were_new(games: Sequence[str] | None, seed: int) -> None:
    """Variants and files of games, edited at random: with what earlier checks left behind, and without anything."""
    rng = random.Random(seed)
    game = rng.choice(games or available_games())
    variants = [*available_variants(game, find_game(game)).values()]
    files = [*find_game(game).rglob("*.yaml")] if find_game(game).is_dir() else [find_game(game)]
    path = rng.choice(rng.choice([files, variants or files]))
    judged: dict[Path, KnownGame] = {}
    clean = CleanMeanings()
    text = path.read_text(encoding="utf-8")
    try:
        for _ in range(EDITS):
            hold_text(path, text)
            found = found_in(path, judged if path in variants else {}, clean)
            with reading_anew():
                anew = found_in(path, {}, CleanMeanings())
            assert found == anew
            text = edited(text, rng)
    finally:
        release_text(path)


def test_variants_are_read_once_while_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "short.yaml"
    path.write_text("variant: short\nfor: nim\ntext: Short\nset: {parameters.goal: 3}\n", encoding="utf-8")
    with variants_read_once():
        first = load_variant(path, Diagnostics())
        path.write_text("variant: [\n", encoding="utf-8")
        assert load_variant(path, Diagnostics()) is first is not None
    for _ in range(2):  # nothing of it is left
        diagnostics = Diagnostics()
        assert load_variant(path, diagnostics) is None
        assert diagnostics.error_count == 1


# ---- the memory itself ------------------------------------------------------------------------------------------


def scope_with(low: int, high: int, **more: int) -> Scope:
    """A scope with a parameter of a type, and others."""
    symbols = {"size": same_symbol("size", ParameterSymbol(Number(low, high)))}
    others = {name: same_symbol(name, ParameterSymbol(Number(0, value))) for name, value in more.items()}
    return Scope({**symbols, **others}, {})


def read_size(scope: Scope) -> object:
    return recall(
        ("a test", "size"), scope, Diagnostics(), lambda names: [names.symbols["size"], "other" in names.symbols]
    )


def test_a_name_with_another_meaning_is_read_again() -> None:
    first = read_size(scope_with(1, 3))
    assert read_size(scope_with(1, 3)) is first
    assert read_size(scope_with(1, 3, unrelated=4)) is first
    assert read_size(scope_with(1, 4)) is not first
    assert read_size(scope_with(1, 3)) is first
    assert read_size(scope_with(1, 3, other=4)) is not first  # a name that was not there


def scope_of_players(players: int) -> Scope:
    """A scope for a number of players."""
    seats = tuple(range(players))
    kind = same_symbol(SEAT.kind, KindInfo(SEAT.kind, tuple(map(str, seats)), seats, family=SEAT.kind))
    return Scope(scope_with(1, 3).symbols, {SEAT.kind: kind})


@pytest.mark.parametrize("counts", [(2, 3), (3, 2)])
def test_only_what_asks_how_many_play_is_read_again_at_another_number(counts: tuple[int, int]) -> None:
    sizes = [read_size(scope_of_players(players)) for players in counts]
    assert sizes[0] is sizes[1]
    numbers = [
        recall(("a test", "players"), scope_of_players(players), None, lambda names: [names.players])
        for players in (*counts, *counts)
    ]
    assert numbers == [[players] for players in (*counts, *counts)]
    assert numbers[0] is numbers[2]


def test_what_reports_is_read_again() -> None:
    diagnostics, span = Diagnostics(), shipped_document(available_games()[0]).root.span

    def read(_: Scope) -> list[int]:
        diagnostics.add(span, UNKNOWN_NAME, "no such name")
        return [1]

    for _ in range(2):  # the second report of the same problem is dropped, and yet it was one
        assert recall(("a test", "faulty"), scope_with(1, 3), diagnostics, read) == [1]
    assert recall(("a test", "faulty"), scope_with(1, 3), diagnostics, lambda _: [2]) == [2]


def test_what_lists_all_names_is_read_again() -> None:
    def read() -> list[str]:
        return recall(("a test", "list"), scope_with(1, 3), None, lambda names: [*names.symbols])

    assert read() == ["size"]
    assert read() is not read()
