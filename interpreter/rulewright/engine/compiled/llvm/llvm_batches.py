"""Many games side by side in machine code: the functions that carry out a step of each of them in one call.

In: a program for batches. Out: text in LLVM's form. The legal actions of all games stand one behind
another, so that they take little room: before any is written, the chosen ones are noted. Where a program lists numbers,
these are all that is listed, and what is noted; else words stand beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.machine_shape import FAULT, OPTION_COUNT, QUEUE_LENGTH, TOO_LONG
from rulewright.engine.compiled.llvm.batch_block import (
    ACT,
    BEGIN,
    BLOCK,
    KEEP,
    LINE,
    NO_MASKS,
    OF_GAME,
    cell_stride,
    fields,
    kept_stride,
    listed_bytes,
    numbers_at,
    short_mask_kind,
)
from rulewright.engine.compiled.llvm.llvm_batch_games import print_single_games
from rulewright.engine.compiled.llvm.llvm_expressions import ARGUMENTS, symbol
from rulewright.engine.compiled.llvm.llvm_facts import ModuleFacts
from rulewright.engine.compiled.llvm.llvm_observations import print_observations
from rulewright.engine.compiled.observation_layout import ObservationLayout
from rulewright.engine.compiled.translation.batch_functions import LIST_FUNCTION
from rulewright.engine.compiled.translation.number_words import WORD_FUNCTION

AT_ONCE: Final = 32  # numbers among which a chosen one is looked for; few lists are longer than this, some than 16
MAX_LINES_AHEAD: Final = 32  # of the next game's position, that are fetched while a game goes on


def print_batches(program: CompiledProgram, facts: ModuleFacts) -> Iterator[str]:
    """All functions for batches."""
    yield "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    yield "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
    yield from print_observations(ObservationLayout(program))
    yield from print_single_games(program, facts)
    yield _print_sampler()
    yield _print_find(facts)
    yield from [_print_word(program, facts)] * program.lists_numbers
    yield _print_go(program, facts)
    yield _print_step()
    yield _print_observe(program, facts)


def _print_find(facts: ModuleFacts) -> str:
    """`batch_find`: sees that every action is legal, and what is to be done with each game; returns the first game
    whose action is not, else -1. Nothing has changed by then, but the words of chosen actions are noted: lists that
    are written later lie over those in which they stand. The indexes of all games stand side by side in one row of
    the log: written into a place of its own for each game, they took a fifth of all time.
    """
    used = (
        "games", "actions", "own_counts", "own_starts", "numbers", "words", "chosen", "todo", "takes_indexes",
        "auto_reset", "log", "log_row",
    )  # fmt: skip
    several = f"<{AT_ONCE} x i32>"
    return f"""define internal i64 @batch_find(ptr noalias %b) #0 {{
entry:
{fields(*used)}
  %takes = icmp ne i64 %takes_indexes, 0
  %resets = icmp ne i64 %auto_reset, 0
  %what_if_over = select i1 %resets, i8 {BEGIN}, i8 {KEEP}
  %log_at = mul nsw i64 %log_row, %games
  %indexes = getelementptr inbounds i32, ptr %log, i64 %log_at
  br label %head
head:
  %game = phi i64 [ 0, %entry ], [ %next, %found ], [ %next, %over ]
  %is_left = icmp slt i64 %game, %games
  br i1 %is_left, label %look, label %done
look:
  %next = add nsw i64 %game, 1
  %todo_place = getelementptr inbounds i8, ptr %todo, i64 %game
  %count_place = getelementptr inbounds i32, ptr %own_counts, i64 %game
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
  %start_place = getelementptr inbounds i32, ptr %own_starts, i64 %game
  %start_short = load i32, ptr %start_place
  %start = sext i32 %start_short to i64
  %index_place = getelementptr inbounds i32, ptr %indexes, i64 %game
  br i1 %takes, label %by_index, label %by_number
by_index:
  %is_inside = icmp ult i64 %action, %count
  br i1 %is_inside, label %found, label %illegal
by_number:
  %first = getelementptr inbounds i32, ptr %numbers, i64 %start
  %short = trunc i64 %action to i32
  %whole = zext i32 %short to i64
  %is_short = icmp eq i64 %whole, %action
  %lane = insertelement {several} poison, i32 %short, i64 0
  %wanted = shufflevector {several} %lane, {several} poison, <{AT_ONCE} x i32> zeroinitializer
  br i1 %is_short, label %compare, label %illegal
compare:
  %at = phi i64 [ 0, %by_number ], [ %following, %another ]
  %numbers_place = getelementptr inbounds i32, ptr %first, i64 %at
  %some = load {several}, ptr %numbers_place, align 4
  %same = icmp eq {several} %some, %wanted
  %bits = bitcast <{AT_ONCE} x i1> %same to i{AT_ONCE}
  %is_none = icmp eq i{AT_ONCE} %bits, 0
  br i1 %is_none, label %another, label %seen
