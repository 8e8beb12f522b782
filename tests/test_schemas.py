"""The schemas are valid, closed, explained throughout, and say the same as the program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from rulewright import bundle
from rulewright.text import codes_shape
from rulewright.text.document import HEAD, SECTIONS
from rulewright.text.schemas import KINDS, schemas, unions
from rulewright.text.shape import FINDINGS

FOLDER = bundle.folder("schemas")
BASE = "file:///schemas/"
NAMES = (*KINDS, "language")
# where any key may stand: fields of rows, zones and values of a position
OPEN = {"a row", "a position", "content by name"}
SILENT = {
    "$schema", "$defs", "$ref", "title", "description", "examples", "properties", "patternProperties", "propertyNames",
    "items", "if", "then", "else",
}  # fmt: skip


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
        base = json.loads(json.dumps(base).replace('"language.schema.json', f'"{BASE}language.schema.json'))
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
    used = {key for _, _, part in every() for key in part}
    assert used - SILENT - set(FINDINGS) == set()


def test_unions_ask_for_each_of_their_keys() -> None:
    definitions = schemas()["language"]["$defs"]
    for union, _ in unions().values():
        name = union.what.split()[-1]
        chain, asked = definitions[name], []
        chain = chain["then"] if "then" in chain and "$ref" not in chain["then"] else chain
        while "if" in chain:
            (verb,) = chain["if"]["required"]
            assert chain["then"]["$ref"] == f"#/$defs/{name}_{verb}"
            assert verb in definitions[f"{name}_{verb}"]["required"]
            asked.append(verb)
            chain = chain["else"]
        assert tuple(asked) == union.verbs
        assert chain["$ref"] == f"#/$defs/{name}_any"


def test_sections_are_those_of_the_program() -> None:
    assert tuple(schemas()["game"]["properties"]) == (*HEAD, *SECTIONS)
    part = tuple(schemas()["part"]["properties"])
    assert part[-len(SECTIONS) :] == tuple(SECTIONS)


def test_the_first_key_names_the_kind() -> None:
    for kind in KINDS:
        schema = schemas()[kind]
        assert next(iter(schema["properties"])) == kind == schema["required"][0]


def test_no_file_of_ours_is_left_over() -> None:
    others = {"protocol", "state"}
    assert {path.name.removesuffix(".schema.json") for path in FOLDER.iterdir()} - others == set(NAMES)


def files() -> list[Path]:
    return sorted(path for kind in ("rules", "variants") for path in bundle.folder(kind).rglob("*.yaml"))  # type: ignore[arg-type]


@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_files_name_their_schema(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    named = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", lines[0])
    assert named is not None
    schema = (path.parent / named[1]).resolve()
    kind = next(line for line in lines if line and not line.startswith("#")).partition(":")[0]
    assert schema == (FOLDER / f"{kind}.schema.json").resolve()


def test_codes_say_what_they_mean() -> None:
    for value in vars(codes_shape).values():
        if isinstance(value, codes_shape.Code):
            assert re.fullmatch(r"[SNO]\d{3}", value.number)
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*", value.name)
            assert value.meaning
