"""The course of a game as a picture: what is done one after another in set-up, round, turn, finale and procedures, who
chooses among which actions, and where it goes on.

In: rules, a language, the rules before a variant was laid over (to mark what is new, changed, taken away). Out: a
`Diagram`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Final, TypeVar

from rulewright.diagram.builder import DiagramBuilder, OpenEnd, OpenEnds, diagram_title
from rulewright.diagram.diagram import Diagram, DiagramGroup, DiagramNode, DiffMark, NodeKind
from rulewright.diagram.node_text import NodeText, PhraseSource, is_chance_step, leaf_name
from rulewright.diagram.rules_diff import MARK_PREFIXES, RulesDiff, pair_up, presence_mark
from rulewright.model.rules import ActionDef, Block, Choose, Clause, Finish, GiveTurn, Rules, RunSteps, Step
from rulewright.model.traversal import domain_exprs
from rulewright.wording.text_case import humanize

T = TypeVar("T")

DIAGRAM_SECTIONS: Final = ("setup", "round", "turn", "finale")
NODE_KINDS: Final[dict[type, NodeKind]] = {Choose: "decision", Finish: "end", RunSteps: "part", GiveTurn: "part"}


def turn_diagram(
    rules: Rules, language: str = "en", before: Rules | None = None, phrases_for: PhraseSource | None = None
) -> Diagram:
    """A turn: its steps, the actions it offers, the procedures it runs. `before`: rules to hold it against; `phrased`:
    says in words what has no sentence, which otherwise is shown as it is written.
    """
    chart = DiagramBuilder()
    flow = FlowchartBuilder(chart, rules, language, before, phrases_for)
    sides = [one for one in (rules, before) if one is not None]
    name = "turn" if any(one.blocks[one.turn].steps for one in sides) else "round"
    flow.add_section(name)
    flow.add_procedures(frozenset(address for one in sides for address in _reached(one, getattr(one, name))))
    return chart.build(diagram_title("picture_turn", flow.new_text, rules, before), flow.new_text)


def _reached(rules: Rules, block: int) -> Iterator[str]:
    """The addresses of the procedures that steps run, at once or through others."""
    for step in rules.blocks[block].steps:
        if isinstance(step.effect, RunSteps):
            if step.effect.is_procedure:
                yield rules.blocks[step.effect.block].address
            yield from _reached(rules, step.effect.block)  # no procedure comes back to itself


class FlowchartBuilder:
    """Follows the steps of rules, and of the rules before, and draws both on a chart."""

    def __init__(
        self,
        chart: DiagramBuilder,
        rules: Rules,
        language: str,
        before: Rules | None,
        phrased: PhraseSource | None = None,
    ) -> None:
        self.builder = chart
        self.rules = rules
        self.before = rules if before is None else before
        self.diff = RulesDiff(self.before, rules)
        self.new_text = NodeText(rules, language, phrased)
        self.old_text = self.new_text if before is None else NodeText(before, language, phrased)
        self.words = self.new_text.messages

    # ---- parts of the picture -----------------------------------------------------------------------------

    def add_all(self) -> None:
        """Every part: sections, actions, procedures."""
        for name in DIAGRAM_SECTIONS:
            self.add_section(name)
        self._ranking()
        for pair in pair_up(self.before.actions, self.rules.actions, lambda one: one.name):
            self._action(*pair)
        self.add_procedures(None)

    def add_section(self, name: str) -> None:
        """Set-up, round, turn or finale; nothing where the rules have none."""
        old, new = (rules.blocks[getattr(rules, name)] for rules in (self.before, self.rules))
        pair = (old if old.steps else None), (new if new.steps else None)
        if pair != (None, None):
            self._part(name, self.words(name), self.words(f"{name}_end"), *pair)

    def add_procedures(self, wanted: frozenset[str] | None) -> None:
        """The procedures at some addresses, or all of them."""
        for old, new in pair_up(_procedures(self.before), _procedures(self.rules), lambda one: one.address):
            address = _either(old, new).address
            if wanted is None or address in wanted:
                title = self.words("procedure", name=humanize(leaf_name(address)))
                self._part(address, title, self.words("procedure_end"), old, new)

    def _part(self, address: str, title: str, end: str, old: Block | None, new: Block | None) -> None:
        mark = presence_mark(old, new)
        with self.builder.group(DiagramGroup(address, title, (), mark=mark)):
            ends = self.builder.add_node((), DiagramNode(f"{address}:start", (title,), "start", mark))
            ends = self._steps(ends, old.steps if old else (), new.steps if new else ())
            self._end(ends, address, end, mark)

    def _ranking(self) -> None:
        """What decides who is ahead, one after another."""
        old, new = self.before.ranking, self.rules.ranking
        if old or new:
            mark = presence_mark(old or None, new or None)
            with self.builder.group(DiagramGroup("ranking", self.words("ranking"), (), mark=mark)):
                ends = self.builder.add_node((), DiagramNode("ranking:start", (self.words("ranking"),), "start", mark))
                for was, now in pair_up(old, new, lambda one: one.address):
                    one, text = _either(was, now), self._tell(now).criterion(_either(was, now))
                    marked = self.diff.mark(was, now, self.diff.is_criterion_changed)
                    node = DiagramNode(one.address, text, "step", marked, one.address, len(text) > 1)
                    ends = self._one_more(ends, node)

    def _end(self, ends: OpenEnds, address: str, text: str, mark: DiffMark) -> None:
        if ends:
            self.builder.add_node(ends, DiagramNode(f"{address}:end", (text,), "end", mark))

    def _tell(self, new: object) -> NodeText:
        return self.old_text if new is None else self.new_text

    # ---- steps --------------------------------------------------------------------------------------------

    def _steps(self, ends: OpenEnds, old_steps: Sequence[Step], new_steps: Sequence[Step]) -> OpenEnds:
        for old, new in pair_up(old_steps, new_steps, lambda one: one.address):
            if new is not None:
                ends = self._step(ends, old, new)
                continue
            left, gone = _parted(ends)
            ends = (*left, *(replace(one, mark="gone") for one in self._step(gone, old, None)))
        return ends

    def _step(self, ends: OpenEnds, old: Step | None, new: Step | None) -> OpenEnds:
        """A step with its condition before it; in a frame if several boxes belong to it."""
        step, tell = _either(old, new), self._tell(new)
        nested = isinstance(step.effect, RunSteps) and not step.effect.is_procedure
        repeated = tell.repetition(step)
        if not repeated:
            ends, past = self._condition(ends, old, new)
        asked = step.when is not None or (old is not None and old.when is not None)
        frame = nested or (repeated and (asked or isinstance(step.effect, Choose)))
        said = tell.step(step)[0] if nested else ""
        title = tell.join(said, repeated) if said and repeated else said or repeated
        around = self._mark(old, new) if nested else presence_mark(old, new)
        group = DiagramGroup(f"{step.address}:steps", title, (), kind="frame", mark=around, address=step.address)
        with self.builder.group(group) if frame else nullcontext():
            if repeated:
                ends, past = self._condition(ends, old, new)
            if nested:
                ends = self._steps(ends, _nested(self.before, old), _nested(self.rules, new))
            else:
                ends = self._body(ends, old, new, "" if frame else repeated)
        return (*ends, *past)

    def _condition(self, ends: OpenEnds, old: Step | None, new: Step | None) -> tuple[OpenEnds, OpenEnds]:
        """The condition before a step: the ends at which it holds, and those at which it does not."""
        step, tell = _either(old, new), self._tell(new)
        address, key = f"{step.address}.when", f"{step.address}:when"
        if step.when is None:
            if old is None or old.when is None:
                return ends, ()
            gone = DiagramNode(key, (self.old_text.condition(old),), "condition", "gone", address)
            return (*ends, *self.builder.add_node(ends, gone)), ()
        mark = presence_mark(old, new) or ("new" if old and old.when is None else "")
        mark = mark or self.diff.mark(old, new, self.diff.is_condition_changed)
        text = (
            self.diff.append_changed_values(tell.condition(step), (step.when,))
            if mark == "changed"
            else tell.condition(step)
        )
        (asked,) = self.builder.add_node(ends, DiagramNode(key, (text,), "condition", mark, address))
        yes, no = (replace(asked, text=(tell.messages(word),)) for word in ("yes", "no"))
        return (replace(yes, kind="yes"),), (replace(no, kind="no"),)

    def _mark(self, old: Step | None, new: Step | None) -> DiffMark:
        return self.diff.mark(old, new, self.diff.is_step_changed)

    def _body(self, ends: OpenEnds, old: Step | None, new: Step | None, repeated: str) -> OpenEnds:
        """The box of a step, and what is offered there."""
        step, tell = _either(old, new), self._tell(new)
        said = tell.step(step)
        text = (*said, *([repeated] if repeated else []))
        node = DiagramNode(
            step.address, text, _kind(tell.rules, step), self._mark(old, new), step.address, len(said) > 1
        )
        ends = self.builder.add_node(ends, node)
        if isinstance(step.effect, Choose):
            return self._offers(ends, old, new)
        final = isinstance(step.effect, Finish) and step.effect.when == "game"
        return () if final else ends

    # ---- actions that are offered -------------------------------------------------------------------------

    def _offers(self, ends: OpenEnds, old: Step | None, new: Step | None) -> OpenEnds:
        """The actions that a step offers, and what else can happen there."""
        step, tell = _either(old, new), self._tell(new)
        assert isinstance(step.effect, Choose)
        found: list[OpenEnd] = []
        offers = _offered(self.before, old), _offered(self.rules, new)
        for pair in pair_up(*offers, lambda one: one[0].name):
            found += self._offer(ends, f"{step.address}:{step.effect.mode}", *pair)
        said = tell.messages("otherwise")
        others = _otherwise(self.before, old), _otherwise(self.rules, new)
        for pair in pair_up(*others, lambda one: one[0].name):
            found += self._offer(ends, f"{step.address}:otherwise", *pair, said)
        if step.effect.mode == "may":
            said = tell.messages("declined")
        if step.effect.mode == "may" or step.effect.fallback == "nothing":
            found += [replace(one, text=(said,), kind="no") for one in ends]
        return tuple(found)

    def _offer(
        self, ends: OpenEnds, address: str, old: OfferedAction | None, new: OfferedAction | None, said: str = ""
    ) -> OpenEnds:
        (action, clauses), tell = _either(old, new), self._tell(new)
        changes = tuple(MARK_PREFIXES[mark] + text for mark, text in self._changes(old, new)) if old and new else ()
        told = old is not None and new is not None and self.diff.is_sentence_changed(action.address)
        mark = "changed" if changes or told else presence_mark(old, new)
        asked = tuple(map(tell.clause, clauses))
        text = tuple(filter(None, (tell.action(action), tell.sentence_text(action.address), *asked, *changes)))
        node = DiagramNode(f"{address}:{action.name}", text, "action", mark, action.address, len(text) > 1)
        return self.builder.add_node(
            tuple(replace(one, text=(said,) if said else (), kind="offer") for one in ends), node
        )

    def _changes(self, old: OfferedAction, new: OfferedAction) -> Iterator[tuple[DiffMark, str]]:
        """What is another in an action: its choices, its conditions and those of the offer, its steps."""
        (before, _), (now, _) = old, new
        for marked, text, _ in (*self._choices(before, now), *self._clauses(old, new)):
            if marked:
                yield marked, text
        yield from self._changed_steps(_do(self.before, before), _do(self.rules, now))

    def _choices(self, old: ActionDef | None, new: ActionDef | None) -> Iterator[tuple[DiffMark, str, str]]:
        """The choices of an action: mark, what can be chosen, address."""
        for was, now in pair_up(old.choices if old else (), new.choices if new else (), lambda one: one.name):
            choice = _either(was, now)
            text = self.words("named", name=humanize(choice.name), text=self._tell(now).choice(choice))
            mark = self.diff.mark(was, now, self.diff.is_choice_changed)
            read = domain_exprs(choice.domain) if mark == "changed" else ()
            yield mark, self.diff.append_changed_values(text, read), choice.address

    def _clauses(self, old: OfferedAction | None, new: OfferedAction | None) -> Iterator[tuple[DiffMark, str, str]]:
        """The conditions of an action and of its offer: mark, text, address."""
        before, after = ((*one[0].clauses, *one[1]) if one else () for one in (old, new))
        for was, now in pair_up(before, after, lambda one: one.address):
            clause = _either(was, now)
            text = self._tell(now).clause(clause)
            mark = self.diff.mark(was, now, self.diff.is_clause_changed)
            yield (
                mark,
                self.diff.append_changed_values(text, [clause.condition] if mark == "changed" else ()),
                clause.address,
            )

    def _changed_steps(self, old_steps: Sequence[Step], new_steps: Sequence[Step]) -> Iterator[tuple[DiffMark, str]]:
        for old, new in pair_up(old_steps, new_steps, lambda one: one.address):
            step, tell = _either(old, new), self._tell(new)
            asked = self.diff.mark(old, new, self.diff.is_condition_changed)
            if mark := self._mark(old, new) or asked:
                text = tell.sentence_text(step.address) or tell.effect(step) or humanize(leaf_name(step.address))
                when = tell.condition_phrase(step)
                yield mark, self.words("named", name=when, text=text) if asked and when else text
            if old and new:
                yield from self._changed_steps(_nested(self.before, old), _nested(self.rules, new))

    # ---- actions by themselves ----------------------------------------------------------------------------

    def _action(self, old: ActionDef | None, new: ActionDef | None) -> None:
        """An action: when it is allowed, what is chosen, what is done."""
        action, tell, mark = _either(old, new), self._tell(new), presence_mark(old, new)
        title = tell.messages("action", name=tell.action(action))
        sentence = tell.sentence_text(action.address)
        with self.builder.group(DiagramGroup(action.address, title, (), mark=mark)):
            if old and new and self.diff.is_sentence_changed(action.address):
                mark = "changed"
            text = (title, sentence) if sentence else (title,)
            start = DiagramNode(f"{action.address}:start", text, "start", mark, action.address, len(text) > 1)
            ends = self.builder.add_node((), start)
            for one in self._asked(old, new):
                ends = self._one_more(ends, one)
            ends = self._steps(ends, _do(self.before, old), _do(self.rules, new))
            self._end(ends, action.address, tell.messages("action_end"), presence_mark(old, new))

    def _asked(self, old: ActionDef | None, new: ActionDef | None) -> Iterator[DiagramNode]:
        """The choices of an action, and each of its conditions as soon as it can be judged."""
        found: list[tuple[int, DiagramNode]] = []
        clauses = {clause.address: clause for one in (old, new) if one is not None for clause in one.clauses}
        for at, (mark, text, address) in enumerate(self._choices(old, new), start=1):
            found.append((at, DiagramNode(address, (text,), "decision", mark, address)))
        for mark, text, address in self._clauses((old, ()) if old else None, (new, ()) if new else None):
            found.append((clauses[address].required_choices, DiagramNode(address, (text,), "condition", mark, address)))
        yield from (node for _, node in sorted(found, key=lambda one: one[0]))

    def _one_more(self, ends: OpenEnds, node: DiagramNode) -> OpenEnds:
        """A box in a row of boxes: when it is gone, the others follow one another without it."""
        if node.mark != "gone":
            return self.builder.add_node(ends, node)
        left, gone = _parted(ends)
        return (*left, *self.builder.add_node(gone, node))


# ---- reading the rules ------------------------------------------------------------------------------------------

OfferedAction = tuple[ActionDef, tuple[Clause, ...]]


def _either(old: T | None, new: T | None) -> T:
    """What is now, or else what was."""
    one = new if new is not None else old
    assert one is not None
    return one


def _parted(ends: OpenEnds) -> tuple[OpenEnds, OpenEnds]:
    """The ends that lead past what is gone, and those that lead to it."""
    left = tuple(one for one in ends if one.mark != "gone")
    gone = tuple(one for one in ends if one.mark == "gone")
    return left, gone or tuple(replace(one, text=(), kind="next") for one in left)


def _procedures(rules: Rules) -> list[Block]:
    found = (one for one in rules.blocks if one.address.startswith("procedures.") and one.address.count(".") == 1)
    return list({one.address: one for one in found}.values())


def _nested(rules: Rules, step: Step | None) -> Sequence[Step]:
    """The steps inside a step."""
    effect = None if step is None else step.effect
    return rules.blocks[effect.block].steps if isinstance(effect, RunSteps) and not effect.is_procedure else ()


def _do(rules: Rules, action: ActionDef | None) -> Sequence[Step]:
    return () if action is None else rules.blocks[action.block].steps


def _offered(rules: Rules, step: Step | None) -> list[OfferedAction]:
    offers = step.effect.offers if step is not None and isinstance(step.effect, Choose) else ()
    return [(rules.actions[one.action], one.clauses) for one in offers]


def _otherwise(rules: Rules, step: Step | None) -> list[OfferedAction]:
    number = step.effect.fallback if step is not None and isinstance(step.effect, Choose) else None
    return [(rules.actions[number], ())] if isinstance(number, int) else []


def _kind(rules: Rules, step: Step) -> NodeKind:
    if is_chance_step(rules, step):
        return "chance"
    return next((kind for effect, kind in NODE_KINDS.items() if isinstance(step.effect, effect)), "step")


__all__ = ["FlowchartBuilder", "turn_diagram"]
