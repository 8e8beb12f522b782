"""The schema of a game's variants: right for all of them, wrong for an address that the game does not have."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry

from command_line import CommandLine
from rulewright.diagnostics import Diagnostics
from rulewright.document.document_reader import load_document
from rulewright.editor.variant_schemas import variant_schema
from rulewright.model.locate import available_games, available_variants, find_game


@cache
def validator_of(game: str) -> Draft202012Validator:
    document = load_document(find_game(game), Diagnostics())
    assert document is not None
    schema = variant_schema(document)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, registry=Registry())  # which reads no other file


def errors(validator: Draft202012Validator, data: object) -> list[str]:
    return [error.message for error in validator.iter_errors(data)]


@pytest.mark.parametrize("game", [game for game in available_games() if available_variants(game)])
def test_shipped_variants_are_right(game: str) -> None:
    validator = validator_of(game)
    for path in available_variants(game).values():
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert errors(validator, data) == [], path


@pytest.mark.parametrize("game", [game for game in available_games() if available_variants(game)])
def test_a_variant_of_what_the_game_does_not_have_is_wrong(game: str) -> None:
    validator = validator_of(game)
    files = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in available_variants(game).values()]
    data = next(data for data in files if "joins" not in data)
    assert validator.is_valid(data)
    for wrong in ({"set": {"zones.nowhere.at_most": 1}}, {"remove": ["zones.nowhere"]}, {"for": "nothing"}):
        assert not validator.is_valid({**data, **wrong}), wrong


@pytest.mark.parametrize(
    ("change", "is_right"),
    [
        ("add: {actions.buy.when.late: {is: round_number > 3, why: Later.}}", True),
        ("add: {actions.pass.choose.level: {one_of: level}}", True),
        ("add: {values.price.less.gift: 1 of ruby}", True),
        ("add: {procedures.shuffle: [all: {move: all, from: deck(1), to: deck(2)}]}", True),
        ("add: {actions.byu.when.late: {is: round_number > 3, why: Later.}}", False),
        ("add: {actions.buy.wen.late: {is: round_number > 3, why: Later.}}", False),
        ("add: {zoens.tray: {holds: token, seen_by: all}}", False),
        ("insert: {turn.more: {after: act, may: [pass]}}", True),
        ("insert: {actions.buy.do.more: {at: end, run: gold_for_reserving}}", True),
        ("insert: {trun.more: {after: act, may: [pass]}}", False),
        ("still_true: [book.nothing]\nset: {parameters.token_limit: 9}", False),
        ("set: {parameters.last_round: 9}", False),
        ("requires: dry-mines\nset: {parameters.last_round: 9}", True),
        ("requires: [orient]\nset: {parameters.last_round: 9}", False),
    ],
)
def test_an_address_is_judged_by_what_the_change_needs(change: str, *, is_right: bool) -> None:
    data = yaml.safe_load(f"variant: x\nfor: splendor\n{change}")
    assert (errors(validator_of("splendor"), data) == []) is is_right


def test_the_command_writes_it(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "variant.schema.json"
    assert run_cli("schema", "nim", "-o", str(path)) == 0
    assert "turn" in json.loads(path.read_text(encoding="utf-8"))["$defs"]["address"]["enum"]
    assert run_cli("schema", "nothing") == 2
