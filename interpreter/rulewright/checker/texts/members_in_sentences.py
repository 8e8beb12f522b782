"""Does a sentence name one member of a kind, and its rule another: "a red hat" of `hat.colour is blue`?

In: the state of a build. Out: warnings about steps, terms of values and clauses. Their sentence has to name a member
that the rule does not have, or less often, while the rule has one of the same sort that the sentence does not name.
Only what a rule moves, counts or asks to be so counts as had by it, not what may not be, nor what is only so for one of
several players, who may be the one that does something to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.diagnostics import Span
from rulewright.expr.tree import (
    BagLiteral,
    Compare,
    Constant,
    Expr,
    If,
    MemberCount,
    Not,
    Quantifier,
    ReadState,
    ReadZone,
)
from rulewright.expr.types import SEAT, Member
from rulewright.expr.walk import child_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, RunSteps
from rulewright.model.locale import ENGLISH
from rulewright.model.traversal import step_exprs
from rulewright.source.nodes import ScalarNode

# what says what members are called, and what else is called so
NAMING: Final = ("actions", "components", "member_sentences", "parameters", "states", "symbols", "values", "zones")
MIN_LETTERS: Final = 3  # of a name by which a member is looked for
WORD: Final = lazy_pattern(r"[^\W\d]+")
OTHERWISE: Final = lazy_pattern(  # it says what is not so, or is so before
    r"(?i)\b(?:not|no|none|never|nobody|until|before|unless|without|except|but|instead|otherwise|other|others|than"
    r"|\w+n't|pas|ni|sans|sauf|avant|jusqu\w*|autres?|sinon|aucune?|jamais)\b"
)


@frozen
class _Rule:
    """What a sentence is about: the address of the sentence, that of the rule, the key and the expressions."""

    sentence: str
    address: str
    exprs: tuple[tuple[str, Expr], ...]  # by their keys
    around: tuple[Expr, ...]  # all that the sentence may be about
    span: Span


@frozen
class _Had:
    """A member that a rule has, at a key."""

    member: str
    family: str
    key: str
    expr: Expr


@frozen
class _Named:
    """A member that a sentence names, and how often."""

    member: str
    family: str
    times: int

    def is_more_often(self, read: Counter[str], family: str) -> bool:
        """Whether it is one of a family that its rule does not have, or not so often, so that another is meant."""
        had = read[self.member]
        return self.family == family and (not had or had < self.times)


@build_pass(needs=[*NAMING, "blocks", "book_sentences", "judged"], skip=after_errors)
def check_members_in_sentences(state: BuildState) -> None:
    """Reports them."""
    rules = [*_rules(state)]
    names = names_of_members(state) if rules else {}
    for rule in rules if names else ():
        entry = state.book_sentences.entries.get(rule.sentence)
        had = [] if entry is None else [one for key, expr in rule.exprs for one in _had(key, expr, state)]
        if entry is None or not had:
            continue
        texts = sentence_by_language(state, rule.sentence, entry)
        if any(OTHERWISE.search(text.text) for text in texts.values()):
            continue
        named = _named(texts, names)
        read = Counter(one for expr in rule.around for one in _all_members(expr, state))
        for one in had:
            others = sorted(other.member for other in named.values() if other.is_more_often(read, one.family))
            if others and one.member not in named:
                _report(state, rule, one, others[0])
                break


def _report(state: BuildState, rule: _Rule, one: _Had, other: str) -> None:
    node = condition_node(state.document.root, rule.address, one.key)
    span = rule.span if node is None else node.span
    if isinstance(node, ScalarNode):
        span = node.subspan(*one.expr.offsets)
    message = f"its sentence says `{other}`, and this has `{one.member}`"
    hint = f"did you mean `{other}`? or change the sentence"
    warn(state, span, OTHER_WAY, message, f"not `{other}`", hint, rule.address)


def _rules(state: BuildState) -> Iterator[_Rule]:
    for step in state.judged.steps:
        exprs = [("when", step.when)] if step.when is not None else []
        if step.for_each is not None and step.for_each.condition is not None:
            exprs.append(("for_each", step.for_each.condition))
        if isinstance(step.effect, Move) and step.effect.amount.of is not None:
            exprs.append(("move", step.effect.amount.of))
        inner = steps_within(step.effect.block, state.blocks) if isinstance(step.effect, RunSteps) else ()
        around = tuple(expr for each in (step, *inner) for expr in step_exprs(each))
        yield _Rule(step.address, step.address, tuple(exprs), around, step.span)
    for clause in (clause for action in state.judged.actions for clause in action.clauses):
        section, _, name = clause.address.rpartition(".")
        yield _Rule(clause.address, section, ((name, clause.condition),), (clause.condition,), clause.span)
    for name, value in state.judged.values.items():
        for section, terms in (("sum", value.terms), ("less", value.deductions)):
            for term, expr in terms:
                address = f"values.{name}" if term == "is" else f"values.{name}.{section}"
                sentence = address if term == "is" else f"{address}.{term}"
                entry = state.book_sentences.entries.get(sentence)
                if entry is not None:
                    yield _Rule(sentence, address, ((term, expr),), (expr,), entry.key.span)


def names_of_members(state: BuildState) -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """By language the words for members, with the member and its family; none that means something else, too."""
    taken = {*state.zones, *state.states, *state.values, *(action.name for action in state.actions)}
    taken |= {*state.symbols.kinds, *state.parameters, *state.components}
    found = dict[str, dict[str, tuple[str, str]]]()
    families = {
        kind.family: kind for kind in state.symbols.kinds.values() if not kind.is_numeric and kind.family != SEAT.kind
    }
    forms_by_language = state.member_sentences.member_names
    for language in {ENGLISH, *forms_by_language}:
        words = found.setdefault(language, {})
        for family in families:
            for member in state.symbols.family_members.get(family, ()):
                plain = member.replace("_", " ")
                forms = [*forms_by_language.get(language, {}).get(member, ())]
                forms += [plain, f"{plain}s", f"{plain}es"] if language == ENGLISH else []
                for form in forms:
                    if len(form) >= MIN_LETTERS and member not in taken and f"{member}s" not in state.zones:
                        words[form.lower()] = (member, family)
    return {language: words for language, words in found.items() if words}


def _named(texts: Mapping[str, ScalarNode], names: Mapping[str, Mapping[str, tuple[str, str]]]) -> dict[str, _Named]:
    """The members that a sentence names in any language."""
    found = dict[str, _Named]()
    for language, text in texts.items():
        words, times = f" {'  '.join(WORD.findall(text.text.lower()))} ", Counter[str]()
        for form, (member, family) in names.get(language, {}).items():
            times[member] += words.count(f" {form.replace(' ', '  ')} ")
            if times[member] > (found[member].times if member in found else 0):
                found[member] = _Named(member, family, times[member])
    return found


def _had(key: str, expr: Expr, state: BuildState) -> Iterator[_Had]:
    """The members that an expression moves, counts or asks to be so."""
    match expr:
        case If() | Not():
            return
        case Quantifier(quantifier=quantifier) if quantifier == "no":
            return
        case Compare(op=op, left=left, right=right):
            for value, other in ((left, right), (right, left)):
                if op == "is" and isinstance(value, Constant) and not _is_of_player(other):
                    yield from _member(key, value, state)
        case BagLiteral(members=Constant() as member):
            yield from _member(key, member, state)
        case ReadZone(member=Constant() as member) | MemberCount(member=Constant() as member):
            yield from _member(key, member, state)
    for part in child_exprs(expr):
        yield from _had(key, part, state)


def _is_of_player(expr: Expr) -> bool:
    return isinstance(expr, ReadState) and any(key.type == SEAT for key in expr.keys)


def _member(key: str, constant: Constant, state: BuildState) -> Iterator[_Had]:
    if isinstance(constant.type, Member) and constant.type != SEAT and isinstance(constant.value, int):
        kind = state.symbols.kinds.get(constant.type.kind)
        if kind is not None and not kind.is_numeric and kind.family != SEAT.kind:
            yield _Had(state.symbols.family_members[kind.family][constant.value], kind.family, key, constant)


def _all_members(expr: Expr, state: BuildState) -> Iterator[str]:
    """All members that an expression names, also by values."""
    for part in all_parts(state.values, [expr]):
        if isinstance(part, Constant):
            yield from (one.member for one in _member("", part, state))


__all__ = ["NAMING", "check_members_in_sentences", "names_of_members"]
