"""What a scenario expects of the options: what is legal, what is not, and by which rule it is refused.

In: what a case says of them. Out: claims about the position reached; complaints about what means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Series
from functools import partial
from typing import Final

from rulewright.diagnostics import nearest
from rulewright.engine.state import Action, Decision
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import Claim, Reached, differs, refusal, shown
from rulewright.scenarios.scenario_context import Desk
from rulewright.scenarios.scenario_file import items
from rulewright.source.nodes import Node, Scalar, Sequence, plain


def legal(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    """The last action is legal or not, or these are among the options."""
    if isinstance(node, Sequence):
        yield from _among(node, desk, wanted=True)
    elif last is None:
        desk.complain(node, codes.WRONG_SORT, "`when` says no action that could be legal or not")
    elif plain(node) is False:
        yield partial(_refused, node, last, desk)


def _refused(node: Node, last: Scalar, desk: Desk, reached: Reached) -> None:
    if reached.refused is None:
        differs(desk, node, f"expected {last.text} to be refused", "it is legal")


def not_legal(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    """These are not among the options."""
    return _among(node, desk, wanted=False)


def _among(node: Node, desk: Desk, *, wanted: bool) -> Iterator[Claim]:
    for item in items(node):
        wish = desk.action(item)
        if wish is not None:
            yield partial(_is_option if wanted else _is_no_option, item, wish, desk)


def _is_option(item: Scalar, wish: Action, desk: Desk, reached: Reached) -> None:
    options = _options(reached)
    if desk.notation.matching(wish, options) is None:
        differs(desk, item, f"expected {item.text} among the options", _why_not(reached, wish, options, desk))


def _is_no_option(item: Scalar, wish: Action, desk: Desk, reached: Reached) -> None:
    if desk.notation.matching(wish, _options(reached)) is not None:
        differs(desk, item, f"expected {item.text} not to be an option", "it is one")


def _why_not(reached: Reached, wish: Action, options: Series[Action], desk: Desk) -> str:
    waiting = reached.state.waiting
    if not isinstance(waiting, Decision):
        return "the game is over"
    reasons = reached.table.explainer.why_not(reached.state, waiting.seat, wish)
    there = shown([desk.notation.write(one) for one in options])
    return refusal(reasons) if reasons else f"it is not complete; there are: {there}"


NEVER_REFUSE: Final = frozenset(
    {"game", "kinds", "parameters", "components", "zones", "values", "state", "variants"}
    | {"ranking", "invariants", "measures", "evaluation"}
)


def exactly(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    """These are the options, and no others."""
    wishes = [(item, desk.action(item)) for item in items(node)]
    known = [(item, wish) for item, wish in wishes if wish is not None]
    if len(known) == len(wishes):
        yield partial(_are_options, node, known, desk)


def _are_options(node: Node, wishes: Series[tuple[Scalar, Action]], desk: Desk, reached: Reached) -> None:
    options = _options(reached)
    matched = [(item, desk.notation.matching(wish, options)) for item, wish in wishes]
    missing = [item.text for item, found in matched if found is None]
    expected = {desk.notation.write(found) for _, found in matched if found is not None}
    more = sorted({desk.notation.write(one) for one in options} - expected)
    if missing or more:
        parts = [f"not there: {shown(missing)}"] if missing else []
        parts += [f"there besides: {shown(more)}"] if more else []
        differs(desk, node, f"expected exactly {len(matched)} options", "; ".join(parts))


def count(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    """There are so many options."""
    yield partial(_so_many, node, desk)


def _so_many(node: Node, desk: Desk, reached: Reached) -> None:
    found = len(_options(reached))
    if plain(node) != found:
        differs(desk, node, f"expected {plain(node)} options", f"there are {found}")


def illegal(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    """The last action is refused by these rules."""
    for item in items(node):
        if item.text not in desk.rules.notes:
            hint = partial(nearest, item.text, desk.rules.notes)
            desk.complain(item, codes.UNKNOWN, f"no rule has the address `{item.text}`", label="not known", help=hint)
        elif item.text.partition(".")[0] in NEVER_REFUSE:
            message = f"`{item.text}` never refuses an action: clauses, choices and steps do"
            desk.complain(item, codes.WRONG_SORT, message, label="refuses nothing")
            continue
        if last is None:
            desk.complain(item, codes.WRONG_SORT, "`when` says no action that could be refused")
        else:
            yield partial(_refused_by, item, last, desk)


def _refused_by(item: Scalar, last: Scalar, desk: Desk, reached: Reached) -> None:
    if reached.refused is None:
        differs(desk, item, f"expected {last.text} to be refused by {item.text}", "it is legal")
    elif item.text not in [reason.address for reason in reached.refused] and item.text in desk.rules.notes:
        differs(desk, item, f"expected it to be refused by {item.text}", f"refused: {refusal(reached.refused)}")


def _options(reached: Reached) -> list[Action]:
    state = reached.state
    return list(reached.table.engine.legal(state)) if isinstance(state.waiting, Decision) else []


__all__ = ["count", "exactly", "illegal", "legal", "not_legal"]
