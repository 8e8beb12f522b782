"""Rules as a program that other programs call: for training, search and statistics.

In: a rule model. Out: a `CompiledRules`, which begins batches of games and single ones; actions are numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from rulewright.engine import chance
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.kernel.optimisations import AnyOptimisation
from rulewright.engine.compiled.observation_layout import DataType, ObservationField, ObservationLayout
from rulewright.engine.compiled.playing.compiled_game import require_start
from rulewright.engine.compiled.playing.game_batch import (
    MAX_DECISIONS_OF_GAME,
    ActionKind,
    BatchSettings,
    GameBatch,
    MaskKind,
)
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code, require_machine_code
from rulewright.engine.compiled.playing.native_batch import NativeBatch
from rulewright.engine.compiled.playing.native_program import NativeProgram
from rulewright.engine.compiled.playing.python_batch import PythonBatch
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.default_engine import make_engine
from rulewright.engine.engine_names import AUTO_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE, EngineName
from rulewright.errors import require_texts, require_whole
from rulewright.model.rules import Rules

MAX_GAMES: Final = 1 << 16
MAX_GAME_DECISIONS: Final = 1 << 16


class CompiledRules:
    """A program of some rules. `engine`: who carries it out, `native` or `python`; `lists_numbers`: machine code lists
    actions by their numbers, which is faster; else by their words. `without`: what is left out that only makes machine
    code fast.
    """

    def __init__(
        self, rules: Rules, *, engine: EngineName, tokenwise: Collection[str] = (), invariants: bool = True,
        without: Collection[AnyOptimisation] = (),
    ) -> None:  # fmt: skip
        program = compile_program(
            rules, tokenwise=tokenwise, checks_invariants=invariants, without=without, is_batched=True,
            is_native=engine == NATIVE_ENGINE,
        )  # fmt: skip
        assert program.numbering is not None
        self.rules = rules
        self.engine: EngineName = engine
        self.lists_numbers = program.lists_numbers
        self._numbering = program.numbering
        self._layout = ObservationLayout(program)
        self._native = NativeProgram(program) if engine == NATIVE_ENGINE else None
        self._python = PythonProgram(program) if engine == COMPILED_ENGINE else None

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.rules.players

    @property
    def action_count(self) -> int:
        """How many fixed numbers of actions there are; each is below it, and 0 declines."""
        return self._numbering.count

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self._layout.size

    @property
    def observation_dtype(self) -> DataType:
        """Of what type they are."""
        return self._layout.dtype

    @property
    def observation_fields(self) -> tuple[ObservationField, ...]:
        """What they are, in their order."""
        return tuple(self._layout.fields)

    def batch(
        self,
        games: int,
        *,
        seed: int = 0,
        first: int = 0,
        actions: ActionKind | None = None,
        masks: MaskKind | None = None,
        observations: bool = True,
        auto_reset: bool = True,
        max_decisions: int = MAX_DECISIONS_OF_GAME,
        buffers: Mapping[str, Any] | None = None,
    ) -> GameBatch:
        """So many games side by side, at their first decisions; game i has the seed `seed + i`.

        `first`: the seat that begins. `actions`: what `step` takes, fixed `numbers` or `indexes` among the legal
        actions; default: numbers, where actions have some. `masks`: of the legal actions, a bit or a byte for each
        number. `observations`: whether they are written. `auto_reset`: whether a game that has ended is followed by
        another. `max_decisions`: after so many a game is cut short. `buffers`: memory for the arrays of the batch, by
        their names; see `GameBatch`.

        Raises `ValueError` for what cannot be, also for numbers and masks where there are too many actions, and
        `RuleFault`.
        """
        require_whole(games=games, seed=seed, first=first, max_decisions=max_decisions)
        games, seed = int(games), int(seed)  # those of other libraries can overflow
        if not 1 <= games <= MAX_GAMES:
            raise ValueError(f"a batch has 1 to {MAX_GAMES:,} games, not {games}")
        if not 1 <= max_decisions <= MAX_GAME_DECISIONS:
            raise ValueError(f"max_decisions is a number from 1 to {MAX_GAME_DECISIONS:,}, not {max_decisions}")
        chance.require_seed(seed)
        chance.require_seed(seed + games - 1)
        refused = self._numbering.refused
        kind: ActionKind = actions or ("indexes" if refused else "numbers")
        if kind not in ("numbers", "indexes"):
            raise ValueError(f"actions are numbers or indexes, not {kind!r}")
        if masks not in (None, "bits", "bytes"):
            raise ValueError(f"masks are bits or bytes, not {masks!r}")
        if refused and (masks is not None or kind == "numbers"):
            what = f"masks of {masks}" if masks is not None else "numbers of actions"
            instead = "actions='indexes'" + (" without masks" if masks else "")
            raise ValueError(f"there are no {what}: {refused}; use {instead}")
        settings = BatchSettings(games, first, kind, masks, observations, auto_reset, max_decisions)
        made: GameBatch
        if self._native is not None:
            require_start(self._native.program, seed, first)
            made = NativeBatch(self._native, self._layout, settings, buffers or {})
        else:
            assert self._python is not None
            require_start(self._python.program, seed, first)
            made = PythonBatch(self._python, self._layout, settings, buffers or {})
        made.reset(seed)
        return made

    def __repr__(self) -> str:
        variants = f" with {', '.join(self.rules.variants)}" if self.rules.variants else ""
        return f"<CompiledRules: {self.rules.game}{variants}, {self.players} players, {self.engine}>"


def compile(  # shadows nothing here: `rulewright.compile`
    rules: Rules, *, engine: EngineName = AUTO_ENGINE, tokenwise: Collection[str] = (), invariants: bool = True
) -> CompiledRules:
    """A program of some rules.

    `engine`: `native` needs llvmlite, `python` nothing; `auto` is the faster of those that there are. `tokenwise`:
    addresses of choices that are answered piece by piece. `invariants`: whether they are checked in play.

    Raises `NotCompiled` for rules that have no program, `NoMachineCode` for `native` without llvmlite, `ValueError` for
    other engines and for no choice at an address of `tokenwise`, `TypeError` when an argument is of a wrong type.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules are what `load_rules` returns, not {rules!r:.60}")
    require_texts("addresses", tokenwise=tokenwise)
    if tokenwise:
        make_engine(rules, tokenwise=tokenwise)  # which knows what is answered in pieces
    if engine == AUTO_ENGINE:
        engine = NATIVE_ENGINE if can_make_machine_code() else COMPILED_ENGINE
    if engine not in (NATIVE_ENGINE, COMPILED_ENGINE):
        raise ValueError(f"there is no program for the engine {engine!r}, only for auto, native, python")
    require_machine_code(engine)
    return CompiledRules(rules, engine=engine, tokenwise=tokenwise, invariants=invariants)


__all__ = ["CompiledRules", "compile"]
