"""How the command line is read: a parser that reports an error in one sentence, and readers of single arguments.

In: the words of a command line. Out: values; what is wrong with them is reported in one sentence.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from rulewright import limits

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class ArgumentParser(argparse.ArgumentParser):
    """A parser that reports an error in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Ends the command with status 2."""
        with suppress(OSError):  # the status says it too
            print(f"{self.prog}: {message}; see `{self.prog} --help`", file=sys.stderr, flush=True)
        raise SystemExit(2)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # some versions of argparse say nothing when the help cannot be written
        if message:
            (sys.stderr if file is None else file).write(message)


def int_range(low: int, high: int, what: str) -> Callable[[str], int]:
    """A reader of whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or len(text) > 20 or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a {what}: expected a whole number from {low} to {high}")
        return int(text)

    return read


seed_number = int_range(0, limits.MAX_SEED, "seed")


def non_empty(text: str) -> str:
    """A name or path, which has at least one character."""
    if not text:
        raise argparse.ArgumentTypeError("empty: leave it out, or give a name or path")
    return text


def bot_name(text: str) -> str:
    """The name of a bot with its settings, or `human`, as far as that can be checked before the game is known."""
    from rulewright.bots.bot_specs import BotSpecError, parse_bot_spec  # imported only where one is named

    try:
        parse_bot_spec(non_empty(text))
    except BotSpecError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def contestant_name(text: str) -> str:
    """A bot's name where only bots are expected; the error says how a game is given."""
    try:
        return bot_name(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}; give a game with --game") from None


def parameter_setting(text: str) -> str:
    """A parameter with a value; the rules say whether that is allowed."""
    name, equals, value = text.partition("=")
    if not (name and equals and value) or text.endswith(".yaml"):
        raise argparse.ArgumentTypeError(f"{text!r} is invalid, expected NAME=VALUE")
    return text


__all__ = [
    "ArgumentParser",
    "bot_name",
    "contestant_name",
    "int_range",
    "non_empty",
    "parameter_setting",
    "seed_number",
]
