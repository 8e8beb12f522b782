"""Does the sentence of an end say that the game lasts another number of rounds than it does?

In: rules, and the composition they were built from. Out: warnings about ends that compare the number of the round with
a number that their sentence names, "after 9 rounds" or "after {rounds} rounds", and come one round earlier or later:
behind the turns of a round `>= 9` is after nine rounds and `> 9` after ten, before them `> 9` is. Under variants only
what a variant wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.sentence_places import sentence_address
from rulewright.expr.tree import SIDES_SWAPPED, Builtin, Compare, Constant, Expr, ReadParameter
from rulewright.expr.walk import disjuncts
from rulewright.model.effects import Choose, Finish, GiveTurn, Step
from rulewright.model.loader import Composition
from rulewright.model.locale import spelled_numbers
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, run_blocks
from rulewright.source.nodes import ScalarNode

ROUND: Final = "round"
LASTS: Final = {  # by language: how it is said that so many rounds are played, with the number in braces
    "en": r"\b(?:after (?:the )?{0}(?: full| whole)?|lasts? {0}) {1}\b|{0} {1} (?:have been|been|were) played\b",
    "fr": r"\b(?:après (?:les )?{0}|dure {0}) {1}\b",
}
ROUNDS: Final = {"en": "rounds", "fr": "(?:tours de table|manches)"}


def check_rounds_in_sentences(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    ends = {step.address: (step, extra) for step, extra in _ends(rules)}
    if not ends:
        return
    for sentence in sentences_of(ROUND, composition):
        step, extra = ends.get(sentence_address(sentence.parts).removesuffix(".when"), (None, 0))
        node = None if step is None else condition_node(composition.document.root, step.address)
        if step is None or step.when is None or not isinstance(node, ScalarNode):
            continue
        for part, number, op in _compared(step.when):
            rounds = extra + (1 if op == ">" else 0)
            texts = [text for language, text in sentence.texts if _says(language, text.text, number)]
            if rounds == 0 or not texts:
                continue
            span = node.subspan(*part.offsets)
            if not composition.is_judged(span):
                continue
            text = node.text[slice(*part.offsets)].strip()
            when = "one round later" if rounds > 0 else "one round earlier"
            right = text.replace(">", ">=") if op == ">" else re.sub(r">=|\bis\b", ">", text)
            diagnostics.add(
                span,
                OTHER_NUMBER,
                f"this ends the game {when} than its sentence says",
                label=f"{_count(number, rules) + rounds} rounds are played",
                help=f"write `{right}`",
                address=step.address,
                related=[Related(texts[0].span, "the sentence")],
            )


def _ends(rules: Rules) -> Iterator[tuple[Step, int]]:
    """The ends of a round, each with how many rounds more than the number of the round have been played then. Nothing
    is said of an end with decisions before it and turns behind it: the round is half played.
    """
    steps = rules.blocks[rules.round].steps
    turns, decisions = ([_has(step, effect, rules) for step in steps] for effect in (GiveTurn, Choose))
    for number, step in enumerate(steps):
        if not isinstance(step.effect, Finish) or step.effect.when == "after_round":
            continue
        if any(turns[:number]) or (any(decisions[:number]) and not any(turns[number:])):
            yield step, 0
        elif not any(decisions[:number]):
            yield step, -1


def _has(step: Step, effect: type[GiveTurn | Choose], rules: Rules) -> bool:
    """Whether a step of a round gives a turn, or lets somebody decide, itself or inside."""
    inner = blocks_within(rules, run_blocks(rules, step.effect))
    within = (step, *(each for block in inner for each in rules.blocks[block].steps))
    return any(isinstance(each.effect, effect) for each in within)


def _compared(condition: Expr) -> Iterator[tuple[Expr, Expr, str]]:
    """What ends the game by the number of the round alone: the number that it is compared with, and how."""
    for part in disjuncts(condition):
        match part:
            case Compare(op=">" | ">=" | "is" as op, left=Builtin(name="round_number"), right=number):
                yield part, number, op
            case Compare(op="<" | "<=" | "is" as op, left=number, right=Builtin(name="round_number")):
                yield part, number, SIDES_SWAPPED.get(op, op)


def _says(language: str, text: str, number: Expr) -> bool:
    """Whether a sentence says that so many rounds are played."""
    if language not in LASTS:
        return False
    words = [re.escape(word) for word in _words(language, number)]
    pattern = LASTS[language].format(f"(?:{'|'.join(words)})", ROUNDS[language])
    return bool(words) and re.search(pattern, text, re.IGNORECASE) is not None


def _words(language: str, number: Expr) -> list[str]:
    match number:
        case ReadParameter(name=name, keys=()):
            return [f"{{{name}}}"]
        case Constant(value=int(value)):
            return [str(value), *(word for word, meant in spelled_numbers(language).items() if meant == value)]
    return []


def _count(number: Expr, rules: Rules) -> int:
    """The number itself."""
    parameters: Mapping[str, object] = {name: parameter.value for name, parameter in rules.parameters.items()}
    value = parameters.get(number.name) if isinstance(number, ReadParameter) else getattr(number, "value", 0)
    return value if isinstance(value, int) else 0


__all__ = ["check_rounds_in_sentences"]
