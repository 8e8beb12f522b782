"""Does a value count something else than its sentence says, or what the sentence leaves out?

In: the state of a build. Out: warnings about values and terms whose sentence counts by the name of another value ("for
every three tools") and that read nothing of what that value reads; and about values and clauses that count all of a
place where their sentence says that one sort in it is not counted ("the red ones not counted").
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.lint_codes import OTHER_TERM, OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.names_of_things import NAMES_NEEDED, Mention, mentions
from rulewright.checker.texts.spoken_rules import RULES_NEEDED, SpokenRule, spoken_rules
from rulewright.expr.tree import Call, Constant, Expr, ReadState, ReadValue, ReadZone
from rulewright.expr.types import Flag, Member
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.locale import ENGLISH

COUNTED: Final = lazy_pattern(r"\b(?:for each|for every|per|each|every)(?: \w+)?$")  # in front of what is counted
LEFT_OUT_BEFORE: Final = {  # by language, in front of the name of a member
    "en": lazy_pattern(r"\b(?:without|not counting|except|excluding|apart from|other than|leaving out)(?: the| any)?$"),
    "fr": lazy_pattern(r"\b(?:sans|sans compter|hors|sauf|excepté|à part)(?: l| le| la| les)?$"),
}
LEFT_OUT_BEHIND: Final = {
    "en": lazy_pattern(
        r"^(?:is |are |being )?(?:not counted|not included|excluded|excepted|left out|does not count|do not count)\b"
    ),
    "fr": lazy_pattern(r"^(?:non comptée?s?|exclue?s?|ne comptent? pas)\b"),
}
ROLES: Final = ("clause", "reason", "value")


@build_pass(needs=sorted({*NAMES_NEEDED, *RULES_NEEDED}), skip=after_errors)
def check_counted_things(state: BuildState) -> None:
    """Reports them."""
    for rule in spoken_rules(state):
        if rule.role not in ROLES:
            continue
        key, expr = rule.asked[0]
        other = _other_value(rule, state) if rule.role == "value" else ""
        left_out = "" if other else _left_out(rule, expr, state)
        span = rule.span_of_key(key, state)
        if other:
            message = f"its sentence counts `{other}`, and this has nothing to do with them"
            hint = f"count `{other}`, or change the sentence"
            warn(state, span, OTHER_TERM, message, f"not `{other}`", hint, rule.place)
        elif left_out:
            message = f"its sentence leaves `{left_out}` out, and this counts all"
            hint = f"take `{left_out}` off, or change the sentence"
            warn(state, span, OTHER_WAY, message, f"`{left_out}` is counted, too", hint, rule.place)


def _other_value(rule: SpokenRule, state: BuildState) -> str:
    """The number that a sentence counts by its name, where its value reads nothing of it."""
    text, own = rule.texts.get(ENGLISH), _read(rule.asked[0][1], state)
    for one in mentions(ENGLISH, text.text, state) if text is not None and own else ():
        for name in one.names("value") if COUNTED.search(one.before) else ():
            value = state.values[name]
            if rule.address.split(".")[1] == name or isinstance(value.type, Flag):
                continue
            its = {name}.union(*(_read(of, state) for _, of in (*value.terms, *value.deductions)))
            if its.isdisjoint(own) and len(its) > 1:
                return name
    return ""


def _read(expr: Expr, state: BuildState) -> set[str]:
    """The values, zones and states that an expression reads, also by values."""
    parts = all_parts(state.values, [expr])
    return {part.name for part in parts if isinstance(part, ReadValue | ReadZone | ReadState)}


def _left_out(rule: SpokenRule, expr: Expr, state: BuildState) -> str:
    """The member that a sentence leaves out of a count of all that a place holds."""
    families = {family for part in iter_exprs(expr) if (family := _counted_family(part, state))}
    if not families:
        return ""
    members = {member: family for family in families for member in state.symbols.family_members[family]}
    for language, text in rule.texts.items():
        for one in mentions(language, text.text, state):
            for member in one.names("member") & members.keys() if _is_left_out(language, one) else ():
                if not _names_member(expr, member, state.symbols.family_members[members[member]], state):
                    return member
    return ""


def _names_member(expr: Expr, member: str, members: tuple[str, ...], state: BuildState) -> bool:
    return any(
        isinstance(part, Constant) and isinstance(part.type, Member) and _name(part, members) == member
        for part in all_parts(state.values, [expr])
    )


def _is_left_out(language: str, one: Mention) -> bool:
    before, behind = LEFT_OUT_BEFORE.get(language), LEFT_OUT_BEHIND.get(language)
    return (before is not None and before.search(one.before) is not None) or (
        behind is not None and behind.search(one.behind) is not None
    )


def _name(constant: Constant, members: tuple[str, ...]) -> str:
    value = constant.value
    return members[value] if isinstance(value, int) and 0 <= value < len(members) else ""


def _counted_family(expr: Expr, state: BuildState) -> str:
    """The family of what a place holds, if all of it is counted and is of the whole family."""
    match expr:
        case Call(function="count", args=(ReadZone(name=name, member=None),)):
            holds = state.zones[name].content_type
            kind = state.symbols.kinds.get(holds.kind) if isinstance(holds, Member) else None
            whole = kind is not None and len(kind.members) == len(state.symbols.family_members.get(kind.family, ()))
            return kind.family if kind is not None and whole else ""
    return ""


__all__ = ["check_counted_things"]
