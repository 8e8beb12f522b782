"""One thing that a scenario claims of the position it reaches, and how it is said that something else came.

In: where a case ended. Out: complaints with what was expected, what came, and where the expectation is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Series
from dataclasses import dataclass
from typing import Any

from rulewright import limits
from rulewright.engine.reference.explainer import Reason
from rulewright.engine.state import Action, Decision, State
from rulewright.model.rules import ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.scenarios.scenario_game import ScenarioGame
from rulewright.source.nodes import MappingNode, Node, ScalarNode, to_builtins


@dataclass(frozen=True, slots=True)
class EndState:
    """Where a case ended. `refused`: why its last action is not legal; None: it was carried out, or there was none."""

    game: ScenarioGame
    state: State
    last_action: ScalarNode | None
    refusal_reasons: tuple[Reason, ...] | None


Assertion = Callable[[EndState], None]  # complains when it is not so
ViewReader = Callable[[EndState], Any]  # what somebody sees in a place
AssertionParser = Callable[[Node, ScenarioContext, ScalarNode | None], Iterator[Assertion]]


def plain_or_none(node: Node | None) -> Any:
    """What stands there as plain data."""
    return None if node is None else to_builtins(node)


def report_mismatch(desk: ScenarioContext, node: Node, expected: str, found: str, help: str = "") -> None:
    """Notes that something is not as expected."""
    desk.report(node, codes.NOT_AS_EXPECTED, f"{expected}; {found}", help=help)


def suggest_answers(reached: EndState, desk: ScenarioContext) -> str:
    """What the choice that refuses the last action could be instead, where the action could be done at all."""
    waiting = reached.state.waiting
    wish = desk.notation.try_parse_action(reached.last_action.text) if reached.last_action is not None else None
    if not isinstance(waiting, Decision) or not isinstance(wish, Action) or wish.number < 0:
        return ""
    refusing = {reason.address for reason in reached.refusal_reasons or ()}
    choices = reached.game.rules.actions[wish.number].choices
    at = next((at for at, choice in enumerate(choices) if choice.address in refusing), None)
    if at is None:
        return ""
    legal = [one for one in reached.game.engine.legal(reached.state) if one.number == wish.number]
    alike = [one.values[at] for one in legal if one.values[:at] == wish.values[:at] and len(one.values) > at]
    answers = [desk.notation.format_value(value, choices[at].type) for value in dict.fromkeys(alike)]
    return f"`{choices[at].name}` can be: {join_limited(answers)}" if answers else ""


def format_reasons(reasons: Series[Reason]) -> str:
    """Why an action is refused, in one line."""
    return "; ".join(f"{one.address}: {one.sentence}".removeprefix(": ").rstrip(".") for one in reasons)


def join_limited(texts: Series[str]) -> str:
    """Some texts in one line; of many the first."""
    more = f", … ({len(texts)} in all)" if len(texts) > limits.MAX_CLAIM_ITEMS else ""
    return ", ".join(texts[: limits.MAX_CLAIM_ITEMS]) + more if texts else "none"


def entries_by_place(node: Node, desk: ScenarioContext) -> Iterator[tuple[ZoneDef, tuple[int, ...], Node]]:
    """Each place that is spoken of, with what is said of it."""
    for entry in node if isinstance(node, MappingNode) else ():
        zone = desk.rules.zones.get(entry.key.text)
        if zone is None:
            desk.report_unknown(entry.key, "no zone is called", desk.rules.zones)
            continue
        for keys, inner in desk.entries_by_key(zone, entry.key, entry.value):
            yield zone, keys, inner


def check_piece_counts(
    name: str, kind: str, found: tuple[int, ...], part: PieceCounts, node: Node, desk: ScenarioContext
) -> None:
    """Holds the pieces of a place or value against those that are spoken of."""
    members = desk.notation.bag_member_ids(kind)
    found = found or (0,) * len(members)
    wrong = {at: count for at, count in part.counts.items() if found[at] != count}
    if wrong:
        expected = " + ".join(f"{count} {members[at]}" for at, count in wrong.items())
        came = " + ".join(f"{found[at]} {members[at]}" for at in wrong)
        report_mismatch(desk, node, f"expected {expected} in {name}", f"there is {came}")


__all__ = [
    "Assertion",
    "AssertionParser",
    "EndState",
    "ViewReader",
    "check_piece_counts",
    "entries_by_place",
    "format_reasons",
    "join_limited",
    "plain_or_none",
    "report_mismatch",
    "suggest_answers",
]
