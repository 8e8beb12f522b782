"""What is asked of a position: the ranking, invariants, measures, the evaluation and the strategies of bots.

In: the sections of these names. Out: their definitions, each with the expressions it computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, get_args

from rulewright import limits
from rulewright.expr.codes import TOO_COSTLY
from rulewright.expr.cost import expression_cost, total_cost
from rulewright.expr.scope import Scope, ZoneSymbol
from rulewright.expr.tree import Expr, ReadZone
from rulewright.expr.types import ANY_NUMBER, FLAG, SEAT, UnknownType
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.key_reader import read_keys
from rulewright.model.rules import Criterion, Invariant, InvariantScope, Measure, Strategy, WeightedTerm
from rulewright.model.sentences import SentenceReader
from rulewright.source.nodes import (
    Entry,
    MappingNode,
    ScalarNode,
    as_mapping,
    int_value,
    literal_value,
    text_or_default,
)

RESERVED_STRATEGIES: Final = frozenset(  # who plays whatever the game
    {"human", "random", "avoid", "greedy", "heuristic", "search"}
)
INVARIANT_SCOPES: Final[tuple[InvariantScope, ...]] = get_args(InvariantScope)
ASSESSMENT_SECTIONS: Final = ("ranking", "invariants", "measures", "evaluation", "strategies")


class Assessments(NamedTuple):
    """The definitions of the five sections."""

    ranking: tuple[Criterion, ...]
    invariants: tuple[Invariant, ...]
    measures: tuple[Measure, ...]
    evaluation: tuple[WeightedTerm, ...]
    strategies: tuple[Strategy, ...]


def read_assessments(reader: ExprReader, sentences: SentenceReader) -> Assessments:
    """Reads the five sections. The seat that is ranked or evaluated is variable 0, `seat`."""
    for section in ASSESSMENT_SECTIONS:
        for entry in reader.section(section):
            reader.check_local_id(entry.key.text, entry.key.span)
    seat = reader.scope(variables={SEAT.kind: SEAT})
    return Assessments(
        ranking=tuple(_read_criterion(reader, sentences, entry, seat) for entry in reader.section("ranking")),
        invariants=tuple(_read_invariant(reader, sentences, entry) for entry in reader.section("invariants")),
        measures=tuple(_read_measure(reader, sentences, entry) for entry in reader.section("measures")),
        evaluation=tuple(
            _read_term(reader, sentences, entry, seat, f"evaluation.{entry.key.text}")
            for entry in reader.section("evaluation")
        ),
        strategies=tuple(_read_strategy(reader, sentences, entry, seat) for entry in reader.section("strategies")),
    )


def check_assessment_costs(reader: ExprReader, assessments: Assessments) -> None:
    """Reports the first section that costs too much: all of its expressions are computed together."""
    terms = [term for strategy in assessments.strategies for term in strategy.terms]
    exprs_by_section: dict[str, Sequence[Expr]] = {
        "ranking": [criterion.of for criterion in assessments.ranking],
        "invariants": [invariant.condition for invariant in assessments.invariants],
        "measures": [measure.of for measure in assessments.measures],
        "evaluation": [term.of for term in assessments.evaluation],
        "strategies": [expr for term in terms for expr in (term.of, term.when) if expr is not None],
    }
    for section, exprs in exprs_by_section.items():
        entry = reader.root.entry(section)
        if sum(expression_cost(expr, reader.scope()) for expr in exprs) <= limits.MAX_EXPRESSION_STEPS:
            continue  # what several have in common makes it less, never more
        cost = total_cost(exprs, reader.scope()).once
        if entry is not None and cost > limits.MAX_EXPRESSION_STEPS:
            reader.diagnostics.add(
                entry.key.span,
                TOO_COSTLY,
                f"computing all of `{section}` could take {cost:,} steps, over the limit of "
                f"{limits.MAX_EXPRESSION_STEPS:,}",
                label="too costly",
                help="give narrower bounds to what its expressions loop over",
                address=section,
            )
            return


def _read_criterion(reader: ExprReader, sentences: SentenceReader, entry: Entry, scope: Scope) -> Criterion:
    node, address = as_mapping(entry.value), f"ranking.{entry.key.text}"
    most = node.get("most")
    of = most if most is not None else node.require("fewest")
    sentences.read_rule_text(node, address, scope)
    expr = reader.read_expression(of, scope, ANY_NUMBER, address)
    if 0 not in free_variables(expr) and not isinstance(expr.type, UnknownType) and reader.players > 1:
        read = _place_of_all(reader, expr) if isinstance(of, ScalarNode) else None
        reader.diagnostics.add(
            of.span,
            codes.SAME_FOR_ALL,
            f"`{entry.key.text}` is the same for every player, so it ranks nobody",
            label="does not use `player`",
            help="use `player`, the player that is ranked"
            if read is None
            else f"write `{_of_player(text_or_default(of), read)}`",
            address=address,
        )
    return Criterion(address, most is not None, expr, " ".join(text_or_default(of).split()))


def _place_of_all(reader: ExprReader, expr: Expr) -> ReadZone | None:
    """The one zone kept by player alone that is read without a player."""
    reads = [part for part in iter_exprs(expr) if isinstance(part, ReadZone) and not part.keys]
    kept = [
        read
        for read in reads
        if isinstance(symbol := reader.table.symbols.get(read.name), ZoneSymbol) and symbol.key_types == (SEAT,)
    ]
    return kept[0] if len(kept) == 1 else None


def _of_player(text: str, read: ReadZone) -> str:
    """What ranks players, with the zone of the one who is ranked."""
    start, end = read.offsets
    return f"{text[:start]}{read.name}(player){text[end:]}".strip()


def _read_invariant(reader: ExprReader, sentences: SentenceReader, entry: Entry) -> Invariant:
    node, address = as_mapping(entry.value), f"invariants.{entry.key.text}"
    condition = node.require("is")
    sentences.read_rule_text(node, address, reader.scope())
    after = literal_value(node.get("after"), INVARIANT_SCOPES, "step")
    expr = reader.read_expression(condition, reader.scope(), FLAG, address, is_condition=True)
    cost = expression_cost(expr, reader.scope())
    return Invariant(address, after, expr, text_or_default(condition), entry.key.span, cost)


def _read_measure(reader: ExprReader, sentences: SentenceReader, entry: Entry) -> Measure:
    address = f"measures.{entry.key.text}"
    of = as_mapping(entry.value).get("per") if isinstance(entry.value, MappingNode) else None
    is_of_nothing = isinstance(of, ScalarNode) and of.text not in reader.table.symbols
    keys = [] if is_of_nothing else read_keys(reader, of, address)
    if of is not None and [type_ for _, type_ in keys] not in ([SEAT], [UnknownType()]):
        reader.diagnostics.add(
            of.span,
            codes.WRONG_ZONE_KEY,
            "a measure can only be kept per player",
            help="write `per: player`, or leave it out",
            address=address,
        )
    scope = reader.scope(variables=dict(keys))
    sentences.read_text(entry.value, address, scope)
    return Measure(entry.key.text, bool(keys), reader.read_expression(entry.value, scope, ANY_NUMBER, address))


def _read_term(reader: ExprReader, sentences: SentenceReader, entry: Entry, scope: Scope, address: str) -> WeightedTerm:
    node = as_mapping(entry.value)
    weight, when = int_value(node.require("weight")), node.get("when")
    assert weight is not None, "the schema requires a whole number"
    sentences.read_text(node, address, scope)
    return WeightedTerm(
        entry.key.text,
        weight,
        reader.read_expression(node, scope, ANY_NUMBER, address),
        None if when is None else reader.read_expression(when, scope, FLAG, address, is_condition=True),
    )


def _read_strategy(reader: ExprReader, sentences: SentenceReader, entry: Entry, scope: Scope) -> Strategy:
    node, address = as_mapping(entry.value), f"strategies.{entry.key.text}"
    if entry.key.text in RESERVED_STRATEGIES:
        reader.diagnostics.add(
            entry.key.span,
            codes.RESERVED_NAME,
            f"`{entry.key.text}` is a built-in name for a player",
            label="cannot be a name",
            help=f"choose another, like `{entry.key.text}_one`",
        )
    sentences.read_text(node, address, scope)
    terms = []
    for term in as_mapping(node.get("terms")):
        reader.check_local_id(term.key.text, term.key.span)
        terms.append(_read_term(reader, sentences, term, scope, f"{address}.terms.{term.key.text}"))
    return Strategy(entry.key.text, tuple(terms))


__all__ = ["RESERVED_STRATEGIES", "Assessments", "check_assessment_costs", "read_assessments"]
