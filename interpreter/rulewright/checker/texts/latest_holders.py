"""Does something that whoever did it last is to have stay with the first, or is it gone with the round?

In: the state of a build. Out: warnings about a state that says which player has something, where its sentence, that of
the step which sets it, or the variant that declares no other such state speaks of the latest: about the condition by
which it is set only while nobody has it, and about `resets`. Found by a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node, key_span
from rulewright.checker.common.lint_codes import OTHER_WAY, SET_BACK_EARLY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.document.address import find_entry
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Compare, ReadState
from rulewright.expr.types import Flag, Number
from rulewright.expr.walk import conjuncts, is_me
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState, Step
from rulewright.model.rules import StateDef
from rulewright.source.nodes import ScalarNode

LATEST: Final = {  # by language: words for what was done most lately
    "en": lazy_pattern(r"\b(?:latest|most recent(?:ly)?|newest|has last (?!for\b)\w+|who(?:ever)? last \w+)\b"),
    "fr": lazy_pattern(r"\b(?:le plus récent|la plus récente|le plus récemment|en dernier|a \w+ la dernière?)\b"),
}
OF_A_TIME: Final = lazy_pattern(  # what is said of one round or turn may be gone with it
    r"\b(?:(?:this|the|that|each|every|a) (?:same )?(?:round|turn)|(?:ce|cette|le|la|chaque|du) (?:tour|manche))\b"
)


@build_pass(needs=["blocks", "states", "symbols", "book_sentences"], skip=after_errors)
def check_latest_holders(state: BuildState) -> None:
    """Reports them."""
    holders = [each for each in state.states.values() if not isinstance(each.type, Flag | Number)]
    for holder in holders:
        steps = [step for block in state.blocks for step in block.steps if _sets(step, holder)]
        says = next(_latest(holder, holders, steps, state), None)
        if says is None or not steps:
            continue
        kept = [step for step in steps if _is_only_once(step, holder)]
        if len(kept) == len(steps) and not holder.reset_scope:
            node = condition_node(state.document.root, kept[0].address)
            span = kept[0].span if node is None else node.span
            message = f"its sentence says `{says}`, and `{holder.name}` stays with whoever has it first"
            hint = "leave this condition out, or change the sentence"
            warn(state, span, OTHER_WAY, message, "only while nobody has it", hint, kept[0].address)
        elif holder.reset_scope in ("turn", "round") and not kept:
            span = key_span(state.document.root, holder.address, "resets", state.symbols.declaration_spans[holder.name])
            message = f"its sentence says `{says}`, and `{holder.name}` begins anew each {holder.reset_scope}"
            hint = "leave `resets` out, or say of which time this is the latest"
            warn(state, span, SET_BACK_EARLY, message, "set back", hint, holder.address)


def _sets(step: Step, holder: StateDef) -> bool:
    return isinstance(step.effect, SetState) and step.effect.target.name == holder.name


def _is_only_once(step: Step, holder: StateDef) -> bool:
    """Whether the one in turn gets it only while it is as at the start."""
    if step.when is None or not isinstance(step.effect, SetState) or not is_me(step.effect.to):
        return False
    start = structural_key(holder.initial_value)
    return start is not None and any(
        isinstance(part, Compare)
        and part.op == "is"
        and isinstance(part.left, ReadState)
        and part.left.name == holder.name
        and structural_key(part.right) == start
        for part in conjuncts(step.when)
    )


def _latest(holder: StateDef, holders: list[StateDef], steps: list[Step], state: BuildState) -> Iterator[str]:
    """The words by which a sentence about a state speaks of the latest."""
    texts = list[tuple[str, ScalarNode]]()
    for address in (holder.address, *(step.address for step in steps)):
        texts += sentence_by_language(state, address).items()
    declared = {each.name: find_entry(state.document.root, each.address) for each in holders}
    files = {name: entry.key.span.source.path for name, entry in declared.items() if entry is not None}
    for variant in state.applied:
        path = variant.root.span.source.path
        if files.get(holder.name) == path and [*files.values()].count(path) == 1 and variant.text is not None:
            texts += sentence_texts(variant.text)
    for language, node in texts:
        text = node.text.lower()
        if language in LATEST and not OF_A_TIME.search(text) and (match := LATEST[language].search(text)):
            yield match[0]


__all__ = ["check_latest_holders"]
