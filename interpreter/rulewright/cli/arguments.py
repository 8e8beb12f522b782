"""The arguments of each command.

In: a parser. Out: the same parser with the arguments of a command.
"""

from __future__ import annotations

from argparse import SUPPRESS
from typing import Final

from rulewright import limits
from rulewright.checker.format_names import FORMATS
from rulewright.cli.argument_types import (
    ArgumentParser,
    bot_name,
    contestant_name,
    format_and_file,
    int_range,
    non_empty,
    parameter_setting,
    player_count,
    renamed_option,
    seat_name,
    seat_of_number,
    seed_number,
    turn_cap,
)
from rulewright.engine.compiled.optimisations import OPTIMISATIONS
from rulewright.engine.engine_names import AUTO_ENGINE, ENGINE_NAMES

PRINT_NEEDS: Final = "(needs the extra rulewright[print])"


def _engine(parser: ArgumentParser, remark: str) -> None:
    parser.add_argument(
        "--engine",
        choices=ENGINE_NAMES,
        default=AUTO_ENGINE,
        help="reference: the engine that defines the rules; python: a program that is generated from them, "
        f"{remark}; native: the same as machine code (needs llvmlite); default: auto, the fastest that can",
    )


def _game(parser: ArgumentParser) -> None:
    parser.add_argument(
        "game",
        nargs="?",
        type=non_empty,
        metavar="GAME",
        help="a shipped game by name, or a path; default: the shipped default",
    )


def _variants(parser: ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--variant",
        action="append",
        type=non_empty,
        default=[],
        metavar="V",
        help=f"{what}; repeatable",
    )


def _settings(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        type=parameter_setting,
        dest="variant",
        metavar="NAME=VALUE",
        help="set a parameter of the rules (`rulewright show parameters` lists them)",
    )


def _options(parser: ArgumentParser, *, tokenwise: bool = True, players: str = "the fewest the game allows") -> None:
    """`players`: the default number of players."""
    parser.add_argument("--players", type=player_count, metavar="N", help=f"default: {players}")
    _variants(parser, "a variant by name or path")
    _settings(parser)
    if tokenwise:
        _tokenwise(parser)


def _tokenwise(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--tokenwise",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="answer the choice at this address piece by piece (actions.NAME.choose.CHOICE)",
    )


def _first_player(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--first-player",
        type=seat_of_number,
        dest="first",
        metavar="N",
        help="the player who begins, counted from 1; default: 1",
    )
    parser.add_argument("--first", type=renamed_option("--first-player"), dest="first", help=SUPPRESS)


def _player(parser: ArgumentParser, who: str, default: str) -> None:
    parser.add_argument(
        "--player", type=seat_of_number, dest="seat", metavar="N", help=f"{who}, counted from 1; default: {default}"
    )
    parser.add_argument("--seat", type=renamed_option("--player"), dest="seat", help=SUPPRESS)


def _output(parser: ArgumentParser, suffixes: str) -> None:
    parser.add_argument(
        "-o", "--output", type=non_empty, metavar="FILE", help=f"write a new file, {suffixes}; default: print"
    )
    parser.add_argument("--force", action="store_true", help="overwrite FILE if it already exists")


def _language(parser: ArgumentParser) -> None:
    parser.add_argument("--lang", default="en", metavar="CODE", help="language of the sentences: en, fr, …")


def add_play(parser: ArgumentParser) -> None:
    """The arguments of `rulewright play`."""
    _game(parser)
    _options(parser)
    _language(parser)
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
    _first_player(parser)
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
    _first_player(parser)
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
    _game(parser)
    parser.add_argument(
        "-n",
        "--games",
        type=int_range(1, limits.MAX_GAMES, "number of games"),
        default=None,
        metavar="N",
        help="how many games; default: 100",
    )
    _options(parser)
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
    _options(parser)
    _many(parser)
    parser.add_argument("--markdown", action="store_true", help="print tables for a Markdown file")


