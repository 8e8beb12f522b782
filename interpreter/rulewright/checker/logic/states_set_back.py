"""Is a state that is said to be of a turn, a round or an unbroken row ever set back, and one of the whole game never?

In: the state of a build. Out: warnings about states whose sentence says so, that begin anew with nothing, and that all
steps only count up or set to true; or that no step of each such turn or round is sure to set, and at most one sets to
what it is at the start; about flags that are over at some time by a sentence, and that steps only set to true; and
about states that begin anew each turn or round, although they keep track of what an action does once in the game, as
its sentence says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.emptying_moves import added_to
from rulewright.checker.common.lint_codes import NEVER_SET_BACK, SET_BACK_EARLY
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.steps_asked import sets_state
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Constant, Expr, ReadState, StateTarget
from rulewright.expr.types import FLAG, SEAT
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Roll, RunSteps, SetState
from rulewright.model.rules import StateDef
from rulewright.model.sentences import nodes_by_language
from rulewright.source.nodes import as_mapping

PARAMETERS: Final = "parameters"
PASSING: Final = {  # by language: words for what does not last
    "en": lazy_pattern(
        r"\b(?:th(?:is|e current) (?:turn|round|night|day|hand|deal|lot)|tonight|today"
        r"|these (?:\w+ )?(?:turns|rounds|nights|days|hands|deals)"
        r"|in a row|in succession|one after (?:the )?(?:other|another)"
        r"|(?:turns|rounds|moves|throws|days) (?:without|since|in which (?:nothing|nobody)))\b"
    ),
    "fr": lazy_pattern(
        r"\b(?:ce tour de table|ce tour|cette (?:manche|nuit|donne|journée)|ce soir|aujourd'hui"
        r"|ces (?:\w+ )?(?:tours(?: de table)?|manches|nuits|jours|donnes)"
        r"|de suite|d'affilée|l'un après l'autre"
        r"|(?:tours|manches|coups|lancers|jours) (?:sans|depuis|où (?:rien|personne)))\b"
    ),
}
UNBROKEN: Final = lazy_pattern(r"without|since|which|sans|depuis|où")
ENDING: Final = {  # by language: words for what a flag no longer is, once something else has come
    "en": lazy_pattern(
        r"\b(?:not\b[^.,;:]*\bsince(?=\s*(?:$|[.,;:)]))"
        r"|since (?:the|their|his|her|its|your) (?:last|previous) (?:turn|round)\b"
        r"|until (?:the|their|his|her|its|your) (?:next|following) (?:turn|round)\b)"
    ),
    "fr": lazy_pattern(
        r"(?:\bn['e][^.,;:]*\b(?:pas|plus|rien)\b[^.,;:]*\bdepuis(?=\s*(?:$|[.,;:)]))"
        r"|\bdepuis (?:le|son|votre|leur) dernier tour\b"
        r"|\bjusqu'(?:au|à (?:son|votre|leur)) (?:prochain tour|tour suivant)\b)"
    ),
}
LASTING: Final = {  # by language: words for what may be done so often and no more
    "en": lazy_pattern(r"\b(?:(?:once|twice) (?:in|per|during) (?:the|a|each) (?:whole )?game|once a game|per game)\b"),
    "fr": lazy_pattern(r"\b(?:(?:une|deux) (?:seule )?fois (?:par|dans la|de la|pendant la) partie|par partie)\b"),
}
OF_SEVERAL: Final = lazy_pattern(r"^(?:these|ces) ")
WHOLE_GAME: Final = {
    "en": lazy_pattern(
        r"\b(?:since the (?:game (?:began|started)|(?:beginning|start)(?: of the game|(?! of\b)))"
        r"|(?:of|in|over|during|throughout) the (?:whole|entire) game|in the (?:whole )?game so far|so far in the game"
        r"|from the (?:beginning|start) of the game)\b"
    ),
    "fr": lazy_pattern(
        r"\b(?:depuis le début(?: de la partie|(?! d))|(?:de|dans|pendant|sur|durant) toute la partie"
        r"|depuis que la partie a commencé)\b"
    ),
}
OF_MANY: Final = lazy_pattern(r"night|today|hand|deal|lot|nuit|soir|donne|jour")  # of which a game may have one only
STEP_NAMES: Final = {"nuit": "night", "donne": "deal", "jour": "day"}  # by French words: what names are in English
OF_A_PART: Final = lazy_pattern(r"\b(?:turn|round|tour|manche|hand|deal|donne)\b")
OF_EACH: Final = {"round": ("round", "manche", "table"), "turn": ("turn", "tour")}  # what `resets` may say, by words


@build_pass(needs=["actions", "blocks", "section_blocks", "states", "symbols", "book_sentences"], skip=after_errors)
def check_states_set_back(state: BuildState) -> None:
    """Reports them."""
    blocks, actions, spans = state.blocks, state.actions, state.symbols.declaration_spans
    for definition in state.states.values():
        if definition.reset_scope:
            continue
        passing = [
            match[0]
            for language, node in sentence_by_language(state, definition.address).items()
            if language in PASSING and (match := PASSING[language].search(node.text.lower()))
            if not (of_many := OF_MANY.search(match[0])) or _has_many(of_many[0], state)
        ]
        if not passing:
            _check_ending_flag(definition, state)
            continue
        is_several = OF_SEVERAL.search(passing[0]) is not None
        is_row = is_several or UNBROKEN.search(passing[0]) is not None
        scopes = [scope for scope, words in OF_EACH.items() if not is_row and any(word in passing[0] for word in words)]
        hint = f"write `resets: {scopes[0]}`" if scopes else "set it to 0 where the row is broken"
        hint = "set it back where the next ones begin" if is_several else hint
        hint = "write `resets: round`, or set it back where the next one begins" if OF_MANY.search(passing[0]) else hint
        if _only_grows(blocks, definition.name):
            message = f"`{definition.name}` is said to be of `{passing[0]}`, and nothing sets it back"
        elif scopes and _may_stay(definition, scopes[0], actions, blocks):
            message = f"`{definition.name}` is said to be of `{passing[0]}`, and not every {scopes[0]} sets it back"
        else:
            continue
        warn(state, spans[definition.name], NEVER_SET_BACK, message, "never set back", hint, definition.address)


def _check_ending_flag(definition: StateDef, state: BuildState) -> None:
    """Reports a flag that is only ever set to true, where its sentence or that of a step which sets it says that it
    ends.
    """
    if definition.type != FLAG or definition.block_address or not _only_grows(state.blocks, definition.name):
        return
    setting = [step for block in state.blocks for step in block.steps if sets_state(step, definition.name)]
    for address in (definition.address, *(step.address for step in setting)):
        found = words_found(ENDING, sentence_by_language(state, address), in_small=True)
        if found:
            name = definition.name
            owner = "its sentence" if address == definition.address else f"the sentence of `{address}`"
            message = f"{owner} says `{found}`, and no step sets `{name}` to `false` again"
            hint = "set it to `false` where that comes"
            span = state.symbols.declaration_spans[name]
            warn(state, span, NEVER_SET_BACK, message, "never set back", hint, definition.address)
            return


def _has_many(word: str, state: BuildState) -> bool:
    """Whether a parameter says how many nights or hands a game has, or each round has one by the name of a step."""
    stem = {"today": "day", "soir": "nuit"}.get(word, word)
    in_round = [step for step in state.blocks[state.section_blocks.round].steps if step.when is None]
    if any(step.address.rpartition(".")[2] == STEP_NAMES.get(stem, stem) for step in in_round):
        return True
    names = [entry.key.text for entry in as_mapping(state.document.root.get(PARAMETERS))]
    texts = [name.replace("_", " ") for name in names]
    entries = (state.book_sentences.entries.get(f"{PARAMETERS}.{name}") for name in names)
    texts += [node.text for entry in entries if entry is not None for node in nodes_by_language(entry).values()]
    return any(re.search(rf"(?i)\b{stem}(?:s|nées)\b", text) for text in texts)


@build_pass(needs=["actions", "blocks", "states", "book_sentences"], skip=after_errors)
def check_states_kept(state: BuildState) -> None:
    """Reports states that are set back although they keep track of what is done once in the game."""
    set_back = [definition for definition in state.states.values() if definition.reset_scope]
    for action in state.actions:
        found, tracked = _lasting_words(action, state), _tracked(action, state.blocks)
        for definition in set_back:
            if not found or definition.name not in tracked:
                continue
            node = condition_node(state.document.root, definition.address, "resets")
            assert node is not None
            message = f"the sentence of `{action.name}` says `{found}`, and `{definition.name}` begins anew each "
            message += definition.reset_scope
            hint = "leave `resets` out, or change the sentence"
            warn(state, node.span, SET_BACK_EARLY, message, "set back", hint, definition.address)


@build_pass(needs=["states", "book_sentences"], skip=after_errors)
def check_states_of_the_game(state: BuildState) -> None:
    """Reports states that are set back although they are of the whole game by their sentence."""
    for definition in state.states.values():
        if definition.reset_scope not in OF_EACH:
            continue
        node = condition_node(state.document.root, definition.address, "resets")
        if node is None:
            continue
        for language, text in sentence_by_language(state, definition.address).items():
            match = WHOLE_GAME[language].search(text.text.lower()) if language in WHOLE_GAME else None
            if match is not None and not OF_A_PART.search(text.text.lower()):
                message = f"its sentence says `{match[0]}`, and `{definition.name}` begins anew each "
                message += definition.reset_scope
                hint = "leave `resets` out, or change the sentence"
                warn(state, node.span, SET_BACK_EARLY, message, "set back", hint, definition.address)
                break


def _tracked(action: ActionDef, blocks: Sequence[Block]) -> set[str]:
    """The states that an action asks and sets."""
    asked = (part for clause in action.clauses for part in iter_exprs(clause.condition))
    names = {part.name for part in asked if isinstance(part, ReadState)}
    effects = (step.effect for step in steps_within(action.block, blocks, with_procedures=True))
    return names & {effect.target.name for effect in effects if isinstance(effect, SetState)}


def _lasting_words(action: ActionDef, state: BuildState) -> str:
    return words_found(LASTING, sentence_by_language(state, action.address), in_small=True)


def _may_stay(definition: StateDef, scope: str, actions: Sequence[ActionDef], blocks: Sequence[Block]) -> bool:
    """Whether a state can be in one turn, or round, what it was in the one before."""
    name, start = definition.name, structural_key(definition.initial_value)
    steps = [step for block in blocks for step in block.steps]
    targets = [step.effect for step in steps if isinstance(step.effect, SetState) and step.effect.target.name == name]
    back = [effect for effect in targets if start is not None and structural_key(effect.to) == start]
    if definition.type == SEAT or not targets or len(back) > 1:
        return False  # where each way out of a turn has a step of its own, or nobody in particular is meant at first
    numbers = {block.address: number for number, block in enumerate(blocks)}
    sections = ("turn",) if scope == "turn" else ("round", "turn")
    return not any(_is_set_in(numbers[each], name, actions, blocks) for each in sections if each in numbers)


def _is_set_in(
    number: int, name: str, actions: Sequence[ActionDef], blocks: Sequence[Block], around: frozenset[int] = frozenset()
) -> bool:
    """Whether steps set a state whatever players choose; their conditions may cover all cases."""
    if number in around:
        return False  # an action that offers itself
    around |= {number}
    for step in blocks[number].steps:
        match step.effect:
            case SetState(target=target, to=to) if target.name == name:
                if not any(isinstance(part, ReadState) and part.name == name for part in iter_exprs(to)):
                    return True
            case Roll(target=target) if target.name == name:
                return True
            case RunSteps(block=block) if _is_set_in(block, name, actions, blocks, around):
                return True
            case Choose(mode="must" | "together", offers=offers):
                if all(_is_set_in(actions[offer.action].block, name, actions, blocks, around) for offer in offers):
                    return True
    return False


def _only_grows(blocks: Iterable[Block], name: str) -> bool:
    """Whether all steps that set a state count it up or set it to true."""
    effects = [step.effect for block in blocks for step in block.steps]
    writers = [effect for effect in effects if isinstance(effect, SetState | Roll) and effect.target.name == name]
    return bool(writers) and all(isinstance(one, SetState) and _grows(one.target, one.to) for one in writers)


def _grows(target: StateTarget, to: Expr) -> bool:
    if isinstance(to, Constant):
        return to.value is True
    signs = [part.op for part in iter_exprs(to) if isinstance(part, Arithmetic)]
    return added_to(target, to) is not None and signs == ["+"]


__all__ = ["OF_EACH", "PASSING", "check_states_kept", "check_states_of_the_game", "check_states_set_back"]
