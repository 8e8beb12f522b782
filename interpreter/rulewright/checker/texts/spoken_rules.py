"""The rules that are judged and say something of themselves, each with its sentence.

In: the state of a build. Out: steps, actions, clauses, choices, values and terms with what they say, in each language;
steps and clauses of a variant that changes nothing else also with what the variant says of itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from rulewright.checker.common.condition_nodes import key_span, part_span
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.single_changes import text_of_single_change
from rulewright.diagnostics import Span
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Expr
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState
from rulewright.model.effects import Block, Move, RunSteps, Step
from rulewright.model.traversal import choice_exprs, step_exprs
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import ScalarNode

Role = Literal["step", "action", "clause", "reason", "choice", "value"]
Texts = Mapping[str, ScalarNode]  # by language
RULES_NEEDED: Final = ("actions", "blocks", "book_sentences", "judged", "values")  # of a state


@frozen
class SpokenRule:
    """A rule and a sentence about it.

    `asked`: what it asks, moves or counts, by the keys at which that is written, below `address`. `steps`: those that
    it is. `action`: of which it is a part. `sentence`: the address of what it says.
    """

    role: Role
    sentence: str
    address: str
    texts: Texts
    asked: tuple[tuple[str, Expr], ...]
    span: Span
    steps: tuple[Step, ...] = ()
    action: ActionDef | None = None

    @property
    def place(self) -> str:
        """The address that a diagnostic has."""
        return self.sentence.removesuffix(".why") if self.role in ("clause", "reason") else self.address

    def steps_around(self, blocks: Sequence[Block]) -> Iterator[Step]:
        """The steps that the sentence may be about."""
        for step in self.steps:
            yield step
            if isinstance(step.effect, RunSteps):
                yield from steps_within(step.effect.block, blocks, with_procedures=True)

    def action_steps(self, blocks: Sequence[Block]) -> tuple[Step, ...]:
        """The steps of its action."""
        return () if self.action is None else tuple(steps_within(self.action.block, blocks, with_procedures=True))

    def exprs_around(self, blocks: Sequence[Block]) -> Iterator[Expr]:
        """All that the sentence may be about."""
        if not self.steps:
            yield from (expr for _, expr in self.asked)
        yield from (expr for step in self.steps_around(blocks) for expr in step_exprs(step))

    def span_of_key(self, key: str, state: BuildState) -> Span:
        """Where what is asked at a key is written."""
        return key_span(state.document.root, self.address, key, self.span)

    def span_of(self, key: str, part: Expr, state: BuildState) -> Span:
        """Where a part of what is asked at a key is written."""
        return part_span(state.document.root, self.address, key, part, self.span)


def _find_rules(state: BuildState) -> tuple[SpokenRule, ...]:
    return tuple(rule for rule in (*_steps(state), *_actions(state), *_values(state)) if rule.texts)


spoken_rules: Final = NodeMemo(_find_rules, 1)  # of the build under way, of which several checks ask


def _texts(state: BuildState, address: str, span: Span | None = None) -> Texts:
    if address in state.book_sentences.entries:
        return sentence_by_language(state, address)
    return {} if span is None else text_of_single_change(state, span)


def _steps(state: BuildState) -> Iterator[SpokenRule]:
    actions = {action.address: action for action in state.actions}
    for step in state.judged.steps:
        texts = _texts(state, step.address, step.span)
        if not texts:
            continue
        asked = [] if step.when is None else [("when", step.when)]
        if step.for_each is not None and step.for_each.condition is not None:
            asked.append(("for_each", step.for_each.condition))
        if isinstance(step.effect, Move) and step.effect.amount.of is not None:
            asked.append(("move", step.effect.amount.of))
        action = actions.get(".".join(step.address.split(".")[:2]))
        yield SpokenRule("step", step.address, step.address, texts, tuple(asked), step.span, (step,), action)


def _actions(state: BuildState) -> Iterator[SpokenRule]:
    for action in state.judged.actions:
        steps = tuple(steps_within(action.block, state.blocks, with_procedures=True))
        texts = _texts(state, action.address)
        yield SpokenRule("action", action.address, action.address, texts, (), action.span, steps, action)
        for clause in action.clauses:
            section, _, name = clause.address.rpartition(".")
            asked = ((name, clause.condition),)
            texts = _texts(state, clause.address, clause.span)
            yield SpokenRule("clause", clause.address, section, texts, asked, clause.span, (), action)
            texts = _texts(state, reason_address(clause.address))
            yield SpokenRule("reason", reason_address(clause.address), section, texts, asked, clause.span, (), action)
        for choice in action.choices:
            chosen = tuple(("one_of", expr) for expr in choice_exprs(choice))
            for address in (choice.address, reason_address(choice.address)):
                texts = _texts(state, address)
                yield SpokenRule("choice", address, choice.address, texts, chosen, choice.span, (), action)


def _values(state: BuildState) -> Iterator[SpokenRule]:
    for name, value in state.judged.values.items():
        for section, terms in (("sum", value.terms), ("less", value.deductions)):
            for term, expr in terms:
                address = f"values.{name}" if term == "is" else f"values.{name}.{section}"
                sentence = address if term == "is" else f"{address}.{term}"
                entry = state.book_sentences.entries.get(sentence)
                if entry is not None:
                    texts = sentence_by_language(state, sentence)
                    yield SpokenRule("value", sentence, address, texts, ((term, expr),), entry.key.span)
                reason = state.book_sentences.entries.get(reason_address(sentence))
                if reason is not None:
                    texts = sentence_by_language(state, reason_address(sentence))
                    asked = ((term, expr),)
                    yield SpokenRule("reason", reason_address(sentence), address, texts, asked, reason.key.span)


__all__ = ["RULES_NEEDED", "Role", "SpokenRule", "Texts", "spoken_rules"]
