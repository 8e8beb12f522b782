"""A game's document → the rules of the game: every name resolved, every expression typed, once and for all.

In: a `Document` with its variants applied, and a number of players. Out: `Rules`, or None when there are errors; all
that is wrong is in the diagnostics. `PASSES` is the way from one to the other; `model/explanations.py` has more, for
what is said about the rules, and `checker/lint.py` those that only check.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, cast

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.document.language import SYMBOL_SECTIONS
from rulewright.model import zones
from rulewright.model.assessments import check_assessment_costs, read_assessments
from rulewright.model.block_states import check_block_states
from rulewright.model.build_state import (
    BuildState,
    Pass,
    after_errors,
    build_pass,
    check_pass_order,
    run_passes,
)
from rulewright.model.components import declare_components, read_initial_places
from rulewright.model.display import prune_display, read_display
from rulewright.model.elimination_state import declare_elimination_state
from rulewright.model.explanations import explanations_of
from rulewright.model.kinds import read_kinds_and_parameters
from rulewright.model.possible_cycles import check_possible_cycles
from rulewright.model.rules import Rules
from rulewright.model.section_sentences import read_section_sentences
from rulewright.model.sentences import merge_sentences
from rulewright.model.states import read_states
from rulewright.model.steps import StepReader, declare_actions
from rulewright.model.symbol_table import SymbolTable
from rulewright.model.titles import read_titles
from rulewright.model.translations import build_languages
from rulewright.source.nodes import text_or_default, to_builtins
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant

# ---- names ------------------------------------------------------------------------------------------------------


@build_pass(adds=["kind_symbols", "parameters"])
def declare_kinds(state: BuildState) -> None:
    """Kinds and parameters, which may need one another."""
    removed = frozenset(
        change.parts[-1] for variant in state.applied for change in variant.changes if _removes_name(change)
    )
    reader = state.reader(SymbolTable(state.players, removed))
    state.parameters = read_kinds_and_parameters(reader)
    state.kind_symbols = reader.table


@build_pass(needs=["kind_symbols"], adds=["component_symbols", "component_rows"])
def declare_component_rows(state: BuildState) -> None:
    """Components and their rows; where things start is read when zones are known."""
    reader = state.reader(state.kind_symbols)
    state.component_rows = declare_components(reader)
    state.component_symbols = reader.table


@build_pass(needs=["component_symbols"], adds=["zone_symbols", "zone_keys"])
def declare_zones_pass(state: BuildState) -> None:
    """The names of zones with their keys and sizes."""
    reader = state.reader(state.component_symbols)
    state.zone_keys = zones.declare_zones(reader)
    state.zone_symbols = reader.table


@build_pass(needs=["zone_symbols"], adds=["state_symbols", "states", "has_elimination"])
def read_states_pass(state: BuildState) -> None:
    """State variables, and the one that says who has left where seats can leave."""
    reader = state.reader(state.zone_symbols)
    states = read_states(reader)
    elimination = declare_elimination_state(reader, sum(definition.size for definition in states.values()))
    state.states = states if elimination is None else {**states, elimination.name: elimination}
    state.has_elimination = elimination is not None
    state.state_symbols = reader.table


@build_pass(needs=["state_symbols"], adds=["action_symbols"])
def declare_action_names(state: BuildState) -> None:
    """The names of actions, for which values may ask whether they are possible."""
    reader = state.reader(state.state_symbols)
    declare_actions(reader)
    state.action_symbols = reader.table


@build_pass(needs=["action_symbols"], adds=["symbols", "values"])
def read_values_pass(state: BuildState) -> None:
    """Derived values, each after those it reads; with them all names are declared."""
    reader = state.reader(state.action_symbols)
    state.values = zones.read_values(reader)
    state.symbols = reader.table


# ---- definitions ------------------------------------------------------------------------------------------------


@build_pass(needs=["symbols", "component_rows"], adds=["components"])
def place_components(state: BuildState) -> None:
    """Where things are at the start."""
    state.components = read_initial_places(state.reader(state.symbols), state.component_rows)


@build_pass(needs=["symbols", "zone_keys"], adds=["zones"])
def read_zones_pass(state: BuildState) -> None:
    """What zones hold, who sees them, how they are filled."""
    state.zones = zones.read_zones(state.reader(state.symbols), state.zone_keys)


@build_pass(needs=["symbols"], adds=["member_sentences"])
def read_member_names(state: BuildState) -> None:
    """What the members of kinds are called."""
    sentences = state.sentence_reader(state.reader(state.symbols))
    sentences.read_member_names()
    state.member_sentences = sentences.collected


@build_pass(
    needs=["symbols", "has_elimination"], adds=["actions", "blocks", "section_blocks", "expr_sources", "step_sentences"]
)
def read_steps(state: BuildState) -> None:
    """Procedures, actions and the four sections of steps, as numbered blocks."""
    reader = state.reader(state.symbols)
    sentences = state.sentence_reader(reader)
    steps = StepReader(reader, sentences, has_elimination=state.has_elimination)
    steps.read_procedures()
    steps.read_actions()
    state.section_blocks = steps.read_sections()
    state.actions, state.blocks = tuple(steps.actions), tuple(steps.blocks)
    state.expr_sources = steps.choices.expr_sources
    state.step_sentences = sentences.collected


@build_pass(needs=["symbols"], adds=["assessments", "assessment_sentences"])
def read_position_assessments(state: BuildState) -> None:
    """Ranking, invariants, measures, evaluation and strategies."""
    reader = state.reader(state.symbols)
    sentences = state.sentence_reader(reader)
    state.assessments = read_assessments(reader, sentences)
    state.assessment_sentences = sentences.collected


@build_pass(needs=["symbols", "assessments"], skip=after_errors)
def check_costs(state: BuildState) -> None:
    """Whether all expressions of such a section can be computed together."""
    check_assessment_costs(state.reader(state.symbols), state.assessments)


@build_pass(needs=["actions", "values"])
def check_cycles(state: BuildState) -> None:
    """Whether an action is possible must not depend on itself."""
    check_possible_cycles(state.actions, state.values, state.diagnostics)


@build_pass(needs=["states", "blocks", "actions"])
def check_variables_of_blocks(state: BuildState) -> None:
    """Variables of a block are used only while it is under way."""
    check_block_states(state.states, state.blocks, state.actions, state.usage, state.diagnostics)


# ---- words and pictures -----------------------------------------------------------------------------------------


@build_pass(needs=["symbols"], adds=["section_sentences"])
def read_sentences_of_sections(state: BuildState) -> None:
    """The sentences of nodes that are no steps."""
    reader = state.reader(state.symbols)
    sentences = state.sentence_reader(reader)
    read_section_sentences(reader, sentences)
    state.section_sentences = sentences.collected


@build_pass(needs=["symbols"], adds=["variant_sentences"])
def read_variant_sentences(state: BuildState) -> None:
    """What each variant says it changes."""
    reader = state.reader(state.symbols)
    sentences = state.sentence_reader(reader)
    for variant in state.applied:
        sentences.read_text(variant.root, f"variants.{variant.name}", reader.scope())
    state.variant_sentences = sentences.collected


@build_pass(needs=["symbols"], adds=["titles"])
def read_titles_of_rules(state: BuildState) -> None:
    """What rules are called."""
    reader = state.reader(state.symbols)
    sentences = state.sentence_reader(reader)
    read_titles(reader, sentences, state.document, state.variant_files)
    state.titles = sentences.collected


@build_pass(needs=["symbols"], adds=["display", "thing_displays"])
def read_table_display(state: BuildState) -> None:
    """How the game is drawn."""
    reader, display = state.reader(state.symbols), state.document.display
    if display is not None and state.variants:
        display = prune_display(reader, display, state.variant_files)
    state.display = display
    state.thing_displays = {} if display is None else read_display(reader, display)


@build_pass(
    needs=[
        "member_sentences",
        "step_sentences",
        "assessment_sentences",
        "section_sentences",
        "variant_sentences",
        "titles",
    ],
    adds=["sentences"],
)
def collect_sentences(state: BuildState) -> None:
    """All sentences but those of the rulebook, in the order in which they were read."""
    state.sentences = merge_sentences(
        state.document.texts,
        state.member_sentences,
        state.step_sentences,
        state.assessment_sentences,
        state.section_sentences,
        state.variant_sentences,
        state.titles,
    )


@build_pass(needs=["symbols", "sentences", "component_rows"], adds=["languages"])
def read_languages(state: BuildState) -> None:
    """The game's languages, each with its sentences, names and small words."""
    state.languages = build_languages(
        state.reader(state.symbols), state.sentences, state.document.texts, state.component_rows
    )


