"""Frozen data as JSON is the same data again, with what was shared shared."""

from __future__ import annotations

import json
from types import MappingProxyType

import pytest

from rulewright.frozen import frozen
from rulewright.frozen_json import from_json, to_json


@frozen
class Part:
    """A part of something."""

    name: str
    parts: tuple[Part, ...] = ()


CLASSES = {"Part": Part}


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        1 << 70,
        "é \ud800 \U0001f600",
        (),
        (1, True, "1", None),
        [1, [2]],
        {"a": 1, "b": {"c": ()}},
        {1: "whole numbers", (1, 2): "and more are keys"},
        frozenset({1, 2}),
        Part("a", (Part("b"), Part("c", (Part("d"),)))),
    ],
)
def test_it_is_the_same_again(value: object) -> None:
    again = from_json(to_json(value, CLASSES), CLASSES)
    assert again == value
    assert repr(again) == repr(value)


def test_mappings_that_cannot_change_still_cannot() -> None:
    again = from_json(to_json(MappingProxyType({"a": 1}), CLASSES), CLASSES)
    assert isinstance(again, MappingProxyType)
    assert again == {"a": 1}


def test_what_was_one_object_is_one_object() -> None:
    part = Part("a")
    first, second, third = from_json(to_json((part, (part,), Part("a")), CLASSES), CLASSES)
    assert first is second[0]
    assert first is not third


def test_other_classes_are_not_made() -> None:
    with pytest.raises(TypeError, match="Part is not data that can be kept"):
        to_json(Part("a"), {})
    with pytest.raises(TypeError):
        to_json({"a": object()}, CLASSES)
    content = json.dumps({"sorts": ["Part"], "leaves": ["a"], "objects": [[0, 0]]}).encode()
    assert from_json(content, CLASSES) == Part("a")
    with pytest.raises(LookupError):
        from_json(content, {})
