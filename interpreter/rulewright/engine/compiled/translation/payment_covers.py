"""Whether pieces cover a price, as functions of the program: where wild pieces have to be shared out among the sorts.

In: how many sorts lack something, which wild members the price itself asks for, and whether pieces may be waived. Out:
functions that try every way to share out wild pieces and what is waived, and say whether one of them is enough.
"""

from __future__ import annotations

from contextlib import ExitStack

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Invoke, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary, either, total
from rulewright.engine.compiled.kernel.kernel_statements import Function, Return
from rulewright.frozen import frozen


@frozen
class CoverShape:
    """What a question about a payment consists of.

    `sorts`: how many plain members of the price there are; `is_own`: for each wild member whether the price asks for
    it; `is_one_sort`: a wild piece stands for pieces of one sort; `has_rebate`: some pieces may be waived.
    """

    sorts: int
    is_own: tuple[bool, ...]
    is_one_sort: bool
    has_rebate: bool

    @property
    def name(self) -> str:
        """The name of the function that answers it."""
        own = "".join("ny"[flag] for flag in self.is_own)
        return f"covers_{self.sorts}_{own}" + "_one_sort" * self.is_one_sort + "_rebate" * self.has_rebate

    @property
    def rest_name(self) -> str:
        """The beginning of the names of the functions that go from sort to sort."""
        return f"covers_sorts_{len(self.is_own)}" + "_rebate" * self.has_rebate


def cover_functions(shape: CoverShape) -> list[Function]:
    """The function of a question, and those that it needs. Arguments: what each sort lacks; how many pieces of each
    wild member are paid, how many of them the price asks for (where it does), for how many each stands; how many
    pieces may be waived.
    """
    shorts, members = _names("short", shape.sorts), range(len(shape.is_own))
    haves, worths = _names("have", len(shape.is_own)), _names("worth", len(shape.is_own))
    owns = {member: Name(f"own_{member}") for member in members if shape.is_own[member]}
    left: Node = Name("rebate") if shape.has_rebate else ZERO
    parameters = [*shorts, *haves, *owns.values(), *worths, *[Name("rebate")] * shape.has_rebate]
    code = CodeBuilder([name.text for name in parameters], is_pure=True)
    with ExitStack() as stack:
        free: list[Node] = list(haves)
        for member, own in owns.items():
            have = haves[member]
            if shape.has_rebate:  # pieces that the price asks for and that are waived are free for others
                lacking = code.let(binary("max", code.let(binary("-", own, have)), ZERO), "lacking")
                most = code.let(binary("min", own, left), "most")
                waived = stack.enter_context(code.count_loop(lacking, add(most, ONE), "waived"))
                left = code.let(binary("-", left, waived), "left")
                free[member] = code.let(add(binary("-", have, own), waived), "free")
            else:
                stack.enter_context(code.when(binary(">=", have, own)))
                free[member] = binary("-", have, own)
        free = [
            code.let(either(binary(">", worth, ZERO), count, ZERO), "free")
            for worth, count in zip(worths, free, strict=True)
        ]
        values = [code.let(binary("max", worth, ONE), "value") for worth in worths]
        enough: Node
        if not shape.is_one_sort:
            met = total(binary("*", count, value) for count, value in zip(free, values, strict=True))
            enough = binary(">=", met, binary("-", total(shorts), left))
        elif shape.sorts:
            enough = _rest(shape, shorts, free, values, left)
        else:
            enough = ONE
        with code.when(enough):
            code.write(Return((ONE,)))
    code.write(Return((ZERO,)))
    text = "whether pieces cover a price"
    function = Function(shape.name, tuple(name.text for name in parameters), code.block, True, "", text)
    rest = [_sort_function(shape, sorts) for sorts in range(shape.sorts, 0, -1)] if shape.is_one_sort else []
    return [function, *rest]


def _sort_function(shape: CoverShape, sorts: int) -> Function:
    """Whether wild pieces cover what the last so many sorts lack: those for the first of them, then the others."""
    shorts = _names("short", sorts)
    free, values = list(_names("free", len(shape.is_own))), _names("value", len(shape.is_own))
    rebate = [Name("rebate")] * shape.has_rebate
    parameters = [*shorts, *free, *values, *rebate]
    code = CodeBuilder([name.text for name in parameters], is_pure=True)
    missing: Node = shorts[0]
    left: Node = ZERO
    rest: list[Node] = []
    with ExitStack() as stack:
        if shape.has_rebate:
            most = code.let(binary("min", missing, rebate[0]), "most")
            waived = stack.enter_context(code.count_loop(ZERO, add(most, ONE), "waived", is_falling=True))
            missing = code.let(binary("-", missing, waived), "missing")
            left = code.let(binary("-", rebate[0], waived), "left")
        for count, value in zip(free, values, strict=True):
            needed = binary("//", add(missing, binary("-", value, ONE)), value)
            needed = code.let(needed, "needed")
            if value is values[-1]:
                stack.enter_context(code.when(binary("<=", needed, count)))
                rest.append(code.let(binary("-", count, needed), "rest"))
                break
            most = code.let(binary("min", needed, count), "most")
            used = stack.enter_context(code.count_loop(ZERO, add(most, ONE), "used", is_falling=True))
            rest.append(code.let(binary("-", count, used), "rest"))
            missing = code.let(binary("less", missing, code.let(binary("*", used, value), "met")), "missing")
        with code.when(_rest(shape, shorts[1:], rest, values, left) if sorts > 1 else ONE):
            code.write(Return((ONE,)))
    code.write(Return((ZERO,)))
    names = tuple(name.text for name in parameters)
    text = "whether wild pieces cover what sorts lack"
    return Function(f"{shape.rest_name}_{sorts}", names, code.block, True, "", text)


def _rest(shape: CoverShape, shorts: tuple[Name, ...], free: list[Node], values: object, left: Node) -> Node:
    assert isinstance(values, list | tuple)
    return Invoke(f"{shape.rest_name}_{len(shorts)}", (*shorts, *free, *values, *[left] * shape.has_rebate))


def _names(hint: str, count: int) -> tuple[Name, ...]:
    return tuple(Name(f"{hint}_{index}") for index in range(count))


__all__ = ["CoverShape", "cover_functions"]
