"""Every rule of the shipped games says in their languages what it is, where it comes from, and how sure that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from positions import counts_of
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games

pytestmark = pytest.mark.slow

HEAD = {"game", "version", "language", "players", "files", "texts", "text", "source", "status"}
STATUSES = {"official", "manual", "guide", "ruling", "own"}


def tables() -> list[tuple[str, int]]:
    return [(game, players) for game in available_games() for players in counts_of(game)]


@pytest.mark.parametrize(("game", "players"), tables())
def test_every_rule_has_a_source_and_a_status(game: str, players: int) -> None:
    rules = load_rules(game, players=players)
    bare = [
        address
        for address, note in rules.provenance.items()
        if address.count(".") == 1
        and address.split(".")[0] not in {*HEAD, "book"}
        and not (note.source and note.status)
    ]
    book = rules.explanations.book()
    answers = [book.provenance[passage.address] for passage in book.passages if passage.topic == "questions"]
    bare += [note.address for note in answers if not (note.source and note.status)]
    assert bare == []
    assert {note.status for note in book.provenance.values() if note.status} <= STATUSES
    assert all(work in rules.explanations.works() for note in book.provenance.values() for work, _ in note.source)


@pytest.mark.parametrize(("game", "players"), tables())
def test_every_rule_has_a_sentence_in_every_language(game: str, players: int) -> None:
    rules = load_rules(game, players=players)
    book = rules.explanations.book()
    english = set(book.languages["en"].sentences)
    assert len(english) > 20
    assert {code for code, one in book.languages.items() if set(one.sentences) != english} == set()
    assert len(rules.languages) > 1
    silent = [
        address
        for address in book.provenance
        if address.count(".") == 1
        and address.split(".")[0] not in (*HEAD, "procedures")
        and not {address, f"{address}.title"} & english
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("variant", "address", "status"),
    [
        ("hidden-hands", "zones.hand", "own"),  # a key is added
        ("hidden-hands", "zones.deck", "official"),
        ("help-for-the-last", "actions.buy.choose.payment", "own"),
        ("help-for-the-last", "actions.buy.choose.card", "official"),
        ("play-to-12", "parameters.target_prestige", "own"),
        ("play-to-12", "turn.goal", "official"),  # what reads the new number stays what it was
        ("target_prestige=12", "parameters.target_prestige", "own"),
    ],
)
def test_what_a_variant_changes_is_no_longer_the_source_s(variant: str, address: str, status: str) -> None:
    note = load_rules("splendor", variants=[variant]).provenance[address]
    assert note.status == status
    assert bool(note.source) == (status != "own")


@pytest.mark.parametrize("name", ["move", "finish", "refill", "by"])
def test_what_stands_beside_an_item_named_like_a_key_keeps_its_source(name: str, tmp_path: Path) -> None:
    path = tmp_path / "more.yaml"
    path.write_text(
        f"variant: more\nfor: splendor\ninsert: {{turn.{name}: {{at: end, when: round_number > 70, end_game: now}}}}\n",
        encoding="utf-8",
    )
    notes = load_rules("splendor", variants=[str(path)]).provenance
    assert (notes["turn.goal"].status, notes["turn.goal"].variant) == ("official", "")
    assert (notes[f"turn.{name}"].status, notes[f"turn.{name}"].source) == ("own", ())
