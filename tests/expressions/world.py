"""The scope of `world.yaml`, built by hand: what the names of the small world stand for."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.expr.types import (
    ActionName,
    Bag,
    Component,
    Flag,
    KindInfo,
    KindName,
    Member,
    Number,
    Parameter,
    Scope,
    SetOf,
    StateVar,
    Symbol,
    Thing,
    Unavailable,
    Value,
    Word,
    Zone,
)

CELLS = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc")
# from each cell to the right, down, and both ways aslant
LINES = ((0, 1, 2), (0, 3, 6), (0, 4, 8), (1, 4, 7), (2, 5, 8), (2, 4, 6), (3, 4, 5), (6, 7, 8))


def _words(name: str, members: str, *, family: str = "", embeds: tuple[str, ...] = ()) -> KindInfo:
    words = tuple(members.split())
    return KindInfo(name, words, tuple(range(len(words))), family=family or name, embeds=frozenset((name, *embeds)))


def _numbers(name: str, low: int, high: int) -> KindInfo:
    numbers = tuple(range(low, high + 1))
    return KindInfo(name, tuple(map(str, numbers)), numbers, numeric=True, family=name, embeds=frozenset({name}))


def kinds(players: int) -> Mapping[str, KindInfo]:
    return {
        "seat": _words("seat", " ".join(map(str, range(players)))),
        "colour": _words("colour", "red green blue", family="chip"),
        "chip": _words("chip", "red green blue joker", family="chip", embeds=("colour",)),
        "animal": _words("animal", "cat dog"),
        "level": _numbers("level", 1, 3),
        "place": _numbers("place", 1, 2),
        "cell": KindInfo("cell", CELLS, tuple(range(9)), family="cell", embeds=frozenset({"cell"})),
        "line": KindInfo(
            "line",
            tuple(f"{CELLS[line[0]]}_{CELLS[line[-1]]}" for line in LINES),
            tuple(range(8)),
            family="line",
            embeds=frozenset({"line"}),
            lines_of="cell",
            lines=LINES,
        ),
    }


def scope(players: int = 2, *, has_me: bool = True) -> Scope:
    seat, colour, level = Member("seat"), Member("colour"), Member("level")
    tile, badge = Thing("tile"), Thing("badge")
    all_kinds = kinds(players)
    symbols: dict[str, Symbol] = {name: KindName(name) for name in all_kinds}
    for kind in ("colour", "animal"):
        symbols |= {word: Word(kind, number) for number, word in enumerate(all_kinds[kind].members)}
    symbols["joker"] = Word("chip", 3)
    symbols |= {cell: Word("cell", number) for number, cell in enumerate(CELLS)}
    symbols |= {
        "width": Parameter(Number(1, 4), value=2),
        "limit": Parameter(Number(1, 9), value=5),
        "twice": Parameter(Number(0, 20), value=10),
        "prize": Parameter(Number(0, 9), (level,)),
        "daring": Parameter(Flag(), value=True),
        "favourite": Parameter(colour, value=2),
        "tile": Component(
            {
                "level": level,
                "colour": colour,
                "points": Number(0, 5),
                "price": Bag("colour", 6),
                "wild": Flag(),
                "friends": SetOf(Member("animal"), 2),
            },
            6,
            ("cob", "bay", "ash", "dew", "fig", "gum"),
        ),
        "badge": Component({"points": Number(1, 3), "wants": Bag("colour", 4)}, 2, ("oak", "elm")),
        "bank": Zone(Member("chip"), (), 14),
        "purse": Zone(Member("chip"), (seat,), 14),
        "heaps": Zone(Member("animal"), (level,), 15),
        "deck": Zone(tile, (level,), 6),
        "market": Zone(tile, (level, Member("place")), 1),
        "yard": Zone(tile, (seat,), 5),
        "case": Zone(badge, (), 2),
        "counters": Zone(seat, (seat,), 10),
        "board": Zone(seat, (Member("cell"),), 1),
        "worth": Value(Number(0, 30), (seat,)),
        "missing": Value(Bag("colour", 6), (tile,)),
        "colours_left": Value(Number(0, 3)),
        "reach": Value(Number(0, 126), (level, colour)),
        "passes": StateVar(Number(0, players)),
        "mood": StateVar(Member("animal")),
        "open": StateVar(Flag()),
        "marks": StateVar(Number(0, 9), (seat,)),
        "pick": StateVar(colour),
        "take": ActionName(),
        "boast": ActionName(),
        "rest": ActionName(),
        "payment": Unavailable("it is chosen in another action"),
    }
    return Scope(symbols, all_kinds, players, has_me=has_me)
