"""The arguments of the commands that play games: by hand, by bots, for other programs.

In: a parser. Out: the same parser with the arguments of a command.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.cli.argument_types import (
    ArgumentParser,
    bot_name,
    contestant_name,
    int_range,
    non_empty,
    seat_name,
    seed_number,
    turn_cap,
)
from rulewright.cli.shared_arguments import (
    engine_argument,
    first_player_argument,
    game_argument,
    language_argument,
    player_argument,
    rules_arguments,
    settings_argument,
    variants_argument,
)
from rulewright.engine.engine_names import AUTO_ENGINE, ENGINE_NAMES


def add_play(parser: ArgumentParser) -> None:
    """The arguments of `rulewright play`."""
    game_argument(parser)
    rules_arguments(parser)
    language_argument(parser)
    parser.add_argument(
        "--seat",
        action="append",
        type=seat_name,
        metavar="WHO",
        help="who plays, player by player: human, or a bot as below; default: you against greedy bots",
    )
    parser.add_argument(
        "--engine",
        choices=ENGINE_NAMES,
        help="what bots think in. reference: the engine that defines the rules; python: a program that is generated "
        "from them, in which they choose the same, sooner; native: machine code; auto: the fastest that can, as "
        "without this option, which also prints what was taken",
    )
    first_player_argument(parser)
    parser.add_argument("--seed", type=seed_number, metavar="N", help="the same seed gives the same shuffles and bots")
    parser.add_argument(
        "--cap",
        type=turn_cap,
        default=2000,
        metavar="TURNS",
        help="turns after which a game of bots alone is stopped; default: 2000",
    )
    parser.add_argument("--resume", type=non_empty, metavar="FILE", help="resume a record, or a saved position")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument(
        "--record",
        type=non_empty,
        metavar="FILE",
        help="record the game in this file; default, if a person plays: a new one in ~/.local/share/rulewright "
        "(below XDG_DATA_HOME, if that is set)",
    )
    kept.add_argument("--no-record", action="store_true", help="do not record the game")
    parser.add_argument(
        "--undo",
        choices=("fair", "free"),
        help="fair: an action cannot be undone once it involved chance or showed something; free: every action can; "
        "default: fair",
    )
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII only; default: if the terminal needs it")
    parser.add_argument("--no-color", action="store_true", help="no colours, as with the variable NO_COLOR")


def _many(parser: ArgumentParser) -> None:
    """The arguments of every command in which bots play many games."""
    parser.add_argument(
        "--engine",
        choices=ENGINE_NAMES,
        default=AUTO_ENGINE,
        help="reference: the engine that defines the rules; python: a program that is generated from them, in which "
        "bots think; the games are the same; default: auto, the fastest that can",
    )
    first_player_argument(parser)
    parser.add_argument(
        "--seed", type=seed_number, metavar="N", help="default: 1; every game has its own, derived from it"
    )
    parser.add_argument(
        "--jobs",
        type=int_range(1, 1024, "number of processes"),
        default=1,
        metavar="J",
        help="processes that share the work; the result is the same",
    )
    parser.add_argument(
        "--cap",
        type=turn_cap,
        metavar="TURNS",
        help="turns after which a game is stopped as unfinished; default: 2000",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--csv",
        type=non_empty,
        metavar="FILE",
        help="write a new file with a line for each game; its first line, after #, describes the batch",
    )
    parser.add_argument(
        "--resume",
        type=non_empty,
        metavar="FILE",
        help="continue a file that --csv has written, with its settings, up to --games",
    )


def add_simulate(parser: ArgumentParser) -> None:
    """The arguments of `rulewright simulate`."""
    game_argument(parser)
    parser.add_argument(
        "-n",
        "--games",
        type=int_range(1, limits.MAX_GAMES, "number of games"),
        default=None,
        metavar="N",
        help="how many games; default: 100",
    )
    rules_arguments(parser)
    parser.add_argument(
        "--bot",
        action="append",
        type=bot_name,
        metavar="BOT",
        help="a bot as below; once for all seats (default: random) or once for each",
    )
    _many(parser)
    parser.add_argument(
        "--only",
        type=int_range(1, limits.MAX_GAMES, "game number"),
        metavar="GAME",
        help="play only the game of this number, and print the command that shows it move by move",
    )
    parser.add_argument(
        "--plot",
        type=non_empty,
        metavar="FILE",
        help="plot the figures into a new file, .png or .svg (needs matplotlib)",
    )


def add_tournament(parser: ArgumentParser) -> None:
    """The arguments of `rulewright tournament`."""
    parser.add_argument("bots", nargs="+", type=contestant_name, metavar="BOT", help="two bots or more, as below")
    parser.add_argument(
        "--game", type=non_empty, metavar="GAME", help="a shipped game by name, or a path; default: the shipped default"
    )
    parser.add_argument(
        "-n",
        "--games",
        type=int_range(1, limits.MAX_GAMES, "number of games"),
        metavar="N",
        help="games of each pairing, rounded up so that every seed is played in every seat order; default: 100",
    )
    rules_arguments(parser)
    _many(parser)
    parser.add_argument("--markdown", action="store_true", help="print tables for a Markdown file")


def add_perft(parser: ArgumentParser) -> None:
    """The arguments of `rulewright perft`."""
    game_argument(parser)
    rules_arguments(parser)
    parser.add_argument(
        "--depth", type=int_range(0, 99, "depth"), required=True, metavar="N", help="how many decisions deep"
    )
    parser.add_argument(
        "--orders", choices=("rows", "seed"), help="shuffled places in the order of the rows (default), or by --seed"
    )
    parser.add_argument(
        "--seed", type=seed_number, metavar="N", help="shuffle by this seed; default with --orders seed: 0"
    )
    parser.add_argument("--divide", action="store_true", help="also print the count below each first action")
    engine_argument(parser, "the counts are the same")


def add_why(parser: ArgumentParser) -> None:
    """The arguments of `rulewright why`."""
    game_argument(parser)
    parser.add_argument(
        "action",
        metavar="ACTION",
        help="an action in notation: name(choice=value, …); the last choices may be left out",
    )
    rules_arguments(parser)
    language_argument(parser)
    parser.add_argument(
        "--seed",
        type=seed_number,
        default=0,
        metavar="N",
        help="judged at the first decision of the game with this seed; default: 0",
    )
    parser.add_argument("--position", type=non_empty, metavar="FILE", help="a saved position to judge it in")
    player_argument(parser, "the player who would do it", default="who decides")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_engine(parser: ArgumentParser) -> None:
    """The arguments of `rulewright engine`."""
    parser.add_argument(
        "--lang", default="en", metavar="CODE", help="language of reasons, unless a request says otherwise"
    )
    parser.add_argument(
        "--engine",
        choices=ENGINE_NAMES,
        help="what lists and carries out actions; the answers are the same. reference: the engine that defines the "
        "rules, as without this option; python: a program that is generated from them; native: machine code; auto: the "
        "fastest that can; which one plays is said on stderr as a game begins",
    )


def add_replay(parser: ArgumentParser) -> None:
    """The arguments of `rulewright replay`."""
    parser.add_argument("record", type=non_empty, metavar="FILE", help="a record of a game")
    parser.add_argument(
        "--at", type=int_range(0, 1_000_000, "action number"), metavar="N", help="the board after action N"
    )
    player_argument(parser, "the player to show it to", default="a spectator")
    parser.add_argument("--verify", action="store_true", help="check every line, and compare with the shipped rules")
    parser.add_argument(
        "--to-scenario", action="store_true", help="print the game, or with --at one action, as a scenario for tests"
    )
    parser.add_argument(
        "--game", type=non_empty, metavar="GAME", help="replay under these rules, by name or path, without variants"
    )
    variants_argument(parser, "replay under this variant, instead of the record's")
    settings_argument(parser)
    language_argument(parser)


__all__ = ["add_engine", "add_perft", "add_play", "add_replay", "add_simulate", "add_tournament", "add_why"]
