"""The functions that every module of machine code has: small helpers, and what is called from outside.

In: the points of a program, the cells that its entries read. Out: LLVM's text form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.engine.chance import STATE_INCREMENT, STREAM_FACTOR
from rulewright.engine.compiled.kernel.machine_shape import (
    ASKED_OFFSET,
    ASKED_SITE,
    ENDLESS,
    FAULT,
    OPTION_COUNT,
    PUSHED_COUNT,
    QUEUE,
    QUEUE_LENGTH,
    QUEUE_USED,
    TOO_LONG,
)
from rulewright.engine.compiled.llvm.llvm_expressions import ARGUMENTS, PARAMETERS, symbol
from rulewright.engine.compiled.llvm.llvm_facts import NUMBER
from rulewright.engine.compiled.llvm.option_room import ROOM_FOR_OPTIONS
from rulewright.engine.compiled.translation.game_points import MAX_POINTS, DecisionSite

SHORT_PARAMETERS: Final = "ptr noalias nocapture %s, ptr noalias nocapture %play"
RUNTIME: Final = """
define internal i64 @mix(i64 %z) #0 {
  %a = lshr i64 %z, 30
  %b = xor i64 %z, %a
  %c = mul i64 %b, -4658895280553007687
  %d = lshr i64 %c, 27
  %e = xor i64 %c, %d
  %f = mul i64 %e, -7723592293110705685
  %g = lshr i64 %f, 31
  %h = xor i64 %f, %g
  ret i64 %h
}
define internal i64 @quotient(i64 %a, i64 %b) #0 {
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %is_off = icmp ne i64 %r, 0
  %signs = xor i64 %r, %b
  %differ = icmp slt i64 %signs, 0
  %is_lower = and i1 %is_off, %differ
  %less = zext i1 %is_lower to i64
  %floor = sub i64 %q, %less
  ret i64 %floor
}
define internal i64 @remainder(i64 %a, i64 %b) #0 {
  %r = srem i64 %a, %b
  %is_off = icmp ne i64 %r, 0
  %signs = xor i64 %r, %b
  %differ = icmp slt i64 %signs, 0
  %is_lower = and i1 %is_off, %differ
  %more = select i1 %is_lower, i64 %b, i64 0
  %result = add i64 %r, %more
  ret i64 %result
}
define internal i64 @find(ptr noalias nocapture %s, i64 %first, i64 %value) #0 {
entry:
  br label %look
look:
  %at = phi i64 [ %first, %entry ], [ %next, %look ]
  %place = getelementptr inbounds i64, ptr %s, i64 %at
  %held = load i64, ptr %place
  %is_it = icmp eq i64 %held, %value
  %next = add nsw i64 %at, 1
  br i1 %is_it, label %found, label %look
found:
  ret i64 %at
}
define internal i64 @rank(ptr noalias nocapture %s, i64 %first, i64 %count, i64 %value) #0 {
entry:
  %end = add nsw i64 %first, %count
  br label %head
head:
  %at = phi i64 [ %first, %entry ], [ %next, %look ]
  %is_inside = icmp slt i64 %at, %end
  br i1 %is_inside, label %look, label %found
look:
  %place = getelementptr inbounds i64, ptr %s, i64 %at
  %held = load i64, ptr %place
  %is_less = icmp slt i64 %held, %value
  %next = add nsw i64 %at, 1
  br i1 %is_less, label %head, label %found
found:
  ret i64 %at
}
define internal i64 @draw(ptr noalias nocapture %generator, i64 %count) #0 {
  %old = load i64, ptr %generator
  %state = add i64 %old, -7046029254386353131
  store i64 %state, ptr %generator
  %mixed = call i64 @mix(i64 %state)
  %wide = zext i64 %mixed to i128
  %factor = zext i64 %count to i128
  %product = mul i128 %wide, %factor
  %upper = lshr i128 %product, 64
  %result = trunc i128 %upper to i64
  ret i64 %result
}
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare <32 x i8> @llvm.usub.sat.v32i8(<32 x i8>, <32 x i8>)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
attributes #0 = { nounwind }
!0 = !{}
"""


def print_below(generator: int, asked: int) -> str:
    """`below`: a number below another, by the generator in a cell of the position or from the queue.

    Where the queue is empty it notes what is asked for, and the function that asked ends with a fault of that number.
    """
    places = "\n".join(
        f"  %{name} = getelementptr inbounds i64, ptr %play, i64 {place}"
        for name, place in (
            ("length_place", QUEUE_LENGTH), ("used_place", QUEUE_USED), ("site_place", ASKED_SITE),
            ("offset_place", ASKED_OFFSET), ("fault_place", FAULT), ("queue", QUEUE),
        )
    )  # fmt: skip
    return f"""define internal i64 @below({SHORT_PARAMETERS}, i64 %count, i64 %site, i64 %offset) #0 {{
{places}
  %length = load i64, ptr %length_place
  %is_inside = icmp slt i64 %length, 0
  br i1 %is_inside, label %inside, label %outside
