"""How a seat acts in generated Python: the action's function and the point after it are looked up in tables.

In: the functions `act` and `perform` as they were written, with a test for each action. Out: the same, with a table in
place of the tests for actions that run straight on; `act` needs no `perform` in between and calls the point after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulewright.engine.compiled.kernel.joined_points import duplicate
from rulewright.engine.compiled.kernel.kernel import Binary, Int, Invoke, InvokeEntry, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_statements import (
    Assign,
    Body,
    Branch,
    Function,
    Perform,
    Return,
    Statement,
)
from rulewright.engine.compiled.translation.game_points import RESUME_TABLE
from rulewright.frozen import frozen, replace

ACTIONS: Final = "ACTIONS"
POINTS_AFTER: Final = "POINTS_AFTER"


@frozen
class ActionTable:
    """`act` and `perform` as they are printed. `actions`: the functions by number, empty for what has none."""

    functions: tuple[Function, ...]
    actions: tuple[str, ...]


def look_up_actions(functions: Sequence[Function], *, may_decline: bool) -> ActionTable:
    """All functions, two of them changed, and the table. `may_decline`: somebody can choose to do nothing, number 0."""
    perform = next(function for function in functions if function.name == "perform")
    straight: dict[int, str] = {}
    body = Body()
    number = _split(perform.body, straight, body)
    if straight:
        word, seat, after = (Name(parameter) for parameter in perform.parameters)
        does = Perform(InvokeEntry(ACTIONS, (seat, word), number))
        body.statements += [Branch(number, Body([does]), Body()) if may_decline else does, Return((after,))]
    made = {"perform": replace(perform, body=body)} if straight else {}
    act = next(function for function in functions if function.name == "act")
    made["act"] = replace(act, body=_act_body(act.body, made.get("perform", perform)))
    actions = tuple(straight.get(number, "") for number in range(max(straight, default=-1) + 1))
    return ActionTable(tuple(made.get(function.name, function) for function in functions), actions)


def _split(body: Body, straight: dict[int, str], rest: Body) -> Node:
    """Sorts the tests for actions: `straight` takes those that only call a function, `rest` all other statements."""
    number: Node = Int(0)
    for statement in body.statements:
        match statement:
            case Branch(test=Binary(op="==", left=tested, right=Int(value=action)), then=then, otherwise=otherwise):
                number = tested
                called = _called(then)
                if called:
                    straight[action] = called
                else:
                    rest.statements.append(Branch(statement.test, then, Body()))
                _split(otherwise, straight, rest)
            case Assign():
                rest.statements.append(statement)
            case _:
                pass  # that nothing is done where no action has the number, which cannot be
    return number


def _called(body: Body) -> str:
    """The function that a block calls before it goes on after the action, if it does nothing else."""
    match body.statements:
        case [Perform(call=Invoke(function=function, arguments=(Name(text="seat"), Name(text="word")))), Return()]:
            return function
        case _:
            return ""


def _act_body(body: Body, perform: Function) -> Body:
    """`act` with the statements of `perform` at its end, and a call in place of the number of the point after."""
    *before, last = body.statements
    match last:
        case Return(values=(Invoke(function="perform", arguments=arguments),)):
            names = {
                parameter: argument.text
                for parameter, argument in zip(perform.parameters, arguments, strict=True)
                if isinstance(argument, Name)
            }
            before += duplicate(perform.body, names).statements
    calls = {
        statement.name: InvokeEntry(POINTS_AFTER, (), statement.value.index)
        for statement in before
        if isinstance(statement, Assign)
        and isinstance(statement.value, TableEntry)
        and statement.value.table == RESUME_TABLE
    }
    return _calling(Body(before), calls)


def _calling(body: Body, calls: Mapping[str, Invoke]) -> Body:
    """The same statements; what returned a variable returns what a call gives."""
    return Body([_calls(statement, calls) for statement in body.statements])


def _calls(statement: Statement, calls: Mapping[str, Invoke]) -> Statement:
    match statement:
        case Return(values=(Name(text=text),)) if text in calls:
            return Return((calls[text],))
        case Branch(test=test, then=then, otherwise=otherwise):
            return Branch(test, _calling(then, calls), _calling(otherwise, calls))
        case _:
            return statement


__all__ = ["ACTIONS", "POINTS_AFTER", "ActionTable", "look_up_actions"]
