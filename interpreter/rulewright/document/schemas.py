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

KINDS: Final = ("game", "part", "rows", "texts", "table", "sources", "statements", "variant", "scenarios")
LANGUAGE: Final = "language"
ANY: Final = "_any"  # ends the name of a union's last branch
BASE: Final = "file:///schemas/"  # never opened: only what the schemas' relative references are resolved against


@dataclass(frozen=True, slots=True)
class Fault:
    """What jsonschema found: the keyword of the schema that does not hold, and where in the file."""

    keyword: str
    wanted: Any  # the keyword's value
    schema: Table[str, Any]
    path: tuple[str | int, ...]
    found: object
    is_key: bool  # a key is at fault, not what stands under it

    @property
    def title(self) -> str:
        """What is wanted there, in words: `a step`."""
        return str(self.schema.get("title", "it"))


@dataclass(frozen=True, slots=True)
class Union:
    """The sorts of one union: `verbs` tell them apart; `arguments` says of every other key which verbs take it."""

    what: str
    verbs: tuple[str, ...]
    arguments: Table[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def schemas() -> Table[str, dict[str, Any]]:
    """Kind of file → its schema, and the parts that all share under `language`."""
    folder = bundle.folder("schemas")
    names = (*KINDS, LANGUAGE)
    return {name: json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8")) for name in names}


@lru_cache(maxsize=len(KINDS))
def _validator(kind: str) -> Draft202012Validator:
    # importing jsonschema costs more than all checks of a game, so nobody pays for it who checks nothing
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    pairs = [(f"{BASE}{name}.schema.json", DRAFT202012.create_resource(schema)) for name, schema in schemas().items()]
    registry: Registry[Any] = Registry().with_resources(pairs)
    return Draft202012Validator({"$ref": f"{BASE}{kind}.schema.json"}, registry=registry)


def faults(value: object, kind: str) -> Iterator[Fault]:
    """Everything in which a value differs from the schema of a kind of file."""
    for error in _validator(kind).iter_errors(value):
        schema = error.schema
        assert isinstance(schema, dict)
        path = tuple(error.absolute_path)
        is_key = "propertyNames" in error.relative_schema_path
        yield Fault(str(error.validator), error.validator_value, schema, path, error.instance, is_key)


@lru_cache(maxsize=1)
def unions() -> Table[str, tuple[Union, str]]:
    """Title of a branch → its union and its verb; the verb is empty for the branch of those that have none."""
    found: dict[str, tuple[Union, str]] = {}
    definitions = schemas()[LANGUAGE]["$defs"]
    for name, definition in definitions.items():
        if not name.endswith(ANY):
            continue
        verbs = tuple(option["required"][0] for option in definition["anyOf"])
        branches = {verb: definitions[f"{name.removesuffix(ANY)}_{verb}"] for verb in verbs}
        arguments: dict[str, tuple[str, ...]] = {}
        for verb, branch in branches.items():
            for key in branch["properties"]:
                arguments[key] = (*arguments.get(key, ()), verb)
        union = Union(definition["title"], verbs, arguments)
        found[definition["title"]] = (union, "")
        found.update({branch["title"]: (union, verb) for verb, branch in branches.items()})
    return found


__all__ = ["KINDS", "Fault", "Union", "faults", "schemas", "unions"]
