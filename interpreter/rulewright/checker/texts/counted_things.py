"""Does a value count something else than its sentence says, or what the sentence leaves out?

In: the state of a build. Out: warnings about values and terms whose sentence counts by the name of another value ("for
every three tools") and that read nothing of what that value reads; and about values and clauses that count all of a
place where their sentence says that one sort in it is not counted ("the red ones not counted").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_TERM, OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.members_in_sentences import NAMING, names_of_members
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.diagnostics import Span
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Call, Constant, Expr, ReadState, ReadValue, ReadZone
from rulewright.expr.types import Flag, Member
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import ScalarNode

COUNTED: Final = lazy_pattern(r"(?i)\b(?:for each|for every|per|each|every) (?:(?:\w+) )?([a-z_]{3,24})\b")
LEFT_OUT: Final = {  # by language, with the name of a member
    "en": r" (?:without|not counting|except|excluding|apart from|other than|leaving out)(?: the| any)? {0} "
    r"| {0} (?:is |are |being )?(?:not counted|not included|excluded|excepted|left out|does not count|do not count) ",
    "fr": r" (?:sans|sans compter|hors|sauf|excepté|à part)(?: l| le| la| les)? {0} "
    r"| {0} (?:non comptée?s?|exclue?s?|ne comptent? pas) ",
}
WORD: Final = lazy_pattern(r"[^\W\d_]+")


@frozen
class _Rule:
    """What is counted by: where it is, and its sentences."""

    address: str
    key: str
    expr: Expr
    span: Span
    sentences: tuple[str, ...]  # their addresses
    value: str = ""


@build_pass(needs=[*NAMING, "blocks", "book_sentences", "judged"], skip=after_errors)
def check_counted_things(state: BuildState) -> None:
    """Reports them."""
    rules = [*_rules(state)]
    names = names_of_members(state) if rules else {}
    for rule in rules:
        for address in rule.sentences:
            entry = state.book_sentences.entries.get(address)
            texts = {} if entry is None else sentence_by_language(state, address, entry)
            other = _other_value(rule, texts, state) if rule.value else ""
            left_out = "" if other else _left_out(rule, texts, names, state)
            node = condition_node(state.document.root, rule.address, rule.key)
            span = rule.span if node is None else node.span
            if other:
                message = f"its sentence counts `{other}`, and this has nothing to do with them"
                hint = f"count `{other}`, or change the sentence"
                warn(state, span, OTHER_TERM, message, f"not `{other}`", hint, rule.address)
                break
            if left_out:
                message = f"its sentence leaves `{left_out}` out, and this counts all"
                hint = f"take `{left_out}` off, or change the sentence"
                warn(state, span, OTHER_WAY, message, f"`{left_out}` is counted, too", hint, rule.address)
                break


def _rules(state: BuildState) -> Iterator[_Rule]:
    for name, value in state.judged.values.items():
        for section, terms in (("sum", value.terms), ("less", value.deductions)):
            for key, expr in terms:
                address = f"values.{name}" if key == "is" else f"values.{name}.{section}"
                sentence = address if key == "is" else f"{address}.{key}"
                entry = state.book_sentences.entries.get(sentence)
                if entry is not None:
                    yield _Rule(address, key, expr, entry.key.span, (sentence,), name)
    for clause in (clause for action in state.judged.actions for clause in action.clauses):
        section, _, key = clause.address.rpartition(".")
        yield _Rule(section, key, clause.condition, clause.span, (clause.address, reason_address(clause.address)))


def _other_value(rule: _Rule, texts: Mapping[str, ScalarNode], state: BuildState) -> str:
    """The number that a sentence counts by its name, where its value reads nothing of it."""
    text = texts["en"].text if "en" in texts else ""
    own = _read(rule.expr, state)
    for match in COUNTED.finditer(text):
        word = match[1].lower()
        name = next((each for each in (word, f"{word}s", f"{word}es") if each in state.values), "")
        if not name or name == rule.value or isinstance(state.values[name].type, Flag):
            continue
        value = state.values[name]
        its = {name}.union(*(_read(of, state) for _, of in (*value.terms, *value.deductions)))
        if own and its.isdisjoint(own) and len(its) > 1:
            return name
    return ""


def _read(expr: Expr, state: BuildState) -> set[str]:
    """The values, zones and states that an expression reads, also by values."""
    parts = all_parts(state.values, [expr])
    return {part.name for part in parts if isinstance(part, ReadValue | ReadZone | ReadState)}


def _left_out(
    rule: _Rule,
    texts: Mapping[str, ScalarNode],
    names: Mapping[str, Mapping[str, tuple[str, str]]],
    state: BuildState,
) -> str:
    """The member that a sentence leaves out of a count of all that a place holds."""
    families = {family for part in iter_exprs(rule.expr) if (family := _counted_family(part, state))}
    parts = [*all_parts(state.values, [rule.expr])]
    for language, text in texts.items() if families else ():
        words = f" {' '.join(WORD.findall(text.text.lower()))} "
        for form, (member, family) in names.get(language, {}).items():
            pattern = LEFT_OUT.get(language, "").replace("{0}", re.escape(form))
            if family in families and pattern and re.search(pattern, words):
                members = state.symbols.family_members[family]
                is_named = any(
                    isinstance(part, Constant) and isinstance(part.type, Member) and _name(part, members) == member
                    for part in parts
                )
                if not is_named:
                    return member
    return ""


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
