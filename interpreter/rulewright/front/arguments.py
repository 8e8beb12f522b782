"""The words of the command line, and the help that teaches them.

In: nothing. Out: the argument parser. Each subcommand is a row: its name, the module that carries it out, a sentence,
examples, and a function that adds its arguments.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from rulewright import __version__
from rulewright.front.columns import columns

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

MOST_SEED: Final = (1 << 64) - 1
MOST_GAMES: Final = 10_000_000


class Parser(argparse.ArgumentParser):
    """A parser that complains in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Ends the command with status 2."""
        with suppress(OSError):  # the status says it too
            print(f"{self.prog}: {message}; `{self.prog} --help` shows how it is used", file=sys.stderr, flush=True)
        raise SystemExit(2)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # some versions of argparse say nothing when the help cannot be written
        if message:
            (sys.stderr if file is None else file).write(message)


def whole(low: int, high: int, what: str) -> Callable[[str], int]:
    """A reader of whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or len(text) > 20 or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}: it is a whole number from {low} to {high}")
        return int(text)

    return read


seed = whole(0, MOST_SEED, "seed")


def given(text: str) -> str:
    """A name or path, which has at least one character."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty: leave it out, or give a name or path")
    return text


def bot(text: str) -> str:
    """A name of a bot with its settings, or `human`: as far as that can be told before the game is known."""
    from rulewright.play.bots import NoSuchBot, asked  # only who names one waits for it

    try:
        asked(given(text))
    except NoSuchBot as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None
    return text


def setting(text: str) -> str:
    """A parameter with a value; the rules say whether it may have that."""
    name, equals, value = text.partition("=")
    if not (name and equals and value) or text.endswith(".yaml"):
        raise argparse.ArgumentTypeError(f"{text!r} is not written NAME=VALUE")
    return text


def _game(parser: Parser) -> None:
    parser.add_argument(
        "game",
        nargs="?",
        type=given,
        metavar="GAME",
        help="a shipped game by name, or a path; default: the shipped default",
    )


def _options(parser: Parser, *, tokenwise: bool = True) -> None:
    parser.add_argument(
        "--players", type=whole(1, 99, "number of players"), metavar="N", help="default: the fewest the game allows"
    )
    parser.add_argument(
        "--variant",
        action="append",
        type=given,
        default=[],
        metavar="V",
        help="a variant by name or path; may be given several times",
    )
    parser.add_argument(
        "--set",
        action="append",
        type=setting,
        dest="variant",
        metavar="NAME=VALUE",
        help="another value for a parameter of the rules (`rulewright show parameters` lists them)",
    )
    if tokenwise:
        parser.add_argument(
            "--tokenwise",
            action="append",
            default=[],
            metavar="ADDRESS",
            help="answer the choice at this address piece by piece (actions.NAME.choose.CHOICE)",
        )


def _language(parser: Parser) -> None:
    parser.add_argument("--lang", default="en", metavar="CODE", help="language of the sentences: en, fr, …")


def _play(parser: Parser) -> None:
    _game(parser)
    _options(parser)
    _language(parser)
    parser.add_argument(
        "--seat",
        action="append",
        type=bot,
        metavar="WHO",
        help="who plays, seat by seat: human, or a bot as below; default: you against greedy bots",
    )
    parser.add_argument(
        "--first", type=whole(0, 98, "seat"), default=None, metavar="SEAT", help="the seat that begins; default: 0"
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="the same seed gives the same shuffles and bots")
    parser.add_argument(
        "--cap",
        type=whole(1, 1_000_000, "number of turns"),
        default=2000,
        metavar="TURNS",
        help="bots among themselves give up after so many turns; default: 2000",
    )
    parser.add_argument("--resume", type=given, metavar="FILE", help="go on with a record, or from a saved position")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument(
        "--record",
        type=given,
        metavar="FILE",
        help="write the game to this file; default, if a person plays: a new one in ~/.local/share/rulewright "
        "(below XDG_DATA_HOME, if that is set)",
    )
    kept.add_argument("--no-record", action="store_true", help="write no record")
    parser.add_argument(
        "--undo",
        choices=("fair", "free"),
        help="fair: nothing is taken back once chance has fallen or something was shown; free: everything can be; "
        "default: fair",
    )
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII alone; default: as the terminal can")
    parser.add_argument("--no-color", action="store_true", help="no colours; so does the variable NO_COLOR")


def _many(parser: Parser) -> None:
    """What every command that lets bots play many games has."""
    parser.add_argument(
        "--first", type=whole(0, 98, "seat"), default=0, metavar="SEAT", help="the seat that begins; default: 0"
    )
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="N", help="default: 1; every game has its own, derived from it"
    )
    parser.add_argument(
        "--jobs",
        type=whole(1, 1024, "number of processes"),
        default=1,
        metavar="J",
        help="processes that share the work; the result is the same",
    )
    parser.add_argument(
        "--cap",
        type=whole(1, 1_000_000, "number of turns"),
        default=2000,
        metavar="TURNS",
        help="give a game up after so many turns; default: 2000",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--csv",
        type=given,
        metavar="FILE",
        help="write a new file with a line for each game, as they are played; its first line, behind #, says which",
    )
    parser.add_argument(
        "--resume", type=given, metavar="FILE", help="go on with the games in a file that --csv has written"
    )


def _simulate(parser: Parser) -> None:
    _game(parser)
    parser.add_argument(
        "-n",
        "--games",
        type=whole(1, MOST_GAMES, "number of games"),
        default=None,
        metavar="N",
        help="how many games; default: 100",
    )
    _options(parser)
    parser.add_argument(
        "--bot",
        action="append",
        type=bot,
        metavar="BOT",
        help="a bot as below; once for all seats (default: random) or once for each",
    )
    _many(parser)
    parser.add_argument(
        "--only",
        type=whole(1, MOST_GAMES, "number of a game"),
        metavar="GAME",
        help="only the game with this number, alone, and the command that shows it move by move",
    )
    parser.add_argument(
        "--plot",
        type=given,
        metavar="FILE",
        help="draw the figures into a new file, .png or .svg (needs matplotlib)",
    )


def _tournament(parser: Parser) -> None:
    parser.add_argument("bots", nargs="+", type=bot, metavar="BOT", help="two bots or more, as below")
    parser.add_argument(
        "--game", type=given, metavar="GAME", help="a shipped game by name, or a path; default: the shipped default"
    )
    parser.add_argument(
        "-n",
        "--games",
        type=whole(1, MOST_GAMES, "number of games"),
        default=100,
        metavar="N",
        help="how many games each pairing plays, or the few more that let every seed be played in every seat order; "
        "default: 100",
    )
    _options(parser)
    _many(parser)
    parser.add_argument("--markdown", action="store_true", help="print tables for a Markdown file")


def _bench(parser: Parser) -> None:
    parser.add_argument(
        "--rounds",
        type=whole(1, 1000, "number of rounds"),
        default=5,
        metavar="N",
        help="default: 5; the median counts",
    )
    parser.add_argument(
        "--players", type=whole(1, 99, "number of players"), metavar="N", help="default: the first the yardsticks know"
    )
    parser.add_argument(
        "--only", action="append", default=[], type=given, metavar="NAME",
        help="only this yardstick, and no starting times; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--yardsticks",
        type=given,
        metavar="FILE",
        help="a file that says how to run yardsticks; default: the project's",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _check(parser: Parser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=given,
        metavar="PATH",
        help="game folders, variants, any rule files; default: all that is shipped",
    )
    parser.add_argument(
        "--players", type=whole(1, 99, "number of players"), metavar="N", help="default: every number the game allows"
    )
    parser.add_argument(
        "--game", type=given, metavar="GAME", help="the game that variants are laid over, if it is not found by name"
    )
    parser.add_argument(
        "--variant",
        action="append",
        type=given,
        default=[],
        metavar="V",
        help="a variant to lay over as well, by name or path; may be given several times",
    )
    parser.add_argument("--format", choices=("full", "short", "json"), default="full", help="default: full")
    parser.add_argument(
        "--fail-on", choices=("error", "warning"), default="error", help="what makes the exit status 1; default: error"
    )


def _test(parser: Parser) -> None:
    parser.add_argument("paths", nargs="+", type=given, metavar="PATH", help="scenario files, or folders of them")


def _perft(parser: Parser) -> None:
    _game(parser)
    _options(parser)
    parser.add_argument(
        "--depth", type=whole(0, 99, "depth"), required=True, metavar="N", help="how many decisions deep"
    )
    parser.add_argument(
        "--orders", choices=("rows", "seed"), help="shuffled places in the order of the rows (default), or by --seed"
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="shuffle by this seed; default with --orders seed: 0")
    parser.add_argument("--divide", action="store_true", help="also the count below each first action")


def _why(parser: Parser) -> None:
    _game(parser)
    parser.add_argument(
        "action", metavar="ACTION", help="an action in notation: name(choice=value, …); last choices may be left out"
    )
    _options(parser)
    _language(parser)
    parser.add_argument(
        "--seed",
        type=seed,
        default=0,
        metavar="N",
        help="judged at the first decision of the game with this seed; default: 0",
    )
    parser.add_argument("--position", type=given, metavar="FILE", help="a saved position to judge it in")
    parser.add_argument(
        "--seat", type=whole(0, 98, "seat"), metavar="SEAT", help="who would do it; default: the seat that decides"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _show(parser: Parser) -> None:
    parser.add_argument("address", metavar="ADDRESS", help="names with dots between, such as zones or turn.NAME")
    _game(parser)
    _options(parser, tokenwise=False)
    parser.add_argument("--lang", default=None, metavar="CODE", help="only this language; default: all the game has")


def _variants(parser: Parser) -> None:
    _game(parser)
    parser.add_argument(
        "--variant",
        action="append",
        type=given,
        default=[],
        metavar="V",
        help="only this one, by name or path; may be given several times",
    )
    _language(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


def _new(parser: Parser) -> None:
    parser.add_argument("what", choices=("variant", "game"), help="what to begin")
    parser.add_argument("name", metavar="NAME", help="its name; the file is called NAME.yaml")
    parser.add_argument(
        "--game", type=given, metavar="GAME", help="of a variant: its game; default: the shipped default"
    )
    parser.add_argument("--folder", type=given, default=".", metavar="DIR", help="where to write; default: here")


def _combine(parser: Parser) -> None:
    _game(parser)
    parser.add_argument(
        "--variant",
        action="append",
        type=given,
        default=[],
        metavar="V",
        help="only combinations with this one, by name or path; may be given several times",
    )
    parser.add_argument(
        "--players", type=whole(1, 99, "number of players"), metavar="N", help="default: every number the game allows"
    )
    parser.add_argument(
        "-n", "--games", type=whole(0, 1_000_000, "number of games"), default=200, metavar="N",
        help="random games of each combination; default: 200",
    )  # fmt: skip
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="default: 1")
    parser.add_argument("--cap", type=whole(1, 1_000_000, "number of turns"), default=2000, metavar="TURNS",
        help="a game counts as unfinished after so many turns; default: 2000")  # fmt: skip
    parser.add_argument("--sample", type=whole(1, 1_000_000, "number of combinations"), metavar="N",
        help="only so many of the combinations, drawn by the seed")  # fmt: skip
    parser.add_argument("--jobs", type=whole(1, 256, "number of processes"), default=1, metavar="J", help="default: 1")
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--keep", type=given, metavar="FILE", help="write a line for each combination into a new file")
    files.add_argument("--resume", type=given, metavar="FILE", help="go on with the file of a run that was stopped")
    parser.add_argument("--refused", type=given, metavar="FILE",
        help="what is known to be refused: any other refusal, or one that has vanished, is told")  # fmt: skip
    parser.add_argument("--write", action="store_true", help="write that file instead of comparing with it")


def _engine(parser: Parser) -> None:
    parser.add_argument(
        "--lang", default="en", metavar="CODE", help="language of reasons, unless a request says otherwise"
    )


def _replay(parser: Parser) -> None:
    parser.add_argument("record", type=given, metavar="FILE", help="a record of a game")
    parser.add_argument(
        "--at", type=whole(0, 1_000_000, "number of an action"), metavar="N", help="the board after action N"
    )
    parser.add_argument(
        "--seat", type=whole(0, 98, "seat"), metavar="SEAT", help="told to this seat; default: to a spectator"
    )
    parser.add_argument(
        "--verify", action="store_true", help="check every line, and hold the game against the shipped rules"
    )
    parser.add_argument(
        "--to-scenario", action="store_true", help="print the game, or with --at one action, as a scenario for tests"
    )
    parser.add_argument(
        "--game", type=given, metavar="GAME", help="replay under these rules, by name or path, without variants"
    )
    parser.add_argument(
        "--variant",
        action="append",
        type=given,
        default=[],
        metavar="V",
        help="replay under this variant, instead of the record's; may be given several times",
    )
    _language(parser)


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: the module below `front` that carries it out, a sentence, examples, its arguments."""

    name: str
    module: str
    text: str
    examples: tuple[str, ...]
    add: Callable[[Parser], None]
    more: str = ""
    below: str = ""  # what stands above the examples as it is


