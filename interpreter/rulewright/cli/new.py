"""`rulewright new`: a file to begin with: a variant of a game, or a small game, each with a scenario that passes.

In: parsed arguments. Out: two new files. They are sound as they are: the first check finds no problems.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from rulewright.bundle import bundle_folder
from rulewright.cli.options import CommandOptions
from rulewright.cli.output import write_output
from rulewright.errors import UsageError, already_exists, quote
from rulewright.expr.types import Number
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import load_rules
from rulewright.model.locale import ENGLISH
from rulewright.model.locate import missing_file
from rulewright.model.rules import Rules
from rulewright.wording.messages import Messages

NEW_NAME_PATTERN: Final = lazy_pattern(r"[a-z][a-z0-9_-]{0,59}")
SCHEMA_LINE: Final = "# yaml-language-server: $schema={schemas}/{kind}.schema.json"

VARIANT_TEMPLATE: Final = """{schema}
# A variant of {game}. Check it: rulewright check {file}   Play it: rulewright play {of}--variant {file}
# To find addresses: rulewright show ADDRESS, for example rulewright show parameters{of_last}
variant: {name}
for: {game}
text:                               # what it changes, for people
{texts}
status: own
set:                                # new values, by address
  parameters.{parameter}: {new}
# adjust: {{parameters.{parameter}: 1}}          # added to the current value
# add:                              # something new: a clause of an action, for example
#   actions.{action}.when.my_clause:
#     is: round_number > 1
#     why: {{{reasons}}}
# insert:                           # a step, with its place: before, after, or at: start or end
#   turn.my_step: {{at: start, ...}}
# remove: [ADDRESS]                 # what is removed
# extend: {{LIST: [...]}}             # more entries of a list: members of a kind, rows, offers of a step
# drop: {{LIST: [...]}}
# sentences:                        # what rules say, by address: of what is new, and of what is no longer true
#   ADDRESS: ...                    # what the rule does; ADDRESS.why: the reason it gives; ADDRESS.title: its name
# still_true: [ADDRESS]             # sentences that `check` asks about and that stay as they are
# after: [VARIANT]                  # these are applied before this one
# display: {{board: [{{zone: ZONE}}]}}   # how what is new is drawn
"""
VARIANT_SCENARIO_TEMPLATE: Final = """{schema}
scenarios: {name}
for: {game}
language: 2
players: {players}
variants: [{name}]
cases:
  begins:
    text: With the variant the game can begin.
    then: {{over: false}}
"""
REASONS: Final = {ENGLISH: "Not in the first round.", "fr": "Pas à la première manche."}
GAME_TEMPLATE: Final = """{schema}
# A small game to start from. Check it: rulewright check {file}   Play it: rulewright play {file}
game: {name}
version: 1.0.0
language: 2
text: Take stones; who takes the last one wins.
players: 2

kinds:
  stone: [pebble]
parameters:
  stones:  {{value: 12, type: 1 to 99, text: Stones at the beginning}}
  at_once: {{value: 3, type: 1 to 9, text: Stones that may be taken at once}}
zones:                              # where things are, and who sees them
  heap:  {{holds: stone, seen_by: all, start: stones of pebble, text: The stones that are left}}
  taken: {{holds: stone, per: player, seen_by: all, text: The stones of a player}}

actions:                            # what a player may choose
  take:
    text: Take one stone or more, {{at_once}} at most.
    choose:
      number: {{one_of: 1 to at_once, why: "One to {{at_once}} stones are taken."}}
    when:
      enough: {{is: count(heap) >= number, why: "Only {{count(heap)}} are left."}}
    do:
      - take: {{move: number of pebble, from: heap, to: taken(me), text: The stones are taken from the heap.}}

turn:                               # what happens in a turn
  - act:  {{must: [take], text: The player takes stones.}}
  - last: {{when: heap is empty, end_game: now, winners: me, text: Who takes the last stone wins.}}
round:
  - turns: {{for_each: player, turn: player}}
measures:                           # what simulations report
  rounds: {{is: round_number, text: Rounds played}}
evaluation:                         # what bots maximize
  good: {{weight: 1, is: "if count(heap) % 4 is 0 then 1 else 0", text: What is left is a multiple of four}}
