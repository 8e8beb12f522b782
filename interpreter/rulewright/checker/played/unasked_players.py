"""Why is nobody ever asked for anything, where rounds go by without a decision?

In: rules, the composition they were built from, and a set-up that failed, to be tried again by another engine. Out: the
one step with decisions in it whose condition did not hold whenever it was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.diagnostics import Span
from rulewright.engine.default_engine import make_observed_engine
from rulewright.engine.interface import Engine, Event
from rulewright.engine.reference.observation import when_site, while_site
from rulewright.frozen import frozen
from rulewright.model.effects import Choose, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, run_blocks


@frozen
class UnheldCondition:
    """Where the condition stands, and what is said of it."""

    span: Span
    message: str


def find_unheld_condition(
    rules: Rules, composition: Composition, set_up: Callable[[Engine], object]
) -> UnheldCondition | None:
    """The condition; None where there is none, or several, or a variant has not written it."""
    conditions = {site: place for step in _deciding(rules) for site, place in _conditions(step)}
    if not conditions:
        return None
    asking = {step.address for block in rules.blocks for step in block.steps if isinstance(step.effect, Choose)}
    asked, carried_out = dict[str, bool](), set[str]()  # whether each of them has ever held; the decisions come to

    def note(event: Event) -> None:
        site, held = event
        if site in conditions:
            asked[site] = asked.get(site, False) or held
        elif site in asking:
            carried_out.add(site)

    set_up(make_observed_engine(rules, note))
    unheld = [conditions[site] for site, held in asked.items() if not held]
    node = condition_node(composition.document.root, *unheld[0]) if len(unheld) == 1 and not carried_out else None
    if node is None or not composition.is_judged(node.span):
        return None
    text = node.span.text.strip()
    return UnheldCondition(node.span, f"`{text}` never holds when it is asked, so nobody is ever asked for anything")


def _deciding(rules: Rules) -> Iterator[Step]:
    """The steps in which somebody decides something."""
    for step in (step for block in rules.blocks for step in block.steps):
        within = blocks_within(rules, run_blocks(rules, step.effect))
        effects = (step.effect, *(each.effect for number in within for each in rules.blocks[number].steps))
        if any(isinstance(effect, Choose) for effect in effects):
            yield step


def _conditions(step: Step) -> Iterator[tuple[str, tuple[str, str]]]:
    """The conditions without which a step is left out, by what tells of them, with their addresses and keys."""
    if step.when is not None:
        yield when_site(step.address), (step.address, "when")
    if step.while_condition is not None:
        yield while_site(step.address), (step.address, "while")


__all__ = ["UnheldCondition", "find_unheld_condition"]