BOTS: Final = """bots, weakest first:
  random            any legal action
  greedy            what looks best at once
  heuristic         what leads to the best position after its next turn
  search:200        200 playouts in its head before each choice
  search:500ms      as many as half a second allows; more time, better play
  NAME              what looks best by the game's strategy NAME
  search:200:NAME   searches, but judges by that strategy; so does heuristic:NAME"""

COMMANDS: Final = (
    Command(
        "play",
        "play",
        "Play a game on the terminal, against bots or with others at one keyboard.",
        (
            "play",
            "play --players 3 --seat human --seat heuristic --seat search:500ms",
            "play --seed 7 --first 1 --variant NAME",
            "play my-game.yaml | less",
        ),
        _play,
        "In a pipe bots play the game through and all of it is printed, unless --seat human is given.",
        BOTS,
    ),
    Command(
        "replay",
        "replay",
        "Tell a recorded game again, check it, or hold it against other rules.",
        (
            "replay game.jsonl",
            "replay game.jsonl --at 12 --seat 1",
            "replay game.jsonl --verify",
            "replay game.jsonl --variant NAME",
            "replay game.jsonl --at 12 --to-scenario > tests/scenarios/mine.yaml",
        ),
        _replay,
        "A record holds the rules it was played by; nothing is shown that the seat may not know.",
    ),
    Command(
        "simulate",
        "simulate",
        "Let bots play many games and sum up what came of them.",
        (
            "simulate --games 1000",
            "simulate --players 4 --bot greedy --jobs 2 --csv games.csv --plot games.png",
            "simulate --players 4 --bot greedy --jobs 2 --resume games.csv --games 1000",
            "simulate --games 1000 --only 471",
            "simulate --bot heuristic --bot search:200 --games 10 --json",
        ),
        _simulate,
        "Every game has a seed of its own, so each can be played again alone. Quantiles are numbers that occur: the "
        "least that so many per cent of the games do not exceed. Stopped early, it sums up the games that were played.",
        BOTS,
    ),
    Command(
        "tournament",
        "tournament",
        "Let bots play against one another, on the same seeds with seats exchanged.",
        (
            "tournament greedy random",
            "tournament heuristic greedy --games 1000 --jobs 2 --markdown",
            "tournament greedy random --players 3 --csv games.csv",
            "tournament greedy random --players 3 --resume games.csv --games 500",
        ),
        _tournament,
        "With two seats every two bots are a pairing. With more seats every choice of so many bots is; when there are "
        "fewer bots than seats, every way to fill the seats in which each bot sits at least once. A pairing plays "
        "each seed in every seat order (from five seats on: with the bots moved round the table). These games "
        "together are one observation for the intervals.",
        BOTS,
    ),
    Command(
        "check",
        "check",
        "Say everything that is wrong with rule files.",
        (
            "check",
            "check my-game/",
            "check variants/my-game/house-rule.yaml --fail-on warning",
            "check first.yaml second.yaml --variant NAME",
            "check my-game.yaml --format json",
        ),
        _check,
        "Games are checked at every number of players they allow, variants laid over their game, and several variants "
        "of one game together.",
    ),
    Command(
        "test",
        "test",
        "Run scenarios: what the rules must do, written as data.",
        ("test tests/scenarios", "test my-scenarios.yaml"),
        _test,
    ),
    Command(
        "perft",
        "perft",
        "Count the sequences of so many decisions, to compare engines.",
        ("perft --depth 3", "perft --depth 2 --players 4 --divide", "perft --depth 3 --seed 7"),
        _perft,
    ),
    Command(
        "why",
        "why",
        "Say why an action is not legal: every rule against it, with its values and its place.",
        (
            "why 'NAME(choice=value)'",
            "why my-game.yaml NAME --seed 7",
            "why NAME --position saved.json --seat 1 --lang fr",
        ),
        _why,
    ),
    Command(
        "show",
        "show",
        "Show the rule at an address: its value, sentence, source, and every file that wrote it.",
        ("show parameters", "show actions.NAME", "show turn.NAME --players 3 --variant NAME"),
        _show,
    ),
    Command(
        "new",
        "new",
        "Write a file to begin with: a variant or a small game, with comments and a scenario.",
        ("new variant my-rule", "new variant my-rule --game my-game/ --folder my-game/variants", "new game my-game"),
        _new,
    ),
    Command(
        "combine",
        "combine",
        "Lay every variant and every pair of variants over their game, in both orders, and play what comes out.",
        ("combine --jobs 2", "combine --variant my-rule.yaml -n 50", "combine --sample 40 -n 5 --refused refused.yaml"),
        _combine,
        "Exit status 1: rules at fault in play, an order that matters, or another refusal than is known.",
    ),
    Command(
        "variants",
        "variants",
        "List the variants of a game: what each changes, and which cannot be played together.",
        ("variants", "variants --variant NAME", "variants my-game/ --variant house-rule.yaml --lang fr"),
        _variants,
    ),
    Command(
        "bench",
        "bench",
        "Measure the engine beside programs that were written by hand for one game.",
        ("bench", "bench --players 4 --rounds 3", "bench --only python --json"),
        _bench,
        "All run in turns on this machine: only ratios of one run mean anything. Needs the project's source, and a C "
        "compiler for what is written in C. Exit status 1: something is slower than it should be.",
    ),
    Command(
        "engine",
        "engine",
        "Play by line protocol: a JSON request a line on stdin, an answer a line on stdout.",
        ('engine <<< \'{"do": "new", "seed": 7}\'',),
        _engine,
        "schemas/protocol.schema.json describes every request and answer.",
    ),
)


