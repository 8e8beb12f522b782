"""Rules into a program: facts about places, then expressions, lists of actions, steps and the order of things.

In: the rule model. Out: a `CompiledProgram`: the kernel tree, the layout of its cells, and how its actions are written
as words. It knows no game and nothing of who plays it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.joined_points import PointEntries
from rulewright.engine.compiled.kernel.kernel import Name
from rulewright.engine.compiled.kernel.kernel_statements import Function, Return
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.kernel.optimisations import AnyOptimisation
from rulewright.engine.compiled.kernel.tidy import tables_in
from rulewright.engine.compiled.python.program_code import ProgramCode
from rulewright.engine.compiled.translation.action_ranks import ProgramNumbering
from rulewright.engine.compiled.translation.action_words import ActionWords
from rulewright.engine.compiled.translation.batch_functions import add_batch_functions, listing_function
from rulewright.engine.compiled.translation.chance_sites import ChanceSite
from rulewright.engine.compiled.translation.evaluation_functions import TermSum, cached_functions, evaluation_functions
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.fault_sites import FaultSite, FaultSites
from rulewright.engine.compiled.translation.game_points import DecisionSite, StepPath, StepSite, StepsUnderWay
from rulewright.engine.compiled.translation.number_words import ACT_FUNCTION
from rulewright.engine.compiled.translation.piece_lists import OpenAnswer, PieceListWriter
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.engine.compiled.translation.program_functions import ProgramWriter
from rulewright.engine.compiled.translation.step_effects import EffectWriter
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.layout import Layout
from rulewright.expr.tree import Expr
from rulewright.frozen import frozen
from rulewright.model.effects import Choose, GiveTurn, RunSteps
from rulewright.model.rules import Rules

if TYPE_CHECKING:
    from rulewright.engine.compiled.python.python_module import Table


@frozen
class CompiledProgram:
    """A program for one rule model.

    `points`: the names of the functions from which the game goes on; `start_point`: the number of that with which it
    begins; `resume_points`: by decision of that after it. `open_answer`: the cells of an answer that is made piece by
    piece; `together`: of a decision made in secret the first cell of what was chosen, after which come those that are
    asked, a bit for each. `sites`: the steps that can stop, by those around them; `roots`: the cells of steps that
    begin from several places, by block. `is_imagined`: it is for positions that are only imagined, and lists actions on
    demand. `term_groups`: by strategy the parts of what a position is worth, in such programs. `without`: what is left
    out that only makes programs fast. `numbering`: the fixed numbers of actions, in programs for batches;
    `lists_numbers`: legal actions are listed by these, not by their words.
    """

    rules: Rules
    cells: CellLayout
    words: ActionWords
    code: ProgramCode
    points: tuple[str, ...]
    start_point: int
    resume_points: tuple[int, ...]
    decisions: tuple[DecisionSite, ...]
    faults: tuple[FaultSite, ...]
    chance_sites: tuple[ChanceSite, ...]
    open_answer: OpenAnswer | None
    together: Mapping[int, int]
    turn_seat_cell: int
    checks_invariants: bool
    is_imagined: bool
    sites: Mapping[StepPath, StepSite]
    roots: Mapping[int, StepsUnderWay]
    term_groups: Mapping[str | None, tuple[TermSum, ...]]
    row_tables: Mapping[str, Sequence[tuple[int, ...]]]
    without: frozenset[AnyOptimisation]
    numbering: ProgramNumbering | None
    lists_numbers: bool

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions as they are carried out; worked out when they are first asked for."""
        return self.code.finished

    @property
    def acts_by_number(self) -> bool:
        """Whether what a number stands for is done without making a word of it."""
        return any(function.name == ACT_FUNCTION for function in self.code.written)

    @property
    def is_weighed(self) -> bool:
        """Whether its machine code evaluates the positions after many actions at once."""
        return bool(self.term_groups) and self.words.bits < MACHINE_BITS

    @property
    def tables(self) -> Mapping[str, Sequence[object]]:
        """The tables that functions read, by name."""
        return self._tables_of(self.functions)

    def _tables_of(self, functions: Sequence[Function]) -> Mapping[str, Sequence[object]]:
        used = {name for function in functions for name in tables_in(function.body)}
        every = {**self.cells.tables, **self.row_tables}
        return {name: table for name, table in every.items() if name in used}

    def to_python(self) -> str:
        """The program as a Python module."""
        from rulewright.engine.compiled.python.python_module import print_program  # machine code needs none of it

        code = self.code.for_python(self._taken_up, may_decline=any(site.may_decline for site in self.decisions))
        tables: dict[str, Table] = {**self._tables_of((*code.functions, *code.remembered)), **code.tables}
        faults = [fault.address for fault in self.faults]
        return print_program(self.title, self.cells.sections, tables, code, self.resume_points, faults, self.cells.size)

    @property
    def title(self) -> str:
        """Which rules these are."""
        variants = f" with {', '.join(self.rules.variants)}" if self.rules.variants else ""
        return f"{self.rules.game} {self.rules.version}, {self.rules.players} players{variants}"

    @property
    def _taken_up(self) -> set[int]:
        """The points from which a game can be taken up again: where it begins, after an action, after other steps."""
        under_way = (site for path, site in self.sites.items() if _begins_steps(self.rules, path))
        others = {point for site in under_way for point in (site.after, site.execution) if point >= 0}
        return {self.start_point, *self.resume_points, *others}