inside:
  %generator = getelementptr inbounds i64, ptr %s, i64 {generator}
  %drawn = call i64 @draw(ptr %generator, i64 %count)
  ret i64 %drawn
outside:
  %used = load i64, ptr %used_place
  %is_left = icmp slt i64 %used, %length
  br i1 %is_left, label %given, label %empty
given:
  %place = getelementptr inbounds i64, ptr %queue, i64 %used
  %number = load i64, ptr %place
  %now_used = add nsw i64 %used, 1
  store i64 %now_used, ptr %used_place
  ret i64 %number
empty:
  store i64 %site, ptr %site_place
  store i64 %offset, ptr %offset_place
  store i64 {asked}, ptr %fault_place
  ret i64 0
}}"""


def print_run(points: Sequence[str], fault_count: int) -> str:
    """`run`: goes on from a point until somebody chooses, the game is over or the rules fail.

    Beside the faults of the program there are two more: more than `most` points, of which the next is noted, and a list
    that is too long.
    """
    targets = " ".join(f"i64 {number}, label %p{number}" for number in range(len(points)))
    calls = "\n".join(
        f"p{number}:\n  %n{number} = call {NUMBER} @{symbol(point)}({ARGUMENTS})\n  br label %after"
        for number, point in enumerate(points)
    )
    arrivals = ", ".join(f"[ %n{number}, %p{number} ]" for number in range(len(points)))
    return f"""define {NUMBER} @run({PARAMETERS}, i64 %start, i64 %most) #0 {{
entry:
  %count_place = getelementptr inbounds i64, ptr %play, i64 {OPTION_COUNT}
  %fault_place = getelementptr inbounds i64, ptr %play, i64 {FAULT}
  br label %head
head:
  %point = phi i64 [ %start, %entry ], [ %next, %more ]
  %steps = phi i64 [ 1, %entry ], [ %count, %more ]
  %count = add nsw i64 %steps, 1
  %is_endless = icmp sgt i64 %steps, %most
  br i1 %is_endless, label %endless, label %go
go:
  switch i64 %point, label %endless [ {targets} ]
{calls}
after:
  %next = phi i64 {arrivals}
  %fault = load i64, ptr %fault_place
  %is_fine = icmp slt i64 %fault, 0
  br i1 %is_fine, label %check, label %done
check:
  %is_done = icmp slt i64 %next, 0
  br i1 %is_done, label %waits, label %more
more:
  br label %head
waits:
  %options = load i64, ptr %count_place
  %is_too_long = icmp sgt i64 %options, {ROOM_FOR_OPTIONS}
  br i1 %is_too_long, label %long, label %done
endless:
  %site_place = getelementptr inbounds i64, ptr %play, i64 {ASKED_SITE}
  store i64 %point, ptr %site_place
  store i64 {fault_count + ENDLESS}, ptr %fault_place
  br label %done
long:
  store i64 {fault_count + TOO_LONG}, ptr %fault_place
  br label %done
done:
  ret i64 0
}}"""


def print_step(stride: int, fault_count: int) -> str:
    """`step`: the deciding seat does one of the listed actions, by its index; `move`: an action, by its word."""
    type_ = f"i{64 * stride}"
    return f"""define {NUMBER} @step({PARAMETERS}, i64 %index) #0 {{
  %first = mul nsw i64 %index, {stride}
  %place = getelementptr inbounds i64, ptr %out, i64 %first
  %word = load {type_}, ptr %place, align 8
  %result = call {NUMBER} @move({ARGUMENTS}, {type_} %word)
  ret i64 0
}}
define {NUMBER} @move({PARAMETERS}, {type_} %word) #0 {{
  %point = call {NUMBER} @act({ARGUMENTS}, {type_} %word)
  %fault_place = getelementptr inbounds i64, ptr %play, i64 {FAULT}
  %fault = load i64, ptr %fault_place
  %is_fine = icmp slt i64 %fault, 0
  br i1 %is_fine, label %fine, label %done