another:
  %following = add nsw i64 %at, {AT_ONCE}
  %is_more = icmp slt i64 %following, %count
  br i1 %is_more, label %compare, label %illegal
seen:
  %wide_bits = zext i{AT_ONCE} %bits to i64
  %lowest = call i64 @llvm.cttz.i64(i64 %wide_bits, i1 true)
  %seen_at = add nsw i64 %at, %lowest
  %is_listed = icmp slt i64 %seen_at, %count
  br i1 %is_listed, label %found, label %illegal
found:
  %index = phi i64 [ %action, %by_index ], [ %seen_at, %seen ]
  %index_short = trunc i64 %index to i32
  store i32 %index_short, ptr %index_place
  store i8 {ACT}, ptr %todo_place
  %rank = add nsw i64 %start, %index
{_note_chosen(facts)}
  br label %head
illegal:
  ret i64 %game
done:
  ret i64 -1
}}"""


def _note_chosen(facts: ModuleFacts) -> str:
    """Keeps what is listed of the chosen action."""
    stride, type_ = facts.widths.stride, f"i{64 * facts.widths.stride}"
    if facts.lists_numbers:
        return """  %number_place = getelementptr inbounds i32, ptr %numbers, i64 %rank
  %number = load i32, ptr %number_place
  %number_wide = zext i32 %number to i64
  %chosen_place = getelementptr inbounds i64, ptr %chosen, i64 %game
  store i64 %number_wide, ptr %chosen_place"""
    return f"""  %word_at = mul nsw i64 %rank, {stride}
  %word_place = getelementptr inbounds i64, ptr %words, i64 %word_at
  %word = load {type_}, ptr %word_place, align 8
  %chosen_at = mul nsw i64 %game, {stride}
  %chosen_place = getelementptr inbounds i64, ptr %chosen, i64 %chosen_at
  store {type_} %word, ptr %chosen_place, align 8"""


def _print_word(program: CompiledProgram, facts: ModuleFacts) -> str:
    """`batch_word`: the word of the action of a game that has a number."""
    return f"""define i64 @batch_word(ptr noalias %b, i64 %game, i64 %number) #0 {{
{fields("cells", "words", "play")}
  %cells_at = mul nsw i64 %game, {cell_stride(program, facts.shape)}
  %s = getelementptr inbounds i64, ptr %cells, i64 %cells_at
  %seat_place = getelementptr inbounds i64, ptr %s, i64 {program.cells.counters["seat"]}
  %seat = load i64, ptr %seat_place
  %word = call i64 @{symbol(WORD_FUNCTION)}(ptr %s, ptr %words, ptr %play, i64 %number, i64 %seat)
  ret i64 %word
}}"""


def _print_go(program: CompiledProgram, facts: ModuleFacts) -> str:
    """`batch_go`: does with each game what is to be done. Returns the first that failed, else -1; why, is noted."""
    players, counters = program.rules.players, program.cells.counters
    stride, listed = cell_stride(program, facts.shape), listed_bytes(program, facts.shape)
    restore, keep = (
        (f"  call void @batch_{name}({OF_GAME}, ptr %play)" if kept_stride(facts.shape) else "")
        for name in ("restore", "keep")
    )
    used = (
        "games", "cells", "words", "play", "seeds", "todo", "terminated", "truncated", "rewards", "faults", "capacity",
        "observations", "mask_kind",
    )  # fmt: skip
    of_game = "ptr %b, i64 %game"
    return f"""define i64 @batch_go(ptr noalias %b) #0 {{
entry:
{fields(*used)}
{numbers_at({"fault": FAULT, "count": OPTION_COUNT, "queue": QUEUE_LENGTH})}
  store i64 -1, ptr %queue_place
  store i64 -1, ptr %fault_place
  call void @llvm.memset.p0.i64(ptr %terminated, i8 0, i64 %games, i1 false)
  call void @llvm.memset.p0.i64(ptr %truncated, i8 0, i64 %games, i1 false)
  %reward_bytes = mul nsw i64 %games, {4 * players}
  call void @llvm.memset.p0.i64(ptr %rewards, i8 0, i64 %reward_bytes, i1 false)
  %observes = icmp ne ptr %observations, null
  %has_masks = icmp ne i64 %mask_kind, {NO_MASKS}
  %is_long_mask = icmp ne i64 %mask_kind, {short_mask_kind(program)}
  %unmasks = and i1 %has_masks, %is_long_mask
  br i1 %unmasks, label %mask_head, label %start
mask_head:
  %masked = phi i64 [ 0, %entry ], [ %mask_next, %unmask ]
  %mask_left = icmp slt i64 %masked, %games
  br i1 %mask_left, label %unmask, label %start
