"""What positions are worth after each of some actions, found by one call of machine code.

In: the functions that evaluate, where a position says that it is over and who has left. Out: LLVM's text form. Whoever
thinks asks this of all actions at a decision, and nearly all positions are looked at for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.engine.compiled.kernel.machine_shape import FAULT
from rulewright.engine.compiled.kernel.packed_counts import BYTES_OF_CELL
from rulewright.engine.compiled.llvm.llvm_expressions import ARGUMENTS, PARAMETERS, symbol
from rulewright.engine.compiled.llvm.llvm_facts import NUMBER

UNWEIGHED: Final = -(1 << 63)  # of a position that somebody has to look at: the rules fail, the game is over, …


def weigh_name(worth: str) -> str:
    """The entry that asks a function of many positions."""
    return f"weigh.{worth}"


def print_weigh(worths: Sequence[str], *, players: int, cells: int, over: int, left: int) -> Iterator[str]:
    """`weigh.…`: for each of `count` words at `words` what the position after it is worth to a seat, less what it is
    worth to the best of the others if `has_rivals`; `UNWEIGHED` where the rules fail there, the game is over or
    somebody has left it.

    `applied`: the terms that apply for each seat; `after`: room for a position; `found` gets the numbers. The numbers
    here: of the cells that say whether the game is over, and (-1: nobody can) by seat who has left it.
    """
    pointers = [f"ptr noalias nocapture %{name}" for name in ("after", "words", "applied", "found")]
    parameters = ", ".join([PARAMETERS, *pointers, "i64 %count, i64 %seat, i64 %has_rivals"])
    after = ARGUMENTS.replace("%s", "%after")
    for worth in worths:
        yield f"""define {NUMBER} @{symbol(weigh_name(worth))}({parameters}) #0 {{
entry:
  %fault_place = getelementptr inbounds i64, ptr %play, i64 {FAULT}
  %over_place = getelementptr inbounds i64, ptr %after, i64 {over}
  %own_applied_place = getelementptr inbounds i64, ptr %applied, i64 %seat
  %own_applied = load i64, ptr %own_applied_place
  br label %head
head:
  %index = phi i64 [ 0, %entry ], [ %next, %note ]
  %is_left = icmp slt i64 %index, %count
  br i1 %is_left, label %try, label %done
try:
  %next = add nsw i64 %index, 1
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %after, ptr align 8 %s, i64 {BYTES_OF_CELL * cells}, i1 false)
  %word_place = getelementptr inbounds i64, ptr %words, i64 %index
  %word = load i64, ptr %word_place
  %moved = call {NUMBER} @move({after}, i64 %word) noinline
  %fault = load i64, ptr %fault_place
  %is_fine = icmp slt i64 %fault, 0
  br i1 %is_fine, label %fine, label %fails
fails:
  store i64 -1, ptr %fault_place
  br label %note
fine:
  %over = load i64, ptr %over_place
{_open_test(players, left)}
  br i1 %is_open, label %ask, label %note
ask:
  %own = call {NUMBER} @{symbol(worth)}({after}, i64 %seat, i64 %own_applied) noinline
  %is_compared = icmp ne i64 %has_rivals, 0
  br i1 %is_compared, label %rivals, label %note
rivals:
  %rival = phi i64 [ 0, %ask ], [ %rival_next, %compared ]
  %best = phi i64 [ {UNWEIGHED}, %ask ], [ %best_next, %compared ]
  %is_rival_left = icmp slt i64 %rival, {players}
  br i1 %is_rival_left, label %look, label %compare
look:
  %rival_next = add nsw i64 %rival, 1
  %is_own = icmp eq i64 %rival, %seat
  br i1 %is_own, label %compared, label %other
other:
  %rival_applied_place = getelementptr inbounds i64, ptr %applied, i64 %rival
  %rival_applied = load i64, ptr %rival_applied_place
  %rival_worth = call {NUMBER} @{symbol(worth)}({after}, i64 %rival, i64 %rival_applied) noinline
  %better = call i64 @llvm.smax.i64(i64 %best, i64 %rival_worth)
  br label %compared
compared:
  %best_next = phi i64 [ %best, %look ], [ %better, %other ]
  br label %rivals
compare:
  %lead = sub i64 %own, %best
  br label %note
note:
  %number = phi i64 [ {UNWEIGHED}, %fails ], [ {UNWEIGHED}, %fine ], [ %own, %ask ], [ %lead, %compare ]
  %found_place = getelementptr inbounds i64, ptr %found, i64 %index
  store i64 %number, ptr %found_place
  br label %head
done:
  ret {NUMBER} 0
}}"""


def _open_test(players: int, left: int) -> str:
    """`is_open`: the game is not over, and nobody has left it."""
    lines, gone = [], "%over"
    for seat in range(players if left >= 0 else 0):
        lines += [
            f"  %left_place{seat} = getelementptr inbounds i64, ptr %after, i64 {left + seat}",
            f"  %left{seat} = load i64, ptr %left_place{seat}",
            f"  %gone{seat} = or i64 {gone}, %left{seat}",
        ]
        gone = f"%gone{seat}"
    return "\n".join([*lines, f"  %is_open = icmp eq i64 {gone}, 0"])


__all__ = ["UNWEIGHED", "print_weigh", "weigh_name"]
