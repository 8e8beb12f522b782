"""The machine code of a program, made once: it is kept under all that it follows from.

In: a `CompiledProgram`, llvmlite's `binding`. Out: a `MachineCode`. What is kept is found before the program is made
fast and printed, which takes longer than all else that there is to do then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.machine_shape import MachineShape, WordShape
from rulewright.frozen import field_names, frozen
from rulewright.private_cache import cache_folder, cache_key, keep, read_cached
from rulewright.program_signature import program_signature

FEATURES: Final = ("popcnt",)  # more than every processor of its sort has; newer sets of instructions gained nothing


@frozen
class MachineCode:
    """`asked`: the functions that give a number about a seat, and their parameters; `code`: an object file."""

    asked: Mapping[str, Sequence[str]]
    shape: MachineShape
    code: bytes


def machine_code(llvm: Any, program: CompiledProgram, optimisation: int) -> MachineCode:
    """The machine code of a program for this sort of machine. `optimisation`: from 0, quickly made, to 3, fast."""
    target = llvm.Target.from_default_triple()
    features = ",".join(f"+{name}" for name in FEATURES if llvm.get_host_cpu_features().get(name))
    machine = target.create_target_machine(opt=optimisation, reloc="pic", codemodel="small", features=features)
    if cache_folder() is None:  # then nobody asks for a key, which takes as long as printing the program
        return _make(llvm, machine, program, optimisation)
    versions = f"{llvm.llvm_version_info} {machine.triple} {features} {optimisation}"
    key = cache_key("machine code", program_signature(), versions, code_origin(program))
    kept = read_cached(key)
    if kept is None:
        made = _make(llvm, machine, program, optimisation)
        keep(key, json.dumps([made.shape.pushes, made.asked]).encode() + b"\n" + made.code)
        return made
    facts, _, code = kept.partition(b"\n")
    pushes, asked = json.loads(facts)
    words = WordShape(program.words.bits, program.cells.word_sections)
    return MachineCode(asked, MachineShape(words, program.cells.size, len(program.faults), pushes), code)


def code_origin(program: CompiledProgram) -> str:
    """All that machine code follows from, as a text."""
    cells, words = program.cells, program.words
    layout = (cells.size, cells.sections, cells.counters, cells.tables, program.code.written_tables)
    flow = (program.points, program.start_point, program.decisions, len(program.faults))
    rules = (program.rules.digest, words.bits, words.number_width, sorted(program.without))
    uses = (program.numbering is None, program.lists_numbers, program.is_imagined)
    return f"{_written(program.code.written)} {(layout, flow, rules, uses)!r}"


def _written(part: Any) -> str:
    """The same as `repr` says, without the names of fields: in half the time."""
    if part.__class__ in (tuple, list):
        return f"({','.join(map(_written, part))})"
    getter = _getter(part.__class__)
    return repr(part) if getter is None else f"{part.__class__.__name__}{_written(getter(part))}"


@cache
def _getter(sort: type) -> Callable[[object], object] | None:
    """What gives all fields of such data, one by itself; None for what has none."""
    names = field_names(sort)
    return attrgetter(*names) if names else None


def _make(llvm: Any, machine: Any, program: CompiledProgram, optimisation: int) -> MachineCode:
    from rulewright.engine.compiled.llvm.llvm_passes import (
        has_adding_loop,
        run_llvm_passes,
        with_short_functions_inside,
    )
    from rulewright.engine.compiled.llvm.llvm_printer import LlvmModule

    module = LlvmModule(program)
    # calls of its own take longer to make, where code is to be had quickly
    text = module.text_for(llvm.llvm_version_info) if optimisation else module.text()
    is_game = program.numbering is None  # functions of batches are longer, and LLVM does better to choose among them
    if optimisation and is_game:
        text = with_short_functions_inside(text)
    parsed = llvm.parse_assembly(text)
    run_llvm_passes(llvm, machine, parsed, optimisation, may_be_few=is_game and not has_adding_loop(program.functions))
    return MachineCode(module.asked(), module.facts.shape, machine.emit_object(parsed))


__all__ = ["MachineCode", "code_origin", "machine_code"]
