"""The JSON Schemas that say which keys a file has, the same that editors use to complete and explain.

In: the folder `schemas`. Out: for a kind of file, its faults as jsonschema finds them; and the unions of the
language: which keys (`move`, `must`) tell the sorts of a step, a domain, a criterion apart. In the schemas a union is
a chain of if/else over closed branches `step_move`, `step_must`, …, and ends in `step_any`: what is left when no key
tells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from rulewright import bundle

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

FILE_KINDS: Final = ("game", "part", "rows", "texts", "table", "sources", "statements", "variant", "scenarios")
LANGUAGE_SCHEMA: Final = "language"
FALLBACK_SUFFIX: Final = "_any"  # ends the name of a union's last branch
SCHEMA_URI: Final = "file:///schemas/"  # never opened: only what the schemas' relative references are resolved against


@dataclass(frozen=True, slots=True)
class SchemaViolation:
    """What jsonschema found: the keyword of the schema that does not hold, and where in the file."""

    keyword: str
    expected: Any  # the keyword's value
    schema: Table[str, Any]
    path: tuple[str | int, ...]
    actual: object
    is_key: bool  # a key is at fault, not what stands under it

    @property
    def title(self) -> str:
        """What is wanted there, in words: `a step`."""
        return str(self.schema.get("title", "it"))


@dataclass(frozen=True, slots=True)
class TaggedUnion:
    """The sorts of one union: `verbs` tell them apart; `arguments` says of every other key which verbs take it."""

    title: str
    verbs: tuple[str, ...]
    arguments: Table[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def load_schemas() -> Table[str, dict[str, Any]]:
    """Kind of file → its schema, and the parts that all share under `language`."""
    folder = bundle.bundle_folder("schemas")
    names = (*FILE_KINDS, LANGUAGE_SCHEMA)
    return {name: json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8")) for name in names}


@lru_cache(maxsize=len(FILE_KINDS))
def _validator(kind: str) -> Draft202012Validator:
    # importing jsonschema costs more than all checks of a game, so nobody pays for it who checks nothing
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    pairs = [
        (f"{SCHEMA_URI}{name}.schema.json", DRAFT202012.create_resource(schema))
        for name, schema in load_schemas().items()
    ]
    registry: Registry[Any] = Registry().with_resources(pairs)
    return Draft202012Validator({"$ref": f"{SCHEMA_URI}{kind}.schema.json"}, registry=registry)


def find_violations(value: object, kind: str) -> Iterator[SchemaViolation]:
    """Everything in which a value differs from the schema of a kind of file."""
    for error in _validator(kind).iter_errors(value):
        schema = error.schema
        assert isinstance(schema, dict)
        path = tuple(error.absolute_path)
        is_key = "propertyNames" in error.relative_schema_path
        yield SchemaViolation(str(error.validator), error.validator_value, schema, path, error.instance, is_key)


@lru_cache(maxsize=1)
def tagged_unions() -> Table[str, tuple[TaggedUnion, str]]:
    """Title of a branch → its union and its verb; the verb is empty for the branch of those that have none."""
    found: dict[str, tuple[TaggedUnion, str]] = {}
    definitions = load_schemas()[LANGUAGE_SCHEMA]["$defs"]
    for name, definition in definitions.items():
        if not name.endswith(FALLBACK_SUFFIX):
            continue
        verbs = tuple(option["required"][0] for option in definition["anyOf"])
        branches = {verb: definitions[f"{name.removesuffix(FALLBACK_SUFFIX)}_{verb}"] for verb in verbs}
        arguments: dict[str, tuple[str, ...]] = {}
        for verb, branch in branches.items():
            for key in branch["properties"]:
                arguments[key] = (*arguments.get(key, ()), verb)
        union = TaggedUnion(definition["title"], verbs, arguments)
        found[definition["title"]] = (union, "")
        found.update({branch["title"]: (union, verb) for verb, branch in branches.items()})
    return found


__all__ = ["FILE_KINDS", "SchemaViolation", "TaggedUnion", "find_violations", "load_schemas", "tagged_unions"]
