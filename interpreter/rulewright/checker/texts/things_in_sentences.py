"""Does a sentence name one thing, and its rule have another of the same sort?

In: the state of a build. Out: warnings about

- steps, terms, values and clauses that have a member of a kind where their sentence names another ("a red hat" of
  `hat.colour is blue`), and not the right one, or less often;
- steps that bring something to a place, or take it from one, where their sentence, or that of the action whose only
  move of such things it is, says so of another place that holds the same sort of thing, and does not name the right
  one;
- steps that move something from where it goes by their sentence, or to where it comes from;
- clauses that ask for what there is where the action puts it, where the reason names the place from which it takes;
- comparisons of a field with a number, where the sentence has the field with another ("a card of level 1").

Only what a rule moves, counts or asks to be so counts as had by it, not what may not be, nor what is only so for one of
several players, who may be the one that does something to another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span, part_span
from rulewright.checker.common.lint_codes import CHANGES_NOTHING, OTHER_NUMBER, OTHER_REASON, OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.sources_of_moves import sources_of_move
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.names_of_things import NAMES_NEEDED, Mention, Sort, english_forms, mentions
from rulewright.checker.texts.numbers_in_sentences import number_in_word
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.spoken_rules import RULES_NEEDED, Role, SpokenRule, spoken_rules
from rulewright.document.sentence_places import HOLE
from rulewright.expr.tree import (
    BagLiteral,
    Call,
    Compare,
    Constant,
    Expr,
    FieldAccess,
    If,
    MemberCount,
    Not,
    Quantifier,
    ReadParameter,
    ReadState,
    ReadZone,
)
from rulewright.expr.types import SEAT, Member, Type
from rulewright.expr.walk import child_exprs, conjuncts, iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Move, RunSteps, SetState, Step
from rulewright.model.locale import ENGLISH

OTHERWISE: Final = lazy_pattern(  # it says what is not so, or is so before
    r"(?i)\b(?:not|no|none|never|nobody|until|before|unless|without|except|but|instead|otherwise|other|others|than"
    r"|\w+n't|pas|ni|sans|sauf|avant|jusqu\w*|autres?|sinon|aucune?|jamais)\b"
)
NOUN: Final = (
    r"(?:the |its |their |his |her |your |my |one's |a |an |that |this |le |la |les |l |sa |son |ses |leur |leurs |un "
    r"|une |votre |cette |ce )?(?:own |common |shared )?$"
)
MENTIONS: Final = {  # by the key of a move: the words behind which the name of a place stands
    "to": lazy_pattern(
        rf"\b(?:into|onto|under|beneath|to|back on|on top of|on|dans|sous|vers|sur|rejoint|rejoignent) {NOUN}"
    ),
    "from": lazy_pattern(rf"\b(?:from|out of|off|hors de|provenant de) {NOUN}"),
    "in": lazy_pattern(rf"\b(?:in|on|dans|sur) {NOUN}"),
}
PAID: Final = lazy_pattern(r"\b(?:pays?|repays?|paie|paient|payez|payer) (?:the |à la |à l |au )?$")
WHO_IS_PAID: Final = ("bank", "banks", "banker", "treasury", "banque", "trésor")  # not what is paid
WHERE: Final = ("on ", "sur ", "dans ")  # with which it may be said where something is done, not where it goes
ROUTES: Final = {  # the same where it can only be a way
    "to": lazy_pattern(
        rf"(?<!\baddition )(?<!\bnext )(?<!\bclose )(?<!\baccording )(?<!\bequal )(?<!\bup )(?<!\bdue )"
        rf"\b(?:into|to|vers|rejoint|rejoignent) {NOUN}"
    ),
    "from": MENTIONS["from"],
}
SEVERAL: Final = lazy_pattern(  # a sentence that may speak of another move, or of an earlier one
    r"(?i)[,;:]|\b(?:that|which|who|whose|was|were|had|been|for|so|and|then|after|while|as|et|puis|qui|que|dont|pour)\b"
)
PLACES: Final[tuple[Sort, ...]] = ("place", "zone")
ONCE_EMPTY: Final = {  # how a sentence begins that says when something is done
    "en": lazy_pattern(r"(?i)^(?:when|if|once|as soon as) [^,.;]*\b(?:is|are) empty\b"),
    "fr": lazy_pattern(r"(?i)^(?:quand|si|dès que|lorsque) [^,.;]*\b(?:est|sont) vides?\b"),
}
IS_EMPTY: Final = {  # how the sentence of a condition asks it
    "en": lazy_pattern(r"(?i)^(?:is|are) [^,.;?]*\bempty\b(?! (?:or|and)\b)"),
    "fr": lazy_pattern(r"(?i)^(?!est-ce)[^,.;?]*\b(?:est|sont)-(?:il|elle)s? vides?\b(?! (?:ou|et)\b)"),
}
COUNTED_EMPTY: Final = (("is", 0), ("<=", 0), ("<", 1))
COUNTED_FILLED: Final = (("is not", 0), (">", 0), (">=", 1))
STEM: Final = 5  # letters with which two words begin that are taken for the same
MORE: Final = (">", ">=", "fits in")  # comparisons that ask for what there is


@build_pass(needs=sorted({*NAMES_NEEDED, *RULES_NEEDED}), skip=after_errors)
def check_things_in_sentences(state: BuildState) -> None:
    """Reports them, of each rule the first."""
    for rule in spoken_rules(state):
        for check in CHECKS.get(rule.role, ()):
            if check(rule, state):
                break


# ---- members of kinds ---------------------------------------------------------------------------------------------


@frozen
class _Had:
    """A member that a rule has, at a key."""

    member: str
    family: str
    key: str
    expr: Expr


def _check_members(rule: SpokenRule, state: BuildState) -> bool:
    """Reports a rule that has one member where its sentence names another."""
    had = [one for key, expr in rule.asked for one in _had(key, expr, state)]
    if not had or any(OTHERWISE.search(text.text) for text in rule.texts.values()):
        return False
    times = _members_named(rule, state)
    read = Counter(_all_members([*rule.exprs_around(state.blocks)], state))
    for one in had:
        alike = state.symbols.family_members[one.family]
        others = sorted(other for other in times if other in alike and read[other] < times[other])
        if others and one.member not in times:
            message = f"its sentence says `{others[0]}`, and this has `{one.member}`"
            hint = f"did you mean `{others[0]}`? or change the sentence"
            span = rule.span_of(one.key, one.expr, state)
            warn(state, span, OTHER_WAY, message, f"not `{others[0]}`", hint, rule.place)
            return True
    return False


def _members_named(rule: SpokenRule, state: BuildState) -> Mapping[str, int]:
    """The members that a sentence names in any language by what can mean nothing else, and how often."""
    times = Counter[str]()
    for language, text in rule.texts.items():
        found = mentions(language, text.text, state)
        times |= Counter(name for one in found if one.is_of("member", "place", "value") for name in one.names("member"))
    return times


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


def _all_members(exprs: list[Expr], state: BuildState) -> Iterator[str]:
    """All members that expressions name, also by values."""
    for part in all_parts(state.values, exprs):
        if isinstance(part, Constant):
            yield from (one.member for one in _member("", part, state))


# ---- what is not so -----------------------------------------------------------------------------------------------


def _check_denied(rule: SpokenRule, state: BuildState) -> bool:
    """Reports a condition that holds for all but one, where the sentence names this one, and denies nothing."""
    if any(OTHERWISE.search(text.text) for text in rule.texts.values()):
        return False
    for key, expr in rule.asked if rule.role == "clause" or not isinstance(rule.steps[0].effect, RunSteps) else ():
        for part in conjuncts(expr):
            if not isinstance(part, Compare) or part.op != "is not" or key == "move":
                continue
            for side in (part.left, part.right):
                name = _denied_name(side, rule, state)
                if name:
                    message = f"its sentence says `{name}`, and this holds for all but `{name}`"
                    hint, span = "write `is`, or change the sentence", rule.span_of(key, part, state)
                    warn(state, span, OTHER_WAY, message, "the other way round", hint, rule.place)
                    return True
    return False


def _denied_name(side: Expr, rule: SpokenRule, state: BuildState) -> str:
    """The name of what something may not be, where a sentence names it."""
    match side:
        case ReadParameter(name=name, keys=()):
            return name if any(f"{{{name}}}" in text.text for text in rule.texts.values()) else ""
        case Constant():
            named = _members_named(rule, state)
            return next((one.member for one in _member("", side, state) if one.member in named), "")
    return ""


def _check_caused(rule: SpokenRule, state: BuildState) -> bool:
    """Reports a step of an action that is done for all but one number, where the sentence of the action says that this
    one does it: "a {bad} spoils it" of a step `spoilt`.
    """
    for step in rule.steps if not any(OTHERWISE.search(text.text) for text in rule.texts.values()) else ():
        names = {step.address.rpartition(".")[2], step.effect.target.name if isinstance(step.effect, SetState) else ""}
        for part in conjuncts(step.when) if step.when is not None else ():
            match part:
                case Compare(op="is not", right=ReadParameter(name=number, keys=())):
                    pattern = re.compile(rf"\{{{number}\}} (\w{{{STEM},}})")
                    found = [match for text in rule.texts.values() if (match := pattern.search(text.text)) is not None]
                    if any(match[1][:STEM] == name[:STEM] for match in found for name in names):
                        message = f"the sentence of the action says `{found[0][0]}`, and this holds for all others"
                        span = part_span(state.document.root, step.address, "when", part, step.span)
                        hint = "write `is`, or change the sentence"
                        warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)
                        return True
    return False


def _check_empty(rule: SpokenRule, state: BuildState) -> bool:
    """Reports a step that is done when nothing is empty, where its sentence says when something is."""
    step = rule.steps[0]
    asked = [(IS_EMPTY, *each) for each in sentence_by_language(state, f"{step.address}.when").items()]
    for patterns, language, text in [*asked, *((ONCE_EMPTY, *each) for each in rule.texts.items())]:
        says = patterns[language].search(text.text) if language in patterns else None
        if says is None or OTHERWISE.search(text.text) or step.when is None:
            continue
        empty = [*_emptiness(step.when)]
        if empty and not any(empty):
            message = f"its sentence says `{says[0]}`, and this is done when nothing is empty"
            span = key_span(state.document.root, step.address, "when", step.span)
            hint = "ask for the contrary, or change the sentence"
            warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)
            return True
    return False


def _emptiness(condition: Expr, *, is_denied: bool = False) -> Iterator[bool]:
    """For each place of which a condition asks whether it is empty, whether it has to be."""
    match condition:
        case Compare(op="is" | "is not", left=ReadZone(), right=Constant(value=None)):
            yield (condition.op == "is") is not is_denied
            return
        case Compare(op=op, left=Call(function="count", args=(ReadZone(),)), right=Constant(value=int(number))):
            if (op, number) in (*COUNTED_EMPTY, *COUNTED_FILLED):
                yield ((op, number) in COUNTED_EMPTY) is not is_denied
                return
        case Not():
            is_denied = not is_denied
        case Quantifier(quantifier="no"):
            is_denied = not is_denied
    for part in child_exprs(condition):
        yield from _emptiness(part, is_denied=is_denied)


# ---- places -------------------------------------------------------------------------------------------------------


def _check_places(rule: SpokenRule, state: BuildState) -> bool:
    """Reports a move if the sentence about it names another place; of several, one that alone moves such things."""
    steps = [*rule.steps_around(state.blocks)]
    moves = [step for step in steps if isinstance(step.effect, Move)]
    is_whole = rule.role == "step" or not any(isinstance(step.effect, Choose) for step in steps)
    if not is_whole or (rule.role == "step" and len(moves) != 1):
        return False
    if any(one.code is CHANGES_NOTHING and one.address == step.address for one in state.diagnostics for step in moves):
        return False
    sorts = Counter(_moved_sort(step, state) for step in moves)
    touched = {zone for step in moves for zone in sources_of_move(step, state.actions)}
    touched |= {step.effect.to.zone for step in moves if isinstance(step.effect, Move)}
    single = (step for step in moves if sorts[_moved_sort(step, state)] == 1)
    return any(_check_place(step, touched, rule, state) for step in single)


def _moved_sort(step: Step, state: BuildState) -> Type:
    """What a step moves: what the zone holds to which it does."""
    assert isinstance(step.effect, Move)
    return state.zones[step.effect.to.zone].content_type


def _check_place(step: Step, touched: set[str], rule: SpokenRule, state: BuildState) -> bool:
    """Reports one move. `touched`: the zones of all that the rule moves."""
    move = step.effect
    assert isinstance(move, Move)
    for key, zones in (("to", {move.to.zone}), ("from", {*sources_of_move(step, state.actions)})):
        zone = min(zones, default="")
        other = _other_place(key, zone, rule, touched, state) if len(zones) == 1 else None
        if other is None or state.zones[other[0]].content_type != state.zones[zone].content_type:
            continue
        written = "to" if key == "to" else "from" if move.source is not None else "move"
        span = key_span(state.document.root, step.address, written, step.span)
        whose = "its sentence" if rule.role == "step" else "the sentence of the action"
        message = f"{whose} says `{other[1]}`, and this {'goes to' if key == 'to' else 'takes from'} `{zone}`"
        warn(state, span, OTHER_WAY, message, "another place", "change the rule, or its sentence", step.address)
        return True
    return False


def _check_exchanged(rule: SpokenRule, state: BuildState) -> bool:
    """Reports a move from where something goes by its sentence, or to where it comes from."""
    move = rule.steps[0].effect
    if not isinstance(move, Move) or move.source is None or move.source.zone == move.to.zone:
        return False
    zones = {"from": move.source.zone, "to": move.to.zone}
    for language, text in rule.texts.items():
        if OTHERWISE.search(text.text) or SEVERAL.search(text.text):
            continue
        stated = {key: {*_ways(key, mentions(language, text.text, state))} for key in zones}
        for key, other in (("to", "from"), ("from", "to")):
            if stated[key] != {zones[other]} or not stated[other] <= {zones[key]}:
                continue
            span = key_span(state.document.root, rule.address, other, rule.span)
            goes, does = ("goes to", "takes it from there") if key == "to" else ("comes from", "brings it there")
            message = f"its sentence says that it {goes} `{zones[other]}`, and this {does}"
            hint = "exchange `from` and `to`, or change the sentence"
            warn(state, span, OTHER_WAY, message, "the other way round", hint, rule.address)
            return True
    return False


def _ways(key: str, found: Sequence[Mention]) -> Iterator[str]:
    """The zones to which something goes by a sentence, or from which it comes."""
    for one in found:
        if ROUTES[key].search(f"{one.before} ") and not one.names("component", "kind"):
            yield from one.names("zone")


def _other_place(key: str, zone: str, rule: SpokenRule, touched: set[str], state: BuildState) -> tuple[str, str] | None:
    """The one place that a sentence says, which is not touched, and how, if it does not name the right one."""
    for language, text in rule.texts.items():
        found = [*mentions(language, text.text, state)]
        stated = {name: one.form for one in found for name in _routes_named(key, one)}
        if len(stated) == 1 and not touched & stated.keys() and not any(zone in one.names(*PLACES) for one in found):
            return stated.popitem()
    return None


def _routes_named(key: str, one: Mention) -> set[str]:
    """The zones to which something goes, or from which it comes, by a mention; where one can be is no place to go."""
    match = MENTIONS[key].search(f"{one.before} ")
    if key == "to" and one.form in WHO_IS_PAID and PAID.search(f"{one.before} ") and not one.behind.startswith("s "):
        return one.names("zone")
    if match is None or (key == "from" and one.names("component", "kind")):
        return set()  # "from the nuts left" is from things, wherever they are
    return one.names("zone") if match[0].startswith(WHERE) else one.names(*PLACES)


def zones_read(exprs: list[Expr], state: BuildState) -> set[str]:
    """The zones that expressions read, also by values."""
    return {part.name for part in all_parts(state.values, exprs) if isinstance(part, ReadZone)}


def _check_sources(rule: SpokenRule, state: BuildState) -> bool:
    """Reports a condition on what there is where its action puts it, if the reason names where it is taken from."""
    key, condition = rule.asked[0]
    asked = zones_read([condition], state)
    if len(asked) != 1 or not any(isinstance(part, Compare) and part.op in MORE for part in iter_exprs(condition)):
        return False
    steps = rule.action_steps(state.blocks)
    moves = [step for step in steps if isinstance(step.effect, Move)]
    sources = [zone for step in moves for zone in sources_of_move(step, state.actions)]
    goals = {step.effect.to.zone for step in moves if isinstance(step.effect, Move)}
    zone = min(asked)
    if zone in sources or zone not in goals or len(sources) != 1 or len(goals) != 1:
        return False
    stated = {source for source in sources if _is_located(source, rule, state) and not _is_located(zone, rule, state)}
    if not stated:
        return False
    message = f"this asks about `{zone}`, and its reason speaks of `{sources[0]}`, from where things are taken"
    hint = f"ask about `{sources[0]}`, or change the reason"
    span = rule.span_of(key, condition, state)
    warn(state, span, OTHER_REASON, message, f"does not ask about `{sources[0]}`", hint, rule.place)
    return True


def _is_located(zone: str, rule: SpokenRule, state: BuildState) -> bool:
    """Whether a sentence says that something is in a place."""
    return any(
        zone in one.names(*PLACES) and MENTIONS["in"].search(one.before + " ") is not None
        for language, text in rule.texts.items()
        for one in mentions(language, text.text, state)
    )


# ---- numbers that are names ---------------------------------------------------------------------------------------


def _check_numbered(rule: SpokenRule, state: BuildState) -> bool:
    """Reports a comparison with one number of something, where the sentence has another behind its name."""
    text = rule.texts.get(ENGLISH)
    if text is None or OTHERWISE.search(text.text):
        return False
    for key, expr in rule.asked:
        for part in conjuncts(expr):
            match part:
                case Compare(op="is", left=FieldAccess(name=name), right=Constant(value=int(number))):
                    found = [(match, number_in_word(ENGLISH, match[1])) for match in _numbered(name, text.text)]
                    if len(found) == 1 and found[0][1] not in (None, number):
                        message = f"its sentence says `{found[0][0][0]}`, and this asks for {number}"
                        hint = f"ask for {found[0][1]}, or change the sentence"
                        span = rule.span_of(key, part, state)
                        warn(state, span, OTHER_NUMBER, message, f"not {found[0][1]}", hint, rule.place)
                        return True
    return False


def _numbered(name: str, text: str) -> Iterator[re.Match[str]]:
    """Where a sentence has a number behind a name, and no other beside it: "level 1", not "level 1 or 2"."""
    words = "|".join(map(re.escape, english_forms(name)))
    return re.finditer(rf"(?i)\b(?:{words}) (\w+)\b(?! (?:or|and|to)\b)", HOLE.sub("…", text))


CHECKS: Final[Mapping[Role, tuple[Callable[[SpokenRule, BuildState], bool], ...]]] = {
    "step": (_check_places, _check_exchanged, _check_members, _check_numbered, _check_denied, _check_empty),
    "action": (_check_places, _check_caused),
    "clause": (_check_members, _check_numbered, _check_denied),
    "reason": (_check_sources,),
    "value": (_check_members, _check_numbered),
}

__all__ = ["check_things_in_sentences", "zones_read"]
