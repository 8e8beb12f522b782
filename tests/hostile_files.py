"""Files that no author would write: shipped rule files, damaged, and games out of a grammar of the language's words.

In: a seed and a number. Out: files by name, the same ones on every machine.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from rulewright.expr.keywords import KEYWORDS

ROOT = Path(__file__).parent.parent
SMALL_GAMES = ("nim", "tic-tac-toe", "kuhn-poker", "reversi", "whist", "draughts")
ODD_TEXTS = (
    "", "~", "null", "yes", "-", "- -", ": :", "{", "}", "[", "]", "{}", "[]", "!!python/object:x y", "&a", "*a", "<<",
    "|", ">", "%", "@", "`", "\t", "\u00a0", "\u2028", "\ufeff", "\u043e", "\u201c\u201d", "\\", "\\x", '"', "'",
    "#", "#!",
    "0", "-1", "1e9", "999999999", "9999999999999999", "0x10", "1_000", "2024-01-01", "\U0001f642", "\x07", "a.b.c",
    "a..b",
    ".", "...", "---", "...\n---",
)  # fmt: skip
REPEATED = ("(", "[", "{", "not ", "1 + ", "{s}", "a: ", "- ", "x", ", a", "{n: a | b}")


def files_of(seed: int, number: int) -> dict[str, str]:
    """The files of a number."""
    rng = random.Random(f"{seed} {number}")
    return grown(rng) if rng.random() < 0.3 else damaged(rng)


# ---- damage ---------------------------------------------------------------------------------------------------


@cache
def originals() -> tuple[dict[str, str], ...]:
    """Sets of files that belong together: small games with all their files, games of the tests, variants."""
    folders = [sorted((ROOT / "rules" / name).glob("*.yaml")) for name in SMALL_GAMES]
    sets = [{path.name: path.read_text(encoding="utf-8") for path in folder} for folder in folders]
    single = [path for name in ("games", "odd_rules") for path in sorted((ROOT / "tests" / name).glob("*.yaml"))]
    single += [ROOT / "tests" / "coverage" / name for name in ("heap.yaml", "heap.scenarios.yaml")]
    single += sorted((ROOT / "variants").rglob("*.yaml"))[:40]
    sets += [{path.name: path.read_text(encoding="utf-8")} for path in single]
    return tuple(sets)


@cache
def words_of_files() -> tuple[str, ...]:
    """The words that rule files are made of, in order."""
    words = {word for files in originals() for text in files.values() for word in re.findall(r"\w+", text)}
    return tuple(sorted(words | set(KEYWORDS)))


def drop_line(rng: random.Random, lines: list[str]) -> None:
    del lines[rng.randrange(len(lines))]


def double_lines(rng: random.Random, lines: list[str]) -> None:
    start = rng.randrange(len(lines))
    lines[start:start] = lines[start : start + rng.randint(1, 12)] * rng.choice((1, 1, 2, 60))


def move_lines(rng: random.Random, lines: list[str]) -> None:
    start = rng.randrange(len(lines))
    block = [lines.pop(start) for _ in range(min(rng.randint(1, 6), len(lines) - start))]
    place = rng.randint(0, len(lines))
    lines[place:place] = block


def indent_line(rng: random.Random, lines: list[str]) -> None:
    index = rng.randrange(len(lines))
    lines[index] = rng.choice((" ", "  ", "\t", "    ")) + lines[index] if rng.random() < 0.6 else lines[index].lstrip()


def replace_word(rng: random.Random, lines: list[str]) -> None:
    index = rng.randrange(len(lines))
    found = [*re.finditer(r"\w+", lines[index])]
    if found:
        start, end = rng.choice(found).span()
        new = rng.choice(words_of_files()) if rng.random() < 0.7 else rng.choice(ODD_TEXTS)
        lines[index] = lines[index][:start] + new + lines[index][end:]


def insert_odd_text(rng: random.Random, lines: list[str]) -> None:
    index = rng.randrange(len(lines))
    place = rng.randint(0, len(lines[index]))
    lines[index] = lines[index][:place] + rng.choice(ODD_TEXTS) + lines[index][place:]


def drop_characters(rng: random.Random, lines: list[str]) -> None:
    index = rng.randrange(len(lines))
    place = rng.randint(0, len(lines[index]))
    lines[index] = lines[index][:place] + lines[index][place + rng.randint(1, 5) :]


def replace_value(rng: random.Random, lines: list[str]) -> None:
    """What follows a colon, by an expression or by something nested."""
    index = rng.randrange(len(lines))
    key, colon, _ = lines[index].partition(": ")
    if colon:
        lines[index] = f"{key}: {random_value(rng, 3)}"


def cut_off(rng: random.Random, lines: list[str]) -> None:
    del lines[rng.randrange(len(lines)) :]


def repeat_text(rng: random.Random, lines: list[str]) -> None:
    """A word, a bracket or an operation very often."""
    index = rng.randrange(len(lines))
    piece, count = rng.choice(REPEATED), rng.choice((5, 70, 3000))
    place = rng.randint(0, len(lines[index]))
    lines[index] = lines[index][:place] + piece * count + lines[index][place:]


DAMAGE: tuple[Callable[[random.Random, list[str]], None], ...] = (
    drop_line, double_lines, move_lines, indent_line, replace_word, replace_word, replace_word, insert_odd_text,
    drop_characters, replace_value, replace_value, cut_off, repeat_text,
)  # fmt: skip


def damaged(rng: random.Random) -> dict[str, str]:
    """A set of files, one of which is damaged in a few places."""
    files = dict(rng.choice(originals()))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        name = rng.choice([*files])
        lines = files[name].split("\n")
        rng.choice(DAMAGE)(rng, lines)
        files[name] = "\n".join(lines)
    return files


# ---- a grammar ------------------------------------------------------------------------------------------------

NAMES = ("a", "b", "pile", "hand", "card", "red", "me", "player", "score", "take", "x1", "opponent", "round_number")
OPERATORS = (
    "+", "-", "less", "*", "//", "%", ">=", "<=", ">", "<", "is", "is not", "in", "not in", "fits in", "and", "or",
)  # fmt: skip


def random_expression(rng: random.Random, depth: int) -> str:
    """Something that looks like an expression."""
    if depth <= 0:
        return rng.choice((*NAMES, *map(str, range(4)), "empty", "true", "all", "nothing", "card.worth", "999999999"))
    inner = [random_expression(rng, depth - 1) for _ in range(3)]
    name = rng.choice(NAMES)
    return rng.choice((
        f"{inner[0]} {rng.choice(OPERATORS)} {inner[1]}",
        f"{inner[0]} {rng.choice(OPERATORS)} {inner[1]}",
        f"({inner[0]})",
        f"not {inner[0]}",
        f"{name}({inner[0]})",
        f"{name}({inner[0]}, {inner[1]})",
        f"count({inner[0]})",
        f"each {name} in {inner[0]} where {inner[1]}",
        f"{rng.choice(('some', 'every', 'no'))} {name} in {inner[0]} has {inner[1]}",
        f"sum of {inner[0]} for {name} in {inner[1]}",
        f"max of {inner[0]} for {name} where {inner[1]}",
        f"if {inner[0]} then {inner[1]} else {inner[2]}",
        f"{inner[0]} to {inner[1]}",
        f"{inner[0]} of {name}",
        f"first {inner[0]} of {inner[1]}",
        f"min({inner[0]}, {inner[1]})",
        f"top {inner[0]}",
    ))  # fmt: skip


def random_value(rng: random.Random, depth: int) -> str:
    """A value in one line: an expression, a list, a mapping of the language's keys."""
    kind = rng.random()
    if depth <= 0 or kind < 0.5:
        text = random_expression(rng, rng.randint(0, 3))
        return text if rng.random() < 0.8 else f'"{text}"'
    if kind < 0.65:
        return f"[{', '.join(random_value(rng, depth - 1) for _ in range(rng.randint(0, 4)))}]"
    return "{" + ", ".join(random_entries(rng, depth - 1)) + "}"


