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
from rulewright.scenarios.scenario_context import Desk, Part
from rulewright.scenarios.scenario_game import Table
from rulewright.source.nodes import Mapping, Node, Scalar, plain


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a case ended. `refused`: why its last action is not legal; None: it was carried out, or there was none."""

    table: Table
    state: State
    last: Scalar | None
    refused: tuple[Reason, ...] | None


Claim = Callable[[Reached], None]  # complains when it is not so
View = Callable[[Reached], Any]  # what somebody sees in a place
Reader = Callable[[Node, Desk, Scalar | None], Iterator[Claim]]


def plainly(node: Node | None) -> Any:
    """What stands there as plain data."""
    return None if node is None else plain(node)


def differs(desk: Desk, node: Node, expected: str, found: str, help: str = "") -> None:
    """Notes that something is not as expected."""
    desk.complain(node, codes.NOT_SO, f"{expected}; {found}", help=help)


def could_be(reached: Reached, desk: Desk) -> str:
    """What the choice that refuses the last action could be instead, where the action could be done at all."""
    waiting = reached.state.waiting
    wish = desk.notation.understand(reached.last.text) if reached.last is not None else None
    if not isinstance(waiting, Decision) or not isinstance(wish, Action) or wish.number < 0:
        return ""
    refusing = {reason.address for reason in reached.refused or ()}
    choices = reached.table.rules.actions[wish.number].choices
    at = next((at for at, choice in enumerate(choices) if choice.address in refusing), None)
    if at is None:
        return ""
    legal = [one for one in reached.table.engine.legal(reached.state) if one.number == wish.number]
    alike = [one.values[at] for one in legal if one.values[:at] == wish.values[:at] and len(one.values) > at]
    answers = [desk.notation.text(value, choices[at].type) for value in dict.fromkeys(alike)]
    return f"`{choices[at].name}` can be: {shown(answers)}" if answers else ""


def refusal(reasons: Series[Reason]) -> str:
    """Why an action is refused, in one line."""
    return "; ".join(f"{one.address}: {one.sentence}".removeprefix(": ").rstrip(".") for one in reasons)


def shown(texts: Series[str]) -> str:
    """Some texts in one line; of many the first."""
    more = f", … ({len(texts)} in all)" if len(texts) > limits.MAX_CLAIM_ITEMS else ""
    return ", ".join(texts[: limits.MAX_CLAIM_ITEMS]) + more if texts else "none"


def places(node: Node, desk: Desk) -> Iterator[tuple[ZoneDef, tuple[int, ...], Node]]:
    """Each place that is spoken of, with what is said of it."""
    for entry in node if isinstance(node, Mapping) else ():
        zone = desk.rules.zones.get(entry.key.text)
        if zone is None:
            desk.unknown(entry.key, "no zone is called", desk.rules.zones)
            continue
        for keys, inner in desk.by_key(zone, entry.key, entry.value):
            yield zone, keys, inner


def compare_bag(name: str, kind: str, found: tuple[int, ...], part: Part, node: Node, desk: Desk) -> None:
    """Holds the pieces of a place or value against those that are spoken of."""
    members = desk.notation.members(kind)
    found = found or (0,) * len(members)
    wrong = {at: count for at, count in part.counts.items() if found[at] != count}
    if wrong:
        expected = " + ".join(f"{count} {members[at]}" for at, count in wrong.items())
        came = " + ".join(f"{found[at]} {members[at]}" for at in wrong)
        differs(desk, node, f"expected {expected} in {name}", f"there is {came}")


__all__ = [
    "Claim",
    "Reached",
    "Reader",
    "View",
    "compare_bag",
    "could_be",
    "differs",
    "places",
    "plainly",
    "refusal",
    "shown",
]
