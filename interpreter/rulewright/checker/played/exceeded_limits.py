"""Do players come to hold more than a sentence says that they may, by a way that does not ask for it?

In: rules that can be played, the composition they were built from. Out: a warning about a step that brings something to
the place of a player in which there is too much after this player's turn, in a game that was tried. A clause of another
action keeps to the limit, and a sentence says it of the place as such: the text of its parameter or that of a variant
("Nobody carries more than {load}"), in a few words, English and French. What declares the limit as `at_most` fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.checking_players import checking_players
from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.common.tried_games import tried_games
from rulewright.checker.texts.limits_in_sentences import says_limit
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.default_engine import make_engine
from rulewright.engine.state import State
from rulewright.engine.values import content_bag, content_things
from rulewright.expr.tree import Arithmetic, BagLiteral, Call, Compare, Constant, Expr, ReadParameter, ReadZone
from rulewright.expr.types import SEAT, Bag, Member
from rulewright.expr.walk import conjuncts, is_me
from rulewright.frozen import frozen
from rulewright.model.actions import Clause
from rulewright.model.effects import Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef

GAMES: Final = 6  # of random players; then come odd ones
ODD_GAMES: Final = 8
MAX_DECISIONS: Final = 250  # of a game
# what a comparison lets a place hold after one thing more has come, by its sign, and whether it counts what is to come;
# more or less than its right side
MOST: Final = {("<", False): 0, ("<=", False): 1, ("<", True): -1, ("<=", True): 0}
SETUP: Final = "setup."
HINT: Final = "ask for room there, too, with `when`, or declare the limit with `at_most`"


@frozen
class _Limit:
    """How much a player may hold in a zone by a clause, and the parameter that says so, if one does."""

    clause: Clause
    zone: ZoneDef
    most: int
    parameter: str = ""
    member: int | None = None  # of the pieces, if it is only about these


def check_exceeded_limits(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first such limit."""
    found = [limit for limit in _limits(rules) if says_limit(limit.parameter, limit.most, composition)]
    for limit in found:
        unasked = [*_unasked_steps(limit, rules)]
        excess = _excess(limit, rules) if unasked else None
        if excess is None:
            continue
        own = [step for step in unasked if composition.is_judged(step.span)]
        whose = f"`{limit.parameter}` lets {limit.most}" if limit.parameter else f"the most is {limit.most}"
        if own:
            span = key_span(composition.document.root, own[0].address, "to", own[0].span)
            message = f"this does not ask for room in `{limit.zone.name}`: {excess} are held there, and {whose}"
            related = [Related(limit.clause.span, "asked for here")]
        elif composition.is_judged(limit.clause.span):
            span, related = limit.clause.span, [Related(unasked[0].span, "not asked for here")]
            message = (
                f"`{unasked[0].address}` does not ask for this: {excess} are held in `{limit.zone.name}`, and {whose}"
            )
        else:
            continue
        address = limit.clause.address
        diagnostics.add(span, OTHER_WAY, message, label="too much", help=HINT, address=address, related=related)
        return


def _limits(rules: Rules) -> Iterator[_Limit]:
    """What clauses say of how much the player in turn may hold, in places that have room for more."""
    for action in rules.actions:
        for clause in action.clauses:
            for part in conjuncts(clause.condition):
                limit = _limit(part, clause, rules)
                if limit is not None:
                    yield limit


def _limit(part: Expr, clause: Clause, rules: Rules) -> _Limit | None:
    if not isinstance(part, Compare) or part.op not in ("<", "<="):
        return None
    read, right = _counted(part.left), part.right
    if read is None or not read.keys or not all(map(is_me, read.keys)):
        return None
    value_read = read.member.value if isinstance(read.member, Constant) else None
    member = value_read if isinstance(value_read, int) else None
    if read.member is not None and member is None:
        return None
    zone, more = rules.zones[read.name], MOST[part.op, isinstance(part.left, Arithmetic)]
    if zone.capacity is not None or zone.key_types != (SEAT,):
        return None
    if isinstance(right, ReadParameter) and not right.keys:
        value = rules.parameters[right.name].value
        return _Limit(clause, zone, value + more, right.name, member) if isinstance(value, int) else None
    if isinstance(right, Constant) and isinstance(right.value, int):
        return _Limit(clause, zone, right.value + more, member=member)
    return None


