"""The kernel tree as readable Python: one function for each function of the program, with the addresses of the rules.

In: functions of the kernel tree. Out: their text. `s` is the position, a list of whole numbers; `out` takes the words
of legal actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from rulewright.engine.compiled.kernel.kernel import Binary, Cell, Int, Name, Node, names_in
from rulewright.engine.compiled.kernel.kernel_arithmetic import add, negated
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    AddOptions,
    AddRemembered,
    Append,
    AppendCells,
    Assign,
    Body,
    Branch,
    CellLoop,
    ClearOptions,
    CountLoop,
    CountOptions,
    CutList,
    DropByte,
    EntryLoop,
    Fail,
    ForgetPushed,
    Function,
    LeaveLoop,
    ListLoop,
    Loop,
    NewList,
    Perform,
    PopCells,
    PushCells,
    Remark,
    Return,
    SetItem,
    ShiftCells,
    Statement,
    Store,
    StoreByte,
    TakeOption,
    TestLoop,
    Witness,
    bodies_of,
    names_given,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.engine.compiled.python.python_expressions import INDENT, expression_lines, print_expression
from rulewright.engine.compiled.python.python_notes import Notes
from rulewright.frozen import mutable, replace

LONG_LINE: Final = 110
LONG_TEST: Final = 80
MAX_LOOPS: Final = 16  # within one another in a function; Python allows 20


def print_function(function: Function, notes: Notes) -> str:
    """A function as Python."""
    lines = [*_head(function, ["s", "out"]), *_print_block(function.body, 1, _place(function, notes))]
    return "\n".join(lines)


def print_remembered(function: Function, notes: Notes) -> str:
    """A function that lists actions, with what keeps its lists by their arguments."""
    lists = function.name.upper()
    lines = [
        f"{lists} = {{}}", "", "", f"@remembered({lists})", *_head(function, []), f"{INDENT}out = []",
        *_print_block(function.body, 1, _place(function, notes)), f"{INDENT}return out",
    ]  # fmt: skip
    return "\n".join(lines)


def _head(function: Function, always: Sequence[str]) -> list[str]:
    text = (
        f"{function.text}: {function.address}"
        if function.address and function.text
        else function.address or function.text
    )
    text = f"{text[0].upper()}{text[1:]}" if text.split()[0].isalpha() else text  # not the address of a rule
    return [f"def {function.name}({', '.join([*always, *function.parameters])}):", f'{INDENT}"""{text}."""']


def _place(function: Function, notes: Notes) -> FunctionPlace:
    return FunctionPlace(set(function.parameters), notes if not function.is_pure else replace(notes, points={}))


@mutable
class FunctionPlace:
    """Where in a function the printer is. `defined`: the variables so far; `depth`: how many loops are around;
    `remark`: the rule that was named last.
    """

    defined: set[str]
    notes: Notes
    depth: int = 0
    parts: int = 0
    remark: str = ""


def _each(name: str, items: str, index: str) -> str:
    """What a loop goes through; `index`: counts the items, if it is a name."""
    return f"{index}, {name} in enumerate({items})" if index else f"{name} in {items}"


def _print_block(block: Body, depth: int, place: FunctionPlace) -> Iterator[str]:
    is_empty, statements = True, iter(_with_whole_lists(block.statements))
    for statement in statements:
        if isinstance(statement, _WholeList):
            place.defined.add(statement.name)
            lines: Iterable[str] = statement.lines(INDENT * depth, place.notes)
        else:
            lines = _print_nested(statement, depth, place)
        for line in lines:
            is_empty = is_empty and line.lstrip().startswith("#")
            yield line
    if is_empty:
        yield f"{INDENT * depth}pass"


@mutable
class _WholeList:
    """A list that begins with items, as one statement."""

    name: str
    values: Sequence[str] = ()
    cells: AppendCells | None = None

    def lines(self, margin: str, notes: Notes) -> list[str]:
        if self.cells is not None:
            first, count = self.cells.first, self.cells.count
            return [f"{margin}{self.name} = s[{_slice(first, count)}]{notes.run(first)}"]
        line = f"{margin}{self.name} = [{', '.join(self.values)}]"
        if len(line) <= LONG_LINE:
            return [line]
        return [f"{margin}{self.name} = [", *(f"{margin}{INDENT}{value}," for value in self.values), f"{margin}]"]


def _with_whole_lists(statements: Sequence[Statement]) -> Iterator[Statement | _WholeList]:
    """A new list that takes items at once begins with them: some cells, or values one after another."""
    at = 0
    while at < len(statements):
        statement, end = statements[at], at + 1
        if isinstance(statement, NewList):
            name, values = statement.name, list[str]()
            following = statements[end] if end < len(statements) else None
            if isinstance(following, AppendCells) and following.items == name:
                yield _WholeList(name, cells=following)
                at = end + 1
                continue
            while (
                end < len(statements)
                and isinstance(following := statements[end], Append)
                and following.items == name
                and name not in names_in(following.value)
            ):
                values.append(print_expression(following.value))
                end += 1
            if values:
                yield _WholeList(name, values)
                at = end
                continue
        yield statement
        at += 1


def _print_nested(statement: Statement, depth: int, place: FunctionPlace) -> Iterator[str]:
    """A statement; a loop within as many others as Python allows becomes a function of its own."""
    if not isinstance(statement, Loop):
        place.defined.update(names_given(statement))
        yield from _print_statement(statement, depth, place)
        return
    margin, inside = INDENT * depth, list(_variables_of(statement))
    if place.depth < MAX_LOOPS:
        place.defined.update(names_given(statement))
        place.depth += 1
        yield from _print_statement(statement, depth, place)
        place.depth -= 1
        return
    place.parts += 1
    name, changed = f"part_{place.parts}", [name for name in inside if name in place.defined]
    if any(isinstance(each, AddOptions | AddRemembered) for each in all_statements(Body([statement]))):
        changed.append("out")
    yield f"{margin}def {name}():"
    if changed:
        yield f"{margin}{INDENT}nonlocal {', '.join(dict.fromkeys(changed))}"
    within = FunctionPlace(place.defined | {*names_given(statement)}, place.notes, 1, place.parts)
    yield from _print_statement(statement, depth + 1, within)
    place.parts = within.parts
    yield f"{margin}{name}_result = {name}()"
    yield f"{margin}if {name}_result is not None:"
    yield f"{margin}{INDENT}return {name}_result"


def _variables_of(statement: Statement) -> Iterator[str]:
    """All variables to which a statement and those within it give values."""
    yield from sorted(names_given(statement))
    for block in bodies_of(statement):
        for inner in block.statements:
            yield from _variables_of(inner)


def _print_statement(statement: Statement, depth: int, place: FunctionPlace) -> Iterator[str]:
    margin, show = INDENT * depth, print_expression
    match statement:
        case Assign(
            name=name, value=Binary(op=("+" | "-" | "*" | "|" | "&") as op, left=Name(text=same), right=change)
        ) if same == name:
            yield from _print_long(f"{margin}{name} {op}= ", change, "", margin)
        case Assign(name=name, value=value):
            yield from _print_long(f"{margin}{name} = ", value, "", margin, place.notes.read(value, name))
        case Store(index=index, value=Binary(op=("+" | "-") as op, left=Cell(index=same), right=change)) if (
            same == index
        ):
            if isinstance(change, Int) and change.value < 0:
                op, change = "-" if op == "+" else "+", Int(-change.value)
            yield f"{margin}s[{show(index)}] {op}= {show(change)}{place.notes.written(index, change)}"
        case Store(index=index, value=value):
            yield f"{margin}s[{show(index)}] = {show(value)}{place.notes.written(index, value)}"
        case DropByte() | StoreByte():
            raise AssertionError("only machine code has bytes in cells")
        case ShiftCells(first=first, end=end, by=by):
            target = f"{show(_plus(first, by))}:{show(_plus(end, by))}"
            yield f"{margin}s[{target}] = s[{show(first)}:{show(end)}]"
        case Branch():
            yield from _print_branch(statement, depth, "if", place)
        case CountLoop(name=name, low=low, high=high, body=body, is_falling=is_falling):
            if is_falling:
                bounds = f"{show(_plus(high, -1))}, {show(_plus(low, -1))}, -1"
            else:
                bounds = show(high) if low == Int(0) else f"{show(low)}, {show(high)}"
            yield f"{margin}for {name} in range({bounds}):"
            yield from _print_block(body, depth + 1, place)
        case CellLoop(name=name, first=first, count=Int(value=1), body=body, index="") if not _is_left(body):
            yield f"{margin}{name} = s[{show(first)}]{place.notes.run(first)}"
            yield from _print_block(body, depth, place)
        case CellLoop(name=name, first=first, count=count, body=body, index=index):
            yield f"{margin}for {_each(name, f's[{_slice(first, count)}]', index)}:{place.notes.run(first)}"
            yield from _print_block(body, depth + 1, place)
        case EntryLoop(name=name, table=table, index=index, body=body):
            row = table.upper() if index is None else f"{table.upper()}[{show(index)}]"
            yield f"{margin}for {name} in {row}:"
            yield from _print_block(body, depth + 1, place)
        case ListLoop(name=name, items=items, body=body, index=index):
            yield f"{margin}for {_each(name, items, index)}:"
            yield from _print_block(body, depth + 1, place)
        case TestLoop(test=test, body=body):
            yield f"{margin}while {show(test)}:"
            yield from _print_block(body, depth + 1, place)
        case LeaveLoop():
            yield f"{margin}break"
        case NewList(name=name):
            yield f"{margin}{name} = []"
        case Append(items=items, value=value):
            yield f"{margin}{items}.append({show(value)})"
        case AppendCells(items=items, first=first, count=count):
            yield f"{margin}{items} += s[{_slice(first, count)}]{place.notes.run(first)}"
        case SetItem(items=items, index=index, value=value):
            yield f"{margin}{items}[{show(index)}] = {show(value)}"
        case CutList(items=items, length=length):
            yield f"{margin}del {items}[{show(length)}:]"
        case ClearOptions():
            yield f"{margin}out.clear()"
        case AddOption(word=word):
            yield from _print_long(f"{margin}out.append(", word, ")", margin)
        case AddOptions(table=table, index=index):
            yield f"{margin}out += {table.upper()}[{show(index)}]"
        case AddRemembered(function=function, arguments=arguments, joined=joined):
            names = ", ".join(argument.text for argument in arguments)
            key = f"({names},)" if len(arguments) == 1 else f"({names})"
            lists = f"{function.upper()}.get({key}) or {function}({names})"
            if joined is None:
                yield f"{margin}out += {lists}"
            else:
                yield f"{margin}ways = {lists}"
                yield f"{margin}out += [way | {joined.text} for way in ways]"
        case CountOptions(name=name):
            yield f"{margin}{name} = len(out)"
        case TakeOption(name=name, index=index):
            yield f"{margin}{name} = out[{show(index)}]"
        case Perform(call=call):
            yield f"{margin}{show(call)}"
        case Return(values=values):
            yield f"{margin}return {', '.join(map(show, values))}".rstrip() + place.notes.point(values)
        case PushCells(first=first, count=count):
            yield f"{margin}s.extend(s[{first}:{first + count}])"
        case PopCells(first=first, count=count):
            yield f"{margin}s[{first}:{first + count}] = s[-{count}:]"
            yield f"{margin}del s[-{count}:]"
        case ForgetPushed():
            yield f"{margin}del s[SIZE:]"
        case Fail(fault=fault):
            yield f"{margin}fail({fault}){place.notes.fault(fault, place.remark)}"
        case Witness(event=event, arguments=arguments, items=items):
            listed = [items] if items else []
            yield f"{margin}witness_{event}({', '.join(['s', *map(show, arguments), *listed])})"
        case Remark(text=text):
            place.remark = text
            yield f"{margin}# {text}"
        case _:
            assert_never(statement)


def _is_left(body: Body) -> bool:
    """Whether a loop with this body can end before its last round."""
    return any(
        isinstance(statement, LeaveLoop)
        or (not isinstance(statement, Loop) and any(map(_is_left, bodies_of(statement))))
        for statement in body.statements
    )


def _print_branch(branch: Branch, depth: int, word: str, place: FunctionPlace) -> Iterator[str]:
    margin, branch = INDENT * depth, _with_inner_test(branch)
    if branch.then.statements or not branch.otherwise.statements:
        yield from _print_long(f"{margin}{word} ", branch.test, ":", margin, place.notes.read(branch.test))
        yield from _print_block(branch.then, depth + 1, place)
    else:
        yield from _print_long(f"{margin}{word} ", negated(branch.test), ":", margin, place.notes.read(branch.test))
        yield from _print_block(branch.otherwise, depth + 1, place)
        return
    others = branch.otherwise.statements
    if len(others) == 1 and isinstance(others[0], Branch) and others[0].then.statements:
        yield from _print_branch(others[0], depth, "elif", place)
    elif others:
        yield f"{margin}else:"
        yield from _print_block(branch.otherwise, depth + 1, place)


def _print_long(head: str, node: Node, tail: str, margin: str, note: str = "") -> Iterator[str]:
    """A line with an expression, and a note where there is room; a long expression in brackets, in several lines."""
    line = f"{head}{print_expression(node)}{tail}"
    parts = expression_lines(node, LONG_LINE - len(margin) - len(INDENT)) if len(line) > LONG_LINE else []
    if len(parts) < 2:
        yield f"{line}{note}" if len(line) + len(note) <= LONG_LINE else line
        return
    yield head if head.endswith("(") else f"{head}("
    yield from (f"{margin}{INDENT}{part}" for part in parts)
    yield f"{margin}){tail.removeprefix(')')}"


def _with_inner_test(branch: Branch) -> Branch:
    """One test for two, where nothing is done but for both, if it fits in a line."""
    match branch:
        case Branch(
            test=test, then=Body(statements=[Branch(test=inner, then=then) as second]), otherwise=otherwise
        ) if then.statements and not otherwise.statements and not second.otherwise.statements:
            joined = Binary("and", test, inner)
            if len(print_expression(joined)) <= LONG_TEST:
                return _with_inner_test(Branch(joined, then, otherwise))
    return branch


def _plus(node: Node, number: int) -> Node:
    return add(node, Int(number))


def _slice(first: Node, count: Node) -> str:
    return f"{print_expression(first)}:{print_expression(add(first, count))}"


__all__ = ["INDENT", "LONG_LINE", "print_function"]
