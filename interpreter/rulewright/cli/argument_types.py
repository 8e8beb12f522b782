"""How the command line is read: a parser that reports an error in one sentence, and readers of single arguments.

In: the words of a command line. Out: values; what is wrong with them is reported in one sentence.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NoReturn

from rulewright import limits
from rulewright.checker.output.format_names import FORMATS, Format
from rulewright.errors import quote
from rulewright.model.locale import player_number, seat_of_player
from rulewright.suggestions import closest_name, join_list
from rulewright.terminal.width import terminal_columns, terminal_width

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

HUMAN: Final = "human"  # who plays a seat, where no bot does
SYNONYMS: Final[Mapping[str, tuple[str, ...]]] = {  # what means the same in another command
    "--bot": ("--seat",),
    "--bots": ("--bot", "--seat"),
    "--seat": ("--bot", "--player"),
    "--csv": ("--keep", "--record"),
    "--keep": ("--csv", "--record"),
    "--record": ("--csv", "--keep"),
    "--position": ("--resume",),
    "--resume": ("--position",),
}


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """As argparse has it, with the same width, for which it would import `shutil`."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_columns() - 2)


class ArgumentParser(argparse.ArgumentParser):
    """A parser that reports an error in one sentence, and takes options between arguments."""

    _is_intermixed = False

    def format_help(self) -> str:
        """The help. The description of a command is wrapped here, where somebody reads it."""
        if self._subparsers is None and self.description is not None:
            from textwrap import fill

            self.description = fill(self.description, terminal_width())
        return super().format_help()

    def parse_known_args(  # type: ignore[override]  # without typeshed's overloads: see below
        self, args: Any = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As argparse has it, but with options between the arguments of a command, and none that it does not know.

        Typeshed gives this method overloads for namespaces of other classes, of which there are none here.
        """
        if self._is_intermixed:
            return super().parse_known_args(args, namespace)
        if self._subparsers is not None:
            values, unknown = super().parse_known_args(args, namespace)
        else:
            self._is_intermixed = True  # argparse does it with two calls of this method
            try:
                values, unknown = self.parse_known_intermixed_args(args, namespace)
            finally:
                self._is_intermixed = False
        if unknown:
            self.error(self._unknown_argument(unknown))
        return values, unknown

    def _unknown_argument(self, words: Sequence[str]) -> str:
        word = next((word for word in words if word.startswith("-")), None)
        if word is None:
            return f"unexpected `{words[0]}`"
        option = word.partition("=")[0]
        known = [
            name
            for name, action in self._option_string_actions.items()
            if name.startswith("--") and action.help != argparse.SUPPRESS
        ]
        synonym = next((name for name in SYNONYMS.get(option, ()) if name in known), "")
        hint = synonym or closest_name(option, known)
        return f"unknown option `{option}`" + (f" (did you mean `{hint}`?)" if hint else "")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            hint = closest_name(value, action.choices)
            self.error(f"unknown command `{value}`" + (f" (did you mean `{hint}`?)" if hint else ""))
        if action.choices is not None and value not in action.choices and isinstance(value, str):
            hint = closest_name(value, map(str, action.choices))
            expected = join_list((f"`{choice}`" for choice in action.choices), "or")
            name = "" if not action.option_strings else f"{action.option_strings[0]}: "
            meant = f" (did you mean `{hint}`?)" if hint else ""
            self.error(f"{name}expected {expected}, found `{value}`{meant}")
        super()._check_value(action, value)

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

    article = "an" if what[0] in "aeio" else "a"

    def read(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or len(text) > 20 or not low <= int(text) <= high:
            expected = f"a whole number from {low} to {high}"
            raise argparse.ArgumentTypeError(f"{quote(text)} is not {article} {what}: expected {expected}")
        return int(text)

    return read


seed_number = int_range(0, limits.MAX_SEED, "seed")
MAX_PLAYERS: Final = 99
player_in_range = int_range(1, MAX_PLAYERS, "player")
player_count = int_range(1, MAX_PLAYERS, "number of players")
turn_cap = int_range(1, 1_000_000, "number of turns")


def seat_of_number(text: str) -> int:
    """The seat of a player that is given by its number, from 1."""
    return seat_of_player(player_in_range(text))


def renamed_option(name: str) -> Callable[[str], NoReturn]:
    """A reader of what an option took that counted seats from 0; it says what to write instead. `name`: its new name,
    which counts players from 1.
    """

    def read(text: str) -> NoReturn:
        number = str(player_number(int(text))) if text.isascii() and text.isdecimal() and len(text) < 3 else "N"
        raise argparse.ArgumentTypeError(f"players are counted from 1 now: write `{name} {number}`")

    return read


def non_empty(text: str) -> str:
    """A name or path, which has at least one character."""
    if not text:
        raise argparse.ArgumentTypeError("empty: leave it out, or give a name or path")
    return text


def format_and_file(text: str) -> tuple[Format, str | None]:
    """A form in which diagnostics are written, and the file, if one is named."""
    name, sign, path = text.partition("=")
    form = next((form for form in FORMATS if form == name), None)
    if form is None:
        raise argparse.ArgumentTypeError(f"invalid choice: {quote(name)} (choose from {', '.join(FORMATS)})")
    if sign and not path.strip():
        raise argparse.ArgumentTypeError(f"no file is named after `{name}=`")
    return form, path if sign else None


def bot_name(text: str, others: Sequence[str] = ()) -> str:
    """The name of a bot with its settings, as far as that can be checked before the game is known. `others`: who else
    can be named.
    """
    from rulewright.bots.bot_specs import BotSpecError, parse_bot_spec  # imported only where one is named

    try:
        parse_bot_spec(non_empty(text), others)
    except BotSpecError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def seat_name(text: str) -> str:
    """Who plays: a bot, or `human`."""
    return bot_name(text, (HUMAN,))


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
        raise argparse.ArgumentTypeError(f"{quote(text)} is invalid, expected NAME=VALUE")
    return text


__all__ = [
    "HUMAN",
    "ArgumentParser",
    "HelpFormatter",
    "bot_name",
    "contestant_name",
    "int_range",
    "non_empty",
    "parameter_setting",
    "player_count",
    "renamed_option",
    "seat_name",
    "seat_of_number",
    "seed_number",
    "turn_cap",
]
