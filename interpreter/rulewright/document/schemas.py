"""The JSON Schemas that say which keys a file has: the same that editors use to complete and explain.

In: the folder `schemas`. Out: the violations of a file's schema as jsonschema finds them; and the tagged unions of the
language: which keys (`move`, `must`) distinguish the kinds of a step, a domain, a criterion. In the schemas a union is
a chain of if/else over closed branches `step_move`, `step_must`, …, and ends in `step_any`, the branch without a tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Table
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from rulewright.document.language import FALLBACK_SUFFIX, SCHEMA_SUFFIX, Schema, read_schema
from rulewright.frozen import frozen

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

VARIANT_KINDS: Final = ("variant", "joins", "adjusts")  # of files that change a game
FILE_KINDS: Final = (
    *("game", "part_of", "rows", "texts", "display", "sources", "statements"),
    *(*VARIANT_KINDS, "scenarios"),
)
LANGUAGE_SCHEMA: Final = "language"


@frozen
class SchemaViolation:
    """A violation of a schema: the keyword that does not hold, and where in the file."""

    keyword: str
    schema: Schema  # the one with the keyword
    path: tuple[str | int, ...]
    actual: object
    is_key: bool  # of a key, not of its value

    @property
    def title(self) -> str:
        """What is expected there, in words: `a step`."""
        return self.schema.get("title", "it")

    @property
    def union(self) -> TaggedUnion | None:
        """The tagged union that it is about, if it is about one."""
        return tagged_unions().get(self.schema.get("x-union", ""))

    @property
    def verb(self) -> str:
        """The key that says which branch of a tagged union it is about; empty when there is none."""
        return self.schema.get("x-verb", "")

    @property
    def limit(self) -> int:
        """The bound of a size or of a number."""
        limit = dict(self.schema)[self.keyword]
        assert isinstance(limit, int)
        return limit


@frozen
class TaggedUnion:
    """One tagged union: `verbs` are the tags; `arguments` maps every other key to the verbs that take it."""

    title: str
    verbs: tuple[str, ...]
    arguments: Table[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def load_schemas() -> Table[str, Schema]:
    """Kind of file → its schema, and under `language` the definitions that all share."""
    return MappingProxyType({name: read_schema(name) for name in (*FILE_KINDS, LANGUAGE_SCHEMA)})


class _Linker:
    """Replaces every `$ref` by the definition itself, once, so that checking a file follows no reference again.

    The language is recursive (an expression in a step in a block of steps …), and so is what comes out: definitions are
    shared, and may contain themselves. No schema has a keyword beside a `$ref` but annotations: what a key says of
    itself, which goes before what the definition says of all its uses.
    """

    def __init__(self) -> None:
        self._definitions: dict[tuple[str, str], dict[str, object]] = {}
        self._uses: list[tuple[dict[str, object], dict[str, object], dict[str, object]]] = []  # to be filled

    def link(self, file: str) -> dict[str, object]:
        """The whole schema of a kind of file."""
        linked = self.definition(file, "")
        for use, definition, own in self._uses:
            use.update(definition | own)
        self._uses.clear()
        return linked

    def definition(self, file: str, pointer: str) -> dict[str, object]:
        """What a reference leads to, as `language`, `/$defs/step`."""
        linked = self._definitions.get((file, pointer))
        if linked is None:
            target: object = read_schema(file)
            for part in pointer.split("/")[1:]:
                assert isinstance(target, dict)
                target = target[part]
            assert isinstance(target, dict)
            if "$ref" in target:
                linked = self._definitions[file, pointer] = self._follow(target["$ref"], file)
            else:
                linked = self._definitions[file, pointer] = {}  # known before it is filled: it may lead back here
                linked.update((key, self._link(part, file)) for key, part in target.items())
        return linked

    def _link(self, part: object, file: str) -> object:
        if isinstance(part, list):
            return [self._link(item, file) for item in part]
        if not isinstance(part, dict):
            return part
        if isinstance(part.get("$ref"), str):
            definition = self._follow(part["$ref"], file)
            own = {key: value for key, value in part.items() if key != "$ref"}
            if not own:
                return definition
            use: dict[str, object] = {}  # filled when the definition is
            self._uses.append((use, definition, own))
            return use
        return {key: self._link(value, file) for key, value in part.items()}

    def _follow(self, reference: str, file: str) -> dict[str, object]:
        name, _, pointer = reference.partition("#")
        return self.definition(name.removesuffix(SCHEMA_SUFFIX) or file, pointer)


@lru_cache(maxsize=len(FILE_KINDS))
def _validator(kind: str) -> Draft202012Validator:
    # importing jsonschema takes longer than all checks of a game, so only a file that is wrong pays for it
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_linker().link(kind))


@lru_cache(maxsize=1)
def _linker() -> _Linker:
    return _Linker()


def find_violations(value: object, kind: str) -> Iterator[SchemaViolation]:
    """All violations of the schema of a kind of file."""
    for error in _validator(kind).iter_errors(value):
        path = tuple(error.absolute_path)
        is_key = "propertyNames" in error.relative_schema_path
        yield SchemaViolation(str(error.validator), cast(Schema, error.schema), path, error.instance, is_key)


@lru_cache(maxsize=1)
def tagged_unions() -> Table[str, TaggedUnion]:
    """The tagged unions of the language by name."""
    unions: dict[str, TaggedUnion] = {}
    definitions = load_schemas()[LANGUAGE_SCHEMA]["$defs"]
    for name, definition in definitions.items():
        if not name.endswith(FALLBACK_SUFFIX):
            continue
        union = definition["x-union"]
        verbs = tuple(option["required"][0] for option in definition["anyOf"])
        branches = {verb: definitions[f"{union}_{verb}"] for verb in verbs}
        arguments: dict[str, tuple[str, ...]] = {}
        for verb, branch in branches.items():
            for key in branch["properties"]:
                arguments[key] = (*arguments.get(key, ()), verb)
        unions[union] = TaggedUnion(definition["title"], verbs, arguments)
    return unions


__all__ = [
    "FILE_KINDS",
    "VARIANT_KINDS",
    "SchemaViolation",
    "TaggedUnion",
    "find_violations",
    "load_schemas",
    "tagged_unions",
]
