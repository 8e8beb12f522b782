"""From the assembled document to the rule model: every name is resolved, every expression typed, once and for all.

In: a `Document` with its overlays laid on, and a number of players. Out: `Rules`, or None when there are errors; all
complaints are in the report.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Any, Final, Literal, cast

from rulewright import limits
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.expr.codes import TOO_COSTLY
from rulewright.expr.cost import expression_cost
from rulewright.expr.parse import canonical_text
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag, Member, Number, UnknownType
from rulewright.model import codes
from rulewright.model import zones as places
from rulewright.model.components import read_components as read_components
from rulewright.model.components import read_initial_places
from rulewright.model.display import prune_display, read_display
from rulewright.model.elimination_state import declare_elimination_state
from rulewright.model.information_leaks import check_information_leaks
from rulewright.model.kinds import read_kinds_and_parameters
from rulewright.model.lint import lint
from rulewright.model.passages import read_passages
from rulewright.model.possible_cycles import check_possible_cycles
from rulewright.model.provenance import read_provenance
from rulewright.model.rules import Criterion, Invariant, Measure, Rules, Strategy, ThingDisplay, WeightedTerm
from rulewright.model.sentences import SentenceReader
from rulewright.model.steps import StepReader
from rulewright.model.symbol_table import SymbolTable, as_mapping, text_or_default
from rulewright.model.traversal import free_variables
from rulewright.source.nodes import Entry, MappingNode, ScalarNode, to_builtins
from rulewright.variants.variant import Change, Variant

ANY_NUMBER: Final = Number(-(10**9), 10**9)
RESERVED_STRATEGIES: Final = frozenset(
    {"human", "random", "greedy", "heuristic", "search"}
)  # who plays whatever the game
NAMED_SECTIONS: Final = frozenset({"kinds", "parameters", "components", "zones", "values", "state", "actions"})
PROSE_KEYS: Final = frozenset({"text", "why", "source", "status", "names", "files", "texts"})  # no part of the meaning


def build_rules(
    document: Document,
    players: int,
    diagnostics: Diagnostics,
    *,
    variants: Collection[str] = (),
    applied: Collection[Variant] = (),
) -> Rules | None:
    """The rule model of a document for so many players.

    `variants` are the names of those that were chosen, `laid` all that were laid over (the overlay for the number of
    players too).
    """
    names = SymbolTable(document.root, players, diagnostics)
    names.removed_names = frozenset(
        one.parts[-1] for variant in applied for one in variant.changes if _takes_a_name(one)
    )
    sentences = SentenceReader(names, document.texts, {one.root.span.source.path for one in applied})
    parameters = read_kinds_and_parameters(names)
    components = read_components(names)
    zone_keys = places.declare_zones(names)
    states = places.read_states(names)
    left = declare_elimination_state(names, sum(one.size for one in states.values()))
    steps = StepReader(names, sentences)
    if left is not None:
        states[left.name] = left
        steps.has_elimination = True
    steps.declare_actions()
    values = places.read_values(names)
    components = read_initial_places(names, components)
    zones = places.read_zones(names, zone_keys)
    sentences.read_member_names()
    steps.read_procedures()
    steps.read_actions()
    blocks = {
        name: steps.read_block(_section(document, name), names.scope(has_me=name == "turn"), name)
        for name in ("setup", "turn", "round", "finale")
    }
    if "round" not in document.root:
        names.diagnostics.add(
            document.root.entries[0].key.span,
            codes.MISSING_SECTION,
            "a game needs a `round`",
            help="round: [turns: {for_each: seat, turn: seat}] gives every seat a turn",
        )
    seat = names.scope(variables={"seat": Member("seat")})
    for section in ("procedures", "ranking", "invariants", "measures", "evaluation", "strategies"):
        for entry in names.section(section):
            names.check_local_id(entry.key.text, entry.key.span)
    ranking = tuple(_criterion(names, sentences, entry, seat) for entry in names.section("ranking"))
    invariants = tuple(_invariant(names, sentences, entry) for entry in names.section("invariants"))
    measures = tuple(_measure(names, sentences, entry) for entry in names.section("measures"))
    evaluation = tuple(
        _weight(names, sentences, entry, seat, f"evaluation.{entry.key.text}") for entry in names.section("evaluation")
    )
    strategies = tuple(_strategy(names, sentences, entry, seat) for entry in names.section("strategies"))
    _affordable(names, "ranking", [one.of for one in ranking])
    _affordable(names, "invariants", [one.condition for one in invariants])
    _affordable(names, "measures", [one.of for one in measures])
    _affordable(names, "evaluation", [one.of for one in evaluation])
    terms = [term for one in strategies for term in one.terms]
    _affordable(names, "strategies", [expr for term in terms for expr in (term.of, term.when) if expr is not None])
    check_possible_cycles(names, steps.actions, values)
    _plain_sentences(names, sentences)
    for one in applied:
        sentences.read_text(one.root, f"variants.{one.name}", names.scope())
    drawing, looks = document.display, dict[str, ThingDisplay]()
    if drawing is not None:
        if variants:
            drawing = prune_display(names, drawing, {one.root.span.source.path for one in applied})
        looks = read_display(names, drawing)
    book = read_passages(names, sentences, {one.root.span.source.path for one in applied} if variants else None)
    languages = sentences.build_languages()
    sentences.check_missing_translations()
    look = lint(names, steps, sentences, {one.root.span.source.path for one in applied} if variants else None)
    check_information_leaks(look, steps.choices.expr_sources, zones, values)
    if not variants:  # a variant may take away what a sentence translates
        sentences.check_unused_translations()
    if any(one.code is codes.RESERVED_NAME for one in diagnostics):
        return None  # a rule that bears the name of a key cannot be told from what a node says of itself
    notes = read_provenance(document, applied, diagnostics)
    if diagnostics.error_count:
        return None
    table = to_builtins(drawing) if drawing is not None else {}
    works = to_builtins(document.sources) if document.sources is not None else {}
    return Rules(
        game=document.name,
        version=text_or_default(document.root.get("version")),
        players=players,
        variants=tuple(variants),
        implied_variants=tuple(one.name for one in applied if one.is_always_applied and one.requires),
        kinds=names.kinds,
        family_members=names.family_members,
        parameters=parameters,
        components=components,
        zones=zones,
        values=values,
        states=states,
        actions=tuple(steps.actions),
        blocks=tuple(steps.blocks),
        setup=blocks["setup"],
        turn=blocks["turn"],
        round=blocks["round"],
        finale=blocks["finale"],
        ranking=ranking,
        invariants=invariants,
        measures=measures,
        evaluation=evaluation,
        strategies=strategies,
        passages=book,
        languages=languages,
        provenance=notes,
        works=cast(dict[str, Any], works).get("works", {}),
        display=cast(dict[str, Any], table),
        thing_displays=looks,
        digest=rules_digest(document, players),
        text_digest=_digest(
            [to_builtins(document.root), {code: to_builtins(one) for code, one in document.texts.items()}], players
        ),
        has_elimination=left is not None,
    )


def _takes_a_name(change: Change) -> bool:
    section, *rest = change.parts
    return (
        change.payload is None
        and section in NAMED_SECTIONS
        and len(rest) == (2 if section == "kinds" and change.item else 1)
    )


def _section(document: Document, name: str) -> MappingNode | None:
    node = document.root.get(name)
    return node if isinstance(node, MappingNode) else None


# ---- what stands after play ---------------------------------------------------------------------------------


def _criterion(names: SymbolTable, sentences: SentenceReader, entry: Entry, scope: Any) -> Criterion:
    node, address = as_mapping(entry.value), f"ranking.{entry.key.text}"
    most = node.get("most")
    of = most if most is not None else node.get("fewest")
    assert of is not None
    sentences.read_text(node, address, scope)
    expr = names.read_expression(of, scope, ANY_NUMBER, address)
    if 0 not in free_variables(expr) and not isinstance(expr.type, UnknownType) and names.players > 1:
        message = f"`{entry.key.text}` is the same for every seat, so that it ranks nobody"
        hint = "ask for something of `seat`, the one that is ranked"
        names.diagnostics.add(of.span, codes.SAME_FOR_ALL, message, label="no `seat` in it", help=hint, address=address)
    return Criterion(address, most is not None, expr, " ".join(text_or_default(of).split()))


def _invariant(names: SymbolTable, sentences: SentenceReader, entry: Entry) -> Invariant:
    node, address = as_mapping(entry.value), f"invariants.{entry.key.text}"
    is_ = node.get("is")
    assert is_ is not None
    sentences.read_text(node, address, names.scope())
    after = cast(Literal["step", "turn", "round"], text_or_default(node.get("after")))
    expr = names.read_expression(is_, names.scope(), Flag(), address, is_condition=True)
    return Invariant(address, after, expr, text_or_default(is_), entry.key.span, expression_cost(expr, names.scope()))


def _measure(names: SymbolTable, sentences: SentenceReader, entry: Entry) -> Measure:
    address = f"measures.{entry.key.text}"
    of = as_mapping(entry.value).get("of") if isinstance(entry.value, MappingNode) else None
    per = names.read_keys(of, address)
    if of is not None and [type_ for _, type_ in per] not in ([Member("seat")], [UnknownType()]):
        names.diagnostics.add(
            of.span,
            codes.WRONG_ZONE_KEY,
            "a measure is for the whole game or for each seat",
            help="say `of: seat`, or leave it out",
            address=address,
        )
    scope = names.scope(variables=dict(per))
    sentences.read_text(entry.value, address, scope)
    return Measure(entry.key.text, bool(per), names.read_expression(entry.value, scope, ANY_NUMBER, address))


def _weight(names: SymbolTable, sentences: SentenceReader, entry: Entry, scope: Any, address: str) -> WeightedTerm:
    node = as_mapping(entry.value)
    weight, when = node.get("weight"), node.get("when")
    assert isinstance(weight, ScalarNode)
    sentences.read_text(node, address, scope)
    return WeightedTerm(
        entry.key.text,
        cast(int, weight.value),
        names.read_expression(node, scope, ANY_NUMBER, address),
        None if when is None else names.read_expression(when, scope, Flag(), address, is_condition=True),
    )


def _strategy(names: SymbolTable, sentences: SentenceReader, entry: Entry, scope: Any) -> Strategy:
    node, address = as_mapping(entry.value), f"strategies.{entry.key.text}"
    if entry.key.text in RESERVED_STRATEGIES:
        names.diagnostics.add(
            entry.key.span,
            codes.RESERVED_NAME,
            f"`{entry.key.text}` is the name of a player that is there in every game",
            label="cannot be called by it",
            help=f"choose another, like `{entry.key.text}_one`",
        )
    sentences.read_text(node, address, scope)
    terms = []
    for term in as_mapping(node.get("terms")):
        names.check_local_id(term.key.text, term.key.span)
        terms.append(_weight(names, sentences, term, scope, f"{address}.terms.{term.key.text}"))
    return Strategy(entry.key.text, tuple(terms))


def _affordable(names: SymbolTable, section: str, exprs: list[Expr]) -> None:
    """What a section says is worked out all at once, so that its steps are counted together."""
    entry = names.root.entry(section)
    if names.diagnostics.error_count or entry is None:
        return
    steps = sum(expression_cost(expr, names.scope()) for expr in exprs)
    if steps > limits.MAX_EXPRESSION_STEPS:
        message = (
            f"working out all of `{section}` could take {steps:,} steps; {limits.MAX_EXPRESSION_STEPS:,} are allowed"
        )
        hint = "give what its expressions go through closer bounds"
        names.diagnostics.add(entry.key.span, TOO_COSTLY, message, label="too costly", help=hint, address=section)


def _plain_sentences(names: SymbolTable, sentences: SentenceReader) -> None:
    """Sentences of the nodes that are no steps: their holes may name what everybody may name."""
    scope = names.scope()
    sentences.read_text(names.root, "game", scope)
    for section in ("parameters", "components", "zones", "state"):
        for entry in names.section(section):
            sentences.read_text(entry.value, f"{section}.{entry.key.text}", scope)
    for entry in names.section("components"):
        for row in as_mapping(as_mapping(entry.value).get("rows")):
            sentences.read_text(row.value, f"components.{entry.key.text}.rows.{row.key.text}", scope)
    for entry in names.section("values"):
        node = as_mapping(entry.value)
        of = names.read_keys(node.get("of"), f"values.{entry.key.text}")
        inner = names.scope(has_me=True, variables=dict(of))
        sentences.read_text(entry.value, f"values.{entry.key.text}", inner)
        for key in ("sum", "less"):
            for term in as_mapping(node.get(key)) if key in node else ():
                sentences.read_text(term.value, f"values.{entry.key.text}.{key}.{term.key.text}", inner)


# ---- digests ------------------------------------------------------------------------------------------------


ORDERED_KEYS: Final = frozenset(
    {"kinds", "components", "zones", "actions", "choose", "values", "state", "rows"}
    | {"setup", "turn", "round", "finale", "do", "ranking"}
)
PRINCIPAL_KEYS: Final = {
    "parameters": "value",
    "values": "is",
    "when": "is",
    "sum": "is",
    "less": "is",
    "measures": "is",
}


def _meaning(value: Any, key: str = "", above: str = "") -> Any:
    """The resolved rules without what only people read, in one form however they are cut into files and spelled.

    The order of names counts where it numbers something; steps are in order by their nature.
    """
    if isinstance(value, dict):
        kept = [(name, _meaning(one, name, key)) for name, one in value.items() if name not in PROSE_KEYS]
        if key == "when" and [name for name, _ in kept] == ["is"]:
            return _meaning(value["is"])  # a step's condition with words of its own
        ordered = key in ORDERED_KEYS or above == "procedures"
        return [list(pair) for pair in (kept if ordered else sorted(kept, key=lambda pair: pair[0]))]
    if isinstance(value, list):
        return [_meaning(one) for one in value]
    if above in PRINCIPAL_KEYS:
        return [[PRINCIPAL_KEYS[above], _meaning(value)]]
    return canonical_text(value) if isinstance(value, str) else value


def rules_digest(document: Document, players: int) -> str:
    """The digest of what a document means, sentences and sources apart."""
    rules = MappingNode(tuple(entry for entry in document.root if entry.key.text != "book"), document.root.span)
    return _digest(_meaning(to_builtins(rules)), players)


def _digest(data: Any, players: int) -> str:
    text = json.dumps([players, data], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
