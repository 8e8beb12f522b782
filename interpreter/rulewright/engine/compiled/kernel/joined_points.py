"""Points that follow one another become one: fewer calls, and fewer jumps that depend on a number.

In: the points of a program, and the cells in which steps keep the point after them. Out: the same points; where one
ends with the number of the next, the statements of that one stand instead, if no other point ends there or it is short.
Each point is still there by itself, since a game that was loaded may have to go on from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from rulewright.engine.compiled.kernel.kernel import Cell, Int, Name
from rulewright.engine.compiled.kernel.kernel_statements import (
    Assign,
    Body,
    Function,
    Remark,
    Return,
    Statement,
    Store,
    bodies_of,
    copy_blocks,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.frozen import field_names, frozen

SHORT: Final = 8  # statements: a point that is as short is written wherever another ends with it
LONG: Final = 100  # statements: a point does not grow beyond
NAMING_FIELDS: Final = frozenset({"name", "items"})  # of statements and expressions: a variable, a list
Part = TypeVar("Part")


@frozen
class PointEntries:
    """Where games enter points: where they begin, by decision after an action, and at those that are noted in cells.
    `return_cells`: see above, of steps that cannot begin within themselves; `nested_return_cells`: of all others.
    """

    start_point: int
    resume_points: Sequence[int]
    return_cells: Collection[int]
    nested_return_cells: Collection[int]


def join_points(
    points: Sequence[Function],
    others: Sequence[Function],
    entries: PointEntries,
) -> None:
    """Changes the bodies of the points. `others`: the functions beside them."""
    return_cells = entries.return_cells
    always = always_the_same(points, others, return_cells)
    for point in points:
        settle_returns(point.body, always)
    entered = {*entries.resume_points, *targets_in(points[entries.start_point].body)}
    entered |= {point for function in others for point in targets_in(function.body)}
    entered |= {*_points_given((*points, *others), {*return_cells, *entries.nested_return_cells})}
    _Joining(points).run({point for point in entered if point < len(points)})


def always_the_same(
    points: Sequence[Function], others: Sequence[Function], return_cells: Collection[int]
) -> dict[int, Int]:
    """The cells into which the same number is written wherever anything is."""
    written: dict[int, set[object]] = {}
    for function in (*points, *others):
        for statement in all_statements(function.body):
            if isinstance(statement, Store) and isinstance(statement.index, Int):
                written.setdefault(statement.index.value, set()).add(statement.value)
    return {
        cell: value
        for cell in return_cells
        for value in written.get(cell, ())
        if isinstance(value, Int) and len(written[cell]) == 1
    }


def settle_returns(body: Body, always: Mapping[int, Int]) -> None:
    """A point that ends with what is always in a cell ends with that number."""
    known: dict[str, Int] = {}
    for at, statement in enumerate(body.statements):
        match statement:
            case Assign(name=name, value=Cell(index=Int(value=cell))) if cell in always:
                known[name] = always[cell]
            case Return(values=(Name(text=name),)) if name in known:
                body.statements[at] = Return((known[name],))
            case _:
                for inner in bodies_of(statement):
                    settle_returns(inner, always)


class _Joining:
    """`points`: as they were written; `_ends`: how many places end with each."""

    def __init__(self, points: Sequence[Function]) -> None:
        self._points = points
        self._ends = Counter(target for point in points for target in targets_in(point.body))
        self._sizes = [_size(point.body) for point in points]
        self._bodies = [copy_blocks(point.body) for point in points]

    def run(self, entered: Collection[int]) -> None:
        """Joins the points that are entered as a game goes on. The point where games begin stays as it is, since each
        does so once, and those that stand within others: only a game that is loaded goes on from them.
        """
        left, joined = [*entered], set[int]()
        while left:
            number = left.pop()
            if number in joined:
                continue
            joined.add(number)
            point = self._points[number]
            names = set(names_in_part(point.body))
            self._room = LONG - self._sizes[number]
            self._join(point.body, names, (number,))
            left += targets_in(point.body)

    def _join(self, body: Body, names: set[str], chain: tuple[int, ...]) -> None:
        for statement in body.statements:
            for inner in bodies_of(statement):
                self._join(inner, names, chain)
        target = target_of(body.statements[-1]) if body.statements else -1
        if target < 0 or not self._is_joined(target, chain):
            return
        self._room -= self._sizes[target]
        following = duplicate(self._bodies[target], self._new_names(target, names))
        self._join(following, names, (*chain, target))
        body.statements[-1:] = [Remark(self._points[target].address), *following.statements]

    def _is_joined(self, target: int, chain: tuple[int, ...]) -> bool:
        is_worth_it = self._ends[target] == 1 or self._sizes[target] <= SHORT
        return is_worth_it and target not in chain and self._sizes[target] <= self._room

    def _new_names(self, target: int, names: set[str]) -> dict[str, str]:
        """Other names for those of a point that are taken already."""
        given: dict[str, str] = {}
        for name in dict.fromkeys(names_in_part(self._bodies[target])):
            fresh, number = name, 2
            while fresh in names:
                fresh, number = f"{name}_{number}", number + 1
            names.add(fresh)
            if fresh != name:
                given[name] = fresh
        return given


def _points_given(functions: Iterable[Function], cells: Collection[int]) -> Iterator[int]:
    """The points that are noted in some cells."""
    for function in functions:
        for statement in all_statements(function.body):
            match statement:
                case Store(index=Int(value=cell), value=Int(value=point)) if cell in cells:
                    yield point


def target_of(statement: Statement) -> int:
    """The point with whose number a statement ends a function; below 0 where there is none."""
    match statement:
        case Return(values=(Int(value=target),)):
            return target
        case _:
            return -1


def targets_in(body: Body) -> Iterator[int]:
    """The points with whose numbers a block ends, as often as it does."""
    yield from (target for target in map(target_of, all_statements(body)) if target >= 0)


def _size(body: Body) -> int:
    return sum(not isinstance(statement, Remark) for statement in all_statements(body))


def names_in_part(part: object) -> Iterator[str]:
    """The variables and lists of a block, also as often as they are met."""
    if isinstance(part, Name):
        yield part.text
    elif isinstance(part, Body):
        for statement in part.statements:
            yield from names_in_part(statement)
    elif isinstance(part, tuple):
        for inner in part:
            yield from names_in_part(inner)
    else:
        for name in field_names(part):
            value = getattr(part, name)
            if name in NAMING_FIELDS:
                yield from filter(None, (value,))  # empty: there is no list
            else:
                yield from names_in_part(value)


def duplicate(part: Part, names: Mapping[str, str]) -> Part:
    """A copy, of which nothing that changes is shared, with other names for variables and lists. What can never change
    and has none of these names is taken as it is.
    """
    copy: object = part
    if isinstance(part, Name):
        if part.text in names:
            copy = Name(names[part.text], part.is_flag)
    elif isinstance(part, Body):
        copy = Body([duplicate(statement, names) for statement in part.statements])
    elif isinstance(part, tuple):
        copy = tuple(duplicate(inner, names) for inner in part)
    elif names_of_fields := field_names(part):
        values = [getattr(part, name) for name in names_of_fields]
        copies = [
            names.get(value, value) if name in NAMING_FIELDS else duplicate(value, names)
            for name, value in zip(names_of_fields, values, strict=True)
        ]
        if any(one is not other for one, other in zip(values, copies, strict=True)):
            copy = type(part)(**dict(zip(names_of_fields, copies, strict=True)))
    return copy  # type: ignore[return-value]  # of the same type


__all__ = [
    "PointEntries",
    "always_the_same",
    "duplicate",
    "join_points",
    "names_in_part",
    "settle_returns",
    "target_of",
    "targets_in",
]
