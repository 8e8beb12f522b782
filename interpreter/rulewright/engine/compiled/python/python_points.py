"""Points in generated Python: each is a function, and one that goes on with another calls it.

In: the points of a program as they were written. Out: a `PythonPoints`. A point that only one other goes on with, and
at which no game is taken up again, stands in that one. Where a game would go round in a circle, or through a long row
of points, the number of the next point is returned instead, so that calls never lie too deep within one another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from rulewright.engine.compiled.kernel.joined_points import settle_returns, target_of, targets_in
from rulewright.engine.compiled.kernel.kernel import Int, Invoke, Node
from rulewright.engine.compiled.kernel.kernel_statements import Body, Function, Remark, Return, bodies_of
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.frozen import frozen

MAX_CALLS: Final = 100  # within one another: Python allows about a thousand, of which others need some


@frozen
class PythonPoints:
    """`functions`: the points that are still functions; `numbers`: of those that are met by their numbers the names."""

    functions: tuple[Function, ...]
    numbers: Mapping[int, str]


def connect_points(
    points: Sequence[Function], others: Sequence[Function], always: Mapping[int, Int], taken_up: Collection[int]
) -> PythonPoints:
    """Changes the bodies of the points. `others`: the functions beside them; `always`: as of `settle_returns`;
    `taken_up`: the points from which a game can be taken up again.
    """
    for point in points:
        settle_returns(point.body, always)
    met = {*taken_up, *(target for function in others for target in _numbers_in(function))}
    ends = Counter(target for point in points for target in targets_in(point.body))
    moved = {target for target in ends if ends[target] == 1 and target not in met}
    moved -= {target for target in moved if _is_within(points, target, moved)}
    for number, point in enumerate(points):
        if number not in moved:
            _move_in(point.body, points, moved)
    kept = [number for number in range(len(points)) if number not in moved]
    by_number = _returned(points, kept, met)
    reached = _reached(points, kept, met)
    for number in reached:
        _call(points[number].body, points, by_number.get(number, frozenset()))
    returned = {target for targets in by_number.values() for target in targets}
    return PythonPoints(
        tuple(points[number] for number in reached),
        {number: points[number].name for number in reached if number in met or number in returned},
    )


def _numbers_in(function: Function) -> Iterator[int]:
    """The points that a function beside them may name."""
    if function.is_pure:
        return
    for statement in all_statements(function.body):
        if isinstance(statement, Return):
            yield from (node.value for node in statement.values if isinstance(node, Int))


def _is_within(points: Sequence[Function], target: int, moved: Collection[int]) -> bool:
    """Whether a point that is to be moved would come to stand within itself."""
    seen, waiting = set[int](), [target]
    while waiting:
        for following in targets_in(points[waiting.pop()].body):
            if following == target:
                return True
            if following in moved and following not in seen:
                seen.add(following)
                waiting.append(following)
    return False


def _move_in(body: Body, points: Sequence[Function], moved: Collection[int]) -> None:
    """The statements of points that stand in others take the place of their numbers."""
    for statement in body.statements:
        for inner in bodies_of(statement):
            _move_in(inner, points, moved)
    target = target_of(body.statements[-1]) if body.statements else -1
    if target in moved:
        _move_in(points[target].body, points, moved)
        body.statements[-1:] = [Remark(points[target].address), *points[target].body.statements]


def _returned(points: Sequence[Function], kept: Sequence[int], met: Collection[int]) -> dict[int, set[int]]:
    """By point those with whose numbers it ends, since they lead back to it, or too far on."""
    found: dict[int, set[int]] = {}
    depths: dict[int, int] = {}  # of points that are done: how many calls lie within theirs
    for first in sorted(number for number in met if number in kept):
        if first in depths:
            continue
        waiting = [(first, iter(list(targets_in(points[first].body))))]
        under_way = {first: 0}
        while waiting:
            number, targets = waiting[-1]
            target = next(targets, -1)
            if target < 0:
                waiting.pop()
                depths[number] = under_way.pop(number)
                if waiting:
                    _note_call(waiting[-1][0], number, under_way, depths, found)
            elif target in under_way:
                found.setdefault(number, set()).add(target)
            elif target in depths:
                _note_call(number, target, under_way, depths, found)
            else:
                waiting.append((target, iter(list(targets_in(points[target].body)))))
                under_way[target] = 0
    return found


def _note_call(
    caller: int, called: int, under_way: dict[int, int], depths: Mapping[int, int], found: dict[int, set[int]]
) -> None:
    """A point goes on with another that is done: it calls it, or returns its number where that would lie too deep."""
    if depths[called] + 1 >= MAX_CALLS:
        found.setdefault(caller, set()).add(called)
    else:
        under_way[caller] = max(under_way[caller], depths[called] + 1)


def _reached(points: Sequence[Function], kept: Sequence[int], met: Collection[int]) -> list[int]:
    """The points at which a game can come, in their order."""
    reached, waiting = set[int](), [number for number in kept if number in met]
    while waiting:
        number = waiting.pop()
        if number not in reached:
            reached.add(number)
            waiting += targets_in(points[number].body)
    return sorted(reached)


def _call(body: Body, points: Sequence[Function], returned: Collection[int]) -> None:
    """Calls take the place of numbers, but for those that are returned."""
    for statement in body.statements:
        for inner in bodies_of(statement):
            _call(inner, points, returned)
    target = target_of(body.statements[-1]) if body.statements else -1
    if target >= 0 and target not in returned:
        following: Node = Invoke(points[target].name, ())
        body.statements[-1] = Return((following,))


__all__ = ["PythonPoints", "connect_points"]
