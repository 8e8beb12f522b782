"""The course of a game as a flowchart: the steps of set-up, round, turn, finale and procedures, who chooses among which
actions, and where it goes on.

In: rules, a locale, the rules without variants (to mark what is new, changed, removed). Out: a `Diagram`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Final, TypeVar

from rulewright.diagram.builder import DiagramBuilder, OpenEnd, OpenEnds, diagram_title
from rulewright.diagram.diagram import Diagram, DiagramGroup, DiagramNode, DiffMark, NodeKind
from rulewright.diagram.node_text import (
    DIAGRAM_SECTIONS,
    NodeText,
    PhraseSource,
    SectionKey,
    is_chance_step,
    iter_procedures,
    leaf_name,
    section_block,
)
from rulewright.diagram.rules_diff import MARK_PREFIXES, RulesDiff, pair_up, presence_mark
from rulewright.frozen import replace
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.effects import Block, Choose, Finish, GiveTurn, RunSteps, Step
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Rules
from rulewright.model.traversal import domain_exprs, only_step
from rulewright.wording.text_case import humanize

T = TypeVar("T")
OfferedAction = tuple[ActionDef, tuple[Clause, ...]]  # an action and the conditions of the offer
NODE_KINDS: Final[dict[type, NodeKind]] = {Choose: "decision", Finish: "end", RunSteps: "part", GiveTurn: "part"}


def turn_diagram(
    rules: Rules, locale: str = ENGLISH, before: Rules | None = None, phrases_for: PhraseSource | None = None
) -> Diagram:
    """A turn: its steps, the actions it offers, the procedures it runs; of a game without turns the round.

    `before`: rules to compare with; `phrases_for`: else what has no sentence is shown as it is written.
    """
    builder = DiagramBuilder()
    flowchart = FlowchartBuilder(builder, rules, locale, before, phrases_for)
    sides = [side for side in (rules, before) if side is not None]
    name: SectionKey = "turn" if any(side.blocks[side.turn].steps for side in sides) else "round"
    flowchart.add_section(name)
    flowchart.add_procedures(
        frozenset(address for side in sides for address in _called_procedures(side, section_block(side, name)))
    )
    return builder.build(diagram_title("picture_turn", flowchart.new_text, rules, before), flowchart.new_text)


def _called_procedures(rules: Rules, block: int) -> Iterator[str]:
    """The addresses of the procedures that steps run, directly or through others."""
    for step in rules.blocks[block].steps:
        if isinstance(step.effect, RunSteps):
            if step.effect.is_procedure:
                yield rules.blocks[step.effect.block].address
            yield from _called_procedures(rules, step.effect.block)  # ends: no procedure can run itself


class FlowchartBuilder:
    """Follows the steps of the rules and of those before, and adds both to a diagram."""

    def __init__(
        self,
        builder: DiagramBuilder,
        rules: Rules,
        locale: str,
        before: Rules | None,
        phrases_for: PhraseSource | None = None,
    ) -> None:
        self.builder = builder
        self.rules = rules
        self.before = rules if before is None else before
        self.diff = RulesDiff(self.before, rules)
        self.new_text = NodeText(rules, locale, phrases_for)
        self.old_text = self.new_text if before is None else NodeText(before, locale, phrases_for)
        self.messages = self.new_text.messages

    # ---- parts of the picture -----------------------------------------------------------------------------

    def add_all(self) -> None:
        """Every part: sections, actions, procedures."""
        for name in DIAGRAM_SECTIONS:
            self.add_section(name)
        self._ranking()
        for pair in pair_up(self.before.actions, self.rules.actions, lambda action: action.name):
            self._action(*pair)
        self.add_procedures(None)

    def add_section(self, name: SectionKey) -> None:
        """Set-up, round, turn or finale; nothing where the rules have none."""
        old, new = (rules.blocks[section_block(rules, name)] for rules in (self.before, self.rules))
        pair = (old if old.steps else None), (new if new.steps else None)
        if pair != (None, None):
            self._part(name, self.messages(name), self.messages(f"{name}_end"), *pair)

    def add_procedures(self, wanted: frozenset[str] | None) -> None:
        """The procedures at some addresses, or all of them."""
        for old, new in pair_up(
            (block for _, block in iter_procedures(self.before)),
            (block for _, block in iter_procedures(self.rules)),
            lambda block: block.address,
        ):
            address = _either(old, new).address
            if wanted is None or address in wanted:
                title = self.messages("procedure", name=humanize(leaf_name(address)))
                self._part(address, title, self.messages("procedure_end"), old, new)

    def _part(self, address: str, title: str, end: str, old: Block | None, new: Block | None) -> None:
        mark = presence_mark(old, new)
        with self.builder.group(DiagramGroup(address, title, (), mark=mark)):
            ends = self.builder.add_node((), DiagramNode(f"{address}:start", (title,), "start", mark))
            ends = self._steps(ends, old.steps if old else (), new.steps if new else ())
            self._end(ends, address, end, mark)

    def _ranking(self) -> None:
        """The criteria of the ranking, one after another."""
        old, new = self.before.ranking, self.rules.ranking
        if old or new:
            mark = presence_mark(old or None, new or None)
            with self.builder.group(DiagramGroup("ranking", self.messages("ranking"), (), mark=mark)):
                ends = self.builder.add_node(
                    (), DiagramNode("ranking:start", (self.messages("ranking"),), "start", mark)
                )
                for pair in pair_up(old, new, lambda criterion: criterion.address):
                    criterion = _either(*pair)
                    text = self._text_of(pair[1]).criterion(criterion)
                    mark = self.diff.mark(*pair, self.diff.is_criterion_changed)
                    node = DiagramNode(criterion.address, text, "step", mark, criterion.address, len(text) > 1)
                    ends = self._add_bypassed(ends, node)

    def _end(self, ends: OpenEnds, address: str, text: str, mark: DiffMark) -> None:
        if ends:
            self.builder.add_node(ends, DiagramNode(f"{address}:end", (text,), "end", mark))

    def _text_of(self, new: object) -> NodeText:
        """The texts of what exists after the change, else those before it."""
        return self.old_text if new is None else self.new_text

    # ---- steps --------------------------------------------------------------------------------------------

    def _steps(self, ends: OpenEnds, old_steps: Sequence[Step], new_steps: Sequence[Step]) -> OpenEnds:
        for old, new in pair_up(old_steps, new_steps, lambda step: step.address):
            if new is not None:
                ends = self._step(ends, old, new)
                continue
            kept, gone = _split_ends(ends)
            ends = (*kept, *(replace(end, mark="gone") for end in self._step(gone, old, None)))
        return ends

    def _step(self, ends: OpenEnds, old: Step | None, new: Step | None) -> OpenEnds:
        """A step with its condition before it; in a frame if it has several boxes."""
        step, text = _either(old, new), self._text_of(new)
        is_nested = isinstance(step.effect, RunSteps) and not step.effect.is_procedure
        repetition = text.repetition(step)
        if not repetition:
            ends, skipped = self._condition(ends, old, new)
        has_condition = step.when is not None or (old is not None and old.when is not None)
        has_frame = is_nested or (repetition and (has_condition or isinstance(step.effect, Choose)))
        sentence = text.step(step)[0] if is_nested else ""
        title = text.join(sentence, repetition) if sentence and repetition else sentence or repetition
        mark = self._step_mark(old, new) if is_nested else presence_mark(old, new)
        group = DiagramGroup(f"{step.address}:steps", title, (), kind="frame", mark=mark, address=step.address)
        with self.builder.group(group) if has_frame else nullcontext():
            if repetition:
                ends, skipped = self._condition(ends, old, new)
            if is_nested:
                ends = self._steps(ends, _nested(self.before, old), _nested(self.rules, new))
            else:
                ends = self._body(ends, old, new, "" if has_frame else repetition)
        return (*ends, *skipped)

    def _condition(self, ends: OpenEnds, old: Step | None, new: Step | None) -> tuple[OpenEnds, OpenEnds]:
        """The condition before a step: the ends at which it holds, and those at which it does not."""
        step, text = _either(old, new), self._text_of(new)
        address, key = f"{step.address}.when", f"{step.address}:when"
        if step.when is None:
            if old is None or old.when is None:
                return ends, ()
            gone = DiagramNode(key, (self.old_text.condition(old),), "condition", "gone", address)
            return (*ends, *self.builder.add_node(ends, gone)), ()
        mark = presence_mark(old, new) or ("new" if old and old.when is None else "")
        mark = mark or self.diff.mark(old, new, self.diff.is_condition_changed)
        condition = text.condition(step)
        if mark == "changed":
            condition = self.diff.append_changed_values(condition, (step.when,))
        (end,) = self.builder.add_node(ends, DiagramNode(key, (condition,), "condition", mark, address))
        yes, no = (replace(end, text=(text.messages(word),)) for word in ("yes", "no"))
        return (replace(yes, kind="yes"),), (replace(no, kind="no"),)

    def _step_mark(self, old: Step | None, new: Step | None) -> DiffMark:
        return self.diff.mark(old, new, self.diff.is_step_changed)

    def _body(self, ends: OpenEnds, old: Step | None, new: Step | None, repetition: str) -> OpenEnds:
        """The box of a step, and what is offered there."""
        step, text = _either(old, new), self._text_of(new)
        paragraphs = text.step(step)
        node = DiagramNode(
            step.address,
            (*paragraphs, *([repetition] if repetition else [])),
            _node_kind(text.rules, step),
            self._step_mark(old, new),
            step.address,
            has_heading=len(paragraphs) > 1,
        )
        ends = self.builder.add_node(ends, node)
        if isinstance(step.effect, Choose):
            return self._offers(ends, old, new)
        ends_game = isinstance(step.effect, Finish) and step.effect.when == "now"
        return () if ends_game else ends

    # ---- actions that are offered -------------------------------------------------------------------------

    def _offers(self, ends: OpenEnds, old: Step | None, new: Step | None) -> OpenEnds:
        """The actions that a step offers, its fallback, and what happens without either."""
        step, text = _either(old, new), self._text_of(new)
        assert isinstance(step.effect, Choose)
        next_ends: list[OpenEnd] = []
        offers = _offered(self.before, old), _offered(self.rules, new)
        for pair in pair_up(*offers, lambda offer: offer[0].name):
            next_ends += self._offer(ends, f"{step.address}:{step.effect.mode}", *pair)
        label = text.messages("otherwise")
        fallbacks = _fallback(self.before, old), _fallback(self.rules, new)
        for pair in pair_up(*fallbacks, lambda offer: offer[0].name):
            next_ends += self._offer(ends, f"{step.address}:otherwise", *pair, label)
        if step.effect.mode == "may":
            label = text.messages("declined")
        if step.effect.mode == "may" or step.effect.fallback == "nothing":
            next_ends += [replace(end, text=(label,), kind="no") for end in ends]
        return tuple(next_ends)

    def _offer(
        self, ends: OpenEnds, address: str, old: OfferedAction | None, new: OfferedAction | None, label: str = ""
    ) -> OpenEnds:
        """An action that is offered, with what has changed in it. `label`: of the arrows to it."""
        (action, clauses), text = _either(old, new), self._text_of(new)
        changes: list[str] = []
        mark = presence_mark(old, new)
        if old is not None and new is not None:
            changes = [MARK_PREFIXES[change] + what for change, what in self._changes(old, new)]
            mark = "changed" if changes or self.diff.is_sentence_changed(action.address) else ""
        texts = (text.action(action), text.sentence_text(action.address), *map(text.clause, clauses), *changes)
        paragraphs = tuple(filter(None, texts))
        node = DiagramNode(f"{address}:{action.name}", paragraphs, "action", mark, action.address, len(paragraphs) > 1)
        labels = (label,) if label else ()
        return self.builder.add_node(tuple(replace(end, text=labels, kind="offer") for end in ends), node)

    def _changes(self, old: OfferedAction, new: OfferedAction) -> Iterator[tuple[DiffMark, str]]:
        """What differs in an action: its choices, its conditions and those of the offer, its steps."""
        (before, _), (after, _) = old, new
        for mark, text, _ in (*self._choices(before, after), *self._clauses(old, new)):
            if mark:
                yield mark, text
        yield from self._changed_steps(_action_steps(self.before, before), _action_steps(self.rules, after))

    def _choices(self, old: ActionDef | None, new: ActionDef | None) -> Iterator[tuple[DiffMark, str, str]]:
        """The choices of an action: mark, what can be chosen, address."""
        for pair in pair_up(old.choices if old else (), new.choices if new else (), lambda choice: choice.name):
            choice = _either(*pair)
            text = self.messages("named", name=humanize(choice.name), text=self._text_of(pair[1]).choice(choice))
            mark = self.diff.mark(*pair, self.diff.is_choice_changed)
            exprs = domain_exprs(choice.domain) if mark == "changed" else ()
            yield mark, self.diff.append_changed_values(text, exprs), choice.address

    def _clauses(self, old: OfferedAction | None, new: OfferedAction | None) -> Iterator[tuple[DiffMark, str, str]]:
        """The conditions of an action and of its offer: mark, text, address."""
        before, after = ((*offer[0].clauses, *offer[1]) if offer else () for offer in (old, new))
        for pair in pair_up(before, after, lambda clause: clause.address):
            clause = _either(*pair)
            mark = self.diff.mark(*pair, self.diff.is_clause_changed)
            exprs = [clause.condition] if mark == "changed" else ()
            text = self.diff.append_changed_values(self._text_of(pair[1]).clause(clause), exprs)
            yield mark, text, clause.address

    def _changed_steps(self, old_steps: Sequence[Step], new_steps: Sequence[Step]) -> Iterator[tuple[DiffMark, str]]:
        for old, new in pair_up(old_steps, new_steps, lambda step: step.address):
            step, text = _either(old, new), self._text_of(new)
            condition_mark = self.diff.mark(old, new, self.diff.is_condition_changed)
            if mark := self._step_mark(old, new) or condition_mark:
                effect = text.sentence_text(step.address) or text.effect(step) or humanize(leaf_name(step.address))
                when = text.condition_phrase(step)
                yield mark, self.messages("named", name=when, text=effect) if condition_mark and when else effect
            if old and new:
                yield from self._changed_steps(_within(self.before, old), _within(self.rules, new))

    # ---- actions by themselves ----------------------------------------------------------------------------

    def _action(self, old: ActionDef | None, new: ActionDef | None) -> None:
        """An action: when it is allowed, what is chosen, what is done."""
        action, text, mark = _either(old, new), self._text_of(new), presence_mark(old, new)
        title = text.messages("action", name=text.action(action))
        sentence = text.sentence_text(action.address)
        with self.builder.group(DiagramGroup(action.address, title, (), mark=mark)):
            if old and new and self.diff.is_sentence_changed(action.address):
                mark = "changed"
            paragraphs = (title, sentence) if sentence else (title,)
            start = DiagramNode(
                f"{action.address}:start", paragraphs, "start", mark, action.address, len(paragraphs) > 1
            )
            ends = self.builder.add_node((), start)
            for node in self._choices_and_clauses(old, new):
                ends = self._add_bypassed(ends, node)
            ends = self._steps(ends, _action_steps(self.before, old), _action_steps(self.rules, new))
            self._end(ends, action.address, text.messages("action_end"), presence_mark(old, new))

    def _choices_and_clauses(self, old: ActionDef | None, new: ActionDef | None) -> Iterator[DiagramNode]:
        """The choices of an action, and each of its conditions as soon as it can be evaluated."""
        nodes: list[tuple[int, DiagramNode]] = []  # with the number of choices up to it
        clauses = {clause.address: clause for action in (old, new) if action is not None for clause in action.clauses}
        for index, (mark, text, address) in enumerate(self._choices(old, new), start=1):
            nodes.append((index, DiagramNode(address, (text,), "decision", mark, address)))
        for mark, text, address in self._clauses((old, ()) if old else None, (new, ()) if new else None):
            nodes.append((clauses[address].required_choices, DiagramNode(address, (text,), "condition", mark, address)))
        yield from (node for _, node in sorted(nodes, key=lambda entry: entry[0]))

    def _add_bypassed(self, ends: OpenEnds, node: DiagramNode) -> OpenEnds:
        """A box in a row of boxes; one that is gone has an arrow past it."""
        if node.mark != "gone":
            return self.builder.add_node(ends, node)
        kept, gone = _split_ends(ends)
        return (*kept, *self.builder.add_node(gone, node))


# ---- reading the rules ------------------------------------------------------------------------------------------


def _either(old: T | None, new: T | None) -> T:
    """What exists after the change, or else before it."""
    either = new if new is not None else old
    assert either is not None
    return either


def _split_ends(ends: OpenEnds) -> tuple[OpenEnds, OpenEnds]:
    """The ends that lead past what is gone, and those that lead to it."""
    kept = tuple(end for end in ends if end.mark != "gone")
    gone = tuple(end for end in ends if end.mark == "gone")
    return kept, gone or tuple(replace(end, text=(), kind="next") for end in kept)


def _nested(rules: Rules, step: Step | None) -> Sequence[Step]:
    """The steps inside a step."""
    effect = None if step is None else step.effect
    return rules.blocks[effect.block].steps if isinstance(effect, RunSteps) and not effect.is_procedure else ()


def _within(rules: Rules, step: Step) -> Sequence[Step]:
    """The steps inside a step, and the one that makes up the procedure that it runs."""
    only = only_step(rules, step)
    return _nested(rules, step) if only is None else (only,)


def _action_steps(rules: Rules, action: ActionDef | None) -> Sequence[Step]:
    return () if action is None else rules.blocks[action.block].steps


def _offered(rules: Rules, step: Step | None) -> list[OfferedAction]:
    offers = step.effect.offers if step is not None and isinstance(step.effect, Choose) else ()
    return [(rules.actions[offer.action], offer.clauses) for offer in offers]


def _fallback(rules: Rules, step: Step | None) -> list[OfferedAction]:
    index = step.effect.fallback if step is not None and isinstance(step.effect, Choose) else None
    return [(rules.actions[index], ())] if isinstance(index, int) else []


def _node_kind(rules: Rules, step: Step) -> NodeKind:
    if is_chance_step(rules, step):
        return "chance"
    return next((kind for effect, kind in NODE_KINDS.items() if isinstance(step.effect, effect)), "step")


__all__ = ["FlowchartBuilder", "turn_diagram"]
