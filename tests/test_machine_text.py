"""Ways in which machine code is made fast: lists that are not gathered, sets found as one number, calls of its own."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import product
from typing import get_args

import pytest

from positions import rules
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import (
    _PARTS,
    Binary,
    ByteSum,
    Int,
    Invoke,
    InvokeEntry,
    Lane,
    Name,
    Node,
    child_nodes,
)
from rulewright.engine.compiled.kernel.kernel_arithmetic import binary
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    AppendCells,
    Body,
    Function,
    ListLoop,
    NewList,
    Statement,
)
from rulewright.engine.compiled.kernel.packed_counts import packed
from rulewright.engine.compiled.llvm.llvm_passes import (
    FEW_PASSES,
    has_adding_loop,
    run_llvm_passes,
    with_short_functions_inside,
)
from rulewright.engine.compiled.llvm.llvm_printer import LlvmModule
from rulewright.engine.compiled.llvm.own_calls import CONVENTION, FIRST_VERSION, with_own_calls
from rulewright.engine.compiled.llvm.spread_lists import spread_loops
from rulewright.engine.compiled.translation.present_lanes import present_lanes, present_mask, values_by_flags

LOOP = ListLoop("item", "items", Body([AddOption(Name("item"))]))
FIXED, OWN = AppendCells("items", Int(5), Int(12), 12), AppendCells("items", Int(30), Name("held"), 3)
NEW = NewList("items", 15)


@pytest.mark.parametrize(
    ("statements", "is_spread"),
    [
        ([NEW, FIXED, OWN, LOOP], True),
        ([NEW, FIXED, LOOP, OWN], False),  # not all are there before they are gone through
        ([NEW, FIXED, LOOP, LOOP], False),
        ([NewList("items", 17), FIXED, LOOP], False),
        ([FIXED, NEW, LOOP], False),
    ],
)
def test_a_list_is_not_gathered_where_it_is_gone_through_once(statements: list[Statement], is_spread: bool) -> None:
    function = Function("options", (), Body(statements), True, "", "")
    assert bool(spread_loops(function)) == is_spread
    assert not spread_loops(Function("act", (), Body(statements), False, "", ""))


def value_of(code: CodeBuilder, node: Node, bag: int) -> int:
    match node:
        case Int(value=value):
            return value
        case Name(text="bag"):
            return bag
        case Name():
            return value_of(code, code.definition(node), bag)
        case Binary(op=op, left=left, right=right):
            result = binary(op, Int(value_of(code, left, bag)), Int(value_of(code, right, bag)))
            assert isinstance(result, Int)
            return result.value
        case _:
            raise AssertionError(node)


@pytest.mark.parametrize(("first", "size"), [(0, 3), (0, 5), (1, 5), (0, 7)])
def test_the_members_that_a_bag_holds_are_found_at_once(first: int, size: int) -> None:
    code = CodeBuilder(("bag",), is_pure=True)
    lanes = [code.let(Lane(Name("bag"), at, 127, 7), "count") for at in range(first, first + size)]
    flags: list[Node] = [code.let(binary(">", lane, Int(0)), "has") for lane in lanes]
    mask, ones = present_mask(code, flags), present_lanes(code, flags)
    assert mask is not None
    assert ones is not None
    for chosen in product((0, 1, 127), repeat=size):
        bag = packed([127] * first + [*chosen])
        assert value_of(code, mask, bag) == sum((count > 0) << at for at, count in enumerate(chosen))
        assert value_of(code, ones, bag) == packed([int(count > 0) for count in chosen])
    wanted = binary("min", code.let(ByteSum(ones), "count"), Int(2))
    assert values_by_flags(code, wanted, flags) == [min(2, bits.bit_count()) for bits in range(1 << size)]
    assert values_by_flags(code, binary("+", wanted, Name("bag")), flags) is None


def test_flags_of_other_bags_are_asked_one_by_one() -> None:
    code = CodeBuilder(("bag", "other"), is_pure=True)
    lanes = [Lane(Name("bag"), 0, 9, 3), Lane(Name("bag"), 1, 9, 3), Lane(Name("other"), 2, 9, 3)]
    flags: list[Node] = [code.let(binary(">", code.let(lane, "count"), Int(0)), "has") for lane in lanes]
    assert present_lanes(code, flags) is None
    assert present_mask(code, flags) is None


def test_only_what_is_called_from_outside_keeps_registers() -> None:
    program = compile_program(rules("nim", 2))
    text = with_own_calls(LlvmModule(program).text())
    defined = [line for line in text.splitlines() if line.startswith("define")]
    called = [line for line in text.splitlines() if " call " in line and "@llvm." not in line]
    assert all((CONVENTION in line) == ("internal" in line) for line in defined)
    assert called
    assert all(CONVENTION in line for line in called)
    assert {"define i64 @games(", "define i64 @move("} <= {line.partition("(")[0] + "(" for line in defined}
    assert CONVENTION not in LlvmModule(program).text_for((FIRST_VERSION[0] - 1,))
    assert CONVENTION not in LlvmModule(compile_program(rules("nim", 2), without=["own-calls"])).text_for(FIRST_VERSION)


SHORT_AND_LONG = """
define internal i64 @short(i64 %a) #0 {
  ret i64 %a
}
define internal i64 @long(i64 %a) #0 {
LINES  ret i64 %a
}
define internal i64 @"once.long"(i64 %a) #0 {
LINES  ret i64 %a
}
define i64 @main(i64 %a) #0 {
  %b = call i64 @short(i64 %a)
  %c = call i64 @short(i64 %b)
  %d = call i64 @long(i64 %c)
  %e = call i64 @long(i64 %d)
  %f = call i64 @"once.long"(i64 %e)
  ret i64 %f
}
attributes #0 = { nounwind }
""".replace("LINES", "".join(f"  %t{n} = add i64 %a, {n}\n" for n in range(20)))


def test_short_functions_and_those_called_once_stand_where_they_are_called() -> None:
    marked = [line for line in with_short_functions_inside(SHORT_AND_LONG).splitlines() if "alwaysinline" in line]
    assert [line.partition("(")[0].rpartition(" ")[2] for line in marked] == ["@short", '@"once.long"']


def test_every_sort_of_expression_says_of_what_it_is_made() -> None:
    sorts = {InvokeEntry, *get_args(Node)}
    assert set(_PARTS) == sorts
    for sort in sorts:
        parts = [Name(f"part {place}") for place, _ in enumerate(fields(sort))]
        made = sort(*parts)
        if issubclass(sort, Invoke):
            made = replace(made, arguments=(Name("first"), Name("second")))
        nodes = [getattr(made, field.name) for field in fields(sort) if field.type == "Node"]
        arguments = made.arguments if isinstance(made, Invoke) else ()
        assert child_nodes(made) == (*arguments, *nodes)


@pytest.mark.parametrize(("game", "is_adding"), [("splendor", False), ("nim", False), ("draughts", True)])
def test_loops_that_only_add_up_are_found(game: str, is_adding: bool) -> None:
    assert has_adding_loop(compile_program(rules(game, 2)).functions) is is_adding


def test_few_passes_are_enough_where_no_loop_adds_up() -> None:
    llvm = pytest.importorskip("llvmlite.binding")
    llvm.initialize_native_target()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    manager = llvm.create_new_module_pass_manager()
    if not all(hasattr(manager, f"add_{name}_pass") for name in FEW_PASSES):
        pytest.skip("this llvmlite does not name each pass")
    module = llvm.parse_assembly(with_short_functions_inside(SHORT_AND_LONG))
    run_llvm_passes(llvm, machine, module, 2, may_be_few=True)
    assert [function.name for function in module.functions] == ["long", "main"]