PASSES: Final[tuple[Pass, ...]] = (
    declare_kinds,
    declare_component_rows,
    declare_zones_pass,
    read_states_pass,
    declare_action_names,
    read_values_pass,
    place_components,
    read_zones_pass,
    read_member_names,
    read_steps,
    read_position_assessments,
    check_costs,
    check_cycles,
    check_variables_of_blocks,
    read_sentences_of_sections,
    read_variant_sentences,
    read_titles_of_rules,
    read_table_display,
    collect_sentences,
    read_languages,
)
check_pass_order(PASSES)


class BuildFunction(Protocol):
    """`build_rules`, or what does more than it."""

    def __call__(
        self,
        document: Document,
        players: int,
        diagnostics: Diagnostics,
        *,
        variants: Sequence[str] = (),
        applied: Sequence[Variant] = (),
    ) -> Rules | None:
        """The rules, or None when there are errors."""


def build_rules(
    document: Document,
    players: int,
    diagnostics: Diagnostics,
    *,
    variants: Sequence[str] = (),
    applied: Sequence[Variant] = (),
    passes: Sequence[Pass] = PASSES,
) -> Rules | None:
    """The rules of a document for a number of players, or None when there are errors.

    `variants`: names of the chosen variants. `applied`: all that were applied, with the overlay for the number of
    players. `passes`: those that are run, at least `PASSES` in their order.
    """
    state = BuildState(document, players, tuple(variants), tuple(applied), diagnostics)
    run_passes(passes, state)
    return None if diagnostics.error_count else _freeze(state)


