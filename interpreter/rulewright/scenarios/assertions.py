"""One thing that a scenario expects of the position it reaches, and how a mismatch is reported.

In: where a case ended. Out: diagnostics with what was expected and what was found, where the expectation is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright import limits
from rulewright.engine.reference.explainer import Reason
from rulewright.engine.state import Action, Decision, State
from rulewright.engine.values import RuntimeValue
from rulewright.frozen import frozen
from rulewright.model.rules import ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.scenarios.scenario_game import ScenarioGame
from rulewright.source.nodes import MappingNode, Node, ScalarNode, to_builtins


@frozen
class EndState:
    """Where a case ended. `refusal_reasons`: why its last action is not legal; None when it was played."""

    game: ScenarioGame
    state: State
    last_action: ScalarNode | None
    refusal_reasons: tuple[Reason, ...] | None

    def options(self) -> list[Action]:
        """The legal actions."""
        return list(self.game.engine.legal(self.state)) if isinstance(self.state.waiting, Decision) else []


Assertion = Callable[[EndState], None]  # adds a diagnostic when it does not hold
ValueReader = Callable[[EndState], RuntimeValue]
AssertionParser = Callable[[Node, ScenarioContext], Iterator[Assertion]]
RefusalParser = Callable[[Node, ScenarioContext, ScalarNode | None], Iterator[Assertion]]  # with the last action


def builtins_or_none(node: Node | None) -> object:
    """A node as plain data; None for no node."""
    return None if node is None else to_builtins(node)


def report_mismatch(context: ScenarioContext, node: Node, expected: str, actual: str, help: str = "") -> None:
    """Reports that an expectation is not met."""
    context.report(node, codes.NOT_AS_EXPECTED, f"{expected}; {actual}", help=help)


def suggest_answers(end: EndState, context: ScenarioContext) -> str:
    """The legal answers to the choice that refuses the last action; empty when the action is not legal at all."""
    attempt = context.notation.try_parse_action(end.last_action.text) if end.last_action is not None else None
    if not isinstance(attempt, Action) or attempt.number < 0:
        return ""
    refusing = {reason.address for reason in end.refusal_reasons or ()}
    choices = end.game.rules.actions[attempt.number].choices
    index = next((index for index, choice in enumerate(choices) if choice.address in refusing), None)
    return "" if index is None else _list_answers(attempt, index, end.options(), context)


def describe_incomplete(attempt: Action, options: Sequence[Action], context: ScenarioContext) -> str:
    """Which choices an action leaves open that no rule refuses, and what the first of them can be."""
    choices = context.rules.actions[attempt.number].choices[len(attempt.values) :] if attempt.number >= 0 else ()
    if not choices:
        return "it is incomplete"
    answers = _list_answers(attempt, len(attempt.values), options, context)
    if len(choices) == 1:
        left = f"`{choices[0].name}` is not chosen"
        answers = answers.replace(f"`{choices[0].name}`", "it", 1)
    else:
        left = f"{' and '.join(f'`{choice.name}`' for choice in choices)} are not chosen"
    return f"{left}; {answers}" if answers else left


def _list_answers(attempt: Action, index: int, options: Sequence[Action], context: ScenarioContext) -> str:
    """The answers that the options have to the choice with that index, the earlier ones being as in the attempt."""
    choice = context.rules.actions[attempt.number].choices[index]
    values = [
        action.values[index]
        for action in options
        if action.number == attempt.number
        and action.values[:index] == attempt.values[:index]
        and len(action.values) > index
    ]
    answers = [context.notation.format_value(value, choice.type) for value in dict.fromkeys(values)]
    return f"`{choice.name}` can be: {join_limited(answers)}" if answers else ""


def format_reasons(reasons: Sequence[Reason]) -> str:
    """Why an action is refused, in one line."""
    return "; ".join(f"{reason.address}: {reason.sentence}".removeprefix(": ").rstrip(".") for reason in reasons)


def format_refusal(reasons: Sequence[Reason]) -> str:
    """Why an action is refused, in one line: the sentences first, the rules behind them in parentheses."""
    return "; ".join(
        f"{reason.sentence.rstrip('.')} ({reason.address})"
        if reason.sentence and reason.address
        else reason.address or reason.sentence.rstrip(".")
        for reason in reasons
    )


def refused_by(reasons: Sequence[Reason]) -> str:
    """Which rules refuse an action, each with its sentence."""
    by = "it is refused by" if reasons and reasons[0].address else "it is refused:"
    return f"{by} {format_reasons(reasons)}"


def join_limited(texts: Sequence[str]) -> str:
    """Some texts in one line; of many the first."""
    more = f", … ({len(texts)} in all)" if len(texts) > limits.MAX_CLAIM_ITEMS else ""
    return ", ".join(texts[: limits.MAX_CLAIM_ITEMS]) + more if texts else "none"


def entries_by_place(node: Node, context: ScenarioContext) -> Iterator[tuple[ZoneDef, tuple[int, ...], Node]]:
    """The zone and keys of each place in a mapping, with its node."""
    for entry in node if isinstance(node, MappingNode) else ():
        zone = context.rules.zones.get(entry.key.text)
        if zone is None:
            context.report_unknown(entry.key, "zone", context.rules.zones)
            continue
        for keys, place_node in context.entries_by_key(zone, entry.key, entry.value):
            yield zone, keys, place_node


def check_piece_counts(
    name: str, kind: str, bag: tuple[int, ...], expected: PieceCounts, node: Node, context: ScenarioContext
) -> None:
    """Compares the bag in a place or value with the expected counts. `name`: what a message calls it; `bag` can be the
    empty bag, `()`.
    """
    members = context.notation.bag_member_ids(kind)
    bag = bag or (0,) * len(members)
    wrong = {index: count for index, count in expected.counts.items() if bag[index] != count}
    if wrong:
        expected_text = ", ".join(f"{members[index]}: {count}" for index, count in wrong.items())
        actual_text = ", ".join(f"{members[index]}: {bag[index]}" for index in wrong)
        report_mismatch(context, node, f"expected `{expected_text}` in {name}", f"found `{actual_text}`")


__all__ = [
    "Assertion",
    "AssertionParser",
    "EndState",
    "RefusalParser",
    "ValueReader",
    "builtins_or_none",
    "check_piece_counts",
    "describe_incomplete",
    "entries_by_place",
    "format_reasons",
    "format_refusal",
    "join_limited",
    "refused_by",
    "report_mismatch",
    "suggest_answers",
]
