"""The quick check of a file's shape says yes exactly where jsonschema does."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import bundle
from rulewright.diagnostics import Diagnostics
from rulewright.document.schema_acceptance import COMPILERS, SILENT, TYPES, accepts
from rulewright.document.schemas import FILE_KINDS, find_violations, load_schemas
from rulewright.source.nodes import MappingNode, to_builtins
from rulewright.source.reader import parse_file

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parent
SHIPPED = [path for name in ("rules", "variants") for path in sorted(bundle.bundle_folder(name).rglob("*.yaml"))]
WRITTEN = sorted((TESTS / "diagnostics").rglob("*.yaml"))
OTHERS = sorted(path for name in ("games", "house_rules", "scenarios") for path in (TESTS / name).rglob("*.yaml"))

Parts = tuple[str | int, ...]


@cache
def kind_and_value(path: Path) -> tuple[str, Any] | None:
    """The kind of a file and what is in it, None of a file without."""
    node = parse_file(path, Diagnostics())
    if not isinstance(node, MappingNode) or not node.entries or node.entries[0].key.text not in FILE_KINDS:
        return None
    return node.entries[0].key.text, to_builtins(node)


def is_right(value: object, kind: str) -> bool:
    return next(find_violations(value, kind), None) is None


def keywords(schema: object) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        for keyword, value in schema.items():
            yield keyword, value
            if keyword in ("properties", "patternProperties", "$defs"):
                for part in value.values():
                    yield from keywords(part)
            elif keyword == "anyOf":
                for part in value:
                    yield from keywords(part)
            elif keyword not in ("examples", "dependentRequired", "x-former-values", "x-advice"):
                yield from keywords(value)


def test_every_keyword_is_known() -> None:
    used = [item for schema in load_schemas().values() for item in keywords(schema)]
    assert {keyword for keyword, _ in used} <= {*COMPILERS, *SILENT}
    types = [value if isinstance(value, list) else [value] for keyword, value in used if keyword == "type"]
    assert {name for names in types for name in names} <= {*TYPES}


@pytest.mark.parametrize("path", [*WRITTEN, *OTHERS, *SHIPPED], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_is_judged_alike(path: Path) -> None:
    judged = kind_and_value(path)
    if judged is not None:
        kind, value = judged
        assert accepts(value, kind) == is_right(value, kind)


def test_a_file_is_judged_alike_by_every_schema() -> None:
    for path in WRITTEN[::4]:
        judged = kind_and_value(path)
        for kind in FILE_KINDS if judged is not None else ():
            assert accepts(judged[1], kind) == is_right(judged[1], kind), (path, kind)  # type: ignore[index]


def places(value: object, above: Parts = ()) -> Iterator[Parts]:
    yield above
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*above, key))


def changed(value: Any, place: Parts, change: str, put: Any) -> Any:
    """A copy in which something is different at a place."""
    if not place:
        return put
    result = copy.deepcopy(value)
    holder = result
    for key in place[:-1]:
        holder = holder[key]
    key = place[-1]
    match change:
        case "drop":
            del holder[key]
        case "again" if isinstance(holder, list):
            holder.append(holder[key])
        case "rename" if isinstance(holder, dict):
            holder[str(put)] = holder.pop(key)
        case "beside" if isinstance(holder, dict):
            holder.setdefault(str(put), holder[key])
        case _:
            holder[key] = put
    return result


SCALARS = st.sampled_from(
    ["", "a", "A b", "x.", "what?", "1", "every player", "a/b.yaml", "1.0.0", "outside", "text", "do", "move", "when"]
) | st.sampled_from([True, False, 0, 1, 2, -1, 99, 100, 10**6 + 1, 2**64])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SCALARS.map(str), inner, max_size=3),
    max_leaves=5,
)
SMALL = [path for path in SHIPPED if path.stat().st_size < 12_000]


@settings(max_examples=500)
@given(data=st.data(), path=st.sampled_from(SMALL), put=VALUES)
def test_a_changed_file_is_judged_alike(data: st.DataObject, path: Path, put: object) -> None:
    judged = kind_and_value(path)
    assert judged is not None
    kind, value = judged
    place = data.draw(st.sampled_from(list(places(value))))
    value = changed(value, place, data.draw(st.sampled_from(["put", "drop", "again", "rename", "beside"])), put)
    assert accepts(value, kind) == is_right(value, kind)