fine:
  %goes_on = icmp sge i64 %point, 0
  br i1 %goes_on, label %on, label %waits
on:
  %result = call {NUMBER} @run({ARGUMENTS}, i64 %point, i64 {MAX_POINTS})
  br label %done
waits:
  %count_place = getelementptr inbounds i64, ptr %play, i64 {OPTION_COUNT}
  %options = load i64, ptr %count_place
  %is_too_long = icmp sgt i64 %options, {ROOM_FOR_OPTIONS}
  br i1 %is_too_long, label %long, label %done
long:
  store i64 {fault_count + TOO_LONG}, ptr %fault_place
  br label %done
done:
  ret i64 0
}}"""


def print_list(decisions: Sequence[DecisionSite]) -> str:
    """`list`: what a seat can choose at a decision, by its number; returns how many actions there are."""
    count = f"getelementptr inbounds i64, ptr %play, i64 {OPTION_COUNT}"
    cases = " ".join(f"i64 {number}, label %d{number}" for number in range(len(decisions)))
    blocks: list[str] = []
    for number, site in enumerate(decisions):
        arguments = f"({ARGUMENTS}, i64 %seat)"
        blocks.append(f"d{number}:\n  %all{number} = call {NUMBER} @{symbol(site.options)}{arguments}")
        if site.otherwise:
            blocks.append(f"""  %n{number} = load i64, ptr %count
  %none{number} = icmp eq i64 %n{number}, 0
  br i1 %none{number}, label %o{number}, label %done
o{number}:
  %rest{number} = call {NUMBER} @{symbol(site.otherwise)}{arguments}""")
        blocks.append("  br label %done")
    return "\n".join(
        [
            f"define {NUMBER} @list({PARAMETERS}, i64 %decision, i64 %seat) #0 {{\nentry:\n  %count = {count}",
            f"  store i64 0, ptr %count\n  switch i64 %decision, label %done [ {cases} ]",
            *blocks,
            "done:\n  %found = load i64, ptr %count\n  ret i64 %found\n}",
        ]
    )


def print_play(over: int, seat: int, turns: int) -> str:
    """`play`: a game goes on by uniform choices, each seat's from a generator of its own, for some turns or decisions.

    The numbers: of the cells that hold whether it is over, who decides, how many turns there were. `streams`: the
    states of the generators, by seat; `counts` gets how many actions were legal at each decision, `forced` how many
    more of them left no choice. Returns how many decisions were made.
    """
    more = ", ".join(f"ptr noalias nocapture %{name}" for name in ("streams", "counts", "forced"))
    return f"""define {NUMBER} @play({PARAMETERS}, {more}, i64 %most_turns, i64 %most_decisions) #0 {{
entry:
  %over_place = getelementptr inbounds i64, ptr %s, i64 {over}
  %seat_place = getelementptr inbounds i64, ptr %s, i64 {seat}
  %turn_place = getelementptr inbounds i64, ptr %s, i64 {turns}
  %count_place = getelementptr inbounds i64, ptr %play, i64 {OPTION_COUNT}
  %fault_place = getelementptr inbounds i64, ptr %play, i64 {FAULT}
  br label %head
head:
  %made = phi i64 [ 0, %entry ], [ %more, %choose ]
  %over = load i64, ptr %over_place
  %is_open = icmp eq i64 %over, 0
  %turns = load i64, ptr %turn_place
  %has_turns = icmp sle i64 %turns, %most_turns
  %has_decisions = icmp slt i64 %made, %most_decisions
  %fault = load i64, ptr %fault_place
  %is_fine = icmp slt i64 %fault, 0
  %a = and i1 %is_open, %has_turns
  %b = and i1 %a, %has_decisions
  %goes_on = and i1 %b, %is_fine
  br i1 %goes_on, label %choose, label %done
