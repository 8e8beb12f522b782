"""What a seat does piece by piece: the open answer grows, is complete, and becomes a part of the action.

In: the word of a piece. Out: code that changes the cells of the open answer and lists what can come next, or goes on
with the whole action. A part of `ProgramWriter`.
"""

from __future__ import annotations

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Invoke, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary
from rulewright.engine.compiled.kernel.kernel_statements import ClearOptions, Perform, Return
from rulewright.engine.compiled.translation.action_words import BagField, ListField, MaskField
from rulewright.engine.compiled.translation.decision_points import DecisionPoints
from rulewright.engine.compiled.translation.game_points import WAITS
from rulewright.engine.compiled.translation.piece_lists import OpenAnswer
from rulewright.model.actions import ActionDef


class PieceActs(DecisionPoints):
    """Writes what pieces do."""

    def _take_pieces(self, code: CodeBuilder, word: Name, decision: Node, seat: Node) -> None:
        """A piece more for the open answer; the word of the action when it is complete. `word`: what was chosen."""
        held, words = self.lists.open, self.words
        assert held is not None
        token_bits = binary("&", binary(">>", word, Int(words.token_shift)), Int((1 << words.token_width) - 1))
        token = code.variable(token_bits, "token")
        number = code.variable(binary("&", word, Int((1 << words.number_width) - 1)), "number")
        with code.when(token):
            for action in self.rules.actions:
                for rank, index in enumerate(words.token_choices[action.index]):
                    low = Int(words.token_code(rank, words.end_token))
                    high = Int(words.token_code(rank + 1, words.end_token))
                    is_for = binary("and", binary(">=", token, low), binary("<", token, high))
                    with code.when(binary("and", binary("==", number, Int(action.index + 1)), is_for)):
                        self._take_piece(code, action, rank, index, word, token, decision, seat)
            if self._ends_with_pieces:
                self._close(code, held)
        if not self._ends_with_pieces:
            self._close(code, held)

    @property
    def _ends_with_pieces(self) -> bool:
        """Whether each answer that is made piece by piece is the last of its action: then whoever chooses something
        else has none that is open.
        """
        choices = self.words.token_choices
        return all(index + 1 == len(action.choices) for action in self.rules.actions for index in choices[action.index])

    @staticmethod
    def _close(code: CodeBuilder, held: OpenAnswer) -> None:
        """No answer is open any more."""
        code.store(held.action, ZERO)
        code.store(held.made, ZERO)
        code.store(held.word, ZERO)

    def _take_piece(
        self, code: CodeBuilder, action: ActionDef, rank: int, index: int, word: Name, token: Name, decision: Node,
        seat: Node,
    ) -> None:  # fmt: skip
        held, words = self.lists.open, self.words
        assert held is not None
        first = Int(words.first_shift)
        code.assign(word, binary("|", binary("<<", binary(">>", word, first), first), Int(action.index + 1)))
        code.store(held.action, Int(action.index + 1))
        code.store(held.made, Int(index))
        code.store(held.word, word)
        grows, whole = self.lists.growing(action, index), self.lists.whole(action, index)
        self.functions += [grows, whole]
        with code.when(binary(">", token, Int(words.token_code(rank, words.end_token)))):
            piece = code.let(binary("-", token, Int(words.token_code(rank, 0))), "piece")
            field = words.fields[action.index][index]
            if isinstance(field, BagField):
                cell = code.let(add(piece, Int(held.pieces)), "cell")
                code.store(cell, add(Cell(cell), ONE))
            else:
                assert isinstance(field, MaskField | ListField)
                flag = held.flag(field, piece)
                code.store(flag.index, ONE)
                code.store(Int(held.pieces), add(held.count, ONE))
                code.store(add(held.count, Int(held.pieces)), piece)
            with code.when(Invoke(grows.name, (seat,))):
                self._list_next(code, decision, seat)
        code.assign(word, binary("|", word, Invoke(whole.name, (seat,))))
        with code.count_loop(Int(held.pieces), Int(held.pieces + held.size), "cell") as each:
            code.store(each, ZERO)
        if index + 1 < len(action.choices):
            code.store(held.made, Int(index + 1))
            code.store(held.word, word)
            self._list_next(code, decision, seat)

    def _list_next(self, code: CodeBuilder, decision: Node, seat: Node) -> None:
        """The game waits for the same seat, which can do other things now."""
        code.write(ClearOptions())
        for number, site in enumerate(self.decisions):
            if site.pieces:
                with code.when(binary("==", decision, Int(number))):
                    code.write(Perform(Invoke(site.pieces, (seat,))))
        code.write(Return((Int(WAITS),)))


__all__ = ["PieceActs"]
