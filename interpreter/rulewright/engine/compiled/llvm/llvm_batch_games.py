"""One game of a batch in machine code: how it begins, acts and ends, and what is written down of it.

In: a program for batches. Out: functions of LLVM's text form, which `llvm_batches` calls for each game.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright import limits
from rulewright.engine.chance import STATE_INCREMENT
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.machine_shape import (
    ASKED_SITE,
    ENDLESS,
    FAULT,
    OPTION_COUNT,
    PUSHED_COUNT,
    TOO_LONG,
    WORD_CELLS,
)
from rulewright.engine.compiled.llvm.batch_block import (
    BIT_MASKS,
    BYTE_MASKS,
    OF_GAME,
    fields,
    kept_stride,
    numbers_at,
    short_mask_kind,
)
from rulewright.engine.compiled.llvm.llvm_expressions import ARGUMENTS, PARAMETERS, symbol
from rulewright.engine.compiled.llvm.llvm_facts import NUMBER, ModuleFacts
from rulewright.engine.compiled.llvm.option_room import ROOM_FOR_OPTIONS
from rulewright.engine.compiled.translation.action_ranks import NUMBER_FUNCTION
from rulewright.engine.compiled.translation.batch_functions import WINNERS_FUNCTION
from rulewright.engine.compiled.translation.game_points import MAX_POINTS
from rulewright.engine.compiled.translation.number_words import ACT_FUNCTION, WORD_FUNCTION


def print_single_games(program: CompiledProgram, facts: ModuleFacts) -> Iterator[str]:
    """All functions for one game."""
    yield _print_unmask()
    yield _print_exchange(facts, "restore", from_kept=True)
    yield _print_exchange(facts, "keep", from_kept=False)
    yield _print_begin(program)
    yield _print_carry_out(program, facts)
    yield _print_end(program)
    yield _print_masks()
    yield _print_list(program)


def _print_unmask() -> str:
    """`batch_unmask`: takes back the mask of a game, one by one what was written into it."""
    used = ("own_counts", "own_starts", "numbers", "masks", "mask_bytes", "mask_kind")
    return f"""define internal void @batch_unmask({OF_GAME}) #0 {{
entry:
{fields(*used)}
  %start_place = getelementptr inbounds i32, ptr %own_starts, i64 %game
  %start_short = load i32, ptr %start_place
  %start = sext i32 %start_short to i64
  %count_place = getelementptr inbounds i32, ptr %own_counts, i64 %game
  %count_short = load i32, ptr %count_place
  %count = sext i32 %count_short to i64
  %first = getelementptr inbounds i32, ptr %numbers, i64 %start
  %offset = mul nsw i64 %game, %mask_bytes
  %mask = getelementptr inbounds i8, ptr %masks, i64 %offset
  %is_bits = icmp eq i64 %mask_kind, {BIT_MASKS}
  %shift = select i1 %is_bits, i64 3, i64 0
  br label %head
head:
  %at = phi i64 [ 0, %entry ], [ %next, %clear ]
  %is_left = icmp slt i64 %at, %count
  br i1 %is_left, label %clear, label %done
clear:
  %next = add nsw i64 %at, 1
  %number_place = getelementptr inbounds i32, ptr %first, i64 %at
  %number_short = load i32, ptr %number_place
  %number = sext i32 %number_short to i64
  %byte = lshr i64 %number, %shift
  %byte_place = getelementptr inbounds i8, ptr %mask, i64 %byte
  store i8 0, ptr %byte_place
  br label %head
