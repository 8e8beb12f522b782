"""What a scenario expects of the options: what is legal, what is not, and which rule refuses it.

In: what a case says of them. Out: assertions about the position reached; diagnostics for unknown names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from rulewright.diagnostics import Cause, Hint, Span
from rulewright.document.address import split_address
from rulewright.document.language import OFFER_VERBS
from rulewright.engine.state import Action, Decision
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import (
    Assertion,
    EndState,
    describe_incomplete,
    join_limited,
    refused_by,
    report_mismatch,
)
from rulewright.scenarios.possible_answers import has_possible_answers
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_file import scalars_of
from rulewright.source.nodes import Node, ScalarNode, SequenceNode, to_builtins
from rulewright.suggestions import WordHint, did_you_mean, list_names

NON_REFUSING_SECTIONS: Final = frozenset(
    {"game", "kinds", "parameters", "components", "zones", "values", "state", "variants"}
    | {"ranking", "invariants", "measures", "evaluation"}
)


def parse_legal(node: Node, context: ScenarioContext, last_action: ScalarNode | None) -> Iterator[Assertion]:
    """The last action is legal or not, or these are among the options."""
    if isinstance(node, SequenceNode):
        yield from _parse_options(node, context, is_legal=True)
    elif last_action is None:
        context.report(node, codes.WRONG_CONTENT, "`when` has no action that could be legal")
    elif to_builtins(node) is False:
        yield partial(_check_refused, node, last_action, context)


def _check_refused(node: Node, last_action: ScalarNode, context: ScenarioContext, end: EndState) -> None:
    if end.refusal_reasons is None:
        report_mismatch(context, node, f"expected `{last_action.text}` to be refused", "it is legal")


def parse_not_legal(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    """These are not among the options."""
    return _parse_options(node, context, is_legal=False)


def _parse_options(node: Node, context: ScenarioContext, *, is_legal: bool) -> Iterator[Assertion]:
    for item in scalars_of(node):
        attempt = context.parse_action(item)
        if attempt is not None and (not is_legal or has_possible_answers(context, item)):
            yield partial(_check_is_option if is_legal else _check_is_no_option, item, attempt, context)


def _check_is_option(item: ScalarNode, attempt: Action, context: ScenarioContext, end: EndState) -> None:
    options = end.options()
    if context.notation.match_action(attempt, options) is None:
        actual = _why_no_option(end, attempt, options, context)
        report_mismatch(context, item, f"expected `{item.text}` among the options", actual)


def _check_is_no_option(item: ScalarNode, attempt: Action, context: ScenarioContext, end: EndState) -> None:
    if context.notation.match_action(attempt, end.options()) is not None:
        report_mismatch(context, item, f"expected `{item.text}` not to be an option", "it is one")


def _why_no_option(end: EndState, attempt: Action, options: Sequence[Action], context: ScenarioContext) -> str:
    waiting = end.state.waiting
    if not isinstance(waiting, Decision):
        return "the game is over"
    reasons = end.game.explainer.why_not(end.state, waiting.seat, attempt)
    if reasons:
        return refused_by(reasons)
    return describe_incomplete(attempt, options, context)


def parse_options(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    """These are the options, and no others."""
    attempts = [(item, context.parse_action(item)) for item in scalars_of(node)]
    known = [(item, attempt) for item, attempt in attempts if attempt is not None]
    if len(known) == len(attempts) and all(has_possible_answers(context, item) for item, _ in known):
        yield partial(_check_options, node, known, context)


def _check_options(
    node: Node, attempts: Sequence[tuple[ScalarNode, Action]], context: ScenarioContext, end: EndState
) -> None:
    options, notation = end.options(), context.notation
    matches = [(item, notation.match_action(attempt, options)) for item, attempt in attempts]
    missing = [item.text for item, match in matches if match is None]
    expected = {notation.format_action(match) for _, match in matches if match is not None}
    unexpected = sorted({notation.format_action(option) for option in options} - expected)
    if missing or unexpected:
        parts = [f"missing: {join_limited(missing)}"] if missing else []
        parts += [f"unexpected: {join_limited(unexpected)}"] if unexpected else []
        report_mismatch(context, node, f"expected exactly {_count_options(len(matches))}", "; ".join(parts))


def parse_count(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    """There are so many options."""
    yield partial(_check_count, node, context)


def _check_count(node: Node, context: ScenarioContext, end: EndState) -> None:
    expected, count = to_builtins(node), len(end.options())
    if expected != count:
        report_mismatch(context, node, f"expected {_count_options(expected)}", f"found {count}")


def _count_options(count: object) -> str:
    return f"{count} option{'' if count == 1 else 's'}"


def parse_illegal(node: Node, context: ScenarioContext, last_action: ScalarNode | None) -> Iterator[Assertion]:
    """The last action is refused by these rules."""
    for item in scalars_of(node):
        if step := _offering_step(item.text, context):
            message = f"`{item.text}` offers an action and refuses none"
            advice = f"write `{step}` where the action is not offered; else the clause or choice that refuses it"
            context.report(item, codes.WRONG_CONTENT, message, label="refuses nothing", help=advice)
            continue
        if item.text not in context.rules.provenance:
            span, hint = _unknown_part(item, context)
            message = f"there is no rule `{item.text}`"
            context.report(span, codes.UNKNOWN_IN_SCENARIO, message, label="not found", help=hint)
        elif item.text.partition(".")[0] in NON_REFUSING_SECTIONS:
            message = f"`{item.text}` never refuses an action: only clauses, choices and steps do"
            context.report(item, codes.WRONG_CONTENT, message, label="refuses nothing")
            continue
        if last_action is None:
            message = "`when` has no action that could be refused"
            context.report(item, codes.WRONG_CONTENT, message, cause=Cause("no key", "when"))
        else:
            yield partial(_check_refused_by, item, last_action, context)


def _unknown_part(item: ScalarNode, context: ScenarioContext) -> tuple[Span, Hint]:
    """The first name of an address that no rule has there, and a hint."""
    parts, known = item.text.split("."), set[str]()
    for address in context.rules.provenance:
        names = address.split(".")
        known.update(".".join(names[:end]) for end in range(1, len(names) + 1))
    depth = next((end for end in range(len(parts)) if ".".join(parts[: end + 1]) not in known), len(parts) - 1)
    above = "".join(f"{part}." for part in parts[:depth])
    siblings = {address[len(above) :].split(".")[0] for address in known if address.startswith(above)} - {""}
    span = item.subspan(len(above), len(above) + len(parts[depth]))

    def hint() -> str:
        near = did_you_mean(parts[depth], sorted(siblings))
        if isinstance(near, WordHint):
            return near.with_text(f"did you mean `{above}{near.meant}{item.text[len(above) + len(parts[depth]) :]}`?")
        whole = did_you_mean(item.text, context.rules.provenance)
        return whole or list_names("names here", sorted(siblings))

    return span, hint


def _offering_step(address: str, context: ScenarioContext) -> str:
    """The step at whose offers, or at one of them, an address leads; "" for any other address."""
    parts = split_address(address)
    if parts[-1] not in OFFER_VERBS:
        parts = parts[:-1]  # the action that is offered
    step = ".".join(parts[:-1])
    steps = (each.address for block in context.rules.blocks for each in block.steps)
    return step if parts and parts[-1] in OFFER_VERBS and step in steps else ""


def _check_refused_by(item: ScalarNode, last_action: ScalarNode, context: ScenarioContext, end: EndState) -> None:
    if end.refusal_reasons is None:
        report_mismatch(context, item, f"expected `{last_action.text}` to be refused by `{item.text}`", "it is legal")
    elif item.text in context.rules.provenance and item.text not in [reason.address for reason in end.refusal_reasons]:
        actual = refused_by(end.refusal_reasons)
        report_mismatch(context, item, f"expected `{last_action.text}` to be refused by `{item.text}`", actual)


__all__ = ["parse_count", "parse_illegal", "parse_legal", "parse_not_legal", "parse_options"]
