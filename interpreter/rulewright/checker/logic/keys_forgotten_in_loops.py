"""Was the key forgotten in the condition beside a loop over players, by what the sentence of the step says?

In: the state of a build. Out: warnings about steps that are carried out for each player when all of them together have
something, where the sentence begins with who has it. Without a sentence either may be meant.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import ALL_SEATS
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.scope import ZoneSymbol
from rulewright.expr.tree import Call, Compare, Expr, ReadZone
from rulewright.expr.types import SEAT
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import ScalarNode

ABOUT_EACH: Final = lazy_pattern(
    r"(?i)^(?:who|whoever|(?:an?|any|each|every) player (?:who|that|with)|players (?:who|that|with)"
    r"|qui|quiconque|celui qui|ceux qui|chaque joueur qui|un joueur qui)\b"
)
ABOUT_ALL: Final = lazy_pattern(r"(?i)\b(?:all|together|altogether|sum|tous|ensemble|tout)\b")


@build_pass(needs=["symbols", "book_sentences", "judged"], skip=after_errors)
def check_keys_forgotten_in_loops(state: BuildState) -> None:
    """Reports them."""
    symbols = state.symbols.symbols
    for step in state.judged.steps:
        loop = step.for_each
        if loop is None or loop.type != SEAT or step.when is None:
            continue
        counted = (_counted(part) for part in iter_exprs(step.when))
        reads = [read for read in counted if read is not None and _has_seats(symbols.get(read.name))]
        texts = [node.text for node in sentence_by_language(state, step.address).values()] if reads else []
        if not any(map(ABOUT_EACH.search, texts)) or any(map(ABOUT_ALL.search, texts)):
            continue
        node, name = condition_node(state.document.root, step.address), reads[0].name
        span = node.subspan(*reads[0].offsets) if isinstance(node, ScalarNode) else step.span
        message = f"`{name}` without a key means the places of all players together"
        hint = f"ask behind the loop: `for_each: {loop.name} where … {name}({loop.name}) …`"
        warn(state, span, ALL_SEATS, message, "all players", hint, step.address)


def _counted(part: Expr) -> ReadZone | None:
    """The zone of which a comparison counts all places together."""
    for side in (part.left, part.right) if isinstance(part, Compare) else ():
        if isinstance(side, Call) and side.function == "count":
            read = side.args[0]
            if isinstance(read, ReadZone) and not read.keys and read.member is None:
                return read
    return None


def _has_seats(symbol: object) -> bool:
    return isinstance(symbol, ZoneSymbol) and SEAT in symbol.key_types


__all__ = ["check_keys_forgotten_in_loops"]