done:
  ret void
}}"""


def _print_exchange(facts: ModuleFacts, name: str, *, from_kept: bool) -> str:
    """`batch_restore`, `batch_keep`: what of the numbers of the play belongs to one game."""
    lines = []
    stride = kept_stride(facts.shape)
    if stride:
        lines.append(f"  %offset = mul nsw i64 %game, {stride}")
        lines.append("  %own = getelementptr inbounds i64, ptr %kept, i64 %offset")
    places = [*[PUSHED_COUNT] * facts.shape.pushes, *range(WORD_CELLS, WORD_CELLS + stride - int(facts.shape.pushes))]
    for rank, at in enumerate(places):
        source, target = (f"%kept{rank}", f"%play{rank}") if from_kept else (f"%play{rank}", f"%kept{rank}")
        lines += [
            f"  %kept{rank} = getelementptr inbounds i64, ptr %own, i64 {rank}",
            f"  %play{rank} = getelementptr inbounds i64, ptr %play, i64 {at}",
            f"  %n{rank} = load i64, ptr {source}",
            f"  store i64 %n{rank}, ptr {target}",
        ]
    body = "\n".join(lines)
    return f"""define internal void @batch_{name}({OF_GAME}, ptr %play) #0 {{
{fields("kept")}
{body}
  ret void
}}"""


def _print_begin(program: CompiledProgram) -> str:
    """`batch_begin`: a new game, by the seed that is noted for it."""
    counters, size = program.cells.counters, program.cells.size
    return f"""define internal void @batch_begin({PARAMETERS}, {OF_GAME}) #0 {{
{fields("initial", "seeds", "decisions", "first", "log_row", "first_rows")}
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %s, ptr align 8 %initial, i64 {8 * size}, i1 false)
  %seed_place = getelementptr inbounds i64, ptr %seeds, i64 %game
  %seed = load i64, ptr %seed_place
  %raised = add i64 %seed, {STATE_INCREMENT - (1 << 64)}
  %state = call i64 @mix(i64 %raised)
  %generator = getelementptr inbounds i64, ptr %s, i64 {counters["generator"]}
  store i64 %state, ptr %generator
  %first_cell = getelementptr inbounds i64, ptr %s, i64 {counters["first"]}
  store i64 %first, ptr %first_cell
  %made_place = getelementptr inbounds i32, ptr %decisions, i64 %game
  store i32 0, ptr %made_place
  %first_row = getelementptr inbounds i32, ptr %first_rows, i64 %game
  %row_short = trunc i64 %log_row to i32
  store i32 %row_short, ptr %first_row
{numbers_at({"count": OPTION_COUNT, "pushed": PUSHED_COUNT})}
  store i64 0, ptr %count_place
  store i64 0, ptr %pushed_place
  %begun = call i64 @run({ARGUMENTS}, i64 {program.start_point}, i64 {MAX_POINTS})
  call void @batch_go_on({ARGUMENTS})
  ret void
}}"""


def _print_carry_out(program: CompiledProgram, facts: ModuleFacts) -> str:
    """`batch_go_on`: goes on where there were many points; `batch_act`: the deciding seat does what was chosen, and
    the game goes on; one decision more is counted.
    """
    faults, type_ = len(program.faults), f"i{64 * facts.widths.stride}"
    act = f"  %point = call {NUMBER} @act({ARGUMENTS}, {type_} %chosen_now)"
    if program.acts_by_number:
        act = f"  %point = call {NUMBER} @{symbol(ACT_FUNCTION)}({ARGUMENTS}, i64 %chosen_now)"
    elif program.lists_numbers:
        act = f"""  %seat_place = getelementptr inbounds i64, ptr %s, i64 {program.cells.counters["seat"]}
  %seat = load i64, ptr %seat_place
  %word = call i64 @{symbol(WORD_FUNCTION)}({ARGUMENTS}, i64 %chosen_now, i64 %seat)
  %point = call {NUMBER} @act({ARGUMENTS}, {type_} %word)"""
    return f"""define internal void @batch_go_on({PARAMETERS}) #0 {{
{numbers_at({"fault": FAULT, "site": ASKED_SITE})}
  %fault = load i64, ptr %fault_place
  %is_endless = icmp eq i64 %fault, {faults + ENDLESS}
  br i1 %is_endless, label %on, label %done
on:
  store i64 -1, ptr %fault_place
  %point = load i64, ptr %site_place
  %result = call i64 @run({ARGUMENTS}, i64 %point, i64 {limits.MAX_AUTOMATIC_STEPS})
  br label %done
done:
  ret void
}}
define internal void @batch_act({PARAMETERS}, {OF_GAME}) #0 {{
{fields("chosen", "decisions")}
  %made_place = getelementptr inbounds i32, ptr %decisions, i64 %game
  %made_short = load i32, ptr %made_place
  %made_now = add nsw i32 %made_short, 1
  store i32 %made_now, ptr %made_place
  %chosen_at = mul nsw i64 %game, {facts.widths.stride}
  %chosen_place = getelementptr inbounds i64, ptr %chosen, i64 %chosen_at
  %chosen_now = load {type_}, ptr %chosen_place, align 8
{act}
{numbers_at({"fault": FAULT, "count": OPTION_COUNT})}
  %fault = load i64, ptr %fault_place
  %is_fine = icmp slt i64 %fault, 0
  br i1 %is_fine, label %fine, label %done
