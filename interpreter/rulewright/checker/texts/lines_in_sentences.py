"""Does a sentence draw a line elsewhere than its rule: "8 or more" of `> 8`, or of `<= 8`, which lets eight be?

In: the state of a build. Out: warnings about steps, values, choices and clauses. Found by the words by which lines are
drawn, English and French, at a number or in front of braces with what the rule compares with. A sentence that does not
say for whom or when a step is done may say what comes of it, which is the contrary; so may the sentence of a value and
the reason of a choice, which says what is missing. What a clause says of itself is what it asks for, its reason what is
so where it does not hold; the sentence of a variant that changes nothing else may say either. Both may speak of what is
so after the action where the clause asks about what was before, and the line may then lie one beside: so only what says
plainly what somebody has is held against a `<` or a `>`, and only such a sentence is reported to say the contrary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from rulewright import limits
from rulewright.checker.common.lint_codes import OTHER_NUMBER, OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.numbers_in_sentences import number_in_word
from rulewright.checker.texts.single_changes import text_of_single_change
from rulewright.checker.texts.spoken_rules import RULES_NEEDED, SpokenRule, Texts, spoken_rules
from rulewright.expr.fold import fold_constant
from rulewright.expr.tree import (
    NEGATED,
    SIDES_SWAPPED,
    Amount,
    Arithmetic,
    BagLiteral,
    Builtin,
    Compare,
    Constant,
    Expr,
    Filter,
    Logic,
    Not,
    Range,
    ReadParameter,
    ReadState,
    ReadZone,
)
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen, replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Reveal, RunSteps, SetState
from rulewright.source.nodes import ScalarNode

NUMBER: Final = r"(\{[^{}]{1,80}\}|\b\w{1,24})"
UNITS: Final = r"(?: [^\W\d_]+){0,2}"  # what is counted: "8 red tokens or more"
WORDS: Final = {  # by language and comparison: how a line is drawn
    "en": {
        ">=": rf"(?:at least|no fewer than|no less than) {NUMBER}|{NUMBER}{UNITS} (?:or more|at least)\b",
        ">": rf"(?<!no )(?<!not )more than {NUMBER}",
        "<": rf"(?<!no )(?<!not )(?:fewer|less) than {NUMBER}",
        "<=": rf"(?:at most|no more than|not more than) {NUMBER}|{NUMBER}{UNITS} (?:or (?:fewer|less)|at most)\b",
    },
    "fr": {
        ">=": rf"(?:au moins|pas moins de) {NUMBER}|{NUMBER}{UNITS} (?:ou plus|au moins)\b",
        ">": rf"(?<!pas )plus (?:de |d'){NUMBER}",
        "<": rf"(?<!pas )moins (?:de |d'){NUMBER}",
        "<=": rf"(?:au plus|pas plus de) {NUMBER}|{NUMBER}{UNITS} (?:ou moins|au (?:plus|maximum))\b",
    },
}
SAYS_WHEN: Final = {  # before the line: the sentence says for whom or when something is done
    "en": r"\b(?:who|whoever|if|when|once|as soon as|with)\b[^,.;:]{0,200}$",
    "fr": r"\b(?:qui|quiconque|si|s'il|quand|lorsque|lorsqu'\w+|dès que|dès qu'\w+)\b[^,.;:]{0,200}$",
}
SAYS_WHAT: Final = lazy_pattern(  # between the two: it says what is done until then
    r"(?i)\b(?:to|until|till|down|keeps?|gives?|discards?|returns?|may|must|jusqu\w*|rend\w*|garde\w*|défausse\w*)\b"
)
STATES: Final = lazy_pattern(  # it begins with what somebody has, and the line follows
    r"(?i)^(?:you (?:already |now |still )?(?:have|hold|own|carry)|there (?:is|are)(?: still)?"
    r"|vous (?:avez|possédez|détenez|portez)(?: déjà| encore)?|il y a(?: déjà| encore)?)(?: [^\W\d_]+)? ?$"
)
MAY_BE: Final = lazy_pattern(  # it says what may be, not what is
    r"(?i)\b(?:to|must|may|can|cannot|only|needs?|needed|would|will|should|if|unless|until|doit|doivent|faut|peut|si|sauf)\b"
)
ALREADY: Final = {  # "four already" is four or more
    "en": r"\balready (?:(?:have|has|holds?|owns?) )?(\w{1,24})|\b(\w{1,24})(?: [^\W\d_]+){0,3} already\b",
    "fr": r"\bdéjà (\w{1,24})",
}
ONE: Final = {"en": ("one",), "fr": ("un", "une")}
IN_WORDS: Final = {">=": "{} or more", ">": "more than {}", "<": "fewer than {}", "<=": "{} or fewer"}
CONTRARY: Final[dict[str, str]] = {op: NEGATED[op] for op in SIDES_SWAPPED}
BESIDE: Final = {(">=", "+"): ">", ("<", "+"): "<=", ("<=", "-"): "<", (">", "-"): ">="}  # `>= x + 1` is `> x`
WITH_BOUND: Final = {"<": "<=", ">": ">="}  # the line one beside
OPPOSITE: Final = {"<": ">", ">": "<"}  # lines of which neither can be meant by the other
NOT_SO: Final = lazy_pattern(r"(?i)\b(?:not|no|nobody|unless|except|without|pas|sauf|sans)\b")
MAX_LINES: Final = 20  # in one sentence, of which no author draws more
ROUND_NUMBER: Final = "round_number"
OWN: Final = {"reason": "its reason", "clause": "its sentence", "variant": "its variant"}


@frozen
class _Line:
    """A comparison: its sign with the bound on the right, the number that this is, if that is known, and how it is
    written, unless it is only a number.
    """

    part: Expr
    key: str
    sign: str
    number: int | None
    name: str
    is_firm: bool = False  # the action does not bring what is compared to one beside

    def is_bound(self, word: str, language: str, *, may_be_one: bool) -> bool:
        """Whether a word or what stands in braces is the bound."""
        if word.startswith("{"):
            return bool(self.name) and "".join(word[1:-1].split()) == "".join(self.name.split())
        is_one = may_be_one and word.lower() in ONE.get(language, ())
        number = 1 if is_one else number_in_word(language, word)
        return number is not None and number == self.number

    @property
    def in_words(self) -> str:
        """What it asks for."""
        return IN_WORDS[self.sign].format(f"`{self.name}`" if self.name else self.number)


@frozen
class _Sentence:
    """A sentence about a clause: whether it is its text, its reason, or the one of its variant."""

    role: str
    language: str
    node: ScalarNode


@build_pass(needs=sorted({*RULES_NEEDED, "parameters"}), skip=after_errors)
def check_lines_in_sentences(state: BuildState) -> None:
    """Reports them: at the rule, or at a sentence of a clause beside which another says what the clause does."""
    rules = spoken_rules(state)
    for rule in rules:
        if rule.role in ("step", "value") or (rule.role == "choice" and rule.sentence != rule.address):
            _check_step(rule, state)
    by_clause = dict[str, list[SpokenRule]]()
    for rule in rules:
        if rule.role in ("clause", "reason"):
            by_clause.setdefault(rule.place, []).append(rule)
    for all_ in by_clause.values():
        _check_clause(all_, state)


# ---- what is asked ------------------------------------------------------------------------------------------------


def _lines(rule: SpokenRule, state: BuildState) -> Iterator[_Line]:
    """The comparisons of a rule, at each of its keys."""
    for key, expr in rule.asked:
        match expr:
            case Range(low=low, high=high):
                for sign, bound in ((">=", low), ("<=", high)):
                    yield _line(expr, key, sign, bound, rule, state)
            case Filter(condition=condition) if condition is not None:
                yield from _compared(condition, key, rule, state, is_denied=False)
            case _ if key != "move" and rule.role != "choice":  # of a choice it is asked before it is there
                yield from _compared(expr, key, rule, state, is_denied=False)


def _compared(condition: Expr, key: str, rule: SpokenRule, state: BuildState, *, is_denied: bool) -> Iterator[_Line]:
    match condition:
        case Logic(left=left, right=right):
            yield from _compared(left, key, rule, state, is_denied=is_denied)
            yield from _compared(right, key, rule, state, is_denied=is_denied)
        case Not(of=of):
            yield from _compared(of, key, rule, state, is_denied=not is_denied)
        case Compare(op=op, left=left, right=right) if op in SIDES_SWAPPED:
            for sign, bound, other in ((op, right, left), (SIDES_SWAPPED[op], left, right)):
                is_reckoned = rule.role in ("clause", "reason") and isinstance(other, Arithmetic)
                if not is_reckoned:  # "eight" of `count + 1 <= 8` may be what was before
                    yield _line(condition, key, NEGATED[sign] if is_denied else sign, bound, rule, state)


def _line(part: Expr, key: str, sign: str, bound: Expr, rule: SpokenRule, state: BuildState) -> _Line:
    match bound:
        case Constant(value=int(number)) if type(number) is int:
            return _Line(part, key, sign, number, "")
        case ReadParameter(name=name, keys=()) if name in state.parameters:
            value = state.parameters[name].value
            return _Line(part, key, sign, value if isinstance(value, int) else None, name)
        case Arithmetic(op=op, left=left, right=Constant(value=1)) if (sign, op) in BESIDE:
            return _line(part, key, BESIDE[sign, op], left, rule, state)
    return _Line(part, key, sign, None, rule.span_of(key, bound, state).text)


# ---- steps and choices --------------------------------------------------------------------------------------------


def _check_step(rule: SpokenRule, state: BuildState) -> None:
    step = rule.steps[0] if rule.steps else None
    if step is not None and step.when is not None and step.while_condition is not None:
        return
    is_asked = any(drawn_lines(language, text.text) for language, text in rule.texts.items())
    for line in _single_lines(rule, state) if is_asked else ():
        for language, text in rule.texts.items():
            says = _other_line(language, text.text, line, may_deny=rule.role != "step")
            if says is not None:
                sign, words = says
                is_turned = rule.role == "choice" and sign[0] != line.sign[0]  # less for more, or the reverse
                message = f"its sentence says `{words}`, and this asks for {line.in_words}"
                span, hint = rule.span_of(line.key, line.part, state), "change the rule, or its sentence"
                code, label = (OTHER_WAY, "the other way round") if is_turned else (OTHER_NUMBER, "another line")
                warn(state, span, code, message, label, hint, rule.address)
                return


def _single_lines(rule: SpokenRule, state: BuildState) -> list[_Line]:
    """The lines of a rule at whose bounds there is no other line."""
    lines = [*_lines(rule, state)]
    bounds = [(line.number, "" if line.number is not None else line.name) for line in lines]
    return [line for line, bound in zip(lines, bounds, strict=True) if bounds.count(bound) == 1]


def _other_line(language: str, text: str, line: _Line, *, may_deny: bool) -> tuple[str, str] | None:
    """The sign and words of a sentence that draw another line at the bound of a condition, if no others draw the same.
    `may_deny`: it may say for whom or when the condition does not hold.
    """
    found = [
        (sign, match)
        for sign, match in drawn_lines(language, text)
        if line.is_bound(next(filter(None, match.groups())), language, may_be_one=False)
    ]
    for sign, match in found[:MAX_LINES]:
        before = None if may_deny else re.search(SAYS_WHEN[language], text[: match.start()], re.IGNORECASE)
        says_when = before is not None and not SAYS_WHAT.search(before[0])
        if sign == line.sign or (sign == CONTRARY[line.sign] and not says_when):
            return None
    return (found[0][0], found[0][1][0]) if found else None


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)  # several checks ask of the same sentences
def drawn_lines(language: str, text: str) -> tuple[tuple[str, re.Match[str]], ...]:
    """The lines that a sentence draws: by the sign of a comparison with the number, which is the group that matches.
    Of "hold two cards or more" each word may be the number.
    """
    found = list[tuple[str, re.Match[str]]]()
    for sign, words in WORDS.get(language, {}).items():
        pattern, start = re.compile(words, re.IGNORECASE), 0
        while (match := pattern.search(text, start)) is not None:
            found.append((sign, match))
            start = match.start() + 1
    return tuple(found)


# ---- clauses ------------------------------------------------------------------------------------------------------


def _check_clause(rules: list[SpokenRule], state: BuildState) -> None:
    """Reports a clause; `rules`: it, by its sentences."""
    sentences = [*_sentences(rules, state)]
    for loose in _single_lines(rules[0], state) if sentences else ():
        line = replace(loose, is_firm=_is_firm(rules[0], loose.part, state))
        if (says := _other_in_clause(sentences, line)) is not None:
            _report_clause(rules[0], line, says, sentences, state)
            break


def _sentences(rules: list[SpokenRule], state: BuildState) -> Iterator[_Sentence]:
    """All sentences about a clause, its reason first."""
    texts: list[tuple[str, Texts]] = [
        (rule.role, rule.texts) for rule in sorted(rules, key=lambda one: one.role != "reason")
    ]
    by_variant = text_of_single_change(state, rules[0].span)
    own = [(role, each) for role, each in texts if each != by_variant]
    for role, each in (*own, ("variant", by_variant)):
        yield from (_Sentence(role, language, node) for language, node in each.items())


def _report_clause(
    rule: SpokenRule, line: _Line, says: tuple[_Sentence, str], sentences: list[_Sentence], state: BuildState
) -> None:
    sentence, words = says
    if any(_says_same(other, line) for other in sentences):
        message, hint = (
            f"this says `{words}`, and its clause asks for {line.in_words}",
            "change the sentence, or the clause",
        )
        warn(state, sentence.node.span, OTHER_NUMBER, message, "another line", hint, rule.place)
        return
    message = f"{OWN[sentence.role]} says `{words}`, and this asks for {line.in_words}"
    span = rule.span_of(line.key, line.part, state)
    warn(state, span, OTHER_NUMBER, message, "another line", "change the rule, or its sentence", rule.place)


def _other_in_clause(sentences: list[_Sentence], line: _Line) -> tuple[_Sentence, str] | None:
    """The first sentence that draws another line, and its words."""
    for sentence in sentences:
        found = [*_drawn_at(sentence, line)]
        if found and all(_differs(sign, match, sentence, line) for sign, match in found):
            return sentence, found[0][1][0]
    return None


def _says_same(sentence: _Sentence, line: _Line) -> bool:
    """Whether a sentence draws the line of the clause, as what it asks for or as what is missing."""
    found = [*_drawn_at(sentence, line)]
    return any(not _differs(sign, match, sentence, line) for sign, match in found)


def _drawn_at(sentence: _Sentence, line: _Line) -> Iterator[tuple[str, re.Match[str]]]:
    """The lines that a sentence draws at the bound of a clause."""
    text = sentence.node.text
    for sign, match in drawn_lines(sentence.language, text):
        if line.is_bound(next(filter(None, match.groups())), sentence.language, may_be_one=True):
            yield sign, match
    if sentence.role == "reason" and sentence.language in ALREADY:
        for match in re.finditer(ALREADY[sentence.language], text, re.IGNORECASE):
            if line.is_bound(next(filter(None, match.groups())), sentence.language, may_be_one=True):
                yield ">=", match


def _differs(sign: str, match: re.Match[str], sentence: _Sentence, line: _Line) -> bool:
    """Whether a line that is drawn is surely another one, or the right one said the wrong way round."""
    is_plain = STATES.search(match.string[: match.start()]) is not None and not MAY_BE.search(match.string)
    if sign == line.sign:
        return sentence.role == "reason" and is_plain
    if sign == CONTRARY[line.sign]:
        return sentence.role == "clause" and is_plain
    if sign == OPPOSITE.get(line.sign) and sentence.role == "clause":
        return not NOT_SO.search(match.string)
    if line.is_firm and sign == WITH_BOUND.get(line.sign):
        return not NOT_SO.search(match.string) and not _says_other_side(sentence, line)
    return line.sign in ("<=", ">=") or (sentence.role == "reason" and is_plain)


def _says_other_side(sentence: _Sentence, line: _Line) -> bool:
    """Whether a sentence also says the number on the other side of a line: 2 of `> 1`."""
    beside = None if line.number is None else line.number + (1 if line.sign == ">" else -1)
    words = re.findall(r"\w{1,24}", sentence.node.text)
    return beside is not None and any(number_in_word(sentence.language, word) == beside for word in words)


def _is_firm(rule: SpokenRule, part: Expr, state: BuildState) -> bool:
    """Whether what a clause compares is the same after the action, or changed by two or more: then a sentence that
    draws the line one beside does not speak of what is so afterwards. A round may be counted while it is played, or
    once it is over.
    """
    if any(isinstance(one, Builtin) and one.name == ROUND_NUMBER for one in iter_exprs(part)):
        return False
    read = {
        one.name for one in all_parts(state.values, [part]) if isinstance(one, ReadZone | ReadState | ReadParameter)
    }
    for step in rule.action_steps(state.blocks):
        match step.effect:
            case Move(amount=amount, source=source, to=to):
                places = {to.zone, *(() if source is None else (source.zone,))}
                if (source is None or places & read) and not _moves_several(amount):
                    return False
            case SetState(target=target):
                if target.name in read:
                    return False
            case RunSteps() | Reveal():
                pass
            case _:
                return False
    return rule.action is not None


def _moves_several(amount: Amount) -> bool:
    """Whether at least two of each sort are moved."""
    count = fold_constant(amount.of.count) if isinstance(amount.of, BagLiteral) else None
    return amount.mode == "exactly" and isinstance(count, int) and count > 1


__all__ = ["CONTRARY", "IN_WORDS", "SAYS_WHAT", "WORDS", "check_lines_in_sentences", "drawn_lines"]