def compile_program(
    rules: Rules,
    *,
    tokenwise: Collection[str] = (),
    checks_invariants: bool | None = None,
    is_witnessed: bool = False,
    takes_orders: bool = False,
    is_evaluated: bool = False,
    is_imagined: bool = False,
    without: Collection[AnyOptimisation] = (),
    is_batched: bool = False,
    is_native: bool = False,
) -> CompiledProgram:
    """The program of some rules; raises `NotCompiled` for what cannot be translated.

    `is_witnessed`: it says what viewers see happen, so that their knowledge can be followed. `takes_orders`: the order
    of piles can be given as a game begins; such a program is slower. `is_evaluated`: it says what a position is worth,
    and keeps what that needs. `is_imagined`: it is for positions that somebody only thinks of: it evaluates, takes
    actions that another position offered, lists actions only on demand. `checks_invariants`: by default unless
    positions are imagined. `without`: what is left out that only makes programs fast. `is_batched`: it also numbers
    actions and says who has won. `is_native`: it is for machine code, which has bytes, and in a batch lists actions by
    their numbers if it can.
    """
    is_evaluated = is_evaluated or is_imagined
    checks_invariants = not is_imagined if checks_invariants is None else checks_invariants
    layout = Layout(rules, ExprCompiler(rules))
    cells = CellLayout(
        rules, layout, takes_orders=takes_orders, is_evaluated=is_evaluated, packs="packed-bags" not in without,
        packs_piles=is_native and "packed-piles" not in without,
        packs_places=is_native and "packed-places" not in without,
    )  # fmt: skip
    expressions = ExpressionWriter(rules, cells, knows_tables="known-tables" not in without)
    words = ActionWords(rules, cells, tokenwise)
    faults = FaultSites()
    functions = list[Function]()
    numbering, ranks, reader = (
        add_batch_functions(expressions, words, functions, lists_numbers=is_native and "listed-numbers" not in without)
        if is_batched
        else (None, None, None)
    )
    lists = PieceListWriter(rules, expressions, words, faults, ranks)
    effects = EffectWriter(rules, expressions, faults, checks_invariants=checks_invariants, is_witnessed=is_witnessed)
    acting = reader if "number-acts" not in without else None
    flow = ProgramWriter(rules, expressions, effects, lists, words, acting, is_imagined=is_imagined)
    flow.functions += functions
    flow.functions += _seat_functions(expressions)
    if is_evaluated:
        flow.functions += evaluation_functions(rules, expressions)
    term_groups: dict[str | None, tuple[TermSum, ...]] = {}
    if is_imagined:
        cached, term_groups = cached_functions(rules, expressions)
        flow.functions += cached
    flow.write()
    flow.functions += effects.functions.values()
    if is_batched:
        flow.functions.append(listing_function(cells, flow.decisions, lists.open))
    points = [point for point in flow.points if point is not None]
    assert len(points) == len(flow.points)
    return CompiledProgram(
        rules=rules,
        cells=cells,
        words=words,
        code=ProgramCode(
            flow.functions, points, _point_entries(flow), cells.tables, cells.columns, cells.row_tables, without
        ),
        points=tuple(point.name for point in points),
        start_point=flow.start_point,
        resume_points=tuple(flow.resume_points),
        decisions=tuple(flow.decisions),
        faults=tuple(faults.sites),
        chance_sites=tuple(effects.chance_sites.sites),
        open_answer=lists.open,
        together=flow.together,
        turn_seat_cell=flow.turn_seat_cell,
        checks_invariants=checks_invariants,
        is_imagined=is_imagined,
        sites=flow.sites,
        roots=flow.roots,
        term_groups=term_groups,
        row_tables=cells.row_tables,
        without=frozenset(without),
        numbering=numbering,
        lists_numbers=ranks is not None,
    )


def _begins_steps(rules: Rules, path: StepPath) -> bool:
    """Whether the last step of a path begins others that it waits for."""
    block, step = path[-1]
    return isinstance(rules.blocks[block].steps[step].effect, Choose | GiveTurn | RunSteps)


def _point_entries(flow: ProgramWriter) -> PointEntries:
    return_cells = [root.return_cell for root in flow.roots.values() if not root.is_recursive]
    nested = [root.return_cell for root in flow.roots.values() if root.is_recursive]
    return PointEntries(flow.start_point, flow.resume_points, return_cells, nested)


def _seat_functions(expressions: ExpressionWriter) -> Iterator[Function]:
    """Numbers about seats: what the ranking compares, and what games are measured by."""
    for at, line in enumerate(expressions.rules.ranking):
        yield _seat_function(expressions, f"rank_{at}", line.of, line.address)
    for at, measure in enumerate(expressions.rules.measures):
        yield _seat_function(expressions, f"measure_{at}", measure.of, f"measures.{measure.name}")


def _seat_function(expressions: ExpressionWriter, name: str, of: Expr, address: str) -> Function:
    """The function that computes a number about a seat."""
    code = CodeBuilder(("seat", "me"), is_pure=True)
    result = expressions.number(code, of, Surroundings(Name("me"), {0: Name("seat")}))
    code.write(Return((result,)))
    return Function(name, ("seat", "me"), code.block, True, address, "a number about a seat")


__all__ = ["CompiledProgram", "compile_program"]
