"""Many games side by side in machine code: the functions that carry out a step of each of them in one call.

In: a program for batches, and what its positions need. Out: LLVM's text form. All that a batch consists of stands in
one block of numbers, by the indexes below: addresses of arrays with an entry for each game, and settings. The legal
actions of all games stand one behind another, so that they take little room: before any is written, the chosen ones are
noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright import limits
from rulewright.engine.chance import STATE_INCREMENT
from rulewright.engine.compiled.action_ranks import NUMBER_FUNCTION
from rulewright.engine.compiled.batch_functions import LIST_FUNCTION, WINNERS_FUNCTION
from rulewright.engine.compiled.compiled_game import MAX_POINTS
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.llvm_expressions import (
    ARGUMENTS,
    ASKED_SITE,
    FAULT,
    OPTION_COUNT,
    PARAMETERS,
    PUSHED_COUNT,
    QUEUE_LENGTH,
    WORD_CELLS,
    symbol,
)
from rulewright.engine.compiled.llvm_facts import ENDLESS, NUMBER, TOO_LONG, ModuleFacts
from rulewright.engine.compiled.llvm_observations import print_observations
from rulewright.engine.compiled.llvm_statements import ROOM_FOR_OPTIONS, ROOM_FOR_PUSHED
from rulewright.engine.compiled.observation_layout import ObservationLayout

# what stands where in the block of numbers that is a batch
BLOCK: Final = (
    "games", "cells", "words", "play", "initial", "seeds", "actions", "counts", "starts", "numbers", "chosen",
    "indexes", "todo", "masks", "mask_bytes", "mask_kind", "observations", "rewards", "reward_table", "terminated",
    "truncated", "seats", "takes_indexes", "auto_reset", "max_decisions", "decisions", "log", "faults", "capacity",
    "kept", "sampler", "first",
)  # fmt: skip
BATCH_ENTRIES: Final = ("batch_step", "batch_go", "batch_sample", "batch_observe")
KEEP, ACT, BEGIN = range(3)  # what is to be done with a game
NO_MASKS, BIT_MASKS, BYTE_MASKS = range(3)
LINE: Final = 8  # numbers that lie side by side in a processor's memory


def cell_stride(program: CompiledProgram, facts: ModuleFacts) -> int:
    """How many numbers a position of a batch takes."""
    room = program.cells.size + (ROOM_FOR_PUSHED if facts.pushes else 0)
    return -(-room // LINE) * LINE


def kept_stride(facts: ModuleFacts) -> int:
    """How many numbers of the play a game of a batch keeps: cells put away, and words wider than a number."""
    words = len(facts.widths.word_cell_ranks) * facts.widths.stride
    return int(facts.pushes) + words


def print_batches(program: CompiledProgram, facts: ModuleFacts) -> Iterator[str]:
    """All functions for batches."""
    yield "declare i64 @llvm.ctpop.i64(i64)\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    yield from print_observations(ObservationLayout(program))
    yield _print_sampler(program)
    yield _print_find()
    yield _print_take_chosen(facts)
    yield _print_exchange(facts, "restore", from_kept=True)
    yield _print_exchange(facts, "keep", from_kept=False)
    yield _print_begin(program)
    yield _print_carry_out(program, facts)
    yield _print_end(program)
    yield _print_list(program)
    yield _print_go(program, facts)
    yield STEP
    yield _print_observe(program, facts)


def _fields(*names: str) -> str:
    """Entries of the block, each as a value with its name."""
    lines = []
    for name in names:
        type_ = "i64" if name in _NUMBERS else "ptr"
        lines.append(f"  %{name}_entry = getelementptr inbounds i64, ptr %b, i64 {BLOCK.index(name)}")
        lines.append(f"  %{name} = load {type_}, ptr %{name}_entry")
    return "\n".join(lines)


_NUMBERS: Final = frozenset(
    {"games", "mask_bytes", "mask_kind", "takes_indexes", "auto_reset", "max_decisions", "capacity", "sampler", "first"}
)
_OF_GAME: Final = "ptr %b, i64 %game"


def _numbers_at(play: dict[str, int]) -> str:
    return "\n".join(f"  %{name}_place = getelementptr inbounds i64, ptr %play, i64 {at}" for name, at in play.items())


def _print_find() -> str:
    """`batch_find`: sees that every action is legal, and what is to be done with each game; returns the first game
    whose action is not, else -1. Nothing has changed by then.
    """
    return f"""define internal i64 @batch_find(ptr noalias %b) #0 {{
