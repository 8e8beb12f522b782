"""Sequences of decisions counted in machine code: one function that calls itself for what follows each action.

In: what functions have to know of a program. Out: LLVM's text form.
"""

from __future__ import annotations

from typing import Final

from rulewright.engine.compiled.kernel.machine_shape import (
    FAULT,
    OPTION_COUNT,
    PUSHED_COUNT,
    QUEUE_LENGTH,
    QUEUE_USED,
    WORD_CELLS,
    tree_cells,
    tree_numbers,
)
from rulewright.engine.compiled.llvm.llvm_expressions import PARAMETERS
from rulewright.engine.compiled.llvm.llvm_facts import ModuleFacts

COUNTER_BYTES: Final = 8


def print_count_tree(facts: ModuleFacts, over: int) -> str:
    """`count_tree`: how many sequences of `depth` decisions there are from a position whose options are listed.

    Behind the cells, the options and the numbers of the play is room for those of as many positions more. Returns -1
    where the rules fail or chance is asked for: the fault is noted. `over`: the cell that says that the game is.
    """
    stride, type_ = facts.widths.stride, f"i{64 * facts.widths.stride}"
    cells, numbers = tree_cells(facts.shape), tree_numbers(facts.shape)
    shared = [PUSHED_COUNT, QUEUE_LENGTH]
    words = COUNTER_BYTES * (numbers - WORD_CELLS)
    passed_on = "\n".join(
        f"  %from{at} = getelementptr inbounds i64, ptr %play, i64 {at}\n"
        f"  %n{at} = load i64, ptr %from{at}\n"
        f"  %to{at} = getelementptr inbounds i64, ptr %below_play, i64 {at}\n"
        f"  store i64 %n{at}, ptr %to{at}"
        for at in shared
    )
    below = "ptr %below_s, ptr %below_out, ptr %below_play"
    return f"""define i64 @count_tree({PARAMETERS}, i64 %depth) #0 {{
entry:
  %count_place = getelementptr inbounds i64, ptr %play, i64 {OPTION_COUNT}
  %fault_place = getelementptr inbounds i64, ptr %play, i64 {FAULT}
  %words = getelementptr inbounds i64, ptr %play, i64 {WORD_CELLS}
  %count = load i64, ptr %count_place
  %is_last = icmp sle i64 %depth, 1
  br i1 %is_last, label %leaf, label %follow
leaf:
  ret i64 %count
follow:
  %less = sub nsw i64 %depth, 1
  %below_s = getelementptr inbounds i64, ptr %s, i64 {cells}
  %below_play = getelementptr inbounds i64, ptr %play, i64 {numbers}
  %listed = mul nsw i64 %count, {stride}
  %below_out = getelementptr inbounds i64, ptr %out, i64 %listed
  %below_fault = getelementptr inbounds i64, ptr %below_play, i64 {FAULT}
  %below_count = getelementptr inbounds i64, ptr %below_play, i64 {OPTION_COUNT}
  %below_used = getelementptr inbounds i64, ptr %below_play, i64 {QUEUE_USED}
  %below_words = getelementptr inbounds i64, ptr %below_play, i64 {WORD_CELLS}
  %over_place = getelementptr inbounds i64, ptr %below_s, i64 {over}
  br label %head
head:
  %index = phi i64 [ 0, %follow ], [ %next, %ended ], [ %next, %add ]
  %total = phi i64 [ 0, %follow ], [ %total, %ended ], [ %sum, %add ]
  %is_left = icmp slt i64 %index, %count
  br i1 %is_left, label %try, label %done
try:
  %next = add nsw i64 %index, 1
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %below_s, ptr align 8 %s, i64 {COUNTER_BYTES * cells}, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %below_words, ptr align 8 %words, i64 {words}, i1 false)
{passed_on}
  store i64 0, ptr %below_count
  store i64 0, ptr %below_used
  store i64 -1, ptr %below_fault
  %at = mul nsw i64 %index, {stride}
  %word_place = getelementptr inbounds i64, ptr %out, i64 %at
  %word = load {type_}, ptr %word_place, align 8
  store {type_} %word, ptr %below_out, align 8
  %stepped = call i64 @step({below}, i64 0)
  %fault = load i64, ptr %below_fault
  %is_fine = icmp slt i64 %fault, 0
  br i1 %is_fine, label %fine, label %fail
fine:
  %over = load i64, ptr %over_place
  %is_over = icmp ne i64 %over, 0
  br i1 %is_over, label %ended, label %count_on
ended:
  br label %head
count_on:
  %own = call i64 @count_tree({below}, i64 %less)
  %is_counted = icmp sge i64 %own, 0
  br i1 %is_counted, label %add, label %fail
add:
  %sum = add i64 %total, %own
  br label %head
fail:
  %what = load i64, ptr %below_fault
  store i64 %what, ptr %fault_place
  ret i64 -1
done:
  ret i64 %total
}}"""


__all__ = ["print_count_tree"]