def add_check(parser: ArgumentParser) -> None:
    """The arguments of `rulewright check`."""
    parser.add_argument(
        "paths",
        nargs="*",
        type=non_empty,
        metavar="PATH",
        help="game folders, variants, any rule files, - for standard input; default: all that is shipped, or the games "
        "with the variants",
    )
    parser.add_argument(
        "--stdin-filename",
        type=non_empty,
        metavar="FILE",
        help="which file standard input is: its name in diagnostics, and where its game is looked for",
    )
    parser.add_argument("--watch", action="store_true", help="check again whenever a rule file changes")
    parser.add_argument(
        "--problem-matcher", action="store_true", help="only print what GitHub needs to read --format short"
    )
    parser.add_argument(
        "--players",
        type=player_count,
        metavar="N",
        help="default: every number the game allows",
    )
    parser.add_argument(
        "--game",
        type=non_empty,
        metavar="GAME",
        help="the game that variants are applied to, if it is not found by name",
    )
    _variants(parser, "a variant to apply as well, by name or path")
    parser.add_argument(
        "--format",
        action="append",
        type=format_and_file,
        default=[],
        metavar="NAME[=FILE]",
        help=f"how diagnostics are printed or, with a file, written; repeatable: {', '.join(FORMATS)}; default: full",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="correct in the files what is certain: a name with one near one, operators and words of other languages",
    )
    parser.add_argument("--diff", action="store_true", help="with --fix: show the corrections, change no file")
    parser.add_argument(
        "--fail-on", choices=("error", "warning"), default="error", help="what makes the exit status 1; default: error"
    )
    parser.add_argument(
        "--play",
        type=int_range(0, 1_000_000, "number of decisions"),
        default=500,
        metavar="N",
        help="decisions of random players that each set of rules is tried in, at each number of players; many files "
        "share 20,000; default: 500",
    )


def add_explain(parser: ArgumentParser) -> None:
    """The arguments of `rulewright explain`."""
    parser.add_argument(
        "codes",
        nargs="*",
        type=non_empty,
        metavar="CODE",
        help="the name or number that stands in a diagnostic: unknown-name, N201; default: a list of all",
    )


def add_test(parser: ArgumentParser) -> None:
    """The arguments of `rulewright test`."""
    parser.add_argument("paths", nargs="+", type=non_empty, metavar="PATH", help="scenario files, or folders of them")
    parser.add_argument("--coverage", action="store_true", help="a table: which rules each scenario has seen")
    parser.add_argument(
        "--coverage-html", type=non_empty, metavar="FILE", help="the same as a page: the rule files, line by line"
    )
    parser.add_argument(
        "--only",
        type=non_empty,
        metavar="NAME",
        help="only rules that this variant or game wrote, or at this address",
    )
    parser.add_argument(
        "--mutate", action="store_true", help="change each rule a little, and list the changes that no scenario notices"
    )
    parser.add_argument(
        "--sample", type=int_range(1, limits.MAX_GAMES, "number of mutants"), metavar="N", help="of these only N"
    )
    parser.add_argument("--seed", type=seed_number, metavar="N", help="which N of them; default: 1")
    parser.add_argument(
        "--jobs",
        type=int_range(1, 256, "number of processes"),
        default=1,
        metavar="J",
        help="processes that share the mutants",
    )
    parser.add_argument("--force", action="store_true", help="overwrite FILE if it exists")


def add_perft(parser: ArgumentParser) -> None:
    """The arguments of `rulewright perft`."""
    _game(parser)
    _options(parser)
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
    _engine(parser, "the counts are the same")


