"""Does a sentence show something else, in its braces, than what its rule asks?

In: the state of a build. Out: warnings about

- rules that read one parameter, where their sentence shows another one;
- clauses that ask one state or zone and whose reason shows another of the same type, where the action itself changes
  what is shown, and not what is asked, or where another action asks just the same and its reason shows it; what only
  the reason shows may be meant to explain;
- clauses that ask what another player has, and whose reason shows the same of the player in turn;
- rules that ask for what comes next, such as `count(row) + 1`, and whose reason calls `{count(row)}` the next;
- clauses that ask for a count, where the reason shows the count of a place, and calls it by what lies in the other;
- clauses and choices whose reason shows a state that the action replaces, by words such as "more than {best}", or by
  what is chosen, where nothing that is asked compares with it: an offer that is to be higher can be lower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rulewright.checker.common.lint_codes import LOOKS_AT_HIDDEN, OTHER_REASON
from rulewright.checker.common.rules_read import all_parts, offer_clauses
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.names_of_things import NAMES_NEEDED, Named, mentions
from rulewright.checker.texts.spoken_rules import RULES_NEEDED, Role, SpokenRule, spoken_rules
from rulewright.document.sentence_places import HOLE
from rulewright.document.text_addresses import reason_address
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import Arithmetic, Call, Compare, Constant, Expr, Local, ReadParameter, ReadState, ReadZone
from rulewright.expr.types import SEAT, Member, Number, Thing
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Roll, SetState
from rulewright.model.locale import ENGLISH
from rulewright.model.traversal import choice_exprs

DRAWS_LINE: Final = lazy_pattern(  # in front of a hole; the holes of another language are the same
    r"(?i)\b(?:more|higher|greater|less|fewer|lower|dearer|cheaper|larger|smaller) than(?: the)?(?: [a-z]+)? ?$"
    r"|\b(?:at least|at most|above|below|over|under|beat) ?$"
)
IS_NEXT: Final = lazy_pattern(  # in front of a hole: what it shows has to be there
    r"(?i)\b(?:next|must|has to|have to|needs?|needed|suivante?|prochaine?|doit|faut)\b[^.;{}]*$"
)

Names = frozenset[str]


@frozen
class _Hole:
    """What a sentence shows, as it is written, and its words in front of that and behind it."""

    text: str
    before: str
    behind: str
    expr: Expr


@build_pass(needs=sorted({*NAMES_NEEDED, *RULES_NEEDED, "sentences"}), skip=after_errors)
def check_shown_in_sentences(state: BuildState) -> None:
    """Reports them, of each rule the first."""
    for rule in spoken_rules(state):
        holes = [*_holes(rule.sentence, state)]
        if not holes:
            continue
        for check in CHECKS.get(rule.role, ()):
            if check(rule, holes, state):
                break


def _holes(sentence: str, state: BuildState) -> Iterator[_Hole]:
    if sentence in state.sentences.entries:
        for scalar, offset, expr in state.sentences.hole_sources(sentence):
            text, _, behind = scalar.text[offset:].partition("}")
            yield _Hole(text, HOLE.sub("…", scalar.text[:offset].removesuffix("{")), behind, expr)


def _report(rule: SpokenRule, message: str, label: str, hint: str, state: BuildState) -> bool:
    warn(state, rule.span_of_key(rule.asked[0][0], state), OTHER_REASON, message, label, hint, rule.place)
    return True


def _report_shown(rule: SpokenRule, asked: str, shown: str, state: BuildState) -> bool:
    message = f"this asks about `{asked}`, and its reason shows `{shown}`"
    hint = f"ask about `{shown}`, or show `{asked}`"
    return _report(rule, message, f"does not ask about `{shown}`", hint, state)


def _read(exprs: list[Expr], state: BuildState) -> Names:
    """The states and zones that expressions read, also by values."""
    parts = all_parts(state.values, exprs)
    return frozenset(part.name for part in parts if isinstance(part, ReadState | ReadZone))


# ---- one for another ----------------------------------------------------------------------------------------------


def _check_parameters(rule: SpokenRule, holes: list[_Hole], state: BuildState) -> bool:
    """Reports a parameter that is shown, and not read, where another is read, and not shown."""
    shown = {one.name for hole in holes for one in iter_exprs(hole.expr) if isinstance(one, ReadParameter)}
    exprs = [expr for _, expr in rule.asked]
    asked = {one.name for expr in exprs for one in iter_exprs(expr) if isinstance(one, ReadParameter)}
    around = [*exprs, *rule.exprs_around(state.blocks)]
    read = {one.name for one in all_parts(state.values, around) if isinstance(one, ReadParameter)}
    if len(asked) != 1 or len(shown - read) != 1 or shown & read:
        return False
    (one,), (other,) = asked, shown
    if {one, other} > state.parameters.keys() or not all(
        isinstance(state.parameters[name].type, Number) for name in (one, other)
    ):
        return False
    whose = "its reason" if rule.role == "reason" else "its sentence"
    message, hint = f"this reads `{one}`, and {whose} shows `{other}`", f"read `{other}`, or show `{one}`"
    return _report(rule, message, f"does not read `{other}`", hint, state)


def _check_alike(rule: SpokenRule, holes: list[_Hole], state: BuildState) -> bool:
    """Reports a state or zone that is shown, where another is asked that is like it."""
    asked, shown = _read([rule.asked[0][1]], state), _read([hole.expr for hole in holes], state)
    if len(shown) != 1 or shown & asked:
        return False
    (other,) = shown
    meant = [name for name in sorted(asked) if _are_alike(name, other, state)]
    if len(meant) != 1:
        return False
    written = _written(rule, state)
    is_about = other in written and meant[0] not in written
    return (is_about or _has_twin(rule, meant[0], state)) and _report_shown(rule, meant[0], other, state)


def _has_twin(rule: SpokenRule, asked: str, state: BuildState) -> bool:
    """Whether the reason of another action shows what this one asks, which asks just the same."""
    clauses = (clause for action in state.actions if action is not rule.action for clause in action.clauses)
    return any(
        are_same((clause.condition,), (rule.asked[0][1],))
        and asked in _read([hole.expr for hole in _holes(reason_address(clause.address), state)], state)
        for clause in clauses
    )


def _are_alike(one: str, other: str, state: BuildState) -> bool:
    """Whether two names are of states of one type, or of zones that hold the same, with the same keys."""
    if one in state.states and other in state.states:
        mine, its = state.states[one], state.states[other]
        return mine.type == its.type and mine.key_types == its.key_types
    if one in state.zones and other in state.zones:
        held, by_it = state.zones[one], state.zones[other]
        return held.content_type == by_it.content_type and held.key_types == by_it.key_types
    return False


def _written(rule: SpokenRule, state: BuildState) -> Names:
    """The states and zones that the steps of an action change."""
    found = set[str]()
    for step in rule.action_steps(state.blocks):
        match step.effect:
            case SetState(target=target) | Roll(target=target):
                found.add(target.name)
            case Move(source=source, to=to):
                found |= {to.zone, *(() if source is None else (source.zone,))}
    return frozenset(found)


def _check_owners(rule: SpokenRule, holes: list[_Hole], state: BuildState) -> bool:
    """Reports what is shown of the player in turn, where just the same is asked of another."""
    key, condition = rule.asked[0]
    if any(other.address == rule.place and other.code is LOOKS_AT_HIDDEN for other in state.diagnostics):
        return False
    parts = [*all_parts(state.values, [condition])]
    for hole in holes:
        for one in (part for part in iter_exprs(hole.expr) if isinstance(part, ReadState | ReadZone)):
            same = [part for part in parts if isinstance(part, ReadState | ReadZone) and part.name == one.name]
            owners = [other for part in same for other in part.keys if other.type == SEAT]
            if any(map(is_me, one.keys)) and owners and not any(is_me(other) or _is_bound(other) for other in owners):
                span = rule.span_of(key, same[0], state)
                message = f"this asks about `{span.text}`, and its reason shows `{hole.text}`"
                hint = "ask about the same player, or change the reason"
                warn(state, span, OTHER_REASON, message, "of another player", hint, rule.place)
                return True
    return False


def _is_bound(key: Expr) -> bool:
    """Whether a key is a variable, which may be anybody."""
    return any(isinstance(part, Local) for part in iter_exprs(key))


# ---- the next number ----------------------------------------------------------------------------------------------


def _check_next(rule: SpokenRule, holes: list[_Hole], state: BuildState) -> bool:
    """Reports that a number is said to be the next one, from which the next is reckoned."""
    key, condition = rule.asked[0]
    for compare in (part for part in iter_exprs(condition) if isinstance(part, Compare) and part.op == "is"):
        for side in (compare.left, compare.right):
            if not isinstance(side, Arithmetic) or not isinstance(side.right, Constant):
                continue
            if any(are_same((hole.expr,), (side,)) for hole in holes):
                continue
            hole = next((hole for hole in holes if are_same((hole.expr,), (side.left,))), None)
            if hole is not None and IS_NEXT.search(hole.before):
                asked = rule.span_of(key, side, state)
                message = f"this asks for `{asked.text}`, and its reason shows `{hole.text}`"
                hint = f"show `{asked.text}`, or change the condition"
                warn(state, asked, OTHER_REASON, message, "another number", hint, rule.place)
                return True
    return False


# ---- counts -------------------------------------------------------------------------------------------------------


def _check_counts(rule: SpokenRule, holes: list[_Hole], state: BuildState) -> bool:
    """Reports a count that is called by what lies in the place which is asked, and not in that which is counted."""
    condition = rule.asked[0][1]
    if not isinstance(condition, Compare):
        return False
    asked = [zone for side in (condition.left, condition.right) if (zone := _counted(side)) is not None]
    counted = [(hole, zone) for hole in holes if (zone := _counted(hole.expr)) is not None]
    if len(asked) != 1 or asked[0].name in {zone.name for _, zone in counted}:
        return False
    for hole, zone in counted:
        noun = next((one for one in mentions(ENGLISH, hole.behind, state) if not one.before), None)
        if noun is None or not are_same(zone.keys, asked[0].keys):
            continue
        if _content(asked[0].name, state) in noun.meanings and _content(zone.name, state) not in noun.meanings:
            return _report_shown(rule, asked[0].name, zone.name, state)
    return False


def _counted(expr: Expr) -> ReadZone | None:
    """The place whose count an expression is."""
    match expr:
        case Call(function="count", args=(ReadZone() as zone,)):
            return zone
    return None


def _content(zone: str, state: BuildState) -> Named | None:
    """The kind or component of what a zone holds."""
    match state.zones[zone].content_type:
        case Member(kind=kind):
            return Named("kind", kind)
        case Thing(component=component):
            return Named("component", component)


# ---- what is replaced ---------------------------------------------------------------------------------------------


def _check_replaced(rule: SpokenRule, holes: list[_Hole], state: BuildState) -> bool:
    """Reports a number that is shown to be compared with, is replaced, and is compared with nothing."""
    action = rule.action
    if action is None:  # of a value
        return False
    slot = next((slot for slot, choice in enumerate(action.choices) if choice.address == rule.address), None)
    for hole in holes:
        name = hole.expr.name if isinstance(hole.expr, ReadState) else ""
        steps = [step.effect for step in rule.action_steps(state.blocks) if isinstance(step.effect, SetState)]
        values = [step.to for step in steps if step.target.name == name]
        if not values or not isinstance(state.states[name].type, Number) or name in _asked(rule, state):
            continue
        if slot is not None and any(isinstance(to, Local) and to.slot == slot for to in values):
            choice = action.choices[slot].name
            message = f"the reason shows `{name}`, which `{choice}` replaces, and nothing compares them"
            hint = f"begin with `{name} + 1`, or ask in a clause how they compare"
            return _report(rule, message, "whatever was before", hint, state)
        if slot is None and DRAWS_LINE.search(hole.before):
            message = f"its reason speaks of `{name}`, and nothing here asks for it"
            hint = f"ask for `{name}`, or change the reason"
            return _report(rule, message, f"does not ask for `{name}`", hint, state)
    return False


def _asked(rule: SpokenRule, state: BuildState) -> Names:
    """What is read before an action is done."""
    action = rule.action
    assert action is not None
    exprs = [expr for choice in action.choices for expr in choice_exprs(choice)]
    clauses = (*action.clauses, *offer_clauses(state.blocks).get(action.index, ()))
    return _read([*exprs, *(clause.condition for clause in clauses)], state)


CHECKS: Final[Mapping[Role, tuple[Callable[[SpokenRule, list[_Hole], BuildState], bool], ...]]] = {
    "step": (_check_parameters,),
    "clause": (_check_parameters,),
    "reason": (_check_parameters, _check_alike, _check_owners, _check_next, _check_counts, _check_replaced),
    "choice": (_check_replaced,),
    "value": (_check_parameters,),
}

__all__ = ["check_shown_in_sentences"]
