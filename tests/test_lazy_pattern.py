"""`lazy_pattern`: what it compiles, and when; and that every pattern that a module names can be compiled."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

import rulewright
from rulewright.lazy_pattern import lazy_pattern, patterns_compiled_later

EXTRAS = ("llvmlite", "matplotlib", "numpy", "lsprotocol", "pygls")


def patterns() -> Iterator[tuple[str, Any]]:
    """All that modules of the package have, by module and name."""
    for module in pkgutil.walk_packages(rulewright.__path__, "rulewright."):
        if module.name.endswith("__main__"):
            continue
        try:
            found = vars(import_module(module.name))
        except ImportError as error:  # of an extra that is not installed
            assert error.name is not None and error.name.partition(".")[0] in EXTRAS and not find_spec(error.name)  # noqa: PT017, PT018
            continue
        for name, value in found.items():
            values = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else (value,)
            for number, one in enumerate(values):
                if type(one) is lazy_pattern:
                    yield f"{module.name}.{name}[{number}]", one


def test_has_what_a_compiled_pattern_has() -> None:
    word = lazy_pattern(r"[a-z]+", re.IGNORECASE)
    assert vars(word).keys() == {"_text", "_flags"}
    assert word.findall("One 2 three") == ["One", "three"]
    assert (word.pattern, word.sub("x", "A b")) == ("[a-z]+", "x x")
    with pytest.raises(AttributeError):
        word.no_such_method  # type: ignore[attr-defined]  # noqa: B018


def test_every_pattern_can_be_compiled() -> None:
    found = dict(patterns())
    assert len(found) > 100
    for name, one in found.items():
        assert isinstance(one.pattern, str), name


def test_patterns_of_others_are_compiled_later_too() -> None:
    with patterns_compiled_later():
        later = re.compile("a+")
    assert type(later) is not re.Pattern
    assert type(re.compile("a+")) is re.Pattern
    assert later.fullmatch("aa")


def test_the_yaml_parser_in_python_works() -> None:
    code = """
import re
from rulewright.source.composer import yaml
assert type(yaml.reader.Reader.NON_PRINTABLE) is not re.Pattern
assert yaml.load("[1, 2.5, yes, 2020-01-02, ~]", yaml.SafeLoader)[1:3] == [2.5, True]
try:
    yaml.load("\\x00", yaml.SafeLoader)
except yaml.reader.ReaderError:
    print("as ever")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("as ever\n", "")