def _counted(expr: Expr) -> ReadZone | None:
    """The place that is counted, alone or with what is to come there."""
    match expr:
        case Call(function="count", args=(ReadZone(member=None) as read,)):
            return read
        case ReadZone(member=member) if member is not None:
            return expr
        case Arithmetic(op="+", left=left, right=right):
            return _counted(left) or _counted(right)
        case _:
            return None


def _unasked_steps(limit: _Limit, rules: Rules) -> Iterator[Step]:
    """The steps that bring something to the place, while nothing asks how much is there, and nothing goes for it."""
    asking, free = set[str](), set[str]()
    for action in rules.actions:
        is_asking = _asks([clause.condition for clause in action.clauses], limit.zone.name, rules)
        inner = steps_within(action.block, rules.blocks, with_procedures=True)
        (asking if is_asking else free).update(step.address for step in inner)
    asking -= free
    for block in rules.blocks:
        moves = [step.effect for step in block.steps if isinstance(step.effect, Move)]
        if any(move.source is not None and move.source.zone == limit.zone.name for move in moves):
            continue
        for step in block.steps:
            move = step.effect
            if not isinstance(move, Move) or move.to.zone != limit.zone.name or step.address.startswith(SETUP):
                continue
            asked = [expr for expr in (step.when, step.times, step.while_condition, move.amount.of) if expr is not None]
            if (
                step.address not in asking
                and not _asks(asked, limit.zone.name, rules)
                and _may_bring(move, limit, rules)
            ):
                yield step


def _may_bring(move: Move, limit: _Limit, rules: Rules) -> bool:
    """Whether what is moved may be of the pieces that a limit is about."""
    of = move.amount.of
    if limit.member is None or of is None:
        return True
    if isinstance(of, BagLiteral) and isinstance(of.members, Constant):
        return of.members.value == limit.member
    kind = rules.kinds.get(of.type.kind) if isinstance(of.type, Bag | Member) else None
    return kind is None or limit.member in kind.member_values


def _asks(exprs: Sequence[Expr], zone: str, rules: Rules) -> bool:
    parts = [*all_parts(rules.values, exprs)]
    counted = [part.args[0] for part in parts if isinstance(part, Call) and part.function == "count"]
    counted += [part for part in parts if isinstance(part, ReadZone) and part.member is not None]
    return any(isinstance(read, ReadZone) and read.name == zone for read in counted)


def _excess(limit: _Limit, rules: Rules) -> int | None:
    """How much too much some player still holds after another turn has begun, in the first game in which one does."""
    bots = ["random"] * GAMES + checking_players(rules)[1 : 1 + ODD_GAMES]
    for game in tried_games(make_engine(rules), bots, MAX_DECISIONS):
        since = dict[int, int]()  # by seat: the turn in which it first held too much
        for state in game:
            turn = state.turn_count
            for seat in range(rules.players):
                held = _number_held(limit, seat, state)
                if held <= limit.most:
                    since.pop(seat, None)
                elif turn > since.setdefault(seat, turn) and state.acting_seat != seat:
                    return held
        if game.fault is not None:  # which is told elsewhere
            return None
    return None


def _number_held(limit: _Limit, seat: int, state: State) -> int:
    content = state.contents[limit.zone.first_index + seat]
    if not limit.zone.is_pool:
        return len(content_things(content))
    return sum(content_bag(content)) if limit.member is None else content_bag(content)[limit.member]


__all__ = ["check_exceeded_limits"]
