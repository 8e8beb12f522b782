"""The schema of a game's variants: right for all of them, wrong for an address that the game does not have."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry

from case_files import expected
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
        ("insert: {turn.more: {after: act, before: act, may: [pass]}}", False),
        ("insert: {turn.more: {may: [pass]}}", False),
        ("insert: {turn.more: {after: nothing, may: [pass]}}", False),
        ("insert: {turn.more: {after: act, may: [pass]}, turn.last: {after: more, may: [pass]}}", True),
        ("insert: {turn.more: {after: act}}", False),
        ("insert: {turn.more: {after: act, move: 1 of gold}}", False),
        ("insert: {turn.more: {after: act, move: 1 of gold, from: supply, to: purse(me)}}", True),
        ("insert: {turn.more: {after: act, run: gold_for_reserving, set: x, to: 1}}", False),
        ("insert: {turn.more: {after: act, one_of: gem}}", False),
        ("insert: {actions.buy.choose.more: {after: card, one_of: gem}}", True),
        ("insert: {actions.buy.choose.more: {after: card, run: gold_for_reserving}}", False),
        ("insert: {actions.buy.when.more: {at: end, is: true, why: No.}}", False),
        ("insert: {ranking.more: {at: end, most: count(purse(player))}}", True),
        ("insert: {ranking.more: {at: end, may: [pass]}}", False),
        ("insert: {kinds.gem.opal: {after: ruby}}", True),
        ("insert: {kinds.gem.opal: {after: opal}}", False),
        ("drop: {kinds.gem: [ruby]}", True),
        ("drop: {kinds.gem: [rubby]}", False),
        ("drop: {kinds.gem: ruby}", False),
        ("drop: {components.card.rows: [l1_onyx_8], turn.act.must: [buy]}", True),
        ("drop: {components.card.rows: [l1_onyx_9]}", False),
        ("drop: {actions.buy.when: [payable]}", False),
        ("extend: {parameters.token_limit: [more]}", False),
        ("extend: {turn.act.must: [more]}", True),
        ("sentences: {actions.buy: Buy., actions.buy.choose.card.why: No., zones.market.title: The shop}", True),
        ("sentences: {kinds.gem.ruby: a red one, game: Another one., turn.title: What happens}", True),
        ("sentences: {acctions.buy: Buy.}", False),
        ("sentences: {actions.byu: Buy.}", False),
        ("sentences: {actions.buy.wen.payable: Buy.}", False),
        ("sentences: {actions.buy: 5}", False),
        ("sentences: {actions.bid: Bid., actions.bid.when.rich.why: No.}\nadd: {actions.bid: {do: []}}", True),
        ("sentences: {book.aim: It is a race.}", False),
        ("still_true: [book.nothing]\nset: {parameters.token_limit: 9}", False),
        ("set: {parameters.last_round: 9}", False),
        ("requires: dry-mines\nset: {parameters.last_round: 9}", True),
        ("requires: [orient]\nset: {parameters.last_round: 9}", False),
    ],
)
def test_an_address_is_judged_by_what_the_change_needs(change: str, *, is_right: bool) -> None:
    data = yaml.safe_load(f"variant: x\nfor: splendor\n{change}")
    assert (errors(validator_of("splendor"), data) == []) is is_right


CASES = Path(__file__).parent / "diagnostics" / "overlay"
ADDRESS_CODES = {"no-such-address", "no-such-sibling", "not-a-list", "not-an-ordered-list", "insert-place"}
CHANGES = ("sentences", "insert", "drop", "extend")
BESIDE_OTHERS = {"removed-below", "chain"}  # cases that hang on what other variants remove, or the variant itself adds


def test_what_the_checker_says_of_addresses_the_schema_says_too() -> None:
    """Where it depends on nothing but the game: not on what other variants remove."""
    document = load_document(CASES / "base", Diagnostics())
    assert document is not None
    validator = Draft202012Validator(variant_schema(document), registry=Registry())
    found = 0
    for path in sorted(CASES.rglob("*.yaml")):
        text = path.read_bytes().decode("utf-8", "replace")
        if not text.partition("\n")[2].startswith("variant:") or {path.stem, path.parent.name} & BESIDE_OTHERS:
            continue
        data = yaml.safe_load(text)
        lines = {line for line, code, _ in expected(text) if code in ADDRESS_CODES}
        for key, value in yaml.compose(text).value:
            entries = value.value if key.value in CHANGES and isinstance(value, yaml.MappingNode) else ()
            for name, _ in entries:
                if name.start_mark.line + 1 in lines:
                    one = {key.value: {name.value: data[key.value][name.value]}}
                    assert errors(validator, {"variant": "x", "for": document.name, **one}), (path, one)
                    found += 1
    assert found > 15


@pytest.mark.parametrize("change", ["set", "adjust", "extend", "drop", "sentences"])
def test_an_object_of_changes_lists_the_addresses_that_editors_offer_as_keys(change: str) -> None:
    schema = validator_of("nim").schema
    shape = schema["$defs"]["variant"]["properties"][change]
    offered = {
        address
        for names in shape["propertyNames"]["anyOf"]
        for address in schema["$defs"].get(names["$ref"].rpartition("/")[2], {}).get("enum", ())
    }
    assert shape["type"] == "object"
    assert ("turn.take.must" if change in ("extend", "drop") else "invariants.total.is") in offered


def test_the_command_writes_it(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "variant.schema.json"
    assert run_cli("schema", "nim", "-o", str(path)) == 0
    assert "turn" in json.loads(path.read_text(encoding="utf-8"))["$defs"]["address"]["enum"]
    assert run_cli("schema", "nothing") == 2
