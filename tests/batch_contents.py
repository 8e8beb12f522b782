"""Batches of the tables that are tried, and all that one has written."""

from __future__ import annotations

from functools import cache
from typing import Any

import rulewright
from positions import Table, piecewise_choices, rules
from rulewright.engine.compiled.playing import native_program
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.engine_names import EngineName

ENGINES: tuple[EngineName, ...] = ("python", *(("native",) if can_make_machine_code() else ()))  # type: ignore[assignment]
ARRAYS = (
    "actions", "action_counts", "action_starts", "seats", "rewards", "terminated", "truncated", "seeds", "observations",
    "action_masks",
)  # fmt: skip


def compiled(table: Table, engine: EngineName) -> rulewright.CompiledRules:
    return _compiled(table, engine, native_program.OPTIMISATION)


@cache
def _compiled(table: Table, engine: EngineName, optimisation: int) -> rulewright.CompiledRules:
    model = rules(table.game, table.players, table.variants)
    tokenwise = piecewise_choices(model) if table.piecewise else ()
    return rulewright.compile(model, engine=engine, tokenwise=tokenwise)


def contents_of(batch: rulewright.GameBatch) -> dict[str, Any]:
    """All that a batch has written."""
    found = {name: getattr(batch, name).tolist() for name in ARRAYS if getattr(batch, name) is not None}
    return {**found, "action_numbers": batch.action_numbers[: sum(batch.action_counts)].tolist()}


def numbers_of(batch: rulewright.GameBatch, game: int) -> list[int]:
    start = batch.action_starts[game]
    return batch.action_numbers[start : start + batch.action_counts[game]].tolist()
