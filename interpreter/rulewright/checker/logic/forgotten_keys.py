"""Was the key of a player forgotten, or the variable of a loop?

In: the state of a build. Out: warnings about what asks of all players together and seems to mean one, and about what is
asked of each of several and depends on none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.checker.common.condition_nodes import condition_node, part_span
from rulewright.checker.common.rules_read import exprs_in_steps, offer_clauses, steps_within
from rulewright.checker.common.warn import warn
from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.document.text_addresses import reason_address
from rulewright.expr.codes import ALL_OR_ONE, ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.scope import StateSymbol, Symbol, ZoneSymbol
from rulewright.expr.tree import (
    Arithmetic,
    Binding,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    Filter,
    Place,
    Quantifier,
    ReadState,
    ReadZone,
    Sum,
)
from rulewright.expr.type_relations import describe_type
from rulewright.expr.types import SEAT, Bag, SetOf
from rulewright.expr.walk import addends, free_variables, is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Finish, Move, Step
from rulewright.model.sentences import nodes_by_language
from rulewright.model.traversal import choice_exprs
from rulewright.source.nodes import Entry, Node, ScalarNode

VARIABLE: Final = lazy_pattern(r"\w+\s+(\w+)")  # behind the word that begins a loop
FIELD: Final = lazy_pattern(r"\.\w+")
SAYS_ALL: Final = lazy_pattern(  # words of a sentence that is about all players together
    r"(?i)\b(?:together|altogether|in all|all (?:the )?players|ensemble|en tout|tous les joueurs)\b"
)
SAYS_ONE: Final = lazy_pattern(  # a question about the player in turn
    r"(?i)^(?:(?:has|does|is|did|holds) the player\b(?! (?:to|on)\b)|(?:have|do|are) you\b|you have\b"
    r"|the player (?:has|holds|owns)\b|le joueur (?:n'|en cours )?a\b|(?:n')?avez-vous\b|vous (?:n')?avez\b)"
)
SAYS_OTHERS: Final = lazy_pattern(
    r"(?i)\b(?:any|anybody|nobody|others?|every|each|everybody|all|opponents?|personne|autres?|chaque|tous|advers\w+)\b"
)
VARIABLE_BEHIND: Final = lazy_pattern(r"[\s)]*for\s+(\w+)")  # behind what is asked of each


@build_pass(needs=["symbols", "actions", "blocks", "book_sentences", "judged"])
def check_all_seats(state: BuildState) -> None:
    """Clauses of an action that ask of all seats together what is usually asked of the one that acts. An action whose
    own steps read the places of all players together means them, as does a clause whose sentence says so.
    """
    offers, symbols, sentences = offer_clauses(state.blocks), state.symbols.symbols, state.book_sentences.entries
    for action in state.actions:
        clauses = [each for each in (*action.clauses, *offers.get(action.index, ())) if state.judged.has(each.address)]
        if not clauses:
            continue
        steps = steps_within(action.block, state.blocks, with_procedures=True)
        own = {place.zone for step in steps for place in _places(step) if any(map(is_me, place.keys))}
        meant = {
            part.name
            for expr in exprs_in_steps(action.block, state.blocks)
            for part in iter_exprs(expr)
            if isinstance(part, ReadZone) and not part.keys
        }
        for clause in clauses:
            asks_each = any(isinstance(part, Quantifier) and is_of_seats(part) for part in iter_exprs(clause.condition))
            for part in iter_exprs(clause.condition):
                read = _tested_for_content(part)
                if read is None and not asks_each:
                    read = _counted(part, own)
                if read is None or read.name in meant or read.keys:
                    continue
                zone = symbols[read.name]
                if (
                    isinstance(zone, ZoneSymbol)
                    and SEAT in zone.key_types
                    and not is_about_all(sentences, clause.address)
                ):
                    message = f"`{read.name}` without a key means the places of all players together"
                    quantifier = "no" if _holds_of_nothing(part) else "some"
                    meant_text = f"`{quantifier} player has {read.name}(player) is not empty`"
                    if _tested_for_content(part) is None:
                        meant_text = _total(read.name)
                    hint = f"write `{read.name}(me)`; if all are meant, {meant_text}"
                    section, _, name = clause.address.rpartition(".")
                    node = condition_node(state.document.root, section, name)
                    span = _part_span(node, read) if isinstance(node, ScalarNode) else clause.span
                    warn(state, span, lint_codes.ALL_SEATS, message, "all players", hint, clause.address)
                    break


@build_pass(needs=["symbols", "actions", "blocks", "book_sentences", "judged"], skip=after_errors)
def check_steps_of_all_seats(state: BuildState) -> None:
    """Conditions of a step that ask of all seats together, where what the step does or offers is about one of them."""
    actions, blocks, symbols = state.actions, state.blocks, state.symbols.symbols
    sentences = state.book_sentences.entries
    for step in state.judged.steps:
        if step.when is None:
            continue
        own, is_of_one = _own_places(step, actions, blocks), _asks_one(sentences, step)
        for part in iter_exprs(step.when):
            read = part if isinstance(step.effect, Choose) else _counted(part, own)
            if is_of_one and (tested := _tested_for_content(part)) is not None and not tested.keys:
                read, own = tested, {tested.name} - _read_with_keys(step.when)
            is_of_all = isinstance(read, ReadZone) and not read.keys and _has_seats(symbols, read.name)
            if not isinstance(read, ReadZone) or not is_of_all or read.name not in own:
                continue
            if not is_about_all(sentences, step.address):
                message = f"`{read.name}` without a key means the places of all players together"
                hint = f"write `{read.name}(me)`; if all are meant, {_total(read.name)}"
                span = part_span(state.document.root, step.address, "when", read, step.span)
                warn(state, span, lint_codes.ALL_SEATS, message, "all players", hint, step.address)
            break


def _asks_one(sentences: Mapping[str, Entry], step: Step) -> bool:
    """Whether the condition of a step asks about the player in turn, by its own sentence."""
    entry = sentences.get(f"{step.address}.when") if step.for_each is None else None
    nodes = () if entry is None else nodes_by_language(entry).values()
    return any(SAYS_ONE.search(node.text) and not SAYS_OTHERS.search(node.text) for node in nodes)


def _read_with_keys(condition: Expr) -> set[str]:
    """The zones of which a condition asks one place, too."""
    return {part.name for part in iter_exprs(condition) if isinstance(part, ReadZone) and part.keys}


def is_about_all(sentences: Mapping[str, Entry], address: str) -> bool:
    """Whether a sentence of a rule, of its condition or of its reason is about all players together."""
    found = (sentences.get(each) for each in (address, f"{address}.when", reason_address(address)))
    nodes = (node for entry in found if entry is not None for node in nodes_by_language(entry).values())
    return any(SAYS_ALL.search(node.text) for node in nodes)


def _own_places(step: Step, actions: Sequence[ActionDef], blocks: Sequence[Block]) -> set[str]:
    """The zones of which a step changes or offers the place of one seat, and nothing of all seats together."""
    if isinstance(step.effect, Choose):
        offered = [actions[offer.action] for offer in step.effect.offers]
        exprs = [expr for action in offered for choice in action.choices for expr in choice_exprs(choice)]
        exprs += [expr for action in offered for expr in exprs_in_steps(action.block, blocks)]
        reads = [part for expr in exprs for part in iter_exprs(expr) if isinstance(part, ReadZone)]
        return {read.name for read in reads if any(map(is_me, read.keys))} - {
            read.name for read in reads if not read.keys
        }
    if isinstance(step.effect, Finish) and step.when is not None and any(map(is_me, iter_exprs(step.when))):
        return {read.name for read in iter_exprs(step.when) if isinstance(read, ReadZone)}  # it is about that seat
    if step.for_each is not None and step.for_each.type == SEAT:
        return set()  # what is done for all may be asked of all
    asked = (read for read in iter_exprs(step.when) if isinstance(read, ReadZone)) if step.when is not None else ()
    both = {read.name for read in asked if read.keys}
    return {place.zone for place in _places(step) if any(map(is_me, place.keys))}.difference(both)


@build_pass(needs=["values", "symbols", "judged", "zones"], skip=after_errors)
def check_seats_in_terms(state: BuildState) -> None:
    """Terms of a value or measure that is kept for each player, or of the evaluation, which ask of all players together
    and of no player: they are the same for every one.
    """
    symbols = state.symbols.symbols
    for address, node, expr in state.judged.expressions:
        section, name = (*address.split("."), "")[:2]
        value = state.values.get(name) if section == "values" else None
        keys = value.key_types if value is not None else (SEAT,) if section == "evaluation" else ()
        if section == "measures" and find_entry(state.document.root, f"measures.{name}.per") is not None:
            keys = (SEAT,)  # what else it is kept by is an error
        if SEAT not in keys:
            continue
        seat_slot = keys.index(SEAT)
        own = {part.name for part in iter_exprs(expr) if isinstance(part, ReadZone) and part.keys}  # set beside all
        for private in (*_looked_through(expr, state), *_held_against_one(expr, seat_slot, state)):
            if private.name not in own:
                message = f"`{private.name}` without a key means the places of all players, which each alone sees"
                hint = f"write `{private.name}(player)`"
                warn(state, _part_span(node, private), lint_codes.ALL_SEATS, message, "all players", hint, address)
                break
        without_player = [addend for addend in addends(expr) if seat_slot not in free_variables(addend)]
        for part in (part for addend in without_player for part in iter_exprs(addend)):
            is_of_all = isinstance(part, ReadZone) and not part.keys and part.name not in own
            if isinstance(part, ReadZone) and is_of_all and _has_seats(symbols, part.name):
                message = f"`{part.name}` without a key means the places of all players together"
                field = _field_behind(node, part)
                hint = f"write `{part.name}(player){field}`; if all are meant, {_total(part.name, field)}"
                warn(state, _part_span(node, part), lint_codes.ALL_SEATS, message, "all players", hint, address)
                break
            terms = [expr] if value is None else [term for _, term in (*value.terms, *value.deductions)]
            seat = _fixed_seat(symbols, part)
            if seat is not None and not any(keys.index(SEAT) in free_variables(term) for term in terms):
                message = f"`{name}` is the same for every player: it asks about `{seat.name}`"
                hint = "write `player`, whose value it is" if value is None else "write the player that it is kept by"
                warn(state, _part_span(node, seat), lint_codes.ALL_SEATS, message, "the same for all", hint, address)
                break


def _looked_through(expr: Expr, state: BuildState) -> Iterator[ReadZone]:
    """What only its owners see, where a sum for one player goes through that of all and asks what this one has."""
    for part in iter_exprs(expr):
        if isinstance(part, Sum) and isinstance(part.over, ReadZone) and not part.over.keys:
            is_of_one = any(isinstance(read, ReadZone) and read.keys for read in iter_exprs(part.of))
            if _is_private(state, part.over.name) and is_of_one:
                yield part.over


def _held_against_one(expr: Expr, seat_slot: int, state: BuildState) -> Iterator[ReadZone]:
    """What only its owners see, where that of all is compared with something of the one player it is about."""
    for part in iter_exprs(expr):
        sides = ((part.left, part.right), (part.right, part.left)) if isinstance(part, Compare) else ()
        for of_all, of_one in sides:
            if seat_slot in free_variables(of_all) or seat_slot not in free_variables(of_one):
                continue
            reads = (read for read in iter_exprs(of_all) if isinstance(read, ReadZone) and not read.keys)
            yield from (read for read in reads if _is_private(state, read.name))


def _is_private(state: BuildState, name: str) -> bool:
    """Whether each place of a zone is a player's, who alone sees what lies there."""
    return state.zones[name].owner_key is not None and state.zones[name].seen_by == "owner"


