"""Seats that leave the game: where a step makes them, the state `left` says who has left and when.

In: the sections with steps. Out: the state, when there is such a step. As it is a state like any other, saved
positions, digests, views and records contain it without knowing of it.
"""

from __future__ import annotations

from rulewright.diagnostics import Related
from rulewright.expr.scope import StateSymbol
from rulewright.expr.tree import Constant
from rulewright.expr.types import SEAT, Number
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.rules import ELIMINATION_STATE, StateDef
from rulewright.model.step_nodes import iter_steps
from rulewright.model.symbol_table import symbol_label


def declare_elimination_state(reader: ExprReader, first: int) -> StateDef | None:
    """The state, numbered from `first` on: of each seat 0 while it is in, then when it left, 1 for those that left
    before all others.
    """
    leave = next((entry for _, step in iter_steps(reader) if (entry := step.entry("leave")) is not None), None)
    if leave is None:
        return None
    existing = reader.table.symbols.get(ELIMINATION_STATE)
    if existing is not None:
        label = symbol_label(existing)
        reader.diagnostics.add(
            reader.table.declaration_spans.get(ELIMINATION_STATE, leave.key.span),
            codes.DUPLICATE_NAME,
            f"`{ELIMINATION_STATE}` is the state that `leave` steps set, and cannot be the name of a {label}",
            label="name already used",
            help=f"give this {label} another name",
            related=[Related(leave.key.span, "this step makes a player leave")],
        )
        reader.table.ambiguous_names.add(ELIMINATION_STATE)
        return None
    type_ = Number(0, reader.players)
    reader.declare(ELIMINATION_STATE, StateSymbol(type_, (SEAT,)), leave.key.span)
    reader.usage.used_names.add(ELIMINATION_STATE)
    reader.usage.assigned_states.add(ELIMINATION_STATE)
    seats = reader.kinds[SEAT.kind].member_values
    start = Constant(0, type_, (0, 0))
    return StateDef(
        ELIMINATION_STATE, type_, (SEAT,), (seats,), first, len(seats), start, "", f"state.{ELIMINATION_STATE}"
    )


__all__ = ["declare_elimination_state"]
