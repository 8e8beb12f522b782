"""A game under other names: every id of its rule files exchanged, its meaning left as it is.

In: the files of a game and of its variants. Out: the same files in another folder, with new ids, and a `Naming` that
translates either way. Where an id stands is known from the shape of rule files: the keys of sections, of choices,
clauses, steps, fields and terms; the members of kinds; names within expressions and within the holes of sentences;
addresses. A word of the language stays what it is even where an id is spelt like it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

from rulewright.expr.keywords import RESERVED_NAMES
from rulewright.expr.types import SEAT
from rulewright.model.passages import CHAPTERS

Data = Any  # what a YAML file holds: mappings, lists, scalars
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

BY_ID = (
    "kinds", "parameters", "components", "zones", "values", "state", "actions", "invariants", "measures", "evaluation",
    "strategies", "book",
)  # fmt: skip
STEPS = ("setup", "turn", "round", "finale", "ranking")  # ordered lists of named items

# keys whose mapping has ids as keys, and keys whose values are no expressions
IDS = {"choose", "fields", "sum", "less", "terms"}
KEPT = {
    "source", "status", "if_only_one", "end_game", "seen_by", "forgets", "resets", "weight", "names", "after", "as",
}  # fmt: skip
SENTENCES = {"text", "why", "title"}
LINES = {"lines", "extra_lines"}
OFFERS = {"must", "may", "together"}
ORDERS = {"shuffled", "arrival"}
LANGUAGES = {"en", "fr"}

# words that are no names at the place of an amount, a place, a type, a grid, though they may be names elsewhere
WORDS_AT = {
    "move": r"^(all|top|up to)\b|\bat random$",
    "to": r"^(bottom|top) of\b",
    "from": r"^bottom of\b",
    "refill": r"^bottom of\b",
    "type": r"^(bag|set) of\b",
    "fields": r"^(bag|set) of\b",
    "grid": r"\bby\b",
    "length": r"\bto\b",
}
NEVER_IDS = RESERVED_NAMES | {SEAT.kind, "nothing"}

NAME = re.compile(r"(?<![\w.-])[a-z][a-z0-9_]*|(?<=\.)[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Naming:
    """New names for old ones. No new name is an old one, so that translating back is unambiguous."""

    new: dict[str, str]

    @cached_property
    def back(self) -> Callable[[str], str]:
        """Text of the renamed game with the names that the game had."""
        return _exchanging({new: old for old, new in self.new.items()})

    @cached_property
    def forth(self) -> Callable[[str], str]:
        """Notation of the game with the new names."""
        return _exchanging(self.new)


def _exchanging(names: dict[str, str]) -> Callable[[str], str]:
    """Texts with other names; an id that a row with `for_each` makes is made of some."""
    parts = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![a-z0-9])({parts})(?![a-z0-9])")

    @cache
    def name(whole: str) -> str:
        if whole in names or not re.search(r"_\d+$", whole):
            return names.get(whole, whole)
        return pattern.sub(lambda part: names[part[0]], whole)

    return lambda text: re.sub(r"[a-z][a-z0-9_]*", lambda found: name(found[0]), text)


# ---- which ids there are --------------------------------------------------------------------------------------------


class Renamer:
    """Goes through the files of a game. With `new` None it only collects the ids, else it exchanges them."""

    def __init__(self, new: dict[str, str] | None = None) -> None:
        self.new = new
        self.ids: dict[str, None] = {}

    def id(self, name: Any) -> Any:
        """An id where only an id can stand."""
        if not isinstance(name, str) or name == SEAT.kind or not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            return name  # a number as a member, or the kind that is always there
        self.ids.setdefault(name)
        return name if self.new is None else self.new[name]

    def mentioned(self, name: str) -> str:
        """A name in an expression, which may be a word of the language."""
        return name if self.new is None or name in NEVER_IDS else self.new.get(name, name)

    def expression(self, text: Any, key: str = "") -> Any:
        """An expression under a key, which says which words are no names in it."""
        if not isinstance(text, str):
            return text
        words = re.search(WORDS_AT[key], text) if key in WORDS_AT else None
        if words is not None:
            return self.expression(text[: words.start()], key) + words[0] + self.expression(text[words.end() :])
        return NAME.sub(lambda found: self.mentioned(found[0]), text)

    def sentence(self, text: Any) -> Any:
        """A sentence: only what stands in its holes, in front of the plural forms, is an expression."""
        if isinstance(text, dict):
            return {language: self.sentence(one) for language, one in text.items()}
        if isinstance(text, list):
            return [self.sentence(one) for one in text]

        def hole(found: re.Match[str]) -> str:
            expression, colon, forms = found[1].partition(":")
            return f"{{{self.expression(expression)}{colon}{forms}}}"

        return re.sub(r"(?<!\{)\{([^{}]+)\}(?!\})", hole, text) if isinstance(text, str) else text

    # ---- nodes ---------------------------------------------------------------------------------------------

    def node(self, node: Data, under: str = "") -> Data:
        """A node, by its keys; a scalar or a list is its expression."""
        if isinstance(node, list):
            return [self.node(one, under) for one in node]
        if not isinstance(node, dict):
            return self.expression(node, under)
        return {key: self.under(key, value) for key, value in node.items()}

    def under(self, key: str, value: Data) -> Data:
        """What stands under a key of a node."""
        match key:
            case _ if key in KEPT:
                return self.names(value) if key == "names" else value
            case _ if key in SENTENCES:
                return self.sentence(value)
            case _ if key in LINES:
                return [self.line(one) for one in value]
            case "worth" if isinstance(value, dict):
                return self.by_id(value, self.expression)
            case _ if key in IDS and isinstance(value, dict):
                return self.by_id(value, lambda inner: self.node(inner, key))
            case "when" if isinstance(value, dict) and "is" not in value:
                return self.by_id(value, self.node)
            case "at":
                return value if value in CHAPTERS else self.address(value)
            case "about":
                return [self.address(at) for at in value]
            case "state":
                return self.by_id(value, self.node)
            case "do":
                return self.steps(value)
            case "rows" if isinstance(value, list):
                return [self.row(row) for row in value]
            case "rows" | "file":
                return value if isinstance(value, str) and value.endswith(".yaml") else self.node(value)
            case "members":
                return self.members(value)
            case "per" | "with" if isinstance(value, dict):
                return {self.id(name): self.expression(kind) for name, kind in value.items()}
            case "weights":
                return {self.id(member): weight for member, weight in value.items()}
            case "order" if value in ORDERS:
                return value
            case "if_unable":
                return value if value == "nothing" else self.id(value)
            case _ if key in OFFERS:
                return [self.offer(one) for one in (value if isinstance(value, list) else [value])]
            case _:
                return self.node(value, key)

    def line(self, line: Data) -> Data:
        """A line of a thing: a sentence, or one with the condition under which it is there."""
        return self.node(line) if isinstance(line, dict) and "when" in line else self.sentence(line)

    def by_id(self, mapping: Data, inner: Callable[[Data], Data]) -> Data:
        return {self.id(name): inner(value) for name, value in (mapping or {}).items()}

    def names(self, value: Data) -> Data:
        """Of a kind's members; of a component's things a sentence, in one language or several."""
        if isinstance(value, str) or value.keys() <= LANGUAGES:
            return self.sentence(value)
        return {self.id(member): forms for member, forms in value.items()}

    def steps(self, items: Data) -> Data:
        return [self.by_id(item, self.node) for item in items or []]

    def offer(self, offer: Data) -> Data:
        return (
            self.by_id(offer, lambda clauses: self.by_id(clauses, self.node))
            if isinstance(offer, dict)
            else self.id(offer)
        )

    def members(self, value: Data) -> Data:
        if isinstance(value, list):
            return [self.expression(one) if " " in str(one) else self.id(one) for one in value]
        return self.expression(value)

    def kind(self, value: Data) -> Data:
        return self.members(value) if not isinstance(value, dict) else self.node(value)

    def row(self, row: Data) -> Data:
        return {
            key if key in ("id", "for_each", "text", "source", "status") else self.id(key): (
                self.row_id(value) if key == "id" else self.sentence(value) if key == "text" else self.cell(value)
            )
            for key, value in row.items()
        }

    def row_id(self, value: str) -> str:
        """The id of a row; with `for_each` a pattern, whose holes are names."""
        return self.sentence(value) if "{" in value else self.id(value)

    def cell(self, value: Data) -> Data:
        if isinstance(value, dict):
            return {self.id(member): count for member, count in value.items()}
        return [self.cell(one) for one in value] if isinstance(value, list) else self.expression(value)

    # ---- addresses -----------------------------------------------------------------------------------------

    def address(self, address: str) -> str:
        """An address: ids and words of the language in turn."""
        section, *rest = address.split(".")
        if not rest or rest == ["title"]:
            return address
        if section == "display":
            return ".".join([section, rest[0], *map(self.id, rest[1:])])
        if section in STEPS:
            return ".".join([section, *self._at_step(rest)])
        first, *more = rest
        return ".".join(
            [
                section,
                self.id(first),
                *self._at_node(section, more),
            ]
        )

    def _at_step(self, parts: list[str]) -> Iterator[str]:
        """Behind the name of a list of steps: a step, then a key of it."""
        if parts:
            yield self.id(parts[0])
            yield from self._at_key(parts[1:])

    def _at_key(self, parts: list[str]) -> Iterator[str]:
        """Behind the name of a step: a key, under which more ids may stand."""
        if parts:
            yield parts[0]
            if parts[0] == "do":
                yield from self._at_step(parts[1:])
            elif parts[0] in OFFERS:
                yield from (self.id(part) if number < 2 else part for number, part in enumerate(parts[1:]))
            else:
                yield from parts[1:]

    def _at_node(self, section: str, parts: list[str]) -> Iterator[str]:
        """Behind the id of something declared: a key, and under some keys an id."""
        if not parts:
            return
        key, *rest = parts
        if section == "kinds":
            yield key if key in ("members", "names", "text", "title", "grid", "lines_of", "length") else self.id(key)
            yield from rest
        elif key == "do":
            yield key
            yield from self._at_step(rest)
        elif key in ("choose", "when", "fields", "rows", "sum", "less", "terms"):
            yield key
            yield from (
                self.id(part) if number == 0 or (key == "rows" and part != "text") else part
                for number, part in enumerate(rest)
            )
        else:
            yield from parts

    # ---- files ---------------------------------------------------------------------------------------------

    def file(self, data: Data) -> Data:
        """A rule file, by its first key."""
        kind = next(iter(data))
        return {key: self.entry(kind, key, value) for key, value in data.items()}

    def entry(self, file: str, key: str, value: Data) -> Data:
        match key:
            case "game" | "for" | "rows":
                return self.id(value)
            case "texts" | "display" | "sources" | "statements" | "part_of" | "adjusts" if key == file:
                return value if key == "texts" else self.id(value)
            case "list" if file == "statements":
                return [self.statement(one) for one in value]
            case "kinds":
                return self.by_id(value, self.kind)
            case "procedures":
                return self.by_id(value, lambda one: self.steps(one) if isinstance(one, list) else self.node(one))
            case _ if key in BY_ID:
                return self.by_id(value, self.node)
            case _ if key in STEPS and file != "variant":
                return self.steps(value)
            case "things" if isinstance(value, list):
                return [self.row(row) for row in value]
            case "sentences":
                return {self.address(address): self.sentence(text) for address, text in value.items()}
            case "set" | "add":
                return {self.address(at): self.payload(at, one) for at, one in value.items()}
            case "insert":
                return {self.address(at): self.inserted(one) for at, one in value.items()}
            case "adjust":
                return {self.address(at): self.expression(one) for at, one in value.items()}
            case "extend" | "drop":
                return {self.address(at): [self.listed(at, one) for one in items] for at, items in value.items()}
            case "remove" | "still_true":
                return [self.address(at) for at in value]
            case "cancel":
                return {variant: [self.address(at) for at in changes] for variant, changes in value.items()}
            case "display":
                return {section: self.table(section, one) for section, one in value.items()}
            case "text":
                return self.sentence(value)
            case "members" | "things" | "actions" | "state" | "board" | "players" if file == "display":
                return self.table(key, value)
            case _:
                return value  # what a file says of itself

    def statement(self, value: Data) -> Data:
        """A statement: its words stay, the rules that hold it have other addresses."""
        named = {key: [self.address(at) for at in value[key]] for key in ("rules", "instead") if key in value}
        return {**value, **named}

    def payload(self, address: str, payload: Data) -> Data:
        """What a variant sets or adds."""
        parts = address.split(".")
        if isinstance(payload, dict) and set(payload) == {"expects", "value"}:
            return {key: self.payload(address, value) for key, value in payload.items()}
        if len(parts) == 2:
            return self.entry("game", parts[0], {parts[1]: payload})[self.id(parts[1])]
        if parts[0] == "components" and len(parts) == 4 and parts[2] == "rows":
            return {key: value for key, value in self.row({"id": parts[3], **payload}).items() if key != "id"}
        if parts[-1] in KEPT | SENTENCES | OFFERS | {
            "do",
            "members",
            "per",
            "if_unable",
            "run",
            "order",
            "when",
            "choose",
        }:
            return self.under(parts[-1], payload)
        return self.node(payload, parts[-1])

    def listed(self, address: str, item: Data) -> Data:
        """What a variant puts to a list or takes from it: an id, a member with its names, a row, an offer."""
        if not isinstance(item, dict):
            return self.id(item)
        if address.endswith(".rows"):
            return self.row(item)
        return self.by_id(item, lambda names: names) if address.startswith("kinds.") else self.offer(item)

    def inserted(self, step: Data) -> Data:
        places = {
            key: value if key == "at" else self.id(value)
            for key, value in step.items()
            if key in ("before", "after", "at")
        }
        return {**places, **self.node({key: value for key, value in step.items() if key not in places})}

    def table(self, key: str, value: Data) -> Data:
        """How a game looks: members by their address, things by their component, what stands on the board."""
        if key == "members":
            return {".".join(self.id(part) for part in at.split(".")): looks for at, looks in value.items()}
        if key in ("things", "actions", "state"):
            return self.by_id(value, self.node)
        named = ("zone", "value", "rows", "beside", "also")
        return [
            {
                name: self.id(one) if name in named else self.sentence(one) if name == "title" else one
                for name, one in item.items()
            }
            for item in value
        ]


# ---- a whole game ---------------------------------------------------------------------------------------------------


def random_names(ids: list[str], seed: int) -> dict[str, str]:
    """A new name for each id: of no meaning, and in no order."""
    rng = random.Random(seed)
    new: dict[str, str] = {}
    for name in ids:
        word = ""
        while not word or word in new.values() or word in ids:
            word = rng.choice("abcdefghijklmnopqrstuvwxyz") + "".join(
                rng.choices("bcdfghjklmnpqrstvwxz_0123456789", k=7)
            )
        new[name] = word
    return new


@dataclass(frozen=True)
class Renamed:
    """A game in another folder: the path to load, the paths of its variants by their names."""

    naming: Naming
    path: Path
    variants: dict[str, Path]


def read(path: Path) -> Data:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)


def write(path: Path, data: Data) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        yaml.dump(data, Dumper=DUMPER, sort_keys=False, allow_unicode=True, width=100_000), encoding="utf-8"
    )


def rename(
    game: Path,
    variants: dict[str, Path],
    to: Path,
    seed: int,
    names: Callable[[list[str], int], dict[str, str]] = random_names,
) -> Renamed:
    """Writes a game (a folder, or one file) and its variants under new names."""
    parts = [] if game.is_dir() else [game.with_name(name) for name in read(game).get("files", [])]
    files = sorted(game.rglob("*.yaml")) if game.is_dir() else [game, *parts]
    whole = [*((path, read(path)) for path in files), *((path, read(path)) for path in variants.values())]
    collected = Renamer()
    for _, data in whole:
        collected.file(data)
    naming = Naming(names([*collected.ids], seed))
    renamer = Renamer(naming.new)
    places = {}
    for path, data in whole:
        inside = path.relative_to(game) if game.is_dir() and path.is_relative_to(game) else Path(path.name)
        places[path] = to / ("variants" if path in variants.values() else "game") / inside
        write(places[path], renamer.file(data))
    return Renamed(
        naming, to / "game" if game.is_dir() else places[game], {name: places[path] for name, path in variants.items()}
    )