"""
GAME_SCENARIO_TEMPLATE: Final = """{schema}
scenarios: {name}
for: {name}
language: 2
players: 2
cases:
  three:
    text: Three stones can be taken at once.
    when: take(number=3)
    then: {{zones: {{heap: {{pebble: 9}}, taken: {{1: {{pebble: 3}}}}}}, decides: 2}}
  too_many:
    text: Two cannot be taken when one is left.
    given: {{heap: {{pebble: 1}}, taken: {{2: {{pebble: 11}}}}}}
    when: take(number=2)
    then: {{illegal: actions.take.when.enough}}
"""


class Options(CommandOptions):
    """The options of `new`."""

    what: Literal["variant", "game"]
    name: str
    game: str | None
    folder: str


def run(args: Options) -> int:
    """Writes the files and says what to do with them."""
    if not NEW_NAME_PATTERN.fullmatch(args.name):
        raise UsageError(
            f"{quote(args.name)} is not a name: "
            "at most 60 lowercase letters, digits, `_` and `-`, beginning with a letter"
        )
    target = Path(args.folder)
    if not target.is_dir():
        raise UsageError(f"{target} is not a folder") if os.path.exists(target) else missing_file(target)
    texts = _variant_files(args, target) if args.what == "variant" else _game_files(args, target)
    for path in texts:
        if os.path.lexists(path):
            raise already_exists(path)
    for path, text in texts.items():
        write_output(str(path), text)
    first, second = texts
    print(f"wrote {first} and {second}")
    print(f"  rulewright check {first}")
    print(f"  rulewright test {second}")
    game = f"{args.game} " if args.what == "variant" and args.game else ""
    print(f"  rulewright play {game}{'--variant ' if args.what == 'variant' else ''}{first}")
    return 0


def _schema_line(kind: str, target: Path) -> str:
    try:
        schemas = os.path.relpath(bundle_folder("schemas"), target)
    except ValueError:  # on another drive
        schemas = str(bundle_folder("schemas"))
    return SCHEMA_LINE.format(schemas=Path(schemas).as_posix(), kind=kind)


def _game_files(args: Options, target: Path) -> dict[Path, str]:
    file = target / f"{args.name}.yaml"
    scenario = target / f"{args.name}.scenarios.yaml"
    return {
        file: GAME_TEMPLATE.format(schema=_schema_line("game", target), name=args.name, file=file.name),
        scenario: GAME_SCENARIO_TEMPLATE.format(schema=_schema_line("scenarios", target), name=args.name),
    }


def _variant_files(args: Options, target: Path) -> dict[Path, str]:
    rules = load_rules(args.game)
    parameter, value = _another_value(rules)
    file = target / f"{args.name}.yaml"
    scenario = target / f"{args.name}.scenarios.yaml"
    game = args.game or ""
    variant = VARIANT_TEMPLATE.format(
        of=f"{game} " if game else "",
        of_last=f" {game}" if game else "",
        schema=_schema_line("variant", target),
        game=rules.game,
        name=args.name,
        file=file.name,
        texts="\n".join(_variant_texts(rules, parameter)),
        parameter=parameter,
        new=value,
        action=rules.actions[0].name,
        reasons=", ".join(f"{code}: {REASONS[code]}" for code in rules.languages if code in REASONS),
    )
    schema = _schema_line("scenarios", target)
    case = VARIANT_SCENARIO_TEMPLATE.format(schema=schema, game=rules.game, name=args.name, players=rules.players)
    return {file: variant, scenario: case}


def _variant_texts(rules: Rules, parameter: str) -> Iterator[str]:
    """What the variant changes, in the words that each language has for the parameter; a language without is left out,
    but not English.
    """
    for code, language in rules.languages.items():
        sentence = language.sentences.get(f"parameters.{parameter}")
        words = [part for part in sentence.parts if isinstance(part, str)] if sentence is not None else []
        if sentence is None or len(words) < len(sentence.parts):
            words = [parameter.replace("_", " ")] if code == ENGLISH else []
        if words:
            colon = Messages(rules, code, "terminal")("colon")
            text = f"{''.join(words).rstrip('.')}{colon} {{{parameter}}}"
            yield f"  {code}: {json.dumps(text, ensure_ascii=False)}"


def _another_value(rules: Rules) -> tuple[str, int]:
    """A parameter that is a number, and another value that it may have."""
    for name, parameter in rules.parameters.items():
        if parameter.values_by_key is None and isinstance(parameter.type, Number) and isinstance(parameter.value, int):
            can_grow = parameter.type.low == parameter.type.high or parameter.value < parameter.type.high
            return name, parameter.value + 1 if can_grow else parameter.value - 1
    raise UsageError(f"{rules.game} has no numeric parameter that a variant could change")


__all__ = ["Options", "run"]