entry:
{_fields("games", "actions", "counts", "starts", "numbers", "indexes", "todo", "takes_indexes", "auto_reset")}
  %takes = icmp ne i64 %takes_indexes, 0
  %resets = icmp ne i64 %auto_reset, 0
  %what_if_over = select i1 %resets, i8 {BEGIN}, i8 {KEEP}
  br label %head
head:
  %game = phi i64 [ 0, %entry ], [ %next, %found ], [ %next, %over ]
  %is_left = icmp slt i64 %game, %games
  br i1 %is_left, label %look, label %done
look:
  %next = add nsw i64 %game, 1
  %todo_place = getelementptr inbounds i8, ptr %todo, i64 %game
  %count_place = getelementptr inbounds i32, ptr %counts, i64 %game
  %count_short = load i32, ptr %count_place
  %count = sext i32 %count_short to i64
  %action_place = getelementptr inbounds i64, ptr %actions, i64 %game
  %action = load i64, ptr %action_place
  %is_over = icmp eq i64 %count, 0
  br i1 %is_over, label %over, label %open
over:
  store i8 %what_if_over, ptr %todo_place
  br label %head
open:
  %index_place = getelementptr inbounds i64, ptr %indexes, i64 %game
  br i1 %takes, label %by_index, label %by_number
by_index:
  %is_inside = icmp ult i64 %action, %count
  br i1 %is_inside, label %found, label %illegal
by_number:
  %start_place = getelementptr inbounds i32, ptr %starts, i64 %game
  %start_short = load i32, ptr %start_place
  %start = sext i32 %start_short to i64
  %first = getelementptr inbounds i32, ptr %numbers, i64 %start
  br label %compare
compare:
  %at = phi i64 [ 0, %by_number ], [ %following, %another ]
  %number_place = getelementptr inbounds i32, ptr %first, i64 %at
  %number_short = load i32, ptr %number_place
  %number = sext i32 %number_short to i64
  %is_it = icmp eq i64 %number, %action
  br i1 %is_it, label %found, label %another
another:
  %following = add nsw i64 %at, 1
  %is_more = icmp slt i64 %following, %count
  br i1 %is_more, label %compare, label %illegal
found:
  %index = phi i64 [ %action, %by_index ], [ %at, %compare ]
  store i64 %index, ptr %index_place
  store i8 {ACT}, ptr %todo_place
  br label %head
illegal:
  ret i64 %game
done:
  ret i64 -1
}}"""


def _print_take_chosen(facts: ModuleFacts) -> str:
    """`batch_take_chosen`: takes back the mask of a game, and notes the word of the chosen action."""
    stride, type_ = facts.widths.stride, f"i{64 * facts.widths.stride}"
    return f"""define internal void @batch_take_chosen({_OF_GAME}) #0 {{
entry:
{_fields("words", "counts", "starts", "numbers", "chosen", "indexes", "todo", "masks", "mask_bytes", "mask_kind")}
  %start_place = getelementptr inbounds i32, ptr %starts, i64 %game
  %start_short = load i32, ptr %start_place
  %start = sext i32 %start_short to i64
  %has_mask = icmp ne i64 %mask_kind, {NO_MASKS}
  br i1 %has_mask, label %unmask, label %take
unmask:
  %count_place = getelementptr inbounds i32, ptr %counts, i64 %game
  %count_short = load i32, ptr %count_place
  %count = sext i32 %count_short to i64
  %first = getelementptr inbounds i32, ptr %numbers, i64 %start
  %offset = mul nsw i64 %game, %mask_bytes
  %mask = getelementptr inbounds i8, ptr %masks, i64 %offset
  %is_bits = icmp eq i64 %mask_kind, {BIT_MASKS}
  %shift = select i1 %is_bits, i64 3, i64 0
  br label %head
head:
  %at = phi i64 [ 0, %unmask ], [ %next, %clear ]
  %is_left = icmp slt i64 %at, %count
  br i1 %is_left, label %clear, label %take
