"""What an author has probably forgotten: things that nothing uses, rules without words, a game without an end.

In: the table of names, the steps and the sentences, when all are read. Out: warnings. Under variants, of the words
only those that they brought are missed; what they left without a use or an end is told wherever it stands, and
`blame.py` finds the change that did it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.diagnostics import Code, Span
from rulewright.expr.scope import KindSymbol, ParameterSymbol, StateSymbol, ValueSymbol, ZoneSymbol
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, ReadZone
from rulewright.expr.types import Bag, Member, SetOf
from rulewright.model import codes
from rulewright.model.rules import ActionDef, Choose, Clause, Finish, GiveTurn, Leave, RunSteps
from rulewright.model.sentences import SentenceReader
from rulewright.model.steps import StepReader
from rulewright.model.symbol_table import SYMBOL_LABELS, SymbolTable
from rulewright.model.traversal import domain_exprs, free_variables, iter_exprs, step_exprs

LINTED_SYMBOLS: Final = (KindSymbol, ParameterSymbol, ValueSymbol, StateSymbol, ZoneSymbol)


class _Linter:
    """Notes what looks forgotten. `files`: those of the variants laid over; None: every missing word is told."""

    def __init__(
        self, names: SymbolTable, steps: StepReader, sentences: SentenceReader, files: Collection[str] | None
    ) -> None:
        self.names = names
        self.steps = steps
        self.sentences = sentences
        self.files = files
        self.offer_clauses: dict[int, list[Clause]] = {}  # the clauses under which each action is offered
        offers = (
            offer
            for block in steps.blocks
            for step in block.steps
            for offer in (step.effect.offers if isinstance(step.effect, Choose) else ())
        )
        for offer in offers:
            self.offer_clauses.setdefault(offer.action, []).extend(offer.clauses)

    def warn(self, span: Span, code: Code, message: str, label: str, help: str, address: str = "") -> None:
        """Warns, unless it is a matter of the base only and a variant is looked at."""
        if self.files is None or span.source.path in self.files or code in codes.BLAMED_WARNINGS:
            self.names.diagnostics.add(span, code, message, label=label, help=help, address=address)

    def check_unused_names(self) -> None:
        """Kinds, parameters, values, states and zones that no expression mentions."""
        for name, symbol in self.names.symbols.items():
            span = self.names.declaration_spans.get(name)
            if span is not None and isinstance(symbol, LINTED_SYMBOLS) and name not in self.names.used_names:
                verb, label = ("reads", "only set") if name in self.names.assigned_states else ("uses", "never used")
                message = f"no rule {verb} the {SYMBOL_LABELS[type(symbol)]} `{name}`"
                self.warn(span, codes.UNUSED, message, label, "use it or remove it")

    def check_unset_states(self) -> None:
        """States that some rule reads and no step sets: they stay what they are at the start."""
        if self.names.diagnostics.error_count:
            return
        for name, symbol in self.names.symbols.items():
            used, span = name in self.names.used_names, self.names.declaration_spans.get(name)
            if isinstance(symbol, StateSymbol) and span is not None and used and name not in self.names.assigned_states:
                message = f"no step sets the state `{name}`, so that it stays as it starts"
                self.warn(span, codes.NEVER_SET, message, "never set", "set it in a step, or make it a parameter")

    def check_unused_steps(self) -> None:
        """Actions that no step offers, procedures that none runs."""
        for section, does, hint in (("actions", "offers", "offer"), ("procedures", "runs", "run")):
            for entry in self.names.section(section):
                name = entry.key.text
                if name not in self.names.used_names:
                    help_ = f"{hint} it in a step, or remove it"
                    self.warn(entry.key.span, codes.UNUSED, f"no step {does} `{name}`", "never used", help_)

    def check_unread_choices(self) -> None:
        """Choices of which nothing comes: no clause, no later choice and no step reads the answer."""
        if self.names.diagnostics.error_count:
            return  # what could not be understood may be what reads them
        for action in self.steps.actions:
            read = self._read(action)
            for slot, choice in enumerate(action.choices):
                if slot not in read:
                    message = f"nothing that `{action.name}` asks or does reads the choice `{choice.name}`"
                    hint = "read it in a step or a clause, or do not ask for it"
                    self.warn(choice.span, codes.UNUSED, message, "never read", hint, choice.address)

    def _read(self, action: ActionDef) -> frozenset[int]:
        exprs = [expr for choice in action.choices for expr in domain_exprs(choice.domain)]
        exprs += [clause.condition for clause in (*action.clauses, *self.offer_clauses.get(action.index, ()))]
        return frozenset().union(*map(free_variables, [*exprs, *self._in_steps(action)]))

    def _in_steps(self, action: ActionDef) -> Iterator[Expr]:
        """The expressions in the steps of an action."""
        waiting = [action.block]
        while waiting:
            for step in self.steps.blocks[waiting.pop()].steps:
                yield from step_exprs(step)
                if isinstance(step.effect, RunSteps) and not step.effect.is_procedure:
                    waiting.append(step.effect.block)

    def check_missing_sentences(self) -> None:
        """Actions and clauses without a sentence, in a game where others of their sort have one."""
        said = self.sentences.entries
        actions = self.steps.actions
        clauses = [clause for action in actions for clause in action.clauses]
        clauses += [clause for offered in self.offer_clauses.values() for clause in offered]
        if any(action.address in said for action in actions):
            for action in actions:
                if action.address not in said:
                    message = f"no sentence says what `{action.name}` does"
                    self.warn(action.span, codes.NO_SENTENCE, message, "without words", "add `text: …`", action.address)
        if any(clause.address in said for clause in clauses):
            for clause in clauses:
                if clause.address not in said:
                    message = "no sentence says why this must hold"
                    hint = (
                        f"write {{is: {clause.source_text}, why: …}}, and a refused player is told the reason in words"
                    )
                    self.warn(clause.span, codes.NO_SENTENCE, message, "without words", hint, clause.address)

    def check_all_seats(self) -> None:
        """Clauses of an action that ask of all seats together what is most often asked of the one that acts. Whose own
        steps look at the places of all seats together too, means them.
        """
        zones = {name: one for name, one in self.names.symbols.items() if isinstance(one, ZoneSymbol)}
        for action in self.steps.actions:
            meant = {
                part.name
                for expr in self._in_steps(action)
                for part in iter_exprs(expr)
                if isinstance(part, ReadZone) and not part.keys
            }
            for clause in (*action.clauses, *self.offer_clauses.get(action.index, ())):
                for part in iter_exprs(clause.condition):
                    read = _asked_empty(part)
                    if read is None or read.name in meant:
                        continue
                    if not read.keys and Member("seat") in zones[read.name].key_types:
                        message = f"`{read.name}` is here that of all seats together"
                        hint = (
                            f"write `{read.name}(me)`; if all are meant, `no seat has {read.name}(seat) is not empty`"
                        )
                        self.warn(clause.span, codes.ALL_SEATS, message, "of all seats", hint, clause.address)

    def check_endless_game(self) -> None:
        """A game in which no step says `finish`, and no seat can leave."""
        if self.names.diagnostics.error_count:
            return
        key = self.names.root.entry("round")
        steps = [step for block in self.steps.blocks for step in block.steps]
        if key is not None and not any(isinstance(step.effect, Finish | Leave) for step in steps):
            message = "no step of this game says `finish`, so that its rounds never end"
            hint = "add a step like {when: …, finish: round}, or `finish: game` to end it at once"
            self.warn(key.key.span, codes.NEVER_ENDS, message, "goes on for ever", hint)

    def check_endless_turn(self) -> None:
        """A turn that whoever has it always has again: nobody else ever has one."""
        for step in next((block.steps for block in self.steps.blocks if block.address == "turn"), ()):
            again = isinstance(step.effect, GiveTurn) and step.effect.is_extra and step.effect.seat
            always = step.when is None and step.for_each is None and step.times is None
            if always and isinstance(again, Builtin) and again.name == "me" and self.names.players > 1:
                message = "after every turn its seat has another one, so that nobody else has any"
                hint = "say when: `when: …`, of a state that `resets: round` for once in a round"
                self.warn(step.span, codes.NEVER_ENDS, message, "always again", hint, step.address)


def _asked_empty(part: Expr) -> ReadZone | None:
    """The places of which a comparison asks whether anything is there."""
    match part:
        case Compare(left=ReadZone(member=None) as read, right=Constant(type=Bag("") | SetOf(None))):
            return read
        case Compare(left=Call(function="count", args=(ReadZone(member=None) as read,)), right=Constant(value=0)):
            return read
    return None


def lint(names: SymbolTable, steps: StepReader, sentences: SentenceReader, files: Collection[str] | None) -> _Linter:
    """Tells all that looks forgotten; what was gathered for it serves others."""
    look = _Linter(names, steps, sentences, files)
    for check in (
        look.check_unused_names,
        look.check_unset_states,
        look.check_unused_steps,
        look.check_unread_choices,
        look.check_missing_sentences,
        look.check_all_seats,
        look.check_endless_game,
        look.check_endless_turn,
    ):
        check()
    return look


__all__ = ["_Linter", "lint"]
