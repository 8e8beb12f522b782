"""Is what lies in all places of a zone counted together, where the sentence says that one player or side has so much?

In: the state of a build. Out: warnings about conditions of steps that count a zone without its key, where the sentence
of the step says "until a player has seven": a number of whom the zone has a place for each. Found by the name of the
kind in English, and the word for a player in French.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import ALL_SEATS
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.tree import Arithmetic, Builtin, Call, Compare, Expr, ReadZone
from rulewright.expr.types import PLAYER_COUNT, SEAT, Member
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Step

PLAYER: Final = {"en": "player", "fr": "joueur"}
NUMBER: Final = {
    "en": r"(?:\{|\d|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)",
    "fr": r"(?:\{|\d|(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze)\b)",
}
HAS_SO_MANY: Final = {  # by language, with the name of a kind
    "en": r"\b(?:an?|one|any|either) {name} (?:has|holds|owns) (?:won |taken |got |gained )?"
    r"(?:at least |more than |as many as )?",
    "fr": r"\b(?:un|une|l'un) {name} (?:a|ait|aura|possède|détient) (?:gagné |pris |obtenu )?(?:au moins |plus de )?",
}
TOGETHER: Final = lazy_pattern(
    r"\b(?:together|altogether|in all|in total|all (?:the )?players|ensemble|en tout|au total|tous les joueurs)\b"
)


@build_pass(needs=["book_sentences", "judged", "zones"], skip=after_errors)
def check_one_of_all_places(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        for key, read, compare in _counted_together(step):
            kinds = state.zones[read.name].key_types
            if len(kinds) != 1 or not isinstance(kinds[0], Member):
                continue
            if _is_for_each_player(compare, kinds[0]):
                continue
            says = _says_one_has(step, kinds[0], state)
            if not says:
                continue
            kind = PLAYER["en"] if kinds[0] == SEAT else kinds[0].kind
            message = f"its sentence says `{says}`, and `{read.name}` without a key means all its places together"
            hint = f"write `some {kind} has … {read.name}({kind}) …`, or change the sentence"
            span = part_span(state.document.root, step.address, key, read, step.span)
            warn(state, span, ALL_SEATS, message, "all together", hint, step.address)
            break


def _counted_together(step: Step) -> Iterator[tuple[str, ReadZone, Compare]]:
    """The zones of which a condition compares how much lies in all places, with the key at which it stands."""
    for key, condition in (("when", step.when), ("while", step.while_condition)):
        parts = [*iter_exprs(condition)] if condition is not None else []
        keyed = {part.name for part in parts if isinstance(part, ReadZone) and part.keys}
        for part in parts:
            if not isinstance(part, Compare):
                continue
            for side in (part.left, part.right):
                read = _counted(side)
                if read is not None and read.name not in keyed:
                    yield key, read, part


def _counted(side: Expr) -> ReadZone | None:
    """The zone that a side counts as a whole, or in lots of so many."""
    if isinstance(side, Arithmetic) and side.op == "//":
        side = side.left
    if isinstance(side, Call) and side.function == "count" and isinstance(read := side.args[0], ReadZone):
        return read if not read.keys and read.member is None else None
    return None


def _is_for_each_player(compare: Compare, kind: Member) -> bool:
    """Whether a number is asked of all players together: so many times as many as play, or shared among them."""
    computed = [part for part in iter_exprs(compare) if isinstance(part, Arithmetic)]
    if kind == SEAT and any(part.op == "//" for part in computed):
        return True
    factors = [one for part in computed if part.op == "*" for one in iter_exprs(part)]
    return any(isinstance(one, Builtin) and one.name == PLAYER_COUNT for one in factors)


def _says_one_has(step: Step, kind: Member, state: BuildState) -> str:
    """The words of a sentence by which one of a kind has a number of something."""
    for language, node in sentence_by_language(state, step.address).items():
        text, name = node.text.lower(), PLAYER.get(language) if kind == SEAT else kind.kind.replace("_", " ")
        if language not in HAS_SO_MANY or name is None or TOGETHER.search(text):
            continue
        match = re.search(HAS_SO_MANY[language].replace("{name}", re.escape(name)) + NUMBER[language], text)
        if match is not None:
            return match[0].removesuffix("{").strip()
    return ""


__all__ = ["check_one_of_all_places"]