KEYS = (
    "text", "why", "is", "when", "choose", "one_of", "some_of", "total", "pay", "with", "wild", "do", "move", "from",
    "to", "set", "roll", "reveal", "must", "may", "together", "by", "if_unable", "for_each", "times", "while", "turn",
    "extra_turn", "end_game", "winners", "leave", "run", "most", "fewest", "per", "holds", "order", "seen_by", "start",
    "at_most", "refill", "type", "value", "sum", "less", "members", "names", "grid", "fields", "rows", "after",
    "resets", "weight",
)  # fmt: skip


def random_entries(rng: random.Random, depth: int) -> Iterator[str]:
    for _ in range(rng.randint(1, 5)):
        key = rng.choice(KEYS) if rng.random() < 0.6 else rng.choice(NAMES)
        yield f"{key}: {random_value(rng, depth)}"


def plausible_step(rng: random.Random, depth: int) -> str:
    verb = rng.choice((
        f"move: {random_expression(rng, 1)}, from: pile, to: hand(me)",
        f"set: score, to: {random_expression(rng, 2)}",
        "must: [take]", "may: [take, give]", "turn: player", "end_game: now", "run: deal",
        f"leave: {random_expression(rng, 1)}",
        "roll: score", f"reveal: {random_expression(rng, 1)}, to: all",
    ))  # fmt: skip
    when, times = random_expression(rng, 2), random_expression(rng, 1)
    more = rng.choice(("", f", when: {when}", ", for_each: player", f", times: {times}"))
    if depth and rng.random() < 0.2:
        return f"do: [{{inner: {{{plausible_step(rng, depth - 1)}}}}}]{more}"
    return verb + more


