"""The arguments of the commands for those who write rules: check them, test them, look at them, print them.

In: a parser. Out: the same parser with the arguments of a command.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.checker.output.format_names import FORMATS
from rulewright.cli.argument_types import (
    ArgumentParser,
    format_and_file,
    int_range,
    non_empty,
    player_count,
    seed_number,
    turn_cap,
)
from rulewright.cli.shared_arguments import (
    PRINT_NEEDS,
    engine_argument,
    game_argument,
    language_argument,
    output_argument,
    rules_arguments,
    settings_argument,
    tokenwise_argument,
    variants_argument,
)
from rulewright.engine.compiled.kernel.optimisations import OPTIMISATIONS


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
    variants_argument(parser, "a variant to apply as well, by name or path")
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
        help="decisions of random players that each set of rules is tried in, at each number of players, up to four "
        "times as many where games are short; many files share 20,000; default: 500",
    )
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="also say what is proved of the rules and what was only not found in play, as text and in --format json",
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
    parser.add_argument(
        "--write-cases",
        type=non_empty,
        metavar="FOLDER",
        help="write a scenario for each change that none notices, where one is found that does",
    )
    parser.add_argument("--force", action="store_true", help="overwrite files that exist")


def add_lockstep(parser: ArgumentParser) -> None:
    """The arguments of `rulewright lockstep`."""
    game_argument(parser)
    parser.add_argument(
        "--players",
        action="append",
        type=player_count,
        default=[],
        metavar="N",
        help="repeatable; default: every number the game allows",
    )
    variants_argument(parser, "a variant by name or path")
    settings_argument(parser)
    tokenwise_argument(parser)
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


def add_show(parser: ArgumentParser) -> None:
    """The arguments of `rulewright show`."""
    parser.add_argument("address", metavar="ADDRESS", help="names joined with dots, such as zones or turn.NAME")
    game_argument(parser)
    rules_arguments(parser, tokenwise=False)
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
    game_argument(parser)
    rules_arguments(parser, tokenwise=False, players="every number the game allows")
    language_argument(parser)
    parser.add_argument("--format", choices=("md", "html", "pdf"), help="default: by the suffix of the file, else md")
    parser.add_argument("--changes", action="store_true", help="mark what the variants change")
    parser.add_argument("--appendix", action="store_true", help="add all things, and where every rule is printed")
    output_argument(parser, f".md, .txt, .html, .htm or .pdf {PRINT_NEEDS}")


def add_lsp(parser: ArgumentParser) -> None:
    """`rulewright lsp` has no arguments."""


def add_schema(parser: ArgumentParser) -> None:
    """The arguments of `rulewright schema`."""
    game_argument(parser)
    output_argument(parser, ".json")


def add_graph(parser: ArgumentParser) -> None:
    """The arguments of `rulewright graph`."""
    game_argument(parser)
    rules_arguments(parser, tokenwise=False)
    language_argument(parser)
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
    output_argument(parser, f".svg, .pdf or .png {PRINT_NEEDS}, or .mmd, .md or .txt for Mermaid")


def add_variants(parser: ArgumentParser) -> None:
    """The arguments of `rulewright variants`."""
    game_argument(parser)
    variants_argument(parser, "only this one, by name or path")
    language_argument(parser)
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
    game_argument(parser)
    variants_argument(parser, "only combinations with this one, by name or path")
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
    engine_argument(parser, "the games are the same")


__all__ = [
    "add_check",
    "add_combine",
    "add_explain",
    "add_graph",
    "add_lockstep",
    "add_lsp",
    "add_migrate",
    "add_new",
    "add_rulebook",
    "add_schema",
    "add_show",
    "add_test",
    "add_variants",
]