unmask:
  %mask_next = add nsw i64 %masked, 1
  call void @batch_unmask(ptr %b, i64 %masked)
  br label %mask_head
start:
  br label %head
head:
  %game = phi i64 [ 0, %start ], [ %next, %after ]
  %cursor = phi i64 [ 0, %start ], [ %end, %after ]
  %failed = phi i64 [ -1, %start ], [ %failed_now, %after ]
  %is_left = icmp slt i64 %game, %games
  br i1 %is_left, label %one, label %done
one:
  %next = add nsw i64 %game, 1
  %cells_at = mul nsw i64 %game, {stride}
  %s = getelementptr inbounds i64, ptr %cells, i64 %cells_at
  %words_at = mul nsw i64 %cursor, {listed}
  %out = getelementptr inbounds i8, ptr %words, i64 %words_at
  %seed_place = getelementptr inbounds i64, ptr %seeds, i64 %game
  %todo_place = getelementptr inbounds i8, ptr %todo, i64 %game
  %what = load i8, ptr %todo_place
{_fetch_ahead(program, stride)}
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


def _fetch_ahead(program: CompiledProgram, stride: int) -> str:
    """Asks for the memory of the next game's position, so that it is near when that game's turn comes; all of it but
    piles, of which a step reads little, and the longest sections where it is much.
    """
    cells, lines = program.cells, set[int]()
    piles = {cells.contents[zone] for zone, storage in cells.storage.items() if storage in ("pile", "packed pile")}
    for section in sorted(cells.sections, key=lambda section: len(section.values)):
        own = {cell // LINE for cell in range(section.first, section.first + len(section.values))}
        if section.first not in piles and len(lines | own) <= MAX_LINES_AHEAD:
            lines |= own
    return "\n".join(
        f"""  %ahead{line} = getelementptr i64, ptr %s, i64 {stride + LINE * line}
  call void @llvm.prefetch.p0(ptr %ahead{line}, i32 1, i32 3, i32 1)"""
        for line in sorted(lines)
    )


def _print_step() -> str:
    """`batch_step`: gives what was illegal, or the number of games and what failed, or -1."""
    return f"""define i64 @batch_step(ptr noalias %b) #0 {{
  %illegal = call i64 @batch_find(ptr %b)
  %is_legal = icmp slt i64 %illegal, 0
  br i1 %is_legal, label %go, label %refuse
refuse:
  ret i64 %illegal
go:
{fields("games", "log_row", "max_decisions")}
  %row_after = add nsw i64 %log_row, 1
  %is_inside = icmp slt i64 %row_after, %max_decisions
  %next_row = select i1 %is_inside, i64 %row_after, i64 0
  store i64 %next_row, ptr %log_row_entry
  %failed = call i64 @batch_go(ptr %b)
  %is_fine = icmp slt i64 %failed, 0
  %beyond = add nsw i64 %failed, %games
  %result = select i1 %is_fine, i64 -1, i64 %beyond
  ret i64 %result
}}"""


def _print_sampler() -> str:
    """`batch_sample`: a legal action of each game, each equally likely; what is no choice gets 0."""
    return f"""define i64 @batch_sample(ptr noalias %b) #0 {{
entry:
{fields("games", "actions", "own_counts", "own_starts", "numbers", "takes_indexes")}
  %sampler = getelementptr inbounds i64, ptr %b, i64 {BLOCK.index("sampler")}
  %takes = icmp ne i64 %takes_indexes, 0
  br label %head
head:
  %game = phi i64 [ 0, %entry ], [ %next, %put ]
  %is_left = icmp slt i64 %game, %games
  br i1 %is_left, label %one, label %done
one:
  %next = add nsw i64 %game, 1
  %count_place = getelementptr inbounds i32, ptr %own_counts, i64 %game
  %count_short = load i32, ptr %count_place
  %count = sext i32 %count_short to i64
  %action_place = getelementptr inbounds i64, ptr %actions, i64 %game
  %is_over = icmp eq i64 %count, 0
  br i1 %is_over, label %put, label %draw
draw:
  %index = call i64 @draw(ptr %sampler, i64 %count)
  %start_place = getelementptr inbounds i32, ptr %own_starts, i64 %game
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
{fields("games", "cells")}
  br label %head
head:
  %game = phi i64 [ 0, %entry ], [ %next, %one ]
  %is_left = icmp slt i64 %game, %games
  br i1 %is_left, label %one, label %done
one:
  %next = add nsw i64 %game, 1
  %cells_at = mul nsw i64 %game, {cell_stride(program, facts.shape)}
  %s = getelementptr inbounds i64, ptr %cells, i64 %cells_at
  call void @batch_observe_game(ptr %s, ptr %rows, i64 %game, i64 %viewer)
  br label %head
done:
  ret i64 0
}}"""


__all__ = ["print_batches"]
