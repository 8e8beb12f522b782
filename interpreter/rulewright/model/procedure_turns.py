"""A procedure that asks for the player in turn, and is run where nobody is in turn: which word makes it so.

In: the steps as they were read. Out: diagnostics. The word is the mistake where a variable for a player could be
meant, or where no turn runs the procedure; otherwise it is the step that runs it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from rulewright.diagnostics import Related, Span
from rulewright.expr.tree import Builtin, ReadValue
from rulewright.expr.types import SEAT, Type
from rulewright.expr.walk import find_turn_read, iter_exprs
from rulewright.frozen import frozen
from rulewright.model import codes
from rulewright.model.effects import Block, Choose, RunSteps, Step
from rulewright.model.expr_reader import ExprReader
from rulewright.model.traversal import step_exprs
from rulewright.source.nodes import ScalarNode


@frozen
class ProcedureRun:
    """A step outside of turns that runs a procedure which needs one: the name, and the address of the step."""

    name: ScalarNode
    address: str


@frozen
class Procedures:
    """All procedures, by name: their blocks, their arguments, and which procedures they run."""

    blocks: Mapping[str, int]
    arguments: Mapping[str, Sequence[tuple[str, Type]]]
    calls: Mapping[str, Sequence[tuple[str, ScalarNode]]]

    def run_by(self, names: Collection[str]) -> set[str]:
        """The procedures of these names, and all that they run."""
        found, waiting = set[str](), [*names]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += [called for called, _ in self.calls.get(name, ())]
        return found


@frozen
class _TurnWord:
    """Where a procedure asks for the player in turn. `players`: the variables for players that could be meant."""

    procedure: str
    word: str
    span: Span
    node: ScalarNode
    address: str
    players: tuple[str, ...]


def report_runs_outside_turns(
    reader: ExprReader,
    procedures: Procedures,
    blocks: Sequence[Block],
    runs: Sequence[ProcedureRun],
    run_in_turns: Collection[str],
) -> None:
    """Reports them. `run_in_turns`: the procedures that steps of turns and actions run."""
    in_turns = procedures.run_by(run_in_turns)
    for run in runs:
        names = procedures.run_by([run.name.text])
        found = (_turn_word(reader, procedures, blocks, name) for name in sorted(names))
        word = next((each for each in found if each is not None), None)
        if word is not None and (word.players or word.procedure not in in_turns):
            _report_word(reader, run, word)
        else:
            steps = (
                step
                for name in sorted(names)
                for step, _ in _steps_with_players(blocks[procedures.blocks[name]], blocks)
            )
            _report_run(reader, run, word, next(filter(_asks_in_turn, steps), None))


def _asks_in_turn(step: Step) -> bool:
    """Whether the player in turn decides in a step, since it does not say who does."""
    return isinstance(step.effect, Choose) and step.by is None and step.effect.mode != "together"


def _report_word(reader: ExprReader, run: ProcedureRun, word: _TurnWord) -> None:
    text, start = word.node.text, word.span.start - word.node.span.start
    is_plain = word.node.offsets is None and text[start : start + len(word.word)] == word.word
    if word.players and is_plain:
        written = [f"`{text[:start]}{player}{text[start + len(word.word) :]}`" for player in word.players]
        hint = f"write {' or '.join(written)}"
    elif word.players:
        hint = f"write {' or '.join(f'`{player}`' for player in word.players)}"
    elif word.word == "me":
        hint = "add `for_each: player` and write `player`, or hand the procedure a player: `with: {who: player}`"
    else:
        hint = "hand the procedure a player, `with: {who: player}`: others are all who are not `who`"
    reader.diagnostics.add(
        word.span,
        codes.NEEDS_A_TURN,
        f"`{word.word}` has no meaning here: procedure `{word.procedure}` is run where nobody is in turn",
        label="whose?",
        help=hint,
        address=word.address,
        related=[Related(run.name.span, "run here, where nobody is in turn")],
    )


def _report_run(reader: ExprReader, run: ProcedureRun, word: _TurnWord | None, asking: Step | None) -> None:
    hint, related = "", list[Related]()
    if word is not None:
        hint = f"hand it the player as an argument, instead of `{word.word}`: `with: {{who: player}}`"
        related.append(Related(word.span, f"`{word.word}` is the player in turn"))
    elif asking is not None:
        hint = "say with `by` who decides there"
        related.append(Related(asking.span, "the player in turn decides this"))
    reader.diagnostics.add(
        run.name.span,
        codes.NEEDS_A_TURN,
        f"procedure `{run.name.text}` can only be run during a turn",
        label="nobody is in turn here",
        help=hint,
        address=run.address,
        related=related,
    )


def _turn_word(reader: ExprReader, procedures: Procedures, blocks: Sequence[Block], name: str) -> _TurnWord | None:
    """The first word for the player in turn in a procedure itself; None where it is a value that asks, or a step."""
    arguments = tuple(key for key, type_ in procedures.arguments[name] if type_ == SEAT)
    for step, players in _steps_with_players(blocks[procedures.blocks[name]], blocks, arguments):
        parts = [part for expr in step_exprs(step) for part in iter_exprs(expr)]
        for read in reader.usage.expressions:
            if not read.address.startswith(step.address):
                continue
            part = find_turn_read(read.expr, reader.table.turn_values)
            if part is not None and any(part is each for each in parts):
                if isinstance(part, ReadValue) or not isinstance(part, Builtin):
                    return None
                span = read.node.subspan(*part.offsets)
                return _TurnWord(name, part.name, span, read.node, step.address, players if part.name == "me" else ())
    return None


def _steps_with_players(
    block: Block, blocks: Sequence[Block], players: tuple[str, ...] = ()
) -> Iterator[tuple[Step, tuple[str, ...]]]:
    """The steps of a procedure, with the variables for players around each and in its loop."""
    for step in block.steps:
        loop = step.for_each
        own = (*players, loop.name) if loop is not None and loop.type == SEAT else players
        yield step, own
        if isinstance(step.effect, RunSteps) and not step.effect.is_procedure:
            yield from _steps_with_players(blocks[step.effect.block], blocks, own)


__all__ = ["ProcedureRun", "Procedures", "report_runs_outside_turns"]
