"""Which loops can first gather, without a jump, the few items of which something holds, and then go through those.

In: a loop of a function. Out: a `Sieve`: what is worked out for each item, the tests that it must pass, and the block
for those that pass. A processor guesses badly which few of many items pass, and each wrong guess costs as much as the
test of several items.
"""

from __future__ import annotations

from rulewright.engine.compiled.kernel.kernel import (
    Binary,
    ByteSum,
    Cell,
    Int,
    Lane,
    LanesAbove,
    ListLength,
    Name,
    Negate,
    Node,
    TableEntry,
    child_nodes,
    names_in,
)
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    Assign,
    Body,
    Branch,
    Remark,
    names_given,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.frozen import frozen


@frozen
class Sieve:
    """Of each item: what is worked out, and the tests in their order; `block`: what is done for those that pass."""

    assigned: tuple[Assign, ...]
    tests: tuple[Node, ...]
    block: Body


def find_sieve(name: str, body: Body) -> Sieve | None:
    """The sieve in a loop over items of that name; None where the tests depend on what the block does."""
    assigned: list[Assign] = []
    tests: list[Node] = []
    while True:
        statements = [statement for statement in body.statements if not isinstance(statement, Remark)]
        before, last = statements[:-1], statements[-1] if statements else None
        if not (isinstance(last, Branch) and not last.otherwise.statements and last.then.statements):
            break
        if not all(isinstance(statement, Assign) and _is_safe(statement.value, name) for statement in before):
            break
        if not _is_safe(last.test, name):
            break
        assigned += [statement for statement in before if isinstance(statement, Assign)]
        tests.append(last.test)
        body = last.then
    if not tests or not _is_heavy(body):
        return None
    read = frozenset().union(*map(names_in, (*tests, *(statement.value for statement in assigned))))
    given = {given for statement in all_statements(body) for given in names_given(statement)}
    return None if read & given else Sieve(tuple(assigned), tuple(tests), body)


def word_of(block: Body) -> tuple[tuple[Assign, ...], Node | None]:
    """What a block works out for the action that it lists, and the action; None where it does more than that."""
    statements = [statement for statement in block.statements if not isinstance(statement, Remark)]
    assigned = tuple(statement for statement in statements[:-1] if isinstance(statement, Assign))
    match statements[-1:]:
        case [AddOption(word=word)] if len(assigned) == len(statements) - 1:
            return assigned, word
        case _:
            return (), None


def _is_safe(node: Node, item: str) -> bool:
    """Whether an expression can be worked out for every item, also for one that an earlier test keeps away."""
    match node:
        case Int() | Name() | ListLength():
            return True
        case Cell(index=Int()):
            return True
        case TableEntry(index=Name(text=text)):
            return text == item  # tables have an entry also for no thing
        case Binary(op=op):
            return op not in ("//", "%") and all(_is_safe(part, item) for part in child_nodes(node))
        case Negate() | ByteSum() | LanesAbove() | Lane():
            return all(_is_safe(part, item) for part in child_nodes(node))
        case _:
            return False


def _is_heavy(body: Body) -> bool:
    """Whether more is done than one action listed: else a jump costs as much."""
    return any(not isinstance(statement, AddOption | Remark) for statement in body.statements)


__all__ = ["Sieve", "find_sieve", "word_of"]
