"""The words of the command line, and the help that teaches them.

In: nothing. Out: the argument parser. Each subcommand is a row: its name, the module that carries it out, a sentence,
examples, and a function that adds its arguments (`options`).
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rulewright import __version__
from rulewright.cli import arguments
from rulewright.cli.argument_types import ArgumentParser
from rulewright.terminal.width import terminal_width


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A subcommand: the module of `cli` that carries it out, a sentence, examples, its arguments."""

    name: str
    module: str
    summary: str
    examples: tuple[str, ...]
    add_arguments: Callable[[ArgumentParser], None]
    details: str = ""
    epilog: str = ""  # what stands above the examples as it is


BOT_HELP: Final = """bots, weakest first:
  random            any legal action
  greedy            what looks best at once
  heuristic         what leads to the best position after its next turn
  search:200        200 playouts in its head before each choice
  search:500ms      as many as half a second allows; more time, better play
  NAME              what looks best by the game's strategy NAME
  search:200:NAME   searches, but judges by that strategy; so does heuristic:NAME"""

SUBCOMMANDS: Final = (
    Subcommand(
        "play",
        "play",
        "Play a game on the terminal, against bots or with others at one keyboard.",
        (
            "play",
            "play --players 3 --seat human --seat heuristic --seat search:500ms",
            "play --seed 7 --first 1 --variant NAME",
            "play my-game.yaml | less",
        ),
        arguments.add_play,
        "In a pipe bots play the game through and all of it is printed, unless --seat human is given.",
        BOT_HELP,
    ),
    Subcommand(
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
        arguments.add_replay,
        "A record holds the rules it was played by; nothing is shown that the seat may not know.",
    ),
    Subcommand(
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
        arguments.add_simulate,
        "Every game has a seed of its own, so each can be played again alone. Quantiles are numbers that occur: the "
        "least that so many per cent of the games do not exceed. Stopped early, it sums up the games that were played.",
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
        "With two seats every two bots are a pairing. With more seats every choice of so many bots is; when there are "
        "fewer bots than seats, every way to fill the seats in which each bot sits at least once. A pairing plays "
        "each seed in every seat order (from five seats on: with the bots moved round the table). These games "
        "together are one observation for the intervals.",
        BOT_HELP,
    ),
    Subcommand(
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
        arguments.add_check,
        "Games are checked at every number of players they allow, variants laid over their game, and several variants "
        "of one game together.",
    ),
    Subcommand(
        "test",
        "test",
        "Run scenarios: what the rules must do, written as data.",
        ("test tests/scenarios", "test my-scenarios.yaml"),
        arguments.add_test,
    ),
    Subcommand(
        "perft",
        "perft",
        "Count the sequences of so many decisions, to compare engines.",
        ("perft --depth 3", "perft --depth 2 --players 4 --divide", "perft --depth 3 --seed 7"),
        arguments.add_perft,
    ),
    Subcommand(
        "why",
        "why",
        "Say why an action is not legal: every rule against it, with its values and its place.",
        (
            "why 'NAME(choice=value)'",
            "why my-game.yaml NAME --seed 7",
            "why NAME --position saved.json --seat 1 --lang fr",
        ),
        arguments.add_why,
    ),
    Subcommand(
        "show",
        "show",
        "Show the rule at an address: its value, sentence, source, and every file that wrote it.",
        ("show parameters", "show actions.NAME", "show turn.NAME --players 3 --variant NAME"),
        arguments.add_show,
    ),
    Subcommand(
        "rulebook",
        "rulebook",
        "Write the rules out for people, so that somebody who has never played can play.",
        (
            "rulebook > rules.md",
            "rulebook --lang fr -o rules.html",
            "rulebook my-game/ --players 3 --variant NAME --changes -o rules.html",
        ),
        arguments.add_rulebook,
        "Everything in it comes from the rules as they are, so that it changes with them. Without --players it is for "
        "all numbers of players. The HTML is one file that needs no network.",
    ),
    Subcommand(
        "graph",
        "graph",
        "Draw the rules as a picture, and mark what variants make new, change or take away.",
        (
            "graph -o turn.svg",
            "graph --show moves --lang fr -o moves.svg",
            "graph my-game.yaml --show all --players 3 --format svg > rules.svg",
            "graph --variant NAME --set NAME=VALUE",
        ),
        arguments.add_graph,
        "Variants are held against the same game and number of players without them.",
    ),
    Subcommand(
        "new",
        "new",
        "Write a file to begin with: a variant or a small game, with comments and a scenario.",
        ("new variant my-rule", "new variant my-rule --game my-game/ --folder my-game/variants", "new game my-game"),
        arguments.add_new,
    ),
    Subcommand(
        "combine",
        "combine",
        "Lay every variant and every pair of variants over their game, in both orders, and play what comes out.",
        ("combine --jobs 2", "combine --variant my-rule.yaml -n 50", "combine --sample 40 -n 5 --refused refused.yaml"),
        arguments.add_combine,
        "Exit status 1: rules at fault in play, an order that matters, or another refusal than is known.",
    ),
    Subcommand(
        "variants",
        "variants",
        "List the variants of a game: what each changes, and which cannot be played together.",
        ("variants", "variants --variant NAME", "variants my-game/ --variant house-rule.yaml --lang fr"),
        arguments.add_variants,
    ),
    Subcommand(
        "bench",
        "bench",
        "Measure the engine beside programs that were written by hand for one game.",
        ("bench", "bench --players 4 --rounds 3", "bench --only python --json"),
        arguments.add_bench,
        "All run in turns on this machine: only ratios of one run mean anything. Needs the project's source, and a C "
        "compiler for what is written in C. Exit status 1: something is slower than it should be.",
    ),
    Subcommand(
        "engine",
        "engine",
        "Play by line protocol: a JSON request a line on stdin, an answer a line on stdout.",
        ('engine <<< \'{"do": "new", "seed": 7}\'',),
        arguments.add_engine,
        "schemas/protocol.schema.json describes every request and answer.",
    ),
)


def build_parser() -> ArgumentParser:
    """The parser of the whole command."""
    width = max(len(command.name) for command in SUBCOMMANDS)
    listed = "\n".join(f"  {command.name:<{width}}  {command.summary}" for command in SUBCOMMANDS)
    whole_parser = ArgumentParser(
        prog="rulewright",
        description="Board game rules as data: play them, check them, ask them why.",
        epilog=f"commands:\n{listed}\n\nexamples:\n"
        + "\n".join(f"  rulewright {command.examples[0]}" for command in SUBCOMMANDS)
        + "\n\n`rulewright COMMAND --help` says more.\n"
        + "Exit status: 0 fine, 1 findings or failures, 2 wrong use, or a file that cannot be\n"
        + "read or written, 3 our fault, 130 stopped from the keyboard.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        usage="rulewright [--version] COMMAND …",
    )
    whole_parser.add_argument("--version", action="version", version=f"rulewright {__version__}")
    subparsers = whole_parser.add_subparsers(
        dest="command", prog="rulewright", metavar="COMMAND", help=argparse.SUPPRESS, parser_class=ArgumentParser
    )
    for command in SUBCOMMANDS:
        examples = "\n".join(f"  rulewright {example}" for example in command.examples)
        below = f"{command.epilog}\n\n" if command.epilog else ""
        one = subparsers.add_parser(
            command.name,
            description=textwrap.fill(f"{command.summary} {command.details}", terminal_width()),
            epilog=f"{below}examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(one)
        one.set_defaults(module=command.module)
    return whole_parser


__all__ = ["SUBCOMMANDS", "build_parser"]
