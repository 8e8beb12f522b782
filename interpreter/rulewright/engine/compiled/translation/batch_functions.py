"""What a program for batches does beside playing: it numbers actions, lists them anew, and says who has won.

In: the rules of a program, its decisions. Out: three functions more: `winners`, `list_options`, and `option_number` or,
where numbers of actions are listed instead of words, `option_word`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from rulewright.engine.compiled.kernel.cell_layout import NOBODY, CellLayout
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Invoke, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, add, binary, both, either, negated, some, subtract
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    ClearOptions,
    CountOptions,
    Function,
    Perform,
    Return,
)
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.translation.action_ranks import ProgramNumbering, RankWriter, number_actions
from rulewright.engine.compiled.translation.action_words import ActionWords
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.game_points import DecisionSite
from rulewright.engine.compiled.translation.number_words import NumberReader
from rulewright.engine.compiled.translation.piece_lists import OpenAnswer
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.frozen import replace
from rulewright.model.rules import ELIMINATION_STATE

WINNERS_FUNCTION: Final = "winners"
LIST_FUNCTION: Final = "list_options"


def add_batch_functions(
    expressions: ExpressionWriter, words: ActionWords, functions: list[Function], *, lists_numbers: bool
) -> tuple[ProgramNumbering, RankWriter | None, NumberReader | None]:
    """Adds the functions; returns how actions are numbered, and what numbers them and reads their numbers where they
    are to be listed by these and can be.
    """
    from rulewright.model.facts.facts import Facts  # single games, which start at once, need none of them

    functions.append(_winners(expressions))
    numbering = number_actions(expressions.rules, words, Facts(expressions.rules).action_numbering)
    if numbering.refused:
        return numbering, None, None
    ranks = RankWriter(expressions, words, numbering)
    try:
        number = ranks.function()
    except NotCompiled as refusal:
        return replace(numbering, refused=str(refusal)), None, None
    if lists_numbers and words.bits < MACHINE_BITS:
        reader = NumberReader(expressions, words, numbering)
        try:
            functions.append(reader.function())
        except NotCompiled:  # then words are listed
            pass
        else:
            return numbering, ranks, reader
    functions.append(number)
    return numbering, None, None


def listing_function(cells: CellLayout, decisions: Sequence[DecisionSite], open_answer: OpenAnswer | None) -> Function:
    """`list_options()`: the legal actions at the decision for which a position waits; none when it is over."""
    code = CodeBuilder((), is_pure=True)
    code.write(ClearOptions())
    with code.when(Cell(cells.counter("over"))):
        code.write(Return((ZERO,)))
    decision, seat = (
        code.let(Cell(cells.counter("decision")), "decision"),
        code.let(Cell(cells.counter("seat")), "seat"),
    )
    for number, site in enumerate(decisions):
        with code.when(binary("==", decision, Int(number))):
            _list_at(code, site, seat, open_answer)
            code.write(Return((ZERO,)))
    return Function(LIST_FUNCTION, (), code.block, True, "", "the legal actions of the position, listed anew")


def _list_at(code: CodeBuilder, site: DecisionSite, seat: Node, open_answer: OpenAnswer | None) -> None:
    if open_answer is not None and site.pieces:
        with code.when(Cell(open_answer.action)):
            code.write(Perform(Invoke(site.pieces, (seat,))))
            code.write(Return((ZERO,)))
    code.write(Perform(Invoke(site.options, (seat,))))
    if site.otherwise or site.pieces:
        count = code.result("count")
        code.write(CountOptions(count.text))
        with ExitStack() as stack:
            if site.otherwise:
                with code.when(negated(count)) as is_empty:
                    code.write(Perform(Invoke(site.otherwise, (seat,))))
                stack.enter_context(code.unless(is_empty))
            if site.pieces:
                code.write(ClearOptions())
                code.write(Perform(Invoke(site.pieces, (seat,))))
    if site.may_decline:
        code.write(AddOption(ZERO))


def _winners(expressions: ExpressionWriter) -> Function:
    """`winners()`: a bit for each seat that has won a game that is over."""
    rules, cells = expressions.rules, expressions.cells
    code = CodeBuilder((), is_pure=True)
    named = code.let(Cell(cells.counter("winners")), "named")
    with code.when(binary("!=", named, Int(NOBODY))):
        code.write(Return((named,)))
    scores: list[list[Node]] = []
    for seat in range(rules.players):
        own: list[Node] = []
        if rules.has_elimination:
            left = code.let(Cell(Int(cells.states[ELIMINATION_STATE] + seat)), "left")
            own.append(code.let(either(left, subtract(Int(rules.players + 1), left), ZERO), "gone"))
        for at, line in enumerate(rules.ranking):
            score = Invoke(f"rank_{at}", (Int(seat), Int(NOBODY)))
            own.append(code.let(subtract(ZERO, score) if line.is_maximized else score, f"score_{seat}"))
        scores.append(own)
    result = code.variable(ZERO, "result")
    for seat, own in enumerate(scores):
        beaten = some(_is_before(other, own) for rival, other in enumerate(scores) if rival != seat)
        with code.when(negated(beaten)):
            code.assign(result, add(result, Int(1 << seat)))
    code.write(Return((result,)))
    return Function(WINNERS_FUNCTION, (), code.block, True, "ranking", "who has won")


def _is_before(first: list[Node], second: list[Node]) -> Node:
    """Whether some scores are lower than others, the first that differ counting."""
    before: Node = ZERO
    for left, right in zip(reversed(first), reversed(second), strict=True):
        before = some([binary("<", left, right), both(binary("==", left, right), before)])
    return before


__all__ = ["LIST_FUNCTION", "WINNERS_FUNCTION", "add_batch_functions", "listing_function"]
