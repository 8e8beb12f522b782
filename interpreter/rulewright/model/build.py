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
from rulewright.diagnostics import Report
from rulewright.document.document import Document
from rulewright.expr.codes import TOO_COSTLY
from rulewright.expr.cost import cost
from rulewright.expr.parse import canonical
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag, Member, Number, Unknown
from rulewright.model import codes
from rulewright.model import zones as places
from rulewright.model.components import components as read_components
from rulewright.model.components import starting_places
from rulewright.model.display import check_table, still_there
from rulewright.model.elimination_state import departures
from rulewright.model.information_leaks import nothing_given_away
from rulewright.model.kinds import kinds_and_parameters
from rulewright.model.lint import look_over
from rulewright.model.passages import passages
from rulewright.model.possible_cycles import no_circle_of_possible
from rulewright.model.provenance import read_notes
from rulewright.model.rules import Criterion, Invariant, Look, Measure, Rules, Strategy, Weight
from rulewright.model.sentences import Sentences
from rulewright.model.steps import Steps
from rulewright.model.symbol_table import Names, mapping, text_of
from rulewright.model.traversal import free_slots
from rulewright.source.nodes import Entry, Mapping, Scalar, plain
from rulewright.variants.variant import Change, Variant

NUMBER: Final = Number(-(10**9), 10**9)
PLAYERS: Final = frozenset({"human", "random", "greedy", "heuristic", "search"})  # who plays whatever the game
NAMED: Final = frozenset({"kinds", "parameters", "components", "zones", "values", "state", "actions"})
WORDS_ONLY: Final = frozenset({"text", "why", "source", "status", "names", "files", "texts"})  # no part of the meaning


def understand(
    document: Document,
    players: int,
    report: Report,
    *,
    variants: Collection[str] = (),
    laid: Collection[Variant] = (),
) -> Rules | None:
    """The rule model of a document for so many players.

    `variants` are the names of those that were chosen, `laid` all that were laid over (the overlay for the number of
    players too).
    """
    names = Names(document.root, players, report)
    names.removed = frozenset(one.parts[-1] for variant in laid for one in variant.changes if _takes_a_name(one))
    sentences = Sentences(names, document.texts, {one.root.span.source.path for one in laid})
    parameters = kinds_and_parameters(names)
    components = read_components(names)
    zone_keys = places.declare_zones(names)
    states = places.states(names)
    left = departures(names, sum(one.size for one in states.values()))
    steps = Steps(names, sentences)
    if left is not None:
        states[left.name] = left
        steps.leaves = True
    steps.declare_actions()
    values = places.values(names)
    components = starting_places(names, components)
    zones = places.zones(names, zone_keys)
    sentences.members()
    steps.procedures_of()
    steps.read_actions()
    blocks = {
        name: steps.block(_section(document, name), names.scope(has_me=name == "turn"), name)
        for name in ("setup", "turn", "round", "finale")
    }
    if "round" not in document.root:
        names.report.add(
            document.root.entries[0].key.span,
            codes.MISSING_SECTION,
            "a game needs a `round`",
            help="round: [turns: {for_each: seat, turn: seat}] gives every seat a turn",
        )
    seat = names.scope(variables={"seat": Member("seat")})
    for section in ("procedures", "ranking", "invariants", "measures", "evaluation", "strategies"):
        for entry in names.section(section):
            names.plain_id(entry.key.text, entry.key.span)
    ranking = tuple(_criterion(names, sentences, entry, seat) for entry in names.section("ranking"))
    invariants = tuple(_invariant(names, sentences, entry) for entry in names.section("invariants"))
    measures = tuple(_measure(names, sentences, entry) for entry in names.section("measures"))
    evaluation = tuple(
        _weight(names, sentences, entry, seat, f"evaluation.{entry.key.text}") for entry in names.section("evaluation")
    )
    strategies = tuple(_strategy(names, sentences, entry, seat) for entry in names.section("strategies"))
    _affordable(names, "ranking", [one.of for one in ranking])
    _affordable(names, "invariants", [one.is_ for one in invariants])
    _affordable(names, "measures", [one.of for one in measures])
    _affordable(names, "evaluation", [one.of for one in evaluation])
    terms = [term for one in strategies for term in one.terms]
    _affordable(names, "strategies", [expr for term in terms for expr in (term.of, term.when) if expr is not None])
    no_circle_of_possible(names, steps.actions, values)
    _plain_sentences(names, sentences)
    for one in laid:
        sentences.text(one.root, f"variants.{one.name}", names.scope())
    drawing, looks = document.table, dict[str, Look]()
    if drawing is not None:
        if variants:
            drawing = still_there(names, drawing, {one.root.span.source.path for one in laid})
        looks = check_table(names, drawing)
    book = passages(names, sentences, {one.root.span.source.path for one in laid} if variants else None)
    languages = sentences.languages()
    sentences.gaps()
    look = look_over(names, steps, sentences, {one.root.span.source.path for one in laid} if variants else None)
    nothing_given_away(look, steps.choices.written, zones, values)
    if not variants:  # a variant may take away what a sentence translates
        sentences.unused()
    if any(one.code is codes.RESERVED_NAME for one in report):
        return None  # a rule that bears the name of a key cannot be told from what a node says of itself
    notes = read_notes(document, laid, report)
    if report.errors:
        return None
    table = plain(drawing) if drawing is not None else {}
    works = plain(document.sources) if document.sources is not None else {}
    return Rules(
        game=document.name,
        version=text_of(document.root.get("version")),
        players=players,
        variants=tuple(variants),
        joined=tuple(one.name for one in laid if one.always and one.requires),
        kinds=names.kinds,
        family_members=names.members,
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
        book=book,
        languages=languages,
        notes=notes,
        works=cast(dict[str, Any], works).get("works", {}),
        table=cast(dict[str, Any], table),
        looks=looks,
        digest=meaning(document, players),
        text_digest=_digest(
            [plain(document.root), {code: plain(one) for code, one in document.texts.items()}], players
        ),
        leaves=left is not None,
    )