clear:
  %next = add nsw i64 %at, 1
  %number_place = getelementptr inbounds i32, ptr %first, i64 %at
  %number_short = load i32, ptr %number_place
  %number = sext i32 %number_short to i64
  %byte = lshr i64 %number, %shift
  %byte_place = getelementptr inbounds i8, ptr %mask, i64 %byte
  store i8 0, ptr %byte_place
  br label %head
take:
  %todo_place = getelementptr inbounds i8, ptr %todo, i64 %game
  %what = load i8, ptr %todo_place
  %acts = icmp eq i8 %what, {ACT}
  br i1 %acts, label %put, label %done
put:
  %index_place = getelementptr inbounds i64, ptr %indexes, i64 %game
  %index = load i64, ptr %index_place
  %rank = add nsw i64 %start, %index
  %word_at = mul nsw i64 %rank, {stride}
  %word_place = getelementptr inbounds i64, ptr %words, i64 %word_at
  %word = load {type_}, ptr %word_place, align 8
  %chosen_at = mul nsw i64 %game, {stride}
  %chosen_place = getelementptr inbounds i64, ptr %chosen, i64 %chosen_at
  store {type_} %word, ptr %chosen_place, align 8
  br label %done
done:
  ret void
}}"""


def _print_exchange(facts: ModuleFacts, name: str, *, from_kept: bool) -> str:
    """`batch_restore`, `batch_keep`: what of the numbers of the play belongs to one game."""
    lines = []
    stride = kept_stride(facts)
    if stride:
        lines.append(f"  %offset = mul nsw i64 %game, {stride}")
        lines.append("  %own = getelementptr inbounds i64, ptr %kept, i64 %offset")
    places = [*[PUSHED_COUNT] * facts.pushes, *range(WORD_CELLS, WORD_CELLS + stride - int(facts.pushes))]
    for rank, at in enumerate(places):
        source, target = (f"%kept{rank}", f"%play{rank}") if from_kept else (f"%play{rank}", f"%kept{rank}")
        lines += [
            f"  %kept{rank} = getelementptr inbounds i64, ptr %own, i64 {rank}",
            f"  %play{rank} = getelementptr inbounds i64, ptr %play, i64 {at}",
            f"  %n{rank} = load i64, ptr {source}",
            f"  store i64 %n{rank}, ptr {target}",
        ]
    body = "\n".join(lines)
    return f"""define internal void @batch_{name}({_OF_GAME}, ptr %play) #0 {{
{_fields("kept")}
{body}
  ret void
}}"""


def _print_begin(program: CompiledProgram) -> str:
    """`batch_begin`: a new game, by the seed that is noted for it."""
    counters, size = program.cells.counters, program.cells.size
    return f"""define internal void @batch_begin({PARAMETERS}, {_OF_GAME}) #0 {{
{_fields("initial", "seeds", "decisions", "first")}
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
{_numbers_at({"count": OPTION_COUNT, "pushed": PUSHED_COUNT})}
  store i64 0, ptr %count_place
  store i64 0, ptr %pushed_place
  %begun = call i64 @run({ARGUMENTS}, i64 {program.start_point}, i64 {MAX_POINTS})
  call void @batch_go_on({ARGUMENTS})
  ret void
}}"""


def _print_carry_out(program: CompiledProgram, facts: ModuleFacts) -> str:
    """`batch_go_on`: goes on where there were many points; `batch_act`: the deciding seat does what a word says, and
    the game goes on; it is written down which action that was.
    """
    faults, type_ = len(program.faults), f"i{64 * facts.widths.stride}"
    return f"""define internal void @batch_go_on({PARAMETERS}) #0 {{
{_numbers_at({"fault": FAULT, "site": ASKED_SITE})}
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
define internal void @batch_act({PARAMETERS}, {_OF_GAME}) #0 {{
{_fields("chosen", "indexes", "decisions", "max_decisions", "log")}
  %made_place = getelementptr inbounds i32, ptr %decisions, i64 %game
  %made_short = load i32, ptr %made_place
  %made = sext i32 %made_short to i64
  %index_place = getelementptr inbounds i64, ptr %indexes, i64 %game
  %index = load i64, ptr %index_place
  %index_short = trunc i64 %index to i32
  %log_row = mul nsw i64 %game, %max_decisions
  %log_at = add nsw i64 %log_row, %made
  %log_place = getelementptr inbounds i32, ptr %log, i64 %log_at
  store i32 %index_short, ptr %log_place
  %made_now = add nsw i32 %made_short, 1
  store i32 %made_now, ptr %made_place
  %chosen_at = mul nsw i64 %game, {facts.widths.stride}
  %chosen_place = getelementptr inbounds i64, ptr %chosen, i64 %chosen_at
  %word = load {type_}, ptr %chosen_place, align 8
  %point = call {NUMBER} @act({ARGUMENTS}, {type_} %word)
{_numbers_at({"fault": FAULT, "count": OPTION_COUNT})}
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
    fields = ("rewards", "reward_table", "terminated", "truncated", "decisions", "max_decisions", "auto_reset")
    return f"""define internal i64 @batch_end({PARAMETERS}, {_OF_GAME}) #0 {{
{_fields(*fields)}
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
    where the list begins among all; returns where it ends.
    """
    counters = program.cells.counters
    has_numbers = program.numbering is not None and not program.numbering.refused
    number = f"call i64 @{symbol(NUMBER_FUNCTION)}({ARGUMENTS}, i64 %at)" if has_numbers else "add nsw i64 %at, 0"
    fields = ("counts", "starts", "numbers", "masks", "mask_bytes", "mask_kind", "seats")
    return f"""define internal i64 @batch_list({PARAMETERS}, {_OF_GAME}, i64 %cursor) #0 {{
entry:
{_fields(*fields)}
{_numbers_at({"count": OPTION_COUNT})}
  %over_place = getelementptr inbounds i64, ptr %s, i64 {counters["over"]}
  %seat_cell = getelementptr inbounds i64, ptr %s, i64 {counters["seat"]}
  %seat_place = getelementptr inbounds i8, ptr %seats, i64 %game
  %own_count = getelementptr inbounds i32, ptr %counts, i64 %game
  %own_start = getelementptr inbounds i32, ptr %starts, i64 %game
  %cursor_short = trunc i64 %cursor to i32
  store i32 %cursor_short, ptr %own_start
  %over = load i64, ptr %over_place
  %is_over = icmp ne i64 %over, 0
  br i1 %is_over, label %ended, label %open
ended:
  store i8 -1, ptr %seat_place
  store i32 0, ptr %own_count
  ret i64 %cursor
open:
  %seat = load i64, ptr %seat_cell
  %seat_short = trunc i64 %seat to i8
  store i8 %seat_short, ptr %seat_place
  %count = load i64, ptr %count_place
  %count_short = trunc i64 %count to i32
  store i32 %count_short, ptr %own_count
  %first = getelementptr inbounds i32, ptr %numbers, i64 %cursor
  %offset = mul nsw i64 %game, %mask_bytes
  %mask = getelementptr inbounds i8, ptr %masks, i64 %offset
  %end = add nsw i64 %cursor, %count
  br label %head
head:
  %at = phi i64 [ 0, %open ], [ %next, %list ], [ %next, %bits ], [ %next, %bytes ]
  %is_left = icmp slt i64 %at, %count
  br i1 %is_left, label %list, label %done
list:
  %next = add nsw i64 %at, 1
  %number = {number}
  %number_short = trunc i64 %number to i32
  %number_place = getelementptr inbounds i32, ptr %first, i64 %at
  store i32 %number_short, ptr %number_place
  switch i64 %mask_kind, label %head [ i64 {BIT_MASKS}, label %bits i64 {BYTE_MASKS}, label %bytes ]
bits:
  %byte = lshr i64 %number, 3
  %bit_at = and i64 %number, 7
  %bit_wide = shl i64 1, %bit_at
  %bit = trunc i64 %bit_wide to i8
  %byte_place = getelementptr inbounds i8, ptr %mask, i64 %byte
  %before = load i8, ptr %byte_place
  %now = or i8 %before, %bit
  store i8 %now, ptr %byte_place
  br label %head
bytes:
  %flag_place = getelementptr inbounds i8, ptr %mask, i64 %number
  store i8 1, ptr %flag_place
  br label %head
done:
  ret i64 %end
}}"""


