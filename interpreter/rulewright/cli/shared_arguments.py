"""The arguments that several commands have: a game, variants, an engine, a player, where to write.

In: a parser. Out: the same parser with some more arguments.
"""

from __future__ import annotations

from argparse import SUPPRESS
from typing import Final

from rulewright.cli.argument_types import (
    ArgumentParser,
    non_empty,
    parameter_setting,
    player_count,
    renamed_option,
    seat_of_number,
)
from rulewright.engine.engine_names import AUTO_ENGINE, ENGINE_NAMES

PRINT_NEEDS: Final = "(needs the extra rulewright[print])"


def engine_argument(parser: ArgumentParser, remark: str) -> None:
    """What plays. `remark`: what the generated program is used for here."""
    parser.add_argument(
        "--engine",
        choices=ENGINE_NAMES,
        default=AUTO_ENGINE,
        help="reference: the engine that defines the rules; python: a program that is generated from them, "
        f"{remark}; native: the same as machine code (needs llvmlite); default: auto, the fastest that can",
    )


def game_argument(parser: ArgumentParser) -> None:
    """The game, by its name or path."""
    parser.add_argument(
        "game",
        nargs="?",
        type=non_empty,
        metavar="GAME",
        help="a shipped game by name, or a path; default: the shipped default",
    )


def variants_argument(parser: ArgumentParser, what: str) -> None:
    """Variants. `what`: what becomes of them."""
    parser.add_argument(
        "--variant",
        action="append",
        type=non_empty,
        default=[],
        metavar="V",
        help=f"{what}; repeatable",
    )


def settings_argument(parser: ArgumentParser) -> None:
    """Values of parameters."""
    parser.add_argument(
        "--set",
        action="append",
        type=parameter_setting,
        dest="variant",
        metavar="NAME=VALUE",
        help="set a parameter of the rules (`rulewright show parameters` lists them)",
    )


def rules_arguments(
    parser: ArgumentParser, *, tokenwise: bool = True, players: str = "the fewest the game allows"
) -> None:
    """A number of players, variants and settings. `players`: the default number, in words."""
    parser.add_argument("--players", type=player_count, metavar="N", help=f"default: {players}")
    variants_argument(parser, "a variant by name or path")
    settings_argument(parser)
    if tokenwise:
        tokenwise_argument(parser)


def tokenwise_argument(parser: ArgumentParser) -> None:
    """Choices that are answered piece by piece."""
    parser.add_argument(
        "--tokenwise",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="answer the choice at this address piece by piece (actions.NAME.choose.CHOICE)",
    )


def first_player_argument(parser: ArgumentParser) -> None:
    """Who begins."""
    parser.add_argument(
        "--first-player",
        type=seat_of_number,
        dest="first",
        metavar="N",
        help="the player who begins, counted from 1; default: 1",
    )
    parser.add_argument("--first", type=renamed_option("--first-player"), dest="first", help=SUPPRESS)


def player_argument(parser: ArgumentParser, who: str, default: str) -> None:
    """A player. `who`: in which part; `default`: who else, in words."""
    parser.add_argument(
        "--player", type=seat_of_number, dest="seat", metavar="N", help=f"{who}, counted from 1; default: {default}"
    )
    parser.add_argument("--seat", type=renamed_option("--player"), dest="seat", help=SUPPRESS)


def output_argument(parser: ArgumentParser, suffixes: str) -> None:
    """Where to write. `suffixes`: the formats, in words."""
    parser.add_argument(
        "-o", "--output", type=non_empty, metavar="FILE", help=f"write a new file, {suffixes}; default: print"
    )
    parser.add_argument("--force", action="store_true", help="overwrite FILE if it already exists")


def language_argument(parser: ArgumentParser) -> None:
    """The language of sentences."""
    parser.add_argument("--lang", default="en", metavar="CODE", help="language of the sentences: en, fr, …")


__all__ = [
    "PRINT_NEEDS",
    "engine_argument",
    "first_player_argument",
    "game_argument",
    "language_argument",
    "output_argument",
    "player_argument",
    "rules_arguments",
    "settings_argument",
    "tokenwise_argument",
    "variants_argument",
]
