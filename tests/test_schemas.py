"""The schemas are valid, closed, explained throughout, and say the same as the program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from rulewright import bundle
from rulewright.document import codes, language
from rulewright.document.language import ANNOTATIONS, GAME_SECTIONS, HEAD_KEYS
from rulewright.document.schemas import FILE_KINDS, tagged_unions
from rulewright.document.schemas import load_schemas as of_the_program
from rulewright.document.violation_messages import VIOLATION_REPORTERS
from rulewright.model.glyphs import COLOUR_CODES

FOLDER = bundle.bundle_folder("schemas")
BASE = "file:///schemas/"
ROOT = Path(__file__).parent.parent
TESTS = ("equilibrium", "expressions", "rulings", "yardsticks", "refused")  # kinds of files that only tests read
NAMES = (*FILE_KINDS, "language", *TESTS)
# where any key may stand: fields of rows, zones and values of a position
OPEN = {"a row", "a position", "content by name", "a condition of a step"}
SILENT = {
    "$schema", "$defs", "$ref", "title", "description", "examples", "properties", "patternProperties", "propertyNames",
    "items", "if", "then", "else",
}  # fmt: skip


@cache
def schemas() -> dict[str, dict[str, Any]]:
    ours = {name: json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")) for name in TESTS}
    return {**of_the_program(), **ours}


def registry() -> Registry[Any]:
    pairs = [(f"{BASE}{name}.schema.json", DRAFT202012.create_resource(schemas()[name])) for name in NAMES]
    return Registry().with_resources(pairs)


def target(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """What a `$ref` of the schema of that name leads to."""
    reference = schema.get("$ref")
    if reference is None:
        return schema
    file, _, pointer = str(reference).partition("#")
    found: Any = schemas()[file.removesuffix(".schema.json") or name]
    for part in pointer.strip("/").split("/"):
        found = found[part]
    return dict(found)


def below(schema: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every subschema with its place."""
    if not isinstance(schema, dict):
        return
    yield where, schema
    for key in ("properties", "patternProperties", "$defs"):
        for name, part in schema.get(key, {}).items():
            yield from below(part, f"{where}.{key}.{name}")
    for key in ("items", "additionalProperties", "propertyNames", "if", "then", "else"):
        yield from below(schema.get(key), f"{where}.{key}")


def every() -> list[tuple[str, str, dict[str, Any]]]:
    return [(name, where, part) for name in NAMES for where, part in below(schemas()[name], name)]


@pytest.mark.parametrize("name", NAMES)
def test_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(schemas()[name])


def test_every_key_is_described_and_has_an_example() -> None:
    for name, _, part in every():
        for key, value in {
            **part.get("properties", {}),
            **part.get("patternProperties", {}),
            **part.get("$defs", {}),
        }.items():
            for word in ("description", "examples"):
                assert value.get(word) or target(value, name).get(word), f"{name}: {key} without {word}"


def test_every_example_is_right() -> None:
    known = registry()
    for name, where, part in every():
        # a reference is resolved against the file that it stands in
        base = json.loads(json.dumps(part).replace('"#/', f'"{BASE}{name}.schema.json#/'))
        base = json.loads(re.sub(r'"(\w+\.schema\.json)', rf'"{BASE}\1', json.dumps(base)))
        for example in part.get("examples", []):
            faults = list(Draft202012Validator(base, registry=known).iter_errors(example))
            assert not faults, f"{where}: {example}: {faults[0].message}"


def test_mappings_are_closed() -> None:
    for _, where, part in every():
        if "properties" in part and not where.endswith((".if", ".then")):
            assert part.get("additionalProperties") is False or part["title"] in OPEN, where


def test_no_union_is_anonymous() -> None:
    for _, where, part in every():
        assert "oneOf" not in part, where
        assert "allOf" not in part, where
        if "anyOf" in part:
            assert all(list(option) == ["required"] for option in part["anyOf"]), where


def test_every_keyword_has_a_sentence() -> None:
    used = {key for name, _, part in every() if name not in TESTS for key in part}
    assert used - SILENT - set(ANNOTATIONS) - set(VIOLATION_REPORTERS) == set()


def test_annotations_are_known_and_used() -> None:
    used = {key for name, _, part in every() for key in part if key.startswith("x-")}
    assert used == set(ANNOTATIONS)


