"""Rules, and the engines and programs that play them in simulations: each is made once, when it is needed.

In: rules. Out: a `PlayedRules`.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.default_engine import make_engine
from rulewright.engine.engine_names import AUTO_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.engine.interface import Engine
from rulewright.model.rules import Rules

if TYPE_CHECKING:  # what compiles rules, and what bots think in, is imported when it is needed
    from rulewright.bots.compiled_positions import ThinkingProgram
    from rulewright.engine.compiled.compiler import CompiledProgram
    from rulewright.simulation.compiled_games import CompiledTable
    from rulewright.simulation.thinking_games import ThinkingTable


class PlayedRules:
    """What plays some rules. Where it is compiled, it raises `NotCompiled` and `NoMachineCode`."""

    def __init__(self, rules: Rules, tokenwise: Collection[str] = ()) -> None:
        self.rules = rules
        self._tokenwise = tokenwise
        self._programs: dict[str, CompiledProgram] = {}
        self._tables: dict[str, CompiledTable] = {}
        self._thinking: dict[str, ThinkingProgram] = {}
        self._thinking_tables: dict[str, ThinkingTable] = {}
        self._names: dict[tuple[EngineName, bool], EngineName] = {}

    @cached_property
    def engine(self) -> Engine:
        """The engine that defines what rules mean."""
        return make_engine(self.rules, tokenwise=self._tokenwise)

    def program(self, engine: EngineName) -> CompiledProgram:
        """The program of the rules that is made for an engine."""
        from rulewright.engine.compiled.compiler import compile_program

        if engine not in self._programs:
            is_native = engine == NATIVE_ENGINE
            self._programs[engine] = compile_program(self.rules, tokenwise=self._tokenwise, is_native=is_native)
        return self._programs[engine]

    def table(self, engine: EngineName) -> CompiledTable:
        """What plays games of bots that look at nothing."""
        from rulewright.simulation.compiled_games import CompiledTable

        if engine not in self._tables:
            self._tables[engine] = CompiledTable(self.program(engine), engine=engine)
        return self._tables[engine]

    def thinking(self, engine: EngineName) -> ThinkingProgram:
        """The program in which bots think."""
        from rulewright.bots.native_positions import make_thinking

        if engine not in self._thinking:
            program = next((made.program for made in self._thinking.values()), None)
            self._thinking[engine] = make_thinking(
                self.rules, tokenwise=self._tokenwise, engine=engine, program=program
            )
        return self._thinking[engine]

    def thinking_table(self, engine: EngineName) -> ThinkingTable:
        """What plays games of bots that think."""
        from rulewright.simulation.thinking_games import ThinkingTable

        if engine not in self._thinking_tables:
            self._thinking_tables[engine] = ThinkingTable(
                lambda: self.engine, self.thinking(engine), tuple(self._tokenwise)
            )
        return self._thinking_tables[engine]

    def engine_name(self, asked: EngineName, *, is_blind: bool) -> EngineName:
        """Which engine plays when this one is asked for. `is_blind`: the bots look at nothing.

        Raises `NotCompiled` and `NoMachineCode` where another than `auto` was asked for.
        """
        if (asked, is_blind) not in self._names:
            self._names[asked, is_blind] = self._find_name(asked, is_blind=is_blind)
        return self._names[asked, is_blind]

    def _find_name(self, asked: EngineName, *, is_blind: bool) -> EngineName:
        name = COMPILED_ENGINE if asked == AUTO_ENGINE else asked
        if name == REFERENCE_ENGINE:
            return name
        try:
            if is_blind:
                self.table(name)
            else:
                self.thinking(name)
        except NotCompiled:
            if asked != AUTO_ENGINE:
                raise
            return REFERENCE_ENGINE
        return name


__all__ = ["PlayedRules"]
