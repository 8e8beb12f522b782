"""The program in which the bots of one game think, made when the first of them does: people see a board before.

In: rules, and which engine is asked for. Out: a `ThinkingProgram`, or None where bots think in the reference engine.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from rulewright.bots.compiled_positions import ThinkingProgram
from rulewright.bots.native_positions import NativeThinking, make_thinking
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import AUTO_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.model.rules import Rules


class DeferredThinking:
    """What the bots of one game think in. With `python` and `native` the program is made at once; raises `NotCompiled`
    for rules that have none, and `NoMachineCode`.
    """

    def __init__(self, rules: Rules, *, tokenwise: Collection[str] = (), engine: EngineName = AUTO_ENGINE) -> None:
        self._rules = rules
        self._tokenwise = tokenwise
        self._engine = engine
        if engine in (COMPILED_ENGINE, NATIVE_ENGINE):
            self.__dict__["thinking"] = make_thinking(rules, tokenwise=tokenwise, engine=engine)

    @cached_property
    def thinking(self) -> ThinkingProgram | None:
        """The program; None for the reference engine, and for rules that have none."""
        if self._engine == REFERENCE_ENGINE:
            return None
        try:
            return make_thinking(self._rules, tokenwise=self._tokenwise, engine=self._engine)
        except NotCompiled:
            return None

    @property
    def made(self) -> ThinkingProgram | None:
        """The program, if it is there already: one choice is found before a program is made."""
        return self.__dict__.get("thinking")

    @property
    def engine(self) -> EngineName:
        """In whose positions bots think; makes the program."""
        if self.thinking is None:
            return REFERENCE_ENGINE
        return NATIVE_ENGINE if isinstance(self.thinking, NativeThinking) else COMPILED_ENGINE

    @property
    def engine_text(self) -> str:
        """The same in words: if it is not the machine code that was asked for, why."""
        refusal = self.thinking.refusal if self.thinking is not None and self._engine == NATIVE_ENGINE else None
        return self.engine if refusal is None else f"{self.engine} ({refusal})"


__all__ = ["DeferredThinking"]
