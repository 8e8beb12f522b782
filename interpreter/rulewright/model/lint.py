"""What an author has probably forgotten: things that nothing uses, rules without words, a game without an end.

In: the table of names, the steps and the sentences, when all are read. Out: warnings. Under variants, of the words
only those that they brought are missed; what they left without a use or an end is told wherever it stands, and
`blame.py` finds the change that did it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.diagnostics import Code, Span
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, ReadZone
from rulewright.expr.types import Bag, KindName, Member, Parameter, SetOf, StateVar, Value, Zone
from rulewright.model import codes
from rulewright.model.rules import ActionDef, Choose, Clause, Finish, Leave, Run, Turn
from rulewright.model.sentences import Sentences
from rulewright.model.steps import Steps
from rulewright.model.symbol_table import WHAT, Names
from rulewright.model.traversal import domain_parts, free_slots, parts, step_parts

USED_BY_THEMSELVES: Final = (KindName, Parameter, Value, StateVar, Zone)


class LookOver:
    """Notes what looks forgotten. `files`: those of the variants laid over; None: every missing word is told."""

    def __init__(self, names: Names, steps: Steps, sentences: Sentences, files: Collection[str] | None) -> None:
        self.names = names
        self.steps = steps
        self.sentences = sentences
        self.files = files
        self.offered: dict[int, list[Clause]] = {}  # the clauses under which each action is offered
        offers = (
            offer
            for block in steps.blocks
            for step in block.steps
            for offer in (step.effect.offers if isinstance(step.effect, Choose) else ())
        )
        for offer in offers:
            self.offered.setdefault(offer.action, []).extend(offer.clauses)

    def tell(self, span: Span, code: Code, message: str, label: str, help: str, address: str = "") -> None:
        """Warns, unless it is a matter of the base only and a variant is looked at."""
        if self.files is None or span.source.path in self.files or code in codes.LEFT_BY_A_CHANGE:
            self.names.report.add(span, code, message, label=label, help=help, address=address)

    def unused_names(self) -> None:
        """Kinds, parameters, values, states and zones that no expression mentions."""
        for name, symbol in self.names.symbols.items():
            span = self.names.spans.get(name)
            if span is not None and isinstance(symbol, USED_BY_THEMSELVES) and name not in self.names.mentioned:
                verb, label = ("reads", "only set") if name in self.names.written else ("uses", "never used")
                message = f"no rule {verb} the {WHAT[type(symbol)]} `{name}`"
                self.tell(span, codes.UNUSED, message, label, "use it or remove it")

    def unset_states(self) -> None:
        """States that some rule reads and no step sets: they stay what they are at the start."""
        if self.names.report.errors:
            return
        for name, symbol in self.names.symbols.items():
            used, span = name in self.names.mentioned, self.names.spans.get(name)
            if isinstance(symbol, StateVar) and span is not None and used and name not in self.names.written:
                message = f"no step sets the state `{name}`, so that it stays as it starts"
                self.tell(span, codes.NEVER_SET, message, "never set", "set it in a step, or make it a parameter")

    def unused_steps(self) -> None:
        """Actions that no step offers, procedures that none runs."""
        for section, does, hint in (("actions", "offers", "offer"), ("procedures", "runs", "run")):
            for entry in self.names.section(section):
                name = entry.key.text
                if name not in self.names.mentioned:
                    help_ = f"{hint} it in a step, or remove it"
                    self.tell(entry.key.span, codes.UNUSED, f"no step {does} `{name}`", "never used", help_)

    def unread_choices(self) -> None:
        """Choices of which nothing comes: no clause, no later choice and no step reads the answer."""
        if self.names.report.errors:
            return  # what could not be understood may be what reads them
        for action in self.steps.actions:
            read = self._read(action)
            for slot, choice in enumerate(action.choices):
                if slot not in read:
                    message = f"nothing that `{action.name}` asks or does reads the choice `{choice.name}`"
                    hint = "read it in a step or a clause, or do not ask for it"
                    self.tell(choice.span, codes.UNUSED, message, "never read", hint, choice.address)

    def _read(self, action: ActionDef) -> frozenset[int]:
        exprs = [expr for choice in action.choices for expr in domain_parts(choice.domain)]
        exprs += [clause.is_ for clause in (*action.clauses, *self.offered.get(action.number, ()))]
        return frozenset().union(*map(free_slots, [*exprs, *self._in_steps(action)]))

    def _in_steps(self, action: ActionDef) -> Iterator[Expr]:
        """The expressions in the steps of an action."""
        waiting = [action.block]
        while waiting:
            for step in self.steps.blocks[waiting.pop()].steps:
                yield from step_parts(step)
                if isinstance(step.effect, Run) and not step.effect.fresh:
                    waiting.append(step.effect.block)

    def wordless(self) -> None:
        """Actions and clauses without a sentence, in a game where others of their sort have one."""
        said = self.sentences.entries
        actions = self.steps.actions
        clauses = [clause for action in actions for clause in action.clauses]
        clauses += [clause for offered in self.offered.values() for clause in offered]
        if any(action.address in said for action in actions):
            for action in actions:
                if action.address not in said:
                    message = f"no sentence says what `{action.name}` does"
                    self.tell(action.span, codes.NO_SENTENCE, message, "without words", "add `text: …`", action.address)
        if any(clause.address in said for clause in clauses):
            for clause in clauses:
                if clause.address not in said:
                    message = "no sentence says why this must hold"
                    hint = f"write {{is: {clause.text}, why: …}}, and a refused player is told the reason in words"
                    self.tell(clause.span, codes.NO_SENTENCE, message, "without words", hint, clause.address)

    def all_seats(self) -> None:
        """Clauses of an action that ask of all seats together what is most often asked of the one that acts. Whose own
        steps look at the places of all seats together too, means them.
        """
        zones = {name: one for name, one in self.names.symbols.items() if isinstance(one, Zone)}
        for action in self.steps.actions:
            meant = {
                part.name
                for expr in self._in_steps(action)
                for part in parts(expr)
                if isinstance(part, ReadZone) and not part.keys
            }
            for clause in (*action.clauses, *self.offered.get(action.number, ())):
                for part in parts(clause.is_):
                    read = _asked_empty(part)
                    if read is None or read.name in meant:
                        continue
                    if not read.keys and Member("seat") in zones[read.name].keys:
                        message = f"`{read.name}` is here that of all seats together"
                        hint = (
                            f"write `{read.name}(me)`; if all are meant, `no seat has {read.name}(seat) is not empty`"
                        )
                        self.tell(clause.span, codes.ALL_SEATS, message, "of all seats", hint, clause.address)

    def endless(self) -> None:
        """A game in which no step says `finish`, and no seat can leave."""
        if self.names.report.errors:
            return
        key = self.names.root.entry("round")
        steps = [step for block in self.steps.blocks for step in block.steps]
        if key is not None and not any(isinstance(step.effect, Finish | Leave) for step in steps):
            message = "no step of this game says `finish`, so that its rounds never end"
            hint = "add a step like {when: …, finish: round}, or `finish: game` to end it at once"
            self.tell(key.key.span, codes.NEVER_ENDS, message, "goes on for ever", hint)

    def never_given_up(self) -> None:
        """A turn that whoever has it always has again: nobody else ever has one."""
        for step in next((block.steps for block in self.steps.blocks if block.address == "turn"), ()):
            again = isinstance(step.effect, Turn) and step.effect.extra and step.effect.seat
            always = step.when is None and step.each is None and step.times is None
            if always and isinstance(again, Builtin) and again.name == "me" and self.names.players > 1:
                message = "after every turn its seat has another one, so that nobody else has any"
                hint = "say when: `when: …`, of a state that `resets: round` for once in a round"
                self.tell(step.span, codes.NEVER_ENDS, message, "always again", hint, step.address)


def _asked_empty(part: Expr) -> ReadZone | None:
    """The places of which a comparison asks whether anything is there."""
    match part:
        case Compare(left=ReadZone(member=None) as read, right=Constant(type=Bag("") | SetOf(None))):
            return read
        case Compare(left=Call(function="count", args=(ReadZone(member=None) as read,)), right=Constant(value=0)):
            return read
    return None


def look_over(names: Names, steps: Steps, sentences: Sentences, files: Collection[str] | None) -> LookOver:
    """Tells all that looks forgotten; what was gathered for it serves others."""
    look = LookOver(names, steps, sentences, files)
    for check in (
        look.unused_names,
        look.unset_states,
        look.unused_steps,
        look.unread_choices,
        look.wordless,
        look.all_seats,
        look.endless,
        look.never_given_up,
    ):
        check()
    return look


__all__ = ["LookOver", "look_over"]
