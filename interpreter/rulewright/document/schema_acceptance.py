"""Does a file have the shape that its schema asks for? Yes or no, in a fraction of the time that jsonschema takes.

In: a value and the kind of file. Out: whether it is accepted. Most files are right, and a game is waited for; what is
wrong with a file is for jsonschema to say, which is imported only then. A keyword of the schemas is a row of a table.

A schema becomes a tuple of tests when the first value comes to it; a `$ref` leads to the one tuple of its definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from rulewright.document.language import ANNOTATIONS, SCHEMA_SUFFIX, read_schema
from rulewright.lazy_pattern import lazy_pattern

Accepts = Callable[[Any], bool]
RawSchema = dict[str, Any]  # as it is in the file


class _Shape:
    """One schema of a file."""

    __slots__ = ("_file", "_schema", "_tests")

    def __init__(self, schema: RawSchema, file: str) -> None:
        self._schema, self._file = schema, file
        self._tests: tuple[Accepts, ...] | None = None

    def accepts(self, value: Any) -> bool:
        """Whether no keyword of the schema objects."""
        if self._tests is None:
            self._tests = self._compile()
        for test in self._tests:  # noqa: SIM110  # `all` with a generator takes twice the time
            if not test(value):
                return False
        return True

    def _compile(self) -> tuple[Accepts, ...]:
        keywords = [keyword for keyword in self._schema if keyword not in SILENT]
        return tuple(COMPILERS[keyword](self._schema, self._file) for keyword in keywords)


@cache
def _definition(file: str, pointer: str) -> Accepts:
    schema: Any = read_schema(file)
    for part in pointer.split("/")[1:]:
        schema = schema[part]
    return _Shape(schema, file).accepts


def _shape(schema: RawSchema | bool, file: str) -> Accepts:
    if isinstance(schema, bool):
        return lambda _: schema
    return _Shape(schema, file).accepts


def accepts(value: object, kind: str) -> bool:
    """Whether a file of that kind, as dicts, lists and plain values, holds to its schema."""
    return _definition(kind, "")(value)


# ---- keywords: each says nothing of values of other types ------------------------------------------------------------


def _compile_ref(schema: RawSchema, file: str) -> Accepts:
    name, _, pointer = schema["$ref"].partition("#")
    return _definition(name.removesuffix(SCHEMA_SUFFIX) or file, pointer)


TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def _compile_type(schema: RawSchema, file: str) -> Accepts:
    names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    classes = tuple(python_type for name in names for python_type in TYPES.get(name, ()))
    if "integer" in names and "boolean" not in names:  # to Python a flag is a number
        return lambda value: isinstance(value, classes) and not isinstance(value, bool)
    return lambda value: isinstance(value, classes)


def _compile_enum(schema: RawSchema, file: str) -> Accepts:
    options = [_identity(option) for option in schema["enum"]]
    return lambda value: _identity(value) in options


def _identity(value: Any) -> object:
    """The value in a form in which 1 and true are not equal."""
    if isinstance(value, list):
        return [_identity(item) for item in value]
    if isinstance(value, dict):
        return {key: _identity(item) for key, item in value.items()}
    return (bool, value) if isinstance(value, bool) else value


def _compile_unique_items(schema: RawSchema, file: str) -> Accepts:
    def is_unique(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        if all(isinstance(item, str) for item in value):
            return len(set(value)) == len(value)
        items = [_identity(item) for item in value]
        return not any(item in items[:index] for index, item in enumerate(items))

    return is_unique if schema["uniqueItems"] else lambda _: True


def _compile_minimum(schema: RawSchema, file: str) -> Accepts:
    limit = schema["minimum"]
    return lambda value: not isinstance(value, int) or isinstance(value, bool) or value >= limit


def _compile_maximum(schema: RawSchema, file: str) -> Accepts:
    limit = schema["maximum"]
    return lambda value: not isinstance(value, int) or isinstance(value, bool) or value <= limit


def _compile_pattern(schema: RawSchema, file: str) -> Accepts:
    pattern = lazy_pattern(schema["pattern"])
    return lambda value: not isinstance(value, str) or pattern.search(value) is not None


def _compile_least(keyword: str, python_type: type[Any]) -> Callable[[RawSchema, str], Accepts]:
    def compile_keyword(schema: RawSchema, file: str) -> Accepts:
        limit = schema[keyword]
        return lambda value: not isinstance(value, python_type) or len(value) >= limit

    return compile_keyword


def _compile_most(keyword: str, python_type: type[Any]) -> Callable[[RawSchema, str], Accepts]:
    def compile_keyword(schema: RawSchema, file: str) -> Accepts:
        limit = schema[keyword]
        return lambda value: not isinstance(value, python_type) or len(value) <= limit

    return compile_keyword


def _compile_items(schema: RawSchema, file: str) -> Accepts:
    item = _shape(schema["items"], file)
    return lambda value: not isinstance(value, list) or all(map(item, value))


def _compile_properties(schema: RawSchema, file: str) -> Accepts:
    shapes = {key: _shape(part, file) for key, part in schema["properties"].items()}

    def are_right(value: Any) -> bool:
        if isinstance(value, dict):
            for key, item in value.items():
                if key in shapes and not shapes[key](item):
                    return False
        return True

    return are_right


def _compile_additional_properties(schema: RawSchema, file: str) -> Accepts:
    named, shape = schema.get("properties", {}), _shape(schema["additionalProperties"], file)
    patterns = [lazy_pattern(pattern) for pattern in schema.get("patternProperties", {})]

    def are_right(value: Any) -> bool:
        if isinstance(value, dict):
            for key, item in value.items():
                if key not in named and not shape(item) and not any(pattern.search(key) for pattern in patterns):
                    return False
        return True

    return are_right


def _compile_pattern_properties(schema: RawSchema, file: str) -> Accepts:
    shapes = [(lazy_pattern(pattern), _shape(part, file)) for pattern, part in schema["patternProperties"].items()]

    def are_right(value: Any) -> bool:
        items = value.items() if isinstance(value, dict) else ()
        return all(shape(item) for key, item in items for pattern, shape in shapes if pattern.search(key))

    return are_right


def _compile_property_names(schema: RawSchema, file: str) -> Accepts:
    name = _shape(schema["propertyNames"], file)
    return lambda value: not isinstance(value, dict) or all(map(name, value))


def _compile_required(schema: RawSchema, file: str) -> Accepts:
    keys = frozenset(schema["required"])
    return lambda value: not isinstance(value, dict) or keys <= value.keys()


def _compile_dependent_required(schema: RawSchema, file: str) -> Accepts:
    needs = [(key, frozenset(keys)) for key, keys in schema["dependentRequired"].items()]
    return lambda value: not isinstance(value, dict) or all(keys <= value.keys() for key, keys in needs if key in value)


def _compile_any_of(schema: RawSchema, file: str) -> Accepts:
    options = [_shape(part, file) for part in schema["anyOf"]]
    return lambda value: any(option(value) for option in options)


def _compile_if(schema: RawSchema, file: str) -> Accepts:
    condition, then, otherwise = (_shape(schema.get(keyword, True), file) for keyword in ("if", "then", "else"))
    return lambda value: then(value) if condition(value) else otherwise(value)


COMPILERS: Final[Mapping[str, Callable[[RawSchema, str], Accepts]]] = {
    "$ref": _compile_ref,
    "type": _compile_type,
    "enum": _compile_enum,
    "uniqueItems": _compile_unique_items,
    "minimum": _compile_minimum,
    "maximum": _compile_maximum,
    "pattern": _compile_pattern,
    "minLength": _compile_least("minLength", str),
    "maxLength": _compile_most("maxLength", str),
    "minItems": _compile_least("minItems", list),
    "maxItems": _compile_most("maxItems", list),
    "minProperties": _compile_least("minProperties", dict),
    "maxProperties": _compile_most("maxProperties", dict),
    "items": _compile_items,
    "properties": _compile_properties,
    "additionalProperties": _compile_additional_properties,
    "patternProperties": _compile_pattern_properties,
    "propertyNames": _compile_property_names,
    "required": _compile_required,
    "dependentRequired": _compile_dependent_required,
    "anyOf": _compile_any_of,
    "if": _compile_if,
}
# what objects to no value; `then` and `else` belong to their `if`
SILENT: Final = frozenset({"$schema", "$defs", "title", "description", "examples", "then", "else", *ANNOTATIONS})

__all__ = ["COMPILERS", "SILENT", "TYPES", "accepts"]