def _fixed_seat(symbols: Mapping[str, Symbol], part: Expr) -> Builtin | None:
    """The one player, who is the same whoever is meant, of whom a place or a state is read."""
    symbol = symbols.get(part.name) if isinstance(part, ReadZone | ReadState) else None
    if not isinstance(part, ReadZone | ReadState) or not isinstance(symbol, ZoneSymbol | StateSymbol):
        return None
    keys = zip(part.keys, symbol.key_types, strict=False)
    return next((key for key, type_ in keys if type_ == SEAT and isinstance(key, Builtin) and key.type == SEAT), None)


@build_pass(needs=["values", "symbols"], skip=after_errors)
def check_unread_keys(state: BuildState) -> None:
    """Values that are kept for each of several and ask the same of all of them, as a zone is read without that key."""
    symbols = state.symbols.symbols
    for address, node, expr in state.usage.expressions:
        section, name = (*address.split("."), "")[:2]
        value = state.values.get(name) if section == "values" else None
        if value is None:
            continue
        terms = [term for _, term in (*value.terms, *value.deductions)]
        read = frozenset[int]().union(*map(free_variables, terms))
        unread = [key for slot, key in enumerate(value.key_types) if slot not in read and key != SEAT]
        for part in iter_exprs(expr) if unread else ():
            symbol = symbols.get(part.name) if isinstance(part, ReadZone) and not part.keys else None
            if not isinstance(symbol, ZoneSymbol) or not isinstance(part, ReadZone):
                continue
            if (key := next((key for key in unread if key in symbol.key_types), None)) is not None:
                kind = describe_type(key).removeprefix("a ").removeprefix("an ")
                message = f"`{name}` is the same for every {kind}: it reads all places of `{part.name}` together"
                hint = f"write `{part.name}({kind})`, or keep the value for all together, without that key"
                warn(state, _part_span(node, part), lint_codes.UNUSED, message, "without a key", hint, address)
                break


