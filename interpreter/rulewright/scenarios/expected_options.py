"""What a scenario expects of the options: what is legal, what is not, and by which rule it is refused.

In: what a case says of them. Out: claims about the position reached; complaints about what means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Series
from functools import partial
from typing import Final

from rulewright.engine.state import Action, Decision
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import Assertion, EndState, format_reasons, join_limited, report_mismatch
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_file import scalars_of
from rulewright.source.nodes import Node, ScalarNode, SequenceNode, to_builtins
from rulewright.suggestions import did_you_mean


def parse_legal(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    """The last action is legal or not, or these are among the options."""
    if isinstance(node, SequenceNode):
        yield from _among(node, desk, wanted=True)
    elif last is None:
        desk.report(node, codes.WRONG_CONTENT, "`when` says no action that could be legal or not")
    elif to_builtins(node) is False:
        yield partial(_refused, node, last, desk)


def _refused(node: Node, last: ScalarNode, desk: ScenarioContext, reached: EndState) -> None:
    if reached.refusal_reasons is None:
        report_mismatch(desk, node, f"expected {last.text} to be refused", "it is legal")


def parse_not_legal(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    """These are not among the options."""
    return _among(node, desk, wanted=False)


def _among(node: Node, desk: ScenarioContext, *, wanted: bool) -> Iterator[Assertion]:
    for item in scalars_of(node):
        wish = desk.parse_action(item)
        if wish is not None:
            yield partial(_is_option if wanted else _is_no_option, item, wish, desk)


def _is_option(item: ScalarNode, wish: Action, desk: ScenarioContext, reached: EndState) -> None:
    options = _options(reached)
    if desk.notation.match_action(wish, options) is None:
        report_mismatch(desk, item, f"expected {item.text} among the options", _why_not(reached, wish, options, desk))


def _is_no_option(item: ScalarNode, wish: Action, desk: ScenarioContext, reached: EndState) -> None:
    if desk.notation.match_action(wish, _options(reached)) is not None:
        report_mismatch(desk, item, f"expected {item.text} not to be an option", "it is one")


def _why_not(reached: EndState, wish: Action, options: Series[Action], desk: ScenarioContext) -> str:
    waiting = reached.state.waiting
    if not isinstance(waiting, Decision):
        return "the game is over"
    reasons = reached.game.explainer.why_not(reached.state, waiting.seat, wish)
    there = join_limited([desk.notation.format_action(one) for one in options])
    return format_reasons(reasons) if reasons else f"it is not complete; there are: {there}"


NON_REFUSING_SECTIONS: Final = frozenset(
    {"game", "kinds", "parameters", "components", "zones", "values", "state", "variants"}
    | {"ranking", "invariants", "measures", "evaluation"}
)


def parse_options(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    """These are the options, and no others."""
    wishes = [(item, desk.parse_action(item)) for item in scalars_of(node)]
    known = [(item, wish) for item, wish in wishes if wish is not None]
    if len(known) == len(wishes):
        yield partial(_are_options, node, known, desk)


def _are_options(
    node: Node, wishes: Series[tuple[ScalarNode, Action]], desk: ScenarioContext, reached: EndState
) -> None:
    options = _options(reached)
    matched = [(item, desk.notation.match_action(wish, options)) for item, wish in wishes]
    missing = [item.text for item, found in matched if found is None]
    expected = {desk.notation.format_action(found) for _, found in matched if found is not None}
    more = sorted({desk.notation.format_action(one) for one in options} - expected)
    if missing or more:
        parts = [f"not there: {join_limited(missing)}"] if missing else []
        parts += [f"there besides: {join_limited(more)}"] if more else []
        report_mismatch(desk, node, f"expected exactly {len(matched)} options", "; ".join(parts))


def parse_count(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    """There are so many options."""
    yield partial(_so_many, node, desk)


def _so_many(node: Node, desk: ScenarioContext, reached: EndState) -> None:
    found = len(_options(reached))
    if to_builtins(node) != found:
        report_mismatch(desk, node, f"expected {to_builtins(node)} options", f"there are {found}")


def parse_illegal(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    """The last action is refused by these rules."""
    for item in scalars_of(node):
        if item.text not in desk.rules.provenance:
            hint = partial(did_you_mean, item.text, desk.rules.provenance)
            desk.report(
                item, codes.UNKNOWN_IN_SCENARIO, f"no rule has the address `{item.text}`", label="not known", help=hint
            )
        elif item.text.partition(".")[0] in NON_REFUSING_SECTIONS:
            message = f"`{item.text}` never refuses an action: clauses, choices and steps do"
            desk.report(item, codes.WRONG_CONTENT, message, label="refuses nothing")
            continue
        if last is None:
            desk.report(item, codes.WRONG_CONTENT, "`when` says no action that could be refused")
        else:
            yield partial(_refused_by, item, last, desk)


def _refused_by(item: ScalarNode, last: ScalarNode, desk: ScenarioContext, reached: EndState) -> None:
    if reached.refusal_reasons is None:
        report_mismatch(desk, item, f"expected {last.text} to be refused by {item.text}", "it is legal")
    elif item.text not in [reason.address for reason in reached.refusal_reasons] and item.text in desk.rules.provenance:
        report_mismatch(
            desk,
            item,
            f"expected it to be refused by {item.text}",
            f"refused: {format_reasons(reached.refusal_reasons)}",
        )


def _options(reached: EndState) -> list[Action]:
    state = reached.state
    return list(reached.game.engine.legal(state)) if isinstance(state.waiting, Decision) else []


__all__ = ["parse_count", "parse_illegal", "parse_legal", "parse_not_legal", "parse_options"]
