"""What an author has probably forgotten: things that nothing uses, rules without words, a game without an end.

In: the state of a build in which all rules have been read. Out: warnings. `LINTS` are passes like those that build
rules; `build_and_lint` runs both. Under variants, only the sentences that they lack are missed; what they leave without
a use or an end is reported wherever it is, and `model.blame` finds the change that did it.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from rulewright import limits
from rulewright.checker.common import lint_codes
from rulewright.checker.common.rules_read import offer_clauses, slots_read
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.cases_left_out import check_cases_left_out
from rulewright.checker.logic.doubled_flags import check_doubled_flags
from rulewright.checker.logic.empty_sources import check_empty_sources
from rulewright.checker.logic.endless_turns import check_endless_turn
from rulewright.checker.logic.forgotten_keys import (
    check_all_seats,
    check_leaving_together,
    check_seats_in_terms,
    check_steps_of_all_seats,
    check_unread_keys,
    check_unread_variables,
    check_unread_variables_of_loops,
    leave_together,
)
from rulewright.checker.logic.idle_steps import check_empty_turns, check_idle_steps, check_unread_loops
from rulewright.checker.logic.keys_in_loops import check_keys_in_loops
from rulewright.checker.logic.lone_winners import check_lone_winners
from rulewright.checker.logic.moves_of_nothing import check_moves_of_nothing
from rulewright.checker.logic.offers_of_nothing import check_offers_of_nothing
from rulewright.checker.logic.passed_straight_on import check_passed_straight_on
from rulewright.checker.logic.repeated_terms import check_repeated_terms
from rulewright.checker.logic.resets_of_turns import check_resets_of_turns
from rulewright.checker.logic.rolled_late import check_rolled_late
from rulewright.checker.logic.same_again import check_repeated_arguments, check_repeated_clauses
from rulewright.checker.logic.same_answer_twice import check_same_answer_twice
from rulewright.checker.logic.same_places import check_same_places
from rulewright.checker.logic.set_back import check_states_kept, check_states_set_back
from rulewright.checker.logic.shown_at_once import check_shown_at_once
from rulewright.checker.logic.swapped_bounds import check_swapped_bounds
from rulewright.checker.logic.taken_elsewhere import check_taken_elsewhere
from rulewright.checker.logic.turns_given import check_turns_given
from rulewright.checker.logic.unset_players import check_unset_players
from rulewright.checker.logic.ways_back import check_places_left_full, zones_with_a_way_back
from rulewright.checker.logic.winners_elsewhere import check_winners_elsewhere
from rulewright.checker.open_secrets import check_open_secrets
from rulewright.checker.secrets.announcing_states import announcing_states
from rulewright.checker.secrets.information_leaks import HiddenReadFinder, Leak, LeakSearch
from rulewright.checker.secrets.noted_by_owners import check_noted_by_owners
from rulewright.checker.secrets.step_disclosures import check_step_disclosures
from rulewright.checker.secrets.step_leaks import check_step_leaks
from rulewright.checker.sights_in_sentences import check_sights_in_sentences
from rulewright.checker.texts.asked_before_arrival import check_asked_before_arrival
from rulewright.checker.texts.cited_sections import check_sources
from rulewright.checker.texts.contrary_reasons import check_contrary_reasons
from rulewright.checker.texts.contrary_sentences import check_contrary_sentences, check_contrary_values
from rulewright.checker.texts.criteria import check_criteria
from rulewright.checker.texts.ends_in_sentences import check_ends_in_sentences
from rulewright.checker.texts.kinds_in_sentences import check_kinds_in_sentences
from rulewright.checker.texts.latest_holders import check_latest_holders
from rulewright.checker.texts.lines_in_sentences import check_lines_in_sentences
from rulewright.checker.texts.named_amounts import check_named_amounts
from rulewright.checker.texts.one_sided_exchanges import check_gifts_asked_for, check_one_sided_exchanges
from rulewright.checker.texts.others_meant import check_others_meant
from rulewright.checker.texts.places_of_all import check_places_of_all
from rulewright.checker.texts.plain_claims import check_plain_claims
from rulewright.checker.texts.players_in_sentences import (
    check_players_in_sentences,
    check_players_of_actions,
    check_turns_of_actions,
)
from rulewright.checker.texts.pots_and_winners import check_pots_and_winners
from rulewright.checker.texts.printed_parameters import check_printed_parameters
from rulewright.checker.texts.ranges_in_sentences import check_ranges_in_sentences
from rulewright.checker.texts.reasons_as_asked import check_reasons_as_asked
from rulewright.checker.texts.sameness_in_reasons import check_sameness_in_reasons
from rulewright.checker.texts.spent_elsewhere import check_spent_elsewhere
from rulewright.checker.texts.ties_in_sentences import check_ties_in_sentences
from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.document.text_addresses import reason_address
from rulewright.expr import codes as expr_codes
from rulewright.expr.scope import ComponentSymbol, KindSymbol, ParameterSymbol, StateSymbol, ValueSymbol, ZoneSymbol
from rulewright.expr.tree import (
    Builtin,
    Expr,
    Local,
    Quantifier,
    ReadState,
    ReadValue,
)
from rulewright.expr.types import SEAT, Member
from rulewright.expr.walk import free_variables, is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build import PASSES, BuildFunction, build_rules
from rulewright.model.build_state import BuildState, Pass, after_errors, build_pass, check_pass_order
from rulewright.model.effects import Choose, Finish, Leave, Move, Roll, SetState, Step
from rulewright.model.explanations import BOOK_PASSES
from rulewright.model.rules import ELIMINATION_STATE
from rulewright.model.sentences import nodes_by_language
from rulewright.model.symbol_table import symbol_label
from rulewright.model.translations import check_missing_translations, check_unused_translations
from rulewright.model.traversal import choice_exprs
from rulewright.source.nodes import MappingNode, as_items, as_mapping, text_or_default
from rulewright.suggestions import closest_name

# mistakes in an expression whose other names are read
READ_ALL_THE_SAME: Final = (expr_codes.UNKNOWN_FUNCTION, expr_codes.ARGUMENT_COUNT, expr_codes.FORMER_SPELLING)
# what nothing reads is out of the game; whether that is meant no other property of the rules says, only its text
LEAVING: Final = lazy_pattern(r"\b(?:out|box|leaves?|left|removed|gone|hors|boîte|quitt\w*|retir\w*|sorti\w*)\b")
LINTED_SYMBOLS: Final = (KindSymbol, ParameterSymbol, ValueSymbol, StateSymbol, ZoneSymbol)


def has_unread_text(state: BuildState) -> bool:
    """Whether an expression could not be read, which may use any name."""
    errors = (diagnostic.code for diagnostic in state.diagnostics if diagnostic.severity == "error")
    return any(code.number.startswith("E") and code not in READ_ALL_THE_SAME for code in errors)


@build_pass(needs=["symbols"])
def check_unused_names(state: BuildState) -> None:
    """Kinds, parameters, values, states and zones that no expression reads."""
    if has_unread_text(state):
        return
    symbols = state.symbols.symbols
    has_errors = state.diagnostics.error_count > 0
    unknown = [name for name in state.usage.used_names if name not in symbols] if has_errors else []
    if len(unknown) > limits.MAX_CAUSES:
        return
    for name, symbol in symbols.items():
        span = state.symbols.declaration_spans.get(name)
        if span is not None and isinstance(symbol, LINTED_SYMBOLS) and name not in state.usage.used_names:
            if any(closest_name(word, [name]) for word in unknown):
                continue  # a misspelled name may mean it
            is_set = name in state.usage.assigned_states
            if is_set and not has_errors:
                continue  # `check_unread_states`
            verb, label = ("reads", "only set") if is_set else ("uses", "never used")
            message = f"no rule {verb} the {symbol_label(symbol)} `{name}`"
            warn(state, span, lint_codes.UNUSED, message, label, "use it or remove it")


@build_pass(needs=["symbols", "actions", "blocks", "zones", "values", "book_sentences"], skip=after_errors)
def check_unread_states(state: BuildState) -> None:
    """States that steps set and that no rule reads, but those by which players are told something."""
    usage, spans = state.usage, state.symbols.declaration_spans
    actions, blocks, entries = state.actions, state.blocks, state.book_sentences.entries
    finder = HiddenReadFinder(state.zones, state.values, state.players)
    unread = [name for name in spans if name in usage.assigned_states and name not in usage.used_names]
    announcing = announcing_states(actions, blocks, entries, finder, state) if unread else ()
    for name in unread:
        if name not in announcing:
            message = f"no rule reads the state `{name}`"
            warn(state, spans[name], lint_codes.UNUSED, message, "only set", "use it or remove it")


@build_pass(needs=["symbols"], skip=after_errors)
def check_unset_states(state: BuildState) -> None:
    """States that some rule reads and no step sets: they stay what they are at the start."""
    usage = state.usage
    for name, symbol in state.symbols.symbols.items():
        span = state.symbols.declaration_spans.get(name)
        is_read_only = name in usage.used_names and name not in usage.assigned_states
        if isinstance(symbol, StateSymbol) and span is not None and is_read_only:
            message = f"no step sets the state `{name}`, so it never changes"
            hint = "set it in a step, or make it a parameter"
            warn(state, span, lint_codes.NEVER_SET, message, "never set", hint)


@build_pass()
def check_unused_steps(state: BuildState) -> None:
    """Actions that no step offers, procedures that none runs."""
    if has_unread_text(state):
        return
    for section, verb, hint in (("actions", "offers", "offer"), ("procedures", "runs", "run")):
        for entry in as_mapping(state.document.root.get(section)):
            name = entry.key.text
            if name not in state.usage.used_names:
                message, help_ = f"no step {verb} `{name}`", f"{hint} it in a step, or remove it"
                warn(state, entry.key.span, lint_codes.UNUSED, message, "never used", help_, f"{section}.{name}")


@build_pass(needs=["actions", "blocks"], skip=after_errors)
def check_unread_choices(state: BuildState) -> None:
    """Choices without effect: no clause, no later choice and no step reads the answer."""
    offers = offer_clauses(state.blocks)
    for action in state.actions:
        exprs = [expr for choice in action.choices for expr in choice_exprs(choice)]
        exprs += [clause.condition for clause in (*action.clauses, *offers.get(action.index, ()))]
        slots = slots_read(action.block, state.blocks).union(*map(free_variables, exprs))
        for slot, choice in enumerate(action.choices):
            if slot in slots:
                continue
            from rulewright.checker.common.choices_meant import find_meant_choice  # most choices are read

            meant = find_meant_choice(state, action, choice.name)
            if meant is not None:
                name, span = meant
                message, hint = f"`{name}` means all of them", f"did you mean the choice `{choice.name}`?"
                warn(state, span, expr_codes.ALL_OR_ONE, message, "all of them", hint, choice.address)
            else:
                message = f"no clause or step of `{action.name}` reads the choice `{choice.name}`"
                hint = "read it in a step or a clause, or remove it"
                warn(state, choice.span, lint_codes.UNUSED, message, "never read", hint, choice.address)


@build_pass(needs=["symbols"], skip=after_errors)
def check_choices_made_later(state: BuildState) -> None:
    """Choices with the name of a kind or component that an earlier one means to use."""
    symbols = state.symbols.symbols
    for entry in as_mapping(state.document.root.get("actions")):
        _, *later = as_mapping(as_mapping(entry.value).get("choose")).keys() or [""]
        if any(isinstance(symbols.get(name), KindSymbol | ComponentSymbol) for name in later):
            from rulewright.checker.common.choices_meant import report_choices_made_later  # few are named so

            report_choices_made_later(state, entry)


@build_pass(needs=["blocks"], skip=after_errors)
def check_unread_arguments(state: BuildState) -> None:
    """Arguments of procedures that none of their steps reads."""
    blocks = {block.address: index for index, block in enumerate(state.blocks)}
    for entry in as_mapping(state.document.root.get("procedures")):
        arguments = as_mapping(entry.value).get("with")
        names = [one.key for one in arguments] if isinstance(arguments, MappingNode) else as_items(arguments)
        address = f"procedures.{entry.key.text}"
        slots = slots_read(blocks[address], state.blocks)
        for slot, name in enumerate(names):
            if slot not in slots:
                message = f"no step of `{entry.key.text}` reads the argument `{text_or_default(name)}`"
                hint = "read it in a step, or remove it here and where the procedure is run"
                warn(state, name.span, lint_codes.UNUSED, message, "never read", hint, f"{address}.with")


@build_pass(needs=["actions", "blocks"], skip=after_errors)
def check_needless_fallbacks(state: BuildState) -> None:
    """Actions for whoever can do nothing else that the step offers anyway."""
    actions = state.actions
    for step in (step for block in state.blocks for step in block.steps):
        choose = step.effect
        if not isinstance(choose, Choose) or not isinstance(choose.fallback, int):
            continue
        name = actions[choose.fallback].name
        if any(offer.action == choose.fallback and not offer.clauses for offer in choose.offers):
            message = f"`if_unable: {name}` never applies: this step offers `{name}` to everybody"
            hint = f"remove `{step.address}.if_unable`, or do not offer `{name}`"
            warn(state, step.span, lint_codes.UNUSED, message, "offered anyway", hint, step.address)


@build_pass(needs=["actions", "blocks", "sentences"])
def check_missing_sentences(state: BuildState) -> None:
    """Actions and clauses without a sentence, in a game where others of their sort have one."""
    entries = {*state.sentences.entries, *state.document.contested}  # of the latter it is reported who writes them
    clauses = [clause for action in state.actions for clause in action.clauses]
    clauses += [clause for offered in offer_clauses(state.blocks).values() for clause in offered]
    if any(action.address in entries for action in state.actions):
        for action in state.actions:
            if action.address not in entries:
                message = f"the action `{action.name}` has no sentence"
                warn(
                    state, action.span, lint_codes.NO_SENTENCE, message, "no sentence", "add `text: …`", action.address
                )
    if any(reason_address(clause.address) in entries for clause in clauses):
        for clause in clauses:
            asked = clause.condition
            handed_on = reason_address(f"values.{asked.name}") if isinstance(asked, ReadValue) else ""
            if reason_address(clause.address) not in entries and handed_on not in entries:
                message = "this condition has no reason"
                hint = f"write {{is: {clause.source_text}, why: …}}; players read the reason when it refuses an action"
                warn(state, clause.span, lint_codes.NO_SENTENCE, message, "no `why`", hint, clause.address)


@build_pass(needs=["sentences", "blocks", "zones"], skip=after_errors)
def check_lost_pieces(state: BuildState) -> None:
    """Moves of pieces to where nothing comes back from and nothing is read: they are out of the game. That is meant
    where the rules have words for such a zone, unless a variant sends there what the game itself keeps, without a word
    of leaving, or each player has one of them which nobody sees; nothing is said of games that have words for none.
    """
    steps = [step for block in state.blocks for step in block.steps]
    kept = zones_with_a_way_back(state)
    entries = state.sentences.entries
    described = {name for name in state.zones if f"zones.{name}" in entries}
    for step in steps if described else ():
        if not isinstance(step.effect, Move) or (zone := step.effect.to.zone) in kept:
            continue
        if step.effect.source is not None and step.effect.source.zone not in kept:
            continue  # which has been told where it came there
        is_own, is_leaving = _is_own(state.symbols.declaration_spans.get(zone), state), _says_leaving(zone, state)
        is_sent_anew = _is_redirected(step, state) or (is_own and _is_own(step.span, state))
        is_meant = zone in described and ((is_own and is_leaving) or not is_sent_anew)
        is_pool = isinstance(state.zones[zone].content_type, Member)
        is_kept_apart = bool(state.zones[zone].key_types) and state.zones[zone].seen_by == "nobody"
        if is_kept_apart or (not is_meant and (is_pool or zone not in described)):
            message = f"what goes to `{zone}` is out of the game: nothing reads it, nothing comes back from it"
            meant = "let its `text` say that it is" if is_own else f"count it in `measures`: `count({zone})`"
            meant = meant if zone in described else "give it a `text` that says so"
            hint = f"move it to where it is used again; if it is meant, {meant}"
            to = find_entry(state.document.root, f"{step.address}.to")
            span = step.span if to is None else to.value.span
            warn(state, span, lint_codes.ONLY_TAKES_IN, message, "never comes back", hint, step.address)


def _is_redirected(step: Step, state: BuildState) -> bool:
    """Whether a variant has another place to which a step moves that was there before."""
    address = f"{step.address}.to"
    changes = (change for variant in state.applied for change in variant.changes if change.operation == "set")
    return any(f"{address}.".startswith(f"{change.address}.") for change in changes)


def _is_own(span: Span | None, state: BuildState) -> bool:
    """Whether a variant wrote it."""
    return span is not None and span.source.path in state.variant_files


def _says_leaving(zone: str, state: BuildState) -> bool:
    """Whether the text of a zone says that what goes there leaves the game."""
    entry = state.sentences.entries.get(f"zones.{zone}")
    texts = () if entry is None else nodes_by_language(entry).values()
    return any(LEAVING.search(text.text.lower()) for text in texts)


@build_pass(needs=["symbols", "book_sentences"])
def check_translations(state: BuildState) -> None:
    """What some languages say and others do not."""
    reader = state.reader(state.symbols)
    check_missing_translations(reader, state.book_sentences, state.document.texts, state.variant_files)


@build_pass(needs=["book_sentences"])
def check_text_files(state: BuildState) -> None:
    """Translations of nothing. A variant may remove what a sentence translates."""
    if not state.variants:
        check_unused_translations(state.book_sentences, state.document.texts, state.diagnostics)


@build_pass(needs=["blocks"], skip=after_errors)
def check_endless_game(state: BuildState) -> None:
    """A game in which no step says `end_game`, and no seat can leave; where a turn never ends that is enough."""
    if any(one.code is lint_codes.NEVER_ENDS for one in state.diagnostics):
        return
    section = state.document.root.entry("round")
    steps = [step for block in state.blocks for step in block.steps]
    if section is not None and not any(isinstance(step.effect, Finish | Leave) for step in steps):
        message = "no step of this game has `end_game`, so it never ends"
        hint = "add a step like {when: …, end_game: after_round}, or `end_game: now` to end it at once"
        warn(state, section.key.span, lint_codes.NEVER_ENDS, message, "never ends", hint)


@build_pass(needs=["blocks", "has_elimination"], skip=after_errors)
def check_left_seats(state: BuildState) -> None:
    """Steps that wait until something holds of every seat, or of none, and count those that have left: their states
    change no more where only the seat in turn sets its own.
    """
    steps = [step for block in state.blocks for step in block.steps]
    if not state.has_elimination or all(leave_together(step) for step in steps if isinstance(step.effect, Leave)):
        return  # where all leave together, nobody is left
    targets = [step.effect.target for step in steps if isinstance(step.effect, SetState | Roll)]
    set_for_others = {target.name for target in targets if not any(map(is_me, target.keys))}
    for step in steps:
        for part in iter_exprs(step.when) if step.when is not None else ():
            if not isinstance(part, Quantifier) or part.quantifier == "some" or not _is_every_seat(part.over):
                continue
            read = next((read for read in iter_exprs(part.condition) if _is_own_state(read, part.slot)), None)
            if isinstance(read, ReadState) and read.name not in {*set_for_others, ELIMINATION_STATE}:
                message = f"`{part.quantifier} player` counts those that have left, whose `{read.name}` changes no more"
                hint = f"write `{part.quantifier} player in everyone has …`: `everyone` is who is still in"
                warn(state, step.span, lint_codes.NEVER_ENDS, message, "may never hold again", hint, step.address)


def _is_every_seat(over: Expr) -> bool:
    return isinstance(over, Builtin) and over.name == SEAT.kind


@build_pass(needs=["actions", "blocks", "zones", "values", "expr_sources", "sentences"], skip=after_errors)
def check_information_leaks(state: BuildState) -> None:
    """Choices, conditions and reasons that give the seat that chooses something it may not see."""
    finder = HiddenReadFinder(state.zones, state.values, state.players)
    search = LeakSearch(finder, state.expr_sources, state.sentences.hole_sources)
    leaks = [*search.in_actions(state.actions, offer_clauses(state.blocks)), *search.in_steps(state.blocks)]
    for leak in leaks:
        warn(state, leak.span, leak.code, leak.message, leak.label, Leak.HINT, leak.address)


LINTS: Final[tuple[Pass, ...]] = (
    check_unused_names,
    check_printed_parameters,
    check_unread_states,
    check_unset_states,
    check_unused_steps,
    check_unread_choices,
    check_choices_made_later,
    check_kinds_in_sentences,
    check_unread_arguments,
    check_needless_fallbacks,
    check_missing_sentences,
    check_all_seats,
    check_leaving_together,
    check_steps_of_all_seats,
    check_seats_in_terms,
    check_unread_keys,
    check_unread_variables,
    check_unread_variables_of_loops,
    check_empty_turns,
    check_idle_steps,
    check_unread_loops,
    check_repeated_terms,
    check_swapped_bounds,
    check_lost_pieces,
    check_places_left_full,
    check_turns_given,
    check_endless_turn,
    check_endless_game,
    check_left_seats,
    check_states_set_back,
    check_information_leaks,
    check_step_leaks,
    check_step_disclosures,
    check_offers_of_nothing,
    check_gifts_asked_for,
    check_unset_players,
    check_shown_at_once,
    check_pots_and_winners,
    check_passed_straight_on,
    check_lone_winners,
    check_contrary_reasons,
    check_same_answer_twice,
    check_winners_elsewhere,
    check_open_secrets,
    check_moves_of_nothing,
    check_empty_sources,
    check_doubled_flags,
    check_ties_in_sentences,
    check_sameness_in_reasons,
    check_named_amounts,
    check_latest_holders,
    check_asked_before_arrival,
    check_resets_of_turns,
    check_same_places,
    check_cases_left_out,
    check_rolled_late,
    check_repeated_arguments,
    check_repeated_clauses,
)
CHECKER_PASSES: Final = (
    *PASSES,
    *BOOK_PASSES,
    check_translations,
    *LINTS,
    check_criteria,
    check_contrary_sentences,
    check_contrary_values,
    check_lines_in_sentences,
    check_ranges_in_sentences,
    check_ends_in_sentences,
    check_reasons_as_asked,
    check_places_of_all,
    check_states_kept,
    check_sights_in_sentences,
    check_noted_by_owners,
    check_others_meant,
    check_taken_elsewhere,
    check_plain_claims,
    check_players_in_sentences,
    check_players_of_actions,
    check_turns_of_actions,
    check_one_sided_exchanges,
    check_spent_elsewhere,
    check_keys_in_loops,
    check_text_files,
    check_sources,
)
check_pass_order(CHECKER_PASSES)
build_and_lint: Final[BuildFunction] = partial(build_rules, passes=CHECKER_PASSES)


def _is_own_state(part: Expr, slot: int) -> bool:
    """Whether a part reads a state of the seat in a variable."""
    return isinstance(part, ReadState) and any(
        isinstance(key, Local) and key.slot == slot and key.type == SEAT for key in part.keys
    )


__all__ = ["CHECKER_PASSES", "LINTS", "build_and_lint"]
