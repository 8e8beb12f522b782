"""How many legal actions a function lists at most, where its text says so, and which of them need no jump.

In: a function, the lengths of tables and lists. Out: a number; None where loops go on for as long as the position says.
Where few are listed, room is kept for all of them at once instead of looked for at each, and an action that is listed
only if a test holds can be written in any case: it counts only if the test holds, else the next one lies over it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from rulewright.engine.compiled.kernel.kernel import Binary, Int, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    AddOptions,
    Body,
    Branch,
    CellLoop,
    CountLoop,
    EntryLoop,
    Function,
    ListLoop,
    NewList,
    Remark,
    Statement,
    TestLoop,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements

ROOM_FOR_OPTIONS: Final = 1 << 20
NO_TABLES: Final[Mapping[str, int | None]] = MappingProxyType({})
CHEAP: Final = frozenset({"+", "-", "*", "&", "|", "<<", ">>"})  # never fail, whatever the numbers
SHORT_COPY: Final = 16  # items taken at once, also where fewer are needed
LISTED_AT_ONCE: Final = 256  # of a function that lists no more, all fit behind those that are too many
ROOM_FOR_LISTED: Final = ROOM_FOR_OPTIONS + 1 + LISTED_AT_ONCE + SHORT_COPY  # words that are reserved for a list


def most_listed(function: Function, longest_rows: Callable[[str], int]) -> int | None:
    """The highest number of actions that a function lists itself. `longest_rows`: of a table, by its name."""
    rooms = {
        statement.name: statement.size for statement in all_statements(function.body) if isinstance(statement, NewList)
    }
    return _most(function.body, rooms, longest_rows)


def word_if(branch: Branch, entries: Mapping[str, int | None] = NO_TABLES) -> Node | None:
    """The word of a branch that does nothing but list one action, where it is a few numbers put together. `entries`:
    how many tables have, which are looked into only where an entry is there, whatever the test says.
    """
    if branch.otherwise.statements:
        return None
    match [statement for statement in branch.then.statements if not isinstance(statement, Remark)]:
        case [AddOption(word=word)] if _is_cheap(word, entries):
            return word
        case _:
            return None


def _is_cheap(word: Node, entries: Mapping[str, int | None]) -> bool:
    match word:
        case Int() | Name():
            return True
        case Binary(op=op, left=left, right=right):
            return op in CHEAP and _is_cheap(left, entries) and _is_cheap(right, entries)
        case TableEntry(table=table, index=Binary(op="&", right=Int(value=mask)) as index):
            return 0 <= mask < (entries.get(table) or 0) and _is_cheap(index, entries)
        case _:
            return False


def _most(body: Body, rooms: Mapping[str, int], longest_rows: Callable[[str], int]) -> int | None:
    listed = 0
    for statement in body.statements:
        more = _most_of(statement, rooms, longest_rows)
        if more is None:
            return None
        listed += more
    return listed


def _most_of(statement: Statement, rooms: Mapping[str, int], longest_rows: Callable[[str], int]) -> int | None:
    match statement:
        case AddOption():
            return 1
        case AddOptions(table=table):
            return longest_rows(table)
        case Branch(then=then, otherwise=otherwise):
            both = _most(then, rooms, longest_rows), _most(otherwise, rooms, longest_rows)
            return None if both[0] is None or both[1] is None else max(both[0], both[1])
        case CountLoop(body=body) | CellLoop(body=body) | EntryLoop(body=body) | ListLoop(body=body):
            return _times(_most(body, rooms, longest_rows), _rounds(statement, rooms, longest_rows))
        case TestLoop(body=body):
            return _times(_most(body, rooms, longest_rows), None)
        case _:
            return 0


def _rounds(loop: Statement, rooms: Mapping[str, int], longest_rows: Callable[[str], int]) -> int | None:
    """How often a loop goes round at most."""
    match loop:
        case CountLoop(low=Int(value=low), high=Int(value=high)):
            return max(0, high - low)
        case CellLoop(count=Int(value=count)):
            return count
        case EntryLoop(table=table):
            return longest_rows(table)
        case ListLoop(items=items):
            return rooms.get(items)
        case _:
            return None


def _times(each: int | None, rounds: int | None) -> int | None:
    if each == 0:
        return 0
    return None if each is None or rounds is None else each * rounds


__all__ = ["LISTED_AT_ONCE", "ROOM_FOR_LISTED", "ROOM_FOR_OPTIONS", "SHORT_COPY", "most_listed", "word_if"]
