"""From the assembled document to the rule model: every name is resolved, every expression typed, once and for all.

In: a `Document` with its overlays laid on, and a number of players. Out: `Rules`, or None when there are errors; all
complaints are in the report.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from typing import Any, Final, Literal, cast

from rulewright.diagnostics import Report, Span, nearest
from rulewright.expr.types import Flag, KindName, Member, Number, Parameter, StateVar, Value, Zone
from rulewright.model import codes
from rulewright.model import zones as places
from rulewright.model.components import components as read_components
from rulewright.model.components import starting_places
from rulewright.model.kinds import kinds_and_parameters
from rulewright.model.names import WHAT, Names, mapping, text_of
from rulewright.model.possible import no_circle_of_possible
from rulewright.model.rules import Block, Criterion, Invariant, Measure, Note, Rules, Weight
from rulewright.model.sentences import Sentences
from rulewright.model.steps import Steps
from rulewright.model.table import check_table
from rulewright.text.document import Document
from rulewright.text.nodes import Entry, Mapping, Node, Scalar, Sequence, plain

NUMBER: Final = Number(-(10**9), 10**9)
WORDS_ONLY: Final = frozenset({"text", "why", "source", "status", "names", "glossary"})  # no part of the meaning


def understand(
    document: Document,
    players: int,
    report: Report,
    *,
    variants: Collection[str] = (),
    variant_files: Collection[str] = (),
) -> Rules | None:
    """The rule model of a document for so many players; `variants` are the names of the chosen ones (not the
    overlay).
    """
    names = Names(document.root, players, report)
    sentences = Sentences(names, document.texts, variant_files)
    parameters = kinds_and_parameters(names)
    components = read_components(names)
    zone_keys = places.declare_zones(names)
    states = places.states(names)
    steps = Steps(names, sentences)
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
    seat = names.scope(variables={"seat": Member("seat")})
    ranking = tuple(_criterion(names, sentences, entry, seat) for entry in names.section("ranking"))
    invariants = tuple(_invariant(names, sentences, entry) for entry in names.section("invariants"))
    measures = tuple(_measure(names, sentences, entry) for entry in names.section("measures"))
    evaluation = tuple(_weight(names, sentences, entry, seat) for entry in names.section("evaluation"))
    no_circle_of_possible(names, steps.actions, values)
    _plain_sentences(names, sentences)
    if document.table is not None:
        check_table(names, document.table)
    languages = sentences.languages()
    if not variants:
        sentences.unused()
        _unused(names)
    notes = _notes(document, report)
    if report.errors:
        return None
    table = plain(document.table) if document.table is not None else {}
    works = plain(document.sources) if document.sources is not None else {}
    return Rules(
        game=document.name,
        version=text_of(document.root.get("version")),
        players=players,
        variants=tuple(variants),
        kinds=names.kinds,
        family_members=names.members,
        parameters=parameters,
        components=components,
        zones=zones,
        values=values,
        states=states,
        actions=tuple(steps.actions),
        blocks=tuple(Block(block.address, block.steps) for block in steps.blocks),
        setup=blocks["setup"],
        turn=blocks["turn"],
        round=blocks["round"],
        finale=blocks["finale"],
        ranking=ranking,
        invariants=invariants,
        measures=measures,
        evaluation=evaluation,
        languages=languages,
        notes=notes,
        works=cast(dict[str, Any], works).get("works", {}),
        table=cast(dict[str, Any], table),
        digest=_digest(sorted(_meaning(plain(document.root))), players),
        text_digest=_digest(
            [plain(document.root), {code: plain(one) for code, one in document.texts.items()}], players
        ),
    )


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
    return Criterion(address, most is not None, names.expression(of, scope, NUMBER, address))


def _invariant(names: Names, sentences: Sentences, entry: Entry) -> Invariant:
    node, address = mapping(entry.value), f"invariants.{entry.key.text}"
    is_ = node.get("is")
    assert is_ is not None
    sentences.text(node, address, names.scope())
    after = cast(Literal["step", "turn", "round"], text_of(node.get("after")))
    return Invariant(address, after, names.expression(is_, names.scope(), Flag(), address), entry.key.span)


def _measure(names: Names, sentences: Sentences, entry: Entry) -> Measure:
    address = f"measures.{entry.key.text}"
    per = names.per(mapping(entry.value).get("of"), address) if isinstance(entry.value, Mapping) else ()
    scope = names.scope(variables=dict(per))
    sentences.text(entry.value, address, scope)
    return Measure(entry.key.text, bool(per), names.expression(entry.value, scope, NUMBER, address))


def _weight(names: Names, sentences: Sentences, entry: Entry, scope: Any) -> Weight:
    node, address = mapping(entry.value), f"evaluation.{entry.key.text}"
    weight = node.get("weight")
    assert isinstance(weight, Scalar)
    sentences.text(node, address, scope)
    return Weight(entry.key.text, cast(int, weight.value), names.expression(node, scope, NUMBER, address))


def _plain_sentences(names: Names, sentences: Sentences) -> None:
    """Sentences of the nodes that are no steps: their holes may name what everybody may name."""
    scope = names.scope()
    sentences.text(names.root, "game", scope)
    for section in ("parameters", "components", "zones", "state"):
        for entry in names.section(section):
            sentences.text(entry.value, f"{section}.{entry.key.text}", scope)
    for entry in names.section("values"):
        node = mapping(entry.value)
        of = names.per(node.get("of"), f"values.{entry.key.text}")
        inner = names.scope(has_me=True, variables=dict(of))
        sentences.text(entry.value, f"values.{entry.key.text}", inner)
        for key in ("sum", "less"):
            for term in mapping(node.get(key)) if key in node else ():
                sentences.text(term.value, f"values.{entry.key.text}.{key}.{term.key.text}", inner)


# ---- hygiene ------------------------------------------------------------------------------------------------

USED_BY_THEMSELVES: Final = (KindName, Parameter, Value, StateVar, Zone)


def _unused(names: Names) -> None:
    for name, symbol in names.symbols.items():
        span = names.spans.get(name)
        if span is None or not isinstance(symbol, USED_BY_THEMSELVES) or name in names.mentioned:
            continue
        what = WHAT[type(symbol)]
        names.report.add(
            span, codes.UNUSED, f"no rule uses the {what} `{name}`", label="never used", help="use it or remove it"
        )
    offered = names.mentioned
    for section in ("actions", "procedures"):
        for entry in names.section(section):
            if entry.key.text not in offered:
                names.report.add(
                    entry.key.span,
                    codes.UNUSED,
                    f"no step {'offers' if section == 'actions' else 'runs'} `{entry.key.text}`",
                    label="never used",
                    help="offer it in a step, or remove it"
                    if section == "actions"
                    else "run it in a step, or remove it",
                )


def _notes(document: Document, report: Report) -> dict[str, Note]:
    """Source, status and provenance of every node that is a mapping, inherited from the node around it."""
    works = mapping(document.sources.get("works")).keys() if document.sources is not None else ()
    notes: dict[str, Note] = {}

    def sources(node: Node | None) -> Iterator[tuple[str, str]]:
        for entry in mapping(node) if isinstance(node, Mapping) else ():
            if entry.key.text not in works:
                report.add(
                    entry.key.span,
                    codes.UNKNOWN_SOURCE,
                    f"no work `{entry.key.text}` is listed among the sources",
                    help=nearest(entry.key.text, works) or "list it in the sources file",
                )
            values = entry.value.items if not isinstance(entry.value, Scalar | Mapping) else (entry.value,)
            for value in values:
                yield entry.key.text, text_of(value)

    def visit(node: Mapping, address: str, source: tuple[tuple[str, str], ...], status: str) -> None:
        for entry in node:
            inner = f"{address}.{entry.key.text}" if address else entry.key.text
            value = entry.value
            if entry.key.text in ("source", "status", "text", "why", "rows"):
                continue
            own, own_status = source, status
            if isinstance(value, Mapping):
                if "source" in value:
                    own = tuple(sources(value.get("source")))
                own_status = text_of(value.get("status"), status)
            if inner.count(".") <= MOST_NOTED:
                notes[inner] = Note(inner, _span(entry), own, own_status, entry.layers)
            if isinstance(value, Mapping):
                visit(value, inner, own, own_status)
            elif isinstance(value, Sequence):
                for item in value:  # offers that carry clauses of their own
                    if isinstance(item, Mapping):
                        visit(item, inner, own, own_status)

    head = tuple(sources(document.root.get("source")))
    visit(document.root, "", head, text_of(document.root.get("status")))
    return notes


MOST_NOTED: Final = 12


def _span(entry: Entry) -> Span:
    return entry.key.span


# ---- digests ------------------------------------------------------------------------------------------------


def _meaning(value: Any) -> Any:
    """The resolved rules without what only people read, in a form that does not depend on how they are cut into
    files.
    """
    if isinstance(value, dict):
        return [
            [key, _meaning(one)]
            for key, one in value.items()
            if key not in WORDS_ONLY and key not in ("files", "texts")
        ]
    if isinstance(value, list):
        return [_meaning(one) for one in value]
    return value


def _digest(data: Any, players: int) -> str:
    text = json.dumps([players, data], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