fine:
  %goes_on = icmp sge i64 %point, 0
  br i1 %goes_on, label %on, label %waits
on:
  %result = call {NUMBER} @run({ARGUMENTS}, i64 %point, i64 {MAX_POINTS})
  call void @batch_go_on({ARGUMENTS})
  br label %done
waits:
  %options = load i64, ptr %count_place
  %is_too_long = icmp sgt i64 %options, {ROOM_FOR_OPTIONS}
  br i1 %is_too_long, label %long, label %done
long:
  store i64 {faults + TOO_LONG}, ptr %fault_place
  br label %done
done:
  ret void
}}"""


def _print_end(program: CompiledProgram) -> str:
    """`batch_end`: after an action, what it brought: whether the game has ended or is cut short, and rewards. Returns
    1 where a new game is to begin.
    """
    players = program.rules.players
    rewards = "\n".join(
        f"""  %bit{seat} = lshr i64 %winners, {seat}
  %won{seat} = trunc i64 %bit{seat} to i1
  %own{seat} = select i1 %won{seat}, float %win, float %loss
  %place{seat} = getelementptr inbounds float, ptr %row, i64 {seat}
  store float %own{seat}, ptr %place{seat}"""
        for seat in range(players)
    )
    used = ("rewards", "reward_table", "terminated", "truncated", "decisions", "max_decisions", "auto_reset")
    return f"""define internal i64 @batch_end({PARAMETERS}, {OF_GAME}) #0 {{
{fields(*used)}
  %terminated_place = getelementptr inbounds i8, ptr %terminated, i64 %game
  %truncated_place = getelementptr inbounds i8, ptr %truncated, i64 %game
  %over_place = getelementptr inbounds i64, ptr %s, i64 {program.cells.counters["over"]}
  %over = load i64, ptr %over_place
  %is_over = icmp ne i64 %over, 0
  br i1 %is_over, label %ended, label %goes_on
ended:
  store i8 1, ptr %terminated_place
  %winners = call i64 @{symbol(WINNERS_FUNCTION)}({ARGUMENTS})
  %count = call i64 @llvm.ctpop.i64(i64 %winners)
  %entry = mul nsw i64 %count, 2
  %win_place = getelementptr inbounds float, ptr %reward_table, i64 %entry
  %loss_place = getelementptr inbounds float, ptr %win_place, i64 1
  %win = load float, ptr %win_place
  %loss = load float, ptr %loss_place
  %row_at = mul nsw i64 %game, {players}
  %row = getelementptr inbounds float, ptr %rewards, i64 %row_at
{rewards}
  ret i64 %auto_reset
goes_on:
  %made_place = getelementptr inbounds i32, ptr %decisions, i64 %game
  %made_short = load i32, ptr %made_place
  %made = sext i32 %made_short to i64
  %is_cut = icmp sge i64 %made, %max_decisions
  br i1 %is_cut, label %cut, label %open
cut:
  store i8 1, ptr %truncated_place
  store i64 1, ptr %over_place
  ret i64 %auto_reset
open:
  ret i64 0
}}"""


def _print_list(program: CompiledProgram) -> str:
    """`batch_list`: writes down what the next choice is between, by numbers and as a mask, and who chooses. `cursor`:
    where the list begins among all; returns where it ends. Counts and starts are written twice: what the caller does
    with its arrays changes nothing.
    """
    counters = program.cells.counters
    has_numbers = program.numbering is not None and not program.numbering.refused
    number = f"call i64 @{symbol(NUMBER_FUNCTION)}({ARGUMENTS}, i64 %at)" if has_numbers else "add nsw i64 %at, 0"
    numbers = "  br label %mask"  # where numbers are listed, they stand there
    if not program.lists_numbers:
        numbers = f"""  br label %head
head:
  %at = phi i64 [ 0, %open ], [ %next, %write ]
  %is_left = icmp slt i64 %at, %count
  br i1 %is_left, label %write, label %mask