def _takes_a_name(change: Change) -> bool:
    section, *rest = change.parts
    return change.payload is None and section in NAMED and len(rest) == (2 if section == "kinds" and change.item else 1)


def _section(document: Document, name: str) -> Mapping | None:
    node = document.root.get(name)
    return node if isinstance(node, Mapping) else None


# ---- what stands after play ---------------------------------------------------------------------------------


def _criterion(names: Names, sentences: Sentences, entry: Entry, scope: Any) -> Criterion:
    node, address = mapping(entry.value), f"ranking.{entry.key.text}"
    most = node.get("most")
    of = most if most is not None else node.get("fewest")
    assert of is not None
    sentences.text(node, address, scope)
    expr = names.expression(of, scope, NUMBER, address)
    if 0 not in free_slots(expr) and not isinstance(expr.type, Unknown) and names.players > 1:
        message = f"`{entry.key.text}` is the same for every seat, so that it ranks nobody"
        hint = "ask for something of `seat`, the one that is ranked"
        names.report.add(of.span, codes.SAME_FOR_ALL, message, label="no `seat` in it", help=hint, address=address)
    return Criterion(address, most is not None, expr, " ".join(text_of(of).split()))


def _invariant(names: Names, sentences: Sentences, entry: Entry) -> Invariant:
    node, address = mapping(entry.value), f"invariants.{entry.key.text}"
    is_ = node.get("is")
    assert is_ is not None
    sentences.text(node, address, names.scope())
    after = cast(Literal["step", "turn", "round"], text_of(node.get("after")))
    expr = names.expression(is_, names.scope(), Flag(), address, condition=True)
    return Invariant(address, after, expr, text_of(is_), entry.key.span, cost(expr, names.scope()))


def _measure(names: Names, sentences: Sentences, entry: Entry) -> Measure:
    address = f"measures.{entry.key.text}"
    of = mapping(entry.value).get("of") if isinstance(entry.value, Mapping) else None
    per = names.per(of, address)
    if of is not None and [type_ for _, type_ in per] not in ([Member("seat")], [Unknown()]):
        names.report.add(
            of.span,
            codes.WRONG_KEY,
            "a measure is for the whole game or for each seat",
            help="say `of: seat`, or leave it out",
            address=address,
        )
    scope = names.scope(variables=dict(per))
    sentences.text(entry.value, address, scope)
    return Measure(entry.key.text, bool(per), names.expression(entry.value, scope, NUMBER, address))


