"""What a command was given, with types: to misspell an option, or to take it for something else, is a type error.

In: the values that argparse has read. Out: an object of the class `Options` that the module of the command declares.
"""

from __future__ import annotations

from collections.abc import Mapping


class CommandOptions:
    """What was given on the command line: a command declares an attribute for each argument that its parser has."""

    command: str  # the name of the command

    def __init__(self, values: Mapping[str, object]) -> None:
        vars(self).update(values)


class GameOptions(CommandOptions):
    """The options of a command for a game, a number of players and variants."""

    game: str | None
    players: int | None
    variant: list[str]


class EngineOptions(GameOptions):
    """The options of a command that needs an engine. `tokenwise`: addresses of choices."""

    tokenwise: list[str]


__all__ = ["CommandOptions", "EngineOptions", "GameOptions"]