def add_lockstep(parser: ArgumentParser) -> None:
    """The arguments of `rulewright lockstep`."""
    _game(parser)
    parser.add_argument(
        "--players",
        action="append",
        type=player_count,
        default=[],
        metavar="N",
        help="repeatable; default: every number the game allows",
    )
    _variants(parser, "a variant by name or path")
    _settings(parser)
    _tokenwise(parser)
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "-n",
        "--games",
        type=int_range(1, limits.MAX_GAMES, "number of games"),
        metavar="N",
        help="how many games of each rule set; default: 5",
    )
    length.add_argument(
        "--decisions",
        type=int_range(1, 1_000_000_000, "number of decisions"),
        metavar="N",
        help="as many games as make so many decisions",
    )
    parser.add_argument("--seed", type=seed_number, metavar="N", help="of the first game; default: 1")
    parser.add_argument(
        "--chance",
        choices=("seed", "outside", "orders"),
        help="where it comes from in every game: the seed; outside, outcome by outcome; outside, with the orders of "
        "piles given; default: the seed in three games of five, the others in one each",
    )
    parser.add_argument(
        "--mutate",
        type=int_range(0, 1_000_000, "number of rule sets"),
        default=0,
        metavar="N",
        help="also so many rule sets, changed at random",
    )
    parser.add_argument(
        "--engines",
        type=lambda text: non_empty(text).split(","),
        metavar="NAME,NAME",
        help="default: all; a single one is compared with itself",
    )
    parser.add_argument(
        "--without",
        action="append",
        choices=OPTIMISATIONS,
        default=[],
        metavar="NAME",
        help=f"what compiled programs do without, repeatable: {', '.join(OPTIMISATIONS)}",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_why(parser: ArgumentParser) -> None:
    """The arguments of `rulewright why`."""
    _game(parser)
    parser.add_argument(
        "action",
        metavar="ACTION",
        help="an action in notation: name(choice=value, …); the last choices may be left out",
    )
    _options(parser)
    _language(parser)
    parser.add_argument(
        "--seed",
        type=seed_number,
        default=0,
        metavar="N",
        help="judged at the first decision of the game with this seed; default: 0",
    )
    parser.add_argument("--position", type=non_empty, metavar="FILE", help="a saved position to judge it in")
    _player(parser, "the player who would do it", default="who decides")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_show(parser: ArgumentParser) -> None:
    """The arguments of `rulewright show`."""
    parser.add_argument("address", metavar="ADDRESS", help="names joined with dots, such as zones or turn.NAME")
    _game(parser)
    _options(parser, tokenwise=False)
    parser.add_argument("--lang", default=None, metavar="CODE", help="only this language; default: all that it has")
    parser.add_argument(
        "--facts",
        action="store_true",
        help="print what follows from the rules instead: what it can be or hold, what it reads and writes",
    )
    compiled = parser.add_mutually_exclusive_group()
    compiled.add_argument(
        "--layout",
        action="store_true",
        help="with the address `.`: print what stands in which cells of a compiled position, and in which bits of an "
        "action",
    )
    compiled.add_argument(
        "--program",
        choices=("python", "llvm"),
        help="with the address `.`: print the program that the rules are compiled into",
    )


def add_rulebook(parser: ArgumentParser) -> None:
    """The arguments of `rulewright rulebook`."""
    _game(parser)
    _options(parser, tokenwise=False, players="every number the game allows")
    _language(parser)
    parser.add_argument("--format", choices=("md", "html", "pdf"), help="default: by the suffix of the file, else md")
    parser.add_argument("--changes", action="store_true", help="mark what the variants change")
    parser.add_argument("--appendix", action="store_true", help="add all things, and where every rule is printed")
    _output(parser, f".md, .txt, .html, .htm or .pdf {PRINT_NEEDS}")


def add_lsp(parser: ArgumentParser) -> None:
    """`rulewright lsp` has no arguments."""


def add_schema(parser: ArgumentParser) -> None:
    """The arguments of `rulewright schema`."""
    _game(parser)
    _output(parser, ".json")


def add_graph(parser: ArgumentParser) -> None:
    """The arguments of `rulewright graph`."""
    _game(parser)
    _options(parser, tokenwise=False)
    _language(parser)
    parser.add_argument(
        "--show",
        choices=("turn", "moves", "all"),
        default="turn",
        help="the steps of a turn and what is offered there; the zones and what moves between them; or both, with "
        "every action, from set-up to ranking; default: turn",
    )
    parser.add_argument(
        "--format",
        choices=("mermaid", "svg", "pdf", "png"),
        help="default: by the suffix of the file, else mermaid, which GitHub renders",
    )
    _output(parser, f".svg, .pdf or .png {PRINT_NEEDS}, or .mmd, .md or .txt for Mermaid")


def add_variants(parser: ArgumentParser) -> None:
    """The arguments of `rulewright variants`."""
    _game(parser)
    _variants(parser, "only this one, by name or path")
    _language(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


def add_new(parser: ArgumentParser) -> None:
    """The arguments of `rulewright new`."""
    parser.add_argument("what", choices=("variant", "game"), metavar="variant|game", help="what to write")
    parser.add_argument("name", metavar="NAME", help="its name; the file is called NAME.yaml")
    parser.add_argument(
        "--game", type=non_empty, metavar="GAME", help="the game of a variant; default: the shipped default"
    )
    parser.add_argument("--folder", type=non_empty, default=".", metavar="DIR", help="default: the current folder")


def add_migrate(parser: ArgumentParser) -> None:
    """The arguments of `rulewright migrate`."""
    parser.add_argument("paths", nargs="+", type=non_empty, metavar="PATH", help="rule files, or folders of them")
    parser.add_argument("--dry-run", action="store_true", help="write nothing, only say what would be rewritten")


def add_combine(parser: ArgumentParser) -> None:
    """The arguments of `rulewright combine`."""
    _game(parser)
    _variants(parser, "only combinations with this one, by name or path")
    parser.add_argument(
        "--players",
        type=player_count,
        metavar="N",
        help="default: every number the game allows",
    )
    parser.add_argument(
        "-n", "--games", type=int_range(0, 1_000_000, "number of games"), metavar="N",
        help="random games of each combination; default: 200",
    )  # fmt: skip
    parser.add_argument("--seed", type=seed_number, metavar="N", help="default: 1")
    parser.add_argument("--cap", type=turn_cap, metavar="TURNS",
        help="turns after which a game counts as unfinished; default: 2000")  # fmt: skip
    parser.add_argument("--sample", type=int_range(1, 1_000_000, "number of combinations"), metavar="N",
        help="a sample of that many combinations, drawn by the seed")  # fmt: skip
    parser.add_argument(
        "--jobs", type=int_range(1, 256, "number of processes"), default=1, metavar="J", help="default: 1"
    )
    files = parser.add_mutually_exclusive_group()
    files.add_argument(
        "--keep", type=non_empty, metavar="FILE", help="write a line for each combination into a new file"
    )
    files.add_argument("--resume", type=non_empty, metavar="FILE",
        help="continue the file of a run that was stopped, with its settings")  # fmt: skip
    parser.add_argument("--refused", type=non_empty, metavar="FILE",
        help="known refusals: any other, or one that no longer occurs, is reported")  # fmt: skip
    parser.add_argument("--write", action="store_true", help="write that file instead of comparing with it")
    _engine(parser, "the games are the same")


def add_engine(parser: ArgumentParser) -> None:
    """The arguments of `rulewright engine`."""
    parser.add_argument(
        "--lang", default="en", metavar="CODE", help="language of reasons, unless a request says otherwise"
    )


def add_replay(parser: ArgumentParser) -> None:
    """The arguments of `rulewright replay`."""
    parser.add_argument("record", type=non_empty, metavar="FILE", help="a record of a game")
    parser.add_argument(
        "--at", type=int_range(0, 1_000_000, "action number"), metavar="N", help="the board after action N"
    )
    _player(parser, "the player to show it to", default="a spectator")
    parser.add_argument("--verify", action="store_true", help="check every line, and compare with the shipped rules")
    parser.add_argument(
        "--to-scenario", action="store_true", help="print the game, or with --at one action, as a scenario for tests"
    )
    parser.add_argument(
        "--game", type=non_empty, metavar="GAME", help="replay under these rules, by name or path, without variants"
    )
    _variants(parser, "replay under this variant, instead of the record's")
    _settings(parser)
    _language(parser)
