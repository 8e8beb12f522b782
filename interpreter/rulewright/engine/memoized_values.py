"""A derived value is computed once for the same arguments in a position, and looked up whenever it is asked for again.

In: the name of a value, its arguments as expressions and as functions, bodies of values. Out: the function that reads
it. The arguments are the first variables of the body; after them there is room for those that it binds itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulewright.engine.context import Context, MemoKey
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.values import RuntimeValue
from rulewright.expr.tree import Expr, Local
from rulewright.expr.walk import is_me


def read_memoized(
    name: str,
    keys: Sequence[Expr],
    args: Sequence[CompiledExpr],
    spare: tuple[int, ...],
    bodies: Mapping[str, CompiledExpr],
    compile_body: Callable[[str], CompiledExpr],
) -> CompiledExpr:
    """The function that reads a value. `spare`: the room in its variables; `bodies`: of the values asked for before,
    to which `compile_body` adds another.
    """
    if len(keys) == 2 and isinstance(keys[0], Local):  # asked most often, so nothing is called that need not be
        if is_me(keys[1]):
            return _read_by_variable_and_seat(name, keys[0].slot, spare, bodies, compile_body)
        if isinstance(keys[1], Local):
            return _read_by_two_variables(name, keys[0].slot, keys[1].slot, spare, bodies, compile_body)

    def compute(c: Context, key: MemoKey) -> RuntimeValue:
        body, outer = bodies.get(name) or compile_body(name), c.env
        c.env = [*key[2:], *spare]
        value = c.memo[key] = body(c)
        c.env = outer
        return value

    if not args:

        def read(c: Context) -> RuntimeValue:
            key = (name, c.me)
            value = c.memo.get(key)
            return compute(c, key) if value is None else value

    elif len(args) == 1:
        (arg,) = args

        def read(c: Context) -> RuntimeValue:
            key = (name, c.me, arg(c))
            value = c.memo.get(key)
            return compute(c, key) if value is None else value

    elif len(args) == 2:
        first, second = args

        def read(c: Context) -> RuntimeValue:
            key = (name, c.me, first(c), second(c))
            value = c.memo.get(key)
            return compute(c, key) if value is None else value

    else:

        def read(c: Context) -> RuntimeValue:
            key: MemoKey = (name, c.me, *[arg(c) for arg in args])
            value = c.memo.get(key)
            return compute(c, key) if value is None else value

    return read


def _read_by_variable_and_seat(
    name: str,
    slot: int,
    spare: tuple[int, ...],
    bodies: Mapping[str, CompiledExpr],
    compile_body: Callable[[str], CompiledExpr],
) -> CompiledExpr:
    def read(c: Context) -> RuntimeValue:
        seat, outer = c.me, c.env
        key = (name, seat, outer[slot], seat)
        value = c.memo.get(key)
        if value is None:
            body = bodies.get(name) or compile_body(name)
            c.env = [outer[slot], seat, *spare]
            value = c.memo[key] = body(c)
            c.env = outer
        return value

    return read


def _read_by_two_variables(
    name: str,
    slot: int,
    other_slot: int,
    spare: tuple[int, ...],
    bodies: Mapping[str, CompiledExpr],
    compile_body: Callable[[str], CompiledExpr],
) -> CompiledExpr:
    def read(c: Context) -> RuntimeValue:
        outer = c.env
        key = (name, c.me, outer[slot], outer[other_slot])
        value = c.memo.get(key)
        if value is None:
            body = bodies.get(name) or compile_body(name)
            c.env = [outer[slot], outer[other_slot], *spare]
            value = c.memo[key] = body(c)
            c.env = outer
        return value

    return read


__all__ = ["read_memoized"]
