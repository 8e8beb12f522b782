"""Is somebody asked for what nothing reads, or offered something for want of what the same step offers everybody?

In: the state of a build in which all rules have been read. Out: warnings at choices, arguments of procedures and steps.
"""

from __future__ import annotations

from rulewright.checker.common import lint_codes
from rulewright.checker.common.rules_read import offer_clauses, slots_read
from rulewright.checker.common.warn import warn
from rulewright.expr import codes as expr_codes
from rulewright.expr.scope import ComponentSymbol, KindSymbol
from rulewright.expr.walk import free_variables
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose
from rulewright.model.traversal import choice_exprs
from rulewright.source.nodes import MappingNode, as_items, as_mapping, text_or_default


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


__all__ = ["check_choices_made_later", "check_needless_fallbacks", "check_unread_arguments", "check_unread_choices"]