choose:
  %count = load i64, ptr %count_place
  %seen_place = getelementptr inbounds i32, ptr %counts, i64 %made
  %seen = trunc i64 %count to i32
  store i32 %seen, ptr %seen_place
  %is_forced = call i64 @forced({ARGUMENTS})
  %forced_before = load i64, ptr %forced
  %forced_now = add nsw i64 %forced_before, %is_forced
  store i64 %forced_now, ptr %forced
  %seat = load i64, ptr %seat_place
  %stream = getelementptr inbounds i64, ptr %streams, i64 %seat
  %index = call i64 @draw(ptr %stream, i64 %count)
  %result = call i64 @step({ARGUMENTS}, i64 %index)
  %more = add nsw i64 %made, 1
  br label %head
done:
  ret i64 %made
}}"""


def print_games(cells: int, over: int, generator: int, start: int) -> str:
    """`games`: some games from their beginning to their end, by uniform choices of one generator for each.

    `initial`: the cells as a game begins, taken whole; the other numbers: of the cells that hold
    whether it is over and the state of chance, and the point with which a game begins. A game has the seed of the one
    before and 1; its choices come from stream 1. Ends where the rules fail. Returns how many decisions there were.
    """
    parameters = f"{PARAMETERS}, ptr noalias nocapture %initial, i64 %seed, i64 %count, i64 %most"
    return f"""define {NUMBER} @games({parameters}) #0 {{
entry:
  %stream = alloca i64
  %over_place = getelementptr inbounds i64, ptr %s, i64 {over}
  %generator = getelementptr inbounds i64, ptr %s, i64 {generator}
  %count_place = getelementptr inbounds i64, ptr %play, i64 {OPTION_COUNT}
  %pushed_place = getelementptr inbounds i64, ptr %play, i64 {PUSHED_COUNT}
  %fault_place = getelementptr inbounds i64, ptr %play, i64 {FAULT}
  br label %next
next:
  %game = phi i64 [ 0, %entry ], [ %game_after, %played ]
  %made = phi i64 [ 0, %entry ], [ %made_now, %played ]
  %is_left = icmp slt i64 %game, %count
  br i1 %is_left, label %begin, label %done
begin:
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %s, ptr align 8 %initial, i64 {8 * cells}, i1 false)
  %own_seed = add i64 %seed, %game
  %chance = add i64 %own_seed, {STATE_INCREMENT - (1 << 64)}
  %chance_state = call i64 @mix(i64 %chance)
  store i64 %chance_state, ptr %generator
  %turned = xor i64 %own_seed, {STREAM_FACTOR - (1 << 64)}
  %choices = add i64 %turned, {STATE_INCREMENT - (1 << 64)}
  %choice_state = call i64 @mix(i64 %choices)
  store i64 %choice_state, ptr %stream
  store i64 0, ptr %count_place
  store i64 0, ptr %pushed_place
  %begun = call i64 @run({ARGUMENTS}, i64 {start}, i64 {MAX_POINTS})
  br label %head
head:
  %steps = phi i64 [ 0, %begin ], [ %steps_now, %choose ]
  %over = load i64, ptr %over_place
  %is_open = icmp eq i64 %over, 0
  %fault = load i64, ptr %fault_place
  %is_fine = icmp slt i64 %fault, 0
  %may_go_on = icmp slt i64 %steps, %most
  %a = and i1 %is_open, %is_fine
  %goes_on = and i1 %a, %may_go_on
  br i1 %goes_on, label %choose, label %played
choose:
  %options = load i64, ptr %count_place
  %index = call i64 @draw(ptr %stream, i64 %options)
  %stepped = call i64 @step({ARGUMENTS}, i64 %index)
  %steps_now = add nsw i64 %steps, 1
  br label %head
played:
  %made_now = add nsw i64 %made, %steps
  %game_next = add nsw i64 %game, 1
  %game_after = select i1 %is_fine, i64 %game_next, i64 %count
  br label %next
done:
  ret i64 %made
}}"""


def print_asked(functions: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The functions that give a number about a seat, as entries; by name their parameters."""
    for name, parameters in functions.items():
        numbers = "".join(f", i64 %{parameter}" for parameter in parameters)
        yield f"""define {NUMBER} @{symbol(f"ask.{name}")}({PARAMETERS}{numbers}) #0 {{
  %result = call {NUMBER} @{symbol(name)}({ARGUMENTS}{numbers})
  ret {NUMBER} %result
}}"""


__all__ = [
    "RUNTIME",
    "print_asked",
    "print_below",
    "print_games",
    "print_list",
    "print_play",
    "print_run",
    "print_step",
]