@build_pass(needs=["symbols"], skip=after_errors)
def check_unread_variables(state: BuildState) -> None:
    """Conditions asked of each of several that are about none of them: the name of a variable was forgotten."""
    symbols = state.symbols.symbols
    reported = {one.address for one in state.diagnostics if one.code in (ALL_OR_ONE, NEVER_TRUE, ALWAYS_TRUE)}
    for address, node, expr in state.usage.expressions:
        for part in iter_exprs(expr) if address not in reported else ():
            match part:
                case Quantifier(condition=asked) | Filter(condition=asked) if asked is not None and _is_unread(part):
                    word = VARIABLE.match(node.text, part.offsets[0])
                case Extremum(of=asked) if _is_same_for_each(part):
                    word = VARIABLE_BEHIND.match(node.text, asked.offsets[1])
                case _:
                    continue
            if word is None:
                continue
            zone = _zone_of_all(symbols, part.over, asked)
            message = f"what is asked of each `{word[1]}` does not depend on it"
            hint = f"write `{zone}({word[1]})`" if zone else f"use `{word[1]}`, or ask it once"
            code = lint_codes.ALL_SEATS if zone else lint_codes.UNUSED
            warn(state, _part_span(node, asked), code, message, f"without `{word[1]}`", hint, address)


@build_pass(needs=["symbols", "blocks", "judged"], skip=after_errors)
def check_unread_variables_of_loops(state: BuildState) -> None:
    """Steps carried out for each player of whom something is asked that is about none of them: what asks nothing of
    their places may be meant as a condition of the step.
    """
    symbols = state.symbols.symbols
    for step in state.judged.steps:
        loop = step.for_each
        if loop is None or loop.condition is None or not _is_unread(loop):
            continue
        if not (zone := _zone_of_all(symbols, loop.over, loop.condition)):
            continue
        node = condition_node(state.document.root, step.address, "for_each")
        span = _part_span(node, loop.condition) if isinstance(node, ScalarNode) else step.span
        message = f"what is asked of each `{loop.name}` does not depend on it"
        hint = f"write `{zone}({loop.name})`"
        warn(state, span, lint_codes.ALL_SEATS, message, f"without `{loop.name}`", hint, step.address)