def test_the_shape_of_the_language_follows_from_its_schemas() -> None:
    assert language.HEAD_KEYS == (
        "game", "version", "language", "text", "players", "files", "texts", "allow", "sentences",
        "source", "status",
    )  # fmt: skip
    assert language.GAME_SECTIONS == (
        "kinds", "parameters", "components", "zones", "values", "state", "setup", "actions", "procedures", "turn",
        "round", "finale", "ranking", "invariants", "measures", "evaluation", "strategies", "book",
    )  # fmt: skip
    assert language.FIXED_KEYS == ("game", "version", "language", "files", "texts", "allow", "sentences")
    assert language.ORDERED_LIST_DEPTHS == {
        "setup": 1, "actions": 3, "procedures": 3, "turn": 1, "round": 1, "finale": 1, "ranking": 1,
    }  # fmt: skip
    assert language.FLOW_SECTIONS == ("setup", "turn", "round", "finale")
    assert language.OFFER_VERBS == ("must", "may", "together")
    lines = {"lines_of", "length", "along", "both_ways"}
    assert set(language.KIND_KEYS) == {"members", "names", "grid", *lines, "text", "source", "status"}
    assert set(language.KIND_NAME_KEYS) == {"names", "text", "source", "status"}


@pytest.mark.parametrize(
    ("address", "key", "is_condition"),
    [
        ("kinds.colour.red", "", False),
        ("parameters.goal", "value", False),
        ("components.tile.fields.points", "type", False),
        ("components.tile.rows.tile_1.points", "", False),
        ("values.points", "is", False),
        ("values.points.sum.tiles", "is", False),
        ("values.points.less.tiles", "is", False),
        ("values.points.per", "", False),
        ("invariants.few", "is", True),
        ("invariants.few.is", "", True),
        ("measures.length", "is", False),
        ("evaluation.lead", "is", False),
        ("strategies.bold.terms.lead", "is", False),
        ("actions.take.choose.tile", "", False),
        ("actions.take.when.left", "is", True),
        ("actions.take.do.pay.when", "is", True),
        ("actions.take.do.pay.when.rich", "is", True),
        ("actions.take.do.pay.do.again.when", "is", True),
        ("turn.act.must.take", "", False),
        ("turn.act.must.take.late", "is", True),
        ("procedures.score.do.each.may.take.late", "is", True),
        ("ranking.points", "", False),
        ("no.such.address", "", False),
    ],
)
def test_bare_values_and_conditions(address: str, key: str, is_condition: bool) -> None:
    parts = tuple(address.split("."))
    assert (language.principal_key(parts), language.is_condition(parts)) == (key, is_condition)


def test_unions_ask_for_each_of_their_keys() -> None:
    definitions = schemas()["language"]["$defs"]
    for name, union in tagged_unions().items():
        chain, asked = definitions[name], []
        chain = chain["then"] if "then" in chain and "$ref" not in chain["then"] else chain
        while "if" in chain:
            (verb,) = chain["if"]["required"]
            assert chain["then"]["$ref"] == f"#/$defs/{name}_{verb}"
            branch = definitions[f"{name}_{verb}"]
            assert verb in branch["required"]
            assert (branch["x-union"], branch["x-verb"]) == (name, verb)
            asked.append(verb)
            chain = chain["else"]
        assert tuple(asked) == union.verbs
        assert chain["$ref"] == f"#/$defs/{name}_any"


def test_the_colours_of_a_table_are_those_that_are_drawn() -> None:
    looks = schemas()["display"]["properties"]["members"]["additionalProperties"]["properties"]
    assert f"One of the words {', '.join(COLOUR_CODES)}; or #rrggbb" in looks["colour"]["description"]
    page = (ROOT / "rules" / "reference" / "display.md").read_text(encoding="utf-8")
    assert f"`colour` (`{' '.join(COLOUR_CODES)}`, or `#rrggbb`" in page


def test_a_title_is_a_noun_that_a_message_can_name() -> None:
    for name, where, part in every():
        assert name in TESTS or not re.match(r"(when|how|what|who|whether) ", part.get("title", "")), where


def test_sections_are_those_of_the_program() -> None:
    assert tuple(schemas()["game"]["properties"]) == (*HEAD_KEYS, *GAME_SECTIONS)
    part = tuple(schemas()["part_of"]["properties"])
    assert part[-len(GAME_SECTIONS) :] == tuple(GAME_SECTIONS)


def test_the_first_key_names_the_kind() -> None:
    for kind in FILE_KINDS:
        schema = schemas()[kind]
        assert next(iter(schema["properties"])) == kind == schema["required"][0]


def test_no_file_of_ours_is_left_over() -> None:
    others = {"protocol", "state", "record"}
    assert {path.name.removesuffix(".schema.json") for path in FOLDER.iterdir()} - others == set(NAMES)


# ---- the files that name a schema