def _print_go(program: CompiledProgram, facts: ModuleFacts) -> str:
    """`batch_go`: does with each game what is to be done. Returns the first that failed, else -1; why, is noted."""
    players, counters = program.rules.players, program.cells.counters
    stride, words = cell_stride(program, facts), facts.widths.stride
    restore, keep = (
        (f"  call void @batch_{name}({_OF_GAME}, ptr %play)" if kept_stride(facts) else "")
        for name in ("restore", "keep")
    )
    fields = (
        "games", "cells", "words", "play", "seeds", "todo", "terminated", "truncated", "rewards", "faults", "capacity",
        "observations",
    )  # fmt: skip
    of_game = "ptr %b, i64 %game"
    return f"""define i64 @batch_go(ptr noalias %b) #0 {{
entry:
{_fields(*fields)}
{_numbers_at({"fault": FAULT, "count": OPTION_COUNT, "queue": QUEUE_LENGTH})}
  store i64 -1, ptr %queue_place
  store i64 -1, ptr %fault_place
  call void @llvm.memset.p0.i64(ptr %terminated, i8 0, i64 %games, i1 false)
  call void @llvm.memset.p0.i64(ptr %truncated, i8 0, i64 %games, i1 false)
  %reward_bytes = mul nsw i64 %games, {4 * players}
  call void @llvm.memset.p0.i64(ptr %rewards, i8 0, i64 %reward_bytes, i1 false)
  %observes = icmp ne ptr %observations, null
  br label %chosen_head
chosen_head:
  %choosing = phi i64 [ 0, %entry ], [ %chosen_next, %chosen_do ]
  %chosen_left = icmp slt i64 %choosing, %games
  br i1 %chosen_left, label %chosen_do, label %head
chosen_do:
  %chosen_next = add nsw i64 %choosing, 1
  call void @batch_take_chosen(ptr %b, i64 %choosing)
  br label %chosen_head
head:
  %game = phi i64 [ 0, %chosen_head ], [ %next, %after ]
  %cursor = phi i64 [ 0, %chosen_head ], [ %end, %after ]
  %failed = phi i64 [ -1, %chosen_head ], [ %failed_now, %after ]
  %is_left = icmp slt i64 %game, %games
  br i1 %is_left, label %one, label %done
one:
  %next = add nsw i64 %game, 1
  %cells_at = mul nsw i64 %game, {stride}
  %s = getelementptr inbounds i64, ptr %cells, i64 %cells_at
  %words_at = mul nsw i64 %cursor, {words}
  %out = getelementptr inbounds i64, ptr %words, i64 %words_at
  %seed_place = getelementptr inbounds i64, ptr %seeds, i64 %game
  %todo_place = getelementptr inbounds i8, ptr %todo, i64 %game
  %what = load i8, ptr %todo_place
{restore}
  switch i8 %what, label %list_anew [ i8 {ACT}, label %act i8 {BEGIN}, label %begin ]
list_anew:
  %listed = call i64 @{symbol(LIST_FUNCTION)}({ARGUMENTS})
  br label %settle
begin:
  call void @batch_begin({ARGUMENTS}, {of_game})
  br label %settle
act:
  call void @batch_act({ARGUMENTS}, {of_game})
  %act_fault = load i64, ptr %fault_place
  %act_fine = icmp slt i64 %act_fault, 0
  br i1 %act_fine, label %acted, label %settle
acted:
  %begins = call i64 @batch_end({ARGUMENTS}, {of_game})
  %is_new = icmp ne i64 %begins, 0
  br i1 %is_new, label %begin_next, label %settle
begin_next:
  %seed = load i64, ptr %seed_place
  %next_seed = add i64 %seed, %games
  store i64 %next_seed, ptr %seed_place
  call void @batch_begin({ARGUMENTS}, {of_game})
  br label %settle
settle:
  %fault = load i64, ptr %fault_place
  %is_fine = icmp slt i64 %fault, 0
  %too_far = icmp sgt i64 %cursor, %capacity
  %is_full = and i1 %is_fine, %too_far
  %final_fault = select i1 %is_full, i64 {len(program.faults) + TOO_LONG}, i64 %fault
  %is_good = icmp slt i64 %final_fault, 0
  br i1 %is_good, label %write, label %fail
fail:
  %noted = getelementptr inbounds i64, ptr %faults, i64 %game
  store i64 %final_fault, ptr %noted
  store i64 -1, ptr %fault_place
  %over_place = getelementptr inbounds i64, ptr %s, i64 {counters["over"]}
  store i64 1, ptr %over_place
  br label %write
write:
  %is_first = icmp slt i64 %failed, 0
  %own_failure = select i1 %is_good, i64 -1, i64 %game
  %failed_now = select i1 %is_first, i64 %own_failure, i64 %failed
{keep}
  %end = call i64 @batch_list({ARGUMENTS}, {of_game}, i64 %cursor)
  br i1 %observes, label %observe, label %after
observe:
  call void @batch_observe_game(ptr %s, ptr %observations, i64 %game, i64 -1)
  br label %after
after:
  br label %head
done:
  ret i64 %failed
}}"""