def grown(rng: random.Random) -> dict[str, str]:
    """A game out of the grammar: plausible in some parts, anything in others."""
    steps = lambda: "".join(f"  - s{n}: {{{plausible_step(rng, 2)}}}\n" for n in range(rng.randint(1, 4)))  # noqa: E731
    sections = {
        "kinds": "  colour: [red, blue]\n  number: 1 to 3\n",
        "components": "  card:\n    fields: {worth: 0 to 9, of: colour}\n    start: pile\n"
        + "    rows: [{id: c1, worth: 1, of: red}, {id: c2, worth: 2, of: blue}]\n",
        "zones": "  pile: {holds: card, order: shuffled, seen_by: nobody}\n"
        + "  hand: {holds: card, per: player, seen_by: owner}\n",
        "state": "  score: {type: 0 to 9, start: 1}\n",
        "parameters": "  most: {value: 3, type: 1 to 5}\n",
        "values": f"  sum_up: {{per: player, is: {random_expression(rng, 2)}}}\n",
        "actions": f"  take: {{choose: {{card: {{one_of: {random_expression(rng, 2)}}}}}, "
        + f"when: {{c: {random_expression(rng, 3)}}}, do: [go: {{{plausible_step(rng, 1)}}}]}}\n"
        + f"  give: {{do: [go: {{{plausible_step(rng, 1)}}}]}}\n",
        "procedures": f"  deal: [go: {{{plausible_step(rng, 1)}}}]\n",
        "setup": steps(),
        "turn": "  - act: {must: [take, give], if_unable: nothing}\n" + steps(),
        "round": "  - turns: {for_each: player, turn: player}\n  - end: {when: score is 9, end_game: now}\n",
        "ranking": f"  - most: {{most: {random_expression(rng, 2)}}}\n",
        "invariants": f"  kept: {{is: {random_expression(rng, 2)}}}\n",
        "evaluation": f"  term: {{weight: 1, is: {random_expression(rng, 2)}}}\n",
    }
    for name in [*sections]:
        chance = rng.random()
        if chance < 0.12:
            del sections[name]
        elif chance < 0.24:
            sections[name] = "".join(f"  {entry}\n" for entry in random_entries(rng, 3))
    players = rng.choice(("2", "2 to 4", "1", "0", "a"))
    head = f"game: grown\nversion: 1.0.0\nlanguage: 2\ntext: Grown\nplayers: {players}\n"
    return {"grown.yaml": head + "".join(f"{name}:\n{text}" for name, text in sections.items())}
