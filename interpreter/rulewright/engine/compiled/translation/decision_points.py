"""Decisions as points: who is asked, what may be chosen, what happens if nothing can be.

In: steps in which somebody chooses. Out: code that lists the options and waits, or goes on. A part of `FlowWriter`.
"""

from __future__ import annotations

from contextlib import ExitStack

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Invoke, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary, negated
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    ClearOptions,
    CountOptions,
    Perform,
    Return,
    TakeOption,
)
from rulewright.engine.compiled.translation.fault_sites import FaultSite
from rulewright.engine.compiled.translation.game_points import WAITS, DecisionSite, Env, GamePoints
from rulewright.engine.compiled.translation.legal_lists import Outer, nothing_around
from rulewright.engine.compiled.translation.number_words import PERFORM_FUNCTION
from rulewright.engine.compiled.translation.sequences import KnownSet
from rulewright.frozen import replace
from rulewright.model.effects import Choose, Step


class DecisionPoints(GamePoints):
    """Writes the decisions of one rule model."""

    def _decision(self, block: int, index: int, step: Step, outer: Outer, after: int) -> int:
        effect = step.effect
        assert isinstance(effect, Choose)
        number = len(self.decisions)
        name = self.unique_name(step.address)
        names = f"options_{name}", f"otherwise_{name}"
        options, otherwise = self.lists.options(names, step, outer)
        self.functions.append(options)
        if otherwise is not None:
            self.functions.append(otherwise)
        offered = {offer.action for offer in effect.offers}
        fallbacks = (effect.fallback,) if isinstance(effect.fallback, int) and effect.fallback not in offered else ()
        pieces = self.lists.pieces(f"pieces_{name}", step, outer)
        if pieces is not None:
            self.functions.append(pieces)
        site = DecisionSite(
            block, index, options.name, otherwise.name if otherwise else "", fallbacks,
            pieces.name if pieces else "", effect.mode == "may",
        )  # fmt: skip
        self.decisions.append(site)
        self.resume_points.append(after)
        path = (*self.path, (block, index))
        self.sites[path] = replace(self.sites[path], decision=number)
        if self._repeated >= 0:
            self.option_loops[number] = self._repeated
        return number

    def _listing(self, step: Step, env: Env, number: int) -> str:
        """The function that lists the options as a decision begins: all, or as many as decide how the game goes on.
        Where it only matters whether there is one, there is one if a piece can be chosen or an answer may end.
        """
        effect, options, pieces = step.effect, self.decisions[number].options, self.decisions[number].pieces
        assert isinstance(effect, Choose)
        if not self.is_imagined and not pieces:
            return options
        if pieces and effect.mode == "must" and not effect.is_automatic and not isinstance(effect.fallback, int):
            return pieces
        enough = 2 if effect.is_automatic else 1
        function = self.lists.first_options(f"first_{options}", step, self._outer(step, env), enough)
        self.functions.append(function)
        return function.name

    def _outer(self, step: Step, env: Env) -> Outer:
        """The variables around a step, for clauses of its offers; they stand in cells while the game waits."""
        effect = step.effect
        assert isinstance(effect, Choose)
        if not effect.sees_around:
            return nothing_around
        makers = tuple(self._env_makers)

        def read(code: CodeBuilder) -> Env:
            made: Env = {}
            for make in makers:
                made.update(make(code))
            known = {slot: code.let(value, "it") if isinstance(value, Cell) else value for slot, value in env.items()}
            return {**made, **known}

        return read

    def _choose(self, block: int, index: int, step: Step, seat: Node, env: Env, after: int) -> None:
        code, effect = self._code, step.effect
        assert isinstance(effect, Choose)
        number = self._decision(block, index, step, self._outer(step, env), after)
        site = self.decisions[number]
        around = self._around(seat, env)
        chooser = around.me if step.by is None else code.let(self.expressions.number(code, step.by, around), "seat")
        if self.rules.has_elimination:
            with code.when(negated(self.expressions.is_in_game(chooser))):
                self.effects.check_late(code, around.me)
                self._jump(after)
        listing = self._listing(step, env, number)
        code.write(ClearOptions())
        code.write(Perform(Invoke(listing, (chooser,))))
        count = code.result("count")
        code.write(CountOptions(count.text))
        if effect.is_automatic and effect.mode == "must":
            with code.when(binary("==", count, ONE)):
                self.effects.check_late(code, around.me)
                listed = code.result("word")
                code.write(TakeOption(listed.text, ZERO))
                perform = "perform" if self.reader is None else PERFORM_FUNCTION
                code.write(Return((Invoke(perform, (listed, chooser, Int(after))),)))
        with code.when(binary("==", count, ZERO)):
            if site.otherwise:
                code.write(Perform(Invoke(site.otherwise, (chooser,))))
                code.write(CountOptions(count.text))
            with code.when(binary("==", count, ZERO)) if site.otherwise else ExitStack():
                if effect.mode == "must" and effect.fallback != "nothing":
                    self.effects.faults.fail(code, FaultSite(step.address, step.span, "offers no legal action"))
                else:
                    self.effects.check_late(code, around.me)
                    self._jump(after)
        self.effects.check_late(code, around.me)
        if site.pieces and listing != site.pieces:
            code.write(ClearOptions())
            code.write(Perform(Invoke(site.pieces, (chooser,))))
        elif effect.mode == "may" and not site.pieces:
            code.write(AddOption(ZERO))
        code.store(self.cells.counter("decision"), Int(number))
        code.store(self.cells.counter("seat"), chooser)
        code.write(Return((Int(WAITS),)))

    def _choose_together(self, block: int, index: int, step: Step, seat: Node, env: Env, after: int) -> None:
        """Each seat chooses in secret; then what they have chosen is done in turn order."""
        code, effect, players = self._code, step.effect, self.rules.players
        assert isinstance(effect, Choose)
        head, execution = self._new_label(), self._new_label()
        first = self.cells.reserve(f"{step.address} asked", 2, "how many were asked, how many not")
        words = self.cells.reserve(f"{step.address} chosen", players, "what each seat does", holds_words=True)
        assert words == first + 2
        around = self._around(seat, env)
        asked = (
            KnownSet(tuple(range(players))) if step.by is None else self.expressions.one_or_all(code, step.by, around)
        )
        mask = code.variable(ZERO, "choosers")
        asked.each(code, lambda chooser: code.assign(mask, binary("|", mask, binary("<<", ONE, chooser))))
        order = self.cells.reserve(f"{step.address} choosers", 1, "a bit for each")
        code.store(Int(order), mask)
        code.store(Int(first), ZERO)
        for place in range(players):
            code.store(Int(first + 2 + place), ZERO)
        self.effects.check_late(code, around.me)
        number = self._decision(block, index, step, self._outer(step, env), head)
        self.together[number] = first
        site = self.decisions[number]
        path = (*self.path, (block, index))
        self.sites[path] = replace(self.sites[path], execution=execution)
        self._next_point(head, f"next seat {step.address}", f"{step.address}: the next seat")
        code = self._code
        position = code.let(Cell(Int(first)), "position")
        with code.when(binary(">=", position, Int(players))):
            code.store(Int(first), ZERO)
            self._jump(execution)
        code.store(Int(first), add(position, ONE))
        chooser = code.let(self._seat_at(position), "seat")
        is_asked = binary("&", binary(">>", Cell(Int(order)), chooser), ONE)
        if self.rules.has_elimination:
            is_asked = binary("and", is_asked, self.expressions.is_in_game(chooser))
        with code.when(is_asked):
            listing = self._listing(step, env, number)
            code.write(ClearOptions())
            code.write(Perform(Invoke(listing, (chooser,))))
            count = code.result("count")
            code.write(CountOptions(count.text))
            with code.when(count):
                if site.pieces and listing != site.pieces:
                    code.write(ClearOptions())
                    code.write(Perform(Invoke(site.pieces, (chooser,))))
                code.store(self.cells.counter("decision"), Int(number))
                code.store(self.cells.counter("seat"), chooser)
                code.write(Return((Int(WAITS),)))
        self._jump(head)
        self._begin(execution, f"carry out {step.address}", f"{step.address}: what was chosen is done")
        code = self._code
        position = code.let(Cell(Int(first)), "position")
        with code.when(binary(">=", position, Int(players))):
            self._jump(after)
        code.store(Int(first), add(position, ONE))
        chooser = code.let(self._seat_at(position), "seat")
        word = code.let(Cell(add(chooser, Int(first + 2))), "word")
        with code.when(word):
            code.write(Return((Invoke("perform", (word, chooser, Int(execution))),)))
        self._jump(execution)

    def _seat_at(self, position: Node) -> Node:
        """The seat that is so many places after the one that began the game."""
        return binary("%", add(position, Cell(self.cells.counter("first"))), Int(self.rules.players))


__all__ = ["DecisionPoints"]
