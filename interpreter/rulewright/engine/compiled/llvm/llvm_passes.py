"""What LLVM does to make machine code fast: no more than gains anything, since players wait for it.

In: a module in LLVM's text form, and whether loops of it only add up. Out: which short functions stand where they are
called, and the passes that have run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from rulewright.engine.compiled.kernel.kernel import Below, Invoke, Node, child_nodes, names_in
from rulewright.engine.compiled.kernel.kernel_statements import (
    Assign,
    Body,
    Branch,
    CellLoop,
    CountLoop,
    EntryLoop,
    Function,
    ListLoop,
    Remark,
    nodes_of,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.lazy_pattern import lazy_pattern

FEW_PASSES: Final = (  # a fifth of the time of level 1, for code that is as fast where no loop only adds up
    "ipsccp", "always_inliner", "sroa", "simplify_cfg", "instruction_combine", "new_gvn", "simplify_cfg",
    "instruction_combine",
)  # fmt: skip
MAX_LEVEL: Final = 1  # LLVM's passes of level 2 take a fifth more, for code that is as fast
MAX_INLINED: Final = 50  # a function's weight up to which level 1 writes it again
MAX_LINES: Final = 10  # of a function that is called more than once and stands wherever it is called
_NAME: Final = r'@("[^"\n]+"|[\w.$-]+)\('
# both begin with plain letters, which are found ten times as fast as the beginning of a word or line
_CALLED: Final = lazy_pattern(rf"call (?<!\wcall )[^@\n=]*?{_NAME}")
_DEFINED: Final = lazy_pattern(rf"define internal [^@\n]*?{_NAME}.*\) #0(?= \{{$)", re.MULTILINE)


def with_short_functions_inside(text: str) -> str:
    """The module whose short functions, and those called once, are marked to be written where they are called."""
    called = Counter(match[1] for match in _CALLED.finditer(text))

    def define(match: re.Match[str]) -> str:
        calls, lines = called[match[1]], text.count("\n", match.end(), text.index("\n}", match.end()))
        return f"{match[0]} alwaysinline" if calls == 1 or (calls and lines <= MAX_LINES) else match[0]

    return _DEFINED.sub(define, text)


def run_llvm_passes(llvm: Any, machine: Any, module: Any, level: int, *, may_be_few: bool) -> None:
    """Makes a parsed module fast, up to a level. `may_be_few`: the few passes named here are enough."""
    tuning = llvm.create_pipeline_tuning_options(speed_level=min(level, MAX_LEVEL))
    tuning.inlining_threshold, tuning.loop_unrolling = MAX_INLINED, False
    builder = llvm.create_pass_builder(machine, tuning)
    few = _few_passes(llvm) if level and may_be_few else None
    (few or builder.getModulePassManager()).run(module, builder)


def _few_passes(llvm: Any) -> Any | None:
    """None where this llvmlite does not name each of them."""
    manager = llvm.create_new_module_pass_manager()
    adding = [getattr(manager, f"add_{name}_pass", None) for name in FEW_PASSES]
    if not all(adding):
        return None
    for add in filter(None, adding):
        add()
    return manager


def has_adding_loop(functions: Iterable[Function]) -> bool:
    """Whether a loop of some functions only counts or adds up. LLVM does several rounds of such loops at once and moves
    out what is the same in each, but only in the whole of a level.
    """
    return any(
        isinstance(statement, CountLoop | CellLoop | EntryLoop | ListLoop) and _adds_up(statement.body)
        for function in functions
        for statement in all_statements(function.body)
    )


def _adds_up(body: Body) -> bool:
    statements = list(all_statements(body))
    return (
        all(isinstance(statement, Assign | Branch | Remark) for statement in statements)
        and not any(_calls(node) for statement in statements for node in nodes_of(statement))
        and any(isinstance(each, Assign) and each.name in names_in(each.value) for each in statements)
    )


def _calls(node: Node) -> bool:
    return isinstance(node, Below | Invoke) or any(map(_calls, child_nodes(node)))


__all__ = ["has_adding_loop", "run_llvm_passes", "with_short_functions_inside"]
