"""What commands declare of their options is what their parsers give: the same names, and values of these types."""

from __future__ import annotations

import shlex
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from rulewright.cli.subcommands import SUBCOMMANDS, Subcommand, build_parser

COMMANDS = pytest.mark.parametrize("command", SUBCOMMANDS, ids=lambda command: command.name)


def declared(command: Subcommand) -> dict[str, Any]:
    return get_type_hints(import_module(f"rulewright.cli.{command.module}").Options)


def is_of(value: object, kind: Any) -> bool:
    """Whether a value is of a type as options have it."""
    if get_origin(kind) in (Union, UnionType):
        return any(is_of(value, part) for part in get_args(kind))
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(is_of(item, get_args(kind)[0]) for item in value)
    if get_origin(kind) is tuple:
        parts = get_args(kind)
        return isinstance(value, tuple) and len(value) == len(parts) and all(map(is_of, value, parts))
    return value is None if kind is NoneType else type(value) is kind


def test_types_are_told_apart() -> None:
    assert is_of(None, str | None)
    assert not is_of(None, str)
    assert not is_of(True, int)
    assert not is_of(["a", 1], list[str])
    assert is_of(("a", None), tuple[str, str | None])
    assert not is_of(("a", 1), tuple[str, str | None])
    assert is_of("fair", Literal["fair", "free"])
    assert not is_of("rash", Literal["fair", "free"] | None)


@COMMANDS
def test_an_example_gives_what_the_command_declares(command: Subcommand) -> None:
    options = declared(command)
    for example in command.examples:
        given = vars(build_parser().parse_args(shlex.split(example, comments=True)[: example_length(example)]))
        assert {*given} - {"module"} == {*options}
        assert [name for name, kind in options.items() if not is_of(given[name], kind)] == []


def example_length(example: str) -> int:
    """How many words of an example are those of the command, and not of the shell."""
    words = shlex.split(example)
    return next((index for index, word in enumerate(words) if word in (">", "|", "<<<")), len(words))


@COMMANDS
def test_an_option_with_choices_declares_them(command: Subcommand) -> None:
    options = declared(command)
    parser = build_parser([command.name])
    (subparsers,) = (action for action in parser._actions if action.dest == "command")
    assert isinstance(subparsers.choices, dict)
    assert list(subparsers.choices) == [command.name]
    for action in subparsers.choices[command.name]._actions:
        if action.choices is not None:
            kinds = [options[action.dest], *get_args(options[action.dest])]
            assert any(set(get_args(kind)) == set(action.choices) for kind in kinds), action.dest