def _is_unread(loop: Quantifier | Filter | Binding) -> bool:
    """Whether the condition of a loop does not depend on its variable."""
    condition = loop.condition
    return condition is not None and not isinstance(condition, Constant) and loop.slot not in free_variables(condition)


def _is_same_for_each(part: Extremum) -> bool:
    """Whether the greatest or least of something is asked that is the same for each. A number as it is written is not
    meant so: it is there where there are any.
    """
    read = free_variables(part.of) | (frozenset() if part.condition is None else free_variables(part.condition))
    return part.slot not in read and not isinstance(part.of, Constant)


def _zone_of_all(symbols: Mapping[str, Symbol], over: Expr, asked: Expr) -> str:
    """The zone of which a loop over players asks the places of all of them together, if it does."""
    parts = iter_exprs(asked) if is_every_seat(over) else ()
    reads = (part.name for part in parts if isinstance(part, ReadZone) and not part.keys)
    return next((name for name in reads if _has_seats(symbols, name)), "")


def _holds_of_nothing(part: Expr) -> bool:
    """Whether a comparison with nothing or 0 holds where there is nothing, as `is empty` does."""
    return isinstance(part, Compare) and part.op in ("is", "<=", ">=", "in", "fits in")


def _tested_for_content(part: Expr) -> ReadZone | None:
    """The places of which a comparison asks whether anything is there."""
    match part:
        case Compare(left=ReadZone(member=None) as read, right=Constant(type=Bag("") | SetOf(None))):
            return read
        case Compare(left=Call(function="count", args=(ReadZone(member=None) as read,)), right=Constant(value=0)):
            return read
        case _:
            return None