STEP: Final = """define i64 @batch_step(ptr noalias %b) #0 {
  %illegal = call i64 @batch_find(ptr %b)
  %is_legal = icmp slt i64 %illegal, 0
  br i1 %is_legal, label %go, label %refuse
refuse:
  ret i64 %illegal
go:
  %games = load i64, ptr %b
  %failed = call i64 @batch_go(ptr %b)
  %is_fine = icmp slt i64 %failed, 0
  %beyond = add nsw i64 %failed, %games
  %result = select i1 %is_fine, i64 -1, i64 %beyond
  ret i64 %result
}"""  # what was illegal, or the number of games and what failed, or -1


def _print_sampler(program: CompiledProgram) -> str:
    """`batch_sample`: a legal action of each game, each equally likely; what is no choice gets 0."""
    return f"""define i64 @batch_sample(ptr noalias %b) #0 {{
entry:
{_fields("games", "actions", "counts", "starts", "numbers", "takes_indexes")}
  %sampler = getelementptr inbounds i64, ptr %b, i64 {BLOCK.index("sampler")}
  %takes = icmp ne i64 %takes_indexes, 0
  br label %head
head:
  %game = phi i64 [ 0, %entry ], [ %next, %put ]
  %is_left = icmp slt i64 %game, %games
  br i1 %is_left, label %one, label %done
one:
  %next = add nsw i64 %game, 1
  %count_place = getelementptr inbounds i32, ptr %counts, i64 %game
  %count_short = load i32, ptr %count_place
  %count = sext i32 %count_short to i64
  %action_place = getelementptr inbounds i64, ptr %actions, i64 %game
  %is_over = icmp eq i64 %count, 0
  br i1 %is_over, label %put, label %draw
draw:
  %index = call i64 @draw(ptr %sampler, i64 %count)
  %start_place = getelementptr inbounds i32, ptr %starts, i64 %game
  %start_short = load i32, ptr %start_place
  %start = sext i32 %start_short to i64
  %at = add nsw i64 %start, %index
  %number_place = getelementptr inbounds i32, ptr %numbers, i64 %at
  %number_short = load i32, ptr %number_place
  %number = sext i32 %number_short to i64
  %drawn = select i1 %takes, i64 %index, i64 %number
  br label %put
put:
  %action = phi i64 [ 0, %one ], [ %drawn, %draw ]
  store i64 %action, ptr %action_place
  br label %head
done:
  ret i64 0
}}"""