def parser() -> Parser:
    """The parser of the whole command."""
    width = max(len(command.name) for command in COMMANDS)
    listed = "\n".join(f"  {command.name:<{width}}  {command.text}" for command in COMMANDS)
    whole_parser = Parser(
        prog="rulewright",
        description="Board game rules as data: play them, check them, ask them why.",
        epilog=f"commands:\n{listed}\n\nexamples:\n"
        + "\n".join(f"  rulewright {command.examples[0]}" for command in COMMANDS)
        + "\n\n`rulewright COMMAND --help` says more.\n"
        + "Exit status: 0 fine, 1 findings or failures, 2 wrong use, or a file that cannot be\n"
        + "read or written, 3 our fault, 130 stopped from the keyboard.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        usage="rulewright [--version] COMMAND …",
    )
    whole_parser.add_argument("--version", action="version", version=f"rulewright {__version__}")
    subparsers = whole_parser.add_subparsers(
        dest="command", prog="rulewright", metavar="COMMAND", help=argparse.SUPPRESS, parser_class=Parser
    )
    for command in COMMANDS:
        examples = "\n".join(f"  rulewright {example}" for example in command.examples)
        below = f"{command.below}\n\n" if command.below else ""
        one = subparsers.add_parser(
            command.name,
            description=textwrap.fill(f"{command.text} {command.more}", columns()),
            epilog=f"{below}examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add(one)
        one.set_defaults(module=command.module)
    return whole_parser


__all__ = ["COMMANDS", "parser"]