def _freeze(state: BuildState) -> Rules:
    document, assessments = state.document, state.assessments
    display = to_builtins(state.display) if state.display is not None else {}
    return Rules(
        game=document.name,
        version=text_or_default(document.root.get("version")),
        players=state.players,
        variants=state.variants,
        implied_variants=tuple(variant.name for variant in state.applied if variant.kind == "joins"),
        kinds=state.symbols.kinds,
        family_members=state.symbols.family_members,
        parameters=state.parameters,
        components=state.components,
        zones=state.zones,
        values=state.values,
        states=state.states,
        actions=state.actions,
        blocks=state.blocks,
        setup=state.section_blocks.setup,
        turn=state.section_blocks.turn,
        round=state.section_blocks.round,
        finale=state.section_blocks.finale,
        ranking=assessments.ranking,
        invariants=assessments.invariants,
        measures=assessments.measures,
        evaluation=assessments.evaluation,
        strategies=assessments.strategies,
        languages=state.languages,
        display=cast(dict[str, Any], display),
        thing_displays=state.thing_displays,
        explanations=explanations_of(state),
        has_elimination=state.has_elimination,
    )


def _removes_name(change: Change) -> bool:
    section, *rest = change.parts
    return (
        change.payload is None
        and section in SYMBOL_SECTIONS
        and len(rest) == (2 if section == "kinds" and change.item else 1)
    )


__all__ = ["PASSES", "BuildFunction", "build_rules"]
