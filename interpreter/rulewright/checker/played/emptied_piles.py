"""Is a pile used up before the rounds, or the repetitions, are over in each of which the top of it is taken?

In: rules, and the composition they were built from. Out: a warning about a step that takes the top of a pile in every
round, where the game has a single end, that of a certain round, and nothing ever comes to the pile, which holds too
little for so many; and about one that is repeated more often than there are things. What is drawn by each player, and
where some rule asks how much is left or whether anything has come, may be meant to go on for as long as there is
something. What a variant has made so is told at its change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.codes import DEALS_SHORT
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.logic.thing_routes import most_things_ever
from rulewright.checker.played.last_rounds import find_last_round
from rulewright.checker.played.uneven_gifts import AS_FAR_AS_IT_GOES
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.sentence_places import sentence_address
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import layout_of
from rulewright.engine.values import content_things
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, ReadZone
from rulewright.expr.walk import conjuncts, find_position_read, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.effects import Finish, Leave, Move, RunSteps, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs, blocks_within, filled_zones, run_blocks

HINT: Final = "have more there, do it less often, or ask with `when` whether something is left"
ROUND: Final = "round"


@frozen
class _Draw:
    """A step that takes so many things from the top of a pile, each time that the repeated step around it is done."""

    step: Step
    pile: str
    number: int
    times: int
    repeated: Step | None


@frozen
class _Short:
    """A draw that finds nothing in the end, and what is said of it."""

    step: Step
    message: str


def check_emptied_piles(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first such step."""
    if any(one.code is DEALS_SHORT for one in diagnostics):
        return
    short = _first_short(rules)
    if short is None or short.step.address in _as_far_as_it_goes(composition):
        return
    step, message, related = short.step, short.message, list[Related]()
    node = condition_node(composition.document.root, step.address, "move")
    span, label = step.span if node is None else node.span, "finds nothing in the end"
    if not composition.is_judged(span):
        if not is_by_variants(composition, _is_right):
            return
        label, related = "causes it", [Related(span, step.address)]
        message, span = blamed(message, step.address, composition, _is_right)
    diagnostics.add(span, DEALS_SHORT, message, label=label, help=HINT, address=step.address, related=related)


def _is_right(rules: Rules) -> bool:
    return _first_short(rules) is None


def _first_short(rules: Rules) -> _Short | None:
    draws = [*_draws(rules, ExpressionRanges(rules, (), ()), rules.round, 1, None)]
    draws = [draw for draw in draws if not _is_asked_for(rules, draw)]
    if not draws:
        return None
    try:
        return next(_repeated_too_often(rules, draws), None) or _too_many_rounds(rules, draws)
    except RuleFault:
        return None  # reported by the set-up


def _draws(rules: Rules, ranges: ExpressionRanges, block: int, times: int, repeated: Step | None) -> Iterator[_Draw]:
    """The steps of a block, and of what it runs, that take things from a pile in any case."""
    for step in rules.blocks[block].steps:
        if step.when is not None or step.while_condition is not None or step.for_each is not None:
            continue
        often = 1
        if step.times is not None:
            is_known = find_position_read(step.times) is None
            number = ranges.scalars(step.times, {}, ranges.seats).single if is_known else None
            if number is None:
                continue
            often = number
        match step.effect:
            case RunSteps(block=inner):
                outer = repeated if step.times is None else step
                yield from _draws(rules, ranges, inner, times * often, outer)
            case Move(source=source, amount=amount) if source is not None and amount.mode == "top":
                zone, of = rules.zones[source.zone], amount.of
                if zone.is_pool or zone.size > 1 or of is None or find_position_read(of) is not None:
                    continue
                taken = ranges.scalars(of, {}, ranges.seats).single
                if taken:
                    yield _Draw(step, zone.name, taken, times * often, repeated if step.times is None else step)


def _is_asked_for(rules: Rules, draw: _Draw) -> bool:
    """Whether some rule asks what is left in a pile, or whether anything has come from it."""
    names, move = NamesTouched(rules), draw.step.effect
    assert isinstance(move, Move)
    exprs = [expr for block in rules.blocks for step in block.steps for expr in asked_exprs(step)]
    exprs += [clause.condition for action in rules.actions for clause in action.clauses]
    exprs += [term for value in rules.values.values() for _, term in (*value.terms, *value.deductions)]
    return any(draw.pile in names.read(expr) or _counts(expr, move.to.zone) for expr in exprs)


def _counts(expr: Expr, zone: str) -> bool:
    """Whether an expression asks how much is in a zone, or whether anything is."""
    for part in iter_exprs(expr):
        match part:
            case Compare(left=ReadZone(name=name), right=Constant(value=None)) if name == zone:
                return True
            case Call(function="count", args=(ReadZone(name=name),)) if name == zone:
                return True
    return False


def _repeated_too_often(rules: Rules, draws: Sequence[_Draw]) -> Iterator[_Short]:
    """Draws that are repeated more often in one round than there can be things."""
    repeated = [draw for draw in draws if draw.repeated is not None]
    most = most_things_ever(rules, layout_of(rules).contents) if repeated else {}
    for draw in repeated:
        assert draw.repeated is not None
        there = most.get(draw.pile)
        blocks = blocks_within(rules, run_blocks(rules, draw.repeated.effect))
        if there is None or draw.pile in filled_zones(step for block in blocks for step in rules.blocks[block].steps):
            continue
        if draw.times * draw.number > there > 0:
            asked = f"{draw.times} times {draw.number}"
            yield _Short(draw.step, f"{asked} is more than the {there} that there can be in `{draw.pile}`")


def _too_many_rounds(rules: Rules, draws: Sequence[_Draw]) -> _Short | None:
    """The first draw of a pile that is used up before the last round, if it is sure which that is."""
    steps = [step for block in rules.blocks for step in block.steps]
    ends = [step for step in steps if isinstance(step.effect, Finish | Leave)]
    if len(ends) != 1 or ends[0] not in rules.blocks[rules.round].steps or ends[0].when is None:
        return None
    last = find_last_round(rules)
    if last is None or not _asks_for_round(ends[0]):
        return None
    order, contents, filled = rules.blocks[rules.round].steps, layout_of(rules).contents, filled_zones(steps)
    for draw in draws:
        zone = rules.zones[draw.pile]
        if zone.refill is not None or zone.name in filled:
            continue
        same = [each for each in draws if each.pile == draw.pile]
        behind = order[order.index(ends[0]) :]
        rounds = last.number - any(each.step in behind for each in same)
        drawn, there = sum(each.number * each.times for each in same), len(content_things(contents[zone.first_index]))
        if rounds * drawn > there > 0:
            return _Short(
                draw.step,
                f"`{zone.name}` holds {there}, and {rounds} rounds are played, each of which takes {drawn}",
            )
    return None


def _asks_for_round(end: Step) -> bool:
    """Whether an end asks for nothing but the number of the round."""
    conditions = conjuncts(end.when) if end.when is not None else []
    return len(conditions) == 1 and isinstance(conditions[0], Compare) and isinstance(conditions[0].left, Builtin)


def _as_far_as_it_goes(composition: Composition) -> set[str]:
    """The steps of a round whose sentence says that it is done for as long as there is something."""
    return {
        sentence_address(sentence.parts)
        for sentence in sentences_of(ROUND, composition)
        if any(AS_FAR_AS_IT_GOES.search(text.text) for _, text in sentence.texts)
    }


__all__ = ["check_emptied_piles"]