def _print_observe(program: CompiledProgram, facts: ModuleFacts) -> str:
    """`batch_observe`: what one seat sees of each game, or (-1) the seat that decides."""
    return f"""define i64 @batch_observe(ptr noalias %b, ptr noalias %rows, i64 %viewer) #0 {{
entry:
{_fields("games", "cells")}
  br label %head
head:
  %game = phi i64 [ 0, %entry ], [ %next, %one ]
  %is_left = icmp slt i64 %game, %games
  br i1 %is_left, label %one, label %done
one:
  %next = add nsw i64 %game, 1
  %cells_at = mul nsw i64 %game, {cell_stride(program, facts)}
  %s = getelementptr inbounds i64, ptr %cells, i64 %cells_at
  call void @batch_observe_game(ptr %s, ptr %rows, i64 %game, i64 %viewer)
  br label %head
done:
  ret i64 0
}}"""


def block_of(**entries: int) -> Sequence[int]:
    """The numbers of a batch, in their order."""
    return [entries[name] for name in BLOCK]


__all__ = [
    "ACT",
    "BATCH_ENTRIES",
    "BEGIN",
    "BIT_MASKS",
    "BLOCK",
    "BYTE_MASKS",
    "KEEP",
    "NO_MASKS",
    "block_of",
    "cell_stride",
    "kept_stride",
    "print_batches",
]