def _counted(part: Expr, own: Collection[str]) -> ReadZone | None:
    """The places of all players that a comparison counts, of a zone of which the action changes that of its player.
    What is compared with so many times the number of players is meant of all.
    """
    product = part.right if isinstance(part, Compare) else None
    factors = (product.left, product.right) if isinstance(product, Arithmetic) and product.op == "*" else ()
    if any(isinstance(one, Builtin) and one.name == "players" for one in factors):
        return None
    for side in (part.left, part.right) if isinstance(part, Compare) else ():
        match side:
            case Call(function="count", args=(ReadZone(member=None, keys=()) as read,)) if read.name in own:
                return read
    return None


def _places(step: Step) -> Iterator[Place]:
    if isinstance(step.effect, Move):
        yield step.effect.to
        if step.effect.source is not None:
            yield step.effect.source


def is_of_seats(part: Quantifier | Filter) -> bool:
    """Whether something is asked of all players, or all others."""
    return is_every_seat(part.over)


def is_every_seat(over: Expr) -> bool:
    """Whether a loop goes over all players, or all others."""
    return isinstance(over, Builtin) and isinstance(over.type, SetOf) and over.type.element == SEAT


def _has_seats(symbols: Mapping[str, Symbol], zone: str) -> bool:
    symbol = symbols.get(zone)
    return isinstance(symbol, ZoneSymbol) and SEAT in symbol.key_types


def _part_span(node: ScalarNode, part: Expr) -> Span:
    return node.subspan(*part.offsets)


def _total(zone: str, field: str = "") -> str:
    """How to ask of all players together so that it shows. `field`: what is read of it, with its dot."""
    counted = f"{zone}(player){field}" if field else f"count({zone}(player))"
    return f"`sum of {counted} for player`"


def _field_behind(node: Node | None, read: Expr) -> str:
    """The field that is read behind a name: `.rank`."""
    match = FIELD.match(node.text, read.offsets[1]) if isinstance(node, ScalarNode) else None
    return "" if match is None else match[0]


__all__ = [
    "check_all_seats",
    "check_seats_in_terms",
    "check_steps_of_all_seats",
    "check_unread_keys",
    "check_unread_variables",
    "check_unread_variables_of_loops",
    "is_every_seat",
    "is_of_seats",
]
