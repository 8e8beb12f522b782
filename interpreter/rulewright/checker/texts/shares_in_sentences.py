"""Does a sentence say more than half, and its rule let just half do, or the reverse; a third, twice as many?

In: the state of a build. Out: warnings about comparisons of a number with a share of how many players there are, of a
parameter or of a state, such as `2 * votes >= players`, in steps and values whose sentence draws the line at the same
share and just beside. Found by a few words, English and French, where the share is no other than in the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import add, floordiv, ge, gt, le, lt, mul, sub
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.spoken_rules import RULES_NEEDED, SpokenRule, spoken_rules
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Not,
    Quantifier,
    ReadParameter,
    ReadState,
)
from rulewright.expr.types import PLAYER_COUNT, Number
from rulewright.expr.walk import is_all_seats, iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass

Share = tuple[int, int]  # so many of so many
Holds = Callable[[int, int], bool]  # whether so many of a whole are enough
Table = tuple[bool, ...]

SHARES: Final[dict[str, dict[str, Share]]] = {
    "en": {
        "half": (1, 2),
        "twice": (2, 1),
        "double": (2, 1),
        "a third": (1, 3),
        "one third": (1, 3),
        "two thirds": (2, 3),
        "a quarter": (1, 4),
        "one quarter": (1, 4),
        "three quarters": (3, 4),
    },
    "fr": {
        "la moitié": (1, 2),
        "le double": (2, 1),
        "du double": (2, 1),
        "un quart": (1, 4),
        "trois quarts": (3, 4),
    },
}
_ENGLISH: Final = "|".join(SHARES["en"])
_FRENCH: Final = "|".join(SHARES["fr"])
LINES: Final = {  # by the sign of what is drawn, with the share
    "en": {
        ">": lazy_pattern(rf"(?i)(?<!no )(?<!not )\b(?:more than|over) ({_ENGLISH})\b"),
        ">=": lazy_pattern(rf"(?i)\b(?:at least ({_ENGLISH})\b|({_ENGLISH}) or more\b)"),
        "<": lazy_pattern(rf"(?i)(?<!no )(?<!not )\b(?:fewer|less) than ({_ENGLISH})\b"),
        "<=": lazy_pattern(rf"(?i)\b(?:(?:at most|no more than|not more than) ({_ENGLISH})\b|({_ENGLISH}) or fewer\b)"),
    },
    "fr": {
        ">": lazy_pattern(rf"(?i)\bplus (?:de |des |d')?({_FRENCH})\b(?! plus)"),
        ">=": lazy_pattern(rf"(?i)\b(?:au moins (?:les )?({_FRENCH})\b|({_FRENCH}) ou plus\b)"),
        "<": lazy_pattern(rf"(?i)\bmoins (?:de |des |d')({_FRENCH})\b"),
        "<=": lazy_pattern(rf"(?i)\b(?:au plus (?:les )?({_FRENCH})\b|({_FRENCH}) ou moins\b)"),
    },
}
SHARE_WORDS: Final = lazy_pattern(
    r"(?i)\b(?:half|halves|thirds?|quarters?|twice|double|times|majority|moitiés?|quarts?|fois|majorité)\b"
)
UNSURE: Final = lazy_pattern(  # the rest of what is meant stands elsewhere, or it is denied
    r"(?i)\b(?:rounded|enough|exactly|ties?|tied|others?|opponents?|not|no|nobody|unless|except|without|until"
    r"|arrondi\w*|suffi\w*|exactement|égalité|autres?|adversaires?|pas|aucun\w*|personne|sauf|sans|jusqu\w*)\b"
)
SIGNS: Final[dict[str, Callable[[int, int], bool]]] = {">": gt, ">=": ge, "<": lt, "<=": le}
BESIDE: Final = {">": ">=", ">=": ">", "<": "<=", "<=": "<"}
RECKONED: Final[dict[str, Callable[[int, int], int]]] = {"+": add, "-": sub, "*": mul, "//": floordiv}
WHOLES: Final = range(1, 13)


@frozen
class _Line:
    """The words of a sentence, the sign of the line that they draw, and at which share."""

    words: str
    sign: str
    share: Share


@build_pass(needs=sorted({*RULES_NEEDED, "has_elimination", "parameters"}), skip=after_errors)
def check_shares_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for rule in spoken_rules(state):
        line = _line_of(rule) if rule.role in ("step", "value") else None
        compared = [*_compared(rule)] if line is not None else []
        if line is None or len(compared) != 1:
            continue
        ((key, compare),) = compared
        whole = _whole_beside(compare, line, state)
        if whole is not None:
            share, does = line.share[0] * whole // line.share[1], "is not" if line.sign in (">=", "<=") else "is"
            beside = "of" if share < whole else "against"
            message = f"its sentence says `{line.words}`, and here {share} {beside} {whole} {does} enough"
            hint = "change the comparison, or the sentence"
            warn(state, rule.span_of(key, compare, state), OTHER_NUMBER, message, "another line", hint, rule.address)


def _line_of(rule: SpokenRule) -> _Line | None:
    """The only line that the sentence of a rule draws at a share."""
    for language, node in rule.texts.items():
        if language not in LINES or len(SHARE_WORDS.findall(node.text)) != 1 or UNSURE.search(node.text):
            continue
        for sign, pattern in LINES[language].items():
            match = pattern.search(node.text)
            if match is not None:
                return _Line(match[0], sign, SHARES[language][next(filter(None, match.groups())).lower()])
    return None


def _compared(rule: SpokenRule) -> Iterator[tuple[str, Compare]]:
    """The comparisons of a rule in which something is multiplied or divided; none where some are denied."""
    parts = [(key, part) for key, expr in rule.asked for part in iter_exprs(expr)]
    if any(isinstance(part, Not) or (isinstance(part, Quantifier) and part.quantifier == "no") for _, part in parts):
        return
    for key, part in parts:
        if isinstance(part, Compare) and any(
            isinstance(side, Arithmetic) and side.op in ("*", "//")
            for top in (part.left, part.right)
            for side in iter_exprs(top)
        ):
            yield key, part


def _whole_beside(compare: Compare, line: _Line, state: BuildState) -> int | None:
    """A whole of which just the share decides otherwise than the sentence has it; None where that is not sure."""
    if compare.op not in SIGNS:
        return None
    atoms = dict[object, Expr]()
    if not (_gather(compare.left, atoms) and _gather(compare.right, atoms)) or len(atoms) != 2:
        return None
    (one, first), (other, second) = atoms.items()
    for part, whole, of in ((one, other, second), (other, one, first)):
        number = _possible_whole(of, line.share, state)
        if number is not None and _table(_holds(compare, part, whole)) in _others(line):
            return number
    return None


def _others(line: _Line) -> Iterator[Table]:
    """What holds where the line is drawn just beside the right one, or at a half that is rounded down."""
    share, of = line.share
    beside = SIGNS[BESIDE[line.sign]]
    yield _table(lambda part, whole: beside(part * of, whole * share))
    if line.sign == ">":
        yield _table(lambda part, whole: part >= whole * share // of)


def _table(holds: Holds) -> Table:
    return tuple(holds(part, whole) for whole in WHOLES for part in range(3 * whole + 2))


def _holds(compare: Compare, part: object, whole: object) -> Holds:
    """Whether a comparison holds, by the numbers of its two atoms."""
    sign = SIGNS[compare.op]

    def holds(of_part: int, of_whole: int) -> bool:
        numbers = {part: of_part, whole: of_whole}
        return sign(_reckon(compare.left, numbers), _reckon(compare.right, numbers))

    return holds


def _gather(expr: Expr, atoms: dict[object, Expr]) -> bool:
    """Adds what an expression is reckoned from; whether it can be reckoned from whole numbers alone."""
    match expr:
        case Constant(value=int(), type=Number()):
            return True
        case Arithmetic(op="//", left=left, right=Constant(value=int(number))):
            return number > 0 and _gather(left, atoms)
        case Arithmetic(op="+" | "-" | "*", left=left, right=right):
            return _gather(left, atoms) and _gather(right, atoms)
        case Arithmetic():
            return False
    key = structural_key(expr)
    atoms[key] = expr
    return key is not None


def _reckon(expr: Expr, numbers: dict[object, int]) -> int:
    match expr:
        case Constant(value=int(number)):
            return number
        case Arithmetic(op=op, left=left, right=right):
            one, other = _reckon(left, numbers), _reckon(right, numbers)
            return RECKONED[op](one, other)
    return numbers[structural_key(expr)]


def _possible_whole(expr: Expr, share: Share, state: BuildState) -> int | None:
    """A number that a whole can be, of which the share is a whole number; None where there is none."""
    part, of = share
    match expr:
        case Builtin(name=name) if name == PLAYER_COUNT:
            number = state.players
        case Call(function="count", args=(over,)) if is_all_seats(over):
            number = state.players
        case ReadParameter(name=name, keys=()) if name in state.parameters:
            value = state.parameters[name].value
            number = value if type(value) is int else 0
        case ReadState():
            number = of * 2
        case _:
            return None
    return number if number > 0 and number * part % of == 0 else None


__all__ = ["check_shares_in_sentences"]