LINE = re.compile(r"# yaml-language-server: \$schema=(\S+)")
YAML = sorted(path for path in ROOT.rglob("*.yaml") if "/." not in f"/{path.relative_to(ROOT).as_posix()}")
CASES = ROOT / "tests" / "diagnostics"
EXPLANATIONS = ROOT / "interpreter" / "rulewright" / "explanations"
NAMES_NONE = {
    **dict.fromkeys(EXPLANATIONS.glob("*.yaml"), "examples of rules, right and wrong, which are data of the program"),
    CASES / "shape" / "misspelled-kind.yaml": "its kind is misspelled",
    ROOT / "tests" / "fixes" / "certain.yaml": "lines with what becomes of them, which their test reads",
    ROOT / "tests" / "perft_counts.yaml": "numbers by game, which their test reads",
    ROOT / "tests" / "published_perft.yaml": "numbers by game, which their test reads",
    ROOT / "tests" / "slow_games.yaml": "numbers by game, which the tests read that sample games",
    CASES / "yaml" / "empty-file.yaml": "it is empty",
    CASES / "yaml" / "utf16.yaml": "its bytes are no UTF-8 from the first on",
    CASES / "yaml" / "empty-key-at-the-start.yaml": "what is wrong is its first character",
    CASES / "yaml" / "missing-colon-at-the-start.yaml": "what is wrong is its first line",
    CASES / "yaml" / "missing-space-at-the-start.yaml": "what is wrong is its first line",
}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def first_line(path: Path) -> str:
    # a byte-order mark and what is no UTF-8 belong to some cases
    return path.read_bytes().decode("utf-8-sig", "replace").partition("\n")[0]


def first_key(path: Path) -> str:
    lines = path.read_bytes().decode("utf-8-sig", "replace").splitlines()
    return next((line for line in lines if line and not line.startswith("#")), "").partition(":")[0]


def test_files_name_their_schema() -> None:
    assert [relative(path) for path in YAML if path not in NAMES_NONE and not names_its_schema(path)] == []


def names_its_schema(path: Path) -> bool:
    named = LINE.fullmatch(first_line(path))
    if named is None:
        return False
    schema, key = (path.parent / named[1]).resolve(), first_key(path)
    if key in (*FILE_KINDS, "equilibrium", "rulings", "yardsticks", "refused"):
        return schema == (FOLDER / f"{key}.schema.json").resolve()
    return schema.is_file() and (CASES in path.parents or (path.parent.name, key) == ("expressions", "cases"))


@pytest.mark.parametrize("path", sorted(NAMES_NONE), ids=relative)
def test_exceptions_are_some(path: Path) -> None:
    assert LINE.match(first_line(path)) is None


def with_text_keys(value: Any) -> Any:
    """The value as JSON has it: every key a text."""
    return json.loads(json.dumps(value))


def files_of_tests() -> list[Any]:
    expressions = sorted((ROOT / "tests" / "expressions").glob("*.yaml"))
    suite = [("expressions", path) for path in expressions if first_key(path) == "cases"]
    solved = [("equilibrium", path) for path in sorted((ROOT / "tests" / "equilibria").glob("*.yaml"))]
    found = [*suite, *solved, ("rulings", ROOT / "tests" / "rulings.yaml")]
    return [pytest.param(*one, id=one[1].stem) for one in found]


@pytest.mark.parametrize(("kind", "path"), files_of_tests())
def test_files_of_tests_follow_their_schema(kind: str, path: Path) -> None:
    named = LINE.match(first_line(path))
    assert named is not None
    assert (path.parent / named[1]).resolve() == (FOLDER / f"{kind}.schema.json").resolve()
    content = with_text_keys(yaml.safe_load(path.read_text(encoding="utf-8")))
    validator = Draft202012Validator({"$ref": f"{BASE}{kind}.schema.json"}, registry=registry())
    assert [f"{list(one.absolute_path)}: {one.message}" for one in validator.iter_errors(content)] == []


def test_codes_say_what_they_mean() -> None:
    for value in vars(codes).values():
        if isinstance(value, codes.Code):
            assert re.fullmatch(r"[SNO]\d{3}", value.number)
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*", value.name)
            assert value.meaning


def test_an_insertion_has_every_key_of_a_step_choice_or_criterion() -> None:
    definitions = schemas()["language"]["$defs"]
    prefixes = ("step_", "domain_", "criterion")
    keys = {
        key for name, schema in definitions.items() if name.startswith(prefixes) for key in schema.get("properties", {})
    }
    insertion = schemas()["variant"]["properties"]["insert"]["additionalProperties"]["properties"]
    assert {"while", "state", "pay", "most"} <= keys
    assert keys - set(insertion) == set()
