"""The scope of `world.yaml`, built by hand: what the names of the small world stand for."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.expr.keywords import BUILTINS, FUNCTIONS, KEYWORDS
from rulewright.expr.scope import (
    ActionSymbol,
    ComponentSymbol,
    KindSymbol,
    MemberSymbol,
    ParameterSymbol,
    Scope,
    StateSymbol,
    Symbol,
    UnavailableSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from rulewright.expr.types import SEAT, Bag, Flag, KindInfo, Member, Number, SetOf, Thing

CELLS = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc")
# from each cell to the right, down, and both ways aslant
LINES = ((0, 1, 2), (0, 3, 6), (0, 4, 8), (1, 4, 7), (2, 5, 8), (2, 4, 6), (3, 4, 5), (6, 7, 8))


def _words(name: str, members: str, *, family: str = "", embeds: tuple[str, ...] = ()) -> KindInfo:
    words = tuple(members.split())
    return KindInfo(name, words, tuple(range(len(words))), family=family or name, includes=frozenset((name, *embeds)))


def _numbers(name: str, low: int, high: int) -> KindInfo:
    numbers = tuple(range(low, high + 1))
    return KindInfo(name, tuple(map(str, numbers)), numbers, is_numeric=True, family=name, includes=frozenset({name}))


def kinds(players: int) -> Mapping[str, KindInfo]:
    return {
        "player": _words("player", " ".join(map(str, range(players)))),
        "colour": _words("colour", "red green blue", family="chip"),
        "chip": _words("chip", "red green blue joker", family="chip", embeds=("colour",)),
        "animal": _words("animal", "cat dog"),
        "level": _numbers("level", 1, 3),
        "place": _numbers("place", 1, 2),
        "cell": KindInfo("cell", CELLS, tuple(range(9)), family="cell", includes=frozenset({"cell"}), columns=3),
        "line": KindInfo(
            "line",
            tuple(f"{CELLS[line[0]]}_{CELLS[line[-1]]}" for line in LINES),
            tuple(range(8)),
            family="line",
            includes=frozenset({"line"}),
            cell_kind="cell",
            lines=LINES,
        ),
    }


def scope(players: int = 2, *, has_me: bool = True) -> Scope:
    seat, colour, level = SEAT, Member("colour"), Member("level")
    tile, badge = Thing("tile"), Thing("badge")
    all_kinds = kinds(players)
    symbols: dict[str, Symbol] = {name: KindSymbol(name) for name in all_kinds}
    for kind in ("colour", "animal"):
        symbols |= {word: MemberSymbol(kind, number) for number, word in enumerate(all_kinds[kind].members)}
    symbols["joker"] = MemberSymbol("chip", 3)
    symbols |= {cell: MemberSymbol("cell", number) for number, cell in enumerate(CELLS)}
    symbols |= {
        "width": ParameterSymbol(Number(1, 4), value=2),
        "limit": ParameterSymbol(Number(1, 9), value=5),
        "twice": ParameterSymbol(Number(0, 20), value=10),
        "prize": ParameterSymbol(Number(0, 9), (level,)),
        "daring": ParameterSymbol(Flag(), value=True),
        "favourite": ParameterSymbol(colour, value=2),
        "tile": ComponentSymbol(
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
        "badge": ComponentSymbol({"points": Number(1, 3), "wants": Bag("colour", 4)}, 2, ("oak", "elm")),
        "bank": ZoneSymbol(Member("chip"), (), 14),
        "purse": ZoneSymbol(Member("chip"), (seat,), 14),
        "heaps": ZoneSymbol(Member("animal"), (level,), 15),
        "deck": ZoneSymbol(tile, (level,), 6),
        "market": ZoneSymbol(tile, (level, Member("place")), 1),
        "yard": ZoneSymbol(tile, (seat,), 5),
        "case": ZoneSymbol(badge, (), 2),
        "counters": ZoneSymbol(seat, (seat,), 10),
        "board": ZoneSymbol(seat, (Member("cell"),), 1),
        "worth": ValueSymbol(Number(0, 30), (seat,)),
        "missing": ValueSymbol(Bag("colour", 6), (tile,)),
        "colours_left": ValueSymbol(Number(0, 3)),
        "reach": ValueSymbol(Number(0, 126), (level, colour)),
        "passes": StateSymbol(Number(0, players)),
        "mood": StateSymbol(Member("animal")),
        "open": StateSymbol(Flag()),
        "marks": StateSymbol(Number(0, 9), (seat,)),
        "pick": StateSymbol(colour),
        "take": ActionSymbol(),
        "boast": ActionSymbol(),
        "rest": ActionSymbol(),
        "payment": UnavailableSymbol("it is chosen in another action"),
    }
    return Scope(symbols, all_kinds, has_me=has_me)


# what an expression may be made of, in this world or by mistake
NAMES = [*scope().symbols, *sorted(BUILTINS), "x", "0", "1", "2", "7", "-1"]
SIGNS = ["+", "-", "*", "//", "%", "<", "<=", ">", ">=", "(", ")", ",", ".", "=", "é", "'", "1.5"]
WORDS = [*NAMES, *sorted(KEYWORDS), *sorted(FUNCTIONS), *SIGNS]