write:
  %next = add nsw i64 %at, 1
  %number_place = getelementptr inbounds i32, ptr %first, i64 %at
  %number = {number}
  %number_short = trunc i64 %number to i32
  store i32 %number_short, ptr %number_place
  br label %head"""
    used = ("counts", "starts", "own_counts", "own_starts", "numbers", "masks", "mask_bytes", "mask_kind", "seats")
    return f"""define internal i64 @batch_list({PARAMETERS}, {OF_GAME}, i64 %cursor) #0 {{
entry:
{fields(*used)}
{numbers_at({"count": OPTION_COUNT})}
  %over_place = getelementptr inbounds i64, ptr %s, i64 {counters["over"]}
  %seat_cell = getelementptr inbounds i64, ptr %s, i64 {counters["seat"]}
  %seat_place = getelementptr inbounds i8, ptr %seats, i64 %game
  %shown_count = getelementptr inbounds i32, ptr %counts, i64 %game
  %shown_start = getelementptr inbounds i32, ptr %starts, i64 %game
  %own_count = getelementptr inbounds i32, ptr %own_counts, i64 %game
  %own_start = getelementptr inbounds i32, ptr %own_starts, i64 %game
  %cursor_short = trunc i64 %cursor to i32
  store i32 %cursor_short, ptr %shown_start
  store i32 %cursor_short, ptr %own_start
  %offset = mul nsw i64 %game, %mask_bytes
  %own_mask = getelementptr inbounds i8, ptr %masks, i64 %offset
  %is_short_mask = icmp eq i64 %mask_kind, {short_mask_kind(program)}
  br i1 %is_short_mask, label %clear, label %look
clear:
  call void @llvm.memset.p0.i64(ptr %own_mask, i8 0, i64 %mask_bytes, i1 false)
  br label %look
look:
  %over = load i64, ptr %over_place
  %is_over = icmp ne i64 %over, 0
  br i1 %is_over, label %ended, label %open
ended:
  store i8 -1, ptr %seat_place
  store i32 0, ptr %shown_count
  store i32 0, ptr %own_count
  ret i64 %cursor
open:
  %seat = load i64, ptr %seat_cell
  %seat_short = trunc i64 %seat to i8
  store i8 %seat_short, ptr %seat_place
  %count = load i64, ptr %count_place
  %count_short = trunc i64 %count to i32
  store i32 %count_short, ptr %shown_count
  store i32 %count_short, ptr %own_count
  %first = getelementptr inbounds i32, ptr %numbers, i64 %cursor
  %end = add nsw i64 %cursor, %count
{numbers}
mask:
  switch i64 %mask_kind, label %done [ i64 {BIT_MASKS}, label %bits i64 {BYTE_MASKS}, label %bytes ]
bits:
  call void @batch_bits(ptr %own_mask, ptr %first, i64 %count)
  br label %done
bytes:
  call void @batch_bytes(ptr %own_mask, ptr %first, i64 %count)
  br label %done
done:
  ret i64 %end
}}"""


def _print_masks() -> str:
    """`batch_bits`, `batch_bytes`: sets the bits, or the bytes, of some numbers in a mask."""
    marks = {
        "bits": """  %byte = lshr i32 %number, 3
  %bit_at = and i32 %number, 7
  %bit_wide = shl i32 1, %bit_at
  %bit = trunc i32 %bit_wide to i8
  %byte_at = zext i32 %byte to i64
  %byte_place = getelementptr inbounds i8, ptr %mask, i64 %byte_at
  %before = load i8, ptr %byte_place
  %now = or i8 %before, %bit
  store i8 %now, ptr %byte_place""",
        "bytes": """  %byte_at = zext i32 %number to i64
  %byte_place = getelementptr inbounds i8, ptr %mask, i64 %byte_at
  store i8 1, ptr %byte_place""",
    }
    return "\n".join(
        f"""define internal void @batch_{kind}(ptr noalias %mask, ptr noalias %first, i64 %count) #0 {{
entry:
  br label %head
head:
  %at = phi i64 [ 0, %entry ], [ %next, %set ]
  %is_left = icmp slt i64 %at, %count
  br i1 %is_left, label %set, label %done
set:
  %next = add nsw i64 %at, 1
  %number_place = getelementptr inbounds i32, ptr %first, i64 %at
  %number = load i32, ptr %number_place
{mark}
  br label %head
done:
  ret void
}}"""
        for kind, mark in marks.items()
    )


__all__ = ["print_single_games"]
