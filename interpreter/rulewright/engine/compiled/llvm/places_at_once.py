"""Which items that pass a sieve are listed by their places alone, and the table from which their numbers come.

In: the sieve of a loop. Out: a `ListedByPlace`, where the action of each item is a number that grows by the same step
from place to place: then those of four items are one row of a table, by which of them pass, and no jump is needed.
"""

from __future__ import annotations

from typing import Final

from rulewright.engine.compiled.kernel.kernel import Binary, Int, Name, Node, names_in, reads_position
from rulewright.engine.compiled.kernel.kernel_statements import AddOption, Body, Branch, Remark
from rulewright.engine.compiled.llvm.llvm_facts import SHORT
from rulewright.engine.compiled.llvm.sifting import Sieve
from rulewright.frozen import frozen

PLACES_AT_ONCE: Final = 4
ROW_OF_STEPS: Final = f"<{PLACES_AT_ONCE} x {SHORT}>"


@frozen
class ListedByPlace:
    """What is done for items that pass, where that depends on a test that is the same for all of them. If it holds, the
    action of each is listed: `first`, and `step` more for each item before it; else `otherwise` is done.
    """

    test: Node
    first: int
    step: int
    otherwise: Body


def find_listed_by_place(sieve: Sieve, item: str, index: str) -> ListedByPlace | None:
    """`item`, `index`: the variables of the loop."""
    match [statement for statement in sieve.block.statements if not isinstance(statement, Remark)]:
        case [Branch(test=test, then=Body(statements=[AddOption(word=word)]), otherwise=otherwise)]:
            steps = _steps_of(word, index)
        case _:
            return None
    changing = {item, index, *(statement.name for statement in sieve.assigned)}
    if steps is None or changing & names_in(test) or reads_position(test):
        return None
    first, step = steps
    return ListedByPlace(test, first, step, otherwise)


def _steps_of(word: Node, index: str) -> tuple[int, int] | None:
    """What a number is for the first item, and how much more it is for each item after another."""
    match word:
        case Int(value=value):
            return value, 0
        case Name(text=text) if text == index:
            return 0, 1
        case Binary(op="+", left=left, right=right):
            parts = _steps_of(left, index), _steps_of(right, index)
            if parts[0] is None or parts[1] is None:
                return None
            return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
        case Binary(op="*", left=left, right=Int(value=factor)):
            part = _steps_of(left, index)
            return None if part is None else (part[0] * factor, part[1] * factor)
        case _:
            return None


def steps_table(step: int) -> str:
    """The name of the table that says, by which of four items pass, how far on the first, the second … of these are."""
    return f"places_of_four_by_{step}"


def print_steps(step: int) -> str:
    """That table, in LLVM's text form."""
    numbers = list[int]()
    for passed in range(1 << PLACES_AT_ONCE):
        places = [place for place in range(PLACES_AT_ONCE) if passed >> place & 1]
        numbers += [place * step for place in places] + [0] * (PLACES_AT_ONCE - len(places))
    entries = ", ".join(f"{SHORT} {number}" for number in numbers)
    return f"@{steps_table(step)} = internal unnamed_addr constant [{len(numbers)} x {SHORT}] [{entries}], align 16"


__all__ = ["PLACES_AT_ONCE", "ROW_OF_STEPS", "ListedByPlace", "find_listed_by_place", "print_steps", "steps_table"]
