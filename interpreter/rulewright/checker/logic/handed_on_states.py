"""Is a state that has just been set to a player, who is that by the sentence of the step, moved on to the next one?

In: rules, and the composition they were built from. Out: warnings about steps that set a state to a player, of whom
their sentence says what the state is of (`leads first`), where a later step of the same section moves the state on to
the next player in any case, before anything can read it. Who means the next one says so. Under variants only what a
variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NO_NAMES, POSSIBLE, NamesTouched
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.sentence_places import sentence_address
from rulewright.expr.tree import Call, Expr, ReadState
from rulewright.expr.types import SEAT
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.effects import Move, Reveal, Roll, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs, step_exprs

WHO: Final = lazy_pattern(r"(?i)^(?:who|qui|the player (?:who|that)|celui qui|le joueur qui)\s+(\S+\s+\S+)")
OF_ANOTHER: Final = lazy_pattern(
    r"(?i)\b(?:next|neighbou?r|left|right|after|follow\w*|clockwise|suiv\w*|voisine?|gauche|droite|après)\b"
)


def check_handed_on_states(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names = NamesTouched(rules)
    for block in rules.blocks:
        for index, first in enumerate(block.steps):
            name = _named_player(first)
            second = None if name is None else _moving_on(block.steps[index + 1 :], name, names)
            if name is None or second is None or not _says_who(first, name, rules, composition):
                continue
            judged = [step for step in (first, second) if composition.is_judged(step.span)]
            if not judged:
                continue
            shown = judged[0]
            message = (
                f"`{first.address}` says who `{name}` is, and `{second.address}` moves it on before anything reads it"
            )
            related = [Related(step.span, step.address) for step in (first, second) if step is not shown]
            diagnostics.add(
                shown.span,
                CHANGES_NOTHING,
                message,
                label="moved on at once",
                help=f"put it behind `{second.address}`, or leave that one out",
                address=shown.address,
                related=related,
            )


def _named_player(step: Step) -> str | None:
    """The state that a step sets to a player who does not follow from what the state was."""
    effect = step.effect
    if not isinstance(effect, SetState) or effect.target.keys or effect.to.type != SEAT or _is_next(effect.to):
        return None
    reads = any(isinstance(expr, ReadState) and expr.name == effect.target.name for expr in step_exprs(step))
    return None if reads else effect.target.name


def _moving_on(steps: Sequence[Step], name: str, names: NamesTouched) -> Step | None:
    """The step that moves a state on in any case before anything else reads it, if there is one."""
    for step in steps:
        if not isinstance(step.effect, SetState | Roll | Move | Reveal):
            return None
        effect, is_certain = step.effect, step.when is None and step.for_each is None and step.times is None
        if isinstance(effect, SetState) and effect.target.name == name and is_certain:
            return step if not effect.target.keys and _is_next_of(effect.to, name) else None
        read = NO_NAMES.union(*map(names.read, asked_exprs(step)))
        if name in read or POSSIBLE in read or name in names.written(step):
            return None
    return None


def _is_next(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function == "next"


def _is_next_of(expr: Expr, name: str) -> bool:
    """Whether it is the player next to the one whom a state names."""
    if not isinstance(expr, Call) or expr.function != "next":
        return False
    return isinstance(expr.args[0], ReadState) and expr.args[0].name == name


def _says_who(step: Step, name: str, rules: Rules, composition: Composition) -> bool:
    """Whether the sentence of a step says of the player what that of the state says, and names nobody next to it."""
    state = rules.states[name]
    described = dict(_texts(state.address, composition))
    for language, text in _texts(step.address, composition):
        who = WHO.search(described.get(language, ""))
        if who is None or OF_ANOTHER.search(text):
            continue
        if f" {who[1].lower()} " in f" {text.lower().strip('.,;:!')} ".replace(",", " ").replace(";", " "):
            return True
    return False


def _texts(address: str, composition: Composition) -> Iterator[tuple[str, str]]:
    """The sentence of a rule, in each language."""
    for sentence in sentences_of(address.partition(".")[0], composition):
        if sentence_address(sentence.parts) == address:
            yield from ((language, text.text) for language, text in sentence.texts)


__all__ = ["check_handed_on_states"]
