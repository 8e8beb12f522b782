"""Every rule of the shipped game says in its languages what it is, where it comes from, and how sure that is."""

from __future__ import annotations

import pytest

from rulewright.diagnostics import Report
from rulewright.model.load import default_game, load_rules, player_counts, resolve

HEAD = {"game", "version", "language", "players", "overlays", "files", "texts", "text", "source", "status"}
STATUSES = {"official", "manual", "guide", "ruling", "own"}


def counts() -> range:
    resolved = resolve(default_game(), None, (), Report())
    assert resolved is not None
    fewest, most = player_counts(resolved.document)
    return range(fewest, most + 1)


@pytest.mark.parametrize("players", counts())
def test_every_rule_has_a_source_and_a_status(players: int) -> None:
    rules = load_rules(players=players)
    bare = [
        address
        for address, note in rules.notes.items()
        if address.count(".") == 1
        and address.split(".")[0] not in {*HEAD, "book"}
        and not (note.source and note.status)
    ]
    answers = [passage.address for passage in rules.book if passage.at == "questions"]
    bare += [one for one in answers if not (rules.notes[one].source and rules.notes[one].status)]
    assert bare == []
    assert {note.status for note in rules.notes.values() if note.status} <= STATUSES
    assert all(work in rules.works for note in rules.notes.values() for work, _ in note.source)


@pytest.mark.parametrize("players", counts())
def test_every_sentence_is_there_in_every_language(players: int) -> None:
    rules = load_rules(players=players)
    english = set(rules.languages["en"].sentences)
    assert len(english) > 100
    assert {code for code, one in rules.languages.items() if set(one.sentences) != english} == set()
