"""The commands of the command line, and their help.

In: nothing. Out: the argument parser. Each subcommand is a row: its name, the module that carries it out, a sentence,
examples, and a function that adds its arguments.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Final

from rulewright import __version__
from rulewright.cli import arguments, author_arguments
from rulewright.cli.argument_types import ArgumentParser, HelpFormatter
from rulewright.frozen import frozen


@frozen
class Subcommand:
    """A subcommand: the module of `cli` that carries it out, a sentence, examples, its arguments."""

    name: str
    module: str
    summary: str
    examples: tuple[str, ...]
    add_arguments: Callable[[ArgumentParser], None]
    details: str = ""
    epilog: str = ""  # printed above the examples, unwrapped


BOT_HELP: Final = """bots, weakest first:
  random            any legal action
  greedy            the action with the best position right after it
  heuristic         what leads to the best position after its next turn
  search:200        200 playouts before each choice
  search:500ms      as many playouts as half a second allows
  NAME              what looks best by the game's strategy NAME
  search:200:NAME   search by that strategy; heuristic:NAME likewise"""

SUBCOMMANDS: Final = (
    Subcommand(
        "play",
        "play",
        "Play a game on the terminal, against bots or with others at one keyboard.",
        (
            "play",
            "play --players 3 --seat human --seat heuristic --seat search:500ms",
            "play --seed 7 --first-player 2 --variant NAME",
            "play my-game.yaml | less",
        ),
        arguments.add_play,
        "In a pipe bots play the game through and all of it is printed, unless --seat human is given.",
        BOT_HELP,
    ),
    Subcommand(
        "replay",
        "replay",
        "Show a recorded game again, check it, or play it under other rules.",
        (
            "replay game.jsonl",
            "replay game.jsonl --at 12 --player 2",
            "replay game.jsonl --verify",
            "replay game.jsonl --variant NAME",
            "replay game.jsonl --at 12 --to-scenario > tests/scenarios/mine.yaml",
        ),
        arguments.add_replay,
        "A record holds the rules it was played by; nothing is shown that the reader may not know.",
    ),
    Subcommand(
        "simulate",
        "simulate",
        "Let bots play many games and sum up the results.",
        (
            "simulate --games 1000",
            "simulate --players 4 --bot greedy --jobs 2 --csv games.csv --plot games.png",
            "simulate --players 4 --bot greedy --jobs 2 --resume games.csv --games 1000",
            "simulate --games 1000 --only 471",
            "simulate --bot heuristic --bot search:200 --games 10 --json",
        ),
        arguments.add_simulate,
        "Every game has its own seed, so each can be played again alone. Quantiles are values that occurred. A run "
        "that is stopped early sums up the games played so far.",
        BOT_HELP,
    ),
    Subcommand(
        "tournament",
        "tournament",
        "Let bots play against one another, on the same seeds with seats exchanged.",
        (
            "tournament greedy random",
            "tournament heuristic greedy --games 1000 --jobs 2 --markdown",
            "tournament greedy random --players 3 --csv games.csv",
            "tournament greedy random --players 3 --resume games.csv --games 500",
        ),
        arguments.add_tournament,
        "A pairing has a bot for each player: any two bots in a game for two. With fewer bots than players, bots are "
        "repeated, and every bot is in every pairing. A pairing plays each seed in every seat order (from five "
        "players on: in every rotation); for the intervals, these games together are one observation.",
        BOT_HELP,
    ),
    Subcommand(
        "check",
        "check",
        "Find everything that is wrong with rule files.",
        (
            "check",
            "check my-game/",
            "check variants/my-game/house-rule.yaml --fail-on warning",
            "check first.yaml second.yaml --variant NAME",
            "check my-game.yaml --format json",
            "check my-game/ --fix --diff",
            "check my-game/ --watch",
            "check - --stdin-filename variants/my-game/house-rule.yaml < draft.yaml",
        ),
        author_arguments.add_check,
        "Games are checked at every number of players they allow, variants applied to their game, and several variants "
        "of one game together.",
    ),
    Subcommand(
        "explain",
        "explain",
        "Say what a diagnostic means and why it matters, with a wrong and a right example.",
        ("explain unknown-name", "explain N201 T204", "explain"),
        author_arguments.add_explain,
    ),
    Subcommand(
        "test",
        "test",
        "Run scenarios: what the rules must do, written as data.",
        (
            "test tests/scenarios",
            "test my-scenarios.yaml",
            "test my-scenarios.yaml --coverage --only my-variant",
            "test my-scenarios.yaml --mutate --jobs 2",
        ),
        author_arguments.add_test,
    ),
    Subcommand(
        "perft",
        "perft",
        "Count all sequences of N decisions, to compare engines.",
        ("perft --depth 3", "perft --depth 2 --players 4 --divide", "perft --depth 3 --seed 7"),
        arguments.add_perft,
    ),
    Subcommand(
        "lockstep",
        "lockstep",
        "Play the same random games in several engines at once, and find what differs.",
        (
            "lockstep --games 20",
            "lockstep my-game.yaml --players 2 --players 3 --decisions 5000 --seed 7",
            "lockstep --mutate 50 --games 2 --engines reference,reference --json",
        ),
        author_arguments.add_lockstep,
        "After each decision legal actions, contents, states, chance, results, measures, evaluations and all views "
        "must be equal. Exit status 1: they are not; the seed and the decision show it again. A mutant counts when it "
        "loads and its games differ from those of the game.",
    ),
    Subcommand(
        "why",
        "why",
        "Explain why an action is not legal: every rule against it, with its values and place.",
        (
            "why 'NAME(choice=value)'",
            "why my-game.yaml NAME --seed 7",
            "why NAME --position saved.json --player 2 --lang fr",
        ),
        arguments.add_why,
    ),
    Subcommand(
        "show",
        "show",
        "Show the rule at an address: its value, sentence, source, and every file that wrote it.",
        ("show parameters", "show actions.NAME", "show turn.NAME --players 3 --variant NAME"),
        author_arguments.add_show,
    ),
    Subcommand(
        "rulebook",
        "rulebook",
        "Write a rulebook from which somebody who has never played can learn the game.",
        (
            "rulebook > rules.md",
            "rulebook --lang fr -o rules.html",
            "rulebook my-game/ --players 3 --variant NAME --changes -o rules.html",
        ),
        author_arguments.add_rulebook,
        "Everything in it comes from the rules. Without --players it is for all numbers of players. The HTML is one "
        "file that needs no network.",
    ),
    Subcommand(
        "lsp",
        "lsp",
        "Help an editor while rules are written: problems, meanings, names, renaming.",
        ("lsp",),
        author_arguments.add_lsp,
        "A language server: the editor starts it and speaks with it over standard input and output. It needs pygls: "
        "pip install 'rulewright[lsp]'. variants/README.md says how editors are set up.",
    ),
    Subcommand(
        "schema",
        "schema",
        "Write a JSON Schema of a game's variants, with its addresses, for editors that complete YAML by schemas.",
        ("schema -o variant.schema.json", "schema my-game -o my-game.schema.json"),
        author_arguments.add_schema,
        "Name it in the first line of a variant: # yaml-language-server: $schema=variant.schema.json",
    ),
    Subcommand(
        "graph",
        "graph",
        "Draw the rules as a diagram, and mark what variants add, change or remove.",
        (
            "graph -o turn.svg",
            "graph --show moves --lang fr -o moves.svg",
            "graph my-game.yaml --show all --players 3 --format svg > rules.svg",
            "graph --variant NAME --set NAME=VALUE",
        ),
        author_arguments.add_graph,
        "Variants are compared with the same game and number of players without them.",
    ),
    Subcommand(
        "new",
        "new",
        "Write a file to start from: a variant or a small game, with comments and a scenario.",
        ("new variant my-rule", "new variant my-rule --game my-game/ --folder my-game/variants", "new game my-game"),
        author_arguments.add_new,
    ),
    Subcommand(
        "migrate",
        "migrate",
        "Rewrite rule files of an older version of the language in the words of today.",
        ("migrate my-game/ my-rule.yaml", "migrate --dry-run my-game/"),
        author_arguments.add_migrate,
        "Comments and order stay. Exit status 1: a file that cannot be read; it stays as it is.",
    ),
    Subcommand(
        "combine",
        "combine",
        "Apply every variant and every pair of variants to their game, in both orders, and play the results.",
        ("combine --jobs 2", "combine --variant my-rule.yaml -n 50", "combine --sample 40 -n 5 --refused refused.yaml"),
        author_arguments.add_combine,
        "Exit status 1: rules that fail in play, an order that matters, or an unknown refusal.",
    ),
    Subcommand(
        "variants",
        "variants",
        "List the variants of a game: what each changes, and which cannot be played together.",
        ("variants", "variants --variant NAME", "variants my-game/ --variant house-rule.yaml --lang fr"),
        author_arguments.add_variants,
    ),
    Subcommand(
        "engine",
        "engine",
        "Play by line protocol: JSON requests on stdin, JSON answers on stdout, one per line.",
        ('engine <<< \'{"do": "new", "seed": 7}\'',),
        arguments.add_engine,
        "schemas/protocol.schema.json describes every request and answer.",
    ),
)


def build_parser(words: Sequence[str] = ()) -> ArgumentParser:
    """The parser of the whole command. `words`: what it will read; where they begin with a command, it knows only that
    one, as to build the others takes longer than to read the words.
    """
    width = max(len(command.name) for command in SUBCOMMANDS)
    command_list = "\n".join(f"  {command.name:<{width}}  {command.summary}" for command in SUBCOMMANDS)
    parser = ArgumentParser(
        prog="rulewright",
        description="Board game rules as data: play them, check them, ask why.",
        epilog=f"commands:\n{command_list}\n\nexamples:\n"
        + "\n".join(f"  rulewright {command.examples[0]}" for command in SUBCOMMANDS)
        + "\n\nSee `rulewright COMMAND --help` for more.\n"
        + "Exit status: 0 no problems, 1 problems or failures, 2 wrong usage, or a file that cannot be\n"
        + "read or written, 3 internal error, 130 stopped from the keyboard.",
        formatter_class=HelpFormatter,
        allow_abbrev=False,
        usage="rulewright [--version] COMMAND …",
    )
    parser.add_argument("--version", action="version", version=f"rulewright {__version__}")
    subparsers = parser.add_subparsers(
        dest="command", prog="rulewright", metavar="COMMAND", help=argparse.SUPPRESS, parser_class=ArgumentParser
    )
    for command in [command for command in SUBCOMMANDS if command.name in words[:1]] or SUBCOMMANDS:
        examples = "\n".join(f"  rulewright {example}" for example in command.examples)
        epilog = f"{command.epilog}\n\n" if command.epilog else ""
        subparser = subparsers.add_parser(
            command.name,
            description=f"{command.summary} {command.details}",
            epilog=f"{epilog}examples:\n{examples}",
            formatter_class=HelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(module=command.module)
    return parser


__all__ = ["SUBCOMMANDS", "build_parser"]
