"""The schema of a game's variants: right for all of them, wrong for an address that the game does not have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from command_line import CommandLine
from rulewright.diagnostics import Diagnostics
from rulewright.document.document_reader import load_document
from rulewright.editor.variant_schemas import variant_schema
from rulewright.model.locate import available_games, available_variants, find_game


def read(uri: str) -> Resource[Any]:
    return Resource.from_contents(json.loads(Path(urlsplit(uri).path).read_text(encoding="utf-8")))


def validator_of(game: str) -> Draft202012Validator:
    document = load_document(find_game(game), Diagnostics())
    assert document is not None
    return Draft202012Validator(variant_schema(document), registry=Registry(retrieve=read))


def errors(validator: Draft202012Validator, data: object) -> list[str]:
    return [error.message for error in validator.iter_errors(data)]


@pytest.mark.parametrize("game", [game for game in available_games() if available_variants(game)])
def test_shipped_variants_are_right(game: str) -> None:
    validator = validator_of(game)
    for path in available_variants(game).values():
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "joins" in data:
            continue  # a joint file is of another kind
        assert errors(validator, data) == [], path


@pytest.mark.parametrize("game", [game for game in available_games() if available_variants(game)])
def test_a_variant_of_what_the_game_does_not_have_is_wrong(game: str) -> None:
    validator = validator_of(game)
    files = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in available_variants(game).values()]
    data = next(data for data in files if "joins" not in data)
    assert validator.is_valid(data)
    for wrong in ({"set": {"zones.nowhere.at_most": 1}}, {"remove": ["zones.nowhere"]}, {"for": "nothing"}):
        assert not validator.is_valid({**data, **wrong}), wrong


def test_the_command_writes_it(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "variant.schema.json"
    assert run_cli("schema", "nim", "-o", str(path)) == 0
    assert "turn" in json.loads(path.read_text(encoding="utf-8"))["$defs"]["address"]["enum"]
    assert run_cli("schema", "nothing") == 2