def _weight(names: Names, sentences: Sentences, entry: Entry, scope: Any, address: str) -> Weight:
    node = mapping(entry.value)
    weight, when = node.get("weight"), node.get("when")
    assert isinstance(weight, Scalar)
    sentences.text(node, address, scope)
    return Weight(
        entry.key.text,
        cast(int, weight.value),
        names.expression(node, scope, NUMBER, address),
        None if when is None else names.expression(when, scope, Flag(), address, condition=True),
    )


def _strategy(names: Names, sentences: Sentences, entry: Entry, scope: Any) -> Strategy:
    node, address = mapping(entry.value), f"strategies.{entry.key.text}"
    if entry.key.text in PLAYERS:
        names.report.add(
            entry.key.span,
            codes.RESERVED_NAME,
            f"`{entry.key.text}` is the name of a player that is there in every game",
            label="cannot be called by it",
            help=f"choose another, like `{entry.key.text}_one`",
        )
    sentences.text(node, address, scope)
    terms = []
    for term in mapping(node.get("terms")):
        names.plain_id(term.key.text, term.key.span)
        terms.append(_weight(names, sentences, term, scope, f"{address}.terms.{term.key.text}"))
    return Strategy(entry.key.text, tuple(terms))


def _affordable(names: Names, section: str, exprs: list[Expr]) -> None:
    """What a section says is worked out all at once, so that its steps are counted together."""
    entry = names.root.entry(section)
    if names.report.errors or entry is None:
        return
    steps = sum(cost(expr, names.scope()) for expr in exprs)
    if steps > limits.MAX_EXPRESSION_STEPS:
        message = (
            f"working out all of `{section}` could take {steps:,} steps; {limits.MAX_EXPRESSION_STEPS:,} are allowed"
        )
        hint = "give what its expressions go through closer bounds"
        names.report.add(entry.key.span, TOO_COSTLY, message, label="too costly", help=hint, address=section)


def _plain_sentences(names: Names, sentences: Sentences) -> None:
    """Sentences of the nodes that are no steps: their holes may name what everybody may name."""
    scope = names.scope()
    sentences.text(names.root, "game", scope)
    for section in ("parameters", "components", "zones", "state"):
        for entry in names.section(section):
            sentences.text(entry.value, f"{section}.{entry.key.text}", scope)
    for entry in names.section("components"):
        for row in mapping(mapping(entry.value).get("rows")):
            sentences.text(row.value, f"components.{entry.key.text}.rows.{row.key.text}", scope)
    for entry in names.section("values"):
        node = mapping(entry.value)
        of = names.per(node.get("of"), f"values.{entry.key.text}")
        inner = names.scope(has_me=True, variables=dict(of))
        sentences.text(entry.value, f"values.{entry.key.text}", inner)
        for key in ("sum", "less"):
            for term in mapping(node.get(key)) if key in node else ():
                sentences.text(term.value, f"values.{entry.key.text}.{key}.{term.key.text}", inner)


# ---- digests ------------------------------------------------------------------------------------------------


ORDERED: Final = frozenset(
    {"kinds", "components", "zones", "actions", "choose", "values", "state", "rows"}
    | {"setup", "turn", "round", "finale", "do", "ranking"}
)
PRINCIPAL: Final = {"parameters": "value", "values": "is", "when": "is", "sum": "is", "less": "is", "measures": "is"}


def _meaning(value: Any, key: str = "", above: str = "") -> Any:
    """The resolved rules without what only people read, in one form however they are cut into files and spelled.

    The order of names counts where it numbers something; steps are in order by their nature.
    """
    if isinstance(value, dict):
        kept = [(name, _meaning(one, name, key)) for name, one in value.items() if name not in WORDS_ONLY]
        if key == "when" and [name for name, _ in kept] == ["is"]:
            return _meaning(value["is"])  # a step's condition with words of its own
        ordered = key in ORDERED or above == "procedures"
        return [list(pair) for pair in (kept if ordered else sorted(kept, key=lambda pair: pair[0]))]
    if isinstance(value, list):
        return [_meaning(one) for one in value]
    if above in PRINCIPAL:
        return [[PRINCIPAL[above], _meaning(value)]]
    return canonical(value) if isinstance(value, str) else value


def meaning(document: Document, players: int) -> str:
    """The digest of what a document means, sentences and sources apart."""
    rules = Mapping(tuple(entry for entry in document.root if entry.key.text != "book"), document.root.span)
    return _digest(_meaning(plain(rules)), players)


def _digest(data: Any, players: int) -> str:
    text = json.dumps([players, data], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
